//! Lexes a fragment's raw text into the pieces of a template: lines of text, and tags.

use std::ops::Range;

use logos::Logos;

use super::pieces::{Piece, Pieces, TagKind, Token, content_in};
use crate::{
    cancel,
    syntax::{
        decode::{Decoded, unescaped},
        fragment::{self, Escapes, Foreign, ForeignKind, Fragment},
        kind::SyntaxKind,
    },
    text::{TextRange, TextSize, size},
    work,
};

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Lexeme {
    #[regex(r"[ \t\r\n]+")]
    Whitespace,
    #[regex(r"[A-Za-z_][A-Za-z0-9_-]*")]
    Ident,
    #[token(".")]
    Dot,
}

/// Splits the whole fragment into pieces, which cover it without gaps.
pub(super) fn split(fragment: Fragment<'_>) -> Pieces {
    let mut pieces = Pieces::for_text(fragment.text);
    let mut at = 0;
    let mut comment_end = None;
    while let Some(open) = find(fragment, b'{', at, fragment.text.len()) {
        cancel::check();
        text(fragment, at..open.start().into(), &mut pieces);
        let (kind, end) = tag(fragment, open, &mut comment_end);
        pieces.add(Piece::Tag(kind), open.start());
        at = end.into();
    }
    text(fragment, at..fragment.text.len(), &mut pieces);
    pieces
}

/// The first two of `brace` in `from..to` outside of interpolations.
fn find(fragment: Fragment<'_>, brace: u8, mut from: usize, to: usize) -> Option<TextRange> {
    let text = &fragment.text[..to];
    while from < to {
        let rest = &text.as_bytes()[from..];
        let at = match fragment.escapes.has_backslashes() {
            true => memchr::memchr2(brace, b'\\', rest),
            false => memchr::memchr(brace, rest),
        };
        let at = from + at?;
        from = at + 1;
        let Some(range) = pair_at(text, fragment.escapes, brace, at) else {
            continue;
        };
        match covering(fragment.foreign, range) {
            Some(foreign) => from = from.max(foreign.range.end().into()),
            None => return Some(range),
        }
    }
    None
}

/// The two of `brace` at `at`. Each may be an escape, such as `\u007b`.
fn pair_at(text: &str, escapes: Escapes, brace: u8, at: usize) -> Option<TextRange> {
    let second = at + brace_len(text, escapes, brace, at)?;
    let end = second + brace_len(text, escapes, brace, second)?;
    Some(TextRange::new(size(at), size(end)))
}

/// The length of the `brace` at `at`; `None` if there is none.
fn brace_len(text: &str, escapes: Escapes, brace: u8, at: usize) -> Option<usize> {
    match text.as_bytes().get(at)? {
        byte if *byte == brace => Some(1),
        b'\\' if escapes.has_backslashes() => {
            let rest = &text[at + 1..];
            let is_code_point = rest.starts_with(['u', 'x']);
            let before = text[..at].bytes().rev().take_while(|byte| *byte == b'\\');
            if !is_code_point || before.count() % 2 == 1 {
                return None;
            }
            let escape = &text[at..=at + fragment::escape_len(rest)];
            (unescaped(escape).as_bytes() == [brace]).then_some(escape.len())
        }
        _ => None,
    }
}

/// Whether braces after `text` may belong together with its end.
pub(super) fn reaches_into_braces(text: &str, escapes: Escapes) -> bool {
    let ends_escape = || {
        ["\\", "7b", "7B", "7b}", "7B}"]
            .iter()
            .any(|end| text.ends_with(end))
    };
    text.ends_with('{') || escapes.has_backslashes() && ends_escape()
}

fn covering(foreign: &[Foreign], range: TextRange) -> Option<&Foreign> {
    let index = foreign.partition_point(|it| it.range.end() <= range.start());
    foreign
        .get(index)
        .filter(|it| it.range.start() < range.end())
}

