// The status bar item: the edition of the document and the state of the server.

import {
  type Disposable,
  MarkdownString,
  StatusBarAlignment,
  type TextDocument,
  ThemeColor,
  window,
  workspace,
} from 'vscode';

import { isSelected } from './selector.ts';

/** The state of the server. */
export type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly version: string | undefined; readonly path: string }
  | { readonly kind: 'stopped'; readonly reason: string };

/** The edition of a document; undefined if the server does not know it. */
export type EditionOf = (document: TextDocument) => Promise<string | undefined>;

/** Shown beside the documents that can hold signatures. */
export class Status implements Disposable {
  readonly #item = window.createStatusBarItem('status', StatusBarAlignment.Right, 100);
  readonly #subscriptions: readonly Disposable[];
  readonly #editionOf: EditionOf;
  #state: State = { kind: 'starting' };

  constructor(editionOf: EditionOf) {
    this.#editionOf = editionOf;
    this.#item.name = 'Signature Strings';
    const update = () => void this.#update();
    this.#subscriptions = [
      window.onDidChangeActiveTextEditor(update),
      workspace.onDidOpenTextDocument(update),
      workspace.onDidSaveTextDocument(update),
      workspace.onDidChangeConfiguration(update),
    ];
    update();
  }

  /** Shows the state of the server. */
  set(state: State): void {
    this.#state = state;
    void this.#update();
  }

  dispose(): void {
    this.#item.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #update(): Promise<void> {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !isSelected(document)) {
      this.#item.hide();
      return;
    }
    const state = this.#state;
    const edition = state.kind === 'running' ? await this.#editionOf(document) : undefined;
    // The user may have switched to another document meanwhile.
    if (document !== window.activeTextEditor?.document || state !== this.#state) return;
    this.#show(state, edition);
  }

  #show(state: State, edition: string | undefined): void {
    const icon = { starting: '$(sync~spin)', running: '$(symbol-interface)', stopped: '$(error)' }[
      state.kind
    ];
    this.#item.text = [icon, 'Signature', edition].filter((part) => part !== undefined).join(' ');
    this.#item.tooltip = tooltip(state, edition);
    this.#item.command = state.kind === 'stopped' ? 'signature-ls.restart' : 'signature-ls.showOutput';
    this.#item.backgroundColor =
      state.kind === 'stopped' ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.show();
  }
}

function tooltip(state: State, edition: string | undefined): MarkdownString {
  const text = new MarkdownString(undefined, true);
  text.isTrusted = {
    enabledCommands: ['signature-ls.restart', 'signature-ls.showOutput', 'workbench.action.openSettings'],
  };
  switch (state.kind) {
    case 'starting':
      text.appendMarkdown('Signature server: starting\n\n');
      break;
    case 'running':
      text.appendMarkdown(`Signature server ${state.version ?? ''}: running\n\n`);
      text.appendMarkdown('`').appendText(state.path).appendMarkdown('`\n\n');
      break;
    case 'stopped':
      text.appendMarkdown('Signature server: stopped\n\n').appendText(state.reason).appendMarkdown('\n\n');
      break;
  }
  if (edition !== undefined) {
    text.appendMarkdown(
      `Edition: [${edition}](command:workbench.action.openSettings?%22signature-ls.edition%22)\n\n`,
    );
  }
  text.appendMarkdown('[Restart](command:signature-ls.restart) · [Output](command:signature-ls.showOutput)');
  return text;
}
