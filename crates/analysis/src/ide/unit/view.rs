//! The view of a unit for rules.

mod arguments;
mod program;
mod prompts;

use std::{borrow::Cow, cell::OnceCell, sync::Arc};

use rowan::GreenNode;

use super::{Input, Known, Parts, SharedTrees, samples::Place};
use crate::{
    contract::Value,
    ide::{
        fragment::{Fragment, Tree},
        functions::Scope,
        tools::Tools,
    },
    model::{
        Edition, Lowered, ProblemKind, Signature, Type,
        placeholders::{Use, Uses},
        spelling::is_slip,
    },
};
use signature_ls_source::{
    host::{
        Argument, FunctionHead, Notation, Role, Site, ToolName, Unit, UnitKind,
        elixir::tools::Tool, evidence::Evidence, lisp::Program,
    },
    syntax::{catalog::ast::Entry, decode::unescaped, fragment::Escapes, kind::SyntaxNode},
    text::{Text, TextRange, TextSize},
};

/// The options with which an agent may need several turns, whatever `max_turns:` is.
const LOOPED: [&str; 5] = [
    "completion_mode",
    "ptc_transport",
    "retry_turns",
    "runtime_prelude",
    "tools",
];

/// The view of a unit for rules.
pub(crate) struct UnitView<'a> {
    pub(crate) edition: Edition,
    pub(crate) scope: &'a Scope,
    pub(crate) tools: &'a Tools,
    shared: &'a SharedTrees,
    /// Whether the document shows that it uses the library.
    is_ours: bool,
    pub(super) unit: &'a Unit,
    /// The part of the unit's program that is looked at, if it is not the whole.
    part: Option<&'a Program>,
    pub(super) fragments: &'a [Fragment],
    pub(super) sources: &'a [Option<Arc<Lowered>>],
    text: &'a Text,
    start: TextSize,
    /// The first fragment that is a signature, computed for the first rule that needs it, as the following ones.
    signature: OnceCell<Option<usize>>,
    placeholders: OnceCell<Vec<(TextSize, Arc<Use>)>>,
    /// One per prompt.
    uses: OnceCell<Vec<Uses>>,
    pub(super) samples: OnceCell<Vec<Place>>,
    /// What the prompts ask for beyond the signature.
    pub(super) asked: OnceCell<Vec<(String, Type)>>,
    /// The same from the last view of the unit.
    uses_before: &'a [Uses],
}

impl<'a> UnitView<'a> {
    /// The view of a unit with these `parts`.
    pub(crate) fn new(input: Input<'a>, parts: Parts<'a>) -> Self {
        let Input {
            unit,
            text,
            start,
            known,
        } = input;
        Self {
            edition: known.edition,
            scope: known.scope,
            tools: known.tools,
            shared: known.shared,
            is_ours: known.is_ours,
            unit,
            part: None,
            fragments: parts.fragments,
            sources: parts.sources,
            text,
            start,
            signature: OnceCell::new(),
            placeholders: OnceCell::new(),
            uses: OnceCell::new(),
            samples: OnceCell::new(),
            asked: OnceCell::new(),
            uses_before: parts.uses,
        }
    }

    /// The same view of a part of the unit's program.
    pub(crate) fn of_program(self, program: &'a Program) -> Self {
        Self {
            part: Some(program),
            ..self
        }
    }
}

/// A parsed literal of a unit.
pub(crate) struct FragmentView<'a> {
    /// The start of its content, in bytes from the unit's start.
    pub(crate) start: TextSize,
    pub(crate) role: Role,
    /// Whether it contains a syntax error.
    pub(crate) has_errors: bool,
    green: &'a GreenNode,
}

/// A signature of a unit.
pub(crate) struct SignatureView<'a> {
    /// The start of its text, in bytes from the unit's start.
    pub(crate) start: TextSize,
    pub(crate) lowered: &'a Lowered,
    green: &'a GreenNode,
}

impl SignatureView<'_> {
    pub(crate) fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

/// A prompt of a unit.
pub(crate) struct PromptView {
    /// The start of its text, in bytes from the unit's start.
    pub(crate) start: TextSize,
    pub(crate) root: SyntaxNode,
    /// Whether parts of it are only known at run time.
    pub(crate) has_holes: bool,
    /// Whether it contains a syntax error.
    pub(crate) has_errors: bool,
}

impl FragmentView<'_> {
    pub(crate) fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

impl<'a> UnitView<'a> {
    /// The parsed signatures and prompts, in the order of the text.
    pub(crate) fn fragments(&self) -> impl Iterator<Item = FragmentView<'a>> + use<'a> {
        self.fragments.iter().filter_map(|fragment| {
            let (green, has_errors) = match &fragment.tree {
                Tree::Signature { green, lowered } => (green, lowered.has_syntax_errors()),
                Tree::Template {
                    green, has_errors, ..
                } => (green, *has_errors),
                Tree::Text => return None,
            };
            Some(FragmentView {
                start: fragment.start,
                role: fragment.role,
                has_errors,
                green,
            })
        })
    }

