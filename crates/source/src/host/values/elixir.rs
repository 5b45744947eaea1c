//! Elixir terms as values.
//!
//! Values that are only known at run time are [`ValueKind::Dynamic`]: variables, calls, operators, interpolations. So
//! are terms without a counterpart: tuples, structs, charlists.

use crate::{
    host::{
        elixir::{contract::each_item, literal::literal},
        foreign,
        token_tree::{Element, Kind, range_of},
    },
    syntax::fragment::{Escapes, Fragment},
    text::{TextRange, TextSize},
    value::{Datetime, Entry, Key, Value, ValueKind},
};

use super::{LONG, MAX_DEPTH, inside, number, text_of};

#[cfg(test)]
fn read(text: &str) -> Option<Value> {
    use crate::host::{elixir::Elixir, token_tree};

    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    let elements: Vec<_> = root
        .elements()
        .filter(|it| !it.kind().is_trivia())
        .collect();
    value(&elements)
}

/// The term in `elements`; `None` if there are none.
///
/// A keyword list is a map if it is the whole term; otherwise it is a list of pairs, which types cannot distinguish
/// from other lists.
pub fn value(elements: &[Element<'_>]) -> Option<Value> {
    let range = range_of(elements)?;
    if let [list] = elements
        && let Some(entries) = keyword_list(list)
    {
        return Some(Value::new(ValueKind::map(entries), range));
    }
    Some(term(elements, 0))
}

fn term(elements: &[Element<'_>], depth: usize) -> Value {
    let range = range_of(elements).unwrap_or_default();
    let kind = match elements {
        _ if depth > MAX_DEPTH => ValueKind::Dynamic,
        [only] => single(only, depth),
        [sign, digits] if is_sign(sign) && digits.kind() == Kind::Number => {
            negated_if(sign.text() == "-", digits.text())
        }
        [percent, braces] if percent.text() == "%" && braces.kind() == Kind::Braces => {
            map(braces, depth).map_or(ValueKind::Dynamic, ValueKind::map)
        }
        _ => ValueKind::Dynamic,
    };
    Value::new(kind, range)
}

fn is_sign(element: &Element<'_>) -> bool {
    element.kind() == Kind::Operator && matches!(element.text(), "-" | "+")
}

fn negated_if(is_negative: bool, digits: &str) -> ValueKind {
    let sign = if is_negative { "-" } else { "" };
    match number(digits) {
        ValueKind::Int(int) if is_negative => ValueKind::Int(-int),
        ValueKind::BigInt(_) => number(&format!("{sign}{digits}")),
        ValueKind::Float(float) if is_negative => ValueKind::Float(-float),
        other => other,
    }
}

fn single(element: &Element<'_>, depth: usize) -> ValueKind {
    let known = match element.kind() {
        Kind::Number => Some(number(element.text())),
        Kind::Symbol => match element.text() {
            "nil" | "true" | "false" => Some(atom(element.text())),
            _ => None,
        },
        Kind::Atom => element.text().strip_prefix(':').map(atom),
        Kind::QuotedAtom => text_of(element, Escapes::Backslash).map(|name| atom(&name)),
        Kind::String => text_of(element, Escapes::Backslash).map(ValueKind::string),
        Kind::Heredoc => heredoc(element).map(ValueKind::string),
        Kind::Sigil => sigil(element),
        Kind::Brackets => list(element, depth),
        Kind::Parens => {
            inside(element).map(|elements| term(&elements, depth.saturating_add(1)).kind)
        }
        _ => None,
    };
    known.unwrap_or(ValueKind::Dynamic)
}

fn atom(name: &str) -> ValueKind {
    match name {
        "nil" => ValueKind::Null,
        "true" => ValueKind::Bool(true),
        "false" => ValueKind::Bool(false),
        _ => ValueKind::Keyword(name.into()),
    }
}

fn heredoc(element: &Element<'_>) -> Option<String> {
    let literal = literal(element);
    let text = element.full_text();
    let content = literal.content - element.range.start();
    let fragment = Fragment {
        text: &text[content],
        escapes: literal.escapes,
        foreign: &literal.foreign,
    };
    let is_known = element.is_closed() && !fragment.has_holes();
    is_known.then(|| foreign::shown(fragment, &text[content.end().into()..]))
}

fn sigil(element: &Element<'_>) -> Option<ValueKind> {
    let open = element.elements().next()?;
    let has_modifiers = element.elements().last()?.text().len() > 1;
    let name = open.text().strip_prefix('~').filter(|_| !has_modifiers)?;
    match name.get(..name.len().checked_sub(1)?)? {
        "s" => text_of(element, Escapes::Backslash).map(ValueKind::string),
        "S" => text_of(element, Escapes::None).map(ValueKind::string),
        "U" => {
            let text = text_of(element, Escapes::None)?;
            let datetime = Datetime::parse(&text).ok()?;
            Some(ValueKind::Datetime(Box::new(datetime)))
        }
        _ => None,
    }
}

fn items<'s, 't>(elements: &'s [Element<'t>]) -> impl Iterator<Item = &'s [Element<'t>]> {
    let items = elements.split(|it| it.kind() == Kind::Comma);
    items.filter(|item| !item.is_empty())
}

