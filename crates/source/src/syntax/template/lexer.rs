//! Lexes the pieces of a template.

use logos::Logos;

use super::{
    braces::{after_blanks, closing_braces, covering, foreign_in, is_blank_escape, opening_braces},
    pieces::{Piece, Pieces, TagKind, Token},
};
use crate::{
    syntax::{
        decode::{Decoded, unescaped},
        fragment::{self, Escapes, Fragment},
        kind::SyntaxKind,
    },
    text::{TextRange, TextSize, size},
};

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Lexeme {
    // White space as `char::is_whitespace` knows it.
    #[regex(
        r"[\t-\r \u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]+"
    )]
    Whitespace,
    #[regex(r"[A-Za-z_][A-Za-z0-9_-]*")]
    Ident,
    #[token(".")]
    Dot,
}

/// Sets `tokens` to those of the piece at `index`.
pub(super) fn read(fragment: Fragment<'_>, pieces: &Pieces, index: usize, tokens: &mut Vec<Token>) {
    tokens.clear();
    let range = pieces.range(index);
    match pieces.piece(index) {
        Piece::Text(kind) => tokens.push(Token { kind, range }),
        Piece::Tag(kind) => lex_tag(fragment, kind, range, tokens),
    }
}

/// Lexes a tag of `kind`, which is at `range`.
fn lex_tag(fragment: Fragment<'_>, kind: TagKind, range: TextRange, tokens: &mut Vec<Token>) {
    let open = opening_braces(fragment, range.start());
    tokens.push(Token {
        kind: SyntaxKind::TagOpen,
        range: open,
    });
    let rest = TextRange::new(open.end(), range.end());
    if !kind.is_closed() {
        return lex_content(fragment, rest, tokens);
    }
    let close = closing_braces(fragment, rest);
    lex_content(fragment, TextRange::new(open.end(), close.start()), tokens);
    tokens.push(Token {
        kind: SyntaxKind::TagClose,
        range: close,
    });
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
pub(super) struct Opening {
    pub(super) kind: TagKind,
    /// The end of the white space.
    start: TextSize,
    /// The end of the sigil.
    end: TextSize,
}

impl Opening {
    pub(super) fn of(fragment: Fragment<'_>, content: TextRange) -> Self {
        let start = after_blanks(fragment, content);
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
pub(super) fn lex_content(fragment: Fragment<'_>, range: TextRange, tokens: &mut Vec<Token>) {
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
    for (kind, range) in foreign_in(fragment, range) {
        lex_plain_words(fragment, TextRange::new(at, range.start()), tokens);
        tokens.push(Token { kind, range });
        at = range.end();
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
        // An escape of a line end, or an invalid one.
        let unread = TextRange::new(at, token.range.start().max(at));
        let kind = match is_blank_escape(&fragment.text[unread]) {
            true => SyntaxKind::Whitespace,
            false => SyntaxKind::Escape,
        };
        push(kind, unread, tokens);
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
