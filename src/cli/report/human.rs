//! Findings for people: each with its source line, underlined.

use std::{
    io::{self, Write},
    path::Path,
};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Checked, Report, help};
use crate::{
    cli::{
        place::Place,
        printable::{printable, printable_path},
    },
    ide::{Diagnostic, Severity},
    text::{TextRange, TextSize, size},
};

/// Longer lines are not shown: the renderer processes the whole line for each finding.
const LONGEST_LINES: TextSize = TextSize::new(2_000);

/// Prints the findings and a line with their number. The stream removes colors if needed.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled();
    for (file, found) in report.findings() {
        writeln!(out, "{}\n", renderer.render(&[group(file, found)]))?;
    }
    writeln!(out, "{}", summary(report))
}

fn group<'a>(file: &'a Checked, found: &'a Diagnostic) -> Group<'a> {
    let title = level(found.severity)
        .primary_title(printable(&found.message))
        .id(found.rule.code);
    let path = printable_path(Path::new(&file.path));
    let help = help(found).map(|help| Level::HELP.message(printable(help)));
    let lines = lines_around(file, found.range);
    if lines.range.len() > LONGEST_LINES {
        let Place { line, column } = Place::of(&file.text, found.range.start());
        let origin = Origin::path(path).line(line).char_column(column);
        return title.element(origin).elements(help);
    }
    let start = usize::from(found.range.start() - lines.range.start());
    let end = usize::from(found.range.end() - lines.range.start());
    let snippet = Snippet::source(lines.text)
        .line_start(lines.first + 1)
        .path(path)
        .annotation(AnnotationKind::Primary.span(start..end));
    title.element(snippet).elements(help)
}

fn level(severity: Severity) -> Level<'static> {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO,
    };
    level.with_name(severity.name())
}

/// Whole lines of a file.
struct Lines {
    /// The number of the first, from 0.
    first: usize,
    range: TextRange,
    text: String,
}

/// The lines that `range` touches. The renderer processes all the text that it gets, for each finding.
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
        .map(|severity| (report.count(severity), severity.name()))
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
