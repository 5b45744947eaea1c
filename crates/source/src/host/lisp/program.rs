//! The parts of a Lisp program that signatures constrain: data for checks, no sites.
//!
//! All ranges count from the start of the unit that the program belongs to.

use std::sync::Arc;

use foldhash::HashSet;
use rowan::NodeOrToken;

use super::{
    expr::Exprs,
    function::Function,
    kept::KeptCode,
    linked::{Name, numbers},
    uses::{Arguments, CallStyle, Namespace, Namespaces, Reference, Return, ToolCall},
};
use crate::{
    host::{HAS_SMALL_STEPS, PlacedUnit, token_tree::Kind},
    rare::{Blank, Rare},
    syntax::{
        decode::Decoded,
        fragment::{Escapes, Foreign},
    },
    text::{TextRange, TextSize},
};

/// The parts of a program that can be checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The function that the unit's signature describes.
    pub function: Option<Box<Function>>,
    /// Calls of tools, in the order of the text.
    pub calls: Vec<ToolCall>,
    /// The returned values, in the order of the text.
    pub returns: Rare<Vec<Return>>,
    /// Names of tools and of context data outside of calls, in the order of the text.
    pub references: Rare<Vec<Reference>>,
    /// The namespaces that it mentions.
    pub namespaces: Rare<Namespaces>,
    /// All of its code.
    pub code: Vec<KeptCode>,
    /// The earlier definitions that it refers to, in the order of the text. Their places are not in the unit.
    pub before: Rare<Vec<Arc<KeptCode>>>,
    /// The literal that contains it, unless it is code of the document itself.
    pub literal: Option<Box<ProgramLiteral>>,
}

/// The code of one program among those of a unit.
#[derive(Debug)]
pub struct ProgramPart<'t> {
    code: Vec<&'t KeptCode>,
    before: &'t [Arc<KeptCode>],
}

impl ProgramPart<'_> {
    /// Reads its expressions.
    pub fn exprs(&self) -> Exprs<'_> {
        Exprs::of(self.code.iter().copied(), self.before)
    }
}

/// A literal of another host with a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramLiteral {
    /// Its start, including its delimiters.
    pub start: TextSize,
    /// The content between its delimiters.
    pub content: TextRange,
    /// Its escapes.
    pub escapes: Escapes,
    /// The ranges that are not part of its text, in bytes from the content's start.
    pub foreign: Rare<Vec<Foreign>>,
}

impl Blank for Program {
    const BLANK: &'static Self = &Self {
        function: None,
        calls: Vec::new(),
        returns: Rare::NONE,
        references: Rare::NONE,
        namespaces: Rare::NONE,
        code: Vec::new(),
        before: Rare::NONE,
        literal: None,
    };
}

