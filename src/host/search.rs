//! A search for our words, which excludes most files at a fraction of the cost of parsing.
//!
//! The search is one-sided: a text without a hit has no units, a text with one may have some.

use std::sync::LazyLock;

use aho_corasick::{Input, MatchKind, automaton::Automaton, dfa::DFA};
use memchr::memmem;

use super::{HostKind, roles::Roles};

/// A word, and a check of its context.
type Word = (&'static str, fn(Place<'_>) -> bool);

/// A word in a text.
#[derive(Clone, Copy)]
struct Place<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

/// The start of our comments, which counts in every host.
const DIRECTIVE: Word = ("signature-ls:", anywhere);

const ELIXIR: &[Word] = &[
    DIRECTIVE,
    ("signature", is_key),
    ("prompt", is_key),
    ("tools", is_key),
    ("validation", is_key),
    ("SubAgent", anywhere),
    ("LLMTool", anywhere),
    ("Signature", may_call_parse),
    ("Lisp", may_call_run),
    ("Tool", may_call_new),
    ("import", is_import_of_ours),
    ("as:", is_alias_of_ours),
    ("~T\"", anywhere),
    ("~PROMPT\"", anywhere),
    ("```", anywhere),
    ("~~~", anywhere),
    ("{&", begins_tool),
    ("{fn", begins_tool),
    ("{ ", begins_tool),
    ("{\t", begins_tool),
    ("{\n", begins_tool),
    ("{\r", begins_tool),
    ("{#", begins_tool),
];

const LISP: &[Word] = &[
    DIRECTIVE,
    (":signature", anywhere),
    (":prompt", anywhere),
    (":tools", anywhere),
    ("tool/", begins_word),
    ("data/", begins_word),
    ("ctx/", begins_word),
    ("call", begins_list),
    ("return", begins_list),
];

const KEYED: &[Word] = &[
    DIRECTIVE,
    ("signature", anywhere),
    ("prompt", anywhere),
    ("tools", anywhere),
];

/// Code blocks are in any language; the fence of a block of signatures is in any case.
const MARKDOWN: &[Word] = &[
    ("sig", anywhere),
    ("Sig", anywhere),
    ("SIG", anywhere),
    ("prompt", anywhere),
    ("tools", anywhere),
    ("validation", anywhere),
    ("SubAgent", anywhere),
    ("LLMTool", anywhere),
    ("Lisp", anywhere),
    ("Tool", anywhere),
    ("import", is_import_of_ours),
    ("~T\"", anywhere),
    ("~PROMPT\"", anywhere),
    ("tool/", anywhere),
    ("data/", anywhere),
    ("ctx/", anywhere),
    ("call", begins_list),
    ("return", begins_list),
    ("{&", begins_tool),
    ("{fn", begins_tool),
    ("{ ", begins_tool),
    ("{\t", begins_tool),
    ("{\n", begins_tool),
    ("{\r", begins_tool),
    ("{#", begins_tool),
];

/// Words for one search.
struct Search {
    words: &'static [Word],
    automaton: Option<DFA>,
}

impl Search {
    fn new(words: &'static [Word]) -> Self {
        let patterns = words.iter().map(|(word, _)| word);
        // The kind that is chosen for so few words anyway: naming it leaves out the code of the others.
        let mut builder = DFA::builder();
        let automaton = builder.match_kind(MatchKind::LeftmostFirst).build(patterns);
        Self {
            words,
            // Without it, every text counts as a hit.
            automaton: automaton.ok(),
        }
    }

    fn finds(&self, text: &str) -> bool {
        let found = self.automaton.as_ref();
        let Some(mut found) = found.and_then(|it| it.try_find_iter(Input::new(text)).ok()) else {
            return true;
        };
        found.any(|found| {
            let (_, is_ours) = self.words[found.pattern().as_usize()];
            is_ours(Place {
                text: text.as_bytes(),
                start: found.start(),
                end: found.end(),
            })
        })
    }
}

/// Whether a document of `kind` with `text` may have units, apart from heads of functions. Where no files are read, as
/// in a page, every text may: the search is larger than the time that it saves is worth.
pub fn may_matter(kind: HostKind, text: &str, roles: &Roles) -> bool {
    if !cfg!(feature = "workspace") {
        return true;
    }
    static SEARCHES: LazyLock<[Search; 4]> =
        LazyLock::new(|| [ELIXIR, LISP, KEYED, MARKDOWN].map(Search::new));
    let [elixir, lisp, keyed, markdown] = &*SEARCHES;
    let search = match kind {
        HostKind::Prompt | HostKind::Catalog => return true,
        HostKind::Elixir => elixir,
        HostKind::Lisp => lisp,
        HostKind::Json | HostKind::Yaml => keyed,
        HostKind::Markdown | HostKind::Livebook => markdown,
    };
    let is_in = |name: &str| memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    roles.added_words().any(is_in) || search.finds(text)
}

fn anywhere(_: Place<'_>) -> bool {
    true
}

