//! A simulated typist: writes agents key by key in files of five hosts, with slips and hovers, and deletes them again.

use serde_json::{Value, json};

use crate::{client::Client, random::Random};

struct Host {
    path: &'static str,
    language: &'static str,
    /// What stands before and after the agents.
    frame: [&'static str; 2],
    /// An agent, with `NAME` and `FIELD` for names.
    agent: &'static str,
}

const HOSTS: [Host; 5] = [
    Host {
        path: "typed.ex",
        language: "elixir",
        frame: ["defmodule Typed do\n", "end\n"],
        agent: "  def NAME(x) do\n    SubAgent.run(\"Find {{FIELD}}\", signature: \"(FIELD :string, limit :int?) -> {count :int, NAME [:FIELD]}\")\n  end\n\n",
    },
    Host {
        path: "typed.md",
        language: "markdown",
        frame: ["# Agents\n", "The end.\n"],
        agent: "Some words about FIELD.\n\n```elixir\nSubAgent.run(\"Find {{FIELD}}\", signature: \"(FIELD :string) -> {NAME [:int]}\")\n```\n\n",
    },
    Host {
        path: "typed.yaml",
        language: "yaml",
        frame: ["# Agents\n", "# The end\n"],
        agent: "NAME:\n  prompt: \"Find {{FIELD}}\"\n  signature: \"(FIELD :string, limit :int?) -> {NAME :int}\"\n\n",
    },
    Host {
        path: "typed.json",
        language: "json",
        frame: ["{\n", "\"end\": 1}\n"],
        agent: "\"NAME\": {\n  \"prompt\": \"Find {{FIELD}}\",\n  \"signature\": \"(FIELD :string) -> {NAME :int}\"\n},\n",
    },
    Host {
        path: "typed.clj",
        language: "clojure",
        frame: ["; Agents\n", "; The end\n"],
        agent: "(def NAME {:signature \"(FIELD :string) -> {NAME :int}\"\n  :prompt \"Find {{FIELD}}\"})\n\n",
    },
];

/// The number of agents in each file before anything is typed.
const AGENTS: usize = 150;

/// A position: the line and the character, as in the protocol.
type Place = (usize, usize);

pub struct Typist {
    pub client: Client,
    random: Random,
    versions: [i32; HOSTS.len()],
    keys: usize,
}

impl Typist {
    /// Opens a file of each host.
    pub fn open(client: Client, seed: u64) -> Self {
        let mut typist = Self {
            client,
            random: Random::new(seed),
            versions: [1; HOSTS.len()],
            keys: 0,
        };
        for host in &HOSTS {
            let [before, after] = host.frame;
            let agents: String = (0..AGENTS).map(|_| typist.agent(host)).collect();
            let text = format!("{before}{agents}{after}");
            let item =
                json!({"uri": uri(host), "languageId": host.language, "version": 1, "text": text});
            typist
                .client
                .notify("textDocument/didOpen", json!({"textDocument": item}));
        }
        typist
    }

    /// Types and deletes agents until `count` keys were pressed since the files were opened.
    pub fn type_until(&mut self, count: usize) {
        while self.keys < count {
            self.type_agent();
        }
    }

    pub fn close_all(&mut self) {
        for host in &HOSTS {
            let document = json!({"textDocument": {"uri": uri(host)}});
            self.client.notify("textDocument/didClose", document);
        }
    }

    fn type_agent(&mut self) {
        let at = self.random.below(HOSTS.len());
        let host = &HOSTS[at];
        let agent = self.agent(host);
        let first = 1 + self.random.below(AGENTS) * host.agent.lines().count();
        let mut place = (first, 0);
        for letter in agent.chars() {
            if self.random.one_in(20) {
                self.replace(at, [place, place], "\"");
                self.replace(at, [place, (place.0, place.1 + 1)], "");
            }
            self.replace(at, [place, place], &letter.to_string());
            place = match letter {
                '\n' => (place.0 + 1, 0),
                _ => (place.0, place.1 + 1),
            };
            if self.random.one_in(20) {
                self.hover(at, place);
            }
        }
        self.replace(at, [(first, 0), place], "");
        self.hover(at, (first, 0));
    }

    fn replace(&mut self, at: usize, [start, end]: [Place; 2], text: &str) {
        self.keys += 1;
        self.versions[at] += 1;
        let range = json!({"start": position(start), "end": position(end)});
        let change = json!({
            "textDocument": {"uri": uri(&HOSTS[at]), "version": self.versions[at]},
            "contentChanges": [{"range": range, "text": text}],
        });
        self.client.notify("textDocument/didChange", change);
    }

    /// Waits for an answer, so that keys are not read together.
    fn hover(&mut self, at: usize, place: Place) {
        let params = json!({"textDocument": {"uri": uri(&HOSTS[at])}, "position": position(place)});
        self.client.request("textDocument/hover", params);
        self.client.take_unread("textDocument/publishDiagnostics");
    }

    fn agent(&mut self, host: &Host) -> String {
        let words = ["user", "topic", "limit", "query", "items", "total", "email"];
        let number = self.random.below(1_000);
        let field = *self.random.choose(&words);
        host.agent
            .replace("NAME", &format!("agent_{number}"))
            .replace("FIELD", field)
    }
}

fn uri(host: &Host) -> String {
    format!("file:///project/{}", host.path)
}

fn position((line, character): Place) -> Value {
    json!({"line": line, "character": character})
}
