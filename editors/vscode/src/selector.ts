import { languages, type TextDocument } from 'vscode';

/** The languages whose documents can hold signatures. */
export const LANGUAGES = [
  'clojure',
  'elixir',
  'json',
  'jsonc',
  'markdown',
  'prompt',
  'signature-catalog',
  'signature-prompt',
  'yaml',
] as const;

/** The documents that the server receives. */
export const SELECTOR = LANGUAGES.flatMap((language) =>
  ['file', 'untitled'].map((scheme) => ({ language, scheme })),
);

/** Whether the server receives `document`. */
export function isSelected(document: TextDocument): boolean {
  return languages.match(SELECTOR, document) > 0;
}
