//! Which findings are reported: those that neither the settings nor a comment silence.

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Settings, Severity,
        directives::{DirectiveKind, Directives},
        rules,
    },
    text::{Text, TextEdit, TextSize},
};

/// A comment that silences nothing.
pub(crate) static UNUSED_SUPPRESSION: Rule = Rule {
    code: "unused-suppression",
    severity: Severity::Warning,
    summary: "A suppression silences something",
    explanation: "`# signature-ls: ignore CODE` silences findings of that rule on the next line, or in the literal that \
                  begins there. One that silences nothing is left over from a fault that is mended, or misspelt.",
    wrong: Sample::Elixir(
        "# signature-ls: ignore unknown-type\n[signature: \"(id :int) -> :map\"]",
    ),
    right: Sample::Elixir(
        "# signature-ls: ignore unknown-type\n[signature: \"(id :uuid) -> :map\"]",
    ),
};

/// A comment that looks like a directive and is none.
pub(crate) static UNKNOWN_DIRECTIVE: Rule = Rule {
    code: "unknown-directive",
    severity: Severity::Warning,
    summary: "A directive is `ignore CODE…` or `edition E`",
    explanation: "Comments that begin with `signature-ls:` are read. They silence rules on the next line (`ignore CODE`) or \
                  name the edition of the document (`edition 0.5`).",
    wrong: Sample::Elixir("# signature-ls: edition 0.6\n[signature: \"(id :int) -> :map\"]"),
    right: Sample::Elixir("# signature-ls: edition 0.5\n[signature: \"(id :int) -> :map\"]"),
};

/// Sifts the findings of a document, each with the start of the literal it stands in.
pub(super) fn sift(
    text: &Text,
    directives: &Directives,
    settings: &Settings,
    found: impl Iterator<Item = (Diagnostic, TextSize)>,
) -> Vec<Diagnostic> {
    let mut used: Vec<(usize, &'static str)> = Vec::new();
    let mut reported = Vec::new();
    for (diagnostic, literal) in found {
        let Some(severity) = settings.severity(diagnostic.rule, diagnostic.severity) else {
            continue;
        };
        match silenced_by(text, directives, &diagnostic, literal) {
            Some(index) => used.push((index, diagnostic.rule.code)),
            None => reported.push(Diagnostic {
                severity,
                ..diagnostic
            }),
        }
    }
    let left_over = left_over(directives, &used);
    if !left_over.is_empty() {
        reported.extend(left_over.into_iter().filter_map(|it| {
            settings
                .severity(it.rule, it.severity)
                .map(|severity| Diagnostic { severity, ..it })
        }));
        reported.sort_by_key(|it| it.range.start());
    }
    reported
}

fn silenced_by(
    text: &Text,
    directives: &Directives,
    diagnostic: &Diagnostic,
    literal: TextSize,
) -> Option<usize> {
    if directives.is_empty() {
        return None;
    }
    let names = |index: &usize| match directives.iter().nth(*index).map(|it| &it.kind) {
        Some(DirectiveKind::Ignore(codes)) => codes.iter().any(|code| code == diagnostic.rule.code),
        _ => false,
    };
    let places = [diagnostic.range.start(), literal];
    places
        .into_iter()
        .filter_map(|place| directives.above(text, place))
        .find(names)
}

/// Findings about the directives themselves.
fn left_over(directives: &Directives, used: &[(usize, &'static str)]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, directive) in directives.iter().enumerate() {
        match &directive.kind {
            DirectiveKind::Edition(_) => {}
            DirectiveKind::Unknown => {
                let message = "This is no directive; write `ignore CODE` or `edition 0.4`, `0.5`, `0.11` or `next`.";
                found.push(Diagnostic::new(
                    &UNKNOWN_DIRECTIVE,
                    directive.range,
                    message,
                ));
            }
            DirectiveKind::Ignore(codes) => {
                for code in codes
                    .iter()
                    .filter(|code| !used.iter().any(|(at, by)| *at == index && by == code))
                {
                    let message = match rules::by_code(code) {
                        Some(_) => format!(
                            "Nothing on the next line is reported as `{code}`; remove this comment."
                        ),
                        None => format!(
                            "There is no rule `{code}`; `signature-ls explain` knows the codes."
                        ),
                    };
                    let fix = Fix::offered("Remove it", vec![TextEdit::delete(directive.range)]);
                    found.push(
                        Diagnostic::new(&UNUSED_SUPPRESSION, directive.range, message)
                            .with_fix(fix),
                    );
                }
            }
        }
    }
    found
}
