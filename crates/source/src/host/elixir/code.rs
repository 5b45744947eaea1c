//! The tokens of ordinary Elixir code, by logos. Long tokens are scanned by callbacks, because a generated state
//! machine recurses in debug builds.

use logos::{Lexer, Logos};

use crate::{
    host::token_tree::{Kind, line_comment_len},
    text,
};

/// A token of ordinary code. The kinds of words and strings depend on what follows.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    #[regex(r"[ \t\r\f]+")]
    #[regex(r"\\\r?\n")]
    Whitespace,
    #[regex(r"\r?\n[ \t\r\n]*")]
    Newline,
    #[token("#", comment)]
    Comment,
    #[regex(r"[A-Za-z_]", word)]
    #[regex(r"[^\x00-\x7F]", non_ascii)]
    Word(Kind),
    #[regex(r":[A-Za-z_]", atom)]
    #[regex(r":[^\x00-\x7F]", non_ascii_atom)]
    #[regex(r":(\.\.\.|%|\.\.//|<<>>|\.\.)")]
    #[regex(r":(~~~|===|!==|&&&|\|\|\||\^\^\^|<<<|>>>|<<~|~>>|<~>|<\|>|\+\+\+|---)")]
    #[regex(r":(==|!=|=~|<=|>=|&&|\|\||\|>|~>|<~|<-|\\\\|\+\+|--|<>|\*\*|->)")]
    #[regex(r":[@!^&+\-*/<>=|.]")]
    Atom,
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*([eE][+-]?[0-9_]+)?)?")]
    #[regex(r"0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+")]
    Number,
    #[token("?", character)]
    Character(Kind),
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[regex(r"~~~|===|!==|&&&|\|\|\||\^\^\^|<<<|>>>|<<~|~>>|<~>|<\|>|\+\+\+|---|\.\.\.")]
    #[regex(r"==|!=|=~|<=|>=|&&|\|\||\|>|~>|<~|<-|\\\\|\+\+|--|<>|\*\*|->|=>|::|\.\.|//")]
    #[regex(r"[@!^&+\-*/<>=|%;:]")]
    Operator,
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
    #[token("<<")]
    LAngles,
    #[token(">>")]
    RAngles,
    /// A delimiter of a string, including the name of its sigil.
    #[regex(r#"["']"#)]
    Quote,
    #[regex(r#":["']"#)]
    AtomQuote,
    #[regex(r#"~([a-z]|[A-Z][A-Z0-9]*)[/|"'(\[{<]"#)]
    SigilQuote,
}

impl Code {
    /// The kind of the token, if it does not depend on the context.
    pub fn kind(self) -> Kind {
        match self {
            Code::Whitespace => Kind::Whitespace,
            Code::Newline => Kind::Newline,
            Code::Comment => Kind::Comment,
            Code::Word(kind) | Code::Character(kind) => kind,
            Code::Atom => Kind::Atom,
            Code::Number => Kind::Number,
            Code::Comma => Kind::Comma,
            Code::Dot | Code::Operator => Kind::Operator,
            Code::LParen => Kind::LParen,
            Code::RParen => Kind::RParen,
            Code::LBracket => Kind::LBracket,
            Code::RBracket => Kind::RBracket,
            Code::LBrace => Kind::LBrace,
            Code::RBrace => Kind::RBrace,
            Code::LAngles => Kind::LAngles,
            Code::RAngles => Kind::RAngles,
            Code::Quote => Kind::StringOpen,
            Code::AtomQuote => Kind::QuotedAtomOpen,
            Code::SigilQuote => Kind::SigilOpen,
        }
    }
}

fn comment(lexer: &mut Lexer<Code>) {
    lexer.bump(line_comment_len(lexer.remainder()));
}

fn word(lexer: &mut Lexer<Code>) -> Kind {
    let rest = lexer.remainder();
    let len = identifier_len(rest);
    let key_len = match rest.as_bytes().get(len) {
        Some(b'@') => atom_len(rest),
        _ => len,
    };
    if ends_key(&rest[key_len..]) {
        lexer.bump(key_len + 1);
        return Kind::Key;
    }
    lexer.bump(len);
    match lexer.slice().as_bytes() {
        b"do" => Kind::Do,
        b"fn" => Kind::Fn,
        b"end" => Kind::End,
        [b'A'..=b'Z', ..] => Kind::Alias,
        _ => Kind::Symbol,
    }
}

fn non_ascii(lexer: &mut Lexer<Code>) -> Kind {
    if lexer.slice().starts_with(char::is_alphabetic) {
        word(lexer)
    } else {
        Kind::Unknown
    }
}

fn atom(lexer: &mut Lexer<Code>) {
    lexer.bump(atom_len(lexer.remainder()));
}

fn non_ascii_atom(lexer: &mut Lexer<Code>) -> bool {
    let is_atom = lexer.slice()[1..].starts_with(char::is_alphabetic);
    if is_atom {
        atom(lexer);
    }
    is_atom
}

fn character(lexer: &mut Lexer<Code>) -> Kind {
    let mut rest = lexer.remainder().chars();
    let mut len = 0;
    if let Some(first) = rest.next() {
        len += first.len_utf8();
        if first == '\\' {
            len += rest.next().map_or(0, char::len_utf8);
        }
    }
    lexer.bump(len);
    if len == 0 { Kind::Operator } else { Kind::Char }
}

/// The length of the rest of an identifier.
fn identifier_len(rest: &str) -> usize {
    with_mark(
        rest,
        name_len(rest, |char| char == '_' || char.is_alphanumeric()),
    )
}

/// The length of the rest of an atom's or a key's name.
fn atom_len(rest: &str) -> usize {
    with_mark(
        rest,
        name_len(rest, |char| {
            matches!(char, '_' | '@') || char.is_alphanumeric()
        }),
    )
}

fn name_len(rest: &str, is_part: impl Fn(char) -> bool) -> usize {
    text::prefix_len(rest, is_part)
}

/// A name may end in `?` or `!`.
fn with_mark(rest: &str, len: usize) -> usize {
    len + usize::from(matches!(rest.as_bytes().get(len), Some(b'?' | b'!')))
}

/// Whether the text after a name makes it a key.
pub fn ends_key(rest: &str) -> bool {
    match rest.as_bytes() {
        [b':'] => true,
        [b':', next, ..] => next.is_ascii_whitespace(),
        _ => false,
    }
}
