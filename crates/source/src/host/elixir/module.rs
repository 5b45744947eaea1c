//! The functions in Elixir source: specs, documentation, heads and types, module by module.
//!
//! Only facts: nothing is resolved and no spec is parsed here. Macros that define functions are not seen.

use std::{
    cmp::Ordering,
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use crate::{
    host::{
        HAS_SMALL_STEPS,
        flow::Source,
        token_tree::{self, Element, Kind},
    },
    rare::Rare,
    shared_map::SharedMap,
    syntax::{decode::decode, fragment::Fragment},
    text::TextSize,
};

use super::{Elixir, declarations::Declarations, literal::literal, tools::Capture};

/// The modules of one document and the short names in it. Copies share what they have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its modules, including nested ones.
    pub modules: Vec<Arc<Module>>,
    /// The full names that each short name stands for somewhere in the document; each once.
    pub aliases: SharedMap<String, Vec<String>>,
    /// The modules of each `import`, as written.
    pub imports: Arc<Vec<String>>,
    /// The named functions that are tools somewhere in the document, by name; each once.
    pub(super) tools: SharedMap<String, Vec<Capture>>,
}

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

/// A function, public or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: Box<str>,
    /// The arities with which it can be called; several if arguments have defaults.
    pub arities: Arities,
    /// The head of the first clause, such as `def run(query, limit \\ 10)`.
    pub head: Box<str>,
    /// The first line of its documentation.
    pub(super) doc: Option<Arc<String>>,
    /// An atom key in the map that a clause takes as its only argument.
    pub atom_key: Option<Box<str>>,
    /// The string keys in the maps that clauses take as their only argument.
    pub string_keys: Rare<Vec<String>>,
    /// Whether a clause matches string keys and no atom keys.
    pub matches_strings: bool,
    /// The number of its clauses.
    pub clauses: u32,
    /// The signature of the agent that it returns, if it is public and that is certain.
    pub agent: Option<Arc<Source>>,
}

/// The numbers of arguments with which a function can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arities {
    least: u32,
    most: u32,
}

impl Arities {
    /// From `least` to `most`.
    pub(super) fn new(least: usize, most: usize) -> Self {
        let [least, most] = [least, most].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        Self { least, most }
    }

    /// The least number.
    pub(super) fn least(self) -> usize {
        self.least as usize
    }

    /// The greatest number.
    pub fn most(self) -> usize {
        self.most as usize
    }

    /// All of them.
    pub fn all(self) -> RangeInclusive<usize> {
        self.least()..=self.most()
    }

    /// Whether it can be called with so many arguments.
    pub(super) fn contains(self, arity: usize) -> bool {
        self.all().contains(&arity)
    }
}

/// A `@spec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) name: Box<str>,
    pub(super) arity: usize,
    pub(super) text: Box<str>,
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

    /// The names of the functions that are tools in only one of this and `other`, or in other modules.
    pub fn differing_tools<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        self.tools
            .differing(&other.tools)
            .into_iter()
            .map(String::as_str)
    }

    /// The functions that are tools, as they are named.
    pub fn tools(&self) -> impl Iterator<Item = &Capture> {
        self.tools.values().flatten()
    }

    /// The tools that are functions of this name.
    pub fn tools_named(&self, name: &str) -> &[Capture] {
        self.tools.get(name).map_or(&[], Vec::as_slice)
    }

    /// Replaces the tools.
    pub(super) fn set_tools<'a>(&mut self, captures: impl Iterator<Item = &'a Capture>) {
        self.tools = SharedMap::default();
        let mut captures: Vec<_> = captures.collect();
        if HAS_SMALL_STEPS {
            // Each follows those of the same name then, so that none of these is moved.
            captures.sort_unstable_by(|one, other| compare(one, other));
        }
        captures.iter().for_each(|it| self.set_tool(it, true));
    }

    /// Adds `capture` to the tools, or removes it.
    pub fn set_tool(&mut self, capture: &Capture, is_tool: bool) {
        set_item(&mut self.tools, &capture.name, capture, is_tool);
    }

    /// The full names that a short one stands for.
    pub fn aliases_of(&self, short: &str) -> &[String] {
        self.aliases.get(short).map_or(&[], Vec::as_slice)
    }

    /// Adds an alias, or removes it.
    pub fn set_alias(&mut self, short: &String, full: &String, is_alias: bool) {
        set_item(&mut self.aliases, short, full, is_alias);
    }

    /// The short names with the full ones that they stand for.
    pub fn aliases(&self) -> impl Iterator<Item = (&String, &String)> {
        let aliases = self.aliases.iter();
        aliases.flat_map(|(short, full)| full.iter().map(move |it| (short, it)))
    }

    /// Adds the facts of another part of the same document.
    pub fn add(&mut self, other: &Self) {
        self.modules.extend_from_slice(&other.modules);
        for (short, full) in other.aliases() {
            self.set_alias(short, full, true);
        }
        Arc::make_mut(&mut self.imports).extend_from_slice(&other.imports);
        other.tools().for_each(|it| self.set_tool(it, true));
    }

    /// Replaces the modules at the indices `gone`.
    #[inline(never)]
    pub(super) fn replace_modules(&mut self, gone: Range<usize>, new: Vec<Arc<Module>>) {
        let after = self.modules.split_off(gone.end);
        self.modules.truncate(gone.start);
        self.modules.extend(new);
        self.modules.extend(after);
    }

    /// Replaces the facts of the parts `gone`, which come after the parts `before`, by those of `new` ones, apart from
    /// the tools and the aliases.
    pub fn replace<'f>(
        &mut self,
        before: impl Iterator<Item = &'f Self> + Clone,
        gone: impl Iterator<Item = &'f Self> + Clone,
        new: impl Iterator<Item = &'f Self> + Clone,
    ) {
        if let Some((gone, new)) = change(|it| &it.modules, &before, &gone, &new) {
            self.replace_modules(gone, new);
        }
        if let Some((gone, new)) = change(|it| &it.imports, &before, &gone, &new) {
            Arc::make_mut(&mut self.imports).splice(gone, new);
        }
    }
}

