//! The modules that a function may be of, where it is named with a short name of its module or none.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use signature_ls_source::host::elixir::{
    module::{Facts, Module},
    owners::Owners,
    tools::Capture,
};

/// The modules that a function may be of.
pub(super) enum ModulesOf<'a> {
    /// Its module, by the full name.
    One(Cow<'a, str>),
    /// Each that is imported.
    Imported,
    Unknown,
}

/// The modules that a document imports.
#[derive(Debug)]
pub(super) struct Imports {
    /// Their full names, sorted.
    pub(super) names: Arc<[String]>,
    /// Those of which the functions are known.
    pub(super) known: Vec<Arc<Module>>,
    /// An index of these.
    pub(super) owners: Owners,
    /// Whether the document itself defines one.
    pub(super) has_own: bool,
}

impl Imports {
    /// Those of a document, whose own modules `is_own` tells.
    pub(super) fn new<'m>(
        facts: &Facts,
        is_own: impl Fn(&str) -> bool,
        module: impl Fn(&str) -> Option<&'m Arc<Module>>,
    ) -> Self {
        let names = || imported(facts);
        let known: Vec<_> = names().filter_map(|it| module(&it)).cloned().collect();
        let sorted: BTreeSet<_> = names().map(Cow::into_owned).collect();
        Self {
            names: sorted.into_iter().collect(),
            owners: Owners::of(&known),
            known,
            has_own: names().any(|it| is_own(&it)),
        }
    }
}

/// The functions that a name may mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The name of all of them.
    name: String,
    /// The number of their arguments.
    arity: usize,
    /// The full name of the module if there is one.
    module: Option<String>,
    /// The full names of the modules if there may be more, sorted. All functions that may be imported share them.
    modules: Arc<[String]>,
}

impl Candidates {
    pub(super) fn new<'i>(
        function: &Capture,
        modules: ModulesOf<'_>,
        imports: impl FnOnce() -> &'i Imports,
    ) -> Self {
        let (module, modules) = match modules {
            ModulesOf::One(module) => (Some(module.into_owned()), Arc::default()),
            ModulesOf::Imported => (None, Arc::clone(&imports().names)),
            ModulesOf::Unknown => (None, Arc::default()),
        };
        Self {
            name: function.name.clone(),
            arity: function.arity,
            module,
            modules,
        }
    }

    /// The name of all of them.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The only one, with the full name of its module.
    pub fn only(&self) -> Option<Capture> {
        let mut all = self.iter();
        let only = all.next()?;
        all.next().is_none().then_some(only)
    }

    /// Each, with the full name of its module.
    pub fn iter(&self) -> impl Iterator<Item = Capture> {
        let modules = self.module.iter().chain(self.modules.iter());
        modules.map(|module| Capture {
            module: Some(module.clone()),
            name: self.name.clone(),
            arity: self.arity,
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.module.is_none() && self.modules.is_empty()
    }

    /// Whether `function`, which names its module in full, is one of them.
    pub fn contains(&self, function: &Capture) -> bool {
        let is_named = (function.arity, &function.name) == (self.arity, &self.name);
        let Some(module) = function.module.as_ref().filter(|_| is_named) else {
            return false;
        };
        self.module.as_ref() == Some(module) || self.modules.binary_search(module).is_ok()
    }
}

/// The functions that are tools in a document.
#[derive(Debug, Default)]
pub struct ToolFunctions {
    /// Those of known modules, by the full names of these.
    pub of_modules: Vec<Capture>,
    /// Those of any of the imported modules, without a module.
    pub imported: Vec<Capture>,
    /// The full names of these modules; none if there are no such functions.
    pub imports: BTreeSet<String>,
}

/// The functions that are tools in a document, apart from those of which the `facts` do not tell the module.
pub fn tool_functions(facts: &Facts) -> ToolFunctions {
    let mut found = ToolFunctions::default();
    if facts.tools().next().is_none() {
        return found;
    }
    let owners = Owners::of(&facts.modules);
    for capture in facts.tools() {
        match modules_of(capture, facts, &owners) {
            ModulesOf::One(module) => found.of_modules.push(Capture {
                module: Some(module.into_owned()),
                ..capture.clone()
            }),
            ModulesOf::Imported => found.imported.push(capture.clone()),
            ModulesOf::Unknown => {}
        }
    }
    if !found.imported.is_empty() {
        found.imports = imported(facts).map(Cow::into_owned).collect();
    }
    found
}

/// The full names of the imported modules.
pub(super) fn imported(facts: &Facts) -> impl Iterator<Item = Cow<'_, str>> {
    let imports = facts.imports.iter();
    imports.filter_map(|it| full_path(it, facts))
}

/// The modules that a function may be of in a document, whose modules `owners` indexes.
pub(super) fn modules_of<'a>(
    capture: &'a Capture,
    facts: &'a Facts,
    owners: &Owners,
) -> ModulesOf<'a> {
    if let Some(path) = capture.module.as_deref().filter(|it| *it != "__MODULE__") {
        return full_path(path, facts).map_or(ModulesOf::Unknown, ModulesOf::One);
    }
    let mut modules = owners.having(&facts.modules, capture);
    match (modules.next(), modules.next()) {
        (Some(module), None) => ModulesOf::One(Cow::Borrowed(&module.name)),
        (None, _) if capture.module.is_none() && !facts.imports.is_empty() => ModulesOf::Imported,
        _ => ModulesOf::Unknown,
    }
}

/// The full name of a module; `None` if its first part is ambiguous.
pub(super) fn full_path<'a>(path: &'a str, facts: &Facts) -> Option<Cow<'a, str>> {
    let (first, rest) = match path.split_once('.') {
        Some((first, _)) => (first, &path[first.len()..]),
        None => (path, ""),
    };
    let full = match first {
        "__MODULE__" => {
            let [module] = facts.modules.as_slice() else {
                return None;
            };
            module.name.as_str()
        }
        first => first,
    };
    match facts.aliases_of(full) {
        [] if full == first => Some(Cow::Borrowed(path)),
        [] => Some(Cow::Owned(format!("{full}{rest}"))),
        [only] => Some(Cow::Owned(format!("{only}{rest}"))),
        _ => None,
    }
}