impl<'t> Place<'t> {
    fn before(self) -> &'t [u8] {
        &self.text[..self.start]
    }

    /// The code after it, without white space.
    fn after(self) -> &'t [u8] {
        self.text[self.end..].trim_ascii_start()
    }
}

/// Whether it can be a key or an attribute of Elixir, or a bound name: `tools:`, `"tools" =>`, `:tools`, `@tools`,
/// `search_tools = %{`.
fn is_key(place: Place<'_>) -> bool {
    let is_marked = matches!(place.before().last(), Some(b'"' | b'\'' | b':' | b'@'));
    let next = place.after().first();
    is_marked || matches!(next, Some(b':' | b'"' | b'\'' | b'=' | b'%'))
}

fn may_call_parse(place: Place<'_>) -> bool {
    calls(place, b"parse")
}

fn may_call_run(place: Place<'_>) -> bool {
    calls(place, b"run")
}

fn may_call_new(place: Place<'_>) -> bool {
    calls(place, b"new")
}

/// Whether it is a module in a call of `function`.
fn calls(place: Place<'_>, function: &[u8]) -> bool {
    let name = place.after().strip_prefix(b".");
    name.is_some_and(|it| it.trim_ascii_start().starts_with(function))
}

/// Whether functions of the library are imported, so that its modules are not named in calls.
fn is_import_of_ours(place: Place<'_>) -> bool {
    place.after().starts_with(b"PtcRunner")
}

/// Whether a module gets an alias that may be one of ours.
fn is_alias_of_ours(place: Place<'_>) -> bool {
    let target = place.before().trim_ascii_end();
    let target = target.strip_suffix(b",").unwrap_or(target).trim_ascii_end();
    ["Signature", "Lisp", "Tool", "PtcRunner"]
        .iter()
        .any(|module| target.ends_with(module.as_bytes()))
}

/// The number of bytes after a brace that are searched for its first word.
const MOST_BEFORE_WORD: usize = 1024;

/// Whether the brace is followed by a function, as in `{&run/1, "() -> :int"}`. After too much white space or too many
/// comments, it may be.
fn begins_tool(place: Place<'_>) -> bool {
    let rest = &place.text[place.start + 1..];
    let searched = &rest[..rest.len().min(MOST_BEFORE_WORD)];
    let mut code = searched.trim_ascii_start();
    while code.first() == Some(&b'#') {
        let end = memchr::memchr(b'\n', code).unwrap_or(code.len());
        code = code[end..].trim_ascii_start();
    }
    match code {
        [] => searched.len() < rest.len(),
        [b'&', rest @ ..] => {
            let name = rest.trim_ascii_start().first();
            name.is_none_or(|byte| !matches!(byte, b'0'..=b'9' | b'(' | b'{' | b'['))
        }
        // The search may end in the word.
        [b'f'] | [b'f', b'n'] => true,
        [b'f', b'n', next, ..] => !next.is_ascii_alphanumeric() && *next != b'_',
        _ => false,
    }
}

/// Whether no word ends before it.
fn begins_word(place: Place<'_>) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/".contains(byte);
    !place.before().last().is_some_and(is_part)
}

/// Whether a parenthesis opens before it.
fn begins_list(place: Place<'_>) -> bool {
    place.before().trim_ascii_end().ends_with(b"(")
}

/// The names of the functions with one parameter that may be a map with atom keys: such a head matters if the function
/// is a tool.
pub fn heads(text: &str) -> impl Iterator<Item = &str> {
    let definitions = memmem::find_iter(text.as_bytes(), "def");
    let mut parenthesis = Next::new(text, b')');
    let mut percent = Next::new(text, b'%');
    let mut colon = Next::new(text, b':');
    definitions.filter_map(move |at| {
        let rest = &text[at + "def".len()..];
        let rest = rest.strip_prefix('p').unwrap_or(rest);
        let name = rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!');
        let mut chars = name.char_indices().take(LONGEST_NAME + 1);
        let (end, _) = chars.find(|(_, c)| !is_part(*c))?;
        let (name, parameters) = name.split_at(end);
        let is_apart = rest.len() > name.len() + parameters.len();
        let parameters = parameters.trim_start().strip_prefix('(')?;
        let start = text.len() - parameters.len();
        let end = parenthesis.from(start);
        let is_head = is_apart && percent.from(start) < end && colon.from(start) < end;
        is_head.then_some(name)
    })
}

/// The most characters that Elixir allows in a name.
const LONGEST_NAME: usize = 255;

/// The next place of a byte, for a reader that only goes on: so all of a text is searched once.
struct Next<'t> {
    text: &'t [u8],
    byte: u8,
    /// The first place at or after the one that was asked for last; the end of the text where there is none.
    at: usize,
}

impl<'t> Next<'t> {
    fn new(text: &'t str, byte: u8) -> Self {
        let text = text.as_bytes();
        let at = memchr::memchr(byte, text).unwrap_or(text.len());
        Self { text, byte, at }
    }

