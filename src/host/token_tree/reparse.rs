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
    syntax::reparse::{self, Grammar, Reparsed},
    text::{TextEdit, TextSize},
};

type Stretch<'e> = reparse::Stretch<'e, Host>;

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

    fn reparse_node(&self, stretch: &Stretch) -> Option<GreenNode> {
        let node = &stretch.first;
        if !is_closed(node.green()) || touches_string(node) || !keeps_rank_before(stretch) {
            return None;
        }
        let parent = node.parent()?;
        let region = region::<L>(stretch, &parent);
        if region.is_unclosed || closes_around(&region, &parent) {
            return None;
        }
        let mut children = region.root.children();
        match (children.next(), children.next()) {
            (Some(NodeOrToken::Node(green)), None)
                if green.kind() == node.kind().into() && is_closed(green) =>
            {
                Some(green.to_owned())
            }
            _ => None,
        }
    }

    fn is_item(&self, kind: Kind) -> bool {
        kind == Kind::Lines
    }

    fn reparse_items(&self, stretch: &Stretch) -> Option<Vec<GreenNode>> {
        let parent = stretch.first.parent()?;
        let place = Place::of(stretch)?;
        if !is_set_off(stretch) || !keeps_rank_before(stretch) {
            return None;
        }
        let region = region::<L>(stretch, &parent);
        if closes_around(&region, &parent) || !place.fits_before_follower(stretch, &region) {
            return None;
        }
        let items = items_of(&region, place.rank)?;
        (place.others + items.len() >= 2).then_some(items)
    }
}

/// The elements of `region` as items of a list that line ends of `rank` cut.
fn items_of(region: &Region, rank: usize) -> Option<Vec<GreenNode>> {
    if region.rank > rank || region.root.children().len() == 0 {
        return None;
    }
    let children = region.root.children().map(|child| child.to_owned());
    if region.rank < rank {
        return Some(vec![GreenNode::new(Kind::Lines.into(), children)]);
    }
    children.map(NodeOrToken::into_node).collect()
}

/// What matters of the place of some items.
struct Place {
    /// The rank of the line ends between the items of their list.
    rank: usize,
    /// How many items of their list are not among them.
    others: usize,
    follower: Follower,
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

impl Place {
    fn of(stretch: &Stretch) -> Option<Self> {
        let parent = stretch.first.parent()?;
        let items = parent.green().children();
        let items = items.filter(|child| child.kind() == Kind::Lines.into());
        let taken = stretch.last.index() - stretch.first.index() + 1;
        Some(Self {
            rank: rank_between_items(&parent)?,
            others: items.count() - taken,
            follower: follower(&stretch.last),
        })
    }

    /// Whether what follows the items is lexed and cut off from them as before.
    fn fits_before_follower(&self, stretch: &Stretch, region: &Region) -> bool {
        if self.follower == Follower::EndOfDocument {
            return true;
        }
        let (Some(line_end), Some(old_line_end)) = (&region.line_end, stretch.last.last_token())
        else {
            return false;
        };
        if self.follower == Follower::Closer {
            return true;
        }
        let next = text_behind(&stretch.last);
        let old_rank = lines::rank(old_line_end.text(), &next, "");
        old_rank == lines::rank(&stretch.text[line_end.clone()], &next, "")
    }
}

/// Parses the text of a stretch whose parent is `parent`.
fn region<L: Bracketed>(stretch: &Stretch, parent: &SyntaxNode) -> Region {
    let depth = parent
        .ancestors()
        .filter(|node| !matches!(node.kind(), Kind::Root | Kind::Lines))
        .count();
    parse_region::<L>(&stretch.text, &text_behind(&stretch.last), depth)
}

/// Whether something in `region` would close `parent` or a node around it.
fn closes_around(region: &Region, parent: &SyntaxNode) -> bool {
    if region.strays.is_empty() {
        return false;
    }
    for node in parent.ancestors() {
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

/// Whether `node` has no space between it and a string. Two strings in a row may come to be one.
fn touches_string(node: &SyntaxNode) -> bool {
    let neighbours = [node.prev_sibling_or_token(), node.next_sibling_or_token()];
    let mut kinds = neighbours.into_iter().flatten().map(|it| it.kind());
    kinds.any(Kind::is_string)
}

/// Whether the token before `items` stays what it is, whatever they become: a word may become a key.
fn is_set_off(items: &Stretch) -> bool {
    let first = items.first.first_token();
    match first.and_then(|token| token.prev_token()) {
        Some(before) => {
            matches!(
                before.kind(),
                Kind::Newline | Kind::LParen | Kind::LBracket | Kind::LBrace
            ) || items.text.starts_with([' ', '\t', '\r', '\n'])
        }
        None => true,
    }
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

/// Whether the line end before the stretch keeps its rank, on which the first line has a say.
fn keeps_rank_before(stretch: &Stretch) -> bool {
    let mut before = String::new();
    let mut token = stretch.first.first_token().and_then(|it| it.prev_token());
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
    let old = before.clone() + &text_from(stretch.first.first_token());
    let old_rank = lines::rank(line_end.text(), &old, "");
    let new = before + &stretch.text;
    old_rank == lines::rank(line_end.text(), &new, &text_behind(&stretch.last))
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
