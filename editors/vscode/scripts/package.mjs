// Builds the server and a .vsix for this platform that contains it.
//
// usage: npm run package [-- --target PLATFORM --server PATH --out PATH]
//   --target  a platform of VS Code, such as linux-x64; default: this machine's
//   --server  a prebuilt server, such as a cross-compiled one; default: built by cargo
//   --out     the path of the .vsix; default: in this folder

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const extension = dirname(import.meta.dirname);
const repository = join(extension, '../..');

const { values } = parseArgs({
  options: { target: { type: 'string' }, server: { type: 'string' }, out: { type: 'string' } },
});
const target = values.target ?? `${process.platform}-${process.arch}`;
const program = target.startsWith('win32') ? 'signature-ls.exe' : 'signature-ls';
const server = values.server ?? buildServer();

rmSync(join(extension, 'server'), { recursive: true, force: true });
mkdirSync(join(extension, 'server'));
copyFileSync(server, join(extension, 'server', program));
chmodSync(join(extension, 'server', program), 0o755);

run(process.execPath, ['scripts/copy-syntaxes.mjs'], extension);
run(process.execPath, ['scripts/build.mjs'], extension);
for (const license of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  copyFileSync(join(repository, license), join(extension, 'dist', `${license}.txt`));
}
const readme = writeReadme();

run(
  process.execPath,
  [
    join(extension, 'node_modules/@vscode/vsce/vsce'),
    ...['package', '--no-dependencies', '--skip-license', '--allow-missing-repository'],
    ...['--no-rewrite-relative-links', '--readme-path', readme, '--target', target],
    ...(values.out ? ['--out', values.out] : []),
  ],
  extension,
);

/** Builds the server and returns its path. */
function buildServer() {
  run('cargo', ['build', '--release', '--locked'], repository);
  const metadata = execFileSync('cargo', ['metadata', '--format-version=1', '--no-deps'], {
    cwd: repository,
  });
  return join(JSON.parse(metadata.toString()).target_directory, 'release', program);
}

/** The pictures are in the repository's documentation; the packaged README has copies. */
function writeReadme() {
  mkdirSync(join(extension, 'dist/images'), { recursive: true });
  const text = readFileSync(join(extension, 'README.md'), 'utf8').replaceAll(
    /\.\.\/\.\.\/docs\/images\/([\w-]+\.png)/g,
    (_, name) => {
      const picture = join(repository, 'docs/images', name);
      if (!existsSync(picture))
        throw new Error(`there is no picture ${picture}; tests/editors/run makes it where IMAGES says so`);
      copyFileSync(picture, join(extension, 'dist/images', name));
      return `dist/images/${name}`;
    },
  );
  writeFileSync(join(extension, 'dist/README.md'), text);
  return 'dist/README.md';
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'inherit' });
}
