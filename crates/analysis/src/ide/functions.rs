//! The functions that are tools; their specs give the tools their signatures.
//!
//! A document knows its own functions. For those of other files, its [`Asks`] name the modules, and the owner of the
//! files provides the [`Answers`].

mod captures;
mod differing;
mod modules;
mod named;
mod offered;

pub use modules::{Candidates, ToolFunctions, tool_functions};
pub(crate) use named::Named;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use differing::Differing;
use foldhash::{HashMap, HashMapExt};
use modules::{Imports, ModulesOf, modules_of};

use crate::{
    ide::specs::{SpecSignature, Specs},
    model::Signature,
};
use signature_ls_source::{
    host::{
        Notation, Unit,
        elixir::{
            module::{Facts, Function, Module},
            owners::Owners,
            tools::{Capture, Form, Tool},
        },
        flow::Source,
    },
    later::Later,
    rare::Blank,
    shared_map::SharedMap,
};

/// What a document needs to know about other files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asks {
    /// The modules whose functions it names, by full name.
    pub modules: BTreeSet<String>,
    /// Its own modules whose functions may be tools elsewhere.
    pub own_modules: BTreeSet<String>,
}

/// The answers of other files to the [`Asks`] of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// The modules that it asked for, if exactly one file defines them.
    pub modules: BTreeMap<String, Arc<Module>>,
    /// Its own functions that are tools elsewhere, by the full name of their module.
    pub tools: BTreeSet<Capture>,
}

/// What a unit tells about functions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct UnitFunctions {
    /// The functions that it names as tools, which may be in other files.
    captures: Vec<Arc<Capture>>,
    /// Whether it is a call in Elixir with tools.
    registers_tools: bool,
    /// The function whose head it is, which may be a tool elsewhere; an empty name stands for any function.
    head: Option<Box<str>>,
}

impl Blank for UnitFunctions {
    const BLANK: &'static Self = &Self {
        captures: Vec::new(),
        registers_tools: false,
        head: None,
    };
}

impl UnitFunctions {
    pub(crate) fn new(unit: &Unit) -> Self {
        let mut captures: Vec<_> = captures(unit).chain(agents(unit)).collect();
        captures.shrink_to_fit();
        Self {
            captures,
            registers_tools: unit.notation == Notation::Elixir && unit.argument("tools").is_some(),
            head: unit.function_head().map(|head| head.name.clone()),
        }
    }

    /// Those of the head of any function.
    pub(crate) fn of_any_head() -> Self {
        Self {
            head: Some(Box::default()),
            ..Self::default()
        }
    }

    /// Whether it only tells that it is the head of a function.
    pub(crate) fn is_head(&self) -> bool {
        self.head.is_some() && self.captures.is_empty() && !self.registers_tools
    }

    /// The names of the functions that may change its diagnostics.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let captures = self.captures.iter().map(|it| it.name.as_str());
        captures.chain(self.head.as_deref())
    }

    /// Whether functions elsewhere may change its diagnostics.
    pub(crate) fn asks(&self) -> bool {
        self.head.is_some() || !self.captures.is_empty()
    }
}

/// The functions that are tools of a call.
fn captures(unit: &Unit) -> impl Iterator<Item = Arc<Capture>> {
    let capture = |tool: &Tool| match &tool.form {
        Form::Function(capture) | Form::Described(capture) => capture.clone(),
        _ => None,
    };
    unit.tools.iter().flatten().filter_map(capture)
}

/// The functions that may return its agents.
fn agents(unit: &Unit) -> impl Iterator<Item = Arc<Capture>> {
    let sources = unit.flow.sources.iter();
    sources.filter_map(|it| it.function().cloned().map(Arc::new))
}

/// The functions that a document knows: its own and those of other files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    own: Arc<Facts>,
    /// The indices of its own modules by full name; `None` where several have the same name.
    own_modules: Arc<HashMap<String, Option<usize>>>,
    answers: Arc<Answers>,
    /// Its own modules by their functions.
    owners: Arc<Later<Owners>>,
    imports: Arc<Later<Imports>>,
    /// The names of the functions of this document that are tools with one argument.
    tools: SharedMap<String, ()>,
    specs: Specs,
}

