//! The tools in a map such as `%{"search" => &MyApp.search/1}`: their names and forms.

use std::sync::Arc;

use foldhash::HashSet;

use crate::{
    host::{
        object::Literal,
        token_tree::{Element, Kind, range_of},
    },
    rare::{Blank, Rare},
    text::{TextRange, TextSize},
};

use super::{
    call::Argument,
    contract::{Contract, each_item, items, own_description},
    head::{self, keys_of_fn},
    literal::key_text,
    names::Binder,
    tool_forms,
};

/// A tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name; `None` where that is put together.
    pub name: Option<Arc<str>>,
    /// Where the key is, in bytes of the text.
    pub key: TextRange,
    /// What follows the key.
    pub form: Form,
    /// Where that is, in bytes of the text.
    pub range: TextRange,
    /// Where its signature is written, in bytes of the text.
    pub contract: Option<Contract>,
    /// Whether it is a function in a tuple that gives it no signature.
    pub lacks_signature: bool,
    /// What few tools have.
    pub details: Rare<Details>,
    /// Whether it is made of an agent that is given by a name, without a description beside it.
    pub wraps_name: bool,
}

/// A function that is given by a name has no more keys. Each use of the name has them.
const MOST_NAMED_KEYS: usize = 32;

/// What few tools have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    /// The description beside its function, or the one that replaces that of its agent, in bytes of the text.
    pub description: Option<Literal>,
    /// The name that is given in place of its function.
    pub function: Option<NamedFunction>,
    /// The number of arguments of its `fn`, where that is plain.
    pub arity: Option<usize>,
    /// Keys that are atoms, with their colons, where it is a `fn` that matches such, in bytes of the text.
    pub atoms: Vec<TextRange>,
    /// Keys without which no call matches: the strings in the head of a `fn` with one clause.
    pub head: Vec<String>,
    /// An atom key that its function matches, if the function is given by a name.
    pub named_atom: Option<String>,
    /// The keys of options that the library does not read, in bytes of the text.
    pub other_options: Vec<TextRange>,
}

impl Blank for Details {
    const BLANK: &'static Self = &Self {
        description: None,
        function: None,
        arity: None,
        atoms: Vec::new(),
        head: Vec::new(),
        named_atom: None,
        other_options: Vec::new(),
    };
}

/// What is registered as a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A function alone, which has the signature of its spec.
    Function(Option<Arc<Capture>>),
    /// A function in a tuple with all that is to be known of it.
    Described(Option<Arc<Capture>>),
    /// The agent that has the tool: `:self`.
    Itself,
    /// An agent, which is no tool, with its module as written: `SubAgent.new(…)`.
    Agent(Box<str>),
    /// The tool of an agent, neither of which has a description.
    Undescribed,
    /// The result `{:ok, tool}` of `PtcRunner.Tool.new(…)`.
    Result,
    /// A list in the place of the map of tools.
    List,
    /// An expression whose value is known only when the program runs.
    Unknown,
    /// A value that is no tool.
    Invalid,
}

/// A name that is given in place of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFunction {
    /// What binds it.
    pub binder: Binder,
    /// The name.
    pub name: String,
    /// Whether it is in a tuple with all that is to be known of the tool.
    pub is_described: bool,
}

/// A named function such as `&MyApp.search/1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capture {
    /// The module as written; `None` for a function of the same module.
    pub module: Option<String>,
    /// The function's name.
    pub name: String,
    /// The number of its arguments.
    pub arity: usize,
}

impl Tool {
    /// Whether it is a function alone under a string, as the library takes tools.
    pub fn is_plain(&self) -> bool {
        let is_function = matches!(self.form, Form::Function(_));
        let name = self.name.as_deref().unwrap_or_default();
        let atom = TextSize::of(name) + TextSize::of(':');
        is_function && self.name.is_some() && self.key.len() > atom
    }

    /// Whether its signature or its function is given by a name.
    pub(super) fn has_names(&self) -> bool {
        matches!(self.contract, Some(Contract::Name(..))) || self.details.function.is_some()
    }

