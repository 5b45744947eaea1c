//! Syntax that is reserved for a later version of the language.

use super::{SyntaxRule, say, signature_rule};
use crate::{ide::Fix, syntax::error::ErrorKind};

pub(super) const ENUM: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ReservedEnum,
    rule: signature_rule(
        "reserved-enum",
        "Enum type",
        "`:enum[…]` is reserved for a later version, and no release accepts it. `:keyword` accepts any keyword; \
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
        "`:string|:int` is reserved for a later version, and no release accepts it. `:any` accepts both.",
        "(value :string|:int) -> {result :any}",
        "(value :any) -> {result :any}",
    ),
    describe: |fault| {
        if let Some(ty) = beside_nil(&fault.text()) {
            let optional = format!("{ty}?");
            let message = format!("A value that may be nil is optional; write `{optional}`.");
            let title = format!("Write `{optional}`");
            return say(message).fix(Fix::offered(title, vec![fault.replace(optional)]));
        }
        say("Unions are reserved for a later version; write `:any` until then.")
            .fix(Fix::offered("Write `:any`", vec![fault.replace(":any")]))
    },
};

/// The other type of a union with nil, such as `:string|:nil`.
fn beside_nil(union: &str) -> Option<&str> {
    let (first, second) = union.split_once('|')?;
    let (first, second) = (first.trim(), second.trim());
    let is_nil = |word: &str| matches!(word.trim_start_matches(':'), "nil" | "null" | "none");
    let is_type = |text: &str| {
        let word = text.strip_prefix(':').unwrap_or_default();
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic())
    };
    match (is_nil(first), is_nil(second)) {
        (false, true) if is_type(first) => Some(first),
        (true, false) if is_type(second) => Some(second),
        _ => None,
    }
}

pub(super) const REFINEMENT: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ReservedRefinement,
    rule: signature_rule(
        "reserved-refinement",
        "Refined type",
        "`:int[1..100]` is reserved for a later version, and no release accepts it. Describe the limits in the \
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

#[cfg(test)]
mod tests {
    use super::beside_nil;

    #[test]
    fn a_union_with_nil_is_an_optional_type() {
        for (union, ty) in [
            (":string|:nil", Some(":string")),
            (":nil | :int", Some(":int")),
            (":int|null", Some(":int")),
            (":string|:int", None),
            (":nil|:nil", None),
            (":int|:float|:nil", None),
        ] {
            assert_eq!(beside_nil(union), ty, "{union}");
        }
    }
}
