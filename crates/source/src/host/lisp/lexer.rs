//! The lexer of Clojure and PTC-Lisp.

use logos::{Lexer, Logos};

use super::code::Code;
use crate::{
    host::{
        quoted,
        token_tree::{Bracketed, Closer, Kind, Scope, Token, head},
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

    fn scope_begun(code: &str) -> Scope {
        match begins_block(code) {
            true => Scope::Bracket,
            false => Scope::Other,
        }
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

/// Whether a line with `code` begins a form of several others, such as definitions. They are in it if they follow its
/// first line directly and are not indented: it is not one that is being typed above other forms.
fn begins_block(code: &str) -> bool {
    let word = code.strip_prefix('(').unwrap_or_default();
    let word = word.split([' ', '\t', '\r', '\n', ',', ';', '[']).next();
    word.is_some_and(|word| BLOCKS.contains(&word))
}

/// The heads of such forms.
const BLOCKS: [&str; 5] = ["comment", "do", "let", "when", "if"];

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
        let before = self.code.span().end;
        let kind = match self.is_in_string {
            true => self.string_part()?,
            false => self.code_token()?,
        };
        Some(Token {
            kind,
            len: text::size(self.code.span().end - before),
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
            Element, parse,
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
        "(do\n", "(comment", "(let [x 1]\n(def y x)\n", "(def x 1)\n", "(def x",
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
        "(do\n", "(comment", "(def x 1)\n",
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

    /// A block with other forms, each on lines of its own at the margin.
    fn block() -> impl Strategy<Value = String> {
        let form = prop::sample::select(vec![
            "(def x 1)",
            "(defn f [a]\n  (g a))",
            "(f x)",
            "x",
            "{:a (f\n1)}",
            "; note",
        ]);
        form.prop_map(str::to_owned)
            .prop_recursive(4, 40, 5, |inner| {
                let head =
                    prop::sample::select(vec!["do", "comment", "let [x 1]", "when x", "if x"]);
                let gap = prop::sample::select(vec!["\n", "\n", "\n\n", "\r\n"]);
                (head, prop::collection::vec((inner, gap), 1..5)).prop_map(|(head, forms)| {
                    let forms: String = forms.iter().flat_map(|(form, gap)| [form, *gap]).collect();
                    format!("({head}\n{forms})")
                })
            })
    }

    /// The tree without white space.
    fn code_of(text: &str) -> String {
        let tree = tree::<Lisp>(text);
        let is_code = |line: &&str| !line.contains("Newline") && !line.contains("Whitespace");
        tree.lines()
            .filter(is_code)
            .map(|line| format!("{line}\n"))
            .collect()
    }

    proptest! {
        /// Definitions at the margin are in the block that was opened there, as if they were indented.
        #[test]
        fn the_layout_of_a_block_does_not_change_its_forms(
            blocks in prop::collection::vec(block(), 1..4),
        ) {
            let text = blocks.join("\n\n");
            let indented: String = blocks.iter().map(|it| it.replace('\n', "\n  ") + "\n\n").collect();
            prop_assert_eq!(code_of(&text), code_of(&indented));
        }
    }

    /// What is typed above other forms does not contain them.
    #[test]
    fn a_block_that_is_not_closed_ends_before_the_next_definition() {
        for head in [
            "(do",
            "(do\n",
            "(comment\n(f x)",
            "(let [x 1]\n  (f x)",
            "(f\n(g x)",
            "(defn f []",
        ] {
            let text = format!("{head}\n\n(def a 1)\n");
            let is_held = head.contains("\n(f");
            let root = Element::node(&parse::<Lisp>(&text), 0.into())
                .elements()
                .count();
            assert_eq!(root == 1, is_held, "{text}");
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
