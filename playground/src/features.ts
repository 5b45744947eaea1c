// The features of the editor, which ask the checker: one extension per feature.

import {
  autocompletion,
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { diagnosticCount, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { RangeSet, RangeValue, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  ViewPlugin,
  WidgetType,
  hoverTooltip,
  keymap,
  showTooltip,
  type DecorationSet,
  type Tooltip,
  type ViewUpdate,
} from "@codemirror/view";
import type { Document } from "./document";
import { choose, ask as askFor } from "./dialogs";
import { button, element } from "./dom";
import type { Action, Change, Finding, Range, Reference, SignatureHelp, Token } from "./messages";
import { fromProtocol } from "./snippet";

export function features(document: Document): Extension {
  return [
    colours(document),
    folding(document),
    highlights(document),
    hover(document),
    completion(document),
    signatureHelp(document),
    keymap.of([
      { key: "Mod-.", run: (view) => run(showActions(document, view)) },
      { key: "F2", run: (view) => run(rename(document, view)) },
      { key: "F12", run: (view) => run(goTo("definition", document, view)) },
      { key: "Mod-F12", run: (view) => run(goTo("typeDefinition", document, view)) },
      { key: "Shift-F12", run: (view) => run(showReferences(document, view)) },
      { key: "Shift-Alt-ArrowRight", run: (view) => run(expandSelection(document, view)) },
      { key: "Shift-Alt-f", run: (view) => run(format(document, view)) },
    ]),
  ];
}

function run(_: Promise<void>): true {
  return true;
}

// Diagnostics

/** Underlines the diagnostics; each has a button for each of its fixes. */
export function underline(document: Document, view: EditorView, findings: Finding[]): void {
  if (findings.length === 0 && diagnosticCount(view.state) === 0) return;
  const length = view.state.doc.length;
  const diagnostics = findings.map((finding): Diagnostic => {
    const from = Math.min(finding.from, length);
    return {
      from,
      to: Math.min(finding.to, length),
      severity: finding.severity,
      message: finding.message,
      ...(finding.isUnnecessary && { markClass: "unnecessary" }),
      renderMessage: () => message(document, view, finding),
    };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function message(document: Document, view: EditorView, finding: Finding): HTMLElement {
  const shown = element("div", { className: "message" }, finding.message, " ");
  shown.append(ruleLink(finding.code));
  for (const { from, to, message } of finding.related ?? []) {
    const place = button(message, () => select(view, from, to));
    place.className = "related";
    shown.append(element("div", {}, place));
  }
  const fixes = element("div", { className: "fixes" });
  shown.append(fixes);
  void document.ask("actions", { from: finding.from, to: finding.to }).then((actions) => {
    const ours = (actions ?? []).filter((it) => it.code === finding.code && it.kind === "fix");
    fixes.append(...ours.map((it) => button(it.title, () => apply(view, it.changes))));
  });
  return shown;
}

/** The page of a rule in the manual, which is published next to the playground. */
function ruleLink(code: string): HTMLAnchorElement {
  return element("a", { href: `../rules/${code}.html`, textContent: code, target: "_blank" });
}

export function apply(view: EditorView, changes: Change[]): void {
  view.dispatch({ changes, userEvent: "input.fix" });
  view.focus();
}

// Colours

/** The decorations of a part of the text: colored words, and hints between them. */
interface Shown {
  tokens: Token[];
  hints: { at: number; label: string }[];
}

const setShown = StateEffect.define<Shown>();

function colours(document: Document): Extension {
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(shown, transaction) {
      let mapped = shown.map(transaction.changes);
      for (const effect of transaction.effects) {
        if (effect.is(setShown)) mapped = decorations(effect.value);
      }
      return mapped;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  const plugin = ViewPlugin.define((view) => {
    const refresh = async () => {
      const { from, to } = view.viewport;
      const answers = [document.ask("tokens", { from, to }), document.ask("inlayHints", { from, to })] as const;
      const [tokens, hints] = await Promise.all(answers);
      if (tokens && hints) view.dispatch({ effects: setShown.of({ tokens, hints }) });
    };
    document.onChecked(refresh);
    return {
      update(update) {
        if (update.viewportChanged && !update.docChanged) void refresh();
      },
    };
  });
  return [field, plugin];
}

class Hint extends WidgetType {
  constructor(private label: string) {
    super();
  }

  override eq(other: Hint): boolean {
    return other.label === this.label;
  }

  override toDOM(): HTMLElement {
    return element("span", { className: "inlay-hint", textContent: this.label });
  }
}

function decorations({ tokens, hints }: Shown): DecorationSet {
  const words = tokens.map(({ from, to, kind, isDeclaration }) => {
    const declaration = isDeclaration ? " token-declaration" : "";
    return Decoration.mark({ class: `token-${kind}${declaration}` }).range(from, to);
  });
  const between = hints.map(({ at, label }) => Decoration.widget({ widget: new Hint(label), side: 1 }).range(at));
  return Decoration.set([...words, ...between], true);
}

// Folding

const setFolds = StateEffect.define<Range[]>();

const FOLD = new (class extends RangeValue {})();

function folding(document: Document): Extension {
  const field = StateField.define<RangeSet<RangeValue>>({
    create: () => RangeSet.empty,
    update(folds, { changes, effects }) {
      for (const effect of effects) {
        if (effect.is(setFolds)) return RangeSet.of(effect.value.map(({ from, to }) => FOLD.range(from, to)), true);
      }
      return folds.map(changes);
    },
  });
  const service = foldService.of((state, lineStart, lineEnd) => {
    let fold: Range | null = null;
    state.field(field).between(lineStart, lineEnd, (from, to) => {
      if (from < lineStart || to <= lineEnd) return undefined;
      fold = { from, to };
      return false;
    });
    return fold;
  });
  const plugin = ViewPlugin.define((view) => {
    document.onPause(async () => {
      const folds = await document.ask("folding");
      if (folds) view.dispatch({ effects: setFolds.of(folds) });
    });
    return {};
  });
  const foldingChanged = ({ startState, state }: ViewUpdate) => startState.field(field) !== state.field(field);
  return [field, service, plugin, foldGutter({ foldingChanged }), keymap.of(foldKeymap)];
}

// Highlights

const setHighlights = StateEffect.define<Reference[]>();

/** Marks all occurrences of the name at the cursor. */
function highlights(document: Document): Extension {
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(shown, { changes, effects }) {
      for (const effect of effects) if (effect.is(setHighlights)) return places(effect.value);
      return shown.map(changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  const plugin = ViewPlugin.define((view) => {
    document.onPause(async () => {
      const found = await document.ask("references", { at: view.state.selection.main.head });
      const isShown = view.state.field(field).size > 0;
      if (found && (isShown || found.length > 0)) view.dispatch({ effects: setHighlights.of(found) });
    });
    return {};
  });
  return [field, plugin];
}

function places(found: Reference[]): DecorationSet {
  const marks = found.map(({ from, to, isDefinition }) => {
    return Decoration.mark({ class: isDefinition ? "name-definition" : "name-use" }).range(from, to);
  });
  return Decoration.set(marks, true);
}

/** Loaded on demand: the first check does not wait for it. */
async function markdown(text: string): Promise<HTMLElement> {
  return (await import("./markdown")).markdown(text);
}

// Hover

function hover(document: Document): Extension {
  return hoverTooltip(async (_view, at) => {
    const found = await document.ask("hover", { at });
    if (!found) return null;
    const shown = await markdown(found.markdown);
    return {
      pos: found.from,
      end: found.to,
      create: () => ({ dom: element("div", { className: "hover" }, shown) }),
    };
  });
}

// Completion

function completion(document: Document): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !/[\w:{./#( -]/.test(before)) return null;
    const found = await document.ask("completion", { at: context.pos });
    if (!found || context.aborted) return null;
    const options = found.items.map((item, index): Completion => {
      const made: Completion = {
        label: item.label,
        type: item.kind,
        // The order is that of the server.
        boost: -index,
        apply: item.snippet === null ? item.text : snippet(fromProtocol(item.snippet)),
      };
      if (item.detail !== null) made.detail = item.detail;
      const documentation = item.documentation;
      if (documentation !== null) made.info = () => markdown(documentation);
      return made;
    });
    return { from: found.from, to: Math.max(found.to, context.pos), options, filter: true };
  };
  return autocompletion({ override: [source], closeOnBlur: true, activateOnTypingDelay: 20 });
}

// Signature help

const setHelp = StateEffect.define<Tooltip | null>();

function signatureHelp(document: Document): Extension {
  const field = StateField.define<Tooltip | null>({
    create: () => null,
    update(shown, transaction) {
      for (const effect of transaction.effects) if (effect.is(setHelp)) return effect.value;
      return shown && { ...shown, pos: transaction.changes.mapPos(shown.pos) };
    },
    provide: (field) => showTooltip.from(field),
  });
  const plugin = ViewPlugin.define((view) => {
    const refresh = async () => {
      const at = view.state.selection.main.head;
      const help = await document.ask("signatureHelp", { at });
      if (at !== view.state.selection.main.head || (!help && !view.state.field(field))) return;
      view.dispatch({ effects: setHelp.of(help && { pos: at, above: true, create: () => ({ dom: helpLine(help) }) }) });
    };
    document.onChecked(refresh);
    return {
      update({ docChanged, selectionSet }) {
        if (selectionSet && !docChanged) void refresh();
      },
    };
  });
  return [field, plugin];
}

function helpLine({ label, parameters, active }: SignatureHelp): HTMLElement {
  const shown = element("div", { className: "signature-help" });
  const current = active === null ? undefined : parameters[active];
  if (!current) {
    shown.textContent = label;
    return shown;
  }
  shown.append(
    label.slice(0, current.from),
    element("strong", { textContent: label.slice(current.from, current.to) }),
    label.slice(current.to),
  );
  return shown;
}

// Commands

export async function format(document: Document, view: EditorView): Promise<void> {
  const changes = await document.ask("format");
  if (!changes) return;
  apply(view, changes);
  document.say(changes.length === 0 ? "Already formatted." : "Formatted.");
}

export async function showActions(document: Document, view: EditorView): Promise<void> {
  const { from, to } = view.state.selection.main;
  const actions = await document.ask("actions", { from, to });
  if (!actions) return;
  if (actions.length === 0) return document.say("No quick fix and no refactoring here.");
  const chosen: Action | null = await choose("Quick fixes and refactorings", actions, (it) => it.title);
  if (chosen) apply(view, chosen.changes);
  else view.focus();
}

export async function rename(document: Document, view: EditorView): Promise<void> {
  const at = view.state.selection.main.head;
  try {
    const found = await document.askOrFail("prepareRename", { at });
    if (!found) return document.say("Nothing to rename here: put the cursor in a name.");
    const name = await askFor("Rename", `New name for ${found.name}`, found.name);
    const changes = name === null ? null : await document.askOrFail("rename", { at: found.from, name });
    if (changes) apply(view, changes);
    else view.focus();
  } catch (error) {
    document.say(error instanceof Error ? error.message : String(error));
    view.focus();
  }
}

async function goTo(what: "definition" | "typeDefinition", document: Document, view: EditorView): Promise<void> {
  const [target] = (await document.ask(what, { at: view.state.selection.main.head })) ?? [];
  if (!target) return document.say(what === "definition" ? "No definition here." : "No type here.");
  select(view, target.from, target.to);
}

/** Selects the smallest node of the syntax tree that is larger than the selection. */
async function expandSelection(document: Document, view: EditorView): Promise<void> {
  const { from, to, head } = view.state.selection.main;
  const around = (await document.ask("selection", { at: head })) ?? [];
  const next = around.find((it) => it.from <= from && to <= it.to && it.to - it.from > to - from);
  if (next) select(view, next.from, next.to);
}

async function showReferences(document: Document, view: EditorView): Promise<void> {
  const found = await document.ask("references", { at: view.state.selection.main.head });
  if (!found) return;
  if (found.length === 0) return document.say("No references here: put the cursor in a name.");
  const label = ({ from }: Reference) => {
    const line = view.state.doc.lineAt(from);
    return `${line.number}:${from - line.from + 1} ${line.text.trim()}`;
  };
  const chosen = await choose("References", found, label);
  if (chosen) select(view, chosen.from, chosen.to);
  else view.focus();
}

export function select(view: EditorView, from: number, to: number): void {
  const length = view.state.doc.length;
  const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
  view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
  view.focus();
}
