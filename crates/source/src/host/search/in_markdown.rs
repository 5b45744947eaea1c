//! Which places in Markdown may be in a code block, as far as a search can tell without parsing.
//!
//! Fences at the start of lines are followed. After one in a quote, a list or HTML, everything may be code.

use memchr::{memchr, memmem};

use super::place::Place;
use crate::host::markdown::Fence;

/// The fences of a text, for a reader that only goes on.
pub(super) struct Fences<'t> {
    text: &'t str,
    /// The start of the first line that was not read.
    next: usize,
    open: Option<Fence<'t>>,
    /// Whether the line may be in a block of HTML, which a blank line ends.
    is_html: bool,
    /// Whether a fence was not followed.
    is_lost: bool,
}

impl<'t> Fences<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        // Sessions of IEx are read without fences, too.
        let has_session = || memmem::find(text.as_bytes(), b"iex").is_some();
        let ends_lines = |it| memchr(it, text.as_bytes()).is_some();
        Self {
            text,
            next: 0,
            open: None,
            is_html: false,
            is_lost: has_session() || ends_lines(b'\r'),
        }
    }

    /// Whether it may be in a code block. No place may come before one of an earlier call.
    pub(super) fn may_be_code(&mut self, place: Place<'_>) -> bool {
        while !self.is_lost {
            let rest = &self.text[self.next..];
            let len = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
            if self.next + len > place.start {
                break;
            }
            self.read(&rest[..len]);
            self.next += len;
        }
        self.is_lost || self.open.is_some()
    }

    fn read(&mut self, line: &'t str) {
        let code = line.trim_start_matches(may_precede);
        if line.trim_ascii().is_empty() {
            self.is_html = false;
        }
        if let Some(tag) = code.strip_prefix('<') {
            self.is_html = true;
            self.is_lost |= self.open.is_none() && !ends_at_blank(tag.as_bytes());
            return;
        }
        let Some(fence) = Fence::new(code) else {
            return;
        };
        match &self.open {
            None if self.is_html => self.is_lost = true,
            _ if code.len() < line.len() => self.is_lost = true,
            None => self.open = Some(fence),
            Some(open)
                if fence.marker == open.marker
                    && fence.len >= open.len
                    && fence.info.is_empty() =>
            {
                self.open = None;
            }
            Some(_) => {}
        }
    }
}

/// Whether it may stand before a fence: in indentation, quotes and list items.
fn may_precede(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')')
}

/// Whether a block of HTML ends at the next blank line at the latest, given its first line after `<`: unlike comments of
/// several lines, scripts and the like.
fn ends_at_blank(tag: &[u8]) -> bool {
    let is_comment = tag.starts_with(b"!--") && memmem::find(&tag[1..], b"-->").is_some();
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let is_any = |names: &[&str]| {
        names.iter().any(|it| {
            let start = name.get(..it.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(it.as_bytes()))
        })
    };
    is_comment
        || name.first().is_some_and(u8::is_ascii_alphabetic)
            && !is_any(&["pre", "script", "style", "textarea"])
}
