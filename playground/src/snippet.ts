// Converts snippets of the protocol (`${1:name}`, `$0`) to those of the editor component.

export function fromProtocol(snippet: string): string {
  let written = "";
  for (let index = 0; index < snippet.length; ) {
    const rest = snippet.slice(index);
    const stop = /^\$(?:(\d+)|\{(\d+)(?::((?:[^}\\]|\\.)*))?\})/.exec(rest);
    if (stop) {
      const [whole, plain, braced, name] = stop;
      const number = plain ?? braced ?? "0";
      const label = name === undefined ? "" : `:${escaped(unescaped(name))}`;
      written += number === "0" ? "${}" : `\${${number}${label}}`;
      index += whole.length;
      continue;
    }
    const isEscape = rest.startsWith("\\") && rest.length > 1;
    written += escaped(isEscape ? rest[1]! : rest[0]!);
    index += isEscape ? 2 : 1;
  }
  return written;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** Only `#{`, `${` and escaped braces have a meaning in the editor component. */
function escaped(text: string): string {
  return text.replace(/[{}]/g, "\\$&");
}
