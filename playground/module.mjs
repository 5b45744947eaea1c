// The module in Node.js, for the build and for tests.

import { readFileSync } from "node:fs";

/** Loads the module from a file; returns a function that sends it a request and throws if it answers with an error. */
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
