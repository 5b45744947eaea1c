//! The tags of sections, and which of them belong together.

use super::{
    lexer::read,
    pieces::{Piece, Pieces, TagKind, Token, content_in},
};
use crate::{
    syntax::{
        fragment::Fragment,
        kind::SyntaxKind,
        pairing::{Delimiter, Role, pair},
    },
    text::TextRange,
};

/// The role of each piece that is the tag of a section. A long template may have very many, so each is one number.
#[derive(Debug, Default)]
pub(super) struct Roles(Vec<u32>);

const NONE: u32 = u32::MAX;
const UNCLOSED: u32 = NONE - 1;
const STRAY: u32 = NONE - 2;

impl Roles {
    /// No roles of so many pieces.
    pub(super) fn none(pieces: usize) -> Self {
        Self(vec![NONE; pieces])
    }

    /// Sets the role of the piece at `index`.
    pub(super) fn set(&mut self, index: usize, role: Role) {
        self.0[index] = match role {
            Role::Unclosed => UNCLOSED,
            Role::Stray => STRAY,
            Role::ClosedBy(other) | Role::Closes(other) => u32::try_from(other).unwrap_or(NONE),
        };
    }

    /// The role of the piece at `index`.
    pub(super) fn get(&self, index: usize) -> Option<Role> {
        match *self.0.get(index)? {
            NONE => None,
            UNCLOSED => Some(Role::Unclosed),
            STRAY => Some(Role::Stray),
            other => {
                let other = other as usize;
                Some(match index < other {
                    true => Role::ClosedBy(other),
                    false => Role::Closes(other),
                })
            }
        }
    }

    /// Keeps the roles of the first pieces only.
    pub(super) fn truncate(&mut self, pieces: usize) {
        self.0.truncate(pieces);
    }
}

/// What the tags of a section have in common: their content.
#[derive(Clone, Copy)]
pub(super) struct Label<'a> {
    pub(super) text: &'a str,
    has_hole: bool,
}

impl<'a> Label<'a> {
    /// The label of the tag of these tokens.
    pub(super) fn of(text: &'a str, tokens: &[Token]) -> Self {
        let content = &tokens[content_in(tokens)];
        let range = match content {
            [] => TextRange::default(),
            [first, .., last] => first.range.cover(last.range),
            [only] => only.range,
        };
        Self {
            text: &text[range],
            has_hole: content.iter().any(|token| token.kind == SyntaxKind::Hole),
        }
    }

    /// Whether tags with these labels may belong together.
    pub(super) fn may_be(self, other: Self) -> bool {
        self.text == other.text || self.has_hole || other.has_hole
    }
}

/// The label of the tag of a section at `index`, which is read into `tokens`.
pub(super) fn label<'t>(
    fragment: Fragment<'t>,
    pieces: &Pieces,
    index: usize,
    tokens: &mut Vec<Token>,
) -> Label<'t> {
    read(fragment, pieces, index, tokens);
    Label::of(fragment.text, tokens)
}

/// The tags of sections. An opening tag without a name opens nothing.
pub(super) fn delimiters<'a>(
    fragment: Fragment<'a>,
    pieces: &'a Pieces,
) -> impl Iterator<Item = Delimiter> + 'a {
    let mut tokens = Vec::new();
    pieces.iter().enumerate().filter_map(move |(index, piece)| {
        let opens = match piece {
            Piece::Tag(TagKind::SectionOpen) => true,
            Piece::Tag(TagKind::SectionClose) => false,
            _ => return None,
        };
        let has_name = !opens || !label(fragment, pieces, index, &mut tokens).text.is_empty();
        has_name.then_some(Delimiter { index, opens })
    })
}

/// Pairs the tags of sections.
pub(super) fn pair_sections(fragment: Fragment<'_>, pieces: &Pieces) -> Roles {
    let mut delimiters = delimiters(fragment, pieces).peekable();
    if delimiters.peek().is_none() {
        return Roles::default();
    }
    let mut tokens = Vec::new();
    let mut label = |index| label(fragment, pieces, index, &mut tokens).text;
    let mut roles = Roles::none(pieces.len());
    pair(
        delimiters,
        |open, close| label(open) == label(close),
        |index, role| roles.set(index, role),
    );
    roles
}
