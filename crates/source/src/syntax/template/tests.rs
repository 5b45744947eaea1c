use expect_test::{Expect, expect};
use proptest::prelude::*;
use rowan::GreenNodeData;

use super::*;
use crate::{
    syntax::{decode::unescaped, error::errors, fragment::ForeignKind},
    text::size,
    work,
};

/// The errors, each with its text.
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

/// The interpolations in `text`, as a host with interpolations marks them.
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

/// If the reference finds no error and all names are valid, the names are the same.
#[test]
fn names_agree_with_the_reference() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/templates.jsonl"
    );
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

/// A list beside the tree is as long as the tree is until it is done.
#[test]
fn little_is_kept_beside_the_tree() {
    let largest = |node: &SyntaxNode| node.green().children().len();
    for unit in ["{{ ", "{{{", "{{a\n", "{{a}}", "{{/a}}", "{{#a}}{{/a}}"] {
        let text = unit.repeat(10_000);
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        let most = root.descendants().map(|it| largest(&it)).max();
        assert!(most < Some(1_000), "{most:?} in a row of {unit:?}");
    }
    assert!(size_of::<(Piece, TextSize)>() <= 8);
}

/// The nodes of thousands of closing tags without a section would take most of the memory.
#[test]
fn later_stray_tags_are_only_tokens() {
    let text = "{{/a}} ".repeat(3_000);
    let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
    assert_eq!(root.text(), text.as_str());
    assert_eq!(errors(&root).len(), 3_000);
    let tags = root.descendants();
    let tags = tags.filter(|it| it.kind() == SyntaxKind::SectionClose);
    assert!(tags.count() < 2_500);
}

fn piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "{",
        "}",
        "{{",
        "}}",
        "{{name}}",
        "{{#a}}",
        "{{^b}}",
        "{{/a}}",
        "{{/b}}",
        "{{! x }}",
        "{{.}}",
        " ",
        "\n",
        "a",
        "name",
        ".",
        "#",
        "/",
        "!",
        "text\n",
        "é",
        "\\n",
        "#{x}",
        "{{a.b}}",
        "\r\n",
        "😀",
        "\\",
        "\\u007b",
        "\\u{7D}",
        "\\x7b{",
        "7b",
        "\\u007d\\u007d",
    ])
}

/// The tree with runs replaced by their pieces: runs also depend on earlier edits.
fn without_runs(green: &GreenNodeData) -> GreenNode {
    fn add(green: &GreenNodeData, children: &mut Vec<GreenElement>) {
        for child in green.children() {
            match child {
                NodeOrToken::Node(node)
                    if FragmentLanguage::kind_from_raw(node.kind()).is_run() =>
                {
                    add(node, children);
                }
                NodeOrToken::Node(node) => children.push(without_runs(node).into()),
                NodeOrToken::Token(token) => children.push(token.to_owned().into()),
            }
        }
    }
    let mut children = Vec::new();
    add(green, &mut children);
    GreenNode::new(green.kind(), children)
}

/// Whether each run has the kind that fits its content.
fn are_runs_marked(green: &GreenNode) -> bool {
    let all = TextRange::up_to(green.text_len());
    builder::remark(green, all) == *green
}

