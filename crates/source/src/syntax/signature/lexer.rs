//! Lexes a fragment's raw text into the tokens of a signature.

use logos::Logos;

use crate::{
    syntax::{
        decode::Decoded,
        fragment::{Escapes, ForeignKind, Fragment},
        kind::SyntaxKind,
    },
    text::{TextRange, TextSize, size},
};

/// A token and its place, in bytes of the fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: SyntaxKind,
    pub(super) range: TextRange,
}

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Lexeme {
    #[regex(r"[ \t\r\n]+")]
    Whitespace,
    #[regex(r"[A-Za-z_][A-Za-z0-9_-]*")]
    Ident,
    #[regex(r"[0-9][A-Za-z0-9_-]*")]
    Number,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token("?")]
    Question,
    #[token("|")]
    Pipe,
    #[token("->")]
    Arrow,
    #[regex(r"[-=~<>→⇒⟶➔➜]+")]
    // A dash that is not ASCII belongs to the word beside it, unless a point makes it an arrow.
    #[regex(r"[\u{2010}-\u{2015}\u{2212}]+[-=~]*>+")]
    WrongArrow,
    #[regex(r";+|#")]
    CommentStart,
    #[token("//")]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[token("/")]
    Slash,
    #[regex(r"[\u{b}\u{c}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}]+")]
    OddSpace,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("\\")]
    Backslash,
}

/// Lexes the whole fragment; the tokens cover it without gaps.
pub(super) fn lex(fragment: Fragment<'_>) -> Vec<Token> {
    let mut tokens = Tokens {
        list: Vec::with_capacity(fragment.text.len() / 2 + 1),
        in_comment: false,
    };
    let mut at = TextSize::from(0);
    for foreign in fragment.foreign {
        lex_plain(
            fragment,
            TextRange::new(at, foreign.range.start()),
            &mut tokens,
        );
        let kind = match foreign.kind {
            ForeignKind::Hole => SyntaxKind::Hole,
            ForeignKind::Margin => SyntaxKind::Whitespace,
        };
        tokens.list.push(Token {
            kind,
            range: foreign.range,
        });
        at = foreign.range.end();
    }
    lex_plain(
        fragment,
        TextRange::new(at, size(fragment.text.len())),
        &mut tokens,
    );
    tokens.list
}

struct Tokens {
    list: Vec<Token>,
    /// Whether a `/*` is not closed yet: the parts of a fragment around a foreign one are lexed one by one.
    in_comment: bool,
}

/// Lexes `range`, which has no foreign parts. An escape is lexed as its character.
fn lex_plain(fragment: Fragment<'_>, range: TextRange, tokens: &mut Tokens) {
    let raw = &fragment.text[range];
    if !fragment.escapes.has_backslashes() || !raw.contains('\\') {
        return lex_text(raw, &|it| it + range.start(), tokens);
    }
    let decoded = Decoded::of(Fragment {
        foreign: &[],
        text: raw,
        // As `unescaped` reads the tokens.
        escapes: Escapes::Backslash,
    });
    let decoded = decoded.unwrap_or_default();
    let first = tokens.list.len();
    let place = |it| decoded.in_fragment(it) + range.start();
    lex_text(&decoded.text, &place, tokens);
    let lexed = tokens.list.split_off(first);
    let mut at = range.start();
    let end = Token {
        kind: SyntaxKind::Whitespace,
        range: TextRange::empty(range.end()),
    };
    for token in lexed.into_iter().chain([end]) {
        // An invalid escape.
        if token.range.start() > at {
            push(
                unread(fragment.text, TextRange::new(at, token.range.start())),
                tokens,
            );
        }
        at = token.range.end();
        if !token.range.is_empty() {
            push(token, tokens);
        }
    }
}

/// The token for escapes at `range` without a character: a line continuation, or an error.
fn unread(text: &str, range: TextRange) -> Token {
    let is_line_end = text[range].starts_with(['\\', '\n']) && text[range].ends_with('\n');
    let kind = match is_line_end {
        true => SyntaxKind::Whitespace,
        false => SyntaxKind::Escape,
    };
    Token { kind, range }
}

