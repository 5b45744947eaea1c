//! The statements of a block, and the pieces in which a long block is read.

use std::ops::Range;

use super::{
    find::part,
    statement::{ends_between, is_separator, lacks_comma},
};
use crate::{
    host::token_tree::{Element, Kind, range_of},
    text::{TextRange, TextSize},
};

/// The length of a piece; its last statement may go beyond.
pub(super) const PIECE: TextSize = TextSize::new(128 * 1024);

/// Calls `visit` with each statement in `region` of `block`, and whether it begins a clause. `statement` is memory to
/// use.
pub(super) fn each_statement<'t>(
    (block, region): (Element<'t>, TextRange),
    is_example: bool,
    statement: &mut Vec<Element<'t>>,
    visit: &mut dyn FnMut(&[Element<'t>], bool),
) {
    statement.clear();
    let mut line_ends = 0;
    let block_end = block.range.end();
    // Clauses need a block around them.
    let has_clauses = block.kind != Kind::Root;
    let begins_body = |it: &Element<'_>| has_clauses && it.text() == "->";
    for element in block.elements_in(region) {
        if element.kind.is_trivia() {
            if element.kind == Kind::Newline {
                line_ends += element.text().matches('\n').count().max(1);
            }
            continue;
        }
        let ends = |last: &Element| {
            let (before, after) = (part(last), part(&element));
            let goes_on = is_example && line_ends == 1 && lacks_comma(before, after);
            !goes_on && ends_between(before, after, line_ends > 0)
        };
        if statement.last().is_some_and(ends) {
            visit(statement, begins_body(&element));
            statement.clear();
        }
        if !is_separator(part(&element)) {
            statement.push(element);
        }
        line_ends = 0;
    }
    let following = TextRange::new(region.end().min(block_end), block_end);
    let next = block.elements_in(following).find(|it| !it.kind.is_trivia());
    let is_head = next.is_some_and(|it| begins_body(&it));
    visit(statement, is_head);
}

/// Statements, one after the other.
#[derive(Default)]
pub(super) struct StatementList<'t> {
    elements: Vec<Element<'t>>,
    /// The end of each among the elements, and whether it begins a clause.
    ends: Vec<(usize, bool)>,
}

impl<'t> StatementList<'t> {
    /// Adds a statement.
    pub(super) fn push(&mut self, statement: &[Element<'t>], is_head: bool) {
        self.elements.extend_from_slice(statement);
        self.ends.push((self.elements.len(), is_head));
    }

    /// The number of statements.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Some of the statements, each with whether it is before an arrow.
    pub(super) fn iter(&self, range: Range<usize>) -> impl Iterator<Item = (&[Element<'t>], bool)> {
        range.map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
            let (end, is_head) = self.ends[index];
            (&self.elements[start..end], is_head)
        })
    }

    /// The statements of each piece.
    pub(super) fn pieces(&self, piece: TextSize) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut first = 0;
        let mut len = TextSize::default();
        for (index, (statement, _)) in self.iter(0..self.len()).enumerate() {
            len += range_of(statement).unwrap_or_default().len();
            if len > piece || index + 1 == self.len() {
                pieces.push(first..index + 1);
                first = index + 1;
                len = TextSize::default();
            }
        }
        pieces
    }
}
