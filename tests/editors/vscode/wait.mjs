// Waits for the editor, and reports what happened instead.

/** The timeout, in milliseconds: long enough for a busy machine. */
export const TIMEOUT = 60_000;

/** The time after which a person would try again. */
export const PATIENCE = 8_000;

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Repeats `check` until it does not throw, and returns its result. */
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
