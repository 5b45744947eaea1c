//! Resolves module names: which of them are modules of the library.
//!
//! Aliases and imports count for the whole document. A name that is nowhere said to be another module's is the
//! library's own, as code in guides leaves the aliases out. In a file that defines modules of its own and never names
//! the library, that is only assumed.

mod said;

use std::collections::BTreeSet;

use foldhash::HashSet;
use memchr::memmem;
use rowan::GreenNode;

use said::{Imported, Said, Target};

use super::{Elixir, call::Callee};
use crate::{
    host::{
        comments::token_of,
        roles::{LIBRARY, MODULES, is_library_call, library_calls},
        token_tree::{Element, Kind, SyntaxNode, parse},
        units::moved,
    },
    order,
    text::{Text, TextEdit, TextRange, TextSize, size},
};

/// The statements of a document that name modules, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statements {
    list: Vec<(TextSize, Said)>,
}

/// What the names of modules stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Modules {
    /// Sorted, each once.
    said: Vec<Said>,
    /// The names that are said to stand for something, sorted.
    locals: Vec<Local>,
    /// The functions of the library that are imported, each with its module, sorted.
    imported: Vec<(&'static str, &'static str)>,
    /// Whether the document defines modules of another program and never names the library.
    is_foreign: bool,
    /// Whether it is an example, which leaves out most of what its program says.
    is_example: bool,
}

/// What a name is said to stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Local {
    name: String,
    /// The last name of the module of the library that it is according to the first statement that says so.
    module: Option<String>,
}

/// The names of modules that many programs have: without an alias, only calls of the functions that we know count, and
/// none in an example.
const COMMON: [&str; 2] = ["Lisp", "Signature"];

/// The module that other libraries of agents have, too: an example may be one of theirs.
const AGENT: &str = "SubAgent";

/// A call of a function of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryCall<'a> {
    /// The last name of the module.
    pub module: &'a str,
    /// The function.
    pub function: &'a str,
    /// Whether the module may as well be another program's.
    pub is_assumed: bool,
}

/// A module of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Module<'a> {
    /// Its last name.
    pub name: &'a str,
    /// Whether it may as well be another program's.
    pub is_assumed: bool,
    /// Whether nothing but its last name says so, which many modules have.
    is_common: bool,
}

impl<'a> From<LibraryCall<'a>> for Module<'a> {
    fn from(call: LibraryCall<'a>) -> Self {
        Self {
            name: call.module,
            is_assumed: call.is_assumed,
            is_common: false,
        }
    }
}

impl Statements {
    /// Adds what the statement of `elements` says.
    pub fn add(&mut self, elements: &[Element<'_>]) {
        let Some(word) = elements.first() else {
            return;
        };
        let start = word.range.start();
        let said = Said::of(elements);
        self.list.extend(said.into_iter().map(|said| (start, said)));
    }

    /// Adds other statements; see [`Self::sort`].
    pub fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    /// Puts the statements in the order of the text.
    pub fn sort(&mut self) {
        self.list.sort();
    }

    /// Puts `new`, the statements in the stretch that `edit` touched, in the place of those in `old`. Returns whether they
    /// say something else.
    pub fn replace(&mut self, old: TextRange, new: Self, edit: &TextEdit) -> bool {
        let first = self.list.partition_point(|(start, _)| *start < old.start());
        let end = self.list.partition_point(|(start, _)| *start < old.end());
        for (start, _) in &mut self.list[end.max(first)..] {
            *start = moved(*start, edit);
        }
        let range = first..end.max(first);
        let before = self.list[range.clone()].iter().map(|(_, said)| said);
        let differs = before.ne(new.list.iter().map(|(_, said)| said));
        self.list.splice(range, new.list);
        differs
    }

    /// What all of them say.
    pub fn modules(&self) -> Modules {
        // Thousands of modules may say the same.
        let said: BTreeSet<_> = self.list.iter().map(|(_, said)| said).collect();
        let said: Vec<_> = said.into_iter().cloned().collect();
        let is_foreign = said.contains(&Said::Other) && !said.iter().any(Said::names_library);
        Modules {
            locals: locals(&said),
            imported: imported_functions(&said),
            said,
            is_foreign,
            is_example: false,
        }
    }
}

/// What a document says of modules, as far as its single lines tell: nearly always all of it, at a fraction of what a
/// walk costs. Whoever walks through the document finds out.
pub(super) fn guess(text: &str) -> Modules {
    let mut statements = Statements::default();
    for word in ["alias ", "require ", "import ", "use ", "defmodule "] {
        let found = memmem::find_iter(text.as_bytes(), word);
        for at in found.filter(|at| begins_line(text, *at)) {
            let line = text[at..].lines().next().unwrap_or_default();
            let mut ours = MODULES.iter();
            if word == "defmodule "
                || ours.any(|it| memmem::find(line.as_bytes(), it.as_bytes()).is_some())
            {
                let tree = parse::<Elixir>(with_group(&text[at..], line));
                let root = Element::node(&tree, TextSize::default());
                let elements: Vec<_> = root
                    .elements()
                    .filter(|it| !it.kind().is_trivia())
                    .collect();
                statements.add(&elements);
            }
        }
    }
    statements.modules()
}

/// The longest group of aliases that is read.
const LONGEST_GROUP: usize = 4096;

/// The `line` at the start of `text`, with the group that it opens.
fn with_group<'t>(text: &'t str, line: &'t str) -> &'t str {
    let near = &text.as_bytes()[..text.len().min(LONGEST_GROUP)];
    match memchr::memchr(b'}', near) {
        Some(end) if line.trim_end().ends_with('{') => &text[..=end],
        _ => line,
    }
}

/// Whether only blanks precede `at` in its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '\r'])
}

