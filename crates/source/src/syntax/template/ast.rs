//! Typed views of a template's tree. Every accessor may return nothing, because the text may be unfinished.

use crate::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode, SyntaxToken},
    },
    text::{TextRange, TextSize},
};

/// The tags of a template.
#[derive(Debug, Clone)]
pub enum Tag {
    /// `{{name}}`
    Placeholder(Placeholder),
    /// `{{#name}}…{{/name}}`
    Section(Section),
    /// `{{/name}}` without a section.
    Stray(StrayClose),
}

/// `{{name}}` or `{{.}}`
#[derive(Debug, Clone)]
pub struct Placeholder(SyntaxNode);

/// `{{#name}}…{{/name}}` or `{{^name}}…{{/name}}`
#[derive(Debug, Clone)]
pub struct Section(SyntaxNode);

/// `{{/name}}` without a section.
#[derive(Debug, Clone)]
pub struct StrayClose(SyntaxNode);

/// The dotted name in a tag.
#[derive(Debug, Clone)]
pub struct Path(SyntaxNode);

/// The tags in `parent`, a template or a section, without nested ones. A tag that contains an error counts as far as
/// it could be read.
pub fn tags(parent: &SyntaxNode) -> impl Iterator<Item = Tag> + use<> {
    children(parent).filter_map(tag_of)
}

/// The tag of `node`.
pub fn tag_of(node: SyntaxNode) -> Option<Tag> {
    match node.kind() {
        SyntaxKind::Placeholder => Some(Tag::Placeholder(Placeholder(node))),
        SyntaxKind::Section => Section::cast(node).map(Tag::Section),
        SyntaxKind::Error(ErrorKind::StraySectionClose) => Some(Tag::Stray(StrayClose(node))),
        _ => None,
    }
}

/// The dotted names in all tags below `root`, also in closing ones.
pub fn paths(root: &SyntaxNode) -> impl Iterator<Item = Path> + use<> {
    let nodes = root.descendants();
    nodes.filter(|it| it.kind() == SyntaxKind::Path).map(Path)
}

/// The children of a template or section, including those in its runs.
pub fn children(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxNode> + use<> {
    let mut open = vec![parent.children()];
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(run) if run.kind().is_run() => open.push(run.children()),
                Some(node) => return Some(node),
                None => drop(open.pop()),
            }
        }
    })
}

/// The sections that begin before `offset` of a template and are not closed there, outermost first. Runs in which all
/// sections are closed are not read.
pub fn sections_open_at(template: &SyntaxNode, offset: TextSize) -> Vec<Section> {
    let mut open = Vec::new();
    add_open(template, offset, &mut open);
    open
}

fn add_open(parent: &SyntaxNode, offset: TextSize, open: &mut Vec<Section>) {
    let begins_before = |it: &SyntaxNode| it.text_range().start() < offset;
    for child in parent.children().take_while(begins_before) {
        let is_around = child.text_range().end() >= offset;
        match child.kind() {
            SyntaxKind::OpenRun => add_open(&child, offset, open),
            kind if kind.is_run() && is_around => add_open(&child, offset, open),
            SyntaxKind::Section => {
                let section = Section(child.clone());
                if section.is_open_at(offset) {
                    open.push(section);
                    add_open(&child, offset, open);
                }
            }
            _ => {}
        }
    }
}

impl Placeholder {
    /// Its name; `None` if it is invalid.
    pub fn path(&self) -> Option<Path> {
        path_in(&self.0)
    }

    /// Its node.
    pub fn syntax(&self) -> &SyntaxNode {
        &self.0
    }
}

impl StrayClose {
    /// Its name.
    pub fn path(&self) -> Option<Path> {
        path_in(&section_tag(self.0.clone(), SyntaxKind::SectionClose)?)
    }

    /// Its node.
    pub fn syntax(&self) -> &SyntaxNode {
        &self.0
    }
}

impl Section {
    /// The view of a section's node.
    pub fn cast(node: SyntaxNode) -> Option<Self> {
        (node.kind() == SyntaxKind::Section).then_some(Self(node))
    }

    /// The name in its opening tag; `None` if it is invalid.
    pub fn path(&self) -> Option<Path> {
        path_in(&self.opening()?)
    }

    /// The name in its closing tag.
    pub fn closing_path(&self) -> Option<Path> {
        path_in(&section_tag(
            self.0.last_child()?,
            SyntaxKind::SectionClose,
        )?)
    }

    /// Whether it is inverted (`{{^name}}`).
    pub fn is_inverted(&self) -> bool {
        let sigil = |token: SyntaxToken| token.kind() == SyntaxKind::Sigil && token.text() == "^";
        let tokens = self
            .opening()
            .into_iter()
            .flat_map(|tag| tag.descendants_with_tokens());
        tokens.filter_map(|it| it.into_token()).any(sigil)
    }

    /// Whether no tag closes it, so that it ends with its line.
    pub fn is_unclosed(&self) -> bool {
        let first = self.0.first_child();
        first.is_some_and(|it| it.kind() == SyntaxKind::Error(ErrorKind::UnclosedSection))
    }

    /// Whether its opening tag is before `offset` and its closing tag is not.
    fn is_open_at(&self, offset: TextSize) -> bool {
        let start = |it: SyntaxNode| it.text_range().start();
        let end = |it: SyntaxNode| it.text_range().end();
        let is_opened = self.0.first_child().map(end) <= Some(offset);
        let closes_after = || self.0.last_child().map(start) >= Some(offset);
        is_opened && (self.is_unclosed() || closes_after())
    }

    /// The tags between its opening and its closing tag.
    pub fn tags(&self) -> impl Iterator<Item = Tag> + use<> {
        tags(&self.0)
    }

    /// Its node.
    pub fn syntax(&self) -> &SyntaxNode {
        &self.0
    }

    fn opening(&self) -> Option<SyntaxNode> {
        section_tag(self.0.first_child()?, SyntaxKind::SectionOpen)
    }
}

/// `node`, or its content if it is an error, if that is a tag of `kind`.
fn section_tag(node: SyntaxNode, kind: SyntaxKind) -> Option<SyntaxNode> {
    match node.kind() {
        SyntaxKind::Error(_) => node.children().find(|it| it.kind() == kind),
        own => (own == kind).then_some(node),
    }
}

impl Path {
    /// The names between the dots; none for `{{.}}`.
    pub fn segments(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        self.0
            .children_with_tokens()
            .filter_map(|it| it.into_token())
            .filter(|it| it.kind() == SyntaxKind::Ident)
    }

    /// It as written.
    pub fn text(&self) -> String {
        self.0.text().to_string()
    }

    /// Whether it contains an interpolation, so that its name is not known.
    pub fn has_hole(&self) -> bool {
        self.0
            .children_with_tokens()
            .any(|it| it.kind() == SyntaxKind::Hole)
    }

    /// Its place, in bytes of the fragment.
    pub fn text_range(&self) -> TextRange {
        self.0.text_range()
    }
}

fn path_in(tag: &SyntaxNode) -> Option<Path> {
    tag.children()
        .find(|it| it.kind() == SyntaxKind::Path)
        .map(Path)
}
