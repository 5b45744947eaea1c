// A keystroke at 1,000 lines takes the module less than 5 ms of processor time, which a busy machine does not change,
// and less than 15 ms in a notebook, all cells of which are read again: node speed.mjs --module FILE

import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { load } from "../module.mjs";
import { longTexts } from "./texts.mjs";

const LIMIT = 5;
const NOTEBOOK_LIMIT = 15;
const KEYS = 100;

const { values } = parseArgs({ options: { module: { type: "string" } } });
const { ask } = await load(values.module);

function milliseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

for (const [kind, text] of Object.entries(longTexts())) {
  ask("open", { kind, text });
  // In the middle of the text.
  const from = text.indexOf("\n", text.length / 2) - 3;
  const type = () => {
    for (let key = 0; key < KEYS; key++) ask("edit", { changes: [{ from, to: from, insert: "x" }] });
  };
  type();
  const time = milliseconds(type) / KEYS;
  console.log(`ok   a keystroke in 1,000 lines of .${kind} takes ${time.toFixed(2)} ms`);
  assert.ok(time < (kind === "livemd" ? NOTEBOOK_LIMIT : LIMIT), `a keystroke in .${kind} takes ${time} ms`);
}