type Change = (prop::sample::Index, usize, &'static str);

/// Applies `edits` one by one, and compares each tree with that of a full parse.
fn check_edits(text: &str, edits: &[Change]) -> Result<(), TestCaseError> {
    let mut text = text.to_owned();
    let mut green = parse(Fragment {
        text: &text,
        escapes: Escapes::Backslash,
        foreign: &holes(&text),
    });
    for &(at, len, insert) in edits {
        let boundaries: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let start = at.index(boundaries.len());
        let end = (start + len).min(boundaries.len() - 1);
        let range = TextRange::new(size(boundaries[start]), size(boundaries[end]));
        let change = TextEdit::replace(range, insert);
        let before = text.clone();
        change.apply(&mut text);
        let foreign = holes(&text);
        let fragment = Fragment {
            text: &text,
            escapes: Escapes::Backslash,
            foreign: &foreign,
        };
        green = edit(&green, &change, (Escapes::Backslash, &foreign))
            .unwrap_or_else(|| parse(fragment));
        let full = parse(fragment);
        prop_assert!(
            without_runs(&green) == without_runs(&full),
            "{:?} {:?} became {:?}\n{:#?}\n{:#?}",
            before,
            change,
            text,
            SyntaxNode::new_root(without_runs(&green)),
            SyntaxNode::new_root(without_runs(&full))
        );
        prop_assert!(are_runs_marked(&green), "{before:?} {change:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The tree after an edit, including its errors, equals that of a full parse.
    #[test]
    fn reparse_equals_parse(
        pieces in proptest::collection::vec(piece(), 0..30),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_usize, piece()), 1..6),
    ) {
        check_edits(&pieces.concat(), &edits)?;
    }
}

fn line() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "Find {{name}} and {{limit}}.\n",
        "text\n",
        "\n",
        "{{a}} {{b}} {{c}} ",
        "{{#a}}\n",
        "{{/a}}\n",
        "{{#a}}x{{/a}}\n",
        "{{#b}}y\n{{/b}}\n",
        "{{#c}}{{#a}}z\n{{/a}}{{/c}}",
        "{{! note }}\n",
        "{{ name\n}}\n",
        "{{! long\nnote }}\n",
        "{{! long\n\nnote }}\n",
        "plain words",
        " ",
    ])
}

/// Every notation of a brace is a brace: the tags of a text are those of its value.
#[test]
fn escaped_braces_are_braces() {
    let text = "{{a}} {b} {{#c}}{{.}}{{/c}} {{! d }} {{f";
    let expected = tags(text, Escapes::None);
    for (open, close) in [
        (r"\u007b", r"\u007d"),
        (r"\u007B", r"\u007D"),
        (r"\u{7b}", r"\u{7d}"),
        (r"\x7b", r"\x7d"),
        ("{", r"\u007d"),
        (r"\u007b", "}"),
    ] {
        let written = |text: &str| {
            let is_brace = |c| matches!(c, '{' | '}');
            let parts = text.split_inclusive(is_brace).map(|part| match part {
                _ if part.ends_with('{') => format!("{}{open}", &part[..part.len() - 1]),
                _ if part.ends_with('}') => format!("{}{close}", &part[..part.len() - 1]),
                _ => part.to_owned(),
            });
            parts.collect::<String>()
        };
        let raw = written(text);
        assert_eq!(tags(&raw, Escapes::Backslash), expected, "{raw}");
        let half =
            written("{{").replacen(open, "{", 1) + "g" + &written("}}").replacen(close, "}", 1);
        assert_eq!(tags(&half, Escapes::Backslash).len(), 3, "{half}");
    }
}

/// The tokens of the tags in `text`, decoded, with the white space of each place as one.
fn tags(text: &str, escapes: Escapes) -> Vec<(SyntaxKind, String)> {
    let root = SyntaxNode::new_root(parse(Fragment {
        escapes,
        ..Fragment::plain(text)
    }));
    assert_eq!(root.text(), text);
    let tokens = root.descendants_with_tokens();
    let tokens = tokens.filter_map(NodeOrToken::into_token);
    let tokens = tokens.filter(|it| it.kind() != SyntaxKind::TextLine);
    let tokens = tokens.map(|it| (it.kind(), unescaped(it.text()).into_owned()));
    tokens.collect()
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        "\u{b}",
        "\u{c}",
        "\u{85}",
        "\u{a0}",
        " \u{2003}",
        "\u{3000}\n",
    ])
}

/// A tag that the reference accepts, with blanks wherever it trims them.
fn spaced_tag() -> impl Strategy<Value = String> {
    let kinds = prop::sample::select(vec![
        "name",
        "a.b",
        "#a",
        "^a",
        "/a",
        ".",
        "! note\n\nor } more",
    ]);
    (kinds, blank(), blank(), blank()).prop_map(|(tag, first, second, third)| {
        let (sigil, rest) = tag.split_at(usize::from(tag.starts_with(['#', '^', '/', '!'])));
        format!("{{{{{first}{sigil}{second}{rest}{third}}}}}")
    })
}

/// `text` in a string of JSON, with some characters as code points.
fn in_json(text: &str, escaped: &[bool]) -> String {
    let mut escaped = escaped.iter().cycle();
    let written = text.chars().map(|c| match escaped.next() {
        Some(true) if c <= '\u{ffff}' => format!("\\u{:04x}", u32::from(c)),
        _ => {
            let quoted = serde_json::to_string(&c).expect("a character");
            quoted[1..quoted.len() - 1].to_owned()
        }
    });
    written.collect()
}

