//! Counts tokens.
//!
//! The vocabulary is the only global state of the features: loading it takes so long that all documents share it.

#[cfg(feature = "tokens")]
use std::sync::{Arc, Mutex, PoisonError};

/// The encoding: that of OpenAI's models since GPT-4o.
pub const ENCODING: &str = "o200k_base";

/// The maximum length of a text in bytes: longer ones exceed every model's context.
#[cfg(feature = "tokens")]
const LONGEST: usize = 1 << 18;

/// The vocabulary, while it is in use: over ten megabytes.
#[cfg(feature = "tokens")]
static VOCABULARY: Mutex<Option<Arc<tiktoken::CoreBpe>>> = Mutex::new(None);

/// The number of tokens in `text`; `None` if it is unknown, as in a build without the feature `tokens`.
///
/// The first call, and the first after [`forget_vocabulary`], loads the vocabulary, which takes about 70 ms. So
/// tokens are counted for requests, not for keystrokes.
pub fn count(text: &str) -> Option<usize> {
    #[cfg(feature = "tokens")]
    {
        (text.len() <= LONGEST).then(|| vocabulary().count(text))
    }
    #[cfg(not(feature = "tokens"))]
    {
        let _ = text;
        None
    }
}

#[cfg(feature = "tokens")]
fn vocabulary() -> Arc<tiktoken::CoreBpe> {
    let mut known = VOCABULARY.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(known.get_or_insert_with(|| Arc::new(tiktoken::encoding::o200k_base())))
}

/// Frees the memory of the vocabulary until tokens are counted again.
pub fn forget_vocabulary() {
    #[cfg(feature = "tokens")]
    {
        *VOCABULARY.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The size of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Its characters.
    pub characters: usize,
    /// Its tokens; `None` if they are unknown.
    pub tokens: Option<usize>,
}

impl Size {
    /// The size of `text`.
    pub fn of(text: &str) -> Self {
        Self {
            characters: text.chars().count(),
            tokens: count(text),
        }
    }

    /// The sum; its tokens are unknown if one's are.
    pub fn and(self, other: Self) -> Self {
        Self {
            characters: self.characters + other.characters,
            tokens: self.tokens.zip(other.tokens).map(|(a, b)| a + b),
        }
    }

    /// The size of several texts together.
    pub fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let sizes = texts.into_iter().map(Self::of);
        sizes.fold(Self::of(""), Self::and)
    }
}

/// The number of tokens in a text in words: `12 tokens`; `None` if it is unknown.
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
            forget_vocabulary();
        }
        assert_eq!(count(&"a".repeat(LONGEST + 1)), None);
    }
}
