//! The list of all rules, and a page per rule.

use std::fmt::Write;

use crate::ide::{Rule, Sample, Severity};
use signature_ls_source::order;

/// The list of all rules, `docs/rules.md`.
pub fn index() -> String {
    let mut index = String::from(
        "# Rules\n\nEvery diagnostic has the code of its rule. `signature-ls explain CODE` prints the same pages in the \
         terminal.\nA [setting](settings.md) changes the severity of a rule or turns it off.\n\n\
         | code | severity | reports |\n|---|---|---|\n",
    );
    let mut rules: Vec<_> = super::all().collect();
    order::by_name(&mut rules, |rule| rule.code);
    for rule in rules {
        let (code, severity) = (rule.code, severities(rule));
        // Writing to a string cannot fail.
        let _ = writeln!(
            index,
            "| [`{code}`](rules/{code}.md) | {severity} | {} |",
            rule.summary
        );
    }
    index
}

/// The page of one rule, `docs/rules/CODE.md`.
pub fn explain(rule: &Rule) -> String {
    format!(
        "# {}\n\n{}.\n\n{}\n\nSeverity: {}.\n\nWrong:\n\n{}\nRight:\n\n{}",
        rule.code,
        rule.summary,
        wrapped(rule.explanation),
        severities(rule),
        sample(rule.wrong),
        sample(rule.right),
    )
}

/// The severities that rules have in some cases instead of their default.
const OTHER_SEVERITIES: &[(&str, Severity, &str)] = &[
    ("chained-type", Severity::Warning, WARN_ONLY),
    ("duplicate-key", Severity::Error, "in edition next"),
    ("duplicate-name", Severity::Error, "in edition next"),
    (
        "missing-parameters",
        Severity::Warning,
        "for a tool in Elixir",
    ),
    ("missing-value", Severity::Warning, WARN_ONLY),
    ("returned-value", Severity::Warning, WARN_ONLY),
    (
        "unknown-input",
        Severity::Error,
        "with `signature_validation: :strict`",
    ),
    (
        "unfilled-placeholder",
        Severity::Hint,
        "for an optional field in a `response_template`",
    ),
    ("unused-parameter", Severity::Error, "with `output: :text`"),
    ("value-type", Severity::Warning, WARN_ONLY),
];

const WARN_ONLY: &str = "with `signature_validation: :warn_only`";

fn others(rule: &Rule) -> impl Iterator<Item = &'static (&'static str, Severity, &'static str)> {
    OTHER_SEVERITIES
        .iter()
        .filter(|(code, ..)| *code == rule.code)
}

/// Whether the page of `rule` names `severity`.
pub(crate) fn names(rule: &Rule, severity: Severity) -> bool {
    rule.severity == severity || others(rule).any(|(_, other, _)| *other == severity)
}

/// The default severity, and when it is another one: `hint; error with …`.
fn severities(rule: &Rule) -> String {
    let others = others(rule).map(|(_, severity, when)| format!("; {} {when}", severity.name()));
    rule.severity.name().to_owned() + &others.collect::<String>()
}

/// The width of a line on a page, in characters.
const WIDTH: usize = 128;

/// Breaks `text` at spaces into lines of at most [`WIDTH`].
fn wrapped(text: &str) -> String {
    let mut wrapped = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            wrapped.push('\n');
            column = 0;
        } else if column > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += width;
    }
    wrapped
}

fn sample(sample: Sample) -> String {
    match sample {
        Sample::Signature(text) => format!(
            "```elixir\nSubAgent.new(signature: \"{}\")\n```\n",
            text.replace('"', "\\\"")
        ),
        Sample::Prompt { signature, prompt } => {
            format!(
                "```elixir\nSubAgent.new(\n  signature: \"{signature}\",\n  prompt: \"{prompt}\"\n)\n```\n"
            )
        }
        Sample::Elixir(text) => format!("```elixir\n{}\n```\n", text.trim_end()),
        Sample::Lisp(text) => format!("```clojure\n{text}```\n"),
        Sample::Catalog(text) => format!("```signature-catalog\n{text}```\n"),
        Sample::PromptFile(text) => format!("```markdown\n{text}\n```\n"),
        Sample::NestedLists(depth) => format!("a list in a list, {depth} deep\n"),
        Sample::ManyParameters(count) => format!("a signature of {count} parameters\n"),
    }
}
