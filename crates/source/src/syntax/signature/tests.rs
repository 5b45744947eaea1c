use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::syntax::{
    error::{ErrorKind, errors},
    fragment::ForeignKind,
    too_long::is_too_long,
};

/// One line per error: its kind, and in brackets its text.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    check_fragment(Fragment::plain(text), expected);
}

#[track_caller]
fn check_fragment(fragment: Fragment<'_>, expected: &Expect) {
    let root = SyntaxNode::new_root(parse(fragment));
    assert_eq!(root.text(), fragment.text);
    let found = errors(&root).into_iter().map(|it| {
        let (start, end) = (usize::from(it.range.start()), usize::from(it.range.end()));
        format!(
            "{:?} {start}..{end} `{}`",
            it.kind,
            &fragment.text[start..end]
        )
    });
    expected.assert_eq(&found.collect::<Vec<_>>().join(" + "));
}

#[test]
fn one_mistake_makes_one_error() {
    let cases: &[(&str, Expect)] = &[
        ("", expect!["EmptySignature 0..0 ``"]),
        ("  ", expect!["EmptySignature 0..0 ``"]),
        ("-> {count :int}", expect!["MissingParams 0..2 `->`"]),
        ("=> :int", expect!["MissingParams 0..2 `=>`"]),
        ("(a :int) => :int", expect!["WrongArrow 9..11 `=>`"]),
        ("(a :int) : -> :int", expect!["Unexpected 9..10 `:`"]),
        ("(a :int) :-> :int", expect!["Unexpected 9..10 `:`"]),
        ("(a :int) → :int", expect!["WrongArrow 9..12 `→`"]),
        ("(a :int) - > :int", expect!["WrongArrow 9..12 `- >`"]),
        ("(a :int) –> :int", expect!["WrongArrow 9..13 `–>`"]),
        ("(a :int) —> :int", expect!["WrongArrow 9..13 `—>`"]),
        ("(a :int) −> :int", expect!["WrongArrow 9..13 `−>`"]),
        ("(a :int)‑>:int", expect!["WrongArrow 8..12 `‑>`"]),
        ("(a :int) – :int", expect!["WrongArrow 9..12 `–`"]),
        ("(a :int) — > :int", expect!["WrongArrow 9..14 `— >`"]),
        ("–> :int", expect!["MissingParams 0..4 `–>`"]),
        ("{a–b :int}", expect!["InvalidName 1..6 `a–b`"]),
        ("(a: int?) -> :int", expect!["ColonAfterName 2..4 `: `"]),
        (
            "(a?: int) -> :int",
            expect!["QuestionAfterName 2..3 `?` + ColonAfterName 3..5 `: `"],
        ),
        (
            "(a :int) returns :int",
            expect!["WrongArrow 9..16 `returns`"],
        ),
        ("(a :int) to {b :int}", expect!["WrongArrow 9..11 `to`"]),
        ("(a :int) count [:int]", expect!["WrongArrow 9..14 `count`"]),
        ("() and :int?", expect!["WrongArrow 3..6 `and`"]),
        (
            "(a :int) gives b :int, c :int",
            expect!["WrongArrow 9..14 `gives` + MissingBraces 15..15 ``"],
        ),
        (
            "(a :int) b :int, c :int",
            expect!["MissingArrow 8..8 `` + MissingBraces 9..9 ``"],
        ),
        (
            "(a :int, b :string 'the b') -> :int",
            expect!["CommentInSignature 19..26 `'the b'`"],
        ),
        (
            "(a :int \"don't, {or} :int\", b :int) -> :int",
            expect![[r#"CommentInSignature 8..26 `"don't, {or} :int"`"#]],
        ),
        (
            "() -> {n :int 'a', m :int `b`}",
            expect!["CommentInSignature 14..17 `'a'` + CommentInSignature 26..29 ``b``"],
        ),
        ("(a: int?) -> :int", expect!["ColonAfterName 2..4 `: `"]),
        ("(a :int): :int", expect!["WrongArrow 8..9 `:`"]),
        ("(a :int):{b :int}", expect!["WrongArrow 8..9 `:`"]),
        ("(a :int) : [:int]", expect!["WrongArrow 9..10 `:`"]),
        ("() :any", expect!["MissingArrow 2..2 ``"]),
        ("(a :int)", expect!["MissingOutput 8..8 ``"]),
        ("(a :int) ->", expect!["MissingOutput 11..11 ``"]),
        (
            "(name: string) -> :int",
            expect!["ColonAfterName 5..7 `: `"],
        ),
        (
            "(name: :string) -> :int",
            expect!["ColonAfterName 5..6 `:`"],
        ),
        (
            "(name : string) -> :int",
            expect!["SpaceAfterColon 7..8 ` `"],
        ),
        (
            "(user: {name :string}) -> :int",
            expect!["ColonAfterName 5..6 `:`"],
        ),
        ("list[string]", expect!["GenericType 0..12 `list[string]`"]),
        ("{a :int}[]", expect!["GenericType 0..10 `{a :int}[]`"]),
        ("list<string>", expect!["GenericType 0..12 `list<string>`"]),
        (
            "[list<list<int>>]",
            expect!["GenericType 1..16 `list<list<int>>`"],
        ),
        ("[string]", expect!["BareTypeWord 1..7 `string`"]),
        ("{name string}", expect!["BareTypeWord 6..12 `string`"]),
        (
            "{name string, tags list[string], id int}",
            expect![
                "BareTypeWord 6..12 `string` + GenericType 19..31 `list[string]` + BareTypeWord 36..39 `int`"
            ],
        ),
        (
            "{:id :int :name :string}",
            expect!["ColonBeforeName 1..4 `:id`"],
        ),
        (
            "{:id :int, :name :string}",
            expect!["ColonBeforeName 1..4 `:id`"],
        ),
        (
            "{:customer {:id :int :name :string}}",
            expect!["ColonBeforeName 1..10 `:customer` + ColonBeforeName 12..15 `:id`"],
        ),
        ("(a :int b :int) -> :int", expect!["MissingComma 7..7 ``"]),
        ("(a :int,, b :int) -> :int", expect!["ExtraComma 8..9 `,`"]),
        (
            "(a :int, , b :int) -> :int",
            expect!["ExtraComma 9..10 `,`"],
        ),
        ("(, a :int) -> :int", expect!["ExtraComma 1..2 `,`"]),
        (
            "(a :int and, b :int) -> :int",
            expect!["Unexpected 8..11 `and`"],
        ),
        (
            "{id: 1, name :string}",
            expect!["LoneColon 3..4 `:` + Unexpected 5..6 `1`"],
        ),
        ("(a :int,) -> :int", expect!["TrailingComma 7..8 `,`"]),
        ("{a :int; b :int}", expect!["WrongSeparator 7..8 `;`"]),
        ("(a :int -> :int", expect!["Unclosed 0..1 `(`"]),
        ("a :int) -> :int", expect!["MissingParens 0..0 ``"]),
        ("a :int, b :int -> :int", expect!["MissingParens 0..0 ``"]),
        ("a :int, b :int", expect!["MissingBraces 0..0 ``"]),
        ("(a {b :int) -> :int", expect!["Unclosed 3..4 `{`"]),
        ("(a [:int, b :string) -> :int", expect!["Unclosed 3..4 `[`"]),
        (
            "(a [:int), b :string) -> :int",
            expect!["WrongCloser 8..9 `)`"],
        ),
        ("(a :int] -> :int", expect!["WrongCloser 7..8 `]`"]),
        ("{a {b [:int}}", expect!["Unclosed 6..7 `[`"]),
        ("(a :int)) -> :int", expect!["StrayCloser 8..9 `)`"]),
        ("[]", expect!["EmptyList 1..1 ``"]),
        (
            "[:int, :string]",
            expect!["ListOfSeveral 5..14 `, :string`"],
        ),
        ("[name :string, id :int]", expect!["MissingBraces 1..1 ``"]),
        ("[:int]?", expect!["OptionalCompound 6..7 `?`"]),
        ("{a :int}?", expect!["OptionalCompound 8..9 `?`"]),
        (
            "(a :int ?) -> :int",
            expect!["SpaceBeforeQuestion 7..8 ` `"],
        ),
        (":int??", expect!["DoubledQuestion 5..6 `?`"]),
        ("(a ?:int) -> :int", expect!["QuestionBeforeType 3..4 `?`"]),
        ("(a? :int) -> :int", expect!["QuestionAfterName 2..3 `?`"]),
        (": int", expect!["SpaceAfterColon 1..2 ` `"]),
        ("::int", expect!["DoubledColon 0..1 `:`"]),
        (":{a :int}", expect!["ColonBeforeCompound 0..1 `:`"]),
        (
            "(a :: {b : [:int]}) -> : {c :int}",
            expect![
                "ColonBeforeCompound 3..6 `:: ` + ColonBeforeCompound 9..11 `: ` + ColonBeforeCompound 23..25 `: `"
            ],
        ),
        (
            "[: %{a :%[:int]}]",
            expect!["ColonBeforeCompound 1..4 `: %` + ColonBeforeCompound 7..9 `:%`"],
        ),
        ("{a: %{b :int}}", expect!["ColonBeforeCompound 2..5 `: %`"]),
        ("{a :}", expect!["LoneColon 3..4 `:`"]),
        ("{a : , b :int}", expect!["LoneColon 3..4 `:`"]),
        ("(:int) -> :int", expect!["MissingName 1..1 ``"]),
        (
            "(:int, :string) -> :int",
            expect!["MissingName 1..1 `` + MissingName 7..7 ``"],
        ),
        ("(a, b :int) -> :int", expect!["MissingType 2..2 ``"]),
        (
            "(a 'x' :int, b => :int) -> :int",
            expect!["Unexpected 3..6 `'x'` + SignAfterName 15..17 `=>`"],
        ),
        (
            "{a=:int, b |[:int]}",
            expect!["SignAfterName 2..3 `=` + Unexpected 11..12 `|`"],
        ),
        (
            "(a => ! {b :int}) -> :int",
            expect!["Unexpected 3..7 `=> !`"],
        ),
        ("(a 5 :int) -> :int", expect!["Unexpected 3..4 `5`"]),
        (
            "(a :int = None, b :int \\\\ nil) -> :int",
            expect!["Unexpected 8..14 `= None` + Unexpected 23..29 `\\\\ nil`"],
        ),
        ("{a :int=5}", expect!["Unexpected 7..9 `=5`"]),
        ("(a b :int) -> :int", expect!["MissingType 2..2 ``"]),
        ("(1st :int) -> :int", expect!["InvalidName 1..4 `1st`"]),
        (
            "(user.name :string) -> :int",
            expect!["InvalidName 1..10 `user.name`"],
        ),
        (
            "{\"name\" :string}",
            expect![[r#"InvalidName 1..7 `"name"`"#]],
        ),
        ("{é :string}", expect!["InvalidName 1..3 `é`"]),
        (":s'tring", expect!["MalformedTypeWord 0..8 `:s'tring`"]),
        (":9map", expect!["MalformedTypeWord 0..5 `:9map`"]),
        (
            "(status :enum[pending active closed]) -> {ok :bool}",
            expect!["ReservedEnum 8..36 `:enum[pending active closed]`"],
        ),
        (
            "(value :string|:int) -> {result :any}",
            expect!["ReservedUnion 7..19 `:string|:int`"],
        ),
        (
            "(page :int[>0], limit :int[1..100]) -> [{id :int}]",
            expect!["ReservedRefinement 10..14 `[>0]` + ReservedRefinement 26..34 `[1..100]`"],
        ),
        (
            "search(query :string) -> [:int]",
            expect!["NamedSignature 0..6 `search`"],
        ),
        (
            "(-> :int)",
            expect!["ExtraParens 0..1 `(` + MissingParams 1..3 `->`"],
        ),
        ("(-> :int", expect!["Unclosed 0..1 `(`"]),
        (":int -> :int", expect!["MissingParens 0..4 `:int`"]),
        ("{a :int} -> :int", expect!["MissingParens 0..8 `{a :int}`"]),
        (
            "() -> :int -> :int",
            expect!["SecondArrow 11..18 `-> :int`"],
        ),
        (
            "() -> (a :int)",
            expect!["ParenthesizedType 6..14 `(a :int)`"],
        ),
        (
            ":int rest of it",
            expect!["TrailingText 5..15 `rest of it`"],
        ),
        ("(a\u{a0}:int) -> :int", expect!["OddSpace 2..4 ` `"]),
        (
            "(a :int) -> :int ; what it is",
            expect!["CommentInSignature 17..29 `; what it is`"],
        ),
        ("}", expect!["StrayCloser 0..1 `}`"]),
        ("string", expect!["BareTypeWord 0..6 `string`"]),
        (
            "%{a: 1}",
            expect!["Unexpected 0..1 `%` + LoneColon 3..4 `:` + Unexpected 5..6 `1`"],
        ),
        ("%{a :int}", expect!["Unexpected 0..1 `%`"]),
        (
            "(a [%{b :int}]) -> %{c :int}",
            expect!["Unexpected 4..5 `%` + Unexpected 19..20 `%`"],
        ),
        (":list[:int]", expect!["GenericType 0..11 `:list[:int]`"]),
        (
            "{a :map{b :int}, c :int}",
            expect!["GenericType 3..15 `:map{b :int}`"],
        ),
        (
            "(a String.t(), b [DateTime.t()]) -> String.t()",
            expect![
                "GenericType 3..13 `String.t()` + GenericType 18..30 `DateTime.t()` + GenericType 36..46 `String.t()`"
            ],
        ),
        (
            "(a :: String.t(), b : list[int]) -> :: map{c :int}",
            expect![
                "GenericType 3..16 `:: String.t()` + GenericType 20..31 `: list[int]` + GenericType 36..50 `:: map{c :int}`"
            ],
        ),
        (
            "{a: map{b :int}}",
            expect!["ColonAfterName 2..3 `:` + GenericType 4..15 `map{b :int}`"],
        ),
        (
            "(a String.t, b :String.t) -> [: String.t]",
            expect![
                "GenericType 3..11 `String.t` + GenericType 15..24 `:String.t` + GenericType 30..40 `: String.t`"
            ],
        ),
        (
            "{a : enum[b c]}",
            expect!["ReservedEnum 3..14 `: enum[b c]`"],
        ),
        (
            "{a : int[1..2]}",
            expect!["SpaceAfterColon 4..5 ` ` + ReservedRefinement 8..14 `[1..2]`"],
        ),
        (
            "(a :int or nil, b [:int or :string]) -> :any OR [:int]",
            expect![
                "ReservedUnion 3..14 `:int or nil` + BareTypeWord 11..14 `nil` + ReservedUnion 19..34 `:int or :string` + ReservedUnion 40..54 `:any OR [:int]`"
            ],
        ),
        (
            "{a: int | :string}",
            expect!["ReservedUnion 2..17 `: int | :string` + ColonAfterName 2..4 `: `"],
        ),
        ("{a :int, or :string}", expect![[""]]),
        (
            "{'a': ':int?', b [\":int\"]}",
            expect![[
                r#"InvalidName 1..4 `'a'` + ColonAfterName 4..5 `:` + MalformedTypeWord 6..13 `':int?'` + MalformedTypeWord 18..24 `":int"`"#
            ]],
        ),
        ("String.t()", expect!["GenericType 0..10 `String.t()`"]),
        (
            "Notes.search(query :string) -> [:int]",
            expect!["NamedSignature 0..12 `Notes.search`"],
        ),
        (
            "(a :?int) -> [:?int]",
            expect!["QuestionBeforeType 4..5 `?` + QuestionBeforeType 15..16 `?`"],
        ),
        (
            "{a: ?int}",
            expect!["ColonAfterName 2..4 `: ` + QuestionBeforeType 4..5 `?`"],
        ),
        ("{a {b :int, c :string}", expect!["Unclosed 0..1 `{`"]),
        (
            "(a :int",
            expect!["Unclosed 0..1 `(` + MissingOutput 7..7 ``"],
        ),
        (
            "(user {name :string",
            expect!["Unclosed 0..1 `(` + Unclosed 6..7 `{` + MissingOutput 19..19 ``"],
        ),
        ("?", expect!["Unexpected 0..1 `?`"]),
        ("(a :int), -> {b :int}", expect!["ExtraComma 8..9 `,`"]),
        ("(a :int) ->,, {b :int}", expect!["ExtraComma 11..13 `,,`"]),
        ("(a :int), {b :int}", expect!["WrongArrow 8..9 `,`"]),
        (
            "(a :int),",
            expect!["ExtraComma 8..9 `,` + MissingOutput 9..9 ``"],
        ),
        ("(a :int). -> {b :int}", expect!["Unexpected 8..9 `.`"]),
        ("(a :int) ;-> {b :int}", expect!["Unexpected 9..10 `;`"]),
        ("(a :int)? -> {b :int}", expect!["Unexpected 8..9 `?`"]),
        (
            "(a :int) returns -> :int",
            expect!["Unexpected 9..16 `returns`"],
        ),
        ("-> (a :int) -> :int", expect!["Unexpected 0..2 `->`"]),
        (
            "(a :int, // one\n b :int /* two */) -> :int",
            expect!["CommentInSignature 9..15 `// one` + CommentInSignature 24..33 `/* two */`"],
        ),
        (
            "(a :int) -> :int /* never closed",
            expect!["CommentInSignature 17..32 `/* never closed`"],
        ),
        (
            "async def f(a :int) -> :int",
            expect!["NamedSignature 0..11 `async def f`"],
        ),
        (
            "(a :list of :int, b optional int) -> list of lists of {c :int}",
            expect![
                "GenericType 3..16 `:list of :int` + GenericType 20..32 `optional int` + GenericType 37..62 `list of lists of {c :int}`"
            ],
        ),
        ("{list :int, of :int, optional :int}", expect![[""]]),
        (
            "{:b => :int :c => %{d = int}}",
            expect![
                "ColonBeforeName 1..3 `:b` + SignAfterName 4..6 `=>` + SignAfterName 15..19 `=> %` + SignAfterName 22..23 `=` + BareTypeWord 24..27 `int`"
            ],
        ),
        (
            "{\"a\": \"int\", b 'string'}",
            expect![[
                r#"InvalidName 1..4 `"a"` + ColonAfterName 4..5 `:` + MalformedTypeWord 6..11 `"int"` + MalformedTypeWord 15..23 `'string'`"#
            ]],
        ),
    ];
    for (text, expected) in cases {
        check(text, expected);
    }
}

#[test]
fn escapes_are_their_characters() {
    let fragment = |text| Fragment {
        text,
        escapes: Escapes::Backslash,
        foreign: &[],
    };
    check_fragment(fragment(r"(a :int)\n\t-> :int\n"), &expect![[""]]);
    check_fragment(fragment("(a :int) \\\r\n -> :int"), &expect![[""]]);
    check_fragment(fragment(r"(a\u{41} :int) -> :int"), &expect![[""]]);
    check_fragment(
        fragment(r"(a\u003aint) =\u003e \u003aint\u003f"),
        &expect![["WrongArrow 13..20 `=\\u003e`"]],
    );
    check_fragment(fragment(r"(a :string\u0020) -\u003e :int"), &expect![[""]]);
    check_fragment(
        fragment(r"(a :int\ud83d) -> :int"),
        &expect![["MalformedTypeWord 3..13 `:int\\ud83d`"]],
    );
    check_fragment(
        fragment(r"(a list\u003cint\u003e) -> :int"),
        &expect![["GenericType 3..22 `list\\u003cint\\u003e`"]],
    );
    check(
        r"(a :int)\n-> :int",
        &expect![[r"Unexpected 8..11 `\n-` + WrongArrow 11..12 `>`"]],
    );
}

#[test]
fn an_interpolation_matches_anything() {
    let silent = [
        "(#{params}) -> :int",
        "#{signature}",
        "(a :#{type}) -> :int",
        "(a :int) #{arrow} :int",
        "{a :int#{rest}}",
        "{#{name} :int, b_#{x} [:int]}",
        "(a :int, #{rest} -> :int",
        "[#{a}",
    ];
    for text in silent {
        let root = SyntaxNode::new_root(parse(Fragment {
            text,
            escapes: Escapes::Backslash,
            foreign: &holes(text),
        }));
        assert_eq!(errors(&root), [], "{text}");
    }
    let text = "(a : int, b #{type}) -> [:int]?";
    let found = expect![["SpaceAfterColon 4..5 ` ` + OptionalCompound 30..31 `?`"]];
    check_fragment(
        Fragment {
            text,
            escapes: Escapes::Backslash,
            foreign: &holes(text),
        },
        &found,
    );
}

/// The lines of a heredoc are lexed one by one, without the margins between them.
#[test]
fn a_comment_goes_on_after_a_margin() {
    let text = "(a :int /* one\n  two :int,\n  three */) -> :int";
    let margins = ["  two", "  three"].map(|line| {
        let start = crate::text::size(text.find(line).unwrap());
        Foreign {
            range: TextRange::at(start, 2.into()),
            kind: ForeignKind::Margin,
        }
    });
    let fragment = Fragment {
        text,
        escapes: Escapes::None,
        foreign: &margins,
    };
    let root = SyntaxNode::new_root(parse(fragment));
    let found = errors(&root).into_iter().map(|it| &text[it.range]);
    let found: Vec<_> = found.collect();
    assert_eq!(found, ["/* one\n", "two :int,\n", "three */"]);
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
        let range = TextRange::new(crate::text::size(start), crate::text::size(at));
        holes.push(Foreign {
            range,
            kind: ForeignKind::Hole,
        });
    }
    holes
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{}:int{}", "{a ".repeat(depth), "}".repeat(depth));
    check(&nested(300), &expect![[""]]);
    let lists = |depth: usize| format!("{}:int{}", "[".repeat(depth), "]".repeat(depth));
    check(&lists(MAX_DEPTH), &expect![[""]]);
    for text in [
        nested(100_000),
        lists(100_000),
        "[".repeat(100_000),
        "(a {b ".repeat(50_000),
        "]".repeat(100_000),
    ] {
        let root = SyntaxNode::new_root(parse(Fragment::plain(&text)));
        assert_eq!(root.text(), text.as_str());
        assert!(!errors(&root).is_empty());
    }
}

/// Texts of meaningful pieces, well formed or not.
fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

fn piece() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "?",
        "->",
        "=>",
        "–>",
        "|",
        " or ",
        "nil",
        " ",
        "\n",
        "a",
        "user-name ",
        "_x ",
        ":int",
        ":string?",
        " :strng",
        "{a :int}",
        "[:int]",
        "(a :int) -> ",
        "enum[",
        "list[",
        "A.t()",
        "%",
        "9",
        "é",
        "\u{a0}",
        "\\",
        "\\n",
        "\"",
        "; x",
        "/*",
        "'x",
        "y'",
        "*/",
        "//",
        "list ",
        "of ",
        "optional ",
        "= ",
        "def ",
        "😀",
        "#{x}",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The tree after an edit, including its errors, equals that of a full parse.
    #[test]
    fn reparse_equals_parse(text in texts(), edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_usize, piece()), 1..6)) {
        let mut text = text;
        let mut green = parse(Fragment { text: &text, escapes: Escapes::Backslash, foreign: &holes(&text) });
        for (at, len, insert) in edits {
            let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let start = at.index(boundaries.len());
            let end = (start + len).min(boundaries.len() - 1);
            let range = TextRange::new(crate::text::size(boundaries[start]), crate::text::size(boundaries[end]));
            let change = TextEdit::replace(range, insert);
            change.apply(&mut text);
            let foreign = holes(&text);
            let fragment = Fragment { text: &text, escapes: Escapes::Backslash, foreign: &foreign };
            green = edit(&green, &change, fragment);
            let full = parse(fragment);
            prop_assert_eq!(&green, &full, "{:?}", text);
            prop_assert_eq!(SyntaxNode::new_root(green.clone()).text().to_string(), text.clone());
        }
    }
}

