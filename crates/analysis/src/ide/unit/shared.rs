//! Parses literals with the same text once.

use std::{
    borrow::Cow,
    ptr,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use foldhash::HashMap;
use rowan::GreenNode;

use super::{Alike, Parts, flow};
use crate::{
    ide::fragment::Tree,
    model::{Edition, Gaps, Lowered, Signature, placeholders::Uses},
};
use signature_ls_source::{
    host::{
        Role, Site, Unit,
        flow::{Source, Written},
        object,
    },
    syntax::{
        fragment::{Escapes, Foreign, Fragment as SyntaxFragment},
        signature,
    },
    text::{Text, TextSize},
};

/// Longer literals rarely have the same text, unless several units use them.
const LONGEST: TextSize = TextSize::new(4096);

/// What is this short may be read again for each unit that uses it.
const SHORT: TextSize = TextSize::new(256);

/// The trees of units with more literals are not added: that would take longer than to analyze what a key changes.
const MOST_SITES: usize = 8;

/// The trees of literals by text. They are valid for one edition.
#[derive(Debug, Default)]
pub(crate) struct SharedTrees {
    prompts: Trees,
    others: Trees,
    /// The trees of signatures that their host has parsed, by the address of their green tree.
    parsed: RwLock<HashMap<usize, Tree>>,
    /// The signatures that flow into units from elsewhere.
    sources: RwLock<HashMap<Source, Option<Arc<Lowered>>>>,
    alike_sources: Alike,
    /// The meaning of the names in templates, by [`Uses::addresses`].
    uses: RwLock<HashMap<[usize; 3], Uses>>,
    alike_uses: Alike,
}

/// Trees of literals by text.
#[derive(Debug, Default)]
struct Trees {
    by_text: RwLock<HashMap<Literal, Tree>>,
    alike: Alike,
}

/// Everything that a tree depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Literal {
    role: Role,
    escapes: Escapes,
    foreign: Box<[Foreign]>,
    content: Box<str>,
}

impl Literal {
    fn new(role: Role, fragment: SyntaxFragment<'_>) -> Self {
        Self {
            role,
            escapes: fragment.escapes,
            foreign: fragment.foreign.into(),
            content: fragment.text.into(),
        }
    }

    fn of_site(site: &Site, content: &str) -> Self {
        Self::new(site.role, site.fragment(content))
    }
}

impl SharedTrees {
    /// Adds the trees of a unit that begins at `start` of `text` and what is known of the names in its prompts, for
    /// literals with the same text in other units.
    pub(crate) fn insert(&self, unit: &Unit, parts: Parts<'_>, text: &Text, start: TextSize) {
        if unit.sites.len() > MOST_SITES {
            return;
        }
        for (site, fragment) in unit.sites.iter().zip(parts.fragments) {
            if site.role != Role::Description && site.content.len() <= LONGEST {
                let literal = Literal::of_site(site, &text.slice(site.content + start));
                let mut trees = write(&self.trees(site.role).by_text);
                trees.insert(literal, fragment.tree.clone());
            }
        }
        let addressed = parts.uses.iter().map(|it| (it.addresses(), it.clone()));
        write(&self.uses).extend(addressed);
    }

    /// The tree of `site` with `content`, if an equal literal is known.
    pub(crate) fn known<'t>(
        &self,
        site: &Site,
        content: impl FnOnce() -> Cow<'t, str>,
    ) -> Option<Tree> {
        let trees = read(&self.trees(site.role).by_text);
        if trees.is_empty() || site.content.len() > LONGEST {
            return None;
        }
        trees.get(&Literal::of_site(site, &content())).cloned()
    }

    /// The tree of `site` with `content`. `is_linked` means that other units may use the same literal.
    pub(crate) fn get_or_parse<'t>(
        &self,
        site: &Site,
        is_linked: bool,
        content: impl FnOnce() -> Cow<'t, str>,
        parse: impl FnOnce(Cow<'t, str>) -> Tree,
    ) -> Tree {
        let content = content();
        let is_alone = TextSize::of(&*content) > LONGEST || self.trees(site.role).alike.are_none();
        if is_alone && !is_linked {
            return parse(content);
        }
        let literal = Literal::of_site(site, &content);
        self.tree(literal, is_linked, || parse(content))
    }

    /// The signature of a tool in the literal `written` with `content`.
    pub(crate) fn tool(
        &self,
        written: &object::Literal,
        content: &str,
        edition: Edition,
    ) -> Option<Arc<Lowered>> {
        let fragment = SyntaxFragment {
            text: content,
            escapes: written.escapes,
            foreign: &written.foreign,
        };
        let parse = || Tree::signature(signature::parse(fragment), edition);
        let tree = self.tree(Literal::new(Role::Tool, fragment), true, parse);
        tree.lowered().cloned()
    }

    /// The tree of a signature that its host has parsed.
    pub(crate) fn of_green(&self, green: GreenNode, edition: Edition) -> Tree {
        let address = ptr::from_ref(&*green).addr();
        if let Some(tree) = read(&self.parsed).get(&address) {
            return tree.clone();
        }
        let tree = Tree::signature(green, edition);
        // The map keeps the tree, so that no other one gets its address.
        write(&self.parsed).insert(address, tree.clone());
        tree
    }

    /// Those of literals that may be alike.
    fn trees(&self, role: Role) -> &Trees {
        match role {
            Role::Prompt => &self.prompts,
            _ => &self.others,
        }
    }

    /// The tree of `literal`, else the result of `parse`. `is_linked` means that other units may use the same literal.
    fn tree(&self, literal: Literal, is_linked: bool, parse: impl FnOnce() -> Tree) -> Tree {
        let trees = self.trees(literal.role);
        if let Some(tree) = read(&trees.by_text).get(&literal) {
            trees.alike.count_same();
            return tree.clone();
        }
        let tree = parse();
        if !trees.alike.count_different() && !is_linked {
            return tree;
        }
        write(&trees.by_text).insert(literal, tree.clone());
        tree
    }

    /// The signature of `source`; `None` if it has errors.
    pub(crate) fn source(&self, source: &Source, edition: Edition) -> Option<Arc<Lowered>> {
        if let Some(known) = read(&self.sources).get(source) {
            self.alike_sources.count_same();
            return known.clone();
        }
        let lowered = flow::lowered(source, edition);
        if !self.alike_sources.count_different() && is_short(source) {
            return lowered;
        }
        write(&self.sources).insert(source.clone(), lowered.clone());
        lowered
    }

    /// The meaning of the names in `template` under `signature`, else the result of `resolve`.
    pub(crate) fn uses(
        &self,
        template: &GreenNode,
        signature: &Arc<Signature>,
        gaps: &Arc<Gaps>,
        resolve: impl FnOnce() -> Uses,
    ) -> Uses {
        let addresses = Uses::addresses_of(template, signature, gaps);
        if let Some(known) = read(&self.uses).get(&addresses) {
            self.alike_uses.count_same();
            return known.clone();
        }
        let uses = resolve();
        if !self.alike_uses.count_different() && template.text_len() <= SHORT {
            return uses;
        }
        // The map keeps all three, so that no others get their addresses.
        write(&self.uses).insert(addresses, uses.clone());
        uses
    }
}

/// Whether a signature is read in little time.
fn is_short(source: &Source) -> bool {
    match &source.written {
        Written::Here(text) => TextSize::of(&**text) <= SHORT,
        Written::Prompt(_) | Written::Function(_) => true,
    }
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
