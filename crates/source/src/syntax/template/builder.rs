//! Builds a template's tree bottom up.

use rowan::{GreenNode, GreenNodeData, NodeOrToken};

use crate::{
    syntax::{
        error::ErrorKind,
        kind::FragmentLanguage,
        kind::SyntaxKind,
        reparse::GreenElement,
        runs::{Elements, Runs},
        shared::Shared,
    },
    text::{TextRange, TextSize},
};

/// The number of tokens in each run of a node that has only tokens.
const FLAT_RUN: usize = 32;

/// A summary of a part of a template, worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Clean,
    /// It contains an error or an interpolation.
    Marked,
    /// It contains an unclosed section, or a closing tag without a section.
    Open,
}

impl Mark {
    /// The summary of a node of `kind` whose children have the summary `self`.
    fn within(self, kind: SyntaxKind) -> Self {
        match kind {
            SyntaxKind::Error(kind) if is_unpaired(kind) => Self::Open,
            SyntaxKind::Error(_) | SyntaxKind::Hole => self.max(Self::Marked),
            _ => self,
        }
    }

    fn run(self) -> SyntaxKind {
        match self {
            Self::Clean => SyntaxKind::Run,
            Self::Marked => SyntaxKind::MarkedRun,
            Self::Open => SyntaxKind::OpenRun,
        }
    }
}

/// Whether an error is about the pairing of tags.
pub(super) fn is_unpaired(kind: ErrorKind) -> bool {
    use ErrorKind::*;
    matches!(
        kind,
        UnclosedSection | StraySectionClose | MismatchedSectionClose | TooDeep
    )
}

/// The finished nodes and tokens of an unfinished tree.
#[derive(Debug, Default)]
pub(super) struct Builder {
    elements: Vec<GreenElement>,
    shared: Shared,
    /// One per element.
    marks: Vec<Mark>,
}

impl Builder {
    pub(super) fn token(&mut self, kind: SyntaxKind, text: &str) {
        self.elements
            .push(self.shared.token(kind.into(), text).into());
        self.marks.push(Mark::Clean.within(kind));
    }

    /// Wraps all elements from `start` on in a node.
    pub(super) fn wrap(&mut self, start: usize, kind: SyntaxKind) {
        let mark = self.mark_from(start).within(kind);
        let node = self.shared.node(kind.into(), &mut self.elements, start);
        self.marks.truncate(start);
        self.elements.push(node.into());
        self.marks.push(mark);
    }

    /// Adds a node of `tokens` in runs: there may be as many as the template has, mostly the same few.
    pub(super) fn flat_node<'t>(
        &mut self,
        kind: SyntaxKind,
        tokens: impl Iterator<Item = (SyntaxKind, &'t str)>,
    ) {
        let start = self.checkpoint();
        let mut runs = Runs::new(self);
        for (kind, text) in tokens {
            if self.checkpoint() - runs.since() == FLAT_RUN {
                runs.end_runs(self);
            }
            self.token(kind, text);
        }
        runs.finish(self);
        self.wrap(start, kind);
    }

    fn mark_from(&self, start: usize) -> Mark {
        let marks = self.marks[start..].iter().copied();
        marks.max().unwrap_or(Mark::Clean)
    }

    /// Whether there are no runs yet.
    pub(super) fn is_flat(&self) -> bool {
        let first = self.elements.first();
        first.is_none_or(|first| !kind_of(first.kind()).is_run())
    }

    /// The node, if it is the only element.
    pub(super) fn finish(mut self) -> GreenNode {
        match self.elements.pop() {
            Some(NodeOrToken::Node(node)) if self.elements.is_empty() => node,
            last => {
                self.elements.extend(last);
                GreenNode::new(SyntaxKind::Template.into(), self.elements)
            }
        }
    }
}

impl Elements for Builder {
    fn elements(&self) -> &[GreenElement] {
        &self.elements
    }

    fn wrap_run(&mut self, start: usize) {
        let kind = self.mark_from(start).run();
        self.wrap(start, kind);
    }
}

