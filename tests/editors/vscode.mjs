// Drives VS Code, as code-server in headless Chromium, with the packaged extension.
//
// All of it runs in Restricted Mode: an extension that does not work there would show nothing at all.
//
// usage: node vscode.mjs --code-server FOLDER --chromium PATH --vsix FILE… --images FOLDER --failures FOLDER
//                       [--only WORD]
//   --images, --failures  where pictures go for the documentation, and of what failed
//   --only  just the groups of tests whose title contains the word

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: {
    'code-server': { type: 'string' },
    chromium: { type: 'string' },
    only: { type: 'string', default: '' },
    vsix: { type: 'string', multiple: true },
    images: { type: 'string' },
    failures: { type: 'string' },
  },
});

/** Long enough for a machine that is busy with other things. */
const TIMEOUT = 60_000;
const MISTAKE = ':strng';
const MENDED = ':string';

const here = import.meta.dirname;
const cases = JSON.parse(readFileSync(join(here, 'cases.json'), 'utf8'));
const root = mkdtempSync(join(tmpdir(), 'vscode-'));
const project = join(root, 'project');
const userSettings = join(root, 'data/User/settings.json');
const machineSettings = join(root, 'data/Machine/settings.json');
const extensions = join(root, 'extensions');

const SETTINGS = {
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


function codeServer(...args) {
  return [
    join(values['code-server'], 'out/node/entry.js'),
    ...['--config', join(root, 'config.yaml')],
    ...['--user-data-dir', join(root, 'data')],
    ...['--extensions-dir', extensions],
    ...args,
  ];
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// ---------------------------------------------------------------------------------------------------------
// The page

/** What a person does with the editor's window. */
class Editor {
  constructor(page) {
    this.page = page;
    this.squiggles = page.locator('.monaco-editor .squiggly-error');
    this.status = page.locator('[id="signature-ls.signature-ls.status"]');
  }

  /** Opens a file of the project with Quick Open. */
  async open(file, language) {
    await this.page.keyboard.press('Control+p');
    await this.page.locator('.quick-input-widget input').fill(file);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().click();
    await this.page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor();
    await this.page.locator('#status\\.editor\\.mode', { hasText: new RegExp(`^\\s*${language}\\s*$`) }).waitFor();
  }

  /** Closes all files without saving them. */
  async closeAll() {
    await this.page.keyboard.press('Escape');
    const tabs = this.page.locator('.tabs-container .tab');
    while ((await tabs.count()) > 0) {
      const count = await tabs.count();
      await this.run('View: Revert and Close Editor');
      await eventually(async () => {
        if ((await tabs.count()) >= count) throw new Error('the editor does not close');
      });
    }
  }

  /** Writes settings as a person does: the user's, or the machine's, which alone may name a program. */
  async setSettings(more, owner = 'User') {
    const [title, file, settings] = {
      User: ['Preferences: Open User Settings (JSON)', userSettings, { ...SETTINGS, ...more }],
      Machine: ['Preferences: Open Remote Settings (JSON)', machineSettings, more],
    }[owner];
    await this.run(title);
    const tab = this.page.locator('.tab.active[data-resource-name="settings.json"]');
    await tab.waitFor();
    const text = JSON.stringify(settings);
    await this.page.locator('.editor-group-container.active .view-lines').click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press('Control+s');
    await eventually(() => equal(readFileSync(file, 'utf8'), text, 'settings'));
    await this.run('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
  }

  /** Runs a command by its title. */
  async run(title) {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').fill(`>${title}`);
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    await row.waitFor();
    await row.click();
  }

  /** The place on the screen of the first `word` in the active editor. */
  async place(word) {
    const handle = await this.page.waitForFunction((searched) => {
      for (const line of document.querySelectorAll('.editor-group-container.active .view-line')) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const nodes = [];
        let text = '';
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          nodes.push([text.length, node]);
          text += node.data.replaceAll('\u00a0', ' ');
        }
        const at = text.indexOf(searched);
        if (at < 0) continue;
        const range = document.createRange();
        const find = (offset) => nodes.findLast(([start]) => start <= offset);
        const [from, first] = find(at);
        const [to, last] = find(at + searched.length - 1);
        range.setStart(first, at - from);
        range.setEnd(last, at + searched.length - to);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x, y, width, height };
      }
      return null;
    }, word);
    return handle.jsonValue();
  }

  /** Moves the pointer onto `word` and returns what the hover says. */
  async hover(word) {
    const { x, y, width, height } = await this.place(word);
    await this.page.mouse.move(x + width / 2, y + height + 200);
    await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    const hover = this.page.locator('.monaco-hover:not(.hidden) .hover-contents, .monaco-hover:not(.hidden) .hover-row').first();
    await hover.waitFor();
    await sleep(500);
    return (await this.page.locator('.monaco-hover:not(.hidden)').allInnerTexts()).join('\n');
  }

  /** Puts the cursor behind `word`. */
  async clickBehind(word) {
    const { x, y, width, height } = await this.place(word);
    await this.page.mouse.click(x + width, y + height / 2);
  }

  /** Waits until `text` stands in the read-only document `title`. */
  async view(title, text) {
    await this.page.locator(`.tab[data-resource-name="${title}"]`).waitFor();
    await this.page.locator('.view-line', { hasText: text }).first().waitFor();
  }

  /** Waits until just `word` is underlined, by where it stands on the screen. */
  async waitForSquiggle(word) {
    await this.squiggles.first().waitFor();
    await eventually(async () => {
      equal(await this.squiggles.count(), 1, 'squiggles');
      const box = await this.squiggles.boundingBox();
      const expected = await this.place(word);
      const off = Math.abs(box.x - expected.x) + Math.abs(box.width - expected.width);
      if (off > 3) throw new Error(`the squiggle is at ${JSON.stringify(box)}, ${word} at ${JSON.stringify(expected)}`);
    });
  }

  async waitForAbsence(word) {
    const lines = this.page.locator('.editor-group-container.active .view-line', { hasText: word });
    await eventually(async () => equal(await lines.count(), 0, `lines with ${word}`));
  }

  async waitForNoSquiggle() {
    await eventually(async () => equal(await this.squiggles.count(), 0, 'squiggles'));
  }

  /** Types `text` in place of the characters of `word` behind its colon. */
  async retype(word, text) {
    await this.clickBehind(word);
    for (let left = word.length - 1; left > 0; left -= 1) await this.page.keyboard.press('Backspace');
    await this.page.keyboard.type(text);
  }

  async screenshot(name) {
    mkdirSync(values.images, { recursive: true });
    await this.page.screenshot({ path: join(values.images, name) });
  }
}

