// The checker as the page sees it: requests with answers, and a fresh worker after a crash.

import type { Answers, Change, Finding, Question, Reply, RequestName } from "./messages";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The module has no answer, for a reason that can be shown. */
export class Refusal extends Error {}

/** Nobody waits for the answer any more: the worker ended. */
export class Gone extends Error {}

/** A text, its kind and its edition. */
interface Opened {
  text: string;
  kind: string;
  edition: string | undefined;
}

/** What start.ts prepares for the first checker: a worker, the text that was sent to it, and the reply. */
export type Started = typeof globalThis & {
  first?: { worker: Worker; open?: Opened; reply: Promise<Reply> } | undefined;
};

function takeFirst(): Started["first"] {
  const started: Started = globalThis;
  const first = started.first;
  started.first = undefined;
  return first;
}

/** A request that waits until the worker is idle. */
interface Queued {
  name: RequestName;
  parameters: object;
  isWanted(): boolean;
  waiting: Waiting;
}

export class Checker {
  #first = takeFirst();
  #worker: Worker;
  #waiting = new Map<number, Waiting>();
  #queue: Queued[] = [];
  /** start.ts used the first id. */
  #next = 1;

  /** `onCrash` is called after a crash, when a new worker without a text runs. */
  constructor(private onCrash: (reason: string) => void) {
    this.#worker = this.#start();
  }

  /** Opens another text at once. */
  open(opened: Opened): Promise<Finding[]> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve: resolve as (answer: unknown) => void, reject };
      if (!this.#isFirst(opened, waiting)) this.#post("open", opened, waiting);
    });
  }

  /** Whether start.ts sent this text already, so that only the reply is missing. */
  #isFirst({ text, kind, edition }: Opened, waiting: Waiting): boolean {
    const first = this.#first;
    this.#first = undefined;
    if (!first?.open) return false;
    const { open } = first;
    const isSame = open.kind === kind && open.edition === edition && open.text === text;
    if (isSame) this.#waiting.set(0, waiting);
    void first.reply.then((reply) => this.#receive(reply));
    return isSame;
  }

  /** Sends an edit at once. */
  edit(changes: Change[]): Promise<Finding[]> {
    return new Promise((resolve, reject) => {
      this.#post("edit", { changes }, { resolve: resolve as (answer: unknown) => void, reject });
    });
  }

  /**
   * Sends a request when the worker is idle, so that an edit waits for one request at most. The answer is null if the
   * request is not wanted by then.
  */
  ask<Name extends RequestName>(
    name: Name,
    parameters: object,
    isWanted: () => boolean,
  ): Promise<Answers[Name] | null> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve: resolve as (answer: unknown) => void, reject };
      this.#queue.push({ name, parameters, isWanted, waiting });
      this.#ask();
    });
  }

  /** Posts the next request that is still wanted, unless the worker is busy. */
  #ask(): void {
    while (this.#waiting.size === 0) {
      const next = this.#queue.shift();
      if (!next) return;
      if (next.isWanted()) this.#post(next.name, next.parameters, next.waiting);
      else next.waiting.resolve(null);
    }
  }

  #post(name: RequestName, parameters: object, waiting: Waiting): void {
    const id = this.#next++;
    const question: Question = { id, request: { [name]: parameters } };
    this.#waiting.set(id, waiting);
    this.#worker.postMessage(question);
  }

  #start(): Worker {
    const worker = this.#first?.worker ?? new Worker("worker.js");
    worker.addEventListener("message", (event: MessageEvent<Reply>) => this.#receive(event.data));
    worker.addEventListener("error", (event) => this.#restart(event.message || "the worker ended"));
    return worker;
  }

  #receive(reply: Reply): void {
    if ("crash" in reply) return this.#restart(reply.crash);
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new Refusal(reply.error));
    else waiting?.resolve(reply.ok);
    // The code that waits for the answer runs first: diagnostics are shown before the next request is sent.
    queueMicrotask(() => this.#ask());
  }

  #restart(reason: string): void {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values(), ...this.#queue.map((it) => it.waiting)];
    this.#waiting.clear();
    this.#queue = [];
    this.#first = undefined;
    this.#worker = this.#start();
    for (const { reject } of waiting) reject(new Gone(reason));
    this.onCrash(reason);
  }
}

/** The answer, or nothing if there is none. */
export async function orNothing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Gone) return null;
    throw error;
  }
}
