//! The parser: matches closing tokens with open groups on a stack, from left to right.
//!
//! A closing token closes the innermost matching node, and with it the unclosed nodes inside. Without a match, it
//! stays a plain token. Nothing in an interpolation closes anything outside.

mod closing;
mod lists;

use std::borrow::Cow;

use rowan::GreenNode;

pub(super) use lists::{List, innermost_list};

use super::{
    Bracketed, Kind, Role, Token,
    builder::{Builder, Checkpoint},
    groups::GroupCounts,
    pieces,
    recover::{HEAD, Opened, Scope, indentation, is_apart, still_open},
};
use crate::{
    cancel, parallel,
    rare::Rare,
    syntax::{room::make_room, runs::Elements as _},
};

/// The maximum number of open nodes. Deeper ones are still matched, but their tokens are flat in the innermost node
/// that exists.
pub const MAX_DEPTH: usize = 400;

/// Longer trees that are read once share their nodes, too, because the room that they take counts.
const SHORT: usize = 128 * 1024;

/// Parses a whole document, a long one on several threads.
pub fn parse<L: Bracketed>(text: &str) -> GreenNode {
    parse_whole::<L>(text, true)
}

/// The same for a tree that is read once.
pub fn parse_once<L: Bracketed>(text: &str) -> GreenNode {
    parse_whole::<L>(text, text.len() > SHORT)
}

fn parse_whole<L: Bracketed>(text: &str, shares_nodes: bool) -> GreenNode {
    if parallel::HAS_THREADS && text.len() >= 2 * pieces::PIECE {
        return pieces::parse::<L>(text, &pieces::cuts::<L>(text));
    }
    let around = Around {
        scope: L::scope_begun(text),
        is_line_start: true,
        ..Around::default()
    };
    parse_with::<L>(text, 0, around, shares_nodes).root
}

/// The context of a range of code.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    /// The nodes that are open at its start, outermost first.
    pub open: Vec<Opened>,
    /// The indentation of its first line.
    pub indent: usize,
    /// What that line begins.
    pub scope: Scope,
    /// Whether it begins at the start of the line.
    pub begins_line: bool,
    /// Whether only white space and comments precede it on the line.
    pub is_line_start: bool,
    /// The kind of the last token before it that is not trivia.
    pub last: Option<Kind>,
    /// The first bytes of the text after it.
    pub following: String,
}

/// The result of parsing a range of code separately.
pub(super) struct Region {
    /// Its nodes and tokens, below a root.
    pub root: GreenNode,
    /// The kinds of the tokens that close something outside.
    pub strays: Vec<Kind>,
    /// The context after it; fewer nodes are open if it ended some of them.
    pub around: Around,
    /// Whether a node is still open at the end.
    pub is_unclosed: bool,
    /// Whether its lexer left a string without closing it, or a token closes none of its groups: a lexer that was in an
    /// interpolation before may be outside after it.
    pub reaches_out: bool,
    /// Whether a list can be cut at its end: after a line end or a comma of ordinary code.
    pub is_cut: bool,
}

/// Parses `text`, which is below `depth` open nodes.
pub(super) fn parse_region<L: Bracketed>(text: &str, depth: usize, around: Around) -> Region {
    parse_with::<L>(text, depth, around, true)
}

fn parse_with<L: Bracketed>(
    text: &str,
    depth: usize,
    around: Around,
    shares_nodes: bool,
) -> Region {
    let mut parser = Parser::new(text, depth, around, shares_nodes);
    if parser.around.begins_line {
        parser.begin_line::<L>(0, false);
    }
    parser.read_to::<L>(text.len(), &mut L::lex(text));
    parser.finish()
}

pub(super) struct Parser<'t> {
    text: &'t str,
    pub offset: usize,
    depth: usize,
    pub builder: Builder,
    /// The list of elements of the root.
    pub root: List,
    pub open: Vec<Open>,
    /// The kinds of those inside of them that nest too deeply to be in the tree. There may be a million.
    pub beyond: Vec<Kind>,
    /// The open nodes: those around the text, then those of `open`, then those beyond.
    pub opened: Vec<Opened>,
    /// The number of those around the text.
    outer: usize,
    /// The number of open nodes of each kind of group, outside and inside each open interpolation. Most have none.
    pub groups: Vec<Rare<GroupCounts>>,
    pub strays: Vec<Kind>,
    pub around: Around,
    /// Whether the current token is the first on its line.
    is_first_in_line: bool,
    /// Whether a list may have to be cut before the next token.
    pub may_cut: bool,
    /// The nodes that ended of those that were begun before the text.
    pub ended: Vec<Ended>,
    reaches_out: bool,
}

/// An open node.
pub(super) struct Open {
    pub kind: Kind,
    pub place: Place,
}