    /// The first place at or after `start`.
    fn from(&mut self, start: usize) -> usize {
        if self.at < start {
            let next = memchr::memchr(self.byte, &self.text[start..]);
            self.at = next.map_or(self.text.len(), |it| start + it);
        }
        self.at
    }
}

/// Whether code in Elixir may say which functions are tools.
pub fn may_name_tools(text: &str) -> bool {
    let is_in = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    is_in("tools") && is_in("&")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{host::HostDocument, text::Text};

    fn roles() -> Roles {
        Roles::default()
    }

    /// Each byte is looked at a few times, not once for each definition before it.
    #[test]
    fn heads_of_a_long_text_are_found_at_once() {
        for part in ["defp g(: ++", "def", "def f(% ", "def f(%{a: a}) "] {
            let text = part.repeat(1 << 17);
            let expected = if part.contains(')') { 1 << 17 } else { 0 };
            assert_eq!(heads(&text).count(), expected, "{part}");
        }
        let found: Vec<_> = heads("defp  a?(%{b: 1}), def b(x), def\nc (%{a: (1)})").collect();
        assert_eq!(found, ["a?", "c"]);
    }

    /// A text without a hit has no units apart from heads of functions and namespaces.
    #[track_caller]
    fn check(kind: HostKind, text: &str) {
        if may_matter(kind, text, &roles()) {
            return;
        }
        let document = HostDocument::parse(kind, &Text::from(text), &roles());
        for placed in document.units() {
            let unit = &placed.unit;
            let program = &unit.program;
            let says_nothing = program.calls.is_empty()
                && program.returns.is_empty()
                && program.references.is_empty();
            let is_silent = unit.sites.is_empty() && unit.tools.is_none() && says_nothing;
            assert!(is_silent, "{kind:?} {text:?}: {unit:?}");
            if let Some(name) = unit.function() {
                assert!(heads(text).any(|it| it == name), "{name} in {text:?}");
            }
        }
    }

    /// Parts of texts, with and without units.
    fn parts() -> impl Strategy<Value = String> {
        let part = proptest::sample::select(vec![
            "signature",
            "prompt",
            "tools",
            "description",
            "name",
            "validation",
            "x",
            "f",
            ":",
            ": ",
            "@",
            "\"",
            "'",
            " ",
            "\n",
            "  ",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "%{",
            "&",
            "fn ",
            " end",
            " do\n",
            "->",
            "=>",
            " = ",
            ", ",
            "/1",
            ".",
            "|> ",
            "# c\n",
            "SubAgent",
            "LLMTool",
            "Signature",
            "Lisp",
            "Tool",
            "PtcRunner",
            ".run(",
            ".parse(",
            ".new(",
            "alias ",
            "import ",
            "as: ",
            "use ",
            "require ",
            "def f(",
            "def g(%{a: b})",
            "defp ",
            "defmodule A do\n",
            "~T\"",
            "~PROMPT\"\"\"\n",
            "@doc \"\"\"\n",
            "\"\"\"\n",
            "```elixir\n",
            "```\n",
            "```clojure\n",
            "iex> ",
            "\"(a :int) -> :int\"",
            "(a :int) -> :int",
            "{{a}}",
            "tool/",
            "data/",
            "ctx/",
            "(call \"a\"",
            "(return 1)",
            "(ns a)",
            "---\n",
            "- ",
            "~~~ sig\n",
            "|\n",
            "SubAgent.run(\"{{a}}\")",
            "{&f/1, \"(a :int) -> :int\"}",
            "{fn a -> a end, \"() -> :int\"}",
            "{ # c\n &f/1, \"() -> :int\"}",
            "PtcRunner.Tool.new(\"a\", {&f/1, \"() -> :int\"})",
            "\"() -> :int\" |> Signature.parse()",
            "Lisp . run \"(tool/a)\"",
            "tools: %{\"a\" => &f/1}",
            "my_tools = %{a: &f/1}",
            "defn",
        ]);
        proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn what_the_search_leaves_out_holds_nothing(text in parts()) {
            for kind in HostKind::ALL {
                check(*kind, &text);
            }
        }
    }

    #[test]
    fn words_that_are_not_ours_are_no_hits() {
        for (kind, text) in [
            (
                HostKind::Elixir,
                "def run(signature, prompt), do: verify_signature(signature) # tools",
            ),
            (
                HostKind::Elixir,
                "x = {1, fn -> 1 end}\ny = {&1, \"a\"}\nalias MyApp.Lisp\n%{a: 1}",
            ),
            (HostKind::Elixir, "%{\n  a: 1\n}\n{ b, c }"),
            (
                HostKind::Lisp,
                "(defn f [signature] (clojure.data/diff 1 2) (recall return))",
            ),
            (HostKind::Json, "{\"name\": \"a\", \"description\": \"b\"}"),
            (HostKind::Yaml, "name: a\non: [push]\n"),
            (
                HostKind::Markdown,
                "# Title\n\nWords, `code`.\n\n```elixir\nf(x)\n```\n",
            ),
        ] {
            assert!(!may_matter(kind, text, &roles()), "{text}");
        }
    }
}