fn list(element: &Element<'_>, depth: usize) -> Option<ValueKind> {
    let elements = inside(element)?;
    let is_special = |it: &Element<'_>| {
        matches!(it.kind(), Kind::Key | Kind::QuotedKey) || matches!(it.text(), "|" | "<-" | "=>")
    };
    if elements.iter().any(is_special) {
        return None;
    }
    let items = items(&elements).map(|item| term(item, depth + 1));
    Some(ValueKind::List(items.collect()))
}

fn keyword_list(list: &Element<'_>) -> Option<Vec<Entry>> {
    let elements = inside(list).filter(|_| list.kind() == Kind::Brackets)?;
    let is_pair = |item: &[Element<'_>]| matches!(item[0].kind(), Kind::Key | Kind::QuotedKey);
    let all_pairs = items(&elements).all(is_pair) && !elements.is_empty();
    all_pairs.then(|| items(&elements).map(|item| entry(item, 0)).collect())
}

/// The entries between the braces of `%{…}`; `None` if it updates another map.
fn map(braces: &Element<'_>, depth: usize) -> Option<Vec<Entry>> {
    if !braces.is_closed() || braces.elements().any(|it| it.text() == "|") {
        return None;
    }
    let mut entries = Vec::new();
    if braces.range.len() >= LONG {
        // One place too many would move all of them in the end.
        let mut count = 0;
        each_item(braces, &mut |item| count += usize::from(!item.is_empty()));
        entries.reserve_exact(count);
    }
    // A list of all elements takes more room than the entries.
    each_item(braces, &mut |item| {
        if !item.is_empty() {
            entries.push(entry(item, depth));
        }
    });
    Some(entries)
}

fn entry(item: &[Element<'_>], depth: usize) -> Entry {
    let arrow = item.iter().position(|it| it.text() == "=>");
    let (key, value) = match (item, arrow) {
        (_, Some(at)) => (key(&item[..at]), &item[at + 1..]),
        ([first, value @ ..], None) if matches!(first.kind(), Kind::Key | Kind::QuotedKey) => {
            (key(&item[..1]), value)
        }
        _ => (key(item), &[][..]),
    };
    // A missing key or value has a place too.
    let whole = range_of(item).unwrap_or_default();
    let value = match value {
        [] => Value::new(ValueKind::Dynamic, TextRange::empty(whole.end())),
        value => term(value, depth + 1),
    };
    Entry {
        key: key.unwrap_or(Key {
            name: None,
            range: TextRange::empty(whole.start()),
            is_atom: false,
        }),
        value,
    }
}

/// A key; its place is that of the name, without quotes and colons.
fn key(elements: &[Element<'_>]) -> Option<Key> {
    let range = range_of(elements)?;
    let [only] = elements else {
        return Some(Key {
            name: None,
            range,
            is_atom: false,
        });
    };
    let (name, before, following) = match only.kind() {
        Kind::Key => (only.text().strip_suffix(':').map(str::to_owned), 0, 1),
        Kind::QuotedKey => (text_of(only, Escapes::Backslash), 1, 2),
        Kind::String => (text_of(only, Escapes::Backslash), 1, 1),
        Kind::QuotedAtom => (text_of(only, Escapes::Backslash), 2, 1),
        Kind::Atom => (only.text().strip_prefix(':').map(str::to_owned), 1, 0),
        _ => (None, 0, 0),
    };
    let (start, end) = (
        range.start() + TextSize::from(before),
        range.end() - TextSize::from(following),
    );
    let range = match name {
        Some(_) => TextRange::new(start, end),
        None => range,
    };
    Some(Key {
        name: name.map(Into::into),
        range,
        is_atom: only.kind() != Kind::String,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{host::values::testing::dump, value::json};

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let value = read(text).expect("a term");
        expected.assert_eq(&dump(text, &value));
    }

    #[test]
    fn what_is_not_written_yet_has_a_place() {
        check(
            "%{a: }",
            expect![[r#"
            map "%{a: }"
              "a" = Dynamic ""
        "#]],
        );
        check(
            "%{a: , \"b\" => , => 1}",
            expect![[r#"
            map "%{a: , \"b\"…"
              "a" = Dynamic ""
              "b" = Dynamic ""
              ? = Int(1) "1"
        "#]],
        );
    }

    #[test]
    fn every_form_of_a_term() {
        check(
            r##"%{
  int: 1_000, neg: -7, hex: 0x1F, big: 99999999999999999999, least: -9223372036854775808, float: -1.5e3,
  "text" => "a\n\"b\" é", :atom => :ok, "quoted key": :"a b", nil: nil, yes: true, no: :false,
  list: [1, "a", [nil],], empty: %{}, none: [], at: ~U[2026-05-03 09:14:00Z], raw: ~S(a\n), low: ~s(a\n),
  paren: (1), # a comment
  heredoc: """
    one
      two
    """
}"##,
            expect![[r#"
                map "%{\n  int: …"
                  "int" = Int(1000) "1_000"
                  "neg" = Int(-7) "-7"
                  "hex" = Int(31) "0x1F"
                  "big" = BigInt(BigInt("99999999999999999999")) "9999999999…"
                  "least" = Int(-9223372036854775808) "-922337203…"
                  "float" = Float(-1500.0) "-1.5e3"
                  "text" = String("a\n\"b\" é") "\"a\\n\\\"b\\\" …"
                  "atom" = Keyword("ok") ":ok"
                  "quoted key" = Keyword("a b") ":\"a b\""
                  "nil" = Null "nil"
                  "yes" = Bool(true) "true"
                  "no" = Bool(false) ":false"
                  "list" = list "[1, \"a\", […"
                    Int(1) "1"
                    String("a") "\"a\""
                    list "[nil]"
                      Null "nil"
                  "empty" = map "%{}"
                  "none" = list "[]"
                  "at" = datetime 2026-05-03T09:14:00Z "~U[2026-05…"
                  "raw" = String("a\\n") "~S(a\\n)"
                  "low" = String("a\n") "~s(a\\n)"
                  "paren" = Int(1) "(1)"
                  "heredoc" = String("one\n  two\n") "\"\"\"\n    on…"
            "#]],
        );
    }

    #[test]
    fn a_heredoc_is_read_without_its_margin() {
        let text = "\"\"\"\n  one \\\n    two\\s\n\n  \\\"\"\"\n  \"\"\"";
        let value = read(text).expect("a term");
        let expected = "one   two \n\n\"\"\"\n".to_owned();
        assert_eq!(value.kind, ValueKind::string(expected));
    }

    #[test]
    fn what_is_put_together_at_run_time_is_dynamic() {
        for text in [
            "x",
            "f(1)",
            "1 + 2",
            "\"a#{b}\"",
            "%User{id: 1}",
            "{:ok, 1}",
            "'abc'",
            "~w(a b)",
            "%{old | a: 1}",
            "[head | tail]",
            "[1, 2] ++ rest",
            "&f/1",
            "fn -> 1 end",
            "@attr",
            "Mod.Name",
            "\"open",
            "%{a: 1",
            "~s(a)c",
            "~D[2026-01-01]",
            "~U[nonsense]",
            ":\"a#{b}\"",
            "?a",
            "- x",
            "[[a: 1]] ++ x",
            "not true",
        ] {
            assert_eq!(read(text).expect(text).kind, ValueKind::Dynamic, "{text}");
        }
        check(
            r##"%{a: x, f(y) => 1, "k#{z}" => 2, b: [c: 1], broken}"##,
            expect![[r##"
                map "%{a: x, f(…"
                  "a" = Dynamic "x"
                  ? = Int(1) "1"
                  ? = Int(2) "2"
                  "b" = Dynamic "[c: 1]"
                  ? = Dynamic ""
            "##]],
        );
        assert!(read(" # nothing\n").is_none());
    }

    #[test]
    fn a_keyword_list_that_is_all_is_a_map() {
        let text = "[a: 1, \"b c\": :d]";
        let same = json::read(r#"{"a": 1, "b c": 0}"#).expect("JSON");
        let value = read(text).expect("a term");
        assert_eq!(value.get("a"), same.get("a"));
        assert_eq!(
            value.get("b c").map(|it| &it.kind),
            Some(&ValueKind::Keyword("d".into()))
        );
    }

    #[test]
    fn the_place_of_a_key_is_that_of_its_name() {
        let text = r#"%{:a => 1, "b" => 2, :"c" => 4, "d": 5, e: 6}"#;
        let Some(Value {
            kind: ValueKind::Map(entries),
            ..
        }) = read(text)
        else {
            panic!("no map");
        };
        let names: Vec<_> = entries.iter().map(|it| &text[it.key.range]).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn depth_is_bounded() {
        for depth in [300, 10_000] {
            let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            assert!(read(&text).is_some());
            let text = format!("{}1{}", "%{a: (".repeat(depth), ")}".repeat(depth));
            assert!(read(&text).is_some());
        }
    }
}