proptest! {
    /// Blanks in tags are those that the reference trims, however they are written.
    #[test]
    fn blanks_in_tags_are_white_space(
        parts in prop::collection::vec((spaced_tag(), prop::sample::select(vec!["text", " ", "\n"])), 1..5),
        escaped in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let text: String = parts.iter().map(|(tag, text)| format!("{tag}{text}")).collect();
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        let paths = root.descendants().filter(|it| it.kind() == SyntaxKind::Path);
        for path in paths {
            prop_assert!(["name", "a.b", "a", "."].contains(&&*path.text().to_string()), "{:?}", text);
        }
        let is_about_pairs = |it: ErrorKind| builder::is_unpaired(it);
        prop_assert!(errors(&root).iter().all(|it| is_about_pairs(it.kind)), "{:?}", text);
        let json = in_json(&text, &escaped);
        prop_assert_eq!(tags(&json, Escapes::Backslash), tags(&text, Escapes::None), "{:?}", json);
    }

    /// A comment extends to the next braces, over any lines. None makes an error, and what follows it is read.
    #[test]
    fn comments_extend_to_the_next_braces(
        lines in prop::collection::vec(prop::sample::select(vec!["a", "", "}", "{b}", "- c"]), 0..300),
    ) {
        let comment = format!("{{{{! {}\n}}}}", lines.join("\n"));
        let text = format!("Before {{{{a}}}}\n{comment} after {{{{b}}}}\n");
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        prop_assert!(errors(&root).is_empty());
        let found = root.descendants().find(|it| it.kind() == SyntaxKind::CommentTag);
        let found = found.expect("a comment").text().to_string();
        match lines.len() < split::MOST_COMMENT_LINES {
            true => prop_assert_eq!(found, comment),
            false => prop_assert!(!found.contains('\n')),
        }
        let tags = root.descendants().filter(|it| it.kind() == SyntaxKind::Placeholder);
        prop_assert_eq!(tags.count(), 2);
    }

    /// A tag that is not closed swallows nothing, and is reported unless it begins a very long comment.
    #[test]
    fn an_open_tag_ends_with_its_line(
        tag in prop::sample::select(vec!["{{! note", "{{name", "{{", "{{!", "{{\n"]),
        lines in prop::collection::vec(prop::sample::select(vec!["a b", "", "}", "c"]), 0..200),
        is_last: bool,
    ) {
        let rest = match is_last {
            true => "",
            false => "{{a}} and {{#b}}x{{/b}}\n",
        };
        let text = format!("{tag}\n{}\n{rest}", lines.join("\n"));
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        let found: Vec<_> = errors(&root).iter().map(|it| it.kind).collect();
        match tag.contains('!') && lines.len() > split::MOST_COMMENT_LINES {
            true => prop_assert!(found.is_empty()),
            false if lines.len() + 2 < split::MOST_COMMENT_LINES => {
                prop_assert_eq!(found, [ErrorKind::UnclosedTag]);
            }
            false => {}
        }
        let is_tag = |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::Placeholder | SyntaxKind::Section);
        let tags = root.descendants().filter(is_tag);
        prop_assert_eq!(tags.count(), if is_last { 0 } else { 2 });
    }
}

fn slip() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "{{", "}}", "{{#a}}", "{{/a}}", "{{/b}}", "{{^b}}", "x", "\n", "{", "", "{{name}}", "{{! ",
        "{{x\n\n",
    ])
}

/// An interpolation over several lines is one token of an unclosed tag, so an edit that shortens it reads all of it
/// again.
#[test]
fn an_interpolation_stays_whole() {
    let before = "\n{{#{{! xy\n{{/b}}\n{{name}}\n";
    let holes = holes(before);
    let tree = parse(Fragment {
        foreign: &holes,
        ..Fragment::plain(before)
    });
    let tokens = SyntaxNode::new_root(tree).descendants_with_tokens();
    let found = tokens.filter(|it| it.kind() == SyntaxKind::Hole).count();
    assert_eq!(found, holes.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The same for long templates, whose rows nest in runs.
    #[test]
    fn long_reparse_equals_parse(
        lines in proptest::collection::vec(line(), 0..200),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_usize, slip()), 1..8),
    ) {
        check_edits(&lines.concat(), &edits)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// The same where so many tags close nothing that some of them are only tokens.
    #[test]
    fn stray_tags_reparse_as_they_parse(
        lines in proptest::collection::vec(line(), 0..20),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_usize, slip()), 1..8),
    ) {
        let strays = "{{/d}} ".repeat(2_100);
        check_edits(&format!("{}\n{strays}\n{}", lines.concat(), lines.concat()), &edits)?;
    }
}

