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
        let values = missing::values_for(self, std::slice::from_ref(&param));
        let (name, ty) = param;
        let edit = self.insert_parameters(&format!("{name} {ty}"))?;
        let title = match values.is_empty() {
            true => format!("Add `{name} {ty}` to the signature"),
            false => format!("Add `{name} {ty}` to the signature and a value to the sample"),
        };
        let mut edits: Vec<_> = values.into_iter().chain([edit]).collect();
        order::by_start(&mut edits, |it| it.range.start());
        Some(Fix::offered(title, edits))
    }

    /// The edit that adds parameters to the signature, on a line of its own if the last one is.
    pub(crate) fn insert_parameters(&self, written: &str) -> Option<TextEdit> {
        let signature = self.signatures().next()?;
        let (start, signature) = (signature.start, &signature.lowered.signature);
        let output = signature.output.range.start();
        let edit = match (signature.params.as_slice(), self.open_paren(start)) {
            ([], None) => TextEdit::insert(output, format!("({written}) -> ")),
            ([], Some(open)) => TextEdit::insert(open, written),
            ([before @ .., last], open) => {
                let before = before.last().map(Field::end).or(open)?;
                let name = last.name_range.start();
                let between = TextRange::new(before.min(name), name) + start;
                let between = self.code(between);
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
                TextEdit::insert(last.end(), format!(",{space}{written}"))
            }
        };
        // Behind the output, the parameters are not where they seem to be.
        let is_safe_place = edit.range.end() <= output;
        is_safe_place.then(|| TextEdit::replace(edit.range + start, edit.insert))
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

    /// The fix that adds a field to the record `ty` of the signature.
    pub(crate) fn add_field(&self, name: &str, ty: &Type) -> Option<Fix> {
        let signature = self.signatures().next()?;
        let TypeKind::Record(fields) = &ty.kind else {
            return None;
        };
        let name = self.edition.normal_form(name);
        let last = fields.last()?;
        let place = last.end() + signature.start;
        let edits = vec![TextEdit::insert(place, format!(", {name} :any"))];
        Some(Fix::offered(
            format!("Add `{name} :any` to the record"),
            edits,
        ))
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
