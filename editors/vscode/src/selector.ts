import { languages, type TextDocument } from 'vscode';

/** The languages whose documents can hold signatures. */
export const LANGUAGES = [
  'clojure',
  'clojurescript',
  'dockercompose',
  'edn',
  'elixir',
  'json',
  'json5',
  'jsonc',
  'livebook',
  'markdown',
  'mdx',
  'prompt',
  'signature-catalog',
  'signature-prompt',
  'yaml',
] as const;

const DOCUMENTS = LANGUAGES.flatMap((language) =>
  ['file', 'untitled', 'vscode-notebook-cell'].map((scheme) => ({ language, scheme })),
);

/** The documents that the server receives: those that can hold signatures, and the settings of a folder. */
export const SELECTOR = [...DOCUMENTS, { scheme: 'file', pattern: '**/signature-ls.toml' }];

/** Whether `document` can hold signatures. */
export function isSelected(document: TextDocument): boolean {
  return languages.match(DOCUMENTS, document) > 0;
}