/// Lexes `text`; `place` maps its ranges to the fragment.
fn lex_text(text: &str, place: &impl Fn(TextRange) -> TextRange, tokens: &mut Tokens) {
    let mut lexer = Lexeme::lexer(text);
    if tokens.in_comment && !text.is_empty() {
        let len = tokens.rest_of_comment(text);
        lexer.bump(len);
        let range = place(TextRange::new(size(0), size(len)));
        let kind = SyntaxKind::Comment;
        push(Token { kind, range }, tokens);
    }
    let mut before = tokens.list.last().map(|last| last.kind);
    while let Some(lexeme) = lexer.next() {
        let start = lexer.span().start;
        let rest = lexer.remainder();
        let follows_space = matches!(before, None | Some(SyntaxKind::Whitespace));
        let kind = match lexeme {
            Ok(Lexeme::CommentStart) if follows_space && rest.starts_with([' ', '\t']) => {
                lexer.bump(line_end(rest));
                SyntaxKind::Comment
            }
            // As in `http://`, which is not a comment.
            Ok(Lexeme::LineComment) if before != Some(SyntaxKind::Colon) => {
                lexer.bump(line_end(rest));
                SyntaxKind::Comment
            }
            Ok(Lexeme::BlockComment) => {
                lexer.bump(tokens.rest_of_comment(rest));
                SyntaxKind::Comment
            }
            Ok(Lexeme::CommentStart | Lexeme::LineComment) => SyntaxKind::Unknown,
            Ok(lexeme) => kind_of(lexeme),
            Err(()) => SyntaxKind::Unknown,
        };
        before = Some(kind);
        let range = TextRange::new(size(start), size(lexer.span().end));
        let range = place(range);
        push(Token { kind, range }, tokens);
    }
}

impl Tokens {
    /// The length of the rest of a block comment, which continues with `text`. One that is never closed goes on to the
    /// end, so that a reparse of its brackets agrees with a full parse.
    fn rest_of_comment(&mut self, text: &str) -> usize {
        let end = memchr::memmem::find(text.as_bytes(), b"*/");
        self.in_comment = end.is_none();
        end.map_or(text.len(), |end| end + "*/".len())
    }
}

/// The length of the rest of the line that continues with `text`.
fn line_end(text: &str) -> usize {
    memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len())
}

fn push(token: Token, tokens: &mut Tokens) {
    match tokens.list.last_mut() {
        Some(last) if mergeable(last.kind, token.kind) => {
            last.range = last.range.cover(token.range)
        }
        _ => tokens.list.push(token),
    }
}

/// Adjacent unknown characters are one error, and adjacent white space is one token, however it is written.
fn mergeable(last: SyntaxKind, next: SyntaxKind) -> bool {
    last == next && matches!(next, SyntaxKind::Unknown | SyntaxKind::Whitespace)
}

fn kind_of(lexeme: Lexeme) -> SyntaxKind {
    match lexeme {
        Lexeme::Whitespace => SyntaxKind::Whitespace,
        Lexeme::Ident => SyntaxKind::Ident,
        Lexeme::Number => SyntaxKind::Number,
        Lexeme::Colon => SyntaxKind::Colon,
        Lexeme::Comma => SyntaxKind::Comma,
        Lexeme::Question => SyntaxKind::Question,
        Lexeme::Pipe => SyntaxKind::Pipe,
        Lexeme::Arrow => SyntaxKind::Arrow,
        Lexeme::WrongArrow => SyntaxKind::WrongArrow,
        Lexeme::CommentStart | Lexeme::LineComment | Lexeme::BlockComment => SyntaxKind::Comment,
        Lexeme::OddSpace => SyntaxKind::OddSpace,
        Lexeme::LParen => SyntaxKind::LParen,
        Lexeme::RParen => SyntaxKind::RParen,
        Lexeme::LBracket => SyntaxKind::LBracket,
        Lexeme::RBracket => SyntaxKind::RBracket,
        Lexeme::LBrace => SyntaxKind::LBrace,
        Lexeme::RBrace => SyntaxKind::RBrace,
        Lexeme::Backslash | Lexeme::Slash => SyntaxKind::Unknown,
    }
}
