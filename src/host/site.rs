//! Sites: the literals of a document that hold signatures, prompts and what belongs to them.

use std::{borrow::Cow, sync::Arc};

use rowan::GreenNode;

use crate::{
    host::{ToolName, elixir::tools::Tool, evidence::Evidence, flow::Flow, lisp::Program},
    syntax::{
        catalog::ast::Entry,
        fragment::{Escapes, Foreign, ForeignKind, Fragment},
        kind::SyntaxNode,
    },
    text::{Text, TextRange, TextSize},
    value::{Value, ValueKind},
};

/// What a literal is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The signature of an agent, or one on its own.
    Signature,
    /// A prompt template.
    Prompt,
    /// What a tool or agent says of itself.
    Description,
    /// The signature of a tool.
    Tool,
}

/// One literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// What it is for.
    pub role: Role,
    /// The name of the tool or agent that it belongs to, where it has one.
    pub name: Option<String>,
    /// The literal with its delimiters, in bytes from the unit's start.
    pub literal: TextRange,
    /// What is between the delimiters, in bytes from the unit's start.
    pub content: TextRange,
    /// How characters are escaped in it.
    pub escapes: Escapes,
    /// Interpolations and margins, in bytes from the content's start, sorted and disjoint.
    pub foreign: Vec<Foreign>,
}

impl Site {
    /// The literal as a fragment, given the document's text of [`Site::content`].
    pub fn fragment<'a>(&'a self, content: &'a str) -> Fragment<'a> {
        Fragment {
            text: content,
            escapes: self.escapes,
            foreign: &self.foreign,
        }
    }

    /// Whether its text is only known when the program runs.
    pub fn is_dynamic(&self) -> bool {
        is_dynamic(&self.foreign)
    }
}

/// Whether the text of a literal with these parts is only known when the program runs.
pub fn is_dynamic(foreign: &[Foreign]) -> bool {
    foreign.iter().any(|it| it.kind == ForeignKind::Hole)
}

/// A keyed argument beside the sites of a unit, such as `output: :text`.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The key, without colons or quotes.
    pub key: String,
    /// The key's text in the document, in bytes from the unit's start.
    pub key_range: TextRange,
    /// The value's text in the document, in bytes from the unit's start.
    pub value: TextRange,
    /// What the value is, where the key is one whose values are read; its ranges count from where it begins.
    read: Option<Arc<Value>>,
}

impl Argument {
    /// The argument of the key at `key_range` and what was `read` of its value.
    pub fn new(key: &str, key_range: TextRange, value: TextRange, read: Option<Value>) -> Self {
        // What is missing in a list or a map has no place.
        let start = value.start();
        let relative = |range: TextRange| range.checked_sub(start).unwrap_or_default();
        let relative = |it: Value| it.map_ranges(&relative);
        Self {
            key: key.to_owned(),
            key_range,
            value,
            read: read.map(relative).map(Arc::new),
        }
    }

    /// What the value is, with ranges in bytes from the unit's start; `None` where that is not read or cannot be.
    pub fn read(&self) -> Option<Value> {
        let value = Value::clone(self.read.as_deref()?);
        Some(value.moved_by(self.value.start()))
    }

    /// What the value is, without its place.
    pub fn kind(&self) -> Option<&ValueKind> {
        self.read.as_deref().map(|value| &value.kind)
    }

    /// Calls `change` with what was read of the value and with all in it, ranges in bytes from the unit's start.
    pub fn map_value(&mut self, change: impl Fn(&mut Value)) {
        if let Some(mut value) = self.read() {
            value.for_each_mut(&change);
            let start = value.range.start();
            self.read = Some(Arc::new(value.map_ranges(&|range| range - start)));
        }
    }

    /// Replaces its ranges.
    pub fn map_ranges(&mut self, map: impl Fn(TextRange) -> TextRange) {
        self.key_range = map(self.key_range);
        self.value = map(self.value);
    }
}

/// A prompt or a program that may be known only when the code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// The expression, in bytes from the unit's start.
    pub range: TextRange,
    /// Whether it is a program.
    pub is_program: bool,
}

/// The notation in which a unit's arguments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Notation {
    /// YAML, also in front matter.
    #[default]
    Yaml,
    /// JSON, with comments or without.
    Json,
    /// Elixir terms.
    Elixir,
    /// PTC-Lisp or Clojure forms.
    Lisp,
}