/// Whether the byte at `at` is in an interpolation, and not its last one.
fn is_inside_hole(foreign: &[Foreign], at: usize) -> bool {
    let hole = covering(foreign, TextRange::at(size(at), size(1)));
    hole.is_some_and(|it| it.kind == ForeignKind::Hole && size(at + 1) < it.range.end())
}

/// Text split into lines, so that an edit replaces a short token.
fn text(fragment: Fragment<'_>, range: Range<usize>, pieces: &mut Pieces) {
    let range = TextRange::new(size(range.start), size(range.end));
    let mut at = range.start();
    let first = fragment
        .foreign
        .partition_point(|it| it.range.start() < range.start());
    for foreign in fragment.foreign[first..]
        .iter()
        .take_while(|it| it.range.end() <= range.end())
    {
        lines(
            fragment.text,
            TextRange::new(at, foreign.range.start()),
            pieces,
        );
        let kind = match foreign.kind {
            ForeignKind::Hole => SyntaxKind::Hole,
            ForeignKind::Margin => SyntaxKind::Whitespace,
        };
        pieces.add(Piece::Text(kind), foreign.range.start());
        at = foreign.range.end();
    }
    lines(fragment.text, TextRange::new(at, range.end()), pieces);
}

fn lines(text: &str, range: TextRange, pieces: &mut Pieces) {
    let mut at = range.start();
    for line in text[range].split_inclusive('\n') {
        pieces.add(Piece::Text(SyntaxKind::TextLine), at);
        at += TextSize::of(line);
    }
}

/// The maximum number of lines of a tag: a comment may be long, and a name may be on the next line.
pub(super) const MOST_LINES: usize = 32;

/// The kind and the end of the tag whose opening braces are at `open`.
///
/// In the reference, a tag extends to the next `}}`, wherever that is. Here, a tag is unclosed if another tag or a
/// blank line comes first, or if it spans a brace or a line end without being a name. It then ends with its line at
/// the latest, so that the following text is still parsed.
fn tag(
    fragment: Fragment<'_>,
    open: TextRange,
    comment_end: &mut Option<TagEnd>,
) -> (TagKind, TextSize) {
    let text = fragment.text;
    let start = usize::from(open.end());
    let is_comment = is_comment(&text[start..]);
    let known = comment_end.filter(|it| is_comment && start < it.limit);
    let end = known.unwrap_or_else(|| end_of_tag(fragment, start, is_comment));
    if is_comment {
        *comment_end = Some(end);
    }
    let unclosed = || (TagKind::Unclosed, end_of_unclosed(fragment, start, end.limit));
    let Some(close) = end.close else {
        return unclosed();
    };
    let content = TextRange::new(open.end(), close.start());
    let kind = Opening::of(fragment, content).kind;
    if kind != TagKind::Comment && runs_on(&text[content]) && !has_path(fragment, content) {
        return unclosed();
    }
    (kind, close.end())
}

/// Whether there is a line end or a brace in a tag's content.
fn runs_on(content: &str) -> bool {
    let may_run_on = memchr::memchr2(b'\n', b'}', content.as_bytes()).is_some();
    may_run_on && content.trim().contains(['\n', '}'])
}

/// Whether the text between the braces is a path.
fn has_path(fragment: Fragment<'_>, content: TextRange) -> bool {
    let mut tokens = Vec::new();
    lex_content(fragment, content, &mut tokens);
    is_path(&tokens[content_in(&tokens)])
}

/// Lexes a tag of `kind`, which is at `range`.
pub(super) fn lex_tag(
    fragment: Fragment<'_>,
    kind: TagKind,
    range: TextRange,
    tokens: &mut Vec<Token>,
) {
    let open = opening_braces(fragment, range.start());
    tokens.push(Token {
        kind: SyntaxKind::TagOpen,
        range: open,
    });
    let rest = TextRange::new(open.end(), range.end());
    if kind == TagKind::Unclosed {
        return lex_content(fragment, rest, tokens);
    }
    let close = closing_braces(fragment, rest);
    lex_content(fragment, TextRange::new(open.end(), close.start()), tokens);
    tokens.push(Token {
        kind: SyntaxKind::TagClose,
        range: close,
    });
}

