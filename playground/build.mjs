// Builds the page: node build.mjs --module signature_ls_playground.wasm --out dist
//
// Bundles the program, and inserts what is known at build time (kinds of file, editions, examples of the manual).

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { examplesOf } from "./examples.mjs";
import { load } from "./module.mjs";
import { nameByCode } from "./order.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { module: { type: "string" }, out: { type: "string", default: join(here, "dist") } } });
const { module: source, out } = values;
if (!source) throw new Error("--module names the compiled module");

/** The names of the kinds of file, by their usual extension. */
const KINDS = {
  ex: "Elixir",
  prompt: "Prompt file",
  md: "Markdown",
  livemd: "Livebook",
  yaml: "YAML",
  json: "JSON",
  clj: "PTC-Lisp or Clojure",
  sig: "Catalog",
};

// The features that rustc builds with.
const WASM_FEATURES = [
  "bulk-memory",
  "bulk-memory-opt",
  "call-indirect-overlong",
  "multivalue",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
].map((it) => `--enable-${it}`);

// The passes that reduce the compressed size. Passes that inline code, such as those of -Oz, increase it.
const WASM_PASSES = [
  "optimize-instructions",
  "code-folding",
  "remove-unused-brs",
  "remove-unused-names",
  "rse",
  "coalesce-locals",
  "reorder-locals",
  "vacuum",
  "duplicate-function-elimination",
].map((it) => `--${it}`);

// Removing arguments of functions leaves more to do for the other passes.
const ALL_WASM_PASSES = [...WASM_PASSES, "--dae-optimizing", ...WASM_PASSES, "--remove-unused-module-elements"];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync(join(here, "static"), out, { recursive: true });

const wasm = join(out, "signature-ls.wasm");
const optimize = (passes, from) =>
  execFileSync(join(here, "node_modules/.bin/wasm-opt"), [...WASM_FEATURES, ...passes, from, "-o", wasm]);
optimize(ALL_WASM_PASSES, source);
writeFileSync(wasm, nameByCode(readFileSync(wasm)));
optimize(["--reorder-functions-by-name"], wasm);

const { ask } = await load(wasm);
const about = ask("about");
const manual = readFileSync(join(here, "../docs/language.md"), "utf8");
const examples = examplesOf(manual);

const common = { bundle: true, minify: true, target: "es2022", outdir: out, legalComments: "none" };
const scriptFile = (name) => join(here, `src/${name}.ts`);
const { metafile } = await build({
  ...common,
  format: "esm",
  splitting: true,
  metafile: true,
  entryPoints: [scriptFile("main")],
  define: { EXAMPLES: JSON.stringify(examples) },
});
const script = { ...common, format: "iife" };
await build({ ...script, entryPoints: ["tokenizer", "worker"].map(scriptFile) });
const first = { EXAMPLES: JSON.stringify(examples.slice(0, 1)), DEFAULT_EDITION: JSON.stringify(about.defaultEdition) };
await build({ ...script, entryPoints: [scriptFile("start")], define: first });

// The imports of main.js are fetched in parallel with it; those that it imports on demand are not.
const [main] = Object.values(metafile.outputs).filter((it) => it.entryPoint?.endsWith("src/main.ts"));
const imported = main.imports.filter((it) => it.kind === "import-statement").map((it) => basename(it.path));
const preloads = imported.map((it) => `<link rel="modulepreload" href="${it}">`);

const page = join(out, "index.html");
const option = (value, label, isChosen) => `<option value="${value}"${isChosen ? " selected" : ""}>${label}</option>`;
const kinds = about.kinds.map(([extension]) => {
  if (!(extension in KINDS)) throw new Error(`the kind of file .${extension} has no name in build.mjs`);
  return option(extension, KINDS[extension]);
});
const editions = about.editions.map((it) => option(it, it, it === about.defaultEdition));
const filled = readFileSync(page, "utf8")
  .replace("<!-- preloads -->", preloads.join(""))
  .replace("<!-- kinds -->", kinds.join(""))
  .replace("<!-- editions -->", editions.join(""))
  .replace("<!-- version -->", about.version);
writeFileSync(page, filled);

// The tokenizer is large; it is cached after its first use.
const files = readdirSync(out).sort();
const version = createHash("sha256");
for (const file of files) version.update(readFileSync(join(out, file)));
await build({
  ...script,
  entryPoints: [scriptFile("service-worker")],
  define: { FILES: JSON.stringify(["./", ...files.filter((it) => it !== "tokenizer.js")]), VERSION: JSON.stringify(version.digest("hex").slice(0, 16)) },
});
