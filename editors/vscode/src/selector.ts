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

/** The documents that the server is told of. */
export const SELECTOR = LANGUAGES.flatMap((language) =>
  ['file', 'untitled'].map((scheme) => ({ language, scheme })),
);

/** Whether the server is told of `document`. */
export function isSelected(document: TextDocument): boolean {
  return languages.match(SELECTOR, document) > 0;
}
