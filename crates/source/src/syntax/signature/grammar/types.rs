//! Types, and common mistakes in them.

use super::{
    super::parser::{Checkpoint, Parser},
    groups::{
        after_array_mark, after_fields, after_parameters, pair, parameters_of, skip_one, trimmed,
    },
    items::{begins_item, begins_marked_type, begins_type_of_name, has_hole, has_hole_in},
    unbraced_record,
};
use crate::syntax::{error::ErrorKind, kind::SyntaxKind::*, pairing::Role};

/// `( primitive | list | record ) [ "?" ]`, or an error in its place.
pub(super) fn ty(p: &mut Parser<'_>) {
    if p.at_end() {
        return p.missing(ErrorKind::MissingType);
    }
    p.bump_trivia();
    let checkpoint = p.checkpoint();
    single_type(p);
    rest_of_union(p, checkpoint);
}

/// The further types of a union whose first type is at `checkpoint`, if it is one.
pub(super) fn rest_of_union(p: &mut Parser<'_>, checkpoint: Checkpoint) {
    if !continues_union(p) {
        return;
    }
    while continues_union(p) {
        p.bump_trivia();
        p.bump();
        if !p.at_end() {
            p.bump_trivia();
            single_type(p);
        }
    }
    p.start_at(checkpoint, Error(ErrorKind::ReservedUnion));
    p.finish_node();
}

/// Whether another type of a union follows: after `|`, or after `or` if it is certainly a type or nil.
fn continues_union(p: &Parser<'_>) -> bool {
    let sign = p.significant(p.pos());
    match p.kind_at(sign) {
        Some(Pipe) => true,
        Some(Ident) => is_plain_word(p, sign, &["or"]) && begins_alternative(p, sign + 1),
        _ => false,
    }
}

fn begins_alternative(p: &Parser<'_>, index: usize) -> bool {
    let first = p.significant(index);
    match p.kind_at(first) {
        Some(Ident) => {
            is_plain_word(p, first, &["nil", "null", "none"]) && !begins_type_of_name(p, first)
        }
        _ => first > index && begins_marked_type(p, first),
    }
}

/// Whether the token at `index` is, alone, one of `words`.
pub(super) fn is_plain_word(p: &Parser<'_>, index: usize, words: &[&str]) -> bool {
    let is_word = |text: &str| words.iter().any(|it| it.eq_ignore_ascii_case(text));
    is_word(&p.text_at(index)) && p.word_end(index) == index + 1
}

pub(super) fn single_type(p: &mut Parser<'_>) {
    if p.current() == Some(Question) && p.significant(p.pos() + 1) < p.end {
        p.error_token(ErrorKind::QuestionBeforeType);
        p.bump_trivia();
    }
    if is_before_type(p) {
        p.error_token(ErrorKind::Unexpected);
        p.bump_trivia();
    }
    let checkpoint = p.checkpoint();
    let compound = matches!(p.current(), Some(LBracket | LBrace));
    if unmarked_type(p) {
        optional_mark(p, checkpoint, compound);
    }
}

/// The `?` of the type at `checkpoint`, if there is one.
pub(super) fn optional_mark(p: &mut Parser<'_>, checkpoint: Checkpoint, compound: bool) {
    let question = p.significant(p.pos());
    if p.kind_at(question) != Some(Question) {
        return;
    }
    p.start_at(checkpoint, OptionalType);
    if question > p.pos() {
        p.error_until(ErrorKind::SpaceBeforeQuestion, question);
    }
    match compound {
        true => p.error_token(ErrorKind::OptionalCompound),
        false => p.bump(),
    }
    if p.current() == Some(Question) {
        let mut last = p.pos();
        while p.kind_at(last + 1) == Some(Question) {
            last += 1;
        }
        p.error_until(ErrorKind::DoubledQuestion, last + 1);
    }
    p.finish_node();
}

