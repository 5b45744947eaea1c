//! Forms of PTC-Lisp and Clojure as values.
//!
//! Forms that are evaluated at run time are [`ValueKind::Dynamic`]: names, calls, quoted forms. So are forms without a
//! counterpart: sets, ratios, characters.

use foldhash::HashMap;

use crate::{
    host::{
        lisp::{
            Lisp,
            forms::{Form, Forms, is_map},
        },
        token_tree::{self, Element, Kind},
    },
    syntax::fragment::Escapes,
    text::{TextRange, TextSize, size},
    value::{Datetime, Entry, Key, Value, ValueKind},
};

use super::{MAX_DEPTH, number, text_of};

/// The maximum length of a form, in bytes, that is read as a value. Nested calls each have the rest in an argument.
const LONGEST: usize = 64 * 1024;

/// Parses all of `text` as one form; `None` if there is none, or more than one.
pub fn read(text: &str) -> Option<Value> {
    let form = text.trim();
    if is_surely_dynamic(form) {
        let start = size(text.len() - text.trim_start().len());
        let range = TextRange::at(start, TextSize::of(form));
        return Some(Value::new(ValueKind::Dynamic, range));
    }
    let tree = token_tree::parse::<Lisp>(text);
    let forms = Forms::all(&Element::node(&tree, TextSize::default()));
    match forms.as_slice() {
        [only] => Some(of(only)),
        _ => None,
    }
}

/// Whether a form is only known at run time, judging by its ends: it is a call or a quoted form, an unclosed
/// collection, or too long.
fn is_surely_dynamic(form: &str) -> bool {
    match form.as_bytes() {
        [b'(' | b'\'' | b'@' | b'~' | b'`', ..] => true,
        [b'[', .., last] => *last != b']' || form.len() > LONGEST,
        [b'{', .., last] => *last != b'}' || form.len() > LONGEST,
        _ => false,
    }
}

/// The value that `form` is.
pub fn of(form: &Form<'_>) -> Value {
    value(form, 0)
}

fn value(form: &Form<'_>, depth: usize) -> Value {
    let known = match form.prefix {
        _ if depth > MAX_DEPTH => None,
        "" => bare(&form.element, depth),
        "#inst" => instant(&form.element),
        _ => None,
    };
    Value::new(known.unwrap_or(ValueKind::Dynamic), form.range)
}

fn bare(element: &Element<'_>, depth: usize) -> Option<ValueKind> {
    match element.kind() {
        Kind::Number => literal_number(element.text()),
        Kind::String => text_of(element, Escapes::Backslash).map(ValueKind::string),
        Kind::Atom => keyword(element.text()).map(|name| ValueKind::Keyword(name.into())),
        Kind::Symbol => match element.text() {
            "nil" => Some(ValueKind::Null),
            "true" => Some(ValueKind::Bool(true)),
            "false" => Some(ValueKind::Bool(false)),
            _ => None,
        },
        Kind::Brackets if element.is_closed() => {
            let items = Forms::all(element);
            let items = items.iter().map(|form| value(form, depth + 1));
            Some(ValueKind::List(items.collect()))
        }
        Kind::Braces if element.is_closed() && is_map(element) => {
            let forms = Forms::all(element);
            let entries = forms.chunks(2).map(|pair| entry(pair, depth));
            Some(ValueKind::map(without_twins(entries.collect(), &forms)))
        }
        _ => None,
    }
}

/// A decimal number; one with a leading zero is octal, and one with a suffix has another type.
fn literal_number(text: &str) -> Option<ValueKind> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_octal = digits.len() > 1 && digits.starts_with('0') && !digits.contains('.');
    let is_decimal = digits
        .bytes()
        .all(|it| it.is_ascii_digit() || b".eE+-".contains(&it));
    (is_decimal && !is_octal).then(|| number(text))
}

/// The name of a keyword; `None` for one of the current namespace.
fn keyword(text: &str) -> Option<&str> {
    let name = text.strip_prefix(':')?;
    (!name.starts_with(':')).then_some(name)
}

fn instant(element: &Element<'_>) -> Option<ValueKind> {
    let text = text_of(element, Escapes::Backslash).filter(|_| element.kind() == Kind::String)?;
    let datetime = Datetime::parse(&text).ok()?;
    Some(ValueKind::Datetime(Box::new(datetime)))
}

