// Runs the WebAssembly module: one request at a time, in order.

import type { Question, Reply } from "./messages";
import { GIVEN, compile, type Given } from "./module";

interface Module {
  memory: WebAssembly.Memory;
  request(length: number): number;
  run(): number;
  answer(): number;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

async function load(): Promise<Module> {
  const compiled = self.name === GIVEN ? await given() : await compile();
  const instance = await WebAssembly.instantiate(compiled, {});
  return instance.exports as unknown as Module;
}

/** The module that the page compiles. Questions may come before it. */
function given(): Promise<WebAssembly.Module> {
  return new Promise((resolve, reject) => {
    self.addEventListener("message", ({ data }: MessageEvent<Given | Question>) => {
      if ("module" in data) resolve(data.module);
      else if ("failure" in data) reject(new Error(data.failure));
    });
  });
}

function bytes(module: Module, start: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(module.memory.buffer as ArrayBuffer, start >>> 0, length);
}

function ask(module: Module, request: Question["request"]): { ok: unknown } | { error: string } {
  const text = encoder.encode(JSON.stringify(request));
  // The memory can move when it grows, so the address is requested first.
  const place = module.request(text.length);
  bytes(module, place, text.length).set(text);
  const length = module.run();
  return JSON.parse(decoder.decode(bytes(module, module.answer(), length)));
}

/** The report of a crash. A panic ends the module without a message, so the report names the request. */
function reason(request: Question["request"], error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${Object.keys(request).join()}: ${message}`;
}

const loading = load();
let hasCrashed = false;

async function reply({ id, request }: Question): Promise<Reply | undefined> {
  let module: Module;
  try {
    module = await loading;
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
  // The state of the module is no longer reliable; the page starts another worker.
  if (hasCrashed) return undefined;
  try {
    return { id, ...ask(module, request) };
  } catch (error) {
    hasCrashed = true;
    return { id, crash: reason(request, error) };
  }
}

self.addEventListener("message", async ({ data }: MessageEvent<Given | Question>) => {
  if (!("request" in data)) return;
  const message = await reply(data);
  if (message) self.postMessage(message);
});
