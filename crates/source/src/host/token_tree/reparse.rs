//! Incremental reparse: the ranges of a token tree that can be parsed separately.
//!
//! These are closed groups and strings, and runs of a list between their neighbors. Each is parsed like a document,
//! and accepted if it could not have been parsed differently in its place: it closes nothing outside, and leaves
//! nothing open.

use std::marker::PhantomData;

use rowan::{Direction, GreenNode, GreenNodeData, NodeOrToken};

use super::{
    Bracketed, Element, Host, Kind, Role, SyntaxElement, SyntaxNode, SyntaxToken,
    parse::{Around, MAX_DEPTH, Region, parse_region},
    recover::{HEAD, NextCode, Opened, Scope, head, indentation, is_apart},
};
use crate::{
    host::HAS_SMALL_STEPS,
    syntax::reparse::{self, Grammar, GreenElement, Reparsed, push_text},
    text::{TextEdit, TextSize},
};

/// Applies `edit` to a tree of the host `L`; `None` if a full parse is needed.
pub fn reparse<L: Bracketed>(green: &GreenNode, edit: &TextEdit) -> Option<Reparsed> {
    reparse::reparse(&TokenTrees::<L>(PhantomData), green, edit)
}

/// The token trees of the host `L`, as a grammar.
struct TokenTrees<L>(PhantomData<L>);

impl<L: Bracketed> Grammar for TokenTrees<L> {
    type Language = Host;

    const RUN: Option<Kind> = match HAS_SMALL_STEPS {
        true => Some(Kind::Lines),
        false => None,
    };

    fn stands_alone(&self, kind: Kind) -> bool {
        kind.is_group() || kind.is_string()
    }

