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
    Atom(String),
    /// `integer()`, `list(t)`, `user`.
    Local { name: String, args: Vec<Expr> },
    /// `String.t()`.
    Remote {
        module: String,
        name: String,
        args: Vec<Expr>,
    },
    /// `[t]`.
    List(Box<Expr>),
    /// `{a, b}`.
    Tuple(Vec<Expr>),
    /// `%{a: t}`.
    Map(Vec<MapField>),
    /// `a | b | c`.
    Union(Vec<Expr>),
    /// Always `:any`: functions, numbers, ranges, binaries, structs, named arguments.
    Other,
}

/// A field of a map.
#[derive(Debug, Clone)]
pub(super) struct MapField {
    /// The key, if it is a required atom.
    pub(super) name: Option<String>,
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
