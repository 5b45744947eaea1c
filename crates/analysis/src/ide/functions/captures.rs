//! Functions that units name, counted, by their names.

use foldhash::HashMap;

use super::differing::Differing;
use signature_ls_source::{
    counts::Counts,
    host::elixir::{module::Facts, tools::Capture},
};

/// Functions with the number of times that they are named.
#[derive(Debug, Clone, Default)]
pub(super) struct Captures(HashMap<String, Counts<Capture>>);

impl Captures {
    /// Counts `capture`; returns whether it is new.
    pub(super) fn add(&mut self, capture: &Capture) -> bool {
        if let Some(named) = self.0.get_mut(&capture.name) {
            return named.add(capture.clone()) == 1;
        }
        let named = Counts::from_iter([capture.clone()]);
        self.0.insert(capture.name.clone(), named);
        true
    }

    /// Counts `capture` once less; returns whether it is gone.
    pub(super) fn remove(&mut self, capture: &Capture) -> bool {
        let Some(named) = self.0.get_mut(&capture.name) else {
            return false;
        };
        let is_gone = named.remove(capture) == Some(0);
        if named.is_empty() {
            self.0.remove(&capture.name);
        }
        is_gone
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All functions, each once.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Capture> {
        self.0.values().flat_map(Counts::keys)
    }

    /// Those that may be other functions in a document with these `facts` now.
    pub(super) fn concerned(&self, differing: &Differing<'_>, facts: &Facts) -> Vec<&Capture> {
        if differing.has_other_modules() {
            let all = self.iter();
            return all.filter(|it| differing.concerns(it, facts)).collect();
        }
        let named = differing.functions.iter().filter_map(|it| self.0.get(*it));
        named.flat_map(Counts::keys).collect()
    }
}
