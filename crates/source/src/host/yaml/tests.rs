use std::{ops::Range, slice};

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Document, Keep, Node, NodeKind, Scalar, ScalarStyle, read};
use crate::{
    host::{
        HostDocument, HostKind, Notation, Roles,
        test_support::{any_edits, check_edits, check_fixtures},
        units::Units,
    },
    syntax::{
        decode::decode,
        fragment::{Escapes, Fragment},
    },
    text::{Text, TextEdit, TextRange, TextSize, size},
    value::MAX_DEPTH,
};

/// All scalars of `nodes` with the path of keys that leads to each.
fn scalars<'n>(nodes: &'n [Node], text: &str) -> Vec<(String, &'n Scalar)> {
    fn walk<'n>(node: &'n Node, text: &str, path: &str, found: &mut Vec<(String, &'n Scalar)>) {
        match &node.kind {
            NodeKind::Scalar(scalar) => found.push((path.to_owned(), scalar)),
            NodeKind::Sequence(items) => items
                .iter()
                .for_each(|item| walk(item, text, &format!("{path}-"), found)),
            NodeKind::Mapping(entries) => entries.iter().for_each(|entry| {
                let path = format!("{path}.{}", entry.key(text));
                walk(&entry.value, text, &path, found);
            }),
            NodeKind::Other => {}
        }
    }
    let mut found = Vec::new();
    nodes
        .iter()
        .for_each(|node| walk(node, text, "", &mut found));
    found
}

fn range(range: crate::text::TextRange) -> Range<usize> {
    range.into()
}

#[track_caller]
fn check(text: &str, expect: Expect) {
    let mut out = String::new();
    for (path, scalar) in scalars(&read(text).roots, text) {
        let literal = &text[range(scalar.literal)];
        let content = &text[range(scalar.content)];
        out += &format!("{path} {literal:?} {content:?}\n");
    }
    expect.assert_eq(&out);
}

