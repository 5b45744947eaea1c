//! The comment that ignores a rule on one line.

use super::{MOST_READ, trial::cost_of};
use crate::ide::{
    Diagnostic, Document, Fix, Severity, directives::Directives, suppression::Reported,
};
use signature_ls_source::{
    host::{HostKind, Notation},
    text::{TextEdit, TextRange, TextSize},
};

/// The fixes that ignore the rules of `found` on their lines, or in their literals. One is left out if the host has no
/// comments or none fits there, and after the first ones where thousands of units depend on a line.
pub fn ignored_on_lines<'d>(
    document: &Document,
    found: &'d [Diagnostic],
) -> Vec<(&'d Diagnostic, Fix)> {
    let mut left = MOST_READ;
    let mut fixes = Vec::new();
    let directives = document.directives();
    for diagnostic in found {
        let fix = ignore_on_line(document, &directives, diagnostic, &mut left);
        fixes.extend(fix.map(|fix| (diagnostic, fix)));
        if left == 0 {
            break;
        }
    }
    fixes
}

/// The fix that ignores the rule of `found` on its line, or in its literal; `None` if the host has no comments or none
/// fits there. What the trial costs is taken from `left`.
fn ignore_on_line(
    document: &Document,
    directives: &Directives,
    found: &Diagnostic,
    left: &mut usize,
) -> Option<Fix> {
    let at = found.range.start();
    let (placed, analysis) = document.units_at(at).last()?;
    let in_unit = at.checked_sub(placed.start)?;
    let start = placed.start + analysis.literal_start(&placed.unit, in_unit);
    let (open, close) = comment(document.host().kind(), placed.unit.notation)?;
    let text = document.text();
    // In a prompt that begins on the first line of the body, this means its own line.
    let in_body =
        document.host().kind() == HostKind::Prompt && text.line_range(start).start() == start;
    let (open, close, start) = match in_body {
        true => ("{{!", " }}", at),
        false => (open, close, start),
    };
    let line = text.line_range(start);
    // Above its opening line, front matter would not be front matter.
    let is_head = document.host().kind() == HostKind::Prompt && {
        let opening = text.slice(TextRange::up_to(line.end()));
        opening.trim_start_matches('\u{feff}').starts_with("---")
    };
    if line.start() == TextSize::default() && is_head {
        return None;
    }
    let before = text.slice(TextRange::new(line.start(), start)).into_owned();
    let margin = before.len() - before.trim_start_matches([' ', '\t', '>']).len();
    let margin = &before[..margin];
    let code = found.rule.code;
    // Between a comment and its line, another one would end its effect.
    let edit = match directives.ignoring_on(text, start) {
        Some(known) => TextEdit::insert(known.end(), format!(" {code}")),
        None => {
            let comment = format!("{margin}{open} signature-ls: ignore {code}{close}\n");
            TextEdit::insert(line.start(), comment)
        }
    };
    let around = edit.range.cover(found.range);
    let fix = Fix::offered(format!("Ignore `{code}` on this line"), vec![edit]);
    silences(document, &fix.edits, (code, around), left).then_some(fix)
}

/// The delimiters of a comment in a host, or in code inside of it.
fn comment(kind: HostKind, notation: Notation) -> Option<(&'static str, &'static str)> {
    match (kind, notation) {
        (HostKind::Json, _) | (_, Notation::Json) => None,
        (_, Notation::Lisp) => Some((";", "")),
        (_, Notation::Elixir | Notation::Yaml) => Some(("#", "")),
    }
}

