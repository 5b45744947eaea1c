//! The facts after an edit that changes a few functions or tools: only what is said of their names is collected again.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use super::{All, MODULES, What, bound_key, last_of_body, modules::Modules, tools_key};
use crate::{
    host::{
        elixir::{
            lookup,
            makes::{self, Made, Meanings, Value},
            module::{Arities, Facts, Function, Named},
            names::Binder,
            tools::{
                Capture,
                captured::{Captured, TOOLS},
            },
        },
        flow::Source,
    },
    text::{TextRange, TextSize},
};

/// The maximum number of maps of tools that an edit may make the tools of an agent.
const MOST_MAPS: usize = 32;

/// The maximum number of statements that may read an attribute that changes.
const MOST_READERS: usize = 32;

/// What an edit changes.
pub(super) struct Change<'d> {
    /// A place in the innermost block or list around the edit.
    place: TextSize,
    /// The names of the functions that it may change.
    names: BTreeSet<String>,
    /// The tools that it may change.
    tools: BTreeSet<Arc<Capture>>,
    /// The agents that these functions returned before.
    agents: Agents,
    modules: Option<Modules<'d>>,
}

/// The agents that functions return, by name.
type Agents = Vec<(String, Vec<Agent>)>;

/// With how many arguments a function is called, and the agent that it returns.
type Agent = (Arities, Option<Arc<Source>>);

impl<'d> Change<'d> {
    /// The change of the declarations at `gone` to `new` ones; `None` if it may affect more than functions, tools and
    /// modules.
    pub(super) fn new<'a>(
        all: &'a All,
        place: TextSize,
        gone: Range<usize>,
        new: &'d All,
        facts: &Facts,
    ) -> Option<Self>
    where
        'd: 'a,
    {
        let after = new;
        let old: Vec<_> = all.items(gone.clone()).collect();
        let new: Vec<_> = new.items(0..new.len()).collect();
        let both: Vec<_> = old.iter().chain(&new).copied().collect();
        let has_modules = both.iter().any(|it| matches!(it, What::Module(_)));
        let modules = match has_modules || names_in(&old) != names_in(&new) {
            true => Some(Modules::new(all, place, gone.clone(), after)?),
            false => None,
        };
        let mut tools = BTreeSet::new();
        for it in &both {
            let What::Tools(captured) = it else {
                continue;
            };
            match &**captured {
                Captured::Name(name) => tools.extend(bound_tools(all, name)?),
                captured => tools.extend(captured.captures().iter().cloned()),
            }
        }
        let mut change = Self {
            place,
            names: BTreeSet::new(),
            tools,
            agents: Agents::new(),
            modules,
        };
        if let Some(home) = Home::around(all, place) {
            let readers = match attributes_in(&old) == attributes_in(&new) {
                true => Vec::new(),
                false => home.readers(&attributes_in(&both))?,
            };
            let clauses = [home.clause_before(gone.start), home.clause_after(gone.end)];
            let clauses = clauses.into_iter().flatten().map(|it| &it.name);
            let names = both.iter().filter_map(|it| match it {
                What::Clause(it) => Some(&it.name),
                What::Spec(it) => Some(&it.name),
                _ => None,
            });
            let names = names.chain(clauses).map(|it| it.to_string());
            change.names = names.chain(readers).collect();
            change.agents = change.agents(&home, facts);
        }
        Some(change)
    }

    /// The facts after it, from those before; `None` if more functions may return another agent.
    pub(super) fn apply(mut self, all: &All, facts: &Facts) -> Option<Facts> {
        let mut changed = facts.clone();
        if let Some(modules) = self.modules.take() {
            modules.apply(all, &mut changed)?;
        }
        if let Some(home) = Home::around(all, self.place) {
            if self.agents(&home, facts) != self.agents && home.uses_any(&self.names) {
                return None;
            }
            let index = all.keyed(MODULES, 0..home.module).count();
            let module = Arc::make_mut(changed.modules.get_mut(index)?);
            for name in &self.names {
                let named = home.named(name, facts);
                let named = named.map(Arc::new);
                module.names.set(&name.as_str().into(), named);
            }
        }
        for capture in &self.tools {
            changed.set_tool(capture, is_tool(all, capture));
        }
        Some(changed)
    }

    #[inline(never)]
    fn agents(&self, home: &Home<'_>, facts: &Facts) -> Agents {
        let of_name = |name: &String| {
            let functions = home.functions(name).into_iter();
            let agents = functions.map(|it| {
                let agent = home.agent(&it, facts);
                (it.function.arities, agent)
            });
            let agents: Vec<_> = agents.collect();
            let has_agents = agents.iter().any(|(.., agent)| agent.is_some());
            has_agents.then(|| (name.clone(), agents))
        };
        self.names.iter().filter_map(of_name).collect()
    }
}

