//! The grammar of signatures, with error recovery.
//!
//! Every function parses exactly the tokens up to [`Parser::end`], the end of the innermost brackets or of the text.
//! The contents of brackets are parsed without looking outside.

mod groups;
mod items;
mod types;

use super::parser::Parser;
use crate::syntax::{error::ErrorKind, kind::SyntaxKind::*, pairing::Role};
use groups::{first_outside, is_full, trimmed};
use items::{begins_item, begins_marked_type, items};
use types::{after_question, is_foreign_type, is_plain_word, ty};

pub(super) use groups::{opens_signature, pair};

/// `signature = ws ( full | type ) ws`
pub(in crate::syntax::signature) fn signature(p: &mut Parser<'_>) {
    p.start(Signature);
    match p.peek() {
        None if is_blank(p) => p.missing(ErrorKind::EmptySignature),
        None => {}
        Some(LParen) if is_wrapped(p) => wrapped(p),
        Some(LParen) => full(p),
        Some(_) if let Some(params) = params_after_arrow(p) => {
            p.bump_trivia();
            p.error_until(ErrorKind::Unexpected, params);
            full(p);
        }
        Some(_) if is_arrow(p, p.significant(p.pos())) => without_params(p),
        Some(Ident) => ident_first(p),
        Some(_) => shorthand(p),
    }
    rest(p);
    p.finish_node();
}

fn is_blank(p: &Parser<'_>) -> bool {
    (p.pos()..p.end).all(|index| p.kind_at(index) == Some(Whitespace))
}

/// The text after a complete signature.
fn rest(p: &mut Parser<'_>) {
    p.bump_trivia();
    if p.at_end() {
        return;
    }
    let error = match p.peek() {
        Some(Arrow) => ErrorKind::SecondArrow,
        _ => ErrorKind::TrailingText,
    };
    p.error_until(error, trimmed(p, p.end));
    p.bump_trivia();
}

/// The index after an arrow here, if a whole signature follows it.
fn params_after_arrow(p: &Parser<'_>) -> Option<usize> {
    let arrow = p.significant(p.pos());
    let params = p.significant(arrow + 1);
    (is_arrow_like(p, arrow) && is_full(p, params)).then_some(arrow + 1)
}

/// Whether parentheses are around all that follows, parameters and output, or only the opening one is.
fn is_wrapped(p: &Parser<'_>) -> bool {
    let open = p.significant(p.pos());
    let is_around_all = match p.brackets()[open] {
        Some(Role::ClosedBy(closer)) => p.significant(closer + 1) == p.end,
        role => role == Some(Role::Unclosed),
    };
    is_around_all && opens_signature(p, open)
}

/// `((a :int) -> :int)` or `(-> :int)`
fn wrapped(p: &mut Parser<'_>) {
    p.bump_trivia();
    let end = match p.brackets()[p.pos()] {
        Some(Role::ClosedBy(closer)) => closer,
        _ => p.end,
    };
    p.error_token(ErrorKind::ExtraParens);
    p.within(end, |p| {
        match p.peek() {
            Some(LParen) => full(p),
            _ => without_params(p),
        }
        rest(p);
    });
    if !p.at_end() {
        p.bump();
    }
}

/// `"(" [ parameter { "," parameter } ] ")" "->" type`
fn full(p: &mut Parser<'_>) {
    p.bump_trivia();
    pair(p, ParamList);
    stray_before_arrow(p);
    match p.peek() {
        Some(Arrow) => {
            p.bump_trivia();
            p.bump();
            output(p);
        }
        Some(_) if is_wrong_arrow(p, p.significant(p.pos())) => {
            p.bump_trivia();
            arrow_run(p, ErrorKind::WrongArrow);
            output(p);
        }
        Some(Colon) if is_colon_of_output(p) => {
            p.bump_trivia();
            p.error_until(ErrorKind::WrongArrow, after_colons(p, p.pos()));
            output(p);
        }
        Some(Ident) if is_word_for_arrow(p) => {
            p.bump_trivia();
            p.error_token(ErrorKind::WrongArrow);
            output(p);
        }
        None => p.missing(ErrorKind::MissingOutput),
        Some(Comma) => comma_after_params(p),
        Some(_) => {
            p.missing(ErrorKind::MissingArrow);
            output(p);
        }
    }
}

/// Words that are said in place of the arrow.
const RETURNS: &[&str] = &["gives", "return", "returns", "to", "yields"];

