//! What a signature looks like, and how its parser goes on behind a mistake.
//!
//! Every function here parses exactly the tokens up to [`Parser::end`], the end of the innermost brackets
//! or of the text. A bracket's contents are parsed without a look outside of it.

use super::{
    brackets::closer_of,
    parser::{MAX_DEPTH, Parser},
};
use crate::syntax::{
    error::ErrorKind,
    kind::SyntaxKind::{self, *},
    pairing::Role,
};

/// `signature = ws ( full | type ) ws`
pub(super) fn signature(p: &mut Parser<'_>) {
    p.start(Signature);
    match p.peek() {
        None if is_blank(p) => p.missing(ErrorKind::EmptySignature),
        None => {}
        Some(LParen) => full(p),
        Some(Arrow | WrongArrow) if is_arrow_like(p, p.significant(p.pos())) => {
            p.bump_trivia();
            arrow_run(p, ErrorKind::MissingParams);
            output(p);
        }
        Some(Ident) => ident_first(p),
        Some(_) => shorthand(p),
    }
    rest(p);
    p.finish_node();
}

fn is_blank(p: &Parser<'_>) -> bool {
    (p.pos()..p.end).all(|index| p.kind_at(index) == Some(Whitespace))
}

/// What stands behind a signature that is complete.
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

/// `"(" [ parameter { "," parameter } ] ")" "->" type`
fn full(p: &mut Parser<'_>) {
    p.bump_trivia();
    pair(p, ParamList);
    match p.peek() {
        Some(Arrow) => {
            p.bump_trivia();
            p.bump();
            output(p);
        }
        Some(WrongArrow) => {
            p.bump_trivia();
            arrow_run(p, ErrorKind::WrongArrow);
            output(p);
        }
        None => p.missing(ErrorKind::MissingOutput),
        Some(_) => {
            p.missing(ErrorKind::MissingArrow);
            output(p);
        }
    }
}

fn output(p: &mut Parser<'_>) {
    if p.at_end() {
        p.missing(ErrorKind::MissingOutput);
        return;
    }
    // A second arrow right behind the first one is the same slip of the finger.
    if let Some(Arrow | WrongArrow) = p.peek() {
        p.bump_trivia();
        arrow_run(p, ErrorKind::WrongArrow);
    }
    ty(p);
}

/// A signature that begins with a type; an arrow behind it makes the type unfit parameters.
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

