// The item in the status bar: the edition in force and how the server is.

import { type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window, workspace } from 'vscode';

import { isSelected } from './selector.ts';

/** How the server is. */
export type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly version: string | undefined; readonly path: string }
  | { readonly kind: 'stopped'; readonly reason: string };

/** Shown beside documents that can hold signatures, and beside every document once something is wrong. */
export class Status implements Disposable {
  readonly #item = window.createStatusBarItem('status', StatusBarAlignment.Right, 100);
  readonly #subscriptions: readonly Disposable[];
  #state: State = { kind: 'starting' };

  constructor() {
    this.#item.name = 'Signature Strings';
    this.#subscriptions = [
      window.onDidChangeActiveTextEditor(() => {
        this.#update();
      }),
      workspace.onDidOpenTextDocument(() => {
        this.#update();
      }),
      workspace.onDidChangeConfiguration(() => {
        this.#update();
      }),
    ];
    this.#update();
  }

  set(state: State): void {
    this.#state = state;
    this.#update();
  }

  dispose(): void {
    this.#item.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(): void {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !isSelected(document)) {
      this.#item.hide();
      return;
    }
    const edition = workspace.getConfiguration('signature-ls', document).get<string>('edition', 'auto');
    const state = this.#state;
    const icon = { starting: '$(sync~spin)', running: '$(symbol-interface)', stopped: '$(error)' }[
      state.kind
    ];
    this.#item.text = `${icon} Signature ${edition}`;
    this.#item.tooltip = tooltip(state, edition);
    this.#item.command = state.kind === 'stopped' ? 'signature-ls.restart' : 'signature-ls.showOutput';
    this.#item.backgroundColor =
      state.kind === 'stopped' ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.show();
  }
}

function tooltip(state: State, edition: string): MarkdownString {
  const text = new MarkdownString(undefined, true);
  text.isTrusted = {
    enabledCommands: ['signature-ls.restart', 'signature-ls.showOutput', 'workbench.action.openSettings'],
  };
  switch (state.kind) {
    case 'starting':
      text.appendMarkdown('Signature server: starting\n\n');
      break;
    case 'running':
      text.appendMarkdown(
        `Signature server${state.version === undefined ? '' : ` ${state.version}`}: running\n\n`,
      );
      text.appendMarkdown('`').appendText(state.path).appendMarkdown('`\n\n');
      break;
    case 'stopped':
      text.appendMarkdown('Signature server: stopped\n\n').appendText(state.reason).appendMarkdown('\n\n');
      break;
  }
  text.appendMarkdown(
    `Edition: [${edition}](command:workbench.action.openSettings?%22signature-ls.edition%22)\n\n` +
      '[Restart](command:signature-ls.restart) · [Output](command:signature-ls.showOutput)',
  );
  return text;
}
