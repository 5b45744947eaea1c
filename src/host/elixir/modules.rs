//! What the names of modules stand for: which of them are the library's.
//!
//! Aliases and imports count for the whole document. A name that is nowhere said to be another module's is the
//! library's own, as code in guides leaves the aliases out.

use memchr::memmem;

use super::{Elixir, call::Callee};
use crate::{
    host::{
        roles::{LIBRARY, MODULES},
        token_tree::{Element, Kind, parse},
        units::moved,
    },
    text::{TextEdit, TextRange, TextSize},
};

/// What one statement says of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    /// The name in code; `None` where the functions of the module are imported.
    local: Option<String>,
    /// The module of the library, its last name alone; `None` where it is of another.
    module: Option<String>,
}

/// The statements of a document that name modules, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statements {
    list: Vec<(TextSize, Said)>,
}

/// What the names of modules stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Modules {
    said: Vec<Said>,
}

/// A call of a function of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryCall<'a> {
    /// The last name of the module.
    pub module: &'a str,
    /// The function.
    pub function: &'a str,
}

impl Statements {
    /// Adds what the statement of `elements` says.
    pub fn add(&mut self, elements: &[Element<'_>]) {
        let [word, rest @ ..] = elements else {
            return;
        };
        let start = word.range.start();
        let said = match word.text() {
            "alias" | "require" => aliases(word.text(), rest),
            "import" => imports(rest),
            "defmodule" => definition(rest),
            _ => return,
        };
        self.list.extend(said.into_iter().map(|said| (start, said)));
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
        let mut said: Vec<_> = self.list.iter().map(|(_, said)| said.clone()).collect();
        said.sort();
        said.dedup();
        Modules { said }
    }
}

/// What a document says of modules, as far as its single lines tell: nearly always all of it, at a fraction of what a
/// walk costs. Whoever walks through the document finds out.
pub(super) fn guess(text: &str) -> Modules {
    let mut statements = Statements::default();
    for word in ["alias", "require", "import", "defmodule"] {
        for at in memmem::find_iter(text.as_bytes(), word) {
            let line = text[at..].lines().next().unwrap_or_default();
            let mut ours = MODULES.iter();
            if ours.any(|it| memmem::find(line.as_bytes(), it.as_bytes()).is_some()) {
                let tree = parse::<Elixir>(line);
                let root = Element::node(&tree, TextSize::default());
                let elements: Vec<_> = root.elements().filter(|it| !it.kind.is_trivia()).collect();
                statements.add(&elements);
            }
        }
    }
    statements.modules()
}

impl Modules {
    /// The module of the library that a name of these parts is.
    fn module<'a>(&'a self, mut path: impl DoubleEndedIterator<Item = &'a str>) -> Option<&'a str> {
        let first = path.next()?;
        let last = path.next_back();
        if first == LIBRARY {
            return Some(last.unwrap_or(first));
        }
        let mut said = self
            .said
            .iter()
            .filter(|it| it.local.as_deref() == Some(first));
        let mut is_said = false;
        let module = said.find_map(|it| {
            is_said = true;
            it.module.as_deref()
        });
        match (module, last) {
            (Some(_), Some(last)) => Some(last),
            (Some(module), None) => Some(module),
            (None, last) if !is_said && MODULES.contains(&first) => Some(last.unwrap_or(first)),
            (None, _) => None,
        }
    }

    /// The function of the library that a call has.
    pub fn call<'a>(&'a self, callee: &Callee<'_, 'a>) -> Option<LibraryCall<'a>> {
        let mut path = callee.segments();
        let function = path.next_back()?;
        let module = match path.clone().next() {
            Some(_) => self.module(path)?,
            None => self.imported(function)?,
        };
        Some(LibraryCall { module, function })
    }

    /// The module of the library whose name `elements` are.
    pub fn named<'a>(&'a self, elements: &[Element<'a>]) -> Option<&'a str> {
        let names = elements.iter().filter(|it| it.kind == Kind::Alias);
        self.module(names.map(Element::text))
    }

    /// The imported module that has `function`.
    fn imported(&self, function: &str) -> Option<&str> {
        let imported = self.said.iter().filter(|it| it.local.is_none());
        let mut modules = imported.filter_map(|it| it.module.as_deref());
        modules.find(|module| crate::host::roles::is_library_call(module, function))
    }
}

/// `A.B`, `A.B, as: C` and `A.{B, C.D}`. A `require` alone gives no name.
fn aliases(word: &str, elements: &[Element<'_>]) -> Vec<Said> {
    let mut items = elements.split(|it| it.kind == Kind::Comma);
    let Some(target) = items.next() else {
        return Vec::new();
    };
    let given = items.find_map(|item| match item {
        [key, name] if key.text() == "as:" => Some(name.text()),
        _ => None,
    });
    if let [path @ .., dot, group] = target
        && dot.text() == "."
        && group.kind == Kind::Braces
    {
        let inner: Vec<_> = group.elements().filter(|it| !it.kind.is_trivia()).collect();
        let inner = inner.split(|it| matches!(it.kind, Kind::Comma | Kind::LBrace | Kind::RBrace));
        let targets = inner.map(|it| names(path).chain(names(it)).collect::<Vec<_>>());
        return targets.filter_map(|target| alias(&target, None)).collect();
    }
    if word == "require" && given.is_none() {
        return Vec::new();
    }
    let target: Vec<_> = names(target).collect();
    alias(&target, given).into_iter().collect()
}

fn names<'t>(path: &[Element<'t>]) -> impl Iterator<Item = &'t str> {
    path.iter().filter(|it| it.text() != ".").map(Element::text)
}

fn alias(target: &[&str], given: Option<&str>) -> Option<Said> {
    let local = given.or(target.last().copied())?;
    let module = library_module(target);
    let is_ours = module.is_some();
    (is_ours || MODULES.contains(&local)).then(|| Said {
        local: Some(local.to_owned()),
        module,
    })
}

fn library_module(target: &[&str]) -> Option<String> {
    let is_library = target.first() == Some(&LIBRARY);
    target
        .last()
        .filter(|_| is_library)
        .map(|it| (*it).to_owned())
}

fn imports(elements: &[Element<'_>]) -> Vec<Said> {
    let target = elements
        .split(|it| it.kind == Kind::Comma)
        .next()
        .unwrap_or_default();
    let target: Vec<_> = names(target).collect();
    let said = library_module(&target).map(|module| Said {
        local: None,
        module: Some(module),
    });
    said.into_iter().collect()
}

/// A module that is defined under a name of the library's takes that name.
fn definition(elements: &[Element<'_>]) -> Vec<Said> {
    let path = elements.iter().take_while(|it| it.kind != Kind::DoBlock);
    let path: Vec<_> = path.copied().collect();
    match names(&path).collect::<Vec<_>>().as_slice() {
        [only] if *only != LIBRARY && MODULES.contains(only) => vec![Said {
            local: Some((*only).to_owned()),
            module: None,
        }],
        _ => Vec::new(),
    }
}