impl Modules {
    /// The same where the document may be an example.
    pub(super) fn in_example(self, is_example: bool) -> Self {
        Self { is_example, ..self }
    }

    /// Whether all names of `text`, which has this tree, mean outside of `changed` what they did with the modules
    /// `before`.
    pub(super) fn mean_the_same(
        &self,
        before: &Self,
        (text, tree): (&Text, &GreenNode),
        changed: TextRange,
    ) -> bool {
        if !self.imports().eq(before.imports()) {
            return false;
        }
        let names = self.names().chain(before.names());
        let names = names.chain(MODULES.iter().copied());
        let differs =
            |name: &&str| self.module([*name].into_iter()) != before.module([*name].into_iter());
        let names: Vec<_> = names.filter(differs).collect();
        let root = SyntaxNode::new_root(tree.clone());
        // Most words of that name are in prompts and comments.
        let is_name = |at: TextSize, name: &str| {
            let token = token_of(root.clone(), at);
            token.is_some_and(|it| it.text_range().start() == at && it.text() == name)
        };
        names.into_iter().all(|name| {
            let mut found = occurrences(text, name).filter(|it| !changed.contains(*it));
            !found.any(|at| is_name(at, name))
        })
    }

    /// The names that are said to stand for something.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|it| it.name.as_str())
    }

    /// The modules of which functions are imported, and which.
    fn imports(&self) -> impl Iterator<Item = (&str, &Imported)> {
        imports(&self.said)
    }

    /// What `name` is said to stand for.
    fn local(&self, name: &str) -> Option<&Local> {
        let found = self
            .locals
            .binary_search_by(|it| it.name.as_str().cmp(name));
        Some(&self.locals[found.ok()?])
    }

    /// The module of the library that a name of these parts is.
    fn module<'a>(
        &'a self,
        mut path: impl DoubleEndedIterator<Item = &'a str>,
    ) -> Option<Module<'a>> {
        let first = path.next()?;
        let last = path.next_back();
        let before = path.next_back().unwrap_or(first);
        let last = last.map(|last| module_of([before, last]));
        let certain = |name| Module {
            name,
            is_assumed: false,
            is_common: false,
        };
        if first == LIBRARY {
            return Some(certain(last.unwrap_or(first)));
        }
        match self.local(first) {
            Some(local) => Some(certain(last.unwrap_or(local.module.as_deref()?))),
            None if MODULES.contains(&first) => Some(Module {
                name: last.unwrap_or(first),
                is_assumed: self.is_foreign,
                is_common: COMMON.contains(&first) || self.is_example && first == AGENT,
            }),
            None => None,
        }
    }

    /// The function of the library that a call has.
    pub fn call<'a>(&'a self, callee: &Callee<'_, 'a>) -> Option<LibraryCall<'a>> {
        let mut path = callee.segments();
        let function = path.next_back()?;
        if path.clone().next().is_none() {
            let module = self.imported(function)?;
            return Some(LibraryCall {
                module,
                function,
                is_assumed: false,
            });
        }
        let module = self.module(path)?;
        let is_known = is_library_call(module.name, function) && !self.is_example;
        let is_other = module.is_common && !is_known;
        Some(LibraryCall {
            module: module.name,
            function,
            is_assumed: module.is_assumed || is_other,
        })
    }

    /// The module of the library whose name `elements` are.
    pub fn named<'a>(&'a self, elements: &[Element<'a>]) -> Option<Module<'a>> {
        let names = elements.iter().filter(|it| it.kind() == Kind::Alias);
        self.module(names.map(Element::text))
    }

    /// The imported module that has `function`.
    fn imported(&self, function: &str) -> Option<&str> {
        let first = self.imported.partition_point(|(it, _)| *it < function);
        let (_, module) = self.imported.get(first).filter(|(it, _)| *it == function)?;
        Some(module)
    }
}

