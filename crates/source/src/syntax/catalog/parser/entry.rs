//! Parses an entry: its name, its signature and its description.

use std::ops::Range;

use rowan::GreenNode;

use super::{
    super::{
        extent::Extent,
        lines::{Head, Line, LineKind, begins_with_arrow, comment_start, is_name},
    },
    Parser, trimmed,
};
use crate::{
    syntax::{
        error::ErrorKind,
        fragment::{Escapes, Foreign, ForeignKind, Fragment},
        kind::SyntaxKind,
        reparse::GreenElement,
        signature,
    },
    text::{TextRange, size},
};

/// Longer signatures, in bytes, rarely read the same.
const LONGEST_SHARED: usize = 256;

/// The maximum number of signatures that are looked for. Where more are different, few are the same.
const MOST_SHARED: usize = 1024;

impl<'t> Parser<'t, '_> {
    pub(super) fn entry(&mut self, line: Line<'t>, head: &Head) -> (Option<GreenElement>, usize) {
        let name = &line.text[head.name.clone()];
        let mut children = vec![];
        match is_name(name) {
            true => children.extend(self.token(SyntaxKind::EntryName, name)),
            false => {
                let error = match name.is_empty() {
                    true => ErrorKind::MissingEntryName,
                    false => ErrorKind::InvalidEntryName,
                };
                let name = self.token(SyntaxKind::EntryName, name);
                children.push(self.node(SyntaxKind::Error(error), name));
            }
        }
        let end = self.signature(&mut children, line, head);
        let end = self.description(&mut children, end);
        (Some(self.node(SyntaxKind::Entry, children)), end)
    }

    /// Everything between the name and the description.
    fn signature(
        &mut self,
        children: &mut Vec<GreenElement>,
        line: Line<'t>,
        head: &Head,
    ) -> usize {
        let start = line.start + head.signature;
        let mut code = Code::of(line);
        let name_end = line.start + head.name.end;
        if start >= code.end {
            self.pos += 1;
            let error = SyntaxKind::Error(ErrorKind::MissingEntrySignature);
            children.push(self.node(error, None));
            self.rest_of_line(children, name_end, &code);
            return code.comment_end.max(name_end);
        }
        children.extend(self.token(SyntaxKind::Whitespace, &self.text[name_end..start]));
        let is_full = self.text[start..].starts_with('(') || begins_with_arrow(&self.text[start..]);
        if !is_full {
            let error = SyntaxKind::Error(ErrorKind::MissingEntryParams);
            children.push(self.node(error, None));
        }
        let mut foreign = Vec::new();
        let mut extent = Extent::default();
        extent.line(&self.text[start..code.end]);
        self.pos += 1;
        while let Some((next, line)) = self.next_of_signature(&extent) {
            let comments = (self.pos..next).map(|index| self.trimmed_at(index));
            for comment in std::iter::once(code.end..code.comment_end).chain(comments) {
                foreign.extend(margin(comment, start));
            }
            code = Code::of(line);
            extent.line(&self.text[code.start..code.end]);
            self.pos = next + 1;
        }
        let green = self.parsed(&self.text[start..code.end], &foreign);
        children.push(green.into());
        self.rest_of_line(children, code.end, &code);
        code.comment_end
    }

    /// The tree of the signature `text`.
    fn parsed(&mut self, text: &'t str, foreign: &[Foreign]) -> GreenNode {
        let is_shared = foreign.is_empty() && text.len() <= LONGEST_SHARED;
        if is_shared && let Some(known) = self.signatures.get(text) {
            return known.clone();
        }
        let fragment = Fragment {
            text,
            escapes: Escapes::None,
            foreign,
        };
        let green = self.shared.lend(|| signature::parse(fragment));
        if is_shared && self.signatures.len() < MOST_SHARED {
            self.signatures.insert(text, green.clone());
        }
        green
    }

    /// The next line of the signature and its index, if there is one. Only comments precede it, or blank lines if it
    /// begins with a closing bracket.
    fn next_of_signature(&self, extent: &Extent) -> Option<(usize, Line<'t>)> {
        let mut lines = (self.pos..).map_while(|index| Some((index, self.line(index)?)));
        let mut has_blank = false;
        let (next, line) = lines.find(|(_, line)| {
            let is_blank = line.kind() == LineKind::Blank;
            has_blank |= is_blank;
            !is_blank && !line.is_comment()
        })?;
        let code = Code::of(line).text(self.text);
        let is_apart = has_blank && !code.starts_with([')', ']', '}']);
        let goes_on = !is_apart && line.firm_head().is_none() && extent.goes_on(code);
        goes_on.then_some((next, line))
    }

    /// The comment after the code of a line, from `at` on.
    fn rest_of_line(&mut self, children: &mut Vec<GreenElement>, at: usize, code: &Code) {
        if code.comment_start == code.comment_end {
            return;
        }
        children.extend(self.token(SyntaxKind::Whitespace, &self.text[at..code.comment_start]));
        children.extend(self.token(
            SyntaxKind::Comment,
            &self.text[code.comment_start..code.comment_end],
        ));
    }

    /// The indented lines that follow, including blank lines between them. `end` is where the entry ends without them.
    pub(super) fn description(&mut self, children: &mut Vec<GreenElement>, end: usize) -> usize {
        let first = self.pos;
        let mut lines = Vec::new();
        for index in first..self.end {
            let Some(line) = self.line(index) else {
                break;
            };
            match line.kind() {
                LineKind::Indented => {
                    lines.push(line);
                    self.pos = index + 1;
                }
                LineKind::Blank => {}
                _ => break,
            }
        }
        if lines.is_empty() {
            return end;
        }
        let margin = margin_of(&lines);
        let mut tokens = Vec::with_capacity(2 * lines.len());
        let mut at = end;
        for line in lines {
            let text = line.start + margin..trimmed(line).end;
            let outer = [at..line.start, line.start..text.start];
            let outer = outer.map(|range| self.token(SyntaxKind::Whitespace, &self.text[range]));
            match tokens.is_empty() {
                true => children.extend(outer.into_iter().flatten()),
                false => tokens.extend(outer.into_iter().flatten()),
            }
            tokens.extend(self.token(SyntaxKind::TextLine, &self.text[text.clone()]));
            at = text.end;
        }
        children.push(self.node(SyntaxKind::Description, tokens));
        at
    }
}

