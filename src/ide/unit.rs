//! What is known of one unit: the trees of its literals, what they mean, and what was found.

mod flow;
mod names;
mod samples;
mod shared;
#[cfg(test)]
mod value_tests;
mod view;

pub(crate) use names::{Blind, BlindKind, Name, NameKind, Owner, Target, UnitNames, plain_name};
pub(crate) use samples::Sample;
pub(crate) use shared::SharedTrees;
pub(crate) use view::{PromptView, SignatureView, UnitView};

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use rowan::GreenNode;

use crate::{
    host::{
        Notation, Role, Site, Unit,
        elixir::tools::{Capture, Form, Tool},
        evidence::Evidence,
        lisp::Namespaces,
    },
    ide::{
        Diagnostic, fixes,
        functions::Scope,
        rules,
        tools::{NamedTool, Tools},
    },
    model::{Edition, Lowered, Signature, lower, placeholders::Uses},
    syntax::{catalog::ast::Entry, kind::SyntaxNode, signature, template},
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The result of looking at a unit. All ranges count from the unit's start, so that it stays as it is
/// when the text before the unit changes.
#[derive(Debug, Clone)]
pub(crate) struct UnitAnalysis {
    /// One for each site of the unit, in the same order.
    pub(crate) fragments: Vec<Fragment>,
    /// What the names of each prompt mean, where a signature says so.
    uses: Vec<Uses>,
    /// The signatures that flow into the unit, apart from those with faults.
    sources: Vec<Option<Arc<Lowered>>>,
    /// In the order of the text.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The tools that it names, which programs elsewhere in the document may call.
    pub(crate) tools: Vec<NamedTool>,
    /// Whether it is a program, which may call tools.
    pub(crate) is_program: bool,
    /// What it says of namespaces.
    pub(crate) namespaces: Namespaces,
    /// The functions that it names as tools, which may stand in other files.
    pub(crate) captures: Vec<Capture>,
    /// Whether it is a call in Elixir with tools.
    pub(crate) registers_tools: bool,
    /// The function whose head it is, which may be a tool elsewhere.
    pub(crate) function: Option<String>,
    /// Filled when somebody first asks for a name.
    names: OnceLock<UnitNames>,
}

/// A literal with its tree.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    /// Where the literal begins, its delimiters included.
    literal: TextSize,
    /// Where the literal's content begins.
    pub(crate) start: TextSize,
    pub(crate) role: Role,
    /// The tool's name, where it has one.
    pub(crate) name: Option<String>,
    pub(crate) tree: Tree,
}

/// What a literal was parsed into.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    Signature {
        green: GreenNode,
        lowered: Arc<Lowered>,
    },
    Template {
        green: GreenNode,
        has_holes: bool,
    },
    /// Text that is only shown.
    Text,
}

/// What is known around a unit.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) edition: Edition,
    /// The functions of the workspace.
    pub(crate) scope: &'a Scope,
    /// The tools of the document.
    pub(crate) tools: &'a Tools,
    /// Whether something in the document shows that it is ours.
    pub(crate) is_ours: bool,
    /// The trees of literals that belong to several units.
    pub(crate) shared: &'a SharedTrees,
}

/// What was read of a unit.
#[derive(Clone, Copy)]
struct Parts<'a> {
    fragments: &'a [Fragment],
    sources: &'a [Option<Arc<Lowered>>],
    /// What the last view of the unit found that the names of its prompts mean.
    uses: &'a [Uses],
}

/// An edit of the document, and the analysis of the unit before it, from which trees can be taken over.
pub(crate) struct Before<'a> {
    pub(crate) analysis: &'a UnitAnalysis,
    /// Where the unit stood before the edit.
    pub(crate) start: TextSize,
    pub(crate) edit: &'a TextEdit,
}

