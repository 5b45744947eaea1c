// Copies the TextMate grammars to where the manifest expects them.

import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const from = join(import.meta.dirname, '../../../syntaxes');
const to = join(import.meta.dirname, '../syntaxes');

rmSync(to, { recursive: true, force: true });
for (const name of readdirSync(from).filter((name) => name.endsWith('.tmLanguage.json'))) {
  cpSync(join(from, name), join(to, name));
}
cpSync(join(from, 'injections'), join(to, 'injections'), { recursive: true });
