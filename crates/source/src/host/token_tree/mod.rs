//! Token trees: the trees of all hosts with brackets.
//!
//! A host's lexer produces [`Token`]s of the shared [`Kind`]s: brackets, block words, the parts of strings, keys,
//! symbols, comments. [`parse`] nests them, left to right with a stack, into a lossless tree of groups and strings;
//! its only grammar is which token closes which. A new host is an implementation of [`Bracketed`] and a search for
//! patterns in the tree, for which [`Level`] iterates over the elements of one group.
//!
//! Long lists of elements are nested in runs (see [`runs`](crate::syntax::runs)), so that replacing one token rebuilds
//! a short path. [`Level`] hides these runs.

mod builder;
mod closer;
mod groups;
mod kind;
mod level;
mod parse;
mod pieces;
mod recover;
mod reparse;
#[cfg(test)]
pub(crate) mod testing;

pub use closer::Closer;
pub use groups::OpenGroups;
pub use kind::{Host, Kind, Role};
pub use level::{Element, Kept, Level, range_of};
pub use parse::{MAX_DEPTH, parse, parse_once};
pub use recover::{Indent, Opened, Scope, head, indentation};
pub use reparse::reparse;

use crate::text::TextSize;

/// A node of a token tree.
pub type SyntaxNode = rowan::SyntaxNode<Host>;
/// A token of a token tree.
pub type SyntaxToken = rowan::SyntaxToken<Host>;
/// A node or a token of a token tree.
pub type SyntaxElement = rowan::SyntaxElement<Host>;

/// A token from a lexer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its length in bytes, never 0.
    pub len: TextSize,
}

/// A language whose text is brackets, strings and words.
pub trait Bracketed: 'static {
    /// Whether the contents of a bracket are indented further than the line that opens it, on separate lines.
    const INDENTS: bool = false;

    /// Whether strings contain code. A lexer is in an interpolation until it ends or a definition begins, even if the tree
    /// ended it before.
    const INTERPOLATES: bool = false;

    /// The lexer of a text.
    type Lexer<'t>: Iterator<Item = Token> + Send;

    /// Lexes `text`, which begins in ordinary code.
    ///
    /// The lengths of the tokens add up to the text's. So that parts of a document can be lexed alone:
    /// - after a token of the kind [`Kind::Newline`] or [`Kind::Comma`] the lexer is as at the beginning of
    ///   a text (where a line goes on the token before, its end is [`Kind::Whitespace`]);
    /// - a [`Kind::Comma`] is one whatever follows it;
    /// - a [`Kind::Newline`] takes all white space that follows it, the next line's indentation too;
    /// - a token that opens a group or string is the same where its text is at the beginning;
    /// - a bracket is the same whatever follows it, and no token depends on what is in a group or string
    ///   after it, unless it is the end of a string and a string follows (`""` before `"`);
    /// - a token that closes one is the same where its text is at the end, unless what follows it
    ///   changes.
    fn lex(text: &str) -> Self::Lexer<'_>;

    /// Whether a line that begins at `indent` with `code` clearly begins a definition, so that no bracket is meant to
    /// be open there. The first few bytes decide.
    fn begins_definition(_code: &str, _indent: usize) -> bool {
        false
    }

    /// What a line with `code` begins that holds definitions or none. The first few bytes decide.
    fn scope_begun(_code: &str) -> Scope {
        Scope::Other
    }

    /// Whether a line that begins at `indent` with `code` can be outside of a bracket in which it is not indented. The
    /// first few bytes decide.
    fn ends_groups(_code: &str, _indent: usize) -> bool {
        false
    }

    /// Whether a line at the margin with `code` plainly begins a statement that is in no bracket. The first few bytes
    /// decide.
    fn begins_statement(_code: &str) -> bool {
        false
    }

    /// Whether a line with `code` begins an entry, so that it does not continue the line before.
    fn begins_entry(_code: &str) -> bool {
        false
    }

    /// Whether a line with `code` in place of the line that opened a group of the kind `open`, in one of the kind
    /// `around`, is the next item there. The first few bytes decide.
    fn begins_item(_code: &str, _open: Kind, _around: Kind) -> bool {
        false
    }

    /// Whether a line with `code` plainly begins an item of a list, which continues nothing. The first few bytes
    /// decide.
    fn begins_whole_item(_code: &str) -> bool {
        false
    }

    /// The kind of group that a line with `code` cannot begin in, if the line before does not continue.
    fn misplaced_in(_code: &str) -> Option<Kind> {
        None
    }

    /// Whether a token that would close a group was not meant to, as the following text shows.
    fn is_slip(_closer: &Closer<'_>) -> bool {
        false
    }

    /// Whether `code` after a closing bracket may show that it was not meant to close anything. The first few bytes decide.
    fn is_after_closer(_code: &str) -> bool {
        false
    }

    /// Whether the text after a token of the kind `last` on the next line certainly belongs to it.
    fn goes_on(_last: Kind) -> bool {
        false
    }
}