/// What a unit is.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum UnitKind {
    /// Literals, and the keyed arguments beside them.
    #[default]
    Arguments,
    /// A call of a tool in PTC-Lisp, whose other keys give values to its prompt.
    ToolCall,
    /// No more than the name of a tool.
    ToolName(ToolName),
    /// The head of a function with this name, which takes one map with atoms as keys.
    FunctionHead(String),
    /// The tree of an entry of a catalog; it holds the trees of the unit's sites.
    CatalogEntry(GreenNode),
}

/// What is checked as one: a call, a map or a front matter with the literals that it carries.
///
/// A prompt of a unit is checked against the signature of the same unit. All ranges count from the
/// unit's start, so that a unit stays as it is when the text before it changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unit {
    /// How many bytes of the document belong to it.
    pub len: TextSize,
    /// What it is.
    pub kind: UnitKind,
    /// Its literals in the order of the text.
    pub sites: Vec<Site>,
    /// The other keyed arguments of the same list, in the order of the text.
    pub arguments: Vec<Argument>,
    /// How those arguments are written.
    pub notation: Notation,
    /// How sure it is that its literals are ours.
    pub evidence: Evidence,
    /// What is between its lines and is no code, such as the `> ` of a quote in Markdown.
    pub margins: Vec<TextRange>,
    /// The first argument of a call in Elixir where that is no literal.
    pub unread: Option<Unread>,
    /// The tools that a call in Elixir registers, where the code lists them.
    pub tools: Option<Vec<Tool>>,
    /// What the unit does with tools and context, where it is or holds a Lisp program.
    pub program: Program,
    /// Whether names in it may stand for literals before it, which then belong to it. In documentation it is not: the
    /// names are those of an example.
    pub is_linked: bool,
    /// What flows into it from code elsewhere.
    pub flow: Flow,
}

impl Unit {
    /// The entry that it is in a catalog.
    pub fn catalog_entry(&self) -> Option<Entry> {
        match &self.kind {
            UnitKind::CatalogEntry(tree) => Entry::cast(SyntaxNode::new_root(tree.clone())),
            _ => None,
        }
    }

    /// The name of the tool, where it is no more than that.
    pub fn tool_name(&self) -> Option<&ToolName> {
        match &self.kind {
            UnitKind::ToolName(name) => Some(name),
            _ => None,
        }
    }

    /// The name of the function whose head it is.
    pub fn function(&self) -> Option<&str> {
        match &self.kind {
            UnitKind::FunctionHead(name) => Some(name),
            _ => None,
        }
    }

    /// Whether it shows that its document is ours, so that what may be ours is.
    pub fn is_evidence(&self) -> bool {
        let is_signature = |site: &Site| matches!(site.role, Role::Signature | Role::Tool);
        match self.evidence {
            Evidence::Certain => true,
            Evidence::Likely => self.sites.iter().any(is_signature) || self.program.calls_by_name(),
            Evidence::Possible => false,
        }
    }

    /// The keyed argument `key`.
    pub fn argument(&self, key: &str) -> Option<&Argument> {
        self.arguments.iter().find(|it| it.key == key)
    }

    /// Moves all that is in it, as it begins `by` bytes earlier.
    pub fn begin_earlier(&mut self, by: TextSize) {
        self.len += by;
        for site in &mut self.sites {
            site.literal += by;
            site.content += by;
        }
        for argument in &mut self.arguments {
            argument.map_ranges(|range| range + by);
        }
        if let Some(unread) = &mut self.unread {
            unread.range += by;
        }
        for tool in self.tools.iter_mut().flatten() {
            tool.map_ranges(&|range| range + by);
        }
        for margin in &mut self.margins {
            *margin += by;
        }
        self.program = self.program.moved_by(by);
        self.flow.move_by(by);
    }

    /// The code at `range`, in bytes from the unit's start, where the unit begins at `start` of `text`;
    /// blanks take the place of margins.
    pub fn code<'t>(&self, range: TextRange, text: &'t Text, start: TextSize) -> Cow<'t, str> {
        let mut code = text.slice(range + start);
        let inside = self.margins.iter().filter_map(|it| it.intersect(range));
        for margin in inside.filter(|it| !it.is_empty()) {
            let blanks = " ".repeat(margin.len().into());
            code.to_mut().replace_range(
                std::ops::Range::<usize>::from(margin - range.start()),
                &blanks,
            );
        }
        code
    }
}
