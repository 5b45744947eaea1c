// Drives VS Code, as code-server in headless Chromium, with the packaged extension.
//
// Everything runs in Restricted Mode: an extension that does not support it would show nothing.
//
// usage: node run.mjs --code-server FOLDER --chromium PATH --vsix FILE… --images FOLDER --failures FOLDER
//                    [--only WORD]
//   --images, --failures  the folders for pictures of the documentation, and of failures
//   --only  run only the groups of tests whose title contains the word

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

import { Editor } from './editor.mjs';
import { groups } from './tests.mjs';
import { TIMEOUT } from './wait.mjs';
import { Workbench } from './workbench.mjs';

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

const BROWSER_OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const workbench = new Workbench(values['code-server'], join(import.meta.dirname, '../fixtures'));
values.vsix.forEach((vsix) => workbench.install(vsix));
const address = await workbench.start();
const browser = await chromium.launch({ executablePath: values.chromium, args: BROWSER_OPTIONS });
let passed = 0;
let failed = 0;
try {
  const page = await browser.newPage({ viewport: { width: 1080, height: 420 }, deviceScaleFactor: 1 });
  page.setDefaultTimeout(TIMEOUT);
  await page.goto(address);
  await page.locator('.monaco-workbench .part.statusbar').waitFor();
  await page.keyboard.press('Control+b');
  const editor = new Editor(page, workbench, values.images);
  for (const { title, steps } of groups.filter(({ title }) => title.includes(values.only))) {
    const done = await runGroup(editor, title, steps);
    passed += done;
    failed += steps.length - done;
  }
} finally {
  await browser.close();
}
console.log(`vscode: ${passed} passed, ${failed} failed`);
// Not at the end of the event loop, which the editor's server would keep alive.
process.exit(passed > 0 && failed === 0 ? 0 : 1);

/** Runs the tests of a group until one fails; returns the number that passed. */
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
