//! A search for our words, which excludes most files at a fraction of the cost of parsing.
//!
//! The search is one-sided: a text without a hit has no units, a text with one may have some. Where nothing shows that
//! a document is ours, its units only count if a text among them is evidence, and the search looks for that too.

mod in_elixir;
mod in_markdown;
mod value;

use std::sync::LazyLock;

use aho_corasick::{Input, MatchKind, automaton::Automaton, dfa::DFA};
use memchr::memmem;

use super::{HostKind, elixir, evidence, lisp, roles::Roles};
use in_elixir::{Names, Strings};
use in_markdown::Fences;

/// A word, a check of its context, and what it shows. Entries of the same word stand together, and the first one counts
/// whose context fits.
type Word = (&'static str, fn(Place<'_>) -> bool, Shows);

/// What a word in a text says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// The text may have units that count by themselves.
    Ours,
    /// Its units count if one of their texts reads like a signature.
    Signature,
    /// They count if one of their texts reads like a prompt.
    Prompt,
    /// It may have code blocks.
    Code,
    /// It may run a program that the text holds.
    Program,
    /// Its units only count if something else does.
    Possible,
    /// It names the library, so its units count. By itself, it has none.
    Library,
    /// It calls a parser, which is ours if the text names the module around it.
    Parser,
}

use Shows::{Code, Library, Ours, Parser, Possible, Program, Prompt, Signature};

/// A word in a text.
#[derive(Clone, Copy)]
struct Place<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

/// The start of our comments, which counts in every host.
const DIRECTIVE: Word = ("signature-ls:", anywhere, Ours);

const ELIXIR: &[Word] = &[
    DIRECTIVE,
    ("signature", in_elixir::may_have_text, Signature),
    ("prompt", in_elixir::may_have_text, Prompt),
    ("tools", in_elixir::may_have_tools, Signature),
    ("validation", in_elixir::may_have_mode, Signature),
    ("import", in_elixir::is_import_of_ours, Ours),
    ("PtcRunner", anywhere, Library),
    ("SubAgent", may_call_or_make, Ours),
    ("LLMTool", may_call_or_make, Ours),
    ("Signature", may_call_parse, Ours),
    ("Signature", may_call, Library),
    ("Parser", may_call_parse, Parser),
    ("Lisp", in_elixir::may_run_program, Program),
    ("Lisp", may_call, Library),
    ("Tool", may_call_new, Ours),
    ("as:", is_alias_of_ours, Ours),
    ("~T\"", begins_template, Ours),
    ("~PROMPT\"", anywhere, Ours),
    ("```", anywhere, Code),
    ("~~~", anywhere, Code),
];

const LISP: &[Word] = &[
    DIRECTIVE,
    (":signature", anywhere, Ours),
    (":prompt", anywhere, Ours),
    (":tools", anywhere, Ours),
    ("tool/", begins_word, Ours),
    ("data/", begins_word, Ours),
    ("ctx/", begins_word, Ours),
    ("call", heads_list, Ours),
    ("return", heads_list, Ours),
];

const KEYED: &[Word] = &[
    DIRECTIVE,
    ("signature", is_entry, Signature),
    ("prompt", is_entry, Prompt),
    ("tools", is_entry, Signature),
    ("&", is_anchor, Signature),
];

/// Code blocks are in any language; the fence of a block of signatures is in any case.
const MARKDOWN: &[Word] = &[
    DIRECTIVE,
    ("signature", is_key_or_fence, Signature),
    ("Signature:", anywhere, Signature),
    ("Signature", may_call_parse, Ours),
    ("Signature", is_fence, Ours),
    ("Signature", may_call, Library),
    ("Parser", may_call_parse, Parser),
    ("sig", is_fence, Signature),
    ("Sig", is_fence, Signature),
    ("SIG", is_fence, Signature),
    ("prompt", is_key, Prompt),
    ("tools", is_key, Signature),
    ("validation", is_key, Signature),
    ("import", is_import_of_ours, Ours),
    ("PtcRunner", anywhere, Library),
    ("SubAgent", may_call_or_make, Ours),
    ("LLMTool", may_call_or_make, Ours),
    ("Lisp", may_call_run, Ours),
    ("Lisp", may_call, Library),
    ("Tool", may_call_new, Ours),
    ("as:", is_alias_of_ours, Ours),
    ("~T\"", begins_template, Ours),
    ("~PROMPT\"", anywhere, Ours),
    ("ptc", is_fence, Ours),
    ("tool/", begins_word, Ours),
    ("data/", begins_word, Possible),
    ("ctx/", begins_word, Possible),
    ("call", heads_list, Possible),
    ("return", heads_list, Possible),
];

