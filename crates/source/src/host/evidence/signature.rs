//! Whether the value of a key reads like a signature.

mod foreign;
mod mark;

use super::{
    Evidence,
    words::{TYPES, is_type_word, is_word_char, word_len},
};
use foreign::{has_foreign_types, may_be_meant};
use mark::{Before, Mark, marks};

/// The evidence that `text`, without escapes, is a signature; `None` if it is not.
///
/// It reads like one if one of our types is in the place of a type: `:int` after a name and a space, a bracket or an
/// arrow, or at the start. It may be one if it has the form of a signature with type words that other languages have
/// too, and no type that only they have.
pub fn of_signature(text: &str) -> Option<Evidence> {
    let is_ours = |it: &Evidence| *it > Evidence::Possible || !has_foreign_types(text);
    of_signature_beside(text).filter(is_ours)
}

/// The evidence that `text`, without escapes, is a signature where another text is evidence too: beside a prompt, or in a
/// list of tools. There, a type of another language is a habit of the author.
pub fn of_signature_beside(text: &str) -> Option<Evidence> {
    let text = text.trim();
    if has_template_tag(text) || text.contains(":=>") {
        return None;
    }
    let is_whole = opens(text) || has_parameters(text);
    let mut types = marks(text).filter(|mark| mark.is_type(is_whole)).peekable();
    let is_typed = types.peek().is_some();
    let has_own_type = types.any(|mark| !mark.is_alone() && !mark.is_guess());
    if has_own_type && is_whole || is_typed && !has_unknown_types(text) || is_being_typed(text) {
        return Some(Evidence::Likely);
    }
    may_be_meant(text).then_some(Evidence::Possible)
}

/// Whether `text` has a `{{` that is not the start of a record.
fn has_template_tag(text: &str) -> bool {
    // Most texts have none, and this finds none faster.
    if !text.contains("{{") {
        return false;
    }
    let mut tags = text.split("{{").skip(1);
    let is_record = |tag: &str| {
        let inside = &tag[..tag.find("}}").unwrap_or(tag.len())];
        let mut after_colons = inside.split(" :").skip(1);
        after_colons.any(|it| TYPES.contains(&&it[..word_len(it)]))
    };
    tags.any(|tag| !is_record(tag))
}

/// Whether an unknown word is in the place of a type: `-> row`, `-> :row`, `id :serial`.
fn has_unknown_types(text: &str) -> bool {
    let arrows = ["->", "=>", "→"].into_iter();
    let outputs = arrows.flat_map(|arrow| text.split(arrow).skip(1));
    let mut outputs = outputs.map(|it| {
        let rest = it.trim_start();
        &rest[..word_len(rest)]
    });
    let is_unknown = |word: &str| !word.is_empty() && !is_type_word(word);
    outputs.any(is_unknown) || marks(text).any(|mark| is_unknown(mark.word))
}

/// Whether `text` ends within a type that is being typed, as in `(id :` and `(id :in`.
fn is_being_typed(text: &str) -> bool {
    let written = text.trim_end_matches([')', ']', '}', ' ']);
    let Some(at) = written.rfind(':').filter(|_| opens(text)) else {
        return false;
    };
    let word = &written[at + 1..];
    let mark = Mark {
        text: written,
        at,
        word,
        is_first: false,
    };
    matches!(mark.before(), Some(Before::Name)) && TYPES.iter().any(|ty| ty.starts_with(word))
}

/// Whether `text` begins like a signature: with a bracket, a type or an arrow.
fn opens(text: &str) -> bool {
    let rest = text.strip_prefix(':').unwrap_or(text);
    rest.starts_with(['(', '[', '{'])
        || ["->", "=>", "→"]
            .iter()
            .any(|arrow| text.starts_with(arrow))
        || rest.len() < text.len() && rest.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether `text` has a name before its parameters, or parameters without parentheses: `search(q :string) -> :any`, `q
/// :string, n :int -> :any`. Its types are after names and spaces, its output after an arrow, and there is nothing
/// else.
fn has_parameters(text: &str) -> bool {
    let is_part = |c: char| is_word_char(c) || c.is_whitespace() || "(){}[],?:->".contains(c);
    let Some((params, output)) = text.split_once("->") else {
        return false;
    };
    let output = output.trim_start();
    // The hyphen of an arrow next to a name would belong to the name.
    let name_len = params.find(|c| !is_word_char(c)).unwrap_or(params.len());
    let is_output = output.starts_with('{') || {
        let word = output.trim_start_matches('[').strip_prefix(':');
        word.is_some_and(|word| TYPES.contains(&&word[..word_len(word)]))
    };
    let is_list = params[name_len..].starts_with('(') && params.trim_end().ends_with(')')
        || !params.contains(['(', ')']);
    // Atoms as arguments are code.
    let is_list = is_list && !params.contains("(:") && !params.contains(", :");
    name_len > 0 && is_output && is_list && text.chars().all(is_part)
}

#[cfg(test)]
mod tests;