impl UnitAnalysis {
    /// Looks at the unit that begins at `start` of `text`.
    pub(crate) fn new(
        unit: &Unit,
        text: &Text,
        start: TextSize,
        known: Known<'_>,
        before: Option<Before<'_>>,
    ) -> Self {
        if unit.evidence == Evidence::Possible && !known.is_ours {
            let without = Unit {
                sites: Vec::new(),
                evidence: Evidence::Likely,
                ..unit.clone()
            };
            return Self::new(&without, text, start, known, None);
        }
        let entry = unit.catalog_entry();
        let fragments = unit.sites.iter().enumerate().map(|(index, site)| {
            let content = || text.slice(site.content + start);
            let old = before
                .as_ref()
                .and_then(|before| before.tree_at(index, unit.sites.len(), site));
            match entry.as_ref().and_then(Entry::signature) {
                Some(tree) if site.role == Role::Tool => {
                    let green = tree.green().to_owned();
                    Fragment::of_tree(site, Tree::signature(green, known.edition))
                }
                _ => {
                    let parse = || Tree::parse(site, content, known.edition, old);
                    let tree = match unit.is_linked {
                        true => known.shared.get_or_parse(start, site, parse),
                        false => parse(),
                    };
                    Fragment::of_tree(site, tree)
                }
            }
        });
        let fragments: Vec<_> = fragments.collect();
        let own_tools = Tools::of_call(unit, text, start, known);
        let known = Known {
            tools: own_tools.as_ref().unwrap_or(known.tools),
            ..known
        };
        let sources = unit.flow.sources.iter();
        let sources: Vec<_> = sources
            .map(|it| known.shared.source(it, known.edition))
            .collect();
        let parts = Parts {
            fragments: &fragments,
            sources: &sources,
            uses: before.as_ref().map_or(&[][..], |it| &it.analysis.uses),
        };
        let view = UnitView::new(unit, parts, text, start, known);
        let mut diagnostics = rules::check(&view);
        let uses = view.into_uses();
        fixes::literal::fit(&mut diagnostics, unit, text, start);
        Self {
            diagnostics,
            tools: NamedTool::of_unit(unit, &fragments, text, start, known),
            is_program: !unit.program.is_empty(),
            namespaces: unit.program.namespaces.clone(),
            captures: captures(unit),
            registers_tools: unit.notation == Notation::Elixir && unit.argument("tools").is_some(),
            function: unit.function.clone(),
            fragments,
            uses,
            sources,
            names: OnceLock::new(),
        }
    }

    /// The names of the unit, which is the one that was analysed and begins at `start` of `text` by now.
    pub(crate) fn names(
        &self,
        unit: &Unit,
        text: &Text,
        start: TextSize,
        known: Known<'_>,
    ) -> &UnitNames {
        let read = || UnitNames::new(&self.view(unit, text, start, known));
        self.names.get_or_init(read)
    }

    /// The name at `offset`, in bytes from the unit's start. All names are read only where that is needed.
    pub(crate) fn name_at(
        &self,
        unit: &Unit,
        text: &Text,
        start: TextSize,
        known: Known<'_>,
        offset: TextSize,
    ) -> Option<Name> {
        if self.names.get().is_none() {
            let view = self.view(unit, text, start, known);
            let in_prompt = UnitNames::at_in_prompt(&view, offset);
            if in_prompt.is_some() {
                return in_prompt;
            }
        }
        self.names(unit, text, start, known).at(offset)
    }

    /// The unit as rules see it, which is the one that was analysed and begins at `start` of `text` by now.
    pub(crate) fn view<'a>(
        &'a self,
        unit: &'a Unit,
        text: &'a Text,
        start: TextSize,
        known: Known<'a>,
    ) -> UnitView<'a> {
        let parts = Parts {
            fragments: &self.fragments,
            sources: &self.sources,
            uses: &self.uses,
        };
        UnitView::new(unit, parts, text, start, known)
    }
}

impl UnitAnalysis {
    /// Where the literal begins that `offset` stands in, else `offset`; in bytes from the unit's start.
    pub(crate) fn literal_start(&self, offset: TextSize) -> TextSize {
        let fragment = self.fragments.iter().find(|it| it.contains(offset));
        fragment.map_or(offset, |it| it.literal)
    }
}

