//! Invalid characters in a signature.

use rowan::Direction;

use super::{Fault, SyntaxRule, is_invisible, say, signature_rule, types::types_for};
use crate::{ide::Fix, model::meant};
use signature_ls_source::syntax::{
    error::ErrorKind,
    kind::SyntaxKind,
    signature::ast::{is_type, is_unreadable_type},
};

pub(super) const COMMENT: SyntaxRule = SyntaxRule {
    kind: ErrorKind::CommentInSignature,
    rule: signature_rule(
        "comment-in-signature",
        "Comment in a signature",
        "Signatures have no comments, neither after `#`, `;` or `//` nor in `/* … */`, and no descriptions in quotes after \
         a type. Put the comment outside the string or in a description, such as `field_descriptions:`.",
        "(id :int) -> :map ; the user",
        "(id :int) -> :map",
    ),
    describe: |fault| {
        let message = match fault.text().starts_with(['"', '\'', '`']) {
            true => {
                "A signature has no descriptions; those of outputs belong in `field_descriptions:`."
            }
            false => "A signature has no comments; move it out of the string.",
        };
        say(message).fix(Fix::offered("Remove it", vec![fault.delete_with_space()]))
    },
};

pub(super) const ODD_SPACE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::OddSpace,
    rule: signature_rule(
        "odd-space",
        "Unusual white space",
        "Only spaces, tabs and line ends are white space. Non-breaking and other spaces usually come from copied \
         text and look the same. So do characters without a width, which may be in the middle of a word.",
        "(id\u{a0}:int) -> :map",
        "(id :int) -> :map",
    ),
    describe: |fault| {
        let text = fault.text();
        let Some(character) = text.chars().next() else {
            return say("This is not an ordinary space; replace it with one.");
        };
        let code_point = u32::from(character);
        if text.chars().all(is_invisible) {
            return say(format!("U+{code_point:04X} is invisible; remove it."))
                .fix(Fix::safe("Remove it", vec![fault.delete()]));
        }
        say(format!(
            "U+{code_point:04X} is not an ordinary space; replace it with one."
        ))
        .fix(Fix::safe("Write a plain space", vec![fault.replace(" ")]))
    },
};

pub(super) const UNEXPECTED: SyntaxRule = SyntaxRule {
    kind: ErrorKind::Unexpected,
    rule: signature_rule(
        "unexpected-text",
        "Unexpected text",
        "A signature consists of names, types and brackets, and this text belongs to none of these.",
        "(id :int !) -> :map",
        "(id :int) -> :map",
    ),
    describe: |fault| {
        let edit = if stands_between_words(fault) {
            fault.replace(" ")
        } else if touches_part(fault) {
            fault.delete()
        } else {
            fault.delete_with_space()
        };
        let text = fault.text();
        let removal = Fix::offered("Remove it", vec![edit]);
        if stands_between_items(fault) {
            return say(format!("`{text}` does not separate; write `,`."))
                .fix(Fix::offered(
                    "Write `,`",
                    vec![fault.replace_with_space(",")],
                ))
                .fix(removal);
        }
        if stands_for_type(fault) {
            let (types, _) = types_for(&meant::letters(&text), fault.edition);
            let ty = types.first().map_or(":any", String::as_str);
            return say(format!(
                "`{text}` is not a type; write one, such as `{ty}`."
            ))
            .fix(Fix::offered(
                format!("Write `{ty}`"),
                vec![fault.replace(ty)],
            ))
            .fix(removal);
        }
        let is_of_map = text == "%" && touches_type(fault);
        say(format!("`{text}` has no meaning here; remove it.")).fix(Fix {
            safe: is_of_map,
            ..removal
        })
    },
};

/// Whether parameters or fields are on both sides, as in `id :int and name :string`, and no comma is beside it.
fn stands_between_items(fault: &Fault<'_>) -> bool {
    [Direction::Prev, Direction::Next].iter().all(|&direction| {
        let beside = fault.node.siblings_with_tokens(direction).skip(1);
        let mut beside = beside.filter(|it| it.kind() != SyntaxKind::Whitespace);
        let next = beside.next().map(|it| it.kind());
        matches!(next, Some(SyntaxKind::Param | SyntaxKind::Field))
    })
}

/// Whether a type is due where the fault is.
fn stands_for_type(fault: &Fault<'_>) -> bool {
    fault.parent().is_some_and(|around| {
        let holds_type = matches!(
            around.kind(),
            SyntaxKind::Param | SyntaxKind::Field | SyntaxKind::ListType | SyntaxKind::Signature
        );
        let mut kinds = around.children().map(|it| it.kind());
        holds_type && kinds.all(|it| !is_type(it) || is_unreadable_type(it))
    })
}

/// Whether a type begins directly after it, as after the `%` of `%{id :int}`.
fn touches_type(fault: &Fault<'_>) -> bool {
    let after = fault.node.next_sibling_or_token();
    after.is_some_and(|it| is_type(it.kind()))
}

/// Whether a type, a parameter or a field begins directly after it.
fn touches_part(fault: &Fault<'_>) -> bool {
    let after = fault.node.next_sibling_or_token();
    let is_item =
        after.is_some_and(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field));
    is_item || touches_type(fault)
}

/// Whether it is the only separator between a name and its type, as in `name=:type`.
fn stands_between_words(fault: &Fault<'_>) -> bool {
    let is_name = |kind| {
        matches!(
            kind,
            SyntaxKind::Name | SyntaxKind::Error(ErrorKind::InvalidName)
        )
    };
    let before = fault.node.prev_sibling_or_token();
    let after = fault.node.next_sibling_or_token();
    before.is_some_and(|it| is_name(it.kind()))
        && after.is_some_and(|it| it.kind() != SyntaxKind::Whitespace)
}

#[cfg(test)]
mod tests {
    use crate::{ide::standalone::check_signature, ide::testing::applied, model::Edition};

    /// The offered fixes of characters before a type keep the type.
    #[test]
    fn characters_before_a_type_are_removed_alone() {
        for (text, expected) in [
            ("%{name :string}", "{name :string}"),
            (
                "(a :string) -> %{name :string}",
                "(a :string) -> {name :string}",
            ),
            ("[% {name :string}]", "[ {name :string}]"),
            ("(a ${name :string}) -> :int", "(a {name :string}) -> :int"),
            ("{a %:int}", "{a :int}"),
        ] {
            let (_, found) = check_signature(text, Edition::V0_11);
            let [only] = found.as_slice() else {
                panic!("{text}: {found:?}");
            };
            let fixed: Vec<_> = only
                .fixes
                .iter()
                .map(|fix| applied(text, &fix.edits))
                .collect();
            assert_eq!(fixed, [expected]);
        }
    }
}
