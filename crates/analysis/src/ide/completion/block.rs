//! Block mappings of YAML around a place, by the lines around it.

use super::Place;
use crate::ide::scan::Keys;
use signature_ls_source::text::{TextRange, TextSize};

/// A place where a key of a block mapping of YAML begins, recognized by indentation.
pub(super) struct Block {
    /// The keys of the mappings around it, innermost first.
    pub(super) path: Vec<String>,
    /// The other keys of the mapping.
    pub(super) keys: Keys,
    pub(super) replaced: TextRange,
}

impl Block {
    pub(super) fn around(place: &Place<'_>) -> Option<Self> {
        let line = place.line();
        let word = line.trim_start_matches([' ', '-']);
        if word.contains([':', '{', '[', '"', '\'', '#']) {
            return None;
        }
        let indent = line.len() - word.len();
        let Above { mut given, path } = Above::of(place, indent);
        given.extend(keys_below(place, indent));
        Some(Self {
            path,
            keys: Keys {
                given,
                of_value: None,
            },
            replaced: place.word(word.len()),
        })
    }
}

/// What is above a place in blocks of YAML.
#[derive(Default)]
pub(super) struct Above {
    /// The keys of the same mapping. In a sequence, the items before are other mappings.
    given: Vec<String>,
    /// The keys of the mappings around it, innermost first.
    pub(super) path: Vec<String>,
}

impl Above {
    /// What is above the mapping at `indent` around `place`.
    pub(super) fn of(place: &Place<'_>, mut indent: usize) -> Self {
        let begins_item = |line: &str| line.trim_start().starts_with('-');
        let mut is_begun = begins_item(&place.line());
        let mut above = Self::default();
        for line in &lines_above(place) {
            let content = line.trim_start_matches([' ', '-']);
            let own = line.len() - content.len();
            let Some((key, _)) = content.split_once(':') else {
                continue;
            };
            if own == indent && above.path.is_empty() {
                if !is_begun {
                    above.given.push(key.trim().to_owned());
                }
                is_begun |= begins_item(line);
            } else if own < indent {
                indent = own;
                above.path.push(key.trim().to_owned());
            }
            if own == 0 && !line.starts_with('-') {
                break;
            }
        }
        above
    }
}

/// The lines above the place up to one that is not indented, nearest first, at most a few hundred.
fn lines_above(place: &Place<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = place.text.line_range(place.offset).start();
    while let Some(before) = start
        .checked_sub(TextSize::from(1))
        .filter(|_| lines.len() < 300)
    {
        let line = place.text.line_range(before);
        let text = place.text.slice(line);
        let text = text.trim_end();
        start = line.start();
        if text.is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        lines.push(text.to_owned());
        if !text.starts_with([' ', '-']) {
            break;
        }
    }
    lines
}

/// The keys below the place in the block mapping at `indent`.
fn keys_below(place: &Place<'_>, indent: usize) -> Vec<String> {
    let mut keys = Vec::new();
    let mut at = place.text.line_range(place.offset).end();
    for _ in 0..300 {
        let line = place.text.line_range(at);
        let text = place.text.slice(line);
        let content = text.trim_start_matches(' ');
        let own = text.len() - content.len();
        let content = content.trim_end();
        let is_blank = content.is_empty() || content.starts_with('#');
        if !is_blank && (own < indent || (own == indent && content.starts_with('-'))) {
            break;
        }
        if let Some((key, _)) = content.split_once(':')
            && own == indent
        {
            keys.push(key.trim().to_owned());
        }
        if line.end() == at || line.is_empty() {
            break;
        }
        at = line.end();
    }
    keys
}
