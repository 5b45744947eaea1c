// The examples of the manual; the build inserts them.

import type { Shared } from "./share";

declare const EXAMPLES: (Shared & { title: string })[];

export const examples = EXAMPLES;
