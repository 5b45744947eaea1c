//! The tools in a map such as `%{"search" => &MyApp.search/1}`: their names and forms.

pub(super) mod captured;
pub(super) mod form;

use std::sync::Arc;

use crate::{
    host::{
        object::Literal,
        token_tree::{Element, Kind, range_of},
    },
    rare::{Blank, Rare},
    text::{TextRange, TextSize},
};

use form::{capture, form, function, is_function, named_function};

use super::{
    contract::{Contract, each_item, items, own_description},
    head::{self, keys_of_fn},
    literal::{key_and_value, key_text},
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
    let (key, value) = key_and_value(item)?;
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

#[cfg(test)]
mod tests;
