//! Findings for people: each with its source line, underlined.

use std::{
    io::{self, Write},
    path::Path,
};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Checked, Report, help};
use crate::cli::{
    place::{Place, mark},
    printable::{printable, printable_path, printable_source},
};
use signature_ls_analysis::ide::{Diagnostic, Severity};
use signature_ls_source::text::{TextRange, TextSize, size};

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
    // A file that is too full to be checked comes without its text.
    if lines.range.len() > LONGEST_LINES || file.text.is_empty() {
        let Place { line, column } = Place::of(&file.text, found.range.start());
        let origin = Origin::path(path).line(line).char_column(column);
        return title.element(origin).elements(help);
    }
    let offset = |at: TextSize| usize::from(at) - usize::from(lines.range.start().min(at));
    let (start, end) = (offset(found.range.start()), offset(found.range.end()));
    let text = &lines.text;
    let [before, marked, after] =
        [&text[..start], &text[start..end], &text[end..]].map(printable_source);
    let mark = before.len()..before.len() + marked.len();
    let snippet = Snippet::source(before + &marked + &after)
        .line_start(lines.first + 1)
        .path(path)
        .annotation(AnnotationKind::Primary.span(mark));
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
    let start = match first {
        0 => rope.char_to_byte(mark(&file.text)),
        _ => rope.line_to_byte(first),
    };
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
    let fixable = report
        .findings()
        .filter(|(_, it)| it.has_safe_fix())
        .count();
    let fixed: usize = report.files.iter().map(|it| it.fixed).sum();
    let mut summary = format!("{found} in {}", counted(report.files.len(), "file"));
    if fixed > 0 {
        let files = report.files.iter().filter(|it| it.fixed > 0).count();
        let files = counted(files, "file");
        summary += &format!("; fixed {} in {files}", counted(fixed, "problem"));
    } else if fixable > 0 {
        summary += &format!("; `--fix` fixes {fixable}");
    }
    summary
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::{finding, printed, report};
    use crate::cli::{printable::printable, report::Format};

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

            1 error, 1 warning, 1 hint in 3 files; `--fix` fixes 1
        "#]]
        .assert_eq(&printed(Format::Human, &report()));
    }

    #[test]
    fn nothing_in_a_source_line_acts_on_a_terminal() {
        let is_active = |char: &char| printable(&char.to_string()).chars().count() > 1;
        let inline = |char: &char| !matches!(char, '\n' | '\r');
        let active: String = ('\0'..='\u{ffff}')
            .filter(is_active)
            .filter(inline)
            .collect();
        assert!(active.contains(['\u{7f}', '\u{9b}', '\u{202e}', '\u{2028}']));
        let columns = active.chars().count();
        let marked = format!(":é{active}x");
        let text = format!("{active}é{marked}{active}\n");
        let shown = printed(Format::Human, &finding(&text, &marked));
        assert!(
            shown.lines().all(|line| printable(line) == line),
            "{shown:?}"
        );
        let place = format!("a.ex:1:{}\n", columns + 2);
        assert!(shown.contains(&place), "{shown}");
        let line_of = |start: &str| {
            let line = shown.lines().find(|it| it.starts_with(start));
            line.expect("a line").chars().collect::<Vec<_>>()
        };
        let (source, marks) = (line_of("1 | "), line_of("  | "));
        let first = marks.iter().position(|it| *it == '^').expect("a mark");
        assert_eq!(source[first..first + 2], [':', 'é']);
        assert_eq!(marks[first..].len(), marked.chars().count());
        assert_eq!(source[first + marks[first..].len() - 1], 'x');
    }
}
