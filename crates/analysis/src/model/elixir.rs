//! The tokens of small Elixir texts: type expressions, heads of functions, dependencies.
//!
//! Without sigils and heredocs; whole files are parsed by their host.

use logos::{Lexer, Logos};

use signature_ls_source::text::{TextRange, size};

/// A token and its place, in bytes of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    pub(crate) range: TextRange,
}

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0c]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    #[regex(r"[a-z_\u{80}-\u{10FFFF}]", identifier)]
    Ident,
    #[regex(r"[A-Z][A-Za-z0-9_]*")]
    Alias,
    #[regex(r":[A-Za-z_][A-Za-z0-9_@]*[?!]?")]
    #[token(":\"", string)]
    Atom,
    #[regex(r"[0-9][0-9_]*|0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+")]
    #[regex(r"\?(\\.|[^\\\n])")]
    Int,
    #[regex(r"[0-9][0-9_]*\.[0-9]+([eE][+-]?[0-9]+)?")]
    Float,
    #[token("\"", string)]
    String,
    #[token("'", charlist)]
    Charlist,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("<<")]
    LeftBinary,
    #[token(">>")]
    RightBinary,
    #[token("%")]
    Percent,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    Range,
    #[token("...")]
    Ellipsis,
    #[token("|")]
    Pipe,
    #[token(":")]
    Colon,
    #[token("::")]
    ColonColon,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,
    #[token("=")]
    Equals,
    #[token("\\\\")]
    Default,
    #[token("@")]
    At,
    #[token("-")]
    Minus,
    /// Anything else: not part of a type, but maybe of a default value in a head.
    Other,
}

impl TokenKind {
    /// The number of open brackets after this token, if `open` are before it.
    pub(crate) fn depth_after(self, open: usize) -> usize {
        match self {
            Self::LeftParen | Self::LeftBracket | Self::LeftBrace | Self::LeftBinary => open + 1,
            Self::RightParen | Self::RightBracket | Self::RightBrace | Self::RightBinary => {
                open.saturating_sub(1)
            }
            _ => open,
        }
    }
}

/// The tokens of `text`.
pub(crate) fn tokens(text: &str) -> Tokens<'_> {
    Tokens(TokenKind::lexer(text))
}

/// The tokens of a text, lexed lazily.
#[derive(Clone)]
pub(crate) struct Tokens<'a>(Lexer<'a, TokenKind>);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let kind = self.0.next()?.unwrap_or(TokenKind::Other);
        let span = self.0.span();
        Some(Token {
            kind,
            text: self.0.slice(),
            range: TextRange::new(size(span.start), size(span.end)),
        })
    }
}

/// Skips the rest of a name that begins with a lowercase letter. Not a regular expression: its tables of Unicode
/// letters would be a twentieth of the playground's module.
fn identifier(lexer: &mut Lexer<'_, TokenKind>) -> bool {
    let is_start = |c: char| c == '_' || c.is_lowercase();
    if !lexer.slice().starts_with(is_start) {
        return false;
    }
    let rest = lexer.remainder();
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    lexer.bump(len + usize::from(rest[len..].starts_with(['?', '!'])));
    true
}

fn string(lexer: &mut Lexer<'_, TokenKind>) {
    to_end_of_string(lexer, b'"');
}

fn charlist(lexer: &mut Lexer<'_, TokenKind>) {
    to_end_of_string(lexer, b'\'');
}

/// Skips to the next `quote` without a backslash before it, or to the end of the text. A loop, since a regular
/// expression of logos recurses for each escape.
fn to_end_of_string(lexer: &mut Lexer<'_, TokenKind>, quote: u8) {
    let rest = lexer.remainder().as_bytes();
    let mut end = 0;
    while let Some(byte) = rest.get(end) {
        end += 1;
        if *byte == quote {
            break;
        }
        if *byte == b'\\' {
            end += 1;
        }
    }
    let mut end = end.min(rest.len());
    while !lexer.remainder().is_char_boundary(end) {
        end += 1;
    }
    lexer.bump(end);
}
