//! Open documents, and the snapshots of them for readers.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use foldhash::{HashMap, HashSet};
use serde_json::value::RawValue;
use tower_lsp::ls_types as lsp;

use super::{
    convert::{Located, SentTokens},
    paths::uri_of,
    rendered::Rendered,
};
use crate::{
    panics::guarded,
    workspace::{self, FileId, Here, Index, View},
};
use signature_ls_analysis::ide::{Declaration, Diagnostic, Document, Reported};
use signature_ls_source::{
    host::elixir::module::Module,
    text::{Text, TextEdit},
};

/// A document that is open in the client.
#[derive(Debug)]
pub(super) struct OpenDocument {
    pub(super) file: FileId,
    /// The version of the current text.
    pub(super) version: i32,
    /// The diagnostics that were sent last.
    rendered: Rendered,
    /// Their version.
    published: Option<i32>,
    /// The declarations in other files that they refer to.
    declarations: HashSet<Declaration>,
    /// The places of these that are known.
    located: Arc<Located>,
    /// The number of the last lookup of these places.
    lookup: u64,
    /// The semantic tokens that were sent last; readers store them here for the next delta.
    sent_tokens: Arc<Mutex<Vec<Arc<SentTokens>>>>,
}

/// A document at one version, unaffected by later edits.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    /// The analysis at that version.
    pub(super) document: Arc<Document>,
    /// The version number; `None` for a file that is not open.
    pub(super) version: Option<i32>,
    of_workspace: workspace::Snapshot,
    /// The functions of its project, if they were read.
    pub(super) index: Option<Index>,
    /// Its file.
    file: Option<FileId>,
    /// The other files.
    pub(super) files: Files,
    sent_tokens: Arc<Mutex<Vec<Arc<SentTokens>>>>,
}

/// The files around a document, with the versions of those that are open.
#[derive(Debug, Clone, Default)]
pub(super) struct Files {
    pub(super) view: View,
    /// The URI and the version of each open file.
    pub(super) opened: HashMap<FileId, (lsp::Uri, i32)>,
}

impl Files {
    /// The URI of the file at `path`, in the client's spelling.
    pub(super) fn uri(&self, file: FileId, path: &Path) -> Option<lsp::Uri> {
        let opened = self.opened.get(&file);
        opened.map(|(uri, _)| uri.clone()).or_else(|| uri_of(path))
    }

    /// The version of an open file.
    pub(super) fn version(&self, file: FileId) -> Option<i32> {
        self.opened.get(&file).map(|(_, version)| *version)
    }
}

impl OpenDocument {
    /// A document that was opened.
    pub(super) fn new(file: FileId, version: i32) -> Self {
        Self {
            file,
            version,
            rendered: Rendered::default(),
            published: None,
            declarations: HashSet::default(),
            located: Arc::default(),
            lookup: 0,
            sent_tokens: Arc::default(),
        }
    }

    /// The snapshot of `of_workspace`, in a project with the functions of `index`.
    pub(super) fn snapshot(
        &self,
        of_workspace: workspace::Snapshot,
        index: Option<Index>,
        files: Files,
    ) -> Snapshot {
        Snapshot {
            version: Some(self.version),
            file: Some(self.file),
            index,
            files,
            sent_tokens: Arc::clone(&self.sent_tokens),
            ..Snapshot::of_file(of_workspace)
        }
    }

    /// Records an edit of `text`.
    pub(super) fn edited(&mut self, text: &Text, edit: &TextEdit) {
        self.rendered.edited(text.len(), edit);
    }

    /// Makes the next diagnostics be sent even if they are unchanged.
    pub(super) fn expect_answer(&mut self) {
        self.published = None;
    }

    /// The declarations in other files that its diagnostics refer to.
    pub(super) fn declarations(&self) -> &HashSet<Declaration> {
        &self.declarations
    }

    /// Whether its diagnostics refer to a place in another file.
    pub(super) fn refers_to(&self, uri: &lsp::Uri) -> bool {
        self.located.values().any(|it| it.uri == *uri)
    }

