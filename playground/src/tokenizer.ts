// Counts tokens, in a worker.

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { CountReply, CountRequest } from "./tokens";

/** Words such as `<|endoftext|>` in a prompt are plain text. */
const AS_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

self.addEventListener("message", ({ data }: MessageEvent<CountRequest>) => {
  const reply: CountReply = { id: data.id, counts: data.texts.map((it) => countTokens(it, AS_TEXT)) };
  self.postMessage(reply);
});
