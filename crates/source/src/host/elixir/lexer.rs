//! The Elixir lexer: ordinary code and the bodies of strings, which nest by interpolation.

use logos::{Lexer, Logos};

use super::{
    code::Code,
    recover,
    string_body::{Body, Content},
};
use crate::{
    host::token_tree::{Bracketed, Closer, Kind, OpenGroups, Role, Scope, Token},
    syntax::room::make_room,
    text,
};

/// The language Elixir.
#[derive(Debug, Clone, Copy)]
pub enum Elixir {}

impl Bracketed for Elixir {
    const INTERPOLATES: bool = true;

    type Lexer<'t> = ElixirLexer<'t>;

    fn lex(text: &str) -> ElixirLexer<'_> {
        ElixirLexer {
            code: Code::lexer(text),
            open: Vec::new(),
            is_after_dot: false,
            is_after_at: false,
        }
    }

    fn begins_definition(code: &str, _indent: usize) -> bool {
        recover::begins_definition(code)
    }

    fn scope_begun(code: &str) -> Scope {
        match recover::begins_function(code) {
            true => Scope::Function,
            false => Scope::Other,
        }
    }

    fn ends_groups(code: &str, _indent: usize) -> bool {
        recover::ends_groups(code)
    }

    fn begins_statement(code: &str) -> bool {
        recover::begins_statement(code)
    }

    fn begins_item(code: &str, _open: Kind, _around: Kind) -> bool {
        recover::begins_item(code)
    }

    fn begins_whole_item(code: &str) -> bool {
        recover::begins_whole_item(code)
    }

    fn is_slip(closer: &Closer<'_>) -> bool {
        recover::is_slip(closer) || closer.is_among_others() || recover::is_early(closer)
    }

    fn is_after_closer(code: &str) -> bool {
        recover::is_after_closer(code)
    }

    fn goes_on(last: Kind) -> bool {
        matches!(last, Kind::Comma | Kind::Operator | Kind::Key)
    }
}

/// The tokens of an Elixir text.
#[derive(Debug, Clone)]
pub struct ElixirLexer<'t> {
    code: Lexer<'t, Code>,
    /// The strings and interpolations around the next token; empty for top-level code.
    open: Vec<Frame>,
    /// Whether a word is a name here, because a dot precedes it, apart from white space and comments.
    is_after_dot: bool,
    /// The same, because it follows an `@`: `@do` is the beginning of `@doc`.
    is_after_at: bool,
}

/// What is around a token. There may be a million.
#[derive(Debug, Clone)]
enum Frame {
    String(Body),
    Interpolation(OpenGroups),
}

impl Iterator for ElixirLexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let before = self.code.span().end;
        let kind = match self.open.last() {
            Some(Frame::String(body)) => self.string_part(*body)?,
            _ => self.code_token()?,
        };
        Some(Token {
            kind,
            len: text::size(self.code.span().end - before),
        })
    }
}

/// The lines of the strings in `text`, without escapes and interpolations.
pub fn texts(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    Elixir::lex(text).filter_map(move |token| {
        let start = at;
        at += usize::from(token.len);
        (token.kind == Kind::Text).then(|| &text[start..at])
    })
}

/// The length of the string at the start of `text` with its delimiters; `None` if there is none, or if it has more than
/// `most` bytes.
pub fn string_len(text: &str, most: usize) -> Option<usize> {
    let mut open = Vec::new();
    let mut len = 0;
    for token in Elixir::lex(text) {
        let is_in_string = open.last().is_some_and(|it: &Kind| it.is_string());
        if is_in_string && !token.kind.is_string_part() {
            break;
        }
        match token.kind {
            Kind::StringClose | Kind::KeyClose | Kind::InterpolationClose => drop(open.pop()),
            kind => match kind.role() {
                Role::Opens(node) if node.is_string() || node == Kind::Interpolation => {
                    open.push(node);
                }
                _ => {}
            },
        }
        if len == 0 && open.is_empty() {
            return None;
        }
        len += usize::from(token.len);
        if len > most {
            return None;
        }
        if open.is_empty() {
            break;
        }
    }
    Some(len)
}

