// Checks that the module and `signature-ls check` report the same in random files of every kind, also after edits:
// node agree.mjs --module FILE --program FILE [--seed N] [--count N]
// SEED is the seed without --seed. As in `cargo test`, it is the same in each run, and nightly runs use others.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { examplesOf } from "../examples.mjs";
import { load } from "../module.mjs";

const { values } = parseArgs({
  options: {
    module: { type: "string" },
    program: { type: "string" },
    seed: { type: "string", default: process.env.SEED ?? "1" },
    count: { type: "string", default: "60" },
  },
});
const seed = Number(values.seed);
const repository = new URL("../..", import.meta.url).pathname;

/** Numbers from 0 to below `limit` that a seed determines. */
function numbers(state) {
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const PIECES = ["(", ")", "{", "}", "[", "]", "{{", "}}", ":", ":int", ":strng", ",", "->", "?", '"', "'", "\\", "\n", "---\n",
  " ", "#", "{{#a}}", "{{/a}}", "é", "😀", "signature: ", "%{", "user", "\t", "```\n", "|", "- "];

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name));
}

/** The original texts, by kind of file. */
function seeds(kinds) {
  const manual = examplesOf(readFileSync(join(repository, "docs/language.md"), "utf8"));
  const texts = Object.fromEntries(kinds.map((extensions) => [extensions[0], []]));
  for (const { kind, text } of manual) texts[kind].push(text);
  for (const file of [...filesOf(join(repository, "examples")), ...filesOf(join(repository, "tests/editors/fixtures"))]) {
    const kind = kinds.find((extensions) => extensions.includes(extname(file).slice(1)))?.[0];
    if (kind) texts[kind].push(readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
  }
  for (const [kind, all] of Object.entries(texts)) assert.ok(all.length > 0, `no text of the kind .${kind}`);
  return texts;
}

/** A random change of `text` that splits no character in two. */
function change(text, random) {
  const starts = [...text].reduce((all, char) => [...all, all.at(-1) + char.length], [0]);
  const first = random(starts.length);
  const last = Math.min(first + [0, 0, 0, 1, 1, 3, 12][random(7)], starts.length - 1);
  return { from: starts[first], to: starts[last], insert: random(3) === 0 ? "" : PIECES[random(PIECES.length)] };
}

function applied(text, { from, to, insert }) {
  return text.slice(0, from) + insert + text.slice(to);
}

const folder = mkdtempSync(join(tmpdir(), "agree-"));
const { ask } = await load(values.module);
const kinds = ask("about").kinds;
const texts = seeds(kinds);
const random = numbers(seed);
const expected = new Map();
for (const [kind] of kinds) {
  for (let index = 0; index < Number(values.count); index++) {
    let text = texts[kind][random(texts[kind].length)];
    let found = ask("open", { kind, text });
    for (let edits = random(6); edits > 0; edits--) {
      const made = change(text, random);
      text = applied(text, made);
      found = ask("edit", { changes: [made] });
    }
    assert.deepEqual(ask("open", { kind, text }), found, `edits and a fresh start differ, seed ${seed}: ${text}`);
    const name = `${index}.${kind}`;
    writeFileSync(join(folder, name), text);
    expected.set(name, found.map((it) => ({ ...place(text, it.from), code: it.code, severity: it.severity, message: it.message })));
  }
}

/** The line and the column of an offset as the command counts them. */
function place(text, offset) {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: [...before.at(-1)].length + 1 };
}

let output;
try {
  // By name: in folders, files that do not start like a catalog are skipped.
  output = execFileSync(values.program, ["check", "--format", "json", ...expected.keys()], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
} catch (error) {
  // 1: there are errors in the files.
  if (error.status !== 1) throw error;
  output = error.stdout;
}
const got = new Map([...expected.keys()].map((it) => [it, []]));
for (const { file, line, column, code, severity, message } of JSON.parse(output)) {
  got.get(file).push({ line, column, code, severity, message });
}
let count = 0;
for (const [name, found] of expected) {
  assert.deepEqual(found, got.get(name), `${name}, seed ${seed}:\n${readFileSync(join(folder, name), "utf8")}`);
  count += found.length;
}
assert.ok(count > expected.size, `only ${count} findings in ${expected.size} files`);
rmSync(folder, { recursive: true });
console.log(`ok   check and the playground agree on ${expected.size} files with ${count} findings, seed ${seed}`);
