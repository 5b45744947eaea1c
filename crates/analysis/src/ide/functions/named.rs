//! The functions that the units of a document name, and what an edit changes of them.

use std::sync::Arc;

use foldhash::HashSet;

use super::{
    Asks, Scope, UnitFunctions, captures::Captures, differing::Differing, modules::ModulesOf,
};
use signature_ls_source::{counts::Counts, host::elixir::tools::Capture};

/// The functions that the units of a document name, counted, so that a keystroke does not collect them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    captures: Captures,
    /// The modules of other files that these functions are of, each counted for each function.
    asked: Counts<String>,
    /// The number of functions that may be of any imported module.
    imported: usize,
    /// The number of units that are the head of a function that may be a tool.
    heads: usize,
    /// The number of units that register tools in Elixir.
    registering: usize,
}

impl Named {
    /// Replaces the functions of the `removed` units by those of the `added` ones.
    pub(crate) fn replace<'a>(
        &mut self,
        removed: impl Iterator<Item = &'a UnitFunctions>,
        added: impl Iterator<Item = &'a UnitFunctions>,
    ) -> Replaced {
        let had_heads = self.heads > 0;
        let mut replaced = Replaced::default();
        for unit in added {
            self.heads += usize::from(unit.head.is_some());
            self.registering += usize::from(unit.registers_tools);
            let new = unit.captures.iter().filter(|it| self.captures.add(it));
            replaced.added.extend(new.cloned());
        }
        for unit in removed {
            self.heads -= usize::from(unit.head.is_some());
            self.registering -= usize::from(unit.registers_tools);
            let gone = unit.captures.iter().filter(|it| self.captures.remove(it));
            replaced.removed.extend(gone.cloned());
        }
        replaced.heads_differ = had_heads != (self.heads > 0);
        replaced
    }

    /// Whether units depend on the document's own functions.
    pub(crate) fn asks_own(&self) -> bool {
        self.heads > 0 || !self.captures.is_empty()
    }

    /// Whether tools are registered.
    pub(crate) fn registers_tools(&self) -> bool {
        self.registering > 0
    }

    /// Whether functions are named as tools, or tools are registered.
    pub(crate) fn names_functions(&self) -> bool {
        self.registers_tools() || !self.captures.is_empty()
    }

    /// The questions of a document.
    pub(crate) fn asks(&mut self, scope: &Scope) -> Asks {
        (self.asked, self.imported) = Default::default();
        for capture in self.captures.iter() {
            match scope.modules_of(capture) {
                ModulesOf::One(module) if !scope.own_modules.contains_key(&*module) => {
                    self.asked.add(module.into_owned());
                }
                ModulesOf::Imported => self.imported += 1,
                ModulesOf::One(_) | ModulesOf::Unknown => {}
            }
        }
        self.known_asks(scope)
    }

    /// The questions of a document after units were `replaced` and its functions changed; `None` if they are the same.
    pub(crate) fn asks_after(
        &mut self,
        replaced: &Replaced,
        old: &Scope,
        new: &Scope,
    ) -> Option<Asks> {
        let Some(differing) = Differing::between(&old.own, &new.own) else {
            return Some(self.asks(new));
        };
        let mut kept = self.captures.concerned(&differing, &new.own);
        kept.retain(|it| !replaced.added.iter().any(|added| **added == **it));
        let has_other_heads = self.heads > 0 && !differing.modules.is_empty();
        let mut differs = replaced.heads_differ || has_other_heads;
        let had_imported = self.imported > 0;
        let added = replaced.added.iter().map(|it| &**it);
        for capture in kept.iter().copied().chain(added) {
            match new.modules_of(capture) {
                ModulesOf::One(module) if !new.own_modules.contains_key(&*module) => {
                    differs |= self.asked.add(module.into_owned()) == 1;
                }
                ModulesOf::Imported => self.imported += 1,
                ModulesOf::One(_) | ModulesOf::Unknown => {}
            }
        }
        let removed = replaced.removed.iter().map(|it| &**it);
        for capture in kept.iter().copied().chain(removed) {
            match old.modules_of(capture) {
                ModulesOf::One(module) if !old.own_modules.contains_key(&*module) => {
                    differs |= self.asked.remove(&*module) == Some(0);
                }
                ModulesOf::Imported => self.imported -= 1,
                ModulesOf::One(_) | ModulesOf::Unknown => {}
            }
        }
        differs |= had_imported != (self.imported > 0);
        differs.then(|| self.known_asks(new))
    }

    fn known_asks(&self, scope: &Scope) -> Asks {
        let own_modules = scope.own.modules.iter().filter(|_| self.heads > 0);
        let imports: &[_] = match self.imported {
            0 => &[],
            _ => &scope.imports().names,
        };
        let imports = imports
            .iter()
            .filter(|it| !scope.own_modules.contains_key(*it));
        Asks {
            modules: self.asked.keys().chain(imports).cloned().collect(),
            own_modules: own_modules.map(|it| it.name.clone()).collect(),
        }
    }

    /// The functions whose meaning differs between `old` and `new`.
    pub(crate) fn changed(&self, old: &Scope, new: &Scope) -> Changed {
        let differing = match old.answers == new.answers {
            true => Differing::between(&old.own, &new.own),
            false => None,
        };
        let captures: Vec<_> = match &differing {
            Some(differing) => self.captures.concerned(differing, &new.own),
            None => self.captures.iter().collect(),
        };
        let is_changed = |it: &&Capture| match (old.resolve(it), new.resolve(it)) {
            (Some(old), Some(new)) => !old.is_seen_as(&new),
            (old, new) => old.is_some() || new.is_some(),
        };
        let heads = old.tools.differing(&new.tools).into_iter();
        Changed {
            captures: captures.into_iter().filter(is_changed).cloned().collect(),
            heads: heads.cloned().collect(),
        }
    }
}

/// What a replacement of units changes of the functions that they name.
#[derive(Debug, Default)]
pub(crate) struct Replaced {
    /// The functions that no unit named before.
    added: Vec<Arc<Capture>>,
    /// The functions that no unit names any more.
    removed: Vec<Arc<Capture>>,
    /// Whether the first unit that may be the head of a tool came, or the last one went.
    heads_differ: bool,
}

/// Functions whose meaning changed.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    captures: HashSet<Capture>,
    /// The names that became tools or stopped being tools.
    heads: HashSet<String>,
}

impl Changed {
    pub(crate) fn is_empty(&self) -> bool {
        self.captures.is_empty() && self.heads.is_empty()
    }

    /// The names of these functions; some may be there twice.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let captures = self.captures.iter().map(|it| it.name.as_str());
        captures.chain(self.heads.iter().map(String::as_str))
    }

    /// Whether the diagnostics of a unit may change.
    pub(crate) fn concerns(&self, unit: &UnitFunctions) -> bool {
        let is_head = |name: &str| match name.is_empty() {
            true => !self.heads.is_empty(),
            false => self.heads.contains(name),
        };
        unit.head.as_deref().is_some_and(is_head)
            || unit.captures.iter().any(|it| self.captures.contains(&**it))
    }
}
