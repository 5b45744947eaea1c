//! The names that a faulty signature may have beside those that could be read.
//!
//! An error should hide as little as possible. A list of names has a gap if a bracket is not closed or an
//! interpolation is in it, or if an error leaves words that may be meant as names. All other lists are complete.

use std::collections::BTreeSet;

use crate::model::{Edition, meant, type_words};
use signature_ls_source::{
    order,
    rare::Blank,
    syntax::{
        decode::unescaped,
        error::ErrorKind,
        green::Node,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken},
        signature::{self, ast},
    },
    text::TextSize,
};

/// The gaps in the lists of names of a signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    /// The gap of the parameters.
    pub params: Gap,
    /// The gaps of records with their starts in the signature's text, sorted. Complete records are left out.
    records: Vec<(TextSize, Gap)>,
    /// Whether any record may have any names.
    are_all_open: bool,
}

/// The names that a list may have beside those that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Gap {
    /// Whether any name is possible: the list is not closed, or has an interpolation.
    is_open: bool,
    /// Whether an item has no name.
    has_unnamed: bool,
    /// Whether the list is still being typed, so that more may follow.
    is_unfinished: bool,
    /// The words in errors, each of which may be a name.
    words: BTreeSet<String>,
    /// The name at the end that is still being typed.
    half_written: Option<String>,
}

impl Blank for Gap {
    const BLANK: &'static Self = &NO_GAP;
}

/// No gap.
pub(super) static NO_GAP: Gap = Gap {
    is_open: false,
    has_unnamed: false,
    is_unfinished: false,
    words: BTreeSet::new(),
    half_written: None,
};

/// A gap that may hide any name.
static OPEN: Gap = Gap {
    is_open: true,
    has_unnamed: false,
    is_unfinished: false,
    words: BTreeSet::new(),
    half_written: None,
};

impl Gap {
    /// A gap that may hide any name.
    pub fn open() -> Self {
        OPEN.clone()
    }

    /// Whether the list is complete.
    pub fn is_none(&self) -> bool {
        *self == NO_GAP
    }

    /// Whether `name` may be in the list; `near` tells whether it is similar to a known name.
    pub fn may_hold(&self, name: &str, near: impl FnOnce() -> bool) -> bool {
        let is_longer = |it: &String| name.starts_with(it.as_str());
        self.is_open
            || self.words.contains(name)
            || self.half_written.as_ref().is_some_and(is_longer)
            || (self.has_unnamed || self.is_unfinished) && !near()
    }

    /// Whether only some possible names are known.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether more names are still being typed at the end.
    pub fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }
}

impl Gaps {
    /// The gaps of an unknown signature.
    pub(super) fn open() -> Self {
        Self {
            params: Gap::open(),
            ..Self::default()
        }
    }

    /// Those of a signature whose lists may all have any names.
    pub(super) fn everywhere() -> Self {
        Self {
            are_all_open: true,
            ..Self::open()
        }
    }

    /// The gaps of the signature whose tree is `root`.
    pub(super) fn of(root: &SyntaxNode, edition: Edition) -> Self {
        let mut finder = Finder {
            edition,
            gaps: Self::default(),
        };
        finder.gaps.params = match params(root) {
            Some(list) => finder.params(root, &list),
            None => finder.without_params(root),
        };
        order::by_start(&mut finder.gaps.records, |(start, _)| *start);
        finder.after_output(root);
        finder.unfinished(root);
        finder.gaps
    }

    /// Whether all records are complete.
    pub fn has_whole_records(&self) -> bool {
        !self.are_all_open && self.records.iter().all(|(_, gap)| gap.is_none())
    }

    /// The gap of the record that begins at `start`.
    pub fn record(&self, start: TextSize) -> &Gap {
        match self.place_of(start) {
            Ok(at) => &self.records[at].1,
            Err(_) if self.are_all_open => &OPEN,
            Err(_) => &NO_GAP,
        }
    }

    fn record_mut(&mut self, start: TextSize) -> &mut Gap {
        let at = self.place_of(start).unwrap_or_else(|at| {
            self.records.insert(at, (start, Gap::default()));
            at
        });
        &mut self.records[at].1
    }

    /// The index of the record that begins at `start`, or where it would be.
    fn place_of(&self, start: TextSize) -> Result<usize, usize> {
        self.records
            .binary_search_by_key(&start, |(start, _)| *start)
    }
}