    fn reparse_node(&self, node: &SyntaxNode, text: &str) -> Option<GreenNode> {
        let place = Place::new(node, node, text)?;
        if !is_closed(node.green()) || touches_string(node) {
            return None;
        }
        let region = place.parse::<L>()?;
        if region.is_unclosed || place.is_closed_by::<L>(&region) {
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
        if !place.is_set_off() || !place.is_cut() || place.is_flat() {
            return None;
        }
        let region = place.parse::<L>()?;
        if place.is_closed_by::<L>(&region) || !place.is_followed_as_before(&region) {
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

/// A text that replaces some neighbors.
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

    /// Parses the text; `None` if it changes how the text around it is parsed.
    fn parse<L: Bracketed>(&self) -> Option<Region> {
        let nodes = self.parent.ancestors();
        let nodes = nodes.filter(|node| !matches!(node.kind(), Kind::Root | Kind::Lines));
        let nodes: Vec<_> = nodes.collect();
        let old = self.old_text();
        let token_before = self.token_before();
        let kind_before = token_before.as_ref().map(SyntaxToken::kind);
        let has_lines = old.contains('\n') || self.text.contains('\n');
        if self.changes_closer_before::<L>(&old, token_before.as_ref())
            || self.changes_line_begun_before::<L>(&old, token_before.clone())
        {
            return None;
        }
        if !has_lines && !matches!(kind_before, None | Some(Kind::Newline | Kind::Do)) {
            return Some(parse_region::<L>(self.text, nodes.len(), Around::default()));
        }
        if head(&old) != head(self.text) && token_before.as_ref().is_some_and(follows_unclosed) {
            return None;
        }
        let around = self.around::<L>(&nodes)?;
        let before = parse_region::<L>(&old, nodes.len(), around.clone()).around;
        let region = parse_region::<L>(self.text, nodes.len(), around);
        let after = &region.around;
        let line = |around: &Around| (around.indent, around.scope);
        let goes_on = |around: &Around| around.last.is_some_and(L::goes_on);
        let is_as_before = before.open == after.open
            && goes_on(&before) == goes_on(after)
            && (line(&before) == line(after) || self.opens_nothing_after());
        is_as_before.then_some(region)
    }

    /// The context of the text.
    fn around<L: Bracketed>(&self, nodes: &[SyntaxNode]) -> Option<Around> {
        let start = self.first.text_range().start();
        let mut open = Vec::with_capacity(nodes.len());
        for node in nodes.iter().rev() {
            open.push(opened::<L>(node, open.last(), start)?);
        }
        let before = self.token_before();
        let (indent, scope) = match &before {
            Some(token) => line_of::<L>(token)?,
            None => (0, L::scope_begun(self.text)),
        };
        let mut before_trivia =
            tokens_before(before.clone()).skip_while(|it| it.kind().is_trivia());
        Some(Around {
            open,
            indent,
            scope,
            begins_line: before.as_ref().is_some_and(|it| it.kind() == Kind::Newline),
            is_line_start: is_line_start(before),
            last: before_trivia.next().map(|it| it.kind()),
            following: text_from(self.last.last_token().and_then(|it| it.next_token())),
        })
    }

    /// Whether the closing token before the text may now close something else.
    fn changes_closer_before<L: Bracketed>(
        &self,
        old: &str,
        token_before: Option<&SyntaxToken>,
    ) -> bool {
        let code = |text: &str| {
            let blank = [' ', '\t', '\r', '\n'];
            let next = head(text.trim_start_matches(blank));
            // Behind a bracket that closes nothing, more text decides.
            let decisive = if next.starts_with([']', '}']) {
                next
            } else {
                ""
            };
            (
                L::is_after_closer(next),
                NextCode::of(text),
                decisive.to_owned(),
            )
        };
        let mut before = tokens_before(token_before.cloned()).map(|it| it.kind());
        let last = before
            .find(|kind| !matches!(kind, Kind::Whitespace | Kind::Newline | Kind::Comma))
            .filter(|kind| kind.is_closing_bracket() || *kind == Kind::End);
        code(old) != code(self.text) && last.is_some()
    }

    /// Whether the line that the text continues now begins something else, so that other groups are open in it, or those
    /// that it opened are of another kind.
    fn changes_line_begun_before<L: Bracketed>(
        &self,
        old: &str,
        token_before: Option<SyntaxToken>,
    ) -> bool {
        let mut before = Vec::new();
        let mut len = 0;
        let mut newline = None;
        for token in tokens_before(token_before) {
            if token.kind() == Kind::Newline {
                newline = Some(token);
                break;
            }
            len += token.text().len();
            if len >= HEAD {
                return false;
            }
            before.push(token);
        }
        if before.is_empty() {
            return false;
        }
        let prefix: String = before.iter().rev().map(SyntaxToken::text).collect();
        let indent = newline.as_ref().map_or(0, |it| indentation(it.text()));
        let line = |text: &str| prefix.clone() + head(text);
        if line_facts::<L>(&line(old), indent) == line_facts::<L>(&line(self.text), indent) {
            return false;
        }
        let is_group = |node: &SyntaxNode| !matches!(node.kind(), Kind::Root | Kind::Lines);
        let line_start = newline.as_ref().map(|it| it.text_range().end());
        let mut groups = self.parent.ancestors().filter(is_group);
        groups.any(|it| Some(it.text_range().start()) >= line_start)
            || newline.is_some_and(|it| {
                it.parent_ancestors().any(|node| is_group(&node)) || follows_unclosed(&it)
            })
    }

    /// Whether nothing on the line where the text ends is open across its end.
    fn opens_nothing_after(&self) -> bool {
        let next = self.last.last_token().and_then(|it| it.next_token());
        let mut open_to = TextSize::default();
        for token in std::iter::successors(next, SyntaxToken::next_token).take(MOST_TOKENS) {
            if token.kind() == Kind::Newline {
                return open_to <= token.text_range().start();
            }
            if matches!(token.kind().role(), Role::Opens(_)) {
                // What nests too deeply has no node.
                let group = token
                    .parent()
                    .filter(|it| it.first_token().as_ref() == Some(&token));
                let Some(group) = group.filter(|it| is_closed(it.green())) else {
                    return false;
                };
                open_to = open_to.max(group.text_range().end());
            }
        }
        false
    }

    fn token_before(&self) -> Option<SyntaxToken> {
        self.first.first_token()?.prev_token()
    }

    /// The replaced nodes.
    fn old_nodes(&self) -> impl Iterator<Item = SyntaxNode> {
        let siblings = std::iter::successors(Some(self.first.clone()), SyntaxNode::next_sibling);
        siblings.take(self.last.index() - self.first.index() + 1)
    }

    /// The replaced text.
    fn old_text(&self) -> String {
        let mut text = String::new();
        for node in self.old_nodes() {
            push_text(node.green(), &mut text);
        }
        text
    }

    /// Whether something in `region` would close the parent, or a node around it.
    fn is_closed_by<L: Bracketed>(&self, region: &Region) -> bool {
        let closes = |node: &SyntaxNode| region.strays.iter().any(|it| it.closes(node.kind()));
        let is_closed = !region.strays.is_empty() && self.parent.ancestors().any(|it| closes(&it));
        is_closed || L::INTERPOLATES && self.is_lexed_with_more::<L>(region)
    }

    /// Whether the old or new text may change what a lexer is in: it leaves strings together with the interpolations
    /// around them, and matches brackets in these regardless of lines, so that some may be open that are not around this.
    fn is_lexed_with_more<L: Bracketed>(&self, region: &Region) -> bool {
        let is_code = |node: SyntaxNode| node.kind() == Kind::Interpolation;
        let reached_out = || self.old_nodes().any(|it| reaches_out(it.green()));
        (region.reaches_out || reached_out())
            && (self.parent.ancestors().any(is_code) || self.follows_open_interpolation::<L>())
    }

    /// Whether the lexer is in an interpolation that the tree ended before, as far as the tokens before show.
    fn follows_open_interpolation<L: Bracketed>(&self) -> bool {
        let mut closed = 0;
        for token in tokens_before(self.token_before()).take(MOST_TOKENS_IN_STRING) {
            match token.kind() {
                Kind::InterpolationClose => closed += 1,
                Kind::InterpolationOpen if closed == 0 => return true,
                Kind::InterpolationOpen => closed -= 1,
                Kind::Newline => {
                    let code = text_from(token.next_token());
                    if L::begins_definition(&code, indentation(token.text())) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Whether the token before remains the same whatever the text is: a word may become a key.
    fn is_set_off(&self) -> bool {
        let Some(before) = neighbor(self.first.clone().into(), Direction::Prev) else {
            return true;
        };
        match before {
            NodeOrToken::Node(node) => {
                let last = node.last_token().map(|it| it.kind());
                last == Some(Kind::Newline)
            }
            NodeOrToken::Token(token) => match token.kind() {
                Kind::Newline | Kind::Comma | Kind::LParen | Kind::LBracket | Kind::LBrace => true,
                kind => {
                    let is_opening = matches!(kind.role(), Role::Opens(_));
                    is_opening && self.text.starts_with([' ', '\t', '\r', '\n'])
                }
            },
        }
    }

    /// Whether the list can be cut after the old text. A list that is too long is divided elsewhere, too.
    fn is_cut(&self) -> bool {
        let last = self.last.last_token().map(|it| it.kind());
        matches!(last, Some(Kind::Newline | Kind::Comma)) || is_last(self.last)
    }

    /// Whether its brackets are not nodes: it is in a string, or nests too deeply.
    fn is_flat(&self) -> bool {
        let nodes = self.parent.ancestors().map(|node| node.kind());
        let mut nodes = nodes.filter(|kind| !matches!(kind, Kind::Root | Kind::Lines));
        nodes.next().is_some_and(Kind::is_string) || nodes.count() + 1 >= MAX_DEPTH
    }

    /// Whether the following text is lexed as before, and still at the same depth.
    fn is_followed_as_before(&self, region: &Region) -> bool {
        let after = self.last.last_token().and_then(|it| it.next_token());
        // A line end takes all white space after it.
        let joins_after = after.is_some_and(|it| it.kind() == Kind::Newline)
            && self.text.ends_with(['\n', ' ', '\t']);
        region.is_cut && !joins_after || is_last(self.last)
    }
}

/// What the start of a line tells about open groups.
fn line_facts<L: Bracketed>(code: &str, indent: usize) -> impl PartialEq + use<L> {
    let code = head(code);
    let is_definition = L::begins_definition(code, indent);
    let scope = L::scope_begun(code);
    let ends_groups = L::ends_groups(code, indent);
    let is_statement = indent == 0 && L::begins_statement(code);
    (
        is_definition,
        scope,
        ends_groups,
        is_statement,
        L::misplaced_in(code),
    )
}

/// The maximum length of a line that is examined.
const MOST_TOKENS: usize = 0x10000;

/// The number of tokens among which an interpolation is looked for that only a lexer is in.
const MOST_TOKENS_IN_STRING: usize = 4096;

fn tokens_before(token: Option<SyntaxToken>) -> impl Iterator<Item = SyntaxToken> {
    std::iter::successors(token, SyntaxToken::prev_token)
}

/// The first few bytes of the document from `token` on.
fn text_from(token: Option<SyntaxToken>) -> String {
    let mut text = String::new();
    for token in std::iter::successors(token, SyntaxToken::next_token) {
        text.push_str(token.text());
        if text.trim_start().len() >= HEAD {
            break;
        }
    }
    text
}

/// The indentation of the line at `token`, and what the line begins; `None` if the line is too long.
/// After a line end, that is the next line.
fn line_of<L: Bracketed>(token: &SyntaxToken) -> Option<(usize, Scope)> {
    for before in tokens_before(Some(token.clone())).take(MOST_TOKENS) {
        if before.kind() == Kind::Newline {
            let code = text_from(before.next_token());
            return Some((indentation(before.text()), L::scope_begun(&code)));
        }
        if before.prev_token().is_none() {
            return Some((0, L::scope_begun(&text_from(Some(before)))));
        }
    }
    None
}

/// Whether the text after `before` is the first on its line.
fn is_line_start(before: Option<SyntaxToken>) -> bool {
    let is_blank = |it: &SyntaxToken| matches!(it.kind(), Kind::Whitespace | Kind::Comment);
    let before = tokens_before(before).find(|it| !is_blank(it));
    before.is_none_or(|it| it.kind() == Kind::Newline)
}

/// The facts about `node`, in the one `around` it, before the token at `end`.
fn opened<L: Bracketed>(
    node: &SyntaxNode,
    around: Option<&Opened>,
    end: TextSize,
) -> Option<Opened> {
    let opener = node.first_token()?;
    let line = line_of::<L>(&opener)?;
    let is_first = is_line_start(opener.prev_token());
    let mut opened = Opened::new(node.kind(), around, line, is_first);
    let inside = std::iter::successors(opener.next_token(), SyntaxToken::next_token);
    for (count, token) in inside.enumerate() {
        if token.text_range().start() >= end {
            break;
        }
        if token.kind() == Kind::Newline {
            opened.follow_line(indentation(token.text()), is_apart(token.text()));
            break;
        }
        if !token.kind().is_trivia() {
            opened.is_inline.get_or_insert(true);
        }
        if count == MOST_TOKENS {
            return None;
        }
    }
    Some(opened)
}

/// Whether the node that ends at the line end `newline` was unclosed: the next line may have ended it.
fn follows_unclosed(newline: &SyntaxToken) -> bool {
    let before = neighbor(newline.clone().into(), Direction::Prev);
    let before = before.as_ref().and_then(|it| it.as_node());
    before.is_some_and(|it| !is_closed(it.green()))
}

/// The next element in a list, runs seen through.
fn neighbor(mut element: SyntaxElement, direction: Direction) -> Option<SyntaxElement> {
    let mut beside = loop {
        let beside = match direction {
            Direction::Prev => element.prev_sibling_or_token(),
            Direction::Next => element.next_sibling_or_token(),
        };
        if let Some(beside) = beside {
            break beside;
        }
        let list = element.parent();
        element = list.filter(|it| it.kind() == Kind::Lines)?.into();
    };
    while let Some(lines) = beside.as_node().filter(|it| it.kind() == Kind::Lines) {
        beside = match direction {
            Direction::Prev => lines.last_child_or_token()?,
            Direction::Next => lines.first_child_or_token()?,
        };
    }
    Some(beside)
}

/// Whether `node` is directly next to a string. Two adjacent strings may become one.
fn touches_string(node: &SyntaxNode) -> bool {
    [Direction::Prev, Direction::Next].iter().any(|direction| {
        let beside = neighbor(node.clone().into(), *direction);
        beside.is_some_and(|it| it.kind().is_string())
    })
}

/// Whether `node` contains a string that is not closed, or a closing token that is not the end of its group.
fn reaches_out(node: &GreenNodeData) -> bool {
    let is_closed = is_closed(node);
    if !is_closed && Kind::from_raw(node.kind()).is_string() {
        return true;
    }
    let inside = node.children().len() - usize::from(is_closed);
    node.children().take(inside).any(|child| match child {
        NodeOrToken::Node(node) => reaches_out(node),
        NodeOrToken::Token(token) => Kind::from_raw(token.kind()).role() == Role::Closes,
    })
}

fn is_closed(node: &GreenNodeData) -> bool {
    Element::node(node, TextSize::default()).is_closed()
}

/// Whether `node` is at the end of the document.
fn is_last(node: &SyntaxNode) -> bool {
    let mut around = node.ancestors();
    around.all(|node| node.next_sibling_or_token().is_none())
}
