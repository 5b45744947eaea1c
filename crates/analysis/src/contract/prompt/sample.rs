//! Values as the list of a program's inputs shows them: Clojure's notation, cut short.

use super::text::{in_term_order, inspect_text};
use crate::{
    contract::{Value, ValueKind},
    model::Edition,
};
use signature_ls_source::value::Entry;

/// How many elements or entries are shown.
const MOST_ITEMS: usize = 3;

/// How many characters of a text are shown.
const MOST_CHARS: usize = 80;

/// How many of these characters an entry of a map needs at least, and how many of them its key takes.
const PER_ENTRY: usize = 30;
const PER_KEY: usize = 10;

/// The value as the list of inputs shows it.
pub(super) fn sample(value: &Value, edition: Edition) -> String {
    cut(value, MOST_CHARS, edition)
}

/// The kind of value that the list of inputs names where no signature does.
pub(super) fn kind_word(value: &Value) -> String {
    match &value.kind {
        ValueKind::Null => "nil".to_owned(),
        ValueKind::Bool(_) => "boolean".to_owned(),
        ValueKind::Int(_) | ValueKind::BigInt(_) => "integer".to_owned(),
        ValueKind::Float(_) => "float".to_owned(),
        ValueKind::String(_) => "string".to_owned(),
        ValueKind::Keyword(_) => "keyword".to_owned(),
        ValueKind::Datetime(_) => "datetime".to_owned(),
        ValueKind::List(elements) => format!("list[{}]", elements.len()),
        ValueKind::Map(entries) => format!("map[{}]", in_term_order(entries).len()),
        ValueKind::Dynamic => "…".to_owned(),
    }
}

fn cut(value: &Value, chars: usize, edition: Edition) -> String {
    match &value.kind {
        ValueKind::Null => "nil".to_owned(),
        ValueKind::Bool(bool) => bool.to_string(),
        ValueKind::Int(int) => int.to_string(),
        ValueKind::BigInt(int) => int.to_string(),
        ValueKind::Float(number) => float(*number),
        ValueKind::String(text) => cut_text(text, chars, edition),
        ValueKind::Keyword(name) => format!(":{name}"),
        ValueKind::Datetime(datetime) => format!("\"{datetime}\""),
        ValueKind::List(elements) => {
            let shown = elements.iter().take(MOST_ITEMS);
            let shown: Vec<_> = shown.map(|it| cut(it, chars, edition)).collect();
            let all = shown.join(" ");
            match (elements.len() > MOST_ITEMS, edition.has_firewall()) {
                (false, _) => format!("[{all}]"),
                (true, true) => format!(
                    "[{all} ...] ({} items, showing first {MOST_ITEMS})",
                    elements.len()
                ),
                (true, false) => format!("[{all} ...] ({MOST_ITEMS}/{})", elements.len()),
            }
        }
        ValueKind::Map(entries) => cut_map(entries, chars, edition),
        ValueKind::Dynamic => "…".to_owned(),
    }
}

fn cut_map(entries: &[Entry], chars: usize, edition: Edition) -> String {
    let mut entries = in_term_order(entries);
    entries.retain(|((_, name), _)| !edition.hides(name));
    let most = MOST_ITEMS.min((chars / PER_ENTRY).max(1));
    let shown = entries.len().min(most);
    let per_value = match shown {
        0 => chars,
        shown => (chars.saturating_sub(shown * PER_KEY) / shown).max(PER_KEY),
    };
    let parts = entries
        .iter()
        .take(shown)
        .map(|((is_string, name), value)| {
            let key = match is_string {
                true => inspect_text(name),
                false => format!(":{name}"),
            };
            format!("{key} {}", cut(value, per_value, edition))
        });
    let all = parts.collect::<Vec<_>>().join(" ");
    match (entries.len() > shown, edition.has_firewall()) {
        (false, _) => format!("{{{all}}}"),
        (true, true) => format!("{{{all} ...}}"),
        (true, false) => format!("{{{all} ...}} ({shown}/{})", entries.len()),
    }
}

fn cut_text(text: &str, chars: usize, edition: Edition) -> String {
    let count = text.chars().count();
    let is_long = match edition.has_firewall() {
        true => text.len() > chars,
        false => count > chars,
    };
    if !is_long {
        return inspect_text(text);
    }
    let start: String = text.chars().take(chars).collect();
    let quoted = inspect_text(&format!("{start}..."));
    match edition.has_firewall() {
        true => quoted,
        false => format!("{quoted} ({chars}/{count} chars)"),
    }
}

/// At most ten digits after the point, at least one.
fn float(number: f64) -> String {
    let digits = format!("{number:.10}");
    let short = digits.trim_end_matches('0');
    match short.ends_with('.') {
        true => format!("{short}0"),
        false => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::value::json;

    fn shown(text: &str, edition: Edition) -> String {
        sample(&json::read(text).expect("a value"), edition)
    }

    #[test]
    fn values_are_in_the_notation_of_clojure() {
        for (value, expected) in [
            ("null", "nil"),
            ("true", "true"),
            ("123456789012345678901", "123456789012345678901"),
            ("-2.5", "-2.5"),
            ("1.0", "1.0"),
            ("1.23456789012345", "1.2345678901"),
            ("0.0000001", "0.0000001"),
            (
                r#""say \"hi\"\nand \\ more""#,
                r#""say \"hi\"\nand \\ more""#,
            ),
            ("[]", "[]"),
            ("[1, [2]]", "[1 [2]]"),
            (r#"{"b": 1, "a": {}}"#, r#"{"a" {} "b" 1}"#),
            (r#"{"a": 1, "a": 2}"#, r#"{"a" 2}"#),
        ] {
            assert_eq!(shown(value, Edition::V0_11), expected, "{value}");
        }
    }

    #[test]
    fn what_is_cut_tells_how_much_there_is() {
        let long = format!("\"{}\"", "ö".repeat(81));
        let text = format!("\"{}...\"", "ö".repeat(80));
        assert_eq!(
            shown(&long, Edition::V0_11),
            format!("{text} (80/81 chars)")
        );
        assert_eq!(shown(&long, Edition::V0_5), text);
        let list = "[1, 2, 3, 4]";
        assert_eq!(shown(list, Edition::V0_11), "[1 2 3 ...] (3/4)");
        assert_eq!(
            shown(list, Edition::V0_5),
            "[1 2 3 ...] (4 items, showing first 3)"
        );
        let map = r#"{"_a": 0, "b": 1, "c": 2, "d": 3}"#;
        assert_eq!(shown(map, Edition::V0_11), r#"{"_a" 0 "b" 1 ...} (2/4)"#);
        assert_eq!(shown(map, Edition::V0_5), r#"{"b" 1 "c" 2 ...}"#);
        // The values of a map share the room of one.
        let wide = format!(r#"{{"a": "{}"}}"#, "x".repeat(90));
        assert_eq!(
            shown(&wide, Edition::V0_11),
            format!(r#"{{"a" "{}..." (70/90 chars)}}"#, "x".repeat(70))
        );
    }

    #[test]
    fn kinds_have_words() {
        for (value, expected) in [
            ("null", "nil"),
            ("true", "boolean"),
            ("1", "integer"),
            ("1.5", "float"),
            ("\"a\"", "string"),
            ("[1, 2]", "list[2]"),
            (r#"{"a": 1}"#, "map[1]"),
        ] {
            assert_eq!(kind_word(&json::read(value).expect("a value")), expected);
        }
    }
}
