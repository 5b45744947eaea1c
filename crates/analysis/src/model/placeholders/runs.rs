//! The meaning of the names of a long template, kept per run: an edit only reads the runs on the path to it again.

mod found;

use std::{
    ptr,
    sync::{Arc, OnceLock},
};

use foldhash::HashMap;
use found::Found;
use rowan::{GreenNode, Language as _, NodeOrToken};

use super::{
    Use,
    notable::{Compounds, Facts, LoneTag, MOST_UNOPENED},
    resolver::Resolver,
};
use crate::model::{Edition, Gaps, Signature};
use signature_ls_source::{
    order,
    syntax::{
        kind::{FragmentLanguage, SyntaxKind, SyntaxNode},
        template::ast,
    },
    text::TextSize,
};

/// The meaning of the names of a template under a signature.
#[derive(Debug, Clone)]
pub struct Uses {
    signature: Arc<Signature>,
    gaps: Arc<Gaps>,
    edition: Edition,
    root: Arc<Part>,
    /// The same with all notable uses, once more than the first ones were needed. The next edit goes on from it.
    whole: OnceLock<Arc<Part>>,
}

/// The facts about a run, or about a section or template with runs. Ranges count from its start.
#[derive(Debug)]
struct Part {
    green: GreenNode,
    /// The uses that a rule may report, without those in its parts.
    notable: Vec<Arc<Use>>,
    /// Whether there are more of them, which were not kept.
    is_cut: bool,
    unclosed: Vec<LoneTag>,
    unopened: Vec<LoneTag>,
    /// The indexes of the parameters that are used in it, ascending.
    params: Vec<usize>,
    /// The declarations of the parameters and fields that are named in it, ascending.
    declared: Vec<TextSize>,
    inside: Vec<Inside>,
    compounds: Compounds,
    has_sections: bool,
    /// Whether it has anything notable, unclosed or unopened, at any depth.
    is_notable: bool,
}

/// A part of another one.
#[derive(Debug)]
struct Inside {
    start: TextSize,
    /// Where its own names begin: after the opening tag, whose name belongs to the outer part.
    names: TextSize,
    part: Arc<Part>,
}

impl Uses {
    /// Reads a template under `signature`, which may name more than was read; what `before` knows of the runs that are
    /// still the same is taken over.
    pub fn new(
        template: &GreenNode,
        signature: Arc<Signature>,
        gaps: Arc<Gaps>,
        edition: Edition,
        before: Option<&Self>,
    ) -> Self {
        let is_same_signature = |it: &Arc<Signature>| {
            Arc::ptr_eq(it, &signature) || **it == *signature && it.has_places_of(&signature)
        };
        let is_same = |it: &&Self| {
            it.edition == edition && is_same_signature(&it.signature) && it.gaps == gaps
        };
        let before = before.filter(is_same);
        let mut resolver = Resolver::new(&signature, &gaps, edition);
        let root = resolver.part(template, before.map(Self::known));
        Self {
            signature,
            gaps,
            edition,
            root,
            whole: OnceLock::new(),
        }
    }

    /// The addresses of what it was read from. It keeps all three, so that nothing else gets their addresses.
    pub(crate) fn addresses(&self) -> [usize; 3] {
        Self::addresses_of(&self.root.green, &self.signature, &self.gaps)
    }

    /// The addresses of a template, a signature and its gaps.
    pub(crate) fn addresses_of(
        template: &GreenNode,
        signature: &Arc<Signature>,
        gaps: &Arc<Gaps>,
    ) -> [usize; 3] {
        [
            ptr::from_ref(&**template).addr(),
            Arc::as_ptr(signature).addr(),
            Arc::as_ptr(gaps).addr(),
        ]
    }

    /// The root with the most notable uses.
    fn known(&self) -> &Arc<Part> {
        self.whole.get().unwrap_or(&self.root)
    }

    /// The uses that a rule may report, in the order of the text, at most `limit`, each with the place from which its
    /// ranges count.
    pub fn notable(&self, limit: usize) -> Vec<(TextSize, Arc<Use>)> {
        self.kept(self.known(), limit).unwrap_or_else(|| {
            let whole = self.whole.get_or_init(|| {
                let mut resolver = Resolver::new(&self.signature, &self.gaps, self.edition);
                resolver.room = usize::MAX;
                resolver.part(&self.root.green, None)
            });
            self.kept(whole, limit).unwrap_or_default()
        })
    }

    /// The same below `root`; `None` if it does not keep enough of them.
    fn kept(&self, root: &Part, limit: usize) -> Option<Vec<(TextSize, Arc<Use>)>> {
        let mut found = Found {
            edition: self.edition,
            limit,
            uses: Vec::new(),
            unclosed: Vec::new(),
            unopened: Vec::new(),
        };
        root.add_unopened(TextSize::default(), &mut found.unopened);
        found.add(root, TextSize::default())?;
        Some(found.uses)
    }