/// The place of an open node in the tree.
pub(super) enum Place {
    /// It begins at a checkpoint.
    At(Checkpoint, List),
    /// Another parser begins it; these are the elements that this one adds.
    Before(List),
}

impl Place {
    /// Its place after the elements from `from` on moved to `to`.
    pub fn move_from(&mut self, from: usize, to: usize) {
        if let Self::At(checkpoint, list) = self {
            *checkpoint = *checkpoint - from + to;
            list.runs = list.runs.moved(from, to);
        }
    }
}

/// The end of a node that another parser begins.
pub(super) struct Ended {
    pub kind: Kind,
    /// Where its list of elements ends.
    pub list_end: Checkpoint,
    /// Where it ends, with its closing token.
    pub end: Checkpoint,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str, depth: usize, mut around: Around, shares_nodes: bool) -> Self {
        let builder = Builder::new(shares_nodes);
        let opened = std::mem::take(&mut around.open);
        Self {
            text,
            offset: 0,
            depth,
            root: List::new(&builder),
            builder,
            open: Vec::new(),
            beyond: Vec::new(),
            outer: opened.len(),
            opened,
            groups: vec![Rare::NONE],
            strays: Vec::new(),
            around,
            is_first_in_line: false,
            may_cut: true,
            ended: Vec::new(),
            reaches_out: false,
        }
    }

    /// Reads tokens up to the first that ends at `end` or after it.
    pub fn read_to<L: Bracketed>(&mut self, end: usize, tokens: &mut L::Lexer<'_>) {
        while self.offset < end
            && let Some(token) = tokens.next()
        {
            if token.kind == Kind::Newline {
                cancel::check();
                self.end_line::<L>(token);
            }
            self.token::<L>(token);
        }
    }

    /// Handles the line end `token`: which nodes the next line ends.
    fn end_line<L: Bracketed>(&mut self, token: Token) {
        self.end_interrupted_string(token.kind);
        let next = self.offset + usize::from(token.len);
        self.around.is_line_start = true;
        let newline = &self.text[self.offset..next];
        self.around.indent = indentation(newline);
        self.begin_line::<L>(next, is_apart(newline));
    }

    /// Ends the nodes that the line at `start` shows to be unclosed. A blank line is before it if it `is_apart`.
    fn begin_line<L: Bracketed>(&mut self, start: usize, is_apart: bool) {
        let code = head_at(self.text, start, &self.around.following);
        let code = code.as_ref();
        let indent = self.around.indent;
        for opened in self.opened.iter_mut().rev() {
            if opened.content().is_some() {
                break;
            }
            opened.follow_line(indent, is_apart);
        }
        self.around.scope = L::scope_begun(code);
        if code.is_empty() || self.opened.is_empty() {
            return;
        }
        let count = still_open::<L>(&self.opened, indent, code, self.around.last);
        while self.opened.len() > count.max(self.outer)
            && let Some(open) = self.pop()
        {
            self.end(open, None);
        }
        self.opened.truncate(count);
        self.outer = self.outer.min(count);
    }

    fn token<L: Bracketed>(&mut self, token: Token) {
        self.end_interrupted_string(token.kind);
        if self.builder.is_full() {
            self.make_room();
        }
        self.is_first_in_line = self.around.is_line_start;
        if !token.kind.is_trivia() {
            self.around.is_line_start = false;
            if let Some(opened) = self.opened.last_mut() {
                opened.is_inline.get_or_insert(true);
            }
        }
        match token.kind.role() {
            Role::Opens(kind) => self.open(kind, token),
            Role::Closes => self.close::<L>(token),
            Role::Stands => {
                self.cut_list(token.kind);
                self.add(token);
                self.note_cut(token.kind);
            }
        }
        if !token.kind.is_trivia() {
            self.around.last = Some(token.kind);
        }
    }

    /// Ends a string that its lexer left without closing it, as some hosts do at a line's end.
    #[inline]
    fn end_interrupted_string(&mut self, next: Kind) {
        if self.opened.last().is_some_and(|it| it.kind.is_string())
            && !next.is_string_part()
            && let Some(open) = self.pop()
        {
            self.reaches_out = true;
            self.end(open, None);
        }
    }

    /// Removes the innermost open node and returns its kind, with its place if it is in the tree.
    fn pop(&mut self) -> Option<(Kind, Option<Place>)> {
        match self.beyond.pop() {
            Some(kind) => Some((kind, None)),
            None => self.open.pop().map(|open| (open.kind, Some(open.place))),
        }
    }

    /// The kind of the innermost open node.
    fn innermost(&self) -> Option<Kind> {
        let last = || self.open.last().map(|open| open.kind);
        self.beyond.last().copied().or_else(last)
    }

    /// The list for the next element; `None` if lists nest too deeply.
    fn innermost_list(&mut self) -> Option<&mut List> {
        match self.beyond.is_empty() {
            true => Some(innermost_list(&mut self.open, &mut self.root)),
            false => None,
        }
    }

    fn open(&mut self, kind: Kind, token: Token) {
        self.cut_list(token.kind);
        let is_flat = self.depth + self.open.len() >= MAX_DEPTH;
        let checkpoint = self.builder.checkpoint();
        self.add(token);
        let line = (self.around.indent, self.around.scope);
        make_room(&mut self.opened, self.offset, self.text.len());
        let opened = Opened::new(kind, self.opened.last(), line, self.is_first_in_line);
        self.opened.push(opened);
        match is_flat {
            true => self.beyond.push(kind),
            false => self.open.push(Open {
                kind,
                place: Place::At(checkpoint, List::new(&self.builder)),
            }),
        }
        if kind == Kind::Interpolation {
            make_room(&mut self.groups, self.offset, self.text.len());
            self.groups.push(Rare::NONE);
        } else if let Some(counts) = self.groups.last_mut() {
            counts.make_mut().open(kind);
        }
    }

    /// Ends a node, which was removed from the stack, with its closing token.
    fn end(&mut self, (opened, place): (Kind, Option<Place>), closer: Option<Token>) {
        self.opened.pop();
        if opened == Kind::Interpolation {
            self.groups.pop();
        } else if let Some(counts) = self.groups.last_mut().and_then(Rare::get_mut) {
            counts.close(opened);
        }
        let kind = match closer {
            Some(token) if token.kind == Kind::KeyClose => Kind::QuotedKey,
            _ => opened,
        };
        match place {
            Some(Place::At(checkpoint, list)) => {
                list.runs.finish(&mut self.builder);
                self.add_closer(closer);
                self.builder.wrap(checkpoint, kind);
            }
            Some(Place::Before(list)) => {
                list.runs.finish(&mut self.builder);
                let list_end = self.builder.checkpoint();
                self.add_closer(closer);
                let end = self.builder.checkpoint();
                self.ended.push(Ended {
                    kind,
                    list_end,
                    end,
                });
                let list = List::new(&self.builder);
                if let Some(around) = self.innermost_list() {
                    *around = list;
                }
            }
            None => self.add_closer(closer),
        }
    }

    fn add_closer(&mut self, closer: Option<Token>) {
        if let Some(token) = closer {
            self.add(token);
        }
    }

    #[inline]
    fn add(&mut self, token: Token) {
        let end = self.offset + usize::from(token.len);
        self.builder.token(token.kind, &self.text[self.offset..end]);
        self.offset = end;
    }

    /// Ends what is still open.
    pub fn finish(mut self) -> Region {
        let is_unclosed = !(self.open.is_empty() && self.beyond.is_empty());
        let is_cut = self.root.is_cut && !is_unclosed;
        while let Some(open) = self.pop() {
            self.end(open, None);
        }
        self.root.runs.finish(&mut self.builder);
        self.opened.truncate(self.outer);
        self.around.open = self.opened;
        Region {
            root: self.builder.finish(),
            strays: self.strays,
            around: self.around,
            is_unclosed,
            reaches_out: self.reaches_out,
            is_cut,
        }
    }
}

