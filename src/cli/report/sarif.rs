//! Findings as SARIF 2.1.0, the format of code scanning services.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use serde_json::{Value, json};

use super::{Checked, Report};
use crate::cli::{place::Place, printable::write_printable_json};
use signature_ls_analysis::ide::{Diagnostic, Fix, Rule, Severity};
use signature_ls_source::text::{Text, TextEdit, TextRange};

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rules: BTreeMap<&str, &Rule> = report
        .findings()
        .map(|(_, found)| (found.rule.code, found.rule))
        .collect();
    let results: Vec<_> = report
        .findings()
        .map(|(file, found)| result(file, found))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.into_values().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    write_printable_json(out, &log)
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.explanation, "markdown": rule.explanation},
        "defaultConfiguration": {"level": level(rule.severity)},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn result(file: &Checked, found: &Diagnostic) -> Value {
    let artifact = json!({"uri": uri(&file.path)});
    let mut result = json!({
        "ruleId": found.rule.code,
        "level": level(found.severity),
        "message": {"text": found.message},
        "locations": [{"physicalLocation": {
            "artifactLocation": artifact,
            "region": region(&file.text, found.range),
        }}],
    });
    if !found.fixes.is_empty() {
        let fixes = found.fixes.iter().map(|fix| self::fix(file, fix));
        result["fixes"] = fixes.collect();
    }
    result
}

fn fix(file: &Checked, fix: &Fix) -> Value {
    let replacement = |edit: &TextEdit| {
        json!({
            "deletedRegion": region(&file.text, edit.range),
            "insertedContent": {"text": file.text.with_line_ends(&edit.insert)},
        })
    };
    json!({
        "description": {"text": fix.title},
        "artifactChanges": [{
            "artifactLocation": {"uri": uri(&file.path)},
            "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    })
}

fn region(text: &Text, range: TextRange) -> Value {
    let start = Place::of(text, range.start());
    let end = Place::of(text, range.end());
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A path as a URI reference: with forward slashes and percent encoding.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut uri = String::new();
    for byte in path.replace(std::path::MAIN_SEPARATOR, "/").bytes() {
        match is_plain(byte) {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::{
        super::tests::{printed, report},
        *,
    };
    use crate::cli::report::Format;

    #[test]
    fn a_log_has_rules_results_and_fixes() {
        expect_file!["sarif_expected.json"].assert_eq(&printed(Format::Sarif, &report()));
    }

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("lib/a.ex", "lib/a.ex"),
            ("a b/ü.ex", "a%20b/%C3%BC.ex"),
            ("100%:x?#.ex", "100%25%3Ax%3F%23.ex"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
