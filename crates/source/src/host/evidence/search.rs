//! Whether any literal in a whole text may be evidence, without looking for the literals.
//!
//! Both searches are one-sided: they can be wrong only where they say that there may be some.

use memchr::{memchr_iter, memmem};

use super::{
    prompt::{self, Tag},
    words::{GUESSES, TYPES, is_slip, is_word_char, word_len},
};

/// The longest tag that is read; a longer one may be a placeholder.
const LONGEST_TAG: usize = 1024;

/// Whether a literal in `text` may read like a prompt: some tag is a placeholder.
pub fn may_have_prompt(text: &str) -> bool {
    let mut closers = memmem::find_iter(text.as_bytes(), "}}").peekable();
    memchr_iter(b'{', text.as_bytes()).any(|brace| {
        let start = brace + 2;
        if !text[brace + 1..].starts_with('{') {
            // A literal may have a brace as an escape.
            return text[brace + 1..].starts_with("\\{");
        }
        while closers.next_if(|closer| *closer < start).is_some() {}
        let Some(&end) = closers.peek() else {
            return false;
        };
        if end - start > LONGEST_TAG {
            return !text.as_bytes()[start..start + LONGEST_TAG].contains(&b'\n');
        }
        let tag = &text[start..end];
        let owner = prompt::tag(&text[..brace], tag, &text[end + 2..]);
        matches!(owner, Tag::Ours) || tag.contains('\\')
    })
}

/// Whether a literal in `text` may read like a signature: one of our types is in the place of a type.
pub fn may_have_signature(text: &str) -> bool {
    memchr_iter(b':', text.as_bytes()).any(|at| {
        let (before, rest) = (&text[..at], &text[at + 1..]);
        let word = &rest[..word_len(rest)];
        match before_type(before) {
            Before::Place => is_type(word),
            Before::Name if word.is_empty() => ends_literal(rest),
            Before::Name => {
                let may_become = || TYPES.iter().any(|ty| ty.starts_with(word));
                is_type(word) || GUESSES.contains(&word) || may_become()
            }
            Before::Other => false,
        }
    })
}

fn is_type(word: &str) -> bool {
    !word.is_empty() && (TYPES.contains(&word) || is_slip(word))
}

/// What is before a colon.
enum Before {
    /// A bracket, an arrow, or what a literal can begin after.
    Place,
    /// A name and a space, or something that stands for other text.
    Name,
    /// Something else.
    Other,
}

/// So many bytes before a colon are searched for an escape.
const LONGEST_ESCAPE: usize = "\\u0020".len();

fn before_type(touching: &str) -> Before {
    let before = touching.trim_end();
    let has_space = before.len() < touching.len();
    let Some(last) = before.chars().next_back() else {
        return Before::Place;
    };
    let escape = before.len().saturating_sub(LONGEST_ESCAPE);
    if before.as_bytes()[escape..].contains(&b'\\') {
        return Before::Name;
    }
    match last {
        '(' | '[' | '{' | '<' | '>' | '→' | '"' | '\'' | '`' | '|' | '/' => Before::Place,
        ':' | '+' if has_space => Before::Place,
        // A key in quotes.
        ':' if before.ends_with("\":") || before.ends_with("':") => Before::Place,
        '?' | '}' if has_space => Before::Name,
        last if has_space && is_word_char(last) => Before::Name,
        _ => Before::Other,
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

/// Whether a literal may end at the start of `rest`, apart from closing brackets.
fn ends_literal(rest: &str) -> bool {
    let is_between = |c: char| matches!(c, ')' | ']' | '}') || is_blank(c);
    let rest = rest.trim_start_matches(is_between);
    rest.is_empty() || rest.starts_with(['"', '\'', '`', '\n', '\r', '\\', '#', '|', '/', '>'])
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;
    use crate::host::evidence::{Evidence, is_prompt, of_signature};

    /// What signatures and prompts are made of, with what occurs around them.
    fn parts() -> impl Strategy<Value = String> {
        let signs = select(
            "( ) [ ] { } < > { {{ }} }}} {{# {{/ {{^ {{. : :: , ? ! = | / # & _ - -- + -> => → … \\ \\n \" ' ` .".split(' ').collect::<Vec<_>>(),
        );
        let spaces = select(vec![" ", "  ", "\n", "\t", "---\n", "- ", "\n- ", "\u{a0}"]);
        let words = select(vec![
            "a",
            "a-b",
            "é",
            "user",
            "user.name",
            "int",
            "itn",
            "in",
            "strng",
            "string",
            "list",
            "enum",
            "_",
            "1",
            "self",
        ]);
        let typed = select(vec![
            "a :int", "(a :int)", "-> :map", "()->:map", ":enum[a]", "{{a}}", "{{#a}}", "{{a.b}}",
        ]);
        vec(prop_oneof![signs, spaces, words, typed], 0..10).prop_map(|parts| parts.concat())
    }

    proptest! {
        /// A literal that counts is found in the text around it.
        #[test]
        fn what_reads_like_ours_is_found(text in parts(), (before, after) in select(vec![
            ("", ""), ("a \"", "\" b"), ("a '", "' b"), ("a: `", "`b"), ("|a |", "| b|"), ("a: ", "\nb"),
            ("```sig\n", "\n```\n"), ("~T\"", "\"b"), ("{{b}} \"", "\" {{c d}} }}"),
        ])) {
            let whole = format!("{before}{text}{after}");
            if of_signature(&text) >= Some(Evidence::Likely) {
                prop_assert!(may_have_signature(&whole), "{}", whole);
            }
            // Code in Markdown is no prompt.
            if is_prompt(&text) && !before.ends_with('`') {
                prop_assert!(may_have_prompt(&whole), "{}", whole);
            }
        }
    }
}
