//! The JSON lexer, with the additions of JSON5: comments, single quotes, keys without quotes. A string ends with its
//! line at the latest, unless a backslash ends the line.

use logos::{Lexer, Logos};

use crate::{
    host::{
        quoted,
        token_tree::{Bracketed, Closer, Kind, Token, head, indentation, line_comment_len},
    },
    text,
};

/// The language JSON, with what its relatives JSONC and JSON5 add.
#[derive(Debug, Clone, Copy)]
pub enum Json {}

impl Bracketed for Json {
    const INDENTS: bool = true;

    type Lexer<'t> = JsonLexer<'t>;

    fn lex(text: &str) -> JsonLexer<'_> {
        JsonLexer {
            code: Code::lexer(text),
            quote: None,
        }
    }

    fn ends_groups(code: &str, indent: usize) -> bool {
        indent > 0 && (code.starts_with(['{', '[']) || begins_string(code) || begins_key(code))
    }

    fn begins_entry(code: &str) -> bool {
        begins_key(code)
    }

    fn misplaced_in(code: &str) -> Option<Kind> {
        match code.as_bytes().first()? {
            b'{' | b'[' => Some(Kind::Braces),
            _ if begins_key(code) => Some(Kind::Brackets),
            _ => None,
        }
    }

    fn begins_whole_item(code: &str) -> bool {
        code.starts_with(['{', '['])
    }

    /// It does not fit the innermost group or the text after it and is not alone on its line, or the following text
    /// shows that the group continues.
    fn is_slip(closer: &Closer<'_>) -> bool {
        if !closer.closed.is_of_earlier_line() {
            return false;
        }
        let is_in_line = closer.indent.is_none();
        // A bracket directly before it is the one that was not meant.
        let is_after_opener = matches!(closer.last, Some(Kind::LBracket | Kind::LBrace));
        let is_other = !closer.is_innermost && !is_after_opener;
        is_in_line && (is_other || is_in_text(closer)) || goes_on_after(closer)
    }

    fn goes_on(last: Kind) -> bool {
        last == Kind::Operator
    }
}

/// Whether the rest of its line shows that a closing token is text of a string that was opened or closed in a wrong
/// place: nothing but punctuation can follow it in code.
fn is_in_text(closer: &Closer<'_>) -> bool {
    let rest = closer.rest();
    let mut next = head(&rest)
        .trim_start_matches([' ', '\t', '}', ']'])
        .chars();
    match next.next() {
        None | Some('\r' | '\n' | '/' | '{' | '[') => false,
        Some('"' | '\'') => ends_string(next.as_str()),
        Some(',') => begins_words(next.as_str().trim_start_matches([' ', '\t'])),
        Some(_) => true,
    }
}

/// Whether a quote ends a string and begins none, as the rest of its line is `code`.
fn ends_string(code: &str) -> bool {
    let code = code.trim_start_matches([' ', '\t', '}', ']', ',']);
    code.is_empty() || code.starts_with(['\r', '\n'])
}

/// Whether `code` begins with words that are neither a value nor a key with one.
fn begins_words(code: &str) -> bool {
    const VALUES: [&str; 5] = ["true", "false", "null", "NaN", "Infinity"];
    let is_word =
        |it: &str| it.starts_with(char::is_alphabetic) && !VALUES.iter().any(|v| it.starts_with(v));
    let after = code.trim_start_matches(is_part_of_word);
    let value = after.trim_start_matches([' ', '\t']).strip_prefix(':');
    is_word(code) && value.is_none_or(|it| is_word(it.trim_start_matches([' ', '\t'])))
}

