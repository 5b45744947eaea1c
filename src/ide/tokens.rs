//! Counts the tokens of a text.

/// The encoding that is counted in: the one of OpenAI's models since GPT-4o.
pub const ENCODING: &str = "o200k_base";

/// Longer texts are not counted, in bytes: they fill no model's context.
#[cfg(feature = "tokens")]
const LONGEST: usize = 1 << 18;

/// How many tokens `text` is; `None` where that is not known, as in a build without the feature `tokens`.
///
/// The first count loads the vocabulary, which takes some milliseconds. So counts are made for requests, not for
/// keystrokes.
pub fn count(text: &str) -> Option<usize> {
    #[cfg(feature = "tokens")]
    {
        let encoding = tiktoken::get_encoding(ENCODING)?;
        (text.len() <= LONGEST).then(|| encoding.count(text))
    }
    #[cfg(not(feature = "tokens"))]
    {
        let _ = text;
        None
    }
}

/// The size of a text in words: `12 tokens`, or nothing where that is not known.
pub fn counted(text: &str) -> Option<String> {
    Some(match count(text)? {
        1 => "1 token".to_owned(),
        tokens => format!("{tokens} tokens"),
    })
}

#[cfg(all(test, feature = "tokens"))]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_encoding() {
        // The counts are those of OpenAI's own `tiktoken`.
        for (text, expected) in [
            ("", 0),
            ("hello world", 2),
            (
                "search(query :string, limit :int) -> [{id :int, title :string}]",
                19,
            ),
            ("Grüße, 你好 😀", 7),
            ("   \n\n  x", 3),
        ] {
            assert_eq!(count(text), Some(expected), "{text:?}");
        }
        assert_eq!(count(&"a".repeat(LONGEST + 1)), None);
    }
}