    /// Reads `value`, which the name of its function is bound to.
    pub(super) fn bind_function(&mut self, value: &[Element<'_>]) {
        let len = range_of(value).map(|it| it.len());
        let is_short = len.is_some_and(|it| it <= head::LONGEST_NAMED_FN);
        let Some(named) = &self.details.function else {
            return;
        };
        if self.form != Form::Unknown || !is_function(value) || !is_short {
            return;
        }
        self.form = match named.is_described {
            true => Form::Described(capture(value)),
            false => Form::Function(capture(value)),
        };
        let Some(function) = function(value) else {
            return;
        };
        let details = self.details.make_mut();
        details.head = head::keys_of_only_clause(&function);
        if details.head.len() > MOST_NAMED_KEYS {
            details.head = Vec::new();
        }
        details.named_atom = head::atom_key_of_fn(&function);
        details.arity = head::arity_of_fn(&function);
    }

    /// The entry of `tools:` if its `value` is a list, at `key`.
    pub(super) fn of_list(key: &Element<'_>, value: &[Element<'_>]) -> Option<Self> {
        let [list] = value else {
            return None;
        };
        (list.kind() == Kind::Brackets && list.is_closed()).then(|| Self {
            name: None,
            key: key.range,
            form: Form::List,
            range: list.range,
            contract: None,
            lacks_signature: false,
            details: Rare::default(),
            wraps_name: false,
        })
    }

    /// Lets its function take the room of an equal one in the tool before it, whose function is `last`.
    fn share_function(&mut self, last: &mut Option<Arc<Capture>>) {
        let (Form::Function(own) | Form::Described(own)) = &mut self.form else {
            return;
        };
        match own == last {
            true => own.clone_from(last),
            false => last.clone_from(own),
        }
    }

    /// Replaces every range in it.
    pub fn map_ranges(&mut self, map: &impl Fn(TextRange) -> TextRange) {
        self.key = map(self.key);
        self.range = map(self.range);
        let place = |literal: &mut Literal| {
            literal.literal = map(literal.literal);
            literal.content = map(literal.content);
        };
        if let Some(details) = self.details.get_mut() {
            let ranges = details.atoms.iter_mut().chain(&mut details.other_options);
            ranges.for_each(|it| *it = map(*it));
            details.description.iter_mut().for_each(place);
        }
        self.signature_mut().into_iter().for_each(place);
    }

    /// The string that its signature is written in, to be changed.
    pub fn signature_mut(&mut self) -> Option<&mut Literal> {
        match &mut self.contract {
            Some(Contract::Literal(literal)) => Some(literal),
            Some(Contract::Name(..)) | None => None,
        }
    }

    /// The string that its signature is written in, if that is known.
    pub fn signature(&self) -> Option<&Literal> {
        match &self.contract {
            Some(Contract::Literal(literal)) => Some(literal),
            Some(Contract::Name(..)) | None => None,
        }
    }
}

/// The tools of the map that `text` is; `None` where it is anything else.
#[cfg(test)]
fn read(text: &str) -> Option<Vec<Tool>> {
    let tree = crate::host::token_tree::parse::<super::Elixir>(text);
    let root = Element::node(&tree, crate::text::TextSize::default());
    let elements: Vec<_> = root
        .elements()
        .filter(|it| !it.kind().is_trivia())
        .collect();
    of_value_map(&elements)
}

/// What a list of elements says of captured functions that are tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Captured {
    /// They are in the map of a `tools:`.
    Tools(Vec<Arc<Capture>>),
    /// Some `tools:` is given this name.
    Name(String),
    /// They are in a map that is bound to this name.
    Bound(String, Vec<Arc<Capture>>),
}