/// Lines most of which have no tag, so that a comment that is not closed may be long.
fn plain_line() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "text\n",
        "a\nb\n\n",
        "\n\n",
        "{ }\n",
        "c\n".repeat(60).leak(),
        "\\n\n",
        "#{x} \n",
    ])
}

fn comment_slip() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "{{! ",
        "{{!",
        "}}",
        "}",
        "{{",
        "{{name}}",
        "\n",
        "",
        "x",
        "{{ ",
        "!",
        "{{#a}}",
        "{{/a}}",
        "y\n".repeat(70).leak(),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The same where comments are long, closed or not.
    #[test]
    fn long_comments_reparse_as_they_parse(
        lines in proptest::collection::vec(plain_line(), 0..40),
        edits in proptest::collection::vec(
            (any::<prop::sample::Index>(), 0..4_usize, comment_slip()),
            1..12,
        ),
    ) {
        check_edits(&lines.concat(), &edits)?;
    }
}

/// A tag directly behind the last line in which the end of a comment is looked for.
#[test]
fn a_comment_opens_as_far_from_a_tag_as_its_end_is_looked_for() {
    for lines in split::MOST_COMMENT_LINES - 3..split::MOST_COMMENT_LINES + 2 {
        let mut text = format!("{}{{{{name}}}}{}", "c\n".repeat(lines), "c\n".repeat(200));
        let typed = TextEdit::insert(0.into(), "{{! ");
        let green = parse(Fragment::plain(&text));
        typed.apply(&mut text);
        let edited = edit(&green, &typed, (Escapes::None, &[]));
        let full = parse(Fragment::plain(&text));
        let edited = edited.map(|it| without_runs(&it));
        assert!(edited.is_none_or(|it| it == without_runs(&full)), "{lines}");
    }
}

/// The maximum number of children of a node.
fn longest_row(node: &GreenNodeData) -> usize {
    let inside = node.children().filter_map(|child| child.into_node());
    let longest = inside.map(longest_row).max().unwrap_or(0);
    longest.max(node.children().len())
}

/// What nests too deeply is only tokens, and no node has thousands of them either.
#[test]
fn tags_that_nest_too_deeply_are_in_runs() {
    for text in [
        "{{#a}}".repeat(5_000),
        "{{#a}}".repeat(5_000) + &"{{/a}}".repeat(5_000),
    ] {
        let green = parse(Fragment::plain(&text));
        assert_eq!(green.to_string(), text);
        assert!(longest_row(&green) <= 64);
    }
}

/// Keys that open or close something in a long template are as local as letters.
#[test]
fn structure_is_local() {
    for (head, tail) in [("", ""), ("{{#items}}\n", "{{/items}}\n")] {
        let lines = "Line 1: find {{name}} at most {{limit}} times.\n".repeat(5_000);
        let mut text = format!("{head}{lines}{tail}");
        let middle = text.len() / 2;
        let at = middle + text[middle..].find("\n").unwrap() + 1;
        let mut green = parse(Fragment::plain(&text));
        for typed in [
            "x",
            "{",
            "{{",
            "{{#name}}",
            "{{/name}}",
            "}}",
            "\n",
            "{{x}}\n",
        ] {
            for _ in 0..12 {
                let insert = TextEdit::insert(size(at), typed);
                let remove = TextEdit::delete(TextRange::at(size(at), TextSize::of(typed)));
                for change in [insert.clone(), remove, insert] {
                    change.apply(&mut text);
                    let grammar = TemplateGrammar {
                        escapes: Escapes::None,
                        foreign: &[],
                    };
                    let reparsed = reparse(&grammar, &green, &change);
                    let reparsed = reparsed.unwrap_or_else(|| panic!("{typed:?} can be followed"));
                    let len = u32::from(reparsed.range.len());
                    assert!(len < 4_000, "{len} bytes for {typed:?}");
                    green = builder::remark(&reparsed.green, reparsed.range);
                }
                let remove = TextEdit::delete(TextRange::at(size(at), TextSize::of(typed)));
                if typed.starts_with("{{#") || typed.starts_with("{{/") {
                    remove.apply(&mut text);
                    green = edit(&green, &remove, (Escapes::None, &[])).expect("can be followed");
                }
            }
        }
        assert_eq!(green.to_string(), text);
        assert!(longest_row(&green) <= LONG_RUN);
    }
}