/// The braces of the tag that begins at `start`.
pub(super) fn opening_braces(fragment: Fragment<'_>, start: TextSize) -> TextRange {
    let braces = pair_at(fragment.text, fragment.escapes, b'{', start.into());
    braces.unwrap_or(TextRange::empty(start))
}

/// The braces of a closed tag, given the text after its opening ones.
fn closing_braces(fragment: Fragment<'_>, rest: TextRange) -> TextRange {
    let braces = match fragment.escapes.has_backslashes() {
        true => find(fragment, b'}', rest.start().into(), rest.end().into()),
        false => None,
    };
    braces.unwrap_or_else(|| TextRange::new(rest.end() - size(2), rest.end()))
}

/// Where a tag ends. The comments that begin before `limit` end alike, and there may be thousands of them on a line.
#[derive(Clone, Copy)]
struct TagEnd {
    close: Option<TextRange>,
    /// Where the closing braces, another tag or the next line begins.
    limit: usize,
}

/// Where the tag ends whose content begins at `start`.
fn end_of_tag(fragment: Fragment<'_>, start: usize, is_comment: bool) -> TagEnd {
    let (close, limit) = match first_stop(fragment, start, is_comment) {
        Stop::Close(braces) => (Some(braces), braces.start().into()),
        Stop::Open(at) => (None, at),
        Stop::Line(line_end) => {
            let limit = end_of_lines(fragment, start, line_end, is_comment);
            (find(fragment, b'}', line_end, limit), line_end)
        }
    };
    work::count(limit - start);
    TagEnd { close, limit }
}

/// What comes first after the opening braces of a tag.
enum Stop {
    /// `}}`
    Close(TextRange),
    /// `{{`
    Open(usize),
    /// The end of the line, including the line end.
    Line(usize),
}

/// What comes first in a tag whose content begins at `from`; a comment may contain `{{`.
fn first_stop(fragment: Fragment<'_>, mut from: usize, is_comment: bool) -> Stop {
    let text = fragment.text;
    let is_stop = |byte: u8| matches!(byte, b'{' | b'}' | b'\n' | b'\\');
    while let Some(at) = text.as_bytes()[from..].iter().position(|it| is_stop(*it)) {
        let at = from + at;
        from = at + 1;
        let pair = |brace| pair_at(text, fragment.escapes, brace, at);
        let (stop, range) = if text[at..].starts_with('\n') {
            (Stop::Line(at + 1), TextRange::at(size(at), 1.into()))
        } else if let Some(close) = pair(b'}') {
            (Stop::Close(close), close)
        } else if let Some(open) = pair(b'{').filter(|_| !is_comment) {
            (Stop::Open(at), open)
        } else {
            continue;
        };
        match covering(fragment.foreign, range) {
            // A margin is at the start of the next line.
            Some(foreign)
                if foreign.kind == ForeignKind::Hole || !matches!(stop, Stop::Line(_)) =>
            {
                from = from.max(foreign.range.end().into());
            }
            _ => return stop,
        }
    }
    Stop::Line(text.len())
}

/// How far a tag that is open at the end of its line can extend: a comment to the next tag, others over white space
/// and names only; none over a blank line.
fn end_of_lines(fragment: Fragment<'_>, start: usize, line_end: usize, is_comment: bool) -> usize {
    let text = fragment.text;
    if !is_comment && !text[start..line_end].chars().all(is_of_name) {
        return line_end;
    }
    let mut end = line_end;
    for _ in 1..MOST_LINES {
        let next = memchr::memchr(b'\n', &text.as_bytes()[end..]);
        let next = next.map_or(text.len(), |at| end + at + 1);
        let line = &text[end..next];
        if line.trim().is_empty() {
            break;
        }
        if let Some(open) = find(fragment, b'{', end, next) {
            return open.start().into();
        }
        end = next;
        if !is_comment && !line.chars().all(is_of_name) {
            break;
        }
    }
    end
}

