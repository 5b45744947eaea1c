// The page: connects the text, the inputs, the problems and the views.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history as editHistory, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { Document } from "./document";
import { byId, element } from "./dom";
import { examples } from "./examples";
import { apply, features, format, rename, select, showActions, underline } from "./features";
import type { Finding } from "./messages";
import { BadLink, LONGEST_TEXT, fromFragment, link, type Shared } from "./share";
import { VIEWS, follow } from "./views";
import { startTheme } from "./theme";

const SEVERITIES = { error: "Error", warning: "Warning", hint: "Hint" };

const kindChoice = byId<HTMLSelectElement>("kind");
const editionChoice = byId<HTMLSelectElement>("edition");
const exampleChoice = byId<HTMLSelectElement>("example");
const panel = byId("panel");

const hostLanguage = new Compartment();

/** The delay until the page is cached for offline use, in milliseconds, so that the first check comes first. */
const KEEP_AFTER = 1000;

let shownView = "tree";
/** Marks a transaction that replaces the whole text: it is not an edit. */
let isOpening = false;

const page = new Document({
  findings(findings) {
    const start = performance.now();
    underline(page, editor, findings ?? []);
    list(findings);
    performance.clearMeasures("show");
    performance.measure("show", { start });
  },
  say: (message) => (byId("status").textContent = message),
  warn,
});

function warn(message: string): void {
  const warning = byId("warning");
  warning.textContent = message;
  warning.hidden = message === "";
}

page.onPause(() => {
  void colour(kindChoice.value);
  void refreshView();
  void checkInputs();
});

const common = [drawSelection(), editHistory(), bracketMatching(), closeBrackets(), EditorView.lineWrapping];
const keys = [...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap];

const editor = new EditorView({
  parent: byId("editor"),
  // The worker checks an edit while the editor renders it.
  dispatchTransactions(transactions, view) {
    for (const { docChanged, changes, newDoc, selection } of transactions) {
      if (docChanged && !isOpening) page.edit(changes, newDoc);
      else if (selection) page.moved();
    }
    view.update(transactions);
  },
  extensions: [
    features(page),
    common,
    lineNumbers(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    hostLanguage.of([]),
    keymap.of(keys),
    EditorView.contentAttributes.of({ "aria-label": "File" }),
  ],
});

const inputs = new EditorView({
  parent: byId("inputs"),
  extensions: [
    common,
    keymap.of(keys),
    EditorView.contentAttributes.of({ "aria-label": "Sample inputs as JSON" }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (!docChanged) return;
      void checkInputs();
      if (shownView === "preview") void refreshView();
    }),
  ],
});

/** Opens another text. */
function open({ text, kind, edition, inputs: values = "", view }: Shared): void {
  const known = [...kindChoice.options].some((it) => it.value === kind);
  const knownEdition = [...editionChoice.options].some((it) => it.value === edition);
  kindChoice.value = known ? kind : "yaml";
  if (knownEdition) editionChoice.value = edition as string;
  exampleChoice.selectedIndex = -1;
  isOpening = true;
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, selection: { anchor: 0 } });
  isOpening = false;
  inputs.dispatch({ changes: { from: 0, to: inputs.state.doc.length, insert: values } });
  if (view !== undefined && Object.hasOwn(VIEWS, view)) showView(view);
  reopen();
  const unknown: string[] = [];
  if (!known) unknown.push(`This link has the unknown kind of file “${kind}”; the text is read as YAML.`);
  if (edition !== undefined && !knownEdition) {
    unknown.push(`This link has the unknown edition “${edition}”; the text is checked with ${editionChoice.value}.`);
  }
  if (unknown.length > 0) warn(unknown.join(" "));
}

function reopen(): void {
  page.open(editor.state.doc, kindChoice.value, editionChoice.value || undefined);
}

let colouredAs = "";

/** Sets the host language of the text. */
async function colour(kind: string): Promise<void> {
  if (kind === colouredAs) return;
  colouredAs = kind;
  const { languageOf } = await import("./languages");
  if (kind === kindChoice.value) editor.dispatch({ effects: hostLanguage.reconfigure(languageOf(kind)) });
}

const problems = byId("problems");
const count = byId("count");
/** More problems than this are only counted. */
const MOST_LISTED = 200;
let listed: Finding[] = [];