/// The length of a comment that ends with its line, of which `rest` is what follows its sign.
pub(super) fn line_comment_len(rest: &str) -> usize {
    let rest = rest.as_bytes();
    let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let is_crlf = rest[..end].ends_with(b"\r");
    end - usize::from(is_crlf)
}

#[cfg(test)]
mod tests {
    use rowan::GreenNodeData;

    use super::{
        Bracketed, parse, reparse,
        testing::{check_edit, without_runs},
    };
    use crate::{
        host::{elixir::Elixir, json::Json, lisp::Lisp},
        syntax::reparse::Reparsed,
        text::{TextEdit, TextRange, size},
    };

    /// The maximum number of children of a node.
    fn longest_list(node: &GreenNodeData) -> usize {
        let inside = node.children().filter_map(|child| child.into_node());
        let longest = inside.map(longest_list).max().unwrap_or(0);
        longest.max(node.children().len())
    }

    /// Reads a list of 5,000 `item`s, between which it cannot be cut, and edits it.
    fn check_row<L: Bracketed>(open: &str, item: &str, close: &str) {
        let text = format!("{open}{}{close}", item.repeat(5_000));
        let green = parse::<L>(&text);
        let longest = longest_list(&green);
        assert!(longest < 4_200, "{open}{item}: {longest} elements");
        let middle = open.len() + item.len() * 1_000;
        for at in [middle, middle + item.len() * 16] {
            for typed in [" ", ",\n", "(", ")", "\""] {
                let mut text = text.clone();
                let edit = TextEdit::insert(size(at), typed);
                let typed = check_edit::<L>(&mut text, &green, &edit);
                check_edit::<L>(&mut text, &typed, &TextEdit::delete(edit.inserted_range()));
            }
        }
    }

    #[test]
    fn a_long_list_is_divided_where_it_cannot_be_cut() {
        for item in ["a ", "() ", "\"\"", "((a)) ", "( ", ") "] {
            check_row::<Elixir>("[", item, "]\n");
            check_row::<Lisp>("[", item, "]\n");
            check_row::<Json>("[", item, "]\n");
        }
        check_row::<Elixir>("x = \"", "\\n", "\"\n");
        check_row::<Lisp>("\"", "\n", "\"\n");
    }

    /// Types `typed` and deletes it, after the first `place` after the middle of a list of 2,000 `item`s.
    fn check_list<L: Bracketed>((open, item, close): (&str, &str, &str), place: &str, typed: &str) {
        let mut text = format!("{open}{}{close}", item.repeat(2_000));
        let middle = text.len() / 2;
        let at = middle + text[middle..].find(place).expect("a place") + place.len();
        let mut green = parse::<L>(&text);
        for _ in 0..40 {
            let insert = TextEdit::insert(size(at), typed);
            let remove = TextEdit::delete(TextRange::at(size(at), size(typed.len())));
            for edit in [insert.clone(), remove, insert] {
                edit.apply(&mut text);
                let reparsed = reparse::<L>(&green, &edit).expect("an edit that can be followed");
                let len = usize::from(reparsed.range.len());
                assert!(len <= 2_500, "{len} bytes in {item:?}");
                green = reparsed.green;
            }
        }
        assert_eq!(green.to_string(), text);
        assert!(longest_list(&green) <= 200, "{item:?} {typed:?}");
    }

