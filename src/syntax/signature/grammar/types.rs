//! Types, and common mistakes in them.

use super::{
    super::parser::Parser,
    groups::{
        after_array_mark, after_fields, after_parameters, pair, parameters_of, skip_one, trimmed,
    },
    items::{begins_item, begins_marked_type, begins_type_of_name, has_hole},
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
    if p.peek() != Some(Pipe) {
        return;
    }
    while p.peek() == Some(Pipe) {
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
    if !unmarked_type(p) {
        return;
    }
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
        Some(Ident) if parameters_of(p, p.pos()).is_some() => generic(p, p.word_end(p.pos())),
        Some(Ident) if after_fields(p, p.pos() + 1).is_some() => generic(p, p.pos() + 1),
        Some(WrongArrow) if after_parameters(p, p.pos()).is_some() => generic(p, p.pos()),
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
        kind => kind == Some(Unknown),
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

pub(super) fn bare_word(p: &mut Parser<'_>) {
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
    match p.kind_at(word) {
        Some(Ident) if parameters_of(p, word).is_some() => colon_generic(p, word),
        Some(Ident) if after_fields(p, word + 1).is_some() => generic(p, word + 1),
        Some(Ident | Hole | Number | Unknown | Escape) => colon_word(p, word),
        Some(Colon) => {
            let mut last = p.pos();
            while p.kind_at(last + 2) == Some(Colon) {
                last += 1;
            }
            p.error_until(ErrorKind::DoubledColon, last + 1);
            colon_type(p);
        }
        Some(LBracket | LBrace) => {
            p.error_token(ErrorKind::ColonBeforeCompound);
            unmarked_type(p);
        }
        _ => spaced_colon(p),
    }
}

pub(super) fn colon_word(p: &mut Parser<'_>, word: usize) {
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
pub(super) fn spaced_colon(p: &mut Parser<'_>) {
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

/// `:enum[…]`, `:int[…]`, `:list[…]`.
pub(super) fn colon_generic(p: &mut Parser<'_>, word: usize) {
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
        p.bump_until(bracket);
        p.finish_node();
        skip_one(p, ErrorKind::ReservedRefinement);
    } else {
        generic(p, bracket);
    }
}

/// `list[string]`, `list<string>` or `:map{id :int}`: a word and its parameters, with or without colons.
pub(super) fn generic(p: &mut Parser<'_>, bracket: usize) {
    parameters(p, bracket, ErrorKind::GenericType);
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
