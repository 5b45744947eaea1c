//! Converts type expressions to types, by the table of the reference.

use std::sync::{Arc, OnceLock, PoisonError};

use super::{
    DeclaredTypes, Extracted,
    expr::{Expr, ExprKind, MapField, Spec},
    words::Words,
};
use crate::model::{Field, Primitive, Signature, Type, TypeKind};
use signature_ls_source::text::TextRange;

/// How deeply types of the module are expanded.
const MAX_EXPANSIONS: usize = 3;

/// The maximum depth of a type after expansion.
const MAX_DEPTH: usize = 256;

/// The maximum number of expressions that are converted, since expansions multiply.
const MAX_EXPRESSIONS: usize = 20_000;

/// A type of the module with more expressions is converted once for all that use it.
const MAX_REPEATED: usize = 16;

/// The signature of the function with parameters called `names`.
pub(super) fn signature(spec: &Spec, names: &[String], types: &DeclaredTypes) -> Extracted {
    let mut conversion = Conversion::new(types);
    let mut params = Vec::new();
    let mut words = Words::from("(".to_owned());
    for (index, param) in spec.params.iter().enumerate() {
        let name = match names.get(index) {
            Some(name) => name.clone(),
            None => format!("arg{index}"),
        };
        let said = conversion.ty(param);
        let before = if index > 0 { ", " } else { "" };
        words.push_str(before);
        words.push_str(&name);
        words.push_str(" ");
        words.push(said.words);
        params.push(field(name, said.ty));
    }
    let output = conversion.ty(&spec.output);
    words.push_str(") -> ");
    words.push(output.words);
    let signature = Signature {
        params: params.into(),
        output: output.ty,
    };
    Extracted {
        signature: Arc::new(signature),
        words,
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
    most_depth: usize,
    /// The greatest depth so far.
    deepest: usize,
    expressions: usize,
    unmapped: Vec<TextRange>,
}

/// A type and its notation in the reference.
#[derive(Debug, Clone)]
struct Said {
    ty: Type,
    words: Words,
}

/// What a type of the module stands for.
#[derive(Debug)]
pub(super) struct Expanded {
    said: Said,
    expressions: usize,
    depth: usize,
    /// Whether it has parts without a counterpart.
    is_unmapped: bool,
}

impl Said {
    fn primitive(primitive: Primitive) -> Self {
        Self {
            ty: Type::primitive(primitive),
            words: format!(":{}", primitive.word()).into(),
        }
    }

    fn list(self) -> Self {
        let mut words = Words::from("[".to_owned());
        words.push(self.words);
        words.push_str("]");
        Self {
            ty: Type::new(TypeKind::List(Box::new(self.ty))),
            words,
        }
    }

    fn optional(mut self) -> Self {
        self.words.push_str("?");
        Self {
            ty: self.ty.optional(),
            words: self.words,
        }
    }

    /// The same for many types that have it.
    fn shared(self) -> Self {
        Self {
            ty: self.ty,
            words: self.words.shared(),
        }
    }
}

/// A record of which some fields are known. One may have as many as a text has.
struct Record {
    words: Words,
    fields: Vec<Field>,
}

impl Record {
    fn with_capacity(count: usize) -> Self {
        Self {
            words: Words::from("{".to_owned()),
            fields: Vec::with_capacity(count),
        }
    }

    fn add(&mut self, name: &str, said: Said) {
        let before = if self.fields.is_empty() { "" } else { ", " };
        self.words.push_str(before);
        self.words.push_str(name);
        self.words.push_str(" ");
        self.words.push(said.words);
        self.fields.push(field(name.to_owned(), said.ty));
    }

    fn finish(mut self) -> Said {
        self.words.push_str("}");
        Said {
            ty: Type::new(TypeKind::Record(self.fields.into())),
            words: self.words,
        }
    }
}

impl<'a> Conversion<'a> {
    fn new(types: &'a DeclaredTypes) -> Self {
        Self {
            types,
            expansions: 0,
            depth: 0,
            most_depth: MAX_DEPTH,
            deepest: 0,
            expressions: 0,
            unmapped: Vec::new(),
        }
    }

    fn ty(&mut self, expr: &Expr) -> Said {
        self.expressions += 1;
        if self.depth == self.most_depth || self.expressions > MAX_EXPRESSIONS {
            return self.unmapped(expr);
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
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
        let Some(Some(definition)) = self.types.by_name.get(name) else {
            return self.unmapped(expr);
        };
        if self.expansions == MAX_EXPANSIONS {
            return self.unmapped(expr);
        }
        let expanded = self.expanded(name, definition);
        let is_too_much = self.expressions + expanded.expressions > MAX_EXPRESSIONS
            || self.depth + expanded.depth > self.most_depth;
        if is_too_much {
            return self.unmapped(expr);
        }
        self.expressions += expanded.expressions;
        self.deepest = self.deepest.max(self.depth + expanded.depth);
        if expanded.is_unmapped {
            self.unmapped(expr);
        }
        expanded.said.clone()
    }

    /// What the type `name` with this `definition` stands for here.
    fn expanded(&self, name: &str, definition: &Expr) -> Arc<Expanded> {
        let known = || {
            self.types
                .expanded
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let key = (name.to_owned(), self.expansions);
        let slot = known().get(&key).map(Arc::clone);
        let slot = match slot {
            Some(slot) => slot,
            None if is_long(definition) => Arc::clone(known().entry(key).or_default()),
            None => {
                let expanded = Arc::new(self.expand(definition));
                if expanded.expressions > MAX_REPEATED {
                    let slot = OnceLock::from(Arc::clone(&expanded));
                    known().insert(key, Arc::new(slot));
                }
                return expanded;
            }
        };
        // Types around others wait for these, never the other way around.
        Arc::clone(slot.get_or_init(|| Arc::new(self.expand(definition))))
    }

    fn expand(&self, definition: &Expr) -> Expanded {
        let mut inner = Self {
            expansions: self.expansions + 1,
            // Expansions are recursive.
            most_depth: self.most_depth / 2,
            ..Self::new(self.types)
        };
        let said = inner.ty(definition);
        let is_large = inner.expressions > MAX_REPEATED;
        Expanded {
            said: if is_large { said.shared() } else { said },
            expressions: inner.expressions,
            depth: inner.deepest,
            is_unmapped: !inner.unmapped.is_empty(),
        }
    }

    /// Maps without a required atom key are plain maps.
    fn map(&mut self, fields: &[MapField]) -> Said {
        if fields.is_empty() {
            return Said::primitive(Primitive::Map);
        }
        let mut record = Record::with_capacity(fields.len());
        for field in fields {
            record.add(&field.name, self.ty(&field.ty));
        }
        record.finish()
    }

    fn union(&mut self, expr: &Expr, [first, second]: &[Expr; 2]) -> Said {
        if let Some((result, error)) = ok_and_error(first, second) {
            let mut record = Record::with_capacity(2);
            record.add("result", self.ty(result));
            record.add("error", self.ty(error).optional());
            return record.finish();
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
        let range = expr.range;
        if self.unmapped.last() != Some(&range) {
            self.unmapped.push(range);
        }
        Said::primitive(Primitive::Any)
    }
}

/// Whether a definition alone is that of a type that is converted once.
fn is_long(definition: &Expr) -> bool {
    matches!(&definition.kind, ExprKind::Map(fields) if fields.len() >= MAX_REPEATED)
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
