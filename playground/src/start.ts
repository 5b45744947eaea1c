// Starts the worker before the page is there, so that the module is compiled meanwhile.

import type { Started } from "./checker";

(globalThis as Started).firstWorker = new Worker("worker.js");