/// A keyword and a string of one name are two keys, of which either may count: one entry is left, which is known only at
/// run time.
fn without_twins(entries: Vec<Entry>, forms: &[Form<'_>]) -> Vec<Entry> {
    let keys = || forms.iter().step_by(2);
    let has_key = |kind| keys().any(|it| it.element.kind() == kind);
    if !has_key(Kind::String) || !has_key(Kind::Atom) {
        return entries;
    }
    let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut first: HashMap<Box<str>, (usize, Kind)> = HashMap::default();
    for (entry, key) in entries.into_iter().zip(keys()) {
        let kind = key.element.kind();
        let name = entry.key.name.as_ref();
        match name.and_then(|name| first.get(name)) {
            Some((index, other)) if *other != kind => {
                kept[*index].value.kind = ValueKind::Dynamic;
                continue;
            }
            _ => {}
        }
        if let Some(name) = name {
            first.insert(name.clone(), (kept.len(), kind));
        }
        kept.push(entry);
    }
    kept
}

fn entry(pair: &[Form<'_>], depth: usize) -> Entry {
    let key = pair.first().map_or(
        Key {
            name: None,
            range: TextRange::default(),
            is_atom: false,
        },
        key,
    );
    let value = match pair.get(1) {
        Some(form) => value(form, depth + 1),
        None => Value::new(ValueKind::Dynamic, key.range),
    };
    Entry { key, value }
}

/// A key; its place is that of the name, without quotes and colon.
fn key(form: &Form<'_>) -> Key {
    let range = form.range;
    let one = TextSize::of(':');
    let name = match form.element.kind() {
        Kind::Atom => form.as_keyword().map(str::to_owned),
        Kind::String if form.is_bare() => text_of(&form.element, Escapes::Backslash),
        _ => None,
    };
    let end = match form.element.kind() {
        Kind::String => range.end() - one,
        _ => range.end(),
    };
    let range = match name {
        Some(_) => TextRange::new(range.start() + one, end),
        None => range,
    };
    Key {
        name: name.map(Into::into),
        range,
        is_atom: false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::host::values::testing::dump;

    #[test]
    fn a_keyword_and_a_string_of_one_name_are_no_duplicates() {
        let text = r#"{:a 1 "b" 2 "a" 3 :b 4 "c" 5 :d 6 :d 7}"#;
        let value = read(text).expect("a form");
        expect![[r#"
            map "{:a 1 \"b\" …"
              "a" = Dynamic "1"
              "b" = Dynamic "2"
              "c" = Int(5) "5"
              "d" = Int(6) "6"
              "d" = Int(7) "7"
        "#]]
        .assert_eq(&dump(text, &value));
    }

    #[test]
    fn every_form_of_a_value() {
        let text = r#"{:int 42, :neg -7 :big 99999999999999999999 :float -1.5e3
 "text" "a\n\"b\"" :kw :a/b :nil nil :yes true :no false
 :vec [1 "a" [nil] #_dropped] :map {} :at #inst "2026-05-03T09:14:00Z"
 :order-count 5 ; a comment
 :name x, :call (f 1), :quoted '(1 2), :set #{1}, :ratio 1/2, :octal 017, :suffix 1N, :char \a
 (key) 1 ::own 2 :odd}"#;
        let value = read(text).expect("a form");
        expect![[r##"
            map "{:int 42, …"
              "int" = Int(42) "42"
              "neg" = Int(-7) "-7"
              "big" = BigInt(BigInt("99999999999999999999")) "9999999999…"
              "float" = Float(-1500.0) "-1.5e3"
              "text" = String("a\n\"b\"") "\"a\\n\\\"b\\\"\""
              "kw" = Keyword("a/b") ":a/b"
              "nil" = Null "nil"
              "yes" = Bool(true) "true"
              "no" = Bool(false) "false"
              "vec" = list "[1 \"a\" [ni…"
                Int(1) "1"
                String("a") "\"a\""
                list "[nil]"
                  Null "nil"
              "map" = map "{}"
              "at" = datetime 2026-05-03T09:14:00Z "#inst \"202…"
              "order-count" = Int(5) "5"
              "name" = Dynamic "x"
              "call" = Dynamic "(f 1)"
              "quoted" = Dynamic "'(1 2)"
              "set" = Dynamic "#{1}"
              "ratio" = Dynamic "1/2"
              "octal" = Dynamic "017"
              "suffix" = Dynamic "1N"
              "char" = Dynamic "\\a"
              ? = Int(1) "1"
              ? = Int(2) "2"
              "odd" = Dynamic "odd"
        "##]]
        .assert_eq(&dump(text, &value));
    }

    #[test]
    fn a_value_is_one_form() {
        for text in ["", "; note", "1 2", "#_1"] {
            assert!(read(text).is_none(), "{text}");
        }
        for text in ["[1", "{:a 1", "\"open", "x", "(f)", "#{1}", "@x"] {
            assert_eq!(read(text).expect(text).kind, ValueKind::Dynamic, "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        for depth in [300, 10_000] {
            let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            assert!(read(&text).is_some());
        }
    }
}
