//! Documents, signatures and values, and their findings.

use signature_ls_analysis::{
    contract::{Direction, Mode, check, json},
    ide::{Document, Fix, Settings, hover, standalone},
    model::{Edition, Type, parse_signature},
};
use signature_ls_source::{host::HostKind, text::size};

/// The findings in a document: the code of the rule, the place in backquotes, the message.
pub fn findings(kind: HostKind, edition: Edition, text: &str) -> Vec<String> {
    let found = document(kind, edition, text).diagnostics();
    let lines = found
        .iter()
        .map(|it| format!("{} `{}` {}", it.rule.code, &text[it.range], it.message));
    lines.collect()
}

/// The codes of the findings in a document.
pub fn codes(kind: HostKind, edition: Edition, text: &str) -> Vec<&'static str> {
    let found = document(kind, edition, text).diagnostics();
    found.iter().map(|it| it.rule.code).collect()
}

/// The document after each offered fix of the only finding of `code`.
pub fn fixed(kind: HostKind, edition: Edition, text: &str, code: &str) -> Vec<String> {
    let found = document(kind, edition, text).diagnostics();
    let finding = found.iter().find(|it| it.rule.code == code);
    let finding = finding.unwrap_or_else(|| panic!("no {code} in {text}: {found:?}"));
    let apply = |fix: &Fix| {
        let mut fixed = text.to_owned();
        for edit in fix.edits.iter().rev() {
            edit.apply(&mut fixed);
        }
        fixed
    };
    finding.fixes.iter().map(apply).collect()
}

/// The hover where `place` begins in a document.
pub fn hovered(kind: HostKind, edition: Edition, text: &str, place: &str) -> Option<String> {
    let offset = size(text.find(place).expect("the place"));
    hover(&document(kind, edition, text), offset).map(|it| it.markdown)
}

/// The codes of the findings in a signature.
pub fn in_signature(text: &str, edition: Edition) -> Vec<&'static str> {
    let (_, found) = standalone::check_signature(text, edition);
    found.iter().map(|it| it.rule.code).collect()
}

/// The codes of the findings in a prompt under a signature.
pub fn in_prompt(signature: &str, prompt: &str, edition: Edition) -> Vec<&'static str> {
    let found = standalone::check_prompt(signature, prompt, edition);
    found.iter().map(|it| it.rule.code).collect()
}

/// A type, parsed from text.
pub fn ty(text: &str, edition: Edition) -> Type {
    let (signature, problems) = parse_signature(text, edition);
    signature
        .unwrap_or_else(|| panic!("{text}: {problems:?}"))
        .output
}

/// The errors and the warnings about a value in JSON.
pub fn held(
    value: &str,
    against: &str,
    direction: Direction,
    mode: Mode,
    edition: Edition,
) -> (Vec<String>, Vec<String>) {
    let value = json::read(value).expect("JSON");
    let report = check(&value, &ty(against, edition), direction, mode, edition);
    let errors = report.errors.iter().map(ToString::to_string);
    let warnings = report.warnings.iter().map(ToString::to_string);
    (errors.collect(), warnings.collect())
}

fn document(kind: HostKind, edition: Edition, text: &str) -> Document {
    let settings = Settings {
        edition,
        ..Settings::default()
    };
    Document::new(kind, text, settings)
}
