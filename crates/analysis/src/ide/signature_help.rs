//! The signature of the called tool or agent, and the argument at the cursor.

use foldhash::HashSet;

use crate::{
    ide::{
        Document,
        completion::{is_name_part, program_before},
        hover,
        scan::{Keys, Scan, keys_in_turn, scan},
    },
    model::{Edition, Signature},
};
use signature_ls_source::{
    host::Notation,
    text::{Text, TextRange, TextSize, size},
    value::{Entry, Value, ValueKind},
};

/// Signature help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The signature as a model sees it, on one line.
    pub label: String,
    /// The places of its parameters in the label, in bytes.
    pub parameters: Vec<TextRange>,
    /// The parameter of the argument at the cursor.
    pub active: Option<usize>,
    /// The description of the tool.
    pub description: Option<String>,
}

/// What may follow a value or a key in YAML that is being written.
const END: [char; 3] = [' ', '\t', ':'];

/// The signature of the call around `offset`; `None` outside of tool calls and of the `context:` of an agent.
pub fn signature_help(document: &Document, offset: TextSize) -> Option<SignatureHelp> {
    // The colon after a last key without a value does not belong to its unit.
    let line = document.text().line_range(offset);
    let before = document.text().slice(TextRange::new(line.start(), offset));
    let written = line.start() + TextSize::of(before.trim_end_matches(END));
    let mut units = document.innermost_at(written);
    units.find_map(|(placed, analysis)| {
        let edition = document.edition();
        if let Some(program) = program_before(placed, document.text(), offset) {
            let scan = scan(&program, Notation::Lisp)?;
            let (name, keys) = call(&scan, edition)?;
            let tools = document.tools_of(placed);
            let signature = tools.signature(&name)?;
            let word = word_at(document, offset, &scan.word);
            let mut help = help(&name, signature, &keys, &word, edition);
            let head = format!("({}/{name}", edition.tool_namespace());
            help.description = last_word(document.text(), offset, &head)
                .and_then(|at| hover::tool_description(document, at, &name));
            return Some(help);
        }
        let argument = placed.unit.argument("context")?;
        let context = argument.value + placed.start;
        let text = document.text();
        let notation = placed.unit.notation;
        let is_in_context = match notation {
            Notation::Yaml => is_in(text, context, offset),
            _ => context.contains_inclusive(offset),
        };
        if !is_in_context {
            return None;
        }
        let signature = analysis.signature(&placed.unit)?;
        if notation == Notation::Yaml {
            let value = argument.read()?.moved_by(placed.start);
            let keys = keys_of(&value, text, offset)?;
            return Some(help("", signature, &keys, "", edition));
        }
        let before = TextRange::new(context.start(), offset);
        let scan = scan(&text.slice(before), notation)?;
        let keys = scan.open.get(1)?.keys(notation);
        let word = word_at(document, offset, &scan.word);
        Some(help("", signature, &keys, &word, edition))
    })
}

/// The innermost tool call in the open lists, and the keys of its arguments.
fn call(scan: &Scan, edition: Edition) -> Option<(String, Keys)> {
    let at = scan.open.iter().rposition(|open| {
        let head = open.items.first().map(String::as_str);
        open.bracket == '(' && head.is_some_and(|it| name_of(it, edition).is_some() || it == "call")
    })?;
    let items: Vec<_> = scan.open[at].items.iter().map(String::as_str).collect();
    let (name, own) = match items.as_slice() {
        ["call", name, own @ ..] => (name.trim_matches('"').to_owned(), own),
        [head, own @ ..] => (name_of(head, edition)?.to_owned(), own),
        [] => return None,
    };
    let keys = match scan.open.get(at + 1) {
        Some(open) if open.bracket == '{' && own.is_empty() => open.keys(Notation::Lisp),
        _ => keys_in_turn(own.to_vec()),
    };
    Some((name, keys))
}

/// The keys of a map in YAML, which can be read while it is written.
fn keys_of(map: &Value, text: &Text, offset: TextSize) -> Option<Keys> {
    let ValueKind::Map(entries) = &map.kind else {
        return None;
    };
    let is_here = |it: &&Entry| is_in(text, it.key.range.cover(it.value.range), offset);
    let here = entries.iter().rfind(is_here);
    Some(Keys {
        given: entries
            .iter()
            .filter_map(|it| it.key.name.clone().map(Into::into))
            .collect(),
        of_value: here.and_then(|it| it.key.name.clone().map(Into::into)),
    })
}

