//! Coercion: converts an input to its type.

use std::mem;

use foldhash::HashMap;

use crate::{
    contract::{
        Datetime, Entry, Finding, FindingKind, Key, Path, Report, Value, ValueKind,
        keys::{Entries, Missing},
    },
    model::{Edition, Fields, Primitive, Type, TypeKind},
};
use signature_ls_source::value::{float, is_keyword_name};

/// An input after coercion.
#[derive(Debug, Clone, PartialEq)]
pub struct Coerced {
    /// The value; parts with an error are unchanged. Unknown fields are removed.
    pub value: Value,
    /// The parts that do not have their types.
    pub errors: Vec<Finding>,
    /// The parts whose change is worth a warning.
    pub warnings: Vec<Finding>,
}

/// Coerces `value` to `ty` at every depth, by the rules of `edition`.
pub fn coerce(value: &Value, ty: &Type, edition: Edition) -> Coerced {
    let mut coercion = Coercion::new(Wanted::All, edition, usize::MAX);
    let value = coercion.part(value, ty);
    Coerced {
        value,
        errors: coercion.errors,
        warnings: coercion.warnings,
    }
}

/// The first `most` errors and warnings of coercing `value` to `ty`.
pub(super) fn findings(value: &Value, ty: &Type, edition: Edition, most: usize) -> Report {
    let mut coercion = Coercion::new(Wanted::Findings, edition, most);
    coercion.part(value, ty);
    Report {
        errors: coercion.errors,
        warnings: coercion.warnings,
    }
}

/// The first `most` date-times that are shifted if `value` is coerced to `ty`.
pub(super) fn shifts(value: &Value, ty: &Type, edition: Edition, most: usize) -> Vec<Finding> {
    let mut coercion = Coercion::new(Wanted::Shifts, edition, most);
    coercion.part(value, ty);
    coercion.warnings
}

/// What is wanted of a coercion.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    All,
    /// Not the value.
    Findings,
    /// Only which date-times are shifted.
    Shifts,
}

