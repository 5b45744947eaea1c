//! Publishes diagnostics, and asks the client to refresh what depends on other files.

use std::{collections::BTreeMap, sync::Arc};

use foldhash::HashSet;
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use tower_lsp::ls_types as lsp;

use super::{
    convert,
    document::{Files, OpenDocument},
    main_loop::{Event, MainLoop},
    outbox::Outbox,
};
use crate::{
    panics::guarded,
    workspace::{Cause, FileId},
};

impl MainLoop {
    /// Requests a refresh of everything that may have changed.
    fn refresh(&mut self, changed: &BTreeMap<FileId, Cause>) {
        let closed = self.workspace.take_closed_changes();
        let settings = changed.values().any(|it| *it == Cause::Settings);
        // After its own edit, the client refreshes by itself.
        let others = changed.values().any(|it| *it != Cause::Text);
        let client = Arc::clone(&self.client);
        let pulls = client.only_pulls && client.refreshes_diagnostics;
        for (is_needed, method) in [
            (pulls && (others || closed), "workspace/diagnostic/refresh"),
            (
                client.refreshes_inlay_hints && others,
                "workspace/inlayHint/refresh",
            ),
            (
                client.refreshes_code_lenses && others,
                "workspace/codeLens/refresh",
            ),
            (
                client.refreshes_tokens && settings,
                "workspace/semanticTokens/refresh",
            ),
        ] {
            if is_needed {
                self.request(method, Value::Null);
            }
        }
    }

    /// Publishes what changed since the last time.
    pub(super) fn publish(&mut self) {
        let changed = self.workspace.take_changed();
        self.refresh(&changed);
        let disk_may_have_changed = std::mem::take(&mut self.disk_may_have_changed);
        if self.client.only_pulls {
            return;
        }
        let mut unlocated = HashSet::default();
        for (&file, cause) in &changed {
            if *cause == Cause::Settings
                && let Some(document) = self.document_mut(file)
            {
                document.expect_answer();
            }
            // A panic costs no other document.
            if guarded(|| self.publish_file(file)) == Some(true) {
                unlocated.insert(file);
            }
        }
        let edited: Vec<_> = { changed.keys() }
            .filter_map(|it| self.uris.get(it))
            .collect();
        for document in self.documents.values() {
            let is_renewed = changed
                .get(&document.file)
                .is_some_and(|it| *it != Cause::Text);
            let may_have_moved = disk_may_have_changed
                || is_renewed
                || edited.iter().any(|it| document.refers_to(it));
            if may_have_moved && !document.declarations().is_empty() {
                unlocated.insert(document.file);
            }
        }
        for file in unlocated {
            self.locate(file);
        }
    }

    fn document_mut(&mut self, file: FileId) -> Option<&mut OpenDocument> {
        self.documents.get_mut(self.uris.get(&file)?)
    }

    /// Sends the diagnostics of a file if they are not the client's already. Returns whether they refer to other
    /// declarations in other files than before.
    pub(super) fn publish_file(&mut self, file: FileId) -> bool {
        let uri = self.uris.get(&file);
        let Some((uri, document)) = uri.and_then(|it| Some((it, self.documents.get_mut(it)?)))
        else {
            return false;
        };
        #[cfg(debug_assertions)]
        assert!(
            self.panics_at.take_if(|it| it == uri).is_none(),
            "as the test wants"
        );
        let client = &self.client;
        let version = Some(document.version);
        let snapshot = self.workspace.snapshot(file);
        let now = snapshot.as_ref().map(|it| &*it.document);
        let carrying = now.and_then(|it| convert::carrying(client, it));
        let render = |text: &_, found: &_, located: &_| {
            convert::rendered(client, text, uri, found, (carrying, located))
        };
        let (diagnostics, refers_to_others) =
            document.findings(snapshot.as_ref(), carrying.is_some(), render);
        if let Some(diagnostics) = diagnostics {
            send_diagnostics(&self.outbox, uri, diagnostics, version);
        }
        refers_to_others
    }

    /// Looks up the declarations in other files that the diagnostics of a file refer to, on the pool.
    fn locate(&mut self, file: FileId) {
        let files = Files {
            view: self.workspace.view(),
            opened: self.opened(),
        };
        let Some(snapshot) = self.workspace.snapshot(file) else {
            return;
        };
        let Some(document) = self.document_mut(file) else {
            return;
        };
        let (lookup, declarations) = document.begin_lookup();
        let (client, events) = (Arc::clone(&self.client), self.events.clone());
        self.pool.run(move || {
            let document = &snapshot.document;
            let located =
                guarded(|| convert::located(&client, document, file, &files, declarations));
            let located = located.unwrap_or_default();
            // At the end of the server there is no receiver.
            let _ = events.send(Event::Located(file, lookup, located));
        });
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

pub(super) fn send_diagnostics(
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
