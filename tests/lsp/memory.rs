//! Memory does not grow while a user types, and closed documents release theirs.
#![cfg(target_os = "linux")]

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{client::Client, editor::Editor, random::Random, typist::Typist};

/// An hour with ten keys per second has 36,000; a tenth of it shows a leak too.
const KEYS: usize = 3_600;

const HOSTS: [(&str, &str, &str); 5] = [
    (
        "a.ex",
        "elixir",
        "# here\nSubAgent.run(\"{{name}}\", signature: \"(name :strng) -> :int\")\n",
    ),
    (
        "a.md",
        "markdown",
        "# here\n\n```elixir\nSubAgent.run(\"{{name}}\", signature: \"(name :strng) -> :int\")\n```\n",
    ),
    (
        "a.yaml",
        "yaml",
        "# here\nsignature: \"(name :strng) -> :int\"\nprompt: \"{{name}}\"\n",
    ),
    (
        "a.json",
        "json",
        "{\"note\": \"# here\",\n\"signature\": \"(name :strng) -> :int\", \"prompt\": \"{{name}}\"}\n",
    ),
    (
        "a.clj",
        "clojure",
        ";# here\n(def a {:signature \"(name :strng) -> :int\" :prompt \"{{name}}\"})\n",
    ),
];

/// The resident memory of the server in kilobytes.
fn memory(client: &Client) -> usize {
    resident(client, "VmRSS:")
}

/// The resident memory of the server in kilobytes, without the pages of the program: those of a test are many.
fn memory_without_program(client: &Client) -> usize {
    resident(client, "RssAnon:")
}

fn resident(client: &Client, kind: &str) -> usize {
    let status =
        fs::read_to_string(format!("/proc/{}/status", client.server.id())).expect("a process");
    let line = status
        .lines()
        .find(|line| line.starts_with(kind))
        .expect("its memory");
    line.split_whitespace()
        .nth(1)
        .and_then(|it| it.parse().ok())
        .expect("a number")
}

fn wait(client: &mut Client) {
    client.request(
        "signature-ls/edition",
        json!({"uri": "file:///project/a.ex"}),
    );
    client.take_unread("textDocument/publishDiagnostics");
}

#[test]
fn an_hour_of_typing_keeps_the_memory_of_its_first_minute() {
    let mut random = Random::new(1);
    let mut editor = Editor::open("utf-16", "");
    let mut type_in_all = |editor: &mut Editor, keys: usize| {
        for (path, language, text) in HOSTS {
            editor.open_another(path, language, &text.repeat(40));
            for key in 0..keys / HOSTS.len() / 2 {
                // A letter is typed and deleted.
                let typed = *random.choose(&["a", "é", ":", "{", "😀"]);
                editor.replace("# ", &format!("# {typed}"));
                editor.replace(&format!("# {typed}"), "# ");
                if key % 50 == 0 {
                    editor.ask_at("textDocument/hover", "name :strng");
                    wait(&mut editor.client);
                }
            }
            wait(&mut editor.client);
        }
    };
    // The first minute opens all hosts.
    type_in_all(&mut editor, 600);
    let first = memory(&editor.client);
    type_in_all(&mut editor, KEYS);
    let last = memory(&editor.client);
    assert!(
        last <= first + first / 10,
        "{first} kB after a minute, {last} kB after an hour"
    );
}

/// The server returns memory in steps while it is idle, for half a second each.
const UNTIL_RELEASED: Duration = Duration::from_millis(2_500);

#[test]
fn typing_agents_takes_hardly_more_memory_and_closing_them_gives_it_back() {
    let mut typist = Typist::open(Client::connect(json!({})), 1);
    let memory_after = |typist: &mut Typist, keys: usize| {
        typist.type_until(keys);
        thread::sleep(UNTIL_RELEASED);
        memory_without_program(&typist.client)
    };
    let first = memory_after(&mut typist, 600);
    let last = memory_after(&mut typist, 6_000);
    assert!(
        last <= first + first / 5,
        "{first} kB after 600 keys, {last} kB after 6,000"
    );
    typist.close_all();
    thread::sleep(UNTIL_RELEASED);
    let closed = memory_without_program(&typist.client);
    assert!(
        closed < first,
        "{first} kB after 600 keys, {closed} kB after all files were closed"
    );
}

#[test]
fn closed_documents_give_their_memory_back() {
    let mut editor = Editor::open("utf-16", HOSTS[0].2);
    editor.diagnostics();
    let uri = |round: usize| format!("file:///project/{round}.ex");
    let mut open_and_close = |rounds: std::ops::Range<usize>| {
        for round in rounds {
            editor.open_another(&format!("{round}.ex"), "elixir", &HOSTS[0].2.repeat(2_000));
            wait(&mut editor.client);
            let document: Value = json!({"textDocument": {"uri": uri(round)}});
            editor.client.notify("textDocument/didClose", document);
            wait(&mut editor.client);
        }
        memory(&editor.client)
    };
    let few = open_and_close(0..10);
    let many = open_and_close(10..40);
    assert!(
        many <= few + few / 10,
        "{few} kB after 10 documents, {many} kB after 40"
    );
}

/// The longest time until the memory of closed documents is back with the system. Idle threads of the runtime end after
/// ten seconds, which would return it too.
const LONGEST_WAIT: Duration = Duration::from_secs(6);

#[test]
fn an_idle_server_returns_the_memory_of_closed_documents_to_the_system() {
    let mut editor = Editor::open("utf-16", HOSTS[0].2);
    wait(&mut editor.client);
    let before = memory(&editor.client);
    for (path, language, text) in HOSTS {
        editor.open_another(path, language, &text.repeat(4_000));
        wait(&mut editor.client);
    }
    let open = memory(&editor.client) - before;
    for (path, ..) in HOSTS {
        let document = json!({"textDocument": {"uri": format!("file:///project/{path}")}});
        editor.client.notify("textDocument/didClose", document);
    }
    wait(&mut editor.client);
    let closed = Instant::now();
    loop {
        let left = memory(&editor.client).saturating_sub(before);
        if left <= open / 4 {
            break;
        }
        assert!(
            closed.elapsed() < LONGEST_WAIT,
            "{left} kB of {open} kB are left after all documents were closed"
        );
        thread::sleep(Duration::from_millis(100));
    }
}
