//! Latency in an editor: the real binary over stdin and stdout, on files of 1,000, 10,000 and 100,000 lines.
//!
//! `cargo bench --bench editing`. Each file gets 200 edits in its middle. An edit is sent after the previous one was
//! answered; its time is from the first byte of `didChange` to the last byte of the `publishDiagnostics` for the same
//! version. Then the same for lists of similar objects in other hosts, for the keys that change the structure of a
//! file of each host, with the requests in it, and the time of `check` over a folder compared with ripgrep.

use std::{
    fs,
    io::{self, Read, Write},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

#[path = "support/bare.rs"]
mod bare;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/lsp/client.rs"]
mod client;
#[path = "support/elixir.rs"]
mod elixir;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "support/hosts.rs"]
mod hosts;
#[path = "support/lists.rs"]
mod lists;
#[path = "support/prompts.rs"]
mod prompts;
#[path = "support/trees.rs"]
mod trees;

use client::Client;

const LINES: [usize; 3] = [1_000, 10_000, 100_000];
const EDITS: usize = 200;
const HOVERS: usize = 100;
const KEYS: usize = 40;
const REQUESTS: usize = 100;
/// The time after which a request is not repeated any more.
const MOST_TIME: Duration = Duration::from_secs(2);
const STARTS: usize = 20;
/// For answers of this size and more, the time that the pipe takes matters.
const LONG_ANSWER: usize = 100_000;
const URI: &str = "file:///project/lib/agents.ex";
/// The requests about a name.
const OF_NAME: [&str; 5] = [
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
];

fn main() {
    println!("start to the answer to initialize: {}", Times(starts()));
    println!("memory before a file is opened: {}\n", memory(&connect()));
    let medians = LINES.map(measure);
    let ratio = medians[2].as_secs_f64() / medians[0].as_secs_f64();
    println!("100,000 lines take {ratio:.1} times as long as 1,000 (p50 of all edits)\n");
    LINES.into_iter().for_each(measure_prompt);
    lists::HOSTS.iter().for_each(measure_lists);
    hosts::HOSTS.iter().for_each(measure_host);
    trees::measure();
}

/// Measures files of a host with a signature every twelve lines. Prints the time to open them, their memory, the time
/// of each key that changes their structure, and that of each request.
fn measure_host(host: &hosts::Host) {
    let mut shortest = Vec::new();
    for lines in LINES {
        let text = host.source(lines);
        let mut session = Session::open_at(host.uri, &text, host.middle(lines), 0);
        println!("{}, {lines} lines, {} KB", host.name, text.len() / 1000);
        println!(
            "  open                  {:.2?}, then {}",
            session.opened_in,
            memory(&session.client)
        );
        if let Some(bare) = bare::parse(host.name, &text) {
            println!("  tree-sitter's parse   {bare:.2?}");
        }
        for (index, key) in host.keys.iter().enumerate() {
            let times = session.keys(key);
            let median = times.percentile(50);
            if lines == LINES[0] {
                shortest.push(median);
            }
            let ratio = median / shortest[index];
            println!(
                "  {key:<22?}{times}, {ratio:.1} times as long as in {} lines",
                LINES[0]
            );
        }
        let (line, column) = host.name_in(&text, session.line);
        (session.line, session.column) = (line, column);
        let of_name = session.requests_of_name();
        session.print_requests(of_name);
        let requests = session.requests((line, column));
        session.print_requests(requests);
    }
    println!();
}

