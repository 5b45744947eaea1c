// Waiting for what the editor does in its own time, and saying what it did instead.

/** How long a thing may take, in milliseconds: enough for a machine that is busy with other things. */
export const TIMEOUT = 60_000;

/** How long something is waited for that a person would then try again. */
export const PATIENCE = 8_000;

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Repeats `check` until it throws nothing, and returns what it returns. */
export async function eventually(check) {
  const end = Date.now() + TIMEOUT;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(50);
    }
  }
}

export function equal(actual, expected, what) {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
