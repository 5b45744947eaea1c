//! Resolves placeholders: the meaning of each name of a template under a signature.

mod notable;
mod resolver;
mod runs;
mod shared;
mod uses;

pub use notable::Compounds;
use resolver::Resolver;
pub use runs::Uses;
pub use uses::{Meaning, Use};

use crate::model::{Edition, Fields, Gaps, Primitive, Signature, Type, TypeKind, gaps::Gap};
use signature_ls_source::{
    syntax::{kind::SyntaxNode, template::ast},
    text::{TextRange, TextSize},
};

/// The meaning of every name of `template` under `signature`, which is complete, in the order of the text.
pub fn resolve(template: &SyntaxNode, signature: &Signature, edition: Edition) -> Vec<Use> {
    let gaps = Gaps::default();
    let mut resolver = Resolver::new(signature, &gaps, edition);
    resolver.tags(ast::tags(template));
    resolver.uses
}

/// The meaning of the names in tags that overlap `range`. Nothing else is read.
pub fn resolve_in(
    template: &SyntaxNode,
    signature: &Signature,
    edition: Edition,
    range: TextRange,
) -> Vec<Use> {
    let gaps = Gaps::default();
    let mut resolver = Resolver::new(signature, &gaps, edition);
    resolver.tags_in(template, range);
    resolver.uses
}

/// The meaning of the name at `offset`, a byte of the template; also in a closing tag. Only the text around it is
/// read.
pub fn resolve_at(
    template: &SyntaxNode,
    signature: &Signature,
    edition: Edition,
    offset: TextSize,
) -> Option<Use> {
    let gaps = Gaps::default();
    Resolver::new(signature, &gaps, edition).use_at(template.clone(), offset)
}

/// The scope of names: the parameters, or what a section is over.
struct Frame<'a> {
    names: Names<'a>,
    /// The meaning of `{{.}}` here.
    element: Option<&'a Type>,
    /// The type whose fields are in scope; `None` for the parameters and for unknown fields.
    owner: Option<&'a Type>,
    /// The declaration of the list that a section iterates over.
    declared: Option<TextRange>,
    /// The path from the parameters to here, in normal form.
    at: Vec<String>,
    is_root: bool,
}

impl Frame<'_> {
    /// A scope without declared fields.
    fn unknown() -> Self {
        Self {
            names: Names::Any,
            element: None,
            owner: None,
            declared: None,
            at: Vec::new(),
            is_root: false,
        }
    }
}

#[derive(Clone, Copy)]
enum Names<'a> {
    Fields(&'a Fields, &'a Gap),
    /// A map with unknown keys, or a type that could not be read.
    Any,
    None,
}

impl<'a> Names<'a> {
    fn fields(self) -> Option<&'a Fields> {
        match self {
            Self::Fields(fields, _) => Some(fields),
            Self::Any | Self::None => None,
        }
    }
}

/// The fields of a record, if it has any.
fn fields_of(ty: &Type) -> Option<&Fields> {
    match &ty.kind {
        TypeKind::Record(fields) if !fields.is_empty() => Some(fields),
        _ => None,
    }
}

/// Whether a section over the type is invalid: it is neither iterated over nor a condition.
pub(crate) fn is_plain_scalar(ty: &Type) -> bool {
    let condition = Primitive::Bool;
    match ty.kind {
        TypeKind::Primitive(Primitive::Map | Primitive::Any) => false,
        TypeKind::Primitive(primitive) => primitive != condition && !ty.optional,
        TypeKind::List(_) | TypeKind::Record(_) | TypeKind::Unknown => false,
    }
}

#[cfg(test)]
mod tests;