    #[test]
    fn edits_in_lists_of_equal_items_are_local() {
        for item in [
            "  {\n    \"a\": 1,\n    \"b\": \":int\"\n  },\n",
            "{\"a\": 1}, ",
            "1,\n",
        ] {
            for typed in [" ", "\n", "{\"c\": [2]},", "3, "] {
                check_list::<Json>(("[\n", item, "0\n]\n"), ",", typed);
            }
        }
        for item in ["  %{a: 1, b: \":int\"},\n", "{:a, 1}, ", "  f(x),\n"] {
            for typed in [" ", "\n", " %{c: [2]},\n", "3, "] {
                check_list::<Elixir>(("x = [\n", item, "0\n]\n"), ",", typed);
            }
        }
        for item in ["{:a 1, :b \":int\"}\n", "{:a 1}, ", "{f\n  x}\n"] {
            for typed in [" ", "\n", "[2]\n"] {
                check_list::<Lisp>(("[\n", item, "0]\n"), "}", typed);
            }
        }
    }

    /// Types each of `keys` at each line of a block in the middle of many and deletes it.
    fn check_keys<L: Bracketed>((head, block, tail): (&str, &str, &str), keys: &[&str]) {
        let mut text = format!("{head}{}{tail}", block.repeat(400));
        let start = head.len() + 200 * block.len();
        let lines = block.match_indices('\n').map(|(at, _)| at + 1);
        let mut green = parse::<L>(&text);
        for line in std::iter::once(0).chain(lines) {
            for key in keys {
                let at = size(start + line);
                let insert = TextEdit::insert(at, *key);
                let remove = TextEdit::delete(TextRange::at(at, size(key.len())));
                for edit in [insert, remove] {
                    edit.apply(&mut text);
                    let reparsed = reparse::<L>(&green, &edit);
                    let reparsed =
                        reparsed.unwrap_or_else(|| panic!("{key:?} in line {line} of {block:?}"));
                    let len = usize::from(reparsed.range.len());
                    assert!(
                        len <= text.len() / 4,
                        "{len} bytes for {key:?} in line {line} of {block:?}"
                    );
                    green = reparsed.green;
                }
            }
        }
        assert_eq!(green.to_string(), text);
    }

    #[test]
    fn keys_that_open_something_are_local() {
        let elixir = "  @doc \"Looks\"\n  def run(user) do\n    # looks\n    SubAgent.run(\n      \"Find {{user}}\",\n      \
                      signature: \":int\",\n      context: %{user: user}\n    )\n    |> then(fn x -> x end)\n  end\n\n";
        let keys = ["\"", "(", "{", "[", " do ", "fn ", "'", "x", "}"];
        check_keys::<Elixir>(("defmodule A do\n", elixir, "end\n"), &keys);
        let lisp = "(defn f\n  {:signature \"(a :int) -> :int\"\n   :prompt \"Find {{a}}\"}\n  [a]\n  (count a))\n\n";
        check_keys::<Lisp>(("(ns a)\n\n", lisp, ""), &["\"", "(", "{", "[", ")", "x"]);
        let json = "  {\n    \"signature\": \":int\",\n    \"tags\": [\n      \"a\"\n    ],\n    \"n\": 1\n  },\n";
        check_keys::<Json>(("[\n", json, "  {}\n]\n"), &["\"", "x"]);
    }

