//! An open document as an editor keeps it, in sync with the server's.

use serde_json::{Value, json};

use crate::client::Client;

/// The position encodings of the protocol.
pub const ENCODINGS: [&str; 3] = ["utf-8", "utf-16", "utf-32"];

/// An editor with one open document.
pub struct Editor {
    pub client: Client,
    pub uri: String,
    pub text: String,
    pub version: i32,
    pub encoding: &'static str,
}

impl Editor {
    /// Connects as an editor with `encoding`, and opens `text` as an Elixir file.
    pub fn open(encoding: &'static str, text: &str) -> Self {
        let workspace = json!({"workspaceEdit": {"documentChanges": true}});
        let kinds = json!({"codeActionKind": {"valueSet": []}});
        let document =
            json!({"codeAction": {"codeActionLiteralSupport": kinds, "isPreferredSupport": true}});
        let capabilities = json!({"workspace": workspace, "textDocument": document});
        Self::connect(encoding, capabilities, text)
    }

    /// Connects as an editor with `encoding` and these capabilities, and opens `text` as an Elixir file.
    pub fn connect(encoding: &'static str, mut capabilities: Value, text: &str) -> Self {
        capabilities["general"] = json!({"positionEncodings": [encoding]});
        let (client, capabilities) = Client::connect_with(json!({ "capabilities": capabilities }));
        assert_eq!(capabilities["positionEncoding"], encoding);
        let mut editor = Self {
            client,
            uri: String::new(),
            text: String::new(),
            version: 0,
            encoding,
        };
        editor.open_another("lib/agent.ex", "elixir", text);
        editor
    }

    /// Opens another document, which becomes the current one.
    pub fn open_another(&mut self, path: &str, language: &str, text: &str) {
        self.uri = format!("file:///project/{path}");
        self.text = text.to_owned();
        self.version = 1;
        let item = json!({
            "uri": self.uri,
            "languageId": language,
            "version": self.version,
            "text": text,
        });
        self.client
            .notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces the first `old` with `new`, here and in the server.
    pub fn replace(&mut self, old: &str, new: &str) {
        let message = self.replacement(old, new);
        self.client.send(&message);
    }

    /// Replaces the first `old` with `new` here, and returns the notification for the server.
    pub fn replacement(&mut self, old: &str, new: &str) -> Value {
        let start = self.text.find(old).expect("the text to replace");
        let range = self.range(start, start + old.len());
        self.text.replace_range(start..start + old.len(), new);
        self.version += 1;
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [{"range": range, "text": new}],
        }})
    }

    /// Waits for the diagnostics of the current text.
    pub fn diagnostics(&mut self) -> Vec<Value> {
        let (uri, version) = (self.uri.clone(), self.version);
        let message = self.client.wait_for(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri.as_str()
                && message["params"]["version"] == version
        });
        let diagnostics = message["params"]["diagnostics"].as_array();
        diagnostics.expect("an array").clone()
    }

    /// Sends `method` for the document and the first place of `text`.
    pub fn ask_at(&mut self, method: &str, text: &str) -> Value {
        let at = self.text.find(text).expect("the text to ask about");
        let params = json!({
            "textDocument": {"uri": self.uri},
            "position": self.position(at),
        });
        self.client.request(method, params)
    }

    /// Requests the code actions of `kinds` at the first place of `text`.
    pub fn code_actions(&mut self, text: &str, kinds: Option<&[&str]>) -> Value {
        let at = self.text.find(text).expect("the text to ask about");
        let mut context = json!({"diagnostics": []});
        if let Some(kinds) = kinds {
            context["only"] = json!(kinds);
        }
        let params = json!({
            "textDocument": {"uri": self.uri},
            "range": self.range(at, at + text.len()),
            "context": context,
        });
        self.client.request("textDocument/codeAction", params)
    }

    /// The protocol range from byte `start` to byte `end`.
    pub fn range(&self, start: usize, end: usize) -> Value {
        json!({"start": self.position(start), "end": self.position(end)})
    }

    /// The position of the first `text`.
    pub fn position_of(&self, text: &str) -> Value {
        self.position(self.text.find(text).expect("the text"))
    }

    /// The text at a protocol range.
    pub fn text_at(&self, range: &Value) -> String {
        let offset = |position: &Value| {
            let ends = 0..=self.text.len();
            let mut offsets = ends.filter(|it| self.text.is_char_boundary(*it));
            offsets.find(|it| self.position(*it) == *position)
        };
        let (start, end) = (offset(&range["start"]), offset(&range["end"]));
        self.text[start.expect("a position")..end.expect("a position")].to_owned()
    }

    fn position(&self, offset: usize) -> Value {
        let before = &self.text[..offset];
        let breaks = before.replace("\r\n", "\n");
        let line = breaks.matches(['\n', '\r']).count();
        let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let column = &before[start..];
        let character = match self.encoding {
            "utf-8" => column.len(),
            "utf-16" => column.encode_utf16().count(),
            _ => column.chars().count(),
        };
        json!({"line": line, "character": character})
    }
}
