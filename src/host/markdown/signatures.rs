//! Code blocks of signatures: one on a line, or one over several lines.
//!
//! A signature goes on while a bracket is open or an arrow or comma is at the break. A blank line
//! or a line that is only a comment (`#` or `;`) ends it in any case.

use std::ops::Range;

use crate::{
    host::{
        PlacedUnit, Role, Site, Unit,
        evidence::{self, Evidence},
    },
    syntax::fragment::{Escapes, Foreign, ForeignKind},
    text::{TextRange, size},
};

/// The signatures of `text`, a unit each.
pub fn units(text: &str) -> Vec<PlacedUnit> {
    let mut units = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let written = line.trim_start();
        let info = written.trim_start_matches(['`', '~']);
        if written.len() >= info.len() + 3 && info.starts_with(char::is_alphabetic) {
            // The block is not closed: the next one begins here.
            break;
        }
        let start = at;
        at += line.len();
        let code = Line::new(text, start..at);
        let goes_on = !code.text(text).is_empty() && goes_on(text, &open, &code);
        if !goes_on {
            units.extend(unit(&std::mem::take(&mut open)));
        }
        if !code.text(text).is_empty() {
            open.push(code);
        }
    }
    units.extend(unit(&open));
    // Other languages have signatures too: of functions, of messages, of mails.
    let reads_so = |placed: &PlacedUnit| {
        let code = TextRange::at(placed.start, placed.unit.len);
        evidence::of_signature(&text[code]) >= Some(Evidence::Likely)
    };
    if !units.iter().any(reads_so) {
        units.clear();
    }
    units
}

/// A line without the white space around it.
struct Line {
    code: Range<usize>,
    /// The comment after the code and the white space between, empty where there is none.
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
}

fn is_comment(before: &str) -> bool {
    before.chars().next_back().is_none_or(char::is_whitespace)
}

/// Whether `next` belongs to the signature of which `open` are the lines so far.
fn goes_on(text: &str, open: &[Line], next: &Line) -> bool {
    let Some(last) = open.last() else {
        return false;
    };
    let depth: i32 = open.iter().map(|line| depth(line.text(text))).sum();
    depth > 0
        || ["->", ","].iter().any(|end| last.text(text).ends_with(end))
        || next.text(text).starts_with("->")
}

/// How many more brackets `code` opens than it closes.
fn depth(code: &str) -> i32 {
    code.chars()
        .map(|c| match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        })
        .sum()
}

fn unit(lines: &[Line]) -> Option<PlacedUnit> {
    let (first, last) = (lines.first()?, lines.last()?);
    let start = first.code.start;
    let range = TextRange::up_to(size(last.code.end - start));
    let inner = &lines[..lines.len() - 1];
    let foreign = inner
        .iter()
        .filter(|line| !line.comment.is_empty())
        .map(|line| Foreign {
            range: TextRange::new(
                size(line.comment.start - start),
                size(line.comment.end - start),
            ),
            kind: ForeignKind::Margin,
        });
    let site = Site {
        role: Role::Signature,
        name: None,
        literal: range,
        content: range,
        escapes: Escapes::None,
        foreign: foreign.collect(),
    };
    let unit = Unit {
        len: range.len(),
        sites: vec![site],
        evidence: Evidence::Certain,
        ..Unit::default()
    };
    Some(PlacedUnit::new(size(start), unit))
}