/// If more functions differ, all are read again: each is looked up in all modules.
const MOST_LOOKED_UP: usize = 64;

/// The number of functions that one name may mean. Each is looked for in the document and in all files, and nobody imports
/// more modules.
const MOST_CANDIDATES: usize = 64;

/// A function and its module.
pub(crate) struct Resolved<'a> {
    pub(crate) module: &'a Arc<Module>,
    pub(crate) function: &'a Function,
    /// Whether the document itself defines it.
    pub(crate) is_own: bool,
    arity: usize,
    specs: &'a Specs,
}

impl Asks {
    /// Whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty() && self.own_modules.is_empty()
    }
}

impl Scope {
    pub(crate) fn new(own: Arc<Facts>, answers: Arc<Answers>) -> Self {
        let own_modules = indices(&own);
        let mut here = tool_functions(&own);
        if !here.imports.iter().any(|it| own_modules.contains_key(it)) {
            here.imported.clear();
        }
        let here = here.of_modules.iter().chain(&here.imported);
        let is_own = |it: &&Capture| {
            let module = it.module.as_ref();
            it.arity == 1 && module.is_none_or(|module| own_modules.contains_key(module))
        };
        let tools = here.chain(&answers.tools).filter(is_own);
        let mut named: HashMap<_, Vec<_>> = tools.map(|it| (it.name.clone(), Vec::new())).collect();
        for function in own.modules.iter().flat_map(|it| it.functions()) {
            if let Some(same) = named.get_mut(&*function.name) {
                same.push(function);
            }
        }
        let mut only = SharedMap::default();
        for (name, _) in named.iter().filter(|(_, it)| is_one_without_strings(it)) {
            only.set(name, Some(()));
        }
        Self {
            tools: only,
            own_modules: Arc::new(own_modules),
            own,
            answers,
            ..Self::default()
        }
    }

    /// The scope of the document with new functions of its own and of other files.
    pub(crate) fn after(&self, own: Arc<Facts>, answers: Arc<Answers>) -> Self {
        let differing = match answers == self.answers {
            true => Differing::between(&self.own, &own),
            false => None,
        };
        let Some(mut differing) = differing else {
            return Self {
                specs: self.specs.clone(),
                ..Self::new(own, answers)
            };
        };
        if differing.has_other_modules() {
            let mut tools: Vec<_> = self.answers.tools.iter().collect();
            tools.extend(self.own.tools());
            tools.extend(own.tools());
            tools.retain(|it| differing.concerns(it, &own));
            differing.add_functions(&mut tools.into_iter().map(|it| it.name.as_str()));
        }
        differing.add_functions(&mut self.own.differing_tools(&own));
        if differing.functions.len() > MOST_LOOKED_UP {
            return Self {
                specs: self.specs.clone(),
                ..Self::new(own, answers)
            };
        }
        let mut scope = Self {
            own: Arc::clone(&own),
            ..self.clone()
        };
        if !differing.modules.is_empty() {
            scope.own_modules = Arc::new(indices(&own));
        }
        if !differing.functions.is_empty() || differing.has_other_modules() {
            scope.owners = Arc::default();
        }
        scope.imports = Arc::default();
        for name in differing.functions {
            let tool = scope.is_tool_of_own(name).then_some(());
            scope.tools.set(&name.to_owned(), tool);
        }
        scope
    }

    /// Whether the only own function of this name is a tool with one argument, of which no clause matches string keys alone.
    fn is_tool_of_own(&self, name: &str) -> bool {
        let is_own = |it: &Capture| {
            let module = it.module.as_ref();
            it.arity == 1 && module.is_some_and(|module| self.own_modules.contains_key(module))
        };
        let mut here = self.own.tools_named(name).iter();
        let is_here = |it: &Capture| match self.modules_of(it) {
            ModulesOf::One(module) => self.own_modules.contains_key(&*module),
            ModulesOf::Imported => self.imports().has_own,
            ModulesOf::Unknown => false,
        };
        let is_tool = here.any(|it| it.arity == 1 && is_here(it)) || {
            let mut elsewhere = self.answers.tools.iter();
            elsewhere.any(|it| it.name == name && is_own(it))
        };
        is_tool && {
            let modules = self.own.modules.iter();
            let named: Vec<_> = modules.flat_map(|it| it.functions_named(name)).collect();
            is_one_without_strings(&named)
        }
    }

