// The tests in the editor.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { equal, eventually } from './wait.mjs';

const MISTAKE = ':strng';
const FIXED = ':string';

const cases = JSON.parse(readFileSync(join(import.meta.dirname, '../cases.json'), 'utf8'));

/** Tests that build on one another: those after a failed one are skipped and count as failed. */
export const groups = [];
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
      await editor.hover(MISTAKE, FIXED);
      await editor.hover(hover, hover);
    });

    test('a quick fix changes the text and the squiggle goes', async (editor) => {
      await editor.clickBehind(MISTAKE.slice(0, -2));
      const action = await editor.fix(FIXED);
      if (file === 'letter.prompt') await editor.screenshot('vscode-fix.png');
      await action.click();
      await editor.waitForNoSquiggle();
      await editor.waitForAbsence(MISTAKE);
    });

    test('typing after emoji is followed', async (editor) => {
      await editor.retype(FIXED, 'strng');
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
    await editor.hover('usr', 'user');
    await editor.screenshot('vscode-hover.png');
  });
});

group('names', () => {
  const suggestion = (editor, text) =>
    editor.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: text }).first();

  test('are completed path by path', async (editor) => {
    await editor.open('names.prompt', 'Signature Prompt');
    await editor.status.filter({ hasText: 'Signature 0.11' }).waitFor();
    await editor.clickBehind('{{filter.tag}}.');
    await editor.page.keyboard.type(' At most {{filter.');
    await suggestion(editor, 'limit').waitFor();
    await editor.screenshot('vscode-completion.png');
    await suggestion(editor, 'limit').click();
    await editor.place('{{filter.limit}}');
  });

  test('show their declaration in place', async (editor) => {
    await editor.clickBehind('{{quer');
    await editor.run('Peek Definition');
    await editor.page.locator('.peekview-widget .view-line', { hasText: 'signature' }).first().waitFor();
    await editor.screenshot('vscode-definition.png');
    await editor.page.keyboard.press('Escape');
  });

  test('lead to where they are declared', async (editor) => {
    await editor.clickBehind('{{quer');
    await editor.page.keyboard.press('F12');
    await editor.page.locator('.statusbar-item', { hasText: 'Ln 3,' }).waitFor();
  });

  test('are renamed wherever they are used', async (editor) => {
    const input = editor.page.locator('.rename-box input');
    await editor.clickBehind('{{quer');
    await editor.persist(async () => {
      await editor.page.keyboard.press('F2');
      await input.waitFor({ timeout: 5_000 });
    });
    await input.fill('question');
    await editor.screenshot('vscode-rename.png');
    await editor.page.keyboard.press('Enter');
    await editor.place('(question :string');
    await editor.place('{{question}}');
  });

  test('are in the outline', async (editor) => {
    const row = editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'question' }).first();
    await editor.persist(async () => {
      await editor.page.keyboard.press('Control+Shift+O');
      await row.waitFor({ timeout: 5_000 });
    });
    await editor.screenshot('vscode-outline.png');
    await editor.page.keyboard.press('Escape');
    await editor.pick('Control+Shift+O', '@question', 'question');
    await editor.page.locator('.statusbar-item', { hasText: 'Ln 3,' }).waitFor();
  });

  test('are refactored', async (editor) => {
    await editor.clickBehind('(question :str');
    const action = await editor.fix('Make `question` optional');
    await editor.screenshot('vscode-refactorings.png');
    await action.click();
    await editor.place('(question :string?');
  });
});