/// Words for one search.
struct Search {
    words: &'static [Word],
    automaton: Option<DFA>,
    /// Whether functions in tuples are hits, too. Among the words, such short ones would make their search stop too often.
    has_tuples: bool,
}

impl Search {
    fn new(words: &'static [Word], has_tuples: bool) -> Self {
        let patterns = words.iter().map(|(word, ..)| word);
        // The kind that is chosen for so few words anyway: naming it leaves out the code of the others.
        let mut builder = DFA::builder();
        let automaton = builder.match_kind(MatchKind::LeftmostFirst).build(patterns);
        Self {
            words,
            // Without it, every text counts as a hit.
            automaton: automaton.ok(),
            has_tuples,
        }
    }

    /// What the words of `text` show, and their places, in their order, and after them the functions in tuples.
    fn shown<'t>(&'t self, text: &'t str) -> Option<impl Iterator<Item = (Shows, Place<'t>)>> {
        let found = self.automaton.as_ref()?;
        let found = found.try_find_iter(Input::new(text)).ok()?;
        let words = found.filter_map(move |found| {
            let place = Place {
                text: text.as_bytes(),
                start: found.start(),
                end: found.end(),
            };
            let entries = &self.words[found.pattern().as_usize()..];
            let word = entries.first()?.0;
            let mut entries = entries.iter().take_while(|it| it.0 == word);
            entries
                .find(|(_, is_meant, _)| is_meant(place))
                .map(|it| (it.2, place))
        });
        let text = text.as_bytes();
        let has_function =
            || memchr::memchr(b'&', text).is_some() || memmem::find(text, b"fn").is_some();
        let searched = if self.has_tuples && has_function() {
            text
        } else {
            b""
        };
        let places = memchr::memchr_iter(b'{', searched).map(move |start| Place {
            text,
            start,
            end: start + 1,
        });
        let tuples = places.filter(|place| begins_tool(*place));
        let tuples = tuples.map(|place| (Signature, place));
        Some(words.chain(tuples))
    }
}

/// The search of each group of hosts.
struct Searches {
    elixir: Search,
    lisp: Search,
    keyed: Search,
    markdown: Search,
}

static SEARCHES: LazyLock<Searches> = LazyLock::new(|| Searches {
    elixir: Search::new(ELIXIR, true),
    lisp: Search::new(LISP, false),
    keyed: Search::new(KEYED, false),
    markdown: Search::new(MARKDOWN, true),
});

impl Searches {
    /// The search for documents of `kind`; `None` if each of them may have units.
    fn of(&self, kind: HostKind) -> Option<&Search> {
        match kind {
            HostKind::Prompt | HostKind::Catalog => None,
            HostKind::Elixir => Some(&self.elixir),
            HostKind::Lisp => Some(&self.lisp),
            HostKind::Json | HostKind::Yaml => Some(&self.keyed),
            HostKind::Markdown | HostKind::Livebook => Some(&self.markdown),
        }
    }

    /// Whether a document of `kind` with `text` may have units.
    fn finds(&self, kind: HostKind, text: &str) -> bool {
        let is_markdown = matches!(kind, HostKind::Markdown | HostKind::Livebook);
        self.finds_outside(is_markdown.then(|| Fences::of(text)), kind, text)
    }

    /// The same, where no code is between `fences`, if they are known.
    fn finds_outside(&self, mut fences: Option<Fences<'_>>, kind: HostKind, text: &str) -> bool {
        let Some(shown) = self.of(kind).and_then(|search| search.shown(text)) else {
            return true;
        };
        let (mut code, mut data, mut parser) = (false, false, false);
        let mut names = Names::default();
        let mut strings = Strings::of(text);
        // The first function that may be a tool with a text after it.
        let mut functions = None;
        let is_elixir = kind == HostKind::Elixir;
        for (shows, place) in shown {
            match shows {
                Library => {}
                Code => code = true,
                Parser => parser = true,
                Program | Signature | Prompt if is_elixir && names.add(place) => {}
                Signature if is_elixir && in_elixir::is_data(place) => data = true,
                Signature if is_elixir && in_elixir::begins_function(place) => {
                    functions = Some(place.start.min(functions.unwrap_or(place.start)));
                }
                Signature if is_elixir && !in_elixir::may_describe_capture(place) => {}
                Ours | Possible if is_prose(&mut fences, place) => {}
                Program if !in_elixir::may_have_program(&mut strings, place) => {}
                Ours | Program | Signature | Prompt | Possible => return true,
            }
        }
        let finds = |text: &str| self.finds_outside(None, HostKind::Markdown, text);
        names.are_bound(&mut strings)
            || functions.is_some_and(|it| in_elixir::describes_function(&mut strings, it, |_| true))
            || parser && names_parser_parent(text)
            || data && in_elixir::may_take_tools(text)
            || code && in_elixir::in_docs(text, &finds)
    }

