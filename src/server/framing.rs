//! The messages in a byte stream, framed as the protocol requires.

use std::{
    io::{self, BufRead, Read},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Id, Request};

use super::{tolerance, uris::ClientUris};
use crate::{files, large_pages::LargePages};

/// The length of the longest message in bytes: the longest document with every character escaped.
const LONGEST_MESSAGE: usize = 6 * files::LONGEST as usize;

/// The memory that is reserved for a message before it is read. The length in a header may be wrong.
const MOST_RESERVED: usize = 16 * 1024 * 1024;

/// Of a longer line, only the end may be a header.
const LONGEST_LINE: u64 = 64 * 1024;
const LONGEST_HEADER: usize = 256;

/// The messages of a client.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// A request or a notification.
    Call(Request),
    /// The answer to a request of the server.
    Answer(Id, Value),
    /// An invalid message, and the answer to it.
    Invalid(Id, Error),
}

#[derive(Deserialize)]
struct Fields {
    method: Option<String>,
    params: Option<Value>,
    id: Option<Id>,
    #[serde(default)]
    result: Value,
    error: Option<IgnoredAny>,
}

/// Splits the input into messages.
///
/// A client may send a wrong length. The header of the next message reveals it: a JSON string never contains a raw
/// line break, so no line of a body looks like such a header.
pub(super) struct Messages<R> {
    input: R,
    /// What was read ahead, behind the end of the last body.
    ahead: Vec<u8>,
    /// The number of bytes in it that were used.
    used: usize,
}

impl<R: BufRead> Messages<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            ahead: Vec::new(),
            used: 0,
        }
    }

    /// Reads one message; `None` at the end of the input.
    pub(super) fn read(&mut self, uris: &Mutex<ClientUris>) -> io::Result<Option<Incoming>> {
        let Some(len) = self.read_header()? else {
            return Ok(None);
        };
        let wanted = usize::try_from(len).unwrap_or(usize::MAX);
        // A long message is that of a long text.
        let _large_pages = LargePages::for_text(wanted);
        let Some(body) = self.read_body(wanted)? else {
            return Ok(None);
        };
        let mut end = body.len();
        let fields = fields_of(&body).or_else(|error| {
            // A length that is slightly too long includes the start of the next header.
            end = end_of_value(&body).ok_or(error)?;
            fields_of(&body[..end])
        });
        if fields.as_ref().is_err_and(|error| !error.is_data()) {
            end = 0;
        }
        // The body contains no header, but the next one may begin in it.
        self.used -= (body.len() - end).min(LONGEST_HEADER);
        Ok(Some(message(fields, uris)))
    }

    /// Reads headers up to the empty line after a content length; `None` at the end of the input.
    ///
    /// Other lines are skipped: the messages continue at the next header.
    fn read_header(&mut self) -> io::Result<Option<u64>> {
        let mut len = None;
        let mut line = Vec::new();
        loop {
            line.clear();
            if !self.read_line(&mut line)? {
                return Ok(None);
            }
            let text = line.trim_ascii();
            if text.is_empty() && len.is_some() {
                return Ok(len);
            }
            len = content_length(text).or(len);
        }
    }

    /// Reads a line, only the end of a very long one; returns whether there was one.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            let ahead = &self.ahead[self.used..];
            let mut input = ahead.chain(&mut self.input).take(LONGEST_LINE);
            let read = input.read_until(b'\n', line)?;
            self.used += read.min(ahead.len());
            if read == 0 || line.last() == Some(&b'\n') {
                return Ok(!line.is_empty());
            }
            line.drain(..line.len().saturating_sub(LONGEST_HEADER));
        }
    }

    /// Reads a body of `wanted` bytes, or up to the header of the next message if that comes first; `None` at the end of
    /// the input.
    fn read_body(&mut self, wanted: usize) -> io::Result<Option<Vec<u8>>> {
        let ahead = &self.ahead[self.used..];
        let ahead = &ahead[..ahead.len().min(wanted)];
        let cut = next_header(ahead, 0);
        let mut body = ahead[..cut.unwrap_or(ahead.len())].to_vec();
        self.used += body.len();
        if cut.is_some() || body.len() == wanted {
            return Ok(Some(body));
        }
        body.reserve(wanted.min(MOST_RESERVED).saturating_sub(body.len()));
        loop {
            let searched = body.len().saturating_sub(LONGEST_HEADER);
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(None);
            }
            let taken = buffer.len().min(wanted - body.len());
            body.extend_from_slice(&buffer[..taken]);
            self.input.consume(taken);
            let cut = next_header(&body, searched);
            if cut.is_some() || body.len() == wanted {
                let end = cut.unwrap_or(wanted);
                self.keep(&body, end);
                body.truncate(end);
                return Ok(Some(body));
            }
            if body.len() > LONGEST_MESSAGE {
                // This cannot be a message. The next header may be near the end.
                self.keep(&body, body.len() - LONGEST_HEADER);
                return Ok(Some(Vec::new()));
            }
        }
    }

    /// Keeps what follows the first `end` bytes of `body`, and as much before that as may be read again.
    fn keep(&mut self, body: &[u8], end: usize) {
        let start = end.saturating_sub(LONGEST_HEADER);
        self.ahead.clear();
        self.ahead.extend_from_slice(&body[start..]);
        self.used = end - start;
    }
}

