//! Conversions between optional and required, and between shorthand and full form.

use super::Refactoring;
use crate::{
    ide::place::Literal,
    model::{Field, Signature, Type, TypeKind},
};
use signature_ls_source::{
    syntax::kind::SyntaxKind,
    text::{TextEdit, TextRange, TextSize},
};

pub(super) fn refactorings(
    literal: &Literal<'_>,
    signature: &Signature,
    offset: TextSize,
) -> Vec<Refactoring> {
    let at = offset - literal.start;
    let mut found = Vec::new();
    let (ty, name) = match field_at(&signature.params, at) {
        Some(field) => (&field.ty, Some(field.name.as_str())),
        None => match type_at(&signature.output, at) {
            Some(Found::Field(field)) => (&field.ty, Some(field.name.as_str())),
            Some(Found::Type(ty)) => (ty, None),
            None => return form(literal, signature).into_iter().collect(),
        },
    };
    found.extend(optional(literal, ty, name));
    found.extend(form(literal, signature));
    found
}

enum Found<'a> {
    Field(&'a Field),
    Type(&'a Type),
}

/// The innermost field whose name or type is at `at`.
fn field_at(fields: &[Field], at: TextSize) -> Option<&Field> {
    let field = fields.iter().find(|it| it.range().contains_inclusive(at))?;
    match type_at(&field.ty, at) {
        Some(Found::Field(inner)) => Some(inner),
        _ => Some(field),
    }
}

fn type_at(ty: &Type, at: TextSize) -> Option<Found<'_>> {
    if !ty.range.contains_inclusive(at) {
        return None;
    }
    let inner = match &ty.kind {
        TypeKind::Record(fields) => field_at(fields, at).map(Found::Field),
        TypeKind::List(element) => match type_at(element, at) {
            Some(Found::Field(field)) => Some(Found::Field(field)),
            _ => None,
        },
        TypeKind::Primitive(_) | TypeKind::Unknown => None,
    };
    inner.or(Some(Found::Type(ty)))
}

fn optional(literal: &Literal<'_>, ty: &Type, name: Option<&str>) -> Option<Refactoring> {
    // Only a type word can have a `?`.
    let is_word = matches!(ty.kind, TypeKind::Primitive(_));
    if ty.range.is_empty() || !is_word {
        return None;
    }
    let what = name.map_or("the output".to_owned(), |name| format!("`{name}`"));
    let end = ty.range.end() + literal.start;
    Some(match ty.optional {
        true => Refactoring::new(
            format!("Make {what} required"),
            vec![TextEdit::delete(TextRange::at(
                end - TextSize::of('?'),
                TextSize::of('?'),
            ))],
        ),
        false => Refactoring::new(
            format!("Make {what} optional"),
            vec![TextEdit::insert(end, "?")],
        ),
    })
}

/// Converts between `:int` and `() -> :int`.
fn form(literal: &Literal<'_>, signature: &Signature) -> Option<Refactoring> {
    let output = signature.output.range;
    if !signature.params.is_empty() || output.is_empty() {
        return None;
    }
    let root = literal.root()?;
    let mut tokens = root
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    let first = tokens
        .find(|it| it.kind() != SyntaxKind::Whitespace)?
        .text_range();
    match first.start() < output.start() {
        true => Some(Refactoring::new(
            "Write the shorthand without parameters",
            vec![TextEdit::delete(
                TextRange::new(first.start(), output.start()) + literal.start,
            )],
        )),
        false => Some(Refactoring::new(
            "Write the full form with parameters",
            vec![TextEdit::insert(output.start() + literal.start, "() -> ")],
        )),
    }
}
