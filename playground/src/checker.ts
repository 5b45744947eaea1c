// The checker as the page sees it: requests with answers, and a fresh worker after a crash.

import type { Answers, Question, Reply, RequestName } from "./messages";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The module has no answer, for a reason that can be shown. */
export class Refusal extends Error {}

/** Nobody waits for an answer any more: the worker ended. */
export class Gone extends Error {}

/** What start.ts leaves for the first checker. */
export type Started = typeof globalThis & { firstWorker?: Worker | undefined };

function takeFirstWorker(): Worker | undefined {
  const started: Started = globalThis;
  const worker = started.firstWorker;
  started.firstWorker = undefined;
  return worker;
}

export class Checker {
  #worker: Worker;
  #waiting = new Map<number, Waiting>();
  #next = 0;

  /** `onCrash` is called after a crash, when a fresh worker without a text runs. */
  constructor(private onCrash: (reason: string) => void) {
    this.#worker = this.#start();
  }

  ask<Name extends RequestName>(name: Name, parameters: object = {}): Promise<Answers[Name]> {
    const id = this.#next++;
    const question: Question = { id, request: { [name]: parameters } };
    this.#worker.postMessage(question);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
    });
  }

  #start(): Worker {
    const worker = takeFirstWorker() ?? new Worker("worker.js");
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
  }

  #restart(reason: string): void {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
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
