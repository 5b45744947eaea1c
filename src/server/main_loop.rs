//! The one place that owns the open documents.
//!
//! Everything that happens comes in as an [`Event`], in the order of the client's messages, and is
//! handled by one thread. Readers get a snapshot and run beside it.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::Path,
    sync::{Arc, mpsc::Receiver},
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use tower_lsp::{jsonrpc::Id, ls_types as lsp};

use super::{
    capabilities::Client,
    convert,
    document::{OpenDocument, Snapshot},
    outbox::Outbox,
    settings,
};
use crate::{
    files,
    host::{HostKind, elixir::module::Facts},
    ide::{Functions, Settings},
    project::{self, Config, Projects},
};

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
    /// Files that settings depend on were changed on the disk.
    FilesChanged,
    /// The functions of the project around a document were read.
    Functions(lsp::Uri, Arc<Functions>),
    /// What a document says of its own functions was read.
    Facts(lsp::Uri, Arc<Facts>),
    /// The client answered a request of the server.
    Answer(Id, Value),
    /// The client is to apply an edit that it has no action for.
    ApplyEdit(Value),
    /// Somebody wants to read a document.
    Read(lsp::Uri, Reader),
}

/// A reader of a document; it gets nothing where the document is not there or not one of ours.
pub(super) type Reader = Box<dyn FnOnce(Option<(Arc<Client>, Snapshot)>) + Send>;

/// The state of the server.
pub(super) struct MainLoop {
    outbox: Outbox,
    pool: tokio::runtime::Handle,
    client: Arc<Client>,
    /// What the client set at the start, which counts until its user has settings.
    initial_config: Config,
    /// What its user has set since, in the place of that.
    config: Option<Config>,
    projects: Projects,
    documents: HashMap<lsp::Uri, OpenDocument>,
    /// The documents whose findings are to be sent.
    changed: BTreeSet<lsp::Uri>,
    last_request: i64,
    /// The request for settings that waits for its answer.
    configuration: Option<i64>,
    /// What is wrong with settings files, as far as the user was told.
    told: HashSet<String>,
}