/// What `elements`, one list or statement without white space, say of captured functions, with places.
pub(super) fn captured(elements: &[Element<'_>]) -> Vec<(TextRange, Captured)> {
    let read = |at: usize| {
        let captured = match &elements[at..] {
            [key, percent, map, ..] if key.text() == "tools:" && percent.text() == "%" => {
                Captured::Tools(captures_in(map))
            }
            [key, at, name, ..] if key.text() == "tools:" && at.text() == "@" => {
                Captured::Name(name.text().to_owned())
            }
            [key, name, ..] if key.text() == "tools:" => Captured::Name(name.text().to_owned()),
            [name, equals, percent, map, ..] if equals.text() == "=" && percent.text() == "%" => {
                Captured::Bound(name.text().to_owned(), captures_in(map))
            }
            [at, name, percent, map, ..] if at.text() == "@" && percent.text() == "%" => {
                Captured::Bound(name.text().to_owned(), captures_in(map))
            }
            [word, name, between @ .., key, percent, map]
                if matches!(word.text(), "def" | "defp")
                    && takes_nothing(between)
                    && key.text() == "do:"
                    && percent.text() == "%" =>
            {
                Captured::Bound(name.text().to_owned(), captures_in(map))
            }
            _ => return None,
        };
        let says_something = match &captured {
            Captured::Tools(captures) | Captured::Bound(_, captures) => !captures.is_empty(),
            Captured::Name(name) => !name.is_empty(),
        };
        says_something.then(|| (elements[at].range, captured))
    };
    (0..elements.len()).filter_map(read).collect()
}

impl Captured {
    /// The functions in the map.
    pub(super) fn captures(&self) -> &[Arc<Capture>] {
        match self {
            Self::Tools(captures) | Self::Bound(_, captures) => captures,
            Self::Name(_) => &[],
        }
    }

    /// The name that the map is bound to; tools are given some names.
    pub(super) fn bound_name(&self) -> Option<&str> {
        match self {
            Self::Bound(name, _) => Some(name),
            Self::Tools(_) | Self::Name(_) => None,
        }
    }
}

/// A variable or an attribute with this name has tools even if no `tools:` is given it.
pub(super) const TOOLS: &str = "tools";

/// The captured functions that are tools of a document: in the map of a `tools:`, or in one with a name that
/// some `tools:` is given.
pub(super) fn all_captures<'d>(captured: &[&'d Captured]) -> impl Iterator<Item = &'d Capture> {
    let names = captured.iter().filter_map(|it| match it {
        Captured::Name(name) => Some(name.as_str()),
        Captured::Tools(_) | Captured::Bound(..) => None,
    });
    let names: HashSet<&str> = names.chain([TOOLS]).collect();
    let is_given = move |it: &&&Captured| it.bound_name().is_none_or(|name| names.contains(name));
    captured
        .iter()
        .filter(is_given)
        .flat_map(|it| it.captures())
        .map(Arc::as_ref)
}

fn captures_in(map: &Element<'_>) -> Vec<Arc<Capture>> {
    let mut captures = Vec::new();
    each_tool(map, &mut |tool| {
        if let Form::Function(capture) | Form::Described(capture) = tool.form {
            captures.extend(capture);
        }
    });
    captures
}

/// Whether there are no parameters between the name of a function and its `do:`.
fn takes_nothing(between: &[Element<'_>]) -> bool {
    let parameters = between.iter().filter(|it| it.kind() != Kind::Comma);
    parameters
        .into_iter()
        .all(|it| it.kind() == Kind::Parens && items(it).is_empty())
}

/// The function of the same module without arguments that `value` calls.
pub(super) fn called<'t>(value: &[Element<'t>]) -> Option<&'t str> {
    let [name, arguments] = value else {
        return None;
    };
    let is_call = name.kind() == Kind::Symbol && arguments.kind() == Kind::Parens;
    (is_call && items(arguments).is_empty()).then_some(name.text())
}