    /// Whether a unit of `text` may count where nothing else shows that the text is ours.
    fn may_count(&self, search: &Search, kind: HostKind, text: &str) -> bool {
        let Some(shown) = search.shown(text) else {
            return true;
        };
        let (mut signature, mut prompt, mut code) = (false, false, false);
        let (mut library, mut parser, mut other) = (false, false, false);
        let is_keyed = matches!(kind, HostKind::Json | HostKind::Yaml);
        // Not in the code blocks of its documentation.
        let is_elixir = std::ptr::eq(search, &self.elixir);
        let mut names = Names::default();
        let mut strings = Strings::of(text);
        // The first function that may be a tool with a text after it.
        let mut functions = None;
        // The ends of the values that were searched, with the values in them. A text ends early where its quote is
        // missing. A value that may be anywhere is the last one to look for: then all of the text is searched.
        let (mut signatures, mut prompts) = (0, 0);
        for (shows, place) in shown {
            let value = match shows {
                Signature if place.start < signatures || is_keyed && signature => Some(0..0),
                Prompt if place.start < prompts || is_keyed && prompt => Some(0..0),
                _ if is_keyed => value::of(kind, text, place.start..place.end),
                Signature | Prompt if is_elixir && names.add(place) => Some(0..0),
                Signature | Prompt if is_elixir => in_elixir::text_of(&mut strings, place),
                _ => None,
            };
            match (shows, value) {
                (Ours | Program, _) => return true,
                (Signature, None) if is_elixir && in_elixir::begins_function(place) => {
                    functions = Some(place.start.min(functions.unwrap_or(place.start)));
                }
                (Signature, None) => signature = true,
                (Prompt, None) => prompt = true,
                (Signature, Some(value)) if evidence::may_have_signature(&text[value.clone()]) => {
                    return true;
                }
                (Prompt, Some(value)) if evidence::may_have_prompt(&text[value.clone()]) => {
                    return true;
                }
                (_, Some(value)) if !is_keyed || text[value.start..].starts_with('"') => {}
                (Signature, Some(value)) => signatures = signatures.max(value.end),
                (Prompt, Some(value)) => prompts = prompts.max(value.end),
                (Code, _) => code = true,
                (Library, _) => library = true,
                (Parser, _) => parser = true,
                (Possible, _) => {}
            }
            other |= shows != Library;
        }
        let is_bound = names.are_bound(&mut strings);
        let may_have = evidence::may_have_signature;
        let mut describes = |it| in_elixir::describes_function(&mut strings, it, may_have);
        signature |= is_bound || functions.is_some_and(&mut describes);
        prompt |= is_bound;
        library && other
            || parser && names_parser_parent(text)
            || signature && may_have_signature(kind, text)
            || prompt && evidence::may_have_prompt(text)
            || code && in_elixir::in_docs(text, &|it| self.may_count(&self.markdown, kind, it))
    }
}

/// Whether a document of `kind` with `text` may have units, apart from heads of functions. Where no files are read, as
/// in a page, every text may: the search is larger than the time that it saves is worth.
pub fn may_matter(kind: HostKind, text: &str, roles: &Roles) -> bool {
    if !cfg!(feature = "native") {
        return true;
    }
    has_added_word(text, roles) || SEARCHES.finds(kind, text)
}

