// What the manifest promises is there.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(folder, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const { commands, configuration, grammars, languages, walkthroughs } = manifest.contributes;
const sources = readdirSync(join(folder, 'src'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(join('src', name)));

test('each file that is named exists', () => {
  const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media.markdown));
  const configurations = languages.flatMap((language) => language.configuration ?? []);
  for (const path of [
    manifest.icon,
    ...media,
    ...configurations,
    ...grammars.map((grammar) => grammar.path),
  ]) {
    assert.ok(existsSync(join(folder, path)), path);
  }
});

test('each grammar of syntaxes/ is contributed under its own scope', () => {
  const files = ['', 'injections/'].flatMap((sub) =>
    readdirSync(join(folder, '../../syntaxes', sub))
      .filter((name) => name.endsWith('.tmLanguage.json'))
      .map((name) => `./syntaxes/${sub}${name}`),
  );
  assert.deepEqual(grammars.map(({ path }) => path).sort(), files.sort());
  for (const { path, scopeName } of grammars) assert.equal(JSON.parse(read(path)).scopeName, scopeName);
});

test('each command is registered, and no other', () => {
  const extension = read('src/extension.ts');
  const handlers = extension.slice(extension.indexOf('const handlers = {'), extension.indexOf('};'));
  const registered = [...handlers.matchAll(/^ {4}(\w+)[:,]/gm)].map(([, name]) => `signature-ls.${name}`);
  assert.deepEqual(commands.map(({ command }) => command).sort(), registered.sort());
});

test('each setting that the code reads is declared', () => {
  const declared = Object.keys(configuration.properties);
  for (const source of sources) {
    for (const [, name] of source.matchAll(
      /getConfiguration\('signature-ls'[^)]*\)\.get(?:<\w+>)?\('([^']+)'/g,
    )) {
      assert.ok(declared.includes(`signature-ls.${name}`), name);
    }
  }
});

test('each setting is in the README', () => {
  for (const name of Object.keys(configuration.properties))
    assert.ok(read('README.md').includes(`\`${name}\``), name);
});

test('every language that is listened to activates the extension', () => {
  const selector = read('src/selector.ts');
  const listened = [...selector.matchAll(/^ {2}'([\w-]+)',$/gm)].map(([, name]) => name);
  const events = manifest.activationEvents.filter((event) => event.startsWith('onLanguage:'));
  const activating = events.map((event) => event.replace('onLanguage:', ''));
  const own = languages.filter(({ id }) => id.startsWith('signature-')).map(({ id }) => id);
  assert.deepEqual(listened.sort(), [...activating, ...own].sort());
});

test('the commands are offered in every language that is listened to', () => {
  const listened = [...read('src/selector.ts').matchAll(/^ {2}'([\w-]+)',$/gm)].map(([, name]) => name);
  for (const { command, when } of manifest.contributes.menus.commandPalette) {
    const [, names] = /^editorLangId =~ \/\^\((.*)\)\$\/$/.exec(when);
    // A catalog has no prompts.
    const hasPrompts = (name) => command !== 'signature-ls.showPreview' || name !== 'signature-catalog';
    assert.deepEqual(names.split('|').sort(), listened.filter(hasPrompts).sort(), command);
  }
});

test('each file that the manual lists has a language that is listened to', () => {
  const clojure = ['.clj', '.cljc', '.cljs', '.edn'];
  const others = ['.json', '.jsonc', '.md', '.markdown', '.prompt.md', '.yaml', '.yml'];
  // VS Code has languages for these, and the extension for MDX has one for its files.
  const builtIn = [...clojure, ...others, '.mdx'];
  const page = readFileSync(join(folder, '../../docs/hosts.md'), 'utf8');
  const table = page.slice(0, page.indexOf('\n## '));
  const named = [...table.matchAll(/^\| (`\..*?) \|/gm)].flatMap(([, cell]) => [
    ...cell.matchAll(/`(\.[\w.]+)`/g),
  ]);
  assert.ok(named.length > 10);
  const contributed = languages.flatMap(({ extensions }) => extensions ?? []);
  for (const [, name] of named) {
    assert.ok(builtIn.includes(name) || contributed.includes(name), name);
  }
});

test('a folder with settings activates the extension, which opens them', () => {
  assert.ok(manifest.activationEvents.includes('workspaceContains:**/signature-ls.toml'));
  assert.ok(read('src/selector.ts').includes("pattern: '**/signature-ls.toml'"));
});
