//! Validation: whether a value has its type, without coercion.

use std::mem;

use crate::{
    contract::{
        Datetime, Direction, Entry, Finding, FindingKind, Path, Value, ValueKind,
        keys::{Entries, Missing},
    },
    model::{Edition, Fields, Primitive, Type, TypeKind},
};
use signature_ls_source::value::is_keyword_name;

/// How unknown fields are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extra {
    /// They are allowed.
    Allowed,
    /// Each is an error.
    Refused,
}

/// Reports where `value` does not match `ty`. Nothing is coerced, but strings are accepted for types that JSON cannot
/// write: date-times and keywords.
pub fn validate(value: &Value, ty: &Type, extra: Extra, edition: Edition) -> Vec<Finding> {
    validate_first(value, ty, extra, Direction::Output, edition, usize::MAX)
}

/// The first `most` findings of [`validate`], by the rules of what goes in this direction.
pub(super) fn validate_first(
    value: &Value,
    ty: &Type,
    extra: Extra,
    direction: Direction,
    edition: Edition,
    most: usize,
) -> Vec<Finding> {
    let mut validation = Validation {
        is_returned: direction == Direction::Returned,
        edition,
        extra,
        most,
        path: Path::default(),
        errors: Vec::new(),
    };
    validation.part(value, ty);
    validation.errors
}

struct Validation {
    /// Whether a program returns the value.
    is_returned: bool,
    edition: Edition,
    extra: Extra,
    /// How many errors are kept.
    most: usize,
    path: Path,
    errors: Vec<Finding>,
}

impl Validation {
    fn error(&mut self, finding: impl FnOnce(&Path) -> Option<Finding>) {
        if self.errors.len() < self.most {
            self.errors.extend(finding(&self.path));
        }
    }

    fn part(&mut self, value: &Value, ty: &Type) {
        if self.errors.len() >= self.most {
            return;
        }
        match (&ty.kind, &value.kind) {
            (_, ValueKind::Dynamic) | (TypeKind::Unknown, _) => {}
            (_, ValueKind::Null) if ty.optional => {}
            (TypeKind::Primitive(primitive), _)
                if is_of(value, *primitive) && !self.is_refused(value, *primitive) => {}
            (TypeKind::List(element), ValueKind::List(items)) => self.list(items, element),
            (TypeKind::Record(fields), ValueKind::Map(entries)) => {
                self.record(value, entries, fields);
            }
            _ => self.error(|path| Some(Finding::mismatch(path, value, ty))),
        }
    }

    /// Whether a program may not return `value` for the type, unlike a model that answers in JSON.
    fn is_refused(&self, value: &Value, primitive: Primitive) -> bool {
        let edition = self.edition;
        self.is_returned
            && match (primitive, &value.kind) {
                (Primitive::Datetime, ValueKind::String(_)) => true,
                (Primitive::Keyword, ValueKind::String(_)) => !edition.returns_text_for_keywords(),
                (Primitive::Float, ValueKind::Int(_) | ValueKind::BigInt(_)) => {
                    !edition.returns_ints_for_floats()
                }
                _ => false,
            }
    }

    fn list(&mut self, items: &[Value], element: &Type) {
        for (index, item) in items.iter().enumerate() {
            self.path.index(index);
            self.part(item, element);
            self.path.pop();
        }
    }

    fn record(&mut self, map: &Value, entries: &[Entry], fields: &Fields) {
        let by_name = Entries::new(entries, fields, self.edition);
        let (numbers, mut others) = by_name.fields(fields, Missing::of_first(self.most));
        for field in numbers {
            if self.errors.len() >= self.most {
                return;
            }
            let field = &fields[field];
            let entry = by_name.get(&field.name);
            if entry.is_none() && field.ty.optional {
                continue;
            }
            self.path.field(&field.name);
            if let Some(entry) = entry {
                self.part(&entry.value, &field.ty);
            } else {
                let others = mem::take(&mut others);
                self.error(|path| Finding::missing(path, map, field, &by_name, others));
            }
            self.path.pop();
        }
        if self.extra == Extra::Refused {
            self.extra_fields(entries, fields);
        }
    }

    fn extra_fields(&mut self, entries: &[Entry], fields: &Fields) {
        if entries.is_empty() {
            return;
        }
        for entry in entries {
            let Some(key) = &entry.key.name else { continue };
            if fields.named(key, self.edition).is_some() {
                continue;
            }
            self.path.field(key);
            let kind = || FindingKind::Extra {
                key: key.to_string(),
            };
            self.error(|path| Some(Finding::new(path, entry.key.range, kind())));
            self.path.pop();
        }
    }
}

/// Whether `value` has the primitive type without coercion.
fn is_of(value: &Value, primitive: Primitive) -> bool {
    match (primitive, &value.kind) {
        (Primitive::Any, _)
        | (Primitive::String, ValueKind::String(_))
        | (Primitive::Int, ValueKind::Int(_) | ValueKind::BigInt(_))
        | (Primitive::Float, ValueKind::Int(_) | ValueKind::BigInt(_) | ValueKind::Float(_))
        | (Primitive::Bool, ValueKind::Bool(_))
        | (Primitive::Keyword, ValueKind::Keyword(_))
        | (Primitive::Datetime, ValueKind::Datetime(_))
        | (Primitive::Map, ValueKind::Map(_)) => true,
        (Primitive::Keyword, ValueKind::String(text)) => is_keyword_name(text),
        (Primitive::Datetime, ValueKind::String(text)) => Datetime::parse(text).is_ok(),
        _ => false,
    }
}
