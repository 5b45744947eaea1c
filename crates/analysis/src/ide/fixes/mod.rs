//! Quick fixes: selects those that work, and applies all safe ones at once.
//!
//! A rule proposes edits. [`literal`] converts them to the notation of the host when a unit is analyzed. Before a fix
//! is offered, [`trial`] applies it to a copy of the document, and drops it if the copy is worse.

#[cfg(test)]
mod frames;
mod ignore;
#[cfg(test)]
mod measure;
mod merge;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod properties;
mod trial;

use std::collections::BTreeMap;

use crate::ide::{Diagnostic, Document, Fix};
pub use ignore::ignored_on_lines;
use merge::Merged;
use signature_ls_source::{
    order,
    text::{TextEdit, TextRange, TextSize},
};
use trial::{Accepted, Budget, Trial};

/// The number of rounds in which fixes may lead to further ones.
const MAX_ROUNDS: usize = 32;

/// The number of trials for one round of fixes.
const MAX_TRIALS: usize = 64;

/// The number of trials in all rounds together.
const MAX_TRIALS_OF_ROUNDS: usize = 4 * MAX_TRIALS;

/// The number of bytes that the trials of all rounds may read together.
const MOST_READ_IN_ROUNDS: usize = 8 * 1024 * 1024;

/// The number of diagnostics that get their fixes at once. Nobody chooses from more, and each takes a trial.
const MOST_FIXED: usize = 32;

/// The number of bytes that the trials for several diagnostics may read. A trial reads what is around the diagnostic and
/// what depends on it, which is short unless nobody wrote it.
pub(crate) const MOST_READ: usize = 2 * 1024 * 1024;

/// The first diagnostics that touch `range`, with those of their fixes that pass a trial.
pub fn quick_fixes(document: &Document, range: TextRange) -> Vec<Diagnostic> {
    let found = document.reported().into_iter();
    let touched = found.filter(|it| it.range().intersect(range).is_some());
    let touched: Vec<_> = touched.take(MOST_FIXED).map(|it| it.diagnostic()).collect();
    let trial = Trial::new(document);
    let mut left = MOST_READ;
    let mut kept = Vec::new();
    for mut diagnostic in touched {
        // One more ignores it.
        let trials = diagnostic.fixes.len() + 1;
        let offset = diagnostic.range.start();
        let around = around(document, offset);
        if around * trials > left && !kept.is_empty() {
            break;
        }
        let cost = keep_holding(&trial, &mut diagnostic);
        left = left.saturating_sub(cost.max(around) * trials);
        kept.push(diagnostic);
        if left == 0 {
            break;
        }
    }
    kept
}

/// The length of what a trial at `offset` reads at most. On a long line, hosts read most of it again.
fn around(document: &Document, offset: TextSize) -> usize {
    let text = document.text();
    let line = text.line_range(offset).len();
    line.max(document.host().read_around(text, offset)).into()
}

/// The largest document whose diagnostics carry fixes: a trial costs as much as an edit.
const MAX_CARRIED_IN: TextSize = TextSize::new(4 * 1024);

/// Whether the diagnostics of `document` carry fixes: it is short and has few diagnostics.
pub fn carries_fixes(document: &Document) -> bool {
    document.text().len() <= MAX_CARRIED_IN && document.reported().len() <= MOST_FIXED
}

/// Keeps only the fixes that pass a trial in a diagnostic of `document`.
pub fn keep_carried(document: &Document, found: &mut Diagnostic) {
    keep_holding(&Trial::new(document), found);
}

/// Keeps only the fixes that pass a trial; returns what the most expensive trial cost.
fn keep_holding(trial: &Trial<'_>, found: &mut Diagnostic) -> usize {
    let code = found.rule.code;
    let mut most = 0;
    found.fixes.retain(|fix| {
        let attempt = trial.attempt(&fix.edits, &[code]);
        most = most.max(attempt.cost);
        attempt.after.is_some()
    });
    most
}

/// Whether `edits` cause no new error or warning, and do not change the other literals of the document.
pub(crate) fn are_harmless(document: &Document, edits: &[TextEdit]) -> bool {
    Trial::new(document).holds(edits, &[])
}

/// The same for `edits` that add parameters, whose values may be missing afterwards.
pub(crate) fn add_parameters(document: &Document, edits: &[TextEdit]) -> bool {
    are_harmless(document, edits) || Trial::new(document).holds(edits, &["unknown-placeholder"])
}

/// The edits of all safe fixes, including those that earlier fixes lead to, in the order of the text. They are idempotent,
/// unless trying all fixes would take too long: then they are some of these fixes, and the next run may find more.
pub fn fix_all(document: &Document) -> Vec<TextEdit> {
    fix_where(document, |_| true)
}