    /// The same scope with other documentation of the document's own functions.
    pub(crate) fn with_docs(&self, own: Arc<Facts>) -> Self {
        Self {
            own,
            imports: Arc::default(),
            ..self.clone()
        }
    }

    /// The document's own functions.
    pub(crate) fn own(&self) -> &Arc<Facts> {
        &self.own
    }

    /// The functions of other files.
    pub(crate) fn answers(&self) -> &Arc<Answers> {
        &self.answers
    }

    /// The function of this document that `capture` names; `None` if that is uncertain.
    pub(crate) fn resolve(&self, capture: &Capture) -> Option<Resolved<'_>> {
        match self.modules_of(capture) {
            ModulesOf::One(name) => self.resolve_in(&name, capture),
            ModulesOf::Imported => {
                let imports = self.imports();
                let mut found = imports.owners.having(&imports.known, capture);
                let only = found.next()?;
                let is_only = found.next().is_none();
                is_only.then(|| self.resolved(only, capture)).flatten()
            }
            ModulesOf::Unknown => None,
        }
    }

    /// The modules that the function `capture` may be of.
    fn modules_of<'a>(&'a self, capture: &'a Capture) -> ModulesOf<'a> {
        let owners = || Owners::of(&self.own.modules);
        modules_of(capture, &self.own, self.owners.get_or_init(owners))
    }

    /// The modules that are imported.
    fn imports(&self) -> &Imports {
        self.imports.get_or_init(|| {
            let is_own = |it: &str| self.own_modules.contains_key(it);
            Imports::new(&self.own, is_own, |it| self.module(it))
        })
    }

    /// The module with this full name; `None` if that is uncertain.
    fn module(&self, name: &str) -> Option<&Arc<Module>> {
        match self.own_modules.get(name) {
            Some(own) => self.own.modules.get((*own)?),
            None => self.answers.modules.get(name),
        }
    }

    /// The signature of `source`, if it is written; `None` if that is uncertain.
    pub(crate) fn source<'s>(&'s self, source: &'s Source) -> Option<&'s Source> {
        match source.function() {
            Some(function) => self.resolve(function)?.function.agent.as_deref(),
            None => Some(source),
        }
    }

    /// The function that `capture` names, with the full name of its module; `None` if that is uncertain.
    pub(crate) fn full_name(&self, capture: &Capture) -> Option<Capture> {
        Some(Capture {
            module: Some(self.resolve(capture)?.module.name.clone()),
            ..capture.clone()
        })
    }

    /// The functions that `capture` may name, each with the full name of its module; the first ones where many modules are
    /// imported.
    pub(crate) fn full_names(&self, capture: &Capture) -> Vec<Capture> {
        let candidates = self.candidates(capture);
        candidates.iter().take(MOST_CANDIDATES).collect()
    }

    /// The functions that `capture` may name.
    pub(crate) fn candidates(&self, capture: &Capture) -> Candidates {
        Candidates::new(capture, self.modules_of(capture), || self.imports())
    }

    /// The function of that name in the module with the full name `name`.
    fn resolve_in(&self, name: &str, capture: &Capture) -> Option<Resolved<'_>> {
        self.resolved(self.module(name)?, capture)
    }

    fn resolved<'a>(&'a self, module: &'a Arc<Module>, capture: &Capture) -> Option<Resolved<'a>> {
        Some(Resolved {
            module,
            function: module.function(&capture.name, capture.arity)?,
            arity: capture.arity,
            is_own: self.own_modules.contains_key(&module.name),
            specs: &self.specs,
        })
    }

    /// Whether a function of this document with one argument is a tool of which no clause matches string keys
    /// alone, and no other function of the document has its name.
    pub(crate) fn is_tool_without_strings(&self, name: &str) -> bool {
        self.tools.get(name).is_some()
    }
}

/// The indices of the modules by full name; `None` where several have the same name.
fn indices(facts: &Facts) -> HashMap<String, Option<usize>> {
    let mut indices = HashMap::with_capacity(facts.modules.len());
    for (index, module) in facts.modules.iter().enumerate() {
        let known = indices.entry(module.name.clone());
        known.and_modify(|it| *it = None).or_insert(Some(index));
    }
    indices
}

