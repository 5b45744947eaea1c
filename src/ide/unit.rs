//! What is known of one unit: the trees of its literals, what they mean, and what was found.

use std::{borrow::Cow, cell::OnceCell};

use rowan::GreenNode;

use crate::{
    contract::{Value, notation},
    host::{
        Argument, Notation, Role, Site, Unit,
        elixir::tools::{self, Tool},
        lisp::Program,
    },
    ide::{Diagnostic, Fix, functions::Scope, rules, tools::Tools},
    model::{
        Edition, Field, Lowered, Signature, Type, TypeKind, lower,
        placeholders::{self, Use},
    },
    syntax::{
        catalog::ast::Entry,
        kind::{SyntaxKind, SyntaxNode},
        signature, template,
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The result of looking at a unit. All ranges count from the unit's start, so that it stays as it is
/// when the text before the unit changes.
#[derive(Debug, Clone)]
pub(crate) struct UnitAnalysis {
    /// One for each site of the unit, in the same order.
    pub(crate) fragments: Vec<Fragment>,
    /// In the order of the text.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether it names tools, which programs elsewhere in the document may call.
    pub(crate) has_tools: bool,
    /// Whether it is a program, which may call tools.
    pub(crate) is_program: bool,
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
        lowered: Lowered,
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
        let entry = unit.catalog_entry();
        let fragments = unit.sites.iter().enumerate().map(|(index, site)| {
            let content = text.slice(site.content + start);
            let old = before
                .as_ref()
                .and_then(|before| before.tree_at(index, unit.sites.len(), site));
            match entry.as_ref().and_then(Entry::signature) {
                Some(tree) if site.role == Role::Tool => {
                    let green = tree.green().to_owned();
                    Fragment::of_tree(site, Tree::signature(green, known.edition))
                }
                _ => Fragment::new(site, &content, known.edition, old),
            }
        });
        let mut analysis = Self {
            fragments: fragments.collect(),
            diagnostics: Vec::new(),
            has_tools: has_tools(unit),
            is_program: !unit.program.is_empty(),
        };
        let view = UnitView {
            edition: known.edition,
            scope: known.scope,
            tools: known.tools,
            unit,
            fragments: &analysis.fragments,
            text,
            start,
            placeholders: OnceCell::new(),
        };
        analysis.diagnostics = rules::check(&view);
        analysis
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
    fn signature(green: GreenNode, edition: Edition) -> Self {
        let lowered = lower(&SyntaxNode::new_root(green.clone()), edition);
        Self::Signature { green, lowered }
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

    fn new(site: &Site, content: &str, edition: Edition, old: Option<(&Tree, TextEdit)>) -> Self {
        let fragment = site.fragment(content);
        let tree = match site.role {
            Role::Signature | Role::Tool => {
                let green = match old {
                    Some((Tree::Signature { green, .. }, edit)) => {
                        signature::edit(green, &edit, fragment)
                    }
                    _ => signature::parse(fragment),
                };
                Tree::signature(green, edition)
            }
            Role::Prompt => {
                let green = match old {
                    Some((Tree::Template { green, .. }, edit)) => {
                        template::edit(green, &edit, fragment)
                    }
                    _ => template::parse(fragment),
                };
                Tree::Template {
                    green,
                    has_holes: fragment.has_holes(),
                }
            }
            Role::Description => Tree::Text,
        };
        Self::of_tree(site, tree)
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

/// What a rule sees of a unit.
pub(crate) struct UnitView<'a> {
    pub(crate) edition: Edition,
    pub(crate) scope: &'a Scope,
    pub(crate) tools: &'a Tools,
    unit: &'a Unit,
    fragments: &'a [Fragment],
    text: &'a Text,
    start: TextSize,
    /// Filled by the first rule that asks.
    placeholders: OnceCell<Vec<(TextSize, Use)>>,
}

/// A parsed literal of a unit.
pub(crate) struct FragmentView<'a> {
    /// Where its content begins, in bytes from the unit's start.
    pub(crate) start: TextSize,
    green: &'a GreenNode,
}

/// A signature of a unit.
pub(crate) struct SignatureView<'a> {
    /// Where its text begins, in bytes from the unit's start.
    pub(crate) start: TextSize,
    pub(crate) lowered: &'a Lowered,
}

/// A prompt of a unit.
pub(crate) struct PromptView {
    /// Where its text begins, in bytes from the unit's start.
    pub(crate) start: TextSize,
    pub(crate) root: SyntaxNode,
    /// Whether parts of it are only known when the program runs.
    pub(crate) has_holes: bool,
}

impl FragmentView<'_> {
    pub(crate) fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }
}

