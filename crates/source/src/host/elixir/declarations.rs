//! The declarations of an Elixir document: modules, aliases, specs, types and functions, statement by statement,
//! updated from edit to edit.
//!
//! An edit replaces the declarations of the statements that it touches. What the others say of the same names is looked
//! up, and only the facts about these names are computed again.

mod assembly;
mod change;
mod modules;
mod reader;

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use crate::{
    host::{
        HAS_SMALL_STEPS,
        moving::{Keyed, Moving},
        token_tree::{Element, Kind},
        units::moved,
    },
    text::{TextEdit, TextRange, TextSize},
};

use assembly::{assemble, assemble_once};
use change::Change;
use reader::{Reader, read};

use super::{
    lookup,
    makes::{self, Made},
    module::{Facts, Function, Spec},
    names::Binder,
    places::Named,
    tools::captured::Captured,
};

/// The declarations of a document, in the order of the text.
#[derive(Debug, Clone, Default)]
pub(super) struct Declarations {
    /// The start of each; for a module up to the end of its body.
    all: All,
    /// The facts, computed on request.
    facts: OnceLock<Arc<Facts>>,
    /// The last computed facts, while they are out of date.
    before: Arc<Facts>,
}

type All = Moving<What, 2>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A module with its name as written.
    Module(Arc<String>),
    Alias(Box<Alias>),
    Import(Arc<String>),
    Doc(Option<Arc<String>>),
    Spec(Arc<Spec>),
    Type(Arc<String>),
    /// A clause of a function.
    Clause(Arc<Function>),
    Tools(Box<Captured>),
    /// An attribute that may be a signature or an agent.
    Attribute(Box<(String, Made)>),
    /// The body of the previous function.
    Body,
    /// A statement in a body.
    Statement(Box<Made>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Alias {
    /// The full name as written.
    path: Box<str>,
    /// The short name if it is written.
    short: Option<Box<str>>,
}

impl Alias {
    /// The short name and the full one in the module `outer`.
    #[inline(never)]
    fn pair(&self, outer: &str) -> (String, String) {
        let full = match self.path.strip_prefix(MODULE) {
            Some(rest) if !outer.is_empty() => format!("{outer}{rest}"),
            _ => self.path.to_string(),
        };
        let short = self.short.as_deref().unwrap_or_else(|| last_name(&full));
        (short.to_owned(), full)
    }
}

/// The last part of the name of a module.
#[inline(never)]
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The kind of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Module,
    /// The body of a function.
    Body,
    Other,
}

/// The key of modules.
const MODULES: lookup::Key = 0;

impl Keyed for What {
    fn keys(&self) -> impl Iterator<Item = lookup::Key> {
        let key = match self {
            Self::Module(_) => Some(MODULES),
            Self::Clause(it) => Some(lookup::key(Binder::Function, &it.name)),
            Self::Spec(it) => Some(lookup::key(Binder::Function, &it.name)),
            Self::Attribute(it) => Some(lookup::key(Binder::Attribute, &it.0)),
            Self::Tools(it) => match &**it {
                Captured::Name(name) => Some(tools_key(name)),
                Captured::Bound(name, _) => Some(bound_key(name)),
                Captured::Tools(_) => None,
            },
            _ => None,
        };
        let captures = match self {
            Self::Tools(it) => it.captures(),
            _ => &[],
        };
        let used = self.made().and_then(Made::function);
        let read = self.made().filter(|_| HAS_SMALL_STEPS);
        let read = read.and_then(Made::attribute);
        let read = read.map(|name| lookup::key(Binder::Attribute, name));
        let short = match self {
            Self::Module(name) => Some(name.as_str()),
            Self::Alias(it) => it.short.as_deref().or_else(|| {
                let last = last_name(&it.path);
                // As in `__MODULE__ E`, whose short name depends on the module.
                Some(match last.starts_with(MODULE) {
                    true => MODULE,
                    false => last,
                })
            }),
            _ => None,
        };
        let short = short.filter(|_| HAS_SMALL_STEPS).map(alias_key);
        let captures = captures.iter().map(|it| it.name.as_str());
        key.into_iter()
            .chain(read)
            .chain(short)
            .chain(captures.chain(used).map(lookup::calls_of))
    }
}

/// The name of the module around it.
const MODULE: &str = "__MODULE__";

/// The key of what this short name of a module may stand for.
fn alias_key(short: &str) -> lookup::Key {
    lookup::key(Binder::Function, short)
}

/// The key of the places where tools are given this name.
fn tools_key(name: &str) -> lookup::Key {
    lookup::key(Binder::Variable, name)
}

/// The key of the maps of tools that are bound to this name.
fn bound_key(name: &str) -> lookup::Key {
    lookup::key(Binder::Function, &format!("{name} ="))
}