/// The edits of all safe fixes in `range`, in the order of the text.
pub(crate) fn fix_in(document: &Document, range: TextRange) -> Vec<TextEdit> {
    // Only `range` changes, so its end keeps the distance from the end of the text.
    let following = document.text().len() - range.end();
    fix_where_in(document, |document, it| {
        let end = document.text().len() - following;
        range.start() <= it.range.start() && it.range.end() <= end
    })
}

/// The number of diagnostics of each rule with a safe fix, by code.
pub fn fixable(document: &Document) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for found in document.reported().iter().filter(|it| it.has_safe_fix()) {
        *counts.entry(found.code()).or_default() += 1;
    }
    counts
}

/// The edits of all safe fixes of the rule with this code, in the order of the text.
pub fn fix_all_of(document: &Document, code: &str) -> Vec<TextEdit> {
    fix_where(document, |it| it.rule.code == code)
}

fn fix_where(document: &Document, is_wanted: impl Fn(&Diagnostic) -> bool) -> Vec<TextEdit> {
    fix_where_in(document, |_, it| is_wanted(it))
}

fn fix_where_in(
    document: &Document,
    is_wanted: impl Fn(&Document, &Diagnostic) -> bool,
) -> Vec<TextEdit> {
    let mut merged = Merged::new(document.text().len());
    let mut current = None;
    let mut budget = Budget::new(MAX_TRIALS_OF_ROUNDS, MOST_READ_IN_ROUNDS);
    for _ in 0..MAX_ROUNDS {
        let before = current.as_ref().unwrap_or(document);
        let found = before.diagnostics().into_iter();
        let wanted = found.filter(|it| is_wanted(before, it));
        let proposed = without_conflicts(wanted);
        let accepted = Accepted::of(before, &proposed, &mut budget);
        let Some(mut after) = accepted.document else {
            break;
        };
        merged.apply(&accepted.edits);
        if budget.is_used_up() {
            break;
        }
        after.check_if_needed();
        current = Some(after);
    }
    merged.into_edits(document.text().len())
}

/// A safe fix and the code of its rule.
struct Proposal {
    code: &'static str,
    edits: Vec<TextEdit>,
}

/// The best fix of each diagnostic, if it is safe and does not overlap another one, in the order of the diagnostics.
fn without_conflicts(found: impl Iterator<Item = Diagnostic>) -> Vec<Proposal> {
    let mut chosen: Vec<Proposal> = Vec::new();
    let mut taken = Vec::new();
    for diagnostic in found {
        let code = diagnostic.rule.code;
        let Some(Fix { edits, .. }) = diagnostic.fixes.into_iter().next().filter(|fix| fix.safe)
        else {
            continue;
        };
        if edits.iter().any(|edit| touches(&taken, edit.range)) {
            continue;
        }
        for edit in &edits {
            let (range, place) = (edit.range, ends(edit.range));
            taken.insert(taken.partition_point(|it| ends(*it) < place), range);
        }
        chosen.push(Proposal { code, edits });
    }
    chosen
}

/// Whether `range` overlaps or touches one of the ranges in `taken`, which are disjoint and in order.
fn touches(taken: &[TextRange], range: TextRange) -> bool {
    let before = taken.partition_point(|it| it.start() <= range.end());
    taken[..before]
        .last()
        .is_some_and(|it| it.end() >= range.start())
}

fn ends(range: TextRange) -> (TextSize, TextSize) {
    (range.start(), range.end())
}

