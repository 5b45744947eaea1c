//! Documents of every host, for tests.

use signature_ls_source::host::HostKind;

/// Documents with an agent: `§` stands for its signature and `¶` for its prompt, in the notation of the function.
pub(super) struct Frame {
    pub(super) kind: HostKind,
    pub(super) text: &'static str,
    write: fn(&str) -> String,
}

pub(super) const FRAMES: &[Frame] = &[
    Frame {
        kind: HostKind::Json,
        text: "{\"name\": \"a\", \"signature\": \"§\", \"prompt\": \"¶\", \"n\": [1, \"x\"]}\n",
        write: backslashes,
    },
    Frame {
        kind: HostKind::Json,
        text: "{\"tools\": {\"search\": \"§\"}, \"prompt\": \"¶\"}\n",
        write: go_json,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "signature: \"§\"\nprompt: \"¶\"\nother: [a, {b: c}]\n",
        write: backslashes,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "- signature: '§'\n  prompt: '¶'\n- x\n",
        write: apostrophes,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "signature: §\nprompt: ¶\nother: x\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "agents:\n  a:\n    signature: §\n    prompt: ¶\n  b: {c: d}\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "a: {signature: §, model: m}\nb: [signature, 1]\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "folded:\n  signature: §\n  prompt: ¶\nlast: {b: c}\n",
        write: folded,
    },
    Frame {
        kind: HostKind::Yaml,
        text: "signature: |\n  §\nprompt: |-\n  ¶\nlast: true\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Elixir,
        text: "SubAgent.run(\"¶\", signature: \"§\", llm: llm)\nx = [1, \"two\", :three]\n",
        write: backslashes,
    },
    Frame {
        kind: HostKind::Elixir,
        text: "def f do\n  SubAgent.new(prompt: ~S(¶), signature: ~S{§})\nend\ny = %{a: 1}\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Elixir,
        text: "SubAgent.new(\n  prompt: \"\"\"\n  ¶\n  \"\"\",\n  signature: ~s|§|\n)\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Lisp,
        text: "{:signature \"§\" :prompt \"¶\" :n [1 \"x\"]}\n(defn f [a] a)\n",
        write: backslashes,
    },
    Frame {
        kind: HostKind::Lisp,
        text: "(def one {:signature \"§\"})\n(defn f {:signature \"(a :int) -> :int\"} [a] (+ a 1))\n",
        write: backslashes,
    },
    Frame {
        kind: HostKind::Prompt,
        text: "---\nname: a\nsignature: \"§\"\n---\n¶\n",
        write: backslashes,
    },
    Frame {
        kind: HostKind::Prompt,
        text: "---\nsignature: §\nmodel: m\n---\n¶\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Prompt,
        text: "---\nsignature: §\nfolded: true\n---\n¶\n",
        write: folded,
    },
    Frame {
        kind: HostKind::Markdown,
        text: "# Guide\n\n```elixir\nSubAgent.run(\"¶\", signature: \"§\")\n```\n\n> ```signature\n> §\n> ```\n\nText.\n",
        write: plain,
    },
    Frame {
        kind: HostKind::Catalog,
        text: "# Tools\nsearch§\n  Finds.\n\nget() -> :any\n",
        write: plain,
    },
];

fn plain(text: &str) -> String {
    text.to_owned()
}

/// With a line break after each comma.
fn folded(text: &str) -> String {
    text.replace(", ", ",\n    ")
}

fn backslashes(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// As written by encoders that escape HTML.
fn go_json(text: &str) -> String {
    backslashes(text)
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
}

fn apostrophes(text: &str) -> String {
    text.replace('\'', "''")
}

impl Frame {
    /// Whether the host treats brackets and commas in a signature as plain text, and any fix can be written.
    pub(super) fn holds_any_text(&self) -> bool {
        let is_folded = self.text.contains("folded");
        !is_folded && !self.text.contains("~S{") && !self.text.starts_with("a: {signature")
    }

    pub(super) fn document(&self, signature: &str, prompt: &str) -> String {
        let mut text = String::new();
        for c in self.text.chars() {
            match c {
                '§' => text.push_str(&(self.write)(signature)),
                '¶' => text.push_str(&(self.write)(prompt)),
                c => text.push(c),
            }
        }
        text
    }
}
