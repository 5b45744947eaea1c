//! The literals of a unit with their trees.

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use rowan::GreenNode;

use crate::{
    ide::{SemanticToken, Symbol},
    model::{Edition, Lowered, listed, lower},
};
use signature_ls_source::{
    host::{Role, Site},
    syntax::{
        error::Marks,
        kind::{SyntaxKind, SyntaxNode},
        signature, template,
    },
    text::{TextEdit, TextRange, TextSize},
};

/// The list of parameters of the signature below `root`, with its parentheses.
pub(crate) fn parameter_list(root: &SyntaxNode) -> Option<SyntaxNode> {
    let mut children = root.children();
    children.find(|it| it.kind() == SyntaxKind::ParamList)
}

/// What is between the parentheses around the parameters, if they are closed.
pub(crate) fn in_parens(root: &SyntaxNode) -> Option<TextRange> {
    let list = parameter_list(root)?;
    let open = list.first_token()?.text_range().end();
    let close = list.last_token().filter(|it| it.text() == ")")?;
    Some(TextRange::new(open, close.text_range().start().max(open)))
}

/// A literal with its tree.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    /// The start of the literal's content.
    pub(crate) start: TextSize,
    pub(crate) role: Role,
    /// The tool's name, if it has one.
    pub(crate) name: Option<Arc<str>>,
    pub(crate) tree: Tree,
    kept: OnceLock<Box<Kept>>,
}

/// What features about whole documents read of a literal, each computed when it is first needed. Ranges count from the
/// start of the literal's content, so they stay valid until the literal changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// The semantic tokens.
    pub(crate) tokens: OnceLock<Box<[SemanticToken]>>,
    /// The folds.
    pub(crate) folds: OnceLock<Box<[TextRange]>>,
    /// Its part of an outline, without a name and a place.
    pub(crate) symbol: OnceLock<KeptSymbol>,
}

/// A signature in an outline.
#[derive(Debug, Clone)]
pub(crate) struct KeptSymbol {
    pub(crate) detail: String,
    pub(crate) members: Vec<Symbol>,
}

/// The tree of a literal.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    Signature {
        green: GreenNode,
        lowered: Arc<Lowered>,
    },
    Template {
        green: GreenNode,
        has_holes: bool,
        /// Whether it contains an error.
        has_errors: bool,
        /// Whether it may list tools.
        may_list: bool,
    },
    /// Text that is only displayed.
    Text,
}

impl Tree {
    /// Parses a literal. Its `content` is only read if needed.
    pub(crate) fn parse<'t>(
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
                let is_searched = site.content.len() <= listed::LONGEST_TEXT;
                let content = (is_searched || edited.is_none()).then(content);
                let content = content.as_deref().unwrap_or_default();
                let green = edited.unwrap_or_else(|| template::parse(site.fragment(content)));
                Tree::Template {
                    has_holes: site.is_dynamic(),
                    has_errors: Marks::of(&green).has_errors,
                    may_list: is_searched && listed::may_list(content),
                    green,
                }
            }
            (Role::Description, _) => Tree::Text,
        }
    }

    /// The meaning of the signature.
    pub(crate) fn lowered(&self) -> Option<&Arc<Lowered>> {
        match self {
            Self::Signature { lowered, .. } => Some(lowered),
            Self::Template { .. } | Self::Text => None,
        }
    }

    /// The tree of a signature, with its meaning in `edition`.
    pub(crate) fn signature(green: GreenNode, edition: Edition) -> Self {
        let root = SyntaxNode::new_root(green.clone());
        let lowered = lower(&root, edition);
        Self::Signature {
            green,
            lowered: Arc::new(lowered),
        }
    }
}

impl Fragment {
    /// The meaning of the signature.
    pub(crate) fn lowered(&self) -> Option<&Lowered> {
        self.tree.lowered().map(|it| &**it)
    }

    /// Whether `offset`, in bytes from the unit's start, is in its content or at its end.
    pub(crate) fn contains(&self, offset: TextSize) -> bool {
        let len = match &self.tree {
            Tree::Signature { green, .. } | Tree::Template { green, .. } => green.text_len(),
            Tree::Text => return false,
        };
        TextRange::at(self.start, len).contains_inclusive(offset)
    }

    pub(crate) fn of_tree(site: &Site, tree: Tree) -> Self {
        Self {
            start: site.content.start(),
            role: site.role,
            name: site.name.clone(),
            tree,
            kept: OnceLock::new(),
        }
    }

    /// What features have computed for it.
    pub(crate) fn kept(&self) -> &Kept {
        self.kept.get_or_init(Box::default)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index};

    use crate::ide::{Document, Settings, folding, lenses, outline, semantic_tokens, symbols};
    use signature_ls_source::{
        host::HostKind,
        text::{TextEdit, TextRange, size},
    };

    const PIECES: &[&str] = &[
        "a = SubAgent.new(prompt: \"{{q}}\", signature: \"(q :int) -> {n :int}\")\n",
        "@p \"Hi {{q}}\"\nSubAgent.run(@p, signature: \"(q [{\n  a :int\n}]) -> :int\")\n",
        "---\nsignature: '(q :int) -> :int'\n---\n{{#q}}\n{{.}}\n{{/q}}\n",
        "find(q :string) -> :any\n  Finds.\n  All.\n",
        "{\"tools\": {\"find\": \"(q :int) -> :int\"}}\n",
        "\n",
        "x",
        "\"",
        "b :int, ",
        "{{x}}",
    ];

    /// Everything that features compute for a whole document.
    fn read(document: &Document) -> impl PartialEq + std::fmt::Debug + use<> {
        let all = TextRange::up_to(document.text().len());
        (
            symbols(document),
            semantic_tokens(document, all),
            folding(document),
            lenses(document),
            outline(document),
        )
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_a_new_document_has(
            kind in prop::sample::select(HostKind::ALL.to_vec()),
            pieces in prop::collection::vec(prop::sample::select(PIECES), 1..6),
            edits in prop::collection::vec((any::<Index>(), 0..9_usize, prop::sample::select(PIECES)), 1..5),
        ) {
            let mut text = pieces.concat();
            let mut document = Document::new(kind, &text, Settings::default());
            read(&document);
            for (at, len, insert) in edits {
                let start = at.index(text.len() + 1);
                let end = (start + len).min(text.len());
                let edit = TextEdit::replace(TextRange::new(size(start), size(end)), insert);
                edit.apply(&mut text);
                document.edit(&edit);
                let new = Document::new(kind, &text, Settings::default());
                prop_assert_eq!(read(&document), read(&new), "{}", text);
            }
        }
    }
}
