//! The tokens of Lisp code outside strings, by logos. What can be long is scanned by callbacks, because
//! a generated state machine recurses in debug builds.

use logos::{Lexer, Logos};

use crate::{
    host::token_tree::{Kind, line_comment_len},
    text,
};

/// A token of code outside strings.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    #[regex(r"[ \t\r\f]+")]
    Whitespace,
    #[regex(r"\r?\n[ \t\r\n\f]*")]
    Newline,
    #[token(";", comment)]
    #[token("#!", comment)]
    Comment,
    #[token("\"")]
    Quote,
    #[token("#\"")]
    RegexQuote,
    #[token("\\", character)]
    Character(Kind),
    #[token(":", name)]
    Keyword,
    #[regex(r"[+-]?[0-9]|##", name)]
    Number,
    #[regex(r"[A-Za-z*+!_?<>=./&%$|-]", symbol)]
    #[regex(r"[^\x00-\x7F]", non_ascii)]
    Word(Kind),
    #[token(",")]
    Comma,
    /// What changes or drops the form after it: quotes, metadata, discards, tags.
    #[regex(r"'|`|~|~@|@|\^|#'|#\^|#_|#\?|#\?@|#=")]
    #[regex(r"#[A-Za-z:]", name)]
    Prefix,
    #[regex(r"#?\(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[regex(r"#?\{")]
    LBrace,
    #[token("}")]
    RBrace,
    Unknown,
}

impl Code {
    /// The kind of the token.
    pub fn kind(self) -> Kind {
        match self {
            Code::Whitespace => Kind::Whitespace,
            Code::Newline => Kind::Newline,
            Code::Comment => Kind::Comment,
            Code::Quote => Kind::StringOpen,
            Code::RegexQuote => Kind::RegexOpen,
            Code::Character(kind) | Code::Word(kind) => kind,
            Code::Keyword => Kind::Atom,
            Code::Number => Kind::Number,
            Code::Comma => Kind::Comma,
            Code::Prefix => Kind::Operator,
            Code::LParen => Kind::LParen,
            Code::RParen => Kind::RParen,
            Code::LBracket => Kind::LBracket,
            Code::RBracket => Kind::RBracket,
            Code::LBrace => Kind::LBrace,
            Code::RBrace => Kind::RBrace,
            Code::Unknown => Kind::Unknown,
        }
    }
}

fn comment(lexer: &mut Lexer<Code>) {
    lexer.bump(line_comment_len(lexer.remainder()));
}

fn name(lexer: &mut Lexer<Code>) {
    lexer.bump(name_len(lexer.remainder()));
}

fn symbol(lexer: &mut Lexer<Code>) -> Kind {
    name(lexer);
    Kind::Symbol
}

fn non_ascii(lexer: &mut Lexer<Code>) -> Kind {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    if lexer.slice().starts_with(is_blank) {
        return Kind::Whitespace;
    }
    symbol(lexer)
}

/// A backslash takes one character, and a name goes on: `\a`, `\newline`, `\u0041`, `\(`.
fn character(lexer: &mut Lexer<Code>) -> Kind {
    let rest = lexer.remainder();
    let Some(first) = rest.chars().next().filter(|c| !c.is_whitespace()) else {
        return Kind::Unknown;
    };
    let len = first.len_utf8();
    let more = match is_name_part(first) {
        true => name_len(&rest[len..]),
        false => 0,
    };
    lexer.bump(len + more);
    Kind::Char
}

fn name_len(rest: &str) -> usize {
    text::prefix_len(rest, is_name_part)
}

/// Whether a name can contain `c`.
#[inline]
pub fn is_name_part(c: char) -> bool {
    const ASCII: [bool; 128] = {
        let mut parts = [false; 128];
        let mut byte = 0;
        while byte < 128 {
            parts[byte as usize] = can_contain(byte as char);
            byte += 1_u8;
        }
        parts
    };
    let ascii = ASCII.get(c as usize);
    ascii.copied().unwrap_or_else(|| can_contain(c))
}

const fn can_contain(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(
            c,
            ',' | '"' | ';' | '@' | '^' | '`' | '~' | '(' | ')' | '[' | ']' | '{' | '}' | '\\'
        )
}
