//! Units: the literals that are checked together, and what is beside them.

use std::{borrow::Cow, sync::Arc};

use rowan::GreenNode;

use crate::{
    host::{
        Argument, PlacedUnit, Role, Site, ToolName,
        elixir::tools::Tool,
        evidence::Evidence,
        flow::{Flow, Flowing, Given},
        foreign,
        lisp::{Namespaces, PlacedPrograms, Program, ProgramLiteral},
    },
    rare::{Blank, Rare},
    syntax::{catalog::ast::Entry, kind::SyntaxNode},
    text::{Text, TextRange, TextSize},
    value::Value,
};

/// What is checked together: a call, a map or a front matter with its literals.
///
/// A prompt of a unit is checked against the signature of the same unit. All ranges are relative to the unit's start,
/// so that a unit stays valid when the text before it changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unit {
    /// Its length in bytes.
    pub len: TextSize,
    /// Its kind.
    pub kind: UnitKind,
    /// Its literals in the order of the text.
    pub sites: Vec<Site>,
    /// The other keyed arguments of the same list, in the order of the text.
    pub arguments: Vec<Argument>,
    /// The notation of these arguments.
    pub notation: Notation,
    /// The evidence that its literals count.
    pub evidence: Evidence,
    /// What few units have.
    pub extras: Rare<Extras>,
    /// The tools that a call in Elixir registers, if the code lists them.
    pub tools: Option<Box<[Tool]>>,
    /// The use of tools and context, if it is or contains a Lisp program; not of a prompt that is edited.
    pub(crate) program: Rare<Program>,
    /// Whether the code around it states that it fails, so that its errors are intended.
    pub is_meant_to_fail: bool,
    /// Whether its names may refer to earlier literals, which then belong to it. Not in documentation: there the names
    /// are those of an example.
    pub is_linked: bool,
    /// What flows into it from code elsewhere.
    pub flow: Rare<Flow>,
}

/// The kind of a unit.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum UnitKind {
    /// Literals, and the keyed arguments beside them.
    #[default]
    Arguments,
    /// The same of a call with tools that is one of the library if the document shows that it uses that.
    AssumedArguments,
    /// The literals of a tool with a prompt of its own, such as the arguments of `LLMTool.new`.
    Tool,
    /// A tool call in PTC-Lisp, whose other keys pass values to its prompt.
    ToolCall,
    /// The front matter of a prompt file without a closing line. It has no body.
    OpenFrontMatter,
    /// Only the name of a tool.
    ToolName(Box<ToolName>),
    /// The head of a function, with one map with atom keys.
    FunctionHead(Box<FunctionHead>),
    /// The tree of a catalog entry; it contains the trees of the unit's sites.
    CatalogEntry(GreenNode),
}

/// The parameters of a function that are one map with atom keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionHead {
    /// The name of the function.
    pub name: Box<str>,
    /// The atom keys with their colons, at every depth, in the order of the text; in bytes from the unit's start.
    pub keys: Box<[TextRange]>,
}

impl FunctionHead {
    /// Replaces the range of every key.
    pub fn map_ranges(&mut self, map: impl Fn(TextRange) -> TextRange) {
        self.keys.iter_mut().for_each(|key| *key = map(*key));
    }
}

/// The notation of a unit's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Notation {
    /// YAML, also in front matter.
    #[default]
    Yaml,
    /// JSON, with or without comments.
    Json,
    /// Elixir terms.
    Elixir,
    /// PTC-Lisp or Clojure forms.
    Lisp,
}

/// What few units have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extras {
    /// The margins between its lines, such as the `> ` of a quote in Markdown.
    pub margins: Vec<TextRange>,
    /// The first argument of a call in Elixir, if it is not a literal.
    pub unread: Option<Unread>,
    /// Where its own code begins: literals that its names refer to may precede it.
    pub own: TextSize,
    /// The programs in a prompt that is edited, unless all texts are short.
    #[cfg(feature = "native")]
    pub programs: Option<Box<PlacedPrograms>>,
}

impl Blank for Extras {
    const BLANK: &'static Self = &Self {
        margins: Vec::new(),
        unread: None,
        own: TextSize::new(0),
        #[cfg(feature = "native")]
        programs: None,
    };
}

/// A prompt or a program that may only be known at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// The expression, in bytes from the unit's start.
    pub range: TextRange,
    /// Whether it is a program.
    pub is_program: bool,
}

