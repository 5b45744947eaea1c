// Loads the WebAssembly module.

/** The name of a worker that waits for the compiled module. Other workers load it. */
export const GIVEN = "given";

/** The message with the module to such a worker, or with the reason why there is none. */
export type Given = { module: WebAssembly.Module } | { failure: string };

/** Fetches and compiles the module. */
export async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch("signature-ls.wasm");
  if (!response.ok) throw new Error(`the module could not be loaded (${response.status})`);
  return WebAssembly.compileStreaming(response);
}
