//! Values, in whatever notation they were written, each part with its place.

use std::{fmt, sync::Arc};

mod datetime;
pub mod float;
pub mod json;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod yaml;

pub use datetime::{Datetime, DatetimeError};

use crate::text::{TextRange, TextSize};

/// How deeply lists and maps may nest in a value; the parsers report deeper ones.
///
/// Types nest less deeply, so a value that fits its type can always be parsed.
pub const MAX_DEPTH: usize = 400;

/// A value and its place.
///
/// Two values are equal if they mean the same, wherever they are.
#[derive(Debug, Clone)]
pub struct Value {
    /// The kind and content.
    pub kind: ValueKind,
    /// Its place in the text that it was read from, in bytes.
    pub range: TextRange,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueKind {
    /// `null`, `nil`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// A larger integer.
    BigInt(BigInt),
    /// A finite number with a fraction or an exponent.
    Float(f64),
    /// Text.
    String(Box<str>),
    /// A keyword or atom, without its colon.
    Keyword(Box<str>),
    /// A decoded date-time. It is large, and rare.
    Datetime(Box<Datetime>),
    /// A list.
    List(Box<[Value]>),
    /// A map: its entries in the order of the text, including duplicate keys.
    Map(Box<[Entry]>),
    /// An expression whose value is only known at run time: it fits every type.
    Dynamic,
}

/// An entry of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Value,
}

/// The key of an entry and its place.
#[derive(Debug, Clone)]
pub struct Key {
    /// The key without quotes or colon; `None` if it is only known at run time.
    pub name: Option<Box<str>>,
    /// Its place in the text that it was read from, in bytes.
    pub range: TextRange,
    /// Whether it is an Elixir atom.
    pub is_atom: bool,
}

/// An integer that does not fit 64 bits, as its digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BigInt(Box<str>);

/// A list of `items`. A collected one would take the room of the list that they were in, which may be twice as large.
pub(crate) fn in_own_room<T>(items: impl ExactSizeIterator<Item = T>) -> Box<[T]> {
    let mut list = Vec::with_capacity(items.len());
    list.extend(items);
    list.into()
}

impl Value {
    /// The same value, moved by `offset` bytes.
    pub fn moved_by(self, offset: TextSize) -> Self {
        self.map_ranges(&|range| range + offset)
    }

    /// The same value to share, with ranges relative to `start`.
    pub fn relative_to(self, start: TextSize) -> Arc<Self> {
        // A missing element of a list or a map has no place.
        let relative = |range: TextRange| range.checked_sub(start).unwrap_or_default();
        Arc::new(self.map_ranges(&relative))
    }

    /// The same value with every range replaced.
    pub fn map_ranges(mut self, map: &impl Fn(TextRange) -> TextRange) -> Self {
        self.replace_ranges(map);
        self
    }

    fn replace_ranges(&mut self, map: &impl Fn(TextRange) -> TextRange) {
        self.range = map(self.range);
        match &mut self.kind {
            ValueKind::List(items) => items.iter_mut().for_each(|it| it.replace_ranges(map)),
            ValueKind::Map(entries) => {
                for Entry { key, value } in entries {
                    key.range = map(key.range);
                    value.replace_ranges(map);
                }
            }
            _ => {}
        }
    }

    /// Calls `change` with every value in it, then with itself; keys are passed as values too.
    pub fn for_each_mut(&mut self, change: &impl Fn(&mut Value)) {
        match &mut self.kind {
            ValueKind::List(items) => items.iter_mut().for_each(|it| it.for_each_mut(change)),
            ValueKind::Map(entries) => {
                for Entry { key, value } in entries {
                    let mut place = Value::new(ValueKind::Null, key.range);
                    change(&mut place);
                    key.range = place.range;
                    value.for_each_mut(change);
                }
            }
            _ => {}
        }
        change(self);
    }

    /// The value of `kind` at `range`.
    pub fn new(kind: ValueKind, range: TextRange) -> Self {
        Self { kind, range }
    }

    /// The last value of the map under `key`, as decoders choose it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let ValueKind::Map(entries) = &self.kind else {
            return None;
        };
        let entry = entries
            .iter()
            .rev()
            .find(|entry| entry.key.name.as_deref() == Some(key))?;
        Some(&entry.value)
    }
}