/// Whether a value is written at `offset`: in `range`, or after it and nothing but blanks and a colon.
fn is_in(text: &Text, range: TextRange, offset: TextSize) -> bool {
    if offset <= range.end() {
        return range.start() <= offset;
    }
    let between = || text.slice(TextRange::new(range.end(), offset));
    let is_blank = |it: &str| it.trim_start_matches(END).is_empty();
    text.line_range(offset).start() <= range.end() && is_blank(&between())
}

fn name_of(head: &str, edition: Edition) -> Option<&str> {
    let (namespace, name) = head.split_once('/')?;
    (namespace == edition.tool_namespace()).then_some(name)
}

/// The whole word around `offset`, whose first part is `before`.
fn word_at(document: &Document, offset: TextSize, before: &str) -> String {
    let line = document.text().line_range(offset);
    let rest = document.text().slice(TextRange::new(offset, line.end()));
    let end = rest.find(|c| !is_name_part(c));
    format!("{before}{}", &rest[..end.unwrap_or(rest.len())])
}

fn help(
    name: &str,
    signature: &Signature,
    keys: &Keys,
    word: &str,
    edition: Edition,
) -> SignatureHelp {
    let signature = signature.visible(edition);
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = TextSize::of(label.as_str());
        label.push_str(&param.to_string());
        parameters.push(TextRange::new(start, TextSize::of(label.as_str())));
    }
    label.push_str(&format!(") -> {}", signature.output));
    let normal = |name: &str| edition.normal_name(name.trim_matches([':', '"']));
    let position = |name: &str| {
        let (mut params, name) = (signature.params.iter(), normal(name));
        params.position(|it| normal(&it.name) == name)
    };
    let next = || {
        let given: HashSet<_> = keys.given.iter().map(|it| normal(it)).collect();
        let mut params = signature.params.iter();
        params.position(|it| !given.contains(&normal(&it.name)))
    };
    let active = match &keys.of_value {
        Some(key) => position(key),
        None => position(word).or_else(next),
    };
    SignatureHelp {
        label,
        parameters,
        active,
        description: None,
    }
}

/// The greatest distance from the head of a call, in bytes.
const LONGEST_CALL: TextSize = TextSize::new(4096);

