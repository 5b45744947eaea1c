//! The text of entries that are added to a map.

use crate::{
    ide::unit::UnitView,
    model::{Field, Primitive, Type, TypeKind},
};
use signature_ls_source::{
    host::Notation,
    text::{TextEdit, TextRange, size},
};

/// The number of fields that get a value in an entry that is written for a record.
const MOST_FILLED: usize = 32;

/// How the entries of a map are written.
pub(in crate::ide::rules) struct Style<'a> {
    pub(super) unit: &'a UnitView<'a>,
    pub(super) notation: Notation,
    /// Whether the keys are strings before arrows, in Elixir.
    pub(super) has_arrows: bool,
}

impl<'a> Style<'a> {
    /// That of the arguments of a call in a program.
    pub(in crate::ide::rules) fn of_arguments(unit: &'a UnitView<'a>) -> Self {
        Self {
            unit,
            notation: Notation::Lisp,
            has_arrows: false,
        }
    }

    /// The entry for a field with an initial value.
    pub(in crate::ide::rules) fn entry(&self, field: &Field) -> String {
        let mut left = MOST_FILLED;
        self.entry_within(field, &mut left)
    }

    /// The same, in which at most `left` more fields have a value.
    fn entry_within(&self, field: &Field, left: &mut usize) -> String {
        let (name, value) = (&field.name, self.example(&field.ty, left));
        match self.notation {
            Notation::Elixir if self.has_arrows => format!("\"{name}\" => {value}"),
            Notation::Elixir if name.contains('-') => format!("\"{name}\": {value}"),
            Notation::Json => format!("\"{name}\": {value}"),
            Notation::Yaml | Notation::Elixir => format!("{name}: {value}"),
            Notation::Lisp => format!(":{} {value}", self.unit.lisp_name(name)),
        }
    }

    /// An initial value of the type `ty`, which has what it requires.
    fn example(&self, ty: &Type, left: &mut usize) -> String {
        let text = match &ty.kind {
            TypeKind::List(_) => "[]",
            TypeKind::Record(fields) => return self.map(fields, left),
            TypeKind::Primitive(Primitive::Map) => return self.map(&[], left),
            TypeKind::Primitive(Primitive::Int) => "0",
            TypeKind::Primitive(Primitive::Float) => "0.0",
            TypeKind::Primitive(Primitive::Bool) => "false",
            TypeKind::Primitive(Primitive::Datetime) => "\"2026-01-01T00:00:00Z\"",
            TypeKind::Primitive(Primitive::Keyword) => match self.notation {
                Notation::Elixir | Notation::Lisp => ":none",
                Notation::Yaml | Notation::Json => "\"none\"",
            },
            TypeKind::Primitive(Primitive::String | Primitive::Any) | TypeKind::Unknown => "\"\"",
        };
        text.to_owned()
    }

    fn map(&self, fields: &[Field], left: &mut usize) -> String {
        let mut entries = Vec::new();
        for field in fields.iter().filter(|it| !it.ty.optional) {
            let Some(fewer) = left.checked_sub(1) else {
                break;
            };
            *left = fewer;
            entries.push(self.entry_within(field, left));
        }
        let mark = match self.notation {
            Notation::Elixir => "%",
            _ => "",
        };
        format!("{mark}{{{}}}", entries.join(separator(self.notation)))
    }
}

pub(super) fn separator(notation: Notation) -> &'static str {
    match notation {
        Notation::Lisp => " ",
        _ => ", ",
    }
}

/// The insertion of `entries` into the map at `range`, whose text is `code`; `None` if its end is not visible.
pub(super) fn insertion(
    code: &str,
    range: TextRange,
    entries: &[String],
    separator: &str,
) -> Option<TextEdit> {
    let inner = code.strip_suffix(['}', ']'])?.trim_end();
    let (before, following) = match inner.chars().next_back()? {
        '{' | '[' => ("", ""),
        // Where each entry has a line, the last one keeps its comma.
        ',' if separator.contains('\n') => (&separator[1..], ","),
        ',' => (" ", ""),
        _ => (separator, ""),
    };
    let insert = format!("{before}{}{following}", entries.join(separator));
    Some(TextEdit::insert(range.start() + size(inner.len()), insert))
}