impl ValueKind {
    /// A string.
    pub fn string(text: String) -> Self {
        Self::String(text.into())
    }

    /// A list.
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(items.into())
    }

    /// A map.
    pub fn map(entries: Vec<Entry>) -> Self {
        Self::Map(entries.into())
    }

    /// The integer that `text` writes in decimal digits, with an optional sign.
    pub fn integer(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if let Ok(small) = text.parse() {
            return Some(Self::Int(small));
        }
        let sign = if text.starts_with('-') { "-" } else { "" };
        let digits = digits.trim_start_matches('0');
        Some(Self::BigInt(BigInt(format!("{sign}{digits}").into())))
    }
}

/// Whether PTC-Lisp can write `text` as a keyword.
pub fn is_keyword_name(text: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"+-*<>=?!_".contains(&byte);
    !text.is_empty() && text.bytes().all(is_name_byte)
}

impl BigInt {
    /// The nearest floating-point number, if it is finite.
    pub fn to_f64(&self) -> Option<f64> {
        float::parse(&self.0)
    }
}

impl fmt::Display for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The value as messages show it: `string "abc"`, `int 42`, `list`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ValueKind::Null => f.write_str("nil"),
            ValueKind::Bool(bool) => write!(f, "bool {bool}"),
            ValueKind::Int(int) => write!(f, "int {int}"),
            ValueKind::BigInt(int) => write!(f, "int {}", Short(&int.0)),
            ValueKind::Float(float) => write!(f, "float {}", float::json(*float)),
            ValueKind::String(text) => write!(f, "string \"{}\"", Short(text)),
            ValueKind::Keyword(name) => write!(f, "keyword :{}", Short(name)),
            ValueKind::Datetime(datetime) => write!(f, "datetime {datetime}"),
            ValueKind::List(_) => f.write_str("list"),
            ValueKind::Map(_) => f.write_str("map"),
            ValueKind::Dynamic => f.write_str("an expression"),
        }
    }
}

/// A text on one line, truncated if it is too long for a message.
struct Short<'a>(&'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        for (index, char) in self.0.chars().enumerate() {
            if index == LONGEST {
                return f.write_str("…");
            }
            match char {
                '"' | '\\' => write!(f, "\\{char}")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                control if control.is_control() => write!(f, "\\u{:04X}", u32::from(control))?,
                other => write!(f, "{other}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_length_keep_their_digits() {
        let cases = [
            ("42", ValueKind::Int(42)),
            ("+7", ValueKind::Int(7)),
            ("-0", ValueKind::Int(0)),
            ("007", ValueKind::Int(7)),
            ("9223372036854775807", ValueKind::Int(i64::MAX)),
            ("-9223372036854775808", ValueKind::Int(i64::MIN)),
            ("00000000000000000000000000000000000012", ValueKind::Int(12)),
            (
                "9223372036854775808",
                ValueKind::BigInt(BigInt("9223372036854775808".into())),
            ),
            (
                "-0099999999999999999999",
                ValueKind::BigInt(BigInt("-99999999999999999999".into())),
            ),
        ];
        for (text, value) in cases {
            assert_eq!(ValueKind::integer(text), Some(value), "{text}");
        }
        for text in ["", "+", "-", "1.0", "1_000", " 1", "1 ", "0x1F", "٣"] {
            assert_eq!(ValueKind::integer(text), None, "{text}");
        }
    }

    /// A sample may be a list of hundreds of thousands.
    #[test]
    fn values_are_small() {
        assert!(size_of::<Value>() <= 32, "{}", size_of::<Value>());
        assert!(size_of::<Entry>() <= 64, "{}", size_of::<Entry>());
    }

    #[test]
    fn a_message_shows_a_long_text_cut_and_on_one_line() {
        let show = |text: &str| {
            Value::new(ValueKind::String(text.into()), TextRange::default()).to_string()
        };
        assert_eq!(show("abc"), r#"string "abc""#);
        assert_eq!(show("q\"t\n\u{7}"), r#"string "q\"t\n\u0007""#);
        assert_eq!(
            show(&"x".repeat(61)),
            format!("string \"{}…\"", "x".repeat(60))
        );
    }
}
