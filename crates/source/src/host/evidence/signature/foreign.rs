//! What only the signatures of other languages have.

use super::{
    super::words::{is_type_word, is_word_char, last_word_len},
    mark::{ends_with_mark, innermost_bracket, marks},
    opens,
};

/// Words that only occur in the signatures of other languages.
pub(super) const FOREIGN_WORDS: &[&str] = &[
    "self",
    "cls",
    "this",
    "void",
    "func",
    "fn",
    "def",
    "function",
    "var",
    "const",
    "let",
    "return",
    "public",
    "static",
    "async",
    "param",
    "result",
    "unit",
    "undefined",
    "unknown",
    "never",
    "i32",
    "i64",
    "f32",
    "f64",
    "u8",
    "u32",
    "u64",
    "usize",
    "ok",
    "error",
];

/// Whether `text` has the form of a signature, without anything that only other languages have.
pub(super) fn may_be_meant(text: &str) -> bool {
    let is_part =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || "_-:,?()[]{}<>|=→.…!".contains(c);
    if !opens(text) || !text.chars().all(is_part) || has_foreign_signs(text) || is_lisp(text) {
        return false;
    }
    let words = || {
        text.split(|c: char| !is_word_char(c))
            .filter(|it| !it.is_empty())
    };
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    // With a colon, as other types here, it is only an unknown type.
    let is_foreign =
        |word: &str| FOREIGN_WORDS.contains(&word) && !ends_with_mark(&text[..start(word)]);
    if words().any(is_foreign) {
        return false;
    }
    let types = words().filter(|word| is_type_word(word));
    let mut places = types.map(start);
    // While it is being typed, a bracket is unpaired.
    places.any(|at| is_named(&text[..at]))
        || !text.contains(|c: char| c.is_alphanumeric() || c == '.')
}

/// Whether `text`, which has the form of a signature, can only be one of another language: it has a class (`None`), a type
/// with parameters (`list[str]`, `Promise<T>`) or alternatives, a parameter of one word, or no output, as in `(id uuid)`.
/// Types with colons before them, `a :Row`, are meant to be ours.
pub(super) fn has_foreign_types(text: &str) -> bool {
    if marks(text).any(|mark| ends_with_mark(&text[..=mark.at])) {
        return false;
    }
    let is_class = |(at, first): (usize, char)| {
        let is_start = first.is_uppercase() && !text[..at].ends_with(is_word_char);
        let rest = text[at..].trim_start_matches(is_word_char);
        is_start && !rest.trim_start_matches(['?', ' ']).starts_with(':')
    };
    let is_applied = |(at, _): (usize, &str)| text[..at].ends_with(is_word_char);
    let is_alone = |it: &str| !it.trim().is_empty() && it.trim().chars().all(is_word_char);
    // A bracket alone is being typed.
    let is_begun = || text.trim().len() == 1 || text.contains(':') && !text.contains('(');
    !text.contains(['>', '→']) && !is_begun()
        || text.split(['(', ',', ')']).any(is_alone)
        || text.contains(['<', '|'])
        || text.match_indices('[').any(is_applied)
        || text.char_indices().any(is_class)
}

/// Whether `text` begins with the arguments of a function in Lisp: several bare words in a bracket, as in `[id date] -> map`.
fn is_lisp(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|it| it.split_once(']'));
    let Some((words, _)) = inside.filter(|(_, it)| it.trim_start().starts_with("->")) else {
        return false;
    };
    let mut words = words.split_whitespace();
    let is_list = words.clone().nth(1).is_some() && words.all(|it| it.chars().all(is_word_char));
    is_list && !text.contains(':')
}

/// Whether `text` has a default, `= 10`, a type after `):`, or a type with `!`, as in `[User!]!`.
fn has_foreign_signs(text: &str) -> bool {
    let has_default = text.split('=').skip(1).any(|it| !it.starts_with('>'));
    has_default
        || ["):", "!)", "!]", "!,", "]!"]
            .iter()
            .any(|it| text.contains(it))
}

/// Whether a name precedes the type at the end of `before`, as in `limit: int` and `limit :int`, or the bracket of a
/// list. The keywords in a vector, as in `[:map [:a :int]]`, are none.
fn is_named(before: &str) -> bool {
    let name = before.trim_end_matches([':', ' ']);
    let has_name = name.len() < before.len() && name.ends_with(is_word_char);
    let (ahead, word) = name.split_at(name.len() - last_word_len(name));
    let is_word = !is_type_word(word);
    let is_keyword = || ends_with_mark(ahead) && innermost_bracket(ahead) == Some('[');
    has_name && is_word && !is_keyword() || before.ends_with('[')
}