    /// Types each of `keys` at each place of a block in the middle of many and deletes it.
    fn check_keys_anywhere<L: Bracketed>((head, block, tail): (&str, &str, &str), keys: &[&str]) {
        let text = format!("{head}{}{tail}", block.repeat(400));
        let start = head.len() + 200 * block.len();
        let green = parse::<L>(&text);
        let is_local = |at: usize, key: &str| {
            let insert = TextEdit::insert(size(at), key);
            let typed = reparse::<L>(&green, &insert)?;
            let remove = TextEdit::delete(TextRange::at(size(at), size(key.len())));
            let removed = reparse::<L>(&typed.green, &remove)?;
            let len = typed.range.len().max(removed.range.len());
            Some(usize::from(len) <= text.len() / 4)
        };
        let mut far = Vec::new();
        for at in start..start + block.len() {
            let keys = keys.iter().filter(|key| is_local(at, key) != Some(true));
            let (before, following) = block.split_at(at - start);
            let line = before.rfind('\n').map_or(0, |newline| newline + 1);
            let rest = following.lines().next().unwrap_or_default();
            far.extend(
                keys.map(|key| format!("{key:?} at {:?}", [&before[line..], "|", rest].concat())),
            );
        }
        // The purpose of a bracket among closing ones is unclear.
        let most = block.len() * keys.len() / 50;
        assert!(far.len() <= most, "{}", far.join("\n"));
    }

    /// Types one more `block` in the middle of many, character by character.
    fn check_typing<L: Bracketed>((head, block, tail): (&str, &str, &str)) {
        let mut text = format!("{head}{}{tail}", block.repeat(400));
        let (code, space) = block.split_at(block.trim_end().len());
        let start = head.len() + 199 * block.len() + code.len();
        let mut green = parse::<L>(&text);
        let typed = [space, code].concat();
        for (at, char) in typed.char_indices() {
            let edit = TextEdit::insert(size(start + at), char.to_string());
            edit.apply(&mut text);
            let reparsed = reparse::<L>(&green, &edit);
            let len = reparsed.as_ref().map(|it| usize::from(it.range.len()));
            let is_local = len.is_some_and(|len| len <= 4096);
            assert!(is_local, "{len:?} bytes after {:?}", &typed[..=at]);
            green = reparsed.expect("an edit that can be followed").green;
        }
        assert_eq!(without_runs(&green), without_runs(&parse::<L>(&text)));
    }

    #[test]
    fn typing_an_item_of_a_list_is_local() {
        let call = "    SubAgent.new(\n      name: \"a\",\n      tools: %{\"t\" => {&f/1, \"() -> :int\"}},\n      \
                    agents: [\n        %{b: [1, 2]}\n      ]\n    ),\n";
        let apart = format!("{call}\n");
        let maps = "    %{name: \"a\", run: f(1, [2])},\n";
        let tuples = "    {:a, [b: {1, %{c: 2}}]},\n";
        for item in [call, &apart, maps, tuples] {
            check_typing::<Elixir>(("  @agents [\n", item, "    nil\n  ]\n"));
        }
        let function =
            "  @doc \"Looks\"\n  def run(%{a: a}) do\n    [a] |> f(fn x -> {x, 1} end)\n  end\n\n";
        check_typing::<Elixir>(("defmodule A do\n", function, "end\n"));
        let script = "agent =\n  SubAgent.new(\n    prompt: \"Greet {{user}}.\"\n  )\n\nfor tag <- agent.tags do\n  \
                      IO.inspect(tag)\nend\n\nif agent do\n  f(1)\nelse\n  2\nend\n\n";
        check_typing::<Elixir>(("llm = f()\n\n", script, ""));
        let data = "  {:name \"a\"\n   :model \"x\"\n   :tags [:a {:b [1\n                 2]}]\n   :last (f {:a 1})}\n\n";
        check_typing::<Lisp>(("{:agents [\n", data, "]}\n"));
        let form = "(defn f [{:keys [a]}]\n  (let [b (g a)\n        c {:d [b]}]\n    (h b c)))\n\n";
        check_typing::<Lisp>(("(ns a)\n\n", form, ""));
        let object = "  {\n    \"a\": [\n      {\"b\": [1]}\n    ],\n    \"c\": {\n      \"d\": 1\n    }\n  },\n";
        check_typing::<Json>(("[\n", object, "  {}\n]\n"));
        let entry = format!("  \"an_agent\": {}", object.trim_start());
        check_typing::<Json>(("{\n", &entry, "  \"z\": {}\n}\n"));
    }

