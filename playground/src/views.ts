// The views beside the text, which follow the cursor.

import type { EditorView } from "@codemirror/view";
import type { Document } from "./document";
import { select } from "./features";
import { element } from "./dom";
import type { OutlineEntry, TreeNode } from "./messages";
import { countTokens } from "./tokens";

export interface Context {
  document: Document;
  view: EditorView;
  /** The inputs that the user wrote. */
  inputs(): string;
}

type Render = (context: Context, at: number) => Promise<Node[] | null>;

/** The views by name: a new view is a line here and a tab in index.html. */
export const VIEWS: Record<string, Render> = { outline, tree, types, schema, preview };

function heading(text: string): HTMLElement {
  return element("h3", { textContent: text });
}

function code(text: string, label: string): HTMLElement {
  const shown = element("pre", { textContent: text, tabIndex: 0 });
  shown.setAttribute("role", "region");
  shown.setAttribute("aria-label", label);
  return shown;
}

function note(text: string): HTMLElement {
  return element("p", { className: "note", textContent: text });
}

// Outline

async function outline({ document, view }: Context): Promise<Node[] | null> {
  const found = await document.ask("symbols");
  if (!found) return null;
  if (found.length === 0) return [note("This text has no signature and no prompt.")];
  return [namesTable(found, view)];
}

/** Names with their types; a click on a name selects it in the text. */
function namesTable(entries: OutlineEntry[], view: EditorView): HTMLTableElement {
  const head = element("tr", {}, ...["Name", "Type"].map((it) => element("th", { scope: "col", textContent: it })));
  const rows = entries.flatMap((it) => row(it, 0, view));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

// Syntax tree

async function tree({ document, view }: Context, at: number): Promise<Node[] | null> {
  const found = await document.ask("tree", { at });
  if (!found) return null;
  if (found.literals.length === 0) return [note("This text has no signature and no prompt.")];
  const root = element("ul", { className: "tree" });
  root.setAttribute("role", "tree");
  root.setAttribute("aria-label", "Syntax tree");
  root.append(...found.literals.map((it) => branch(it, view)));
  follow(root, at);
  root.addEventListener("keydown", (event) => walk(root, event));
  return found.isWhole ? [root] : [root, note("The tree is longer: only its beginning is shown.")];
}

function branch(node: TreeNode, view: EditorView): HTMLLIElement {
  const label = element("span", { className: node.isError ? "node error" : "node" }, node.kind);
  if (node.text !== undefined) label.append(" ", element("code", { textContent: JSON.stringify(node.text) }));
  const item = element("li", { tabIndex: -1 }, label);
  item.setAttribute("role", "treeitem");
  item.dataset.from = String(node.from);
  item.dataset.to = String(node.to);
  item.addEventListener("click", (event) => {
    event.stopPropagation();
    select(view, node.from, node.to);
  });
  if (node.children.length > 0) {
    const children = element("ul", {}, ...node.children.map((it) => branch(it, view)));
    children.setAttribute("role", "group");
    item.setAttribute("aria-expanded", "true");
    item.append(children);
  }
  return item;
}

/** Marks the smallest node around the cursor. */
export function follow(root: Element, at: number): void {
  let smallest: HTMLElement | undefined;
  for (const item of root.querySelectorAll<HTMLElement>("[role=treeitem]")) {
    item.setAttribute("aria-selected", "false");
    item.tabIndex = -1;
    const [from, to] = [Number(item.dataset.from), Number(item.dataset.to)];
    const length = (it: HTMLElement) => Number(it.dataset.to) - Number(it.dataset.from);
    if (from <= at && at <= to && (!smallest || length(item) <= length(smallest))) smallest = item;
  }
  smallest ??= root.querySelector<HTMLElement>("[role=treeitem]") ?? undefined;
  if (!smallest) return;
  smallest.setAttribute("aria-selected", "true");
  smallest.tabIndex = 0;
  smallest.scrollIntoView({ block: "nearest" });
}

function walk(root: HTMLElement, event: KeyboardEvent): void {
  const items = [...root.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.indexOf(event.target as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter") items[at]?.click();
  else if (step !== undefined) items[at + step]?.focus();
  else return;
  event.preventDefault();
}

// Types

async function types({ document, view }: Context, at: number): Promise<Node[] | null> {
  const found = await document.ask("types", { at });
  if (!found) return [note("This text has no signature.")];
  const declarations = found.declarations.flatMap(({ language, text }) => [heading(language), code(text, language)]);
  return [
    heading(found.name ?? "Agent"),
    code(found.signature, "Signature"),
    ...(found.fields.length > 0 ? [namesTable(found.fields, view)] : []),
    ...declarations,
  ];
}

function row(entry: OutlineEntry, depth: number, view: EditorView): HTMLTableRowElement[] {
  const name = element("button", { type: "button", className: "name", textContent: entry.name });
  name.style.marginInlineStart = `${depth}rem`;
  name.onclick = () => select(view, entry.selection.from, entry.selection.to);
  const type = element("td", {}, element("code", { textContent: entry.detail }));
  const own = element("tr", {}, element("td", {}, name), type);
  return [own, ...entry.children.flatMap((it) => row(it, depth + 1, view))];
}

// JSON Schema

async function schema({ document }: Context, at: number): Promise<Node[] | null> {
  const found = await document.ask("schema", { at });
  if (!found) return [note("This text has no signature.")];
  const shown = (value: unknown) => JSON.stringify(value, null, 2);
  const title = found.name ?? "Agent";
  const description = found.description === null ? [] : [note(found.description)];
  return [
    heading(title),
    ...description,
    heading("Inputs"),
    code(shown(found.input), "JSON Schema of the inputs"),
    heading("Output"),
    code(shown(found.output), "JSON Schema of the output"),
  ];
}

// What the model sees

async function preview({ document, inputs }: Context, at: number): Promise<Node[] | null> {
  try {
    const written = inputs();
    const sample = written.trim() === "" ? { sample: 0 } : { inputs: written };
    const found = await document.askOrFail("preview", { at, ...sample });
    if (!found) return [note("This text has no prompt.")];
    const total = found.parts.reduce((sum, part) => sum + part.characters, 0);
    const headings = found.parts.map(({ title, characters }) => heading(`${title} · ${counted(characters, "character")}`));
    const parts = found.parts.flatMap((part, index) => [
      headings[index] as Node,
      code(part.text, part.title),
      ...part.problems.map((it) => element("p", { className: "problem", textContent: it })),
    ]);
    const sum = note(`${found.name ?? "Agent"}: ${counted(total, "character")}`);
    void countTokens(found.parts.map((it) => it.text)).then((counts) => {
      headings.forEach((it, index) => it.append(`, ${counted(counts[index] ?? 0, "token")}`));
      sum.append(`, ${counted(counts.reduce((all, it) => all + it, 0), "token")} (o200k_base)`);
    }, () => sum.append("; the tokenizer could not be loaded"));
    return [sum, ...parts];
  } catch (error) {
    return [note(error instanceof Error ? error.message : String(error))];
  }
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
}
