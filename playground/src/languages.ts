// The colours of the host's own language, around those of signatures and prompts. The page loads this on demand.

import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { yaml, yamlFrontmatter } from "@codemirror/lang-yaml";
import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { clojure } from "@codemirror/legacy-modes/mode/clojure";
import type { Extension } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";
import { elixir } from "codemirror-lang-elixir";

/** By the extension of the kind of file; a catalog has only our own colours. */
const LANGUAGES: Record<string, () => Extension> = {
  ex: elixir,
  clj: () => StreamLanguage.define(clojure),
  json,
  yaml,
  md: () => yamlFrontmatter({ content: markdown() }),
  prompt: () => yamlFrontmatter({ content: markdown() }),
};

export function languageOf(kind: string): Extension {
  return [LANGUAGES[kind]?.() ?? [], syntaxHighlighting(classHighlighter)];
}
