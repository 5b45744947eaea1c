use proptest::prelude::*;

use super::Json;
use crate::host::{
    HostDocument, HostKind, Notation, Roles, Site,
    test_support::{
        self, any_edits, check_edits, check_fixtures, check_ranges, check_replacements, strings,
    },
    token_tree::{MAX_DEPTH, parse},
};
use crate::{
    syntax::runs::LEVELS,
    text::{Text, TextEdit, TextSize},
};

#[test]
fn fixtures() {
    check_fixtures("json/test_data");
}

/// Compares our strings with those of tree-sitter, if that finds no error.
#[track_caller]
fn compare(text: &str) -> bool {
    let judged = test_support::judged(tree_sitter_json::LANGUAGE, text, &["string"]);
    if let Some(judged) = &judged {
        check_ranges(text, &strings(text, &parse::<Json>(text)), judged);
    }
    judged.is_some()
}

#[test]
fn fixtures_have_the_strings_that_tree_sitter_finds() {
    for text in test_support::fixtures("json/test_data/ok") {
        // The grammar has no trailing commas.
        let strict = text
            .replace(",}", " }")
            .replace(",\r\n  ]", "\r\n  ]")
            .replace(",\r\n}", "\r\n}");
        assert!(compare(&strict), "tree-sitter finds an error in {text}");
    }
}

/// A JSON value as text, with white space and comments between its tokens.
fn value() -> impl Strategy<Value = String> {
    let string =
        r#""([a-z :{}()\[\]',#*é😀/-]|\\["\\/bfnrt]|\\u(00e9|d83d\\ude00|D83D)|//|/\*){0,8}""#;
    let leaf = prop_oneof![
        3 => string,
        1 => "-?[1-9][0-9]{0,2}(\\.[0-9])?(e-?[0-9])?",
        1 => proptest::sample::select(&["true", "false", "null"][..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        let space = proptest::sample::select(
            &["", " ", "\n  ", "\t", "\r\n", " /* \" */ ", " // \"\n"][..],
        );
        prop_oneof![
            proptest::collection::vec((space.clone(), inner.clone()), 0..5).prop_map(|items| {
                let items: Vec<_> = items
                    .iter()
                    .map(|(space, item)| format!("{space}{item}{space}"))
                    .collect();
                format!("[{}]", items.join(","))
            }),
            proptest::collection::vec((space, string, inner), 0..5).prop_map(|entries| {
                let entry = |(space, key, value): &(&str, String, String)| {
                    format!("{space}{key}{space}:{space}{value}")
                };
                let entries: Vec<_> = entries.iter().map(entry).collect();
                format!("{{{}}}", entries.join(","))
            }),
        ]
    })
}

const PIECES: &[&str] = &[
    "\"",
    "'",
    "signature: '(a :int)'",
    "prompt",
    "\\",
    "\\\n",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\n",
    " ",
    "//",
    "/*",
    "*/",
    "\"signature\": ",
    "\":int\"",
    "\"prompt\": \"{{a}}\", ",
    "\"tools\": ",
    "\"name\": \"x\"",
    "{\"signature\": \"(a :int)\"}, ",
    "😀",
    "\r\n",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/agents.json"),
    include_str!("test_data/ok/list.json"),
    include_str!("test_data/ok/comments.jsonc"),
    include_str!("test_data/err/stray.json"),
];

proptest! {
    #[test]
    fn generated_texts_have_the_strings_that_tree_sitter_finds(text in value()) {
        prop_assert!(compare(&text), "tree-sitter finds an error in {text}");
    }

    /// JSON5 has single quotes, and keys without quotes.
    #[test]
    fn other_quotes_lead_to_the_same_units(text in proptest::collection::vec(proptest::sample::select(PIECES), 0..20)) {
        let text = text.concat();
        let other_quotes: String = text.chars().map(other_quote).collect();
        prop_assert_eq!(found(&other_quotes), found(&text));
    }

    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Json, text, &edits);
    }
}

fn other_quote(c: char) -> char {
    match c {
        '"' => '\'',
        '\'' => '"',
        other => other,
    }
}

/// The units with their sites.
fn found(text: &str) -> Vec<(TextSize, TextSize, Vec<Site>)> {
    let units = super::units(text, Roles::default().of(Notation::Json)).into_iter();
    { units }
        .map(|it| (it.start, it.unit.len, it.unit.sites.clone()))
        .collect()
}

/// Whether a string goes on after a backslash depends on what follows the quote at the start of the next line.
#[test]
fn a_line_that_goes_on_is_read_with_what_is_behind_it() {
    let rest = "\"prompt\": \"{{a}}\", ture\": \"(a :int) -> :int\"}]\n";
    let text = format!("[{{\"signa{rest}");
    let edits = [
        ("signa", "signa\\\n"),
        ("\"prompt", "\" prompt"),
        ("\" prompt", "\"prompt"),
    ];
    check_replacements(HostKind::Json, &text, &edits);
    let text = "{\"a\": \"b\\\n\" 'x', \"signature\": \"(a :int) -> :int\"}\n";
    check_replacements(HostKind::Json, text, &[("x", "x\": "), ("x\": ", "x")]);
}

#[test]
fn keys_need_no_quotes() {
    for text in TEXTS {
        for key in ["signature", "prompt", "tools", "name", "input"] {
            let bare = text.replace(&format!("\"{key}\":"), &format!(" {key} :"));
            let sites = |text: &str| {
                { found(text).into_iter() }
                    .flat_map(|(start, _, sites)| {
                        let sites = sites.into_iter();
                        sites.map(move |it| (it.content + start, it.role, it.name))
                    })
                    .collect::<Vec<_>>()
            };
            assert_eq!(sites(&bare), sites(text), "{bare}");
        }
    }
}