/// Those of some declarations that may affect more than functions and tools.
#[inline(never)]
fn names_in<'a>(declarations: &[&'a What]) -> Vec<&'a What> {
    let affects_more = |it: &&What| match it {
        What::Module(_) | What::Alias(_) | What::Import(_) | What::Type(_) => true,
        What::Attribute(_) | What::Doc(_) | What::Spec(_) | What::Clause(_) | What::Tools(_) => {
            false
        }
        What::Body | What::Statement(_) => false,
    };
    let declarations = declarations.iter().copied();
    declarations.filter(affects_more).collect()
}

#[inline(never)]
fn attributes_in<'a>(declarations: &[&'a What]) -> Vec<&'a (String, Made)> {
    let attributes = declarations.iter().filter_map(|it| match it {
        What::Attribute(it) => Some(&**it),
        _ => None,
    });
    attributes.collect()
}

/// The functions in the maps that are bound to `name`; `None` if there are so many maps that it is faster to collect all
/// facts again.
fn bound_tools(all: &All, name: &str) -> Option<Vec<Arc<Capture>>> {
    let maps: Vec<_> = all.keyed(bound_key(name), 0..all.len()).collect();
    if maps.len() > MOST_MAPS {
        return None;
    }
    let tools = maps.into_iter().filter_map(|index| match all.item(index) {
        What::Tools(it) if it.bound_name() == Some(name) => Some(it.captures()),
        _ => None,
    });
    Some(tools.flatten().cloned().collect())
}

/// Whether a map of tools has `capture`.
fn is_tool(all: &All, capture: &Capture) -> bool {
    let has_name = |key, is_it: &dyn Fn(&Captured) -> bool| {
        let mut keyed = all.keyed(key, 0..all.len()).map(|it| all.item(it));
        keyed.any(|it| matches!(it, What::Tools(it) if is_it(it)))
    };
    let is_given = |name: &str| {
        let is_it = |it: &Captured| matches!(it, Captured::Name(it) if it == name);
        name == TOOLS || has_name(tools_key(name), &is_it)
    };
    has_name(lookup::calls_of(&capture.name), &|it| {
        it.captures().iter().any(|it| **it == *capture) && it.bound_name().is_none_or(is_given)
    })
}

/// The module around an edit.
struct Home<'d> {
    all: &'d All,
    /// The index of its declaration.
    module: usize,
    /// The indices of the declarations in it.
    inside: Range<usize>,
    /// The modules in it.
    nested: Vec<TextRange>,
}

/// A function with all that its clauses say.
struct Collected {
    function: Arc<Function>,
    /// The index of its first clause.
    first: usize,
}

impl<'d> Home<'d> {
    #[inline(never)]
    fn around(all: &'d All, place: TextSize) -> Option<Self> {
        let around = all.around(TextRange::empty(place), (0, 1));
        let modules = around.filter(|(_, (_, what))| matches!(what, What::Module(_)));
        let (module, ([_, end], _)) = modules.last()?;
        let inside = module + 1..all.before(end).max(module + 1);
        let nested = all.keyed(MODULES, inside.clone());
        let range = |[start, end]: [TextSize; 2]| TextRange::new(start, end);
        Some(Self {
            all,
            module,
            nested: nested.map(|it| range(all.place(it))).collect(),
            inside,
        })
    }

    /// Whether a declaration in the module is in no other module in it.
    fn is_own(&self, index: usize) -> bool {
        let [start, _] = self.all.place(index);
        !self.nested.iter().any(|it| it.contains(start))
    }

    /// The names of the functions whose bodies read one of these attributes; `None` if others may depend on it.
    fn readers(&self, attributes: &[&(String, Made)]) -> Option<Vec<String>> {
        let mut readers = Vec::new();
        for (name, _) in attributes {
            for index in self.keyed(lookup::key(Binder::Attribute, name)) {
                let item = self.all.item(index);
                if item.made().and_then(Made::attribute) != Some(name) {
                    continue;
                }
                match item {
                    What::Statement(_) if readers.len() < MOST_READERS => {
                        readers.push(self.clause_before(index)?.name.to_string());
                    }
                    _ => return None,
                }
            }
        }
        Some(readers)
    }