/// Where the last `word` before `offset` ends.
fn last_word(text: &Text, offset: TextSize, word: &str) -> Option<TextSize> {
    let start = offset.checked_sub(LONGEST_CALL).unwrap_or_default();
    let start = text.line_range(start).start();
    let before = text.slice(TextRange::new(start, offset));
    let mut ends = before.rmatch_indices(word).map(|(at, it)| at + it.len());
    let end = ends.find(|end| !before[*end..].starts_with(is_name_part))?;
    Some(start + size(end))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::marked;
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, fixture: &str, expected: &Expect) {
        let (document, offset) = marked(kind, fixture);
        let shown = match signature_help(&document, offset) {
            Some(help) => {
                let active = help.active.map(|it| &help.label[help.parameters[it]]);
                format!("{} | {}", help.label, active.unwrap_or("-"))
            }
            None => "nothing".to_owned(),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn the_argument_at_the_cursor_is_active() {
        const HEAD: &str = "{:tools {\"find\" \"(user_id :int, q :string?) -> [:map]\"}}\n";
        for (call, expected) in [
            (
                "(tool/find {$0",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | user_id :int"#]],
            ),
            (
                "(tool/find {:user-id $0})",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | user_id :int"#]],
            ),
            (
                "(tool/find {:user-id 1$0})",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | user_id :int"#]],
            ),
            (
                "(tool/find {:user-id 1 :$0q 2})",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | q :string?"#]],
            ),
            (
                "(tool/find {:user-id 1 $0})",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | q :string?"#]],
            ),
            (
                "(tool/find :q (str $0))",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | q :string?"#]],
            ),
            (
                "(tool/find {:user-id 1 :q 2 $0})",
                expect![[r#"find(user_id :int, q :string?) -> [:map] | -"#]],
            ),
            ("(other $0)", expect!["nothing"]),
        ] {
            check(HostKind::Lisp, &format!("{HEAD}{call}\n"), &expected);
        }
    }

    #[test]
    fn the_description_of_the_tool_is_shown() {
        for (kind, text) in [
            (
                HostKind::Elixir,
                "Lisp.run(\"(tool/find {$0})\", tools: %{\"find\" => {&A.f/1, signature: \"(q :string) -> :int\", description: \"Finds.\"}})\n",
            ),
            (
                HostKind::Elixir,
                "defmodule A do\n  @doc \"Finds.\"\n  @spec f(String.t()) :: map()\n  def f(q), do: q\n  def run, do: Lisp.run(\"(tool/find {$0})\", tools: %{\"find\" => &A.f/1})\nend\n",
            ),
            (
                HostKind::Elixir,
                "Lisp.run(\"(tool/find {:q (tool/find_all {}) $0})\", tools: %{\"find\" => {&A.f/1, signature: \"(q :string, n :int) -> :int\", description: \"Finds.\"}, \"find_all\" => {&A.g/1, signature: \"() -> :int\", description: \"All.\"}})\n",
            ),
        ] {
            let (document, offset) = marked(kind, text);
            let help = signature_help(&document, offset).expect(text);
            assert_eq!(help.description.as_deref(), Some("Finds."), "{text}");
        }
    }

    #[test]
    fn escapes_around_a_program_do_not_hide_its_call() {
        check(
            HostKind::Elixir,
            r#"Lisp.run("(tool/find {:q \"x\" $0})", tools: %{"find" => {&A.f/1, "(q :string, n :int) -> :int"}})"#,
            &expect!["find(q :string, n :int) -> :int | n :int"],
        );
    }

    #[test]
    fn the_context_of_a_call_is_helped_with() {
        check(
            HostKind::Elixir,
            "SubAgent.run(\"{{a}}{{b}}\", signature: \"(a :int, b :int) -> :int\", context: %{b: $0})\n",
            &expect!["(a :int, b :int) -> :int | b :int"],
        );
        check(
            HostKind::Elixir,
            "SubAgent.run(\"{{a}}\", signature: \"(a :int) -> :int\", foo: $0)\n",
            &expect!["nothing"],
        );
    }

    #[test]
    fn the_context_in_yaml_is_helped_with() {
        let label = "(user {name :string}, n :int) -> :int";
        let user = "user {name :string}";
        for (context, active) in [
            ("  user: {name: x}\n  n: $01\n", "n :int"),
            ("  user: {name: x}\n  n: $0\n", "n :int"),
            ("  user: {na$0me: x}\n  n: 1\n", user),
            ("  user:\n    name: x$0\n  n: 1\n", user),
            ("  us$0er: {name: x}\n", user),
            (" {n: $01}\n", "n :int"),
            (" {n: 1, $0}\n", user),
            (" {user: {name: x}, n: 1$0}\n", "n :int"),
        ] {
            let yaml = format!("signature: \"{label}\"\ncontext:\n{context}");
            let yaml = yaml.replace("\n {", " {");
            let expected = format!("{label} | {active}");
            for (kind, text) in [
                (HostKind::Yaml, yaml.clone()),
                (
                    HostKind::Prompt,
                    format!("---\n{yaml}---\n{{{{n}}}}\n\n```clojure\n(return 1)\n```\n"),
                ),
            ] {
                let (document, offset) = marked(kind, &text);
                let help = signature_help(&document, offset).unwrap_or_else(|| panic!("{text}"));
                let active = help.active.map(|it| &help.label[help.parameters[it]]);
                assert_eq!(
                    format!("{} | {}", help.label, active.unwrap_or("-")),
                    expected,
                    "{text}"
                );
            }
        }
        for text in [
            "signature: \"(n :int) -> :int\"\ncontext: {n: 1}\nmodel: $0x\n",
            "a: {signature: \"(n :int) -> :int\", context: {n: 1}, model: $0x}\n",
        ] {
            check(HostKind::Yaml, text, &expect!["nothing"]);
        }
    }
}