/// The code of a line and the comment after it, in bytes of the text.
struct Code {
    start: usize,
    end: usize,
    comment_start: usize,
    comment_end: usize,
}

impl Code {
    fn of(line: Line<'_>) -> Self {
        let comment = comment_start(line.text);
        let code = line.text[..comment].trim_end();
        let end = line.start + code.len();
        let comment_end = line.start + line.text.trim_end().len();
        Self {
            start: end - code.trim_start().len(),
            end,
            comment_start: (line.start + comment).min(comment_end),
            comment_end,
        }
    }

    fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }
}

/// A comment among the lines of the signature that begins at `start`.
fn margin(comment: Range<usize>, start: usize) -> Option<Foreign> {
    let range = TextRange::new(size(comment.start - start), size(comment.end - start));
    (!range.is_empty()).then_some(Foreign {
        range,
        kind: ForeignKind::Margin,
    })
}

/// The common indentation of `lines`.
fn margin_of(lines: &[Line<'_>]) -> usize {
    let mut lines = lines.iter();
    let indentation =
        |line: &Line<'_>| line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
    let Some(first) = lines.next() else {
        return 0;
    };
    let first = &first.text[..indentation(first)];
    lines.fold(first.len(), |margin, line| {
        let common = first.char_indices().zip(line.text.chars());
        let common = common.take_while(|((at, a), b)| *at < margin && a == b);
        common
            .map(|((at, c), _)| at + c.len_utf8())
            .last()
            .unwrap_or(0)
    })
}
