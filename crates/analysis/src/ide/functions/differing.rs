//! What differs between the functions of a document before and after an edit.

use std::sync::Arc;

use foldhash::HashSet;

use super::modules::full_path;
use signature_ls_source::host::{
    HAS_SMALL_STEPS,
    elixir::{
        module::{Facts, Module},
        tools::Capture,
    },
};

/// What may mean something else than before an edit.
#[derive(Debug, Default)]
pub(super) struct Differing<'a> {
    /// The names of functions.
    pub(super) functions: HashSet<&'a str>,
    /// The short names of modules, sorted.
    aliases: Vec<&'a String>,
    /// The full names of modules that came or went.
    pub(super) modules: HashSet<&'a str>,
}

impl<'a> Differing<'a> {
    /// What differs between two versions of a document; `None` if everything may.
    pub(super) fn between(before: &'a Facts, after: &'a Facts) -> Option<Self> {
        if !HAS_SMALL_STEPS {
            return None;
        }
        let mut differing = Self::default();
        let [mut was, mut is] = [before, after].map(|it| it.modules.as_slice());
        while let ([one, was_left @ ..], [other, is_left @ ..]) = (was, is)
            && differing.add_alike(one, other)
        {
            (was, is) = (was_left, is_left);
        }
        while let ([was_left @ .., one], [is_left @ .., other]) = (was, is)
            && differing.add_alike(one, other)
        {
            (was, is) = (was_left, is_left);
        }
        differing.add_names(was.iter().chain(is), [before, after]);
        differing.aliases = before.aliases.differing(&after.aliases);
        let has_other_imports = before.imports != after.imports
            || differing.has_other_modules() && !before.imports.is_empty();
        // What `__MODULE__` stands for.
        let has_one = before.modules.len() == 1 || after.modules.len() == 1;
        let has_other_one = has_one && differing.has_other_modules();
        (!has_other_imports && !has_other_one).then_some(differing)
    }

    /// Whether names of modules may mean something else.
    pub(super) fn has_other_modules(&self) -> bool {
        !self.aliases.is_empty() || !self.modules.is_empty()
    }

    /// Adds what differs in two modules of the same name; returns whether they are.
    fn add_alike(&mut self, one: &'a Module, other: &'a Module) -> bool {
        if one.name != other.name {
            return false;
        }
        if one.types != other.types {
            self.add_functions(&mut one.function_names());
            self.add_functions(&mut other.function_names());
        } else if !std::ptr::eq(one, other) {
            self.add_functions(&mut one.differing(other));
        }
        true
    }

    /// Adds the names of `modules` that came or went, and all that these names stand for in `both`.
    fn add_names(&mut self, modules: impl Iterator<Item = &'a Arc<Module>>, both: [&'a Facts; 2]) {
        self.modules = modules.map(|it| it.name.as_str()).collect();
        if self.modules.is_empty() {
            return;
        }
        for module in both.into_iter().flat_map(|it| &it.modules) {
            if self.modules.contains(module.name.as_str()) {
                self.add_functions(&mut module.function_names());
            }
        }
    }

    /// Adds the names of functions.
    #[inline(never)]
    pub(super) fn add_functions(&mut self, names: &mut dyn Iterator<Item = &'a str>) {
        self.functions.extend(names);
    }

    /// Whether a function that is named may be another one in a document with these `facts` now.
    pub(super) fn concerns(&self, capture: &Capture, facts: &Facts) -> bool {
        let is_other = |path: &String| {
            let first = path.split('.').next().unwrap_or_default();
            let full = full_path(path, facts);
            let is_alias = self.aliases.binary_search_by(|it| it.as_str().cmp(first));
            is_alias.is_ok() || full.is_some_and(|it| self.modules.contains(&*it))
        };
        self.functions.contains(capture.name.as_str())
            || capture.module.as_ref().is_some_and(is_other)
    }
}
