// The module in Node.js: for the build and for tests.

import { readFileSync } from "node:fs";

/** The module in a file, and a function that asks it and fails where it has no answer. */
export async function load(path) {
  const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
  const module = instance.exports;
  const ask = (name, parameters = {}) => {
    const request = new TextEncoder().encode(JSON.stringify({ [name]: parameters }));
    const place = module.request(request.length);
    new Uint8Array(module.memory.buffer, place, request.length).set(request);
    const length = module.run();
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.answer(), length)));
    if ("error" in answer) throw new Error(answer.error);
    return answer.ok;
  };
  return { ask };
}