/// Whether `edits` remove a diagnostic of the rule with this code and add no error or warning. The edits and the
/// diagnostic are within `around`.
fn silences(
    document: &Document,
    edits: &[TextEdit],
    (code, around): (&str, TextRange),
    left: &mut usize,
) -> bool {
    let after = document.with_edits(edits);
    let (_, compared) = after.units_unlike(document);
    let read = super::around(document, around.start());
    *left = left.saturating_sub(cost_of(&after, compared).max(read));
    let changed = after.changed_from(document, around);
    let before = document.reported_in(changed.old);
    let after = after.reported_in(changed.new);
    let of_rule = |it: &&Reported| it.code() == code;
    let others = |all: &[Reported]| {
        let others = all.iter().filter(|it| it.code() != code);
        others.filter(|it| it.severity() > Severity::Hint).count()
    };
    let is_fewer = after.iter().filter(of_rule).count() < before.iter().filter(of_rule).count();
    is_fewer && others(&after) <= others(&before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::Settings;

    #[track_caller]
    fn check(kind: HostKind, text: &str, expected: Option<&str>) {
        let document = Document::new(kind, text, Settings::default());
        let found = document.diagnostics();
        let fix = ignored_on_lines(&document, &found[..1]).pop();
        let written = fix.map(|(_, fix)| {
            let mut text = text.to_owned();
            fix.edits[0].apply(&mut text);
            text
        });
        assert_eq!(written.as_deref(), expected);
    }

    #[test]
    fn a_comment_goes_above_the_literal() {
        check(
            HostKind::Elixir,
            "def f do\n  SubAgent.new(signature: \"(a :strng) -> :int\")\nend\n",
            Some(
                "def f do\n  # signature-ls: ignore unknown-type\n  SubAgent.new(signature: \"(a :strng) -> :int\")\nend\n",
            ),
        );
        check(
            HostKind::Elixir,
            "x = [\n  signature: \"\"\"\n  (a :strng) -> :int\n  \"\"\"\n]\n",
            Some(
                "x = [\n  # signature-ls: ignore unknown-type\n  signature: \"\"\"\n  (a :strng) -> :int\n  \"\"\"\n]\n",
            ),
        );
        check(
            HostKind::Elixir,
            "alias PtcRunner.Lisp\ntools = %{\"go\" => {&go/1, \"(q :string) -> :int\"}}\n\nLisp.run(\"(tool/go {})\", tools: tools)\n",
            Some(
                "alias PtcRunner.Lisp\ntools = %{\"go\" => {&go/1, \"(q :string) -> :int\"}}\n\n# signature-ls: ignore missing-argument\nLisp.run(\"(tool/go {})\", tools: tools)\n",
            ),
        );
        check(
            HostKind::Lisp,
            "{:signature \"(a :strng) -> :int\"}\n",
            Some("; signature-ls: ignore unknown-type\n{:signature \"(a :strng) -> :int\"}\n"),
        );
        check(
            HostKind::Yaml,
            "a:\n  signature: (a :strng) -> :int\n",
            Some("a:\n  # signature-ls: ignore unknown-type\n  signature: (a :strng) -> :int\n"),
        );
        check(
            HostKind::Markdown,
            "```signature\n(a :int) -> :int\n(a :strng) -> :int\n```\n",
            Some(
                "```signature\n(a :int) -> :int\n# signature-ls: ignore unknown-type\n(a :strng) -> :int\n```\n",
            ),
        );
        check(
            HostKind::Json,
            "{\"signature\": \"(a :strng) -> :int\"}\n",
            None,
        );
    }

    /// What a comment ignores already is still ignored.
    #[test]
    fn a_comment_gets_one_more_code() {
        for (kind, text, expected) in [
            (
                HostKind::Yaml,
                "a:\n  # signature-ls: ignore hyphen-in-name\n  signature: (a :strng, b-c :int) -> :int\n",
                "a:\n  # signature-ls: ignore hyphen-in-name unknown-type\n  signature: (a :strng, b-c :int) -> :int\n",
            ),
            (
                HostKind::Yaml,
                "signature: (a :strng, b-c :int) -> :int # signature-ls: ignore hyphen-in-name\n",
                "signature: (a :strng, b-c :int) -> :int # signature-ls: ignore hyphen-in-name unknown-type\n",
            ),
            (
                HostKind::Prompt,
                "---\nsignature: \"(a :int) -> :int\"\n---\n{{a}}\n{{! signature-ls: ignore invalid-placeholder }}\n{{1}} {{b}}\n",
                "---\nsignature: \"(a :int) -> :int\"\n---\n{{a}}\n{{! signature-ls: ignore invalid-placeholder unknown-placeholder }}\n{{1}} {{b}}\n",
            ),
        ] {
            check(kind, text, Some(expected));
        }
    }
}
