// The scenarios of the playground. Each one gets a new page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { longTexts } from "./texts.mjs";

const require = createRequire(import.meta.url);

const PROMPT = `---
signature: "(user :string, topic :string) -> {answer :string}"
---
Hello {{user}}, about {{topic}}.
`;

const PICTURE = `SubAgent.run("Find emails for {{usr.name}} about {{topic}}.",
  signature: "(user {name :strng}, topic :string) -> {count :int}",
  tools: %{
    "search" => {&Mail.search/1,
      signature: "(query :string, limit :int?) -> [{id :int, subject :string}]",
      description: "Finds emails."}
  },
  context: %{user: %{name: "Ada"}, topic: "trees"}
)
`;

async function open(page, address, text = PROMPT, kind = "prompt") {
  await page.goto(`${address}#${new URLSearchParams({ text, kind })}`);
  await checked(page);
}

/** Waits until the text is checked. The page may not be there yet after a click on a link. */
async function checked(page) {
  await page.waitForFunction(() => document.getElementById("count")?.textContent.startsWith("Loading") === false);
}

const editor = (page) => page.locator("#editor .cm-content");
/** Puts the cursor before a column of a line, both from 1. */
async function cursorAt(page, line, column) {
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  for (let index = 1; index < line; index++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  for (let index = 1; index < column; index++) await page.keyboard.press("ArrowRight");
}

async function problems(page, expected) {
  await page.waitForFunction((it) => document.getElementById("count").textContent === it, expected);
}

const view = (page, name) => page.getByRole("tab", { name }).click();
const panel = (page) => page.locator("#panel");

/** Waits until the text contains `expected`. */
async function text(page, expected) {
  await page.waitForFunction(
    (it) => [...document.querySelectorAll("#editor .cm-line")].map((line) => line.textContent).join("\n").includes(it),
    expected,
  );
}

/** Measures 10 times, and more often while all results exceed `limit`: a busy machine is not an error of the page. */
async function untilBelow(limit, most, measure) {
  const times = [];
  while (times.length < 10 || (times[0] >= limit && times.length < most)) {
    times.push(await measure());
    times.sort((a, b) => a - b);
  }
  const shown = `${times[0].toFixed(1)} ms at best, ${times[times.length >> 1].toFixed(1)} ms in the median of ${times.length}`;
  assert.ok(times[0] < limit, `${shown}, not below ${limit} ms`);
  return shown;
}

/** Records in the page when keys are pressed, when edits are sent, and when their diagnostics are shown. */
function notePage() {
  window.noted = { keys: [], edits: [], shown: [] };
  addEventListener("keydown", (event) => window.noted.keys.push(performance.timeOrigin + event.timeStamp), true);
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (question, ...rest) {
    if (question.request?.edit) window.noted.edits.push({ id: question.id, at: performance.timeOrigin + performance.now() });
    return post.call(this, question, ...rest);
  };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntriesByName("show")) {
      window.noted.shown.push({ from: performance.timeOrigin + startTime, duration });
    }
  }).observe({ entryTypes: ["measure"] });
}

/** Records in the worker when it answers. */
function noteWorker() {
  self.answers = {};
  const post = self.postMessage.bind(self);
  self.postMessage = (reply) => {
    post(reply);
    self.answers[reply.id] = performance.timeOrigin + performance.now();
  };
}

/**
 * Types so many letters, faster than people do. For each, how long the checker took and how long the page took to show
 * what it found, and how long it was in all. In between, the browser shows the letter first.
 */
async function typed(page, count) {
  await page.evaluate(() => Object.values(window.noted).forEach((it) => (it.length = 0)));
  await page.keyboard.type("x".repeat(count), { delay: 60 });
  await page.waitForTimeout(150);
  const { keys, edits, shown } = await page.evaluate(() => window.noted);
  const answers = await page.workers()[0].evaluate(() => self.answers);
  assert.equal(keys.length, count);
  assert.equal(edits.length, count);
  return keys.map((key, index) => {
    const { id, at } = edits[index];
    const show = shown.find(({ from }) => from >= at);
    return { work: answers[id] - at + show.duration, all: show.from + show.duration - key };
  });
}

