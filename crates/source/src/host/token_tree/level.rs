//! Iterates over the elements of one node, across its runs.

use rowan::{GreenNode, GreenNodeData, GreenToken, GreenTokenData, NodeOrToken};

use super::Kind;
use crate::{
    syntax::reparse::push_text,
    text::{TextRange, TextSize},
};

/// A node or token of a tree and its place.
#[derive(Debug, Clone, Copy)]
pub struct Element<'t> {
    /// Where it is, in bytes of the document.
    pub range: TextRange,
    green: Green<'t>,
}

/// Each with its kind, which takes no room beside the tag. A list of elements may be as long as its text.
#[derive(Debug, Clone, Copy)]
enum Green<'t> {
    Node(Kind, &'t GreenNodeData),
    Token(Kind, &'t GreenTokenData),
}

type GreenElement<'t> = NodeOrToken<&'t GreenNodeData, &'t GreenTokenData>;

impl<'t> Element<'t> {
    /// The element of `node`, which begins at `start`.
    pub fn node(node: &'t GreenNodeData, start: TextSize) -> Self {
        Self::at(start, NodeOrToken::Node(node))
    }

    #[inline]
    fn at(start: TextSize, green: GreenElement<'t>) -> Self {
        let kind = Kind::from_raw(green.kind());
        Self {
            range: TextRange::at(start, green.text_len()),
            green: match green {
                NodeOrToken::Node(node) => Green::Node(kind, node),
                NodeOrToken::Token(token) => Green::Token(kind, token),
            },
        }
    }

    /// What it is.
    #[inline]
    pub fn kind(&self) -> Kind {
        match self.green {
            Green::Node(kind, _) | Green::Token(kind, _) => kind,
        }
    }

    /// It if it is a node.
    pub fn as_node(&self) -> Option<&'t GreenNodeData> {
        match self.green {
            Green::Node(_, node) => Some(node),
            Green::Token(..) => None,
        }
    }

    /// It in its tree.
    pub(super) fn green(&self) -> GreenElement<'t> {
        match self.green {
            Green::Node(_, node) => NodeOrToken::Node(node),
            Green::Token(_, token) => NodeOrToken::Token(token),
        }
    }

    /// Its text if it is a token; `""` for nodes.
    pub fn text(&self) -> &'t str {
        match self.green {
            Green::Token(_, token) => token.text(),
            Green::Node(..) => "",
        }
    }

    /// The text of its first token, if it begins with one.
    pub fn opening(&self) -> &'t str {
        let first = self
            .as_node()
            .and_then(|it| it.children().next()?.into_token());
        first.map_or("", |it| it.text())
    }

    /// Whether it reads like `other`, wherever they are.
    pub fn is_like(&self, other: &Self) -> bool {
        self.range.len() == other.range.len() && self.green() == other.green()
    }

    /// The elements in it, from opening to closing token; none for tokens.
    pub fn elements(&self) -> Level<'t> {
        self.elements_in(TextRange::up_to(TextSize::from(u32::MAX)))
    }

    /// Its elements that overlap `range`.
    pub fn elements_in(&self, range: TextRange) -> Level<'t> {
        let children = self.as_node().map(GreenNodeData::children);
        Level {
            range,
            innermost: children.map(|it| (it, self.range.start())),
            around: Vec::new(),
        }
    }

    /// Whether it is a node that begins and ends with its delimiters.
    pub fn is_closed(&self) -> bool {
        let last = self.as_node().and_then(|it| it.children().next_back());
        last.is_some_and(|last| {
            let last = Kind::from_raw(last.kind());
            last.closes(self.kind()) || last == Kind::KeyClose
        })
    }

    /// The text of a node or token, put together.
    pub fn full_text(&self) -> String {
        let mut text = String::with_capacity(self.range.len().into());
        match self.green {
            Green::Token(_, token) => text.push_str(token.text()),
            Green::Node(_, node) => push_text(node, &mut text),
        }
        text
    }
}

/// An element that outlives its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    start: TextSize,
    green: NodeOrToken<GreenNode, GreenToken>,
}

