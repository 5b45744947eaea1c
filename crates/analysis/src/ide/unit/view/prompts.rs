//! The prompts of a unit and what their names mean.

use std::sync::Arc;

use super::{PromptView, UnitView};
use crate::{
    ide::fragment::{Fragment, Tree},
    model::{
        Field, Signature, Type, TypeKind,
        placeholders::{Use, Uses},
    },
};
use signature_ls_source::{
    host::UnitKind,
    syntax::kind::SyntaxNode,
    text::{TextRange, TextSize},
};

/// The maximum number of names in a prompt that rules report.
const MOST_USES: usize = 1_000;

impl<'a> UnitView<'a> {
    /// The prompts, in the order of the text.
    pub(crate) fn prompts(&self) -> impl Iterator<Item = PromptView> + use<'a> {
        self.fragments
            .iter()
            .filter_map(|fragment| match &fragment.tree {
                Tree::Template {
                    green,
                    has_holes,
                    has_errors,
                    ..
                } => {
                    let root = SyntaxNode::new_root(green.clone());
                    Some(PromptView {
                        start: fragment.start,
                        root,
                        has_holes: *has_holes,
                        has_errors: *has_errors,
                    })
                }
                Tree::Signature { .. } | Tree::Text => None,
            })
    }

    /// The names in the prompts that a rule may report and their meaning under the signature, with the place from which
    /// their ranges count; empty without a signature.
    pub(crate) fn placeholders(&self) -> &[(TextSize, Arc<Use>)] {
        self.placeholders.get_or_init(|| {
            let uses = self.prompts().zip(self.uses());
            let uses = uses.flat_map(|(prompt, uses)| {
                let notable = uses.notable(MOST_USES).into_iter();
                notable.map(move |(start, it)| (prompt.start + start, it))
            });
            uses.collect()
        })
    }

    /// The parameters that the prompts use, by index.
    pub(crate) fn used_params(&self) -> impl Iterator<Item = usize> {
        self.uses()
            .iter()
            .flat_map(|it| it.params().iter().copied())
    }

    /// The meaning of the names in each prompt; empty without a signature.
    pub(crate) fn uses(&self) -> &[Uses] {
        self.uses.get_or_init(|| {
            let Some(lowered) = self.lowered() else {
                return Vec::new();
            };
            let signature = self.with_arguments(&lowered.signature);
            let before = |index| self.uses_before.get(index);
            // Kept for each of maybe tens of thousands of units.
            let is_prompt = |it: &&Fragment| matches!(it.tree, Tree::Template { .. });
            let count = self.fragments.iter().filter(is_prompt).count();
            let mut uses = Vec::with_capacity(count);
            uses.extend(self.prompts().enumerate().map(|(index, prompt)| {
                let green = prompt.root.green().to_owned();
                let (signature, gaps) = (&signature, &lowered.gaps);
                self.shared.uses(&green, signature, gaps, || {
                    let (signature, gaps) = (Arc::clone(signature), Arc::clone(gaps));
                    Uses::new(&green, signature, gaps, self.edition, before(index))
                })
            }));
            uses
        })
    }

    /// The facts about the prompts, for the next view of the unit.
    pub(crate) fn into_uses(self) -> Vec<Uses> {
        self.uses.into_inner().unwrap_or_default()
    }

    /// The signature with the additional names of a prompt: in PTC-Lisp, a query passes values to its prompt in the
    /// keys beside it.
    fn with_arguments(&self, signature: &Arc<Signature>) -> Arc<Signature> {
        if self.unit.kind != UnitKind::ToolCall {
            return Arc::clone(signature);
        }
        let mut more = Vec::new();
        for argument in &self.unit.arguments {
            let name = self.edition.normal_name(&argument.key);
            let is_same = |it: &Field| self.edition.is_normal_name(&name, &it.name);
            if !signature.params.iter().chain(&more).any(is_same) {
                more.push(Field {
                    name,
                    name_range: TextRange::default(),
                    ty: Type::new(TypeKind::Unknown),
                });
            }
        }
        if more.is_empty() {
            return Arc::clone(signature);
        }
        Arc::new(Signature {
            params: signature.params.iter().cloned().chain(more).collect(),
            output: signature.output.clone(),
        })
    }
}