#[test]
fn deep_nesting_is_cut_off() {
    for open in ["[", "{\"a\":", "{\"tools\":[", "{", "[,"] {
        let text = format!("{}{{\"prompt\": \"x\"}}", open.repeat(50_000));
        let tree = parse::<Json>(&text);
        assert!(
            test_support::depth(&tree) <= MAX_DEPTH + 1 + LEVELS,
            "{open}"
        );
        assert_eq!(tree.to_string(), text);
        let units = super::units(&text, Roles::default().of(Notation::Json));
        assert!(units.is_empty(), "{open}");
    }
}

#[test]
fn a_document_without_our_keys_has_no_tree_until_one_comes() {
    let settings = Roles::default();
    let mut text = Text::from("{\n  \"sign\": \"(a :int) -> :int\"\n}\n");
    let mut document = HostDocument::parse(HostKind::Json, &text, &settings);
    for (at, insert, count) in [(2, " ", 0), (10, "ature", 1), (10, "x", 0)] {
        let edit = TextEdit::insert(TextSize::from(at), insert);
        text.apply(&edit);
        document.edit(&text, &edit);
        assert_eq!(document.units().len(), count, "{insert}");
    }
}

/// A value without its layout.
#[derive(Debug, Clone)]
enum Tree {
    Leaf(&'static str),
    List(Vec<Tree>),
    Object(Vec<(&'static str, Tree)>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaves = &[
        "\"(a :int) -> :int\"",
        "\"Read {{a}} {and} [it]\"",
        "\"x\"",
        "1",
        "true",
        "{}",
        "[]",
    ];
    let keys = &["signature", "prompt", "tools", "name", "input", "x"];
    let leaf = proptest::sample::select(&leaves[..]).prop_map(Tree::Leaf);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let keys = proptest::sample::select(&keys[..]);
        let entry = (keys, inner.clone());
        prop_oneof![
            1 => proptest::collection::vec(inner, 1..4).prop_map(Tree::List),
            2 => proptest::collection::vec(entry, 1..5).prop_map(Tree::Object),
        ]
    })
}

/// Writes a value with line breaks. A closing bracket on a line of its own may be anywhere.
struct Layout<'c> {
    out: String,
    /// The indentation of the current line, and of the contents of the innermost brackets.
    line: usize,
    indent: usize,
    /// Whether a closing bracket is somewhere on the current line, so that its place tells nothing.
    is_odd: bool,
    choices: std::iter::Cycle<std::slice::Iter<'c, u8>>,
}

/// The brackets around a value.
#[derive(Clone, Copy, PartialEq)]
struct Brackets {
    close: char,
    /// The indentation of the line that opens them.
    line: usize,
}

impl Layout<'_> {
    fn choice(&mut self, count: u8) -> u8 {
        self.choices.next().copied().unwrap_or_default() % count
    }

    fn break_line(&mut self, indent: usize) {
        self.line = indent;
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes `tree`, which is directly before the closing bracket of `ended`.
    fn write(&mut self, tree: &Tree, ended: Option<Brackets>) {
        match tree {
            Tree::Leaf(text) => self.out.push_str(text),
            Tree::List(items) => {
                self.group(['[', ']'], ended, items.len(), |layout, index, ended| {
                    layout.write(&items[index], ended);
                })
            }
            Tree::Object(entries) => {
                self.group(['{', '}'], ended, entries.len(), |layout, index, ended| {
                    let (key, value) = &entries[index];
                    layout.out += &format!("\"{key}\": ");
                    layout.write(value, ended);
                })
            }
        }
    }

    fn group(
        &mut self,
        [open, close]: [char; 2],
        ended: Option<Brackets>,
        count: usize,
        item: impl Fn(&mut Self, usize, Option<Brackets>),
    ) {
        let brackets = Brackets {
            close,
            line: self.line,
        };
        let breaks = !self.is_odd && self.choice(4) > 0;
        let outer = self.indent;
        if breaks {
            self.indent += 1 + usize::from(self.choice(4));
        }
        self.out.push(open);
        for index in 0..count {
            if breaks {
                self.break_line(self.indent);
                self.is_odd = false;
            }
            let is_last = index + 1 == count;
            item(self, index, is_last.then_some(brackets));
            if !is_last {
                self.out += ", ";
            }
        }
        self.indent = outer;
        if breaks && self.choice(3) > 0 {
            // Of two brackets that may close the same, only one is there.
            let is_clear = ended.is_none_or(|it| it.close != close || it.line < brackets.line);
            let is_free = is_clear && !self.is_odd;
            self.is_odd = true;
            let indent = if is_free {
                usize::from(self.choice(12))
            } else {
                outer
            };
            self.break_line(indent);
        } else {
            self.is_odd |= breaks || self.out.ends_with([']', '}']);
        }
        self.out.push(close);
    }
}

/// The texts of the sites, unit by unit.
fn texts_of_units(text: &str) -> Vec<Vec<String>> {
    let units = super::units(text, Roles::default().of(Notation::Json)).into_iter();
    { units }
        .map(|it| {
            let text_of = |site: &Site| text[site.content + it.start].to_owned();
            it.unit.sites.iter().map(text_of).collect()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_valid_text_has_the_same_units_wherever_its_brackets_are_closed(
        tree in tree(),
        choices in proptest::collection::vec(any::<u8>(), 30),
    ) {
        let mut layout = Layout {
            out: String::new(),
            line: 0,
            indent: 0,
            is_odd: false,
            choices: choices.iter().cycle(),
        };
        layout.write(&tree, None);
        let text = layout.out;
        prop_assert_eq!(texts_of_units(&text), texts_of_units(&text.replace('\n', " ")), "{}", text);
    }
}
