//! Type expressions, as far as the reference distinguishes them.

use signature_ls_source::text::TextRange;

/// A type expression.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    /// The place, in bytes of the text.
    pub(super) range: TextRange,
}

#[derive(Debug, Clone)]
pub(super) enum ExprKind {
    /// `:ok`, `nil`.
    Atom(Box<str>),
    /// `integer()`, `user`.
    Local(Box<str>),
    /// `required(t)`.
    Required(Box<Expr>),
    /// `String.t()`.
    Text,
    /// `[t]`, `list(t)`.
    List(Box<Expr>),
    /// `{:ok, t}`: the atom and the type.
    Tagged(Box<(Box<str>, Expr)>),
    /// `%{a: t}`: the fields whose keys are required atoms.
    Map(Box<[MapField]>),
    /// `a | b`.
    Union(Box<[Expr; 2]>),
    /// A union of more types. It is always `:any`, and so is what it is the end of.
    LongUnion,
    /// Always `:any`: functions, numbers, ranges, binaries, structs, other tuples, named arguments.
    Other,
}

/// A field of a map.
#[derive(Debug, Clone)]
pub(super) struct MapField {
    pub(super) name: Box<str>,
    pub(super) ty: Expr,
}

/// `@spec`.
#[derive(Debug)]
pub(super) struct Spec {
    pub(super) params: Vec<Expr>,
    pub(super) output: Expr,
}

/// `@type`, `@typep` or `@opaque` without parameters.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) name: String,
    /// `None` if it is opaque or private.
    pub(super) definition: Option<Expr>,
}
