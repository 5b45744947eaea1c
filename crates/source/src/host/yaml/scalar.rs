//! The exact ranges of scalars.
//!
//! The parser's spans begin at a scalar's tag or anchor, omit the header of a block scalar, and may include white
//! space and comments after it. Here they are narrowed to the literal and to its content.

use std::{borrow::Cow, ops::Range};

use saphyr_parser::{ScalarStyle, Tag};

use crate::{
    host::{
        evidence::{self, Evidence},
        object::Literal,
        roles::{KeyRole, NameKind, fixed_role},
        yaml::node::{Mark, Node, NodeKind, Scalar},
    },
    rare::Rare,
    syntax::fragment::{Escapes, Foreign, ForeignKind},
    text::{TextRange, size},
};

/// The parser's information about a scalar, in bytes of the text.
pub(super) struct Found<'t> {
    pub(super) style: ScalarStyle,
    pub(super) value: Cow<'t, str>,
    pub(super) tag: Option<Tag>,
    pub(super) mark: Mark,
    pub(super) span: Range<usize>,
    /// The end of the previous event; a block scalar's header follows.
    pub(super) gap_start: usize,
    /// Whether it is in brackets.
    pub(super) in_flow: bool,
}

/// The node of a scalar; a missing value is none.
pub(super) fn node(text: &str, found: Found<'_>) -> Node {
    let is_missing = found.style == ScalarStyle::Plain && found.value.is_empty();
    let node = match locate(text, &found) {
        Some(literal) => Node::scalar(Scalar::new(
            text,
            literal,
            found.style,
            &found.value,
            found.tag,
        )),
        None if is_missing && found.tag.is_none() => Node::other(found.span),
        None => return Node::other(found.span),
    };
    Node {
        mark: found.mark,
        ..node
    }
}

/// `value` of `key`, as an unquoted signature if that is at `least` its evidence: YAML reads `{answer :int}` as a
/// collection.
pub(super) fn or_signature(text: &str, key: &str, value: Node, least: Evidence) -> Node {
    let is_signature_key = || fixed_role(NameKind::Key, key) == Some(KeyRole::Signature);
    if matches!(value.kind, NodeKind::Scalar(_)) || !is_signature_key() {
        return value;
    }
    // A comment may follow on the line.
    let written = &text[value.range];
    let comment = [" #", "\t#"].iter().filter_map(|it| written.find(it)).min();
    let written = written[..comment.unwrap_or(written.len())].trim_end();
    let is_signature = written.starts_with(['[', '{'])
        && written.ends_with([']', '}', '?'])
        && evidence::of_signature(written) >= Some(least);
    if !is_signature {
        return value;
    }
    let start = usize::from(value.range.start());
    let range = start..start + written.len();
    let literal = literal(range.clone(), range, Escapes::Plain { in_flow: false });
    Node::scalar(Scalar::new(
        text,
        literal,
        ScalarStyle::Plain,
        written,
        None,
    ))
}

fn locate(text: &str, found: &Found<'_>) -> Option<Literal> {
    match found.style {
        ScalarStyle::Plain if found.value.is_empty() => None,
        ScalarStyle::Plain => plain(text, found),
        ScalarStyle::SingleQuoted => quoted(text, &found.span, '\''),
        ScalarStyle::DoubleQuoted => quoted(text, &found.span, '"'),
        ScalarStyle::Literal | ScalarStyle::Folded => block(text, found),
    }
}

/// A literal without margins.
pub(super) fn literal(literal: Range<usize>, content: Range<usize>, escapes: Escapes) -> Literal {
    Literal {
        literal: range(literal),
        content: range(content),
        escapes,
        foreign: Rare::default(),
    }
}

/// The end of the quoted scalar that begins at the start of `text`; `None` where it is not closed.
pub fn quoted_len(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            if quote == '"' || !text[at + 1..].starts_with('\'') {
                return Some(at + 1);
            }
            chars.next();
        }
    }
    None
}

fn plain(text: &str, found: &Found<'_>) -> Option<Literal> {
    let Found { span, in_flow, .. } = found;
    let start = skip_properties(text, span.start, span.end);
    let written = text.get(start..span.end)?.trim_end();
    if written.is_empty() {
        return None;
    }
    let end = start + written.len();
    let whole = start_of_words(&text[..end], &found.value);
    let range = whole.map_or(start, |whole| whole.min(start))..end;
    let escapes = Escapes::Plain { in_flow: *in_flow };
    Some(literal(range.clone(), range, escapes))
}

