// Counts tokens in a worker of their own: the vocabulary has two megabytes, so it is loaded on first use.

/** A message to the worker, and its answer. */
export interface CountRequest {
  id: number;
  texts: string[];
}
export interface CountReply {
  id: number;
  counts: number[];
}

let worker: Worker | undefined;
let next = 0;

/** The number of tokens of each text in the encoding `o200k_base`. */
export function countTokens(texts: string[]): Promise<number[]> {
  worker ??= new Worker("tokenizer.js");
  const counter = worker;
  const id = next++;
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const receive = ({ data }: MessageEvent<CountReply>) => {
      if (data.id !== id) return;
      done.abort();
      resolve(data.counts);
    };
    const fail = () => {
      done.abort();
      worker = undefined;
      reject(new Error("the tokenizer could not be loaded"));
    };
    counter.addEventListener("message", receive, { signal: done.signal });
    counter.addEventListener("error", fail, { signal: done.signal });
    const request: CountRequest = { id, texts };
    counter.postMessage(request);
  });
}
