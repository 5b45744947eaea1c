//! The bodies of strings: what ends them, and what shows that one was left open.

use super::{
    code::ends_key,
    recover::{self, Begins},
};
use crate::host::token_tree::{Indent, Kind};

/// How the string around the next token is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    /// The delimiter that ends it, once or, in a heredoc, three times.
    pub(super) closer: u8,
    pub(super) is_heredoc: bool,
    pub(super) is_sigil: bool,
    /// Whether it has interpolations, and escapes other than of its delimiter.
    pub(super) is_interpreted: bool,
    /// What its lines so far say.
    pub(super) content: Content,
}

/// What the lines of a string say about whether a definition can be in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Content {
    /// The indentation of the first line that is not blank.
    indent: Option<Indent>,
    first: First,
    is_line_start: bool,
    /// Whether the fence of a code block is open.
    is_in_fence: bool,
    has_lines: bool,
    /// Whether it has any text, escape or interpolation.
    is_begun: bool,
    /// Whether it is the rest of the line of its quote, and begins with what follows a string.
    goes_on_after_string: bool,
    /// Whether the last line that is not blank only closes brackets, as the end of a call does.
    is_after_call: bool,
    /// Whether code may follow the last line that is not blank.
    is_before_code: bool,
}

impl Content {
    /// The content of a string before its text, which is at the start of a line or not.
    pub(super) fn new(is_line_start: bool) -> Self {
        Self {
            is_line_start,
            ..Self::default()
        }
    }

    /// Reads `text`, all or a part of a line.
    fn read(&mut self, text: &str) {
        let is_line_start = std::mem::replace(&mut self.is_line_start, text.ends_with('\n'));
        self.has_lines |= text.ends_with('\n');
        let follows_string = text.trim_start().starts_with([')', ']', '}', ',']);
        self.goes_on_after_string = !self.is_begun && !self.has_lines && follows_string;
        self.is_begun = true;
        let line = text.trim();
        if line.is_empty() {
            return;
        }
        let indent = text.len() - text.trim_start_matches([' ', '\t']).len();
        let indent = Indent::from(indent);
        if self.indent.is_none() {
            self.indent = Some(indent);
            self.first = First::of(line);
        }
        self.is_after_call = line.chars().all(|c| matches!(c, ')' | ']' | '}' | ','));
        if is_line_start && line.starts_with("```") {
            self.is_in_fence = !self.is_in_fence;
        }
        let is_announcement =
            line.ends_with(':') && self.indent == Some(indent) && self.first != First::Program;
        self.is_before_code = is_announcement || line == "end";
    }

    /// Whether the lines of a heredoc may go on with what `begins`. They are not indented less than the first.
    fn can_hold(self, begins: Begins) -> bool {
        let (indent, is_out_of_place) = match begins {
            Begins::Definition(indent) => (indent, self.first >= First::Prose),
            Begins::Statement => (0, self.first == First::Program),
            Begins::Call => return true,
        };
        let Some(content) = self.indent else {
            return false;
        };
        let content = usize::from(content);
        let is_after_code = self.is_in_fence || self.is_before_code;
        content <= indent && (content < indent || !is_out_of_place || is_after_code)
    }
}

/// What the first line of a string is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum First {
    /// A definition.
    Definition,
    /// Anything.
    #[default]
    Any,
    /// The beginning of a sentence, a list or a template.
    Prose,
    /// The beginning of a program in Lisp.
    Program,
}

impl First {
    fn of(line: &str) -> Self {
        if recover::begins_definition(line) {
            return Self::Definition;
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        let inner = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
        let is_sentence = word.starts_with(char::is_uppercase) && !inner.contains(['.', '(']);
        match word.as_bytes().first() {
            Some(b'(') => Self::Program,
            Some(b'{' | b'<' | b'-' | b'*' | b'`') => Self::Prose,
            _ if is_sentence => Self::Prose,
            _ => Self::Any,
        }
    }
}

fn is_line_end(rest: &str) -> bool {
    rest.strip_prefix('\r').unwrap_or(rest).starts_with('\n')
}

impl Body {
    /// Whether the text at `rest` shows that the string was left open: something begins there, after a blank line, that
    /// cannot be in the string, or its line ends where a string is closed.
    pub(super) fn is_left_at(self, rest: &str) -> bool {
        if self.ends_with_line() && is_line_end(rest) {
            return true;
        }
        let is_before_text = self.content.is_line_start && self.content.indent.is_none();
        let begins = match self.is_heredoc && is_before_text {
            true => recover::begins_after_blank_line(rest),
            false => recover::begins_after_line(rest),
        };
        begins.is_some_and(|begins| match self.is_heredoc {
            true => !self.content.can_hold(begins),
            false => self.is_left_for(begins),
        })
    }

