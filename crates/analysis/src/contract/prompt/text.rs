//! Values as Elixir writes them: `to_string/1` and `inspect/1`.

use std::fmt::Write;

use crate::contract::{Value, ValueKind};
use signature_ls_source::{
    order,
    value::{
        Entry,
        float::{Digits, digits},
    },
};

/// How much `inspect/2` shows.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The number of elements of a list or a map, less for each element before it in the lists and maps around it.
    pub(super) items: usize,
    /// The number of characters of a text.
    pub(super) chars: usize,
}

/// What `inspect/1` shows.
const INSPECTED: Limits = Limits {
    items: 50,
    chars: 4096,
};

/// The value as `to_string/1` writes it; `None` for lists, maps and dynamic values.
pub(super) fn to_text(value: &Value) -> Option<String> {
    Some(match &value.kind {
        ValueKind::Null => String::new(),
        ValueKind::Bool(bool) => bool.to_string(),
        ValueKind::Int(int) => int.to_string(),
        ValueKind::BigInt(int) => int.to_string(),
        ValueKind::Float(number) => float(*number),
        ValueKind::String(text) | ValueKind::Keyword(text) => text.to_string(),
        ValueKind::Datetime(datetime) => datetime.to_string(),
        ValueKind::List(_) | ValueKind::Map(_) | ValueKind::Dynamic => return None,
    })
}

/// The value as `inspect/1` writes it.
pub(super) fn inspect(value: &Value) -> String {
    inspect_within(value, INSPECTED)
}

/// The value as `inspect/2` writes it with these limits.
pub(super) fn inspect_within(value: &Value, limits: Limits) -> String {
    let mut text = String::new();
    inspect_to(value, limits, &mut text);
    text
}

/// A text as `inspect/1` writes it.
pub(super) fn inspect_text(text: &str) -> String {
    let mut quoted = String::new();
    inspect_text_to(text, INSPECTED, &mut quoted);
    quoted
}

fn inspect_text_to(text: &str, limits: Limits, out: &mut String) {
    if !text.chars().take(limits.chars).all(is_printable) {
        out.push_str("<<");
        inspect_all(text.bytes(), limits, out, |byte, _, out| {
            out.push_str(&byte.to_string());
        });
        return out.push_str(">>");
    }
    let cut = text.char_indices().nth(limits.chars);
    quote(cut.map_or(text, |(at, _)| &text[..at]), out);
    if cut.is_some() {
        out.push_str(" <> ...");
    }
}

/// Whether `String.printable?/1` allows `char`.
fn is_printable(char: char) -> bool {
    matches!(char, '\x07'..='\x0D' | '\x1B' | ' '..='\x7F' | '\u{A0}'..='\u{FFFD}' | '\u{10000}'..)
}

fn inspect_to(value: &Value, limits: Limits, out: &mut String) {
    match &value.kind {
        ValueKind::Null => out.push_str("nil"),
        ValueKind::String(text) => inspect_text_to(text, limits, out),
        ValueKind::Keyword(name) => {
            out.push(':');
            atom(name, out);
        }
        // `inspect/1` writes whole numbers without an exponent, `to_string/1` in the shortest form.
        ValueKind::Float(number)
            if number.fract() == 0.0 && (1.0..1.0e16).contains(&number.abs()) =>
        {
            out.push_str(&format!("{number:.1}"));
        }
        ValueKind::List(elements) => match charlist(elements) {
            Some(text) => {
                out.push_str("~c");
                quote(&text, out);
            }
            None => {
                out.push('[');
                inspect_all(elements.iter(), limits, out, inspect_to);
                out.push(']');
            }
        },
        ValueKind::Map(entries) => {
            // Small maps are sorted by key.
            let sorted = in_term_order(entries);
            let has_strings = sorted.iter().any(|((is_string, _), _)| *is_string);
            out.push_str("%{");
            inspect_all(
                sorted.into_iter(),
                limits,
                out,
                |((is_string, name), value), limits, out| {
                    match (is_string, has_strings) {
                        (true, _) => inspect_text_to(name, limits, out),
                        (false, true) => {
                            out.push(':');
                            atom(name, out);
                        }
                        (false, false) => atom(name, out),
                    }
                    out.push_str(if has_strings { " => " } else { ": " });
                    inspect_to(value, limits, out);
                },
            );
            out.push('}');
        }
        ValueKind::Dynamic => out.push('…'),
        _ => out.push_str(&to_text(value).unwrap_or_default()),
    }
}

