//! The one place that owns the open documents.
//!
//! Everything that happens comes in as an [`Event`], in the order of the client's messages, and is
//! handled by one thread. Readers get a snapshot and run beside it.

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
    sync::{Arc, mpsc::Receiver},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tower_lsp::{jsonrpc::Id, ls_types as lsp};

use super::{
    capabilities::Client,
    convert,
    document::{OpenDocument, Snapshot, guarded},
    settings,
    transport::Outbox,
};
use crate::{host::HostKind, ide::Settings};

/// How long changes that follow closely on one another may hold back what was found.
const LONGEST_BATCH: Duration = Duration::from_millis(20);

/// Something that happened, in the order in which it happened.
pub(super) enum Event {
    /// The client told what it can do and what its user chose.
    Initialize(Box<Client>, Value),
    /// The client is ready to be asked.
    Initialized,
    /// A document was opened.
    Open(lsp::TextDocumentItem),
    /// A document was changed.
    Change(lsp::DidChangeTextDocumentParams),
    /// A document was closed.
    Close(lsp::Uri),
    /// The user chose other settings; null where the client wants to be asked for them.
    Configure(Value),
    /// The client answered a request of the server.
    Answer(Id, Value),
    /// Somebody wants to read a document.
    Read(lsp::Uri, Reader),
}

/// A reader of a document; it gets nothing where the document is not open or not one of ours.
pub(super) type Reader = Box<dyn FnOnce(Option<(Arc<Client>, Snapshot)>) + Send>;

/// The state of the server.
pub(super) struct MainLoop {
    outbox: Outbox,
    pool: tokio::runtime::Handle,
    client: Arc<Client>,
    /// What the client asked for at the start.
    initial_settings: Settings,
    settings: Settings,
    documents: HashMap<lsp::Uri, OpenDocument>,
    /// The documents whose findings are to be sent.
    changed: BTreeSet<lsp::Uri>,
    last_request: i64,
    /// The request for settings that waits for its answer.
    configuration: Option<i64>,
}

impl MainLoop {
    /// A server without documents that speaks through `outbox` and lets readers run on `pool`.
    pub(super) fn new(outbox: Outbox, pool: tokio::runtime::Handle) -> Self {
        Self {
            outbox,
            pool,
            client: Arc::default(),
            initial_settings: settings::defaults(),
            settings: settings::defaults(),
            documents: HashMap::new(),
            changed: BTreeSet::new(),
            last_request: 0,
            configuration: None,
        }
    }

    /// Handles events until no more can come.
    ///
    /// What was found is sent as soon as no further event waits, and at the latest after
    /// [`LONGEST_BATCH`], so that a burst of changes is answered once.
    pub(super) fn run(mut self, events: &Receiver<Event>) {
        while let Ok(event) = events.recv() {
            let begin = Instant::now();
            self.handle(event);
            while begin.elapsed() < LONGEST_BATCH
                && let Ok(event) = events.try_recv()
            {
                self.handle(event);
            }
            self.publish();
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Initialize(client, options) => {
                self.client = Arc::new(*client);
                self.configure(&options);
                self.initial_settings = self.settings.clone();
            }
            Event::Initialized => {
                self.register_for_settings();
                self.ask_for_settings();
            }
            Event::Open(item) => self.open(item),
            Event::Change(params) => self.change(params),
            Event::Close(uri) => self.close(&uri),
            Event::Configure(Value::Null) => self.ask_for_settings(),
            Event::Configure(value) => self.configure(&value),
            Event::Answer(id, value) => self.answer(&id, &value),
            Event::Read(uri, reader) => self.read(&uri, reader),
        }
    }

    fn open(&mut self, item: lsp::TextDocumentItem) {
        let Some(kind) = host_kind(&item.uri, &item.language_id) else {
            return;
        };
        let document = OpenDocument::open(kind, item.version, &item.text, &self.settings);
        self.documents.insert(item.uri.clone(), document);
        self.changed.insert(item.uri);
    }

