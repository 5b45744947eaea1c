//! The queue of outgoing messages, written by one thread.
//!
//! A client that does not read only blocks that thread. New diagnostics of a document replace queued ones, so the
//! queue stays short.

use std::{
    collections::VecDeque,
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use serde::Serialize;
use tower_lsp::{
    jsonrpc::{Id, Response},
    ls_types as lsp,
};

use super::uris::ClientUris;

/// The queue of messages to the client.
#[derive(Clone)]
pub(super) struct Outbox(Arc<Shared>);

struct Shared {
    uris: Mutex<ClientUris>,
    line: Mutex<Line>,
    /// Signals a new message, or a written one.
    changed: Condvar,
}

/// The queued messages.
#[derive(Default)]
struct Line {
    messages: VecDeque<Message>,
    /// Whether the message that was taken last is still being written.
    is_writing: bool,
}

struct Message {
    /// All of its bytes, in pieces: a long result is not copied before it is written.
    framed: Vec<String>,
    /// The document, if it publishes diagnostics.
    findings_of: Option<lsp::Uri>,
}

#[derive(Serialize)]
struct Outgoing<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i64>,
    method: &'a str,
    params: P,
}

impl Outbox {
    /// A queue to `output`, with a thread that writes.
    ///
    /// # Errors
    /// If the system has no threads left.
    pub(super) fn new(output: impl Write + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            uris: Mutex::default(),
            line: Mutex::default(),
            changed: Condvar::new(),
        });
        let of_writer = Arc::clone(&shared);
        thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || of_writer.write_all(output))?;
        Ok(Self(shared))
    }

    /// Sends a notification.
    pub(super) fn notify(&self, method: &str, params: impl Serialize) {
        self.put(&outgoing(None, method, params), None);
    }

    /// Publishes the diagnostics of the document `uri`.
    pub(super) fn publish(&self, uri: &lsp::Uri, params: impl Serialize) {
        let message = outgoing(None, "textDocument/publishDiagnostics", params);
        self.put(&message, Some(uri.clone()));
    }

    /// Sends a request; its answer comes back through the `on_answer` of [`super::transport::serve`].
    pub(super) fn request(&self, id: i64, method: &str, params: impl Serialize) {
        self.put(&outgoing(Some(id), method, params), None);
    }

    /// Sends the answer to a request of the client.
    pub(super) fn answer(&self, response: &Response) {
        self.put(response, None);
    }

    /// Sends a rendered result as the answer to the request `id`.
    pub(super) fn answer_with(&self, id: &Id, result: String) {
        let Ok(id) = serde_json::to_string(id) else {
            return;
        };
        let head = r#"{"jsonrpc":"2.0","result":"#.to_owned();
        self.put_body(vec![head, result, format!(r#","id":{id}}}"#)], None);
    }

    /// The client's spelling of URIs.
    pub(super) fn uris(&self) -> &Mutex<ClientUris> {
        &self.0.uris
    }

    /// Waits until everything is written, for at most `patience`.
    pub(super) fn drain(&self, patience: Duration) {
        let is_busy = |line: &mut Line| line.is_writing || !line.messages.is_empty();
        let line = self.0.locked();
        // It makes no difference whether it was in time.
        drop(self.0.changed.wait_timeout_while(line, patience, is_busy));
    }

    fn put(&self, message: &impl Serialize, findings_of: Option<lsp::Uri>) {
        if let Ok(body) = serde_json::to_string(message) {
            self.put_body(vec![body], findings_of);
        }
    }

    /// Queues a message. Its pieces are split between JSON tokens.
    fn put_body(&self, body: Vec<String>, findings_of: Option<lsp::Uri>) {
        let uris = self.0.uris.lock();
        let uris = uris.unwrap_or_else(PoisonError::into_inner);
        let mut framed = vec![String::new()];
        framed.extend(body.into_iter().map(|it| uris.restore(it)));
        drop(uris);
        let len: usize = framed.iter().map(String::len).sum();
        framed[0] = format!("Content-Length: {len}\r\n\r\n");
        let mut line = self.0.locked();
        if findings_of.is_some() {
            line.messages.retain(|it| it.findings_of != findings_of);
        }
        line.messages.push_back(Message {
            framed,
            findings_of,
        });
        drop(line);
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn write_all(&self, output: impl Write) {
        // It joins short pieces, and writes long ones as they are.
        let mut output = io::BufWriter::new(output);
        loop {
            let message = self.next();
            let mut pieces = message.iter();
            // If the client is gone, there is nobody to report it to.
            let _ = pieces
                .try_for_each(|it| output.write_all(it.as_bytes()))
                .and_then(|()| output.flush());
        }
    }

    /// Takes the next message, waiting for one; the previous one counts as written.
    fn next(&self) -> Vec<String> {
        let mut line = self.locked();
        line.is_writing = false;
        self.changed.notify_all();
        loop {
            if let Some(message) = line.messages.pop_front() {
                line.is_writing = true;
                return message.framed;
            }
            line = self
                .changed
                .wait(line)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn locked(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn outgoing<P>(id: Option<i64>, method: &str, params: P) -> Outgoing<'_, P> {
    Outgoing {
        jsonrpc: "2.0",
        id,
        method,
        params,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};

    use serde_json::{Value, json};

    use super::*;

    /// An output that accepts a message only when the test allows it.
    struct Slow {
        written: Sender<String>,
        permits: Receiver<()>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self
                .written
                .send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.permits.recv().map_err(io::Error::other)
        }
    }

    fn slow() -> (Outbox, Sender<()>, Receiver<String>) {
        let (written, output) = mpsc::channel();
        let (permit, permits) = mpsc::channel();
        let outbox = Outbox::new(Slow { written, permits }).expect("a thread");
        (outbox, permit, output)
    }

    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn messages_are_framed() {
        let (outbox, permit, output) = slow();
        outbox.notify("a", json!({"b": "é"}));
        outbox.request(7, "b", json!({}));
        for _ in 0..2 {
            permit.send(()).expect("the writer is there");
        }
        outbox.drain(PATIENCE);
        let expected = [
            "Content-Length: 50\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\"b\":\"é\"}}",
            "Content-Length: 49\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"b\",\"params\":{}}",
        ];
        assert_eq!(
            output.try_iter().collect::<Vec<_>>().concat(),
            expected.concat()
        );
    }

    #[test]
    fn a_rendered_result_is_sent_like_any_other() {
        for id in [Id::Number(7), Id::String("a\"é".to_owned()), Id::Null] {
            let (outbox, permit, output) = slow();
            let result = json!([{"b": "é\n"}, null]);
            let rendered = result.to_string();
            outbox.answer(&Response::from_ok(id.clone(), result));
            outbox.answer_with(&id, rendered);
            for _ in 0..2 {
                permit.send(()).expect("the writer is there");
            }
            outbox.drain(PATIENCE);
            let sent: Vec<_> = output.try_iter().collect();
            assert_eq!(sent[0], sent[1]);
        }
    }

    #[test]
    fn a_client_that_does_not_read_blocks_nothing_and_gets_the_latest_findings() {
        let (outbox, permit, output) = slow();
        let uri = |name: &str| -> lsp::Uri { name.parse().expect("a URI") };
        outbox.notify("first", Value::Null);
        // From here on the writer is busy with it.
        let first = output.recv_timeout(PATIENCE);
        assert!(first.is_ok_and(|it| it.contains("first")));
        for version in 0..1_000 {
            outbox.publish(&uri("file:///a.ex"), version);
            outbox.publish(&uri("file:///b.ex"), version);
            if version == 500 {
                outbox.notify("between", Value::Null);
            }
        }
        for _ in 0..4 {
            permit.send(()).expect("the writer is there");
        }
        outbox.drain(PATIENCE);
        let written = output.try_iter().collect::<Vec<_>>().concat();
        let messages: Vec<_> = written
            .split("Content-Length")
            .filter_map(|it| Some(it.split_once("\"method\":")?.1))
            .collect();
        assert_eq!(
            messages,
            [
                "\"between\",\"params\":null}",
                "\"textDocument/publishDiagnostics\",\"params\":999}",
                "\"textDocument/publishDiagnostics\",\"params\":999}",
            ]
        );
    }
}
