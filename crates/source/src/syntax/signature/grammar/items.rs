//! Parameters and fields: the contents of `(…)` and `{…}`.

use super::{
    super::parser::Parser,
    groups::{parameters_of, skip_one},
    types::{
        after_phrase, after_question, after_quoted_type, compound_after_sign, is_foreign_type,
        is_quote, optional_mark, rest_of_union, rest_of_word, ty,
    },
};
use crate::syntax::{
    error::ErrorKind,
    kind::SyntaxKind::{self, *},
    pairing::Role,
};

/// `[ item { "," item } ]`, where an item is a name and a type.
pub(super) fn items(p: &mut Parser<'_>, kind: SyntaxKind) {
    let mut list = ItemList {
        kind,
        colon_keys: false,
        wants_comma: false,
        takes_comma: false,
    };
    loop {
        match p.peek() {
            None => break,
            Some(Comma) => list.comma(p),
            Some(Question | Pipe | Arrow | WrongArrow) => list.unexpected(p),
            Some(_) if list.wants_comma && !goes_on_with_item(p) => list.unexpected(p),
            Some(_) => list.item(p),
        }
    }
    p.bump_trivia();
}

/// Whether an item begins here and not what stands for a comma, or a remark as in `limit :int (optional)`.
fn goes_on_with_item(p: &Parser<'_>) -> bool {
    let next = p.significant(p.pos());
    let is_remark = || matches!(p.brackets()[next], Some(Role::ClosedBy(_)));
    match p.kind_at(next) {
        Some(Colon) => {
            let following = p.significant(next + 1);
            following == next + 1
                || !matches!(p.kind_at(following), Some(Ident))
                || !begins_item(p, following)
        }
        Some(LParen) => !is_remark(),
        _ => begins_item(p, next),
    }
}

struct ItemList {
    kind: SyntaxKind,
    /// Whether a key with a colon was reported: that mistake usually repeats, and so do missing commas.
    colon_keys: bool,
    /// Whether an item is directly before, so that another one needs a comma.
    wants_comma: bool,
    /// Whether an item is before, perhaps with unexpected text after it, so that a comma separates it from the next.
    takes_comma: bool,
}

impl ItemList {
    fn comma(&mut self, p: &mut Parser<'_>) {
        p.bump_trivia();
        let mut last = p.pos();
        while p.kind_at(p.significant(last + 1)) == Some(Comma) {
            last = p.significant(last + 1);
        }
        let at_end = p.significant(last + 1) == p.end;
        if !self.takes_comma {
            p.error_until(ErrorKind::ExtraComma, last + 1);
        } else if at_end {
            p.error_until(ErrorKind::TrailingComma, last + 1);
        } else {
            p.bump();
            p.bump_trivia();
            if p.pos() <= last {
                p.error_until(ErrorKind::ExtraComma, last + 1);
            }
        }
        self.wants_comma = false;
        self.takes_comma = false;
    }

    /// Something between two items that neither separates nor begins one.
    fn unexpected(&mut self, p: &mut Parser<'_>) {
        p.bump_trivia();
        let separator = p.current() == Some(Colon)
            || p.current() == Some(Unknown)
                && matches!(&*p.text_at(p.pos()), ";" | "." | "&" | "+" | "/");
        let error = if separator {
            ErrorKind::WrongSeparator
        } else {
            ErrorKind::Unexpected
        };
        if let Some(end) = after_description(p) {
            p.error_until(ErrorKind::CommentInSignature, end);
        } else if let Some(end) = after_default(p) {
            p.error_until(error, end);
        } else {
            skip_one(p, error);
        }
        self.wants_comma = false;
        self.takes_comma &= !separator;
    }

    fn item(&mut self, p: &mut Parser<'_>) {
        let at = p.significant(p.pos());
        let colon_key = is_colon_key(p, at);
        if self.wants_comma && !self.colon_keys && !colon_key {
            p.missing(ErrorKind::MissingComma);
        }
        p.bump_trivia();
        p.start(self.kind);
        self.wants_comma = true;
        self.takes_comma = true;
        if colon_key {
            self.colon_key(p);
            unexpected_before_type(p);
            ty(p);
        } else if name(p) {
            self.type_after_name(p);
        } else if invalid_name(p) {
            // An invalid name is one mistake, with or without a type after it.
            if !matches!(p.peek(), None | Some(Comma)) {
                self.type_after_name(p);
            }
        } else {
            p.missing(ErrorKind::MissingName);
            ty(p);
        }
        p.finish_node();
    }

    fn colon_key(&mut self, p: &mut Parser<'_>) {
        if !self.colon_keys {
            p.start(Error(ErrorKind::ColonBeforeName));
        }
        p.bump();
        p.start(Name);
        p.bump();
        p.finish_node();
        if !self.colon_keys {
            p.finish_node();
        }
        self.colon_keys = true;
    }

