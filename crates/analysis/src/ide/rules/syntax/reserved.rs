//! Syntax that is reserved for a later version of the language.

use super::{SyntaxRule, say, signature_rule};
use crate::{
    ide::Fix,
    model::{Edition, meant},
};
use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode},
    },
    text::{TextEdit, TextRange},
};

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

pub(in crate::ide::rules) const UNION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ReservedUnion,
    rule: signature_rule(
        "reserved-union",
        "Union type",
        "`:string|:int` is reserved for a later version, and no release accepts it. `:any` accepts both.",
        "(value :string|:int) -> {result :any}",
        "(value :any) -> {result :any}",
    ),
    describe: |fault| {
        let write = |ty: &str, safe| Fix {
            title: format!("Write `{ty}`"),
            edits: vec![fault.replace(fault.after_name(ty))],
            safe,
        };
        if let Some(ty) = beside_nil(fault.node, fault.edition) {
            let optional = format!("{ty}?");
            return say(format!(
                "A value that may be nil is optional; write `{optional}`."
            ))
            .fix(write(&optional, true));
        }
        if let Some(ty) = only_type(fault.node) {
            let (all, only) = (fault.range(), ty.text_range());
            let edits = vec![
                TextEdit::delete(TextRange::new(all.start(), only.start())),
                TextEdit::delete(TextRange::new(only.end(), all.end())),
            ];
            return say("No type is on the other side of `|`; remove it.")
                .fix(Fix::offered("Remove `|`", edits));
        }
        say("Unions are reserved for a later version; write `:any` until then.")
            .fix(write(":any", false))
    },
};

/// The only type of a union in which the others are missing, as in `:string|`.
fn only_type(union: &SyntaxNode) -> Option<SyntaxNode> {
    let mut types = union.children().filter(|it| !is_missing(it));
    let only = types.next()?;
    types.next().is_none().then_some(only)
}

fn is_missing(ty: &SyntaxNode) -> bool {
    ty.kind() == SyntaxKind::Error(ErrorKind::MissingType)
}

/// The other type of a union with nil, such as `:string|:nil`, if it is a word.
fn beside_nil(union: &SyntaxNode, edition: Edition) -> Option<String> {
    let [first, second] = union.children().collect::<Vec<_>>().try_into().ok()?;
    match (is_nil(&first), is_nil(&second)) {
        (false, true) => plain_type(&first, edition),
        (true, false) => plain_type(&second, edition),
        _ => None,
    }
}

/// The type word that `ty` certainly means, with its colon, which may be that of the name before it.
fn plain_type(ty: &SyntaxNode, edition: Edition) -> Option<String> {
    let meant = match ty.kind() {
        SyntaxKind::PrimitiveType => ty.text().to_string(),
        _ => meant::type_text(ty, edition)?,
    };
    let word = meant.strip_prefix(':')?.trim_start();
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
    is_word.then(|| format!(":{word}"))
}

/// Whether `ty` is nil, with or without a colon.
fn is_nil(ty: &SyntaxNode) -> bool {
    let text = ty.text().to_string().to_ascii_lowercase();
    matches!(text.trim_start_matches([':', ' ']), "nil" | "null" | "none")
}