impl Unit {
    /// Adds margins between its lines. A unit without any takes no room for them.
    pub fn add_margins(&mut self, margins: impl Iterator<Item = TextRange>) {
        let mut margins = margins.peekable();
        if margins.peek().is_some() {
            self.extras.make_mut().margins.extend(margins);
        }
    }

    /// Whether both are equal, which needs no comparison if they are one.
    pub fn is_same(one: &Arc<Self>, other: &Arc<Self>) -> bool {
        Arc::ptr_eq(one, other) || one == other
    }

    /// The catalog entry.
    pub fn catalog_entry(&self) -> Option<Entry> {
        match &self.kind {
            UnitKind::CatalogEntry(tree) => Entry::cast(SyntaxNode::new_root(tree.clone())),
            _ => None,
        }
    }

    /// The name of the tool, if it is only that.
    pub fn tool_name(&self) -> Option<&ToolName> {
        match &self.kind {
            UnitKind::ToolName(name) => Some(name),
            _ => None,
        }
    }

    /// The head of a function, if it is one.
    pub fn function_head(&self) -> Option<&FunctionHead> {
        match &self.kind {
            UnitKind::FunctionHead(head) => Some(head),
            _ => None,
        }
    }

    /// The programs in a prompt that is edited.
    #[cfg(feature = "native")]
    pub fn placed_programs(&self) -> Option<&PlacedPrograms> {
        self.extras.programs.as_deref()
    }

    /// The same where all texts are short: they are not kept apart.
    #[cfg(not(feature = "native"))]
    pub fn placed_programs(&self) -> Option<&PlacedPrograms> {
        None
    }

    /// Shares the programs of a prompt, which are `units` of their own.
    #[cfg(feature = "native")]
    pub fn share_programs(&mut self, units: &[PlacedUnit]) {
        for placed in units {
            self.add_margins_of(placed);
        }
        if !units.is_empty() {
            let programs = PlacedPrograms::new(units.to_vec());
            self.extras.make_mut().programs = Some(programs.into());
        }
    }

    /// Copies the programs of a prompt, which are `units` of their own.
    #[cfg(not(feature = "native"))]
    pub fn share_programs(&mut self, units: &[PlacedUnit]) {
        self.add_programs(&mut units.iter().cloned());
    }

    /// Copies the programs of a text, so that no two copies are kept of those that nothing else needs.
    pub fn add_programs(&mut self, units: &mut dyn Iterator<Item = PlacedUnit>) {
        while let Some(placed) = units.next() {
            let program = self.program.make_mut();
            // Most have one of each.
            program.reserve(1 + units.size_hint().0);
            program.add(&placed.unit.program, placed.start);
            self.add_margins_of(&placed);
        }
        if let Some(program) = self.program.get_mut() {
            program.leave_out_own_definitions();
            program.shrink();
        }
    }

    /// Adds the margins in one of its programs.
    fn add_margins_of(&mut self, placed: &PlacedUnit) {
        let margins = placed.unit.extras.margins.iter();
        self.add_margins(margins.map(|margin| *margin + placed.start));
    }

    /// The use of tools and context, if it is or contains Lisp programs.
    pub fn program(&self) -> &Program {
        self.placed_programs()
            .map_or(&self.program, PlacedPrograms::whole)
    }

    /// The literal with its program, if that is not code of the document itself.
    pub fn program_literal(&self) -> Option<&ProgramLiteral> {
        self.program.literal.as_deref()
    }

    /// Looks at each of its programs, whose places are of no interest.
    pub fn each_program<'u>(&'u self, look: &mut dyn FnMut(&'u Program)) {
        match self.placed_programs() {
            Some(placed) => placed.iter().for_each(look),
            None => look(&self.program),
        }
    }

    /// The namespaces that its programs mention.
    pub fn namespaces(&self) -> &Namespaces {
        self.placed_programs()
            .map_or(&self.program.namespaces, PlacedPrograms::namespaces)
    }

    /// Leaves its programs out.
    pub fn forget_programs(&mut self) {
        self.program = Rare::default();
        #[cfg(feature = "native")]
        if let Some(extras) = self.extras.get_mut() {
            extras.programs = None;
        }
    }

    /// Whether it is a program, which may call tools, or has calls of one.
    pub fn is_program(&self) -> bool {
        let mut is_program = false;
        self.each_program(&mut |it| is_program |= !it.code.is_empty() || !it.is_empty());
        is_program
    }

