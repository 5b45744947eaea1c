//! Whole sessions of mutated messages: none of them ends the server, makes it panic, or prevents the answer to a valid
//! message.
//!
//! `NOISE_MESSAGES` is the number of messages, and `NOISE_SEED` selects them.

use std::env;

use serde_json::{Value, json};

use crate::{
    client::{Client, framed},
    model::floor,
    random::Random,
};

const METHODS: [&str; 34] = [
    "initialize",
    "initialized",
    "textDocument/didOpen",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didChange",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "textDocument/hover",
    "textDocument/completion",
    "completionItem/resolve",
    "textDocument/codeAction",
    "codeAction/resolve",
    "textDocument/codeLens",
    "codeLens/resolve",
    "textDocument/inlayHint",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/diagnostic",
    "workspace/executeCommand",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
    "workspace/didChangeWatchedFiles",
    "$/cancelRequest",
];

const TEXTS: [&str; 8] = [
    "SubAgent.run(\"{{name}}\", signature: \"(name :strng) -> :int\")\n",
    "signature: \"(a :int) -> :int\"\nprompt: \"{{a}} 😀\"\n",
    "# é\r\n\r\n",
    "\u{0}\u{feff}",
    "lib/a.ex",
    "elixir",
    "quickfix",
    "",
];

#[test]
fn mutated_messages_do_not_affect_valid_ones() {
    let number = |name: &str, default: u64| {
        env::var(name).map_or(default, |it| it.parse().expect("a number"))
    };
    let mut random = Random::new(number("NOISE_SEED", 1));
    let mut client = Client::connect(json!({}));
    for round in 0..number("NOISE_MESSAGES", 2_000) {
        let message = message(&mut random);
        client.send_bytes(&disturbed(&mut random, &message));
        if round % 50 == 49 {
            check(&mut client, round);
        }
    }
}

/// A valid message is answered: a document is analyzed, and a new id gets its answer.
fn check(client: &mut Client, round: u64) {
    // Ends the state that the last message caused, like a client that continues.
    client.send_bytes(b"\r\n\r\n");
    let uri = format!("file:///in-order/{round}.ex");
    let item = json!({"uri": uri, "languageId": "elixir", "version": 1, "text": TEXTS[0]});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let params = json!({"textDocument": {"uri": uri}});
    let id = format!("in-order-{round}");
    let request =
        json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/diagnostic", "params": params});
    client.send(&request);
    let answer =
        client.wait_for(|message| message["id"] == id.as_str() && message.get("method").is_none());
    let found = answer["result"]["items"].as_array().map(Vec::len);
    assert_eq!(found, Some(1), "{answer}");
    client.notify("textDocument/didClose", params);
    for logged in client.take_unread("window/logMessage") {
        let text = logged["message"].as_str().unwrap_or_default();
        assert!(!text.contains("internal error"), "{text}");
    }
    client.forget_unread();
}

fn message(random: &mut Random) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "method": *random.choose(&METHODS)});
    if !random.one_in(3) {
        message["id"] = match random.below(4) {
            0 => json!("a"),
            _ => json!(random.below(1_000)),
        };
    }
    if !random.one_in(30) {
        message["params"] = params(random);
    }
    message
}

fn params(random: &mut Random) -> Value {
    let uri = |random: &mut Random| {
        let uris = [
            "file:///a.ex",
            "file:///b.yaml",
            "file:///c%FF/d.json",
            "untitled:x",
            "file:///[e].md",
            "%",
        ];
        json!(*random.choose(&uris))
    };
    let text = |random: &mut Random| json!(*random.choose(&TEXTS));
    let range = json!({"start": position(random), "end": position(random)});
    let change = match random.below(3) {
        0 => json!({ "text": text(random) }),
        _ => json!({"range": range, "text": text(random)}),
    };
    let document = json!({
        "uri": uri(random),
        "version": random.below(9),
        "languageId": *random.choose(&["elixir", "yaml", "json", "markdown", "clojure"]),
        "text": text(random),
    });
    json!({
        "textDocument": document,
        "position": position(random),
        "positions": [position(random)],
        "range": range,
        "contentChanges": [change.clone(), change],
        "context": {"diagnostics": [], "includeDeclaration": true},
        "options": {"tabSize": 2, "insertSpaces": true},
        "newName": text(random),
        "previousResultId": "1",
        "settings": {"signature-ls": {"edition": "0.4", "rules": {"unknown-type": "error"}}},
        "changes": [{"uri": uri(random), "type": 1}],
        "event": {"added": [{"uri": uri(random), "name": ""}], "removed": []},
        "command": "signature-ls.applyEdit",
        "arguments": [document],
        "id": random.below(1_000),
        "label": "x",
        "title": "x",
        "data": {"uri": uri(random)},
        "capabilities": {},
    })
}

fn position(random: &mut Random) -> Value {
    json!({"line": random.below(4), "character": random.below(90)})
}

/// The bytes of a message, usually with an error.
fn disturbed(random: &mut Random, message: &Value) -> Vec<u8> {
    let mut message = message.clone();
    if random.one_in(2) {
        disturb(random, &mut message);
    }
    let body = message.to_string();
    let mut bytes = match random.below(12) {
        0 => format!(
            "Content-Length: {}\r\n\r\n{body}",
            random.below(2 * body.len())
        )
        .into_bytes(),
        1 => format!(
            "content-length:{}\r\nContent-Type: x\r\n\r\n{body}",
            body.len()
        )
        .into_bytes(),
        2 => framed(&body[..floor(&body, random.below(body.len()))]),
        _ => framed(&body),
    };
    if random.one_in(8) {
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = *random.choose(b"\0\r\n{}[]\",:\\\xff0a");
        }
    }
    // No message asks the server to exit.
    if bytes.windows(6).any(|it| it == b"\"exit\"") {
        Vec::new()
    } else {
        bytes
    }
}

/// Puts an error into a place of `value`.
fn disturb(random: &mut Random, value: &mut Value) {
    let wrong = [
        Value::Null,
        json!(-1),
        json!(1e300),
        json!("x"),
        json!([]),
        json!({}),
        json!(true),
    ];
    match value {
        Value::Object(fields) if !fields.is_empty() && !random.one_in(8) => {
            let index = random.below(fields.len());
            if let Some((_, field)) = fields.iter_mut().nth(index) {
                disturb(random, field);
            }
        }
        Value::Array(items) if !items.is_empty() && !random.one_in(8) => {
            let index = random.below(items.len());
            disturb(random, &mut items[index]);
        }
        value => *value = random.choose(&wrong).clone(),
    }
}