/// The text from `start` on, together with `following` if needed.
pub(super) fn head_at<'t>(text: &'t str, start: usize, following: &str) -> Cow<'t, str> {
    let rest = &text[start..];
    if following.is_empty() || rest.trim_start().len() >= HEAD {
        return rest.into();
    }
    Cow::Owned([rest, following].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::{elixir::Elixir, lisp::Lisp},
        work,
    };

    /// A line that begins a definition ends what cannot contain it. Modules can be open one in another.
    #[test]
    fn twice_the_open_groups_are_twice_the_work() {
        let read = |count: usize| {
            let text = "defmodule A do\n".repeat(count);
            work::counted(|| parse_region::<Elixir>(&text, 0, Around::default()))
        };
        let (few, many) = (read(1_000), read(2_000));
        assert!(
            few > 0 && many <= 2 * few + few / 4,
            "{few} groups, then {many}"
        );
    }

    #[test]
    fn an_open_node_is_short() {
        assert_eq!(size_of::<Opened>(), 12);
    }

    #[test]
    fn what_nests_too_deeply_is_unclosed_too() {
        for depth in [0, MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1] {
            let is_unclosed =
                |text| parse_region::<Lisp>(text, depth, Around::default()).is_unclosed;
            assert!(is_unclosed("(a"), "{depth}");
            assert!(!is_unclosed("(a)"), "{depth}");
        }
    }
}