/// The names that statements in this order say something of.
fn locals(said: &[Said]) -> Vec<Local> {
    let names = || {
        said.iter().filter_map(|it| match it {
            Said::Name { local, target } => Some((local, target)),
            _ => None,
        })
    };
    let is_library = |it: &Target| matches!(it, Target::Library(name) if name == LIBRARY);
    let roots = names().filter(|(_, target)| is_library(target));
    let roots: HashSet<_> = roots.map(|(local, _)| local).collect();
    let mut locals: Vec<Local> = Vec::new();
    for (local, target) in names() {
        if locals.last().is_none_or(|it| it.name != *local) {
            locals.push(Local {
                name: local.clone(),
                module: None,
            });
        }
        if let Some(known) = locals.last_mut().filter(|it| it.module.is_none()) {
            known.module = match target {
                Target::Library(name) => Some(name.clone()),
                Target::Below { of, name } => roots.contains(of).then(|| name.clone()),
                Target::Other => None,
            };
        }
    }
    locals
}

/// The modules of the library of which functions are imported, and which.
fn imports(said: &[Said]) -> impl Iterator<Item = (&str, &Imported)> {
    let imports = said.iter().filter_map(|it| match it {
        Said::Import { module, which } => Some((module.as_str(), which)),
        _ => None,
    });
    imports.filter(|(module, _)| *module == LIBRARY || MODULES.contains(module))
}

/// The functions of the library that are imported, each with its module.
fn imported_functions(said: &[Said]) -> Vec<(&'static str, &'static str)> {
    if imports(said).next().is_none() {
        return Vec::new();
    }
    let is_imported = |(module, function): &(&str, &str)| {
        imports(said).any(|(of, which)| of == *module && which.has(function))
    };
    let found = library_calls().filter(is_imported);
    let mut found: Vec<_> = found.map(|(module, function)| (function, module)).collect();
    order::by_name(&mut found, |(_, module)| module);
    order::by_name(&mut found, |(function, _)| function);
    found
}

/// The name under which a module is known whose full name ends with these names: the functions of `Signature.Parser` take
/// what those of `Signature` take.
fn module_of([before, last]: [&str; 2]) -> &str {
    match [before, last] {
        ["Signature", "Parser"] => before,
        _ => last,
    }
}

/// Where `word` is in `text`, which is not copied; at the ends of its chunks, a part of a word counts too.
fn occurrences<'t>(text: &'t Text, word: &'t str) -> impl Iterator<Item = TextSize> + use<'t> {
    let finder = memmem::Finder::new(word);
    let (mut start, mut last) = (0, Vec::new());
    text.rope().chunks().flat_map(move |chunk| {
        let chunk = chunk.as_bytes();
        let mut found = Vec::new();
        // What begins before this chunk ends in its first bytes.
        let before = last.len();
        let most = word.len() - 1;
        last.extend_from_slice(&chunk[..chunk.len().min(most)]);
        for (text, first) in [(last.as_slice(), start - before), (chunk, start)] {
            let words = finder.find_iter(text);
            let words = words.filter(|at| is_whole(text, *at, word.len()));
            found.extend(words.map(|at| size(first + at)));
        }
        if chunk.len() >= most {
            last.clear();
            last.extend_from_slice(&chunk[chunk.len() - most..]);
        }
        last.drain(..last.len().saturating_sub(most));
        start += chunk.len();
        found
    })
}

/// Whether the bytes at `at` may be a word in code, and not a part of one or of a sigil.
fn is_whole(text: &[u8], at: usize, len: usize) -> bool {
    let is_part = |it: u8| it.is_ascii_alphanumeric() || b"_~".contains(&it) || !it.is_ascii();
    let before = at.checked_sub(1).map(|it| text[it]);
    let after = text.get(at + len).copied();
    !before.into_iter().chain(after).any(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_across_the_borders_of_chunks() {
        for words in ["SubAgent S Su bAgent ~S", "é S", "aS ", "Agent"] {
            let whole = words.repeat(3_000);
            let text = Text::from(&*whole);
            assert!(text.rope().chunks().count() > 3);
            for word in ["SubAgent", "S", "Agent SubAgent", "éé"] {
                let expected = whole.match_indices(word).map(|(at, _)| at);
                let mut expected =
                    expected.filter(|at| is_whole(whole.as_bytes(), *at, word.len()));
                let found: BTreeSet<_> = occurrences(&text, word).collect();
                assert!(expected.all(|it| found.contains(&size(it))), "{word}");
                let is_there = |at: &TextSize| whole[usize::from(*at)..].starts_with(word);
                assert!(found.iter().all(is_there), "{word}");
            }
        }
    }
}
