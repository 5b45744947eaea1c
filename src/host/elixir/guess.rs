//! Whether a text is meant for us, where its key alone says so.
//!
//! Other code bases use the keys `signature` and `prompt` too: for checksums, the heads of functions,
//! questions to a user, templates of other engines. So where no call of ours is around a literal, what
//! it reads has a say.

use crate::host::{Role, object};

/// Types as they stand behind a name.
const OUR_TYPES: [&str; 8] = [
    ":string",
    ":int",
    ":float",
    ":bool",
    ":keyword",
    ":any",
    ":map",
    ":datetime",
];

/// Whether `text`, the value of a key with this role, is meant for us.
pub fn is_meant(role: Role, text: &str) -> bool {
    match role {
        Role::Signature | Role::Tool => is_signature(text),
        Role::Prompt => is_template(text),
        Role::Description => true,
    }
}

/// Whether `text` has a word that only our types have, or begins as a signature does and, if it has words,
/// has one that may name a type.
fn is_signature(text: &str) -> bool {
    let has_words = text.chars().any(char::is_alphabetic);
    let begins_as_one = object::looks_like_signature(text);
    begins_as_one && (!has_words || names_type(text)) || names_our_type(text)
}

/// Whether `text` has a name, a space and then one of the types that a text of another kind is unlikely to
/// have in this place, as `count :int` has.
fn names_our_type(text: &str) -> bool {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    words.windows(2).any(|pair| {
        let is_name = pair[0].ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let ty = pair[1].trim_end_matches([',', ')', '}', ']', '?']);
        is_name && OUR_TYPES.contains(&ty)
    })
}

fn names_type(text: &str) -> bool {
    let begins_type = |(before, after): (&str, &str)| {
        // Two colons in a row are those of a typespec.
        !before.ends_with(':') && after.starts_with(|first: char| first.is_ascii_alphabetic())
    };
    text.match_indices(':')
        .any(|(at, colon)| begins_type((&text[..at], &text[at + colon.len()..])))
}

/// Whether each tag in `text` may be one of ours, as those of `{{#if a}}`, `{{ a | b }}` and `{{{a}}}`
/// are not.
fn is_template(text: &str) -> bool {
    let tags = text.split("{{").skip(1);
    tags.filter_map(|rest| Some(rest.split_once("}}")?.0))
        .all(|tag| tag.starts_with('!') || is_tag(tag))
}

fn is_tag(tag: &str) -> bool {
    let name = tag.strip_prefix(['#', '^', '/']).unwrap_or(tag).trim();
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_told_by_their_types() {
        let meant = [
            "(a :int) -> :int",
            ":string",
            "[:map]",
            "{a :int}",
            "-> :map",
            "(",
            "{}",
            "(a:int",
            " (a :enum[x]) -> any",
            "(a integer) -> :ok",
            "{:ok :int}",
            "count :int",
            "user string, id :int?) -> map",
        ];
        for text in meant {
            assert!(is_meant(Role::Signature, text), "{text}");
        }
        let other = [
            "",
            "ErUBCkYIARgCIkCsp",
            "map(enumerable, fun)",
            "(x, y)",
            "(obj, /)",
            "(a, b) -> c",
            "sha256:abcdef",
            "(a :: integer) :: integer",
            "(self, x: int) -> str",
            "a::int",
            "a: :int",
            "ok :done",
        ];
        for text in other {
            assert!(!is_meant(Role::Signature, text), "{text}");
        }
    }

    #[test]
    fn templates_are_told_by_their_tags() {
        let meant = [
            "",
            "Hi",
            "{{a}}",
            "{{ a.b-c }}",
            "{{#a}}{{.}}{{/a}}",
            "{{! any thing }}",
            "{{",
            "{{}}",
            "{{1}}",
            "{{a",
        ];
        for text in meant {
            assert!(is_meant(Role::Prompt, text), "{text}");
        }
        let other = [
            "{{#if a}}",
            "{{ a | b }}",
            "{{{a}}}",
            "{{> a}}",
            "{{\"a\": 1}}",
            "{{a b}}",
        ];
        for text in other {
            assert!(!is_meant(Role::Prompt, text), "{text}");
        }
    }
}
