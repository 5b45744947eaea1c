//! Parameters and fields that the prompts ask for: the fixes that add them to the signature.

use super::UnitView;
use crate::{
    contract::{Direction, Value, ValueKind},
    ide::{Fix, fragment::parameter_list, inference, rules::missing},
    model::{Field, Primitive, Type, TypeKind},
};
use signature_ls_source::{
    order,
    syntax::fragment::Escapes,
    text::{TextEdit, TextRange, TextSize},
};

/// The types of parameters are read from prompts of at most this many bytes together, because that takes all of them.
const LONGEST_READ: u32 = 16 * 1024;

impl UnitView<'_> {
    /// The fix that adds the parameter `name` to the signature, and a value for it to each sample that can be edited.
    pub(crate) fn add_parameter(&self, name: &str) -> Option<Fix> {
        let param = self.parameter_for(name);
        let edit = self.insert_parameters(std::slice::from_ref(&param))?;
        Some(self.with_values(TextRange::default(), param, "signature", edit))
    }

    /// The fix that adds a field to the record at `record` with `edit`, and a value for it to each sample that can be edited.
    fn with_values(
        &self,
        record: TextRange,
        field: (String, Type),
        to: &str,
        edit: TextEdit,
    ) -> Fix {
        let mut edits = missing::values_for(self, record, std::slice::from_ref(&field));
        let and = match edits.is_empty() {
            true => "",
            false => " and a value to the sample",
        };
        let title = format!("Add `{} {}` to the {to}{and}", field.0, field.1);
        edits.push(edit);
        order::by_start(&mut edits, |it| it.range.start());
        Fix::offered(title, edits)
    }

    /// The edit that adds parameters to the signature, on lines of their own if the last one is.
    pub(crate) fn insert_parameters(&self, params: &[(String, Type)]) -> Option<TextEdit> {
        let new: Vec<_> = params
            .iter()
            .map(|(name, ty)| format!("{name} {ty}"))
            .collect();
        let written = new.join(", ");
        let signature = self.signatures().next()?;
        let (start, signature) = (signature.start, &signature.lowered.signature);
        let output = signature.output.range.start();
        let edit = match (signature.params.as_slice(), self.open_paren(start)) {
            ([], None) => TextEdit::insert(output, format!("({written}) -> ")),
            ([], Some(open)) => TextEdit::insert(open, written),
            (params, open) => self.insert_after((params, open), start, &new)?,
        };
        // Behind the output, the parameters are not where they seem to be.
        let is_safe_place = edit.range.end() <= output;
        is_safe_place.then(|| TextEdit::replace(edit.range + start, edit.insert))
    }

    /// The edit that adds `new` fields to `fields` of the signature at `start`, which follow the bracket before `open`: on
    /// lines of their own if the last one is. Its place counts from `start`.
    fn insert_after(
        &self,
        (fields, open): (&[Field], Option<TextSize>),
        start: TextSize,
        new: &[String],
    ) -> Option<TextEdit> {
        let (last, before) = fields.split_last()?;
        let before = before.last().map(Field::end).or(open)?;
        let name = last.name_range.start();
        let between = self.code(TextRange::new(before.min(name), name) + start);
        let mut sites = self.unit.sites.iter();
        // In the quotes of YAML and JSON, a line break would be written as an escape.
        let takes_lines = sites.any(|it| {
            let escapes = it.escapes;
            it.content.start() == start
                && matches!(
                    escapes,
                    Escapes::None | Escapes::Folded | Escapes::Backslash
                )
        });
        let space = match takes_lines && between.contains(['\n', '\r']) {
            true => between.trim_start_matches(','),
            false => " ",
        };
        let new = new.iter().map(|it| format!(",{space}{it}"));
        Some(TextEdit::insert(last.end(), new.collect::<String>()))
    }

    /// The name and the type of a parameter for the placeholder or the value `name`.
    pub(crate) fn parameter_for(&self, name: &str) -> (String, Type) {
        let asked = self.asked.get_or_init(|| self.asked_for());
        let is_it = |other: &str| self.edition.is_same_name(name, other);
        let asked = asked.iter().find(|(other, _)| is_it(other));
        let ty = asked.map_or(Type::primitive(Primitive::Any), |(_, ty)| ty.clone());
        let name = self.edition.normal_name(name);
        let ty = self.as_sampled(&name, ty);
        (name, ty)
    }

    /// `ty`, or the type of the value that a sample has for `name`, if `ty` says nothing.
    pub(crate) fn as_sampled(&self, name: &str, ty: Type) -> Type {
        if ty.optional || !matches!(ty.kind, TypeKind::Primitive(Primitive::Any)) {
            return ty;
        }
        let inputs = self.samples().filter(|it| it.direction == Direction::Input);
        let mut entries = inputs.filter_map(|it| match &it.value.kind {
            ValueKind::Map(entries) => entries.iter().find(|it| {
                let key = it.key.name.as_deref();
                key.is_some_and(|key| self.edition.is_same_name(key, name))
            }),
            _ => None,
        });
        entries.next().map_or(ty, |it| type_of(&it.value))
    }

    fn asked_for(&self) -> Vec<(String, Type)> {
        let prompts: Vec<_> = self.prompts().map(|it| it.root).collect();
        let len: TextSize = prompts.iter().map(|it| it.text_range().len()).sum();
        match self.signatures().next() {
            Some(signature) if len <= LONGEST_READ.into() => {
                inference::missing(&prompts, &signature.lowered.signature, self.edition)
            }
            _ => Vec::new(),
        }
    }

    /// The fix that adds a field to the `record` of the signature, and a value for it to each sample that can be edited.
    pub(crate) fn add_field(&self, name: &str, record: &Type) -> Option<Fix> {
        let start = self.signatures().next()?.start;
        let TypeKind::Record(fields) = &record.kind else {
            return None;
        };
        let name = self.edition.normal_name(name);
        let open = record.range.start() + TextSize::of('{');
        let edit = self.insert_after((fields, Some(open)), start, &[format!("{name} :any")])?;
        let edit = TextEdit::replace(edit.range + start, edit.insert);
        let field = (name, Type::primitive(Primitive::Any));
        Some(self.with_values(record.range, field, "record", edit))
    }

    /// The place after the parenthesis that opens the parameters.
    fn open_paren(&self, start: TextSize) -> Option<TextSize> {
        let root = self.fragments().find(|it| it.start == start)?.root();
        let paren = parameter_list(&root)?.first_token();
        paren.map(|it| it.text_range().end())
    }
}

/// The type of the parameter for `value`.
fn type_of(value: &Value) -> Type {
    let primitive = match &value.kind {
        ValueKind::Bool(_) => Primitive::Bool,
        ValueKind::Int(_) | ValueKind::BigInt(_) => Primitive::Int,
        ValueKind::Float(_) => Primitive::Float,
        ValueKind::String(_) => Primitive::String,
        ValueKind::Keyword(_) => Primitive::Keyword,
        ValueKind::Datetime(_) => Primitive::Datetime,
        ValueKind::Map(_) => Primitive::Map,
        ValueKind::List(_) | ValueKind::Null | ValueKind::Dynamic => Primitive::Any,
    };
    let ty = Type::primitive(primitive);
    match &value.kind {
        ValueKind::List(_) => Type::new(TypeKind::List(Box::new(ty))),
        _ => ty,
    }
}