/// The tools of the map that `value` is.
pub(super) fn of_value_map(value: &[Element<'_>]) -> Option<Vec<Tool>> {
    match value {
        [percent, braces] if percent.text() == "%" => of_map(braces),
        _ => None,
    }
}

/// The tools in the braces of a map; `None` where it is no whole map.
pub(super) fn of_map(braces: &Element<'_>) -> Option<Vec<Tool>> {
    let commas = braces.elements().filter(|it| it.kind() == Kind::Comma);
    let mut tools = Vec::with_capacity(commas.count() + 1);
    each_tool(braces, &mut |tool| tools.push(tool)).then_some(tools)
}

/// Calls `each` with the tools in the braces of a map; returns whether it is a whole one. A list of all elements may take
/// more room than the tools.
fn each_tool(braces: &Element<'_>, each: &mut dyn FnMut(Tool)) -> bool {
    let is_map = braces.kind() == Kind::Braces && braces.is_closed();
    let is_update = || braces.elements().any(|it| it.text() == "|");
    if !is_map || is_update() {
        return false;
    }
    let mut last = None;
    each_item(braces, &mut |item| {
        if let Some(mut tool) = tool(item) {
            tool.share_function(&mut last);
            each(tool);
        }
    });
    true
}

fn tool(item: &[Element<'_>]) -> Option<Tool> {
    let (key, value) = match item {
        [key, value @ ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => (key, value),
        [key, arrow, value @ ..] if arrow.text() == "=>" => (key, value),
        _ => return None,
    };
    of_value(key, value)
}

/// The tool that `value` is under a `key`.
pub(super) fn of_value(key: &Element<'_>, value: &[Element<'_>]) -> Option<Tool> {
    let (first, last) = (value.first()?, value.last()?);
    let written = function(value);
    Some(Tool {
        name: key_text(key).map(Arc::from),
        key: key.range,
        form: form(value),
        contract: Contract::of(value),
        lacks_signature: tool_forms::lacks_signature(value),
        details: Rare::from(Details {
            description: own_description(value),
            function: named_function(value),
            arity: written.as_ref().and_then(head::arity_of_fn),
            atoms: written.as_ref().map_or(Vec::new(), keys_of_fn),
            head: written
                .as_ref()
                .map_or(Vec::new(), head::keys_of_only_clause),
            named_atom: None,
            other_options: tool_forms::other_options(value),
        }),
        wraps_name: tool_forms::wraps_name(value),
        range: first.range.cover(last.range),
    })
}

fn form(value: &[Element<'_>]) -> Form {
    match value {
        [tuple] if tuple.kind() == Kind::Braces => match tool_forms::has_wrong_signature(value) {
            true => Form::Invalid,
            false => form_of_tuple(tuple),
        },
        value if is_function(value) => Form::Function(capture(value)),
        [atom] if atom.text() == ":self" => Form::Itself,
        [atom] if BUILT_IN.contains(&atom.text()) => Form::Unknown,
        value if is_other_literal(value) => Form::Invalid,
        value if tool_forms::is_undescribed(value) => Form::Undescribed,
        _ => Form::Unknown,
    }
}

/// Atoms that stand for tools of the library itself.
const BUILT_IN: [&str; 3] = [":builtin_grep", ":builtin_grep_n", ":builtin_llm_query"];

fn form_of_tuple(tuple: &Element<'_>) -> Form {
    let elements = inside(tuple);
    let items: Vec<_> = elements.split(|it| it.kind() == Kind::Comma).collect();
    let (function, second) = match items.as_slice() {
        _ if !tuple.is_closed() => return Form::Unknown,
        [function, [key, ..], ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
            (*function, None)
        }
        [function, second] => (*function, Some(*second)),
        _ => return Form::Invalid,
    };
    if is_other_literal(function) {
        return Form::Invalid;
    }
    let is_description = match second {
        None => true,
        Some([only]) => {
            only.kind().is_string() && only.kind() != Kind::Charlist
                || only.kind() == Kind::Brackets
                || only.text() == ":skip"
        }
        Some(_) => false,
    };
    match second {
        _ if is_description && is_function(function) => Form::Described(capture(function)),
        Some([second]) if second.kind() == Kind::Braces => Form::Invalid,
        Some(second) if !is_description && is_other_literal(second) => Form::Invalid,
        _ => Form::Unknown,
    }
}

/// The `fn … end` that `value` is, or that is the first in it.
fn function<'t>(value: &[Element<'t>]) -> Option<Element<'t>> {
    let function = match value {
        [tuple] if tuple.kind() == Kind::Braces => inside(tuple).first().copied(),
        [only] => Some(*only),
        _ => None,
    };
    function.filter(|it| it.kind() == Kind::FnBlock)
}