impl Program {
    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        let has_parts = self.function.is_some() || !self.namespaces.is_empty();
        !has_parts && self.calls.is_empty() && self.returns.is_empty() && self.references.is_empty()
    }

    /// The code of each of its programs. Programs that share names are one, as all are where none is long.
    pub fn parts(&self) -> impl Iterator<Item = ProgramPart<'_>> {
        let are_one = !HAS_SMALL_STEPS || self.code.len() < 2;
        let (linked, alone): (Vec<_>, Vec<_>) = match are_one {
            true => (self.code.iter().collect(), Vec::new()),
            false => {
                let shared = self.shared_names();
                self.code.iter().partition(|it| it.is_linked(&shared))
            }
        };
        let alone = alone.into_iter().map(|it| ProgramPart {
            code: vec![it],
            before: &[],
        });
        let linked = ProgramPart {
            code: linked,
            before: &self.before,
        };
        alone.chain([linked]).filter(|it| !it.code.is_empty())
    }

    /// Reads the expressions of each of its programs.
    pub fn exprs(&self) -> Vec<Exprs<'_>> {
        let parts = self.parts();
        parts.map(|it| Exprs::of(it.code, it.before)).collect()
    }

    /// The names that its code and the definitions before it define, as numbers in ascending order.
    pub fn shared_names(&self) -> Vec<Name> {
        let may_share = !self.before.is_empty() || self.code.iter().any(KeptCode::may_define);
        if !HAS_SMALL_STEPS || !may_share {
            return Vec::new();
        }
        let before = self.before.iter().map(|it| &**it);
        let names = self.code.iter().chain(before).map(KeptCode::names);
        numbers(names.flat_map(|it| it.defined).collect()).into()
    }

    /// Whether some of its code defines names, or refers to earlier definitions or to names that are `shared`.
    pub fn is_linked(&self, shared: &[Name]) -> bool {
        !self.before.is_empty() || self.code.iter().any(|it| it.is_linked(shared))
    }

    /// Makes room for `count` more calls and pieces of code.
    pub fn reserve(&mut self, count: usize) {
        self.calls.reserve(count);
        self.code.reserve(count);
    }

    /// Frees room for more.
    pub fn shrink(&mut self) {
        self.calls.shrink_to_fit();
        self.returns
            .get_mut()
            .into_iter()
            .for_each(Vec::shrink_to_fit);
        { self.references.get_mut() }
            .into_iter()
            .for_each(Vec::shrink_to_fit);
        self.code.shrink_to_fit();
        if let Some(function) = &mut self.function {
            function.locals.shrink_to_fit();
            for arity in &mut function.arities {
                arity.parameters.shrink_to_fit();
            }
            function.arities.shrink_to_fit();
        }
    }

    /// The names with a namespace in the earlier definitions that it refers to, without the namespace: the tools that
    /// they call are among them.
    pub fn tools_before(&self) -> Vec<&str> {
        let mut tools = Vec::new();
        // They are read again for each form that refers to them, so no expressions are made of their words.
        let green = self.before.iter().map(|it| match it.green() {
            NodeOrToken::Node(node) => NodeOrToken::Node(&**node),
            NodeOrToken::Token(token) => NodeOrToken::Token(&**token),
        });
        let mut left: Vec<_> = green.collect();
        while let Some(element) = left.pop() {
            match element {
                NodeOrToken::Node(node) => left.extend(node.children()),
                NodeOrToken::Token(word) if Kind::from_raw(word.kind()) == Kind::Symbol => {
                    tools.extend(word.text().split_once('/').map(|(_, tool)| tool));
                }
                NodeOrToken::Token(_) => {}
            }
        }
        tools
    }

    /// Whether it calls a tool with named arguments, like programs in no other language.
    pub fn calls_by_name(&self) -> bool {
        let is_named = |it: &Arguments| match it {
            Arguments::Pairs(entries) | Arguments::Map { entries, .. } => {
                entries.iter().any(|it| it.value.is_some())
            }
            Arguments::None | Arguments::Dynamic(_) | Arguments::Positional(_) => false,
        };
        let mut tools = self.calls.iter().filter(|it| it.style == CallStyle::Tool);
        !self.namespaces.claims(Namespace::Tool) && tools.any(|it| is_named(&it.arguments))
    }

    /// Whether it only calls functions, in a way in which no tool is called.
    pub fn only_calls_otherwise(&self) -> bool {
        let is_other = |it: &ToolCall| match &it.arguments {
            Arguments::Positional(_) => true,
            Arguments::Pairs(entries) => entries.iter().all(|it| it.value.is_none()),
            Arguments::None | Arguments::Dynamic(_) | Arguments::Map { .. } => false,
        };
        let is_named = |it: &ToolCall| match &it.arguments {
            Arguments::Map { .. } => true,
            Arguments::Pairs(entries) => entries.iter().any(|it| it.value.is_some()),
            _ => false,
        };
        self.returns.is_empty()
            && self.references.is_empty()
            && self.calls.iter().any(is_other)
            && !self.calls.iter().any(is_named)
    }

    /// The same program, relative to a place `by` bytes earlier.
    pub fn moved_by(&self, by: TextSize) -> Self {
        let mut moved = Self::default();
        moved.add(self, by);
        moved.function = self.function.as_ref().map(|it| Box::new(it.moved_by(by)));
        moved.literal = self.literal.clone().map(|mut it| {
            it.start += by;
            it.content += by;
            it
        });
        moved
    }

    /// The programs of `units` together.
    pub fn of_units(units: &[PlacedUnit]) -> Self {
        let mut whole = Self::default();
        // Most have one of each.
        whole.reserve(units.len());
        for placed in units {
            whole.add(&placed.unit.program, placed.start);
        }
        whole.leave_out_own_definitions();
        whole.shrink();
        whole
    }

    /// Removes the earlier definitions that are part of its own code, as where units of one text are one program. Each
    /// of the others stays once.
    pub fn leave_out_own_definitions(&mut self) {
        let Some(before) = self.before.get_mut() else {
            return;
        };
        let code = self.code.iter().map(|it| it.green().clone());
        let mut seen: HashSet<_> = code.collect();
        before.retain(|it| seen.insert(it.green().clone()));
    }

    /// The same program as the text of a literal whose content begins at `start`, in the same room: it may be as long as
    /// the text.
    pub fn in_literal(self, decoded: &Arc<Decoded>, start: TextSize) -> Self {
        let place = |range| decoded.in_fragment(range) + start;
        let calls = self.calls.into_iter().map(|it| it.placed(&place));
        let returns = self.returns.into_inner().into_iter();
        let returns = returns.map(|it| it.placed(&place));
        let references = self.references.into_inner().into_iter();
        let references = references.map(|it| it.placed(&place));
        // Most literals read like their text, which then needs no room.
        let is_plain = decoded.is_plain();
        let code = self.code.into_iter().map(|it| match is_plain {
            true => it.moved_by(start),
            false => it.in_literal(decoded, start),
        });
        Self {
            calls: calls.collect(),
            returns: returns.collect::<Vec<_>>().into(),
            references: references.collect::<Vec<_>>().into(),
            code: code.collect(),
            ..self
        }
    }

    /// Adds the code, calls, returns and references of `other`, which begins at `start`.
    pub fn add(&mut self, other: &Program, start: TextSize) {
        self.add_uses(other, start);
        let code = other.code.iter().map(|it| it.moved_by(start));
        self.code.extend(code);
    }

    /// The same without the code.
    pub fn add_uses(&mut self, other: &Program, start: TextSize) {
        let place = |range| range + start;
        let calls = other.calls.iter().map(|it| it.placed(&place));
        self.calls.extend(calls);
        if !other.returns.is_empty() {
            let returns = other.returns.iter().map(|it| it.placed(&place));
            self.returns.make_mut().extend(returns);
        }
        if !other.references.is_empty() {
            let references = other.references.iter().map(|it| it.placed(&place));
            self.references.make_mut().extend(references);
        }
        if !other.before.is_empty() {
            let before = other.before.iter().cloned();
            self.before.make_mut().extend(before);
        }
        if !other.namespaces.is_empty() {
            self.namespaces.make_mut().add(&other.namespaces);
        }
    }
}
