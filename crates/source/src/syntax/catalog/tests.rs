use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::{
    syntax::{catalog::ast::Entry, error::errors},
    text::{TextRange, size},
};

/// Each entry with its name, signature and description, then the errors and their text.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let root = SyntaxNode::new_root(parse(text));
    assert_eq!(root.text(), text);
    let mut shown = String::new();
    for entry in root.descendants().filter_map(Entry::cast) {
        let name = entry.name().map(|it| it.text().to_owned());
        let signature = entry.signature().map(|it| it.text().to_string());
        let description = entry.description().map(|it| &text[it.text_range()]);
        let part = |part: Option<String>| part.unwrap_or("-".to_owned());
        shown += &format!("{} {}", part(name), part(signature.map(quoted)));
        if let Some(description) = description {
            shown += &format!(" {description:?}");
        }
        shown.push('\n');
    }
    for it in errors(&root) {
        shown += &format!("{:?} {:?}\n", it.kind, &text[it.range]);
    }
    expected.assert_eq(&shown);
}

fn quoted(text: String) -> String {
    format!("{text:?}")
}

#[test]
fn entries_have_names_signatures_and_descriptions() {
    check(
        "\u{feff}# tools\n\nsearch(query :string, limit :int) -> [{id :int}]\n  Search.\n\n  More: of it.\n; end\nget?() -> :map # why\n\
         a-b/c.d () -> :any\r\n\tTabs,\r\n\t too.\r\n",
        &expect![[r#"
            search "(query :string, limit :int) -> [{id :int}]" "Search.\n\n  More: of it."
            get? "() -> :map"
            a-b/c.d "() -> :any" "Tabs,\r\n\t too."
        "#]],
    );
}

#[test]
fn a_signature_goes_on_while_something_is_open() {
    check(
        "a(\n  x :int,  # one\n  # two\n\n",
        &expect![[r##"
        a "(\n  x :int," "# two"
        Unclosed "("
        TrailingComma ","
        MissingOutput ""
    "##]],
    );
    check(
        "a(\n  x :int,  # one\n  # two\n  y :int\n)\n-> {\n  z :int }\n  Text.\nb(q :int)\n# not its\n-> :int ->\n  :int\n",
        &expect![[r#"
            a "(\n  x :int,  # one\n  # two\n  y :int\n)\n-> {\n  z :int }" "Text."
            b "(q :int)\n# not its\n-> :int ->\n  :int"
            SecondArrow "->\n  :int"
        "#]],
    );
}

/// The line of a new parameter is blank at first.
#[test]
fn a_blank_line_does_not_end_the_brackets_that_follow_it() {
    for blank in ["\n", "  \n", "\n\n  # two\n\n"] {
        for (before, after) in [
            ("a(\n  x :int,\n", ") -> :int"),
            ("a(\n", "  ) -> {n :int}"),
            ("a(x :int) -> [{\n  n :int,\n", "}]"),
        ] {
            let text = format!("{before}{blank}{after}\n  Text.\n");
            let root = SyntaxNode::new_root(parse(&text));
            let entry = root.descendants().find_map(Entry::cast).expect("an entry");
            let signature = entry.signature().map(|it| it.text().to_string());
            assert!(
                signature.is_some_and(|it| it.ends_with(after.trim())),
                "{text}"
            );
            let description = entry.description().map(|it| &text[it.text_range()]);
            assert_eq!(description, Some("Text."), "{text}");
        }
    }
}

#[test]
fn a_faulty_entry_hides_little() {
    check(
        "a(x :int -> :int\n  Describes (a.\nb(\nc(y [:int) -> {z :int\n  Describes c.\nd -> :int\ne()\n",
        &expect![[r#"
            a "(x :int -> :int" "Describes (a."
            b "("
            c "(y [:int) -> {z :int" "Describes c."
            d "-> :int"
            e "()"
            Unclosed "("
            Unclosed "("
            MissingOutput ""
            Unclosed "["
            Unclosed "{"
            MissingParams "->"
            MissingOutput ""
        "#]],
    );
}

/// A description stays one wherever the signature above it is unfinished.
#[test]
fn prose_is_not_part_of_an_unfinished_signature() {
    let signature = "search(query :string, filter {tags [:string], n :int}) -> [{id :int}]";
    let descriptions = [
        "Search for items matching the query.",
        "Searches items.",
        "Returns the items (at most 10), newest first.",
        "lists what there is",
    ];
    let stops = signature.match_indices(['(', ',', '[', '{']);
    for (stop, _) in stops {
        for description in descriptions {
            let text = format!("{}\n  {description}\n", &signature[..=stop]);
            let root = SyntaxNode::new_root(parse(&text));
            let entry = root.descendants().find_map(Entry::cast).expect("an entry");
            let found = entry.description().map(|it| &text[it.text_range()]);
            assert_eq!(found, Some(description), "{text}");
        }
    }
}

#[test]
fn lines_that_are_no_entry_are_reported() {
    check(
        "  indented\n  more\n# comment\n  again\n",
        &expect![[r#"
            - -
            - -
            StrayDescription "indented\n  more"
            StrayDescription "again"
        "#]],
    );
    check(
        "Here are\nthe tools you have.\n  They are.\n\nsear\nnow :datetime\n(a :int) -> :int\nget user(a :int) -> :int\n\
         \"find\"(a :int) -> :int\nname: (a :int) -> :int\n```\n- item (x)\nend\n",
        &expect![[r#"
            - - "They are."
            sear -
            now ":datetime"
            - "(a :int) -> :int"
            get user "(a :int) -> :int"
            "find" "(a :int) -> :int"
            name: "(a :int) -> :int"
            - -
            end -
            NotAnEntry "Here are\nthe tools you have."
            MissingEntrySignature ""
            MissingEntryParams ""
            MissingEntryName ""
            InvalidEntryName "get user"
            InvalidEntryName "\"find\""
            InvalidEntryName "name:"
            NotAnEntry "```\n- item (x)"
            MissingEntrySignature ""
        "#]],
    );
}

/// Texts of meaningful pieces, well formed or not.
fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

const ENTRIES: [&str; 5] = [
    "search_1(x :int) -> :int\n",
    "search_30(y :string,\n  z :int?) -> [{id :int}]\n",
    "search_47 () -> :map\n  Search.\n",
    "find_9(query :string) -> :any\n",
    "get_219() -> :map # x\n\n",
];

fn piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        ENTRIES[0],
        ENTRIES[1],
        ENTRIES[2],
        ENTRIES[3],
        ENTRIES[4],
        "get_user (",
        "c(",
        "name",
        " -> ",
        "(",
        ")",
        "[",
        "}",
        ",",
        ":int",
        ":",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "  ",
        "\t",
        "# x",
        "; y\n",
        " # z\n",
        "  Prose of it.\n",
        "Prose (as it is.\n",
        "\u{feff}",
        "\u{a0}",
        "é",
        "😀",
        "\\",
    ])
}

#[test]
fn the_pieces_begin_runs_of_every_level() {
    assert_eq!(ENTRIES.map(rank_of_first_line), [1, 2, 2, 3, 3].map(Some));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// The tree after an edit, including its errors, equals that of a full parse.
    #[test]
    fn reparse_equals_parse(text in texts(), edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..9_usize, piece()), 1..8)) {
        let mut text = text;
        let mut green = parse(&text);
        for (at, len, insert) in edits {
            let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = at.index(boundaries.len());
            let end = (start + len).min(boundaries.len() - 1);
            let range = TextRange::new(size(boundaries[start]), size(boundaries[end]));
            let change = TextEdit::replace(range, insert);
            change.apply(&mut text);
            let reparsed = edit(&green, &change);
            let full = parse(&text);
            prop_assert_eq!(SyntaxNode::new_root(full.clone()).text().to_string(), text.clone());
            if let Some(reparsed) = reparsed {
                prop_assert_eq!(&reparsed.green, &full, "{:?}", text);
            }
            green = full;
        }
    }

    #[test]
    fn runs_that_are_read_on_threads_are_those_of_the_whole(text in texts()) {
        let runs = parser::runs(&text, LEVELS, true).expect("runs of the highest level");
        prop_assert_eq!(parse(&text), GreenNode::new(SyntaxKind::Catalog.into(), runs));
    }

    #[test]
    fn any_text_is_kept(text in "\\PC*|[ -~\\n\\r\\t]*") {
        let root = SyntaxNode::new_root(parse(&text));
        prop_assert_eq!(root.text().to_string(), text);
    }
}

fn long(entries: usize) -> String {
    let entry = |it: usize| {
        format!("tool_{it}(query :string, limit :int?) -> [{{id :int}}]\n  Tool {it}.\n\n")
    };
    (0..entries).map(entry).collect()
}

#[test]
fn no_list_is_long_where_each_name_has_a_colon() {
    let text = long(2_000).replace("(query", ": (query");
    let root = SyntaxNode::new_root(parse(&text));
    let lists = root.descendants().map(|it| it.children_with_tokens());
    let longest = lists.map(Iterator::count).max();
    assert!(longest < Some(200), "{longest:?}");
}

/// An edit reparses the brackets or the entry around it, and no list is long.
#[test]
fn reparse_is_local() {
    let text = long(20_000);
    let green = parse(&text);
    let root = SyntaxNode::new_root(green.clone());
    let longest = root
        .descendants()
        .map(|it| it.children_with_tokens().count())
        .max();
    assert!(longest < Some(200), "{longest:?}");
    let entry = text.find("tool_9999").expect("an entry");
    for (word, len) in [("tool_9999", 99), (":string", 29), ("Tool 9999", 99)] {
        let at = entry + text[entry..].find(word).expect("the word") + 2;
        let reparsed = edit(&green, &TextEdit::insert(size(at), "x")).expect("a stretch");
        assert!(
            u32::from(reparsed.range.len()) <= len,
            "{word}: {:?}",
            reparsed.range
        );
    }
}

/// An arrow in brackets turns a line with several words before it into an entry, so a line can become one by an edit
/// inside the brackets.
#[test]
fn an_arrow_in_brackets_makes_an_entry() {
    let before = "g r({ the tool of th->{g}\"}";
    let change = TextEdit::delete(TextRange::new(8.into(), 26.into()));
    let mut after = before.to_owned();
    change.apply(&mut after);
    let reparsed = edit(&parse(before), &change);
    assert!(reparsed.is_none_or(|it| it.green == parse(&after)));
}
