//! The tools that programs can call: those that a document names, or those of one call.

pub(crate) mod built_in;
mod named;
#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, sync::Arc};

use foldhash::HashSet;
use named::{NamedTool, Says};

pub use named::FunctionSignatures;
pub(crate) use named::UnitTools;

use crate::{
    ide::{functions::Resolved, unit::Input},
    model::{Edition, Signature, TypeKind, gaps::Gap},
    sorted::Sorted,
};
use signature_ls_source::{
    counts::Counts,
    host::{
        HostKind, Unit,
        lisp::{Namespaces, Program},
    },
    rare::Rare,
    text::{TextEdit, TextRange},
};

/// Tools by name, updated from edit to edit, so that a keystroke does not collect all of them.
#[derive(Debug, Clone)]
pub(crate) struct Tools {
    edition: Edition,
    source: Source,
    /// By the normal form of the edition.
    by_name: Sorted<Named>,
    /// The namespaces that units mention; units without any are omitted.
    said_of_namespaces: Vec<Namespaces>,
    /// The union of these.
    namespaces: Namespaces,
}

/// The source of the tools.
#[derive(Debug, Clone, Copy)]
enum Source {
    Document(HostKind),
    Call { is_complete: bool },
}

/// The declarations of the tools with one name, and the number of each.
#[derive(Debug, Clone, Default)]
struct Named {
    /// Sorted; nearly always a single one, for which there is room.
    spellings: Vec<(Arc<str>, u32)>,
    signatures: Counts<ToolSignature>,
    unclear: u32,
    /// The number of signatures that may have more fields than could be read.
    partial: u32,
}

/// The signature of a tool.
///
/// It is kept by value, so that those of a unit and of a call share what it refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ToolSignature {
    pub(crate) signature: Arc<Signature>,
    /// What it may have beside the parameters that could be read.
    pub(crate) gap: Rare<Gap>,
}

impl From<Signature> for ToolSignature {
    fn from(signature: Signature) -> Self {
        Self {
            signature: Arc::new(signature),
            gap: Rare::default(),
        }
    }
}

/// The differences after an edit.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Whether calls of any tool may change their meaning.
    of_all: bool,
    /// Whether the set of names changed, so that unknown names may have other suggestions.
    of_names: bool,
    /// The tools that were added, removed or changed.
    tools: HashSet<String>,
}

impl Tools {
    fn new(edition: Edition, source: Source) -> Self {
        Self {
            edition,
            source,
            by_name: Sorted::default(),
            said_of_namespaces: Vec::new(),
            namespaces: Namespaces::default(),
        }
    }

    /// The tools of a program without context.
    pub(crate) fn unknown(edition: Edition) -> Self {
        Self::new(edition, Source::Call { is_complete: false })
    }

    /// The tools of a document of `kind`, before its units are added.
    pub(crate) fn of_document(kind: HostKind, edition: Edition) -> Self {
        Self::new(edition, Source::Document(kind))
    }

    /// The tools of a call in Elixir, if it contains a program and declares its tools.
    pub(crate) fn of_call(input: Input<'_>) -> Option<Self> {
        match Self::are_of_call(input.unit) {
            true => Self::registered(input),
            false => None,
        }
    }

    /// Whether the program of a unit can call only the tools that the unit declares.
    pub(crate) fn are_of_call(unit: &Unit) -> bool {
        unit.program_literal().is_some() && unit.tools.is_some()
    }

    /// The tools that a call in Elixir registers.
    pub(crate) fn registered(input: Input<'_>) -> Option<Self> {
        let (named, is_complete) = named::of_call(input)?;
        let mut tools = Self::new(input.known.edition, Source::Call { is_complete });
        tools.namespaces = input.unit.namespaces().clone();
        for tool in &named {
            tools.add(tool);
        }
        Some(tools)
    }

