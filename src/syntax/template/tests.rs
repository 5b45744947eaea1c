use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::{syntax::error::errors, syntax::fragment::ForeignKind, text::size};

/// The errors, each with the text at fault.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let foreign = holes(text);
    let fragment = Fragment {
        text,
        escapes: Escapes::Backslash,
        foreign: &foreign,
    };
    let root = SyntaxNode::new_root(parse(fragment));
    assert_eq!(root.text(), text);
    let found: Vec<_> = errors(&root)
        .iter()
        .map(|it| format!("{:?} `{}`", it.kind, &text[it.range]))
        .collect();
    expected.assert_eq(&found.join(" + "));
}

/// What an interpolating host would mark in `text`.
fn holes(text: &str) -> Vec<Foreign> {
    let mut holes = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("#{").map(|it| at + it) {
        let Some(len) = text[start..].find('}') else {
            break;
        };
        at = start + len + 1;
        holes.push(Foreign {
            range: TextRange::new(size(start), size(at)),
            kind: ForeignKind::Hole,
        });
    }
    holes
}

#[test]
fn one_mistake_makes_one_error() {
    let cases: &[(&str, Expect)] = &[
        ("plain { text } with {single} braces }}", expect![[""]]),
        (
            "{{name}} {{ user.name }} {{user-name}} {{.}} {{! a {{ comment }}",
            expect![[""]],
        ),
        (
            "{{#items}}{{name}}{{^empty}}none{{/empty}}{{/items}}",
            expect![[""]],
        ),
        (
            "{{}} {{ }} {{#}}",
            expect![
                "EmptyPlaceholder `{{}}` + EmptyPlaceholder `{{ }}` + EmptySectionName `{{#}}`"
            ],
        ),
        (
            "{{123}} {{a..b}} {{a.}} {{user .name}} {{é}} {{>part}} {{{raw}}}",
            expect![
                "InvalidPlaceholder `123` + InvalidPlaceholder `a..b` + InvalidPlaceholder `a.` + InvalidPlaceholder `user .name` + InvalidPlaceholder `é` + InvalidPlaceholder `>part` + InvalidPlaceholder `{raw`"
            ],
        ),
        (
            "Find {{name about {{topic}}",
            expect!["UnclosedTag `{{name about`"],
        ),
        (
            "Find {{name\nabout {{topic}}",
            expect!["UnclosedTag `{{name`"],
        ),
        ("Find {{name\n", expect!["UnclosedTag `{{name`"]),
        (
            "Find {{name} and {\"a\": {\"b\": 1}}",
            expect!["UnclosedTag `{{name}`"],
        ),
        ("{{ name\n}} {{\\n  name\\n}}", expect![[""]]),
        (
            "{{#items}}{{name}}",
            expect!["UnclosedSection `{{#items}}`"],
        ),
        (
            "{{name}}{{/items}}",
            expect!["StraySectionClose `{{/items}}`"],
        ),
        (
            "{{#items}}{{name}}{{/item}}",
            expect!["MismatchedSectionClose `{{/item}}`"],
        ),
        ("{{#a}}{{#b}}{{/a}}", expect!["UnclosedSection `{{#b}}`"]),
        ("{{#a}}{{/b}}{{/a}}", expect!["StraySectionClose `{{/b}}`"]),
        (
            "{{#a}}{{#b}}{{/c}}{{/a}}",
            expect!["MismatchedSectionClose `{{/c}}`"],
        ),
        ("#{greeting} {{#{name}}} {{#items}}#{rest}", expect![[""]]),
    ];
    for (text, expected) in cases {
        check(text, expected);
    }
}

/// Where the reference finds no fault and all names are names, they are ours too.
#[test]
fn names_agree_with_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/templates.jsonl");
    let vectors = std::fs::read_to_string(path).unwrap();
    let mut compared = 0;
    for line in vectors.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(expected) = vector["names"].as_array() else {
            continue;
        };
        let expected: Vec<&str> = expected.iter().filter_map(|it| it.as_str()).collect();
        let is_name = |name: &&str| {
            name.split('.').all(|part| {
                part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && part
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            })
        };
        if !expected.iter().all(is_name) {
            continue;
        }
        let text = vector["template"].as_str().unwrap();
        assert_eq!(names::names(text), expected, "{text:?}");
        compared += 1;
    }
    assert!(compared > 200, "only {compared} compared");
}

#[test]
fn nesting_is_bounded() {
    for depth in [300, 50_000] {
        let text = format!("{}x{}", "{{#a}}".repeat(depth), "{{/a}}".repeat(depth));
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        assert_eq!(root.text(), text.as_str());
        assert_eq!(errors(&root).is_empty(), depth == 300);
    }
    let text = "{{#a}}".repeat(50_000);
    assert_eq!(
        SyntaxNode::new_root(parse(Fragment::plain(&text))).text(),
        text.as_str()
    );
}

fn piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "{", "}", "{{", "}}", "{{name}}", "{{#a}}", "{{^b}}", "{{/a}}", "{{/b}}", "{{! x }}",
        "{{.}}", " ", "\n", "a", "name", ".", "#", "/", "!", "text\n", "é", "\\n", "#{x}",
        "{{a.b}}", "\r\n", "😀",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The tree after an edit, and so its errors, are those of a full parse.
    #[test]
    fn reparse_equals_parse(
        pieces in proptest::collection::vec(piece(), 0..30),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_usize, piece()), 1..6),
    ) {
        let mut text = pieces.concat();
        let mut green = parse(Fragment { text: &text, escapes: Escapes::Backslash, foreign: &holes(&text) });
        for (at, len, insert) in edits {
            let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = at.index(boundaries.len());
            let end = (start + len).min(boundaries.len() - 1);
            let change = TextEdit::replace(TextRange::new(size(boundaries[start]), size(boundaries[end])), insert);
            let before = text.clone();
            change.apply(&mut text);
            let foreign = holes(&text);
            let fragment = Fragment { text: &text, escapes: Escapes::Backslash, foreign: &foreign };
            green = edit(&green, &change, fragment);
            prop_assert_eq!(&green, &parse(fragment), "{:?} became {:?}", before, text);
        }
    }
}

/// An edit in a line of a long template parses that line and its neighbours.
#[test]
fn reparse_is_local() {
    let before = "line of text\n".repeat(1000)
        + "{{#items}}\nhello {{name}}\n{{/items}}\n"
        + &"more\n".repeat(1000);
    let green = parse(Fragment::plain(&before));
    let grammar = TemplateGrammar {
        escapes: Escapes::None,
        foreign: &[],
    };
    for needle in ["name", "hello", "ne of text"] {
        let change = TextEdit::insert(size(before.find(needle).unwrap()), "x");
        let reparsed = reparse(&grammar, &green, &change).unwrap();
        assert!(
            reparsed.range.len() < TextSize::from(80),
            "{needle}: {:?}",
            reparsed.range
        );
    }
}
