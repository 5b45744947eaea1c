//! Converts type expressions to types, by the table of the reference.

use super::{
    DeclaredTypes, Extracted,
    expr::{Expr, ExprKind, MapField, Spec},
};
use crate::model::{Field, Primitive, Signature, Type, TypeKind};
use signature_ls_source::text::TextRange;

/// How deeply types of the module are expanded.
const MAX_EXPANSIONS: usize = 3;

/// The maximum depth of a type after expansion.
const MAX_DEPTH: usize = 256;

/// The maximum number of expressions that are converted, since expansions multiply.
const MAX_EXPRESSIONS: usize = 20_000;

/// The signature of the function with parameters called `names`.
pub(super) fn signature(spec: &Spec, names: &[String], types: &DeclaredTypes) -> Extracted {
    let mut conversion = Conversion {
        types,
        expansions: 0,
        depth: 0,
        expressions: 0,
        used_at: None,
        unmapped: Vec::new(),
    };
    let mut params = Vec::new();
    let mut texts = Vec::new();
    for (index, param) in spec.params.iter().enumerate() {
        let name = match names.get(index) {
            Some(name) => name.clone(),
            None => format!("arg{index}"),
        };
        let Said { ty, text } = conversion.ty(param);
        texts.push(format!("{name} {text}"));
        params.push(field(name, ty));
    }
    let Said { ty: output, text } = conversion.ty(&spec.output);
    Extracted {
        signature: Signature {
            params: params.into(),
            output,
        },
        text: format!("({}) -> {text}", texts.join(", ")),
        unmapped: conversion.unmapped,
    }
}

fn field(name: String, ty: Type) -> Field {
    Field {
        name,
        name_range: TextRange::default(),
        ty,
    }
}

struct Conversion<'a> {
    types: &'a DeclaredTypes,
    /// The types of the module that are being expanded.
    expansions: usize,
    depth: usize,
    expressions: usize,
    /// Where the spec uses the outermost of these.
    used_at: Option<TextRange>,
    unmapped: Vec<TextRange>,
}

/// A type and its notation in the reference.
struct Said {
    ty: Type,
    text: String,
}

impl Said {
    fn primitive(primitive: Primitive) -> Self {
        Self {
            ty: Type::primitive(primitive),
            text: format!(":{}", primitive.word()),
        }
    }

    fn list(self) -> Self {
        Self {
            ty: Type::new(TypeKind::List(Box::new(self.ty))),
            text: format!("[{}]", self.text),
        }
    }

    fn optional(self) -> Self {
        Self {
            ty: self.ty.optional(),
            text: format!("{}?", self.text),
        }
    }

    fn record(fields: Vec<(String, Said)>) -> Self {
        let texts: Vec<String> = fields
            .iter()
            .map(|(name, said)| format!("{name} {}", said.text))
            .collect();
        let fields = fields.into_iter().map(|(name, said)| field(name, said.ty));
        Self {
            ty: Type::new(TypeKind::Record(fields.collect())),
            text: format!("{{{}}}", texts.join(", ")),
        }
    }
}

impl Conversion<'_> {
    fn ty(&mut self, expr: &Expr) -> Said {
        self.expressions += 1;
        if self.depth == MAX_DEPTH || self.expressions > MAX_EXPRESSIONS {
            return self.unmapped(expr);
        }
        self.depth += 1;
        let said = match &expr.kind {
            ExprKind::Local(name) => self.local(expr, name),
            ExprKind::Text => Said::primitive(Primitive::String),
            ExprKind::List(element) => self.ty(element).list(),
            ExprKind::Map(fields) => self.map(fields),
            ExprKind::Union(members) => self.union(expr, members),
            ExprKind::Atom(_)
            | ExprKind::Required(_)
            | ExprKind::Tagged(_)
            | ExprKind::LongUnion
            | ExprKind::Other => self.unmapped(expr),
        };
        self.depth -= 1;
        said
    }

    fn local(&mut self, expr: &Expr, name: &str) -> Said {
        match built_in(name) {
            _ if name == "list" => Said::primitive(Primitive::Any).list(),
            Some(primitive) => Said::primitive(primitive),
            None => self.declared(expr, name),
        }
    }

    fn declared(&mut self, expr: &Expr, name: &str) -> Said {
        let types = self.types;
        let Some(Some(definition)) = types.by_name.get(name) else {
            return self.unmapped(expr);
        };
        if self.expansions == MAX_EXPANSIONS {
            return self.unmapped(expr);
        }
        let outer = self.used_at;
        self.used_at = outer.or(Some(expr.range));
        self.expansions += 1;
        let said = self.ty(definition);
        self.expansions -= 1;
        self.used_at = outer;
        said
    }

    /// Maps without a required atom key are plain maps.
    fn map(&mut self, fields: &[MapField]) -> Said {
        if fields.is_empty() {
            return Said::primitive(Primitive::Map);
        }
        let named = fields.iter();
        let named = named.map(|it| (it.name.to_string(), self.ty(&it.ty)));
        Said::record(named.collect())
    }

    fn union(&mut self, expr: &Expr, [first, second]: &[Expr; 2]) -> Said {
        if let Some((result, error)) = ok_and_error(first, second) {
            let result = self.ty(result);
            let error = self.ty(error).optional();
            return Said::record(vec![
                ("result".to_owned(), result),
                ("error".to_owned(), error),
            ]);
        }
        if is_atom(second, "nil") {
            return self.ty(first).optional();
        }
        if is_atom(first, "nil") {
            return self.ty(second).optional();
        }
        self.unmapped(expr)
    }

    fn unmapped(&mut self, expr: &Expr) -> Said {
        let range = self.used_at.unwrap_or(expr.range);
        if self.unmapped.last() != Some(&range) {
            self.unmapped.push(range);
        }
        Said::primitive(Primitive::Any)
    }
}

fn built_in(name: &str) -> Option<Primitive> {
    let primitive = match name {
        "binary" => Primitive::String,
        "integer" | "non_neg_integer" | "pos_integer" => Primitive::Int,
        "float" | "number" => Primitive::Float,
        "boolean" => Primitive::Bool,
        "atom" => Primitive::Keyword,
        "map" => Primitive::Map,
        "any" | "term" => Primitive::Any,
        _ => return None,
    };
    Some(primitive)
}

/// `t` and `e` of `{:ok, t} | {:error, e}`, in either order.
fn ok_and_error<'a>(first: &'a Expr, second: &'a Expr) -> Option<(&'a Expr, &'a Expr)> {
    match (tagged(first)?, tagged(second)?) {
        (("ok", result), ("error", error)) | (("error", error), ("ok", result)) => {
            Some((result, error))
        }
        _ => None,
    }
}

/// `{:tag, t}`.
fn tagged(expr: &Expr) -> Option<(&str, &Expr)> {
    let ExprKind::Tagged(parts) = &expr.kind else {
        return None;
    };
    let (tag, value) = &**parts;
    Some((tag, value))
}

fn is_atom(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Atom(atom) if **atom == *name)
}
