//! What single statements say of modules.

use super::module_of;
use crate::host::{
    roles::{LIBRARY, MODULES},
    token_tree::{Element, Kind},
};

/// What one statement says of modules.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Said {
    /// What a name in code stands for.
    Name { local: String, target: Target },
    /// Functions of this module of the library are imported.
    Import { module: String, which: Imported },
    /// A module of the library is used or defined.
    Library,
    /// A module of another program is defined.
    Other,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// A module of the library, its last name alone.
    Library(String),
    /// The module of that last name, if the name `of` stands for the library.
    Below { of: String, name: String },
    /// A module of another program.
    Other,
}

/// Which functions of a module are imported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Imported {
    All,
    Only(Vec<String>),
    Except(Vec<String>),
}

impl Imported {
    /// Whether functions of that name are among them.
    pub(super) fn has(&self, function: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|it| it == function),
            Self::Except(names) => names.iter().all(|it| it != function),
        }
    }
}

impl Said {
    /// What the statement of `elements` says.
    pub(super) fn of(elements: &[Element<'_>]) -> Vec<Self> {
        let [word, rest @ ..] = elements else {
            return Vec::new();
        };
        match word.text() {
            "alias" | "require" => aliases(word.text(), rest),
            "import" => imports(rest),
            "use" => uses(rest),
            "defmodule" => definition(rest),
            _ => Vec::new(),
        }
    }

    /// Whether it names the library.
    pub(super) fn names_library(&self) -> bool {
        match self {
            Self::Name { target, .. } => matches!(target, Target::Library(_)),
            Self::Import { .. } | Self::Library => true,
            Self::Other => false,
        }
    }
}

/// `A.B`, `A.B, as: C` and `A.{B, C.D}`. A `require` alone gives no name.
fn aliases(word: &str, elements: &[Element<'_>]) -> Vec<Said> {
    let mut items = elements.split(|it| it.kind() == Kind::Comma);
    let Some(target) = items.next() else {
        return Vec::new();
    };
    let given = items.find_map(|item| match item {
        [key, name] if key.text() == "as:" => Some(name.text()),
        _ => None,
    });
    if let [path @ .., dot, group] = target
        && dot.text() == "."
        && group.kind() == Kind::Braces
    {
        let inner: Vec<_> = group
            .elements()
            .filter(|it| !it.kind().is_trivia())
            .collect();
        let inner =
            inner.split(|it| matches!(it.kind(), Kind::Comma | Kind::LBrace | Kind::RBrace));
        let targets = inner.map(|it| modules(path).chain(modules(it)).collect::<Vec<_>>());
        return targets.filter_map(|target| alias(&target, None)).collect();
    }
    if word == "require" && given.is_none() {
        return Vec::new();
    }
    let target: Vec<_> = modules(target).collect();
    alias(&target, given).into_iter().collect()
}

fn names<'t>(path: &[Element<'t>]) -> impl Iterator<Item = &'t str> {
    path.iter().filter(|it| it.text() != ".").map(Element::text)
}

/// The names of modules alone: one that is being typed has other text between or behind them.
fn modules<'t>(path: &[Element<'t>]) -> impl Iterator<Item = &'t str> {
    let names = path.iter().filter(|it| it.kind() == Kind::Alias);
    names.map(Element::text)
}

fn alias(target: &[&str], given: Option<&str>) -> Option<Said> {
    let target = without_root(target);
    let local = given.or(target.last().copied())?;
    let meant = match (library_module(target), target) {
        (Some(module), _) => Target::Library(module),
        (None, [of, name]) => Target::Below {
            of: (*of).to_owned(),
            name: (*name).to_owned(),
        },
        (None, _) => Target::Other,
    };
    let counts = match &meant {
        Target::Library(_) => true,
        Target::Below { name, .. } => [local, name].iter().any(|it| MODULES.contains(it)),
        Target::Other => MODULES.contains(&local),
    };
    counts.then(|| Said::Name {
        local: local.to_owned(),
        target: meant,
    })
}

/// The names of a module without the `Elixir` that all of them begin with.
fn without_root<'p, 't>(path: &'p [&'t str]) -> &'p [&'t str] {
    path.strip_prefix(&["Elixir"]).unwrap_or(path)
}

/// The last name of `target` if it is a module of the library.
fn library_module(target: &[&str]) -> Option<String> {
    if target.first() != Some(&LIBRARY) {
        return None;
    }
    let module = match target {
        [.., before, last] => module_of([before, last]),
        other => other.last()?,
    };
    Some(module.to_owned())
}

fn imports(elements: &[Element<'_>]) -> Vec<Said> {
    let said = library_module(&first_path(elements)).map(|module| Said::Import {
        module,
        which: imported(elements),
    });
    said.into_iter().collect()
}

/// What `only:` or `except:` says.
fn imported(elements: &[Element<'_>]) -> Imported {
    let keys = |list: &Element<'_>| {
        let keys = list.elements().filter(|it| it.kind() == Kind::Key);
        let keys = keys.map(|it| it.text().trim_end_matches(':').to_owned());
        keys.collect()
    };
    let said = elements.windows(2).find_map(|pair| match pair {
        [key, list] if list.kind() == Kind::Brackets => match key.text() {
            "only:" => Some(Imported::Only(keys(list))),
            "except:" => Some(Imported::Except(keys(list))),
            _ => None,
        },
        _ => None,
    });
    said.unwrap_or(Imported::All)
}

fn uses(elements: &[Element<'_>]) -> Vec<Said> {
    let said = library_module(&first_path(elements)).map(|_| Said::Library);
    said.into_iter().collect()
}

/// The module before the first comma, without its root.
fn first_path<'t>(elements: &[Element<'t>]) -> Vec<&'t str> {
    let first = elements.split(|it| it.kind() == Kind::Comma).next();
    let path: Vec<_> = names(first.unwrap_or_default()).collect();
    without_root(&path).to_vec()
}

/// A module that is defined under a name of the library's takes that name.
fn definition(elements: &[Element<'_>]) -> Vec<Said> {
    let path = elements.iter().take_while(|it| it.kind() != Kind::DoBlock);
    let path: Vec<_> = path.copied().collect();
    match names(&path).collect::<Vec<_>>().as_slice() {
        [] => Vec::new(),
        [LIBRARY, ..] => vec![Said::Library],
        [only] if MODULES.contains(only) => {
            let local = (*only).to_owned();
            let name = Said::Name {
                local,
                target: Target::Other,
            };
            vec![name, Said::Other]
        }
        _ => vec![Said::Other],
    }
}