/// A type without its `?`; `false` if there is none.
pub(super) fn unmarked_type(p: &mut Parser<'_>) -> bool {
    match p.current() {
        Some(Colon) => colon_type(p),
        Some(LBracket) => pair(p, ListType),
        Some(LBrace) => match after_array_mark(p) {
            Some(after) => p.error_until(ErrorKind::GenericType, after),
            None => pair(p, RecordType),
        },
        Some(LParen) => skip_one(p, ErrorKind::ParenthesizedType),
        Some(Hole) => hole_type(p),
        Some(Ident) if has_hole(p, p.word_end(p.pos())) => hole_type(p),
        Some(Ident) if is_foreign_type(p, p.pos()) => generic(p, p.pos()),
        Some(WrongArrow) if let Some(after) = after_parameters(p, p.pos()) => {
            p.error_until(ErrorKind::GenericType, after)
        }
        Some(Unknown) if let Some(after) = after_quoted_type(p, p.pos()) => {
            p.error_until(ErrorKind::MalformedTypeWord, after)
        }
        Some(Ident | Number | Unknown | Escape | WrongArrow | Arrow | Question) => bare_word(p),
        _ => {
            p.missing(ErrorKind::MissingType);
            return false;
        }
    }
    true
}

/// Whether a type that cannot be anything else begins after the character here, such as the `%` of a map in Elixir or a
/// `(` that is never closed.
fn is_before_type(p: &Parser<'_>) -> bool {
    let is_foreign = match p.current() {
        Some(LParen) => p.brackets()[p.pos()] == Some(Role::Unclosed),
        Some(WrongArrow) => after_parameters(p, p.pos()).is_none(),
        kind => kind == Some(Unknown) && after_quoted_type(p, p.pos()).is_none(),
    };
    is_foreign && begins_marked_type(p, p.significant(p.pos() + 1))
}

pub(super) fn hole_type(p: &mut Parser<'_>) {
    p.start(HoleType);
    if p.current() == Some(Colon) {
        p.bump();
    }
    p.bump_until(p.word_end(p.pos()));
    p.finish_node();
}

fn bare_word(p: &mut Parser<'_>) {
    let run = p.word_end(p.pos()).max(p.pos() + 1);
    let error = match p.current() {
        Some(Ident) if run == p.pos() + 1 => ErrorKind::BareTypeWord,
        _ => ErrorKind::Unexpected,
    };
    p.error_until(error, run);
}

/// A type word with its colon, and common mistakes in it.
pub(super) fn colon_type(p: &mut Parser<'_>) {
    let word = p.pos() + 1;
    let type_start = after_colons(p);
    match p.kind_at(word) {
        _ if is_foreign_type(p, type_start) => colon_generic(p, type_start),
        _ if let Some(compound) = compound_after_sign(p, type_start) => {
            p.error_until(ErrorKind::ColonBeforeCompound, compound);
            unmarked_type(p);
        }
        Some(Ident | Hole | Number | Unknown | Escape) => colon_word(p, word),
        Some(Colon) => {
            let mut last = p.pos();
            while p.kind_at(last + 2) == Some(Colon) {
                last += 1;
            }
            p.error_until(ErrorKind::DoubledColon, last + 1);
            colon_type(p);
        }
        _ => spaced_colon(p),
    }
}

/// The index after the colons that begin a type, and after the white space that follows.
fn after_colons(p: &Parser<'_>) -> usize {
    let mut index = p.pos();
    while p.kind_at(index) == Some(Colon) {
        index += 1;
    }
    p.significant(index)
}

/// The list or record at `index`, or after the `%` of a map in Elixir there.
pub(super) fn compound_after_sign(p: &Parser<'_>, index: usize) -> Option<usize> {
    let is_sign = p.kind_at(index) == Some(Unknown) && p.text_at(index) == "%";
    let compound = p.significant(index + usize::from(is_sign));
    matches!(p.kind_at(compound), Some(LBracket | LBrace)).then_some(compound)
}

