//! Following an edit: which stretches of a token tree can be parsed alone.
//!
//! Two things can: a closed group or string, and runs of lines between their neighbours. Each is parsed
//! as if it were a document, and accepted if nothing of it could have come out otherwise in its place:
//! - it closes nothing that is open around it, and leaves nothing open;
//! - the line ends at its edges keep their ranks, so that the runs around it stay as they are.

use std::marker::PhantomData;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};

use super::{
    Bracketed, Element, Host, Kind, SyntaxNode, SyntaxToken,
    lines::{self, WINDOW},
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
        if !is_closed(node.green()) || touches_string(node) || !place.keeps_rank_before() {
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
        if !place.is_set_off() || !place.keeps_rank_before() {
            return None;
        }
        let region = place.parse::<L>();
        if place.is_closed_by(&region) || !place.is_followed_as_before(&region) {
            return None;
        }
        let items = items_of(&region, rank_between_items(&stretch.parent)?)?;
        let all = stretch.parent.children().count();
        let taken = last.index() - first.index() + 1;
        (all - taken + items.len() >= 2).then_some(items)
    }
}

/// The elements of `region` as items of a list that line ends of `rank` cut.
fn items_of(region: &Region, rank: usize) -> Option<Vec<GreenElement>> {
    if region.rank > rank || region.root.children().len() == 0 {
        return None;
    }
    let children = region.root.children().map(|child| child.to_owned());
    if region.rank < rank {
        return Some(vec![GreenNode::new(Kind::Lines.into(), children).into()]);
    }
    Some(children.collect())
}

/// What stands behind some items.
#[derive(Debug, PartialEq, Eq)]
enum Follower {
    /// More of the list that they belong to, or of a list around it.
    Sibling,
    /// The token that closes their group, or that of a group around it which leaves theirs unclosed.
    Closer,
    EndOfDocument,
}

/// A text in the place of some neighbours.
struct Place<'a> {
    parent: SyntaxNode,
    first: &'a SyntaxNode,
    last: &'a SyntaxNode,
    text: &'a str,
    /// The text behind them, as far as it has a say in the ranks of line ends.
    behind: String,
}

impl<'a> Place<'a> {
    fn new(first: &'a SyntaxNode, last: &'a SyntaxNode, text: &'a str) -> Option<Self> {
        Some(Self {
            parent: first.parent()?,
            first,
            last,
            text,
            behind: text_behind(last),
        })
    }

    fn parse<L: Bracketed>(&self) -> Region {
        let around = self.parent.ancestors();
        let depth = around.filter(|node| !matches!(node.kind(), Kind::Root | Kind::Lines));
        parse_region::<L>(self.text, &self.behind, depth.count())
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
            Kind::Newline | Kind::LParen | Kind::LBracket | Kind::LBrace
        ) || self.text.starts_with([' ', '\t', '\r', '\n'])
    }

    /// Whether the line end before keeps its rank, on which the first line has a say.
    fn keeps_rank_before(&self) -> bool {
        let mut before = String::new();
        let mut token = self.first.first_token().and_then(|it| it.prev_token());
        let line_end = loop {
            let Some(previous) = token else {
                return true;
            };
            if previous.kind() == Kind::Newline {
                break previous;
            }
            before.insert_str(0, previous.text());
            if before.len() >= WINDOW || before.contains('\n') {
                return true;
            }
            token = previous.prev_token();
        };
        let old = before.clone() + &text_from(self.first.first_token());
        let new = before + self.text;
        lines::rank(line_end.text(), &old, "") == lines::rank(line_end.text(), &new, &self.behind)
    }

    /// Whether what follows is lexed and cut off as before.
    fn is_followed_as_before(&self, region: &Region) -> bool {
        let follower = follower(self.last);
        if follower == Follower::EndOfDocument {
            return true;
        }
        let (Some(line_end), Some(old_line_end)) = (&region.line_end, self.last.last_token())
        else {
            return false;
        };
        let rank = |line_end| lines::rank(line_end, &self.behind, "");
        follower == Follower::Closer
            || rank(old_line_end.text()) == rank(&self.text[line_end.clone()])
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

/// The rank of the line ends between the items of `list`, of which there are always two or more.
fn rank_between_items(list: &SyntaxNode) -> Option<usize> {
    let first = list.first_child()?;
    let line_end = first.last_token()?;
    let next = text_behind(&first);
    Some(lines::rank(line_end.text(), &next, ""))
}

fn follower(last: &SyntaxNode) -> Follower {
    let followed = last
        .ancestors()
        .find_map(|node| Some((node.next_sibling_or_token()?, node.parent()?)));
    match followed {
        None => Follower::EndOfDocument,
        Some((next, parent)) if next.kind().closes(parent.kind()) => Follower::Closer,
        Some(_) => Follower::Sibling,
    }
}

/// The text behind `node`, as far as it may have a say in the rank of a line end.
fn text_behind(node: &SyntaxNode) -> String {
    text_from(node.last_token().and_then(|token| token.next_token()))
}

fn text_from(mut token: Option<SyntaxToken>) -> String {
    let mut text = String::new();
    while let Some(next) = token
        && text.len() < WINDOW
        && !text.contains('\n')
    {
        text.push_str(next.text());
        token = next.next_token();
    }
    text
}
