//! Where the value of a key in JSON and YAML is, as far as a search can tell without parsing.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr2};

use super::{
    Place,
    words::Shows::{self, Prompt},
};
use crate::{
    host::{HostKind, evidence, yaml::quoted_len},
    work,
};

/// How far the values of keys in JSON were searched.
#[derive(Default)]
pub(super) struct Searched {
    signatures: usize,
    prompts: usize,
}

impl Searched {
    /// Whether the value of a key may be or contain a text that counts, and was not searched with that of a key before.
    pub(super) fn may_count(&mut self, text: &str, shows: Shows, key: Place<'_>) -> bool {
        let (end, may_have): (_, fn(&str) -> bool) = match shows {
            Prompt => (&mut self.prompts, evidence::may_have_prompt),
            _ => (&mut self.signatures, may_have_signature),
        };
        if key.start < *end {
            return false;
        }
        let Some(value) = of(HostKind::Json, text, key.start..key.end) else {
            return true;
        };
        // What seems to be a text may be the next key, if the value is missing.
        if !text[value.start..].starts_with('"') {
            *end = value.end;
        }
        may_have(&text[value])
    }
}

/// Whether a string in `json` may read like a signature, of another language, too: these begin like one of ours.
fn may_have_signature(json: &str) -> bool {
    let mut rest = json;
    while let Some(start) = memchr(b'"', rest.as_bytes()) {
        let string = &rest[start..];
        let begins = ['(', '[', '{', ':', '-', '=', '→', '\\'];
        if string[1..].trim_start().starts_with(begins) {
            return true;
        }
        let Some(len) = quoted_len(string) else {
            return true;
        };
        rest = &string[len..];
    }
    evidence::may_have_signature(json)
}

/// The part of `text` with the value of the key at `key`, which is without its quotes; `None` if it may be anywhere,
/// since the key or the value is written in an unusual way.
pub(super) fn of(kind: HostKind, text: &str, key: Range<usize>) -> Option<Range<usize>> {
    if kind == HostKind::Json
        && let Some(end) = end_of_string(text, key.start)
    {
        return Some(key.end..end);
    }
    let after = &text[key.end..];
    let after = after.strip_prefix(['"', '\'']).unwrap_or(after);
    let colon = after.trim_ascii_start();
    let value = colon.strip_prefix(':')?;
    let is_block = kind == HostKind::Yaml;
    if is_block && after[..after.len() - colon.len()].contains(['\n', '\r']) {
        return None;
    }
    let start = text.len() - value.trim_ascii_start().len();
    let len = match (text[start..].bytes().next(), is_block) {
        (Some(b'"'), _) => quoted_len(&text[start..])?,
        (Some(b'{' | b'['), _) => balanced(&text[start..])?,
        (Some(b'-' | b'0'..=b'9' | b'a'..=b'z'), false) => line(&text[start..]),
        (_, false) | (Some(b'*' | b'&' | b'!' | b'\''), true) => return None,
        (_, true) => {
            let start = text.len() - value.len();
            return block(text, key.start, start).map(|end| start..end);
        }
    };
    Some(start..start + len)
}

/// The number of bytes on each side of a key in which a string around it is looked for.
const NEAR: usize = 512;

/// The end of the string around `at`, which is then no key. The string is whole, on one line, and stands where a value
/// can.
fn end_of_string(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let near = &bytes[at.saturating_sub(NEAR)..at];
    let line = match memrchr2(b'\n', b'\r', near) {
        Some(end) => at - near.len() + end + 1,
        None if near.len() == at => 0,
        None => return None,
    };
    let mut next = line;
    while let Some(quote) = memchr(b'"', &bytes[next..at]) {
        let start = next + quote;
        let len = quoted_len(text.get(start..text.len().min(at + NEAR))?)?;
        next = start + len;
        if next > at {
            let following = text[next..].trim_start_matches([' ', '\t']);
            let begins = |it: &str| it.is_empty() || it.starts_with([',', '}', ']', '\n', '\r']);
            return (start + 1 < at && begins(following)).then_some(next);
        }
    }
    None
}

/// The length of the line at the start of `text`.
fn line(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// The length of the brackets at the start of `text`; `None` if they are not closed in order, or if there may be a
/// comment or a string that is not in double quotes.
fn balanced(text: &str) -> Option<usize> {
    let mut at = 0;
    let len = closed(text, &mut at);
    work::count(at);
    len
}

fn closed(text: &str, at: &mut usize) -> Option<usize> {
    let mut closers = Vec::new();
    loop {
        match text.as_bytes().get(*at)? {
            b'{' => closers.push(b'}'),
            b'[' => closers.push(b']'),
            byte @ (b'}' | b']') => {
                if closers.pop()? != *byte {
                    return None;
                }
                if closers.is_empty() {
                    return Some(*at + 1);
                }
            }
            b'"' => {
                let len = quoted_len(&text[*at..])?;
                if memchr(b'\n', &text.as_bytes()[*at..*at + len]).is_some() {
                    return None;
                }
                *at += len - 1;
            }
            b'\'' | b'/' | b'#' | b'*' | b'&' | b'\r' => return None,
            _ => {}
        }
        *at += 1;
    }
}

/// The end of the lines that belong to the key at `key` by their indentation, where its value begins at `start`.
fn block(text: &str, key: usize, start: usize) -> Option<usize> {
    let key = key - usize::from(text[..key].ends_with(['"', '\'']));
    let line_start = memrchr2(b'\n', b'\r', &text.as_bytes()[..key]).map_or(0, |at| at + 1);
    let is_indent = |c: char| matches!(c, ' ' | '-');
    let before = text[..line_start].trim_end();
    let above = &before[memrchr2(b'\n', b'\r', before.as_bytes()).map_or(0, |at| at + 1)..];
    let may_be_flow = before.ends_with(['{', '[', ',']) || above.contains('#');
    if may_be_flow || !text[line_start..key].chars().all(is_indent) {
        return None;
    }
    let column = key - line_start;
    let mut end = start + line(&text[start..]);
    if !is_whole(&text[start..end]) {
        return None;
    }
    while end < text.len() {
        let rest = &text[end..];
        let rest = rest.strip_prefix("\r\n").or(rest.strip_prefix('\n'))?;
        let next = &rest[..line(rest)];
        let code = next.trim_start_matches(' ');
        let indent = next.len() - code.len();
        let is_part = indent > column || indent == column && code.starts_with('-');
        if !is_part && !code.is_empty() && !code.starts_with('#') {
            break;
        }
        if !is_whole(next) {
            return None;
        }
        end = text.len() - rest.len() + next.len();
    }
    let count = |byte| memchr_iter(byte, &text.as_bytes()[start..end]).count();
    let is_closed = count(b'{') == count(b'}') && count(b'[') == count(b']');
    is_closed.then_some(end)
}

/// Whether no string goes on after `line`, and nothing in it stands for another part of the text.
fn is_whole(line: &str) -> bool {
    let quotes = memchr_iter(b'"', line.as_bytes()).count();
    let mut opened = line.split(" '").skip(1);
    quotes.is_multiple_of(2) && opened.all(|it| it.contains('\'')) && !line.contains(['*', '\t'])
}
