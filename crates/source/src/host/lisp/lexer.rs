//! The lexer of Clojure and PTC-Lisp.

use logos::{Lexer, Logos};

use super::code::Code;
use crate::{
    host::{
        quoted,
        token_tree::{Bracketed, Closer, Kind, Token, head},
    },
    text,
};

/// The languages that are lexed like Clojure.
#[derive(Debug, Clone, Copy)]
pub enum Lisp {}

impl Bracketed for Lisp {
    type Lexer<'t> = LispLexer<'t>;

    fn lex(text: &str) -> LispLexer<'_> {
        LispLexer {
            code: Code::lexer(text),
            is_in_string: false,
            is_string_start: false,
        }
    }

    fn begins_definition(code: &str, indent: usize) -> bool {
        indent == 0 && begins_definition(code)
    }

    fn is_slip(closer: &Closer<'_>) -> bool {
        closer.is_among_others() || closer.is_before_form()
    }

    fn is_after_closer(code: &str) -> bool {
        !code.is_empty() && !code.starts_with([')', ']', '}', ';'])
    }

    /// In code, a list may be indented in other ways.
    fn begins_item(code: &str, open: Kind, around: Kind) -> bool {
        Self::begins_whole_item(code) && (open != Kind::Parens || around == Kind::Brackets)
    }

    fn begins_whole_item(code: &str) -> bool {
        code.starts_with(['{', '[', '('])
    }
}

/// Whether a line with `code` begins a top-level definition.
fn begins_definition(code: &str) -> bool {
    let rest = code.strip_prefix('(');
    rest.is_some_and(|rest| rest.starts_with("def") || rest.starts_with("ns "))
}

/// Whether a string that is open at `rest` ends there: at a line end that a definition follows.
fn ends_string(rest: &str) -> bool {
    let after = rest
        .strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'));
    after.is_some_and(begins_definition)
}

/// The length of the rest of the line, if the quote before `rest` was meant to close a string: only what closes brackets
/// follows it, or a line that begins with a keyword and a string.
fn len_after_closing(rest: &str) -> Option<usize> {
    let after = rest.trim_start_matches([')', ']', '}', ',', ' ', '\t']);
    let len = rest.len() - after.len();
    let line = after.strip_prefix('\r').unwrap_or(after);
    let line = line.strip_prefix('\n')?;
    let is_end = rest[..len].contains([')', ']', '}']);
    (is_end || begins_entry(head(line.trim_start_matches([' ', '\t'])))).then_some(len)
}

/// Whether `code` begins with a keyword and a string.
fn begins_entry(code: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | '?');
    let value = code
        .strip_prefix(':')
        .map(|it| it.trim_start_matches(is_name));
    value.is_some_and(|it| it.trim_start_matches(' ').starts_with('"'))
}

/// The tokens of a Lisp text.
#[derive(Debug, Clone)]
pub struct LispLexer<'t> {
    code: Lexer<'t, Code>,
    is_in_string: bool,
    /// Whether the last token was the quote before it.
    is_string_start: bool,
}

impl Iterator for LispLexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let before = self.code.remainder().len();
        let kind = match self.is_in_string {
            true => self.string_part()?,
            false => self.code_token()?,
        };
        Some(Token {
            kind,
            len: text::size(before - self.code.remainder().len()),
        })
    }
}

