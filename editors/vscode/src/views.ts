// Commands show their results in a read-only document beside the editor.

import { type Disposable, EventEmitter, languages, Uri, ViewColumn, window, workspace } from 'vscode';

const SCHEME = 'signature-ls';

/** The shown texts by their address. */
export class Views implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
  });

  /** Shows `text` under `title` as a document of `language`. */
  async show(title: string, language: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${title}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await workspace.openTextDocument(uri);
    await languages.setTextDocumentLanguage(document, language);
    await window.showTextDocument(document, {
      viewColumn: ViewColumn.Beside,
      preview: true,
      preserveFocus: true,
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#texts.clear();
  }
}
