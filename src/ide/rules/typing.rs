//! While something is being typed: few findings, and none elsewhere.

mod documents;

use crate::{
    host::HostKind,
    ide::{Document, Settings},
};

/// What is typed, with what precedes and after it. As it is, nothing is found in any of them.
struct Typed {
    kind: HostKind,
    before: &'static str,
    typed: &'static str,
    after: &'static str,
}

const TYPED: &[Typed] = &[
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  def one do\n    SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n  end\n\n",
        typed: "  def two(llm) do\n    SubAgent.run(\n      \"Find {{topic}} in {{#items}}{{id}} {{/items}}\",\n      \
                signature: \"(topic :string, items [{id :int}]) -> {n :int}\",\n      context: %{topic: \"a\", items: [%{id: 1}]},\n      \
                tools: %{\"search\" => {&Search.run/1, \"(q :string, limit :int?) -> [:map]\"}},\n      llm: llm\n    )\n  end\n",
        after: "\n  @doc \"Three.\"\n  def three do\n    SubAgent.new(prompt: \"Hi {{name}}\", signature: \"(name :string) -> :int\")\n  end\nend\n",
    },
    Typed {
        kind: HostKind::Lisp,
        before: "(def one {:signature \"(topic :string) -> :int\" :prompt \"About {{topic}}\"})\n\n",
        typed: "(def two\n  {:signature \"(topic :string, items [{id :int}]) -> {n :int}\"\n   :prompt \"Find {{topic}} {{#items}}{{id}}{{/items}}\"\n   \
                :tools {\"search\" \"(q :string, limit :int?) -> [:map]\"}})\n\n(defn run {:signature \"(a :int) -> :any\"} [a]\n  \
                (tool/search {:q \"x\" :limit 10}))\n",
        after: "\n(defn three {:signature \"(a :int, b :int) -> :int\"} [a b]\n  (+ a b))\n",
    },
    Typed {
        kind: HostKind::Json,
        before: "{\n  \"one\": {\"signature\": \"(topic :string) -> :int\", \"prompt\": \"About {{topic}}\"},\n",
        typed: "  \"two\": {\n    \"signature\": \"(topic :string, items [{id :int}]) -> {n :int}\",\n    \
                \"prompt\": \"Find {{topic}} {{#items}}{{id}}{{/items}}\",\n    \"input\": {\"topic\": \"a\", \"items\": [{\"id\": 1}]}\n  },\n",
        after: "  \"three\": {\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n}\n",
    },
    Typed {
        kind: HostKind::Yaml,
        before: "one:\n  signature: \"(topic :string) -> :int\"\n  prompt: \"About {{topic}}\"\n",
        typed: "two:\n  signature: (topic :string, items [{id :int}]) -> {n :int}\n  prompt: |\n    Find {{topic}}\n    {{#items}}{{id}}{{/items}}\n  \
                input: {topic: \"a\", items: [{id: 1}]}\n",
        after: "three:\n  signature: \"(name :string) -> :int\"\n  prompt: \"Hi {{name}}\"\n",
    },
    Typed {
        kind: HostKind::Markdown,
        before: "# A\n\n```signature\n(a :int) -> :int\n```\n\n",
        typed: "```elixir\nSubAgent.run(\"Find {{topic}} {{#items}}{{id}}{{/items}}\",\n  \
                signature: \"(topic :string, items [{id :int}]) -> {n :int}\",\n  output: :ptc_lisp\n)\n```\n\n\
                ```signature\n(topic :string, items [{id :int}]) -> {n :int}\n```\n",
        after: "\n# B\n\n```json\n{\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n```\n",
    },
    Typed {
        kind: HostKind::Prompt,
        before: "",
        typed: "---\nname: find\nsignature: \"(topic :string, items [{id :int}]) -> {n :int}\"\ninput: {topic: \"a\", items: [{id: 1}]}\n---\n\
                Find {{topic}} in:\n{{#items}}\n- {{id}}\n{{/items}}\n",
        after: "",
    },
    Typed {
        kind: HostKind::Catalog,
        before: "# Tools\nget(id :int) -> :map\n  Gets.\n\n",
        typed: "search(query :string, items [{id :int}]) -> [{id :int, title :string}]\n  Finds items.\n",
        after: "\nlast() -> :any\n  Last.\n",
    },
];

fn all() -> impl Iterator<Item = &'static Typed> {
    TYPED.iter().chain(documents::DOCUMENTS)
}

/// What an editor writes after the text that is being typed, where it closes brackets and quotes.
fn closers(text: &str) -> String {
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '"' if open.last() == Some(&'"') => drop(open.pop()),
            '"' => open.push('"'),
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            c if open.last() == Some(&c) => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}

#[test]
fn every_prefix_has_two_findings_at_most_and_none_elsewhere() {
    let mut wrong = Vec::new();
    for it in all() {
        let ends = it.typed.char_indices().map(|(at, _)| at);
        for end in ends.chain([it.typed.len()]) {
            let prefix = &it.typed[..end];
            for close in [String::new(), closers(prefix)] {
                let typed = format!("{}{prefix}{close}", it.before);
                let line_end = if typed.ends_with('\n') { "" } else { "\n" };
                for text in [typed.clone(), format!("{typed}{line_end}{}", it.after)] {
                    let found = Document::new(it.kind, &text, Settings::default()).diagnostics();
                    let is_elsewhere = found.iter().any(|found| {
                        let start = usize::from(found.range.start());
                        start < it.before.len() || typed.len() < start
                    });
                    if found.len() > 2 || is_elsewhere {
                        let found: Vec<_> =
                            found.iter().map(|it| (it.rule.code, it.range)).collect();
                        wrong.push(format!("{:?} {prefix:?} + {close:?}: {found:?}", it.kind));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} texts\n{}",
        wrong.len(),
        wrong
            .iter()
            .take(20)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
}

#[test]
fn whole_examples_have_no_findings() {
    for it in all() {
        let text = format!("{}{}{}", it.before, it.typed, it.after);
        let found = Document::new(it.kind, &text, Settings::default()).diagnostics();
        assert_eq!(found, [], "{text}");
    }
}
