//! Parses literals with the same text once.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::flow;
use crate::{
    host::{Role, Site, flow::Source},
    ide::fragment::Tree,
    model::{Edition, Lowered},
    syntax::fragment::{Escapes, Foreign},
    text::TextSize,
};

/// Longer literals rarely have the same text, unless several units use them.
const LONGEST: TextSize = TextSize::new(4096);

/// The trees of literals by text. They are valid for one edition.
#[derive(Debug, Default)]
pub(crate) struct SharedTrees {
    trees: Mutex<HashMap<Literal, Tree>>,
    /// The signatures that flow into units from elsewhere.
    sources: Mutex<HashMap<Source, Option<Arc<Lowered>>>>,
}

/// Everything that a tree depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Literal {
    role: Role,
    escapes: Escapes,
    foreign: Vec<Foreign>,
    content: String,
}

impl SharedTrees {
    /// The tree of `site` with `content`. `is_linked` means that other units may use the same literal.
    pub(crate) fn get_or_parse<'t>(
        &self,
        site: &Site,
        is_linked: bool,
        content: impl FnOnce() -> Cow<'t, str>,
        parse: impl FnOnce(Cow<'t, str>) -> Tree,
    ) -> Tree {
        let content = content();
        if TextSize::of(&*content) > LONGEST && !is_linked {
            return parse(content);
        }
        let literal = Literal {
            role: site.role,
            escapes: site.escapes,
            foreign: site.foreign.clone(),
            content: content.clone().into_owned(),
        };
        let lock = || self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = lock().get(&literal) {
            return tree.clone();
        }
        let tree = parse(content);
        lock().insert(literal, tree.clone());
        tree
    }

    /// The signature of `source`; `None` if it has errors.
    pub(crate) fn source(&self, source: &Source, edition: Edition) -> Option<Arc<Lowered>> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sources.get(source) {
            return known.clone();
        }
        let lowered = flow::lowered(source, edition);
        sources.insert(source.clone(), lowered.clone());
        lowered
    }
}
