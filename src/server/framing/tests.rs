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

/// An input whose every other read is interrupted by a signal.
struct Interrupted<'a> {
    input: &'a [u8],
    is_next: bool,
}

impl io::Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_next = !self.is_next;
        match self.is_next {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => self.input.read(buffer),
        }
    }
}

#[test]
fn an_interrupted_read_is_repeated() {
    let input = framed(EXIT);
    let interrupted = Interrupted {
        input: input.as_bytes(),
        is_next: false,
    };
    let mut messages = Messages::new(io::BufReader::with_capacity(7, interrupted));
    let read = messages.read(&Mutex::default());
    assert_eq!(read.ok().flatten(), Some(exit()));
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

/// Each takes many minutes if a body that cannot be parsed is moved or searched for each line in it.
#[test]
fn each_byte_is_read_once() {
    const LEN: usize = 4 << 20;
    for unit in [
        "\n",
        "x\r\n",
        "{}\n",
        "Content-Length: 1000000\n\n",
        "Content-Length: 1000000\n \n",
        "{}Content-Length: 1000000\n \n",
        "Content-Length: 1\n\nx",
        "Content-Length: 1\r\n\r\n",
        "Content-Length: 1000000\r\n\r\n{",
    ] {
        let text = unit.repeat(LEN / unit.len());
        for input in [framed(&text), text] {
            let input = input + &framed(EXIT);
            let uris = Mutex::default();
            let mut messages = Messages::new(io::BufReader::new(input.as_bytes()));
            let read = std::iter::from_fn(|| messages.read(&uris).ok().flatten());
            assert_eq!(read.last(), Some(exit()), "{unit:?}");
        }
    }
}

#[test]
fn a_wrong_length_hides_no_header_that_can_be_read() {
    let call = r#"{"method":"a"}"#;
    let called = || Incoming::Call(Request::build("a").finish());
    let garbage = "x".repeat(1_000);
    for header in [
        format!("Content-Length: {}\n\n", EXIT.len()),
        format!("Content-Length: {}\r\n\n", EXIT.len()),
        format!("Content-Length: {}\nContent-Type: x\n\n", EXIT.len()),
        format!(
            "Content-Type: x\r\nContent-Length: {}\r\nA: b\r\n\r\n",
            EXIT.len()
        ),
    ] {
        let next = format!("{header}{EXIT}\n");
        for len in (0..call.len() + next.len()).chain([9_999]) {
            let input = format!("Content-Length: {len}\r\n\r\n{call}{next}");
            let read = read_all(input.as_bytes());
            assert_eq!(read.last(), Some(&exit()), "{len} {header:?}");
            let whole = len >= call.len();
            assert_eq!(read[0] == called(), whole, "{len} {header:?}");
            // What cannot be parsed may be long.
            let input = format!("Content-Length: {len}\r\n\r\n{garbage}{next}");
            assert_eq!(
                read_all(input.as_bytes()).last(),
                Some(&exit()),
                "{len} {header:?}"
            );
        }
    }
}
