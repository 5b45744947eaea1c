//! After any edits, and any changes of settings and files between them, a server answers like a fresh one.
//!
//! `DRIFT_EDITS` is the number of edits in each encoding, `DRIFT_EVERY` the number between two comparisons, and
//! `DRIFT_SEED` selects the edits.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    client::{Client, file_uri},
    editor::ENCODINGS,
    model::{apply, floor, json_position, offset, position},
    random::Random,
};

/// The documents of the project: path, language and initial text.
const DOCUMENTS: [(&str, &str, &str); 9] = [
    (
        "lib/agent.ex",
        "elixir",
        include_str!("../editors/fixtures/agent.ex"),
    ),
    (
        "lib/calls.ex",
        "elixir",
        "SubAgent.new(prompt: \"Go {{a}}.\", signature: \"(a :int) -> :int\", tools: %{\"get\" => &Tools.get/1, \"put\" => &Tools.put/1})\n",
    ),
    (
        "lib/tools.ex",
        "elixir",
        "defmodule Tools do\n  @doc \"Gets.\"\n  @spec get(integer()) :: integer()\n  def get(id), do: id\n\n  @spec put(pid(), integer()) :: integer()\n  def put(a, b), do: {a, b}\nend\n",
    ),
    (
        "guide.md",
        "markdown",
        include_str!("../editors/fixtures/guide.md"),
    ),
    (
        "tools.yaml",
        "yaml",
        include_str!("../editors/fixtures/tools.yaml"),
    ),
    (
        "tools.json",
        "json",
        include_str!("../editors/fixtures/tools.json"),
    ),
    (
        "agent.clj",
        "clojure",
        include_str!("../editors/fixtures/agent.clj"),
    ),
    (
        "letter.prompt",
        "prompt",
        include_str!("../editors/fixtures/letter.prompt"),
    ),
    (
        "tools.sig",
        "signature-catalog",
        include_str!("../editors/fixtures/tools.sig"),
    ),
];

