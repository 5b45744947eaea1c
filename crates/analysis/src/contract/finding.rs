//! Findings of validation: kinds, paths and messages.

use std::fmt;

use serde::Serialize;

use crate::{
    contract::{Datetime, DatetimeError, Value, ValueKind, keys::Entries},
    model::{Field, Primitive, Type, TypeKind},
};
use signature_ls_source::text::TextRange;

/// An error or a remark about a part of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The path from the root of the value to the part, in the names of the type.
    pub path: Path,
    /// The place of the part, in bytes of the text that the value was read from; for a missing field, that of its map.
    pub range: TextRange,
    /// The kind.
    pub kind: FindingKind,
}

/// The kinds of finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingKind {
    /// The part does not have the type and cannot be coerced.
    Mismatch {
        /// The type word.
        expected: &'static str,
        /// The part, as messages show it.
        got: String,
    },
    /// A date-time without an offset from UTC.
    NaiveDatetime {
        /// The part, as messages show it.
        got: String,
    },
    /// A required field is missing.
    Missing {
        /// The type word of the field.
        expected: &'static str,
        /// How many others the map lacks that have no finding of their own, because they are too many.
        others: usize,
    },
    /// An unknown field.
    Extra {
        /// The key as written.
        key: String,
    },
    /// A duplicate key, so that one of the values is lost.
    DuplicateKey {
        /// The key as written.
        key: String,
    },
    /// Two keys of a map that become the same name in a tool call.
    SameName {
        /// The later key as written.
        key: String,
        /// The earlier key.
        other: String,
    },
    /// The part was coerced.
    Coerced {
        /// The original part, as messages show it.
        from: String,
        /// The type word.
        to: &'static str,
    },
    /// A date-time was shifted to UTC.
    Shifted {
        /// The original part, as messages show it.
        from: String,
    },
}

/// The path from the root of a value to a part. In JSON it is a list of names and indices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Path(pub Vec<Segment>);

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Segment {
    /// A field of this name.
    Field(String),
    /// An element of a list, counted from 0.
    Index(usize),
}

impl Finding {
    /// Whether it reports a missing required field.
    pub fn is_missing(&self) -> bool {
        matches!(self.kind, FindingKind::Missing { .. })
    }

    /// The number of missing fields that it stands for.
    pub(crate) fn missing_fields(&self) -> usize {
        match self.kind {
            FindingKind::Missing { others, .. } => 1 + others,
            _ => 0,
        }
    }

    /// Whether it is about a keyword where a string is expected.
    pub fn is_keyword_for_string(&self) -> bool {
        let (got, word) = match &self.kind {
            FindingKind::Mismatch { expected, got } => (got, *expected),
            FindingKind::Coerced { from, to } => (from, *to),
            _ => return false,
        };
        word == Primitive::String.word() && got.starts_with("keyword ")
    }

    /// What is wrong with `value` if `ty` is expected.
    pub(crate) fn mismatch(path: &Path, value: &Value, ty: &Type) -> Self {
        let got = value.to_string();
        let kind = if is_naive_datetime(value, ty) {
            FindingKind::NaiveDatetime { got }
        } else {
            let expected = type_word(ty);
            FindingKind::Mismatch { expected, got }
        };
        Self::new(path, value.range, kind)
    }

    /// What is wrong with `map`, at `path`, if it has no entry for `field`.
    pub(crate) fn missing(
        path: &Path,
        map: &Value,
        field: &Field,
        entries: &Entries<'_>,
        others: usize,
    ) -> Option<Self> {
        if !field.is_required() || !entries.are_all_known() {
            return None;
        }
        let expected = type_word(&field.ty);
        let kind = FindingKind::Missing { expected, others };
        Some(Self::new(path, map.range, kind))
    }

    pub(crate) fn new(path: &Path, range: TextRange, kind: FindingKind) -> Self {
        Self {
            path: path.clone(),
            range,
            kind,
        }
    }
}

fn is_naive_datetime(value: &Value, ty: &Type) -> bool {
    let ValueKind::String(text) = &value.kind else {
        return false;
    };
    ty.kind == TypeKind::Primitive(Primitive::Datetime)
        && Datetime::parse(text) == Err(DatetimeError::MissingOffset)
}

/// The word for `ty` in messages.
fn type_word(ty: &Type) -> &'static str {
    match ty.kind {
        TypeKind::Primitive(primitive) => primitive.word(),
        TypeKind::List(_) => "list",
        TypeKind::Record(_) => Primitive::Map.word(),
        TypeKind::Unknown => Primitive::Any.word(),
    }
}

impl Path {
    pub(crate) fn field(&mut self, name: &str) {
        self.0.push(Segment::Field(name.to_owned()));
    }

    pub(crate) fn index(&mut self, index: usize) {
        self.0.push(Segment::Index(index));
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }
}

/// The path and the message, as in `limit: coerced string "10" to int`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.0.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        self.kind.fmt(f)
    }
}

/// The message without the path.
impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { expected, got } => write!(f, "expected {expected}, got {got}"),
            Self::NaiveDatetime { got } => write!(
                f,
                "expected datetime, got {got} without an offset; add one, such as Z or +02:00"
            ),
            Self::Missing { expected, .. } => write!(f, "expected {expected}, got nil"),
            Self::Extra { key } => write!(f, "unexpected field {key:?}"),
            Self::DuplicateKey { key } => write!(f, "key {key:?} is given twice"),
            Self::SameName { key, other } => {
                write!(
                    f,
                    "keys {other:?} and {key:?} are the same name; keep one of them"
                )
            }
            Self::Coerced { from, to } => write!(f, "coerced {from} to {to}"),
            Self::Shifted { from } => write!(f, "non-UTC offset in {from}, normalized to UTC"),
        }
    }
}

/// `results[0].customer.id`; a key that is not a name is quoted, as in `["my key"]`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Field(name) if !is_name(name) => write!(f, "[{name:?}]")?,
                Segment::Field(name) if position == 0 => f.write_str(name)?,
                Segment::Field(name) => write!(f, ".{name}")?,
            }
        }
        Ok(())
    }
}

fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !text.is_empty() && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_like_code() {
        let field = |name: &str| Segment::Field(name.to_owned());
        let cases = [
            (vec![], ""),
            (vec![field("limit")], "limit"),
            (vec![Segment::Index(0)], "[0]"),
            (
                vec![
                    field("results"),
                    Segment::Index(0),
                    field("customer"),
                    field("id"),
                ],
                "results[0].customer.id",
            ),
            (vec![field("a"), field("my key")], r#"a["my key"]"#),
            (vec![field("")], r#"[""]"#),
        ];
        for (path, text) in cases {
            assert_eq!(Path(path).to_string(), text);
        }
    }
}
