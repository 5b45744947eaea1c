//! The number of lines that the signature of an entry takes.

use super::lines::{ARROWS, begins_with_arrow};

/// The kinds of brackets.
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// The state of a signature at the end of a line.
#[derive(Debug, Default)]
pub(super) struct Extent {
    /// The open brackets, as indices in [`BRACKETS`].
    open: Vec<usize>,
    /// The number of open brackets of each kind.
    counts: [usize; BRACKETS.len()],
    has_arrow: bool,
    last: Last,
}

/// How the code of a line ends.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// With an opening bracket or a comma, so that more must follow.
    Opener,
    Arrow,
    #[default]
    Other,
}

impl Extent {
    /// Reads the code of one more line.
    pub(super) fn line(&mut self, code: &str) {
        for (at, c) in code.char_indices() {
            if let Some(kind) = BRACKETS.iter().position(|it| it.0 == c) {
                self.open.push(kind);
                self.counts[kind] += 1;
            } else if let Some(kind) = BRACKETS.iter().position(|it| it.1 == c) {
                self.close(kind);
            } else if self.open.is_empty() && begins_with_arrow(&code[at..]) {
                self.has_arrow = true;
            }
        }
        let code = code.trim_end();
        self.last = if code.ends_with(['(', '[', '{', ',']) {
            Last::Opener
        } else if ARROWS.iter().any(|it| code.ends_with(it)) {
            Last::Arrow
        } else {
            Last::Other
        };
    }

    /// Closes the innermost bracket of `kind` and those in it.
    fn close(&mut self, kind: usize) {
        while self.counts[kind] > 0
            && let Some(open) = self.open.pop()
        {
            self.counts[open] -= 1;
            if open == kind {
                break;
            }
        }
    }

    /// Whether the signature continues with `next`, the code of a line that does not certainly begin an entry.
    pub(super) fn goes_on(&self, next: &str) -> bool {
        let next = next.trim_start();
        match (self.open.is_empty(), self.last) {
            (false, Last::Opener) => reads_as_signature(next) || !is_prose(next),
            (false, _) => reads_as_signature(next),
            (true, Last::Arrow) => next.starts_with([':', '[', '{', '(']),
            (true, _) => !self.has_arrow && begins_with_arrow(next),
        }
    }
}

/// Whether a line may be part of a parameter list or of a type, and not prose.
fn reads_as_signature(code: &str) -> bool {
    if code.starts_with([')', ']', '}', ',', ':', '[', '{']) || begins_with_arrow(code) {
        return true;
    }
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let following = code.trim_start_matches(is_in_name);
    let ty = following.trim_start();
    let is_type = ty.starts_with(['[', '{'])
        || ty
            .strip_prefix(':')
            .is_some_and(|word| word.starts_with(is_in_name));
    following.len() < code.len() && is_type
}

/// Whether a line begins with the words of a sentence, and not with an unfinished parameter.
pub fn is_prose(code: &str) -> bool {
    let stop = code.find([':', ',', '(', ')', '[', ']', '{', '}']);
    let mut words = code[..stop.unwrap_or(code.len())].split_whitespace();
    let (Some(first), Some(_)) = (words.next(), words.next()) else {
        return false;
    };
    let is_sentence = first.starts_with(char::is_uppercase) || code.ends_with(['.', '!', '?']);
    is_sentence || words.next().is_some()
}
