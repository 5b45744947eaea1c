//! The functions in Elixir source: specs, documentation, heads and types, module by module.
//!
//! Only facts: nothing is resolved and no spec is parsed here. Macros that define functions are not seen.

use std::{collections::HashSet, ops::RangeInclusive, sync::Arc};

use crate::{
    host::{
        flow::Source,
        token_tree::{self, Element, Kind},
    },
    syntax::{
        decode::decode,
        fragment::{Escapes, Fragment},
    },
    text::TextSize,
};

use super::{Elixir, declarations::Declarations, tools::Capture};

/// The modules of one document and the short names in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its modules, including nested ones.
    pub modules: Vec<Arc<Module>>,
    /// Each `alias`: the short name and the full one.
    pub aliases: Vec<(String, String)>,
    /// The modules of each `import`, as written.
    pub imports: Vec<String>,
    /// The named functions that are tools somewhere in the document.
    pub tools: Vec<Capture>,
}

/// A module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Module {
    /// The full name.
    pub name: String,
    /// Its functions, in the order of their first clauses.
    pub functions: Vec<Function>,
    /// The indices of its functions, by name.
    pub(super) by_name: Vec<usize>,
    /// The texts of its specs, sorted by name once they are complete.
    pub(super) specs: Vec<Spec>,
    /// The texts of its types, such as `@type t :: integer()`.
    pub types: Vec<String>,
}

/// A function, public or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The arities with which it can be called; several if arguments have defaults.
    pub arity: RangeInclusive<usize>,
    /// The head of the first clause, such as `def run(query, limit \\ 10)`.
    pub head: String,
    /// The first line of its documentation.
    pub doc: Option<String>,
    /// An atom key in the map that a clause takes as its only argument.
    pub atom_key: Option<String>,
    /// The string keys in the maps that clauses take as their only argument.
    pub string_keys: Vec<String>,
    /// The number of its clauses.
    pub clauses: u32,
    /// The signature of the agent that it returns, if it is public and that is certain.
    pub agent: Option<Arc<Source>>,
}

/// A `@spec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) name: String,
    pub(super) arity: usize,
    pub(super) text: String,
}

/// Whether two lists have the same length and `is_same` for all pairs.
fn are_alike<'a, T>(
    one: &'a [T],
    other: &'a [T],
    mut is_same: impl FnMut(&'a T, &'a T) -> bool,
) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other))
}

/// The items of both lists without those at both ends that are the same.
fn differing<'a, T: PartialEq>(one: &'a [T], other: &'a [T]) -> impl Iterator<Item = &'a T> {
    let is_same = |(one, other): &(&T, &T)| one == other;
    let head = one.iter().zip(other).take_while(is_same).count();
    let (one, other) = (&one[head..], &other[head..]);
    let tail = one.iter().rev().zip(other.iter().rev());
    let tail = tail.take_while(is_same).count();
    let (one, other) = (&one[..one.len() - tail], &other[..other.len() - tail]);
    one.iter().chain(other)
}

impl Facts {
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A function, with the full name of its module.
    pub fn function(&self, function: &Capture) -> Option<&Function> {
        let mut modules = self.modules.iter();
        let module = modules.find(|it| Some(&it.name) == function.module.as_ref())?;
        module.function(&function.name, function.arity)
    }

    /// Whether it equals `other`, apart from documentation.
    pub fn differs_in_docs_only(&self, other: &Self) -> bool {
        self.has_modules_of(other, Module::differs_in_docs_only) && self.tools == other.tools
    }

    /// Whether names of functions mean the same as in `other`.
    pub fn has_names_of(&self, other: &Self) -> bool {
        self.has_modules_of(other, Module::has_names_of)
    }

    /// Whether the modules and their names are the same as in `other`, as far as `is_like` compares.
    fn has_modules_of<'a>(
        &'a self,
        other: &'a Self,
        mut is_like: impl FnMut(&'a Module, &'a Module) -> bool,
    ) -> bool {
        let is_same = |one: &'a Arc<Module>, other: &'a Arc<Module>| {
            Arc::ptr_eq(one, other) || is_like(one, other)
        };
        are_alike(&self.modules, &other.modules, is_same)
            && self.aliases == other.aliases
            && self.imports == other.imports
    }

    /// The names of the functions that differ in `other`; `None` if the names of modules or something else may.
    pub fn differing_functions<'a>(&'a self, other: &'a Self) -> Option<HashSet<&'a str>> {
        let mut names = HashSet::new();
        let is_same = self.has_modules_of(other, |one, other| {
            let functions = differing(&one.functions, &other.functions);
            names.extend(functions.map(|it| it.name.as_str()));
            let specs = differing(&one.specs, &other.specs);
            names.extend(specs.map(|it| it.name.as_str()));
            one.name == other.name && one.types == other.types
        });
        is_same.then_some(names)
    }

    /// Adds the facts of another part of the same document.
    pub fn add(&mut self, other: Facts) {
        self.modules.extend(other.modules);
        self.aliases.extend(other.aliases);
        self.imports.extend(other.imports);
        self.tools.extend(other.tools);
    }
}

impl Function {
    /// Whether it equals `other`, apart from documentation.
    pub fn differs_in_docs_only(&self, other: &Self) -> bool {
        let Self {
            name,
            arity,
            head,
            doc: _,
            atom_key,
            string_keys,
            clauses,
            agent,
        } = self;
        (name, arity, head) == (&other.name, &other.arity, &other.head)
            && (atom_key, string_keys) == (&other.atom_key, &other.string_keys)
            && (clauses, agent) == (&other.clauses, &other.agent)
    }
}