/// Measures requests in a long prompt.
fn measure_prompt(lines: usize) {
    let text = prompts::source(lines);
    let line = prompts::middle(lines);
    let mut session = Session::open_at(prompts::URI, &text, line, 0);
    println!("prompt of {lines} lines, {} KB", text.len() / 1000);
    let at = |line: usize, column: usize| {
        json!({
            "textDocument": {"uri": prompts::URI},
            "position": {"line": line, "character": column},
        })
    };
    let name = at(line + 1, "Offer {{na".len());
    let section = at(line, "{{#it".len());
    let renamed = |mut place: Value| {
        place["newName"] = json!("another_name");
        place["context"] = json!({"includeDeclaration": true});
        place
    };
    // A name that no section uses, and one that every section uses.
    let rare = renamed(at(1, prompts::UNUSED_COLUMN));
    let requests = [
        ("completion", "completion", name.clone()),
        ("hover", "hover", name.clone()),
        ("definition", "definition", name.clone()),
        ("linked editing", "linkedEditingRange", section),
        ("prepare rename", "prepareRename", name.clone()),
        ("highlights, rare", "documentHighlight", rare.clone()),
        ("references, rare", "references", rare),
        ("highlights, all", "documentHighlight", name.clone()),
        ("references, all", "references", renamed(name.clone())),
        ("rename, all", "rename", renamed(name)),
    ];
    let requests =
        requests.map(|(name, method, params)| (name, format!("textDocument/{method}"), params));
    session.print_requests(requests.into());
    println!();
}

/// Measures lists of one kind of file.
fn measure_lists(host: &lists::Host) {
    for lines in LINES {
        println!("{} of {lines} lines", host.name);
        let (line, column) = host.middle(lines);
        let mut session = Session::open_at(host.uri, &host.source(lines), line, column);
        for (name, steps) in list_edits(host, column) {
            let times = session.edits(&steps);
            println!("  {name:<22}{}", Times(times));
        }
    }
}

/// Edits of each kind in the middle of a list; together they leave the text unchanged.
fn list_edits(host: &lists::Host, column: usize) -> [(&'static str, Vec<Step>); 3] {
    let step = |line: usize, column: usize, len: usize, insert: &'static str| Step {
        line: isize::try_from(line).expect("few lines"),
        columns: (column, column + len),
        lines: 0,
        insert,
        is_faulty: false,
    };
    let joined = |line: usize, column: usize| Step {
        columns: (column, 0),
        lines: 1,
        ..step(line, 0, 0, "")
    };
    let prompt = host.prompt_line();
    [
        (
            "typing in a string",
            vec![step(prompt, column, 0, "x"), step(prompt, column, 1, "")],
        ),
        (
            "new lines in an item",
            vec![step(prompt, 0, 0, "\n"), joined(prompt, 0)],
        ),
        (
            "new lines between items",
            vec![step(0, 0, 0, "\n"), joined(0, 0)],
        ),
    ]
}

fn connect() -> Client {
    Client::connect(json!({}))
}

fn starts() -> Vec<Duration> {
    let start = |_| {
        let begin = Instant::now();
        let client = connect();
        client.received_at - begin
    };
    (0..STARTS).map(start).collect()
}

/// Measures one file; returns the median of all edits.
fn measure(lines: usize) -> Duration {
    let text = elixir::source(lines);
    println!("{lines} lines, {} KB", text.len() / 1000);
    let mut session = Session::open(&text);
    println!(
        "  open                  {:.2?}, then {}",
        session.opened_in,
        memory(&session.client)
    );

    let mut all = Vec::new();
    for (name, steps) in session.kinds_of_edits() {
        let times = session.edits(&steps);
        all.extend(&times);
        println!("  {name:<22}{}", Times(times));
    }
    all.sort_unstable();
    let median = all[all.len() / 2];
    println!("  all {} edits         {}", all.len(), Times(all));
    let hovers = (0..HOVERS).map(|_| session.hover()).collect();
    println!("  hover                 {}", Times(hovers));
    for method in OF_NAME {
        let times = (0..HOVERS).map(|_| session.ask_of_name(method)).collect();
        println!("  {method:<22}{}", Times(times));
    }
    let in_prompt = "    SubAgent.run(\"Greet {{us".len();
    let requests = session.requests((session.line - 1, in_prompt));
    session.print_requests(requests);
    let requests = session.requests_of_files();
    session.print_requests(requests);
    println!("  tokens after a key    {}", session.changed_tokens());
    println!("  memory after that     {}\n", memory(&session.client));
    median
}

/// An open file and its middle.
struct Session {
    client: Client,
    uri: &'static str,
    version: i64,
    opened_in: Duration,
    /// The base line of edits: that of the middle signature, or of the middle item.
    line: usize,
    /// The column of that signature's first type word, or of the item's prompt.
    column: usize,
}