/// Texts that are typed or pasted.
const PIECES: [&str; 64] = [
    "a",
    "x",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "é",
    "字",
    "😀",
    "👩‍🚀",
    "𝒜",
    "\u{2028}",
    "\u{feff}",
    "\u{a0}",
    "\"",
    "'",
    "\"\"\"",
    "`",
    "```elixir\n",
    "```\n",
    "---\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "%{",
    "{{",
    "}}",
    "{{name}}",
    "{{#items}}",
    "{{/items}}",
    "{{^a}}",
    "{{.}}",
    "#{",
    "#",
    "# signature-ls: edition 0.4\n",
    "# signature-ls: ignore unknown-type\n",
    ":int",
    ":strng",
    ":datetime?",
    "(a :int) -> :int",
    "(a {b [:string]}) -> {c :any}",
    " -> ",
    ", ",
    ": ",
    "- ",
    "| ",
    "\\",
    "\\u003e",
    "signature: ",
    "prompt: ",
    "\"signature\": ",
    ":signature ",
    "tools: ",
    "SubAgent.run(",
    "@spec get(pid()) :: integer()\n",
    "do\n",
    "end\n",
    "(tool/get {:id 1})",
];

/// The maximum length of a document.
const LONGEST: usize = 6_000;

#[test]
fn after_any_edits_a_server_answers_like_a_fresh_one() {
    let edits = number("DRIFT_EDITS", 1_200);
    let seed = number("DRIFT_SEED", 1);
    let drivers: Vec<_> = ENCODINGS
        .into_iter()
        .zip(seed..)
        .map(|(encoding, seed)| {
            std::thread::spawn(move || Driver::new(encoding, seed as u64).run(edits))
        })
        .collect();
    for driver in drivers {
        driver.join().expect("no drift");
    }
}

fn number(variable: &str, default: usize) -> usize {
    match env::var(variable) {
        Ok(number) => number.parse().expect("a number"),
        Err(_) => default,
    }
}

struct Driver {
    encoding: &'static str,
    seed: u64,
    /// The number of edits between two comparisons.
    every: usize,
    random: Random,
    project: PathBuf,
    client: Client,
    settings: Value,
    open: BTreeMap<&'static str, Open>,
    /// The last semantic tokens of each document.
    tokens: BTreeMap<&'static str, (Value, Vec<Value>)>,
}

#[derive(Clone)]
struct Open {
    language: &'static str,
    version: i32,
    text: String,
}

impl Driver {
    fn new(encoding: &'static str, seed: u64) -> Self {
        let project =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("drift-{encoding}-{seed}"));
        // It does not exist in the first run.
        let _ = fs::remove_dir_all(&project);
        for folder in ["lib", ".git"] {
            fs::create_dir_all(project.join(folder)).expect("a folder");
        }
        for (path, text) in [
            ("mix.exs", ""),
            ("lib/tools.ex", DOCUMENTS[2].2),
            ("lib/other.ex", DOCUMENTS[1].2),
        ] {
            fs::write(project.join(path), text).expect("a file");
        }
        let settings = Value::Null;
        Self {
            encoding,
            seed,
            every: number("DRIFT_EVERY", 120),
            random: Random::new(seed),
            client: connect(encoding, &settings),
            project,
            settings,
            open: BTreeMap::new(),
            tokens: BTreeMap::new(),
        }
    }

    fn run(mut self, edits: usize) {
        for (path, language, text) in DOCUMENTS {
            self.open(path, language, text);
        }
        let mut done = 0;
        while done < edits {
            let mut since = 0;
            while since < self.every {
                match self.random.below(40) {
                    0 => self.change_disk(),
                    1 => self.change_settings(),
                    2 => self.open_again(),
                    3 => self.ask_in_between(),
                    _ => since += self.edit(),
                }
            }
            done += since;
            self.check(done);
        }
        eprintln!("{}, seed {}: {done} edits", self.encoding, self.seed);
        let _ = fs::remove_dir_all(&self.project);
    }

    fn uri(&self, path: &str) -> String {
        file_uri(&self.project.join(path))
    }

    fn open(&mut self, path: &'static str, language: &'static str, text: &str) {
        let version = 1;
        let text = text.to_owned();
        let open = Open {
            language,
            version,
            text,
        };
        self.client
            .notify("textDocument/didOpen", opened(&self.uri(path), &open));
        self.open.insert(path, open);
        self.tokens.remove(path);
    }

    fn open_again(&mut self) {
        let (path, language, text) = *self.random.choose(&DOCUMENTS);
        if self.random.one_in(2) {
            let document = json!({"textDocument": {"uri": self.uri(path)}});
            self.client.notify("textDocument/didClose", document);
        }
        self.open(path, language, text);
    }

    /// Sends a message with one or more changes; returns their number.
    fn edit(&mut self) -> usize {
        let paths: Vec<_> = self.open.keys().copied().collect();
        let path = *self.random.choose(&paths);
        let mut open = self.open[path].clone();
        let count = if self.random.one_in(3) {
            1 + self.random.below(6)
        } else {
            1
        };
        let mut changes = Vec::new();
        for _ in 0..count {
            let (range, insert) = self.change(&open.text, path);
            apply(&mut open.text, self.encoding, range, &insert);
            changes.push(match range {
                None => json!({ "text": insert }),
                Some([start, end]) => {
                    let range = json!({"start": json_position(start), "end": json_position(end)});
                    json!({"range": range, "text": insert})
                }
            });
        }
        let jump = self.random.below(3);
        open.version = open.version.saturating_add([1, 2, 1_000][jump]);
        let document = json!({"uri": self.uri(path), "version": open.version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.client.notify("textDocument/didChange", params);
        self.open.insert(path, open);
        count
    }

    fn change(&mut self, text: &str, path: &str) -> (Option<[(u32, u32); 2]>, String) {
        let random = &mut self.random;
        if text.len() > LONGEST || random.one_in(400) {
            let seed = DOCUMENTS.iter().find(|it| it.0 == path).map(|it| it.2);
            return (None, seed.unwrap_or_default().to_owned());
        }
        let insert = match random.below(10) {
            0..=5 => (*random.choose(&PIECES)).to_owned(),
            6 => some_of(random, text, 60),
            7 => format!("{}{}", random.choose(&PIECES), random.choose(&PIECES)),
            _ => String::new(),
        };
        let start = any_offset(random, text);
        let end = match random.below(4) {
            0 => any_offset(random, text),
            1 => start,
            _ => floor(text, start + random.below(12)),
        };
        let mut ends = [start, end].map(|at| position(text, self.encoding, at));
        if random.one_in(2) {
            ends.sort_unstable();
        }
        for (line, character) in &mut ends {
            match random.below(60) {
                // Inside a character, or inside a line break.
                0 | 1 => *character += 1,
                2 => *character = u32::MAX,
                3 => *line += 1,
                4 => *line = u32::MAX,
                _ => {}
            }
        }
        (Some(ends), insert)
    }

    fn change_disk(&mut self) {
        let specs = ["pid()", "integer()", "String.t()", "t"];
        let spec = self.random.choose(&specs);
        let module = format!(
            "defmodule Tools do\n  @spec get({spec}) :: integer()\n  def get(id), do: id\nend\n"
        );
        let edition = *self.random.choose(&["0.4", "0.5", "0.11", "next"]);
        let release = *self.random.choose(&["0.4.1", "0.10.0", "0.13.0"]);
        let lock = format!(
            "%{{\"ptc_runner\": {{:hex, :ptc_runner, \"{release}\", \"a\", [:mix], [], \"hexpm\", \"b\"}}}}"
        );
        let (path, text) = match self.random.below(5) {
            0 => ("lib/tools.ex", Some(module)),
            1 => ("lib/more.ex", Some(module.replace("Tools", "More"))),
            2 => ("lib/more.ex", None),
            3 => (
                "signature-ls.toml",
                self.random
                    .one_in(2)
                    .then(|| format!("edition = \"{edition}\"\n")),
            ),
            _ => ("mix.lock", self.random.one_in(2).then_some(lock)),
        };
        let file = self.project.join(path);
        match text {
            Some(text) => fs::write(file, text).expect("a file"),
            None => drop(fs::remove_file(file)),
        }
        let changes = json!([{"uri": self.uri(path), "type": 2}]);
        self.client.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": changes }),
        );
    }

    fn change_settings(&mut self) {
        self.settings = match self.random.below(4) {
            0 => json!({"edition": *self.random.choose(&["0.4", "0.5", "0.11", "next", "auto"])}),
            1 => json!({"rules": {"unknown-type": *self.random.choose(&["off", "hint", "error"])}}),
            2 => json!({"signature": {"keys": ["contract"]}, "prompt": {"keys": ["template"]}}),
            _ => json!({}),
        };
        let params = json!({"settings": {"signature-ls": self.settings}});
        self.client
            .notify("workspace/didChangeConfiguration", params);
    }

    /// Gives the server work that the next edit makes obsolete.
    fn ask_in_between(&mut self) {
        let paths: Vec<_> = self.open.keys().copied().collect();
        let path = *self.random.choose(&paths);
        let requests = self.requests(path);
        let (method, params) = self.random.choose(&requests).clone();
        self.client.ask(method, params);
    }

    /// Requests of each kind about a document.
    fn requests(&mut self, path: &str) -> Vec<(&'static str, Value)> {
        let text = self.open[path].text.clone();
        let uri = self.uri(path);
        let document = json!({ "uri": uri });
        let mut at = || {
            json_position(position(
                &text,
                self.encoding,
                any_offset(&mut self.random, &text),
            ))
        };
        let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": u32::MAX, "character": 0}});
        let options = json!({"tabSize": 2, "insertSpaces": true});
        let mut requests = Vec::new();
        for method in [
            "hover",
            "completion",
            "definition",
            "typeDefinition",
            "documentHighlight",
            "prepareRename",
            "signatureHelp",
            "linkedEditingRange",
        ] {
            requests.push((method, json!({ "position": at() })));
            requests.push((method, json!({ "position": at() })));
        }
        requests.extend([
            (
                "references",
                json!({"position": at(), "context": {"includeDeclaration": true}}),
            ),
            ("rename", json!({"position": at(), "newName": "renamed"})),
            (
                "codeAction",
                json!({"range": whole, "context": {"diagnostics": []}}),
            ),
            (
                "codeAction",
                json!({"range": {"start": at(), "end": at()}, "context": {"diagnostics": []}}),
            ),
            ("inlayHint", json!({ "range": whole })),
            (
                "rangeFormatting",
                json!({"range": {"start": at(), "end": at()}, "options": options}),
            ),
            ("formatting", json!({ "options": options })),
            ("selectionRange", json!({"positions": [at(), at()]})),
            ("codeLens", json!({})),
            ("documentLink", json!({})),
            ("documentSymbol", json!({})),
            ("foldingRange", json!({})),
            ("semanticTokens/full", json!({})),
            ("semanticTokens/range", json!({ "range": whole })),
            ("diagnostic", json!({})),
        ]);
        let full = |(method, mut params): (&str, Value)| {
            params["textDocument"] = document.clone();
            (method_name(method), params)
        };
        let mut requests: Vec<_> = requests.into_iter().map(full).collect();
        requests.push(("signature-ls/edition", document.clone()));
        #[cfg(debug_assertions)]
        requests.push(("signature-ls/text", document));
        requests
    }

    /// Compares all answers with those of a fresh server.
    fn check(&mut self, done: usize) {
        let mut fresh = connect(self.encoding, &self.settings);
        for (path, open) in &self.open {
            fresh.notify("textDocument/didOpen", opened(&self.uri(path), open));
        }
        let paths: Vec<_> = self.open.keys().copied().collect();
        for path in paths {
            let text = self.open[path].text.clone();
            let about = |what: &str| {
                format!(
                    "{} seed {} after {done}: {path} {what}\n{text:?}",
                    self.encoding, self.seed
                )
            };
            let about_text = about("text");
            let about_tokens = about("semanticTokens/full/delta");
            let about_published = about("publishDiagnostics");
            for (method, params) in self.requests(path) {
                let [own, expected] =
                    [&mut self.client, &mut fresh].map(|client| answer(client, method, &params));
                let about = || {
                    format!(
                        "{} seed {} after {done}: {method} {params}\n{text:?}",
                        self.encoding, self.seed
                    )
                };
                assert_eq!(own, expected, "{}", about());
                // A release build does not report it.
                if method == "signature-ls/text" && own["error"]["code"] != -32601 {
                    assert_eq!(own["result"], text.as_str(), "{about_text}");
                }
                if method == "textDocument/semanticTokens/full" {
                    let tokens = own["result"]["data"]
                        .as_array()
                        .cloned()
                        .unwrap_or_default();
                    assert_eq!(self.tokens_by_delta(path), tokens, "{about_tokens}");
                }
                if method == "textDocument/diagnostic" {
                    let published = self.published(path);
                    assert_eq!(published, own["result"]["items"], "{about_published}");
                }
            }
        }
        self.client.forget_unread();
    }

    /// The semantic tokens of a client that only requests deltas.
    fn tokens_by_delta(&mut self, path: &'static str) -> Vec<Value> {
        let document = json!({"uri": self.uri(path)});
        let known = self.tokens.remove(path);
        let mut answer = match &known {
            None => self.client.request(
                "textDocument/semanticTokens/full",
                json!({"textDocument": document}),
            ),
            Some((id, _)) => {
                let params = json!({"textDocument": document, "previousResultId": id});
                self.client
                    .request("textDocument/semanticTokens/full/delta", params)
            }
        };
        let mut tokens = known.map(|(_, tokens)| tokens).unwrap_or_default();
        if let Some(edits) = answer["edits"].as_array() {
            let index = |value: &Value| {
                usize::try_from(value.as_u64().expect("an index")).expect("an index")
            };
            for edit in edits.iter().rev() {
                let start = index(&edit["start"]);
                let new = edit["data"].as_array().cloned().unwrap_or_default();
                tokens.splice(start..start + index(&edit["deleteCount"]), new);
            }
        } else {
            tokens = answer["data"].as_array().cloned().unwrap_or_default();
        }
        // A document without tokens has no delta.
        let id = answer["resultId"].take();
        if !id.is_null() {
            self.tokens.insert(path, (id, tokens.clone()));
        }
        tokens
    }

    /// The last published diagnostics of a document, in its current version.
    fn published(&mut self, path: &str) -> Value {
        let uri = self.uri(path);
        let version = self.open[path].version;
        let is_it = |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri.as_str()
        };
        // Messages that were pending when the answer was created are sent with the next one at the latest.
        self.client
            .request("signature-ls/edition", json!({ "uri": uri }));
        let mut last = self.client.last_unread(is_it).unwrap_or_default();
        assert_eq!(last["params"]["version"], version, "{uri}");
        last["params"]["diagnostics"].take()
    }
}

