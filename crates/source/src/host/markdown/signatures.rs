//! Code blocks of signatures: one on a line, or one over several lines.
//!
//! A signature with a name before it is a tool, as in a listing; an indented line after it is its description.
//!
//! A signature continues while a bracket is open or a line ends or begins with an arrow or comma. A blank line or a
//! line with only a comment (`#` or `;`) always ends it.

use std::{ops::Range, sync::Arc};

use crate::{
    host::{
        PlacedUnit, Role, Site, Unit,
        evidence::{self, Evidence},
    },
    syntax::{
        catalog,
        fragment::{Escapes, Foreign, ForeignKind},
    },
    text::{TextRange, size},
};

/// The units of the signatures in `text`.
pub fn units(text: &str) -> Vec<PlacedUnit> {
    let mut units = Vec::new();
    let mut open = Vec::new();
    let mut open_brackets = 0;
    let mut is_description = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = Line::new(text, start..at);
        let written = code.text(text);
        let last = open.last().map(|it: &Line| it.text(text));
        let goes_on = last.is_some_and(|last| goes_on(last, open_brackets, written));
        if !goes_on {
            let is_described = code.is_indented(text) && describes(text, &open);
            units.extend(unit(text, &std::mem::take(&mut open)));
            open_brackets = 0;
            is_description =
                !written.is_empty() && (is_described || (is_description && code.is_indented(text)));
            if is_description {
                continue;
            }
        }
        if !written.is_empty() {
            open_brackets += depth(written);
            open.push(code);
        }
    }
    units.extend(unit(text, &open));
    // Other languages have signatures too: of functions, messages, mails.
    let reads_so = |placed: &PlacedUnit| {
        let code = &text[placed.range()];
        evidence::of_signature(code) >= Some(Evidence::Likely)
    };
    if !units.iter().any(reads_so) {
        units.clear();
    }
    units
}

/// A line without white space at both ends.
struct Line {
    code: Range<usize>,
    /// The comment after the code with the white space before it; empty without one.
    comment: Range<usize>,
}

impl Line {
    fn new(text: &str, line: Range<usize>) -> Self {
        let written = text[line.clone()].trim_end();
        let end = line.start + written.len();
        let comment = written
            .char_indices()
            .find(|&(at, c)| matches!(c, '#' | ';') && is_comment(&written[..at]))
            .map_or(end, |(at, _)| line.start + at);
        let code = text[line.start..comment].trim_end();
        let code_end = line.start + code.len();
        let code_start = code_end - code.trim_start().len();
        Self {
            code: code_start..code_end,
            comment: code_end..end,
        }
    }

    fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.code.clone()]
    }

    fn is_indented(&self, text: &str) -> bool {
        text[..self.code.start].ends_with([' ', '\t'])
    }
}

/// Whether an indented line after `lines` describes a tool.
fn describes(text: &str, lines: &[Line]) -> bool {
    let first = lines.first();
    first.is_some_and(|it| !it.is_indented(text) && name_of(it.text(text)).is_some())
}

/// The name before the parentheses of a signature.
fn name_of(code: &str) -> Option<&str> {
    let end = code.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))?;
    let (name, rest) = code.split_at(end);
    (name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && rest.starts_with('('))
        .then_some(name)
}

fn is_comment(before: &str) -> bool {
    before.chars().next_back().is_none_or(char::is_whitespace)
}

/// Whether `next` belongs to the signature whose last line is `last`, with `open` unclosed brackets.
fn goes_on(last: &str, open_brackets: i32, next: &str) -> bool {
    let is_broken = ["->", ","].iter().any(|end| last.ends_with(end)) || next.starts_with("->");
    !next.is_empty() && (open_brackets > 0 || is_broken) && !catalog::is_prose(next)
}

/// The number of brackets that `code` opens, minus those that it closes.
fn depth(code: &str) -> i32 {
    code.chars()
        .map(|c| match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        })
        .sum()
}

fn unit(text: &str, lines: &[Line]) -> Option<PlacedUnit> {
    let (first, last) = (lines.first()?, lines.last()?);
    let start = first.code.start;
    let len = size(last.code.end - start);
    let name = name_of(first.text(text));
    let range = TextRange::new(size(name.map_or(0, str::len)), len);
    let inner = &lines[..lines.len() - 1];
    let foreign = inner
        .iter()
        .filter(|line| !line.comment.is_empty())
        .map(|line| Foreign {
            range: TextRange::new(
                size(line.comment.start - start),
                size(line.comment.end - start),
            ) - range.start(),
            kind: ForeignKind::Margin,
        });
    let site = Site {
        role: if name.is_some() {
            Role::Tool
        } else {
            Role::Signature
        },
        name: name.map(Arc::from),
        literal: range,
        content: range,
        escapes: Escapes::None,
        foreign: foreign.collect::<Vec<_>>().into(),
    };
    let unit = Unit {
        len,
        sites: vec![site],
        evidence: Evidence::Certain,
        ..Unit::default()
    };
    Some(PlacedUnit::new(size(start), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It would take minutes if each line read all lines before it again.
    #[test]
    fn a_bracket_that_is_never_closed_takes_all_lines_into_one_signature() {
        let text = format!("(a :int,\n{}", "(\n".repeat(200_000));
        let units = units(&text);
        let ends = units.iter().map(|it| it.start + it.unit.len);
        assert_eq!(ends.collect::<Vec<_>>(), [size(text.len() - 1)]);
    }

    #[test]
    fn a_signature_with_a_name_is_a_tool() {
        let text = "search(q :string,\n  n :int) -> :map\n  Finds (quickly), it says.\n  Twice.\nget-one() -> :int\n\n  (a :int) -> :int\n";
        let units = units(text);
        let found = units.iter().map(|it| {
            let site = &it.unit.sites[0];
            (site.name.as_deref(), &text[site.content + it.start])
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                (Some("search"), "(q :string,\n  n :int) -> :map"),
                (Some("get-one"), "() -> :int"),
                (None, "(a :int) -> :int"),
            ]
        );
    }

    #[test]
    fn a_signature_ends_where_its_brackets_do() {
        let text = "(a :int,\n b [\n :int]) ->\n :int\n\n() -> :int ; one\n:int # other\n(a\n :int)\n-> :any";
        let units = units(text);
        let texts = units.iter().map(|it| &text[it.range()]);
        assert_eq!(
            texts.collect::<Vec<_>>(),
            [
                "(a :int,\n b [\n :int]) ->\n :int",
                "() -> :int",
                ":int",
                "(a\n :int)\n-> :any",
            ]
        );
    }
}
