//! How far an edit can be seen: the statements around it in a block that no list of arguments holds.

use rowan::NodeOrToken;

use super::{
    flow::reader::LONGEST_LIST,
    statement::{Part, ends_between, is_delimiter, is_entry},
};
use crate::{
    host::token_tree::{Kind, SyntaxElement, SyntaxNode},
    text::{TextRange, TextSize},
};

/// The statements that share a byte with `range`, and the block that they are in. Of white space the
/// statements on both sides count.
///
/// The units in them do not depend on anything outside, and no unit outside reaches into them.
pub fn around(root: &SyntaxNode, range: TextRange) -> (SyntaxNode, TextRange) {
    let block = block_around(root, range);
    let range = clipped(&block, range);
    let before_end = range.end().checked_sub(TextSize::from(1));
    let last_byte = before_end.map_or(range.start(), |at| at.max(range.start()));
    let start = element_at(&block, range.start()).map(statement_start);
    let end = element_at(&block, last_byte).map(statement_end);
    let statements = TextRange::new(
        start.unwrap_or(range.start()).min(range.start()),
        end.unwrap_or(range.end()).max(range.end()),
    );
    (block, statements)
}

/// The long list around `range` that is the value of a statement, and the items in it that share a byte with `range`.
///
/// No name stands for such a list, and the items do not depend on each other: entries only count at its end.
pub fn items_around(root: &SyntaxNode, range: TextRange) -> Option<(SyntaxNode, TextRange)> {
    let element = element_at(&block_around(root, range), range.start())?;
    let list = element.as_node().filter(|it| it.kind() == Kind::Brackets)?;
    let one = TextSize::from(1);
    let around = list.text_range();
    let is_long = around.len() > LONGEST_LIST;
    let is_closed = list.last_token()?.kind() == Kind::RBracket;
    if !is_long || !is_closed || !is_value(&element) {
        return None;
    }
    let inside = TextRange::new(around.start() + one, around.end() - one);
    if range.is_empty() || !inside.contains_range(range) {
        return None;
    }
    let is_edge = |it: &SyntaxElement| {
        let it = it.text_range();
        it.start() == around.start() || it.end() == around.end()
    };
    let is_end = |it: &SyntaxElement| it.kind() == Kind::Comma || is_edge(it);
    let first = element_at(list, range.start())?;
    let before = std::iter::successors(previous(&first), previous).find(is_end)?;
    let last = element_at(list, range.end() - one)?;
    let after = std::iter::successors(next(&last), next).find(is_end)?;
    let items = TextRange::new(before.text_range().end(), after.text_range().start());
    let elements = std::iter::successors(next(&before), next).take_while(|it| *it != after);
    let (mut is_apart, mut has_entries) = (true, false);
    for element in elements {
        is_apart &= !element.kind().is_block() && part(&element).1 != "|>";
        has_entries |= is_entry(part(&element));
    }
    let is_apart = is_apart && !(has_entries && may_be_last_entries(&after, is_end));
    is_apart.then(|| (list.clone(), items))
}

/// Whether the entries before `end`, where an item of a list ends, may be its last items.
fn may_be_last_entries(end: &SyntaxElement, is_end: impl Fn(&SyntaxElement) -> bool) -> bool {
    let next_item = std::iter::successors(next(end), next).take_while(|it| !is_end(it));
    let mut code = next_item.filter(|it| !it.kind().is_trivia()).peekable();
    code.peek().is_none() || code.any(|it| is_entry(part(&it)))
}

/// Whether a statement is `list`, or binds a name to it.
fn is_value(list: &SyntaxElement) -> bool {
    if statement_end(list.clone()) != list.text_range().end() {
        return false;
    }
    let start = statement_start(list.clone());
    let before = std::iter::successors(previous(list), previous);
    let before = before.take_while(|it| start <= it.text_range().start());
    let code: Vec<_> = before.filter(|it| !it.kind().is_trivia()).take(3).collect();
    matches!(
        code.iter().map(part).collect::<Vec<_>>()[..],
        [] | [(Kind::Symbol, _), (_, "@")] | [(_, "="), (Kind::Symbol, _)]
    )
}

/// The innermost block around `range` with only blocks around it.
fn block_around(root: &SyntaxNode, range: TextRange) -> SyntaxNode {
    let mut block = root.clone();
    let mut node = root.clone();
    while let Some(NodeOrToken::Node(child)) = node.child_or_token_at_range(range) {
        match child.kind() {
            Kind::Lines => {}
            Kind::DoBlock if inside(&child).contains_range(clipped(&child, range)) => {
                block = child.clone();
            }
            _ => break,
        }
        node = child;
    }
    block
}

/// `range` without the byte that it shares with a delimiter of `block`, if it has only the byte next to what is inside:
/// an edit inside that changed a delimiter would have changed the block.
fn clipped(block: &SyntaxNode, range: TextRange) -> TextRange {
    if block.kind() != Kind::DoBlock {
        return range;
    }
    let (inside, one) = (inside(block), TextSize::from(1));
    let is_closed = inside.end() < block.text_range().end();
    let start = match range.start() + one == inside.start() {
        true => inside.start(),
        false => range.start(),
    };
    let end = match is_closed && range.end() == inside.end() + one {
        true => inside.end(),
        false => range.end(),
    };
    TextRange::new(start.min(end), end)
}

