//! The parser: a stack that matches what closes with what is open, left to right.
//!
//! A closing token closes the innermost node that it fits, and with it the unclosed ones inside. Where
//! it fits none, it stays a token where it stands. Nothing in an interpolation closes anything outside.

use rowan::GreenNode;

use super::{
    Bracketed, Kind, Role, Token,
    builder::{Builder, Checkpoint},
    groups::GroupCounts,
};
use crate::syntax::runs::{Elements as _, Runs};

/// How many nodes may be open at once. What nests deeper is matched all the same, but its tokens stand
/// flat in the innermost node that is left.
pub const MAX_DEPTH: usize = 400;

/// Parses a whole document.
pub fn parse<L: Bracketed>(text: &str) -> GreenNode {
    parse_region::<L>(text, 0).root
}

/// What a stretch of code comes to when it is parsed alone.
pub(super) struct Region {
    /// Its nodes and tokens, below a root.
    pub root: GreenNode,
    /// The kinds of the tokens that close something outside, if anything.
    pub strays: Vec<Kind>,
    /// Whether a node was still open at the end.
    pub is_unclosed: bool,
    /// Whether a list can be cut where it ends: behind a line end or a comma of ordinary code.
    pub is_cut: bool,
}

/// Parses `text`, which stands below `depth` open nodes.
pub(super) fn parse_region<L: Bracketed>(text: &str, depth: usize) -> Region {
    let mut parser = Parser::new(text, depth);
    for token in L::lex(text) {
        parser.token(token);
    }
    parser.finish()
}

struct Parser<'t> {
    text: &'t str,
    offset: usize,
    depth: usize,
    builder: Builder,
    /// The list of elements of the root.
    root: List,
    open: Vec<Open>,
    /// How many nodes of each kind of group are open, outside and inside each open interpolation.
    groups: Vec<GroupCounts>,
    strays: Vec<Kind>,
}

/// A node that waits for what closes it.
struct Open {
    kind: Kind,
    /// Where it stands in the tree, `None` where the nesting is too deep for a node.
    place: Option<Place>,
}

struct Place {
    checkpoint: Checkpoint,
    list: List,
}

/// A list of elements that is being added to.
struct List {
    runs: Runs,
    /// Whether a line end or a comma was added last.
    is_cut: bool,
}

impl List {
    fn new(builder: &Builder) -> Self {
        Self {
            runs: Runs::new(builder),
            is_cut: false,
        }
    }
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, depth: usize) -> Self {
        let builder = Builder::new();
        Self {
            text,
            offset: 0,
            depth,
            root: List::new(&builder),
            builder,
            open: Vec::new(),
            groups: vec![GroupCounts::default()],
            strays: Vec::new(),
        }
    }

    fn token(&mut self, token: Token) {
        self.end_interrupted_string(token.kind);
        match token.kind.role() {
            Role::Opens(kind) => self.open(kind, token),
            Role::Closes => self.close(token),
            Role::Stands => {
                self.cut_list(token.kind);
                self.add(token);
                self.note_cut(token.kind);
            }
        }
    }

    /// Ends a string that its lexer left without closing it, as some hosts do at a line's end.
    fn end_interrupted_string(&mut self, next: Kind) {
        if next.is_string_part() {
            return;
        }
        if let Some(open) = self.open.pop_if(|open| open.kind.is_string()) {
            self.end(open, None);
        }
    }

    fn open(&mut self, kind: Kind, token: Token) {
        self.cut_list(token.kind);
        let is_flat = self.depth + self.open.len() >= MAX_DEPTH;
        let checkpoint = self.builder.checkpoint();
        self.add(token);
        self.open.push(Open {
            kind,
            place: (!is_flat).then(|| Place {
                checkpoint,
                list: List::new(&self.builder),
            }),
        });
        if kind == Kind::Interpolation {
            self.groups.push(GroupCounts::default());
        } else if let Some(counts) = self.groups.last_mut() {
            counts.open(kind);
        }
    }

    fn close(&mut self, token: Token) {
        if !self.has_open(token.kind) {
            self.cut_list(token.kind);
            self.add(token);
            self.strays.push(token.kind);
            return;
        }
        while let Some(open) = self.open.pop() {
            let is_closed = token.kind.closes(open.kind);
            self.end(open, is_closed.then_some(token));
            if is_closed {
                return;
            }
        }
    }

    /// Whether a token of the kind `closer` has a node to close.
    fn has_open(&self, closer: Kind) -> bool {
        match closer {
            Kind::InterpolationClose => self.groups.len() > 1,
            Kind::StringClose | Kind::KeyClose => {
                let innermost = self.open.last();
                innermost.is_some_and(|open| closer.closes(open.kind))
            }
            _ => self.groups.last().is_some_and(|counts| counts.has(closer)),
        }
    }

    /// Ends a node, which is no longer on the stack, with the token that closes it.
    fn end(&mut self, open: Open, closer: Option<Token>) {
        if open.kind == Kind::Interpolation {
            self.groups.pop();
        } else if let Some(counts) = self.groups.last_mut() {
            counts.close(open.kind);
        }
        let place = open.place.map(|place| {
            place.list.runs.finish(&mut self.builder);
            place.checkpoint
        });
        if let Some(token) = closer {
            self.add(token);
        }
        let kind = match closer {
            Some(token) if token.kind == Kind::KeyClose => Kind::QuotedKey,
            _ => open.kind,
        };
        if let Some(checkpoint) = place {
            self.builder.wrap(checkpoint, kind);
        }
    }

    fn add(&mut self, token: Token) {
        let end = self.offset + usize::from(token.len);
        self.builder.token(token.kind, &self.text[self.offset..end]);
        self.offset = end;
    }

    /// Remembers that the list can be cut behind a token of the kind `kind`, if it can.
    fn note_cut(&mut self, kind: Kind) {
        if let Some(list) = innermost_list(&mut self.open, &mut self.root) {
            list.is_cut = matches!(kind, Kind::Newline | Kind::Comma);
        }
    }

    /// Cuts the list before a token of the kind `next`, if it can be; a comma stays with its line end.
    fn cut_list(&mut self, next: Kind) {
        let Some(list) = innermost_list(&mut self.open, &mut self.root) else {
            return;
        };
        if std::mem::take(&mut list.is_cut) && next != Kind::Newline {
            list.runs.cut(&mut self.builder);
        }
    }

    fn finish(mut self) -> Region {
        let is_unclosed = !self.open.is_empty();
        let is_cut = self.root.is_cut && !is_unclosed;
        while let Some(open) = self.open.pop() {
            self.end(open, None);
        }
        self.root.runs.finish(&mut self.builder);
        Region {
            root: self.builder.finish(),
            strays: self.strays,
            is_unclosed,
            is_cut,
        }
    }
}

/// The list that the next element goes to; `None` where the nesting is too deep for lists.
fn innermost_list<'a>(open: &'a mut [Open], root: &'a mut List) -> Option<&'a mut List> {
    match open.last_mut() {
        None => Some(root),
        Some(open) => open.place.as_mut().map(|place| &mut place.list),
    }
}