impl Before<'_> {
    /// The tree of the site at `index` and the edit in its terms, if the edit lies in the site's content.
    fn tree_at(&self, index: usize, sites: usize, site: &Site) -> Option<(&Tree, TextEdit)> {
        if self.analysis.fragments.len() != sites {
            return None;
        }
        let fragment = &self.analysis.fragments[index];
        let start = self.start + fragment.start;
        let len = match &fragment.tree {
            Tree::Signature { green, .. } | Tree::Template { green, .. } => green.text_len(),
            Tree::Text => return None,
        };
        let inside = TextRange::at(start, len).contains_range(self.edit.range);
        if !inside || fragment.role != site.role {
            return None;
        }
        let edit = TextEdit::replace(self.edit.range - start, self.edit.insert.clone());
        let len_after = len - edit.range.len() + TextSize::of(edit.insert.as_str());
        (len_after == site.content.len()).then_some((&fragment.tree, edit))
    }
}

impl Tree {
    /// Parses a literal. Its `content` is asked for only where it has to be read.
    fn parse<'t>(
        site: &Site,
        content: impl FnOnce() -> Cow<'t, str>,
        edition: Edition,
        old: Option<(&Self, TextEdit)>,
    ) -> Self {
        match (site.role, old) {
            (Role::Signature | Role::Tool, old) => {
                let content = content();
                let fragment = site.fragment(&content);
                let green = match old {
                    Some((Tree::Signature { green, .. }, edit)) => {
                        signature::edit(green, &edit, fragment)
                    }
                    _ => signature::parse(fragment),
                };
                Tree::signature(green, edition)
            }
            (Role::Prompt, old) => {
                let edited = match old {
                    Some((Tree::Template { green, .. }, edit)) => {
                        template::edit(green, &edit, (site.escapes, &site.foreign))
                    }
                    _ => None,
                };
                Tree::Template {
                    green: edited.unwrap_or_else(|| template::parse(site.fragment(&content()))),
                    has_holes: site.is_dynamic(),
                }
            }
            (Role::Description, _) => Tree::Text,
        }
    }

    fn signature(green: GreenNode, edition: Edition) -> Self {
        let root = SyntaxNode::new_root(green.clone());
        let lowered = lower(&root, edition);
        Self::Signature {
            green,
            lowered: Arc::new(lowered),
        }
    }
}

impl Fragment {
    /// Whether `offset`, in bytes from the unit's start, lies in its content or at its end.
    pub(crate) fn contains(&self, offset: TextSize) -> bool {
        let len = match &self.tree {
            Tree::Signature { green, .. } | Tree::Template { green, .. } => green.text_len(),
            Tree::Text => return false,
        };
        TextRange::at(self.start, len).contains_inclusive(offset)
    }

    fn of_tree(site: &Site, tree: Tree) -> Self {
        Self {
            literal: site.literal.start(),
            start: site.content.start(),
            role: site.role,
            name: site.name.clone(),
            tree,
        }
    }
}

/// The functions that are tools of a call.
fn captures(unit: &Unit) -> Vec<Capture> {
    let capture = |tool: &Tool| match &tool.form {
        Form::Function(capture) | Form::Described(capture) => capture.clone(),
        Form::Unknown | Form::Invalid => None,
    };
    unit.tools.iter().flatten().filter_map(capture).collect()
}

/// The signature among `fragments` that the prompts beside it are under.
pub(crate) fn prompts_signature(fragments: &[Fragment]) -> Option<&Signature> {
    prompts_lowered(fragments).map(|it| &it.signature)
}

/// That signature with its names and problems.
pub(crate) fn prompts_lowered(fragments: &[Fragment]) -> Option<&Lowered> {
    fragments.iter().find_map(|fragment| match &fragment.tree {
        Tree::Signature { lowered, .. } => Some(&**lowered),
        Tree::Template { .. } | Tree::Text => None,
    })
}
