// The colors of the host language, around those of signatures and prompts. Loaded on demand.
//
// The highlighter of the editor component parses during each keystroke; this one parses when the user pauses, in short
// steps. Until then the colors move with the text.

import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { DocInput, StreamLanguage, type Language } from "@codemirror/language";
import { clojure } from "@codemirror/legacy-modes/mode/clojure";
import { RangeSetBuilder, type ChangeDesc, type Extension } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";
import { Tree, TreeFragment, type ChangedRange, type PartialParse } from "@lezer/common";
import { classHighlighter, highlightTree } from "@lezer/highlight";
import { elixir } from "codemirror-lang-elixir";

/** By the extension of the kind of file; a catalog only has semantic colors. */
const LANGUAGES: Record<string, () => Language> = {
  ex: () => elixir().language,
  clj: () => StreamLanguage.define(clojure),
  json: () => json().language,
  yaml: () => yaml().language,
  md: () => yamlFrontmatter({ content: markdown() }).language,
  livemd: () => markdown().language,
  prompt: () => yamlFrontmatter({ content: markdown() }).language,
};

/** The delay after an edit until the text is parsed, and the maximum time of a step, in milliseconds. */
const PAUSE = 100;
const STEP = 4;

export function languageOf(kind: string): Extension {
  const language = LANGUAGES[kind]?.();
  if (!language) return [];
  return ViewPlugin.define((view) => new Colours(view, language), { decorations: (it) => it.decorations });
}

class Colours {
  decorations: DecorationSet = Decoration.none;
  #tree = Tree.empty;
  #fragments: readonly TreeFragment[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private view: EditorView,
    private language: Language,
  ) {
    this.#parseAfter(0);
  }

  update({ docChanged, changes, viewportChanged }: ViewUpdate): void {
    if (docChanged) {
      this.decorations = this.decorations.map(changes);
      this.#fragments = TreeFragment.applyChanges(this.#fragments, changedRanges(changes));
      this.#parseAfter(PAUSE);
    } else if (viewportChanged || this.#tree !== this.#shown) {
      this.#show();
    }
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  #parseAfter(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const { doc } = this.view.state;
      this.#step(this.language.parser.startParse(new DocInput(doc), this.#fragments));
    }, delay);
  }

  #step(parse: PartialParse): void {
    const end = performance.now() + STEP;
    let tree: Tree | null = null;
    while (tree === null && performance.now() < end) tree = parse.advance();
    if (tree === null) {
      this.#timer = setTimeout(() => this.#step(parse));
      return;
    }
    this.#tree = tree;
    this.#fragments = TreeFragment.addTree(tree, this.#fragments);
    // Makes the view request the decorations.
    this.view.dispatch({});
  }

  /** The tree whose colors are shown. */
  #shown = this.#tree;

  #show(): void {
    const words = new RangeSetBuilder<Decoration>();
    const { from, to } = this.view.viewport;
    highlightTree(this.#tree, classHighlighter, (start, end, classes) => words.add(start, end, mark(classes)), from, to);
    this.decorations = words.finish();
    this.#shown = this.#tree;
  }
}

const marks = new Map<string, Decoration>();

function mark(classes: string): Decoration {
  const made = marks.get(classes) ?? Decoration.mark({ class: classes });
  marks.set(classes, made);
  return made;
}

function changedRanges(changes: ChangeDesc): ChangedRange[] {
  const ranges: ChangedRange[] = [];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => ranges.push({ fromA, toA, fromB, toB }));
  return ranges;
}