/// What is beside closed brackets, often with a quote in it.
fn beside() -> impl Strategy<Value = String> {
    let few = || proptest::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat());
    let quote = proptest::sample::select(vec!["", "\""]);
    (few(), quote, few()).prop_map(|(before, quote, after)| before + quote + &after)
}

/// The contents of closed brackets: more of one piece than any limit of a search, or brackets as deep as the limit.
fn closed_contents() -> impl Strategy<Value = String> {
    let piece = piece().prop_filter("an unpaired bracket", |it| {
        !it.contains(['(', ')', '[', ']', '{', '}'])
            || matches!(*it, "{a :int}" | "[:int]" | "A.t()" | "#{x}")
    });
    let long =
        (piece, prop_oneof![0..4_usize, 60..300_usize]).prop_map(|(it, count)| it.repeat(count));
    let deep = (MAX_DEPTH - 4..MAX_DEPTH + 2)
        .prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    let contents = proptest::collection::vec(long, 0..3).prop_map(|it| it.concat());
    prop_oneof![9 => contents, 1 => deep]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// What is in closed brackets matters to nothing around them, however much it is.
    #[test]
    fn the_contents_of_brackets_stay_in_them(
        (before, after) in (beside(), beside()),
        brackets in proptest::sample::select(vec![["(", ")"], ["[", "]"], ["{", "}"]]),
        (old, new) in (closed_contents(), closed_contents()),
    ) {
        let [open, close] = brackets;
        let start = before.len() + open.len();
        let text = |contents: &str| format!("{before}{open}{contents}{close}{after}");
        let (before, after) = (text(&old), text(&new));
        let (before_holes, after_holes) = (holes(&before), holes(&after));
        let fragment = |text, foreign| Fragment { text, escapes: Escapes::Backslash, foreign };
        let range = TextRange::at(crate::text::size(start), crate::text::size(old.len()));
        let change = TextEdit::replace(range, new.clone());
        let edited = edit(&parse(fragment(&before, &before_holes)), &change, fragment(&after, &after_holes));
        prop_assert_eq!(edited, parse(fragment(&after, &after_holes)), "{:?}", after);
    }
}

