//! The notation of signatures, in which long parts that many signatures have are kept once.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use crate::model::{Edition, parse_signature};

/// A text.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    /// The text without the `parts`.
    text: String,
    /// Parts, each with its place in the text.
    parts: Vec<(usize, Arc<Part>)>,
}

/// The notation of a type.
#[derive(Debug)]
pub(super) struct Part {
    words: Words,
    /// Whether the first requested edition accepts it.
    accepted: OnceLock<(Edition, bool)>,
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self {
            text,
            parts: Vec::new(),
        }
    }
}

impl Words {
    /// The same as a part of others.
    pub(super) fn shared(self) -> Self {
        let part = Part {
            words: self,
            accepted: OnceLock::new(),
        };
        Self {
            text: String::new(),
            parts: vec![(0, Arc::new(part))],
        }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn push(&mut self, other: Self) {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let parts = other.parts.into_iter();
        self.parts
            .extend(parts.map(|(at, part)| (start + at, part)));
    }

    /// Calls `each` for all stretches of the text and for the parts between them.
    fn each<'w>(&'w self, each: &mut dyn FnMut(&'w str, Option<&'w Part>)) {
        let mut start = 0;
        for (at, part) in &self.parts {
            each(&self.text[start..*at], Some(part));
            start = *at;
        }
        each(&self.text[start..], None);
    }

    /// The text, at most its first `most` bytes and the character after them.
    pub(super) fn first(&self, most: usize) -> String {
        let mut first = String::new();
        self.write(most, &mut first);
        first
    }

    fn write(&self, most: usize, into: &mut String) {
        self.each(&mut |text, part| {
            if into.len() > most {
                return;
            }
            let mut end = text.len().min(most + 1 - into.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            into.push_str(&text[..end]);
            if let Some(part) = part {
                part.words.write(most, into);
            }
        });
    }

    fn ends_with(&self, char: char) -> bool {
        let last = self.parts.last().filter(|(at, _)| *at == self.text.len());
        match last {
            Some((_, part)) => part.words.ends_with(char),
            None => self.text.ends_with(char),
        }
    }

    /// Whether a parser of `edition` accepts it as a signature.
    pub(super) fn is_accepted(&self, edition: Edition) -> bool {
        self.is_accepted_after("", edition)
    }

    fn is_accepted_after(&self, before: &str, edition: Edition) -> bool {
        let mut outline = before.to_owned();
        let mut are_accepted = true;
        self.each(&mut |text, part| {
            outline.push_str(text);
            if let Some(part) = part {
                are_accepted = are_accepted && part.is_accepted(edition);
                // Another type of the kind that it is, which is as acceptable.
                outline.push_str(match part.words.ends_with('?') {
                    true => "[:any]?",
                    false => "[:any]",
                });
            }
        });
        are_accepted && parse_signature(&outline, edition).0.is_some()
    }
}

impl Part {
    fn is_accepted(&self, edition: Edition) -> bool {
        let read = || (edition, self.words.is_accepted_after("() -> ", edition));
        match *self.accepted.get_or_init(read) {
            (known, is_accepted) if known == edition => is_accepted,
            _ => read().1,
        }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first(usize::MAX - 1))
    }
}