    /// Whether all names certainly have a meaning, under a complete signature.
    pub fn are_all_known(&self) -> bool {
        !self.root.is_notable && *self.gaps == Gaps::default()
    }

    /// The uses of the parameters and fields declared at `declared`, which ascend, in the order of the text. Only runs
    /// with such a use are read.
    pub fn naming(&self, declared: &[TextSize]) -> Vec<Use> {
        let is_declared = |it: &TextSize| declared.binary_search(it).is_ok();
        self.uses_where(&Wanted {
            parts: &|part| part.declared.iter().any(is_declared),
            uses: &|it| it.declared.iter().any(|it| is_declared(&it.start())),
        })
    }

    /// The uses that start with a parameter at one of the `indices`, in the order of the text. Only runs with such a
    /// use are read.
    pub fn of_params(&self, indices: &dyn Fn(usize) -> bool) -> Vec<Use> {
        self.uses_where(&Wanted {
            parts: &|part| part.params.iter().any(|it| indices(*it)),
            uses: &|it| it.param.is_some_and(indices),
        })
    }

    fn uses_where(&self, wanted: &Wanted<'_>) -> Vec<Use> {
        let mut resolver = Resolver::new(&self.signature, &self.gaps, self.edition);
        let mut found = Vec::new();
        resolver.add_uses(&self.root, TextSize::default(), wanted, &mut found);
        order::by_start(&mut found, |it| it.range.start());
        found
    }

    /// The use whose name or closing tag is at `offset`. Only the text around it is read.
    pub fn at(&self, offset: TextSize) -> Option<Use> {
        let template = SyntaxNode::new_root(self.root.green.clone());
        let resolver = Resolver::new(&self.signature, &self.gaps, self.edition);
        resolver.use_at(template, offset)
    }

    /// The first placeholders that show a list, a record or a map.
    pub fn compounds(&self) -> &Compounds {
        &self.root.compounds
    }

    /// Whether a closing tag has no section, so that a placeholder before it may be meant to open one.
    pub fn has_unopened(&self) -> bool {
        let mut unopened = Vec::new();
        self.root.add_unopened(TextSize::default(), &mut unopened);
        !unopened.is_empty()
    }

    /// Whether it has sections over names.
    pub fn has_sections(&self) -> bool {
        self.root.has_sections
    }

    /// The signature.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The indexes of the parameters that are used, ascending.
    pub fn params(&self) -> &[usize] {
        &self.root.params
    }
}

impl Resolver<'_> {
    /// The facts about the children of `green`, at the position of the resolver.
    fn part(&mut self, green: &GreenNode, before: Option<&Arc<Part>>) -> Arc<Part> {
        if let Some(before) = before.filter(|it| is_same(&it.green, green)) {
            return Arc::clone(before);
        }
        let node = SyntaxNode::new_root(green.clone());
        let old = Old::new(before, &node);
        let outer = (
            self.facts.replace(Facts::up_to(self.room)),
            std::mem::take(&mut self.unclosed),
            std::mem::take(&mut self.unopened),
        );
        let mut inside = Vec::new();
        let mut old_changed = old.changed.into_iter();
        for child in node.children().filter(is_part) {
            let green = child.green().to_owned();
            let same = old.known.get(&ptr::from_ref(child.green()));
            let before = match same {
                Some(same) => Some(*same),
                None => old_changed.next(),
            };
            let mut names = child.text_range().start();
            let part = match ast::Section::cast(child.clone()) {
                Some(section) => {
                    let tag = child.first_child();
                    names = tag.map_or(names, |it| it.text_range().end());
                    let before = before.filter(|it| opening(&it.green) == opening(&green));
                    let entered = self.enter(&section);
                    let part = self.part(&green, before);
                    self.leave(&entered);
                    part
                }
                None => {
                    // The kind of a run changes with its errors.
                    let before = before.filter(|it| is_run(&it.green));
                    self.part(&green, before)
                }
            };
            inside.push(Inside {
                start: child.text_range().start(),
                names,
                part,
            });
        }
        let small = node.children().filter(|child| !is_part(child));
        self.tags(small.flat_map(ast::tag_of));
        let facts = std::mem::replace(&mut self.facts, outer.0);
        let unclosed = std::mem::replace(&mut self.unclosed, outer.1);
        let unopened = std::mem::replace(&mut self.unopened, outer.2);
        let broken = (unclosed, unopened);
        let part = Part::new(green, facts.unwrap_or_default(), broken, inside);
        self.room = self.room.saturating_sub(part.notable.len());
        Arc::new(part)
    }
}

/// Which uses are wanted, and which parts may have them.
struct Wanted<'a> {
    parts: &'a dyn Fn(&Part) -> bool,
    uses: &'a dyn Fn(&Use) -> bool,
}