    #[test]
    fn brackets_of_json_are_local() {
        let keys = ["{", "}", "[", "]", "\"", ",", ":", "x"];
        let item = "  {\n    \"signature\": \"(a {b :int}) -> :int\",\n    \"tags\": [\n      \"a\"\n    ],\n    \"n\": {\n                          \"k\": 1\n    }\n  },\n";
        check_keys_anywhere::<Json>(("[\n", item, "  {}\n]\n"), &keys);
        let entry = format!("  \"an_agent\": {}", item.trim_start());
        check_keys_anywhere::<Json>(("{\n", &entry, "  \"z\": {}\n}\n"), &keys);
        let flat = "  {\"signature\": \"(a {b :int}) -> :int\", \"tags\": [\"a\"], \"n\": 1},\n";
        check_keys_anywhere::<Json>(("[\n", flat, "  {}\n]\n"), &keys);
    }

    #[test]
    fn quotes_and_brackets_in_lists_are_local() {
        // A list that is closed in an item is not the same list any more.
        let keys = ["\"", ")", "}"];
        let item = "    %{\n      name: \"a\",\n      signature: \"(a {b :int}) -> :int\",\n      run: f(1, [2])\n    },\n";
        check_keys_anywhere::<Elixir>(("x = [\n", item, "    nil\n  ]\n"), &keys);
        let flat = "    %{name: \"a\", signature: \"(a {b :int}) -> :int\", run: f(1, [2])},\n";
        check_keys_anywhere::<Elixir>(("x = [\n", flat, "    nil\n  ]\n"), &keys);
        let item = "  {:name \"a\"\n   :signature \"(a {b :int}) -> :int\"\n   :tags [1 2]\n   :last true}\n";
        check_keys_anywhere::<Lisp>(("[\n", item, "]\n"), &keys);
    }

    #[test]
    fn what_closes_too_much_among_agents_is_local() {
        let keys = ["]", ")", "}", "\"", "'", "#"];
        let item = "    SubAgent.new(\n      name: \"a\",\n      signature: \"(a {b :int}) -> [:int]\",\n      \
                    tools: %{\"t\" => \"(a :int) -> :int\"},\n      timeout: 1_000\n    ),\n\n";
        check_keys_anywhere::<Elixir>(("  @agents [\n", item, "    nil\n  ]\n"), &keys);
    }

    #[test]
    fn a_bracket_at_the_end_of_an_item_is_local() {
        let item = "    SubAgent.new(\n      name: \"a\",\n      timeout: 1_000\n    ),\n";
        let text = format!("  @agents [\n{}    nil\n  ]\n", item.repeat(400));
        let middle = text.len() / 2;
        let end = middle + text[middle..].find("\n    ),").expect("an item");
        let edit = TextEdit::insert(size(end), "]");
        let reparsed = reparse::<Elixir>(&parse::<Elixir>(&text), &edit);
        assert!(reparsed.is_some_and(|it| usize::from(it.range.len()) <= 4096));
    }

    #[test]
    fn a_bracket_at_the_start_of_a_line_of_a_list_is_local() {
        let elixir = "    SubAgent.new(\n      name: \"a\",\n      signature: \":int\"\n    ),\n";
        check_keys::<Elixir>(("  @agents [\n", elixir, "    nil\n  ]\n"), &["]", ")"]);
        let json = "  {\n    \"a\": 1\n  },\n";
        check_keys_anywhere::<Json>(("[\n", json, "  {}\n]\n"), &["}", "]"]);
    }