/// Leaves the types in a union with nil to the error of the union, and nil and missing types in any union: the fix of
/// nil itself would turn `:string|nil` into `:string|:any?`.
pub(super) fn leave_types_to_union(nodes: &mut Vec<(ErrorKind, SyntaxNode)>, edition: Edition) {
    let union_around = |node: &SyntaxNode| {
        let mut around = node.ancestors().skip(1);
        let around = around.find(|it| it.kind() != SyntaxKind::OptionalType);
        around.filter(|it| it.kind() == SyntaxKind::Error(ErrorKind::ReservedUnion))
    };
    nodes.retain(|(kind, node)| match kind {
        ErrorKind::MissingType => union_around(node).is_none(),
        ErrorKind::BareTypeWord | ErrorKind::MalformedTypeWord | ErrorKind::GenericType => {
            let union = union_around(node);
            union.is_none_or(|it| !is_nil(node) && beside_nil(&it, edition).is_none())
        }
        _ => true,
    });
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
    use crate::{
        ide::{
            standalone::{check_signature, fix_signature},
            testing::applied,
        },
        model::Edition,
    };

    /// Each error with its best fix; those that are not safe have a question mark.
    fn fixes(text: &str) -> Vec<String> {
        let found = check_signature(text, Edition::V0_11).1;
        let shown = found.iter().map(|it| {
            let fix = it.fixes.first().map(|fix| (&*fix.title, fix.safe));
            match fix {
                Some((title, true)) => format!("{} {title}", it.rule.code),
                Some((title, false)) => format!("{} {title}?", it.rule.code),
                None => it.rule.code.to_owned(),
            }
        });
        shown.collect()
    }

    #[test]
    fn nil_in_a_union_is_one_error_with_it() {
        let optional = "reserved-union Write `:string?`";
        for text in [
            "(d :string | nil) -> :int",
            "(d nil|:string) -> :int",
            "(d :string|null) -> :int",
            "() -> {d :string|none, e :int}",
            "() -> [:string | nil]",
            "(d :string or nil) -> :int",
            "() -> {d :string or null, e :int}",
            "() -> [:string OR none]",
            "() -> :string or nil",
            "(d nil or :string) -> :int",
            "(d :string | None) -> :int",
            "(d String.t() | nil) -> :int",
            "{d string() | :nil}",
            "(d str | null) -> :int",
            "string|nil",
        ] {
            assert_eq!(fixes(text), [optional], "{text}");
        }
        let any = "reserved-union Write `:any`?";
        for text in [":int|:float|nil", ":int|nil?", "[:int]|nil", "nil|null"] {
            assert_eq!(fixes(text), [any], "{text}");
        }
        assert_eq!(fixes("{d nil}|:int"), [any, "bare-type-word Write `:any?`"]);
    }

    #[test]
    fn a_union_with_nil_is_an_optional_type() {
        for (union, ty) in [
            (":string|:nil", ":string?"),
            (":nil | :int", ":int?"),
            (":int|null", ":int?"),
            (":int or null", ":int?"),
            ("nil or :int", ":int?"),
            (":string|:int", ":any"),
            (":string or :int", ":any"),
            (":int or [:int]", ":any"),
            (":nil|:nil", ":any"),
            (":int|:float|:nil", ":any"),
        ] {
            assert_eq!(
                fixes(&format!("{{a {union}}}")),
                [match ty.ends_with('?') {
                    true => format!("reserved-union Write `{ty}`"),
                    false => format!("reserved-union Write `{ty}`?"),
                }],
                "{union}"
            );
        }
    }

    #[test]
    fn the_fix_of_a_union_replaces_the_colon_of_the_name() {
        for (text, expected) in [
            ("(xs: string | null) -> :int", "(xs :string?) -> :int"),
            ("{xs: string or nil, b :int}", "{xs :string?, b :int}"),
            ("{xs: string | int}", "{xs :any}"),
        ] {
            let found = check_signature(text, Edition::V0_11).1;
            let union = found.iter().find(|it| it.rule.code == "reserved-union");
            let edits = &union.expect("a union").fixes[0].edits;
            assert_eq!(applied(text, edits), expected);
        }
    }

    /// `or` and `and` are no names after a type.
    #[test]
    fn no_safe_fix_makes_a_name_of_a_conjunction() {
        for text in [
            "(a :int and :string) -> :int",
            "{a :int or string}",
            "(a [:int] and [:string]) -> :int",
            "[{a :int or more}]",
        ] {
            let fixed = fix_signature(text, Edition::V0_11).0;
            assert!(!fixed.contains(','), "{text}: {fixed}");
        }
    }
}