// Milliseconds from a key to its diagnostics.
const AIM = 5;

const quantile = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)];

/** Puts the cursor into a type in the middle of `text`, or into a placeholder. */
async function cursorInSignature(page, text) {
  const lines = text.split("\n");
  const index = lines.findIndex((it, index) => index >= 500 && /:int|\{\{user/.test(it));
  await editor(page).click();
  await page.keyboard.press("Control+Alt+g");
  await page.locator(".cm-goto-line input[name=line]").fill(String(index + 1));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  for (let column = lines[index].search(/:int|\{\{user/) + 3; column > 0; column--) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
}

async function kindsOf(page, address) {
  await page.goto(address);
  return page.locator("#kind option").evaluateAll((all) => all.map((it) => it.value));
}

export const scenarios = {
  async "a mistake is underlined, explained and fixed"({ page, address }) {
    await open(page, address);
    await problems(page, "No problems");
    // `:string` becomes `:strng`.
    await cursorAt(page, 2, 'signature: "(user :str'.length + 1);
    await page.keyboard.press("Delete");
    await problems(page, "1 problem");
    const squiggle = page.locator("#editor .cm-lintRange-error");
    assert.equal(await squiggle.textContent(), ":strng");
    assert.match(await page.locator("#problems").textContent(), /strng/);
    await squiggle.hover();
    const tooltip = page.locator(".cm-tooltip .message");
    await tooltip.waitFor();
    assert.match(await tooltip.textContent(), /unknown-type/);
    await tooltip.getByRole("button").first().click();
    await problems(page, "No problems");
    await text(page, "(user :string,");
  },

  async "a fix by the keyboard"({ page, address }) {
    await open(page, address, PROMPT.replace(":string,", ":strng,"));
    await problems(page, "1 problem");
    await page.getByRole("button", { name: /Error/ }).first().press("Enter");
    await page.keyboard.press("Control+.");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.keyboard.press("Enter");
    await problems(page, "No problems");
    await text(page, "(user :string,");
  },

  async "a placeholder is completed"({ page, address }) {
    await open(page, address);
    await cursorAt(page, 4, 1);
    await page.keyboard.press("End");
    await page.keyboard.type(" {{to");
    const option = page.locator(".cm-tooltip-autocomplete li", { hasText: "topic" });
    await option.waitFor();
    await page.waitForTimeout(150);
    await page.keyboard.press("Enter");
    await text(page, "about {{topic}}. {{topic");
    await page.waitForFunction(() => !document.querySelector(".cm-tooltip-autocomplete"));
  },

  async "a parameter is renamed"({ page, address }) {
    await open(page, address);
    await cursorAt(page, 2, 'signature: "('.length + 2);
    await page.keyboard.press("F2");
    const input = page.getByRole("dialog").getByRole("textbox");
    await input.fill("person");
    await input.press("Enter");
    await text(page, "(person :string,");
    await text(page, "Hello {{person}},");
    await problems(page, "No problems");
    await page.getByRole("button", { name: "Rename…" }).click();
    await input.fill("topic");
    await input.press("Enter");
    await page.waitForFunction(() => /topic/.test(document.getElementById("status").textContent));
  },

  async "hover, signature help, definition and formatting"({ page, address }) {
    await open(page, address, PROMPT.replace("(user :string, ", "(user   :string,"));
    await page.getByRole("button", { name: "Format" }).click();
    await text(page, "(user :string, topic :string)");
    await page.locator("#editor .token-type").first().hover();
    await page.locator(".cm-tooltip .hover").waitFor();
    await cursorAt(page, 4, "Hello {{us".length);
    await page.keyboard.press("F12");
    await page.waitForFunction(() => getSelection().toString() === "user");
    await page.goto("about:blank");
    const code = `SubAgent.run("{{q}} {{n}}", signature: "(q :string, n :int) -> :int",\ncontext: %{q: "a", n: 1})\n`;
    await open(page, address, code, "ex");
    await cursorAt(page, 2, 'context: %{q: "a", n: 1'.length);
    const help = page.locator(".signature-help");
    await help.waitFor();
    assert.match(await help.textContent(), /q .?string, n .?int/);
    await page.waitForFunction(() => /^n/.test(document.querySelector(".signature-help strong")?.textContent));
  },

  async "the views follow the cursor, and the cursor the tree"({ page, address }) {
    await open(page, address);
    await cursorAt(page, 2, 'signature: "('.length + 2);
    const selected = panel(page).locator('[role=treeitem][aria-selected=true]');
    await page.waitForFunction(() => /Ident "user"/.test(document.querySelector("[aria-selected=true] > .node")?.textContent));
    await cursorAt(page, 4, "Hello {{user}}, about {{to".length);
    await page.waitForFunction(() => /Ident "topic"/.test(document.querySelector("#panel [aria-selected=true] > .node")?.textContent));
    assert.equal(await selected.count(), 1);
    await panel(page).locator(".node", { hasText: 'Ident "answer"' }).click();
    await page.waitForFunction(() => getSelection().toString() === "answer");
    await view(page, "Types");
    await panel(page).getByRole("button", { name: "topic" }).waitFor();
    assert.match(await panel(page).textContent(), /TypeScript/);
    await view(page, "JSON Schema");
    await page.waitForFunction(() => /"additionalProperties"/.test(document.getElementById("panel").textContent));
    await view(page, "What the model sees");
    await page.waitForFunction(() => /\d+ characters/.test(document.getElementById("panel").textContent));
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement.textContent === "Outline");
  },

  async "names are highlighted, listed and outlined"({ page, address }) {
    await open(page, address);
    await cursorAt(page, 4, "Hello {{us".length);
    await page.locator("#editor .name-definition").waitFor();
    assert.deepEqual(await page.locator("#editor .name-definition").allTextContents(), ["user"]);
    assert.deepEqual(await page.locator("#editor .name-use").allTextContents(), ["user"]);
    await page.keyboard.press("Shift+F12");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    assert.match(await dialog.textContent(), /2:14 .*4:9 Hello/);
    await dialog.getByRole("button", { name: /^2:14/ }).click();
    await page.waitForFunction(() => getSelection().toString() === "user");
    await view(page, "Outline");
    await panel(page).getByRole("button", { name: "topic" }).click();
    await page.waitForFunction(() => getSelection().toString() === "topic");
  },

  async "types, related places and larger selections are a key away"({ page, address }) {
    await open(page, address);
    await cursorAt(page, 4, "Hello {{us".length);
    await page.keyboard.press("Control+F12");
    await page.waitForFunction(() => getSelection().toString() === ":string");
    await cursorAt(page, 2, 'signature: "(us'.length + 1);
    const selected = async () => (await page.evaluate(() => getSelection().toString()));
    const sizes = [];
    for (let index = 0; index < 3; index++) {
      const before = await selected();
      await page.keyboard.press("Shift+Alt+ArrowRight");
      await page.waitForFunction((it) => getSelection().toString() !== it, before);
      sizes.push((await selected()).length);
    }
    assert.ok(sizes[0] > 0 && sizes[0] < sizes[1] && sizes[1] < sizes[2], String(sizes));
    await page.goto("about:blank");
    await open(page, address, PROMPT.replace("{topic}}", "{usr}}").replace("topic :string", "user :string"));
    await page.locator("#editor .cm-lintRange").first().hover();
    const place = page.locator(".cm-tooltip .related").first();
    await place.waitFor();
    await place.click();
    await page.waitForFunction(() => getSelection().toString() === "user");
  },

  async "a record over several lines is folded"({ page, address }) {
    const signature = "signature: |\n  (user {\n    name :string\n  }) -> :int\n";
    await open(page, address, signature, "yaml");
    await page.locator("#editor .cm-foldGutter span[title='Fold line']").first().waitFor();
    await cursorAt(page, 2, 4);
    await page.keyboard.press("Control+Shift+BracketLeft");
    await page.locator("#editor .cm-foldPlaceholder").waitFor();
    await page.waitForFunction(() => !document.querySelector("#editor .cm-content").textContent.includes("name :string"));
  },

  async "sizes are counted in tokens, without the tokenizer until then"({ page, address }) {
    const loaded = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname.split("/").at(-1)));
    await open(page, address, "---\nsignature: \":int\"\noutput: text\n---\nhello world <|endoftext|>\n");
    assert.ok(!loaded.includes("tokenizer.js"), "the tokenizer is loaded on demand");
    await view(page, "What the model sees");
    // As counted by OpenAI's own tokenizer, where special tokens are text.
    await page.waitForFunction(() => /Prompt · \d+ characters, 9 tokens/.test(document.getElementById("panel").textContent));
  },

  async "the host has its own colours"({ page, address }) {
    for (const [kind, text, word] of [
      ["ex", "def run, do: 1\n", ".tok-keyword"],
      ["clj", '(def a "b")\n', ".tok-string"],
      ["json", '{"a": 1}\n', ".tok-number"],
      ["yaml", "a: b\n", ".tok-propertyName"],
      ["md", "# Title\n", ".tok-heading"],
    ]) {
      await page.goto("about:blank");
      await open(page, address, text, kind);
      await page.locator(`#editor ${word}`).first().waitFor();
    }
  },

  async "sample inputs are checked and shown to the model"({ page, address }) {
    await open(page, address, PROMPT.replace("---\nHello", "output: text\n---\nHello"));
    await view(page, "What the model sees");
    const inputs = page.locator("#inputs .cm-content");
    await inputs.click();
    await page.keyboard.insertText('{"user": "Ada", "topic": {}}');
    await page.waitForFunction(() => /topic/.test(document.getElementById("inputs-problem").textContent));
    await page.locator("#inputs .cm-lintRange-error").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText('{"user": "Ada", "topic": "trees"}');
    await page.waitForFunction(() => document.getElementById("inputs-problem").textContent === "");
    await page.waitForFunction(() => document.getElementById("panel").textContent.includes("Hello Ada, about trees."));
  },

  async "an edition and a kind of file are chosen"({ page, address }) {
    await open(page, address, 'signature: "(at :datetime) -> :int"\n', "yaml");
    await problems(page, "No problems");
    await page.getByLabel("Edition").selectOption("0.4");
    await problems(page, "1 problem");
    await page.getByLabel("Edition").selectOption("0.11");
    await problems(page, "No problems");
    const options = page.getByLabel("Example").locator("option");
    const count = await options.count();
    assert.ok(count > 20, `${count} examples`);
    await page.getByLabel("Example").selectOption({ index: count - 1 });
    await page.waitForFunction(() => document.getElementById("count").textContent !== "");
  },

  async "a share link is followed"({ page, context, address }) {
    await open(page, address);
    await cursorAt(page, 4, 1);
    await page.keyboard.type("Grüße 😀 ");
    await view(page, "Types");
    await page.getByRole("button", { name: "Share" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#code="));
    const link = page.url();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    const other = await context.newPage();
    await other.goto(link);
    await text(other, "Grüße 😀 Hello {{user}}");
    assert.equal(await other.getByRole("tab", { name: "Types" }).getAttribute("aria-selected"), "true");
    assert.equal(await other.getByLabel("Kind of file").inputValue(), "prompt");
  },

  async "a damaged link says so"({ page, address }) {
    for (const fragment of ["code=AAAA", "code=%%%", "code=", "nothing", "code=q1YqSa0oUbJSKi5R0lEqzs"]) {
      await page.goto("about:blank");
      await page.goto(`${address}#${fragment}`);
      await page.waitForFunction(() => /link/.test(document.getElementById("warning").textContent), undefined);
      assert.ok(await page.locator("#warning").isVisible(), fragment);
      await checked(page);
      await text(page, "signature");
    }
    // A page with a text keeps it.
    await open(page, address, "# mine\n", "yaml");
    await page.evaluate(() => (location.hash = "code=AAAA"));
    await page.waitForFunction(() => /link/.test(document.getElementById("warning").textContent));
    await text(page, "# mine");
  },

  async "a link with an unknown edition or view says so or ignores it"({ page, address }) {
    const parameters = { text: 'signature: "(a :strng) -> :int"', kind: "yaml", edition: "99", view: "__proto__" };
    await page.goto(`${address}#${new URLSearchParams(parameters)}`);
    await page.waitForFunction(() => /“99”/.test(document.getElementById("warning").textContent));
    await problems(page, "1 problem");
  },

  async "a link with an unknown kind of file says so"({ page, address }) {
    await open(page, address, 'signature: "(a :strng) -> :int"', "toml");
    await page.waitForFunction(() => /“toml”/.test(document.getElementById("warning").textContent));
    await problems(page, "1 problem");
  },

  async "the signature of a function is shown behind its capture"({ page, address }) {
    const code = `defmodule Tools do
  @spec find(String.t()) :: integer()
  def find(query), do: query
  def run, do: SubAgent.run("Hi", signature: "() -> :int", tools: %{"find" => &__MODULE__.find/1})
end
`;
    await open(page, address, code, "ex");
    await page.locator(".inlay-hint").waitFor();
    assert.match(await page.locator(".inlay-hint").textContent(), /query :string/);
  },

  async "a text that is too long is not checked, and says so"({ page, address }) {
    await open(page, address, PROMPT.replace(":string,", ":strng,"));
    await problems(page, "1 problem");
    await editor(page).click();
    await page.keyboard.press("Control+End");
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "a line of text\n".repeat(70_000));
      const target = document.querySelector("#editor .cm-content");
      target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    const warning = page.locator("#warning");
    await warning.waitFor();
    assert.match(await warning.textContent(), /1,050,\d+ characters.*up to 500,000/);
    await problems(page, "Not checked");
    await page.keyboard.press("Control+z");
    await warning.waitFor({ state: "hidden" });
    await problems(page, "1 problem");
  },

  async "a crash of the module is survived"({ page, address }) {
    await open(page, address, PROMPT.replace(":string,", ":strng,"));
    await problems(page, "1 problem");
    const crash = () => {
      const question = { id: -1, request: { panic: {} } };
      self.dispatchEvent(new MessageEvent("message", { data: question }));
    };
    const started = page.waitForEvent("worker");
    await page.workers()[0].evaluate(crash);
    await started;
    await page.waitForFunction(() => /crashed and was restarted; your text is unchanged/.test(document.getElementById("warning").textContent));
    assert.match(await page.locator("#warning").textContent(), /panic: unreachable/);
    await text(page, "(user :strng,");
    await problems(page, "1 problem");
    await cursorAt(page, 2, 'signature: "(user :str'.length + 1);
    await page.keyboard.type("i");
    await problems(page, "No problems");
  },

  async "the page works offline"({ page, context, address }) {
    await open(page, address);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const isDone = async () => (await Promise.all((await caches.keys()).map((it) => caches.open(it).then((c) => c.keys())))).flat().length > 5;
      while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await context.setOffline(true);
    await page.goto("about:blank");
    await open(page, address, PROMPT.replace(":string,", ":strng,"));
    await problems(page, "1 problem");
  },

  async "axe finds nothing serious"({ page, context, address }) {
    await open(page, address, PROMPT.replace("{{topic}}", "{{topc}}"));
    const source = readFileSync(require.resolve("axe-core"), "utf8");
    const session = await context.newCDPSession(page);
    const look = async (what) => {
      // Bypasses the policy of the page, which allows no foreign scripts.
      await session.send("Runtime.evaluate", { expression: source });
      const { result } = await session.send("Runtime.evaluate", {
        expression: "axe.run(document, {resultTypes: ['violations']}).then((it) => JSON.stringify(it.violations))",
        awaitPromise: true,
        returnByValue: true,
      });
      const found = JSON.parse(result.value).filter((it) => ["serious", "critical"].includes(it.impact));
      const shown = found.map((it) => `${it.id}: ${it.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`);
      assert.deepEqual(shown, [], what);
    };
    for (const theme of ["light", "dark"]) {
      for (const name of ["Outline", "Syntax tree", "Types", "JSON Schema", "What the model sees"]) {
        await view(page, name);
        await page.waitForTimeout(100);
        await look(`${name}, ${theme}`);
      }
      await page.getByRole("button", { name: /theme/ }).click();
    }
    await cursorAt(page, 2, 'signature: "('.length + 2);
    await page.keyboard.press("F2");
    await page.getByRole("dialog").waitFor();
    await look("a dialog");
  },

  async "the first diagnostics come within 200 ms"({ page, address }) {
    const times = await untilBelow(200, 60, async () => {
      await page.goto("about:blank");
      await open(page, address, PROMPT.replace(":string,", ":strng,"));
      await problems(page, "1 problem");
      return page.evaluate(() => {
        const [{ startTime, duration }] = performance.getEntriesByName("show");
        return startTime + duration;
      });
    });
    console.log(`     first diagnostics: ${times}`);
  },

  async "a keystroke at 1,000 lines is checked and shown at once"({ page, address }) {
    const texts = longTexts();
    for (const option of await kindsOf(page, address)) assert.ok(option in texts, `a text of the kind .${option}`);
    for (const [kind, text] of Object.entries(texts)) {
      await page.goto("about:blank");
      await open(page, address, text, kind);
      await page.evaluate(notePage);
      await page.workers()[0].evaluate(noteWorker);
      await cursorInSignature(page, text);
      let best;
      // Repeated while it is too slow: a busy machine is not an error of the page.
      for (let round = 0; round < 4 && !(best?.work < AIM); round++) {
        const keys = await typed(page, 40);
        const [work, all] = ["work", "all"].map((it) => keys.map((key) => key[it]));
        const found = { work: quantile(work, 0.5), most: quantile(work, 0.95), all: quantile(all, 0.5), last: quantile(all, 0.95) };
        if (!best || found.work < best.work) best = found;
      }
      const [work, most, all, last] = [best.work, best.most, best.all, best.last].map((it) => it.toFixed(1));
      const shown = `p50 ${work}, p95 ${most} ms; with the editor and the frame of the letter ${all}, ${last} ms`;
      console.log(`     a keystroke in .${kind}: ${shown}`);
      assert.ok(best.work < 5 * AIM, `a keystroke in .${kind}: ${shown}`);
    }
  },

  async "examples of the manual are linked, and its signatures checked live"({ page, manual }) {
    await page.goto(`${manual}language.html`);
    const blocks = page.locator("pre > code.language-signature");
    const count = await blocks.count();
    assert.ok(count > 10, `${count} signatures`);
    await page.waitForFunction((it) => document.querySelectorAll(".playground-findings").length === it, count);
    const wrong = page.locator("pre:has(> code.unknown-type) + .playground-findings");
    assert.match(await wrong.textContent(), /unknown-type/);
    const block = page.locator("code.language-signature.unknown-type");
    await block.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("(a :int) -> :int");
    await page.waitForFunction(() => document.querySelector("pre:has(> code.unknown-type) + .playground-findings").textContent === "No problems.");
    await page.locator("pre:has(> code.unknown-type) ~ .open-in-playground").first().click();
    await text(page, "(a :int) -> :int");
    await problems(page, "No problems");
    await page.goto(`${manual}language.html`);
    await page.locator("pre:has(> code.language-elixir) + .open-in-playground").first().click();
    await checked(page);
    assert.equal(await page.getByLabel("Kind of file").inputValue(), "ex");
    await page.goto(`${manual}rules/unknown-type.html`);
    await page.locator(".open-in-playground").first().click();
    await problems(page, "1 problem");
    await page.locator("#editor .cm-lintRange-error").hover();
    const rule = page.locator(".cm-tooltip .message a");
    await rule.waitFor();
    const answer = await page.request.get(new URL(await rule.getAttribute("href"), page.url().split("#")[0]).href);
    assert.ok(answer.ok(), "the page of the rule");
  },

  async "the picture of the documentation"({ page, address, image }) {
    await open(page, address, PICTURE, "ex");
    await view(page, "What the model sees");
    await problems(page, "2 problems");
    await page.locator("#editor .cm-lintRange-error").last().hover();
    await page.locator(".cm-tooltip .message button").first().waitFor();
    await page.screenshot({ path: image });
  },
};