    fn change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        let Some(document) = self.documents.get_mut(&uri) else {
            return;
        };
        let client = &self.client;
        document.change(
            version,
            params.content_changes,
            &self.settings,
            |text, change| convert::text_edit(client, text, change),
        );
        self.changed.insert(uri);
    }

    fn close(&mut self, uri: &lsp::Uri) {
        if self.documents.remove(uri).is_some() {
            self.changed.remove(uri);
            self.send_diagnostics(uri, Vec::new(), None);
        }
    }

    fn read(&self, uri: &lsp::Uri, reader: Reader) {
        let snapshot = self.documents.get(uri).and_then(OpenDocument::snapshot);
        match snapshot {
            None => reader(None),
            Some(snapshot) => {
                let client = self.client.clone();
                self.pool
                    .spawn_blocking(move || reader(Some((client, snapshot))));
            }
        }
    }

    fn publish(&mut self) {
        for uri in std::mem::take(&mut self.changed) {
            let Some(document) = self.documents.get(&uri) else {
                continue;
            };
            let found = document
                .snapshot()
                .and_then(|snapshot| guarded(|| convert::diagnostics(&self.client, &snapshot)));
            self.send_diagnostics(&uri, found.unwrap_or_default(), Some(document.version()));
        }
    }

    fn send_diagnostics(
        &self,
        uri: &lsp::Uri,
        diagnostics: Vec<lsp::Diagnostic>,
        version: Option<i32>,
    ) {
        if !self.client.only_pulls {
            self.outbox.notify(
                "textDocument/publishDiagnostics",
                lsp::PublishDiagnosticsParams::new(uri.clone(), diagnostics, version),
            );
        }
    }

    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.last_request += 1;
        self.outbox.request(self.last_request, method, params);
        self.last_request
    }
}

/// The user's settings.
impl MainLoop {
    fn register_for_settings(&mut self) {
        if self.client.registers_configuration {
            let registration = json!({"registrations": [{
                "id": settings::SECTION,
                "method": "workspace/didChangeConfiguration",
                "registerOptions": {"section": settings::SECTION},
            }]});
            self.request("client/registerCapability", registration);
        }
    }

    fn ask_for_settings(&mut self) {
        if self.client.configuration {
            let items = json!({"items": [{"section": settings::SECTION}]});
            self.configuration = Some(self.request("workspace/configuration", items));
        }
    }

    /// Takes the settings out of an answer; an answer to an older question no longer counts.
    fn answer(&mut self, id: &Id, value: &Value) {
        let asked = self.configuration.map(Id::Number);
        if asked.as_ref() == Some(id)
            && let Some(value) = value.get(0).filter(|value| !value.is_null())
        {
            self.configure(value);
        }
    }

    fn configure(&mut self, value: &Value) {
        let settings = match settings::read(value, &self.initial_settings) {
            Ok(settings) => settings,
            Err(message) => {
                let message = format!("Settings of {}: {message}", settings::SECTION);
                let params = lsp::ShowMessageParams {
                    typ: lsp::MessageType::WARNING,
                    message,
                };
                return self.outbox.notify("window/showMessage", params);
            }
        };
        if settings == self.settings {
            return;
        }
        self.settings = settings;
        for (uri, document) in &mut self.documents {
            document.analyse(&self.settings);
            self.changed.insert(uri.clone());
        }
    }
}

/// The kind of a document, told by its name, and where that says nothing, by the editor's language.
fn host_kind(uri: &lsp::Uri, language_id: &str) -> Option<HostKind> {
    let path = uri.path().as_str();
    HostKind::from_path(Path::new(path)).or(match language_id {
        "elixir" => Some(HostKind::Elixir),
        "markdown" => Some(HostKind::Markdown),
        "prompt" => Some(HostKind::Prompt),
        "yaml" => Some(HostKind::Yaml),
        _ => None,
    })
}
