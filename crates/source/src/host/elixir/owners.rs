//! Which of many modules have a function.

use std::{hash::BuildHasher, sync::Arc};

use foldhash::fast::FixedState;

use super::{module::Module, tools::Capture};
use crate::{host::HAS_SMALL_STEPS, order};

/// So many modules are asked one after another.
const FEW: usize = 8;

/// An index of modules by their functions, in the order of the modules.
#[derive(Debug, Clone, Default)]
pub struct Owners {
    /// Hashes of functions with the indices of modules, sorted; none if there are few modules.
    hashes: Option<Box<[(u32, u32)]>>,
}

impl Owners {
    /// An index of `modules`.
    pub fn of(modules: &[Arc<Module>]) -> Self {
        if !HAS_SMALL_STEPS || modules.len() <= FEW {
            return Self::default();
        }
        let mut hashes = Vec::new();
        for (index, module) in (0..).zip(modules) {
            for function in module.functions() {
                let arities = function.arities.all();
                hashes.extend(arities.map(|arity| (hash(&function.name, arity), index)));
            }
        }
        // The indices ascend already.
        order::by_number(&mut hashes, |(hash, _)| *hash);
        hashes.dedup();
        Self {
            hashes: Some(hashes.into()),
        }
    }

    /// Those of `modules`, of which this is the index, that have `function`, whatever module that names.
    pub fn having<'m>(
        &self,
        modules: &'m [Arc<Module>],
        function: &Capture,
    ) -> impl Iterator<Item = &'m Arc<Module>> {
        let (name, arity) = (&function.name, function.arity);
        let (few, indexed) = match &self.hashes {
            None => (modules, &[][..]),
            Some(hashes) => (&[][..], same(hashes, hash(name, arity))),
        };
        let indexed = indexed
            .iter()
            .filter_map(|(_, it)| modules.get(*it as usize));
        let found = few.iter().chain(indexed);
        found.filter(move |it| it.function(name, arity).is_some())
    }
}

/// The entries of one hash.
fn same(hashes: &[(u32, u32)], hash: u32) -> &[(u32, u32)] {
    let start = hashes.partition_point(|it| it.0 < hash);
    let len = hashes[start..].partition_point(|it| it.0 == hash);
    &hashes[start..start + len]
}

/// The hash of a function, or of another name with 0.
pub(super) fn hash(name: &str, arity: usize) -> u32 {
    let hash = FixedState::default().hash_one((name, arity));
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::elixir::module::facts;

    #[test]
    fn an_index_finds_what_a_search_finds() {
        let module = |it: usize| {
            let (name, arguments) = (it % 3, ["", "(a)", "(a, b \\\\ 1)"][it % 5 % 3]);
            format!("defmodule M{it} do\ndef f{name}{arguments}, do: 1\nend\n")
        };
        for count in [2, FEW, 40] {
            let facts = facts(&(0..count).map(module).collect::<String>());
            let owners = Owners::of(&facts.modules);
            assert_eq!(owners.hashes.is_some(), count > FEW);
            for (name, arity) in (0..4).flat_map(|name| (0..4).map(move |it| (name, it))) {
                let function = Capture {
                    module: None,
                    name: format!("f{name}"),
                    arity,
                };
                let found = owners.having(&facts.modules, &function);
                let found: Vec<_> = found.map(|it| &it.name).collect();
                let has = |it: &&Arc<Module>| it.function(&function.name, arity).is_some();
                let expected = facts.modules.iter().filter(has);
                assert_eq!(found, expected.map(|it| &it.name).collect::<Vec<_>>());
            }
        }
    }
}
