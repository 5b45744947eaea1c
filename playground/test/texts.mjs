// Texts of 1,000 lines, for every kind of file.

function repeated(count, text) {
  return Array.from({ length: count }, (_, index) => text.replaceAll("#", index)).join("");
}

export function longTexts() {
  const frontMatter = '---\nsignature: "(user :string, topic :string) -> {answer :string}"\n---\n';
  return {
    yaml: repeated(334, '- name: tool_#\n  description: Finds.\n  signature: "(a :int) -> :int"\n'),
    json: `[\n${repeated(333, '  {"name": "tool_#",\n   "description": "Finds.",\n   "signature": "(a :int) -> :int"},\n')}  {}\n]\n`,
    md: repeated(125, '# Part #\n\nSome words.\n\n```elixir\nSubAgent.run("Hi {{a}}",\n  signature: "(a :int) -> :int")\n```\n'),
    livemd: repeated(125, '# Part #\n\nSome words.\n\n```elixir\nSubAgent.run("Hi {{a}}",\n  signature: "(a :int) -> :int")\n```\n'),
    clj: repeated(250, '(defn run_#\n  {:signature "(a :int) -> :int"\n   :prompt "Hi {{a}}"}\n  [a] (inc a))\n'),
    sig: repeated(500, "find_#(query :string, limit :int?) -> [{id :int}]\n  Finds.\n"),
    ex: repeated(250, 'def run_# do\n  SubAgent.run("Hi {{a}}",\n    signature: "(a :int) -> :int")\nend\n'),
    prompt: frontMatter + repeated(997, "Hello {{user}}, about {{topic}}.\n"),
  };
}