group('a tool and its agent', () => {
  test('have hints and lenses', async (editor) => {
    await editor.setSettings({ 'editor.codeLens': true, 'editor.inlayHints.enabled': 'on' });
    await editor.open('research.ex', 'Elixir');
    await editor.page.locator('.codelens-decoration', { hasText: 'reference' }).first().waitFor();
    await editor.place('(query :string, limit :int) -> [:map]');
    await editor.screenshot('vscode-hints.png');
    await editor.setSettings({});
  });

  test('show who calls a tool', async (editor) => {
    await editor.open('research.ex', 'Elixir');
    await editor.clickBehind('"look_');
    await editor.run('Peek Call Hierarchy');
    await editor.page.locator('.call-hierarchy .monaco-list-row', { hasText: 'research' }).first().waitFor();
    await editor.screenshot('vscode-calls.png');
    await editor.page.keyboard.press('Escape');
  });

  test('say what a step has returned', async (editor) => {
    await editor.open('research.ex', 'Elixir');
    await editor.hover('"answr"', 'answer');
    await editor.screenshot('vscode-chain.png');
  });

  test('show a call its parameters', async (editor) => {
    await editor.open('research.clj', 'Clojure');
    await editor.clickBehind(':limit ');
    const help = editor.page.locator('.parameter-hints-widget.visible', { hasText: 'limit' });
    await editor.persist(async () => {
      await editor.page.keyboard.press('Control+Shift+Space');
      await help.waitFor({ timeout: 5_000 });
    });
    await editor.screenshot('vscode-help.png');
  });
});

group('formatting', () => {
  test('splits a signature that is too long', async (editor) => {
    await editor.open('wide.prompt', 'Signature Prompt');
    await editor.run('Format Document');
    await editor.place('  deadline :datetime,');
    await editor.screenshot('vscode-format.png');
  });
});

group('folding', () => {
  test('hides front matter and sections', async (editor) => {
    await editor.open('digest.prompt', 'Signature Prompt');
    await editor.place('- {{.}}');
    await editor.run('Fold All');
    await editor.waitForAbsence('- {{.}}');
    await editor.screenshot('vscode-folding.png');
    await editor.run('Unfold All');
    await editor.place('- {{.}}');
  });
});

group('fix all', () => {
  test('applies all safe fixes', async (editor) => {
    await editor.open('habits.json', 'JSON');
    await editor.squiggles.nth(1).waitFor();
    await editor.run('Fix All');
    await editor.waitForNoSquiggle();
    await editor.place('"(id :int) -> {name :string}"');
  });
});

group('check --fix', () => {
  test('changes a file that is open', async (editor) => {
    await editor.open('mistakes.yaml', 'YAML');
    await editor.squiggles.first().waitFor();
    const file = join(editor.workbench.project, 'mistakes.yaml');
    execFileSync(process.env.SIGNATURE_LS, ['check', '--fix', file]);
    await editor.place('"(id :int, name :string)');
    await editor.waitForNoSquiggle();
  });
});

group('the workspace', () => {
  test('has its tools as symbols', async (editor) => {
    const row = editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'tools.sig' }).first();
    await editor.persist(async () => {
      await editor.page.keyboard.press('Control+t');
      await editor.page.locator('.quick-input-box input').fill('#srch');
      await row.waitFor({ timeout: 5_000 });
    });
    await editor.screenshot('vscode-symbols.png');
    await editor.page.keyboard.press('Escape');
    await editor.pick('Control+t', '#srch', 'tools.sig');
    await editor.page.locator('.tab.active[data-resource-name="tools.sig"]').waitFor();
  });
});

group('the commands', () => {
  test('show the listing that a model sees', async (editor) => {
    await editor.open('search.prompt', 'Signature Prompt');
    await editor.run('Signature: Show Listing for a Model');
    await editor.view('search.prompt.sig', 'search(query :string, limit :int?) -> {count :int}');
    await editor.screenshot('vscode-listing.png');
  });

  test('show the JSON Schema', async (editor) => {
    await editor.run('Signature: Show JSON Schema');
    await editor.view('search.prompt.schema.json', '"query"');
  });

  test('validate the selected sample', async (editor) => {
    await editor.clickBehind('{"count": "ten"');
    // The editor's command, because the browser uses the key.
    await editor.run('Expand Line Selection');
    await editor.run('Signature: Validate a Sample Against a Signature');
    await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Output' }).click();
    await editor.view('Validation', 'count: expected int, got string "ten"');
  });
});

