//! The tools that a document names, for the programs in the same document.

use std::collections::BTreeMap;

use crate::{
    host::{HostKind, PlacedUnit, Role},
    ide::unit::{Tree, UnitAnalysis, elixir_tools},
    model::Signature,
    text::{Text, TextRange},
};

/// The tools that the library itself has, which an agent can turn on.
const BUILT_IN: &[&str] = &["grep", "grep_n", "llm_query"];

/// The tools of a document by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tools {
    /// A signature where one is known, and no other for the same name.
    by_name: BTreeMap<String, Option<Signature>>,
    /// Whether a name that is none of these is none at all.
    is_complete: bool,
    /// Whether the programs may be Clojure, where a namespace can be anything.
    may_be_clojure: bool,
}

impl Tools {
    /// Gathers the tools of a document of `kind`.
    pub(crate) fn of<'a>(
        kind: HostKind,
        text: &Text,
        units: impl Iterator<Item = (&'a PlacedUnit, &'a UnitAnalysis)>,
    ) -> Self {
        let mut tools = Self {
            // A guide shows parts of many programs.
            is_complete: kind != HostKind::Markdown,
            may_be_clojure: kind == HostKind::Lisp && has_namespace_form(text),
            ..Self::default()
        };
        for (placed, analysis) in units {
            tools.add_unit(text, placed, analysis);
        }
        tools.is_complete &= !tools.by_name.is_empty();
        tools
    }

    fn add_unit(&mut self, text: &Text, placed: &PlacedUnit, analysis: &UnitAnalysis) {
        for fragment in &analysis.fragments {
            let (Role::Tool, Some(name), Tree::Signature { lowered, .. }) =
                (fragment.role, &fragment.name, &fragment.tree)
            else {
                continue;
            };
            let is_sound = lowered.problems.is_empty();
            self.add(name, is_sound.then_some(&lowered.signature));
        }
        let Some((_, registered)) = elixir_tools(&placed.unit, text, placed.start) else {
            return;
        };
        for name in registered.iter().filter_map(|it| it.name.as_ref()) {
            self.by_name.entry(name.clone()).or_insert(None);
        }
    }

    fn add(&mut self, name: &str, signature: Option<&Signature>) {
        match self.by_name.get_mut(name) {
            Some(known) if known.as_ref() == signature => {}
            Some(known) => *known = None,
            None => drop(self.by_name.insert(name.to_owned(), signature.cloned())),
        }
    }

    /// Whether there is a tool of that name, under any spelling that the edition takes for the same.
    pub(crate) fn has(&self, name: &str, normal: impl Fn(&str) -> String) -> bool {
        let wanted = normal(name);
        let mut known = self.names().chain(BUILT_IN.iter().copied());
        known.any(|known| normal(known) == wanted)
    }

    /// The signature of the tool of that name, if there is just one.
    pub(crate) fn signature(
        &self,
        name: &str,
        normal: impl Fn(&str) -> String,
    ) -> Option<&Signature> {
        let wanted = normal(name);
        let mut found = self.by_name.iter().filter(|(it, _)| normal(it) == wanted);
        let (_, signature) = found.next()?;
        let is_only = found.next().is_none();
        signature.as_ref().filter(|_| is_only)
    }

    /// The names of all tools.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether a name that is none of these is none at all.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether the programs may be Clojure, where a namespace can be anything.
    pub(crate) fn may_be_clojure(&self) -> bool {
        self.may_be_clojure
    }
}

/// Programs for a model have no `ns` form.
fn has_namespace_form(text: &Text) -> bool {
    let text = text.slice(TextRange::up_to(text.len()));
    text.contains("(ns ")
}