    /// Replaces the facts of the `removed` units by those of the `added` ones.
    pub(crate) fn replace(&mut self, removed: &[&UnitTools], added: &[&UnitTools]) -> Change {
        let named = removed.iter().chain(added).flat_map(|it| &it.named);
        let names: BTreeSet<_> = named.map(|it| self.edition.normal_name(&it.name)).collect();
        let is_known = !self.by_name.is_empty();
        let before = names.iter().filter(|_| is_known);
        let before: Vec<_> = before.map(|name| self.seen(name)).collect();
        let was = (self.is_complete(), self.namespaces.clone());
        self.follow(removed, added);
        let mut change = Change {
            of_all: was != (self.is_complete(), self.namespaces.clone()),
            ..Change::default()
        };
        let mut before = before.into_iter();
        for name in names {
            let before = before.next().unwrap_or_default();
            let after = self.seen(&name);
            change.of_names |= before.0 != after.0;
            if before != after {
                change.tools.insert(name);
            }
        }
        change
    }

    /// The same for a document without programs, which a change would concern.
    pub(crate) fn follow(&mut self, removed: &[&UnitTools], added: &[&UnitTools]) {
        for unit in removed {
            let mut said = self.said_of_namespaces.iter();
            if let Some(index) = said.position(|it| *it == *unit.namespaces) {
                self.said_of_namespaces.swap_remove(index);
            }
            unit.named.iter().for_each(|it| self.remove(it));
        }
        for unit in added {
            if !unit.namespaces.is_empty() {
                let said = Namespaces::clone(&unit.namespaces);
                self.said_of_namespaces.push(said);
            }
            unit.named.iter().for_each(|it| self.add(it));
        }
        self.namespaces = Namespaces::default();
        for said in &self.said_of_namespaces {
            self.namespaces.add(said);
        }
    }

    fn add(&mut self, tool: &NamedTool) {
        let normal = self.edition.normal_name(&tool.name);
        let name = match *normal == *tool.name {
            true => Arc::clone(&tool.name),
            false => normal.into(),
        };
        let entry = self.by_name.get_or_insert(&name);
        match entry.spelling(&tool.name) {
            Ok(known) => entry.spellings[known].1 += 1,
            Err(place) => {
                if entry.spellings.is_empty() {
                    entry.spellings.reserve_exact(1);
                }
                entry.spellings.insert(place, (tool.name.clone(), 1));
            }
        }
        match &tool.says {
            Says::Signature(it) => entry.signatures.extend([it.clone()]),
            Says::Unclear => entry.unclear += 1,
        }
        entry.partial += u32::from(tool.is_partial);
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
        entry.partial -= u32::from(tool.is_partial);
        match &tool.says {
            Says::Signature(it) => entry.signatures.remove_all([it]),
            Says::Unclear => entry.unclear -= 1,
        }
        if entry.spellings.is_empty() {
            self.by_name.remove(&name);
        }
    }

    /// What programs see of the tool with a normal name: its spellings and its signature.
    fn seen(&self, name: &str) -> (Vec<Arc<str>>, Option<ToolSignature>, bool) {
        let entry = self.by_name.get(name).map(|(_, it)| it);
        let is_partial = entry.is_some_and(|it| it.partial > 0);
        let spellings = entry.map(|it| it.spellings.iter().map(|(name, _)| name.clone()).collect());
        let signature = entry.and_then(Named::signature).cloned();
        (spellings.unwrap_or_default(), signature, is_partial)
    }

    /// Whether there is a tool with that name, in any equal spelling.
    pub(crate) fn has(&self, name: &str) -> bool {
        let name = self.edition.normal_name(name);
        built_in::has(&name) || self.by_name.contains(&name)
    }

    /// The spelling of the tool that `name` differs from only in hyphens and underscores. The library compares all of
    /// a name.
    pub(crate) fn other_spelling(&self, name: &str) -> Option<&str> {
        let normal = self.edition.normal_name(name);
        let (_, entry) = self.by_name.get(&normal)?;
        let is_tool = entry.spelling(name).is_ok() || built_in::has(&normal);
        { entry.spellings.first() }
            .filter(|_| !is_tool)
            .map(|(spelling, _)| &**spelling)
    }

    /// The signature of the tool with that name, if there is exactly one.
    pub(crate) fn signature(&self, name: &str) -> Option<&Signature> {
        self.known(name).map(|it| &*it.signature)
    }

    /// Whether the document mentions a tool with that name.
    pub(crate) fn names_one(&self, name: &str) -> bool {
        self.by_name.contains(&self.edition.normal_name(name))
    }

