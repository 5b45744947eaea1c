//! Keys in values and beside signatures.

use super::*;

/// Wherever a signature is, as in front matter.
#[test]
fn keys_beside_a_signature_are_offered() {
    for (kind, text, expected) in [
        (HostKind::Yaml, "signature: ':int'\n$0\n", "tools: "),
        (HostKind::Yaml, "signature: ':int'\nto$0\n", "tools: "),
        (
            HostKind::Yaml,
            "agents:\n  a:\n    $0\n    signature: ':int'\n",
            "tools: ",
        ),
        (
            HostKind::Yaml,
            "agents:\n  - signature: ':int'\n    $0\n",
            "tools: ",
        ),
        (
            HostKind::Json,
            "{\"signature\": \":int\", \"$0\"}",
            "\"tools\": ",
        ),
        (
            HostKind::Json,
            "{\"a\": {\"$0\", \"signature\": \":int\"}}",
            "\"tools\": ",
        ),
        (HostKind::Json, "{signature: ':int', to$0}", "tools: "),
        (
            HostKind::Lisp,
            "{:signature \":int\" :prompt \"a\" $0}",
            ":tools ",
        ),
        (
            HostKind::Lisp,
            "{:signature \":int\" :prompt \"a\" :to$0}",
            ":tools ",
        ),
    ] {
        let (document, offset) = marked(kind, text);
        let found = completion(&document, &[], offset);
        let texts = found.iter().flat_map(|it| &it.items);
        let texts: Vec<_> = texts.map(|it| it.text.as_str()).collect();
        assert!(texts.contains(&expected), "{texts:?} in {text}");
        assert!(
            !texts.iter().any(|it| it.contains("signature")),
            "{texts:?}"
        );
    }
    for (kind, text) in [
        (
            HostKind::Yaml,
            "signature: ':int'\nprompt: a\nother:\n  $0\n",
        ),
        (HostKind::Json, "{\"signature\": \":int\", \"a\": \"$0\"}"),
        (HostKind::Json, "{\"signature\": \":int\", \"a\": {\"$0\"}}"),
    ] {
        let (document, offset) = marked(kind, text);
        assert_eq!(completion(&document, &[], offset), None, "{text}");
    }
}

#[test]
fn keys_in_items_of_a_block_are_those_of_their_item() {
    const AGENT: &str = "signature: '(q :string, n :int) -> {rows [{id :int, t :string}]}'\nprompt: '{{q}} {{n}}'\n";
    for (values, expected) in [
        (
            "examples:\n  - input: {q: x, n: 1}\n    $0\n",
            &["output"][..],
        ),
        ("examples:\n  - input: {q: x, n: 1}\n    o$0\n", &["output"]),
        ("examples:\n  - i$0\n    output: {rows: []}\n", &["input"]),
        ("examples:\n  - input:\n      q: x\n      $0\n", &["n"]),
        ("examples:\n  - q: x\n    $0\n", &["n"]),
        ("examples:\n  - q: x\n    n: 1\n  - $0\n", &["q", "n"]),
        (
            "output:\n  rows:\n    - id: 1\n      t: x\n    - id: 2\n      $0\n",
            &["t"],
        ),
    ] {
        let (document, offset) = marked(HostKind::Yaml, &format!("{AGENT}{values}"));
        let found = completion(&document, &[], offset);
        let labels = found.iter().flat_map(|it| &it.items);
        let labels: Vec<_> = labels.map(|it| it.label.as_str()).collect();
        assert_eq!(labels, expected, "{values}");
    }
}

/// A lost quote makes keys of what is between strings.
#[test]
fn nothing_is_replaced_over_several_lines() {
    for (kind, text) in [
        (
            HostKind::Lisp,
            "{\"x\n$0y\" 1 :signature \"(a :int) -> :int\"}\n",
        ),
        (
            HostKind::Json,
            "{\"signature\": \"(a :int) -> :int\", \"na\n$0me\": \"x\"}\n",
        ),
        (
            HostKind::Lisp,
            "{:signature \"(a :int) -> :int\" :input {\"a\n$0b\" 1}}\n",
        ),
        (
            HostKind::Elixir,
            "SubAgent.run(\"{{a}}\", signature: \"(a :int) -> :int\", context: %{\"b\n$0c\" => 1})\n",
        ),
    ] {
        let (document, offset) = marked(kind, text);
        let found = completion(&document, &[], offset);
        let line = document.text().line_range(offset);
        assert!(
            found.is_none_or(|it| line.contains_range(it.replaced)),
            "{text}"
        );
    }
}
