// Compares the grammar's verdicts with the reference's answers in tests/vectors/signatures.jsonl:
// a text has an error in its tree exactly where the parser of edition 0.11 rejects it, and the tree
// of an accepted text says what the reference understood.
//
// usage: node verdicts.mjs PATH_TO_TREE_SITTER

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const treeSitter = process.argv[2];
const grammar = join(import.meta.dirname, '..');
const vectors = readFileSync(join(grammar, '../../tests/vectors/signatures.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const folder = mkdtempSync(join(tmpdir(), 'verdicts-'));
try {
  const paths = vectors.map(({ text }, index) => {
    const path = join(folder, `${String(index).padStart(5, '0')}.signature`);
    writeFileSync(path, text);
    return path;
  });
  const verdicts = parse(folder, paths);
  const accepted = paths.filter((_, index) => isAccepted(vectors[index]));
  const trees = new Map(parseTrees(folder, accepted).map((tree, index) => [accepted[index], tree]));

  let failed = 0;
  vectors.forEach((vector, index) => {
    const problem = judge(vector, verdicts[index], trees.get(paths[index]));
    if (problem === undefined) return;
    failed += 1;
    console.log(`${JSON.stringify(vector.text)}: ${problem}`);
  });
  console.log(`verdicts: ${vectors.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** For each file whether its tree is without errors. */
function parse(folder, paths) {
  const output = run(['--quiet', '--json-summary'], folder, paths);
  // Lines about the files with errors stand before the summary.
  const summary = JSON.parse(output.slice(output.search(/^\{$/m)));
  const successes = summary.parse_summaries.map(({ successful }) => successful);
  return sameLength(successes, paths);
}

/** The trees of files without errors, as S-expressions on one line. */
function parseTrees(folder, paths) {
  const trees = run(['--no-ranges'], folder, paths)
    .split(/^(?=\(source)/m)
    .map((tree) => tree.replaceAll(/\s+/g, ' ').replaceAll(/ (?=\))/g, '').trim());
  return sameLength(trees, paths);
}

function sameLength(results, paths) {
  if (results.length === paths.length) return results;
  throw new Error(`${results.length} results for ${paths.length} files`);
}

/** Runs the program; its exit code only says that some file had an error. */
function run(options, folder, paths) {
  const list = join(folder, 'paths');
  writeFileSync(list, paths.join('\n'));
  const args = ['parse', '--grammar-path', grammar, '--paths', list, ...options];
  try {
    return execFileSync(treeSitter, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    if (error.status === 1 && error.stdout) return error.stdout;
    throw error;
  }
}

function isAccepted(vector) {
  return vector.accepted_by.includes('0.13');
}

/** What is wrong with a verdict and a tree, if anything. */
function judge(vector, verdict, tree) {
  if (verdict !== isAccepted(vector)) return verdict ? 'expected an error' : 'expected no error';
  if (!verdict) return undefined;
  const expected = `(source ${expectedTree(vector)})`;
  return tree === expected ? undefined : `expected ${expected}, got ${tree}`;
}

/** The tree that the reference's answer stands for. */
function expectedTree({ text, ast }) {
  if (!text.trimStart().startsWith('(')) return typeTree(ast.output);
  const parameters = named('parameters', 'parameter', ast.params);
  return `(signature parameters: ${parameters} output: ${typeTree(ast.output)})`;
}

function typeTree(type) {
  if (typeof type === 'string') return '(primitive)';
  if (type.optional) return '(optional (primitive))';
  if (type.list) return `(list element: ${typeTree(type.list)})`;
  return named('record', 'field', type.map);
}

function named(list, item, pairs) {
  const items = pairs.map(([, type]) => ` (${item} name: (name) type: ${typeTree(type)})`);
  return `(${list}${items.join('')})`;
}
