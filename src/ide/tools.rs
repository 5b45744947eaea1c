//! The tools that programs can call: those that a document names, or those of one call.

pub(crate) mod built_in;
mod named;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use named::{NamedTool, Says};

pub(crate) use named::UnitTools;

use crate::{
    counts::Counts,
    host::{
        HostKind, Unit,
        lisp::{Namespaces, Program},
    },
    ide::functions::Scope,
    model::{Edition, Signature, gaps::Gap},
    text::{Text, TextSize},
};

/// Tools by name, kept from edit to edit so that a keystroke need not gather all of them.
#[derive(Debug, Clone)]
pub(crate) struct Tools {
    edition: Edition,
    source: Source,
    /// By the form under which the edition compares names.
    by_name: BTreeMap<String, Named>,
    /// What units say of namespaces, those left out that say nothing.
    said_of_namespaces: Vec<Namespaces>,
    /// All of that.
    namespaces: Namespaces,
}

/// Who names the tools.
#[derive(Debug, Clone, Copy)]
enum Source {
    Document(HostKind),
    Call { is_complete: bool },
}

/// The declarations of the tools of one name, and how often each occurs.
#[derive(Debug, Clone, Default)]
struct Named {
    /// Sorted; nearly always just one.
    spellings: Vec<(String, usize)>,
    signatures: Counts<Arc<ToolSignature>>,
    unclear: usize,
    /// How many of the signatures may have more fields than could be read.
    partial: usize,
}

/// The signature of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ToolSignature {
    pub(crate) signature: Arc<Signature>,
    /// What it may have beside the parameters that could be read.
    pub(crate) gap: Gap,
}

impl From<Signature> for ToolSignature {
    fn from(signature: Signature) -> Self {
        Self {
            signature: Arc::new(signature),
            gap: Gap::default(),
        }
    }
}

/// How tools differ from what they were before an edit.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Whether calls of any tool may mean something else.
    of_all: bool,
    /// Whether there are other names than before, which those that are not among them may be slips of.
    of_names: bool,
    /// The tools that came, went or have another signature.
    tools: HashSet<String>,
}

impl Tools {
    fn new(edition: Edition, source: Source) -> Self {
        Self {
            edition,
            source,
            by_name: BTreeMap::new(),
            said_of_namespaces: Vec::new(),
            namespaces: Namespaces::default(),
        }
    }

    /// Those of a program around which nothing is known.
    pub(crate) fn unknown(edition: Edition) -> Self {
        Self::new(edition, Source::Call { is_complete: false })
    }

    /// Those of a document of `kind` whose units are still to be added.
    pub(crate) fn of_document(kind: HostKind, edition: Edition) -> Self {
        Self::new(edition, Source::Document(kind))
    }

    /// The tools of the call in Elixir that begins at `start` of `text`, if it holds a program and says
    /// which tools there are.
    pub(crate) fn of_call(
        unit: &Unit,
        text: &Text,
        start: TextSize,
        edition: Edition,
        scope: &Scope,
    ) -> Option<Self> {
        unit.program.literal.as_ref()?;
        Self::registered(unit, text, start, edition, scope)
    }

    /// The tools that the call in Elixir that begins at `start` of `text` registers.
    pub(crate) fn registered(
        unit: &Unit,
        text: &Text,
        start: TextSize,
        edition: Edition,
        scope: &Scope,
    ) -> Option<Self> {
        let (named, is_complete) = named::of_call(unit, text, start, edition, scope)?;
        let mut tools = Self::new(edition, Source::Call { is_complete });
        tools.namespaces = unit.program.namespaces.clone();
        for tool in &named {
            tools.add(tool);
        }
        Some(tools)
    }

    /// Takes what the `added` units say in the place of what the `removed` ones said.
    pub(crate) fn replace(&mut self, removed: &[&UnitTools], added: &[&UnitTools]) -> Change {
        let named = removed.iter().chain(added).flat_map(|it| &it.named);
        let names: BTreeSet<_> = named.map(|it| self.edition.normal_name(&it.name)).collect();
        let before: Vec<_> = names.iter().map(|name| self.seen(name)).collect();
        let was = (self.is_complete(), self.namespaces.clone());
        for unit in removed {
            let mut said = self.said_of_namespaces.iter();
            if let Some(index) = said.position(|it| *it == unit.namespaces) {
                self.said_of_namespaces.swap_remove(index);
            }
            unit.named.iter().for_each(|it| self.remove(it));
        }
        for unit in added {
            if !unit.namespaces.is_empty() {
                self.said_of_namespaces.push(unit.namespaces.clone());
            }
            unit.named.iter().for_each(|it| self.add(it));
        }
        self.namespaces = Namespaces::default();
        for said in &self.said_of_namespaces {
            self.namespaces.add(said);
        }
        let mut change = Change {
            of_all: was != (self.is_complete(), self.namespaces.clone()),
            ..Change::default()
        };
        for (name, before) in names.into_iter().zip(before) {
            let after = self.seen(&name);
            change.of_names |= before.0 != after.0;
            if before != after {
                change.tools.insert(name);
            }
        }
        change
    }