fn colon_word(p: &mut Parser<'_>, word: usize) {
    let run = p.word_end(word);
    if has_hole(p, run) {
        return hole_type(p);
    }
    if run > word + 1 || p.kind_at(word) != Some(Ident) {
        return p.error_until(ErrorKind::MalformedTypeWord, run);
    }
    p.start(PrimitiveType);
    p.bump_until(run);
    p.finish_node();
}

/// `: int`, `:?int`, or a colon without a word.
fn spaced_colon(p: &mut Parser<'_>) {
    let first = p.significant(p.pos() + 1);
    let word = after_question(p, first);
    match p.kind_at(word) {
        Some(Ident) if !begins_type_of_name(p, word) => {
            p.start(PrimitiveType);
            p.bump();
            if first > p.pos() {
                p.error_until(ErrorKind::SpaceAfterColon, first);
            }
            rest_of_word(p, word);
            p.finish_node();
        }
        _ => p.error_token(ErrorKind::LoneColon),
    }
}

/// The index after the `?` at `index`, if there is one.
pub(super) fn after_question(p: &Parser<'_>, index: usize) -> usize {
    match p.kind_at(index) {
        Some(Question) => index + 1,
        _ => index,
    }
}

/// The word of a type at `word`, and the `?` before it.
pub(super) fn rest_of_word(p: &mut Parser<'_>, word: usize) {
    if p.pos() < word {
        p.error_until(ErrorKind::QuestionBeforeType, word);
    }
    p.bump();
}

/// `:enum[…]`, `:int[…]`, `:list[…]`, `:: String.t()`: the foreign type whose word is at `word`, with its colons.
fn colon_generic(p: &mut Parser<'_>, word: usize) {
    let bracket = p.word_end(word);
    let in_brackets = p.kind_at(bracket) == Some(LBracket);
    let refines = matches!(
        p.kind_at(p.significant(bracket + 1)),
        Some(Number | WrongArrow | Unknown)
    );
    if in_brackets && p.text_at(word) == "enum" {
        parameters(p, bracket, ErrorKind::ReservedEnum);
    } else if in_brackets && refines && bracket == word + 1 {
        p.start(PrimitiveType);
        p.bump();
        if p.pos() < word {
            p.error_until(ErrorKind::SpaceAfterColon, word);
        }
        p.bump_until(bracket);
        p.finish_node();
        skip_one(p, ErrorKind::ReservedRefinement);
    } else {
        generic(p, word);
    }
}

/// Whether a type of another language begins with the word at `index`: `list[string]`, `list<string>`, `map{id :int}`,
/// `String.t()` or `String.t`.
pub(super) fn is_foreign_type(p: &Parser<'_>, index: usize) -> bool {
    let has_fields = || p.kind_at(index) == Some(Ident) && after_fields(p, index + 1).is_some();
    parameters_of(p, index).is_some()
        || has_fields()
        || is_module_type(p, index)
        || after_phrase(p, index).is_some()
}

/// Words for a list before `of`.
const LISTS: &[&str] = &[
    "array",
    "arrays",
    "list",
    "lists",
    "sequence",
    "sequences",
    "set",
    "sets",
    "vector",
    "vectors",
];

/// Words before an optional type.
const OPTIONAL: &[&str] = &["optional", "maybe", "nullable"];

/// The maximum number of words before the type in a phrase.
const MAX_PHRASE: usize = 8;

