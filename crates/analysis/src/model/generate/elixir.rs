//! Elixir: a module of `@type`s. Keys are atoms, since typespecs have no string keys.

use super::{Callable, HEADER, Names, comment_lines, distinct, names::snake};
use crate::model::{Field, Primitive, Type, TypeKind};

pub(super) fn generate(callables: &[Callable<'_>]) -> String {
    let mut text = format!("# {HEADER}\ndefmodule Signatures do\n  @moduledoc false\n");
    let mut names = Names::default();
    for callable in callables {
        let name = names.unique(snake(callable.name));
        text.push('\n');
        for line in comment_lines(callable.description) {
            text.push_str(format!("  # {line}").trim_end());
            text.push('\n');
        }
        let input = record(&callable.signature.params, 1, "%{}");
        let output = ty(&callable.signature.output, 1);
        text.push_str(&format!("  @type {name}_input :: {input}\n"));
        text.push_str(&format!("  @type {name}_output :: {output}\n"));
    }
    text.push_str("end\n");
    text
}

fn ty(of: &Type, depth: usize) -> String {
    let text = match &of.kind {
        TypeKind::Primitive(primitive) => word(*primitive).to_owned(),
        TypeKind::Unknown => "any()".to_owned(),
        TypeKind::Record(fields) => record(fields, depth, "map()"),
        TypeKind::List(element) => format!("[{}]", ty(element, depth)),
    };
    match of.optional {
        true => format!("{text} | nil"),
        false => text,
    }
}

/// A map with these fields, or `empty` if there are none.
fn record(fields: &[Field], depth: usize, empty: &str) -> String {
    if fields.is_empty() {
        return empty.to_owned();
    }
    let indent = "  ".repeat(depth + 1);
    let fields = distinct(fields).into_iter().map(|(name, of)| {
        let presence = if of.optional { "optional" } else { "required" };
        format!(
            "{indent}{presence}({}) => {}",
            atom(name),
            ty(of, depth + 1)
        )
    });
    let fields = fields.collect::<Vec<_>>().join(",\n");
    format!("%{{\n{fields}\n{}}}", "  ".repeat(depth))
}

fn atom(name: &str) -> String {
    let is_plain = name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
        && name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    match is_plain {
        true => format!(":{name}"),
        false => format!(":\"{name}\""),
    }
}

fn word(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String => "String.t()",
        Primitive::Int => "integer()",
        Primitive::Float => "number()",
        Primitive::Bool => "boolean()",
        Primitive::Keyword => "atom()",
        Primitive::Datetime => "DateTime.t()",
        Primitive::Map => "map()",
        Primitive::Any => "any()",
    }
}