impl<'a> UnitView<'a> {
    /// The signatures and prompts with a tree, in the order of the text.
    pub(crate) fn fragments(&self) -> impl Iterator<Item = FragmentView<'a>> + use<'a> {
        self.fragments
            .iter()
            .filter_map(|fragment| match &fragment.tree {
                Tree::Signature { green, .. } | Tree::Template { green, .. } => {
                    Some(FragmentView {
                        start: fragment.start,
                        green,
                    })
                }
                Tree::Text => None,
            })
    }

    /// The signatures, in the order of the text.
    pub(crate) fn signatures(&self) -> impl Iterator<Item = SignatureView<'a>> + use<'a> {
        self.fragments
            .iter()
            .filter_map(|fragment| match &fragment.tree {
                Tree::Signature { lowered, .. } => Some(SignatureView {
                    start: fragment.start,
                    lowered,
                }),
                Tree::Template { .. } | Tree::Text => None,
            })
    }

    /// The signature that the unit's prompts are under.
    pub(crate) fn signature(&self) -> Option<&'a Signature> {
        prompts_signature(self.fragments)
    }

    /// The prompts, in the order of the text.
    pub(crate) fn prompts(&self) -> impl Iterator<Item = PromptView> + use<'a> {
        self.fragments
            .iter()
            .filter_map(|fragment| match &fragment.tree {
                Tree::Template { green, has_holes } => {
                    let root = SyntaxNode::new_root(green.clone());
                    Some(PromptView {
                        start: fragment.start,
                        root,
                        has_holes: *has_holes,
                    })
                }
                Tree::Signature { .. } | Tree::Text => None,
            })
    }

    /// What every name in the prompts means under the signature, with the start of its prompt; nothing
    /// without a signature.
    pub(crate) fn placeholders(&self) -> &[(TextSize, Use)] {
        self.placeholders.get_or_init(|| {
            let Some(signature) = self.signature() else {
                return Vec::new();
            };
            let signature = self.with_arguments(signature);
            let uses = self.prompts().flat_map(|prompt| {
                let uses = placeholders::resolve(&prompt.root, &signature, self.edition);
                uses.into_iter().map(move |it| (prompt.start, it))
            });
            uses.collect()
        })
    }

    /// The signature with what else a prompt may ask for: in PTC-Lisp a query gives values to its prompt in
    /// the keys beside it.
    fn with_arguments(&self, signature: &'a Signature) -> Cow<'a, Signature> {
        let mut signature = Cow::Borrowed(signature);
        if self.unit.notation != Notation::Lisp {
            return signature;
        }
        for argument in &self.unit.arguments {
            let name = self.edition.normal_name(&argument.key);
            let is_same = |it: &Field| self.edition.normal_name(&it.name) == name;
            if !signature.params.iter().any(is_same) {
                signature.to_mut().params.push(Field {
                    name,
                    name_range: TextRange::default(),
                    ty: Type::new(TypeKind::Unknown),
                });
            }
        }
        signature
    }

    /// The fix that gives the signature one more parameter.
    pub(crate) fn add_parameter(&self, name: &str) -> Option<Fix> {
        let signature = self.signatures().next()?;
        let params = &signature.lowered.signature.params;
        let output = signature.lowered.signature.output.range;
        let edit = match params.last() {
            Some(last) => TextEdit::insert(last.ty.range.end(), format!(", {name} :any")),
            None => TextEdit::insert(self.empty_parens(signature.start)?, format!("{name} :any")),
        };
        let is_safe_place = edit.range.end() <= output.start();
        let edits = vec![TextEdit::replace(edit.range + signature.start, edit.insert)];
        is_safe_place.then(|| Fix::offered(format!("Add `{name} :any` to the signature"), edits))
    }

    /// The place between the parentheses of a signature without parameters.
    fn empty_parens(&self, start: TextSize) -> Option<TextSize> {
        let root = self.fragments().find(|it| it.start == start)?.root();
        let list = root
            .children()
            .find(|it| it.kind() == SyntaxKind::ParamList)?;
        list.first_token().map(|paren| paren.text_range().end())
    }

    /// The text of the keyed argument `key`, as it stands in the document.
    pub(crate) fn argument(&self, key: &str) -> Option<String> {
        let argument = self.unit.arguments.iter().find(|it| it.key == key)?;
        Some(
            self.text
                .slice(argument.value + self.start)
                .trim()
                .to_owned(),
        )
    }

    /// The value of the keyed argument `key`, with ranges in bytes from the unit's start.
    pub(crate) fn argument_value(&self, key: &str) -> Option<Value> {
        let argument = self.unit.arguments.iter().find(|it| it.key == key)?;
        let range = argument.value + self.start;
        let column = range.start() - self.text.line_range(range.start()).start();
        let value = notation::read(self.unit.notation, &self.text.slice(range), column.into())?;
        Some(value.moved_by(argument.value.start()))
    }

    /// The tools of a call in Elixir, and what their ranges count from, in bytes from the unit's start.
    pub(crate) fn elixir_tools(&self) -> Option<(TextSize, Vec<Tool>)> {
        elixir_tools(self.unit, self.text, self.start)
    }

    /// The function whose head it is, and the text of its parameters.
    pub(crate) fn head(&self) -> Option<(&'a str, String)> {
        let name = self.unit.function.as_deref()?;
        let range = TextRange::at(self.start, self.unit.len);
        Some((name, self.text.slice(range).into_owned()))
    }

    /// Whether more than the keys of its literals says that they are meant for us.
    pub(crate) fn is_ours(&self) -> bool {
        self.unit.is_ours
    }

    /// Whether the literal whose content begins at `start` is quoted and the only one of the unit.
    pub(crate) fn holds_only(&self, start: TextSize) -> bool {
        match self.unit.sites.as_slice() {
            [only] => only.content.start() == start && only.literal != only.content,
            _ => false,
        }
    }

    /// The entry that the unit is in a catalog.
    pub(crate) fn catalog_entry(&self) -> Option<Entry> {
        self.unit.catalog_entry()
    }

    /// What the unit does, where it is a program.
    pub(crate) fn program(&self) -> &'a Program {
        &self.unit.program
    }

    /// The value that stands at `range`, in bytes from the unit's start, in the notation of the unit.
    pub(crate) fn value_at(&self, range: TextRange) -> Option<Value> {
        let text = self.text.slice(range + self.start);
        Some(notation::read(self.unit.notation, &text, 0)?.moved_by(range.start()))
    }

    /// How the arguments are written.
    pub(crate) fn notation(&self) -> Notation {
        self.unit.notation
    }
}

fn has_tools(unit: &Unit) -> bool {
    let names_one = |site: &Site| site.role == Role::Tool && site.name.is_some();
    let registers = |it: &Argument| it.key == "tools";
    unit.sites.iter().any(names_one) || unit.arguments.iter().any(registers)
}

/// The tools in the map of `tools:` of a call in Elixir that begins at `start` of `text`, and what their
/// ranges count from, in bytes from the unit's start.
pub(crate) fn elixir_tools(
    unit: &Unit,
    text: &Text,
    start: TextSize,
) -> Option<(TextSize, Vec<Tool>)> {
    if unit.notation != Notation::Elixir {
        return None;
    }
    let argument = unit.arguments.iter().find(|it| it.key == "tools")?;
    let map = text.slice(argument.value + start);
    Some((argument.value.start(), tools::read(&map)?))
}

/// The signature among `fragments` that the prompts beside it are under.
pub(crate) fn prompts_signature(fragments: &[Fragment]) -> Option<&Signature> {
    fragments.iter().find_map(|fragment| match &fragment.tree {
        Tree::Signature { lowered, .. } => Some(&lowered.signature),
        Tree::Template { .. } | Tree::Text => None,
    })
}
