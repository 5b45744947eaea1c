//! Literals that are bound to a name and used by many calls: each is parsed once.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use crate::{
    host::{Role, Site},
    ide::fragment::Tree,
    text::TextSize,
};

/// The trees of literals that belong to several units, by where they begin in the document. They are valid for
/// one text and one edition.
#[derive(Debug, Default)]
pub(crate) struct SharedTrees(Mutex<HashMap<(TextSize, Role), Tree>>);

impl SharedTrees {
    /// The tree of `site`, whose unit begins at `start`.
    pub(crate) fn get_or_parse(
        &self,
        start: TextSize,
        site: &Site,
        parse: impl FnOnce() -> Tree,
    ) -> Tree {
        let key = (start + site.literal.start(), site.role);
        let mut trees = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        trees.entry(key).or_insert_with(parse).clone()
    }
}
