//! What a signature may name beside what could be read of it.
//!
//! A fault hides as little as it can: a list of names has a gap where a bracket is never closed or an
//! interpolation is, and a fault that leaves words behind may have meant one of them as a name. All other lists
//! are known as a whole.

use std::collections::{BTreeSet, HashMap};

use crate::{
    model::{Edition, meant, type_words},
    syntax::{
        decode::unescaped,
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken},
        signature::{self, ast},
    },
    text::TextSize,
};

/// The gaps of a signature's lists of names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    /// What the parameters may be beside those that were read.
    pub params: Gap,
    /// The gaps of records, by where these begin in the signature's text. A record without one is not there.
    records: HashMap<TextSize, Gap>,
}

/// What else a list of names may hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Gap {
    /// Whether it may hold anything: it is not closed, or has an interpolation.
    is_open: bool,
    /// Whether an item has no name.
    has_unnamed: bool,
    /// Whether it is still being written, so that more may follow.
    is_unfinished: bool,
    /// The words of faults, each of which may be a name.
    words: BTreeSet<String>,
    /// The name at its end that is still being written.
    half_written: Option<String>,
}

/// A list without a gap.
pub(super) static NO_GAP: Gap = Gap {
    is_open: false,
    has_unnamed: false,
    is_unfinished: false,
    words: BTreeSet::new(),
    half_written: None,
};

impl Gap {
    /// That of a list that may hold anything else.
    pub fn open() -> Self {
        Self {
            is_open: true,
            ..Self::default()
        }
    }

    /// Whether the list is known as a whole.
    pub fn is_none(&self) -> bool {
        *self == NO_GAP
    }

    /// Whether `name` may be one of the list; `near` tells whether it is a slip of a name that is known.
    pub fn may_hold(&self, name: &str, near: impl FnOnce() -> bool) -> bool {
        let is_longer = |it: &String| name.starts_with(it.as_str());
        self.is_open
            || self.words.contains(name)
            || self.half_written.as_ref().is_some_and(is_longer)
            || (self.has_unnamed || self.is_unfinished) && !near()
    }

    /// Whether nothing is known of the list but some names that may be in it.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether more names are still being written at its end.
    pub fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }
}

impl Gaps {
    /// Those of a signature of which nothing is known.
    pub(super) fn open() -> Self {
        Self {
            params: Gap::open(),
            records: HashMap::new(),
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
        finder.after_output(root);
        finder.unfinished(root);
        finder.gaps
    }

    /// Whether all records are known as a whole.
    pub fn has_whole_records(&self) -> bool {
        self.records.values().all(Gap::is_none)
    }

    /// The gap of the record that begins at `start`.
    pub fn record(&self, start: TextSize) -> &Gap {
        self.records.get(&start).unwrap_or(&NO_GAP)
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
        // An arrow ends parameters that no parenthesis ends.
        let mut parts = root.children_with_tokens();
        if is_unclosed(list) && parts.any(|it| it.kind() == SyntaxKind::Arrow) {
            gap.is_open = has_open_part(list);
        }
        // A list may have ended too soon, so that a name follows it.
        gap.words.append(&mut around.words);
        gap
    }

    /// The gap of the parameters where no list of them is there: none, unless a fault hides them.
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

    /// Adds the words after the output to the record that it is, which may have ended too soon.
    fn after_output(&mut self, root: &SyntaxNode) {
        let Some(output) = root.children().filter_map(ast::Type::cast).last() else {
            return;
        };
        let is_record = |it: &SyntaxNode| it.kind() == SyntaxKind::RecordType;
        let Some(record) = output.syntax().descendants().find(is_record) else {
            return;
        };
        let mut after = Gap::default();
        let follows = |it: &SyntaxElement| it.text_range().start() >= output.text_range().end();
        for child in root.children_with_tokens().filter(follows) {
            self.element(&child, &mut after);
        }
        if !after.words.is_empty() {
            let start = record.text_range().start();
            let gap = self.gaps.records.entry(start).or_default();
            gap.words.append(&mut after.words);
        }
    }

    /// Adds the gaps of the lists that the end of the text is in while it is being written: more may follow in them.
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
                SyntaxKind::RecordType => {
                    let start = list.text_range().start();
                    self.gaps.records.entry(start).or_default()
                }
                _ => continue,
            };
            gap.is_unfinished = true;
            let name = half_written.take();
            gap.half_written = name.map(|it| self.edition.normal_name(it.text()));
        }
    }

    /// Adds to `gap` what the parts of `node` say, which are in its list.
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
                // Where a bracket is missing, names may belong to the list inside or to the one around it.
                gap.is_open |= is_unclosed(node) && ast::items(node).next().is_some();
                if !own.is_none() {
                    self.gaps.records.insert(node.text_range().start(), own);
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
                    let name = meant::name(&text);
                    gap.words.insert(self.edition.normal_name(&name));
                }
            }
            ErrorKind::ColonBeforeName
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

/// Whether neither the output of `root` is written nor the arrow before it.
fn lacks_output(root: &SyntaxNode) -> bool {
    let is_arrow = |kind| {
        let wrong = SyntaxKind::Error(ErrorKind::WrongArrow);
        kind == SyntaxKind::Arrow || kind == wrong
    };
    let has_arrow = root.children_with_tokens().any(|it| is_arrow(it.kind()));
    has_own(root, ErrorKind::MissingOutput) && !has_arrow
}

/// Whether a signature without a list of parameters has none for all that a fault of `kind` says.
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

/// Whether `word` is a type with its colon.
fn is_type(word: &SyntaxToken, edition: Edition) -> bool {
    let before = word.prev_token();
    before.is_some_and(|it| it.kind() == SyntaxKind::Colon)
        && type_words::primitive(word.text(), edition).is_some()
}

/// The fields between the brackets of `list`, where no braces are around them.
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

/// Whether an interpolation is in `list`, or another list in it is not closed.
fn has_open_part(list: &SyntaxNode) -> bool {
    let mut parts = list.descendants_with_tokens().skip(1);
    parts.any(|it| {
        let is_list = it
            .as_node()
            .is_some_and(|node| node != list && is_unclosed(node));
        is_list || it.kind() == SyntaxKind::Hole
    })
}
