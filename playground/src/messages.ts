// The answers of the module; playground/module/src/request.rs defines the requests.

export interface Range {
  from: number;
  to: number;
}

export interface Change extends Range {
  insert: string;
}

export type Severity = "error" | "warning" | "hint";

export interface Finding extends Range {
  severity: Severity;
  code: string;
  message: string;
  /** Other places that the message refers to. */
  related?: (Range & { message: string })[];
  isUnnecessary: boolean;
}

export interface Token extends Range {
  kind: string;
  isDeclaration: boolean;
}

export interface Reference extends Range {
  isDefinition: boolean;
}

export interface Action {
  title: string;
  kind: "fix" | "refactoring" | "ignore";
  code?: string;
  changes: Change[];
}

export interface Completions extends Range {
  items: {
    label: string;
    kind: string;
    detail: string | null;
    documentation: string | null;
    text: string;
    snippet: string | null;
  }[];
}

export interface SignatureHelp {
  label: string;
  parameters: Range[];
  active: number | null;
}

export interface TreeNode extends Range {
  kind: string;
  isError: boolean;
  text?: string;
  children: TreeNode[];
}

export interface OutlineEntry {
  name: string;
  kind: string;
  detail: string;
  range: Range;
  selection: Range;
  children: OutlineEntry[];
}

/** The answers by the name of the request. */
export interface Answers {
  about: { version: string; kinds: string[][]; editions: string[]; defaultEdition: string };
  open: Finding[];
  edit: Finding[];
  diagnostics: Finding[];
  tokens: Token[];
  hover: (Range & { markdown: string }) | null;
  completion: Completions | null;
  signatureHelp: SignatureHelp | null;
  actions: Action[];
  definition: Range[];
  typeDefinition: Range[];
  selection: Range[];
  references: Reference[];
  prepareRename: (Range & { name: string }) | null;
  rename: Change[] | null;
  format: Change[];
  fixAll: Change[];
  symbols: OutlineEntry[];
  folding: Range[];
  inlayHints: { at: number; label: string }[];
  tree: { literals: TreeNode[]; isWhole: boolean };
  types: {
    name: string | null;
    signature: string;
    fields: OutlineEntry[];
    declarations: { language: string; text: string }[];
  } | null;
  schema: { name: string | null; description: string | null; input: unknown; output: unknown } | null;
  preview: {
    name: string | null;
    samples: number;
    parts: { title: string; text: string; problems: string[]; characters: number }[];
  } | null;
  checkInputs: (Range & { severity: Severity; message: string })[];
}

export type RequestName = keyof Answers;

/** A message to a worker. */
export interface Question {
  id: number;
  request: Record<string, unknown>;
}

/** A message from a worker: an answer, a reason why there is none, or why the module ended. */
export type Reply =
  | { id: number; ok: unknown }
  | { id: number; error: string }
  | { id: number; crash: string };