/// Where the words of `value` begin at the end of `text`, between other white space. If a scalar begins with a colon, its
/// span omits that and the text after it.
fn start_of_words(text: &str, value: &str) -> Option<usize> {
    if let Some(before) = text.strip_suffix(value) {
        return Some(before.len());
    }
    value
        .split_whitespace()
        .rev()
        .try_fold(text.len(), |end, word| {
            let before = text[..end].trim_end().strip_suffix(word)?;
            Some(before.len())
        })
}

fn quoted(text: &str, span: &Range<usize>, quote: char) -> Option<Literal> {
    let start = skip_properties(text, span.start, span.end);
    let rest = text.get(start..)?;
    if !rest.starts_with(quote) {
        return None;
    }
    let end = start + quoted_len(rest)?;
    let escapes = match quote {
        '"' => Escapes::DoubleQuoted,
        _ => Escapes::DoubledApostrophe,
    };
    Some(literal(start..end, start + 1..end - 1, escapes))
}

/// The literal of a `|` or `>` scalar: from its indicator to the end of its contents.
fn block(text: &str, found: &Found<'_>) -> Option<Literal> {
    let header = skip_properties(text, found.gap_start, text.len());
    let rest = text.get(header..)?;
    if !rest.starts_with(['|', '>']) {
        return None;
    }
    let body_start = header + line_len(rest);
    let body = &text[body_start..found.span.end.max(body_start)];
    let indicators = rest.split([' ', '\t', '\r', '\n', '#']).next()?;
    let indent = indentation(body, &found.value);
    let escapes = match found.style {
        ScalarStyle::Folded => Escapes::Folded,
        _ => Escapes::None,
    };

    let start = leading_spaces(body).min(indent);
    let mut end = start;
    let mut foreign = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let line = &body[at..at + line_len(&body[at..])];
        let margin = leading_spaces(line).min(indent);
        if at > 0 && margin > 0 {
            foreign.push(margin_at(at - start, margin));
        }
        let held = line[margin..].trim_end_matches(['\r', '\n']);
        end = match Chomping::of(indicators) {
            Chomping::Keep => at + line.len(),
            Chomping::Clip if !held.is_empty() => at + line.len(),
            Chomping::Strip if !held.is_empty() => at + margin + held.len(),
            Chomping::Clip | Chomping::Strip => end,
        };
        at += line.len();
    }
    if end <= start {
        let end = header + indicators.len();
        return Some(literal(header..end, end..end, escapes));
    }
    foreign.retain(|margin| margin.range.end() <= size(end - start));
    Some(Literal {
        foreign: foreign.into(),
        ..literal(
            header..body_start + end,
            body_start + start..body_start + end,
            escapes,
        )
    })
}

/// How line breaks at a block scalar's end are treated.
#[derive(Clone, Copy, PartialEq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Chomping {
    fn of(indicators: &str) -> Self {
        if indicators.contains('-') {
            Self::Strip
        } else if indicators.contains('+') {
            Self::Keep
        } else {
            Self::Clip
        }
    }
}

/// The number of spaces in the margin of a block scalar with `value`.
fn indentation(body: &str, value: &str) -> usize {
    let held = value.trim_start_matches('\n');
    let blank_lines = value.len() - held.len();
    let mut at = 0;
    for _ in 0..blank_lines {
        at += line_len(&body[at..]);
    }
    let line = &body[at..];
    match held.is_empty() {
        true => usize::MAX,
        false => leading_spaces(line).saturating_sub(leading_spaces(held)),
    }
}

fn margin_at(start: usize, len: usize) -> Foreign {
    Foreign {
        range: range(start..start + len),
        kind: ForeignKind::Margin,
    }
}

fn leading_spaces(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b' ').count()
}

/// The length of the first line with its line break.
pub(super) fn line_len(text: &str) -> usize {
    match text.find(['\r', '\n']) {
        Some(at) if text[at..].starts_with("\r\n") => at + 2,
        Some(at) => at + 1,
        None => text.len(),
    }
}

/// Skips indicators, white space, comments, tags and anchors up to the scalar that they introduce.
fn skip_properties(text: &str, start: usize, end: usize) -> usize {
    let mut at = start;
    while let Some(rest) = text.get(at..end) {
        let mut chars = rest.chars();
        let Some(first) = chars.next() else { break };
        let blank_follows = chars.next().is_none_or(char::is_whitespace);
        at += match first {
            '#' => line_len(rest),
            '&' | '!' => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            c if c.is_whitespace() => c.len_utf8(),
            ':' | '-' | '?' if blank_follows => 1,
            _ => break,
        };
    }
    at
}

fn range(range: Range<usize>) -> TextRange {
    TextRange::new(size(range.start), size(range.end))
}
