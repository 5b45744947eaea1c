//! The modules of a document and the short names in it.

use std::{cmp::Ordering, ops::Range, sync::Arc};

use super::{super::tools::Capture, Function, Module, are_alike};
use crate::{host::HAS_SMALL_STEPS, shared_map::SharedMap};

/// The modules of one document and the short names in it. Copies share what they have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its modules, including nested ones.
    pub modules: Vec<Arc<Module>>,
    /// The full names that each short name stands for somewhere in the document; each once.
    pub aliases: SharedMap<String, Vec<String>>,
    /// The modules of each `import`, as written.
    pub imports: Arc<Vec<String>>,
    /// The named functions that are tools somewhere in the document, by name; each once.
    pub(in crate::host::elixir) tools: SharedMap<String, Vec<Capture>>,
}

impl Facts {
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A function, with the full name of its module.
    pub fn function(&self, function: &Capture) -> Option<&Function> {
        let mut modules = self.modules.iter();
        let module = modules.find(|it| Some(&it.name) == function.module.as_ref())?;
        module.function(&function.name, function.arity)
    }

    /// Whether it equals `other`, apart from documentation.
    pub fn differs_in_docs_only(&self, other: &Self) -> bool {
        self.has_modules_of(other, Module::differs_in_docs_only) && self.tools == other.tools
    }

    /// Whether names of functions mean the same as in `other`.
    pub fn has_names_of(&self, other: &Self) -> bool {
        self.has_modules_of(other, Module::has_names_of)
    }

    /// Whether the modules and their names are the same as in `other`, as far as `is_like` compares.
    fn has_modules_of<'a>(
        &'a self,
        other: &'a Self,
        mut is_like: impl FnMut(&'a Module, &'a Module) -> bool,
    ) -> bool {
        let is_same = |one: &'a Arc<Module>, other: &'a Arc<Module>| {
            Arc::ptr_eq(one, other) || is_like(one, other)
        };
        are_alike(&self.modules, &other.modules, is_same)
            && self.aliases == other.aliases
            && self.imports == other.imports
    }

    /// The names of the functions that are tools in only one of this and `other`, or in other modules.
    pub fn differing_tools<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        self.tools
            .differing(&other.tools)
            .into_iter()
            .map(String::as_str)
    }

    /// The functions that are tools, as they are named.
    pub fn tools(&self) -> impl Iterator<Item = &Capture> {
        self.tools.values().flatten()
    }

    /// The tools that are functions of this name.
    pub fn tools_named(&self, name: &str) -> &[Capture] {
        self.tools.get(name).map_or(&[], Vec::as_slice)
    }

    /// Replaces the tools.
    pub(in crate::host::elixir) fn set_tools<'a>(
        &mut self,
        captures: impl Iterator<Item = &'a Capture>,
    ) {
        self.tools = SharedMap::default();
        let mut captures: Vec<_> = captures.collect();
        if HAS_SMALL_STEPS {
            // Each follows those of the same name then, so that none of these is moved.
            captures.sort_unstable_by(|one, other| compare(one, other));
        }
        captures.iter().for_each(|it| self.set_tool(it, true));
    }

    /// Adds `capture` to the tools, or removes it.
    pub fn set_tool(&mut self, capture: &Capture, is_tool: bool) {
        set_item(&mut self.tools, &capture.name, capture, is_tool);
    }

    /// The full names that a short one stands for.
    pub fn aliases_of(&self, short: &str) -> &[String] {
        self.aliases.get(short).map_or(&[], Vec::as_slice)
    }

    /// Adds an alias, or removes it.
    pub fn set_alias(&mut self, short: &String, full: &String, is_alias: bool) {
        set_item(&mut self.aliases, short, full, is_alias);
    }

    /// The short names with the full ones that they stand for.
    pub fn aliases(&self) -> impl Iterator<Item = (&String, &String)> {
        let aliases = self.aliases.iter();
        aliases.flat_map(|(short, full)| full.iter().map(move |it| (short, it)))
    }

    /// Adds the facts of another part of the same document.
    pub fn add(&mut self, other: &Self) {
        self.modules.extend_from_slice(&other.modules);
        for (short, full) in other.aliases() {
            self.set_alias(short, full, true);
        }
        Arc::make_mut(&mut self.imports).extend_from_slice(&other.imports);
        other.tools().for_each(|it| self.set_tool(it, true));
    }

    /// Replaces the modules at the indices `gone`.
    #[inline(never)]
    pub(in crate::host::elixir) fn replace_modules(
        &mut self,
        gone: Range<usize>,
        new: Vec<Arc<Module>>,
    ) {
        let after = self.modules.split_off(gone.end);
        self.modules.truncate(gone.start);
        self.modules.extend(new);
        self.modules.extend(after);
    }

    /// Replaces the facts of the parts `gone`, which come after the parts `before`, by those of `new` ones, apart from
    /// the tools and the aliases.
    pub fn replace<'f>(
        &mut self,
        before: impl Iterator<Item = &'f Self> + Clone,
        gone: impl Iterator<Item = &'f Self> + Clone,
        new: impl Iterator<Item = &'f Self> + Clone,
    ) {
        if let Some((gone, new)) = change(|it| &it.modules, &before, &gone, &new) {
            self.replace_modules(gone, new);
        }
        if let Some((gone, new)) = change(|it| &it.imports, &before, &gone, &new) {
            Arc::make_mut(&mut self.imports).splice(gone, new);
        }
    }
}

/// Adds `item` to the sorted ones of `key`, or removes it.
#[inline(never)]
fn set_item<T: Ord + Clone>(
    all: &mut SharedMap<String, Vec<T>>,
    key: &String,
    item: &T,
    is_there: bool,
) {
    let known = all.get(key).map_or(&[][..], Vec::as_slice);
    match known.binary_search(item) {
        Ok(_) if !is_there && known.len() == 1 => all.set(key, None),
        Ok(at) if !is_there => drop(all.entry(key).remove(at)),
        Err(at) if is_there => {
            let items = all.entry(key);
            if items.is_empty() {
                items.reserve_exact(1);
            }
            items.insert(at, item.clone());
        }
        _ => {}
    }
}

/// The indices of the items in the parts `gone`, and those in `new` ones; `None` if they are the same.
fn change<'f, T: Clone + PartialEq + 'f>(
    items: impl Fn(&'f Facts) -> &'f [T] + Copy,
    before: &(impl Iterator<Item = &'f Facts> + Clone),
    gone: &(impl Iterator<Item = &'f Facts> + Clone),
    new: &(impl Iterator<Item = &'f Facts> + Clone),
) -> Option<(Range<usize>, Vec<T>)> {
    let gone = gone.clone().flat_map(items);
    let new = new.clone().flat_map(items);
    if gone.clone().eq(new.clone()) {
        return None;
    }
    let start = before.clone().map(|it| items(it).len()).sum();
    Some((start..start + gone.count(), new.cloned().collect()))
}

/// Compares two functions. A sort of references has dozens of comparisons.
#[inline(never)]
fn compare(one: &Capture, other: &Capture) -> Ordering {
    one.cmp(other)
}
