//! The functions of a workspace's Elixir modules, by which tools get their signatures.
//!
//! Facts are read off the path of a keystroke: when a document is opened, and beside its edits by whoever
//! owns the documents. In between, they are those of a text before.

use std::{collections::HashMap, sync::Arc};

use crate::{
    host::elixir::{
        module::{Facts, Function, Module},
        tools::Capture,
    },
    model::typespec::{DeclaredTypes, Extracted, extract},
};

/// The modules of many documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Functions {
    /// By full name; `None` where several documents define the module.
    modules: HashMap<String, Option<Arc<Module>>>,
    /// The functions that are tools somewhere, by the full name of their module.
    tools: Vec<Capture>,
}

/// What a document knows of functions: its own and those of the workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    own: Arc<Facts>,
    /// The functions of this document that are tools.
    tools: Vec<Capture>,
    workspace: Arc<Functions>,
}

/// A function and its module.
pub(crate) struct Resolved<'a> {
    pub(crate) module: &'a Module,
    pub(crate) function: &'a Function,
    /// Whether the document itself defines it.
    pub(crate) is_own: bool,
    arity: usize,
}

impl Functions {
    /// The index of the documents with these facts.
    pub fn new<'a>(documents: impl IntoIterator<Item = &'a Facts>) -> Self {
        let mut functions = Self::default();
        for facts in documents {
            functions.add(facts);
        }
        functions
    }

    fn add(&mut self, facts: &Facts) {
        let tools = facts.tools.iter().flat_map(|it| full(it, facts));
        self.tools.extend(tools);
        for module in &facts.modules {
            let entry = self.modules.entry(module.name.clone());
            entry
                .and_modify(|known| *known = None)
                .or_insert_with(|| Some(Arc::clone(module)));
        }
    }
}

impl Scope {
    pub(crate) fn new(own: Arc<Facts>, workspace: Arc<Functions>) -> Self {
        let own_tools = own.tools.iter().flat_map(|it| full(it, &own));
        let is_own = |it: &&Capture| {
            let mut modules = own.modules.iter();
            modules.any(|module| Some(&module.name) == it.module.as_ref())
        };
        let others = workspace.tools.iter().filter(is_own).cloned();
        let tools = own_tools.chain(others).collect();
        Self {
            own,
            tools,
            workspace,
        }
    }

    /// What the document says of its own functions.
    pub(crate) fn own(&self) -> &Arc<Facts> {
        &self.own
    }

    /// The functions of the workspace.
    pub(crate) fn workspace(&self) -> &Arc<Functions> {
        &self.workspace
    }

    /// The function that `capture` names in this document; `None` where that is not known for sure.
    pub(crate) fn resolve(&self, capture: &Capture) -> Option<Resolved<'_>> {
        let full = full(capture, &self.own);
        let mut found = full.iter().filter_map(|it| self.resolve_full(it));
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    fn resolve_full(&self, capture: &Capture) -> Option<Resolved<'_>> {
        let name = capture.module.as_ref()?;
        let mut own = self.own.modules.iter().filter(|it| it.name == *name);
        let (module, is_own) = match own.next() {
            Some(module) => (own.next().is_none().then_some(&**module)?, true),
            None => (self.workspace.modules.get(name)?.as_deref()?, false),
        };
        Some(Resolved {
            module,
            function: module.function(&capture.name, capture.arity)?,
            arity: capture.arity,
            is_own,
        })
    }

    /// Whether a function of this document with one argument is a tool, and no other function of the
    /// document has its name.
    pub(crate) fn is_tool(&self, name: &str) -> bool {
        let modules = self.own.modules.iter();
        let functions = modules
            .flat_map(|it| &it.functions)
            .filter(|it| it.name == name);
        let is_tool = |it: &Capture| it.name == name && it.arity == 1;
        functions.count() == 1 && self.tools.iter().any(is_tool)
    }
}

/// A function that can be a tool.
pub(crate) struct Offered {
    /// It as a capture names it, without the `&`.
    pub(crate) written: String,
    pub(crate) signature: String,
    pub(crate) doc: Option<String>,
}

impl Scope {
    /// The functions with a spec of the document and its project, as the document can write them.
    pub(crate) fn functions_with_spec(&self) -> Vec<Offered> {
        let own = self.own.modules.iter().map(|it| (&**it, true));
        let is_own = |name: &str| self.own.modules.iter().any(|it| it.name == name);
        let others = self.workspace.modules.values().flatten();
        let others = others
            .filter(|it| !is_own(&it.name))
            .map(|it| (&**it, false));
        let mut offered = Vec::new();
        for (module, is_own) in own.chain(others) {
            for function in &module.functions {
                let arity = *function.arity.end();
                let resolved = Resolved {
                    module,
                    function,
                    is_own,
                    arity,
                };
                let Some(extracted) = resolved.signature() else {
                    continue;
                };
                let name = match is_own && self.own.modules.len() == 1 {
                    true => function.name.clone(),
                    false => format!("{}.{}", self.short_name(&module.name), function.name),
                };
                offered.push(Offered {
                    written: format!("{name}/{arity}"),
                    signature: extracted.signature.to_string(),
                    doc: function.doc.clone(),
                });
            }
        }
        offered
    }

