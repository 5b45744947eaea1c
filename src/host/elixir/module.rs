//! What Elixir source says of its functions: specs, documentation, heads and types, module by module.
//!
//! Facts alone: nothing is looked up and no spec is read here. Macros that define functions are not seen.

use std::{ops::RangeInclusive, sync::Arc};

use rowan::GreenNode;

use crate::{
    host::token_tree::{self, Element, Kind},
    syntax::{
        decode::decode,
        fragment::{Escapes, Fragment},
    },
    text::TextSize,
};

use super::{
    Elixir, head,
    tools::{self, Capture},
};

/// The modules of one document and the short names in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its modules, those that stand in others too.
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
    /// The texts of its specs.
    specs: Vec<Spec>,
    /// The texts of its types, such as `@type t :: integer()`.
    pub types: Vec<String>,
}

/// A function, public or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// With how many arguments it can be called; more than one number where arguments have defaults.
    pub arity: RangeInclusive<usize>,
    /// The head of the first clause, such as `def run(query, limit \\ 10)`.
    pub head: String,
    /// The first line of its documentation.
    pub doc: Option<String>,
    /// A key that is an atom in the map that a clause takes as its only argument.
    pub atom_key: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Spec {
    name: String,
    arity: usize,
    text: String,
}

impl Facts {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what another part of the same document says.
    pub fn add(&mut self, other: Facts) {
        self.modules.extend(other.modules);
        self.aliases.extend(other.aliases);
        self.imports.extend(other.imports);
        self.tools.extend(other.tools);
    }
}

impl Module {
    /// The function that a call with so many arguments reaches.
    pub fn function(&self, name: &str, arity: usize) -> Option<&Function> {
        let mut functions = self.functions.iter();
        functions.find(|it| it.name == name && it.arity.contains(&arity))
    }

    /// The text of the spec for so many arguments; `None` also where there are several.
    pub fn spec(&self, name: &str, arity: usize) -> Option<&str> {
        let is_of = |it: &&Spec| it.name == name && it.arity == arity;
        let mut specs = self.specs.iter().filter(is_of);
        let spec = specs.next()?;
        specs.next().is_none().then_some(spec.text.as_str())
    }
}

/// Reads all of `text`.
pub fn facts(text: &str) -> Facts {
    facts_of(&token_tree::parse::<Elixir>(text))
}

/// Reads all of a document.
pub(super) fn facts_of(tree: &GreenNode) -> Facts {
    let root = Element::node(tree, TextSize::default());
    let mut reader = Reader::default();
    reader.left.push((root, None));
    reader.facts.tools = tools::captures(root);
    while let Some((block, module)) = reader.left.pop() {
        reader.block(&block, module);
    }
    reader.facts.modules = reader.modules.into_iter().map(Arc::new).collect();
    reader.facts
}

#[derive(Default)]
struct Reader<'t> {
    facts: Facts,
    modules: Vec<Module>,
    /// Blocks to read, with the index of the module whose body they are.
    left: Vec<(Element<'t>, Option<usize>)>,
}

impl<'t> Reader<'t> {
    fn block(&mut self, block: &Element<'t>, module: Option<usize>) {
        let mut doc = None;
        for statement in statements(block) {
            let code: Vec<_> = statement
                .iter()
                .filter(|it| !it.kind.is_trivia())
                .copied()
                .collect();
            match code.as_slice() {
                [first, name @ .., body]
                    if first.text() == "defmodule" && body.kind == Kind::DoBlock =>
                {
                    self.module(name, *body, module);
                }
                [first, rest @ ..] if first.text() == "alias" => self.alias(rest, module),
                [first, rest @ ..] if first.text() == "import" => {
                    let name = rest.split(|it| it.kind == Kind::Comma).next();
                    self.facts.imports.extend(name.and_then(path));
                }
                [at, name, value @ ..] if at.text() == "@" => match name.text() {
                    "doc" => doc = value.first().and_then(first_line),
                    "spec" => self.spec(value, &statement, module),
                    "type" | "typep" | "opaque" => {
                        if let Some(module) = self.module_mut(module) {
                            module.types.push(text_of(&statement));
                        }
                    }
                    _ => {}
                },
                [first, name, rest @ ..] if matches!(first.text(), "def" | "defp") => {
                    self.function(first, name, rest, doc.take(), module);
                }
                _ => {}
            }
        }
    }

    fn module_mut(&mut self, index: Option<usize>) -> Option<&mut Module> {
        self.modules.get_mut(index?)
    }