    /// Whether a string without an indentation of its own plainly ends before what `begins`. An apostrophe is more
    /// often a slip than the quote of several paragraphs.
    fn is_left_for(self, begins: Begins) -> bool {
        let is_charlist = self.closer == b'\'' && !self.is_sigil;
        match begins {
            Begins::Definition(_) => {
                let holds_code = self.is_sigil && self.content.first == First::Definition;
                !holds_code && !self.content.is_in_fence
            }
            Begins::Statement => {
                is_charlist || !self.content.has_lines || self.content.is_after_call
            }
            Begins::Call => is_charlist || self.content.is_after_call,
        }
    }

    /// The same after `text`, which goes on with the string.
    fn is_left_after(self, text: &str, rest: &str) -> bool {
        let may_end = !self.content.is_begun || recover::begins_after_line(rest).is_some();
        may_end && self.with_text(text).is_left_at(rest)
    }

    /// Whether the quote was meant to close a string: what follows one is after it.
    fn ends_with_line(self) -> bool {
        !self.is_heredoc && !self.is_sigil && self.content.goes_on_after_string
    }

    /// The string after `text`, which goes on with it.
    pub(super) fn with_text(mut self, text: &str) -> Self {
        self.content.read(text);
        self
    }

    /// The string after an escape or the beginning of an interpolation.
    pub(super) fn with_other(mut self, text: &str) -> Self {
        self.content.is_before_code = false;
        self.content.is_begun = true;
        self.content.goes_on_after_string = false;
        self.content.is_line_start = text.ends_with('\n');
        self
    }
    /// The end of the string, if `rest` begins with it: its kind and length.
    pub(super) fn close(self, rest: &str) -> Option<(Kind, usize)> {
        let bytes = rest.as_bytes();
        let len = if self.is_heredoc {
            let indentation = bytes
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t'))
                .count();
            let closes =
                self.content.is_line_start && bytes[indentation..].starts_with(&[self.closer; 3]);
            closes.then_some(indentation + 3)?
        } else {
            (bytes.first() == Some(&self.closer)).then_some(1)?
        };
        if self.is_sigil {
            let modifiers = bytes[len..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric());
            return Some((Kind::StringClose, len + modifiers.count()));
        }
        if !self.is_heredoc && ends_key(&rest[len..]) {
            return Some((Kind::KeyClose, len + 1));
        }
        Some((Kind::StringClose, len))
    }

    /// The length of the escape with which `rest` begins.
    pub(super) fn escape_len(self, rest: &str) -> Option<usize> {
        let escaped = rest.strip_prefix('\\')?;
        if !self.is_interpreted && !self.is_escaped_delimiter(escaped) {
            return None;
        }
        if escaped.starts_with("\r\n") {
            return Some(3);
        }
        Some(1 + escaped.chars().next().map_or(0, char::len_utf8))
    }

    fn is_escaped_delimiter(self, escaped: &str) -> bool {
        let count = if self.is_heredoc { 3 } else { 1 };
        escaped.as_bytes().starts_with(&[self.closer; 3][..count])
    }

    /// The length of the text with which `rest` begins, to the end of its line or the next part.
    pub(super) fn text_len(self, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' | b'\r' if self.is_left_after(&rest[..at], &rest[at..]) => break,
                b'\n' => return at + 1,
                b'\\' if self.is_interpreted || self.is_escaped_delimiter(&rest[at + 1..]) => break,
                // The character after a backslash ends nothing, a line end apart.
                b'\\' if bytes.get(at + 1).is_some_and(|next| *next != b'\n') => at += 1,
                b'#' if self.is_interpreted && bytes.get(at + 1) == Some(&b'{') => break,
                byte if *byte == self.closer && !self.is_heredoc => break,
                _ => {}
            }
            at += 1;
        }
        at
    }
}