impl LispLexer<'_> {
    fn code_token(&mut self) -> Option<Kind> {
        let code = self.code.next()?.unwrap_or(Code::Unknown);
        self.is_in_string = matches!(code, Code::Quote | Code::RegexQuote);
        self.is_string_start = self.is_in_string;
        Some(code.kind())
    }

    fn string_part(&mut self) -> Option<Kind> {
        let rest = self.code.remainder();
        if std::mem::take(&mut self.is_string_start)
            && let Some(len) = len_after_closing(rest)
        {
            self.is_in_string = false;
            self.code.bump(len);
            return match len {
                0 => self.code_token(),
                _ => Some(Kind::Text),
            };
        }
        if ends_string(rest) {
            self.is_in_string = false;
            return self.code_token();
        }
        let (kind, mut len) = quoted::part(rest, b'"', true)?;
        if kind == Kind::Text && rest[..len].ends_with('\n') {
            let line_end = rest[..len].trim_end_matches(['\r', '\n']).len();
            if begins_definition(&rest[len..]) && line_end > 0 {
                len = line_end;
            }
        }
        self.code.bump(len);
        self.is_in_string = kind != Kind::StringClose;
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::Lisp;
    use crate::{
        host::token_tree::{
            parse,
            testing::{changes, check_changes, check_edit, text_of, tree},
        },
        text::{TextEdit, TextRange, size},
    };

    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "\"", "\"", "\"", "#\"", "\\", "\\\"", "\\a", "\\newline", "#", "#_", "'", "^", "~@", "@", ":a", ":a/b", "::",
        "a", "b/c", "+", "-1", "1/2", "(", "(", ")", ")", "[", "]", "{", "}", "#{", "#(", ";", "; note\n", "#!", ",",
        "\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "é", "😀", "\u{feff}", "\u{a0}", "#inst ", "#:a", "##Inf", "#?(",
        "(defn f [x]\n  (g x))\n\n", "{:signature \"(a :int)\"}\n", "(f \"a\n b\")\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, ..ProptestConfig::default() })]
        #[test]
        fn a_reparsed_tree_is_that_of_a_full_parse(
            text in text_of(PIECES, 0..60),
            changes in changes(PIECES),
        ) {
            check_changes::<Lisp>(&text, &changes);
        }
    }

    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "1, ", "{:a 1}\n", "(f x)\n", "(defn g [x]\n", "  x)\n\n", "[\n", "]\n", ",", ", ", "\n", "\n\n", "(", ")", "\"", "; x\n", "2 ", "#_",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
        #[test]
        fn a_long_reparsed_tree_is_that_of_a_full_parse(
            text in text_of(LINES, 0..800),
            changes in changes(LINES),
        ) {
            check_changes::<Lisp>(&text, &changes);
        }
    }

    /// A line ends what earlier lines left open, even if the edit is in another node.
    #[test]
    fn a_line_that_no_longer_begins_a_definition() {
        let mut text = format!("(; x\n(defn g [x]\n{}", "(f x)\n".repeat(40));
        let edit = TextEdit::delete(TextRange::new(size(7), size(11)));
        check_edit::<Lisp>(&mut text.clone(), &parse::<Lisp>(&text), &edit);
        edit.apply(&mut text);
        let edit = TextEdit::insert(size(7), "efn ");
        check_edit::<Lisp>(&mut text.clone(), &parse::<Lisp>(&text), &edit);
    }

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&tree::<Lisp>(text));
    }

    #[test]
    fn strings_and_characters() {
        check(
            "\"a\\\"\nb\" #\"\\d\"\\\" \\newline\\(\\; \\ \"",
            expect![[r##"
                Root
                  String
                    StringOpen "\""
                    Text "a"
                    Escape "\\\""
                    Text "\n"
                    Text "b"
                    StringClose "\""
                  Whitespace " "
                  Regex
                    RegexOpen "#\""
                    Escape "\\d"
                    StringClose "\""
                  Char "\\\""
                  Whitespace " "
                  Char "\\newline"
                  Char "\\("
                  Char "\\;"
                  Whitespace " "
                  Unknown "\\"
                  Whitespace " "
                  String
                    StringOpen "\""
            "##]],
        );
    }

    #[test]
    fn names_numbers_and_prefixes() {
        check(
            "'a'b :k::l #'v #_x ^{:m 1} @y ~@z -1/2 +q #inst\"t\" #:ns{:a %} #{1} #(f %1) ##Inf é→",
            expect![[r###"
                Root
                  Operator "'"
                  Symbol "a'b"
                  Whitespace " "
                  Atom ":k::l"
                  Whitespace " "
                  Operator "#'"
                  Symbol "v"
                  Whitespace " "
                  Operator "#_"
                  Symbol "x"
                  Whitespace " "
                  Operator "^"
                  Braces
                    LBrace "{"
                    Atom ":m"
                    Whitespace " "
                    Number "1"
                    RBrace "}"
                  Whitespace " "
                  Operator "@"
                  Symbol "y"
                  Whitespace " "
                  Operator "~@"
                  Symbol "z"
                  Whitespace " "
                  Number "-1/2"
                  Whitespace " "
                  Symbol "+q"
                  Whitespace " "
                  Operator "#inst"
                  String
                    StringOpen "\""
                    Text "t"
                    StringClose "\""
                  Whitespace " "
                  Operator "#:ns"
                  Braces
                    LBrace "{"
                    Atom ":a"
                    Whitespace " "
                    Symbol "%"
                    RBrace "}"
                  Whitespace " "
                  Braces
                    LBrace "#{"
                    Number "1"
                    RBrace "}"
                  Whitespace " "
                  Parens
                    LParen "#("
                    Symbol "f"
                    Whitespace " "
                    Symbol "%1"
                    RParen ")"
                  Whitespace " "
                  Number "##Inf"
                  Whitespace " "
                  Symbol "é→"
            "###]],
        );
    }
}