    fn type_after_name(&mut self, p: &mut Parser<'_>) {
        if p.current() == Some(Question) {
            p.error_token(ErrorKind::QuestionAfterName);
        }
        unexpected_before_type(p);
        let next = p.significant(p.pos());
        match p.kind_at(next) {
            Some(Colon) if colon_after_name(p, next) => {
                p.bump_trivia();
                let first = p.significant(p.pos() + 1);
                let word = after_question(p, first);
                if p.kind_at(word) == Some(Ident) && !is_foreign_type(p, word) {
                    return word_after_colon(p, first, word);
                }
                p.error_token(ErrorKind::ColonAfterName);
                ty(p);
            }
            Some(Ident) if parameters_of(p, next).is_some() => ty(p),
            Some(Ident) if begins_item(p, next) => {
                // `a b :int`: the type belongs to the second name. The first one lost its comma with its type.
                p.missing(ErrorKind::MissingType);
                self.wants_comma = false;
            }
            Some(Comma) | None => p.missing(ErrorKind::MissingType),
            Some(_) => ty(p),
        }
    }
}

/// `: string` after a name: the word still counts as the type, so that this is one mistake.
fn word_after_colon(p: &mut Parser<'_>, first: usize, word: usize) {
    let checkpoint = p.checkpoint();
    p.start(PrimitiveType);
    p.error_until(ErrorKind::ColonAfterName, first);
    rest_of_word(p, word);
    p.finish_node();
    optional_mark(p, checkpoint, false);
    rest_of_union(p, checkpoint);
}

/// The index after a default value, as in `limit :int = nil`: its word would look like an item without a type.
fn after_default(p: &Parser<'_>) -> Option<usize> {
    let sign = p.text_at(p.pos());
    if sign != "=" && !sign.trim_matches('\\').is_empty() {
        return None;
    }
    let word = p.significant(p.pos() + 1);
    let end = p.word_end(word);
    let is_last = matches!(p.kind_at(p.significant(end)), None | Some(Comma));
    (end > word && is_last && !has_hole_in(p, word, end)).then_some(end)
}

/// The maximum number of tokens and closed brackets in a description.
const MAX_DESCRIPTION: usize = 128;

/// The index after a description in quotes here, as in `name :string "the name"`, if it ends its item.
fn after_description(p: &Parser<'_>) -> Option<usize> {
    let open = p.pos();
    if !is_quote(p, open) {
        return None;
    }
    let quote = p.text_at(open);
    let mut at = open + 1;
    for _ in 0..MAX_DESCRIPTION {
        let after = match (p.kind_at(at)?, p.brackets()[at]) {
            (Hole, _) => return None,
            // What is in brackets is parsed on its own, and does not count.
            (_, Some(Role::ClosedBy(closer))) => closer + 1,
            (_, Some(_)) => return None,
            (_, None) => at + 1,
        };
        let is_close = is_quote(p, at) && p.text_at(at) == quote;
        if is_close && !matches!(p.kind_at(after), Some(Ident | Number)) {
            let next = p.kind_at(p.significant(after));
            return matches!(next, None | Some(Comma)).then_some(after);
        }
        at = after;
    }
    None
}

/// The maximum number of tokens between a name and its type.
const MAX_UNEXPECTED: usize = 32;

/// Takes the tokens between a name and its type, as in `name => :string`, as one error.
fn unexpected_before_type(p: &mut Parser<'_>) {
    if sign_of_map(p) {
        return;
    }
    let first = p.significant(p.pos());
    let mut end = first;
    let mut next = first;
    while after_quoted_type(p, next).is_none()
        && let Some(after) = after_unexpected(p, next)
    {
        end = after;
        next = p.significant(after);
        if end > first + MAX_UNEXPECTED {
            return;
        }
    }
    if end > first && begins_marked_type(p, next) {
        p.bump_trivia();
        p.error_until(ErrorKind::Unexpected, end);
    }
}

/// Takes the sign between a key and its value in maps of other languages, with the `%` of a map after it; `false` if
/// there is none.
fn sign_of_map(p: &mut Parser<'_>) -> bool {
    let sign = p.significant(p.pos());
    let is_sign = p.kind_at(sign) == Some(WrongArrow) && matches!(&*p.text_at(sign), "=>" | "=");
    if !is_sign {
        return false;
    }
    let value = p.significant(sign + 1);
    let compound = compound_after_sign(p, value);
    let is_before_type =
        compound.is_some() || p.kind_at(value) == Some(Colon) || begins_last_word(p, value);
    if is_before_type {
        let has_percent = compound.is_some_and(|it| it > value);
        p.bump_trivia();
        p.error_until(
            ErrorKind::SignAfterName,
            match has_percent {
                true => value + 1,
                false => sign + 1,
            },
        );
    }
    is_before_type
}