impl Module {
    fn has_names_of(&self, other: &Self) -> bool {
        let is_same = |one: &Function, other: &Function| {
            (&one.name, &one.arity) == (&other.name, &other.arity)
        };
        self.name == other.name && are_alike(&self.functions, &other.functions, is_same)
    }

    fn differs_in_docs_only(&self, other: &Self) -> bool {
        are_alike(
            &self.functions,
            &other.functions,
            Function::differs_in_docs_only,
        ) && (&self.name, &self.specs, &self.types) == (&other.name, &other.specs, &other.types)
    }

    /// Sorts lists by name for lookups, once the module is complete.
    pub(super) fn finish(&mut self) {
        self.specs.sort_by(|a, b| a.name.cmp(&b.name));
        let functions = &self.functions;
        self.by_name = (0..functions.len()).collect();
        self.by_name
            .sort_by(|&a, &b| functions[a].name.cmp(&functions[b].name));
    }

    /// The function for a call with this number of arguments.
    pub fn function(&self, name: &str, arity: usize) -> Option<&Function> {
        let first = self
            .by_name
            .partition_point(|&it| self.functions[it].name.as_str() < name);
        let named = self.by_name[first..].iter().map(|&it| &self.functions[it]);
        let mut named = named.take_while(|it| it.name == name);
        named.find(|it| it.arity.contains(&arity))
    }

    /// The text of the spec for an arity; `None` if there are several.
    pub fn spec(&self, name: &str, arity: usize) -> Option<&str> {
        let first = self.specs.partition_point(|it| it.name.as_str() < name);
        let named = self.specs[first..].iter().take_while(|it| it.name == name);
        let mut specs = named.filter(|it| it.arity == arity);
        let spec = specs.next()?;
        specs.next().is_none().then_some(spec.text.as_str())
    }
}

/// Reads all of `text`.
pub fn facts(text: &str) -> Facts {
    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    Facts::clone(Declarations::read(root).facts())
}

/// The first line of a documentation string.
pub(super) fn first_line(string: &Element<'_>) -> Option<String> {
    let parts = string
        .elements()
        .filter(|it| matches!(it.kind, Kind::Text | Kind::Escape | Kind::Interpolation));
    let text: String = parts.map(|it| it.full_text()).collect();
    let line = text.trim_start().lines().next().map(str::trim_end)?;
    let fragment = Fragment {
        escapes: Escapes::Backslash,
        ..Fragment::plain(line)
    };
    decode(fragment).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const TEXT: &str = r#"
defmodule MyApp.Search do
  @moduledoc "Not of a function."
  alias MyApp.{Repo, User}
  alias MyApp.Long.Name, as: Short
  alias __MODULE__.Inner

  @type hit :: %{
          id: integer(),
          title: String.t()
        }

  @doc """
  Finds "it".

  More.
  """
  @spec run(String.t(), integer()) ::
          [hit]
          | nil
  def run(query, limit \\ 10)
  def run("", _limit), do: []

  def run(query, limit) do
    @doc "not this"
    find(query, limit)
  end

  @doc false
  @spec count :: integer()
  def count, do: 1

  @doc "Hidden."
  defp find(%{"a" => a} = map, limit) when limit > 1 and
    is_map(map), do: a

  @spec twice(integer()) :: integer()
  @spec twice(float()) :: float()
  def twice(n), do: 2 * n

  defmodule Inner do
    def f(a, b), do: a; def g, do: 1
  end
end
"#;

    #[test]
    fn modules_tell_their_functions() {
        let facts = facts(TEXT);
        let mut table = String::new();
        for (short, full) in &facts.aliases {
            table.push_str(&format!("alias {short} = {full}\n"));
        }
        for module in &facts.modules {
            table.push_str(&format!("{}\n", module.name));
            for text in &module.types {
                table.push_str(&format!("  {text:?}\n"));
            }
            for it in &module.functions {
                let spec = module.spec(&it.name, *it.arity.end());
                let Function {
                    arity, head, doc, ..
                } = it;
                table.push_str(&format!("  {head:?} {arity:?} {doc:?} {spec:?}\n"));
            }
        }
        expect![[r#"
            alias Repo = MyApp.Repo
            alias User = MyApp.User
            alias Short = MyApp.Long.Name
            alias Inner = MyApp.Search.Inner
            alias Inner = MyApp.Search.Inner
            MyApp.Search
              "@type hit :: %{\n          id: integer(),\n          title: String.t()\n        }"
              "def run(query, limit \\\\ 10)" 1..=2 Some("Finds \"it\".") Some("@spec run(String.t(), integer()) ::\n          [hit]\n          | nil")
              "def count" 0..=0 None Some("@spec count :: integer()")
              "defp find(%{\"a\" => a} = map, limit)" 2..=2 Some("Hidden.") None
              "def twice(n)" 1..=1 None None
            MyApp.Search.Inner
              "def f(a, b)" 2..=2 None None
              "def g" 0..=0 None None
        "#]].assert_eq(&table);
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in [
            "",
            "def",
            "defmodule do end",
            "@",
            "@spec",
            "alias",
            "alias .",
            "def (",
            "defmodule A do",
            "end",
        ] {
            facts(text);
        }
        facts(&"defmodule A do\n".repeat(5000));
    }
}