    fn add(&mut self, tool: &NamedTool) {
        let name = self.edition.normal_name(&tool.name);
        let entry = self.by_name.entry(name).or_default();
        match entry.spelling(&tool.name) {
            Ok(known) => entry.spellings[known].1 += 1,
            Err(place) => entry.spellings.insert(place, (tool.name.clone(), 1)),
        }
        match &tool.says {
            Says::Signature(it) => entry.signatures.extend([Arc::clone(it)]),
            Says::Unclear => entry.unclear += 1,
        }
        entry.partial += usize::from(tool.is_partial);
    }

    fn remove(&mut self, tool: &NamedTool) {
        let name = self.edition.normal_name(&tool.name);
        let Some(entry) = self.by_name.get_mut(&name) else {
            return;
        };
        if let Ok(known) = entry.spelling(&tool.name) {
            entry.spellings[known].1 -= 1;
            entry.spellings.retain(|(_, count)| *count > 0);
        }
        entry.partial -= usize::from(tool.is_partial);
        match &tool.says {
            Says::Signature(it) => entry.signatures.remove_all([it]),
            Says::Unclear => entry.unclear -= 1,
        }
        if entry.spellings.is_empty() {
            self.by_name.remove(&name);
        }
    }

    /// All that programs see of the tool of a name in normal form: its spellings and its signature.
    fn seen(&self, name: &str) -> (Vec<String>, Option<Arc<ToolSignature>>, bool) {
        let entry = self.by_name.get(name);
        let is_partial = entry.is_some_and(|it| it.partial > 0);
        let spellings = entry.map(|it| it.spellings.iter().map(|(name, _)| name.clone()).collect());
        let signature = entry.and_then(Named::signature).cloned();
        (spellings.unwrap_or_default(), signature, is_partial)
    }

    /// Whether there is a tool of that name, under any spelling that the edition takes for the same.
    pub(crate) fn has(&self, name: &str) -> bool {
        let name = self.edition.normal_name(name);
        built_in::has(&name) || self.by_name.contains_key(&name)
    }

    /// The signature of the tool of that name, if there is just one.
    pub(crate) fn signature(&self, name: &str) -> Option<&Signature> {
        self.known(name).map(|it| &*it.signature)
    }

    /// Whether the document says anything of a tool of that name.
    pub(crate) fn names_one(&self, name: &str) -> bool {
        self.by_name.contains_key(&self.edition.normal_name(name))
    }

    /// The same with what else it may have.
    pub(crate) fn known(&self, name: &str) -> Option<&ToolSignature> {
        let entry = self.by_name.get(&self.edition.normal_name(name))?;
        entry.signature().map(|it| &**it)
    }

    /// The tool of that name and its signature, if there is just one and all of its fields are known.
    pub(crate) fn whole(&self, name: &str) -> Option<(&str, &Signature)> {
        let name = self.edition.normal_name(name);
        let (name, entry) = self.by_name.get_key_value(&name)?;
        let signature = entry.signature().filter(|_| entry.partial == 0)?;
        Some((name.as_str(), &signature.signature))
    }

    /// The names of all tools, as they are written.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let spellings = self.by_name.values().flat_map(|it| &it.spellings);
        spellings.map(|(name, _)| name.as_str())
    }

    /// Adds the tool `name`, unless there is one of that name.
    pub(crate) fn add_missing(&mut self, name: &str, signature: Option<Signature>) {
        let entry = self.by_name.entry(self.edition.normal_name(name));
        entry.or_insert_with(|| Named {
            spellings: vec![(name.to_owned(), 1)],
            signatures: signature
                .into_iter()
                .map(|it| Arc::new(it.into()))
                .collect(),
            unclear: 0,
            partial: 0,
        });
    }

    /// Whether a name that is none of these is none at all.
    pub(crate) fn is_complete(&self) -> bool {
        match self.source {
            // Guides and documentation show parts of many programs.
            Source::Document(HostKind::Markdown | HostKind::Elixir) => false,
            Source::Document(_) => !self.by_name.is_empty(),
            Source::Call { is_complete } => is_complete,
        }
    }

    /// What the programs say of namespaces.
    pub(crate) fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }
}

impl Named {
    /// The index of a spelling, or that at which it belongs.
    fn spelling(&self, name: &str) -> Result<usize, usize> {
        self.spellings
            .binary_search_by(|(it, _)| it.as_str().cmp(name))
    }

    /// The one signature that all give the tool.
    fn signature(&self) -> Option<&Arc<ToolSignature>> {
        let mut signatures = self.signatures.keys();
        let only = signatures.next()?;
        (signatures.next().is_none() && self.unclear == 0).then_some(only)
    }
}

impl Change {
    /// Whether what is found in `program`, which calls these `tools` now, may differ.
    pub(crate) fn concerns(&self, program: &Program, tools: &Tools) -> bool {
        let is_concerned = |name: &str| {
            self.tools.contains(&tools.edition.normal_name(name))
                || (self.of_names && !tools.has(name))
        };
        // Definitions before it may call any tool.
        let is_linked = !program.before.is_empty() && !self.tools.is_empty();
        self.of_all || is_linked || program.calls.iter().any(|it| is_concerned(&it.name))
    }

    /// Whether programs see no difference.
    pub(crate) fn is_empty(&self) -> bool {
        !self.of_all && self.tools.is_empty()
    }
}
