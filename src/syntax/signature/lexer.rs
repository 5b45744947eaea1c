//! From a fragment's raw text to the tokens of a signature.

use logos::Logos;

use crate::{
    syntax::{
        fragment::{self, Escape, Escapes, ForeignKind, Fragment},
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
    WrongArrow,
    #[regex(r";+|#")]
    CommentStart,
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
    let mut tokens = Vec::with_capacity(fragment.text.len() / 3 + 1);
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
        tokens.push(Token {
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
    tokens
}

/// Lexes `range`, in which nothing foreign stands.
fn lex_plain(fragment: Fragment<'_>, range: TextRange, tokens: &mut Vec<Token>) {
    let mut lexer = Lexeme::lexer(&fragment.text[range]);
    while let Some(lexeme) = lexer.next() {
        let start = lexer.span().start;
        let kind = match lexeme {
            Ok(Lexeme::Backslash) if fragment.escapes == Escapes::Backslash => {
                let (escape, len) = fragment::escape(lexer.remainder());
                lexer.bump(len);
                match escape {
                    Escape::Space => SyntaxKind::Whitespace,
                    Escape::Other => SyntaxKind::Escape,
                }
            }
            Ok(Lexeme::CommentStart)
                if follows_space(tokens, range.start() + size(start))
                    && lexer.remainder().starts_with([' ', '\t']) =>
            {
                let rest = lexer.remainder();
                lexer.bump(memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len()));
                SyntaxKind::Comment
            }
            Ok(Lexeme::CommentStart) => SyntaxKind::Unknown,
            Ok(lexeme) => kind_of(lexeme),
            Err(()) => SyntaxKind::Unknown,
        };
        let range = TextRange::new(size(start), size(lexer.span().end)) + range.start();
        match tokens.last_mut() {
            Some(last) if mergeable(last.kind, kind) => last.range = last.range.cover(range),
            _ => tokens.push(Token { kind, range }),
        }
    }
}

/// Whether white space or nothing stands before `at`: directly behind a word, `;` was meant as a comma.
fn follows_space(tokens: &[Token], at: TextSize) -> bool {
    tokens
        .last()
        .is_none_or(|last| last.kind == SyntaxKind::Whitespace && last.range.end() == at)
}

/// Unknown characters are one fault together, and so is white space in whatever way it is written.
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
        Lexeme::CommentStart => SyntaxKind::Comment,
        Lexeme::OddSpace => SyntaxKind::OddSpace,
        Lexeme::LParen => SyntaxKind::LParen,
        Lexeme::RParen => SyntaxKind::RParen,
        Lexeme::LBracket => SyntaxKind::LBracket,
        Lexeme::RBracket => SyntaxKind::RBracket,
        Lexeme::LBrace => SyntaxKind::LBrace,
        Lexeme::RBrace => SyntaxKind::RBrace,
        Lexeme::Backslash => SyntaxKind::Unknown,
    }
}
