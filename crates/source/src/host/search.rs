//! A search for our words, which excludes most files at a fraction of the cost of parsing.
//!
//! The search is one-sided: a text without a hit has no units, a text with one may have some. Where nothing shows that
//! a document is ours, its units only count if a text among them is evidence, and the search looks for that too.

mod heads;
mod in_elixir;
mod in_markdown;
mod place;
mod value;
mod words;

pub use heads::{heads, may_name_tools};

use std::sync::LazyLock;

use aho_corasick::{Input, MatchKind, automaton::Automaton, dfa::DFA};
use memchr::memmem;

use super::{HostKind, elixir, evidence, roles::Roles};
use in_elixir::{Names, Strings};
use in_markdown::Fences;
use place::{Place, begins_tool, is_fence};
use words::{
    DIRECTIVE, ELIXIR, KEYED, LISP, MARKDOWN,
    Shows::{self, Code, Library, Ours, Parser, Possible, Program, Prompt, Signature},
    Word,
};

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
        let searched = match self.has_tuples && has_function() {
            true => text,
            false => b"",
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
        let mut searched = value::Searched::default();
        let (is_elixir, is_json) = (kind == HostKind::Elixir, kind == HostKind::Json);
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
                Signature | Prompt if is_json && !searched.may_count(text, shows, place) => {}
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

/// Whether the literal `text` may be a program with one of our words. An escape may hide one, or what stands around it.
fn may_be_lisp(text: &str) -> bool {
    let mut escapes = memchr::memchr_iter(b'\\', text.as_bytes()).peekable();
    if escapes.peek().is_none() {
        return SEARCHES.finds(HostKind::Lisp, text);
    }
    let mut words = LISP.iter();
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

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
