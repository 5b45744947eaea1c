//! Findings for people: each with its line of the file and the fault underlined.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Checked, Report, help, severity_name};
use crate::{
    ide::{Diagnostic, Severity},
    text::{TextRange, size},
};

/// Prints the findings and a line that counts them. Colours are for the stream to take out.
pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let renderer = Renderer::styled();
    for (file, found) in report.findings() {
        writeln!(out, "{}\n", renderer.render(&[group(file, found)]))?;
    }
    writeln!(out, "{}", summary(report))
}

fn group<'a>(file: &'a Checked, found: &'a Diagnostic) -> Group<'a> {
    let lines = lines_around(file, found.range);
    let start = usize::from(found.range.start() - lines.range.start());
    let end = usize::from(found.range.end() - lines.range.start());
    let snippet = Snippet::source(lines.text)
        .line_start(lines.first + 1)
        .path(file.path.as_str())
        .annotation(AnnotationKind::Primary.span(start..end));
    let title = level(found.severity)
        .primary_title(found.message.as_str())
        .id(found.rule.code);
    title
        .element(snippet)
        .elements(help(found).map(|help| Level::HELP.message(help)))
}

fn level(severity: Severity) -> Level<'static> {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO,
    };
    level.with_name(severity_name(severity))
}

/// Whole lines of a file.
struct Lines {
    /// The number of the first, from 0.
    first: usize,
    range: TextRange,
    text: String,
}

/// The lines that `range` touches: the renderer looks at all that it is given, for each finding.
fn lines_around(file: &Checked, range: TextRange) -> Lines {
    let rope = file.text.rope();
    let line_of = |offset| rope.byte_to_line(usize::from(offset).min(rope.len_bytes()));
    let first = line_of(range.start());
    let last = line_of(range.end());
    let start = rope.line_to_byte(first);
    let end = rope.line_to_byte((last + 1).min(rope.len_lines()));
    let range = TextRange::new(size(start), size(end));
    Lines {
        first,
        range,
        text: file.text.slice(range).into_owned(),
    }
}

fn summary(report: &Report) -> String {
    let counted = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let found: Vec<_> = [Severity::Error, Severity::Warning, Severity::Hint]
        .into_iter()
        .map(|severity| (report.count(severity), severity_name(severity)))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| counted(count, name))
        .collect();
    let found = match found.is_empty() {
        true => "nothing found".to_owned(),
        false => found.join(", "),
    };
    format!("{found} in {}", counted(report.files.len(), "file"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::{printed, report};
    use crate::cli::report::Format;

    #[test]
    fn each_finding_is_shown_in_its_lines() {
        expect![[r#"
            error[wrong-type]: `:strng` is no type
             --> lib/a,b.ex:2:4
              |
            2 |     é(:strng
              |       ^^^^^^
              |
              = help: Write `:string`

            warning[odd-lines]: 100% odd
             --> lib/a,b.ex:2:3
              |
            2 |       é(:strng
              |  ______^
            3 | | )
              | |_^

            hint[missing-end]: something is missing
             --> z.ex:1:4
              |
            1 | end
              |    ^

            1 error, 1 warning, 1 hint in 3 files
        "#]]
        .assert_eq(&printed(Format::Human, &report()));
    }
}
