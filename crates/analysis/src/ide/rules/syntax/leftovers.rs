//! Text of a signature that is left over. What seems to be missing may be in it, so that no fix inserts that by itself.

use crate::model::Edition;
use signature_ls_source::syntax::{error::ErrorKind, kind::SyntaxNode};

use super::types::types_for;

/// Whether one of the errors is text that has no place in the signature, or a word that means nothing.
pub(super) fn any_in(nodes: &[(ErrorKind, SyntaxNode)], edition: Edition) -> bool {
    nodes.iter().any(|(kind, node)| match kind {
        ErrorKind::TrailingText
        | ErrorKind::SecondArrow
        | ErrorKind::StrayCloser
        | ErrorKind::MissingName
        | ErrorKind::LoneColon
        | ErrorKind::ListOfSeveral
        | ErrorKind::Unexpected => true,
        ErrorKind::BareTypeWord => !types_for(&node.text().to_string(), edition).1,
        ErrorKind::CommentInSignature => has_arrow(&node.text().to_string()),
        _ => false,
    })
}

fn has_arrow(text: &str) -> bool {
    ["->", "=>", "→"].iter().any(|arrow| text.contains(arrow))
}

/// Whether the type word between `before` and `after` may be a part of a longer word, which a stray sign divides.
pub(in crate::ide::rules) fn is_torn(before: &str, after: &str) -> bool {
    let spaced = after.trim_start_matches(SPACES);
    // As in `lim:it :int`, where `:it` is a part of the name.
    let is_before_type = spaced.len() < after.len() && spaced.starts_with([':', '[', '{']);
    let rest = before.trim_end_matches(is_of_word);
    // As in `:s:tring`.
    let is_after_type = rest.len() < before.len() && rest.ends_with(':');
    let divided = after_signs(after);
    is_before_type
        || is_after_type
        || ends_in_word_and_signs(before)
        || divided.is_some_and(|word| !after.starts_with(',') || !begins_item(word))
}

/// Whether another word is beyond a sign directly before or after the name between `before` and `after`.
pub(super) fn is_near_word(before: &str, after: &str) -> bool {
    ends_in_word_and_signs(before) || after_signs(after).is_some()
}

const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

/// The maximum number of signs between two parts of a word.
const MOST_SIGNS: usize = 4;

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn is_sign(c: char) -> bool {
    !is_of_word(c) && !SPACES.contains(&c)
}

/// What follows the signs at the beginning of `text`, if that is a word. A colon after them begins a type, and an arrow
/// is no sign.
fn after_signs(text: &str) -> Option<&str> {
    let first = text.chars().next().filter(|&c| is_sign(c))?;
    let rest = &text[first.len_utf8()..];
    let is_more = |c: char| is_sign(c) && c != ':';
    let word = rest.trim_start_matches(is_more);
    let count = rest[..rest.len() - word.len()].chars().count();
    let is_word = word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (is_word && count < MOST_SIGNS).then_some(word)
}

/// Whether `text` ends with a word and signs directly after it, other than an arrow.
fn ends_in_word_and_signs(text: &str) -> bool {
    let Some(last) = text.chars().next_back().filter(|&c| is_sign(c)) else {
        return false;
    };
    let rest = &text[..text.len() - last.len_utf8()];
    let is_arrow = last == '>' && rest.ends_with('-');
    let is_more = |c: char| (is_sign(c) || c == '-') && c != ':';
    let word = rest.trim_end_matches(is_more);
    let count = rest[word.len()..].chars().count();
    !is_arrow && count < MOST_SIGNS && word.ends_with(is_of_word)
}

/// Whether an item with a type begins with the word at the beginning of `text`.
fn begins_item(text: &str) -> bool {
    let after = text.trim_start_matches(is_of_word);
    let after = after.trim_start_matches(SPACES);
    after.starts_with(|c: char| is_of_word(c) || matches!(c, ':' | '[' | '{'))
}