/// Adds `item` to the sorted ones of `key`, or removes it.
#[inline(never)]
fn set_item<T: Ord + Clone>(
    all: &mut SharedMap<String, Vec<T>>,
    key: &String,
    item: &T,
    is_there: bool,
) {
    let known = all.get(key).map_or(&[][..], Vec::as_slice);
    match known.binary_search(item) {
        Ok(_) if !is_there && known.len() == 1 => all.set(key, None),
        Ok(at) if !is_there => drop(all.entry(key).remove(at)),
        Err(at) if is_there => {
            let items = all.entry(key);
            if items.is_empty() {
                items.reserve_exact(1);
            }
            items.insert(at, item.clone());
        }
        _ => {}
    }
}

/// The indices of the items in the parts `gone`, and those in `new` ones; `None` if they are the same.
fn change<'f, T: Clone + PartialEq + 'f>(
    items: impl Fn(&'f Facts) -> &'f [T] + Copy,
    before: &(impl Iterator<Item = &'f Facts> + Clone),
    gone: &(impl Iterator<Item = &'f Facts> + Clone),
    new: &(impl Iterator<Item = &'f Facts> + Clone),
) -> Option<(Range<usize>, Vec<T>)> {
    let gone = gone.clone().flat_map(items);
    let new = new.clone().flat_map(items);
    if gone.clone().eq(new.clone()) {
        return None;
    }
    let start = before.clone().map(|it| items(it).len()).sum();
    Some((start..start + gone.count(), new.cloned().collect()))
}

impl Function {
    /// The first line of its documentation.
    pub fn doc(&self) -> Option<String> {
        self.doc.as_deref().cloned()
    }

    /// Whether other modules can call it.
    pub(super) fn is_public(&self) -> bool {
        self.head.starts_with("def ")
    }

    /// The function whose first clause is `clause`, with its documentation.
    pub(super) fn with_doc(clause: &Arc<Self>, doc: Option<Arc<String>>) -> Arc<Self> {
        let mut function = Arc::clone(clause);
        if doc.is_some() {
            Self::own(&mut function).doc = doc;
        }
        function
    }

    /// It, apart from those who share it.
    #[inline(never)]
    pub(super) fn own(shared: &mut Arc<Self>) -> &mut Self {
        Arc::make_mut(shared)
    }

    /// Whether `other`, which follows it, is another clause of the same function.
    pub(super) fn is_continued_by(&self, other: &Self) -> bool {
        self.name == other.name && self.arities.most() == other.arities.most()
    }

    /// Adds what a further clause says.
    pub(super) fn add_clause(&mut self, clause: &Function) {
        if self.atom_key.is_none() {
            self.atom_key.clone_from(&clause.atom_key);
        }
        if !clause.string_keys.is_empty() {
            let string_keys = self.string_keys.make_mut();
            string_keys.extend_from_slice(&clause.string_keys);
        }
        self.matches_strings |= clause.matches_strings;
        self.clauses += clause.clauses;
    }

    /// Whether it equals `other`, apart from documentation.
    pub fn differs_in_docs_only(&self, other: &Self) -> bool {
        let Self {
            name,
            arities,
            head,
            doc: _,
            atom_key,
            string_keys,
            matches_strings,
            clauses,
            agent,
        } = self;
        (name, arities, head) == (&other.name, &other.arities, &other.head)
            && (atom_key, string_keys) == (&other.atom_key, &other.string_keys)
            && (matches_strings, clauses) == (&other.matches_strings, &other.clauses)
            && agent == &other.agent
    }
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

/// Compares two functions. A sort of references has dozens of comparisons.
#[inline(never)]
fn compare(one: &Capture, other: &Capture) -> Ordering {
    one.cmp(other)
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
