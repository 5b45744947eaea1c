// Starts the worker and checks the first text before the rest of the page is loaded.

import { examples } from "./examples";
import type { Started } from "./checker";
import type { Question, Reply } from "./messages";
import { GIVEN, compile, type Given } from "./module";
import { LONGEST_CHECKED, fromFragment, type Shared } from "./share";

/** The default edition; the build inserts it. */
declare const DEFAULT_EDITION: string;

const ID = 0;

// While the worker starts, the module is compiled here.
const worker = new Worker("worker.js", { name: GIVEN });
compile().then(
  (module) => worker.postMessage({ module } satisfies Given),
  (error: Error) => worker.postMessage({ failure: error.message } satisfies Given),
);
const reply = new Promise<Reply>((resolve) => {
  worker.addEventListener("message", (event: MessageEvent<Reply>) => {
    if (event.data.id !== ID) return;
    event.stopImmediatePropagation();
    resolve(event.data);
  });
});

async function openFirst(): Promise<void> {
  // The page reports an invalid link, and shows the example instead.
  const linked = await fromFragment(location.hash).catch(() => null);
  const { text, kind, edition = DEFAULT_EDITION } = linked ?? (examples[0] as Shared);
  if (text.length > LONGEST_CHECKED) return;
  const open = { text, kind, edition };
  const question: Question = { id: ID, request: { open } };
  worker.postMessage(question);
  first.open = open;
}

const first: NonNullable<Started["first"]> = { worker, reply };
(globalThis as Started).first = first;
void openFirst();