/// Whether the next word stands for the arrow, as in `(a :int) returns :int`: a single type without a comma follows it,
/// or it is one of [`RETURNS`].
fn is_word_for_arrow(p: &Parser<'_>) -> bool {
    let word = p.significant(p.pos());
    let next = p.significant(word + 1);
    if p.word_end(word) > word + 1 || next == word + 1 || is_foreign_type(p, word) {
        return false;
    }
    if is_plain_word(p, word, RETURNS) && p.kind_at(next) == Some(Ident) {
        return true;
    }
    let end = match p.brackets().get(next) {
        Some(Some(Role::ClosedBy(closer))) => closer + 1,
        _ => p.word_end(next + 1),
    };
    let after = p.significant(after_question(p, end));
    begins_marked_type(p, next) && p.kind_at(after) != Some(Comma)
}

/// A comma where the arrow is due: in its place before a type, too many at the end. Otherwise parameters seem to follow,
/// as after a stray `)`.
fn comma_after_params(p: &mut Parser<'_>) {
    let after = after_commas(p, p.significant(p.pos()));
    let next = p.significant(after);
    match p.kind_at(next) {
        None => {
            p.bump_trivia();
            p.error_until(ErrorKind::ExtraComma, after);
            p.missing(ErrorKind::MissingOutput);
        }
        Some(Colon | LBrace | LBracket) => {
            p.bump_trivia();
            p.error_until(ErrorKind::WrongArrow, after);
            output(p);
        }
        Some(_) => p.missing(ErrorKind::MissingOutput),
    }
}

/// The index after the commas at `index`.
fn after_commas(p: &Parser<'_>, index: usize) -> usize {
    let mut after = index;
    let mut next = index;
    while p.kind_at(next) == Some(Comma) {
        after = next + 1;
        next = p.significant(after);
    }
    after
}

/// The maximum number of tokens between the parameters and the arrow.
const MAX_STRAY: usize = 32;

/// Takes what is between the parameters and the arrow and begins no type, as in `(a :int), -> :int`.
fn stray_before_arrow(p: &mut Parser<'_>) {
    let first = p.significant(p.pos());
    if is_wrong_arrow(p, first) {
        return;
    }
    let mut arrow = first;
    let mut end = first;
    let mut is_comma = true;
    while !is_arrow_like(p, arrow) {
        match p.kind_at(arrow) {
            Some(Comma) => {}
            Some(Question | Pipe | Unknown | Ident | Number | Escape | WrongArrow) => {
                is_comma = false
            }
            Some(Colon) if is_arrow_like(p, p.significant(arrow + 1)) => is_comma = false,
            _ => return,
        }
        end = arrow + 1;
        arrow = p.significant(end);
        if end > first + MAX_STRAY {
            return;
        }
    }
    if end > first {
        p.bump_trivia();
        p.error_until(
            match is_comma {
                true => ErrorKind::ExtraComma,
                false => ErrorKind::Unexpected,
            },
            end,
        );
    }
}

/// `-> :int`
fn without_params(p: &mut Parser<'_>) {
    p.bump_trivia();
    arrow_run(p, ErrorKind::MissingParams);
    output(p);
}

/// Whether the next colon means an arrow, as in `(id: number): string` and `(a) :: b`: it does not begin a type.
fn is_colon_of_output(p: &Parser<'_>) -> bool {
    let colon = p.significant(p.pos());
    let touches = colon == p.pos();
    let following = after_colons(p, colon);
    match p.kind_at(following) {
        Some(Whitespace) => p.significant(following) < p.end,
        Some(LBrace | LBracket) => touches,
        _ => false,
    }
}

/// The index after the colon or two at `index`.
fn after_colons(p: &Parser<'_>, index: usize) -> usize {
    match p.kind_at(index + 1) {
        Some(Colon) => index + 2,
        _ => index + 1,
    }
}

fn output(p: &mut Parser<'_>) {
    if p.peek() == Some(Comma) {
        p.bump_trivia();
        p.error_until(ErrorKind::ExtraComma, after_commas(p, p.pos()));
    }
    if p.at_end() {
        p.missing(ErrorKind::MissingOutput);
        return;
    }
    // A second arrow directly after the first one is a typo.
    if let Some(Arrow | WrongArrow) = p.peek() {
        p.bump_trivia();
        arrow_run(p, ErrorKind::WrongArrow);
    }
    match begins_fields(p, p.significant(p.pos())) {
        true => {
            p.bump_trivia();
            unbraced_record(p);
        }
        false => ty(p),
    }
}

