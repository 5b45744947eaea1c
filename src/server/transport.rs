//! Messages over two byte streams, framed as the protocol says.
//!
//! This stands in for the transport of `tower_lsp`, which ends at the first message that it cannot read,
//! polls four handlers at a time, so that a notification waits behind slow requests, and only happens
//! to begin handlers in the order of their messages. Here a handler has run up to its first `await`
//! before the next message is read.

use std::{
    io::{self, BufRead, Read},
    task::{Context, Poll, Waker},
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use tower_lsp::{
    LanguageServer, LspService,
    jsonrpc::{Error, Id, Request, Response},
};
use tower_service::Service;

use super::{outbox::Outbox, spelling::Spellings};

/// Reads messages and hands them to `service` until the client says `exit` or closes `input`.
///
/// Answers to the server's own requests go to `on_answer`, with null for an answer that is an error.
pub(super) fn serve<S: LanguageServer>(
    mut input: impl BufRead,
    outbox: &Outbox,
    mut service: LspService<S>,
    runtime: &tokio::runtime::Handle,
    on_answer: impl Fn(Id, Value),
) {
    loop {
        match read_message(&mut input, outbox.spellings()) {
            Ok(Some(Incoming::Call(request))) => {
                let is_exit = request.method() == "exit";
                call(&mut service, request, outbox, runtime);
                if is_exit {
                    return;
                }
            }
            Ok(Some(Incoming::Answer(id, result))) => on_answer(id, result),
            Ok(Some(Incoming::Invalid(id, error))) => {
                outbox.answer(&Response::from_error(id, error));
            }
            Ok(None) | Err(_) => return,
        }
    }
}

/// Runs the handler up to its first `await` here and now, and the rest of it on `runtime`.
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
    let mut answer = service.call(request);
    match answer.as_mut().poll(&mut context) {
        Poll::Ready(Ok(Some(response))) => outbox.answer(&response),
        Poll::Ready(_) => {}
        Poll::Pending => {
            let outbox = outbox.clone();
            runtime.spawn(async move {
                if let Ok(Some(response)) = answer.await {
                    outbox.answer(&response);
                }
            });
        }
    }
}

/// What the client can send.
#[derive(Debug, PartialEq)]
enum Incoming {
    /// A request or a notification.
    Call(Request),
    /// The answer to one of the server's requests.
    Answer(Id, Value),
    /// No message, and what to answer to it.
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

/// Reads one message; `None` at the end of the input.
fn read_message(input: &mut impl BufRead, spellings: &Spellings) -> io::Result<Option<Incoming>> {
    let mut body = Vec::new();
    let Some(len) = read_header(input)? else {
        return Ok(None);
    };
    // The body grows as it comes, so that a wrong length takes no memory.
    let read = input.take(len).read_to_end(&mut body)?;
    if (read as u64) < len {
        return Ok(None);
    }
    Ok(Some(parse_message(&body, spellings)))
}

/// Reads headers up to the empty line behind a content length; `None` at the end of the input.
///
/// Lines that are no header are passed over: the next header is where the messages go on.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut len = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_ascii();
        if text.is_empty() && len.is_some() {
            return Ok(len);
        }
        len = content_length(text).or(len);
    }
}

fn content_length(header: &[u8]) -> Option<u64> {
    let (name, value) = str::from_utf8(header).ok()?.split_once(':')?;
    let is_length = name.trim_end().eq_ignore_ascii_case("content-length");
    is_length.then(|| value.trim().parse().ok()).flatten()
}

fn parse_message(body: &[u8], spellings: &Spellings) -> Incoming {
    let fields: Fields = match serde_json::from_slice(body) {
        Ok(fields) => fields,
        Err(error) if error.is_data() => {
            return Incoming::Invalid(Id::Null, Error::invalid_request());
        }
        Err(_) => return Incoming::Invalid(Id::Null, Error::parse_error()),
    };
    match (fields.method, fields.id, fields.error) {
        (Some(method), id, _) => {
            let mut request = Request::build(method);
            if let Some(mut params) = fields.params {
                spellings.correct(&mut params);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_all(mut input: &[u8]) -> Vec<Incoming> {
        let spellings = Spellings::default();
        std::iter::from_fn(|| read_message(&mut input, &spellings).ok().flatten()).collect()
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn exit() -> Incoming {
        Incoming::Call(Request::build("exit").finish())
    }

    const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    #[test]
    fn requests_notifications_and_answers_are_told_apart() {
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