/// What is between the delimiters of `block`.
fn inside(block: &SyntaxNode) -> TextRange {
    let range = block.text_range();
    let end = block.last_child_or_token();
    let end = match end.filter(|last| last.kind() == Kind::End) {
        Some(last) => last.text_range().start(),
        None => range.end(),
    };
    let start = range.start() + TextSize::of("do");
    TextRange::new(start.min(end), end)
}

/// The element of `block` that has the byte at `offset`, runs of lines seen through.
fn element_at(block: &SyntaxNode, offset: TextSize) -> Option<SyntaxElement> {
    let byte = TextRange::at(offset, TextSize::from(1));
    let mut list = block.clone();
    loop {
        match list.child_or_token_at_range(byte)? {
            NodeOrToken::Node(node) if node.kind() == Kind::Lines => list = node,
            element => return Some(element),
        }
    }
}

/// Where the statement of `element` begins; where that is white space, the statement before it.
fn statement_start(element: SyntaxElement) -> TextSize {
    let mut start = element.clone();
    let mut is_line_end = false;
    for before in std::iter::successors(Some(element), previous) {
        if before.kind().is_trivia() {
            is_line_end |= before.kind() == Kind::Newline;
            continue;
        }
        let is_break = !start.kind().is_trivia()
            && start != before
            && ends_between(part(&before), part(&start), is_line_end);
        if is_break || is_delimiter(before.kind()) {
            break;
        }
        start = before;
        is_line_end = false;
    }
    start.text_range().start()
}

/// Where the statement of `element` ends; where that is white space, the statement after it.
fn statement_end(element: SyntaxElement) -> TextSize {
    let mut end = element.clone();
    let mut is_line_end = false;
    for after in std::iter::successors(Some(element), next) {
        if after.kind().is_trivia() {
            is_line_end |= after.kind() == Kind::Newline;
            continue;
        }
        let is_break = !end.kind().is_trivia()
            && end != after
            && ends_between(part(&end), part(&after), is_line_end);
        if is_break || is_delimiter(after.kind()) {
            break;
        }
        end = after;
        is_line_end = false;
    }
    end.text_range().end()
}

/// The element before `element` in its block, runs of lines seen through.
fn previous(element: &SyntaxElement) -> Option<SyntaxElement> {
    let mut before = match element.prev_sibling_or_token() {
        Some(before) => before,
        None => {
            let list = element.parent().filter(|it| it.kind() == Kind::Lines)?;
            return previous(&list.into());
        }
    };
    while let Some(lines) = before.as_node().filter(|it| it.kind() == Kind::Lines) {
        before = lines.last_child_or_token()?;
    }
    Some(before)
}

/// The element after `element` in its block, runs of lines seen through.
fn next(element: &SyntaxElement) -> Option<SyntaxElement> {
    let mut after = match element.next_sibling_or_token() {
        Some(after) => after,
        None => {
            let list = element.parent().filter(|it| it.kind() == Kind::Lines)?;
            return next(&list.into());
        }
    };
    while let Some(lines) = after.as_node().filter(|it| it.kind() == Kind::Lines) {
        after = lines.first_child_or_token()?;
    }
    Some(after)
}

fn part(element: &SyntaxElement) -> Part<'_> {
    let text = element.as_token().map_or("", |token| token.text());
    (element.kind(), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::{elixir::Elixir, token_tree},
        text::{TextEdit, size},
    };

    /// What is in a block without its `do` is outside of it, so that more than its first line is read again.
    #[test]
    fn a_block_that_is_opened_again_is_reparsed_with_few_others() {
        let tests = "    test \"a\" do\n      assert answer(1) == \"two\"\n    end\n\n".repeat(24);
        let block = |at: usize| format!("  describe \"answer {at}\" do\n{tests}  end\n\n");
        let blocks: String = (0..100).map(block).collect();
        let text = format!("defmodule A do\n{blocks}end\n");
        let word = "answer 50\" d";
        let at = size(text.find(word).unwrap() + word.len());
        let letter = TextRange::at(at, TextSize::from(1));
        let mut tree = token_tree::parse::<Elixir>(&text);
        for edit in [TextEdit::delete(letter), TextEdit::insert(at, "o")] {
            let reparsed = token_tree::reparse::<Elixir>(&tree, &edit).unwrap();
            assert!(reparsed.range.len() < size(8 * block(50).len()), "{edit:?}");
            tree = reparsed.green;
        }
    }

    /// A range that was reparsed has one more byte on each side: those of `do` and `end` do not mean the whole block.
    #[test]
    fn the_first_and_the_last_statement_of_a_block_are_seen_alone() {
        let text = "def f do\n  a()\n  b()\nend\n";
        let root = SyntaxNode::new_root(token_tree::parse::<Elixir>(text));
        let start = size(text.find("o\n").unwrap());
        let end = size(text.find("nd\n").unwrap());
        let (block, statements) = around(&root, TextRange::new(start, end));
        assert_eq!(block.kind(), Kind::DoBlock);
        assert_eq!(&text[statements], "\n  a()\n  b()\n");
        let wider = TextRange::new(start - TextSize::from(1), end);
        assert_eq!(around(&root, wider).0.kind(), Kind::Root);
    }
}