/// The name in place of the function that `value` is, or that is the first in it.
fn named_function(value: &[Element<'_>]) -> Option<NamedFunction> {
    let (function, is_described) = match value {
        [tuple] if tuple.kind() == Kind::Braces => (items(tuple).into_iter().next()?, true),
        value => (value.to_vec(), false),
    };
    match Argument::of(&function)? {
        Argument::Name(_, "nil" | "true" | "false") | Argument::String(_) => None,
        Argument::Name(binder, name) => Some(NamedFunction {
            binder,
            name: name.to_owned(),
            is_described,
        }),
    }
}

pub(super) fn is_function(value: &[Element<'_>]) -> bool {
    match value {
        [only] => only.kind() == Kind::FnBlock,
        [first, ..] => first.text() == "&",
        [] => false,
    }
}

/// Whether `value` is a literal that is no function.
pub(super) fn is_other_literal(value: &[Element<'_>]) -> bool {
    match value {
        [only] => match only.kind() {
            Kind::Symbol => matches!(only.text(), "nil" | "true" | "false"),
            Kind::String | Kind::Heredoc | Kind::Charlist => only.is_closed(),
            kind => matches!(
                kind,
                Kind::Number | Kind::Atom | Kind::Alias | Kind::Brackets
            ),
        },
        [percent, map] => percent.text() == "%" && map.kind() == Kind::Braces,
        [.., last] => {
            let is_part = |it: &Element<'_>| it.kind() == Kind::Alias || it.text() == ".";
            last.kind() == Kind::Alias && value.iter().all(is_part)
        }
        [] => false,
    }
}

fn capture(value: &[Element<'_>]) -> Option<Arc<Capture>> {
    let [and, path @ .., slash, arity] = value else {
        return None;
    };
    if and.text() != "&" || slash.text() != "/" {
        return None;
    }
    let arity = arity.text().parse().ok()?;
    let (name, module) = path.split_last()?;
    let module = match module {
        [] => None,
        [module @ .., dot] if dot.text() == "." => {
            let is_part = |it: &Element<'_>| {
                it.kind() == Kind::Alias || matches!(it.text(), "." | "__MODULE__")
            };
            if module.is_empty() || !module.iter().all(is_part) {
                return None;
            }
            Some(module.iter().map(Element::text).collect())
        }
        _ => return None,
    };
    let is_name = name.kind() == Kind::Symbol;
    let name = name.text().to_owned();
    let capture = || {
        Arc::new(Capture {
            module,
            name,
            arity,
        })
    };
    is_name.then(capture)
}

fn inside<'t>(group: &Element<'t>) -> Vec<Element<'t>> {
    let is_code = |it: &Element<'_>| {
        !it.kind().is_trivia() && !matches!(it.kind(), Kind::LBrace | Kind::RBrace)
    };
    let mut elements: Vec<_> = group.elements().filter(is_code).collect();
    if elements.last().is_some_and(|it| it.kind() == Kind::Comma) {
        elements.pop();
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call may register tens of thousands.
    #[test]
    fn a_tool_takes_little_room() {
        assert!(size_of::<Tool>() <= 112, "{} bytes", size_of::<Tool>());
    }

    #[test]
    fn every_form_is_described() {
        let capture = |module: Option<&str>, name: &str, arity| {
            Some(Arc::new(Capture {
                module: module.map(str::to_owned),
                name: name.to_owned(),
                arity,
            }))
        };
        let cases = [
            (
                "&MyApp.get_user/1",
                Form::Function(capture(Some("MyApp"), "get_user", 1)),
            ),
            (
                "&__MODULE__.find?/2",
                Form::Function(capture(Some("__MODULE__"), "find?", 2)),
            ),
            ("&run/1", Form::Function(capture(None, "run", 1))),
            ("&mod.run/1", Form::Function(None)),
            ("&String.upcase(&1[\"s\"])", Form::Function(None)),
            ("fn args -> args end", Form::Function(None)),
            (
                "{&run/1, \"(q :string) -> :any\"}",
                Form::Described(capture(None, "run", 1)),
            ),
            (
                "{&run/1, signature: \"() -> :any\", description: \"x\"}",
                Form::Described(capture(None, "run", 1)),
            ),
            (
                "{&run/1, [signature: \"() -> :any\"]}",
                Form::Described(capture(None, "run", 1)),
            ),
            ("{fn _ -> 1 end, :skip}", Form::Described(None)),
            ("{f, \"() -> :any\"}", Form::Unknown),
            ("{&run/1, signature}", Form::Unknown),
            (
                "LLMTool.new(prompt: \"x\", signature: \":any\")",
                Form::Unknown,
            ),
            ("SubAgent.as_tool(agent)", Form::Unknown),
            ("agent", Form::Unknown),
            (":self", Form::Itself),
            (":builtin_grep", Form::Unknown),
            (":builtin_gerp", Form::Invalid),
            ("%LLMTool{prompt: \"x\"}", Form::Unknown),
            ("\"() -> :any\"", Form::Invalid),
            ("42", Form::Invalid),
            (":search", Form::Invalid),
            ("nil", Form::Invalid),
            ("MyApp.Search", Form::Invalid),
            ("[&run/1]", Form::Invalid),
            ("%{signature: \"x\"}", Form::Invalid),
            ("{&run/1, :validate}", Form::Invalid),
            ("{&run/1, 1}", Form::Invalid),
            ("{&run/1, signature: 5}", Form::Invalid),
            ("{&run/1, [cache: true, signature: :skip]}", Form::Invalid),
            ("{&run/1, signature: 'x'}", Form::Invalid),
            (
                "{&run/1, signature: nil}",
                Form::Described(capture(None, "run", 1)),
            ),
            (
                "{&run/1, signature: text}",
                Form::Described(capture(None, "run", 1)),
            ),
            ("{&run/1}", Form::Invalid),
            ("{&run/1, \"() -> :any\", \"what it does\"}", Form::Invalid),
            ("{\"() -> :any\", &run/1}", Form::Invalid),
        ];
        for (text, form) in cases {
            let map = format!("%{{\"t\" => {text}, }}");
            let tools = read(&map).expect(text);
            assert_eq!(tools.len(), 1, "{text}");
            assert_eq!(tools[0].form, form, "{text}");
            assert_eq!(&map[tools[0].range], text);
        }
    }

    #[test]
    fn a_function_in_a_tuple_may_have_no_signature() {
        for (text, lacks_signature) in [
            ("{&run/1, :skip}", true),
            ("{f, :skip}", true),
            ("{&run/1, []}", true),
            ("{&run/1, description: \"x\"}", true),
            ("{&run/1, [cache: true, signature: nil]}", true),
            ("{&run/1, signature: \"() -> :any\"}", false),
            ("{&run/1, signature: text <> more}", false),
            ("{&run/1, \"() -> :any\"}", false),
            ("{&run/1, options}", false),
            ("{&run/1, [cached | options]}", false),
            ("{&run/1}", false),
            ("{1, :skip}", false),
            ("&run/1", false),
        ] {
            let tools = read(&format!("%{{\"t\" => {text}}}")).expect(text);
            assert_eq!(tools[0].lacks_signature, lacks_signature, "{text}");
        }
    }

    #[test]
    fn what_is_no_map_of_tools_is_none() {
        for text in [
            "tools",
            "[a: 1]",
            "%{tools | a: &f/1}",
            "%{",
            "%Tools{}",
            "Map.new()",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("%{}"), Some(Vec::new()));
    }
}