/// Whether the literal `text` may be a program with one of our words. An escape may hide one.
fn may_be_lisp(text: &str) -> bool {
    let mut words = LISP.iter();
    let mut escapes = memchr::memchr_iter(b'\\', text.as_bytes());
    words.any(|(word, ..)| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
        || escapes.any(|at| !text[at + 1..].starts_with(['"', '\\', 'n']))
}

/// Whether documentation in Elixir may have units, given its text.
pub fn may_matter_in_doc(text: &str, roles: &Roles) -> bool {
    let has_code = || ["```", "~~~"].iter().any(|it| text.contains(it));
    may_matter(HostKind::Elixir, text, roles)
        || has_code() && SEARCHES.finds_outside(None, HostKind::Markdown, text)
}

/// Whether one of these units may count, if nothing but the text shows that the document is ours.
pub fn may_count(kind: HostKind, text: &str, roles: &Roles) -> bool {
    if !cfg!(feature = "native") {
        return true;
    }
    let search = SEARCHES.of(kind);
    let finds = |search| SEARCHES.may_count(search, kind, text);
    search.is_none_or(|search| has_added_word(text, roles) || finds(search))
}

/// Whether `text` names the module around our parser.
fn names_parser_parent(text: &str) -> bool {
    memmem::find(text.as_bytes(), b"Signature").is_some()
}

/// Whether there may be one of our comments in `text`.
pub fn may_have_directive(text: &str) -> bool {
    memmem::find(text.as_bytes(), DIRECTIVE.0.as_bytes()).is_some()
}

/// Whether a literal in `text` may read like a signature. Atoms in the code of Elixir do too, so there only its strings
/// are searched.
fn may_have_signature(kind: HostKind, text: &str) -> bool {
    let may_have = evidence::may_have_signature;
    may_have(text) && (kind != HostKind::Elixir || elixir::texts(text).any(may_have))
}

fn has_added_word(text: &str, roles: &Roles) -> bool {
    let is_in = |name: &str| memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    roles.added_words().any(is_in)
}

/// Whether a word of code in Markdown is in no code block.
fn is_prose(fences: &mut Option<Fences<'_>>, place: Place<'_>) -> bool {
    let is_of_code = place.word() != DIRECTIVE.0.as_bytes() && !is_fence(place);
    is_of_code && fences.as_mut().is_some_and(|it| !it.may_be_code(place))
}

fn anywhere(_: Place<'_>) -> bool {
    true
}

impl<'t> Place<'t> {
    fn word(self) -> &'t [u8] {
        &self.text[self.start..self.end]
    }

    fn before(self) -> &'t [u8] {
        &self.text[..self.start]
    }

    /// The code after it, without white space.
    fn after(self) -> &'t [u8] {
        self.text[self.end..].trim_ascii_start()
    }

    /// The code from the name of the function that is called, if it is a module before a dot.
    fn called(self) -> Option<&'t [u8]> {
        // A number may end there.
        let goes_on = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        let is_name = !self.before().last().is_some_and(goes_on);
        let after = in_elixir::without_blanks(self.after());
        let called = in_elixir::without_blanks(after.strip_prefix(b".")?);
        is_name.then_some(called)
    }
}

/// Whether it can be a key or an attribute of Elixir, or a bound name: `tools:`, `"tools" =>`, `:tools`, `@tools`,
/// `search_tools = %{`.
fn is_key(place: Place<'_>) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let after = &place.text[place.end..];
    if after.first().is_some_and(is_part) {
        return false;
    }
    let before = place.before();
    let prefixes = [&b"json_"[..], b"signature_"];
    let prefix = prefixes.iter().find_map(|it| before.strip_suffix(*it));
    match prefix.unwrap_or(before).last() {
        Some(b'"' | b'\'' | b':' | b'@') => may_have_value(after),
        _ => matches!(after.trim_ascii_start().first(), Some(b':' | b'=' | b'%')),
    }
}

/// Whether a value may follow a key, given the code after it.
fn may_have_value(after: &[u8]) -> bool {
    let after = match after {
        [b'"' | b'\'', after @ ..] => after,
        after => after,
    };
    let next = after.trim_ascii_start().first();
    next.is_some_and(|it| !b"])}.;`|".contains(it))
}

/// Whether it is a module in a call of one of its functions.
fn may_call(place: Place<'_>) -> bool {
    let called = place.called();
    called.is_some_and(|it| matches!(it, [b'a'..=b'z' | b'_', ..]))
}

/// Whether it is a sigil of a template: `~T"12:00:00"` is a time.
fn begins_template(place: Place<'_>) -> bool {
    let body = &place.text[place.end..];
    let is_part = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.');
    let len = body.iter().take_while(is_part).count();
    len == 0 || body.get(len) != Some(&b'"')
}

/// Whether it is a module in a call of one of its functions, or a struct. Before the rest may be a comment.
fn may_call_or_make(place: Place<'_>) -> bool {
    match place.after() {
        [b'{' | b'#', ..] => true,
        [b'.', name @ ..] => {
            matches!(name.trim_ascii_start(), [b'a'..=b'z' | b'_' | b'#', ..])
        }
        _ => false,
    }
}

fn may_call_parse(place: Place<'_>) -> bool {
    calls(place, b"parse")
}

fn may_call_run(place: Place<'_>) -> bool {
    calls(place, b"run")
}