/// `node` with its runs in `range`, relative to its start, changed to the kind that fits their content now.
pub(super) fn remark(node: &GreenNodeData, range: TextRange) -> GreenNode {
    let mut offset = TextSize::default();
    let children = node.children().map(|child| {
        let own = TextRange::at(offset, child.text_len());
        offset = own.end();
        match child {
            NodeOrToken::Node(child) if own.intersect(range).is_some() => {
                let start = range.start().checked_sub(own.start()).unwrap_or_default();
                let inside = TextRange::new(start, range.end() - own.start());
                NodeOrToken::Node(remark(child, inside))
            }
            child => child.to_owned(),
        }
    });
    let children: Vec<_> = children.collect();
    let is_same = |(old, new): (GreenRef<'_>, &GreenElement)| match (old, new) {
        (NodeOrToken::Node(old), NodeOrToken::Node(new)) => std::ptr::eq(old, &**new),
        (NodeOrToken::Token(_), NodeOrToken::Token(_)) => true,
        _ => false,
    };
    let kind = match kind_of(node.kind()) {
        kind if kind.is_run() => children
            .iter()
            .map(|child| mark_of(borrowed(child)))
            .max()
            .unwrap_or(Mark::Clean)
            .run(),
        kind => kind,
    };
    let is_unchanged = kind == kind_of(node.kind()) && node.children().zip(&children).all(is_same);
    match is_unchanged {
        true => node.to_owned(),
        false => GreenNode::new(kind.into(), children),
    }
}

type GreenRef<'a> = NodeOrToken<&'a GreenNodeData, &'a rowan::GreenTokenData>;

fn borrowed(element: &GreenElement) -> GreenRef<'_> {
    match element {
        NodeOrToken::Node(node) => NodeOrToken::Node(node),
        NodeOrToken::Token(token) => NodeOrToken::Token(token),
    }
}

/// The summary of an element, without reading its runs.
fn mark_of(element: GreenRef<'_>) -> Mark {
    let kind = kind_of(element.kind());
    match (kind, element) {
        (SyntaxKind::Run, _) => Mark::Clean,
        (SyntaxKind::MarkedRun, _) => Mark::Marked,
        (SyntaxKind::OpenRun, _) => Mark::Open,
        (_, NodeOrToken::Token(_)) => Mark::Clean.within(kind),
        (_, NodeOrToken::Node(node)) => {
            let inside = node.children().map(mark_of).max();
            inside.unwrap_or(Mark::Clean).within(kind)
        }
    }
}

/// Whether `node` contains a matching error, or is one.
pub(super) fn has_error(node: &GreenNodeData, is_meant: &impl Fn(ErrorKind) -> bool) -> bool {
    match kind_of(node.kind()) {
        SyntaxKind::Run => return false,
        SyntaxKind::Error(kind) if is_meant(kind) => return true,
        _ => {}
    }
    let mut inside = node.children().filter_map(|child| child.into_node());
    inside.any(|child| has_error(child, is_meant))
}

/// Whether everything in `element` outside of `range`, which is relative to its start, is paired.
pub(super) fn is_paired_outside(element: &GreenNodeData, range: TextRange) -> bool {
    let kind = kind_of(element.kind());
    if matches!(kind, SyntaxKind::Run | SyntaxKind::MarkedRun) {
        return true;
    }
    if let SyntaxKind::Error(kind) = kind
        && is_unpaired(kind)
    {
        return false;
    }
    let mut offset = TextSize::default();
    element.children().all(|child| {
        let own = TextRange::at(offset, child.text_len());
        offset = own.end();
        let NodeOrToken::Node(child) = child else {
            return true;
        };
        if range.contains_range(own) {
            return true;
        }
        let inside = own
            .intersect(range)
            .unwrap_or(TextRange::empty(own.start()));
        is_paired_outside(child, inside - own.start())
    })
}

fn kind_of(raw: rowan::SyntaxKind) -> SyntaxKind {
    <FragmentLanguage as rowan::Language>::kind_from_raw(raw)
}
