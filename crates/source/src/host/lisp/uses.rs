//! What programs use: tools, context and namespaces, and what they return.

use crate::{rare::Blank, text::TextRange};

/// What programs, or files of Clojure that look like them, tell about namespaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Namespaces {
    /// Whether there is an `ns` form, so that names without a namespace belong to the file.
    pub is_named: bool,
    /// Whether there is an `in-ns` form, so that another file may define the meaning of names.
    pub is_entered: bool,
    /// The namespaces of tools and context with another meaning, as by `:as data`.
    pub claimed: Vec<Namespace>,
}

impl Blank for Namespaces {
    const BLANK: &'static Self = &Self::NONE;
}

impl Namespaces {
    const NONE: Self = Self {
        is_named: false,
        is_entered: false,
        claimed: Vec::new(),
    };

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        !self.is_named && !self.is_entered && self.claimed.is_empty()
    }

    /// Adds the facts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.is_named |= other.is_named;
        self.is_entered |= other.is_entered;
        self.claimed.extend(&other.claimed);
    }

    /// Whether names in `namespace` may be neither tools nor context.
    pub fn claims(&self, namespace: Namespace) -> bool {
        (self.is_entered && !self.is_named) || self.claimed.contains(&namespace)
    }

    /// Whether a call of this style may be one of a function of the file.
    pub fn claims_call(&self, style: CallStyle) -> bool {
        match style {
            CallStyle::Tool => self.claims(Namespace::Tool),
            CallStyle::Context => self.claims(Namespace::Context),
            CallStyle::Call => self.is_named || self.is_entered,
        }
    }
}

impl ToolCall {
    pub(super) fn placed(&self, place: &impl Fn(TextRange) -> TextRange) -> Self {
        Self {
            range: place(self.range),
            head: place(self.head),
            callee: place(self.callee),
            name_range: place(self.name_range),
            arguments: self.arguments.placed(place),
            ..self.clone()
        }
    }
}

impl Return {
    pub(super) fn placed(&self, place: &impl Fn(TextRange) -> TextRange) -> Self {
        Self {
            range: place(self.range),
            value: self.value.map(place),
        }
    }
}

impl Reference {
    pub(super) fn placed(&self, place: &impl Fn(TextRange) -> TextRange) -> Self {
        Self {
            range: place(self.range),
            name_range: place(self.name_range),
            ..self.clone()
        }
    }
}

impl Arguments {
    pub(super) fn placed(&self, place: &impl Fn(TextRange) -> TextRange) -> Self {
        let placed = |it: &NamedArgument| NamedArgument {
            name: it.name.clone(),
            key: place(it.key),
            value: it.value.map(place),
        };
        match self {
            Self::None => Self::None,
            Self::Map {
                range,
                entries,
                is_complete,
            } => Self::Map {
                range: place(*range),
                entries: entries.iter().map(placed).collect(),
                is_complete: *is_complete,
            },
            Self::Pairs(pairs) => Self::Pairs(pairs.iter().map(placed).collect()),
            Self::Positional(values) => {
                Self::Positional(values.iter().copied().map(place).collect())
            }
            Self::Dynamic(range) => Self::Dynamic(place(*range)),
        }
    }
}

/// The namespace of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// `tool/…`: the tools.
    Tool,
    /// `data/…`: the context.
    Data,
    /// `ctx/…`: the context and, in calls, the tools of early editions.
    Context,
}

/// The style of a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallStyle {
    /// `(tool/name …)`
    Tool,
    /// `(ctx/name …)`
    Context,
    /// `(call "name" …)`
    Call,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The whole list.
    pub range: TextRange,
    /// The called name with its namespace (`tool/name`), or the word `call`.
    pub head: TextRange,
    /// The whole range that names the tool: `tool/name`, or `call "name"`.
    pub callee: TextRange,
    /// The tool's name.
    pub name: String,
    /// The place of the name; in a string without the quotes.
    pub name_range: TextRange,
    /// Its style.
    pub style: CallStyle,
    /// Its arguments.
    pub arguments: Arguments,
    /// Whether the call is in a threading macro (`->`), which adds an argument.
    pub is_threaded: bool,
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arguments {
    /// None at all.
    None,
    /// A map with the names of the arguments as keys.
    Map {
        /// The map.
        range: TextRange,
        /// Its entries whose keys are keywords or strings.
        entries: Vec<NamedArgument>,
        /// Whether the map has no other entries.
        is_complete: bool,
    },
    /// Alternating keywords and values.
    Pairs(Vec<NamedArgument>),
    /// Unnamed values.
    Positional(Vec<TextRange>),
    /// One expression that may evaluate to a map.
    Dynamic(TextRange),
}

/// A named argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedArgument {
    /// Its name, without colon or quotes.
    pub name: String,
    /// The key as it is written.
    pub key: TextRange,
    /// The value; `None` where it is missing.
    pub value: Option<TextRange>,
}

/// `(return value)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Return {
    /// The whole list.
    pub range: TextRange,
    /// The returned value; `None` if it is missing.
    pub value: Option<TextRange>,
}

/// A name in a namespace, such as `data/x`, outside of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name with its namespace.
    pub range: TextRange,
    /// The namespace.
    pub namespace: Namespace,
    /// The name after the slash.
    pub name: String,
    /// Its place.
    pub name_range: TextRange,
}