    fn module(&mut self, name: &[Element<'t>], body: Element<'t>, outer: Option<usize>) {
        let Some(mut name) = path(name) else {
            return;
        };
        if let Some(outer) = self.module_mut(outer) {
            let full = format!("{}.{name}", outer.name);
            self.facts.aliases.push((name, full.clone()));
            name = full;
        }
        self.left.push((body, Some(self.modules.len())));
        self.modules.push(Module {
            name,
            ..Module::default()
        });
    }

    /// `alias A.B`, `alias A.B, as: C` or `alias A.{B, C}`.
    fn alias(&mut self, elements: &[Element<'t>], module: Option<usize>) {
        let outer = self.module_mut(module).map(|it| it.name.clone());
        let full = |path: String| match (path.strip_prefix("__MODULE__"), &outer) {
            (Some(rest), Some(outer)) => format!("{outer}{rest}"),
            _ => path,
        };
        match elements {
            [prefix @ .., dot, group] if dot.text() == "." && group.kind == Kind::Braces => {
                let Some(prefix) = path(prefix).map(full) else {
                    return;
                };
                let parts: Vec<_> = group.elements().filter(|it| !it.kind.is_trivia()).collect();
                let is_end =
                    |it: &Element<'_>| matches!(it.kind, Kind::Comma | Kind::LBrace | Kind::RBrace);
                for name in parts.split(is_end).filter_map(path) {
                    self.add_alias(&format!("{prefix}.{name}"), None);
                }
            }
            [name @ .., comma, key, short] if comma.kind == Kind::Comma && key.text() == "as:" => {
                if let Some(name) = path(name).map(full) {
                    self.add_alias(&name, Some(short.text()));
                }
            }
            name => {
                if let Some(name) = path(name).map(full) {
                    self.add_alias(&name, None);
                }
            }
        }
    }

    fn add_alias(&mut self, full: &str, short: Option<&str>) {
        let last = full.rsplit('.').next().unwrap_or(full);
        let short = short.unwrap_or(last).to_owned();
        self.facts.aliases.push((short, full.to_owned()));
    }

    fn spec(&mut self, value: &[Element<'t>], statement: &[Element<'t>], module: Option<usize>) {
        let [name, parameters, ..] = value else {
            return;
        };
        let arity = if parameters.kind == Kind::Parens {
            arguments(parameters).len()
        } else {
            0
        };
        let spec = Spec {
            name: name.text().to_owned(),
            arity,
            text: text_of(statement),
        };
        if let Some(module) = self.module_mut(module) {
            module.specs.push(spec);
        }
    }

    fn function(
        &mut self,
        word: &Element<'t>,
        name: &Element<'t>,
        rest: &[Element<'t>],
        doc: Option<String>,
        module: Option<usize>,
    ) {
        let parameters = rest.first().filter(|it| it.kind == Kind::Parens);
        let items = parameters.map(arguments).unwrap_or_default();
        let has_default = |item: &&Vec<Element<'_>>| item.iter().any(|it| it.text() == "\\\\");
        let defaults = items.iter().filter(has_default).count();
        let (name, most) = (name.text(), items.len());
        let Some(module) = self.module_mut(module) else {
            return;
        };
        let atom_key = parameters.and_then(first_atom_key);
        let mut known = module.functions.iter_mut();
        if let Some(known) = known.find(|it| it.name == name && it.arity.contains(&most)) {
            known.atom_key = known.atom_key.take().or(atom_key);
            return;
        }
        if name.is_empty() {
            return;
        }
        let parameters = parameters.map(Element::full_text).unwrap_or_default();
        module.functions.push(Function {
            name: name.to_owned(),
            arity: most - defaults..=most,
            head: format!("{} {name}{parameters}", word.text()),
            doc,
            atom_key,
        });
    }
}

fn first_atom_key(parameters: &Element<'_>) -> Option<String> {
    let text = parameters.full_text();
    let key = *head::keys_in(parameters).first()?;
    let name = text[key - parameters.range.start()].trim_end_matches(':');
    Some(name.to_owned())
}

/// The statements of a block, white space between their elements included.
fn statements<'t>(block: &Element<'t>) -> Vec<Vec<Element<'t>>> {
    let mut statements = Vec::new();
    let mut statement: Vec<Element<'t>> = Vec::new();
    let mut last_code: Option<Element<'t>> = None;
    let mut is_line_end = false;
    for element in block.elements() {
        is_line_end |= element.kind == Kind::Newline;
        if !element.kind.is_trivia() {
            let goes_on = last_code.is_some_and(|it| leads_on(&it)) || follows_on(&element);
            if (is_line_end && !goes_on)
                || matches!(element.kind, Kind::Do | Kind::End)
                || element.text() == ";"
            {
                statements.push(std::mem::take(&mut statement));
            }
            is_line_end = false;
            last_code = Some(element);
            if matches!(element.kind, Kind::Do | Kind::End) || element.text() == ";" {
                continue;
            }
        }
        statement.push(element);
    }
    statements.push(statement);
    statements
}

/// Whether a statement goes on in the next line where a line ends with it.
fn leads_on(element: &Element<'_>) -> bool {
    matches!(element.kind, Kind::Operator | Kind::Comma | Kind::Key) || element.text() == "when"
}

/// Whether a statement goes on that has it at the beginning of a line.
fn follows_on(element: &Element<'_>) -> bool {
    let is_prefix = matches!(element.text(), "@" | "&" | "%" | "-" | "+" | "!" | "^");
    (element.kind == Kind::Operator && !is_prefix)
        || matches!(element.text(), "when" | "and" | "or" | "in")
}

/// The name that elements write, such as `MyApp.Search`.
fn path(elements: &[Element<'_>]) -> Option<String> {
    let is_part =
        |it: &Element<'_>| it.kind == Kind::Alias || matches!(it.text(), "." | "__MODULE__");
    let all = !elements.is_empty() && elements.iter().all(is_part);
    all.then(|| elements.iter().map(Element::text).collect())
}

/// The elements of each argument in a pair of brackets.
fn arguments<'t>(group: &Element<'t>) -> Vec<Vec<Element<'t>>> {
    let is_code =
        |it: &Element<'_>| !it.kind.is_trivia() && !matches!(it.kind, Kind::LParen | Kind::RParen);
    let elements: Vec<_> = group.elements().filter(is_code).collect();
    let items = elements.split(|it| it.kind == Kind::Comma);
    items
        .filter(|item| !item.is_empty())
        .map(<[_]>::to_vec)
        .collect()
}

fn text_of(statement: &[Element<'_>]) -> String {
    let text: String = statement.iter().map(Element::full_text).collect();
    text.trim().to_owned()
}

/// The first line of a string that holds documentation.
fn first_line(string: &Element<'_>) -> Option<String> {
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