group('the preview', () => {
  test('shows what the model sees, with names and types', async (editor) => {
    await editor.open('digest.prompt', 'Signature Prompt');
    await editor.run('Signature: Show What the Model Sees');
    await editor.preview('‹user.name :string›');
    await editor.preview('Expected output');
  });

  test('fills in the values of a sample', async (editor) => {
    await editor.previewPage.locator('select').selectOption('sample 1');
    await editor.preview('Write to Ada about:\n- looms\n- engines');
    // A tooltip under the pointer would be in the picture.
    await editor.page.mouse.move(1, 1);
    await editor.page.locator('.monaco-hover').first().waitFor({ state: 'hidden' });
    await editor.screenshot('vscode-preview.png');
  });

  test('follows the text', async (editor) => {
    await editor.clickBehind('Write to');
    await editor.page.keyboard.type(' dear');
    await editor.preview('Write to dear Ada about:');
  });
});

group('the settings file', () => {
  test('shows a mistake, and its fix', async (editor) => {
    await editor.open('signature-ls.toml', '(Plain Text|TOML)');
    await editor.waitForSquiggle('"0.6"');
    await editor.clickBehind('"0.6');
    const action = await editor.fix('0.5');
    await action.click();
    await editor.waitForNoSquiggle();
  });

  test('completes the settings', async (editor) => {
    await editor.clickBehind('hyphen-in-name = "off"');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('unused');
    await editor.page
      .locator('.suggest-widget.visible .monaco-list-row', { hasText: 'unused-parameter' })
      .first()
      .waitFor();
    await editor.page.keyboard.press('Escape');
  });
});

group('the server', () => {
  test('comes back after it was killed', async (editor) => {
    await editor.open('letter.prompt', 'Signature Prompt');
    await editor.waitForSquiggle(MISTAKE);
    const [first] = editor.workbench.serverPids();
    process.kill(first, 'SIGKILL');
    await eventually(() => {
      const [pid] = editor.workbench.serverPids();
      if (pid === undefined || pid === first) throw new Error('no new server');
    });
    await editor.retype(MISTAKE, 'string');
    await editor.waitForNoSquiggle();
    await editor.retype(FIXED, 'strng');
    await editor.waitForSquiggle(MISTAKE);
  });

  test('is another one after the restart command', async (editor) => {
    const [first] = editor.workbench.serverPids();
    await editor.run('Signature: Restart Server');
    await eventually(() => {
      const pids = editor.workbench.serverPids();
      if (pids.length !== 1 || pids[0] === first) throw new Error(`servers: ${pids}`);
    });
    await editor.waitForSquiggle(MISTAKE);
  });

  test('is in a bug report', async (editor) => {
    await editor.run('Signature: Collect a Bug Report');
    await editor.view('Bug report', 'compiler: rustc');
    await editor.open('letter.prompt', 'Signature Prompt');
  });

  test('follows the settings', async (editor) => {
    await editor.setSettings({ 'signature-ls.rules': { 'unknown-type': 'off' } });
    await editor.waitForNoSquiggle();
    await editor.setSettings({});
    await editor.waitForSquiggle(MISTAKE);
  });

  test('reads keys of one’s own from the settings', async (editor) => {
    await editor.closeAll();
    await editor.setSettings({ 'signature-ls.signature.keys': ['contract'] });
    await editor.open('contract.ex', 'Elixir');
    await editor.waitForSquiggle(MISTAKE);
    await editor.setSettings({});
    await editor.waitForNoSquiggle();
    await editor.open('letter.prompt', 'Signature Prompt');
    await editor.waitForSquiggle(MISTAKE);
  });

  test('is missed with a message that says what to do', async (editor) => {
    await editor.setSettings({ 'signature-ls.server.path': '/nowhere/signature-ls' }, 'Machine');
    const message = editor.page.locator('.notification-toast', { hasText: '/nowhere/signature-ls' });
    await message.waitFor();
    for (const action of ['Set Path', 'How to Install', 'Try Again']) {
      await message.getByRole('button', { name: action }).waitFor();
    }
    equal(editor.workbench.serverPids(), [], 'servers');
    await editor.setSettings({}, 'Machine');
    await eventually(() => equal(editor.workbench.serverPids().length, 1, 'servers'));
    await editor.waitForSquiggle(MISTAKE);
  });
});
