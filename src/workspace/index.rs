//! The functions of a project by name, kept file by file.

use std::{collections::BTreeSet, sync::Arc};

use rpds::HashTrieMapSync;

use super::FileId;
use signature_ls_analysis::ide::{Answers, Asks, full_tools};
use signature_ls_source::{
    counts::Counts,
    host::elixir::{
        module::{Facts, Function, Module},
        tools::Capture,
    },
};

/// The functions in the files of a project. It is cheap to clone, so readers have a copy.
#[derive(Debug, Clone, Default)]
pub struct Index {
    files: HashTrieMapSync<FileId, Arc<Facts>>,
    /// The files that define a module, repeated for several definitions.
    modules: HashTrieMapSync<String, Vec<FileId>>,
    /// The functions of a module that are tools, with counts.
    tools: HashTrieMapSync<String, Vec<Capture>>,
}

/// The names whose meaning a change of a file affects.
#[derive(Debug, Default)]
pub(super) struct Touched {
    modules: BTreeSet<String>,
    /// The modules in which other functions are tools than before.
    tools: BTreeSet<String>,
}

/// The questions of many files, counted, so that nobody has to visit the files.
#[derive(Debug, Default)]
pub(super) struct Asking {
    modules: Counts<String>,
    own_modules: Counts<String>,
}

impl Asking {
    pub(super) fn add(&mut self, asks: &Asks) {
        self.modules.extend(asks.modules.iter().cloned());
        self.own_modules.extend(asks.own_modules.iter().cloned());
    }

    /// Reverts [`Self::add`].
    pub(super) fn remove(&mut self, asks: &Asks) {
        self.modules.remove_all(&asks.modules);
        self.own_modules.remove_all(&asks.own_modules);
    }
}

impl Touched {
    /// Whether the answer to one of the questions may have changed.
    pub(super) fn concerns_any(&self, asking: &Asking) -> bool {
        let is_in = |names: &BTreeSet<String>, asked: &Counts<String>| {
            names.iter().any(|it| asked.contains(it))
        };
        is_in(&self.modules, &asking.modules) || is_in(&self.tools, &asking.own_modules)
    }

    /// Whether the answer to `asks` may have changed.
    pub(super) fn concerns(&self, asks: &Asks) -> bool {
        !self.modules.is_disjoint(&asks.modules) || !self.tools.is_disjoint(&asks.own_modules)
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.modules.extend(other.modules);
        self.tools.extend(other.tools);
    }
}

impl Index {
    /// Replaces the functions of `file`; `None` removes them.
    pub(super) fn put(&mut self, file: FileId, facts: Option<Arc<Facts>>) -> Touched {
        let facts = facts.filter(|it| !it.is_empty());
        let old = self.files.get(&file).cloned();
        let mut touched = Touched::default();
        if old == facts {
            return touched;
        }
        let (was, is) = (old.unwrap_or_default(), facts.clone().unwrap_or_default());
        for module in differing(&was.modules, &is.modules) {
            let definitions = self.modules.get(&module.name).cloned().unwrap_or_default();
            let count = is
                .modules
                .iter()
                .filter(|it| it.name == module.name)
                .count();
            let others = definitions.into_iter().filter(|it| *it != file);
            let all: Vec<_> = others.chain(std::iter::repeat_n(file, count)).collect();
            match all.is_empty() {
                true => drop(self.modules.remove_mut(&module.name)),
                false => self.modules.insert_mut(module.name.clone(), all),
            }
            touched.modules.insert(module.name.clone());
        }
        if was.differing_tools(&is).next().is_some() || !was.has_names_of(&is) {
            self.replace_tools(&was, &is, &mut touched);
        }
        match facts {
            Some(facts) => self.files.insert_mut(file, facts),
            None => drop(self.files.remove_mut(&file)),
        }
        touched
    }

    fn replace_tools(&mut self, was: &Facts, is: &Facts, touched: &mut Touched) {
        let mut was: Vec<_> = full_tools(was).collect();
        let mut is: Vec<_> = full_tools(is).collect();
        was.sort_unstable();
        is.sort_unstable();
        if was == is {
            return;
        }
        for capture in was {
            self.change_tools(&capture, |tools| {
                if let Some(at) = tools.iter().position(|it| *it == capture) {
                    tools.swap_remove(at);
                }
            });
            touched.tools.extend(capture.module);
        }
        for capture in is {
            self.change_tools(&capture, |tools| tools.push(capture.clone()));
            touched.tools.extend(capture.module);
        }
    }

    fn change_tools(&mut self, capture: &Capture, change: impl FnOnce(&mut Vec<Capture>)) {
        let Some(module) = &capture.module else {
            return;
        };
        let mut tools = self.tools.get(module).cloned().unwrap_or_default();
        change(&mut tools);
        match tools.is_empty() {
            true => drop(self.tools.remove_mut(module)),
            false => self.tools.insert_mut(module.clone(), tools),
        }
    }

    /// The answers to `asks`.
    pub(super) fn answers(&self, asks: &Asks) -> Answers {
        let modules = asks.modules.iter().filter_map(|name| {
            let (_, module) = self.module(name)?;
            Some((name.clone(), Arc::clone(module)))
        });
        let tools = asks.own_modules.iter().filter_map(|it| self.tools.get(it));
        Answers {
            modules: modules.collect(),
            tools: tools.flatten().cloned().collect(),
        }
    }

    /// The module with that full name and its file, if it is defined exactly once.
    pub fn module(&self, name: &str) -> Option<(FileId, &Arc<Module>)> {
        let [file] = self.modules.get(name)?.as_slice() else {
            return None;
        };
        let mut modules = self.files.get(file)?.modules.iter();
        Some((*file, modules.find(|it| it.name == name)?))
    }

    /// The modules that are defined exactly once.
    pub fn modules(&self) -> impl Iterator<Item = &Arc<Module>> {
        let names = self.modules.keys();
        names.filter_map(|name| Some(self.module(name)?.1))
    }

    /// The function of that module, name and arity, and its file.
    pub fn function(&self, module: &str, name: &str, arity: usize) -> Option<(FileId, &Function)> {
        let (file, module) = self.module(module)?;
        Some((file, module.function(name, arity)?))
    }

    /// Whether there are functions that are tools.
    pub(super) fn has_tools(&self) -> bool {
        self.tools.values().any(|it| !it.is_empty())
    }

    /// Whether a function with that name is a tool somewhere.
    pub(super) fn has_tool(&self, name: &str) -> bool {
        self.tools.values().flatten().any(|it| it.name == name)
    }

    /// The files with functions.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.files.keys().copied()
    }
}

/// The modules that differ.
fn differing<'a>(
    was: &'a [Arc<Module>],
    is: &'a [Arc<Module>],
) -> impl Iterator<Item = &'a Arc<Module>> {
    let gone = was.iter().filter(|it| !is.contains(it));
    gone.chain(is.iter().filter(|it| !was.contains(it)))
}
