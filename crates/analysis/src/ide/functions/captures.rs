//! Functions that units name, counted, by their names.

use std::{
    borrow::Borrow,
    hash::{Hash, Hasher},
    sync::Arc,
};

use foldhash::HashMap;

use super::differing::Differing;
use signature_ls_source::{
    counts::Counts,
    host::elixir::{module::Facts, tools::Capture},
};

/// Functions with the number of times that they are named, by their names. They are those of the units: a document may
/// name tens of thousands.
#[derive(Debug, Clone, Default)]
pub(super) struct Captures(HashMap<Name, Counts<Arc<Capture>>>);

/// The name of a function.
#[derive(Debug, Clone)]
struct Name(Arc<Capture>);

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0.name
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.as_str().hash(state);
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Name {}

impl Captures {
    /// Counts `capture`; returns whether it is new.
    pub(super) fn add(&mut self, capture: &Arc<Capture>) -> bool {
        if let Some(named) = self.0.get_mut(capture.name.as_str()) {
            return named.add(Arc::clone(capture)) == 1;
        }
        let named = Counts::from_iter([Arc::clone(capture)]);
        self.0.insert(Name(Arc::clone(capture)), named);
        true
    }

    /// Counts `capture` once less; returns whether it is gone.
    pub(super) fn remove(&mut self, capture: &Capture) -> bool {
        let Some(named) = self.0.get_mut(capture.name.as_str()) else {
            return false;
        };
        let is_gone = named.remove(capture) == Some(0);
        if named.is_empty() {
            self.0.remove(capture.name.as_str());
        }
        is_gone
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All functions, each once.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Capture> {
        self.0.values().flat_map(Counts::keys).map(|it| &**it)
    }

    /// Those that may be other functions in a document with these `facts` now.
    pub(super) fn concerned(&self, differing: &Differing<'_>, facts: &Facts) -> Vec<&Capture> {
        if differing.has_other_modules() {
            let all = self.iter();
            return all.filter(|it| differing.concerns(it, facts)).collect();
        }
        let named = differing.functions.iter().filter_map(|it| self.0.get(*it));
        named.flat_map(Counts::keys).map(|it| &**it).collect()
    }
}
