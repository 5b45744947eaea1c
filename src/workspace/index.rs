//! The functions of a project by name, kept file by file.

use std::{collections::BTreeSet, sync::Arc};

use foldhash::HashMap;
use rpds::HashTrieMapSync;

use super::FileId;
use signature_ls_analysis::ide::{Answers, Asks, ToolFunctions, tool_functions};
use signature_ls_source::{
    counts::Counts,
    host::elixir::{
        module::{Facts, Function, Module},
        owners::Owners,
        tools::Capture,
    },
};

/// The functions in the files of a project. It is cheap to clone, so readers have a copy.
#[derive(Debug, Clone, Default)]
pub struct Index {
    files: HashTrieMapSync<FileId, Arc<Facts>>,
    /// All definitions of each module.
    modules: HashTrieMapSync<String, Vec<Definition>>,
    /// The functions of a module that are tools, with counts.
    tools: HashTrieMapSync<String, Vec<Capture>>,
    /// The tools of a file that may be functions of any module that it imports.
    imported: HashTrieMapSync<FileId, Arc<[Capture]>>,
    /// The files among these that import a module.
    importers: HashTrieMapSync<String, Vec<FileId>>,
}

/// A module and the file that defines it.
type Definition = (FileId, Arc<Module>);

/// The functions of a module that are no tools any more, and those that became tools.
#[derive(Default)]
struct ToolChange {
    gone: Counts<Capture>,
    new: Vec<Capture>,
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
        self.replace_modules(file, &was, &is, &mut touched);
        if was.differing_tools(&is).next().is_some() || !was.has_names_of(&is) {
            let (was, is) = (tool_functions(&was), tool_functions(&is));
            self.replace_importer(file, &was, &is, &mut touched);
            self.replace_tools(was.of_modules, is.of_modules, &mut touched);
        }
        match facts {
            Some(facts) => self.files.insert_mut(file, facts),
            None => drop(self.files.remove_mut(&file)),
        }
        touched
    }

    fn replace_modules(&mut self, file: FileId, was: &Facts, is: &Facts, touched: &mut Touched) {
        let mut differing: HashMap<&str, Vec<Definition>> = HashMap::default();
        for module in differing_modules(&was.modules, &is.modules) {
            differing.entry(&module.name).or_default();
        }
        for module in &is.modules {
            if let Some(definitions) = differing.get_mut(module.name.as_str()) {
                definitions.push((file, Arc::clone(module)));
            }
        }
        for (name, mut definitions) in differing {
            let known = self.modules.get(name).into_iter().flatten();
            definitions.extend(known.filter(|(it, _)| *it != file).cloned());
            match definitions.is_empty() {
                true => drop(self.modules.remove_mut(name)),
                false => self.modules.insert_mut(name.to_owned(), definitions),
            }
            touched.modules.insert(name.to_owned());
            if self.importers.contains_key(name) {
                touched.tools.insert(name.to_owned());
            }
        }
    }

    fn replace_importer(
        &mut self,
        file: FileId,
        was: &ToolFunctions,
        is: &ToolFunctions,
        touched: &mut Touched,
    ) {
        if (&was.imported, &was.imports) == (&is.imported, &is.imports) {
            return;
        }
        match is.imported.is_empty() {
            true => drop(self.imported.remove_mut(&file)),
            false => self
                .imported
                .insert_mut(file, is.imported.as_slice().into()),
        }
        for module in was.imports.union(&is.imports) {
            let known = self.importers.get(module).into_iter().flatten();
            let others = known.copied().filter(|it| *it != file);
            let own = Some(file).filter(|_| is.imports.contains(module));
            let importers: Vec<_> = others.chain(own).collect();
            match importers.is_empty() {
                true => drop(self.importers.remove_mut(module)),
                false => self.importers.insert_mut(module.clone(), importers),
            }
            touched.tools.insert(module.clone());
        }
    }

    fn replace_tools(
        &mut self,
        mut was: Vec<Capture>,
        mut is: Vec<Capture>,
        touched: &mut Touched,
    ) {
        was.sort_unstable();
        is.sort_unstable();
        if was == is {
            return;
        }
        let mut changes: HashMap<String, ToolChange> = HashMap::default();
        for capture in was {
            if let Some(module) = &capture.module {
                let change = changes.entry(module.clone()).or_default();
                change.gone.add(capture);
            }
        }
        for capture in is {
            if let Some(module) = &capture.module {
                let change = changes.entry(module.clone()).or_default();
                change.new.push(capture);
            }
        }
        for (module, ToolChange { mut gone, new }) in changes {
            let known = self.tools.get(&module).into_iter().flatten();
            let mut tools: Vec<_> = known
                .filter(|it| gone.remove(*it).is_none())
                .cloned()
                .collect();
            tools.extend(new);
            match tools.is_empty() {
                true => drop(self.tools.remove_mut(&module)),
                false => self.tools.insert_mut(module.clone(), tools),
            }
            touched.tools.insert(module);
        }
    }

    /// The answers to `asks`.
    pub(super) fn answers(&self, asks: &Asks) -> Answers {
        let modules = asks.modules.iter().filter_map(|name| {
            let (_, module) = self.module(name)?;
            Some((name.clone(), Arc::clone(module)))
        });
        let tools = asks.own_modules.iter().filter_map(|it| self.tools.get(it));
        let imported = self.imported_tools(asks);
        Answers {
            modules: modules.collect(),
            tools: tools.flatten().cloned().chain(imported).collect(),
        }
    }

    /// The functions of its own modules that are tools of files that import these.
    fn imported_tools(&self, asks: &Asks) -> Vec<Capture> {
        let mut files: HashMap<FileId, Vec<Arc<Module>>> = HashMap::default();
        for name in &asks.own_modules {
            for file in self.importers.get(name).into_iter().flatten() {
                let defined = self.modules.get(name).into_iter().flatten();
                let defined = defined.map(|(_, module)| Arc::clone(module));
                files.entry(*file).or_default().extend(defined);
            }
        }
        let mut found = Vec::new();
        for (file, modules) in &files {
            let owners = Owners::of(modules);
            for tool in self.imported.get(file).into_iter().flat_map(|it| &**it) {
                let having = owners.having(modules, tool);
                found.extend(having.map(|module| Capture {
                    module: Some(module.name.clone()),
                    ..tool.clone()
                }));
            }
        }
        found
    }

    /// The module with that full name and its file, if it is defined exactly once.
    pub fn module(&self, name: &str) -> Option<(FileId, &Arc<Module>)> {
        let [(file, module)] = self.modules.get(name)?.as_slice() else {
            return None;
        };
        Some((*file, module))
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
        !self.tools.is_empty() || !self.imported.is_empty()
    }

    /// Whether a function with that name is a tool somewhere.
    pub(super) fn has_tool(&self, name: &str) -> bool {
        let imported = self.imported.values().flat_map(|it| &**it);
        let mut tools = self.tools.values().flatten().chain(imported);
        tools.any(|it| it.name == name)
    }

    /// The files with functions.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.files.keys().copied()
    }
}

/// The modules between those at the beginning and at the end that are the same: after an edit, few.
fn differing_modules<'a>(
    was: &'a [Arc<Module>],
    is: &'a [Arc<Module>],
) -> impl Iterator<Item = &'a Arc<Module>> {
    let is_same = |(was, is): &(&Arc<Module>, &Arc<Module>)| was == is;
    let before = was.iter().zip(is).take_while(is_same).count();
    let (was, is) = (&was[before..], &is[before..]);
    let after = was.iter().rev().zip(is.iter().rev());
    let after = after.take_while(is_same).count();
    was[..was.len() - after]
        .iter()
        .chain(&is[..is.len() - after])
}

#[cfg(test)]
mod tests;
