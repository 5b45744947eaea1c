//! Literals that are bound to a name and used by many calls: each is parsed once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::flow;
use crate::{
    host::{Role, Site, flow::Source},
    ide::fragment::Tree,
    model::{Edition, Lowered},
    text::TextSize,
};

/// The trees of literals that belong to several units, by where they begin in the document. They are valid for
/// one text and one edition.
#[derive(Debug, Default)]
pub(crate) struct SharedTrees {
    trees: Mutex<HashMap<(TextSize, Role), Tree>>,
    /// The signatures that flow into units from elsewhere.
    sources: Mutex<HashMap<Source, Option<Arc<Lowered>>>>,
}

impl SharedTrees {
    /// The tree of `site`, whose unit begins at `start`.
    pub(crate) fn get_or_parse(
        &self,
        start: TextSize,
        site: &Site,
        parse: impl FnOnce() -> Tree,
    ) -> Tree {
        let key = (start + site.literal.start(), site.role);
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        trees.entry(key).or_insert_with(parse).clone()
    }

    /// The signature of `source`; `None` where something is wrong with it.
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