impl MainLoop {
    /// A server without documents that speaks through `outbox` and lets readers run on `pool`.
    pub(super) fn new(outbox: Outbox, pool: tokio::runtime::Handle) -> Self {
        Self {
            outbox,
            pool,
            client: Arc::default(),
            initial_config: Config::default(),
            config: None,
            projects: Projects::default(),
            documents: HashMap::new(),
            changed: BTreeSet::new(),
            last_request: 0,
            configuration: None,
            told: HashSet::new(),
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
                if let Some(config) = self.read_config(&options) {
                    self.initial_config = config;
                }
            }
            Event::Initialized => {
                self.register_for_settings();
                self.register_for_files();
                self.register_formatting();
                self.ask_for_settings();
            }
            Event::Open(item) => self.open(item),
            Event::Change(params) => self.change(params),
            Event::Close(uri) => self.close(&uri),
            Event::Configure(value) => self.settings_changed(&value),
            Event::FilesChanged => {
                self.projects.forget();
                self.told.clear();
                self.apply_settings();
            }
            Event::Functions(uri, functions) => {
                self.tell(uri, |document| document.set_functions(functions));
            }
            Event::Facts(uri, facts) => self.tell(uri, |document| document.set_facts(facts)),
            Event::Answer(id, value) => self.answer(&id, &value),
            Event::ApplyEdit(edit) => {
                self.request("workspace/applyEdit", json!({ "edit": edit }));
            }
            Event::Read(uri, reader) => self.read(uri, reader),
        }
    }

    fn open(&mut self, item: lsp::TextDocumentItem) {
        let Some(kind) = host_kind(&item.uri, &item.language_id) else {
            // It may have been one of ours under another language.
            return self.close(&item.uri);
        };
        let settings = self.settings_of(&item.uri);
        let document = OpenDocument::open(kind, item.version, &item.text, settings);
        self.documents.insert(item.uri.clone(), document);
        self.changed.insert(item.uri);
    }

    fn change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        let Some(document) = self.documents.get_mut(&uri) else {
            return;
        };
        let client = &self.client;
        document.change(version, params.content_changes, |text, change| {
            convert::text_edit(client, text, change)
        });
        self.changed.insert(uri);
    }

    /// Tells a document something; `tell` answers whether that makes a difference.
    fn tell(&mut self, uri: lsp::Uri, tell: impl FnOnce(&mut OpenDocument) -> bool) {
        if self.documents.get_mut(&uri).is_some_and(tell) {
            self.changed.insert(uri);
        }
    }

    fn close(&mut self, uri: &lsp::Uri) {
        if self.documents.remove(uri).is_some() {
            self.changed.remove(uri);
            if !self.client.only_pulls {
                send_diagnostics(&self.outbox, uri, &[], None);
            }
        }
    }

    /// Lets `reader` run on the pool. A document that is not open is read from the disk.
    fn read(&mut self, uri: lsp::Uri, reader: Reader) {
        let client = self.client.clone();
        if let Some(document) = self.documents.get(&uri) {
            let snapshot = document.snapshot();
            self.pool
                .spawn_blocking(move || reader(snapshot.map(|snapshot| (client, snapshot))));
            return;
        }
        let settings = self.settings_of(&uri);
        self.pool.spawn_blocking(move || {
            let snapshot = read_file(&uri, settings);
            reader(snapshot.map(|snapshot| (client, snapshot)));
        });
    }

    fn publish(&mut self) {
        for uri in std::mem::take(&mut self.changed) {
            if self.client.only_pulls {
                continue;
            }
            if let Some(document) = self.documents.get_mut(&uri) {
                let version = Some(document.version());
                let client = &self.client;
                let diagnostics =
                    document.findings(|text, found| convert::rendered(client, text, found));
                send_diagnostics(&self.outbox, &uri, diagnostics, version);
            }
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
            && let Some(value) = value.get(0)
        {
            self.configure(&settings::in_section(value));
        }
    }

    /// Takes the settings out of a notification. Many clients send one without settings of ours; those that
    /// can be asked mean that they want to be.
    fn settings_changed(&mut self, value: &Value) {
        if settings::has_own(value) {
            self.configure(value);
        } else if self.client.configuration {
            self.ask_for_settings();
        } else if value.is_null() {
            self.configure(value);
        }
    }

    /// Puts settings in the place of all earlier ones; null stands for none, so that those of the start
    /// count again.
    fn configure(&mut self, value: &Value) {
        if let Some(config) = self.read_config(value) {
            self.config = (!settings::own(value).is_null()).then_some(config);
            self.apply_settings();
        }
    }

    /// What the client sent as settings; where a value is wrong, the user is told and nothing changes.
    fn read_config(&self, value: &Value) -> Option<Config> {
        if let Some(problem) = settings::unknown(value) {
            self.warn(format!("Settings of {}: {problem}", settings::SECTION));
        }
        match settings::read(value) {
            Ok(config) => Some(config),
            Err(problem) => {
                self.warn(format!("Settings of {}: {problem}", settings::SECTION));
                None
            }
        }
    }

    fn warn(&self, message: String) {
        let typ = lsp::MessageType::WARNING;
        self.outbox.notify(
            "window/showMessage",
            lsp::ShowMessageParams { typ, message },
        );
    }

    /// Looks again at the documents whose settings are no longer the same.
    fn apply_settings(&mut self) {
        let uris: Vec<_> = self.documents.keys().cloned().collect();
        for uri in uris {
            let settings = self.settings_of(&uri);
            if self
                .documents
                .get_mut(&uri)
                .is_some_and(|document| document.set_settings(settings))
            {
                self.changed.insert(uri);
            }
        }
    }

    /// The settings of a document: those of its project, with what the user has set over them.
    fn settings_of(&mut self, uri: &lsp::Uri) -> Settings {
        let found = match uri.to_file_path() {
            Some(path) => self.projects.settings_for(&path),
            None => project::Found::default(),
        };
        if let Some(problem) = found.problem
            && self.told.insert(problem.clone())
        {
            self.warn(problem);
        }
        let config = self.config.as_ref().unwrap_or(&self.initial_config);
        // A configuration that cannot be applied was refused when it was read.
        config.apply(&found.settings).unwrap_or(found.settings)
    }

    fn register_formatting(&mut self) {
        if self.client.registers_formatting {
            let ours = json!([
                {"language": "signature-catalog"},
                {"pattern": "**/*.sig"},
                {"language": "signature-prompt"},
                {"pattern": "**/*.{prompt,prompt.md}"},
            ]);
            let methods = ["formatting", "rangeFormatting"].map(|it| {
                json!({
                    "id": it,
                    "method": format!("textDocument/{it}"),
                    "registerOptions": {"documentSelector": ours},
                })
            });
            let registration = json!({ "registrations": methods });
            self.request("client/registerCapability", registration);
        }
    }

    fn register_for_files(&mut self) {
        if self.client.registers_watched_files {
            let watchers: Vec<_> = project::FILES
                .iter()
                .chain(&["*.ex"])
                .map(|file| json!({"globPattern": format!("**/{file}")}))
                .collect();
            let registration = json!({"registrations": [{
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers},
            }]});
            self.request("client/registerCapability", registration);
        }
    }
}

/// The parameters of `textDocument/publishDiagnostics`.
#[derive(Serialize)]
struct Publication<'a> {
    uri: &'a lsp::Uri,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
    diagnostics: &'a [Box<RawValue>],
}

fn send_diagnostics(
    outbox: &Outbox,
    uri: &lsp::Uri,
    diagnostics: &[Box<RawValue>],
    version: Option<i32>,
) {
    let publication = Publication {
        uri,
        version,
        diagnostics,
    };
    outbox.publish(uri, publication);
}

/// The kind of a document, told by its name, and where that says nothing, by the editor's language.
fn host_kind(uri: &lsp::Uri, language_id: &str) -> Option<HostKind> {
    let path = uri.path().as_str();
    HostKind::from_path(Path::new(path)).or(match language_id {
        "elixir" => Some(HostKind::Elixir),
        "markdown" => Some(HostKind::Markdown),
        "prompt" | "signature-prompt" => Some(HostKind::Prompt),
        "yaml" => Some(HostKind::Yaml),
        "json" | "jsonc" => Some(HostKind::Json),
        "clojure" => Some(HostKind::Lisp),
        "signature-catalog" => Some(HostKind::Catalog),
        _ => None,
    })
}

fn read_file(uri: &lsp::Uri, settings: Settings) -> Option<Snapshot> {
    let is_file = uri.scheme().as_str() == "file";
    let path = uri.to_file_path().filter(|_| is_file)?;
    let kind = HostKind::from_path(&path)?;
    let text = files::read_found(&path).ok()?;
    Some(Snapshot::of_file(kind, &text, settings))
}
