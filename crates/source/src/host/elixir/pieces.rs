//! The statements of a block, and the pieces in which a long block is read.

use super::{
    find::part,
    statement::{ends_between, is_separator, lacks_comma},
};
use crate::{
    host::token_tree::{Element, Kind},
    syntax::room::make_room,
    text::{TextRange, TextSize},
};

/// The length of a piece; its last statement may go beyond.
pub(super) const PIECE: TextSize = TextSize::new(32 * 1024);

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
    let has_clauses = block.kind() != Kind::Root;
    let begins_body = |it: &Element<'_>| has_clauses && it.text() == "->";
    for element in block.elements_in(region) {
        if element.kind().is_trivia() {
            line_ends += line_ends_in(&element);
            continue;
        }
        let ends = |last: &Element<'_>| ends_statement(last, &element, line_ends, is_example);
        if statement.last().is_some_and(ends) {
            visit(statement, begins_body(&element));
            statement.clear();
        }
        if !is_separator(part(&element)) {
            if statement.len() == statement.capacity() {
                let read = element.range.end().checked_sub(region.start());
                let read = read.unwrap_or_default();
                make_room(statement, read.into(), region.len().into());
            }
            statement.push(element);
        }
        line_ends = 0;
    }
    let following = TextRange::new(region.end().min(block_end), block_end);
    let next = block
        .elements_in(following)
        .find(|it| !it.kind().is_trivia());
    let is_head = next.is_some_and(|it| begins_body(&it));
    visit(statement, is_head);
}

/// The pieces of `region` in `block` of at least that length, but for the last one. They begin and end between
/// statements.
pub(super) fn pieces(
    (block, region): (Element<'_>, TextRange),
    is_example: bool,
    piece: TextSize,
) -> Vec<TextRange> {
    let mut pieces = Vec::new();
    let mut start = region.start();
    while start + piece < region.end() {
        let rest = TextRange::new(start + piece, region.end());
        let Some(end) = next_statement((block, rest), is_example) else {
            break;
        };
        pieces.push(TextRange::new(start, end));
        start = end;
    }
    pieces.push(TextRange::new(start, region.end()));
    pieces
}

/// Where the first statement on a new line of `region` begins, after one that `region` touches.
fn next_statement((block, region): (Element<'_>, TextRange), is_example: bool) -> Option<TextSize> {
    let mut last = None;
    let mut line_ends = 0;
    for element in block.elements_in(region) {
        if element.kind().is_trivia() {
            line_ends += line_ends_in(&element);
            continue;
        }
        let is_code = !is_separator(part(&element));
        if let Some(last) = last.replace(element)
            && is_code
            && !is_separator(part(&last))
            && ends_statement(&last, &element, line_ends, is_example)
        {
            return Some(element.range.start());
        }
        line_ends = 0;
    }
    None
}

/// The number of line ends in white space.
fn line_ends_in(space: &Element<'_>) -> usize {
    match space.kind() {
        Kind::Newline => space.text().matches('\n').count().max(1),
        _ => 0,
    }
}

/// Whether a statement ends between two elements with so many line ends between them.
fn ends_statement(
    before: &Element<'_>,
    after: &Element<'_>,
    line_ends: usize,
    is_example: bool,
) -> bool {
    let (before, after) = (part(before), part(after));
    let goes_on = is_example && line_ends == 1 && lacks_comma(before, after);
    !goes_on && ends_between(before, after, line_ends > 0)
}
