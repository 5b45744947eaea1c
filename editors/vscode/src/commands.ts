// The commands that show results of the server's program.

import { env, type TextDocument, version, window, workspace } from 'vscode';

import { type Outcome, run } from './cli.ts';
import type { Session } from './session.ts';
import { readSignatures, type Site, signatureAt } from './sites.ts';
import type { Views } from './views.ts';

const EXAMPLE = `---
signature: "(user {name :strng, email :string?}, topics [:string]) -> {subject :string, body :string}"
---
Write to {{usr.name}} about:
{{#topics}}
- {{.}}
{{/topics}}
`;

/** Opens a prompt file with two mistakes to fix. */
export async function openExample(): Promise<void> {
  const document = await workspace.openTextDocument({ language: 'signature-prompt', content: EXAMPLE });
  await window.showTextDocument(document);
}

/** Shows the tools of the active document as a model sees them. */
export async function showListing(session: Session, views: Views): Promise<void> {
  await showOfActive(session, views, 'prompt', 'signature-catalog', '.sig');
}

/** Shows the JSON Schema of each signature in the active document. */
export async function showSchema(session: Session, views: Views): Promise<void> {
  await showOfActive(session, views, 'json', 'json', '.schema.json');
}

/** Checks a JSON value, the selected text or a file, against a signature of the active document. */
export async function validateSample(session: Session, views: Views): Promise<void> {
  const document = await activeDocument();
  const program = programOf(session);
  if (document === undefined || program === undefined) return;

  const listing = await run(program, [
    'list',
    '--format',
    'json',
    ...editionArgs(document),
    document.fileName,
  ]);
  const site = await chooseSignature(readSignatures(requireOutput(listing)));
  if (site === undefined) return;
  const direction = await window.showQuickPick(
    [
      { label: 'Output', description: 'what the agent or tool returns', flag: '--output' },
      { label: 'Input', description: 'the arguments of a call, coerced first', flag: '--input' },
    ],
    { title: site.text, placeHolder: 'What is the sample?' },
  );
  if (direction === undefined) return;
  const sample = await chooseSample();
  if (sample === undefined) return;

  const args = ['validate', '--signature', site.text, direction.flag, ...editionArgs(document), '-'];
  const outcome = await run(program, args, sample);
  if (outcome.code === 0 && !outcome.stdout.includes('warning:')) {
    void window.showInformationMessage(`The sample fits ${site.text}`);
    return;
  }
  await views.show('Validation', 'plaintext', `${site.text}\n\n${requireOutput(outcome)}`);
}

/** Shows what a bug report needs: versions, settings and numbers, but no text and no file name. */
export async function collectBugReport(session: Session, views: Views): Promise<void> {
  const program = programOf(session);
  if (program === undefined) return;
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const log = workspace.getConfiguration('signature-ls').get<string>('log.file', '');
  const ofFolders = [
    'bug-report',
    ...(log === '' ? [] : ['--log', log]),
    '--',
    ...folders.map(({ uri }) => uri.fsPath),
  ];
  // Without a folder, the program would use the folder in which the editor was started.
  const report = await run(program, folders.length === 0 ? ['--version', '--verbose'] : ofFolders);
  const editor = `## Editor\n\n${env.appName} ${version} on ${process.platform} ${process.arch}\n\n`;
  await views.show('Bug report', 'markdown', editor + requireOutput(report));
}

async function showOfActive(
  session: Session,
  views: Views,
  format: string,
  language: string,
  suffix: string,
): Promise<void> {
  const document = await activeDocument();
  const program = programOf(session);
  if (document === undefined || program === undefined) return;
  const outcome = await run(program, [
    'schema',
    '--format',
    format,
    ...editionArgs(document),
    document.fileName,
  ]);
  const shown = requireOutput(outcome);
  // The omitted parts, such as signatures with errors.
  if (outcome.stderr !== '') void window.showWarningMessage(`Signature Strings: ${outcome.stderr.trim()}`);
  if (shown === '') return;
  const name = document.fileName.replace(/^.*[\\/]/, '');
  await views.show(`${name}${suffix}`, language, shown);
}

/** The active document, saved, because the program reads files. */
async function activeDocument(): Promise<TextDocument | undefined> {
  const document = window.activeTextEditor?.document;
  if (document === undefined) return undefined;
  if ((document.isUntitled || document.isDirty) && !(await document.save())) {
    void window.showWarningMessage('Signature Strings: save the file first.');
    return undefined;
  }
  return window.activeTextEditor?.document;
}

function programOf(session: Session): string | undefined {
  if (session.program === undefined) {
    void window.showErrorMessage('Signature Strings: there is no server. Restart it to see why.');
  }
  return session.program;
}

function editionArgs(document: TextDocument): string[] {
  const edition = workspace.getConfiguration('signature-ls', document).get<string>('edition', 'auto');
  return edition === 'auto' ? [] : ['--edition', edition];
}

function requireOutput({ code, stdout, stderr }: Outcome): string {
  if (code !== 2 || stdout !== '') return stdout;
  throw new Error(stderr.trim() || `the server's program ended with ${code}`);
}

async function chooseSignature(sites: readonly Site[]): Promise<Site | undefined> {
  const line = (window.activeTextEditor?.selection.active.line ?? 0) + 1;
  const here = signatureAt(sites, line);
  if (here !== undefined) return here;
  if (sites.length === 0) {
    void window.showWarningMessage('Signature Strings: this file has no signature.');
    return undefined;
  }
  if (sites.length === 1) return sites[0];
  const items = sites.map((site) => ({
    label: site.text.replaceAll(/\s+/g, ' ').trim(),
    description: [site.name, `line ${site.line}`].filter((part) => part !== undefined).join(', '),
    site,
  }));
  const chosen = await window.showQuickPick(items, { placeHolder: 'Which signature?' });
  return chosen?.site;
}

/** The selected text, or else a file. */
async function chooseSample(): Promise<string | undefined> {
  const editor = window.activeTextEditor;
  if (editor !== undefined && !editor.selection.isEmpty) return editor.document.getText(editor.selection);
  const [file] =
    (await window.showOpenDialog({
      title: 'Sample',
      filters: { 'JSON or JSON Lines': ['json', 'jsonl'] },
    })) ?? [];
  return file === undefined ? undefined : new TextDecoder().decode(await workspace.fs.readFile(file));
}