/// Where a header begins in `body`, whose bytes before `searched` have none.
///
/// Takes time in proportion to what it searches: the lines before an empty one are those since the last empty one.
fn next_header(body: &[u8], searched: usize) -> Option<usize> {
    let mut breaks = memchr::memchr_iter(b'\n', &body[searched..]).map(|at| searched + at);
    breaks.find_map(|end| {
        let after = &body[end + 1..];
        let is_last = after.starts_with(b"\n") || after.starts_with(b"\r\n");
        let start = end.saturating_sub(LONGEST_HEADER);
        let block = is_last.then_some(&body[start..end])?;
        let mut line_end = end;
        let lines = block.rsplit(|&byte| byte == b'\n');
        let mut lines = lines.take_while(|line| !line.trim_ascii().is_empty());
        lines.find_map(|line| {
            let line_start = line_end - line.len();
            line_end = line_start.saturating_sub(1);
            content_length(line)?;
            Some(line_start + name_in(line)?)
        })
    })
}

const LENGTH: &[u8] = b"content-length";

/// The length in a header line. The rest of a body that exceeded its length may precede it.
fn content_length(line: &[u8]) -> Option<u64> {
    let after = &line[name_in(line)? + LENGTH.len()..];
    let value = after.trim_ascii_start().strip_prefix(b":")?;
    str::from_utf8(value).ok()?.trim().parse().ok()
}

/// Where the name of the header begins in its line.
fn name_in(line: &[u8]) -> Option<usize> {
    let mut windows = line.windows(LENGTH.len());
    windows.rposition(|it| it.eq_ignore_ascii_case(LENGTH))
}

fn fields_of(body: &[u8]) -> serde_json::Result<Fields> {
    serde_json::from_slice(body).or_else(|error| match paired(body) {
        Some(body) => serde_json::from_slice(&body),
        None => Err(error),
    })
}

/// Where the first value of `body` ends, if more than white space follows it.
fn end_of_value(body: &[u8]) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_slice(body).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    (!body[end..].trim_ascii().is_empty()).then_some(end)
}

fn message(fields: serde_json::Result<Fields>, uris: &Mutex<ClientUris>) -> Incoming {
    let fields = match fields {
        Ok(fields) => fields,
        Err(error) if error.is_data() => {
            return Incoming::Invalid(Id::Null, Error::invalid_request());
        }
        Err(_) => return Incoming::Invalid(Id::Null, Error::parse_error()),
    };
    match (fields.method, fields.id, fields.error) {
        (Some(method), id, _) => {
            let mut params = fields.params;
            let method = match &mut params {
                Some(params) => tolerance::corrected(&method, params).to_owned(),
                None => method,
            };
            if let Some(params) = &mut params {
                let mut uris = uris.lock().unwrap_or_else(PoisonError::into_inner);
                uris.correct(&method, params);
            }
            let mut request = Request::build(method);
            if let Some(params) = params {
                request = request.params(params);
            }
            if let Some(id) = id {
                request = request.id(id);
            }
            Incoming::Call(request.finish())
        }
        (None, Some(id), _) => Incoming::Answer(id, fields.result),
        (None, None, Some(_)) => Incoming::Answer(Id::Null, Value::Null),
        (None, None, None) => Incoming::Invalid(Id::Null, Error::invalid_request()),
    }
}

/// `body` with U+FFFD for each unpaired surrogate, which JavaScript writes and JSON parsers reject; `None` if there is
/// none. Both count as one UTF-16 unit.
fn paired(body: &[u8]) -> Option<Vec<u8>> {
    let mut paired = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &body[at..]) {
        let start = at + found;
        at = start + 2;
        let half = surrogate(&body[start..]);
        if half == Some(Half::First) && surrogate(body.get(start + 6..)?) == Some(Half::Second) {
            at = start + 12;
        } else if half.is_some() {
            paired.extend_from_slice(&body[copied..start]);
            paired.extend_from_slice(b"\\ufffd");
            at = start + 6;
            copied = at;
        }
        if at > body.len() {
            break;
        }
    }
    (copied > 0).then(|| [paired.as_slice(), &body[copied..]].concat())
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Half {
    First,
    Second,
}

/// The surrogate whose escape is at the start of `text`.
fn surrogate(text: &[u8]) -> Option<Half> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    match u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
