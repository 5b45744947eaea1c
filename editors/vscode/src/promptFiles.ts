// VS Code treats every `.prompt.md` file as a prompt of its chat and reports unknown keys. If the front matter has a
// signature, the file is one of our prompt files.

import { type Disposable, languages, type TextDocument, workspace } from 'vscode';

/** Gives `.prompt.md` files with a signature our language when they are opened or saved. */
export function claimPromptFiles(): Disposable[] {
  workspace.textDocuments.forEach(claim);
  return [workspace.onDidOpenTextDocument(claim), workspace.onDidSaveTextDocument(claim)];
}

function claim(document: TextDocument): void {
  if (document.languageId !== 'prompt' || !hasSignature(document)) return;
  void languages.setTextDocumentLanguage(document, 'signature-prompt');
}

function hasSignature(document: TextDocument): boolean {
  if (document.lineAt(0).text.trimEnd() !== '---') return false;
  for (let line = 1; line < document.lineCount; line += 1) {
    const { text } = document.lineAt(line);
    if (/^(---|\.\.\.)\s*$/.test(text)) return false;
    if (/^(signature|"signature"|'signature')\s*:/.test(text)) return true;
  }
  return false;
}
