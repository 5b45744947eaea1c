//! Findings as workflow commands of GitHub Actions, which shows them next to the changed lines.

use std::io::{self, Write};

use super::{Checked, Report, help};
use crate::cli::{place::Place, printable::printable};
use signature_ls_analysis::ide::{Diagnostic, Severity};

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for (file, found) in report.findings() {
        write_finding(file, found, out)?;
    }
    Ok(())
}

fn write_finding(file: &Checked, found: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
    let start = Place::of(&file.text, found.range.start());
    let end = Place::of(&file.text, found.range.end());
    let command = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    };
    write!(
        out,
        "::{command} title={},file={},line={},endLine={}",
        escaped_property(found.rule.code),
        escaped_property(&file.path),
        start.line,
        end.line,
    )?;
    // GitHub only understands columns if the finding is on one line.
    if start.line == end.line {
        write!(out, ",col={},endColumn={}", start.column, end.column)?;
    }
    write!(out, "::{}", escaped(&found.message))?;
    match help(found) {
        Some(help) => writeln!(out, "%0A{}", escaped(help)),
        None => writeln!(out),
    }
}

fn escaped(text: &str) -> String {
    let escaped = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    printable(&escaped).into_owned()
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::{printed, report};
    use crate::cli::report::Format;

    #[test]
    fn each_finding_is_one_command() {
        expect![[r#"
            ::error title=wrong-type,file=lib/a%2Cb.ex,line=2,endLine=2,col=4,endColumn=10::`:strng` is no type%0AWrite `:string`
            ::warning title=odd-lines,file=lib/a%2Cb.ex,line=2,endLine=3::100%25 odd
            ::notice title=missing-end,file=z.ex,line=1,endLine=1,col=4,endColumn=4::something is missing
        "#]]
        .assert_eq(&printed(Format::Github, &report()));
    }
}
