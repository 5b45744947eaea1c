//! Finds the setting at a place in a settings file line by line, so that the rest may be unfinished.

use signature_ls_source::text::{TextRange, TextSize, size};

/// The text around a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The names of the tables around the line.
    pub(super) table: Vec<&'t str>,
    /// The start of the line, in bytes of the file.
    pub(super) start: usize,
    /// The line.
    pub(super) text: &'t str,
    /// The column in bytes.
    pub(super) at: usize,
}

impl<'t> Line<'t> {
    /// The line around `offset`.
    pub(super) fn at(text: &'t str, offset: TextSize) -> Self {
        let offset = usize::from(offset).min(text.len());
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = text[offset..]
            .find('\n')
            .map_or(text.len(), |at| offset + at);
        let mut headers = text[..start].lines().rev().filter_map(header);
        Self {
            table: headers.next().unwrap_or_default(),
            start,
            text: text[start..end].trim_end_matches('\r'),
            at: offset - start,
        }
    }

    /// The names in the table header of the line, even if it is not closed.
    pub(super) fn header(&self) -> Option<Vec<&'t str>> {
        header(self.text)
    }

    /// The name of the setting on the line, with dots resolved, and the start of its value.
    pub(super) fn assignment(&self) -> Option<(Vec<&'t str>, usize)> {
        let (key, _) = self.text.split_once('=')?;
        let mut path = self.table.clone();
        path.extend(names(key));
        Some((path, key.len() + 1))
    }

    /// Whether the place is in a comment.
    pub(super) fn is_in_comment(&self) -> bool {
        let before = &self.text[..self.at.min(self.text.len())];
        let mut quote = None;
        before.chars().any(|c| {
            match quote {
                None if matches!(c, '"' | '\'') => quote = Some(c),
                Some(opened) if opened == c => quote = None,
                _ => {}
            }
            c == '#' && quote.is_none()
        })
    }

    /// The word around the place: letters, digits, `_`, `-` and, in a value, dots and quotes.
    pub(super) fn word(&self, is_value: bool) -> (TextRange, &'t str) {
        let is_part = |c: char| {
            c.is_ascii_alphanumeric()
                || matches!(c, '_' | '-')
                || (is_value && matches!(c, '.' | '"'))
        };
        let at = self.at.min(self.text.len());
        let before = self.text[..at].trim_end_matches(is_part).len();
        let rest = &self.text[at..];
        let after = at + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let range = TextRange::new(size(self.start + before), size(self.start + after));
        (range, &self.text[before..after])
    }
}

/// The names of a table header.
fn header(line: &str) -> Option<Vec<&str>> {
    let names_in = line.trim().strip_prefix('[')?;
    let (names_in, after) = names_in.split_once(['#', ']']).unwrap_or((names_in, ""));
    let after = after.trim_start_matches(']').trim_start();
    // A list in a list is none.
    let is_header = !names_in.contains(',') && !after.starts_with(',');
    is_header.then(|| names(names_in))
}

/// The names separated by dots.
fn names(path: &str) -> Vec<&str> {
    let names = path.split('.').map(|it| it.trim().trim_matches('"'));
    names.collect()
}
