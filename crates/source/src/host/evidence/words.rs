//! The words for types, and words like them.

/// The type words of all editions.
pub(super) const TYPES: &[&str] = &[
    "string", "int", "float", "bool", "keyword", "any", "map", "datetime", "boolean",
];

/// Common mistakes for type words. Other languages have them too.
pub(super) const GUESSES: &[&str] = &[
    "str",
    "text",
    "integer",
    "number",
    "num",
    "long",
    "double",
    "decimal",
    "list",
    "array",
    "tuple",
    "object",
    "dict",
    "hash",
    "atom",
    "symbol",
    "date",
    "time",
    "timestamp",
    "json",
    "enum",
    "uuid",
    "struct",
    "record",
    "option",
    "optional",
    "maybe",
];

pub(super) fn is_type_word(word: &str) -> bool {
    TYPES.contains(&word) || GUESSES.contains(&word) || is_slip(word)
}

/// Whether `word` is a type with one letter too many, missing, wrong or swapped.
pub(super) fn is_slip(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    // Shorter words are similar to too many others.
    let long = TYPES.iter().filter(|ty| ty.len() > 3);
    TYPES.contains(&word.as_str())
        || word.len() > 3 && long.into_iter().any(|ty| is_one_apart(&word, ty))
        || word.len() == 3 && TYPES.iter().any(|ty| is_swapped(&word, ty))
}

/// Whether `word` is `ty` with two neighbors swapped: `itn`.
fn is_swapped(word: &str, ty: &str) -> bool {
    let same = word
        .bytes()
        .zip(ty.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    word.len() == ty.len()
        && is_one_apart(word, ty)
        && word.as_bytes()[same + 1..] != ty.as_bytes()[same + 1..]
}

fn is_one_apart(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a.as_bytes()[same..], &b.as_bytes()[same..]);
    match (a, b) {
        ([a0, a1, a_rest @ ..], [b0, b1, b_rest @ ..])
            if a0 == b1 && a1 == b0 && a_rest == b_rest =>
        {
            true
        }
        ([_, a_rest @ ..], [_, b_rest @ ..]) if a_rest == b_rest => true,
        ([_, a_rest @ ..], b) if a_rest == b => true,
        (a, [_, b_rest @ ..]) => a == b_rest,
        _ => false,
    }
}

pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// The length of the word at the start of `text`; 0 if it does not begin with a letter.
pub(super) fn word_len(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return 0;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

pub(super) fn last_word_len(text: &str) -> usize {
    let start = text.rfind(|c| !is_word_char(c));
    let start = start.map_or(0, |at| {
        at + text[at..].chars().next().map_or(0, char::len_utf8)
    });
    text.len() - start
}
