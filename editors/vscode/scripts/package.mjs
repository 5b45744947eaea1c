// Builds the server and a .vsix for this platform that contains it.
//
// usage: npm run package [-- --target PLATFORM --server PATH]
//   --target  a platform of VS Code, such as linux-x64; this machine's without it
//   --server  a server that was built before, such as a cross-compiled one; built by cargo without it

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const extension = dirname(import.meta.dirname);
const repository = join(extension, '../..');

const { values } = parseArgs({ options: { target: { type: 'string' }, server: { type: 'string' } } });
const target = values.target ?? `${process.platform}-${process.arch}`;
const program = target.startsWith('win32') ? 'signature-ls.exe' : 'signature-ls';
const server = values.server ?? buildServer();

rmSync(join(extension, 'server'), { recursive: true, force: true });
mkdirSync(join(extension, 'server'));
copyFileSync(server, join(extension, 'server', program));
chmodSync(join(extension, 'server', program), 0o755);
for (const license of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  copyFileSync(join(repository, license), join(extension, license));
}

run(process.execPath, ['scripts/copy-syntaxes.mjs'], extension);
run(process.execPath, ['scripts/build.mjs'], extension);
const vsce = join(extension, 'node_modules/@vscode/vsce/vsce');
run(process.execPath, [vsce, 'package', '--no-dependencies', '--target', target], extension);

function buildServer() {
  run('cargo', ['build', '--release', '--locked'], repository);
  const metadata = execFileSync('cargo', ['metadata', '--format-version=1', '--no-deps'], {
    cwd: repository,
  });
  return join(JSON.parse(metadata.toString()).target_directory, 'release', program);
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'inherit' });
}
