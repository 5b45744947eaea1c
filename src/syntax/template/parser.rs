//! From pieces to a tree: sections nest, everything else is a row.

use rowan::{GreenNode, GreenNodeBuilder};

use super::lexer::{Piece, Tag, TagKind, Token, is_path, lex};
use crate::syntax::{
    error::ErrorKind,
    fragment::Fragment,
    kind::SyntaxKind::{self, *},
    pairing::{Delimiter, Role, pair},
};

/// How deep sections may nest; deeper tags become errors, as the reference refuses them too (at 20).
const MAX_DEPTH: usize = 320;

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) pieces: Vec<Piece>,
    pub(super) roles: Vec<Option<Role>>,
    builder: GreenNodeBuilder<'static>,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(fragment: Fragment<'a>, depth: usize) -> Self {
        let pieces = lex(fragment);
        let roles = pair_sections(fragment.text, &pieces);
        Self {
            text: fragment.text,
            pieces,
            roles,
            builder: GreenNodeBuilder::new(),
            depth,
        }
    }

    pub(super) fn text_of(&self, token: &Token) -> &'a str {
        &self.text[token.range]
    }

    /// Whether every section is closed by a tag of its own name.
    pub(super) fn are_sections_closed(&self) -> bool {
        self.roles
            .iter()
            .enumerate()
            .all(|(index, role)| match *role {
                Some(Role::ClosedBy(close)) => match (&self.pieces[index], &self.pieces[close]) {
                    (Piece::Tag(open), Piece::Tag(close)) => {
                        name(self.text, open) == name(self.text, close)
                    }
                    _ => false,
                },
                Some(Role::Unclosed | Role::Stray) => false,
                Some(Role::Closes(_)) | None => true,
            })
    }

    pub(super) fn template(mut self) -> GreenNode {
        self.builder.start_node(Template.into());
        self.row(0, self.pieces.len());
        self.builder.finish_node();
        self.builder.finish()
    }

    /// Parses what is known to be one closed section.
    pub(super) fn section_only(mut self) -> GreenNode {
        self.section(0, self.pieces.len() - 1);
        self.builder.finish()
    }

    /// Parses what is known to be one tag that belongs to no section.
    pub(super) fn tag_only(mut self) -> GreenNode {
        self.row(0, 1);
        self.builder.finish()
    }

    /// The pieces `from..to` and what they contain.
    fn row(&mut self, from: usize, to: usize) {
        let mut index = from;
        while index < to {
            index = self.piece(index, to);
        }
    }

    /// Parses what begins with the piece at `index` and answers the index behind it.
    fn piece(&mut self, index: usize, to: usize) -> usize {
        let tag = match &self.pieces[index] {
            &Piece::Text(token) => {
                self.token(token);
                return index + 1;
            }
            Piece::Tag(tag) => tag.clone(),
        };
        match (tag.kind, self.roles[index]) {
            (TagKind::SectionOpen, Some(Role::ClosedBy(close))) => {
                self.section(index, close);
                return close + 1;
            }
            (TagKind::SectionOpen, None) => {
                self.error(ErrorKind::EmptySectionName, |p| p.tokens(&tag.tokens))
            }
            (TagKind::SectionOpen, _) => {
                self.unclosed_section(index, &tag, to);
                return to;
            }
            (TagKind::SectionClose, _) => self.error(ErrorKind::StraySectionClose, |p| {
                p.section_tag(SectionClose, &tag)
            }),
            (TagKind::Placeholder, _) => self.placeholder(&tag),
            (TagKind::Comment, _) => {
                self.builder.start_node(CommentTag.into());
                self.tokens(&tag.tokens);
                self.builder.finish_node();
            }
            (TagKind::Unclosed, _) => self.error(ErrorKind::UnclosedTag, |p| p.tokens(&tag.tokens)),
        }
        index + 1
    }

    fn section(&mut self, open: usize, close: usize) {
        let (Piece::Tag(open_tag), Piece::Tag(close_tag)) =
            (self.pieces[open].clone(), self.pieces[close].clone())
        else {
            return self.row(open, close + 1);
        };
        if self.depth == MAX_DEPTH {
            return self.error(ErrorKind::TooDeep, |p| p.flat(open, close + 1));
        }
        self.depth += 1;
        self.builder.start_node(Section.into());
        self.section_tag(SectionOpen, &open_tag);
        self.row(open + 1, close);
        if same_name(self.text, &open_tag, &close_tag) {
            self.section_tag(SectionClose, &close_tag);
        } else {
            self.error(ErrorKind::MismatchedSectionClose, |p| {
                p.section_tag(SectionClose, &close_tag)
            });
        }
        self.builder.finish_node();
        self.depth -= 1;
    }

    /// A section that nothing closes holds all that follows it.
    fn unclosed_section(&mut self, open: usize, tag: &Tag, to: usize) {
        if self.depth == MAX_DEPTH {
            return self.error(ErrorKind::TooDeep, |p| p.flat(open, to));
        }
        self.depth += 1;
        self.builder.start_node(Section.into());
        self.error(ErrorKind::UnclosedSection, |p| {
            p.section_tag(SectionOpen, tag)
        });
        self.row(open + 1, to);
        self.builder.finish_node();
        self.depth -= 1;
    }

    /// The tokens of the pieces `from..to` without any structure.
    fn flat(&mut self, from: usize, to: usize) {
        for index in from..to {
            match self.pieces[index].clone() {
                Piece::Text(token) => self.token(token),
                Piece::Tag(tag) => self.tokens(&tag.tokens),
            }
        }
    }

    fn placeholder(&mut self, tag: &Tag) {
        let content = tag.content();
        if content.is_empty() {
            return self.error(ErrorKind::EmptyPlaceholder, |p| p.tokens(&tag.tokens));
        }
        self.builder.start_node(Placeholder.into());
        self.framed(tag, ErrorKind::InvalidPlaceholder);
        self.builder.finish_node();
    }

    fn section_tag(&mut self, kind: SyntaxKind, tag: &Tag) {
        self.builder.start_node(kind.into());
        match tag.content().is_empty() {
            true if kind == SectionOpen => {
                self.error(ErrorKind::EmptySectionName, |p| p.tokens(&tag.tokens))
            }
            true => self.tokens(&tag.tokens),
            false => self.framed(tag, ErrorKind::InvalidPlaceholder),
        }
        self.builder.finish_node();
    }

    /// A tag's tokens with its content as a path, or as an error where it is none.
    fn framed(&mut self, tag: &Tag, error: ErrorKind) {
        let content = tag.content();
        let before = tag
            .tokens
            .iter()
            .position(|token| Some(token) == content.first())
            .unwrap_or(0);
        self.tokens(&tag.tokens[..before]);
        let kind = if is_path(content) { Path } else { Error(error) };
        self.builder.start_node(kind.into());
        self.tokens(content);
        self.builder.finish_node();
        self.tokens(&tag.tokens[before + content.len()..]);
    }

    fn error(&mut self, error: ErrorKind, contents: impl FnOnce(&mut Self)) {
        self.builder.start_node(Error(error).into());
        contents(self);
        self.builder.finish_node();
    }

    fn tokens(&mut self, tokens: &[Token]) {
        for &token in tokens {
            self.token(token);
        }
    }

    fn token(&mut self, token: Token) {
        self.builder
            .token(token.kind.into(), &self.text[token.range]);
    }
}