/// Whether the text after a token that would close a group of an earlier line shows that the group continues. Outside
/// of groups, nothing may follow.
fn goes_on_after(closer: &Closer<'_>) -> bool {
    let closed = closer.closed;
    let rest = closer.rest();
    let blank = [' ', '\t', '\r', '\n'];
    let Some(around) = closer.around else {
        let next = rest.trim_start_matches(blank);
        let between = &rest[..rest.len() - next.len()];
        let is_on_margin = between.contains('\n') && indentation(between) == 0;
        return !(next.is_empty() || next.starts_with('/') || is_on_margin);
    };
    let rest = rest.strip_prefix(',').unwrap_or(&rest);
    let next = rest.trim_start_matches(blank);
    let newline = &rest[..rest.len() - next.len()];
    let is_line_end = newline.starts_with(['\r', '\n']) && newline.contains('\n');
    let is_next_inside = is_line_end && closed.content() == Some(indentation(newline));
    is_next_inside
        && closed.content() > Some(closed.indent())
        && around.content() <= Some(closed.indent())
}

/// Whether `code` begins with a string after which a key or an item can end: in one with a stray quote before it, white
/// space follows the quote, or other text the string.
fn begins_string(code: &str) -> bool {
    let Some(text) = code.strip_prefix(QUOTES.map(char::from)) else {
        return false;
    };
    let after = after_key(code).map(|it| it.trim_start_matches([' ', '\t']));
    let is_end = |it: &str| it.is_empty() || it.starts_with([':', ',', ']', '}', '\r', '\n', '/']);
    !text.starts_with([' ', '\t']) && after.is_none_or(is_end)
}

/// Whether `code` begins with a string or a word with a colon after it.
fn begins_key(code: &str) -> bool {
    after_key(code).is_some_and(|it| it.trim_start_matches([' ', '\t']).starts_with(':'))
}

/// The text after the string or word at the start of `code`.
fn after_key(code: &str) -> Option<&str> {
    let first = code.chars().next()?;
    let mut rest = &code[first.len_utf8()..];
    if first.is_alphabetic() || matches!(first, '_' | '$') {
        return Some(rest.trim_start_matches(is_part_of_word));
    }
    let quote = u8::try_from(first).ok().filter(|it| QUOTES.contains(it))?;
    while let Some((kind, len)) = quoted::part(rest, quote, false) {
        rest = &rest[len..];
        if kind == Kind::StringClose {
            return Some(rest);
        }
    }
    None
}

const QUOTES: [u8; 2] = [b'"', b'\''];

/// The tokens of a JSON text.
#[derive(Debug, Clone)]
pub struct JsonLexer<'t> {
    code: Lexer<'t, Code>,
    /// The closing quote of the current string.
    quote: Option<u8>,
}

impl Iterator for JsonLexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let before = self.code.span().end;
        let kind = self.string_part().or_else(|| self.code_token())?;
        Some(Token {
            kind,
            len: text::size(self.code.span().end - before),
        })
    }
}

impl JsonLexer<'_> {
    fn code_token(&mut self) -> Option<Kind> {
        let code = self.code.next()?.unwrap_or(Code::Unknown);
        self.quote = match code {
            Code::Quote => Some(b'"'),
            Code::Apostrophe => Some(b'\''),
            _ => None,
        };
        Some(code.kind())
    }

    fn string_part(&mut self) -> Option<Kind> {
        let rest = self.code.remainder();
        let quote = self.quote?;
        let (kind, mut len) = quoted::part(rest, quote, false)?;
        if kind == Kind::Escape && len == 1 {
            len += continued_line_end(&rest[1..], quote);
        }
        self.code.bump(len);
        if kind == Kind::StringClose {
            self.quote = None;
        }
        Some(kind)
    }
}

/// The length of the line end at the start of `text`, if a string that ends with `quote` may continue on the next line:
/// that begins no key and is not an opening brace. Of what is behind the string, only the first byte decides.
fn continued_line_end(text: &str, quote: u8) -> usize {
    let ends = ["\n", "\r\n"];
    let Some(end) = ends.iter().find(|it| text.starts_with(**it)) else {
        return 0;
    };
    let next = text[end.len()..].trim_start_matches([' ', '\t']);
    let is_continued = match next.as_bytes() {
        [first, rest @ ..] if *first == quote => rest.first().is_some_and(|it| ends_value(*it)),
        [b'{', b'\r' | b'\n', ..] => false,
        _ => true,
    };
    match is_continued {
        true => end.len(),
        false => 0,
    }
}

