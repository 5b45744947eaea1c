//! Front matter: the YAML between two `---` lines at the start of a file.

use std::borrow::Cow;

use crate::text::{Text, TextRange, TextSize, size};

/// The place of front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontMatter {
    /// The YAML between the two lines.
    pub yaml: TextRange,
    /// The start of the body, after the closing line.
    pub body_start: TextSize,
    /// Whether an edit of the body cannot change what precedes it: the closing line exists and ends with a line feed.
    pub sealed: bool,
}

/// Finds the front matter of `text`, closed or not.
pub fn find(text: &Text) -> Option<FrontMatter> {
    if !opens(text) {
        return None;
    }
    let mut lines = text.rope().lines();
    let mut at = lines.next()?.len_bytes();
    let yaml_start = size(at);
    for line in lines {
        let line_start = size(at);
        let line = Cow::<str>::from(line);
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return Some(FrontMatter {
                yaml: TextRange::new(yaml_start, line_start),
                body_start: size(at),
                sealed: line.ends_with('\n'),
            });
        }
    }
    Some(FrontMatter {
        yaml: TextRange::new(yaml_start, size(at)),
        body_start: size(at),
        sealed: false,
    })
}

/// Whether the first line of `text` opens front matter.
pub fn opens(text: &Text) -> bool {
    let first = text.rope().lines().next();
    first.is_some_and(|line| {
        Cow::<str>::from(line)
            .trim_start_matches('\u{feff}')
            .trim_end()
            == "---"
    })
}

impl FrontMatter {
    /// Whether its closing line exists.
    pub fn is_closed(&self) -> bool {
        self.yaml.end() < self.body_start
    }
}