// ---------------------------------------------------------------------------------------------------------
// The tests

/** Tests that build on one another: what follows a failed one fails with it. */
const groups = [];
let steps;
function group(title, body) {
  groups.push({ title, steps: (steps = []) });
  body();
}
const test = (name, body) => steps.push({ name, body });

for (const { file, language, hover } of cases) {
  group(file, () => {
    test('the mistake is underlined, just that', async (editor) => {
      await editor.open(file, language);
      await editor.waitForSquiggle(MISTAKE);
    });

    test('the finding and the hover are shown', async (editor) => {
      contains(await editor.hover(MISTAKE), MENDED);
      contains(await editor.hover(hover), hover);
    });

    test('a quick fix changes the text and the squiggle goes', async (editor) => {
      await editor.clickBehind(MISTAKE.slice(0, -2));
      await editor.page.keyboard.press('Control+.');
      const action = editor.page.locator('.action-widget .monaco-list-row.action', { hasText: MENDED }).first();
      await action.waitFor();
      if (file === 'letter.prompt') await editor.screenshot('vscode-fix.png');
      await action.click();
      await editor.waitForNoSquiggle();
      await editor.waitForAbsence(MISTAKE);
    });

    test('typing behind emoji is followed', async (editor) => {
      await editor.retype(MENDED, 'strng');
      await editor.waitForSquiggle(MISTAKE);
      await editor.clickBehind('🧑‍🚀');
      await editor.page.keyboard.insertText('😀é');
      await editor.place('🧑‍🚀😀é');
      await editor.waitForSquiggle(MISTAKE);
      await editor.retype(MISTAKE, 'string');
      await editor.waitForNoSquiggle();
    });
  });
}