/// Whether the functions of a name are one, of which no clause matches string keys alone.
fn is_one_without_strings(functions: &[&Function]) -> bool {
    matches!(functions, [only] if !only.matches_strings)
}

impl Resolved<'_> {
    /// Whether rules see the same in `other`; documentation does not matter.
    fn is_seen_as(&self, other: &Self) -> bool {
        let spec = self.spec();
        (&self.module.name, self.is_own, spec) == (&other.module.name, other.is_own, other.spec())
            && self.function.differs_in_docs_only(other.function)
            && (spec.is_none() || self.module.types == other.module.types)
    }

    /// The signature that its spec gives; `None` without a spec or where the spec cannot be read.
    pub(crate) fn signature(&self) -> Option<Arc<SpecSignature>> {
        self.specs.get(self.module, &self.function.name, self.arity)
    }

    /// The signature whose parameters are the strings that it matches.
    pub(crate) fn head_signature(&self) -> Arc<Signature> {
        let function = Capture {
            module: Some(self.module.name.clone()),
            name: self.function.name.to_string(),
            arity: self.arity,
        };
        self.specs.of_head(self.module, &function)
    }

    /// The text of its spec.
    pub(crate) fn spec(&self) -> Option<&str> {
        self.module.spec(&self.function.name, self.arity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::host::elixir::module::facts;

    /// The facts of all documents.
    fn answers<'a>(documents: impl IntoIterator<Item = &'a Facts>) -> Answers {
        let mut answers = Answers::default();
        for facts in documents {
            let modules = facts.modules.iter();
            let modules = modules.map(|it| (it.name.clone(), Arc::clone(it)));
            answers.modules.extend(modules);
            answers.tools.extend(tool_functions(facts).of_modules);
        }
        answers
    }

    #[test]
    fn captures_are_found_across_documents() {
        let search = r"
defmodule MyApp.Search do
  @type hit :: %{id: integer()}
  @spec run(String.t(), integer()) :: [hit]
  def run(query, limit), do: []
  @spec pid(integer()) :: pid()
  def pid(n), do: n
end";
        let agent = r#"
defmodule MyApp.Agent do
  alias MyApp.Search
  alias MyApp.{Twice}
  alias Other.Twice
  def tools, do: SubAgent.new(tools: %{"a" => &Search.run/2, "b" => &local/1, "c" => &Search.pid/1})
  @spec local(map()) :: :ok
  def local(args), do: args
end"#;
        let others = Arc::new(answers([&facts(search), &facts(agent)]));
        let scope = Scope::new(Arc::new(facts(agent)), Arc::clone(&others));
        let signature = |module: Option<&str>, name: &str, arity| {
            let capture = Capture {
                module: module.map(str::to_owned),
                name: name.to_owned(),
                arity,
            };
            let read = scope.resolve(&capture)?.signature()?;
            Some(read.extracted.text())
        };
        let run = Some("(query :string, limit :int) -> [{id :int}]".to_owned());
        assert_eq!(signature(Some("Search"), "run", 2), run);
        assert_eq!(signature(Some("MyApp.Search"), "run", 2), run);
        assert_eq!(signature(Some("Search"), "run", 1), None);
        assert_eq!(signature(Some("Twice"), "run", 2), None);
        assert_eq!(signature(Some("Unknown"), "run", 2), None);
        let local = Some("(args :map) -> :any".to_owned());
        assert_eq!(signature(None, "local", 1), local);
        assert_eq!(signature(Some("__MODULE__"), "local", 1), local);
        let importing = "import MyApp.Search, only: [run: 2]\nimport Other";
        let importing = Scope::new(Arc::new(facts(importing)), Arc::clone(&others));
        let capture = Capture {
            module: None,
            name: "run".to_owned(),
            arity: 2,
        };
        let resolved = importing.resolve(&capture).and_then(|it| it.signature());
        assert_eq!(resolved.map(|it| it.extracted.text()), run);
        assert!(scope.is_tool_without_strings("local"));
        assert!(!scope.is_tool_without_strings("tools"));
        assert!(Scope::new(Arc::new(facts(search)), others).is_tool_without_strings("pid"));
    }
}
