// Parses the output of `signature-ls list --format json`, and selects one of its lines.

/** A literal of a document. */
export interface Site {
  readonly file: string;
  /** The line of its first character, from 1. */
  readonly line: number;
  /** The column of its first character, from 1. */
  readonly column: number;
  readonly role: 'signature' | 'prompt' | 'description' | 'tool';
  readonly name?: string;
  readonly text: string;
  /** Whether its text is only known when the program runs. */
  readonly dynamic?: boolean;
}

/** The signatures of a listing; rejects other output. */
export function readSignatures(json: string): Site[] {
  const sites: unknown = JSON.parse(json);
  if (!Array.isArray(sites) || !sites.every(isSite)) throw new Error('the server printed no list of sites');
  return sites.filter(({ role, dynamic }) => (role === 'signature' || role === 'tool') && dynamic !== true);
}

/** The last signature that begins at or before `line` and reaches it, both from 1. */
export function signatureAt(sites: readonly Site[], line: number): Site | undefined {
  return sites.findLast((site) => site.line <= line && line <= site.line + site.text.split('\n').length - 1);
}

function isSite(value: unknown): value is Site {
  if (typeof value !== 'object' || value === null) return false;
  const { line, role, text } = value as Record<string, unknown>;
  return typeof line === 'number' && typeof role === 'string' && typeof text === 'string';
}