fn inspect_all<T>(
    items: impl Iterator<Item = T>,
    limits: Limits,
    out: &mut String,
    write: impl Fn(T, Limits, &mut String),
) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        let Some(left) = limits.items.checked_sub(index + 1) else {
            return out.push_str("...");
        };
        let limits = Limits {
            items: left,
            ..limits
        };
        write(item, limits, out);
    }
}

/// The text that a list of integers represents if all are printable.
fn charlist(elements: &[Value]) -> Option<String> {
    let char = |element: &Value| match element.kind {
        ValueKind::Int(code @ (7..=13 | 27 | 32..=126)) => {
            char::from_u32(u32::try_from(code).ok()?)
        }
        _ => None,
    };
    let text: String = elements.iter().map(char).collect::<Option<_>>()?;
    (!text.is_empty()).then_some(text)
}

/// An atom without its colon.
fn atom(name: &str, out: &mut String) {
    match is_plain_atom(name) {
        true => out.push_str(name),
        false => quote(name, out),
    }
}

fn is_plain_atom(name: &str) -> bool {
    let name = name.strip_suffix(['?', '!']).unwrap_or(name);
    let mut chars = name.chars();
    let is_first = |char: char| char.is_alphabetic() || char == '_';
    chars.next().is_some_and(is_first)
        && chars.all(|char| char.is_alphanumeric() || char == '_' || char == '@')
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '#' if chars.peek() == Some(&'{') => out.push_str("\\#"),
            '\0' => out.push_str("\\0"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\x0B' => out.push_str("\\v"),
            '\x0C' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\x1B' => out.push_str("\\e"),
            '\x7F' => out.push_str("\\d"),
            '\u{FEFF}' => out.push_str("\\uFEFF"),
            control if control.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{:02X}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// The named entries of a map in the order of Erlang's terms, each with whether its key is a string; of two with one key
/// the last counts.
pub(super) fn in_term_order(entries: &[Entry]) -> Vec<((bool, &str), &Value)> {
    let named = entries
        .iter()
        .filter_map(|it| Some(((!it.key.is_atom, it.key.name.as_deref()?), &it.value)));
    let mut sorted: Vec<_> = named.rev().collect();
    order::by_name(&mut sorted, |((_, name), _)| name);
    order::by_number(&mut sorted, |((is_string, _), _)| *is_string);
    sorted.dedup_by_key(|(key, _)| *key);
    sorted
}

/// The shortest digits that read back as `number`, with an exponent if that is shorter.
fn float(number: f64) -> String {
    let Digits { digits, exponent } = digits(number);
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if digits.is_empty() {
        return format!("{sign}0.0");
    }
    // From 2^53 on, not every digit before the point is certain.
    let is_exact = number.abs() < (1_u64 << f64::MANTISSA_DIGITS) as f64;
    format!("{sign}{}", place_point(&digits, exponent, is_exact))
}

/// `0.digits` times ten to the power of `exponent + 1`, as Erlang chooses between its two forms.
fn place_point(digits: &str, exponent: i32, is_exact: bool) -> String {
    let count = digits.len() as i32;
    let place = exponent + 1;
    if (1..count).contains(&place) {
        let (whole, fraction) = digits.split_at(place as usize);
        return format!("{whole}.{fraction}");
    }
    if place == 0 {
        return format!("0.{digits}");
    }
    let exponent_text = exponent.to_string();
    let point = if count == 1 { 2 } else { 1 };
    let exponent_cost = exponent_text.len() as i32 + 1 + point;
    if place < 0 && 2 - place <= exponent_cost {
        return format!("0.{}{digits}", "0".repeat(place.unsigned_abs() as usize));
    }
    if place > 0 && is_exact && place - count + 2 <= exponent_cost {
        return format!("{digits}{}.0", "0".repeat((place - count) as usize));
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{first}.{rest}e{exponent_text}")
}
