// Finds the server's program. Uses no API of VS Code, so that tests can run without it.

import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** A program, and where it was found. */
export interface Server {
  readonly path: string;
  readonly origin: 'setting' | 'bundle' | 'PATH';
}

/** Why there is no server, for the user. */
export interface Missing {
  readonly reason: string;
}

/** Where to search. */
export interface Places {
  /** The user's setting; empty if not set. */
  readonly setting: string;
  /** The extension's folder. */
  readonly extension: string;
  /** The environment variable `PATH`. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** The first of: the setting, the program in the extension, the first one on the PATH. */
export async function locateServer(places: Places): Promise<Server | Missing> {
  const setting = places.setting.trim();
  if (setting !== '') {
    const path = setting.startsWith('~/') ? join(homedir(), setting.slice(2)) : setting;
    if (!isAbsolute(path))
      return { reason: `The setting signature-ls.server.path is not an absolute path: ${setting}` };
    if (await isProgram(path)) return { path, origin: 'setting' };
    return { reason: `The setting signature-ls.server.path names no program: ${path}` };
  }

  const name = places.platform === 'win32' ? 'signature-ls.exe' : 'signature-ls';
  const bundled = join(places.extension, 'server', name);
  if (await isProgram(bundled)) return { path: bundled, origin: 'bundle' };

  for (const folder of places.path.split(delimiter)) {
    // An empty or relative entry would let the workspace choose the program.
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    if (await isProgram(path)) return { path, origin: 'PATH' };
  }
  return {
    reason: 'This build of the extension has no server for your platform, and there is none on the PATH.',
  };
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
