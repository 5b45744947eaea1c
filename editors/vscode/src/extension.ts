// The extension: wires the parts together.

import { commands, type ExtensionContext, window, workspace } from 'vscode';

import { collectBugReport, openExample, showListing, showSchema, validateSample } from './commands.ts';
import { PreviewPanel } from './preview.ts';
import { claimPromptFiles } from './promptFiles.ts';
import { Session } from './session.ts';
import { Views } from './views.ts';

let session: Session | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel('Signature Strings', { log: true });
  const views = new Views();
  const current = new Session(context, output);
  session = current;
  const preview = new PreviewPanel(context, current);

  const handlers = {
    restart: () => current.restart(),
    showOutput: () => {
      output.show();
    },
    openExample,
    collectBugReport: () => collectBugReport(current, views),
    showListing: () => showListing(current, views),
    showPreview: (document?: string, place?: { line: number; character: number }) =>
      preview.show(document, place),
    showSchema: () => showSchema(current, views),
    validateSample: () => validateSample(current, views),
  };
  context.subscriptions.push(
    output,
    views,
    preview,
    current,
    ...Object.entries(handlers).map(([name, handler]) =>
      commands.registerCommand(`signature-ls.${name}`, (...given: unknown[]) =>
        reporting(() => (handler as (...given: unknown[]) => unknown)(...given)),
      ),
    ),
    ...claimPromptFiles(),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('signature-ls.server')) void current.restart();
    }),
  );
  await current.restart();
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}

/** The error of a command is shown to the user, not logged. */
async function reporting(handler: () => unknown): Promise<void> {
  try {
    await handler();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Signature Strings: ${message}`);
  }
}