/// Whether `byte` may follow a string, so that the quote before it ends one.
fn ends_value(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b']' | b'}' | b'/'
    )
}

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    #[regex(r"[ \t\r\f\u{feff}]+")]
    Whitespace,
    #[regex(r"\r?\n[ \t\r\n\f]*")]
    Newline,
    #[token("//", line_comment)]
    #[token("/*", block_comment)]
    Comment,
    #[token("\"")]
    Quote,
    #[token("'")]
    Apostrophe,
    #[regex(r"[A-Za-z_$]", word)]
    #[regex(r"[^\x00-\x7F]", non_ascii, priority = 1)]
    Word,
    #[regex(r"[-+.]?[0-9]", word)]
    Number,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    Unknown,
}

impl Code {
    fn kind(self) -> Kind {
        match self {
            Code::Whitespace => Kind::Whitespace,
            Code::Newline => Kind::Newline,
            Code::Comment => Kind::Comment,
            Code::Quote | Code::Apostrophe => Kind::StringOpen,
            Code::Word => Kind::Symbol,
            Code::Number => Kind::Number,
            Code::Comma => Kind::Comma,
            Code::Colon => Kind::Operator,
            Code::LBracket => Kind::LBracket,
            Code::RBracket => Kind::RBracket,
            Code::LBrace => Kind::LBrace,
            Code::RBrace => Kind::RBrace,
            Code::Unknown => Kind::Unknown,
        }
    }
}

fn line_comment(lexer: &mut Lexer<Code>) {
    lexer.bump(line_comment_len(lexer.remainder()));
}

fn block_comment(lexer: &mut Lexer<Code>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

fn word(lexer: &mut Lexer<Code>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find(|c| !is_part_of_word(c)).unwrap_or(rest.len()));
}