#[test]
fn plain_scalars() {
    check(
        "a: one # two\nb: (x :int,\n  y :int)\n  -> :int\n\nc : http://x#y  \nd:\ne: ~\n",
        expect![[r#"
            .a "one" "one"
            .b "(x :int,\n  y :int)\n  -> :int" "(x :int,\n  y :int)\n  -> :int"
            .c "http://x#y" "http://x#y"
            .e "~" "~"
        "#]],
    );
}

#[test]
fn quoted_scalars() {
    check(
        "a: 'it''s' # no\nb: \"say \\\"hi\\\"\"   \nc: \"folded\n  line\\\n  joined\"\n'd': \"\"\n\"e\" : ''\n",
        expect![[r#"
            .a "'it''s'" "it''s"
            .b "\"say \\\"hi\\\"\"" "say \\\"hi\\\""
            .c "\"folded\n  line\\\n  joined\"" "folded\n  line\\\n  joined"
            .d "\"\"" ""
            .e "''" ""
        "#]],
    );
}

#[test]
fn block_scalars() {
    check(
        "a: |\n  one\n  two\n\nb: >-  # comment | here\n\n   folded\n     more\n\nc: |2+\n    deep\n\nd: |\ne: |-\ng: end\n",
        expect![[r#"
            .a "|\n  one\n  two\n" "one\n  two\n"
            .b ">-  # comment | here\n\n   folded\n     more" "\n   folded\n     more"
            .c "|2+\n    deep\n\n" "  deep\n\n"
            .d "|" ""
            .e "|-" ""
            .g "end" "end"
        "#]],
    );
}

#[test]
fn properties_are_no_part_of_a_literal() {
    check(
        "a: &x !!str plain\nb: !t 'quoted'\nc: !t &y |\n  block\nd: *x\ne: &z\n  >\n  later\nf: !!null\n",
        expect![[r#"
            .a "plain" "plain"
            .b "'quoted'" "quoted"
            .c "|\n  block\n" "block\n"
            .e ">\n  later\n" "later\n"
        "#]],
    );
}

#[test]
fn tabs_after_keys_and_aliases_of_nothing_are_no_errors() {
    check(
        "a:\n  b:\tone two\n    three\n  c:\t\t'x'\n  d:\t|\n    e:\tf\n",
        expect![[r#"
            .a.b "one two\n    three" "one two\n    three"
            .a.c "'x'" "x"
            .a.d "|\n    e:\tf\n" "e:\tf\n"
        "#]],
    );
    check(
        "a:\n  - *x\n  - <<: *y\n    b: 1 # *z\n  - [*y, 'c']\nd: *x\ne: '*x'\n",
        expect![[r#"
            .a-.b "1" "1"
            .a-- "'c'" "c"
            .e "'*x'" "*x"
        "#]],
    );
}

#[test]
fn collections() {
    check(
        "a:\n  - b: 1\n    c: |\n      deep\n  - [x, 'y' , {z: \"w\"}]\nd:\n- e\n- - f\n? g\n: h\n? [k, l]\n: m\n",
        expect![[r#"
            .a-.b "1" "1"
            .a-.c "|\n      deep\n" "deep\n"
            .a-- "x" "x"
            .a-- "'y'" "y"
            .a--.z "\"w\"" "w"
            .d- "e" "e"
            .d-- "f" "f"
            .g "h" "h"
            . "m" "m"
        "#]],
    );
}

#[test]
fn several_documents() {
    check(
        "%YAML 1.2\n---\na: 1\n...\n# between\n---\n|\n top\n--- b\n",
        expect![[r#"
            .a "1" "1"
             "|\n top\n" "top\n"
             "b" "b"
        "#]],
    );
}

#[test]
fn places_count_bytes_and_not_characters() {
    check(
        "\u{feff}ключ: \"😀 (a :int)\"\r\nb: 😀é # 😀\r\nc: |\r\n  😀\r\n  ü\r\nd: x\r\n",
        expect![[r#"
            .ключ "\"😀 (a :int)\"" "😀 (a :int)"
            .b "😀é" "😀é"
            .c "|\r\n  😀\r\n  ü\r\n" "😀\r\n  ü\r\n"
            .d "x" "x"
        "#]],
    );
}

#[test]
fn an_error_hides_only_its_entry() {
    check(
        "a: 1\nsignature: \"(x :int\nb: 2\nsignature: {c :int\nd: e: f\ng: @h\nsome words\ni: |\n\ttab\nk: 3\n",
        expect![[r#"
            .a "1" "1"
            .signature "\"(x :int" "(x :int"
            .b "2" "2"
            .d "e: f" "e: f"
            .g "@h" "@h"
            .k "3" "3"
             "some words" "some words"
             "tab" "tab"
        "#]],
    );
}

#[test]
fn an_error_in_a_list_hides_only_its_item() {
    check(
        "- a: 1\n- b: \"2\n- c: 3\n",
        expect![[r#"
            -.a "1" "1"
            -.b "\"2" "2"
            -.c "3" "3"
        "#]],
    );
}

#[test]
fn an_error_in_a_nested_block_keeps_what_came_before_it() {
    check(
        "tools:\n  a: '1'\n  b: \"2\n  c: 3\nprompt: p\n---\nx: [\n---\ny: 1\n",
        expect![[r#"
            .tools.a "'1'" "1"
            .tools.b "\"2" "2"
            .prompt "p" "p"
            .y "1" "1"
        "#]],
    );
}

#[test]
fn an_indented_text_recovers_at_its_own_indentation() {
    check(
        "    a: \"1\n    b: 2\n",
        expect![[r#"
        .a "\"1" "1"
        .b "2" "2"
    "#]],
    );
}

/// How many nodes are around the deepest one, itself included.
fn depth(nodes: &[Node]) -> usize {
    let depths = nodes.iter().map(|node| match &node.kind {
        NodeKind::Sequence(items) => 1 + depth(items),
        NodeKind::Mapping(entries) => {
            let values = entries.iter().map(|it| depth(slice::from_ref(&it.value)));
            1 + values.max().unwrap_or_default()
        }
        NodeKind::Scalar(_) | NodeKind::Other => 1,
    });
    depths.max().unwrap_or_default()
}

#[test]
fn deep_nesting_is_cut_off() {
    let indented = |count: usize| -> String {
        let lines = (0..count).map(|it| format!("{}a:\n", " ".repeat(it)));
        lines.collect()
    };
    let closed = |open: &'static str, close: &'static str| {
        move |count| format!("{}1{}", open.repeat(count), close.repeat(count))
    };
    let (list, lists, maps) = (closed("- ", ""), closed("[", "]"), closed("{a: ", "}"));
    let texts: [&dyn Fn(usize) -> String; 4] = [&indented, &list, &lists, &maps];
    for text in texts {
        assert!(depth(&read(&text(20)).roots) > 20, "{}", text(20));
        let found = depth(&read(&text(2_000)).roots);
        assert!(found <= MAX_DEPTH, "{found}: {}", text(20));
    }
    for open in ["[", "{a: "] {
        let found = depth(&read(&open.repeat(20_000)).roots);
        assert!(found <= MAX_DEPTH, "{found}: {open}");
    }
}

/// Takes minutes if all that follows an error is read for each of them.
#[test]
fn an_entry_after_many_errors_is_read() {
    for (fault, last, path) in [
        ("a: {\n", "z: 1\n", ".z"),
        ("a: \"\n", "z: 1\n", ".z"),
        ("- x: [\n", "- z: 1\n", "-.z"),
    ] {
        let text = format!("{}{last}", fault.repeat(40_000));
        let reading = read(&text);
        let scalars = scalars(&reading.roots, &text);
        let found = scalars.last().map(|(path, _)| path.as_str());
        assert_eq!(found, Some(path), "{fault}");
    }
}

#[test]
fn errors_do_not_hide_what_follows_them_however_many_they_are() {
    let faulty: String = (0..150).map(|it| format!("k{it}: [a\n")).collect();
    let template: String = (0..150)
        .map(|it| format!("{{{{- if .Values.k{it} }}}}\nk{it}: {it}\n{{{{- end }}}}\n"))
        .collect();
    let indented: String = (0..150).map(|it| format!(" k{it}: [a\n")).collect();
    for (text, key) in [
        (format!("{faulty}z:\n  signature: s\n"), "z"),
        (format!("a: 1\n{template}z:\n  signature: s\n"), "z"),
        (format!("{template}z:\n  signature: s\n"), "z"),
        (format!("{indented} z:\n   signature: s\n"), "z"),
        (format!("{indented} z:\n - a: 1\n - signature: s\n"), "z-"),
    ] {
        let roots = read(&text).roots;
        let found = scalars(&roots, &text);
        let path = format!(".{key}.signature");
        assert!(found.iter().any(|it| it.0 == path), "{path} in {text}");
    }
}

#[test]
fn lines_that_are_read_alone_belong_together_as_they_are_indented() {
    let text =
        "a: 1\nb:\n  c: 2\n  d: |\n    e: 3\n  f:\n  - g: 4\n    h: 5\n  - g: 6\nwords\ni: 7\n";
    let roots = super::recover::lines(text, 0, Keep::default());
    let paths: Vec<_> = scalars(&roots, text).into_iter().map(|it| it.0).collect();
    assert_eq!(paths, [".a", ".b.c", ".b.f-.g", ".b.f-.h", ".b.f-.g", ".i"]);
}

/// The literal's value by its style, for simple styles.
fn decoded(text: &str, scalar: &Scalar) -> Option<String> {
    let literal = scalar.to_literal();
    let raw = &text[range(literal.content)];
    let is_folded = literal.escapes.folds_lines();
    if is_folded && raw.replace("\r\n", "").contains('\r') {
        return None;
    }
    let value = decode(Fragment {
        text: raw,
        escapes: literal.escapes,
        foreign: &literal.foreign,
    })?;
    match is_folded {
        true => Some(value),
        false => Some(value.replace("\r\n", "\n").replace('\r', "\n")),
    }
}

#[track_caller]
fn check_scalars(text: &str) {
    for (path, scalar) in scalars(&read(text).roots, text) {
        let literal = &text[range(scalar.literal)];
        let opening = match scalar.style {
            ScalarStyle::SingleQuoted => "'",
            ScalarStyle::DoubleQuoted => "\"",
            ScalarStyle::Literal => "|",
            ScalarStyle::Folded => ">",
            ScalarStyle::Plain => "",
        };
        assert!(literal.starts_with(opening), "{path} in {text:?}");
        let expected = match scalar.escapes {
            Escapes::None => opening == "|",
            Escapes::Folded => opening == ">",
            Escapes::DoubleQuoted => opening == "\"",
            Escapes::Backslash => false,
            Escapes::Plain { .. } => opening.is_empty(),
            Escapes::DoubledApostrophe => opening == "'",
        };
        assert!(expected, "{path} in {text:?}");
        if let Some(decoded) = decoded(text, scalar) {
            let value = scalar.value(text);
            let value = value.strip_suffix('\n').unwrap_or(value);
            let decoded = decoded.strip_suffix('\n').unwrap_or(&decoded);
            // The parser sees a blank in place of a tab after a colon.
            let decoded = decoded.replace(":\t", ": ");
            assert_eq!(decoded, value.replace(":\t", ": "), "{path} in {text:?}");
        }
    }
}

#[test]
fn scalars_that_begin_with_a_colon() {
    for text in [
        "a: : b\n",
        "a: : '\n",
        "- : b\n",
        "a:\n  : b\n",
        "a: [: b]\n",
        "a: &x : b\n",
        "a: :\n b\n",
        "a: : b\n\n c\n d\n",
    ] {
        check_scalars(text);
    }
}

proptest! {
    #[test]
    fn scalars_stand_where_their_values_are(text in "(([a-c]: ?|  - |  |- |\\? )(\\||>|\\|2|>-|\\|\\+|[\"']?[a-c😀:'#\\\\ -]{0,6}[\"']?)( #x)?(\r?\n *[a-c ]{0,4}){0,3}\r?\n){1,6}") {
        check_scalars(&text);
    }

    #[test]
    fn escapes_are_those_of_yaml(text in "(a: \"([a-c sUN/]|\\\\?\n {1,2}|\\\\([0abtnvfre \"/\\\\N_LP]|x4[0-9a-f]|u00[a-f][0-9a-f]|U0001[fF]6[0-9]{2})){0,8}\"\n){1,2}") {
        check_scalars(&text);
    }

    #[test]
    fn any_text_is_read(text in "[-a: \n\r\t\"'|>&*!{}\\[\\],#?%@😀.\\\\0-9]{0,60}") {
        check_scalars(&text);
    }
}

#[test]
fn fixtures() {
    check_fixtures("yaml/test_data");
}

const PIECES: &[&str] = &[
    "signature: ",
    "$",
    "prompt: |\n  ",
    "\n",
    "\n- ",
    ": ",
    "\"",
    "'",
    "tools:\n  a: ",
    "{",
    "}",
    "[",
    "]",
    " # ",
    "\n\n",
    "  ",
    "\t",
    "😀",
    "---\n",
    "(a :int) -> :int",
    "(a :int, b :int) -> [:int]",
    ", ",
    "\r\n",
    "&x ",
    "*x",
    "\n  - ",
    "agents:\n  - ",
    "\n  b:\n    ",
    "agents:\n  a:\n    ",
    "spec:\n  agents:\n    - ",
    "\n    - ",
    "\n    c:\n      - ",
    "\n  <<: *x",
    "\n  \"prompt\": ",
    "    ",
    "\n---\n",
];

const TEXTS: &[&str] = &[
    include_str!("test_data/ok/agents.yaml"),
    include_str!("test_data/ok/styles.yml"),
    include_str!("test_data/ok/workflow.yml"),
    "a: {signature: (a :int, b :int) -> :int, prompt: '{{a}}'}\nb:\n- {\"signature\": (c {d :int}) -> [:int]\n  }\nc:\n  prompt: |\n    Write {signature: (e :int, f :int) -> :int}.\n",
    "# one\nbase: &b\n  signature: (a :int) -> :int\nuse: *b\nsignature: '(x :int) -> :int'\nprompt: |\n  Hi {{x}}\n\nopen: [a\nprompt: ${{ y }}\ntools:\n- signature: (b :int) -> :int\n  name: c\nd:\n  <<: *b\n  prompt: e\n---\n- prompt: f\n  signature: (g :int) -> :int\n- *h\n-\n  prompt: \"i\"\n--- # j\nk: 1\nprompt: l\n...\n",
    "signature: (a :int) -> :int\nagents: # all\n\n  # one\n  - name: a\n    signature: (b :int) -> :int\n    prompt: |\n      -      {{b}}\n  # two\n  - &c\n    prompt: \"Hi\n      {{c}}\"\n    tools:\n      - name: t\n        signature: (d :int)\n  -\n         - e\n  - *c\nlist:\n- signature: ':int'\n- prompt: {{f}}\n  signature: (f :int) -> :int\n- g\ntools:\n  - name: h\n  - name:      h\ncontext:\n  - 1\n  - 2\nlast: x\n",
    "signature: ':int'\nagents: # all\n\n  a: # one\n    signature: (b :int) -> :int\n    prompt: |\n      a:\n        {{b}}\n  # two\n  b: &b\n    prompt: {{c}}\n  c:\n    prompt: 'Hi\n      {{d}}'\n    tools:\n      t:\n        signature: (d :int)\n  d:\n  - signature: (b :int)\n  e:\n    f: *b\n  name: x\n  f:\n    prompt: {{c}}\n  signature: (z :int)\nlast: x\n",
    "kind: X\nspec: # all\n  version: 1\n  agents:\n    # one\n    - name: a\n      signature: (b :int) -> :int\n      prompt: |\n        - {{b}}\n        c: d\n    # two\n    - steps:\n        - run: x\n        - signature: (q :string) -> :map\n          nested:\n            - x\n            - y: \"z\"\n      id: 1\n      prompt: {{e}}\n    - steps: []\n  groups:\n  - f:\n      g:\n        prompt: {{h}}\n      i:\n        prompt: 'Hi\n          {{j}}'\n  -\n    prompt: k\n  - signature: (l :int)\n  prompt: {{m}}\n  more:\n    n:\n      signature: (o :int)\n  signature: (m :int) -> :int\nlast: x\n",
    "- hosts: all\n  tasks:\n    - signature: (a :int) -> :int\n      prompt: {{a}}\n    - b:\n        - prompt: {{c}}\n        - prompt: {{d}}\n      name: t\n      prompt: {{e}}\n  vars:\n    f:\n      tools:\n        t: (g :int)\n    h:\n      context:\n        i: 1\n  prompt: {{j}}\n- name: x\n  k:\n  - prompt: {{l}}\n  - prompt: {{m}}\n  signature: (n :int)\n-   o:\n      - signature: (p :int)\n    prompt: q\n",
    "a: &x\n  b:\n    - signature: (c :int)\n    - prompt: {{d}}\ne:\n  f:\n    - *x\n    - <<: *y\n      prompt: {{g}}\n    - &y\n      signature: (h :int)\n  <<: *x\n  prompt: {{i}}\n  \"j\":\n    - prompt: {{k}}\n  l m:\n    - prompt: {{n}}\n---\ne: 1\nprompt: {{a}}\n--- {}\n---\nf:\n  g:\n  - *y\n  - prompt: {{h}}\n",
];

/// What is around the items of a long list or mapping: the lines before them, and their indentation.
const LAYOUTS: &[(&str, &str)] = &[
    ("version: 1\nagents:\n", ""),
    ("version: 1\nagents:\n", "  "),
    ("spec:\n  agents:\n", "  "),
    ("spec:\n  version: 1\n  agents:\n  - b\n  more:\n", "  "),
    ("spec:\n  - version: 1\n    agents:\n", "    "),
    ("- version: 1\n  agents:\n", "  "),
    (
        "a:\n    b:\n        c:\n            agents:\n",
        "              ",
    ),
];

/// An item of `lines`, a text with many of them in that layout, and the start of one in the middle.
fn items((around, indent): (&str, &str), lines: &[&str]) -> (String, String, usize) {
    let item: String = lines
        .iter()
        .map(|line| format!("{indent}  {line}\n"))
        .collect();
    let string = format!("{around}{}last: x\n", item.repeat(200));
    let start = string.find(&item).expect("an item") + 100 * item.len();
    (item, string, start)
}

/// Types each of `keys` at each place of an item in the middle of a list or mapping and deletes it.
#[test]
fn edits_under_a_key_look_at_few_items() {
    for layout in LAYOUTS {
        for head in [&["- name: a"][..], &["a:", "  name: a"]] {
            let more = [
                "  signature: \"(topic :string) -> :int\"",
                "  prompt: Find {{topic}}",
                "  tags: [a, b]",
            ];
            let (item, string, start) = items(*layout, &[head, &more].concat());
            let mut text = Text::from(&*string);
            let mut document = HostDocument::parse(HostKind::Yaml, &text, &Roles::default());
            for at in start..start + item.len() {
                for key in ["x", ":", "-", "[", "\"", " "] {
                    let insert = TextEdit::insert(size(at), key);
                    let remove = TextEdit::delete(TextRange::at(size(at), TextSize::of(key)));
                    for edit in [insert, remove] {
                        text.apply(&edit);
                        let change = document.edit(&text, &edit);
                        let place = format!("{key:?} at {} of {head:?} in {layout:?}", at - start);
                        assert!(
                            change.removed.len() <= 4 && change.inserted <= 4,
                            "{place}: {change:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Edits the border between two of many documents and undoes it.
#[test]
fn an_edit_of_a_border_looks_at_the_documents_around_it() {
    let item = "---\nname: a\nsignature: \"(topic :string) -> :int\"\nprompt: Find {{topic}}\n";
    let string = item.repeat(200);
    let start = 100 * item.len();
    for (at, old, new) in [
        (0, "", "{"),
        (0, "", "x"),
        (0, "---\n", ""),
        (0, "---\n", "a: 1\n"),
        (1, "", "-"),
        (3, "", "q"),
        (3, "", "\n...\n---"),
        (4, "", "---\n"),
        (12, "", "---\n"),
    ] {
        let mut text = Text::from(&*string);
        let mut document = HostDocument::parse(HostKind::Yaml, &text, &Roles::default());
        let edit = TextRange::at(size(start + at), TextSize::of(old));
        let undo = TextRange::at(edit.start(), TextSize::of(new));
        for edit in [TextEdit::replace(edit, new), TextEdit::replace(undo, old)] {
            text.apply(&edit);
            let change = document.edit(&text, &edit);
            assert!(
                change.removed.len() <= 4 && change.inserted <= 4,
                "{edit:?}: {change:?}"
            );
        }
    }
}

/// Breaks a line of an item in the middle of a list or mapping in a word, whose rest then is a key at the margin.
#[test]
fn a_key_at_the_margin_ends_no_list_or_mapping() {
    let heads = [&["- name: a"][..], &["a:", "  name: a"]];
    let layouts = LAYOUTS
        .iter()
        .filter(|(around, _)| !around.starts_with('-'));
    for (layout, head) in layouts.flat_map(|it| heads.map(|head| (it, head))) {
        let more = [
            "  signature: \"(topic :string) -> :int\"",
            "  prompt: >",
            "    Find {{topic}}",
            "    before 22:00, in {{topic}}: all.",
            "  limits: {turns: 5, tags: [a, 'b', \"c\"]}",
            "  model: x",
        ];
        let (item, string, start) = items(*layout, &[head, &more].concat());
        for word in [
            "nature",
            "efore",
            "n {{topic}}: ",
            "imits",
            "ags",
            "odel",
            "ame",
        ] {
            let at = size(start + item.find(word).expect("a word"));
            let mut text = Text::from(&*string);
            let mut document = HostDocument::parse(HostKind::Yaml, &text, &Roles::default());
            let count = document.units().len();
            let insert = TextEdit::insert(at, "\n");
            let remove = TextEdit::delete(TextRange::at(at, TextSize::from(1)));
            for (edit, lost) in [(insert, 1), (remove, 0)] {
                text.apply(&edit);
                let change = document.edit(&text, &edit);
                assert!(
                    change.removed.len() <= 4 && change.inserted <= 4,
                    "{word} {head:?} in {layout:?}"
                );
                assert!(
                    document.units().len() + lost >= count,
                    "{word} {head:?} in {layout:?}"
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn an_edit_leads_to_what_a_full_parse_finds(
        text in proptest::sample::select(TEXTS),
        edits in any_edits(PIECES),
    ) {
        check_edits(HostKind::Yaml, text, &edits);
    }
}

/// Whether more than a value is read after the edit that inserts `insert` at the first `at` of `text`.
#[track_caller]
fn reads_all(text: &str, at: &str, insert: &str) -> bool {
    let roles = Roles::default();
    let offset = text.find(at).expect("the place is in the text");
    let edit = TextEdit::insert(size(offset), insert);
    let (mut document, units) = Document::parse(text, roles.of(Notation::Yaml));
    let mut text = Text::from(text);
    text.apply(&edit);
    document
        .edit_value(&text, &edit, &mut Units::from(units))
        .is_none()
}

#[test]
fn an_edit_elsewhere_reads_only_the_entries_that_it_touches() {
    let text = "base: &b 1\nopen: [a\na:\n  prompt: '{{one}}'\nb:\n  use: *b\n  prompt: '{{two}}'\nc:\n  prompt: '{{three}}'\n---\nd:\n  prompt: '{{four}}'\n";
    for (at, insert, touched) in [
        ("b:\n", "new: 1\n", None),
        ("use", "x: 1\n  ", Some(1)),
        ("  use", "  prompt: '{{p}}'\n", Some(1)),
        ("open", "{{- if x }}\n", None),
        ("d:", "e: 1\n", None),
    ] {
        let roles = Roles::default();
        let offset = text.find(at).expect("the place is in the text");
        let edit = TextEdit::insert(size(offset), insert);
        let (mut document, units) = Document::parse(text, roles.of(Notation::Yaml));
        let mut text = Text::from(text);
        let mut units = Units::from(units);
        text.apply(&edit);
        let change = document.edit(&text, &edit, &mut units, roles.of(Notation::Yaml));
        let removed = change.map(|change| change.removed.collect::<Vec<_>>());
        assert_eq!(removed, Some(touched.into_iter().collect()), "{insert:?}");
    }
}

#[test]
fn an_alias_or_an_error_elsewhere_leaves_a_value_alone() {
    let text = "base: &b 1\nuse: *b\nopen: [a\na:\n  signature: (x :int) -> :int\n  b: *b\n";
    assert!(!reads_all(text, "x :int", "y :int, "));
}

#[test]
fn an_edit_in_a_value_reads_only_that_value() {
    let text =
        "a: 1 # one\nb:\n- signature: (x :int) -> :int\n  prompt: |\n    Hi\n\n# two\n  c: 'd'";
    for (at, insert) in [
        (" # one", "2"),
        ("x :int", "y :int, "),
        ("Hi", "Ho\n    "),
        ("'", "'e'"),
        ("d'", "\n    "),
    ] {
        assert!(!reads_all(text, at, insert), "{insert:?} before {at:?}");
    }
    let all = [
        ("a:", "b"),
        ("(x", "{"),
        ("(x", "\""),
        ("Hi", "Ho\n"),
        ("\n\n#", "\n e: f"),
        ("  c", "    x\n"),
    ];
    for (at, insert) in all {
        assert!(reads_all(text, at, insert), "{insert:?} before {at:?}");
    }
}

/// The lines of a long list are often alike.
#[test]
fn lines_of_the_same_form_share_what_is_read() {
    let lines: String = (100..200).map(|it| format!("k{it}: {it}\n")).collect();
    let text = format!("signature: (x :int) -> :int\n{lines}");
    let roles = Roles::default();
    let (document, units) = Document::parse(&text, roles.of(Notation::Yaml));
    assert_eq!(document.distinct_contents(), 2);
    assert_eq!(units.len(), 1);
    assert!(units[0].unit.arguments.is_empty());
}