impl ElixirLexer<'_> {
    fn code_token(&mut self) -> Option<Kind> {
        let code = match self.code.next()? {
            Ok(code) => code,
            Err(()) => return Some(Kind::Unknown),
        };
        let kind = match code {
            Code::Quote | Code::AtomQuote | Code::SigilQuote => self.open_string(code),
            Code::Newline if recover::begins_definition(self.code.remainder()) => {
                self.open.clear();
                Kind::Newline
            }
            Code::Newline if self.is_after_dot => Kind::Whitespace,
            Code::Word(Kind::Do | Kind::Fn | Kind::End)
                if self.is_after_dot || self.is_after_at =>
            {
                Kind::Symbol
            }
            code => self.follow_groups(code.kind()),
        };
        self.is_after_at = code == Code::Operator && self.code.slice() == "@";
        if !kind.is_trivia() {
            self.is_after_dot = code == Code::Dot;
        }
        Some(kind)
    }

    /// Tracks the groups of an interpolation, which ends at the first brace that closes none of them.
    fn follow_groups(&mut self, kind: Kind) -> Kind {
        let Some(Frame::Interpolation(groups)) = self.open.last_mut() else {
            return kind;
        };
        if groups.token(kind) || kind != Kind::RBrace {
            return kind;
        }
        self.open.pop();
        Kind::InterpolationClose
    }

    /// Starts the string whose opening delimiter was lexed as `code`.
    fn open_string(&mut self, code: Code) -> Kind {
        let opener = self.code.slice().as_bytes();
        let delimiter = opener[opener.len() - 1];
        let heredoc_rest = match delimiter {
            b'"' | b'\'' if code != Code::AtomQuote => {
                heredoc_opener_len(self.code.remainder(), delimiter)
            }
            _ => None,
        };
        self.push(Frame::String(Body {
            closer: closing_delimiter(delimiter),
            is_heredoc: heredoc_rest.is_some(),
            is_sigil: code == Code::SigilQuote,
            is_interpreted: code != Code::SigilQuote || opener[1].is_ascii_lowercase(),
            content: Content::new(heredoc_rest.is_some()),
        }));
        self.code.bump(heredoc_rest.unwrap_or(0));
        match (code, delimiter, heredoc_rest.is_some()) {
            (Code::AtomQuote, ..) => Kind::QuotedAtomOpen,
            (Code::SigilQuote, _, false) => Kind::SigilOpen,
            (Code::SigilQuote, _, true) => Kind::SigilHeredocOpen,
            (_, b'"', false) => Kind::StringOpen,
            (_, b'"', true) => Kind::HeredocOpen,
            (_, _, false) => Kind::CharlistOpen,
            (_, _, true) => Kind::CharlistHeredocOpen,
        }
    }

    /// Lexes the next part of a string's body, or its end.
    fn string_part(&mut self, body: Body) -> Option<Kind> {
        let rest = self.code.remainder();
        if rest.is_empty() {
            return None;
        }
        if body.is_left_at(rest) {
            self.open.clear();
            return self.code_token();
        }
        if let Some((kind, len)) = body.close(rest) {
            self.open.pop();
            self.code.bump(len);
            return Some(kind);
        }
        if body.is_interpreted && rest.starts_with("#{") {
            self.set_body(body.with_other(""));
            self.push(Frame::Interpolation(OpenGroups::default()));
            self.code.bump(2);
            return Some(Kind::InterpolationOpen);
        }
        let (kind, len, body) = match body.escape_len(rest) {
            Some(len) => (Kind::Escape, len, body.with_other(&rest[..len])),
            None => {
                let len = body.text_len(rest);
                (Kind::Text, len, body.with_text(&rest[..len]))
            }
        };
        self.set_body(body);
        self.code.bump(len);
        Some(kind)
    }

    fn push(&mut self, frame: Frame) {
        let (read, len) = (self.code.span().end, self.code.source().len());
        make_room(&mut self.open, read, len);
        self.open.push(frame);
    }

    fn set_body(&mut self, body: Body) {
        if let Some(frame @ Frame::String(_)) = self.open.last_mut() {
            *frame = Frame::String(body);
        }
    }
}

/// The length of the rest of a heredoc's delimiter in `rest`.
fn heredoc_opener_len(rest: &str, delimiter: u8) -> Option<usize> {
    let quotes = rest.as_bytes().starts_with(&[delimiter; 2]);
    let line = rest.get(2..).filter(|_| quotes)?;
    let end = line.find(|char| !matches!(char, ' ' | '\t' | '\r'))?;
    (line.as_bytes()[end] == b'\n').then_some(2 + end + 1)
}