/// Whether a word that may be a type without its colon is at `index`, the last one of its item.
fn begins_last_word(p: &Parser<'_>, index: usize) -> bool {
    let after = match p.kind_at(index) {
        Some(Ident) => index + 1,
        _ => return after_quoted_type(p, index).is_some(),
    };
    let next = p.kind_at(p.significant(after_question(p, after)));
    is_foreign_type(p, index) || matches!(next, None | Some(Comma))
}

/// The index after the word or sign at `index`, if it is neither a name nor a part of a type.
fn after_unexpected(p: &Parser<'_>, index: usize) -> Option<usize> {
    let after = p.word_end(index).max(index + 1);
    let foreign = match p.kind_at(index)? {
        Ident => after > index + 1,
        Arrow | WrongArrow | Pipe | Number | Unknown | Escape => true,
        _ => false,
    };
    (foreign && !has_hole_in(p, index, after)).then_some(after)
}

/// Whether a type certainly begins at `index`.
pub(super) fn begins_marked_type(p: &Parser<'_>, index: usize) -> bool {
    match p.kind_at(index) {
        Some(Colon) => !is_colon_key(p, index),
        Some(LBracket | LBrace) => true,
        _ => false,
    }
}

/// The name of an item; `false` if there is none.
pub(super) fn name(p: &mut Parser<'_>) -> bool {
    let run = p.word_end(p.pos());
    let plain = p.current() == Some(Ident) && run == p.pos() + 1;
    if !plain && !has_hole(p, run) {
        return false;
    }
    p.start(Name);
    p.bump_until(run);
    p.finish_node();
    true
}

/// An invalid name, as an error; `false` if there is no word.
pub(super) fn invalid_name(p: &mut Parser<'_>) -> bool {
    let run = p.word_end(p.pos());
    if run == p.pos() {
        return false;
    }
    p.error_until(ErrorKind::InvalidName, run);
    true
}

/// Whether an item begins at `index`: a name, or an invalid one, with a type after it, or `:id :int`.
pub(super) fn begins_item(p: &Parser<'_>, index: usize) -> bool {
    match p.kind_at(index) {
        Some(Ident) if after_phrase(p, index).is_some() => false,
        Some(Ident | Number | Hole) => {
            let mut next = p.significant(p.word_end(index).max(index + 1));
            if p.kind_at(next) == Some(Question) {
                next = p.significant(next + 1);
            }
            match p.kind_at(next) {
                Some(Colon | LBracket | LBrace) => true,
                Some(Ident | Hole) => !begins_type_of_name(p, next),
                _ => p.kind_at(index) == Some(Hole),
            }
        }
        Some(Colon) => true,
        Some(LBracket | LBrace | LParen) => true,
        _ => false,
    }
}

/// Whether the word at `index` has a type and so is a name, not a type without its colon.
pub(super) fn begins_type_of_name(p: &Parser<'_>, index: usize) -> bool {
    let next = p.significant(p.word_end(index).max(index + 1));
    matches!(p.kind_at(next), Some(Colon | LBracket | LBrace))
        && !(p.kind_at(next) == Some(LBracket) && next == index + 1)
}

/// Whether `:id :int` begins at `index`, with or without the colon of its type.
fn is_colon_key(p: &Parser<'_>, index: usize) -> bool {
    if p.kind_at(index) != Some(Colon) || p.kind_at(index + 1) != Some(Ident) {
        return false;
    }
    let next = p.significant(index + 2);
    let spaced = next > index + 2;
    match p.kind_at(next) {
        Some(Colon) => true,
        Some(LBracket | LBrace) => spaced,
        Some(Ident) => parameters_of(p, next).is_some() || !begins_type_of_name(p, next),
        Some(WrongArrow) => p.text_at(next) == "=>",
        _ => false,
    }
}

/// Whether the colon at `index`, after a name, belongs to the name as in `name: string`.
fn colon_after_name(p: &Parser<'_>, index: usize) -> bool {
    let first = p.significant(index + 1);
    let spaced = first > index + 1;
    let next = after_question(p, first);
    let touches_name = index == p.pos();
    match p.kind_at(next) {
        Some(Ident) => {
            spaced && touches_name && (!begins_type_of_name(p, next) || is_foreign_type(p, next))
        }
        Some(Unknown) => spaced && touches_name && is_quote(p, next),
        Some(Colon) => spaced,
        Some(LBracket | LBrace) => touches_name,
        _ => false,
    }
}

/// Whether an interpolation precedes the token at `end`.
pub(super) fn has_hole(p: &Parser<'_>, end: usize) -> bool {
    has_hole_in(p, p.pos(), end)
}

pub(super) fn has_hole_in(p: &Parser<'_>, start: usize, end: usize) -> bool {
    (start..end).any(|index| p.kind_at(index) == Some(Hole))
}