impl Kept {
    /// Stores `element`; its place is relative to `from`.
    pub fn new(element: &Element<'_>, from: TextSize) -> Self {
        Self {
            start: element.range.start() - from,
            green: match element.green {
                Green::Node(_, node) => NodeOrToken::Node(node.to_owned()),
                Green::Token(_, token) => NodeOrToken::Token(token.to_owned()),
            },
        }
    }

    /// The same relative to a place `by` bytes earlier.
    pub fn moved_by(&self, by: TextSize) -> Self {
        Self {
            start: self.start + by,
            green: self.green.clone(),
        }
    }

    /// The element without its place.
    pub fn green(&self) -> &NodeOrToken<GreenNode, GreenToken> {
        &self.green
    }

    /// The element; its place is relative to the place of `from`.
    pub fn element(&self, from: TextSize) -> Element<'_> {
        let green = match &self.green {
            NodeOrToken::Node(node) => NodeOrToken::Node(&**node),
            NodeOrToken::Token(token) => NodeOrToken::Token(&**token),
        };
        Element::at(self.start + from, green)
    }
}

/// The elements of one node in order, including those in its runs.
#[derive(Debug, Clone)]
pub struct Level<'t> {
    range: TextRange,
    /// The rest of the current node or run, and its start.
    innermost: Option<Left<'t>>,
    /// The rest of the nodes around it, outermost first. Most lists have no runs and need no memory for it.
    around: Vec<Left<'t>>,
}

type Left<'t> = (rowan::Children<'t>, TextSize);

impl<'t> Level<'t> {
    #[cold]
    #[inline(never)]
    fn enter(&mut self, run: &'t GreenNodeData, start: TextSize) {
        let run = (run.children(), start);
        self.around.extend(self.innermost.replace(run));
    }

    #[cold]
    #[inline(never)]
    fn stop(&mut self) {
        self.innermost = None;
        self.around.clear();
    }
}

impl<'t> Iterator for Level<'t> {
    type Item = Element<'t>;

    // Most callers skip blanks: so they need not be written as an element first.
    #[inline]
    fn next(&mut self) -> Option<Element<'t>> {
        loop {
            let (children, offset) = self.innermost.as_mut()?;
            let Some(green) = children.next() else {
                self.innermost = self.around.pop();
                continue;
            };
            let element = Element::at(*offset, green);
            *offset = element.range.end();
            if element.range.end() <= self.range.start() {
                continue;
            }
            if element.range.start() >= self.range.end() {
                self.stop();
                return None;
            }
            match green {
                NodeOrToken::Node(run) if element.kind() == Kind::Lines => {
                    self.enter(run, element.range.start());
                }
                _ => return Some(element),
            }
        }
    }

    // A loop over all elements needs no state between them.
    #[inline]
    fn fold<B, F: FnMut(B, Element<'t>) -> B>(mut self, init: B, mut each: F) -> B {
        let mut result = init;
        while let Some((mut children, mut offset)) = self.innermost.take() {
            for green in children.by_ref() {
                let element = Element::at(offset, green);
                offset = element.range.end();
                if element.range.end() <= self.range.start() {
                    continue;
                }
                if element.range.start() >= self.range.end() {
                    return result;
                }
                match green {
                    NodeOrToken::Node(run) if element.kind() == Kind::Lines => {
                        self.innermost = Some((run.children(), element.range.start()));
                        break;
                    }
                    _ => result = each(result, element),
                }
            }
            match self.innermost {
                Some(_) => self.around.push((children, offset)),
                None => self.innermost = self.around.pop(),
            }
        }
        result
    }
}

/// All that `elements` cover.
pub fn range_of(elements: &[Element<'_>]) -> Option<TextRange> {
    let (first, last) = (elements.first()?, elements.last()?);
    Some(first.range.cover(last.range))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of elements may be as long as their text.
    #[test]
    fn an_element_takes_little_room() {
        assert!(size_of::<Element>() <= 24, "{} bytes", size_of::<Element>());
    }
}
