//! Findings for programs: one array of objects.

use std::io::{self, Write};

use serde::Serialize;

use super::{Report, help};
use crate::cli::{place::Place, printable::write_printable_json};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    fixable: bool,
}

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<_> = report
        .findings()
        .map(|(file, found)| {
            let start = Place::of(&file.text, found.range.start());
            let end = Place::of(&file.text, found.range.end());
            Finding {
                file: &file.path,
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                code: found.rule.code,
                severity: found.severity.name(),
                message: &found.message,
                help: help(found),
                fixable: found.has_safe_fix(),
            }
        })
        .collect();
    write_printable_json(out, &findings)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::{printed, report};
    use crate::cli::report::Format;

    #[test]
    fn each_finding_is_one_object() {
        expect![[r#"
            [
              {
                "file": "lib/a,b.ex",
                "line": 2,
                "column": 4,
                "endLine": 2,
                "endColumn": 10,
                "code": "wrong-type",
                "severity": "error",
                "message": "`:strng` is no type",
                "help": "Write `:string`",
                "fixable": true
              },
              {
                "file": "lib/a,b.ex",
                "line": 2,
                "column": 3,
                "endLine": 3,
                "endColumn": 2,
                "code": "odd-lines",
                "severity": "warning",
                "message": "100% odd",
                "fixable": false
              },
              {
                "file": "z.ex",
                "line": 1,
                "column": 4,
                "endLine": 1,
                "endColumn": 4,
                "code": "missing-end",
                "severity": "hint",
                "message": "something is missing",
                "fixable": false
              }
            ]
        "#]]
        .assert_eq(&printed(Format::Json, &report()));
    }
}
