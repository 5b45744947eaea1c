// Share links: `#code=…`, deflated JSON in base64url, or, for links written by hand, `#text=…&kind=yaml&edition=0.11`.
// Browsers never send the fragment of an address to a server.

export interface Shared {
  kind: string;
  text: string;
  edition?: string;
  inputs?: string;
  view?: string;
}

/** Why a link cannot be opened: a sentence for the person who opened it. */
export class BadLink extends Error {}

/** Longer texts are not checked: the page would become slow. */
export const LONGEST_CHECKED = 500_000;

/** Links to longer texts are too long for some programs. */
export const LONGEST_TEXT = 100_000;

export async function link(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const address = new URL(location.href);
  address.hash = `code=${base64url(packed)}`;
  return address.href;
}

/** The content of the fragment of an address; nothing if it has no text. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const code = parameters.get("code");
  if (code !== null) return unpacked(code);
  const text = parameters.get("text");
  if (text === null) {
    if (fragment.replace(/^#/, "") === "") return null;
    throw new BadLink("This link holds no text. Ask for a new one.");
  }
  return checked({
    text,
    kind: parameters.get("kind") ?? "yaml",
    edition: parameters.get("edition") ?? undefined,
    view: parameters.get("view") ?? undefined,
  });
}

async function unpacked(code: string): Promise<Shared> {
  try {
    const bytes = await through(fromBase64url(code), new DecompressionStream("deflate-raw"));
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    throw new BadLink("This link is damaged or incomplete. Copy the whole link again.");
  }
}

function checked(value: unknown): Shared {
  const shared = value as Shared | null;
  const isText = (it: unknown) => typeof it === "string";
  const isOptional = (it: unknown) => it === undefined || isText(it);
  const isShared =
    isText(shared?.kind) &&
    isText(shared?.text) &&
    isOptional(shared?.edition) &&
    isOptional(shared?.inputs) &&
    isOptional(shared?.view);
  if (!shared || !isShared) throw new BadLink("This link holds no text.");
  return shared;
}

/** Longer results are rejected: a short link can hold gigabytes of the same letter. */
const LONGEST_RESULT = 4_000_000;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value as Uint8Array<ArrayBuffer>);
    length += value.length;
    if (length > LONGEST_RESULT) throw new Error("too long");
  }
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
