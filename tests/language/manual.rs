//! The examples of the manual: exactly the rule that a block's first line names is reported.

use signature_ls_analysis::ide::{Document, Settings};
use signature_ls_source::host::HostKind;

/// The place and content of a block.
struct Example<'t> {
    /// The line of its fence, from 1.
    line: usize,
    language: &'t str,
    /// The code of the rule that reports it; none for an example without diagnostics.
    rule: Option<&'t str>,
    text: String,
}

fn examples(page: &str) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    let mut open: Option<Example<'_>> = None;
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => examples.extend(open.take()),
            (Some(info), None) => {
                let (language, rule) = match info.split_once(' ') {
                    Some((language, rule)) => (language, Some(rule)),
                    None => (info, None),
                };
                open = Some(Example {
                    line: index + 1,
                    language,
                    rule,
                    text: String::new(),
                });
            }
            (None, Some(example)) => example.text.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    examples
}

fn codes(example: &Example<'_>) -> Vec<&'static str> {
    let (kind, text) = match example.language {
        "elixir" => (HostKind::Elixir, example.text.clone()),
        "clojure" => (HostKind::Lisp, example.text.clone()),
        "prompt" => (HostKind::Prompt, example.text.clone()),
        "sig" => (HostKind::Catalog, example.text.clone()),
        "signature" => (
            HostKind::Markdown,
            format!("```signature\n{}```\n", example.text),
        ),
        other => panic!("line {}: no kind of file for `{other}`", example.line),
    };
    let document = Document::new(kind, &text, Settings::default());
    let mut codes: Vec<_> = document
        .diagnostics()
        .iter()
        .map(|it| it.rule.code)
        .collect();
    codes.dedup();
    codes
}

#[test]
fn every_example_reports_what_it_names() {
    let examples = examples(include_str!("../../docs/language.md"));
    assert!(examples.len() > 30, "only {}", examples.len());
    let differing: Vec<_> = examples
        .iter()
        .filter(|it| codes(it) != Vec::from_iter(it.rule))
        .map(|it| format!("line {}: {:?} instead of {:?}", it.line, codes(it), it.rule))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
