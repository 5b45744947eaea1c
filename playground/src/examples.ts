// The examples of the manual; the build puts them in.

import type { Shared } from "./share";

declare const EXAMPLES: (Shared & { title: string })[];

export const examples = EXAMPLES;
