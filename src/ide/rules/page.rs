//! The rules told to people: one rule for the terminal, all of them as the page `docs/rules.md`.

use std::fmt::Write;

use crate::ide::{Rule, Sample, Severity};

/// The page of all rules, in Markdown.
pub fn page() -> String {
    let mut page = String::from(
        "# Rules\n\nEvery finding carries the code of its rule. `signature-ls explain CODE` shows the same text.\n\n\
         This page is made from the rules themselves; `UPDATE_EXPECT=1 cargo test --lib rules` writes it anew.\n\n\
         | code | severity | |\n|---|---|---|\n",
    );
    let mut rules: Vec<_> = super::all().collect();
    rules.sort_by_key(|rule| rule.code);
    for rule in &rules {
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| [`{0}`](#{0}) | {1} | {2} |",
            rule.code,
            severity(rule),
            rule.summary
        );
    }
    for rule in rules {
        page.push('\n');
        page.push_str(&explain(rule));
    }
    page
}

/// One rule, in Markdown.
pub fn explain(rule: &Rule) -> String {
    format!(
        "## {}\n\n{}.\n\n{}\n\nSeverity: {}.\n\nWrong:\n\n{}\nRight:\n\n{}",
        rule.code,
        rule.summary,
        rule.explanation,
        severity(rule),
        sample(rule.wrong),
        sample(rule.right),
    )
}

fn severity(rule: &Rule) -> &'static str {
    match rule.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

fn sample(sample: Sample) -> String {
    match sample {
        Sample::Signature(text) => format!(
            "```elixir\nsignature: \"{}\"\n```\n",
            text.replace('"', "\\\"")
        ),
        Sample::Prompt { signature, prompt } => {
            format!("```elixir\nsignature: \"{signature}\",\nprompt: \"{prompt}\"\n```\n")
        }
        Sample::Elixir(text) => format!("```elixir\n{text}\n```\n"),
        Sample::Lisp(text) => format!("```clojure\n{text}```\n"),
        Sample::Catalog(text) => format!("```signature-catalog\n{text}```\n"),
        Sample::PromptFile(text) => format!("```markdown\n{text}\n```\n"),
        Sample::NestedLists(depth) => format!("a list in a list, {depth} deep\n"),
    }
}
