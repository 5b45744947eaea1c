//! The cost of a keystroke in a large project: the real binary over stdin and stdout, with one file and no project,
//! and with 20 files open in a project of 5,000 modules.
//!
//! `cargo bench --bench project`. Each kind of edit is typed and deleted 100 times. Its time is from the first byte of
//! `didChange` to the last byte of the `publishDiagnostics` for the same version; its processor time is that of the
//! whole server meanwhile, on all threads.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/lsp/client.rs"]
mod client;
#[path = "support/project.rs"]
mod project;

use client::{Client, file_uri};
use project::Project;

const MODULES: usize = 5_000;
const OPEN: usize = 20;
const KEYS: usize = 200;

/// The typed text, and the text that it follows.
const EDITS: [(&str, &str, &str); 3] = [
    ("in a @doc", "Answers", "x"),
    ("in a @spec", "@spec own(integer", "x"),
    ("in a prompt", "\"Find", "x"),
];

fn main() {
    let alone = Project::new(0);
    fs::remove_file(alone.path("mix.exs")).expect("it is there");
    println!("one file and no project");
    let alone = measure(&alone.path("lib/agents0.ex"), &[]);
    let project = Project::new(MODULES);
    println!("{OPEN} files of a project of {MODULES} modules");
    let others: Vec<_> = (1..OPEN)
        .map(|file| project.path(&format!("lib/agents{file}.ex")))
        .collect();
    let others: Vec<_> = others.iter().map(|path| &**path).collect();
    let many = measure(&project.path("lib/agents0.ex"), &others);
    for ((name, ..), (one, many)) in EDITS.iter().zip(alone.into_iter().zip(many)) {
        let ratio = many.as_secs_f64() / one.as_secs_f64();
        println!("typing {name} takes {ratio:.2} times the processor time in the project");
    }
}

/// Prints the times of keys in the file at `path` while the others are open; returns the processor time of a key for
/// each kind of edit.
fn measure(path: &Path, others: &[&Path]) -> Vec<Duration> {
    let mut client = Client::connect(json!({}));
    for (path, file) in others.iter().zip(1..) {
        open(&mut client, path, &project::agents(file));
    }
    let text = project::agents(0);
    open(&mut client, path, &text);
    // The answer waits until everything is read that the file refers to.
    let pull = json!({"textDocument": {"uri": file_uri(path)}});
    client.request("textDocument/diagnostic", pull);
    std::thread::sleep(Duration::from_secs(1));

    let mut version = 1;
    let edits = EDITS.iter().map(|&(name, after, insert)| {
        let (line, column) = place(&text, after);
        let before = processor_time(&client);
        let times = (0..KEYS).map(|key| {
            version += 1;
            let end = column + usize::from(key % 2 == 1);
            let change = json!({
                "textDocument": {"uri": file_uri(path), "version": version},
                "contentChanges": [{
                    "range": {
                        "start": {"line": line, "character": column},
                        "end": {"line": line, "character": end},
                    },
                    "text": if key % 2 == 0 { insert } else { "" },
                }],
            });
            let begin = Instant::now();
            client.notify("textDocument/didChange", change);
            let params = client.receive("textDocument/publishDiagnostics");
            assert_eq!(params["version"], version, "one answer a key");
            client.received_at - begin
        });
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        let keys = u32::try_from(KEYS).expect("few");
        let used = (processor_time(&client) - before) / keys;
        let at = |percent: usize| times[(KEYS - 1) * percent / 100].as_secs_f64() * 1000.0;
        println!(
            "  {name:<12} p50 {:.3} ms, p95 {:.3} ms, processor {:.3} ms a key",
            at(50),
            at(95),
            used.as_secs_f64() * 1000.0
        );
        used
    });
    edits.collect()
}

fn open(client: &mut Client, path: &Path, text: &str) {
    let document =
        json!({"uri": file_uri(path), "languageId": "elixir", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    client.receive("textDocument/publishDiagnostics");
}

/// The line and column after `before`.
fn place(text: &str, before: &str) -> (usize, usize) {
    let at = text.find(before).expect("a place") + before.len();
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |it| it + 1))
}

/// The processor time of the server so far, if the system reports it.
fn processor_time(client: &Client) -> Duration {
    let tasks = format!("/proc/{}/task", client.server.id());
    let Ok(tasks) = fs::read_dir(tasks) else {
        return Duration::ZERO;
    };
    let used = tasks.flatten().filter_map(|task| {
        // The first number is the time on a processor, in nanoseconds.
        let statistics = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let nanos = statistics.split_whitespace().next()?.parse().ok()?;
        Some(Duration::from_nanos(nanos))
    });
    used.sum()
}
