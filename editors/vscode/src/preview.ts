// The panel that shows what a model receives for the agent at the cursor. It follows the cursor and the text.

import { randomUUID } from 'node:crypto';

import {
  type Disposable,
  env,
  type ExtensionContext,
  Position,
  Selection,
  type TextEditor,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';

import { pageOf, type Request, type Shown } from './previewPage.ts';
import { isSelected } from './selector.ts';
import type { Session } from './session.ts';

/** A keystroke is never delayed by the preview: it is updated when typing pauses for this long. */
const PAUSE_MS = 80;

/** Owns the panel; there is at most one. */
export class PreviewPanel implements Disposable {
  readonly #context: ExtensionContext;
  readonly #session: Session;
  readonly #subscriptions: readonly Disposable[];
  #panel: WebviewPanel | undefined;
  /** The editor that the panel follows. */
  #source: TextEditor | undefined;
  #sample: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Answers to earlier requests are dropped. */
  #asked = 0;

  constructor(context: ExtensionContext, session: Session) {
    this.#context = context;
    this.#session = session;
    const update = () => {
      this.#updateSoon();
    };
    this.#subscriptions = [
      window.onDidChangeActiveTextEditor(update),
      window.onDidChangeTextEditorSelection(update),
      workspace.onDidChangeTextDocument(update),
      session.onDidStart(update),
    ];
  }

  /** Opens the panel beside the editor; a code lens names the agent by a document and a place in it. */
  async show(document?: string, place?: { line: number; character: number }): Promise<void> {
    if (document !== undefined && place !== undefined) await reveal(document, place);
    this.#panel ??= this.#create();
    this.#panel.reveal(undefined, true);
    await this.#update();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#panel?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #create(): WebviewPanel {
    const media = Uri.joinPath(this.#context.extensionUri, 'dist');
    const panel = window.createWebviewPanel(
      'signature-ls.preview',
      'What the Model Sees',
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [media] },
    );
    const script = panel.webview.asWebviewUri(Uri.joinPath(media, 'webview.js'));
    panel.webview.html = pageOf(script.toString(), panel.webview.cspSource, randomUUID());
    panel.webview.onDidReceiveMessage((request: Request) => this.#receive(request));
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    return panel;
  }

  async #receive(request: Request): Promise<void> {
    switch (request.kind) {
      case 'ready':
        return this.#update();
      case 'sample':
        this.#sample = request.sample;
        return this.#update();
      case 'copy':
        return env.clipboard.writeText(request.text);
    }
  }

  #updateSoon(): void {
    if (this.#panel === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#update(), PAUSE_MS);
  }

  async #update(): Promise<void> {
    const active = window.activeTextEditor;
    if (active !== undefined && isSelected(active.document)) this.#source = active;
    const source = this.#source;
    if (this.#panel === undefined || source === undefined) return;
    this.#asked += 1;
    const asked = this.#asked;
    const preview = await this.#session.previewOf(source.document, source.selection.active, this.#sample);
    // Undefined if the server cannot answer yet: the panel keeps its content until it can.
    if (preview === undefined || asked !== this.#asked) return;
    const shown: Shown = { preview, sample: this.#sample };
    await this.#panel.webview.postMessage(shown);
  }
}

/** Moves the cursor to the agent of a code lens. */
async function reveal(document: string, place: { line: number; character: number }): Promise<void> {
  const editor = await window.showTextDocument(Uri.parse(document, true));
  const at = new Position(place.line, place.character);
  editor.selection = new Selection(at, at);
}