/** Lists the diagnostics; null if the text is not checked. */
function list(findings: Finding[] | null): void {
  listed = (findings ?? []).slice(0, MOST_LISTED);
  listed.forEach((finding, index) => {
    const line = editor.state.doc.lineAt(Math.min(finding.from, editor.state.doc.length));
    const place = `${line.number}:${finding.from - line.from + 1}`;
    const label = `${place} ${SEVERITIES[finding.severity]}: ${finding.message}`;
    const shown = (problems.children[index] ?? problems.appendChild(listItem(index))).firstElementChild as HTMLElement;
    if (shown.textContent !== label) shown.textContent = label;
    if (shown.className !== finding.severity) shown.className = finding.severity;
  });
  while (problems.children.length > listed.length) problems.lastElementChild?.remove();
  count.textContent = findings ? problemsIn(findings.length) : "Not checked";
}

function problemsIn(total: number): string {
  if (total === 0) return "No problems";
  return total === 1 ? "1 problem" : `${total} problems`;
}

/** An entry of the list of problems. Entries are reused: most do not change with a keystroke. */
function listItem(index: number): HTMLLIElement {
  const onclick = () => {
    const finding = listed[index];
    if (finding) select(editor, finding.from, finding.to);
  };
  return element("li", {}, element("button", { type: "button", onclick }));
}

async function checkInputs(): Promise<void> {
  const text = inputs.state.doc;
  if (text.length === 0 && byId("inputs-problem").textContent === "") return;
  const found = await page.ask("checkInputs", { at: editor.state.selection.main.head, json: text.toString() });
  if (!found || !inputs.state.doc.eq(text)) return;
  inputs.dispatch(setDiagnostics(inputs.state, found));
  byId("inputs-problem").textContent = found[0]?.message ?? "";
}

// Views

let refreshes = 0;

/** Shows the view of the place at the cursor; the last of several calls counts. */
async function refreshView(): Promise<void> {
  const mine = ++refreshes;
  const at = editor.state.selection.main.head;
  const context = { document: page, view: editor, inputs: () => inputs.state.doc.toString() };
  const shown = await VIEWS[shownView]?.(context, at);
  if (!shown || mine !== refreshes) return;
  const top = panel.scrollTop;
  panel.replaceChildren(...shown);
  panel.scrollTop = top;
  const tree = panel.querySelector(".tree");
  if (tree) follow(tree, at);
}

function tabs(): HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>("[role=tab]")];
}

function showView(name: string): void {
  shownView = name;
  for (const tab of tabs()) {
    const isShown = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    if (isShown) panel.setAttribute("aria-labelledby", tab.id);
  }
  void refreshView();
}

function connectTabs(): void {
  tabs().forEach((tab, index, all) => {
    tab.addEventListener("click", () => showView(tab.dataset.view ?? "tree"));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = all[(index + step + all.length) % all.length];
      next?.focus();
      next?.click();
    });
  });
}

// Links

async function share(): Promise<void> {
  const text = editor.state.doc.toString();
  if (text.length > LONGEST_TEXT) {
    return page.say(`A link holds up to ${LONGEST_TEXT.toLocaleString("en")} characters; this text is longer.`);
  }
  const values = inputs.state.doc.toString();
  const shared: Shared = { kind: kindChoice.value, text, view: shownView, edition: editionChoice.value };
  if (values !== "") shared.inputs = values;
  const address = await link(shared);
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    page.say("The link is in the clipboard.");
  } catch {
    page.say("The link is in the address bar.");
  }
}

async function followLink(): Promise<boolean> {
  try {
    const shared = await fromFragment(location.hash);
    if (shared) open(shared);
    return shared !== null;
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    // An open text is kept.
    const isEmpty = editor.state.doc.length === 0;
    if (isEmpty) openExample(0);
    warn(isEmpty ? `${error.message} The text here is an example.` : error.message);
    return true;
  }
}

// Choices

function openExample(index: number): void {
  const example = examples[index];
  if (!example) return;
  open(example);
  exampleChoice.value = String(index);
}

function connect(): void {
  exampleChoice.append(...examples.map((it, index) => new Option(it.title, String(index))));
  exampleChoice.onchange = () => openExample(Number(exampleChoice.value));
  kindChoice.onchange = reopen;
  editionChoice.onchange = reopen;
  byId("format").onclick = () => void format(page, editor);
  byId("fix").onclick = () => void showActions(page, editor);
  byId("rename").onclick = () => void rename(page, editor);
  byId("fix-all").onclick = async () => apply(editor, (await page.ask("fixAll")) ?? []);
  byId("share").onclick = () => void share();
  window.addEventListener("hashchange", () => void followLink());
  connectTabs();
}

startTheme(byId("theme"));
connect();
showView("tree");
void followLink().then((hasFollowed) => {
  if (!hasFollowed) openExample(0);
});
if ("serviceWorker" in navigator) setTimeout(() => void navigator.serviceWorker.register("service-worker.js"), KEEP_AFTER);
