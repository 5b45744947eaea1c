//! What an edit changes of modules and their names.

use std::ops::Range;

use super::{All, MODULE, MODULES, What, alias_key, assembly::Assembly, module_around};
use crate::{
    host::elixir::{makes, module::Facts},
    text::TextSize,
};

/// What an edit changes of the modules inside of the one around it.
pub(super) struct Modules<'d> {
    /// The declarations after it.
    new: Assembly<'d>,
    /// The index of the first of them.
    first: usize,
    /// The number of modules that it replaces.
    gone: usize,
    /// The aliases that it may change.
    aliases: Vec<(String, String)>,
}

impl<'d> Modules<'d> {
    /// The change of the declarations at `gone` to `new` ones; `None` if it affects more.
    pub(super) fn new(
        all: &All,
        place: TextSize,
        gone: Range<usize>,
        new: &'d All,
    ) -> Option<Self> {
        let outer = module_around(all, place);
        let old = Assembly::within(outer.clone(), &mut all.slice(gone.clone()));
        let new = Assembly::within(outer, &mut new.iter());
        let (before, after) = (old.names(), new.names());
        let is_known = before.imports == after.imports && old.outer_types().eq(new.outer_types());
        let mut aliases = Vec::new();
        for names in [before, after] {
            let named = names.aliases();
            aliases.extend(named.map(|(short, full)| (short.clone(), full.clone())));
        }
        is_known.then(|| Self {
            first: gone.start,
            gone: old.count(),
            aliases,
            new,
        })
    }

    /// Changes the facts, which are those before the edit; `None` if it may affect agents elsewhere.
    pub(super) fn apply(self, all: &All, facts: &mut Facts) -> Option<()> {
        for alias in &self.aliases {
            let was_agents = makes::is_agents(&alias.0, facts);
            facts.set_alias(&alias.0, &alias.1, is_alias(all, alias));
            if was_agents != makes::is_agents(&alias.0, facts) {
                return None;
            }
        }
        let first = all.keyed(MODULES, 0..self.first).count();
        let new = self.new.finish(facts);
        facts.replace_modules(first..first + self.gone, new);
        Some(())
    }
}

/// Whether a declaration makes a short name stand for a full one.
fn is_alias(all: &All, alias: &(String, String)) -> bool {
    let (short, full) = alias;
    let is_it = |index: usize| {
        let outer = || module_around(all, all.place(index)[0]);
        match all.item(index) {
            What::Alias(it) if it.path.starts_with(MODULE) => it.pair(&outer()) == *alias,
            What::Alias(it) => *it.path == **full && it.pair("") == *alias,
            What::Module(name) => {
                let outer_name = full.strip_suffix(name.as_str());
                let outer_name = outer_name.and_then(|it| it.strip_suffix('.'));
                **name == *short && outer_name.is_some_and(|it| *it == outer())
            }
            _ => false,
        }
    };
    let keys = [short.as_str(), MODULE].map(alias_key);
    let mut declared = { keys.into_iter() }.flat_map(|key| all.keyed(key, 0..all.len()));
    declared.any(is_it)
}
