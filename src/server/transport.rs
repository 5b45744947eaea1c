//! Messages over two byte streams, framed as the protocol requires.
//!
//! This replaces the transport of `tower_lsp`, which ends at the first invalid message, polls four handlers at a time,
//! so that a notification waits for slow requests, and does not guarantee to start handlers in the order of their
//! messages. Here a handler runs up to its first `await` before the next message is read.

use std::{
    future,
    io::{self, BufRead, Read},
    sync::{Mutex, PoisonError},
    task::{Context, Poll, Waker},
    time::Instant,
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use tower_lsp::{
    LanguageServer, LspService,
    jsonrpc::{Error, ErrorCode, Id, Request, Response},
};
use tower_service::Service;

use crate::{files, panics::guarded};

use super::{outbox::Outbox, results::Slot, tolerance, uris::ClientUris};

/// The length of the longest message in bytes: the longest document with every character escaped.
const LONGEST_MESSAGE: usize = 6 * files::LONGEST as usize;

/// The memory that is reserved for a message before it is read. The length in a header may be wrong.
const MOST_RESERVED: usize = 16 * 1024 * 1024;

/// Of a longer line, only the end may be a header.
const LONGEST_LINE: u64 = 64 * 1024;
const LONGEST_HEADER: usize = 256;

/// Reads messages and passes them to `service` until the client sends `exit` or closes `input`.
///
/// Answers to the server's requests go to `on_answer`, with null for an error.
pub(super) fn serve<S: LanguageServer>(
    input: impl BufRead,
    outbox: &Outbox,
    mut service: LspService<S>,
    runtime: &tokio::runtime::Handle,
    on_answer: impl Fn(Id, Value),
) {
    let mut messages = Messages::new(input);
    loop {
        match messages.read(outbox.uris()) {
            Ok(Some(Incoming::Call(request))) if is_unknown(&request) => {
                let id = request.id().cloned().unwrap_or_default();
                outbox.answer(&Response::from_error(id, Error::method_not_found()));
            }
            Ok(Some(Incoming::Call(request))) => {
                let is_exit = request.method() == "exit";
                call(&mut service, request, outbox, runtime);
                if is_exit {
                    return;
                }
            }
            Ok(Some(Incoming::Answer(id, result))) => on_answer(id, result),
            Ok(Some(Incoming::Invalid(id, error))) => {
                tracing::info!(code = error.code.code(), "unreadable message");
                outbox.answer(&Response::from_error(id, error));
            }
            Ok(None) | Err(_) => return,
        }
    }
}

/// Whether it is a request of a protocol extension (`$/…`). The service ignores those, but a client waits for the
/// answer to each request.
fn is_unknown(request: &Request) -> bool {
    request.id().is_some() && request.method().starts_with("$/")
}

/// Runs the handler up to its first `await` on this thread, and the rest of it on `runtime`. A panic only affects its
/// own answer.
fn call<S: LanguageServer>(
    service: &mut LspService<S>,
    request: Request,
    outbox: &Outbox,
    runtime: &tokio::runtime::Handle,
) {
    let mut context = Context::from_waker(Waker::noop());
    if !matches!(service.poll_ready(&mut context), Poll::Ready(Ok(()))) {
        return;
    }
    let call = Call {
        method: request.method().to_owned(),
        id: request.id().cloned(),
        result: Slot::default(),
        outbox: outbox.clone(),
        begin: Instant::now(),
    };
    let begun = guarded(|| {
        let mut answer = Box::pin(call.result.around(service.call(request)));
        (answer.as_mut().poll(&mut context), answer)
    });
    match begun {
        None => call.panicked(),
        Some((Poll::Ready(answer), _)) => call.answer(answer),
        Some((Poll::Pending, mut answer)) => {
            runtime.spawn(async move {
                let polled =
                    future::poll_fn(|context| match guarded(|| answer.as_mut().poll(context)) {
                        None => Poll::Ready(None),
                        Some(answer) => answer.map(Some),
                    });
                match polled.await {
                    None => call.panicked(),
                    Some(answer) => call.answer(answer),
                }
            });
        }
    }
}

/// A request or notification in progress.
struct Call {
    method: String,
    id: Option<Id>,
    /// The result, if the handler rendered it.
    result: Slot,
    outbox: Outbox,
    begin: Instant,
}

impl Call {
    fn answer<E>(self, answer: Result<Option<Response>, E>) {
        if let Ok(Some(response)) = answer {
            let milliseconds = self.begin.elapsed().as_millis();
            let code = response.error().map(|it| it.code.code());
            if code == Some(ErrorCode::InternalError.code()) {
                tracing::error!(method = self.method, "failed");
            }
            tracing::debug!(method = self.method, ?code, milliseconds, "answered");
            match self.result.take().filter(|_| response.is_ok()) {
                Some(result) => self.outbox.answer_with(response.id(), result),
                None => self.outbox.answer(&response),
            }
        }
    }

    fn panicked(self) {
        tracing::error!(method = self.method, "failed");
        if let Some(id) = self.id {
            let response = Response::from_error(id, Error::internal_error());
            self.outbox.answer(&response);
        }
    }
}

/// The messages of a client.
#[derive(Debug, PartialEq)]
enum Incoming {
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
struct Messages<R> {
    input: R,
    /// What was read beyond a message with a wrong length.
    ahead: Vec<u8>,
}

impl<R: BufRead> Messages<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            ahead: Vec::new(),
        }
    }

    /// Reads one message; `None` at the end of the input.
    fn read(&mut self, uris: &Mutex<ClientUris>) -> io::Result<Option<Incoming>> {
        let Some(len) = self.read_header()? else {
            return Ok(None);
        };
        let Some(mut body) = self.read_body(len)? else {
            return Ok(None);
        };
        let fields = fields_of(&body).or_else(|error| {
            // A length that is slightly too long includes the start of the next header.
            let Some(end) = end_of_value(&body) else {
                return Err(error);
            };
            self.ahead.splice(..0, body.split_off(end));
            fields_of(&body)
        });
        if fields.as_ref().is_err_and(|error| !error.is_data()) {
            // The header of the next message may begin in it.
            self.ahead.splice(..0, body);
        }
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
            let mut input = self
                .ahead
                .as_slice()
                .chain(&mut self.input)
                .take(LONGEST_LINE);
            let read = input.read_until(b'\n', line)?;
            self.ahead.drain(..read.min(self.ahead.len()));
            if read == 0 || line.last() == Some(&b'\n') {
                return Ok(!line.is_empty());
            }
            line.drain(..line.len().saturating_sub(LONGEST_HEADER));
        }
    }

    /// Reads a body of `len` bytes, or up to the header of the next message if that comes first; `None` at the end of
    /// the input.
    fn read_body(&mut self, len: u64) -> io::Result<Option<Vec<u8>>> {
        let mut body = std::mem::take(&mut self.ahead);
        let mut searched = 0;
        let wanted = usize::try_from(len).unwrap_or(usize::MAX);
        body.reserve(wanted.min(MOST_RESERVED).saturating_sub(body.len()));
        loop {
            let end = body.len().min(wanted);
            if let Some(cut) = next_header(&body[..end], searched) {
                self.ahead = body.split_off(cut);
                return Ok(Some(body));
            }
            if end == wanted {
                self.ahead = body.split_off(end);
                return Ok(Some(body));
            }
            if body.len() > LONGEST_MESSAGE {
                // This cannot be a message. The next header may be near the end.
                body.drain(..body.len() - LONGEST_HEADER);
                self.ahead = body;
                return Ok(Some(Vec::new()));
            }
            searched = end.saturating_sub(LONGEST_HEADER);
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let taken = buffer.len().min(wanted - end);
            body.extend_from_slice(&buffer[..taken]);
            self.input.consume(taken);
        }
    }
}

