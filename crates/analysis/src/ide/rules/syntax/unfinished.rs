//! Unfinished signatures: everything missing at their end is one diagnostic.

use rowan::NodeOrToken;

use signature_ls_source::{
    syntax::{
        error::ErrorKind,
        kind::{SyntaxElement, SyntaxKind, SyntaxNode},
        pairing::EXACT_LIMIT,
        signature::last_before_closers,
    },
    text::{TextEdit, TextSize},
};

const UNCLOSED: SyntaxKind = SyntaxKind::Error(ErrorKind::Unclosed);

/// Keeps one of the errors that only say that the text of `root` is incomplete.
pub(super) fn keep_one(root: &SyntaxNode, nodes: &mut Vec<(ErrorKind, SyntaxNode)>) {
    let is_unparsed_word = nodes.iter().any(|(_, node)| is_word_for_params(node));
    if is_unparsed_word {
        nodes.retain(|(kind, node)| {
            let is_in_word = node.parent().is_some_and(|it| is_word_for_params(&it));
            !is_in_word && *kind != ErrorKind::MissingOutput
        });
    }
    let end = end_of_text(root);
    if nodes
        .iter()
        .any(|(kind, _)| *kind == ErrorKind::MissingOutput)
    {
        let last = before_closers(root);
        nodes.retain(|(kind, node)| {
            let is_last = node.text_range().end() >= last;
            let is_of_end = is_of_end(*kind) || is_begun_arrow(node);
            *kind == ErrorKind::MissingOutput || !(is_of_end && is_last)
        });
    }
    let is_unclosed = |kind| kind == ErrorKind::Unclosed;
    let is_open = { nodes.iter() }.any(|(kind, node)| is_unclosed(*kind) && is_open_at(node, end));
    nodes.retain(|(kind, node)| match is_unclosed(*kind) {
        true => !is_closed_with_outer(node),
        false => !(is_open && is_of_end(*kind) && node.text_range().end() >= end),
    });
}

/// Whether the bracket of `unclosed` is to be closed at the end of one around it, which is not closed either.
fn is_closed_with_outer(unclosed: &SyntaxNode) -> bool {
    let Some(group) = unclosed.parent() else {
        return false;
    };
    let end = end_of_text(&group);
    let mut around = group
        .ancestors()
        .skip(1)
        .take_while(|it| end_of_text(it) == end);
    around.any(|it| { it.first_child() }.is_some_and(|it| it.kind() == UNCLOSED))
}

/// What is missing in the last parameter if the output is missing too: an editor has closed the brackets.
pub(super) fn missing_before_output(missing_output: &SyntaxNode) -> Vec<TextEdit> {
    let Some(root) = missing_output.ancestors().last() else {
        return Vec::new();
    };
    let last = before_closers(&root);
    let at_end = root
        .descendants()
        .filter(|it| it.text_range().end() >= last);
    let edits = at_end.filter_map(|node| {
        let (at, insert) = match node.kind() {
            SyntaxKind::Error(ErrorKind::MissingType) => (node.text_range().start(), " :any"),
            SyntaxKind::Error(ErrorKind::LoneColon) => (node.text_range().end(), "any"),
            _ if is_begun_arrow(&node) => (node.text_range().end(), ">"),
            SyntaxKind::Error(ErrorKind::EmptyList) => {
                (node.text_range().start() + TextSize::of('['), ":any")
            }
            SyntaxKind::Error(ErrorKind::TrailingComma) => {
                return Some(TextEdit::delete(node.text_range()));
            }
            _ => return None,
        };
        Some(TextEdit::insert(at, insert))
    });
    edits.collect()
}

/// Where the closing brackets at the end of the text begin.
fn before_closers(root: &SyntaxNode) -> TextSize {
    let written = last_before_closers(root);
    written.map_or(TextSize::default(), |token| token.text_range().end())
}

/// Whether `closers`, appended to the text of `unclosed`, close brackets: among too many unpaired brackets they have
/// to close the innermost ones.
fn are_paired(unclosed: &SyntaxNode, closers: &str) -> bool {
    let Some(root) = unclosed.ancestors().last() else {
        return false;
    };
    let mut open: Vec<Option<char>> = Vec::new();
    let tokens = root.descendants_with_tokens();
    for token in tokens.filter_map(NodeOrToken::into_token) {
        let closer = match token.kind() {
            SyntaxKind::LParen | SyntaxKind::LBracket | SyntaxKind::LBrace => {
                open.push(closing(token.kind()).chars().next());
                continue;
            }
            SyntaxKind::RParen => ')',
            SyntaxKind::RBracket => ']',
            SyntaxKind::RBrace => '}',
            _ => continue,
        };
        match open.last() == Some(&Some(closer)) {
            true => drop(open.pop()),
            false => open.push(None),
        }
    }
    let innermost = open.iter().rev().copied();
    let is_plain = innermost.zip(closers.chars()).all(|(a, b)| a == Some(b));
    is_plain || open.len() + closers.len() <= EXACT_LIMIT
}