/// One edit, with lines relative to the base line.
#[derive(Clone, Copy)]
struct Step {
    line: isize,
    columns: (usize, usize),
    /// The end, in lines below the start.
    lines: usize,
    insert: &'static str,
    /// Whether an error is expected afterwards.
    is_faulty: bool,
}

impl Session {
    fn open(text: &str) -> Self {
        let lines: Vec<_> = text.lines().collect();
        let is_signature = |line: &usize| lines[*line].contains("signature: ");
        let line = (lines.len() / 2..).find(is_signature).expect("a signature");
        let column = lines[line].find(":string").expect("a type");
        Self::open_at(URI, text, line, column)
    }

    /// Opens a file; its name decides its kind. Edits are relative to `line`.
    fn open_at(uri: &'static str, text: &str, line: usize, column: usize) -> Self {
        let mut client = connect();
        let document = json!({"uri": uri, "languageId": "", "version": 0, "text": text});
        let begin = Instant::now();
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let params = client.receive("textDocument/publishDiagnostics");
        assert_eq!(params["diagnostics"], json!([]), "the file has no faults");
        Self {
            version: 0,
            opened_in: client.received_at - begin,
            line,
            column,
            client,
            uri,
        }
    }

    /// Edits of each kind. After the last step of a kind the text is as before the first one.
    fn kinds_of_edits(&self) -> [(&'static str, Vec<Step>); 4] {
        let step = |line: isize, column: usize, len: usize, insert: &'static str| Step {
            line,
            columns: (column, column + len),
            lines: 0,
            insert,
            is_faulty: false,
        };
        let broken = Step {
            is_faulty: true,
            ..step(0, self.column + 4, 1, "")
        };
        let joined = |line: isize, column: usize, next: usize| Step {
            columns: (column, next),
            lines: 1,
            ..step(line, column, 0, "")
        };
        let prompt = "    SubAgent.run(\"Greet".len();
        [
            (
                "a type word",
                vec![broken, step(0, self.column + 4, 0, "i")],
            ),
            (
                "typing in the prompt",
                vec![
                    step(-1, prompt, 0, " "),
                    step(-1, prompt + 1, 0, "k"),
                    step(-1, prompt + 2, 0, "y"),
                    step(-1, prompt, 3, ""),
                ],
            ),
            (
                "new lines",
                vec![
                    step(-2, 0, 0, "\n"),
                    joined(-2, 0, 0),
                    step(1, 6, 0, "\n"),
                    joined(1, 6, 0),
                ],
            ),
            (
                "plain code",
                vec![
                    step(-3, 4, 0, "x"),
                    step(-3, 5, 0, " "),
                    step(-3, 6, 0, "("),
                    step(-3, 7, 0, ")"),
                    step(-3, 4, 4, ""),
                ],
            ),
        ]
    }

    /// Repeats `steps`; returns their times.
    fn edits(&mut self, steps: &[Step]) -> Vec<Duration> {
        (0..EDITS / 4)
            .map(|index| self.edit(&steps[index % steps.len()]))
            .collect()
    }

