//! Brackets.

use super::{Fault, SyntaxRule, say, signature_rule, unfinished::missing};
use crate::ide::{Fix, Rule, Sample, Severity};
use signature_ls_source::{
    syntax::{error::ErrorKind, kind::SyntaxKind},
    text::TextEdit,
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
        let missing = missing(fault.node);
        let are = match missing.closers {
            1 => "is",
            _ => "and brackets in it are",
        };
        let message = format!("`{opener}` {are} never closed; add `{}`.", missing.text);
        let title = format!("Add `{}`", missing.text);
        let edits = vec![TextEdit::insert(missing.at, missing.text)];
        if is_after_type(fault) {
            let removal = Fix::offered(format!("Remove `{opener}`"), vec![fault.delete()]);
            return say(message).fix(Fix::offered(title, edits)).fix(removal);
        }
        say(message).fix(match missing.is_sure {
            true => Fix::safe(title, edits),
            false => Fix::offered(title, edits),
        })
    },
};

/// Whether the bracket follows a type, where none is due.
fn is_after_type(fault: &Fault<'_>) -> bool {
    let before = fault.parent().and_then(|group| group.prev_sibling());
    before.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::MissingName))
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

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, testing::applied};
    use signature_ls_source::host::HostKind;

    /// Brackets that have to be closed at one place are one mistake.
    #[test]
    fn brackets_that_end_together_are_one_finding() {
        for (text, closed) in [
            ("(a [{b :string, c :int§) -> :int", "}]"),
            ("(a [{b :string, c {d :int}§) -> :int", "}]"),
            ("(a {b {c [:int§ ) -> :int", "]}}"),
            ("(a {b :int§) -> :int", "}"),
            ("(a :int) -> {items [{id :int§", "}]}"),
        ] {
            let file = |closers| format!("signature: \"{}\"\n", text.replace('§', closers));
            let document = Document::new(HostKind::Yaml, &file(""), Settings::default());
            let found = document.diagnostics();
            let [only] = found.as_slice() else {
                panic!("{found:?} in {text}");
            };
            let fix = only.fixes.first().expect("a fix");
            let fixed = applied(&document.text().whole(), &fix.edits);
            assert_eq!(fixed, file(closed));
        }
    }
}