/// An edit inside of brackets reparses only those brackets.
#[test]
fn reparse_is_local() {
    let before = "(user {name :string, id :int}) -> [{id :int}]";
    let at = crate::text::size(before.find("string").unwrap());
    let change = TextEdit::insert(at, "x");
    let grammar = SignatureGrammar {
        escapes: Escapes::None,
        foreign: &[],
    };
    let reparsed = reparse(&grammar, &parse(Fragment::plain(before)), &change).unwrap();
    assert_eq!(reparsed.range, TextRange::new(6.into(), 30.into()));
}

#[test]
fn a_text_that_is_too_long_is_one_error() {
    for escapes in [Escapes::None, Escapes::Backslash] {
        let long = format!("\n({}) -> :int", "a :int, \n".repeat(LONGEST));
        let tree = SyntaxNode::new_root(parse(Fragment {
            escapes,
            ..Fragment::plain(&long)
        }));
        assert_eq!(tree.text(), &*long);
        let found = errors(&tree);
        let [error] = &*found else {
            panic!("{found:?}");
        };
        assert_eq!(error.kind, ErrorKind::TooLong);
        assert_eq!(&long[error.range], "(a :int, ");
    }
}

/// A text that an edit makes too long is not parsed, and one that it makes short enough is.
#[test]
fn an_edit_reaches_the_longest_length_and_leaves_it() {
    let list = "a :int, ".repeat((LONGEST - 20) / 8);
    let short = format!("(a {{{list}b :int}}) -> :int");
    assert!(short.len() <= LONGEST && short.len() + 40 > LONGEST);
    let change = TextEdit::insert(5.into(), "x".repeat(40));
    let mut long = short.clone();
    change.apply(&mut long);
    let fragment = Fragment::plain(&long);
    let green = edit(&parse(Fragment::plain(&short)), &change, fragment);
    assert_eq!(green, parse(fragment));
    assert!(is_too_long(&SyntaxNode::new_root(green.clone())));
    let back = TextEdit::delete(TextRange::new(5.into(), 45.into()));
    let green = edit(&green, &back, Fragment::plain(&short));
    assert_eq!(green, parse(Fragment::plain(&short)));
}
