// The checker as the page sees it: requests with answers, and a fresh worker after a crash.

import type { Answers, Change, Finding, Question, Reply, RequestName } from "./messages";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The module has no answer, for a reason that can be shown. */
export class Refusal extends Error {}

/** Nobody waits for an answer any more: the worker ended. */
export class Gone extends Error {}

/** The text and how to read it. */
interface Opened {
  text: string;
  kind: string;
  edition: string | undefined;
}

/** What start.ts leaves for the first checker: its worker, the text that it was sent, and the reply to that. */
export type Started = typeof globalThis & {
  first?: { worker: Worker; open?: Opened; reply: Promise<Reply> } | undefined;
};

function takeFirst(): Started["first"] {
  const started: Started = globalThis;
  const first = started.first;
  started.first = undefined;
  return first;
}

/** A question that waits until the worker has nothing else to do. */
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
  /** The first id is that of start.ts. */
  #next = 1;

  /** `onCrash` is called after a crash, when a fresh worker without a text runs. */
  constructor(private onCrash: (reason: string) => void) {
    this.#worker = this.#start();
  }

  /** Sends another text at once. */
  open(opened: Opened): Promise<Finding[]> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve: resolve as (answer: unknown) => void, reject };
      if (!this.#isFirst(opened, waiting)) this.#post("open", opened, waiting);
    });
  }

  /** Whether the worker was sent this text already, so that only its reply is missing. */
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
   * Asks when the worker is idle, so that an edit waits for one question at most. The answer is null where the question
   * is no longer wanted by then.
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

  /** Posts the next question that is still wanted, unless the worker is busy. */
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
    // What waits for the answer comes first: a check is shown before the next question is sent.
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

/** The answer, or nothing where there is none. */
export async function orNothing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Gone) return null;
    throw error;
  }
}