/// The index after a type in words at `index`, such as `list of :int` or `optional int`.
pub(super) fn after_phrase(p: &Parser<'_>, index: usize) -> Option<usize> {
    let mut ty = index;
    let mut is_optional = false;
    for _ in 0..MAX_PHRASE {
        if p.kind_at(ty) != Some(Ident) {
            break;
        }
        let next = p.significant(ty + 1);
        if p.kind_at(next) == Some(Ident)
            && is_plain_word(p, next, &["of"])
            && is_plain_word(p, ty, LISTS)
        {
            ty = p.significant(next + 1);
        } else if is_plain_word(p, ty, OPTIONAL) {
            is_optional = true;
            ty = next;
        } else {
            break;
        }
    }
    let word = ty + usize::from(p.kind_at(ty) == Some(Colon));
    let end = match (p.kind_at(word)?, p.brackets()[word]) {
        _ if ty == index => return None,
        (Ident, _) if begins_type_of_name(p, word) => return None,
        (Ident, _) => p.word_end(word).max(word + 1),
        (LBracket | LBrace, Some(Role::ClosedBy(closer))) if word == ty => closer + 1,
        _ => return None,
    };
    let end = after_question(p, end);
    let is_last = || !matches!(p.kind_at(p.significant(end)), Some(Ident | Colon));
    // A hole in the brackets is parsed with them.
    let has_hole = has_hole_in(p, index, p.word_end(word));
    (!has_hole && (!is_optional || is_last())).then_some(end)
}

/// Whether the word at `index` is the type of a module in Elixir, such as `String.t`.
fn is_module_type(p: &Parser<'_>, index: usize) -> bool {
    let end = p.word_end(index);
    p.kind_at(index) == Some(Ident)
        && end >= index + 3
        && p.text_at(index)
            .starts_with(|c: char| c.is_ascii_uppercase())
        && p.text_at(end - 2) == "."
        && p.text_at(end - 1) == "t"
        && !has_hole_in(p, index, end)
}

/// The foreign type whose word is at `word`, with the colons before it, as an error.
fn generic(p: &mut Parser<'_>, word: usize) {
    if let Some(end) = after_phrase(p, word) {
        return p.error_until(ErrorKind::GenericType, end);
    }
    let end = match after_fields(p, word + 1) {
        Some(_) => word + 1,
        None => p.word_end(word),
    };
    parameters(p, end, ErrorKind::GenericType);
}

/// The index after a type word in quotes at `index`, such as `":int"`. Without its colon, it is the last of its item.
pub(super) fn after_quoted_type(p: &Parser<'_>, index: usize) -> Option<usize> {
    let is_marked = p.kind_at(index + 1) == Some(Colon);
    let word = index + 1 + usize::from(is_marked);
    let closing = after_question(p, word + 1);
    let are_quotes = p.kind_at(word) == Some(Ident) && is_quote(p, index) && is_quote(p, closing);
    let is_last = || {
        let next = p.kind_at(p.significant(closing + 1));
        matches!(next, None | Some(Comma | Pipe | Question))
    };
    (are_quotes && p.text_at(index) == p.text_at(closing) && (is_marked || is_last()))
        .then_some(closing + 1)
}

/// Whether the token at `index` is a quote.
pub(super) fn is_quote(p: &Parser<'_>, index: usize) -> bool {
    p.kind_at(index) == Some(Unknown) && matches!(&*p.text_at(index), "\"" | "'" | "''" | "`")
}

/// A word and its parameters, which begin at `bracket`, as an error.
fn parameters(p: &mut Parser<'_>, bracket: usize, error: ErrorKind) {
    let after = after_parameters(p, bracket).or_else(|| after_fields(p, bracket));
    p.error_until(error, after.unwrap_or(bracket));
}

/// The contents of `[…]`: exactly one type.
pub(super) fn element(p: &mut Parser<'_>) {
    let first = p.significant(p.pos());
    match p.kind_at(first) {
        None => p.missing(ErrorKind::EmptyList),
        Some(Ident) if p.kind_at(first + 1) != Some(LBracket) && begins_item(p, first) => {
            p.bump_trivia();
            unbraced_record(p);
        }
        Some(_) => ty(p),
    }
    p.bump_trivia();
    if !p.at_end() {
        let end = trimmed(p, p.end);
        p.error_until(ErrorKind::ListOfSeveral, end);
        p.bump_trivia();
    }
}