    /// The signature, with what else it may have.
    pub(crate) fn known(&self, name: &str) -> Option<&ToolSignature> {
        let (_, entry) = self.by_name.get(&self.edition.normal_name(name))?;
        entry.signature()
    }

    /// The tool with that name and its signature, if there is exactly one and all of its fields are known.
    pub(crate) fn whole(&self, name: &str) -> Option<(&str, &Signature)> {
        let name = self.edition.normal_name(name);
        let (name, entry) = self.by_name.get(&name)?;
        let signature = entry.signature().filter(|_| entry.partial == 0)?;
        Some((name, &signature.signature))
    }

    /// The names of all tools, as written.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let spellings = self.by_name.values().flat_map(|it| &it.spellings);
        spellings.map(|(name, _)| &**name)
    }

    /// Adds the tool `name`, unless one exists.
    pub(crate) fn add_missing(&mut self, name: &str, signature: Option<Signature>) {
        let normal: Arc<str> = self.edition.normal_name(name).into();
        if self.by_name.contains(&normal) {
            return;
        }
        let signatures = signature.into_iter().map(ToolSignature::from);
        *self.by_name.get_or_insert(&normal) = Named {
            spellings: vec![(name.into(), 1)],
            signatures: signatures.collect(),
            unclear: 0,
            partial: 0,
        };
    }

    /// Whether other names certainly do not exist.
    pub(crate) fn is_complete(&self) -> bool {
        match self.source {
            // Guides and documentation show parts of many programs.
            Source::Document(HostKind::Markdown | HostKind::Livebook | HostKind::Elixir) => false,
            Source::Document(_) => !self.by_name.is_empty(),
            Source::Call { is_complete } => is_complete,
        }
    }

    /// The namespaces that programs mention.
    pub(crate) fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }
}

impl Named {
    /// The index of a spelling, or where to insert it.
    fn spelling(&self, name: &str) -> Result<usize, usize> {
        self.spellings.binary_search_by(|(it, _)| (**it).cmp(name))
    }

    /// The signature that all declarations agree on.
    fn signature(&self) -> Option<&ToolSignature> {
        let mut signatures = self.signatures.keys();
        let only = signatures.next()?;
        (signatures.next().is_none() && self.unclear == 0).then_some(only)
    }
}

impl Change {
    /// Whether the diagnostics of `program`, which calls these `tools` now, may change.
    pub(crate) fn concerns(&self, program: &Program, tools: &Tools) -> bool {
        let is_concerned = |name: &str| {
            self.tools.contains(&tools.edition.normal_name(name))
                || (self.of_names && !tools.has(name))
        };
        // Definitions before it may call any tool.
        let is_linked = !program.before.is_empty() && !self.tools.is_empty();
        let called = program.calls.iter().map(|it| &it.name);
        let given = program.references.iter().map(|it| &it.name);
        self.of_all || is_linked || called.chain(given).any(|it| is_concerned(it))
    }

    /// Whether programs see no difference.
    pub(crate) fn is_empty(&self) -> bool {
        !self.of_all && self.tools.is_empty()
    }
}

/// What a signature has to say in place of the spec of `function`, if its only clause matches string keys of its only
/// argument: after the spec, programs pass that argument as `map`. `Some(None)` if the spec does not tell its fields.
pub(crate) fn signature_of_fields(function: &Resolved<'_>) -> Option<Option<Signature>> {
    let keys = &function.function.string_keys;
    if function.function.clauses != 1 || keys.is_empty() {
        return None;
    }
    let read = function.signature()?;
    let signature = &read.extracted.signature;
    let [only] = signature.params.as_slice() else {
        return None;
    };
    let fields = match &only.ty.kind {
        _ if only.name != "map" => return None,
        TypeKind::Record(fields) => fields,
        _ => return Some(None),
    };
    let has = |key: &String| fields.iter().any(|it| it.name == *key);
    Some(keys.iter().all(has).then(|| Signature {
        params: fields.clone(),
        output: signature.output.clone(),
    }))
}

/// The edits that write `signature` beside the function at `range`.
pub(crate) fn with_signature(range: TextRange, signature: &Signature) -> Vec<TextEdit> {
    vec![
        TextEdit::insert(range.start(), "{"),
        TextEdit::insert(range.end(), format!(", \"{signature}\"}}")),
    ]
}