    /// The tree of the fragment that contains `range`, in bytes from the unit's start, and where the fragment begins.
    pub(crate) fn tree_around(&self, range: TextRange) -> Option<(SyntaxNode, TextSize)> {
        self.fragments().find_map(|fragment| {
            let root = fragment.root();
            let within = range.checked_sub(fragment.start)?;
            let is_around = root.text_range().contains_range(within);
            is_around.then_some((root, fragment.start))
        })
    }

    /// The signatures, in the order of the text.
    pub(crate) fn signatures(&self) -> impl Iterator<Item = SignatureView<'a>> + use<'a> {
        self.fragments
            .iter()
            .filter_map(|fragment| match &fragment.tree {
                Tree::Signature { lowered, green } => Some(SignatureView {
                    start: fragment.start,
                    lowered,
                    green,
                }),
                Tree::Template { .. } | Tree::Text => None,
            })
    }

    /// The signature of the unit's agent, if it is unique.
    pub(crate) fn agents_signature(&self) -> Option<&'a Signature> {
        let is_agents = |it: &&Fragment| it.role == Role::Signature;
        let mut fragments = self.fragments.iter().filter(is_agents);
        let (only, None) = (fragments.next()?, fragments.next()) else {
            return None;
        };
        only.lowered().map(|it| &*it.signature)
    }

    /// The errors of one kind in the signatures: their text and their place in the unit.
    pub(crate) fn words_at_fault(
        &self,
        kind: ProblemKind,
    ) -> impl Iterator<Item = (String, TextRange)> {
        self.signatures()
            .flat_map(move |it| self.words_at_fault_in(&it, kind))
    }

    /// The errors in one signature.
    pub(crate) fn words_at_fault_in(
        &self,
        signature: &SignatureView<'a>,
        kind: ProblemKind,
    ) -> impl Iterator<Item = (String, TextRange)> + use<'a, '_> {
        let start = signature.start;
        let problems = signature.lowered.problems.iter();
        let problems = problems.filter(move |it| it.kind == kind);
        problems.map(move |problem| {
            let range = problem.range + start;
            let word = self.text.slice(range + self.start);
            (unescaped(&word).into_owned(), range)
        })
    }

    /// The signature of the unit's prompts.
    pub(crate) fn signature(&self) -> Option<&'a Signature> {
        self.lowered().map(|it| &*it.signature)
    }

    /// That signature with its names and problems: that of the agent that the unit runs, which ignores one beside it, or
    /// the one beside the prompts.
    fn lowered(&self) -> Option<&'a Lowered> {
        if let Some(agent) = self.agent() {
            return Some(agent);
        }
        let is_signature = |it: &Fragment| it.lowered().is_some();
        let find = || self.fragments.iter().position(is_signature);
        let beside = self.signature.get_or_init(find);
        beside.and_then(|it| self.fragments[it].lowered())
    }

    /// Whether the parameters of that signature are complete.
    pub(crate) fn knows_all_params(&self) -> bool {
        self.lowered().is_some_and(|it| it.gaps.params.is_none())
    }

    /// Whether an error may hide a parameter of that signature with the name `normal_name`, in normal form, which is
    /// most similar to the parameter `near`.
    pub(crate) fn may_have_param(&self, normal_name: &str, near: Option<&str>) -> bool {
        let is_slip = || near.is_some_and(|near| is_slip(normal_name, near));
        let lowered = self.lowered();
        lowered.is_none_or(|it| it.gaps.params.may_hold(normal_name, is_slip))
    }

    /// The code at `range`, in bytes from the unit's start.
    pub(crate) fn code(&self, range: TextRange) -> Cow<'a, str> {
        self.unit.code(range, self.text, self.start)
    }

    /// What makes the model answer in text instead of writing programs, as messages name it.
    pub(crate) fn text_mode(&self) -> Option<&'static str> {
        if self.edition < Edition::V0_5 {
            return None;
        }
        match self.argument("output").as_deref() {
            // The name of `:text` until release 0.7. Without the colon, other programs use the word, too.
            Some(":json") if self.edition == Edition::V0_5 => return Some("`output: :json`"),
            Some(it) if it.trim_matches(['"', '\'', ':']) == "text" => {
                return Some("`output: :text`");
            }
            _ => {}
        }
        self.is_llm_tool().then_some("an LLM tool")
    }

    /// Whether it is a tool with a prompt of its own, such as the arguments of `LLMTool.new`.
    pub(crate) fn is_llm_tool(&self) -> bool {
        self.unit.kind == UnitKind::Tool
    }

    /// Whether the prompt is sent with its values even without sections. The only turn of an agent without tools is.
    pub(crate) fn sends_values(&self) -> bool {
        let is_only_turn = || self.argument("max_turns").as_deref() == Some("1");
        let is_looped = || LOOPED.iter().any(|it| self.unit.argument(it).is_some());
        self.text_mode().is_some() || (is_only_turn() && !is_looped())
    }

    /// What the title of a fix adds that writes a section into the prompt at `start`: the first one has the values of all
    /// placeholders filled in, unless they are anyway.
    pub(crate) fn effect_of_section(&self, start: TextSize) -> &'static str {
        let mut prompts = self.prompts().zip(self.uses());
        let has_sections = prompts.any(|(it, uses)| it.start == start && uses.has_sections());
        match has_sections || self.sends_values() {
            true => "",
            false => ", and fill in all values",
        }
    }

    /// The text before `offset` on its line, if the whole line before it is in the unit. A long text is no margin, and
    /// a line with thousands of things would be copied for each: it has none.
    pub(crate) fn line_before(&self, offset: TextSize) -> Option<Cow<'a, str>> {
        const LONGEST: u32 = 1024;
        let line = self.text.line_range(offset + self.start);
        let start = line.start().checked_sub(self.start)?;
        let range = TextRange::new(start, offset);
        (range.len() <= TextSize::from(LONGEST)).then(|| self.text.slice(range + self.start))
    }

    /// The line around `offset`, as far as it is after the unit's start.
    pub(crate) fn line_around(&self, offset: TextSize) -> TextRange {
        let line = self.text.line_range(offset + self.start);
        let start = line.start().max(self.start) - self.start;
        TextRange::new(start, line.end() - self.start)
    }

    /// What it was made of, with other shared trees.
    fn input<'s>(&'s self, shared: &'s SharedTrees) -> Input<'s> {
        Input {
            unit: self.unit,
            text: self.text,
            start: self.start,
            known: Known {
                edition: self.edition,
                scope: self.scope,
                tools: self.tools,
                is_ours: self.is_ours,
                shared,
            },
        }
    }

    /// The tools of the unit's agent, if they are known.
    pub(crate) fn agents_tools(&self) -> Option<Cow<'a, Tools>> {
        if self.notation() == Notation::Elixir {
            return Tools::registered(self.input(&SharedTrees::default())).map(Cow::Owned);
        }
        self.tools
            .is_complete()
            .then_some(Cow::Borrowed(self.tools))
    }

    /// The source texts of the prompts that may list tools with their starts, in bytes from the unit's start.
    pub(crate) fn listings(&self) -> impl Iterator<Item = (TextSize, Cow<'a, str>)> {
        let sites = self.unit.sites.iter().zip(self.fragments);
        let listing =
            sites.filter(|(_, it)| matches!(it.tree, Tree::Template { may_list: true, .. }));
        listing.map(|(it, _)| (it.content.start(), self.code(it.content)))
    }

    /// The name of a tool, if it is the unit.
    pub(crate) fn tool_name(&self) -> Option<&'a ToolName> {
        self.unit.tool_name()
    }

    /// The length of the unit in bytes.
    pub(crate) fn len(&self) -> TextSize {
        self.unit.len
    }

    /// The tools that a call in Elixir registers; `None` if it has none.
    pub(crate) fn tools_registered(&self) -> Option<&'a [Tool]> {
        self.unit.tools.as_deref()
    }

    /// The head of a function, if the unit is one.
    pub(crate) fn function_head(&self) -> Option<&'a FunctionHead> {
        self.unit.function_head()
    }

    /// The contents of the signatures that are plain scalars of YAML, and whether each is in a flow collection.
    pub(crate) fn plain_signatures(&self) -> impl Iterator<Item = (TextRange, bool)> {
        let sites = self.unit.sites.iter();
        let signatures = sites.filter(|it| matches!(it.role, Role::Signature | Role::Tool));
        signatures.filter_map(|it| match it.escapes {
            Escapes::Plain { in_flow } => Some((it.content, in_flow)),
            _ => None,
        })
    }

    /// Whether it is front matter without a closing line.
    pub(crate) fn is_open_front_matter(&self) -> bool {
        self.unit.kind == UnitKind::OpenFrontMatter
    }

    /// Whether there is more evidence than the keys of its literals.
    pub(crate) fn is_certain(&self) -> bool {
        self.unit.evidence == Evidence::Certain
    }

    /// Whether the map of tools in it is certainly one of the library.
    pub(crate) fn takes_tools(&self) -> bool {
        self.is_certain() || self.is_ours && self.unit.kind == UnitKind::AssumedArguments
    }

    /// The catalog entry of the unit.
    pub(crate) fn catalog_entry(&self) -> Option<Entry> {
        self.unit.catalog_entry()
    }

    /// The notation of the arguments.
    pub(crate) fn notation(&self) -> Notation {
        self.unit.notation
    }

    /// Its keyed arguments other than literals, in the order of the text.
    pub(crate) fn arguments(&self) -> &'a [Argument] {
        &self.unit.arguments
    }

    /// Its literals, in the order of the text.
    pub(crate) fn sites(&self) -> &'a [Site] {
        &self.unit.sites
    }
}

/// The maximum number of findings in `value` that are looked at. Few of them are none for the rules. A value of a few
/// characters may lack thousands of fields, and a text may have thousands of such values.
pub(crate) fn most_findings(value: &Value) -> usize {
    const MOST: usize = 10_000;
    const MOST_OF_SHORT: usize = 256;
    let len = usize::from(value.range.len());
    MOST.min(MOST_OF_SHORT + len)
}
