// A user of the editor's window.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { equal, eventually, PATIENCE, TIMEOUT } from './wait.mjs';
import { SETTINGS } from './workbench.mjs';

/** More than the steps in which the editor undoes a retyped word. */
const MOST_UNDONE = 20;

export class Editor {
  /** `page` shows the `workbench`; pictures for the documentation are saved in the folder `images`. */
  constructor(page, workbench, images) {
    this.page = page;
    this.workbench = workbench;
    this.images = images;
    this.squiggles = page.locator('.monaco-editor .squiggly-error');
    this.previewPage = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    this.status = page.locator('[id="signature-ls.signature-ls.status"]');
  }

  /** Opens a file of the project with Quick Open. */
  async open(file, language) {
    await this.persist(async () => {
      await this.pick('Control+p', file, file);
      await this.page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor({ timeout: PATIENCE });
    });
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

  /** Writes the user's settings, or the machine's: only those can set a program. */
  async setSettings(more, owner = 'User') {
    const [title, file, settings] = {
      User: ['Preferences: Open User Settings (JSON)', this.workbench.userSettings, { ...SETTINGS, ...more }],
      Machine: ['Preferences: Open Remote Settings (JSON)', this.workbench.machineSettings, more],
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
    // The file is written before the editor considers it saved.
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
    await this.run('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
  }

  /** Runs a command by its title. */
  async run(title) {
    await this.pick('F1', `>${title}`, title);
  }

  /** Presses a key that opens a list, types there and takes the row with `title`. */
  async pick(key, typed, title) {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    await this.persist(async () => {
      await this.page.keyboard.press(key);
      await this.page.locator('.quick-input-box input').fill(typed, { timeout: PATIENCE });
      await row.click({ timeout: PATIENCE });
      const isTaken = (text) => {
        const input = document.querySelector('.quick-input-box input');
        return !input?.offsetParent || input.value !== text;
      };
      await this.page.waitForFunction(isTaken, typed, { timeout: PATIENCE });
    });
  }

  /** Opens the quick fixes at the cursor and returns the first with `title`. */
  async fix(title) {
    const action = this.page.locator('.action-widget .monaco-list-row.action', { hasText: title }).first();
    // A hover that appears meanwhile would close the list.
    await this.page.mouse.move(1, 1);
    await this.persist(async () => {
      await this.page.keyboard.press('Control+.');
      await action.waitFor({ timeout: PATIENCE });
    });
    return action;
  }

  /** Repeats `act` until it succeeds: a busy editor sometimes drops a key. */
  async persist(act) {
    await eventually(async () => {
      try {
        await act();
      } catch (error) {
        await this.page.keyboard.press('Escape');
        throw error;
      }
    });
  }

  /** The position on the screen of the first `word` in the active editor. */
  async place(word, timeout = TIMEOUT) {
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
    }, word, { timeout });
    return handle.jsonValue();
  }

  /** Moves the pointer onto `word` until the hover says `text`. */
  async hover(word, text) {
    const hovers = this.page.locator('.monaco-hover:not(.hidden)');
    await eventually(async () => {
      // A lens that appears late moves the lines below it.
      const { x, y, width, height } = await this.place(word);
      await this.page.mouse.move(x + width / 2, y + height + 200);
      await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
      await hovers.filter({ hasText: text }).first().waitFor({ timeout: PATIENCE });
    });
  }

  /** Puts the cursor after `word`. */
  async clickBehind(word) {
    const { x, y, width, height } = await this.place(word);
    await this.page.mouse.click(x + width, y + height / 2);
  }

  /** Waits until `text` is in the read-only document `title`. */
  async view(title, text) {
    await this.page.locator(`.tab[data-resource-name="${title}"]`).waitFor();
    await this.page.locator('.view-line', { hasText: text }).first().waitFor();
  }

  /** Waits until the preview shows `text`. */
  async preview(text) {
    await eventually(async () => {
      const shown = await this.previewPage.locator('#preview').innerText({ timeout: PATIENCE });
      if (!shown.includes(text)) throw new Error(`the preview shows ${shown}`);
    });
  }

  /** Waits until only `word` is underlined, by its position on the screen. */
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

  /** Types `text` in place of `word`, after its colon, until it is there: a busy editor sometimes drops a key. */
  async retype(word, text) {
    const before = await this.text();
    await this.persist(async () => {
      for (let left = MOST_UNDONE; left > 0 && (await this.text()) !== before; left -= 1) {
        await this.page.keyboard.press('Control+z');
      }
      await this.clickBehind(word);
      for (let left = word.length - 1; left > 0; left -= 1) await this.page.keyboard.press('Backspace');
      await this.page.keyboard.type(text);
      await this.place(word[0] + text, PATIENCE);
    });
  }

  /** The text that the active editor shows. */
  async text() {
    const lines = await this.page.locator('.editor-group-container.active .view-line').allTextContents();
    return lines.sort().join('\n');
  }

  async screenshot(name) {
    mkdirSync(this.images, { recursive: true });
    await this.page.screenshot({ path: join(this.images, name) });
  }
}