    /// Whether a statement in the module or an attribute of it evaluates to what one of these functions returns.
    fn uses_any(&self, names: &BTreeSet<String>) -> bool {
        let is_use = |name: &str, index: usize| {
            let made = self.all.item(index).made();
            made.and_then(Made::function) == Some(name)
        };
        names.iter().any(|name| {
            let key = lookup::calls_of(name);
            let mut keyed = self.all.keyed(key, self.inside.clone());
            keyed.any(|index| is_use(name, index))
        })
    }

    fn clause(&self, index: usize) -> Option<&'d Function> {
        match self.all.item(index) {
            What::Clause(clause) if self.is_own(index) => Some(clause),
            _ => None,
        }
    }

    #[inline(never)]
    fn clause_before(&self, index: usize) -> Option<&'d Function> {
        let mut before = self.inside.start..index.max(self.inside.start);
        before
            .rfind(|it| matches!(self.all.item(*it), What::Clause(_)))
            .and_then(|it| self.clause(it))
    }

    fn clause_after(&self, index: usize) -> Option<&'d Function> {
        let mut after = index..self.inside.end.max(index);
        after.find_map(|it| self.clause(it))
    }

    /// The indices of what is said under `key`.
    fn keyed(&self, key: lookup::Key) -> impl Iterator<Item = usize> {
        let keyed = self.all.keyed(key, self.inside.clone());
        keyed.filter(|it| self.is_own(*it))
    }

    /// The functions of this name, in the order of their first clauses.
    #[inline(never)]
    fn functions(&self, name: &str) -> Vec<Collected> {
        let mut functions: Vec<Collected> = Vec::new();
        for index in self.keyed(lookup::key(Binder::Function, name)) {
            let What::Clause(clause) = self.all.item(index) else {
                continue;
            };
            if *clause.name != *name {
                continue;
            }
            let most = clause.arities.most();
            let known = functions
                .iter_mut()
                .find(|it| it.function.arities.contains(most));
            match known {
                Some(known) => Function::own(&mut known.function).add_clause(clause),
                None => functions.push(Collected {
                    function: Function::with_doc(clause, self.doc_before(index)),
                    first: index,
                }),
            }
        }
        functions
    }

    /// The documentation of the clause at `index`.
    fn doc_before(&self, index: usize) -> Option<Arc<String>> {
        let mut before = (self.inside.start..index).rev();
        let doc = before.find_map(|it| match self.all.item(it) {
            What::Clause(_) if self.is_own(it) => Some(None),
            What::Doc(doc) if self.is_own(it) => Some(doc.clone()),
            _ => None,
        });
        doc.flatten()
    }

    /// What the functions and specs of a name say; `None` if there are none.
    #[inline(never)]
    fn named(&self, name: &str, facts: &Facts) -> Option<Named> {
        let functions = self.functions(name).into_iter();
        let functions = functions.map(|mut it| {
            let agent = self.agent(&it, facts).filter(|_| it.function.is_public());
            if agent.is_some() {
                Function::own(&mut it.function).agent = agent;
            }
            it.function
        });
        let specs = self.keyed(lookup::key(Binder::Function, name));
        let specs = specs.filter_map(|it| match self.all.item(it) {
            What::Spec(spec) if *spec.name == *name => Some(Arc::clone(spec)),
            _ => None,
        });
        let named = Named {
            functions: functions.collect(),
            specs: specs.collect(),
        };
        Some(named).filter(|it| *it != Named::default())
    }

    /// The agent that a function returns.
    #[inline(never)]
    fn agent(&self, function: &Collected, facts: &Facts) -> Option<Arc<Source>> {
        let meanings = Meanings {
            call: &|name, arity| {
                let functions = self.functions(name);
                let mut functions = functions.iter();
                let meant = functions.find(|it| it.function.arities.contains(arity))?;
                self.value(meant)
            },
            attribute: &|name| {
                let attributes = self.keyed(lookup::key(Binder::Attribute, name));
                let mut attributes = attributes.filter_map(|it| match self.all.item(it) {
                    What::Attribute(it) if it.0 == name => Some(&it.1),
                    _ => None,
                });
                let only = attributes.next()?;
                attributes.next().is_none().then_some(only)
            },
            is_agents: &|name| makes::is_agents(name, facts),
        };
        meanings.agent(self.value(function)?)
    }

    /// What a function of one clause returns.
    #[inline(never)]
    fn value(&self, function: &Collected) -> Option<Value> {
        if function.function.clauses > 1 {
            return None;
        }
        let mut after = function.first + 1..self.all.len();
        let next = after.find_map(|it| match self.all.item(it) {
            What::Body => Some(Some(it)),
            What::Clause(_) => Some(None),
            _ => None,
        });
        last_of_body(self.all, next.flatten()?)
    }
}
