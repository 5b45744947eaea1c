//! The functions in Elixir source: specs, documentation, heads and types, module by module.
//!
//! Only facts: nothing is resolved and no spec is parsed here. Macros that define functions are not seen.

mod facts;
mod function;

pub use facts::Facts;
pub(super) use function::Spec;
pub use function::{Arities, Function};

use std::sync::Arc;

use crate::{
    host::token_tree::{self, Element, Kind},
    shared_map::SharedMap,
    syntax::{decode::decode, fragment::Fragment},
    text::TextSize,
};

use super::{Elixir, declarations::Declarations, literal::literal};

/// A module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Module {
    /// The full name.
    pub name: String,
    /// Its functions and specs, by name.
    pub(super) names: SharedMap<Box<str>, Arc<Named>>,
    /// The texts of its types, such as `@type t :: integer()`.
    pub types: Arc<Vec<String>>,
}

/// The functions and specs of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// In the order of their first clauses.
    pub(super) functions: Vec<Arc<Function>>,
    pub(super) specs: Vec<Arc<Spec>>,
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

impl Named {
    fn has_arities_of(&self, other: &Self) -> bool {
        are_alike(&self.functions, &other.functions, |one, other| {
            one.arities == other.arities
        })
    }

    fn differs_in_docs_only(&self, other: &Self) -> bool {
        are_alike(&self.functions, &other.functions, |one, other| {
            one.differs_in_docs_only(other)
        }) && self.specs == other.specs
    }
}

impl Module {
    /// A module with these functions, in the order of their first clauses, and these specs.
    pub(super) fn new(
        name: String,
        functions: Vec<Arc<Function>>,
        specs: Vec<Arc<Spec>>,
        types: Vec<String>,
    ) -> Self {
        let mut names = SharedMap::<_, Arc<Named>>::default();
        for function in functions {
            let named = Arc::make_mut(names.entry(&function.name));
            push_one(&mut named.functions, function);
        }
        for spec in specs {
            let named = Arc::make_mut(names.entry(&spec.name));
            push_one(&mut named.specs, spec);
        }
        Self {
            name,
            names,
            types: Arc::new(types),
        }
    }

    /// Its functions, sorted by name.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        let named = self.names.values().flat_map(|it| &it.functions);
        named.map(|it| &**it)
    }

    /// Its functions of this name, with different arities.
    pub fn functions_named(&self, name: &str) -> impl Iterator<Item = &Function> {
        let named = self.names.get(name).into_iter();
        named.flat_map(|it| &it.functions).map(|it| &**it)
    }

    /// The names of its functions and specs.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| &**name)
    }

    /// The names of which it says something else than `other`.
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        self.names
            .differing(&other.names)
            .into_iter()
            .map(|it| &**it)
    }

    fn has_names_of(&self, other: &Self) -> bool {
        self.name == other.name && self.names_differ_as(other, Named::has_arities_of)
    }

    fn differs_in_docs_only(&self, other: &Self) -> bool {
        (&self.name, &self.types) == (&other.name, &other.types)
            && self.names_differ_as(other, Named::differs_in_docs_only)
    }

    /// Whether what it says of each name is like what `other` says.
    fn names_differ_as(&self, other: &Self, is_like: impl Fn(&Named, &Named) -> bool) -> bool {
        let nothing = Arc::new(Named::default());
        let differing = self.names.differing(&other.names);
        differing.into_iter().all(|name| {
            let [one, other] = [self, other].map(|it| it.names.get(name).unwrap_or(&nothing));
            is_like(one, other)
        })
    }

    /// The function for a call with this number of arguments.
    pub fn function(&self, name: &str, arity: usize) -> Option<&Function> {
        let mut named = self.functions_named(name);
        named.find(|it| it.arities.contains(arity))
    }

    /// The text of the spec for an arity, of several the first one, which the reference reads.
    pub fn spec(&self, name: &str, arity: usize) -> Option<&str> {
        let mut specs = self.names.get(name)?.specs.iter();
        let spec = specs.find(|it| it.arity == arity)?;
        Some(&spec.text)
    }
}

/// Adds `item`, in most cases the only one.
fn push_one<T>(items: &mut Vec<T>, item: T) {
    if items.is_empty() {
        items.reserve_exact(1);
    }
    items.push(item);
}

/// What a text needs to declare anything.
const WORDS: [&str; 6] = ["def", "@", "alias", "import", "tools:", "&"];