/// Whether the text after the braces makes the tag a comment.
pub(super) fn is_comment(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t']).starts_with('!')
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || " \t\r\n_.-#^/\\".contains(c)
}

/// Whether a tag that is unclosed in `rest`, the text after its opening braces without another tag, remains unclosed
/// whatever follows.
pub(super) fn ends_open_tag(rest: &str) -> bool {
    let is_comment = is_comment(rest);
    let mut lines = rest.split_inclusive('\n').enumerate();
    lines.any(|(index, line)| {
        let is_whole = line.ends_with('\n');
        let is_blank = index > 0 && line.trim().is_empty();
        let goes_on = is_comment || line.chars().all(is_of_name);
        is_whole && (is_blank || !goes_on || index >= MOST_LINES)
    })
}

/// The end of an unclosed tag whose content begins at `start`: a lone brace, or the end of its line. Interpolations are
/// not split.
fn end_of_unclosed(fragment: Fragment<'_>, start: usize, limit: usize) -> TextSize {
    let rest = &fragment.text[start..limit];
    let is_free = |(at, _): &(usize, &str)| !is_inside_hole(fragment.foreign, start + at);
    let stop = rest.match_indices(['\n', '\r', '}']).find(is_free);
    let line = match stop {
        Some((brace, "}")) => &rest[..=brace],
        Some((line_end, _)) => &rest[..line_end],
        None => rest,
    };
    work::count(line.len());
    size(start + line.trim_end().len())
}

/// Whether the tokens are a dotted name or a single dot, or contain an interpolation.
pub(super) fn is_path(content: &[Token]) -> bool {
    let is_name = |(index, token): (usize, &Token)| match index % 2 {
        0 => token.kind == SyntaxKind::Ident,
        _ => token.kind == SyntaxKind::Dot,
    };
    let dotted = content.len() % 2 == 1 && content.iter().enumerate().all(is_name);
    let lone_dot = content.len() == 1 && content[0].kind == SyntaxKind::Dot;
    dotted || lone_dot || content.iter().any(|token| token.kind == SyntaxKind::Hole)
}

/// How the text between the braces of a tag begins.
struct Opening {
    kind: TagKind,
    /// The end of the white space.
    start: TextSize,
    /// The end of the sigil.
    end: TextSize,
}

impl Opening {
    fn of(fragment: Fragment<'_>, content: TextRange) -> Self {
        let trimmed = fragment.text[content].trim_start_matches([' ', '\t', '\r', '\n']);
        let start = content.end() - TextSize::of(trimmed);
        let rest = TextRange::new(start, content.end());
        let (first, len) = first_char(fragment, rest);
        let kind = match first {
            _ if covering(fragment.foreign, TextRange::at(start, size(1))).is_some() => {
                TagKind::Placeholder
            }
            Some('#' | '^') => TagKind::SectionOpen,
            Some('/') => TagKind::SectionClose,
            Some('!') => TagKind::Comment,
            _ => TagKind::Placeholder,
        };
        let end = match kind {
            TagKind::Placeholder => start,
            _ => start + len,
        };
        Self { kind, start, end }
    }
}

/// Lexes the text between the braces.
fn lex_content(fragment: Fragment<'_>, range: TextRange, tokens: &mut Vec<Token>) {
    let Opening { kind, start, end } = Opening::of(fragment, range);
    push(
        SyntaxKind::Whitespace,
        TextRange::new(range.start(), start),
        tokens,
    );
    push(SyntaxKind::Sigil, TextRange::new(start, end), tokens);
    let rest = TextRange::new(end, range.end());
    match kind {
        TagKind::Comment => push(SyntaxKind::CommentText, rest, tokens),
        _ => lex_words(fragment, rest, tokens),
    }
}