    /// The number of a new lookup of its declarations in other files, and the declarations.
    pub(super) fn begin_lookup(&mut self) -> (u64, HashSet<Declaration>) {
        self.lookup += 1;
        (self.lookup, self.declarations.clone())
    }

    /// Sets the places of its declarations in other files, which `lookup` found. Returns whether they differ from those
    /// before; an earlier lookup is ignored.
    pub(super) fn locate(&mut self, lookup: u64, located: Located) -> bool {
        let differs = lookup == self.lookup && *self.located != located;
        if differs {
            self.located = Arc::new(located);
            self.rendered.clear();
            self.published = None;
        }
        differs
    }

    /// The diagnostics of `snapshot`, rendered by `render`, which `carries` their fixes or not; `None` if they were
    /// already sent for this version. Empty if the analysis failed. Also whether they refer to other declarations in
    /// other files than before.
    pub(super) fn findings(
        &mut self,
        snapshot: Option<&workspace::Snapshot>,
        carries: bool,
        render: impl Fn(&Text, &Diagnostic, &Located) -> Box<RawValue>,
    ) -> (Option<&[Box<RawValue>]>, bool) {
        let located = Arc::clone(&self.located);
        let mut declarations = HashSet::default();
        let mut rendered = std::mem::take(&mut self.rendered);
        let rendered = guarded(|| {
            let differs = match snapshot {
                Some(snapshot) => {
                    let text = snapshot.text();
                    let found = snapshot.document.reported();
                    declarations.extend(found.iter().flat_map(Reported::declarations).cloned());
                    rendered.update(text, found, carries, |it| render(text, it, &located))
                }
                None => rendered.clear(),
            };
            (rendered, differs)
        });
        let (rendered, differs) = rendered.unwrap_or_default();
        self.rendered = rendered;
        let is_known = !differs && self.published == Some(self.version);
        self.published = Some(self.version);
        let refers_to_others = self.declarations != declarations;
        self.declarations = declarations;
        let findings = (!is_known).then(|| self.rendered.all());
        (findings, refers_to_others)
    }
}

impl Snapshot {
    /// A file, open or not, without what the client knows of it and without other files.
    pub(super) fn of_file(of_workspace: workspace::Snapshot) -> Self {
        Self {
            document: Arc::clone(&of_workspace.document),
            version: None,
            of_workspace,
            index: None,
            file: None,
            files: Files::default(),
            sent_tokens: Arc::default(),
        }
    }

    /// A file that is not open, with the files around it.
    pub(super) fn of_closed(of_workspace: workspace::Snapshot, file: FileId, files: Files) -> Self {
        Self {
            file: Some(file),
            files,
            ..Self::of_file(of_workspace)
        }
    }

    /// Its file.
    pub(super) fn here(&self) -> Option<Here<'_>> {
        Some(Here {
            file: self.file?,
            document: &self.document,
        })
    }

    /// The modules of its project.
    pub(super) fn modules(&self) -> Vec<Arc<Module>> {
        let modules = self.index.iter().flat_map(Index::modules);
        modules.cloned().collect()
    }

    /// The last tokens that were sent, if they `are_meant`.
    pub(super) fn sent_tokens(
        &self,
        are_meant: impl Fn(&SentTokens) -> bool,
    ) -> Option<Arc<SentTokens>> {
        let sent = self.sent_tokens.lock().ok()?;
        sent.iter().find(|it| are_meant(it)).cloned()
    }

    /// Stores the tokens that are sent `now`, and keeps the `known` ones: the client may discard the answer.
    pub(super) fn keep_tokens(&self, known: Option<Arc<SentTokens>>, now: SentTokens) {
        if let Ok(mut sent) = self.sent_tokens.lock() {
            sent.clear();
            sent.extend(known);
            sent.push(Arc::new(now));
        }
    }

    /// Whether the document was edited or closed since.
    pub(super) fn is_stale(&self) -> bool {
        self.of_workspace.is_stale()
    }

    /// Tells whether it is stale, even after the snapshot is dropped.
    pub(super) fn staleness(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let snapshot = self.of_workspace.clone();
        move || snapshot.is_stale()
    }

    /// The text at that version.
    pub(super) fn text(&self) -> &Text {
        self.document.text()
    }
}