    /// Whether it shows that its document uses the library, so that possible units count.
    pub fn is_evidence(&self) -> bool {
        let is_signature = |site: &Site| matches!(site.role, Role::Signature | Role::Tool);
        match self.evidence {
            Evidence::Certain => true,
            Evidence::Likely => {
                self.sites.iter().any(is_signature) || self.program().calls_by_name()
            }
            Evidence::Possible => false,
        }
    }

    /// Whether its literals, tools or programs may count where no other unit shows that the document is ours. The heads
    /// of functions, and what reads a result, only matter beside such units.
    pub fn counts_alone(&self) -> bool {
        match self.evidence {
            Evidence::Certain => true,
            Evidence::Likely => !self.sites.is_empty() || self.tools.is_some() || self.is_program(),
            Evidence::Possible => false,
        }
    }

    /// Whether it has a literal with the signature of an agent or of a function.
    pub fn has_signature(&self) -> bool {
        self.sites.iter().any(|it| it.role == Role::Signature)
    }

    /// Whether it only reads agents and steps, or binds names to results: for features, and for no rule.
    pub fn is_silent(&self) -> bool {
        let is_read = |it: &Given| it.what == Flowing::Data && !it.is_binding;
        let Flow {
            agent,
            context,
            values,
            reads,
            ..
        } = &*self.flow;
        let is_only_read = agent.is_none() && context.is_none() && values.is_empty();
        let has_own = !self.sites.is_empty() || !self.arguments.is_empty() || self.tools.is_some();
        is_only_read
            && !reads.is_empty()
            && !reads.iter().any(is_read)
            && !has_own
            && !self.is_program()
            && self.extras.unread.is_none()
            && self.kind == UnitKind::Arguments
    }

    /// Frees room for more. A document may have tens of thousands, with few literals in each.
    pub fn shrink(&mut self) {
        self.sites.shrink_to_fit();
        self.arguments.shrink_to_fit();
        if let Some(program) = self.program.get_mut() {
            program.shrink();
        }
    }

    /// The keyed argument `key`.
    pub fn argument(&self, key: &str) -> Option<&Argument> {
        self.arguments.iter().find(|it| it.key == key)
    }

    /// Puts `value` in the place of that of the keyed argument `key`, if there is one.
    pub fn set_argument(&mut self, key: &str, value: Value) {
        let mut arguments = self.arguments.iter_mut();
        if let Some(argument) = arguments.find(|it| it.key == key) {
            let range = value.range;
            let value = value.relative_to(range.start());
            *argument = Argument::new(key, argument.key_range, range, Some(value));
        }
    }

    /// Moves everything in it, because it begins `by` bytes earlier.
    pub fn begin_earlier(&mut self, by: TextSize) {
        self.len += by;
        for site in &mut self.sites {
            site.literal += by;
            site.content += by;
        }
        for argument in &mut self.arguments {
            argument.map_ranges(|range| range + by);
        }
        if let Some(extras) = self.extras.get_mut() {
            extras.unread.iter_mut().for_each(|it| it.range += by);
            extras.margins.iter_mut().for_each(|it| *it += by);
        }
        for tool in self.tools.iter_mut().flatten() {
            tool.map_ranges(&|range| range + by);
        }
        if let UnitKind::FunctionHead(head) = &mut self.kind {
            head.map_ranges(|key| key + by);
        }
        if let Some(program) = self.program.get_mut() {
            *program = program.moved_by(by);
        }
        if let Some(flow) = self.flow.get_mut() {
            flow.move_by(by);
        }
    }

    /// The value of the literal at `site`, for a unit that begins at `start` of `text`; with interpolations as they are
    /// written.
    pub fn shown(&self, site: &Site, text: &Text, start: TextSize) -> String {
        let closing = TextRange::new(site.content.end(), site.literal.end());
        let content = self.code(site.content, text, start);
        foreign::shown(site.fragment(&content), &self.code(closing, text, start))
    }

    /// The code at `range`, in bytes from the unit's start, for a unit that begins at `start` of `text`; with blanks
    /// in place of margins.
    pub fn code<'t>(&self, range: TextRange, text: &'t Text, start: TextSize) -> Cow<'t, str> {
        let mut code = text.slice(range + start);
        let inside = self
            .extras
            .margins
            .iter()
            .filter_map(|it| it.intersect(range));
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