/// The list of parameters below `root`, or the record in braces that is in its place.
pub(super) fn params(root: &SyntaxNode) -> Option<SyntaxNode> {
    root.children().find_map(|child| match child.kind() {
        SyntaxKind::ParamList => Some(child),
        SyntaxKind::Error(ErrorKind::MissingParens) => {
            let inside = child.first_child()?;
            let record = fields_without_braces(&inside).unwrap_or(inside);
            let is_closed = record.kind() == SyntaxKind::RecordType && !is_unclosed(&record);
            is_closed.then_some(record)
        }
        _ => None,
    })
}

struct Finder {
    edition: Edition,
    gaps: Gaps,
}

impl Finder {
    /// The gap of the parameters in `list`.
    fn params(&mut self, root: &SyntaxNode, list: &SyntaxNode) -> Gap {
        let mut gap = Gap::default();
        let mut around = Gap::default();
        self.walk(list, &mut gap);
        for child in root.children_with_tokens() {
            if !child.text_range().contains_range(list.text_range()) {
                self.element(&child, &mut around);
            }
        }
        // An arrow ends parameters that are not closed.
        let mut parts = root.children_with_tokens();
        if is_unclosed(list) && parts.any(|it| it.kind() == SyntaxKind::Arrow) {
            gap.is_open = has_open_part(list);
        }
        // The list may have ended too early, so that a name follows it.
        gap.words.append(&mut around.words);
        gap
    }

    /// The gap of the parameters if there is no list of them: none, unless an error hides them.
    fn without_params(&mut self, root: &SyntaxNode) -> Gap {
        let mut gap = Gap::default();
        for child in root.children_with_tokens() {
            let is_plain = match (child.kind(), child.as_node()) {
                (SyntaxKind::Error(kind), Some(node)) => {
                    leaves_no_params(kind) || meant::type_text(node, self.edition).is_some()
                }
                (SyntaxKind::RecordType, Some(node)) => !has_own(node, ErrorKind::MissingBraces),
                _ => true,
            };
            gap.is_open |= !is_plain;
            self.element(&child, &mut gap);
        }
        gap
    }

    /// If the output is a record, adds the words after it: the record may have ended too early.
    fn after_output(&mut self, root: &SyntaxNode) {
        let types = root.children().filter(|it| ast::is_type(it.kind()));
        let Some(output) = types.last() else {
            return;
        };
        let is_record = |it: &SyntaxNode| it.kind() == SyntaxKind::RecordType;
        let Some(record) = output.descendants().find(is_record) else {
            return;
        };
        let mut after = Gap::default();
        let follows = |it: &SyntaxElement| it.text_range().start() >= output.text_range().end();
        for child in root.children_with_tokens().filter(follows) {
            self.element(&child, &mut after);
        }
        if !after.words.is_empty() {
            let start = record.text_range().start();
            let gap = self.gaps.record_mut(start);
            gap.words.append(&mut after.words);
        }
    }

    /// Adds the gaps of the lists at the end of a text that is being typed: more may follow in them.
    fn unfinished(&mut self, root: &SyntaxNode) {
        let Some(last) = signature::last_before_closers(root) else {
            return;
        };
        let mut around = last.parent_ancestors();
        let half = around.find(|it| matches!(it.kind(), SyntaxKind::Param | SyntaxKind::Field));
        let is_missing = |it: &SyntaxNode| {
            has_own(it, ErrorKind::MissingType) || has_own(it, ErrorKind::LoneColon)
        };
        let half = half.filter(|it| it.text_range().end() <= last.text_range().end());
        let half = half.filter(is_missing);
        if half.is_none() && !lacks_output(root) {
            return;
        }
        let is_name = |it: &&SyntaxToken| it.kind() == SyntaxKind::Ident;
        let mut half_written = half.and(Some(&last).filter(is_name));
        for list in last.parent_ancestors() {
            let gap = match list.kind() {
                SyntaxKind::ParamList => &mut self.gaps.params,
                SyntaxKind::RecordType => self.gaps.record_mut(list.text_range().start()),
                _ => continue,
            };
            gap.is_unfinished = true;
            let name = half_written.take();
            gap.half_written = name.map(|it| self.edition.normal_name(it.text()));
        }
    }

    /// Adds the gaps that the children of `node` cause in its list.
    fn walk(&mut self, node: &SyntaxNode, gap: &mut Gap) {
        for child in node.children_with_tokens() {
            self.element(&child, gap);
        }
    }

