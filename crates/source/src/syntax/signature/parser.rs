//! The parser: tokens in, a green tree out. The grammar is in `grammar`.

use std::borrow::Cow;

use rowan::{GreenNode, NodeOrToken};

use super::{
    brackets::match_brackets,
    lexer::{Token, lex},
};
use crate::syntax::{
    decode::unescaped, error::ErrorKind, fragment::Fragment, kind::SyntaxKind, pairing::Role,
    reparse::GreenElement, shared::Shared,
};

/// The maximum depth of brackets; deeper ones become one flat error node. Dropping or comparing a tree recurses, so
/// this bounds the stack of every user of a tree.
pub(super) const MAX_DEPTH: usize = 320;

/// A position between the finished elements.
pub(super) type Checkpoint = usize;

/// Lookahead tables, so that looking ahead takes constant time.
#[derive(Clone, Copy)]
struct Ahead {
    /// The first token from here on that is not trivia.
    significant: usize,
    /// The end of the adjacent tokens from here on that form one word.
    word_end: usize,
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    brackets: Vec<Option<Role>>,
    ahead: Vec<Ahead>,
    shared: Shared,
    /// The finished nodes and tokens.
    elements: Vec<GreenElement>,
    /// The kind of each unfinished node, and its first element.
    open: Vec<(SyntaxKind, Checkpoint)>,
    /// The next token.
    pos: usize,
    /// The token at which the contents of the innermost bracket end.
    pub(super) end: usize,
    pub(super) depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(fragment: Fragment<'a>, depth: usize) -> Self {
        let tokens = lex(fragment);
        let brackets = match_brackets(tokens.iter().map(|token| token.kind));
        let ahead = look_ahead(fragment.text, &tokens, &brackets);
        let end = tokens.len();
        Self {
            text: fragment.text,
            tokens,
            brackets,
            ahead,
            shared: Shared::default(),
            elements: Vec::with_capacity(end),
            open: Vec::with_capacity(16),
            pos: 0,
            end,
            depth,
        }
    }

    pub(super) fn finish(mut self) -> GreenNode {
        match self.elements.pop() {
            Some(NodeOrToken::Node(root)) if self.elements.is_empty() => root,
            // Every grammar wraps all of its tokens in one node.
            last => GreenNode::new(
                SyntaxKind::Signature.into(),
                self.elements.into_iter().chain(last).collect::<Vec<_>>(),
            ),
        }
    }

    pub(super) fn kinds(&self) -> Vec<SyntaxKind> {
        self.tokens.iter().map(|token| token.kind).collect()
    }

    pub(super) fn brackets(&self) -> &[Option<Role>] {
        &self.brackets
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// Parses with the contents ending at `end`.
    pub(super) fn within(&mut self, end: usize, parse: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.end, end);
        parse(self);
        self.end = outer;
    }

    /// The kind of the token at `index`, if it is in the innermost brackets.
    pub(super) fn kind_at(&self, index: usize) -> Option<SyntaxKind> {
        (index < self.end).then(|| self.tokens[index].kind)
    }

    /// The kind of the token at `index`, which must exist.
    pub(super) fn kind(&self, index: usize) -> SyntaxKind {
        self.tokens[index].kind
    }

    /// The value of the token at `index`.
    pub(super) fn text_at(&self, index: usize) -> Cow<'a, str> {
        unescaped(&self.text[self.tokens[index].range])
    }

    /// The index of the first token from `index` on that is not trivia.
    pub(super) fn significant(&self, index: usize) -> usize {
        let ahead = self.ahead.get(index);
        ahead.map_or(self.end, |it| it.significant.min(self.end))
    }

    /// The index after the adjacent characters at `index` that form one word.
    pub(super) fn word_end(&self, index: usize) -> usize {
        let ahead = self.ahead.get(index).filter(|_| index < self.end);
        ahead.map_or(index, |it| it.word_end.min(self.end))
    }

    /// The kind of the next token that is not trivia.
    pub(super) fn peek(&self) -> Option<SyntaxKind> {
        self.kind_at(self.significant(self.pos))
    }

    /// The kind of the next token, including trivia.
    pub(super) fn current(&self) -> Option<SyntaxKind> {
        self.kind_at(self.pos)
    }

    pub(super) fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// White space, and errors that can be skipped: the text around them is parsed as if they were absent.
    fn is_trivia(&self, index: usize) -> bool {
        is_trivia(self.tokens[index], self.brackets[index])
    }

    pub(super) fn bump_trivia(&mut self) {
        while self.pos < self.end && self.is_trivia(self.pos) {
            match self.tokens[self.pos].kind {
                SyntaxKind::Whitespace => self.bump(),
                SyntaxKind::OddSpace => self.error_token(ErrorKind::OddSpace),
                SyntaxKind::Comment => self.error_token(ErrorKind::CommentInSignature),
                _ => self.error_token(ErrorKind::StrayCloser),
            }
        }
    }

    /// Adds the next token to the tree.
    pub(super) fn bump(&mut self) {
        let Token { kind, range } = self.tokens[self.pos];
        self.elements
            .push(self.shared.token(kind.into(), &self.text[range]).into());
        self.pos += 1;
    }

    pub(super) fn bump_until(&mut self, index: usize) {
        while self.pos < index {
            self.bump();
        }
    }

    pub(super) fn start(&mut self, kind: SyntaxKind) {
        self.start_at(self.checkpoint(), kind);
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        self.elements.len()
    }

    pub(super) fn start_at(&mut self, checkpoint: Checkpoint, kind: SyntaxKind) {
        self.open.push((kind, checkpoint));
    }

    pub(super) fn finish_node(&mut self) {
        if let Some((kind, first)) = self.open.pop() {
            let node = self.shared.node(kind.into(), &mut self.elements, first);
            self.elements.push(node.into());
        }
    }

    /// An empty error node: something is missing here.
    pub(super) fn missing(&mut self, error: ErrorKind) {
        self.error_until(error, self.pos);
    }

    /// An error node around the next token.
    pub(super) fn error_token(&mut self, error: ErrorKind) {
        self.error_until(error, self.pos + 1);
    }

    /// An error node around the tokens before the one at `index`.
    pub(super) fn error_until(&mut self, error: ErrorKind, index: usize) {
        self.start(SyntaxKind::Error(error));
        self.bump_until(index);
        self.finish_node();
    }
}

fn is_trivia(token: Token, bracket: Option<Role>) -> bool {
    match token.kind {
        SyntaxKind::Whitespace | SyntaxKind::OddSpace | SyntaxKind::Comment => true,
        _ => bracket == Some(Role::Stray),
    }
}

/// Whether the token is a part of a word, valid or not.
fn is_of_word(token: Token, text: &str) -> bool {
    use SyntaxKind::{Escape, Hole, Ident, Number, Unknown};
    match token.kind {
        Unknown => &text[token.range] != ";",
        kind => matches!(kind, Ident | Number | Escape | Hole),
    }
}

fn look_ahead(text: &str, tokens: &[Token], brackets: &[Option<Role>]) -> Vec<Ahead> {
    let mut next = Ahead {
        significant: tokens.len(),
        word_end: tokens.len(),
    };
    let mut ahead = vec![next; tokens.len()];
    for (index, &token) in tokens.iter().enumerate().rev() {
        if !is_trivia(token, brackets[index]) {
            next.significant = index;
        }
        if !is_of_word(token, text) {
            next.word_end = index;
        }
        ahead[index] = next;
    }
    ahead
}