impl What {
    /// The value of a statement or an attribute.
    fn made(&self) -> Option<&Made> {
        match self {
            Self::Statement(made) => Some(made),
            Self::Attribute(it) => Some(&it.1),
            _ => None,
        }
    }

    /// The function that it declares at `start` of `module`.
    fn named<'d>(&'d self, start: TextSize, module: &'d str) -> Option<Named<'d>> {
        let (name, arity, is_spec) = match self {
            Self::Clause(it) => (&it.name, (it.arities.least(), it.arities.most()), false),
            Self::Spec(it) => (&it.name, (it.arity, it.arity), true),
            _ => return None,
        };
        Some(Named {
            start,
            module,
            name,
            arity,
            is_spec,
        })
    }
}

impl Declarations {
    /// Reads a whole document.
    pub(super) fn read(root: Element<'_>) -> Self {
        Self {
            all: read(root, root.range, Scope::Module),
            ..Self::default()
        }
    }

    /// The same, where blocks of more than two pieces of that length are read on several threads.
    pub(super) fn read_in_pieces(root: Element<'_>, piece: TextSize) -> Self {
        Self {
            all: Reader::in_pieces(piece).read(root, root.range, Scope::Module),
            ..Self::default()
        }
    }

    /// The same for a document that is not edited: the clauses of a function that follow one another are one.
    pub(super) fn read_once(root: Element<'_>) -> Self {
        Self {
            all: Reader::once().read(root, root.range, Scope::Module),
            ..Self::default()
        }
    }

    /// The facts, of a text of which nothing else is kept.
    pub(super) fn into_facts(self) -> Facts {
        assemble_once(self.all)
    }

    /// Those of a text of which only the `facts` are known.
    pub(super) fn of_facts(facts: Facts) -> Self {
        Self {
            facts: OnceLock::from(Arc::new(facts)),
            ..Self::default()
        }
    }

    /// The facts. The same `Arc` as before if an edit does not change them.
    pub(super) fn facts(&self) -> &Arc<Facts> {
        self.facts.get_or_init(|| {
            let facts = assemble(&self.all);
            match facts == *self.before {
                true => Arc::clone(&self.before),
                false => Arc::new(facts),
            }
        })
    }

    /// The last facts, if they are up to date.
    pub(super) fn known_facts(&self) -> Option<&Arc<Facts>> {
        self.facts.get()
    }

    /// Calls `each` for the clauses and specs of functions, in the order of the text.
    pub(super) fn each_function(&self, each: &mut impl FnMut(Named<'_>)) {
        let mut open: Vec<(String, TextSize)> = Vec::new();
        for ([start, end], what) in self.all.iter() {
            while open.pop_if(|(_, end)| *end <= start).is_some() {}
            let module = open.last().map_or("", |(name, _)| name.as_str());
            match what {
                What::Module(name) if module.is_empty() => open.push((name.to_string(), end)),
                What::Module(name) => open.push((format!("{module}.{name}"), end)),
                other => other.named(start, module).into_iter().for_each(&mut *each),
            }
        }
    }

    /// The last clause or spec that begins at or before `offset`, without its module.
    pub(super) fn function_before(&self, offset: TextSize) -> Option<Named<'_>> {
        let mut before = self.all.slice(0..self.all.up_to(offset)).rev();
        before.find_map(|([start, _], what)| what.named(start, ""))
    }