fn connect(encoding: &str, settings: &Value) -> Client {
    let capabilities = json!({
        "general": {"positionEncodings": [encoding]},
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "rename": {"prepareSupport": true},
        },
    });
    let mut client = Client::connect(capabilities);
    let params = json!({"settings": {"signature-ls": settings}});
    client.notify("workspace/didChangeConfiguration", params);
    client
}

fn opened(uri: &str, open: &Open) -> Value {
    json!({"textDocument": {
        "uri": uri,
        "languageId": open.language,
        "version": open.version,
        "text": open.text,
    }})
}

fn method_name(method: &str) -> &'static str {
    // The names live as long as the process, and there are few.
    format!("textDocument/{method}").leak()
}

fn answer(client: &mut Client, method: &str, params: &Value) -> Value {
    let id = client.ask(method, params.clone());
    let mut answer = client.answer(id);
    strip(&mut answer);
    answer
}

/// Removes what differs between sessions.
fn strip(answer: &mut Value) {
    match answer {
        Value::Object(fields) => {
            for name in ["id", "resultId"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn any_offset(random: &mut Random, text: &str) -> usize {
    floor(text, random.below(text.len() + 1))
}

fn some_of(random: &mut Random, text: &str, longest: usize) -> String {
    let start = any_offset(random, text);
    let end = floor(text, start + random.below(longest));
    text[start..end].to_owned()
}

#[test]
fn the_model_counts_as_the_protocol_says() {
    let text = "a😀\r\nb\rc\n";
    for (encoding, line, character, expected) in [
        ("utf-16", 0, 2, 1),
        ("utf-16", 0, 3, 5),
        ("utf-8", 0, 4, 1),
        ("utf-32", 0, 2, 5),
        ("utf-16", 0, 99, 5),
        ("utf-16", 1, 9, 8),
        ("utf-16", 2, 0, 9),
        ("utf-16", 3, 0, 11),
        ("utf-16", 4, 0, 11),
    ] {
        assert_eq!(offset(text, encoding, line, character), expected);
    }
    assert_eq!(position(text, "utf-16", 6), (0, 4));
    assert_eq!(position(text, "utf-16", 11), (3, 0));
}