/// Whether `name :type` begins at `index`.
fn begins_fields(p: &Parser<'_>, index: usize) -> bool {
    p.kind_at(index) == Some(Ident) && p.kind_at(p.significant(index + 1)) == Some(Colon)
}

/// A signature that begins with a type; if an arrow follows, the type is an error in place of parameters.
fn shorthand(p: &mut Parser<'_>) {
    p.bump_trivia();
    let checkpoint = p.checkpoint();
    ty(p);
    if p.peek() != Some(Arrow) {
        return;
    }
    p.start_at(checkpoint, Error(ErrorKind::MissingParens));
    p.finish_node();
    p.bump_trivia();
    p.bump();
    output(p);
}

/// A signature that begins with a word, which is always an error.
fn ident_first(p: &mut Parser<'_>) {
    p.bump_trivia();
    let name = after_keywords(p, p.pos());
    let name_end = p.word_end(name);
    let is_plain = name_end == name + 1;
    let params = p.significant(name_end);
    // Without an arrow, `String.t()` is a type.
    if p.kind_at(params) == Some(LParen) && (is_plain || first_outside(p, params, Arrow).is_some())
    {
        p.error_until(ErrorKind::NamedSignature, name_end);
        return full(p);
    }
    let generic = p.kind_at(p.pos() + 1) == Some(LBracket);
    if generic || !begins_item(p, p.pos()) {
        return shorthand(p);
    }
    let Some(arrow) = first_outside(p, p.pos(), Arrow) else {
        return unbraced_record(p);
    };
    p.start(ParamList);
    p.missing(ErrorKind::MissingParens);
    let closer = (p.pos()..arrow)
        .rev()
        .find(|&index| p.kind_at(index) != Some(Whitespace));
    let closer =
        closer.filter(|&index| p.kind(index) == RParen && p.brackets()[index] == Some(Role::Stray));
    let end = trimmed(p, closer.unwrap_or(arrow));
    p.within(end, |p| items(p, Param));
    if let Some(closer) = closer {
        // Only the opening half is missing: this one closes the list.
        p.bump_until(closer + 1);
    }
    p.finish_node();
    p.bump_trivia();
    p.bump();
    output(p);
}

/// Words before the name of a function in its definition.
const KEYWORDS: &[&str] = &[
    "async", "def", "defp", "export", "fn", "fun", "func", "function", "pub",
];

/// The index of the name after the keywords of a definition at `index`, as in `async def search(…)`.
fn after_keywords(p: &Parser<'_>, mut index: usize) -> usize {
    for _ in KEYWORDS {
        let next = p.significant(index + 1);
        if p.kind_at(next) != Some(Ident) || !is_plain_word(p, index, KEYWORDS) {
            break;
        }
        index = next;
    }
    index
}

/// `a :int, b :int` where a type is expected.
fn unbraced_record(p: &mut Parser<'_>) {
    p.start(RecordType);
    p.missing(ErrorKind::MissingBraces);
    let end = trimmed(p, p.end);
    p.within(end, |p| items(p, Field));
    p.finish_node();
}

/// Whether the token at `index` is an arrow or certainly meant as one.
fn is_arrow_like(p: &Parser<'_>, index: usize) -> bool {
    let is_arrow = matches!(p.kind_at(index), Some(Arrow | WrongArrow));
    let text = || p.text_at(index);
    is_arrow && (text().contains('>') || !text().is_ascii())
}

/// Whether the token at `index` is an arrow by itself, not only the head of one.
fn is_arrow(p: &Parser<'_>, index: usize) -> bool {
    is_arrow_like(p, index) && p.text_at(index) != ">"
}

/// Arrows and partial arrows with only white space between them, as one error.
fn arrow_run(p: &mut Parser<'_>, error: ErrorKind) {
    let mut last = p.pos();
    loop {
        let next = p.significant(last + 1);
        match p.kind_at(next) {
            Some(Arrow | WrongArrow) => last = next,
            _ => break,
        }
    }
    p.error_until(error, last + 1);
}

/// Whether the token at `index`, after the parameters, is something else in place of the arrow, such as `=>` or a long
/// dash.
fn is_wrong_arrow(p: &Parser<'_>, index: usize) -> bool {
    let is_dash = |c| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
    match p.kind_at(index) {
        Some(WrongArrow) => true,
        Some(Unknown) => p.word_end(index) == index + 1 && p.text_at(index).chars().all(is_dash),
        _ => false,
    }
}