/// Not a regular expression: its tables of Unicode letters would be a large part of the lexer.
fn non_ascii(lexer: &mut Lexer<Code>) -> bool {
    let is_word = lexer.slice().starts_with(char::is_alphabetic);
    if is_word {
        word(lexer);
    }
    is_word
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '+' | '-')
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::Json;
    use crate::host::token_tree::testing::{changes, check_changes, text_of, tree};

    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "'", "'k'", "k:", "\n  key: ", "\\\n", "\"", "\"", "\"", "\\", "\\\"", "{", "}", "[", "]", ":", ",", "\n", "\n", "\n\n", "\r\n", "\r", " ", "  ",
        "//", "/*", "*/", "/", "*", "1", "-2.5e3", "true", "é", "😀", "\u{feff}", "\"a\": 1,\n", "{\n  ", "\n}\n",
        "\"signature\": \"(a :int)\",\n", "[1, 2]\n", "// note\n", "/* a\nb */\n", "\n  \"k\": {\n    ", "\n  {", "\n    ",
        "\n        },", "\n      }\n",
    ];

    proptest! {
        /// A bracket may be closed at any indentation, if the next line is outside of it.
        #[test]
        fn the_place_of_a_closing_bracket_does_not_matter(
            indents in prop::collection::vec(0..12_usize, 2..6),
            is_list: bool,
        ) {
            let (open, close) = if is_list { ("[", "]") } else { ("{\n    \"x\": 1", "}") };
            let entries = |indent: &dyn Fn(usize) -> usize| {
                let entries = (0..indents.len()).map(|index| {
                    let blank = " ".repeat(indent(index));
                    format!("  \"k{index}\": {open}\n{blank}{close},\n")
                });
                format!("{{\n{}  \"last\": 1\n}}\n", entries.collect::<String>())
            };
            let code = |text: &str| {
                let tree = tree::<Json>(text);
                let is_code = |line: &&str| !line.contains("Newline");
                tree.lines().filter(is_code).map(|it| format!("{it}\n")).collect::<String>()
            };
            prop_assert_eq!(code(&entries(&|index| indents[index])), code(&entries(&|_| 2)));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]
        #[test]
        fn a_reparsed_tree_is_that_of_a_full_parse(
            text in text_of(PIECES, 0..60),
            changes in changes(PIECES),
        ) {
            check_changes::<Json>(&text, &changes);
        }
    }

    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "1, ", "{\"a\": 1},\n", "{\"a\": 1}, ", "[\n", "],\n", ",", ", ", "\n", "\n\n", "{ ", " }", "  {\n    \"a\": 1\n", "  },\n", "    \"b\": [\n", "\"", "// x\n", "2 ",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
        #[test]
        fn a_long_reparsed_tree_is_that_of_a_full_parse(
            text in text_of(LINES, 0..800),
            changes in changes(LINES),
        ) {
            check_changes::<Json>(&text, &changes);
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&tree::<Json>(text));
    }

    #[test]
    fn a_string_ends_with_its_line_unless_a_backslash_ends_the_line() {
        check(
            "{\"a\\u0041\\\": \"b\r\n'c\\\": \n'c\\\r\nd', -1.5e3 // d",
            expect![[r#"
                Root
                  Braces
                    LBrace "{"
                    String
                      StringOpen "\""
                      Text "a"
                      Escape "\\u"
                      Text "0041"
                      Escape "\\\""
                      Text ": "
                      StringClose "\""
                    Symbol "b"
                    Newline "\r\n"
                    String
                      StringOpen "'"
                      Text "c"
                      Escape "\\\""
                      Text ": "
                    Newline "\n"
                    String
                      StringOpen "'"
                      Text "c"
                      Escape "\\\r\n"
                      Text "d"
                      StringClose "'"
                    Comma ","
                    Whitespace " "
                    Number "-1.5e3"
                    Whitespace " "
                    Comment "// d"
            "#]],
        );
    }

    #[test]
    fn a_brace_in_text_closes_nothing() {
        check(
            "{\n  \"a\": {\n    \"p\": \"b {{c\"d}} e.\"\n  },\n  \"z\": 2\n}\n",
            expect![[r#"
                Root
                  Braces
                    LBrace "{"
                    Newline "\n  "
                    String
                      StringOpen "\""
                      Text "a"
                      StringClose "\""
                    Operator ":"
                    Whitespace " "
                    Braces
                      LBrace "{"
                      Newline "\n    "
                      String
                        StringOpen "\""
                        Text "p"
                        StringClose "\""
                      Operator ":"
                      Whitespace " "
                      String
                        StringOpen "\""
                        Text "b {{c"
                        StringClose "\""
                      Symbol "d"
                      RBrace "}"
                      RBrace "}"
                      Whitespace " "
                      Symbol "e."
                      String
                        StringOpen "\""
                      Newline "\n  "
                      RBrace "}"
                    Comma ","
                    Newline "\n  "
                    String
                      StringOpen "\""
                      Text "z"
                      StringClose "\""
                    Operator ":"
                    Whitespace " "
                    Number "2"
                    Newline "\n"
                    RBrace "}"
                  Newline "\n"
            "#]],
        );
    }

    #[test]
    fn a_brace_before_the_end_of_a_string_closes_nothing() {
        let object = "{\n  \"k\": {\n    \"a\": \"|\",\n    \"b\": 1\n  },\n  \"z\": {}\n}\n";
        for text in ["x\"y}", "{x\", y} z", "x\ny}", "x\"y}, count :int"] {
            let text = object.replace('|', text);
            let shown = tree::<Json>(&text);
            // What follows is still inside of the inner object.
            let inner = shown
                .lines()
                .find(|it| it.contains("Text \"b\""))
                .expect("a key");
            assert_eq!(inner.len() - inner.trim_start().len(), 8, "{text}{shown}");
        }
    }

    #[test]
    fn comments_and_words() {
        check(
            "[true/* , \n*/, .5 /*",
            expect![[r#"
            Root
              Brackets
                LBracket "["
                Symbol "true"
                Comment "/* , \n*/"
                Comma ","
                Whitespace " "
                Number ".5"
                Whitespace " "
                Comment "/*"
        "#]],
        );
    }
}