/// The edits of all safe fixes that do not overlap, in the order of the text.
///
/// Only the best fix of a diagnostic counts. Of two fixes that touch, the first one wins; the other one is applied in
/// the next round.
pub fn safe_edits(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<TextEdit> {
    let chosen = without_conflicts(diagnostics.into_iter());
    let mut edits: Vec<_> = chosen.into_iter().flat_map(|it| it.edits).collect();
    order::by_start(&mut edits, |edit| edit.range.start());
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::{Fix, Rule, Settings, Severity, refactorings, rules, testing};
    use signature_ls_source::{host::HostKind, text::TextRange};

    fn rule() -> &'static Rule {
        rules::all().next().unwrap()
    }

    fn diagnostic(fixes: &[(u32, u32, bool)]) -> Diagnostic {
        let fix = |&(start, end, safe): &(u32, u32, bool)| Fix {
            title: String::new(),
            edits: vec![TextEdit::delete(range(start, end))],
            safe,
        };
        Diagnostic {
            severity: Severity::Error,
            fixes: fixes.iter().map(fix).collect(),
            ..Diagnostic::new(rule(), TextRange::default(), "")
        }
    }

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(start.into(), end.into())
    }

    #[test]
    fn fewer_fixes_are_tried_where_each_trial_reads_much() {
        let few_of = |kind, text: String| {
            let document = Document::new(kind, &text, Settings::default());
            let all = TextRange::up_to(document.text().len());
            quick_fixes(&document, all).len()
        };
        let prompt = format!(
            "---\nsignature: '() -> :int'\n---\n{}",
            "{{/b}}\n".repeat(60_000)
        );
        assert_eq!(few_of(HostKind::Prompt, prompt), 2);
        let block = "1. a\n   ```signature\n   (a :strng) -> :int\n   ```\n";
        assert!(few_of(HostKind::Markdown, block.repeat(10_000)) < MOST_FIXED);
        assert_eq!(
            few_of(
                HostKind::Markdown,
                format!("# A\n\n{block}\n").repeat(1_000)
            ),
            MOST_FIXED
        );
        // A long line is read again around each edit.
        let call = "(tool/t {:b 1})";
        let program = |between: &str| {
            let calls = [call].repeat(40_000).join(between);
            format!("{{:tools {{\"t\" \"(a :int) -> :int\"}}}}\n{calls}\n")
        };
        assert_eq!(few_of(HostKind::Lisp, program(" ")), 1);
        assert_eq!(few_of(HostKind::Lisp, program("\n")), MOST_FIXED);
        let reads = "s.return[\"b\"]\n".repeat(10_000);
        let step = "{:ok, s} = SubAgent.run(\"x\", signature: \"() -> {a :strng}\")\n";
        let reads = format!("def f do\n{step}{reads}end\n");
        assert_eq!(few_of(HostKind::Elixir, reads), 1);
        let item = "{signature: '(a :strng) -> :int'}";
        let in_brackets = format!("[\n{}]\n", format!("  {item},\n").repeat(20_000));
        assert_eq!(few_of(HostKind::Yaml, in_brackets), 1);
        let list = format!("- {item}\n").repeat(20_000);
        assert_eq!(few_of(HostKind::Yaml, list), MOST_FIXED);
        // The value of an anchor may count in all that follows.
        let entry = |index| format!("a{index}: &a{index} {item}\nb{index}: *a{index}\n");
        let web: String = (0..10_000).map(entry).collect();
        assert!(few_of(HostKind::Yaml, web) <= 3);
    }

    /// Each fix reads all of a plain scalar.
    #[test]
    fn nothing_is_fixed_in_a_plain_scalar_that_is_too_long_for_one() {
        let fixes_of = |lines: usize| {
            let text = format!(
                "signature: \"(name :int) -> :int\"\nprompt: a\n{}  {{{{nme}}}}\n",
                "  some words\n".repeat(lines)
            );
            let document = Document::new(HostKind::Yaml, &text, Settings::default());
            let found = document.diagnostics().into_iter();
            let mut found = found.filter(|it| it.rule.code == "unknown-placeholder");
            let fixes = found.next().expect("a diagnostic").fixes;
            fixes.iter().any(|it| it.edits[0].insert.contains("name"))
        };
        assert!(fixes_of(100));
        assert!(!fixes_of(2_000));
    }

    /// A parameter that was forgotten can be added whatever gives the others their values, and literal values follow.
    #[test]
    fn a_parameter_is_added_with_its_values() {
        let call = |signature: &str, context: &str| {
            format!(
                "SubAgent.run(\"{{{{a}}}} {{{{b}}}}\", signature: \"({signature}) -> :int\"{context})\n"
            )
        };
        let yaml = |signature: &str, input: &str| {
            format!(
                "prompt: \"{{{{a}}}} {{{{b}}}}\"\nsignature: \"({signature}) -> :int\"\ninput:{input}\n"
            )
        };
        let elsewhere = |signature: &str| {
            format!(
                "agent = SubAgent.new(prompt: \"{{{{a}}}} {{{{b}}}}\", signature: \"({signature}) -> :int\")\nSubAgent.run(agent, context: %{{a: 1}})\n"
            )
        };
        let (one, two) = ("a :int", "a :int, b :any");
        let elixir = |given, expected| (HostKind::Elixir, call(one, given), call(two, expected));
        for (kind, text, expected) in [
            elixir("", ""),
            elixir(", context: %{a: 1}", ", context: %{a: 1, b: \"\"}"),
            elixir(
                ", context: %{\"a\" => 1}",
                ", context: %{\"a\" => 1, \"b\" => \"\"}",
            ),
            elixir(", context: given", ", context: given"),
            (HostKind::Elixir, elsewhere(one), elsewhere(two)),
            (
                HostKind::Yaml,
                yaml(one, " {a: 1}"),
                yaml(two, " {a: 1, b: \"\"}"),
            ),
            (
                HostKind::Yaml,
                yaml(one, "\n  a: 1"),
                yaml(two, "\n  b: \"\"\n  a: 1"),
            ),
        ] {
            let document = Document::new(kind, &text, Settings::default());
            let all = TextRange::up_to(document.text().len());
            let found = quick_fixes(&document, all);
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            let fix = fixes.find(|it| it.title.starts_with("Add `b :any` to the signature"));
            let fix = fix.expect(&text);
            assert!(!fix.safe);
            assert_eq!(testing::applied(&text, &fix.edits), expected);
            let at = text.find("a :int").expect("a signature");
            let found = refactorings(&document, u32::try_from(at).expect("short").into());
            let mut found = found
                .iter()
                .filter(|it| it.title == "Add the parameter `b :any`");
            let edits = &found.next().expect(&text).edits;
            assert_eq!(testing::applied(&text, edits), expected);
        }
    }

    /// A value that is added has all that its type requires, in the form of those beside it; a parameter has a line of
    /// its own if the others have. So nothing is reported about what was added.
    #[test]
    fn what_is_added_is_complete_and_looks_like_its_surroundings() {
        let ty = "{id :int, at {x :float, note :string?}, tags [:string]}";
        for (kind, text, title, expected) in [
            (
                HostKind::Elixir,
                format!(
                    "SubAgent.run(\"{{{{a}}}} {{{{b.id}}}}\", signature: \"(a :int, b {ty}) -> :int\", context: %{{\"a\" => 1}})\n"
                ),
                "Add `b`",
                "%{\"a\" => 1, \"b\" => %{\"id\" => 0, \"at\" => %{\"x\" => 0.0}, \"tags\" => []}}",
            ),
            (
                HostKind::Json,
                format!(
                    "{{\"signature\": \"(b {ty}) -> :int\", \"prompt\": \"{{{{b.id}}}}\", \"input\": {{}}}}\n"
                ),
                "Add `b`",
                "{\"b\": {\"id\": 0, \"at\": {\"x\": 0.0}, \"tags\": []}}",
            ),
            (
                HostKind::Yaml,
                format!(
                    "signature: \"(a :int, b {ty}) -> :int\"\nprompt: \"{{{{a}}}} {{{{b.id}}}}\"\ninput:\n  a: 1\n"
                ),
                "Add `b`",
                "\n  b: {id: 0, at: {x: 0.0}, tags: []}\n  a: 1\n",
            ),
            (
                HostKind::Lisp,
                format!("{{:tools {{\"t\" \"(b {ty}) -> :int\"}}}}\n(tool/t {{}})\n"),
                "Add `:b {:id 0 :at {:x 0.0} :tags []}`",
                "(tool/t {:b {:id 0 :at {:x 0.0} :tags []}})",
            ),
            (
                HostKind::Elixir,
                "SubAgent.run(\"{{a}} {{b.id}}\", signature: \"\"\"\n  (\n    a :int\n  ) -> :int\n  \"\"\", context: %{a: 1})\n".to_owned(),
                "Add `b {id :any}` to the signature and a value to the sample",
                "(\n    a :int,\n    b {id :any}\n  ) -> :int\n  \"\"\", context: %{a: 1, b: %{id: \"\"}})",
            ),
            (
                HostKind::Json,
                "{\n\t\"signature\": \"(a :int, b :int, c :int) -> :int\",\n\t\"prompt\": \"{{a}} {{b}} {{c}}\",\n\t\"input\": {\n\t\t\"a\": 1\n\t}\n}\n".to_owned(),
                "Add `b` and `c`",
                "{\n\t\t\"a\": 1,\n\t\t\"b\": 0,\n\t\t\"c\": 0\n\t}",
            ),
            (
                HostKind::Elixir,
                "SubAgent.run(\"{{a}} {{b}}\", signature: \"(a :int, b :int) -> :int\", context: %{\n  \"a\" => 1,\n})\n".to_owned(),
                "Add `b`",
                "%{\n  \"a\" => 1,\n  \"b\" => 0,\n})",
            ),
            (
                HostKind::Lisp,
                "{:signature \"(a :int, b :int) -> :int\" :prompt \"{{a}} {{b}}\"\n :input {\n  :a 1}}\n".to_owned(),
                "Add `b`",
                "{\n  :a 1\n  :b 0}}",
            ),
            (
                HostKind::Yaml,
                "signature: \"(\n    a :int,\n    c :int\n  ) -> :int\"\nprompt: '{{a}} {{c}} {{b}}'\n".to_owned(),
                "Add `b :any` to the signature",
                "    c :int, b :any\n  ) -> :int",
            ),
            (
                HostKind::Yaml,
                "signature: |\n  (\n    a :int,\n    c :int\n  ) -> :int\nprompt: '{{a}} {{c}} {{b}}'\n".to_owned(),
                "Add `b :any` to the signature",
                "    c :int,\n    b :any\n  ) -> :int",
            ),
            (
                HostKind::Yaml,
                "signature: '(a :int,\n    c :int) -> :int'\nprompt: '{{a}} {{c}} {{b}}'\n".to_owned(),
                "Add `b :any` to the signature",
                "    c :int, b :any) -> :int",
            ),
            (
                HostKind::Json,
                "{\"signature\": \"(\\n  a :int,\\n  c :int\\n) -> :int\", \"prompt\": \"{{a}} {{c}} {{b}}\"}\n".to_owned(),
                "Add `b :any` to the signature",
                "(\\n  a :int,\\n  c :int, b :any\\n) -> :int",
            ),
        ] {
            let document = Document::new(kind, &text, Settings::default());
            let all = TextRange::up_to(document.text().len());
            let found = quick_fixes(&document, all);
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            let fix = fixes.find(|it| it.title == title).expect(&text);
            let after = testing::applied(&text, &fix.edits);
            assert!(after.contains(expected), "{after}");
            let left = Document::new(kind, &after, Settings::default()).diagnostics();
            assert!(left.iter().all(|it| it.severity == Severity::Hint), "{left:?}");
        }
    }

    /// A key that is there already is not offered for another one.
    #[test]
    fn no_fix_gives_a_key_twice() {
        for (kind, text) in [
            (
                HostKind::Elixir,
                "SubAgent.run(\"{{topic}}\", signature: \"(topic :string) -> :int\", context: %{topic: \"a\", topc: \"b\"})\n",
            ),
            (
                HostKind::Lisp,
                "{:tools {\"t\" \"(topic :string) -> :int\"}}\n(tool/t {:topic \"a\" :topc \"b\"})\n",
            ),
        ] {
            let document = Document::new(kind, text, Settings::default());
            let all = TextRange::up_to(document.text().len());
            let found = quick_fixes(&document, all);
            assert_eq!(found.len(), 1, "{text}");
            assert!(!found[0].message.contains("did you mean"), "{text}");
            let mut fixes = found.iter().flat_map(|it| &it.fixes);
            assert!(!fixes.any(|it| it.title == "Write `topic`"), "{text}");
        }
    }

    /// In a text with so many fixes that one run does not apply them all, it applies some, and always the same ones.
    #[test]
    fn some_of_very_many_fixes_are_applied() {
        let wrong = "SubAgent.run(\"Find {{usr}}\", signature: \"(user :string) -> :int\")\n";
        let text = wrong.repeat(8_192);
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let edits = fix_all(&document);
        assert!(!edits.is_empty());
        assert_eq!(edits, fix_all(&document));
        let right = wrong.replace("usr", "user");
        let fixed = document.with_edits(&edits);
        let fixed = fixed.text().whole();
        assert!(
            fixed
                .split_inclusive('\n')
                .all(|it| it == wrong || it == right)
        );
    }

    #[test]
    fn only_safe_first_fixes_that_do_not_touch_are_chosen() {
        for (diagnostics, chosen) in [
            (vec![diagnostic(&[])], vec![]),
            (vec![diagnostic(&[(0, 1, false)])], vec![]),
            (vec![diagnostic(&[(0, 1, false), (0, 1, true)])], vec![]),
            (
                vec![
                    diagnostic(&[(4, 5, true), (8, 9, true)]),
                    diagnostic(&[(0, 1, true)]),
                ],
                vec![range(0, 1), range(4, 5)],
            ),
            (
                vec![diagnostic(&[(0, 2, true)]), diagnostic(&[(1, 3, true)])],
                vec![range(0, 2)],
            ),
            (
                vec![diagnostic(&[(2, 2, true)]), diagnostic(&[(2, 2, true)])],
                vec![range(2, 2)],
            ),
        ] {
            let edits = safe_edits(diagnostics.clone());
            let ranges: Vec<_> = edits.iter().map(|edit| edit.range).collect();
            assert_eq!(ranges, chosen, "{diagnostics:?}");
        }
    }
}
