//! Following an edit: which stretches of a token tree can be parsed alone.
//!
//! Two things can: a closed group or string, and runs of a list between their neighbours. Each is parsed
//! as if it were a document, and accepted if nothing of it could have come out otherwise in its place: it
//! closes nothing that is open around it, and leaves nothing open.

use std::marker::PhantomData;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};

use super::{
    Bracketed, Element, Host, Kind, SyntaxNode,
    parse::{Region, parse_region},
};
use crate::{
    syntax::reparse::{self, Grammar, GreenElement, Reparsed},
    text::{TextEdit, TextSize},
};

/// Follows `edit` in a tree of the host `L`; `None` asks for a full parse.
pub fn reparse<L: Bracketed>(green: &GreenNode, edit: &TextEdit) -> Option<Reparsed> {
    reparse::reparse(&TokenTrees::<L>(PhantomData), green, edit)
}

/// The token trees of the host `L`, as a grammar.
struct TokenTrees<L>(PhantomData<L>);

impl<L: Bracketed> Grammar for TokenTrees<L> {
    type Language = Host;

    fn stands_alone(&self, kind: Kind) -> bool {
        kind.is_group() || kind.is_string()
    }

    fn reparse_node(&self, node: &SyntaxNode, text: &str) -> Option<GreenNode> {
        let place = Place::new(node, node, text)?;
        if !is_closed(node.green()) || touches_string(node) {
            return None;
        }
        let region = place.parse::<L>();
        if region.is_unclosed || place.is_closed_by(&region) {
            return None;
        }
        let mut children = region.root.children();
        match (children.next(), children.next()) {
            (Some(NodeOrToken::Node(green)), None) => {
                let is_same = green.kind() == node.kind().into() && is_closed(green);
                is_same.then(|| green.to_owned())
            }
            _ => None,
        }
    }

    fn is_item(&self, kind: Kind) -> bool {
        kind == Kind::Lines
    }

    fn reparse_items(&self, stretch: &reparse::Stretch<Host>) -> Option<Vec<GreenElement>> {
        let (first, last) = (stretch.first.as_node()?, stretch.last.as_node()?);
        let place = Place::new(first, last, &stretch.text)?;
        if !place.is_set_off() {
            return None;
        }
        let region = place.parse::<L>();
        if place.is_closed_by(&region) || !place.is_followed_as_before(&region) {
            return None;
        }
        items_of(&region)
    }
}

/// The elements of `region` as items of a list.
fn items_of(region: &Region) -> Option<Vec<GreenElement>> {
    let children = || region.root.children().map(|child| child.to_owned());
    let first = region.root.children().next()?;
    if first.kind() == Kind::Lines.into() {
        return Some(children().collect());
    }
    Some(vec![GreenNode::new(Kind::Lines.into(), children()).into()])
}

/// A text in the place of some neighbours.
struct Place<'a> {
    parent: SyntaxNode,
    first: &'a SyntaxNode,
    last: &'a SyntaxNode,
    text: &'a str,
}

impl<'a> Place<'a> {
    fn new(first: &'a SyntaxNode, last: &'a SyntaxNode, text: &'a str) -> Option<Self> {
        Some(Self {
            parent: first.parent()?,
            first,
            last,
            text,
        })
    }

    fn parse<L: Bracketed>(&self) -> Region {
        let around = self.parent.ancestors();
        let depth = around.filter(|node| !matches!(node.kind(), Kind::Root | Kind::Lines));
        parse_region::<L>(self.text, depth.count())
    }

    /// Whether something in `region` would close the parent or a node around it.
    fn is_closed_by(&self, region: &Region) -> bool {
        if region.strays.is_empty() {
            return false;
        }
        for node in self.parent.ancestors() {
            let closes = |stray: &Kind| match node.kind() {
                Kind::Interpolation => *stray == Kind::RBrace,
                kind => stray.closes(kind),
            };
            if region.strays.iter().any(closes) {
                return true;
            }
            if node.kind() == Kind::Interpolation {
                break;
            }
        }
        false
    }

    /// Whether the token before stays what it is, whatever the text is: a word may become a key.
    fn is_set_off(&self) -> bool {
        let first = self.first.first_token();
        let Some(before) = first.and_then(|token| token.prev_token()) else {
            return true;
        };
        matches!(
            before.kind(),
            Kind::Newline | Kind::Comma | Kind::LParen | Kind::LBracket | Kind::LBrace
        ) || self.text.starts_with([' ', '\t', '\r', '\n'])
    }

    /// Whether what follows is lexed as before, and still follows at the same depth.
    fn is_followed_as_before(&self, region: &Region) -> bool {
        region.is_cut || is_last(self.last)
    }
}

/// Whether `node` has no space between it and a string. Two strings in a row may come to be one.
fn touches_string(node: &SyntaxNode) -> bool {
    let neighbours = [node.prev_sibling_or_token(), node.next_sibling_or_token()];
    let mut kinds = neighbours.into_iter().flatten().map(|it| it.kind());
    kinds.any(Kind::is_string)
}

fn is_closed(node: &GreenNodeData) -> bool {
    Element::node(node, TextSize::default()).is_closed()
}

/// Whether nothing of the document follows `node`.
fn is_last(node: &SyntaxNode) -> bool {
    let mut around = node.ancestors();
    around.all(|node| node.next_sibling_or_token().is_none())
}