    fn edit(&mut self, step: &Step) -> Duration {
        self.version += 1;
        let line = self.line.saturating_add_signed(step.line);
        let (from, to) = step.columns;
        let change = json!({
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{
                "range": {
                    "start": {"line": line, "character": from},
                    "end": {"line": line + step.lines, "character": to},
                },
                "text": step.insert,
            }],
        });
        let begin = Instant::now();
        self.client.notify("textDocument/didChange", change);
        // Diagnostics of an earlier version may still be on their way, such as those that came with the functions of
        // the project.
        let params = loop {
            let params = self.client.receive("textDocument/publishDiagnostics");
            if params["version"] == self.version {
                break params;
            }
        };
        let is_faulty = params["diagnostics"] != json!([]);
        assert_eq!(is_faulty, step.is_faulty, "{params}");
        self.client.received_at - begin
    }

    /// Types `key` at the start of the base line and deletes it, repeatedly; returns the times of both. A key may
    /// cause errors.
    fn keys(&mut self, key: &str) -> Times {
        let end = match key.strip_suffix('\n') {
            Some(_) => (1, 0),
            None => (0, key.len()),
        };
        let times = (0..KEYS).map(|index| {
            let ((lines, column), text) = match index % 2 {
                0 => ((0, 0), key),
                _ => (end, ""),
            };
            self.version += 1;
            let change = json!({
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{
                    "range": {
                        "start": {"line": self.line, "character": 0},
                        "end": {"line": self.line + lines, "character": column},
                    },
                    "text": text,
                }],
            });
            let begin = Instant::now();
            self.client.notify("textDocument/didChange", change);
            while self.client.receive("textDocument/publishDiagnostics")["version"] != self.version
            {
            }
            self.client.received_at - begin
        });
        Times(times.collect())
    }

    fn hover(&mut self) -> Duration {
        let place = json!({
            "textDocument": {"uri": self.uri},
            "position": {"line": self.line, "character": self.column + 2},
        });
        let begin = Instant::now();
        let hover = self.client.request("textDocument/hover", place);
        assert_ne!(hover, Value::Null, "a type has a hover");
        self.client.received_at - begin
    }

    /// The requests about the name at the base line and column.
    fn requests_of_name(&self) -> Vec<Request> {
        let params = json!({
            "textDocument": {"uri": self.uri},
            "position": {"line": self.line, "character": self.column},
            "context": {"includeDeclaration": true},
            "newName": "full_name",
        });
        let names = ["hover"].into_iter().chain(OF_NAME);
        names
            .map(|method| (method, format!("textDocument/{method}"), params.clone()))
            .collect()
    }

    /// The requests at the base line, in a prompt, for the lines around it, and for the whole document.
    fn requests(&self, in_prompt: (usize, usize)) -> Vec<Request> {
        let document = json!({"uri": self.uri});
        let position = json!({"line": self.line, "character": self.column});
        let lines = json!({
            "start": {"line": self.line.saturating_sub(30), "character": 0},
            "end": {"line": self.line + 30, "character": 0},
        });
        let at_place = json!({
            "textDocument": document,
            "position": position,
            "positions": [position],
        });
        let in_prompt = json!({
            "textDocument": document,
            "position": {"line": in_prompt.0, "character": in_prompt.1},
        });
        let actions = json!({
            "textDocument": document,
            "range": {"start": position, "end": position},
            "context": {"diagnostics": []},
        });
        let on_screen = json!({"textDocument": document, "range": lines});
        let of_all = json!({"textDocument": document});
        [
            ("completion", "completion", at_place.clone()),
            ("in its prompt", "completion", in_prompt.clone()),
            ("signature help", "signatureHelp", at_place.clone()),
            ("type definition", "typeDefinition", in_prompt),
            ("code actions", "codeAction", actions),
            ("selection ranges", "selectionRange", at_place),
            ("inlay hints on screen", "inlayHint", on_screen.clone()),
            ("tokens on screen", "semanticTokens/range", on_screen),
            ("links", "documentLink", of_all.clone()),
            ("folds of all", "foldingRange", of_all.clone()),
            ("symbols of all", "documentSymbol", of_all.clone()),
            ("code lenses of all", "codeLens", of_all.clone()),
            ("tokens of all", "semanticTokens/full", of_all),
        ]
        .map(|(name, method, params)| (name, format!("textDocument/{method}"), params))
        .into()
    }

    /// The requests about all files, and about the calls of the agent at the base line.
    fn requests_of_files(&mut self) -> Vec<Request> {
        let signature = json!({
            "textDocument": {"uri": self.uri},
            "position": {"line": self.line, "character": "      signature: \"".len()},
        });
        let prepare = "textDocument/prepareCallHierarchy";
        let items = self.client.request(prepare, signature.clone());
        let item = json!({"item": items[0]});
        [
            (
                "workspace symbols",
                "workspace/symbol",
                json!({"query": "usr"}),
            ),
            ("call hierarchy", prepare, signature),
            (
                "incoming calls",
                "callHierarchy/incomingCalls",
                item.clone(),
            ),
            ("outgoing calls", "callHierarchy/outgoingCalls", item),
        ]
        .map(|(name, method, params)| (name, method.to_owned(), params))
        .into()
    }

    /// Prints the times of requests, and for long answers the time that a pipe takes for as many bytes.
    fn print_requests(&mut self, requests: Vec<Request>) {
        for (name, method, params) in requests {
            let (times, bytes) = self.ask_often(&method, &params);
            print!("  {name:<22}{times}, {} KB", bytes / 1000);
            match bytes < LONG_ANSWER {
                true => println!(),
                false => println!(", pipe p50 {:.3} ms", through_pipe(bytes).percentile(50)),
            }
        }
    }

    /// The time of a request, and the length of its answer in bytes.
    fn ask_often(&mut self, method: &str, params: &Value) -> (Times, usize) {
        let (mut times, mut bytes) = (Vec::new(), 0);
        let first = Instant::now();
        while times.is_empty() || times.len() < REQUESTS && first.elapsed() < MOST_TIME {
            let begin = Instant::now();
            // A refusal to rename is an answer, too.
            let id = self.client.ask(method, params.clone());
            let answer = self.client.answer(id);
            times.push(self.client.received_at - begin);
            bytes = answer.to_string().len();
        }
        (Times(times), bytes)
    }

    /// The time until an editor gets the semantic tokens after a key.
    fn changed_tokens(&mut self) -> Times {
        let document = json!({"textDocument": {"uri": self.uri}});
        let all = self
            .client
            .request("textDocument/semanticTokens/full", document);
        let mut known = all["resultId"].clone();
        let times = (0..KEYS).map(|index| {
            let (from, insert) = if index % 2 == 0 { (0, "x") } else { (1, "") };
            let step = Step {
                line: -3,
                columns: (4, 4 + from),
                lines: 0,
                insert,
                is_faulty: false,
            };
            self.edit(&step);
            let params = json!({"textDocument": {"uri": self.uri}, "previousResultId": known});
            let begin = Instant::now();
            let answer = self
                .client
                .request("textDocument/semanticTokens/full/delta", params);
            known = answer["resultId"].clone();
            self.client.received_at - begin
        });
        Times(times.collect())
    }

    /// At the field before the type word. A refusal to rename is an answer, too.
    fn ask_of_name(&mut self, method: &str) -> Duration {
        let params = json!({
            "textDocument": {"uri": self.uri},
            "position": {"line": self.line, "character": self.column - 3},
            "context": {"includeDeclaration": true},
            "newName": "full_name",
        });
        let begin = Instant::now();
        let id = self.client.ask(&format!("textDocument/{method}"), params);
        let answer = self.client.answer(id);
        assert!(
            !answer["result"].is_null() || !answer["error"].is_null(),
            "{answer}"
        );
        self.client.received_at - begin
    }
}