group('the extension', () => {
  test('says in the status bar that the server runs', async (editor) => {
    await editor.open('letter.prompt', 'Signature Prompt');
    await editor.status.filter({ hasText: 'Signature 0.11' }).waitFor();
    await editor.status.hover();
    await editor.page.locator('.monaco-hover', { hasText: 'running' }).waitFor();
  });

  test('makes a .prompt.md file with a signature a signature prompt, and no other', async (editor) => {
    await editor.open('ours.prompt.md', 'Signature Prompt');
    await editor.waitForSquiggle(MISTAKE);
    await editor.open('theirs.prompt.md', 'Prompt');
  });
});

group('several findings', () => {
  test('each has its squiggle and its hover', async (editor) => {
    await editor.open('emails.ex', 'Elixir');
    await editor.squiggles.nth(1).waitFor();
    contains(await editor.hover('usr'), 'user');
    await editor.screenshot('vscode-hover.png');
  });
});

group('the commands', () => {
  test('show the listing that a model sees', async (editor) => {
    await editor.open('search.prompt', 'Signature Prompt');
    await editor.run('Signature: Show Listing for a Model');
    await editor.view('search.prompt.sig', 'search(query :string, limit :int?) -> {count :int}');
  });

  test('show the JSON Schema', async (editor) => {
    await editor.run('Signature: Show JSON Schema');
    await editor.view('search.prompt.schema.json', '"query"');
  });

  test('validate the selected sample', async (editor) => {
    await editor.clickBehind('{"count": "ten"');
    // The editor's own command, since the browser has the key for it.
    await editor.run('Expand Line Selection');
    await editor.run('Signature: Validate a Sample Against a Signature');
    await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Output' }).click();
    await editor.view('Validation', 'count: expected int, got string "ten"');
  });
});

group('the server', () => {
  test('comes back after it was killed', async (editor) => {
    await editor.open('letter.prompt', 'Signature Prompt');
    await editor.waitForSquiggle(MISTAKE);
    const [first] = serverPids();
    process.kill(first, 'SIGKILL');
    await eventually(() => {
      const [pid] = serverPids();
      if (pid === undefined || pid === first) throw new Error('no new server');
    });
    await editor.retype(MISTAKE, 'string');
    await editor.waitForNoSquiggle();
    await editor.retype(MENDED, 'strng');
    await editor.waitForSquiggle(MISTAKE);
  });

  test('is another one after the restart command', async (editor) => {
    const [first] = serverPids();
    await editor.run('Signature: Restart Server');
    await eventually(() => {
      const pids = serverPids();
      if (pids.length !== 1 || pids[0] === first) throw new Error(`servers: ${pids}`);
    });
    await editor.waitForSquiggle(MISTAKE);
  });

  test('follows the settings', async (editor) => {
    await editor.setSettings({ 'signature-ls.rules': { 'unknown-type': 'off' } });
    await editor.waitForNoSquiggle();
    await editor.setSettings({});
    await editor.waitForSquiggle(MISTAKE);
  });

  test('is missed with a message that says what to do', async (editor) => {
    await editor.setSettings({ 'signature-ls.server.path': '/nowhere/signature-ls' }, 'Machine');
    const message = editor.page.locator('.notification-toast', { hasText: '/nowhere/signature-ls' });
    await message.waitFor();
    for (const action of ['Set Path', 'How to Install', 'Try Again']) {
      await message.getByRole('button', { name: action }).waitFor();
    }
    equal(serverPids(), [], 'servers');
    await editor.setSettings({}, 'Machine');
    await eventually(() => equal(serverPids().length, 1, 'servers'));
    await editor.waitForSquiggle(MISTAKE);
  });
});