fn same_name(text: &str, open: &Tag, close: &Tag) -> bool {
    name(text, open) == name(text, close)
        || [open, close]
            .into_iter()
            .any(|tag| tag.content().iter().any(is_hole))
}

fn is_hole(token: &Token) -> bool {
    token.kind == Hole
}

/// What a section's two tags have in common.
fn name<'a>(text: &'a str, tag: &Tag) -> &'a str {
    match tag.content() {
        [] => "",
        [first, .., last] => &text[first.range.cover(last.range)],
        [only] => &text[only.range],
    }
}

/// Pairs the tags of sections. An opening tag without a name opens nothing.
fn pair_sections(text: &str, pieces: &[Piece]) -> Vec<Option<Role>> {
    let delimiter = |(index, piece)| match piece {
        &Piece::Tag(
            ref tag @ Tag {
                kind: kind @ (TagKind::SectionOpen | TagKind::SectionClose),
                ..
            },
        ) => Some(Delimiter {
            index,
            opens: kind == TagKind::SectionOpen,
            label: name(text, tag),
        }),
        _ => None,
    };
    let delimiters: Vec<_> = pieces
        .iter()
        .enumerate()
        .filter_map(delimiter)
        .filter(|it| !it.opens || !it.label.is_empty())
        .collect();
    let mut roles = vec![None; pieces.len()];
    for (index, role) in pair(&delimiters) {
        roles[index] = Some(role);
    }
    roles
}