    fn element(&mut self, element: &SyntaxElement, gap: &mut Gap) {
        let Some(node) = element.as_node() else {
            gap.is_open |= element.kind() == SyntaxKind::Hole;
            return;
        };
        match node.kind() {
            SyntaxKind::RecordType | SyntaxKind::ParamList => {
                let mut own = Gap::default();
                self.walk(node, &mut own);
                // If a bracket is missing, names may belong to the inner or the outer list.
                gap.is_open |= is_unclosed(node) && ast::items(Node::of(node)).next().is_some();
                if !own.is_none() {
                    self.gaps.records.push((node.text_range().start(), own));
                }
            }
            SyntaxKind::ListType => {
                let mut own = Gap::default();
                let is_own_fault =
                    |it: &SyntaxElement| it.kind() == SyntaxKind::Error(ErrorKind::Unclosed);
                for child in node.children_with_tokens().filter(|it| !is_own_fault(it)) {
                    self.element(&child, &mut own);
                }
                if is_unclosed(node) {
                    gap.is_open |= own.is_open || fields_without_braces(node).is_some();
                    gap.words.append(&mut own.words);
                }
            }
            SyntaxKind::Error(kind) => self.fault(kind, node, gap),
            _ => self.walk(node, gap),
        }
    }

    fn fault(&mut self, kind: ErrorKind, node: &SyntaxNode, gap: &mut Gap) {
        match kind {
            ErrorKind::Unclosed | ErrorKind::TooDeep => gap.is_open = true,
            ErrorKind::MissingName => gap.has_unnamed = true,
            ErrorKind::InvalidName => {
                let text = node.text().to_string();
                let text = unescaped(&text);
                if meant::certain_name(&text).is_none() {
                    // A prompt names the first part of `user.name`.
                    let first = text.split('.').next().unwrap_or_default();
                    for name in [meant::name(&text), meant::name(first)] {
                        gap.words.insert(self.edition.normal_name(&name));
                    }
                }
            }
            ErrorKind::ColonBeforeName
            | ErrorKind::SignAfterName
            | ErrorKind::CommentInSignature
            | ErrorKind::NamedSignature
            | ErrorKind::MalformedTypeWord
            | ErrorKind::ReservedEnum
            | ErrorKind::ReservedUnion
            | ErrorKind::ReservedRefinement => {}
            _ if meant::type_text(node, self.edition).is_some() => {}
            _ => {
                let tokens = node.descendants_with_tokens();
                let words = tokens.filter(|it| it.kind() == SyntaxKind::Ident);
                let words = words.filter_map(SyntaxElement::into_token);
                let words = words.filter(|it| !is_type(it, self.edition));
                gap.words
                    .extend(words.map(|it| self.edition.normal_name(it.text())));
                self.walk(node, gap);
            }
        }
    }
}

/// Whether `root` has neither an output nor the arrow before it.
fn lacks_output(root: &SyntaxNode) -> bool {
    let is_arrow = |kind| {
        let wrong = SyntaxKind::Error(ErrorKind::WrongArrow);
        kind == SyntaxKind::Arrow || kind == wrong
    };
    let has_arrow = root.children_with_tokens().any(|it| is_arrow(it.kind()));
    has_own(root, ErrorKind::MissingOutput) && !has_arrow
}

/// Whether an error of `kind` does not hide a list of parameters.
fn leaves_no_params(kind: ErrorKind) -> bool {
    kind.is_of_whole_type()
        || matches!(
            kind,
            ErrorKind::MissingParams
                | ErrorKind::MissingOutput
                | ErrorKind::ColonBeforeCompound
                | ErrorKind::StrayCloser
                | ErrorKind::OddSpace
                | ErrorKind::QuestionBeforeType
                | ErrorKind::WrongArrow
                | ErrorKind::MalformedTypeWord
        )
}

/// Whether `word` is a type word with its colon.
fn is_type(word: &SyntaxToken, edition: Edition) -> bool {
    let before = word.prev_token();
    before.is_some_and(|it| it.kind() == SyntaxKind::Colon)
        && type_words::primitive(word.text(), edition).is_some()
}

/// The fields between the brackets of `list` that have no braces around them.
fn fields_without_braces(list: &SyntaxNode) -> Option<SyntaxNode> {
    let mut records = list
        .children()
        .filter(|_| list.kind() == SyntaxKind::ListType);
    records.find(|it| has_own(it, ErrorKind::MissingBraces))
}

fn is_unclosed(list: &SyntaxNode) -> bool {
    has_own(list, ErrorKind::Unclosed)
}

fn has_own(node: &SyntaxNode, kind: ErrorKind) -> bool {
    let mut children = node.children();
    children.any(|it| it.kind() == SyntaxKind::Error(kind))
}

/// Whether `list` has an interpolation, or an unclosed list in it.
fn has_open_part(list: &SyntaxNode) -> bool {
    let mut parts = list.descendants_with_tokens().skip(1);
    parts.any(|it| {
        let is_list = it
            .as_node()
            .is_some_and(|node| node != list && is_unclosed(node));
        is_list || it.kind() == SyntaxKind::Hole
    })
}