fn closing_delimiter(opening: u8) -> u8 {
    match opening {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::Elixir;
    use crate::{
        host::token_tree::{
            parse,
            testing::{changes, check_changes, check_edit, text_of, tree},
        },
        text::{TextEdit, TextRange, size},
    };

    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "\n        },\n", "\n      end\n", "\n        )\n",
        "\"", "\"", "\"\"\"", "\"\"\"\n", "'", "'''\n", "#{", "}", "{", "do", "end", "fn", " do\n",
        "\nend\n", "~s(", "~S(", "~S\"\"\"\n", "~AB|", "?\"", "?", "\\", ":\"", ":", ": ", "key: ",
        "\n", "\n", "\n\n", "\r\n", "\n\n\n", " ", "  ", "é", "😀", "(", ")", "[", "]", "<<", ">>",
        "<", "#", "# note\n", ".", ",", "|>", "foo", "Bar", "a b c", "f(x, y)\n", "->", "1", "0x",
        "@doc \"\"\"\n  text\n  \"\"\"\n", "x = 1\ny = 2\n", "\t", "def f do\n  g(1)\nend\n\n",
        "\n\n  def g do\n", "\n  @doc \"x\"\n", "def ", "\n    x = (\n      1\n", "defmodule A do\n", "\n    ", "  end\n", " do ",
        "  Some text.\n", "(some text)\n", "  ```\n", "Text:", "\n\nFoo.bar(1)\n", "\n\nx = 1\n", "    def h", "test \"x\" do\n", "~S[def ",
        "@", "\n  @do", "    %{a: 1},\n", "\n    B.c(",
    ];

    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "\n", "\n", "\n\n", "  a(1)\n", "x = 2\n", "|> b()\n\n", "c\n", "d, e\n", "g(h, ", "{1, 2}, ", "f 0x1\n", "\n\n  g",
        "h\n\n", "(\n", ")\n", " do\n", "end\n", "\n\n  def f do\n", "  @doc \"x\"\n", "    [\n      1\n", "  x\n", "\"\n", "1,\n", "i\n\n", "j\n\n", "k\n\n", "l\n\n", "m ",
        "@do\n", "    {:a, 1},\n", "    B.c(\n",
    ];

    #[test]
    fn what_is_around_a_token_is_short() {
        assert_eq!(size_of::<super::Frame>(), 16);
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 3000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        fn a_reparsed_tree_is_that_of_a_full_parse(
            text in text_of(PIECES, 0..60),
            changes in changes(PIECES),
        ) {
            check_changes::<Elixir>(&text, &changes);
        }
    }

    #[rustfmt::skip]
    const INTERPOLATED: &[&str] = &[
        "\"", "\"", "\"#{", "#{", "#{f(", "(\"", "\", ", "\")", "(", ")", "{", "}", "}\"", "[", "]", "\n", "\n", "\n  ",
        "\n\n", "\"\"\"\n", "~T\"\"", "a", "x = 1\n", "\ndef f do\n", "\nend\n", ", ", " ",
    ];

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 1000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        fn a_tree_of_interpolations_is_that_of_a_full_parse(
            text in text_of(INTERPOLATED, 0..40),
            changes in changes(INTERPOLATED),
        ) {
            check_changes::<Elixir>(&text, &changes);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 200,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        fn a_long_reparsed_tree_is_that_of_a_full_parse(
            text in text_of(LINES, 0..800),
            changes in changes(LINES),
        ) {
            check_changes::<Elixir>(&text, &changes);
        }
    }

    /// Edits that once had another result than a full parse: the text, the edit's place and insertion.
    #[test]
    fn edits_that_were_followed_wrongly() {
        let cases = [
            // The first line begins a function, which holds no other definition.
            ("a\n@doc b\ndo\n  c\n@doc d\nend\n", 0..0, "def f do\n"),
            // Two adjacent strings become the start of a heredoc.
            ("\"\"\"# a\nb\n\"\"\"", 3..3, "\n"),
            ("\"\"\"b\"\n\"\"\"", 3..4, ""),
            // A colon before an emptied group is not an atom.
            ("do\n:{\tfn?}", 4..8, ""),
            // The first line of a block turns the word before it into a key.
            ("fn:foo?\n\n|> a\n\nb", 3..7, ""),
            // An open brace in parentheses does not extend beyond them.
            ("\"#{f(a: 1)}\"b", 5..5, "%{"),
            // A parenthesis in an interpolation closes what a line seems to have ended.
            ("\"#{(\n ()\nx\"\"=>{f,\"->\"}", 15..15, ")"),
            // A string that ends with its line ends the string around it.
            ("\"#{(\"t\"\n)}~T\"\"", 5..7, ", "),
            // A lexer is in an interpolation that a line seems to have ended.
            ("{\"#{\n()", 6..6, "}"),
            ("{\"#{(\n)", 6..6, "\"\"}"),
            ("\"#{[{\n \"\"}", 7..9, "]"),
            ("{\"#{\n(})", 6..7, ""),
        ];
        for (text, range, insert) in cases {
            let range = TextRange::new(size(range.start), size(range.end));
            let edit = TextEdit::replace(range, insert);
            check_edit::<Elixir>(&mut text.to_owned(), &parse::<Elixir>(text), &edit);
        }
    }

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&tree::<Elixir>(text));
    }

    #[test]
    fn strings_nest_by_interpolation() {
        check(
            r##"f("a#{%{b: "}"}}\n" , :"x y", 'c', "k": ?")"##,
            expect![[r##"
                Root
                  Symbol "f"
                  Parens
                    LParen "("
                    String
                      StringOpen "\""
                      Text "a"
                      Interpolation
                        InterpolationOpen "#{"
                        Operator "%"
                        Braces
                          LBrace "{"
                          Key "b:"
                          Whitespace " "
                          String
                            StringOpen "\""
                            Text "}"
                            StringClose "\""
                          RBrace "}"
                        InterpolationClose "}"
                      Escape "\\n"
                      StringClose "\""
                    Whitespace " "
                    Comma ","
                    Whitespace " "
                    QuotedAtom
                      QuotedAtomOpen ":\""
                      Text "x y"
                      StringClose "\""
                    Comma ","
                    Whitespace " "
                    Charlist
                      CharlistOpen "'"
                      Text "c"
                      StringClose "'"
                    Comma ","
                    Whitespace " "
                    QuotedKey
                      StringOpen "\""
                      Text "k"
                      KeyClose "\":"
                    Whitespace " "
                    Char "?\""
                    RParen ")"
            "##]],
        );
    }

    #[test]
    fn brackets_close_in_any_formatting() {
        for text in [
            "x = [\n  a,\n  b,\n]\ny = 1\n",
            "x = [\n    a,\n    b\n    ]\nf(x)\n",
            "x = [\n    a\n]\n    |> f()\n    && g()\n",
            "f(g(a,\n    b),\n    c)\n",
            "f(%{a: 1,\n  b: 2},\n  c: 3)\n",
            "plug :x, only: [:a,\n  :b],\n  c: 1\n",
            "if x in [\n     :a,\n     :b\n   ] do\n  f(x)\nend\n",
            "def f(\n      a\n    )\n    when is_map(a) do\n  g(a)\nend\n",
            "@spec f(a,\n        b)\n        :: c\n",
            "case x do\n  {a,\n   b} -> f(a)\n  [a,\n   b] when a -> b\nend\n",
            "f(\na,\n  b\n)\n|> g(\n  [\n  1\n  ]\n)\n",
            "x = f(a,\n      b) + g(c,\n      d)\n      # then\ny = [\n  a, [b,\n  c], d ]\n",
            "fn(a,\n   b) -> a end\nunquote(\n  a\n)(b)\n",
        ] {
            let tree = tree::<Elixir>(text);
            let mut open = Vec::new();
            for line in tree.lines() {
                let depth = line.len() - line.trim_start().len();
                match line.trim_start().split(' ').next() {
                    Some("LParen" | "LBracket" | "LBrace") => open.push(depth),
                    Some("RParen" | "RBracket" | "RBrace") => {
                        assert_eq!(open.pop(), Some(depth), "{text}{tree}");
                    }
                    _ => {}
                }
            }
            assert!(open.is_empty(), "{text}{tree}");
        }
    }

    #[test]
    fn a_heredoc_ends_at_the_beginning_of_a_line() {
        check(
            "x = \"\"\"\n a \"\"\" b\n  \"\"\"\n",
            expect![[r#"
                Root
                  Symbol "x"
                  Whitespace " "
                  Operator "="
                  Whitespace " "
                  Heredoc
                    HeredocOpen "\"\"\"\n"
                    Text " a \"\"\" b\n"
                    StringClose "  \"\"\""
                  Newline "\n"
            "#]],
        );
    }
}
