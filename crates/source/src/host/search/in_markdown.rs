//! Which places in Markdown may be in a code block, as far as a search can tell without parsing.
//!
//! Fences at the start of lines are followed. After one in a quote or a list, or after HTML, everything may be code.

use memchr::{memchr, memmem};

use super::Place;

/// What may stand before a fence: indentation, quotes and list items.
const CONTAINERS: &[u8] = b" \t>-+*0123456789.)";

/// The fences of a text, for a reader that only goes on.
pub(super) struct Fences<'t> {
    text: &'t [u8],
    /// The start of the first line that was not read.
    next: usize,
    /// The sign of the open fence, and how many it has.
    open: Option<(u8, usize)>,
    /// Whether a fence is not followed, or HTML may hide one.
    is_lost: bool,
}

impl<'t> Fences<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let text = text.as_bytes();
        // Sessions of IEx are read without fences, too.
        let has_session = || memmem::find(text, b"iex").is_some();
        let ends_lines = |it| memchr(it, text).is_some();
        Self {
            text,
            next: 0,
            open: None,
            is_lost: has_session() || ends_lines(b'\r'),
        }
    }

    /// Whether it may be in a code block. No place may come before one of an earlier call.
    pub(super) fn may_be_code(&mut self, place: Place<'_>) -> bool {
        while !self.is_lost {
            let rest = &self.text[self.next..];
            let len = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            if self.next + len > place.start {
                break;
            }
            self.read(&rest[..len]);
            self.next += len;
        }
        self.is_lost || self.open.is_some()
    }

    fn read(&mut self, line: &[u8]) {
        let column = line.iter().take_while(|it| CONTAINERS.contains(it)).count();
        let Some(&sign @ (b'`' | b'~' | b'<')) = line.get(column) else {
            return;
        };
        if sign == b'<' {
            self.is_lost |= self.open.is_none();
            return;
        }
        let len = line[column..].iter().take_while(|it| **it == sign).count();
        let info = line[column + len..].trim_ascii();
        // Code in a line of text may begin like a fence, and ends in that line.
        if len < 3 || sign == b'`' && info.contains(&b'`') {
            return;
        }
        match self.open {
            _ if column > 0 => self.is_lost = true,
            None => self.open = Some((sign, len)),
            Some((open, least)) if sign == open && len >= least && info.is_empty() => {
                self.open = None;
            }
            Some(_) => {}
        }
    }
}
