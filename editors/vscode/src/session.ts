// The connection to one server: starts and restarts it, and reports its state to the status item.

import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  type Position,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { State as ClientState, CloseAction, ErrorAction, LanguageClient } from 'vscode-languageclient/node';

import { locateServer, type Server } from './locate.ts';
import type { Preview } from './previewPage.ts';
import { SELECTOR } from './selector.ts';
import { Status } from './status.ts';

/** After more restarts than this within the time below, the server is not restarted. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 3 * 60 * 1000;

/** Owns the client; at most one server runs at a time. */
export class Session implements Disposable {
  readonly #context: ExtensionContext;
  readonly #output: LogOutputChannel;
  readonly #status = new Status((document) => this.editionOf(document));
  readonly #started = new EventEmitter<void>();
  /** Fires when a server is ready, the first one or a later one. */
  readonly onDidStart = this.#started.event;
  #client: LanguageClient | undefined;
  #server: Server | undefined;
  #restarts: number[] = [];
  /** Starts and stops run one after another. */
  #pending: Promise<void> = Promise.resolve();

  constructor(context: ExtensionContext, output: LogOutputChannel) {
    this.#context = context;
    this.#output = output;
  }

  /** The program of the session, if one was found. */
  get program(): string | undefined {
    return this.#server?.path;
  }

  /** The edition of `document`; undefined if no server can answer. */
  async editionOf(document: TextDocument): Promise<string | undefined> {
    return (await this.#ask<string>('signature-ls/edition', document, (uri) => ({ uri }))) ?? undefined;
  }

  /** What a model receives for the agent at `place`, null without an agent; undefined if no server can answer. */
  previewOf(
    document: TextDocument,
    place: Position,
    sample: number | undefined,
  ): Promise<Preview | null | undefined> {
    const position = { line: place.line, character: place.character };
    return this.#ask<Preview>('signature-ls/preview', document, (uri) => ({
      textDocument: { uri },
      position,
      ...(sample === undefined ? {} : { sample }),
    }));
  }

  async #ask<Answer>(
    method: string,
    document: TextDocument,
    params: (uri: string) => object,
  ): Promise<Answer | null | undefined> {
    const client = this.#client;
    if (client?.state !== ClientState.Running) return undefined;
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    try {
      return await client.sendRequest<Answer | null>(method, params(uri));
    } catch (error) {
      this.#output.debug(`no answer to ${method} for ${uri}: ${String(error)}`);
      return undefined;
    }
  }

  /** Starts the server, after stopping a running one. */
  restart(): Promise<void> {
    this.#pending = this.#pending.then(async () => {
      await this.#stop();
      await this.#start();
    });
    return this.#pending;
  }

  /** Stops the server. */
  stop(): Promise<void> {
    this.#pending = this.#pending.then(() => this.#stop());
    return this.#pending;
  }

  dispose(): void {
    this.#status.dispose();
    this.#started.dispose();
    void this.stop();
  }

  async #start(): Promise<void> {
    this.#status.set({ kind: 'starting' });
    const found = await locateServer({
      setting: workspace.getConfiguration('signature-ls').get('server.path', ''),
      extension: this.#context.extensionPath,
      path: process.env.PATH ?? '',
      platform: process.platform,
    });
    if ('reason' in found) {
      this.#server = undefined;
      this.#fail(found.reason);
      return;
    }
    this.#server = found;
    this.#output.info(`server: ${found.path} (from the ${found.origin})`);
    this.#restarts = [];
    const client = this.#createClient(found);
    this.#client = client;
    try {
      await client.start();
    } catch (error) {
      this.#fail(`The server at ${found.path} did not start: ${String(error)}`);
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    try {
      await client.dispose();
    } catch (error) {
      // The client kills a server that does not answer; there is nothing more to do.
      this.#output.warn(`the server did not stop in order: ${String(error)}`);
    }
  }

  #createClient(server: Server): LanguageClient {
    const client: LanguageClient = new LanguageClient(
      'signature-ls',
      'Signature Strings',
      { command: server.path, args: ['lsp'] },
      {
        documentSelector: SELECTOR,
        outputChannel: this.#output,
        // Hovers fold long parts.
        markdown: { supportHtml: true },
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => this.#closed(),
        },
        middleware: {
          workspace: {
            didChangeConfiguration: (sections, next) => this.#whileRunning(client, () => next(sections)),
          },
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (client !== this.#client) return;
      if (newState === ClientState.Starting) this.#status.set({ kind: 'starting' });
      if (newState === ClientState.Running) {
        const version = client.initializeResult?.serverInfo?.version;
        this.#status.set({ kind: 'running', version, path: server.path });
        this.#started.fire();
      }
    });
    return client;
  }

  /**
   * Notifies the server of a change. One that stops or starts meanwhile need not know: it asks for the settings when
   * it is ready.
   */
  async #whileRunning(client: LanguageClient, notify: () => Promise<void>): Promise<void> {
    const isRunning = () => client === this.#client && client.state === ClientState.Running;
    if (!isRunning()) return;
    try {
      await notify();
    } catch (error) {
      if (isRunning()) throw error;
      this.#output.debug(`the server ended before a notification: ${String(error)}`);
    }
  }

  /** Restarts a server that ended by itself, unless that happens again and again. */
  #closed(): { action: CloseAction; handled: boolean } {
    const now = Date.now();
    this.#restarts = [...this.#restarts.filter((time) => now - time < RESTART_WINDOW_MS), now];
    if (this.#restarts.length <= MAX_RESTARTS) {
      this.#output.warn('the server ended; starting it again');
      return { action: CloseAction.Restart, handled: true };
    }
    this.#fail(`The server ended ${this.#restarts.length} times within three minutes.`);
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  #fail(reason: string): void {
    this.#output.error(reason);
    this.#status.set({ kind: 'stopped', reason });
    void this.#offerHelp(reason);
  }

  async #offerHelp(reason: string): Promise<void> {
    const actions = {
      'Set Path': () => commands.executeCommand('workbench.action.openSettings', 'signature-ls.server.path'),
      'How to Install': () => commands.executeCommand('extension.open', this.#context.extension.id),
      'Try Again': () => this.restart(),
    } as const;
    const names = Object.keys(actions) as (keyof typeof actions)[];
    const chosen = await window.showErrorMessage(`Signature Strings: ${reason}`, ...names);
    if (chosen !== undefined) await actions[chosen]();
  }
}
