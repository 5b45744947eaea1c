// The page of the preview, and the messages that it exchanges with the extension.

/** The server's answer to `signature-ls/preview`. */
export interface Preview {
  readonly name: string | null;
  /** The number of samples beside the agent. */
  readonly samples: number;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly title: string;
  readonly text: string;
  readonly problems: readonly string[];
  readonly characters: number;
  /** Missing if the server does not count tokens. */
  readonly tokens?: number;
}

/** A message from the extension to the page; null if the cursor is not on an agent. */
export interface Shown {
  readonly preview: Preview | null;
  /** The sample whose values are filled in, from 0; undefined for names and types. */
  readonly sample: number | undefined;
}

/** A message from the page to the extension. */
export type Request =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sample'; readonly sample: number | undefined }
  | { readonly kind: 'copy'; readonly text: string };

const STYLE = `
body { font-family: var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 1em 1em; }
header { display: flex; gap: 1em; align-items: baseline; flex-wrap: wrap; }
h1 { font-size: 1.2em; }
h2 { font-size: 1em; display: flex; gap: .8em; align-items: baseline; margin: 1.2em 0 .3em; }
.size { color: var(--vscode-descriptionForeground); font-weight: normal; font-size: .9em; }
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); white-space: pre-wrap;
  overflow-wrap: anywhere; background: var(--vscode-textCodeBlock-background); padding: .6em .8em; margin: 0; }
.problem { color: var(--vscode-errorForeground); margin: .3em 0; }
button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border: 0;
  padding: .15em .7em; cursor: pointer; }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background);
  border: 1px solid var(--vscode-dropdown-border); }
`;

/** The page. It runs one script of the extension and loads nothing else. */
export function pageOf(script: string, source: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src ${source}">
<title>What the Model Sees</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main id="preview" aria-live="polite"></main>
<script src="${script}"></script>
</body>
</html>`;
}
