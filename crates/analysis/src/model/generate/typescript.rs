//! TypeScript: `export type`s.

use super::{Callable, HEADER, Names, comment_lines, distinct, names::pascal};
use crate::model::{Field, Primitive, Type, TypeKind};

pub(super) fn generate(callables: &[Callable<'_>]) -> String {
    let mut text = format!("// {HEADER}\n");
    let mut names = Names::default();
    for callable in callables {
        let name = names.unique(pascal(callable.name));
        text.push('\n');
        text.push_str(&comment(callable.description));
        let input = input(&callable.signature.params);
        let output = ty(&callable.signature.output, 0);
        text.push_str(&format!("export type {name}Input = {input};\n\n"));
        text.push_str(&format!("export type {name}Output = {output};\n"));
    }
    text
}

fn comment(description: Option<&str>) -> String {
    let lines = comment_lines(description).map(|line| {
        let line = format!(" * {}", line.replace("*/", "*\\/"));
        format!("{}\n", line.trim_end())
    });
    match lines.collect::<String>() {
        lines if lines.is_empty() => lines,
        lines => format!("/**\n{lines} */\n"),
    }
}

fn ty(of: &Type, depth: usize) -> String {
    let text = match &of.kind {
        TypeKind::Primitive(primitive) => word(*primitive).to_owned(),
        TypeKind::Unknown => "unknown".to_owned(),
        TypeKind::Record(fields) => record(fields, depth),
        TypeKind::List(element) => format!("Array<{}>", ty(element, depth)),
    };
    match of.optional {
        true => format!("{text} | null"),
        false => text,
    }
}

/// The arguments of a tool, which may have none.
fn input(params: &[Field]) -> String {
    match params {
        [] => "Record<string, never>".to_owned(),
        params => record(params, 0),
    }
}

fn record(fields: &[Field], depth: usize) -> String {
    if fields.is_empty() {
        // It can contain anything.
        return word(Primitive::Map).to_owned();
    }
    let indent = "  ".repeat(depth + 1);
    let fields = distinct(fields).into_iter().map(|(name, of)| {
        let mark = if of.optional { "?" } else { "" };
        format!("{indent}{}{mark}: {};\n", key(name), ty(of, depth + 1))
    });
    format!("{{\n{}{}}}", fields.collect::<String>(), "  ".repeat(depth))
}

/// A property name, quoted if it is not an identifier.
fn key(name: &str) -> String {
    let is_identifier = !name.is_empty()
        && !name.starts_with(|char: char| char.is_ascii_digit())
        && name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    match is_identifier {
        true => name.to_owned(),
        false => serde_json::to_string(name).unwrap_or_default(),
    }
}

fn word(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String | Primitive::Keyword | Primitive::Datetime => "string",
        Primitive::Int | Primitive::Float => "number",
        Primitive::Bool => "boolean",
        Primitive::Map => "Record<string, unknown>",
        Primitive::Any => "unknown",
    }
}
