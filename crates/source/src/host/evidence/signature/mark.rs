//! Colons before words, and whether these are types.

use super::{
    super::words::{GUESSES, TYPES, is_slip, is_word_char, last_word_len, word_len},
    opens,
};

/// A colon with a word after it.
pub(super) struct Mark<'t> {
    pub(super) text: &'t str,
    /// Where the colon is.
    pub(super) at: usize,
    pub(super) word: &'t str,
    /// Whether there is no colon before it.
    pub(super) is_first: bool,
}

pub(super) fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    let colons = memchr::memchr_iter(b':', text.as_bytes());
    colons.enumerate().filter_map(|(index, at)| {
        let rest = &text[at + 1..];
        let word = &rest[..word_len(rest)];
        let is_own = !text[..at].ends_with(':') && !word.is_empty();
        is_own.then_some(Mark {
            text,
            at,
            word,
            is_first: index == 0,
        })
    })
}

/// What precedes a type.
pub(super) enum Before {
    /// A name and a space.
    Name,
    /// A keyword and a space, inside braces or parentheses.
    Keyword,
    /// A bracket, a name in quotes, an arrow after what an arrow may follow, or nothing.
    Place,
    /// An arrow after parameters.
    Params,
}

impl<'t> Mark<'t> {
    /// Whether it is a type; `is_whole` tells whether the whole text has the form of a signature.
    pub(super) fn is_type(&self, is_whole: bool) -> bool {
        let Some(before) = self.before() else {
            return false;
        };
        let is_exact = TYPES.contains(&self.word);
        let is_closed = self.is_followed_by_an_end();
        match before {
            Before::Place => {
                let is_misspelt = self.text.starts_with('(') && is_slip(self.word);
                is_closed && (is_exact || is_misspelt) && !self.is_atom()
            }
            Before::Keyword => is_exact,
            Before::Params => is_exact || is_closed && is_slip(self.word),
            Before::Name => {
                let is_known = is_exact || is_slip(self.word) || GUESSES.contains(&self.word);
                let is_written_as_one = is_whole || self.is_early() && is_closed;
                let is_opened = is_exact || opens(self.text);
                is_known && is_opened && is_written_as_one
            }
        }
    }

    /// Whether it is the first in parentheses, where a name is expected before it.
    pub(super) fn is_alone(&self) -> bool {
        self.text[..self.at].trim_end().ends_with('(')
    }

    /// Whether it is an atom in code: the first argument of a call, as in `cast(:string, value)`, or the first of several
    /// elements of a tuple.
    fn is_atom(&self) -> bool {
        let before = self.text[..self.at].trim_end();
        let rest = &self.text[self.at + 1 + self.word.len()..];
        match before.strip_suffix('(') {
            Some(called) => called.ends_with(is_word_char),
            None => before.ends_with('{') && rest.trim_start().starts_with(','),
        }
    }

    /// Whether its word is a type of other languages, and not similar to one of ours.
    pub(super) fn is_guess(&self) -> bool {
        !TYPES.contains(&self.word) && !is_slip(self.word)
    }

    pub(super) fn before(&self) -> Option<Before> {
        let touching = &self.text[..self.at];
        let before = touching.trim_end();
        let has_space = before.len() < touching.len();
        let Some(last) = before.chars().next_back() else {
            return Some(Before::Place);
        };
        match last {
            '(' | '[' | '{' | '<' => Some(Before::Place),
            '>' | '→' => after_arrow(before),
            '"' | '\'' | '`' if has_space => Some(Before::Place),
            last if has_space && is_word_char(last) => {
                let name = &before[before.len() - last_word_len(before)..];
                let ahead = &before[..before.len() - name.len()];
                let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
                match ahead.ends_with(':') {
                    _ if !is_name || is_in_keyword(ahead) => None,
                    true => (innermost_bracket(ahead) != Some('[')).then_some(Before::Keyword),
                    false => Some(Before::Name),
                }
            }
            '?' if has_space => Some(Before::Name),
            _ => None,
        }
    }

    /// Whether the text after the word may follow a type.
    fn is_followed_by_an_end(&self) -> bool {
        let rest = &self.text[self.at + 1 + self.word.len()..];
        let rest = rest.trim_start_matches('?').trim_start();
        let is_end = rest.starts_with([',', ')', ']', '}', '>', '|', '-', '=', '→']);
        rest.is_empty() || is_end
    }

    /// Whether only names, types and separators precede it.
    fn is_early(&self) -> bool {
        let is_part =
            |c: char| is_word_char(c) || c.is_whitespace() || matches!(c, ',' | '(' | '?');
        if !self.is_first {
            return false;
        }
        let before = &self.text[..self.at];
        let item = before.rsplit([',', '(']).next().unwrap_or(before);
        let is_one_word = item.split_whitespace().count() == 1;
        let words = before.split_whitespace().count();
        before.chars().all(is_part) && words <= 3 && is_one_word
    }
}

/// What precedes the type after `before`, which ends as an arrow does; an arrow follows parameters, a type or nothing.
fn after_arrow(before: &str) -> Option<Before> {
    let mut arrows = ["->", "=>", "→"].iter();
    let ahead = arrows.find_map(|it| before.strip_suffix(it))?.trim_end();
    match ahead.chars().next_back() {
        Some(')') => Some(Before::Params),
        None | Some(']' | '}' | '?') => Some(Before::Place),
        Some(_) => None,
    }
}

/// Whether `before` ends within a keyword that has a namespace, as in `:user/name`.
fn is_in_keyword(before: &str) -> bool {
    let namespace = before.strip_suffix('/');
    namespace.is_some_and(|it| it[..it.len() - last_word_len(it)].ends_with(':'))
}

/// So many characters before a type are searched for the bracket that it is in.
const MOST_BEFORE: usize = 1024;

pub(super) fn innermost_bracket(before: &str) -> Option<char> {
    let mut closed = 0;
    before.chars().rev().take(MOST_BEFORE).find(|c| {
        match c {
            ')' | ']' | '}' => closed += 1,
            '(' | '[' | '{' if closed == 0 => return true,
            '(' | '[' | '{' => closed -= 1,
            _ => {}
        }
        false
    })
}

/// Whether `before` ends with the colon of a type: `a :void`, but not `a:void`.
pub(super) fn ends_with_mark(before: &str) -> bool {
    let ahead = before.strip_suffix(':');
    ahead.is_some_and(|it| !it.ends_with(is_word_char))
}