fn is_key_or_fence(place: Place<'_>) -> bool {
    is_key(place) || is_fence(place)
}

/// Whether it can be a key of YAML or JSON: before the colon can be white space and comments.
fn is_entry(place: Place<'_>) -> bool {
    // After an escaped quote, it is a word of a text.
    if !begins_word(place) || place.before().ends_with(b"\\\"") {
        return false;
    }
    let after = &place.text[place.end..];
    let after = match after {
        [b'"' | b'\'', after @ ..] => after,
        after => after,
    };
    let next = after.trim_ascii_start().first();
    matches!(next, Some(b':' | b'#' | b'/'))
}

/// Whether it can be the anchor of a literal with parentheses in YAML: a whole signature counts under any key.
fn is_anchor(place: Place<'_>) -> bool {
    let begins = |byte: &u8| byte.is_ascii_whitespace() || b"[{,".contains(byte);
    let after = &place.text[place.end..];
    if !place.before().last().is_none_or(begins) || after.starts_with(b"&") {
        return false;
    }
    let is_part = |byte: &&u8| !byte.is_ascii_whitespace() && !b"[]{},".contains(byte);
    let name = after.iter().take_while(is_part);
    let value = after[name.count()..].trim_ascii_start().first();
    value.is_some_and(|it| b"(\"'|>!#".contains(it))
}

/// Whether it is the first word after the beginning of a fence.
fn is_fence(place: Place<'_>) -> bool {
    let before = place.before();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'\n' | 0x80..);
    let signs = before.iter().rev().take_while(|it| !is_part(it)).count();
    let signs = &before[before.len() - signs..];
    ["```", "~~~"]
        .iter()
        .any(|it| memmem::find(signs, it.as_bytes()).is_some())
}

fn may_call_new(place: Place<'_>) -> bool {
    calls(place, b"new")
}

/// Whether it is a module in a call of `function`.
fn calls(place: Place<'_>, function: &[u8]) -> bool {
    place.called().is_some_and(|it| it.starts_with(function))
}

/// Whether functions of the library are imported, so that its modules are not named in calls.
fn is_import_of_ours(place: Place<'_>) -> bool {
    place.after().starts_with(b"PtcRunner")
}

/// Whether a module gets an alias that may be one of ours.
fn is_alias_of_ours(place: Place<'_>) -> bool {
    let target = place.before().trim_ascii_end();
    let target = target.strip_suffix(b",").unwrap_or(target).trim_ascii_end();
    [
        "Signature",
        "Signature.Parser",
        "Lisp",
        "Tool",
        "SubAgent",
        "PtcRunner",
    ]
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

/// Whether no word ends before it. The comment `/* … */` is none.
fn begins_word(place: Place<'_>) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/".contains(byte);
    !place.before().last().is_some_and(is_part) || place.before().ends_with(b"*/")
}

/// Whether it is the whole first word of a list of Lisp.
fn heads_list(place: Place<'_>) -> bool {
    // White space need not be ASCII.
    let ends = |byte: &u8| !byte.is_ascii() || !lisp::is_name_part(char::from(*byte));
    let next = place.text.get(place.end);
    next.is_none_or(ends) && place.before().trim_ascii_end().ends_with(b"(")
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
        let end = closing(parameters).map_or(end, |it| end.max(start + it));
        let is_head = is_apart && percent.from(start) < end && colon.from(start) < end;
        is_head.then_some(name)
    })
}

/// The longest parameters whose parentheses are counted.
const LONGEST_PARAMETERS: usize = 1024;

/// Where the parenthesis closes that opens before `parameters`; `None` if that is too far away.
fn closing(parameters: &str) -> Option<usize> {
    let mut open = 1;
    parameters
        .bytes()
        .take(LONGEST_PARAMETERS)
        .position(|byte| {
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            open == 0
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

/// Whether code in Elixir may say which functions are tools: the value of a key is a function by its name, alone or in a
/// tuple.
pub fn may_name_tools(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_value = |at: usize| {
        let before = bytes[..at].trim_ascii_end();
        // Before the line may be a comment.
        let begins_line = bytes[before.len()..at].contains(&b'\n');
        let name = bytes[at + 1..].trim_ascii_start().first();
        (begins_line || matches!(before.last(), Some(b':' | b'>' | b'{')))
            && name.is_some_and(|it| !matches!(it, b'0'..=b'9' | b'(' | b'{' | b'['))
    };
    memmem::find(bytes, b"tools").is_some() && memchr::memchr_iter(b'&', bytes).any(is_value)
}

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