/// Reads all of `text`.
pub fn facts(text: &str) -> Facts {
    if !WORDS.iter().any(|word| text.contains(word)) {
        return Facts::default();
    }
    read(text)
}

pub(super) fn read(text: &str) -> Facts {
    let tree = token_tree::parse_once::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    Declarations::read_once(root).into_facts()
}

/// The first line of a documentation string.
pub(super) fn first_line(string: &Element<'_>) -> Option<Arc<String>> {
    let mut line = String::new();
    let parts = string
        .elements()
        .filter(|it| matches!(it.kind(), Kind::Text | Kind::Escape | Kind::Interpolation));
    'parts: for part in parts {
        let text = part.full_text();
        let lines: Vec<_> = match part.kind() {
            Kind::Text => text.split('\n').collect(),
            Kind::Escape if matches!(text.as_str(), "\\n" | "\\r") => vec!["", ""],
            _ => vec![text.as_str()],
        };
        for (index, rest) in lines.into_iter().enumerate() {
            let ends = index > 0 && !line.trim().is_empty();
            if ends {
                break 'parts;
            }
            if index > 0 {
                line.clear();
            }
            line.push_str(rest);
        }
    }
    let fragment = Fragment {
        escapes: literal(string).escapes,
        ..Fragment::plain(line.trim())
    };
    let line = decode(fragment)?;
    let line = line.trim();
    (!line.is_empty()).then(|| Arc::new(line.to_owned()))
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

    /// A text may define tens of thousands.
    #[test]
    fn functions_and_specs_take_little_room() {
        let sizes = (size_of::<Function>(), size_of::<Spec>());
        assert!(sizes.0 <= 112 && sizes.1 <= 40, "{sizes:?} bytes");
    }

    #[test]
    fn modules_tell_their_functions() {
        let facts = facts(TEXT);
        let mut table = String::new();
        for (short, full) in facts.aliases() {
            table.push_str(&format!("alias {short} = {full}\n"));
        }
        for module in &facts.modules {
            table.push_str(&format!("{}\n", module.name));
            for text in module.types.iter() {
                table.push_str(&format!("  {text:?}\n"));
            }
            for it in module.functions() {
                let spec = module.spec(&it.name, it.arities.most());
                let (head, doc, arity) = (&it.head, &it.doc, it.arities.all());
                table.push_str(&format!("  {head:?} {arity:?} {doc:?} {spec:?}\n"));
            }
        }
        expect![[r#"
            alias Inner = MyApp.Search.Inner
            alias Repo = MyApp.Repo
            alias Short = MyApp.Long.Name
            alias User = MyApp.User
            MyApp.Search
              "@type hit :: %{\n          id: integer(),\n          title: String.t()\n        }"
              "def count" 0..=0 None Some("@spec count :: integer()")
              "defp find(%{\"a\" => a} = map, limit)" 2..=2 Some("Hidden.") None
              "def run(query, limit \\\\ 10)" 1..=2 Some("Finds \"it\".") Some("@spec run(String.t(), integer()) ::\n          [hit]\n          | nil")
              "def twice(n)" 1..=1 None Some("@spec twice(integer()) :: integer()")
            MyApp.Search.Inner
              "def f(a, b)" 2..=2 None None
              "def g" 0..=0 None None
        "#]].assert_eq(&table);
    }

    /// However the line ends are written.
    #[test]
    fn documentation_is_told_by_its_first_line() {
        for doc in [
            r#""Gets \"a\" user.""#,
            r#""Gets \"a\" user.\n\nMore text.""#,
            r#""  Gets \"a\" user.  \r\nMore.""#,
            r#""\n \n\tGets \"a\" \x75ser.\nMore.""#,
            "\"\nGets \\\"a\\\" user.\nMore.\"",
            r#"~s(Gets "a" user.\nMore.)"#,
            "~S(Gets \"a\" user.\n\\nMore.)",
            "\"\"\"\n  Gets \"a\" \\\n  user.\n\n  More.\n  \"\"\"",
            "\"\"\"\r\n  Gets \"a\" user.\r\n\r\n  More.\r\n  \"\"\"",
        ] {
            let text = format!("defmodule A do\n  @doc {doc}\n  def f(x), do: x\nend\n");
            let facts = facts(&text);
            let found = facts.modules[0]
                .function("f", 1)
                .and_then(|it| it.doc.as_deref());
            let words = found.map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
            assert_eq!(words.as_deref(), Some("Gets \"a\" user."), "{text}");
        }
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
