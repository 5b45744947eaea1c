//! What a later version of the language may bring.

use super::{SyntaxRule, say, signature_rule};
use crate::{ide::Fix, syntax::error::ErrorKind};

pub(super) const ENUM: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ReservedEnum,
    rule: signature_rule(
        "reserved-enum",
        "Enum type",
        "`:enum[…]` is reserved for a later version, and no release reads it. `:keyword` accepts any keyword; \
         list the values in the description.",
        "(status :enum[pending active]) -> {ok :bool}",
        "(status :keyword) -> {ok :bool}",
    ),
    describe: |fault| {
        say("Enums are reserved for a later version; write `:keyword` or `:string` until then.")
            .fix(Fix::offered(
                "Write `:keyword`",
                vec![fault.replace(":keyword")],
            ))
            .fix(Fix::offered(
                "Write `:string`",
                vec![fault.replace(":string")],
            ))
    },
};

pub(super) const UNION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ReservedUnion,
    rule: signature_rule(
        "reserved-union",
        "Union type",
        "`:string|:int` is reserved for a later version, and no release reads it. `:any` accepts both.",
        "(value :string|:int) -> {result :any}",
        "(value :any) -> {result :any}",
    ),
    describe: |fault| {
        say("Unions are reserved for a later version; write `:any` until then.")
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]))
    },
};

pub(super) const REFINEMENT: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ReservedRefinement,
    rule: signature_rule(
        "reserved-refinement",
        "Refined type",
        "`:int[1..100]` is reserved for a later version, and no release reads it. Describe the limits in the \
         description.",
        "(limit :int[1..100]) -> [:map]",
        "(limit :int) -> [:map]",
    ),
    describe: |fault| {
        say(format!(
            "Limits such as `{}` are reserved for a later version; remove it.",
            fault.text()
        ))
        .fix(Fix::offered("Remove it", vec![fault.delete()]))
    },
};
