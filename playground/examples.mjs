// The examples of the manual: its code blocks under their headings.

/** The kinds of file by the languages of code blocks; a signature alone is put into a Markdown file. */
const KINDS = { elixir: "ex", clojure: "clj", prompt: "prompt", sig: "sig", yaml: "yaml", json: "json", markdown: "md" };

export function examplesOf(page) {
  const examples = [];
  let heading = "";
  let block;
  for (const line of page.split("\n")) {
    if (block) {
      if (line.startsWith("```")) {
        examples.push(...example(block));
        block = undefined;
      } else {
        block.lines.push(line);
      }
    } else if (line.startsWith("```")) {
      const [language, rule] = line.slice(3).trim().split(" ");
      block = { heading, language, rule, lines: [] };
    } else if (/^#+ /.test(line)) {
      heading = line.replace(/^#+ /, "");
    }
  }
  // The examples with the most features come first.
  const weight = ({ kind, rule }) => (rule ? 2 : 0) + (kind === "md" ? 1 : 0);
  return examples.sort((a, b) => weight(a) - weight(b)).map(({ rule, ...it }) => it);
}

function example({ heading, language, rule, lines }) {
  const what = rule ? `${heading}: ${rule}` : heading;
  const text = `${lines.join("\n")}\n`;
  if (language === "signature") {
    return [{ title: `${what} (signature)`, kind: "md", text: `\`\`\`signature\n${text}\`\`\`\n`, rule }];
  }
  const kind = KINDS[language];
  return kind ? [{ title: `${what} (${language})`, kind, text, rule }] : [];
}