/// What is missing where a bracket has to be closed.
pub(super) struct Missing {
    /// The place.
    pub(super) at: TextSize,
    /// The closing brackets, and what else is missing at the end of the text.
    pub(super) text: String,
    /// The number of closing brackets.
    pub(super) closers: usize,
    /// Whether nothing else can be meant.
    pub(super) is_sure: bool,
}

/// What is missing where `unclosed`, and the brackets in it that are open there, have to be closed.
pub(super) fn missing(unclosed: &SyntaxNode) -> Missing {
    let group = unclosed.parent().unwrap_or_else(|| unclosed.clone());
    let root = unclosed
        .ancestors()
        .last()
        .filter(|it| is_open_at(unclosed, end_of_text(it)));
    let is_at_end = root.is_some();
    let around = root.unwrap_or(group);
    let end = end_of_text(&around);
    let mut closers = String::new();
    let mut before = "";
    let mut following = "";
    for node in around
        .descendants()
        .filter(|it| it.text_range().start() >= unclosed.text_range().start())
    {
        match node.kind() {
            UNCLOSED if is_open_at(&node, end) => closers.insert_str(0, closer(&node)),
            _ if !is_at_end => {}
            SyntaxKind::Error(ErrorKind::MissingType) if node.text_range().start() >= end => {
                before = " :any"
            }
            SyntaxKind::Error(ErrorKind::LoneColon) if node.text_range().end() >= end => {
                before = "any"
            }
            SyntaxKind::Error(ErrorKind::EmptyList) if node.text_range().end() >= end => {
                before = ":any"
            }
            SyntaxKind::Error(ErrorKind::MissingOutput) => following = " -> :any",
            _ => {}
        }
    }
    let is_plain = before.is_empty() && following.is_empty();
    Missing {
        at: end,
        is_sure: is_plain && (!is_at_end || are_paired(unclosed, &closers)),
        text: format!("{before}{closers}{following}"),
        closers: closers.len(),
    }
}

/// Whether `node` is a single word before an arrow: the parameters are unknown.
fn is_word_for_params(node: &SyntaxNode) -> bool {
    let first = node.first_child().map(|it| it.kind());
    let is_word = matches!(
        first,
        Some(SyntaxKind::Error(
            ErrorKind::BareTypeWord | ErrorKind::Unexpected
        ))
    );
    is_word && node.kind() == SyntaxKind::Error(ErrorKind::MissingParens)
}

/// Whether the bracket of `unclosed` is open until `end`.
fn is_open_at(unclosed: &SyntaxNode, end: TextSize) -> bool {
    let group = unclosed.parent();
    group.is_some_and(|it| it.text_range().end() >= end)
}

/// Whether `node` is the first character of an arrow.
fn is_begun_arrow(node: &SyntaxNode) -> bool {
    node.kind() == SyntaxKind::Error(ErrorKind::WrongArrow) && node.text() == "-"
}

/// Whether an error of this kind only says that more has to follow.
fn is_of_end(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::MissingType
            | ErrorKind::MissingOutput
            | ErrorKind::LoneColon
            | ErrorKind::TrailingComma
            | ErrorKind::EmptyList
    )
}

/// Where the text ends, without comments and white space.
fn end_of_text(root: &SyntaxNode) -> TextSize {
    let is_blank = |kind| matches!(kind, SyntaxKind::Whitespace | SyntaxKind::Comment);
    let mut next = root.last_child_or_token();
    while let Some(element) = next {
        next = match &element {
            NodeOrToken::Token(token) if !is_blank(token.kind()) => {
                return token.text_range().end();
            }
            NodeOrToken::Token(_) => None,
            NodeOrToken::Node(node) => node.last_child_or_token(),
        };
        next = next.or_else(|| previous(element));
    }
    TextSize::default()
}

/// The element before `element` in the text, with all that is in it. Unlike `prev_token`, it does not end at an empty
/// node.
fn previous(element: SyntaxElement) -> Option<SyntaxElement> {
    let mut around = std::iter::successors(Some(element), |it| it.parent().map(Into::into));
    around.find_map(|it| it.prev_sibling_or_token())
}

/// The text that closes the bracket of `unclosed`.
fn closer(unclosed: &SyntaxNode) -> &'static str {
    unclosed.first_token().map_or("}", |it| closing(it.kind()))
}

/// The closing bracket for a kind of bracket.
fn closing(opener: SyntaxKind) -> &'static str {
    match opener {
        SyntaxKind::LParen => ")",
        SyntaxKind::LBracket => "]",
        _ => "}",
    }
}
