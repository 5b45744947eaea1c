// Orders the functions of a WebAssembly module by their code, so that similar ones are neighbors, which compresses
// better. The order is written as names, by which `wasm-opt --reorder-functions-by-name` then moves the functions.
//
// The binary format: https://webassembly.github.io/spec/core/binary/modules.html

const HEADER_BYTES = 8;
const SECTION = { custom: 0, import: 2, code: 10 };
const FUNCTION_NAMES = 1;

/** The bytes of `module` with names of its functions that sort like their code. */
export function nameByCode(module) {
  const sections = sectionsOf(module);
  const content = (id) => sections.find((it) => it.id === id)?.content;
  const first = importedFunctions(content(SECTION.import));
  const bodies = vectorOf(content(SECTION.code));
  const codes = bodies.map(withoutLocals);
  const order = bodies.map((_, index) => index).sort((a, b) => Buffer.compare(codes[a], codes[b]));
  const names = [];
  order.forEach((index, place) => (names[index] = String(place).padStart(8, "0")));
  const entries = names.map((name, index) => Buffer.concat([number(first + index), text(name)]));
  const kept = sections.filter((it) => it.id !== SECTION.custom).map((it) => section(it.id, it.content));
  const nameSection = Buffer.concat([text("name"), section(FUNCTION_NAMES, Buffer.concat([number(names.length), ...entries]))]);
  return Buffer.concat([module.subarray(0, HEADER_BYTES), ...kept, section(SECTION.custom, nameSection)]);
}

function sectionsOf(module) {
  const sections = [];
  for (let at = HEADER_BYTES; at < module.length; ) {
    const [length, start] = readNumber(module, at + 1);
    sections.push({ id: module[at], content: module.subarray(start, start + length) });
    at = start + length;
  }
  return sections;
}

/** The number of imported functions; a module that imports something else is not supported. */
function importedFunctions(imports) {
  if (imports === undefined) return 0;
  const FUNCTION = 0;
  let [count, at] = readNumber(imports, 0);
  for (let left = count; left > 0; left--) {
    for (let names = 0; names < 2; names++) {
      const [length, start] = readNumber(imports, at);
      at = start + length;
    }
    if (imports[at] !== FUNCTION) throw new Error("the module imports something that is no function");
    [, at] = readNumber(imports, at + 1);
  }
  return count;
}

/** The items of a vector of byte strings. */
function vectorOf(content) {
  const items = [];
  let [count, at] = readNumber(content, 0);
  while (count-- > 0) {
    const [length, start] = readNumber(content, at);
    items.push(content.subarray(start, start + length));
    at = start + length;
  }
  return items;
}

/** The code of a function after the declarations of its locals, and then these. */
function withoutLocals(body) {
  let [groups, at] = readNumber(body, 0);
  const TYPE_BYTES = 1;
  while (groups-- > 0) at = readNumber(body, at)[1] + TYPE_BYTES;
  return Buffer.concat([body.subarray(at), body.subarray(0, at)]);
}

function section(id, content) {
  return Buffer.concat([Buffer.from([id]), number(content.length), content]);
}

function text(value) {
  return Buffer.concat([number(value.length), Buffer.from(value)]);
}

/** An unsigned number in LEB128, and the place after it. */
function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function number(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}