impl Resolver<'_> {
    /// Adds the `wanted` uses of `part`, which begins at `start` of the template, at the position of the resolver.
    fn add_uses(
        &mut self,
        part: &Part,
        start: TextSize,
        wanted: &Wanted<'_>,
        found: &mut Vec<Use>,
    ) {
        if !(wanted.parts)(part) {
            return;
        }
        let outer = std::mem::take(&mut self.uses);
        let node = SyntaxNode::new_root(part.green.clone());
        let parts = node.children().filter(is_part);
        for (child, inside) in parts.zip(&part.inside) {
            let entered = ast::Section::cast(child).map(|it| self.enter(&it));
            self.add_uses(&inside.part, start + inside.start, wanted, found);
            if let Some(entered) = entered {
                self.leave(&entered);
            }
        }
        let small = node.children().filter(|child| !is_part(child));
        self.tags(small.flat_map(ast::tag_of));
        let own = std::mem::replace(&mut self.uses, outer).into_iter();
        let own = own.filter(wanted.uses);
        found.extend(own.map(|it| it.moved_by(start)));
    }
}

impl Part {
    fn new(
        green: &GreenNode,
        mut facts: Facts,
        (mut unclosed, unopened): (Vec<LoneTag>, Vec<LoneTag>),
        inside: Vec<Inside>,
    ) -> Self {
        facts.keep_first();
        let mut notable = facts.notable;
        notable.shrink_to_fit();
        let of_parts = inside.iter().flat_map(|it| it.part.params.iter().copied());
        let params = ascending(facts.params.into_iter().chain(of_parts));
        let of_parts = inside
            .iter()
            .flat_map(|it| it.part.declared.iter().copied());
        let declared = ascending(facts.declared.into_iter().chain(of_parts));
        order::by_start(&mut unclosed, |it| it.at);
        let mut compounds = facts.compounds;
        for it in &inside {
            compounds.add_all(&it.part.compounds, it.start);
        }
        let is_notable = !notable.is_empty()
            || facts.is_cut
            || !unclosed.is_empty()
            || !unopened.is_empty()
            || inside.iter().any(|it| it.part.is_notable);
        Self {
            green: green.clone(),
            notable,
            is_cut: facts.is_cut,
            unclosed,
            unopened,
            params,
            declared,
            compounds,
            has_sections: facts.has_sections || inside.iter().any(|it| it.part.has_sections),
            inside,
            is_notable,
        }
    }

    /// Adds the first closing tags without a section in it, which begins at `start`.
    fn add_unopened(&self, start: TextSize, unopened: &mut Vec<LoneTag>) {
        if !self.is_notable || unopened.len() >= MOST_UNOPENED {
            return;
        }
        let own = self.unopened.iter().cloned();
        unopened.extend(own.map(|it| it.moved_by(start)));
        for inside in &self.inside {
            inside.part.add_unopened(start + inside.start, unopened);
        }
    }
}

/// The facts about the former children of a node.
#[derive(Default)]
struct Old<'a> {
    /// Those that still exist, by the address of their trees.
    known: HashMap<*const rowan::GreenNodeData, &'a Arc<Part>>,
    /// The others, in order.
    changed: Vec<&'a Arc<Part>>,
}

impl<'a> Old<'a> {
    fn new(before: Option<&'a Arc<Part>>, node: &SyntaxNode) -> Self {
        let Some(before) = before else {
            return Self::default();
        };
        let parts = before.inside.iter();
        let known: HashMap<_, _> = parts
            .clone()
            .map(|it| (ptr::from_ref(&*it.part.green), &it.part))
            .collect();
        let still = node.children().map(|it| ptr::from_ref(it.green()));
        let still: foldhash::HashSet<_> = still.collect();
        let changed = parts
            .map(|it| &it.part)
            .filter(|it| !still.contains(&ptr::from_ref(&*it.green)));
        Self {
            changed: changed.collect(),
            known,
        }
    }
}

/// Whether two trees are the same in memory.
fn is_same(one: &GreenNode, other: &GreenNode) -> bool {
    std::ptr::eq(&**one, &**other)
}

/// Whether `node` is a run, or a section whose children are in runs.
fn is_part(node: &SyntaxNode) -> bool {
    let has_runs = || node.children().take(3).any(|it| it.kind().is_run());
    node.kind().is_run() || (node.kind() == SyntaxKind::Section && has_runs())
}

fn is_run(node: &GreenNode) -> bool {
    FragmentLanguage::kind_from_raw(node.kind()).is_run()
}

/// The opening tag of a section.
fn opening(section: &GreenNode) -> Option<GreenNode> {
    let first = section.children().next().map(|it| it.to_owned());
    match first? {
        NodeOrToken::Node(node) => Some(node),
        NodeOrToken::Token(_) => None,
    }
}

/// The different items, in ascending order.
fn ascending<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<_> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}