/// Where a header begins in `body`, whose bytes before `searched` have none.
fn next_header(body: &[u8], searched: usize) -> Option<usize> {
    let ends = memchr::memmem::find_iter(&body[searched..], b"\r\n\r\n");
    let mut ends = ends.map(|end| searched + end);
    ends.find_map(|end| {
        let start = end.saturating_sub(LONGEST_HEADER);
        let line = body[start..end].rsplit(|&byte| byte == b'\n').next()?;
        content_length(line)?;
        Some(end - line.len() + name_in(line)?)
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
mod tests {
    use serde_json::json;

    use super::*;

    fn read_all(input: &[u8]) -> Vec<Incoming> {
        let uris = Mutex::default();
        // A small buffer splits messages at all places.
        let mut messages = Messages::new(io::BufReader::with_capacity(7, input));
        std::iter::from_fn(|| messages.read(&uris).ok().flatten()).collect()
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn exit() -> Incoming {
        Incoming::Call(Request::build("exit").finish())
    }

    const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    #[test]
    fn requests_notifications_and_answers_are_distinguished() {
        let input = [
            framed(r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}"#),
            framed(EXIT),
            framed(r#"{"jsonrpc":"2.0","id":"x","result":[1]}"#),
            framed(r#"{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}"#),
        ];
        let request = Request::build("a").params(json!({"b": 1})).id(1).finish();
        assert_eq!(
            read_all(input.concat().as_bytes()),
            [
                Incoming::Call(request),
                exit(),
                Incoming::Answer("x".into(), json!([1])),
                Incoming::Answer(3.into(), Value::Null),
            ]
        );
    }

    #[test]
    fn a_bad_message_does_not_hide_the_next() {
        let parse_error = || Incoming::Invalid(Id::Null, Error::parse_error());
        let invalid_request = || Incoming::Invalid(Id::Null, Error::invalid_request());
        for (bad, answer) in [
            (framed("{"), Some(parse_error())),
            (framed(""), Some(parse_error())),
            (framed("[]"), Some(invalid_request())),
            (framed("3"), Some(invalid_request())),
            (framed("{}"), Some(invalid_request())),
            (framed(r#"{"method":3}"#), Some(invalid_request())),
            ("garbage\r\n".to_owned(), None),
            ("\r\n\r\n".to_owned(), None),
            ("Content-Length: many\r\n\r\n".to_owned(), None),
            ("Content-Type: x\r\nAnother: y\r\n".to_owned(), None),
        ] {
            let input = bad.clone() + &framed(EXIT);
            let expected: Vec<_> = answer.into_iter().chain([exit()]).collect();
            assert_eq!(read_all(input.as_bytes()), expected, "{bad:?}");
        }
        let not_utf8 = b"Content-Length: 3\r\n\r\n\"\xff\"".as_slice();
        let input = [not_utf8, framed(EXIT).as_bytes()].concat();
        assert_eq!(read_all(&input), [parse_error(), exit()]);
    }

    #[test]
    fn a_wrong_length_does_not_hide_the_next_message() {
        let call = r#"{"method":"a","params":["Content-Length: 3"]}"#;
        let called = || {
            let params = json!(["Content-Length: 3"]);
            Incoming::Call(Request::build("a").params(params).finish())
        };
        let parse_error = || Incoming::Invalid(Id::Null, Error::parse_error());
        for (header, expected) in [
            ("Content-Length: 5\r\n\r\n", vec![parse_error(), exit()]),
            ("Content-Length: 49\r\n\r\n", vec![called(), exit()]),
            ("Content-Length: 500\r\n\r\n", vec![called(), exit()]),
            (
                "Content-Length: 99999999999999999\r\n\r\n",
                vec![called(), exit()],
            ),
            ("Content-Length: -5\r\n\r\n", vec![exit()]),
            ("", vec![exit()]),
        ] {
            let input = format!("{header}{call}{}", framed(EXIT));
            assert_eq!(read_all(input.as_bytes()), expected, "{header}");
            let long = format!("{header}{}{call}{}", " ".repeat(70_000), framed(EXIT));
            assert_eq!(read_all(long.as_bytes()).last(), Some(&exit()), "{header}");
        }
        for len in 0..40 {
            let input = format!("Content-Length: {len}\r\ngarbage\r\n\r\n{}", framed(EXIT));
            assert_eq!(read_all(input.as_bytes()).last(), Some(&exit()), "{len}");
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_one_character() {
        for (escaped, read) in [
            (r"\ud83d", "\u{fffd}"),
            (r"\udE00", "\u{fffd}"),
            (r"\ud83d\ude00", "😀"),
            (r"\ud83d\ud83d\ude00!", "\u{fffd}😀!"),
            (r"\ud83d\n\\ud83d", "\u{fffd}\n\\ud83d"),
            (r"\ud83d\u0041", "\u{fffd}A"),
        ] {
            let input = framed(&format!(r#"{{"method":"a","params":["{escaped}"]}}"#));
            let request = Request::build("a").params(json!([read])).finish();
            assert_eq!(read_all(input.as_bytes()), [Incoming::Call(request)]);
        }
    }

    #[test]
    fn headers_are_read_as_the_protocol_allows() {
        for header in ["Content-Length:", "content-length: ", "CONTENT-LENGTH :\t"] {
            let input = format!(
                "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n{header}{}\r\n\r\n{EXIT}",
                EXIT.len()
            );
            assert_eq!(read_all(input.as_bytes()), [exit()], "{header}");
        }
    }

    #[test]
    fn an_unfinished_message_is_the_end() {
        let whole = framed(EXIT);
        for len in 0..whole.len() {
            assert_eq!(read_all(&whole.as_bytes()[..len]), [], "{len}");
        }
        assert_eq!(read_all(b"Content-Length: 99999999999999\r\n\r\n{}"), []);
    }
}
