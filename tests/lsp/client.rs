//! A client of the real binary over stdin and stdout.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// The timeout for any answer; only a server that hangs reaches it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running server and the connection to it.
pub struct Client {
    /// The server's process.
    pub server: Child,
    /// When the last byte of the last awaited message arrived.
    pub received_at: Instant,
    input: Option<ChildStdin>,
    messages: Receiver<(Instant, Value)>,
    /// Messages that arrived while another one was awaited.
    unread: VecDeque<Value>,
    last_id: i64,
}

impl Client {
    /// Starts a server without any message.
    pub fn start() -> Self {
        let mut server = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take();
        let output = server.stdout.take().expect("a pipe");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(body) = read_message(&mut output) {
                let received_at = Instant::now();
                let message = serde_json::from_slice(&body).expect("the server sends JSON");
                if sender.send((received_at, message)).is_err() {
                    break;
                }
            }
        });
        Self {
            server,
            received_at: Instant::now(),
            input,
            messages,
            unread: VecDeque::new(),
            last_id: 0,
        }
    }

    /// Starts a server and initializes it as a client with `capabilities`.
    pub fn connect(capabilities: Value) -> Self {
        Self::connect_with(json!({ "capabilities": capabilities })).0
    }

    /// Starts a server and initializes it; the second value is the server's capabilities.
    pub fn connect_with(params: Value) -> (Self, Value) {
        let mut client = Self::start();
        let mut answer = client.request("initialize", params);
        client.notify("initialized", json!({}));
        (client, answer["capabilities"].take())
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let mut answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Sends a request; [`Client::answer`] waits for its result.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Waits for the answer to the request `id`.
    pub fn answer(&mut self, id: i64) -> Value {
        self.wait_for(|message| message["id"] == id && message.get("method").is_none())
    }

    /// Waits for the next message of `method` from the server, and returns its parameters.
    pub fn receive(&mut self, method: &str) -> Value {
        self.wait_for(|message| message["method"] == method)["params"].take()
    }

    /// Waits for a message that is `wanted`; the others are kept.
    pub fn wait_for(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.unread.iter().position(&wanted) {
            return self.unread.remove(index).expect("it is there");
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let (received_at, message) = message.expect("the server says what is waited for");
            if wanted(&message) {
                self.received_at = received_at;
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// The number of `wanted` messages that arrived while others were awaited.
    pub fn unread(&self, wanted: impl Fn(&Value) -> bool) -> usize {
        self.unread.iter().filter(|it| wanted(it)).count()
    }

    /// The last `wanted` message that arrived while others were awaited.
    pub fn last_unread(&self, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        self.unread.iter().rev().find(|it| wanted(it)).cloned()
    }

    /// Drops all kept messages except for the last diagnostics of each document.
    pub fn forget_unread(&mut self) {
        let mut seen = std::collections::HashSet::new();
        self.unread = std::mem::take(&mut self.unread)
            .into_iter()
            .rev()
            .filter(|message| {
                let uri = message["params"]["uri"].as_str();
                let is_finding = message["method"] == "textDocument/publishDiagnostics";
                is_finding && uri.is_some_and(|uri| seen.insert(uri.to_owned()))
            })
            .collect::<VecDeque<_>>()
            .into_iter()
            .rev()
            .collect();
    }

    /// The parameters of the messages of `method` that arrived while others were awaited.
    pub fn take_unread(&mut self, method: &str) -> Vec<Value> {
        let (taken, kept): (Vec<Value>, _) = std::mem::take(&mut self.unread)
            .into_iter()
            .partition(|message| message["method"] == method);
        self.unread = kept.into();
        taken
            .into_iter()
            .map(|mut it| it["params"].take())
            .collect()
    }

    /// Sends a message; for several in one write, see [`Client::send_bytes`].
    pub fn send(&mut self, message: &Value) {
        self.send_bytes(&framed(&message.to_string()));
    }

    /// Sends raw bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open connection");
        input.write_all(bytes).expect("the server listens");
        input.flush().expect("the server listens");
    }

    /// Closes the connection to the server.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits until the server has ended.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.server.try_wait().expect("a child") {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "the server does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The server's program: the one just built, unless `SIGNATURE_LS` names another.
fn program() -> OsString {
    std::env::var_os("SIGNATURE_LS").unwrap_or_else(|| env!("CARGO_BIN_EXE_signature-ls").into())
}

/// The URI of a file.
pub fn file_uri(path: &Path) -> String {
    let path = path.display().to_string().replace('\\', "/");
    format!("file:///{}", path.trim_start_matches('/'))
}

/// A message in wire format.
pub fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read_message(output: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut len = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            len = value.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = vec![0; len];
    output.read_exact(&mut body)?;
    Ok(body)
}