    /// The clause whose body contains `offset`, without its module.
    pub(super) fn clause_around(&self, offset: TextSize) -> Option<Named<'_>> {
        let mut before = self.all.slice(0..self.all.up_to(offset)).rev();
        before.find(|([_, end], what)| matches!(what, What::Body) && offset < *end)?;
        before.find_map(|([start, _], what)| what.named(start, "").filter(|it| !it.is_spec))
    }

    /// The bodies of the clauses that `are_meant`, in the order of the text.
    pub(super) fn bodies(&self, are_meant: impl Fn(&Named<'_>) -> bool) -> Vec<TextRange> {
        let mut starts = Vec::new();
        self.each_function(&mut |named| {
            if !named.is_spec && are_meant(&named) {
                starts.push(named.start);
            }
        });
        let bodies = starts.into_iter().filter_map(|start| {
            let mut after = self.all.slice(self.all.up_to(start)..self.all.len());
            let ([start, end], what) = after.next()?;
            matches!(what, What::Body).then(|| TextRange::new(start, end))
        });
        bodies.collect()
    }

    /// The full name of the module around `offset`; empty outside of modules.
    pub(super) fn module_around(&self, offset: TextSize) -> String {
        module_around(&self.all, offset)
    }

    /// Applies `edit`, which touched the statements in `old`; they are those in `new` of `block` now.
    pub(super) fn edit(
        &mut self,
        block: Element<'_>,
        (old, new): (TextRange, TextRange),
        edit: &TextEdit,
    ) {
        if self.facts.get().is_some() {
            self.before = Arc::default();
        }
        let start = block.range.start();
        let body = self.all.before(start)..self.all.up_to(start);
        let scope = |it: &What| match it {
            What::Module(_) => Some(Scope::Module),
            What::Body => Some(Scope::Body),
            _ => None,
        };
        let scope = match block.kind() {
            Kind::Root => Scope::Module,
            _ => self
                .all
                .items(body.clone())
                .find_map(scope)
                .unwrap_or(Scope::Other),
        };
        let read = read(block, new, scope);
        let gone = self.all.beginning_in(old);
        let end = |[_, end]: [TextSize; 2], what: &What| {
            let has_inside = matches!(what, What::Module(_) | What::Body);
            has_inside.then_some(end)
        };
        let before = self.all.slice(gone.clone());
        let before = before.map(|(place, what)| (end(place.map(|it| moved(it, edit)), what), what));
        let mut before: Vec<_> = before.collect();
        let after = read.iter().map(|(place, what)| (end(place, what), what));
        let mut after: Vec<_> = after.collect();
        let is_same = before == after;
        for said in [&mut before, &mut after] {
            said.retain(|(_, what)| !matches!(what, What::Statement(_)));
        }
        let is_alike = !is_same && before == after;
        let bodies = |len: usize| match scope {
            Scope::Body => body.clone(),
            Scope::Module | Scope::Other => gone.start..gone.start + len,
        };
        let before = is_alike.then(|| self.returned_by(bodies(gone.len())));
        let facts = self.facts.get().filter(|_| HAS_SMALL_STEPS && !is_same);
        let change = facts.and_then(|facts| {
            let inside = block.range.start() + TextSize::from(1);
            Change::new(&self.all, inside, gone.clone(), &read, facts)
        });
        self.all.replace(gone.clone(), &read, edit);
        let after = is_alike.then(|| self.returned_by(bodies(read.len())));
        let says_as_much = is_same || (is_alike && before == after);
        if says_as_much {
            return;
        }
        let Some(facts) = self.facts.take() else {
            return;
        };
        match change.and_then(|it| it.apply(&self.all, &facts)) {
            Some(changed) if changed == *facts => self.facts = OnceLock::from(facts),
            Some(changed) => self.facts = OnceLock::from(Arc::new(changed)),
            None => self.before = facts,
        }
    }

    /// The results of the bodies among the items in `range`, as far as they may be agents. A word that is being typed is
    /// usually a call of a function that does not exist.
    #[inline(never)]
    fn returned_by(&self, range: Range<usize>) -> Vec<Option<makes::Value>> {
        let is_function = |name: &str, arity| {
            let Some(facts) = self.facts.get() else {
                return true;
            };
            let mut modules = facts.modules.iter();
            modules.any(|module| module.function(name, arity).is_some())
        };
        let is_body = |index: &usize| matches!(self.all.item(*index), What::Body);
        let values = range
            .filter(is_body)
            .map(|body| last_of_body(&self.all, body));
        let values = values.map(|value| value.filter(|it| it.may_be_agent(is_function)));
        values.collect()
    }
}

/// The full name of the module around `offset`; empty outside of modules.
#[inline(never)]
fn module_around(all: &All, offset: TextSize) -> String {
    let around = all.around(TextRange::empty(offset), (0, 1));
    let around = around.filter_map(|(_, (_, what))| match what {
        What::Module(name) => Some(name.as_str()),
        _ => None,
    });
    around.collect::<Vec<_>>().join(".")
}

/// The value of the last statement of the body at an index.
fn last_of_body(all: &All, body: usize) -> Option<makes::Value> {
    let [_, end] = all.place(body);
    let inside = all.slice(body + 1..all.len());
    let inside =
        inside.take_while(|([start, _], what)| *start < end && !matches!(what, What::Body));
    let statements = inside.filter_map(|(_, what)| match what {
        What::Statement(made) => Some(&**made),
        _ => None,
    });
    makes::returned(statements)
}

/// The elements of each argument in a pair of brackets.
pub(super) fn arguments<'t>(group: &Element<'t>) -> Vec<Vec<Element<'t>>> {
    let is_code = |it: &Element<'_>| {
        !it.kind().is_trivia() && !matches!(it.kind(), Kind::LParen | Kind::RParen)
    };
    let elements: Vec<_> = group.elements().filter(is_code).collect();
    let items = elements.split(|it| it.kind() == Kind::Comma);
    items
        .filter(|item| !item.is_empty())
        .map(<[_]>::to_vec)
        .collect()
}

#[cfg(test)]
mod tests;