// ---------------------------------------------------------------------------------------------------------
// Running them

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The servers that VS Code started from the packaged extension. */
function serverPids() {
  try {
    const pids = execFileSync('pgrep', ['-f', `^${extensions}/.*/server/signature-ls lsp`], { encoding: 'utf8' });
    return pids.trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

async function eventually(check) {
  const end = Date.now() + TIMEOUT;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(50);
    }
  }
}

function equal(actual, expected, what) {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

function contains(text, part) {
  if (!text.includes(part)) throw new Error(`expected ${JSON.stringify(part)} in ${JSON.stringify(text)}`);
}

/** Ends `server`, and all that it started, with this program, however this one ends. */
function endWithUs(server) {
  process.on('exit', () => {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      // It ended before.
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

async function waitForPage(url) {
  await eventually(async () => {
    const response = await fetch(`${url}healthz`);
    if (!response.ok) throw new Error(`code-server answers ${response.status}`);
  });
}

async function main() {
  for (const owner of ['User', 'Machine']) mkdirSync(join(root, 'data', owner), { recursive: true });
  writeFileSync(machineSettings, '{}');
  writeFileSync(userSettings, JSON.stringify(SETTINGS));
  writeFileSync(join(root, 'config.yaml'), '');
  cpSync(join(here, 'fixtures'), project, { recursive: true });
  // A folder must not choose the program: nothing would work if this were heeded.
  mkdirSync(join(project, '.vscode'));
  writeFileSync(join(project, '.vscode/settings.json'), '{"signature-ls.server.path": "/nowhere/of-the-folder"}');
  for (const vsix of values.vsix) {
    execFileSync(process.execPath, codeServer('--install-extension', vsix), { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const args = codeServer('--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--reconnection-grace-time', '1');
  // A process group of its own, so that all of it can be ended.
  endWithUs(spawn(process.execPath, args, { detached: true, stdio: 'ignore' }));
  const browser = await chromium.launch({
    executablePath: values.chromium,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  let passed = 0;
  let failed = 0;
  try {
    await waitForPage(url);
    const page = await browser.newPage({ viewport: { width: 1080, height: 420 }, deviceScaleFactor: 1 });
    page.setDefaultTimeout(TIMEOUT);
    await page.goto(`${url}?folder=${project}`);
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    const editor = new Editor(page);
    await page.keyboard.press('Control+b');
    for (const { title, steps } of groups.filter(({ title }) => title.includes(values.only))) {
      const done = await runGroup(editor, title, steps);
      passed += done;
      failed += steps.length - done;
    }
  } finally {
    await browser.close();
  }
  console.log(`vscode: ${passed} passed, ${failed} failed`);
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
}

/** Runs the tests of a group until one fails; returns how many passed. */
async function runGroup(editor, title, steps) {
  await editor.closeAll();
  for (const [index, { name, body }] of steps.entries()) {
    try {
      await body(editor);
      console.log(`ok   ${title}: ${name}`);
    } catch (error) {
      const picture = join(values.failures, `${title.replaceAll(/\W/g, '-')}.png`);
      mkdirSync(values.failures, { recursive: true });
      await editor.page.screenshot({ path: picture });
      console.log(`FAIL ${title}: ${name}; see ${picture}\n${error.stack}`);
      for (const { name } of steps.slice(index + 1)) console.log(`FAIL ${title}: ${name}; not reached`);
      return index;
    }
  }
  return steps.length;
}

await main();
