// VS Code as code-server, with temporary folders, for one run of the tests.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from './wait.mjs';

export const SETTINGS = {
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.tips.enabled': false,
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'git.enabled': false,
  'editor.minimap.enabled': false,
  // Lines and columns that appear late would move the targets of the tests.
  'editor.codeLens': false,
  'editor.inlayHints.enabled': 'off',
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoSurround': 'never',
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.wordBasedSuggestions': 'off',
  'editor.hover.delay': 100,
  'editor.occurrencesHighlight': 'off',
  'editor.unicodeHighlight.invisibleCharacters': false,
  'editor.unicodeHighlight.nonBasicASCII': false,
};

export class Workbench {
  #program;
  #server;
  #root = mkdtempSync(join(tmpdir(), 'vscode-'));
  #extensions = join(this.#root, 'extensions');
  project = join(this.#root, 'project');
  userSettings = join(this.#root, 'data/User/settings.json');
  machineSettings = join(this.#root, 'data/Machine/settings.json');

  /** `program` is the folder of code-server; its project is a copy of `fixtures`. */
  constructor(program, fixtures) {
    this.#program = program;
    process.on('exit', () => this.#end());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
    for (const owner of ['User', 'Machine']) mkdirSync(join(this.#root, 'data', owner), { recursive: true });
    writeFileSync(this.machineSettings, '{}');
    writeFileSync(this.userSettings, JSON.stringify(SETTINGS));
    writeFileSync(join(this.#root, 'config.yaml'), '');
    cpSync(fixtures, this.project, { recursive: true });
    // A folder must not set the program: nothing would work if it could.
    mkdirSync(join(this.project, '.vscode'));
    writeFileSync(join(this.project, '.vscode/settings.json'), '{"signature-ls.server.path": "/nowhere/of-the-folder"}');
  }

  install(vsix) {
    execFileSync(process.execPath, this.#arguments('--install-extension', vsix), {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** Starts the server of the editor; returns the address of the project. */
  async start() {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/`;
    const options = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--reconnection-grace-time', '1'];
    // A process group, so that all of it can be killed.
    this.#server = spawn(process.execPath, this.#arguments(...options), {
      detached: true,
      // For its sockets.
      env: { ...process.env, TMPDIR: this.#root },
      stdio: 'ignore',
    });
    await eventually(async () => {
      const response = await fetch(`${address}healthz`);
      if (!response.ok) throw new Error(`code-server answers ${response.status}`);
    });
    return `${address}?folder=${this.project}`;
  }

  /** The servers of signatures that the packaged extension started. */
  serverPids() {
    try {
      const command = `^${this.#extensions}/.*/server/signature-ls lsp`;
      return execFileSync('pgrep', ['-f', command], { encoding: 'utf8' }).trim().split('\n').map(Number);
    } catch {
      return [];
    }
  }

  /** Cleans up, however the tests end. */
  #end() {
    try {
      if (this.#server) process.kill(-this.#server.pid, 'SIGKILL');
    } catch {
      // It ended before.
    }
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  #arguments(...more) {
    return [
      join(this.#program, 'out/node/entry.js'),
      ...['--config', join(this.#root, 'config.yaml')],
      ...['--user-data-dir', join(this.#root, 'data')],
      ...['--extensions-dir', this.#extensions],
      ...more,
    ];
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
