//! Brackets.

use super::{
    Fault, SyntaxRule, say, signature_rule,
    unfinished::{are_paired, missing_at_end},
};
use crate::ide::{Fix, Rule, Sample, Severity};
use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode},
    },
    text::{TextEdit, TextSize},
};

pub(super) const MISSING_BRACES: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MissingBraces,
    rule: signature_rule(
        "missing-braces",
        "Fields without braces",
        "A record is `{name :type, …}`. A list of records is `[{name :type, …}]`.",
        "name :string, age :int",
        "{name :string, age :int}",
    ),
    describe: |fault| {
        let Some(record) = fault.parent() else {
            return say("Fields need braces: write `{name :type, …}`.");
        };
        let first = record.children().find_map(|it| it.first_child());
        let name = first.map_or_else(|| "name".to_owned(), |it| it.text().to_string());
        let message = format!("Fields need braces: write `{{{name} :type, …}}`.");
        let edits = vec![
            TextEdit::insert(record.text_range().start(), "{"),
            TextEdit::insert(record.text_range().end(), "}"),
        ];
        say(message).fix(fault.fix_missing("Add the braces", edits))
    },
};

pub(super) const UNCLOSED: SyntaxRule = SyntaxRule {
    kind: ErrorKind::Unclosed,
    rule: signature_rule(
        "unclosed-bracket",
        "Unclosed bracket",
        "Each `(`, `[` and `{` needs its `)`, `]` or `}`.",
        "(user {name :string) -> :int",
        "(user {name :string}) -> :int",
    ),
    describe: |fault| {
        let opener = fault.text();
        if let Some((end, missing, closers)) = missing_at_end(fault.node) {
            let message = match closers.len() {
                1 => format!("`{opener}` is never closed; add `{missing}`."),
                _ => format!("`{opener}` and brackets in it are never closed; add `{missing}`."),
            };
            let edits = vec![TextEdit::insert(end, missing.as_str())];
            let title = format!("Add `{missing}`");
            let is_sure = missing == closers && are_paired(fault.node, &closers);
            if is_after_type(fault) {
                let removal = Fix::offered(format!("Remove `{opener}`"), vec![fault.delete()]);
                return say(message).fix(Fix::offered(title, edits)).fix(removal);
            }
            return say(message).fix(match is_sure {
                true => Fix::safe(title, edits),
                false => Fix::offered(title, edits),
            });
        }
        let closer = closer(&opener);
        let message = format!("`{opener}` is never closed; add `{closer}`.");
        let Some(group) = fault.parent() else {
            return say(message);
        };
        let edits = vec![TextEdit::insert(written_end(&group), closer)];
        let title = format!("Add `{closer}`");
        match is_after_type(fault) {
            true => say(message)
                .fix(Fix::offered(title, edits))
                .fix(Fix::offered(
                    format!("Remove `{opener}`"),
                    vec![fault.delete()],
                )),
            false => say(message).fix(Fix::safe(title, edits)),
        }
    },
};

/// Whether the bracket follows a type, where none is due.
fn is_after_type(fault: &Fault<'_>) -> bool {
    let before = fault.parent().and_then(|group| group.prev_sibling());
    before.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::MissingName))
}

/// Where `group` ends, without comments and white space at its end.
fn written_end(group: &SyntaxNode) -> TextSize {
    let last = std::iter::successors(group.last_token(), |token| token.prev_token());
    let is_blank = |kind| matches!(kind, SyntaxKind::Whitespace | SyntaxKind::Comment);
    let mut written = last.filter(|token| !is_blank(token.kind()));
    let end = group.text_range().end();
    written.next().map_or(end, |token| token.text_range().end())
}

pub(super) const STRAY_CLOSER: SyntaxRule = SyntaxRule {
    kind: ErrorKind::StrayCloser,
    rule: signature_rule(
        "stray-bracket",
        "Closing bracket without an opening one",
        "Every `)`, `]` and `}` needs its opening bracket.",
        "(a :int)) -> :int",
        "(a :int) -> :int",
    ),
    describe: |fault| {
        say(format!("`{}` closes nothing; remove it.", fault.text()))
            .fix(Fix::safe("Remove it", vec![fault.delete()]))
    },
};

pub(super) const WRONG_CLOSER: SyntaxRule = SyntaxRule {
    kind: ErrorKind::WrongCloser,
    rule: signature_rule(
        "wrong-bracket",
        "Closing bracket of the wrong kind",
        "`(` is closed by `)`, `[` by `]` and `{` by `}`.",
        "(a :int] -> :int",
        "(a :int) -> :int",
    ),
    describe: |fault| {
        let opener = opener(fault);
        let wanted = closer(&opener);
        say(format!(
            "`{opener}` is closed by `{wanted}`, not by `{}`.",
            fault.text()
        ))
        .fix(Fix::safe(
            format!("Write `{wanted}`"),
            vec![fault.replace(wanted)],
        ))
    },
};

pub(super) const EXTRA_PARENS: SyntaxRule = SyntaxRule {
    kind: ErrorKind::ExtraParens,
    rule: signature_rule(
        "extra-parentheses",
        "Parentheses around parentheses",
        "One pair of parentheses holds all parameters. There are none around a whole signature.",
        "((a :int, b :int)) -> :int",
        "(a :int, b :int) -> :int",
    ),
    describe: |fault| {
        let count = fault.text().matches('(').count();
        let closers = fault.parent().into_iter().flat_map(|around| {
            let tokens = around.children_with_tokens();
            tokens.filter(|it| it.kind() == SyntaxKind::RParen)
        });
        let closers = closers
            .take(count)
            .map(|it| TextEdit::delete(it.text_range()));
        let edits = std::iter::once(fault.delete()).chain(closers).collect();
        say("Parameters are in one pair of parentheses; remove the other.")
            .fix(Fix::safe("Remove the parentheses", edits))
    },
};

pub(super) const TOO_DEEP: SyntaxRule = SyntaxRule {
    kind: ErrorKind::TooDeep,
    rule: Rule {
        code: "nesting-too-deep",
        severity: Severity::Error,
        summary: "Nesting too deep",
        explanation: "Brackets and sections nest at most 320 levels deep.",
        wrong: Sample::NestedLists(321),
        right: Sample::signature("[:any]"),
    },
    describe: |fault| {
        let in_section = fault
            .node
            .ancestors()
            .any(|it| it.kind() == SyntaxKind::Section);
        say(match in_section {
            true => "Sections are nested too deep here to be checked; take some of them out.",
            false => "This is nested too deep to be checked; write `:any` for what is inside.",
        })
    },
};

/// The opening bracket whose wrong closing bracket the error is.
fn opener(fault: &Fault<'_>) -> String {
    let first = fault.parent().and_then(|group| group.first_token());
    first
        .map(|token| token.text().to_owned())
        .unwrap_or_default()
}

fn closer(opener: &str) -> &'static str {
    match opener {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}