/// The title of a request, its method and its parameters.
type Request = (&'static str, String, Value);

/// The time that a pipe takes for `bytes` bytes from another thread: no answer of that length is faster.
fn through_pipe(bytes: usize) -> Times {
    let times = (0..REQUESTS).map(|_| {
        let (mut reader, mut writer) = io::pipe().expect("a pipe");
        let message = vec![b' '; bytes];
        let begin = Instant::now();
        let writes = thread::spawn(move || writer.write_all(&message));
        let mut read = vec![0; bytes];
        reader.read_exact(&mut read).expect("all is written");
        let time = begin.elapsed();
        writes.join().expect("no panic").expect("all is read");
        time
    });
    Times(times.collect())
}

/// Times, printed as their percentiles.
struct Times(Vec<Duration>);

impl Times {
    /// The time in milliseconds at a percentile.
    fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted[(sorted.len() - 1) * percent / 100].as_secs_f64() * 1000.0
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = |percent| self.percentile(percent);
        write!(
            f,
            "p50 {:.3} ms, p95 {:.3} ms, max {:.3} ms",
            at(50),
            at(95),
            at(100)
        )
    }
}

/// The resident memory of the server, if the system reports it.
fn memory(client: &Client) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", client.server.id()));
    let kilobytes = status.ok().and_then(|status| {
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    });
    match kilobytes {
        Some(kilobytes) => format!("{:.1} MB", kilobytes / 1000.0),
        None => "unknown memory".to_owned(),
    }
}