/// A signature that begins with a word, which none does.
fn ident_first(p: &mut Parser<'_>) {
    p.bump_trivia();
    let behind = p.significant(p.pos() + 1);
    if p.kind_at(behind) == Some(LParen) {
        p.error_token(ErrorKind::NamedSignature);
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

/// `a :int, b :int` where a type is due.
fn unbraced_record(p: &mut Parser<'_>) {
    p.start(RecordType);
    p.missing(ErrorKind::MissingBraces);
    let end = trimmed(p, p.end);
    p.within(end, |p| items(p, Field));
    p.finish_node();
}

/// A closed pair of brackets that makes a node of `kind`; where the incremental reparse begins.
pub(super) fn pair(p: &mut Parser<'_>, kind: SyntaxKind) {
    match kind {
        ParamList => group(p, ParamList, |p| items(p, Param)),
        ListType => group(p, ListType, element),
        _ => group(p, RecordType, |p| items(p, Field)),
    }
}

/// A bracket, its contents by `contents`, and its closing bracket.
fn group(p: &mut Parser<'_>, kind: SyntaxKind, contents: impl FnOnce(&mut Parser<'_>)) {
    let open = p.pos();
    let closer = match p.brackets()[open] {
        Some(Role::ClosedBy(closer)) => Some(closer),
        _ => None,
    };
    let contents_end = closer.unwrap_or_else(|| unclosed_end(p, open));
    if p.depth == MAX_DEPTH {
        return p.error_until(
            ErrorKind::TooDeep,
            closer.map_or(contents_end, |closer| closer + 1),
        );
    }
    p.start(kind);
    match closer {
        Some(_) => p.bump(),
        None => p.error_token(ErrorKind::Unclosed),
    }
    p.depth += 1;
    p.within(contents_end, contents);
    p.depth -= 1;
    if let Some(closer) = closer {
        match closer_of(p.kind(open)) == Some(p.kind(closer)) {
            true => p.bump(),
            false => p.error_token(ErrorKind::WrongCloser),
        }
    }
    p.finish_node();
}

/// Where the contents of a bracket end that is never closed: a parameter list before the arrow, so that
/// the output keeps its type, a list behind its one type, and else with the brackets around it.
fn unclosed_end(p: &Parser<'_>, open: usize) -> usize {
    let stop = match p.kind_at(open) {
        Some(LBracket) => first_outside(p, open + 1, Comma),
        _ if p.depth == 0 => first_outside(p, open + 1, Arrow),
        _ => None,
    };
    trimmed(p, stop.unwrap_or(p.end)).max(open + 1)
}

/// `end` without the white space before it.
fn trimmed(p: &Parser<'_>, end: usize) -> usize {
    let last = (p.pos()..end)
        .rev()
        .find(|&index| p.kind_at(index) != Some(Whitespace));
    last.map_or(end, |last| last + 1)
}

/// The first token of `kind` from `index` on that stands outside of closed brackets.
fn first_outside(p: &Parser<'_>, mut index: usize, kind: SyntaxKind) -> Option<usize> {
    while let Some(found) = p.kind_at(index) {
        if found == kind {
            return Some(index);
        }
        index = match p.brackets()[index] {
            Some(Role::ClosedBy(closer)) => closer + 1,
            _ => index + 1,
        };
    }
    None
}

/// Whether the token at `index` is an arrow or surely meant as one.
fn is_arrow_like(p: &Parser<'_>, index: usize) -> bool {
    let text = p.text_at(index);
    text.contains('>') || !text.is_ascii()
}

/// Arrows and half arrows with nothing but white space between them, as one error.
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

/// `[ item { "," item } ]`, where an item is a name and a type.
fn items(p: &mut Parser<'_>, kind: SyntaxKind) {
    let mut list = ItemList {
        kind,
        colon_keys: false,
        wants_comma: false,
    };
    loop {
        match p.peek() {
            None => break,
            Some(Comma) => list.comma(p),
            Some(Question | Pipe | Arrow | WrongArrow) => list.unexpected(p),
            Some(_) if list.wants_comma && !begins_item(p, p.significant(p.pos())) => {
                list.unexpected(p)
            }
            Some(_) => list.item(p),
        }
    }
    p.bump_trivia();
}

struct ItemList {
    kind: SyntaxKind,
    /// Whether a key with a colon was reported: that mistake repeats itself, and so do missing commas.
    colon_keys: bool,
    /// Whether an item stands right before, so that another one needs a comma.
    wants_comma: bool,
}

impl ItemList {
    fn comma(&mut self, p: &mut Parser<'_>) {
        p.bump_trivia();
        let mut last = p.pos();
        while p.kind_at(p.significant(last + 1)) == Some(Comma) {
            last = p.significant(last + 1);
        }
        let at_end = p.significant(last + 1) == p.end;
        if !self.wants_comma {
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
    }

    /// Something between two items that neither separates nor begins one.
    fn unexpected(&mut self, p: &mut Parser<'_>) {
        p.bump_trivia();
        let separator = p.current() == Some(Unknown)
            && matches!(p.text_at(p.pos()), ";" | "." | "&" | "+" | "/");
        let error = if separator {
            ErrorKind::WrongSeparator
        } else {
            ErrorKind::Unexpected
        };
        skip_one(p, error);
        self.wants_comma = false;
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
        if colon_key {
            self.colon_key(p);
            ty(p);
        } else if name(p) {
            self.type_behind_name(p);
        } else if invalid_name(p) {
            // A word that is no name is one mistake, with a type behind it or without.
            if !matches!(p.peek(), None | Some(Comma)) {
                self.type_behind_name(p);
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

    fn type_behind_name(&mut self, p: &mut Parser<'_>) {
        if p.current() == Some(Question) {
            p.error_token(ErrorKind::QuestionAfterName);
        }
        let next = p.significant(p.pos());
        match p.kind_at(next) {
            Some(Colon) if colon_behind_name(p, next) => {
                p.bump_trivia();
                let word = p.significant(p.pos() + 1);
                if p.kind_at(word) == Some(Ident) {
                    // `name: string` is one mistake: the word is still read as the type.
                    p.start(PrimitiveType);
                    p.error_until(ErrorKind::ColonAfterName, word);
                    p.bump();
                    return p.finish_node();
                }
                p.error_token(ErrorKind::ColonAfterName);
                ty(p);
            }
            Some(Ident) if is_closed_bracket(p, next + 1) => ty(p),
            Some(Ident) if begins_item(p, next) => {
                // `a b :int`: the second name has the type. Its comma went with the first one's type.
                p.missing(ErrorKind::MissingType);
                self.wants_comma = false;
            }
            Some(Comma) | None => p.missing(ErrorKind::MissingType),
            Some(_) => ty(p),
        }
    }
}

/// Takes one token, or a closed bracket with what is in it, as an error.
fn skip_one(p: &mut Parser<'_>, error: ErrorKind) {
    let after = match p.brackets()[p.pos()] {
        Some(Role::ClosedBy(closer)) => closer + 1,
        _ => p.pos() + 1,
    };
    p.error_until(error, after);
}

/// The name of an item; `false` where none stands here.
fn name(p: &mut Parser<'_>) -> bool {
    let run = word_run(p, p.pos());
    let plain = p.current() == Some(Ident) && run == p.pos() + 1;
    if !plain && !has_hole(p, run) {
        return false;
    }
    p.start(Name);
    p.bump_until(run);
    p.finish_node();
    true
}

/// A word that is no name, as an error; `false` where no word stands here.
fn invalid_name(p: &mut Parser<'_>) -> bool {
    let run = word_run(p, p.pos());
    if run == p.pos() {
        return false;
    }
    p.error_until(ErrorKind::InvalidName, run);
    true
}

/// The index behind the characters that stand together at `index` as one word, whatever they are.
fn word_run(p: &Parser<'_>, mut index: usize) -> usize {
    while let Some(Ident | Number | Unknown | Escape | Hole) = p.kind_at(index) {
        if p.text_at(index) == ";" {
            break;
        }
        index += 1;
    }
    index
}

/// Whether an interpolation stands before the token at `end`.
fn has_hole(p: &Parser<'_>, end: usize) -> bool {
    (p.pos()..end).any(|index| p.kind_at(index) == Some(Hole))
}

/// Whether an item begins at `index`: a name (or what stands for one) with a type behind it, or `:id :int`.
fn begins_item(p: &Parser<'_>, index: usize) -> bool {
    match p.kind_at(index) {
        Some(Ident | Number | Hole) => {
            let mut next = p.significant(word_run(p, index).max(index + 1));
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

/// Whether the word at `index` has a type of its own and so is a name, not a type without its colon.
fn begins_type_of_name(p: &Parser<'_>, index: usize) -> bool {
    let next = p.significant(word_run(p, index).max(index + 1));
    matches!(p.kind_at(next), Some(Colon | LBracket | LBrace))
        && !(p.kind_at(next) == Some(LBracket) && next == index + 1)
}

/// Whether `:id :int` begins at `index`, its type with or without the colon.
fn is_colon_key(p: &Parser<'_>, index: usize) -> bool {
    if p.kind_at(index) != Some(Colon) || p.kind_at(index + 1) != Some(Ident) {
        return false;
    }
    let next = p.significant(index + 2);
    let spaced = next > index + 2;
    match p.kind_at(next) {
        Some(Colon) => true,
        Some(LBracket | LBrace) => spaced,
        Some(Ident) => is_closed_bracket(p, next + 1) || !begins_type_of_name(p, next),
        _ => false,
    }
}

/// Whether the colon at `index`, behind a name, belongs to the name as in `name: string`.
fn colon_behind_name(p: &Parser<'_>, index: usize) -> bool {
    let next = p.significant(index + 1);
    let spaced = next > index + 1;
    let touches_name = index == p.pos();
    match p.kind_at(next) {
        Some(Ident) => spaced && touches_name && !begins_type_of_name(p, next),
        Some(Colon) => spaced,
        Some(LBracket | LBrace) => touches_name,
        _ => false,
    }
}

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

fn single_type(p: &mut Parser<'_>) {
    if p.current() == Some(Question) && p.significant(p.pos() + 1) < p.end {
        p.error_token(ErrorKind::QuestionBeforeType);
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

/// A type without its `?`; `false` where none stands here.
fn unmarked_type(p: &mut Parser<'_>) -> bool {
    match p.current() {
        Some(Colon) => colon_type(p),
        Some(LBracket) => pair(p, ListType),
        Some(LBrace) => pair(p, RecordType),
        Some(LParen) => skip_one(p, ErrorKind::ParenthesizedType),
        Some(Hole) => hole_type(p),
        Some(Ident) if has_hole(p, word_run(p, p.pos())) => hole_type(p),
        Some(Ident) if is_closed_bracket(p, p.pos() + 1) => generic(p, p.pos() + 1),
        Some(Ident | Number | Unknown | Escape | WrongArrow | Arrow | Question) => bare_word(p),
        _ => {
            p.missing(ErrorKind::MissingType);
            return false;
        }
    }
    true
}

fn is_closed_bracket(p: &Parser<'_>, index: usize) -> bool {
    p.kind_at(index) == Some(LBracket) && matches!(p.brackets()[index], Some(Role::ClosedBy(_)))
}

fn hole_type(p: &mut Parser<'_>) {
    p.start(HoleType);
    if p.current() == Some(Colon) {
        p.bump();
    }
    p.bump_until(word_run(p, p.pos()));
    p.finish_node();
}

fn bare_word(p: &mut Parser<'_>) {
    let run = word_run(p, p.pos()).max(p.pos() + 1);
    let error = match p.current() {
        Some(Ident) if run == p.pos() + 1 => ErrorKind::BareTypeWord,
        _ => ErrorKind::Unexpected,
    };
    p.error_until(error, run);
}

/// What begins with a colon: `":" word`, and the many ways to get it wrong.
fn colon_type(p: &mut Parser<'_>) {
    let word = p.pos() + 1;
    match p.kind_at(word) {
        Some(Ident) if is_closed_bracket(p, word + 1) => colon_generic(p, word),
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

fn colon_word(p: &mut Parser<'_>, word: usize) {
    let run = word_run(p, word);
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

/// `: int`, or a colon with nothing behind it.
fn spaced_colon(p: &mut Parser<'_>) {
    let word = p.significant(p.pos() + 1);
    match p.kind_at(word) {
        Some(Ident) if !begins_type_of_name(p, word) => {
            p.start(PrimitiveType);
            p.bump();
            p.error_until(ErrorKind::SpaceAfterColon, word);
            p.bump();
            p.finish_node();
        }
        _ => p.error_token(ErrorKind::LoneColon),
    }
}

/// `:enum[…]`, `:int[…]`, `:list[…]`.
fn colon_generic(p: &mut Parser<'_>, word: usize) {
    let bracket = word + 1;
    let refines = matches!(
        p.kind_at(p.significant(bracket + 1)),
        Some(Number | WrongArrow | Unknown)
    );
    if p.text_at(word) == "enum" {
        let after = closer_index(p, bracket) + 1;
        p.error_until(ErrorKind::ReservedEnum, after);
    } else if refines {
        p.start(PrimitiveType);
        p.bump_until(bracket);
        p.finish_node();
        skip_one(p, ErrorKind::ReservedRefinement);
    } else {
        generic(p, bracket);
    }
}

/// `list[string]`: a word and a bracket, with or without colons.
fn generic(p: &mut Parser<'_>, bracket: usize) {
    let after = closer_index(p, bracket) + 1;
    p.error_until(ErrorKind::GenericType, after);
}

fn closer_index(p: &Parser<'_>, bracket: usize) -> usize {
    match p.brackets()[bracket] {
        Some(Role::ClosedBy(closer)) => closer,
        _ => bracket,
    }
}

/// What stands in `[…]`: exactly one type.
fn element(p: &mut Parser<'_>) {
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