    /// A module under the shortest name that the document has for it.
    fn short_name(&self, full: &str) -> String {
        let aliases = self.own.aliases.iter();
        let shorter = aliases.filter_map(|(short, long)| {
            let rest = full.strip_prefix(long.as_str())?;
            (rest.is_empty() || rest.starts_with('.')).then(|| format!("{short}{rest}"))
        });
        shorter
            .min_by_key(String::len)
            .unwrap_or_else(|| full.to_owned())
    }
}

impl Resolved<'_> {
    /// The signature that its spec gives; `None` without a spec or where the spec cannot be read.
    pub(crate) fn signature(&self) -> Option<Extracted> {
        let mut types = DeclaredTypes::default();
        for text in &self.module.types {
            types.declare(text);
        }
        let spec = self.spec()?;
        extract(spec, Some(&self.function.head), &types)
    }

    /// The text of its spec.
    pub(crate) fn spec(&self) -> Option<&str> {
        self.module.spec(&self.function.name, self.arity)
    }
}

/// The same function with the full name of its module: of several modules where it may be imported, of
/// none where `facts` do not tell.
fn full(capture: &Capture, facts: &Facts) -> Vec<Capture> {
    let modules = match capture.module.as_deref() {
        None | Some("__MODULE__") => {
            let has = |it: &&Arc<Module>| it.function(&capture.name, capture.arity).is_some();
            let mut modules = facts.modules.iter().filter(has);
            match (modules.next(), modules.next()) {
                (Some(module), None) => vec![module.name.clone()],
                (None, _) if capture.module.is_none() => {
                    let imports = facts.imports.iter();
                    imports.filter_map(|it| full_path(it, facts)).collect()
                }
                _ => Vec::new(),
            }
        }
        Some(path) => Vec::from_iter(full_path(path, facts)),
    };
    let full = modules.into_iter().map(|module| Capture {
        module: Some(module),
        ..capture.clone()
    });
    full.collect()
}

/// The full name of a module; `None` where its first part stands for several.
fn full_path(path: &str, facts: &Facts) -> Option<String> {
    let (first, rest) = match path.split_once('.') {
        Some((first, _)) => (first, &path[first.len()..]),
        None => (path, ""),
    };
    let mut first = first.to_owned();
    if first == "__MODULE__" {
        let [module] = facts.modules.as_slice() else {
            return None;
        };
        first.clone_from(&module.name);
    }
    let mut aliases = facts.aliases.iter().filter(|(short, _)| *short == first);
    let Some((_, full)) = aliases.next() else {
        return Some(format!("{first}{rest}"));
    };
    let is_clear = aliases.all(|(_, other)| other == full);
    is_clear.then(|| format!("{full}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::elixir::module::facts;

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
        let workspace = Arc::new(Functions::new([&facts(search), &facts(agent)]));
        let scope = Scope::new(Arc::new(facts(agent)), Arc::clone(&workspace));
        let signature = |module: Option<&str>, name: &str, arity| {
            let capture = Capture {
                module: module.map(str::to_owned),
                name: name.to_owned(),
                arity,
            };
            let extracted = scope.resolve(&capture)?.signature()?;
            Some(extracted.text)
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
        let importing = Scope::new(Arc::new(facts(importing)), Arc::clone(&workspace));
        let capture = Capture {
            module: None,
            name: "run".to_owned(),
            arity: 2,
        };
        let resolved = importing.resolve(&capture).and_then(|it| it.signature());
        assert_eq!(resolved.map(|it| it.text), run);
        assert!(scope.is_tool("local"));
        assert!(!scope.is_tool("tools"));
        assert!(Scope::new(Arc::new(facts(search)), workspace).is_tool("pid"));
    }

    #[test]
    fn a_module_in_two_documents_is_not_known() {
        let text = "defmodule A do\n def f(x), do: x\nend";
        let scope = Scope::new(
            Arc::default(),
            Arc::new(Functions::new([&facts(text), &facts(text)])),
        );
        let capture = Capture {
            module: Some("A".to_owned()),
            name: "f".to_owned(),
            arity: 1,
        };
        assert!(scope.resolve(&capture).is_none());
    }
}