/// The first character in `range`, and its length in the source: encoders write `{{\\/name}}` in JSON.
fn first_char(fragment: Fragment<'_>, range: TextRange) -> (Option<char>, TextSize) {
    let text = &fragment.text[range];
    let rest = text.strip_prefix('\\');
    let Some(rest) = rest.filter(|_| fragment.escapes.has_backslashes()) else {
        let first = text.chars().next();
        return (first, first.map_or(TextSize::default(), TextSize::of));
    };
    let escape = &text[..1 + fragment::escape_len(rest)];
    (unescaped(escape).chars().next(), TextSize::of(escape))
}

fn lex_words(fragment: Fragment<'_>, range: TextRange, tokens: &mut Vec<Token>) {
    let mut at = range.start();
    let first = fragment
        .foreign
        .partition_point(|it| it.range.start() < range.start());
    for foreign in fragment.foreign[first..]
        .iter()
        .take_while(|it| it.range.end() <= range.end())
    {
        lex_plain_words(fragment, TextRange::new(at, foreign.range.start()), tokens);
        let kind = match foreign.kind {
            ForeignKind::Hole => SyntaxKind::Hole,
            ForeignKind::Margin => SyntaxKind::Whitespace,
        };
        tokens.push(Token {
            kind,
            range: foreign.range,
        });
        at = foreign.range.end();
    }
    lex_plain_words(fragment, TextRange::new(at, range.end()), tokens);
}

fn lex_plain_words(fragment: Fragment<'_>, range: TextRange, tokens: &mut Vec<Token>) {
    let raw = &fragment.text[range];
    if !fragment.escapes.has_backslashes() || !raw.contains('\\') {
        return lex_decoded(raw, &|it| it + range.start(), tokens);
    }
    let decoded = Decoded::of(Fragment {
        foreign: &[],
        text: raw,
        // As `unescaped` reads the tokens.
        escapes: Escapes::Backslash,
    });
    let decoded = decoded.unwrap_or_default();
    let mut read = Vec::new();
    lex_decoded(
        &decoded.text,
        &|it| decoded.in_fragment(it) + range.start(),
        &mut read,
    );
    let mut at = range.start();
    let end = Token {
        kind: SyntaxKind::Whitespace,
        range: TextRange::empty(range.end()),
    };
    for token in read.into_iter().chain([end]) {
        // An invalid escape.
        let unread = TextRange::new(at, token.range.start().max(at));
        push(SyntaxKind::Escape, unread, tokens);
        push(token.kind, token.range, tokens);
        at = token.range.end();
    }
}

/// Lexes `text`; `place` maps its ranges to the fragment.
fn lex_decoded(text: &str, place: &impl Fn(TextRange) -> TextRange, tokens: &mut Vec<Token>) {
    let mut lexer = Lexeme::lexer(text);
    while let Some(lexeme) = lexer.next() {
        let kind = match lexeme {
            Ok(Lexeme::Whitespace) => SyntaxKind::Whitespace,
            Ok(Lexeme::Ident) => SyntaxKind::Ident,
            Ok(Lexeme::Dot) => SyntaxKind::Dot,
            Err(()) => SyntaxKind::Unknown,
        };
        let range = lexer.span();
        let range = TextRange::new(size(range.start), size(range.end));
        push(kind, place(range), tokens);
    }
}

fn push(kind: SyntaxKind, range: TextRange, tokens: &mut Vec<Token>) {
    let is_one = |last: &Token| {
        last.kind == kind && matches!(kind, SyntaxKind::Unknown | SyntaxKind::Whitespace)
    };
    match tokens.last_mut() {
        _ if range.is_empty() => {}
        Some(last) if is_one(last) => last.range = last.range.cover(range),
        _ => tokens.push(Token { kind, range }),
    }
}