    #[test]
    fn keys_in_scripts_are_local() {
        let form = "agent =\n  SubAgent.new(\n    prompt: \"Greet {{user}}.\",\n    signature: \"(a {b :int}) -> :int\"\n  )\n\n\
                    {:ok, step} = SubAgent.run(agent, context: %{a: 1})\n\nfor tag <- step.return.tags do\n  IO.inspect(tag)\nend\n";
        let keys = ["\"", "(", ")", "[", "]", "{", "}", " do "];
        check_keys_anywhere::<Elixir>(("llm = f()\n\n", form, ""), &keys);
    }

    #[test]
    fn words_of_blocks_of_elixir_are_local() {
        let keys = [
            "end", " end", "end ", "do", " do ", "fn ", " do\n", "\nend", "\n  end",
        ];
        let item = "  @doc \"Looks\"\n  def run(user) do\n    # looks\n    if user do\n      SubAgent.run(\n        \"Find {{user}}\",\n        \
                    signature: \":int\"\n      )\n    end\n    |> then(fn x -> x end)\n  end\n\n";
        check_keys_anywhere::<Elixir>(("defmodule A do\n", item, "end\n"), &keys);
        let module = ["defmodule A do\n", item, "end\n\n"].concat();
        check_keys_anywhere::<Elixir>(("", &module, ""), &keys);
    }

    /// Types each of `keys` at the start of each line of `count` blocks, and deletes it. The length of what is parsed
    /// again, for all keys but one in a hundred: some change all that follows.
    fn reparsed<L: Bracketed>(
        (head, block, tail): (&str, &str, &str),
        keys: &[&str],
        count: usize,
    ) -> usize {
        let text = format!("{head}{}{tail}", block.repeat(count));
        let green = parse::<L>(&text);
        let inside = head.len() + block.len()..text.len() - tail.len();
        let lines = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut lens = Vec::new();
        for line in lines.filter(|line| inside.contains(line)) {
            for key in keys {
                let insert = TextEdit::insert(size(line), *key);
                let remove = TextEdit::delete(TextRange::at(size(line), size(key.len())));
                let typed = reparse::<L>(&green, &insert);
                let removed = typed
                    .as_ref()
                    .and_then(|it| reparse::<L>(&it.green, &remove));
                let len =
                    |it: Option<Reparsed>| it.map_or(text.len(), |it| usize::from(it.range.len()));
                lens.extend([typed, removed].map(len));
            }
        }
        lens.sort_unstable();
        lens[lens.len() * 99 / 100]
    }

    #[test]
    fn a_key_parses_as_little_in_a_short_list_as_in_a_long_one() {
        let elixir = "  def run(user) do\n    # looks\n    SubAgent.run(\n      \"Find {{user}}\",\n      \
                      signature: \":int\",\n      context: %{user: user}\n    )\n  end\n\n";
        let json = "  {\n    \"signature\": \":int\",\n    \"n\": 1\n  },\n";
        let lisp = "(defn f\n  {:signature \":int\"}\n  [a]\n  (count a))\n\n";
        for count in [12, 30, 60] {
            let keys = ["\"", "(", "{", " do ", "x", "\n", "#"];
            let len = reparsed::<Elixir>(("defmodule A do\n", elixir, "end\n"), &keys, count);
            assert!(len <= 2_000, "{len} bytes of {count} blocks of Elixir");
            let len = reparsed::<Json>(("[\n", json, "  {}\n]\n"), &["\"", "x", "\n"], count);
            assert!(len <= 2_000, "{len} bytes of {count} blocks of JSON");
            let len = reparsed::<Lisp>(("", lisp, ""), &["\"", "(", "x", "\n"], count);
            assert!(len <= 2_000, "{len} bytes of {count} blocks of Lisp");
        }
    }
}