struct Coercion {
    wanted: Wanted,
    edition: Edition,
    /// How many errors and warnings are kept.
    most: usize,
    path: Path,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

/// The result of coercing a scalar.
enum Outcome {
    /// It already has the type.
    Kept,
    /// It is widened without a warning.
    Widened(ValueKind),
    /// It is converted to another value, with a warning.
    Changed(ValueKind, FindingKind),
    /// It does not have the type.
    Refused,
}

impl Coercion {
    fn new(wanted: Wanted, edition: Edition, most: usize) -> Self {
        Self {
            wanted,
            edition,
            most,
            path: Path::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn has_value(&self) -> bool {
        self.wanted == Wanted::All
    }

    /// A part that stays as it is.
    fn kept(&self, value: &Value) -> Value {
        match self.has_value() {
            true => value.clone(),
            false => Value::new(ValueKind::Null, value.range),
        }
    }

    fn error(&mut self, finding: impl FnOnce(&Path) -> Option<Finding>) {
        if self.wanted != Wanted::Shifts && self.errors.len() < self.most {
            self.errors.extend(finding(&self.path));
        }
    }

    fn warn(&mut self, value: &Value, kind: FindingKind) {
        let is_wanted =
            self.wanted != Wanted::Shifts || matches!(kind, FindingKind::Shifted { .. });
        if is_wanted && self.warnings.len() < self.most {
            self.warnings
                .push(Finding::new(&self.path, value.range, kind));
        }
    }

    fn part(&mut self, value: &Value, ty: &Type) -> Value {
        let kind = match (&ty.kind, &value.kind) {
            (_, ValueKind::Dynamic) | (TypeKind::Unknown, _) => return self.kept(value),
            (_, ValueKind::Null) if ty.optional => return self.kept(value),
            (TypeKind::Primitive(primitive), _) => return self.primitive(value, ty, *primitive),
            (TypeKind::List(element), ValueKind::List(items)) => self.list(items, element),
            (TypeKind::Record(fields), ValueKind::Map(entries)) => {
                self.record(value, entries, fields)
            }
            _ => {
                self.error(|path| Some(Finding::mismatch(path, value, ty)));
                return self.kept(value);
            }
        };
        Value::new(kind, value.range)
    }

    fn list(&mut self, items: &[Value], element: &Type) -> ValueKind {
        let mut coerced = Vec::new();
        if self.has_value() {
            coerced.reserve_exact(items.len());
        }
        for (index, item) in items.iter().enumerate() {
            self.path.index(index);
            let item = self.part(item, element);
            if self.has_value() {
                coerced.push(item);
            }
            self.path.pop();
        }
        ValueKind::list(coerced)
    }

    fn record(&mut self, map: &Value, entries: &[Entry], fields: &Fields) -> ValueKind {
        let entries = Entries::new(entries, fields, self.edition);
        let mut coerced: Vec<Option<Entry>> = Vec::new();
        let mut by_name = HashMap::default();
        let is_full = self.errors.len() >= self.most;
        let wanted = match self.wanted {
            Wanted::Shifts => Missing::None,
            _ if is_full => Missing::None,
            _ => Missing::of_first(self.most),
        };
        let (numbers, mut others) = entries.fields(fields, wanted);
        for field in numbers {
            let field = &fields[field];
            let entry = entries.get(&field.name);
            if entry.is_none() && (field.ty.optional || self.wanted == Wanted::Shifts) {
                continue;
            }
            self.path.field(&field.name);
            if let Some(entry) = entry {
                let value = self.part(&entry.value, &field.ty);
                let key = Key {
                    name: Some(field.name.as_str().into()),
                    range: entry.key.range,
                    is_atom: entry.key.is_atom,
                };
                if let Some(other) = by_name.insert(&field.name, coerced.len()) {
                    coerced[other] = None;
                }
                coerced.push(Some(Entry { key, value }));
            } else {
                let others = mem::take(&mut others);
                self.error(|path| Finding::missing(path, map, field, &entries, others));
            }
            self.path.pop();
        }
        // A collected vector would have room for four entries, which most maps of a long list do not have.
        let mut kept = Vec::with_capacity(coerced.len());
        kept.extend(coerced.into_iter().flatten());
        ValueKind::map(kept)
    }

    fn primitive(&mut self, value: &Value, ty: &Type, primitive: Primitive) -> Value {
        let kind = match scalar(value, primitive, self.edition) {
            Outcome::Kept => return self.kept(value),
            Outcome::Widened(kind) => kind,
            Outcome::Changed(kind, warning) => {
                self.warn(value, warning);
                kind
            }
            Outcome::Refused => {
                self.error(|path| Some(Finding::mismatch(path, value, ty)));
                return self.kept(value);
            }
        };
        Value::new(kind, value.range)
    }
}

fn scalar(value: &Value, primitive: Primitive, edition: Edition) -> Outcome {
    let changed = |kind: ValueKind| {
        let warning = FindingKind::Coerced {
            from: value.to_string(),
            to: primitive.word(),
        };
        Outcome::Changed(kind, warning)
    };
    let changed_if = |kind: Option<ValueKind>| kind.map_or(Outcome::Refused, changed);
    let widened_if = |float: Option<f64>| match float {
        Some(float) => Outcome::Widened(ValueKind::Float(float)),
        None => Outcome::Refused,
    };
    match (primitive, &value.kind) {
        (Primitive::Any, _)
        | (Primitive::String, ValueKind::String(_))
        | (Primitive::Int, ValueKind::Int(_) | ValueKind::BigInt(_))
        | (Primitive::Float, ValueKind::Float(_))
        | (Primitive::Bool, ValueKind::Bool(_))
        | (Primitive::Keyword, ValueKind::Keyword(_))
        | (Primitive::Datetime, ValueKind::Datetime(_))
        | (Primitive::Map, ValueKind::Map(_)) => Outcome::Kept,
        (Primitive::Float, ValueKind::Int(int)) => widened_if(Some(*int as f64)),
        (Primitive::Float, ValueKind::BigInt(int)) => widened_if(int.to_f64()),
        (Primitive::String, ValueKind::Keyword(name)) => changed(ValueKind::String(name.clone())),
        (Primitive::String, ValueKind::Datetime(datetime)) => {
            changed(ValueKind::string(datetime.to_string()))
        }
        (Primitive::Int, ValueKind::String(text)) if edition.coerces_text_to_int() => {
            changed_if(ValueKind::integer(text))
        }
        (Primitive::Float, ValueKind::String(text)) => changed_if(float(text)),
        (Primitive::Bool, ValueKind::String(text)) => {
            changed_if(text.parse().ok().map(ValueKind::Bool))
        }
        (Primitive::Keyword, ValueKind::String(text)) => {
            let name = is_keyword_name(text).then(|| text.clone());
            changed_if(name.map(ValueKind::Keyword))
        }
        (Primitive::Datetime, ValueKind::String(text)) => datetime(value, text),
        _ => Outcome::Refused,
    }
}

/// The finite number that `text` is: digits, optionally a fraction and an exponent, with optional white space around
/// it. The reference allows this space too, but not around integers.
fn float(text: &str) -> Option<ValueKind> {
    let text = text.trim();
    if let Some((before, after)) = text.split_once('.') {
        let is_digit = |char: char| char.is_ascii_digit();
        if !before.ends_with(is_digit) || !after.starts_with(is_digit) {
            return None;
        }
    }
    float::parse(text).map(ValueKind::Float)
}

fn datetime(value: &Value, text: &str) -> Outcome {
    match Datetime::parse(text) {
        Ok(datetime) if datetime.was_utc() => {
            Outcome::Widened(ValueKind::Datetime(Box::new(datetime)))
        }
        Ok(datetime) => {
            let from = value.to_string();
            let kind = ValueKind::Datetime(Box::new(datetime));
            Outcome::Changed(kind, FindingKind::Shifted { from })
        }
        Err(_) => Outcome::Refused,
    }
}