/// An edit in a line of a long template reparses that line and its neighbors.
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

/// Closed sections, each with the names of those that are open at the places marked with `$`.
fn nested(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["$", "a $\n", "{{x}}$ ", "b\n"]).prop_map(str::to_owned);
    leaf.prop_recursive(depth, 60, 6, |inner| {
        let name = prop::sample::select(vec!["a", "b.c", "long_name"]);
        (
            name,
            prop::collection::vec(inner, 1..6),
            prop::sample::select(vec!['#', '^']),
        )
            .prop_map(|(name, inner, sigil)| {
                format!("{{{{{sigil}{name}}}}}{}{{{{/{name}}}}}", inner.concat())
            })
    })
}

proptest! {
    /// The open sections at a place equal those of a walk through all tags before it, however long the text is.
    #[test]
    fn sections_open_at_a_place_are_those_that_were_not_closed(
        parts in prop::collection::vec(nested(4), 1..8),
        count in prop::sample::select(vec![1_usize, 40]),
        unclosed in any::<prop::sample::Index>(),
        is_unclosed: bool,
    ) {
        let mut marked = parts.concat().repeat(count);
        if is_unclosed {
            // Nothing in the text closes it.
            let lines: Vec<_> = marked.match_indices('\n').map(|(at, _)| at + 1).chain([0]).collect();
            marked.insert_str(lines[unclosed.index(lines.len())], "{{#never}}");
        }
        let text = marked.replace('$', "");
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        let mut open: Vec<String> = Vec::new();
        let mut at = 0;
        for piece in marked.split_inclusive(['$', '}']) {
            let tag = piece.rsplit("{{").next().unwrap_or_default();
            let is_mark = piece.ends_with('$');
            at += piece.len() - usize::from(is_mark);
            if is_mark {
                let found = ast::sections_open_at(&root, size(at)).into_iter();
                let found: Vec<_> = found.filter_map(|it| Some(it.path()?.text())).collect();
                prop_assert_eq!(found, open.clone(), "{} in {}", at, text);
            } else if let Some(name) = tag.strip_prefix(['#', '^']).and_then(|it| it.strip_suffix('}')) {
                open.push(name.to_owned());
            } else if let Some(name) = tag.strip_prefix('/').and_then(|it| it.strip_suffix('}')) {
                let opened = open.iter().rposition(|it| it == name);
                open.truncate(opened.expect("it was opened"));
            }
        }
    }
}

/// Tags that end nowhere are not looked for again from each tag on their line.
#[test]
fn twice_the_tags_are_twice_the_work() {
    let ends = ["", "\n", "\nmore text\n", "\nmore }}\n", "}}"];
    for (unit, end) in [
        "{{!a}",
        "{{!a} ",
        "{{!",
        "{{! #{a}}",
        "{{a}",
        "{{a ",
        "{{!a}\n",
        "{{a}\n",
    ]
    .into_iter()
    .flat_map(|unit| ends.map(|end| (unit, end)))
    {
        let read = |count: usize| {
            let text = unit.repeat(count) + &end.repeat(count / 8);
            let foreign = holes(&text);
            let fragment = Fragment {
                text: &text,
                escapes: Escapes::None,
                foreign: &foreign,
            };
            work::counted(|| parse(fragment))
        };
        let (few, many) = (read(500), read(1_000));
        assert!(
            many <= 2 * few + 64,
            "{unit:?} {end:?}: {few} bytes, then {many}"
        );
    }
}

/// A text of so many names would take minutes if each were compared with all others.
#[test]
fn many_names_are_found_at_once() {
    let count = 1 << 17;
    let text: String = (0..count)
        .map(|it| format!("{{{{name_{it}}}}} {{{{name_0}}}}"))
        .collect();
    assert_eq!(names::names(&text).len(), count);
}
