//! Open settings files. They are not documents of the workspace, which reads settings from the disk.

use std::sync::Arc;

use foldhash::HashMap;
use tower_lsp::ls_types as lsp;

use super::{client::Client, convert, main_loop::MainLoop};
use crate::workspace::SETTINGS_FILE;
use signature_ls_source::text::Text;

/// The maximum length in bytes.
const LONGEST: u32 = 1 << 18;

/// An open settings file at one version.
#[derive(Debug, Clone)]
pub(super) struct SettingsFile {
    pub(super) uri: lsp::Uri,
    pub(super) version: i32,
    pub(super) text: Text,
}

/// A reader of a settings file; it gets `None` if the file is not open.
pub(super) type SettingsReader = Box<dyn FnOnce(Option<(Arc<Client>, SettingsFile)>) + Send>;

/// Whether `uri` is that of a settings file.
pub(super) fn is_settings_file(uri: &lsp::Uri) -> bool {
    uri.path().as_str().rsplit('/').next() == Some(SETTINGS_FILE)
}

/// The open settings files.
#[derive(Debug, Default)]
pub(super) struct SettingsFiles {
    files: HashMap<lsp::Uri, SettingsFile>,
}

impl MainLoop {
    pub(super) fn open_settings_file(&mut self, item: lsp::TextDocumentItem) {
        let file = SettingsFile {
            uri: item.uri.clone(),
            version: item.version,
            text: Text::from(item.text.as_str()),
        };
        self.settings_files.files.insert(item.uri.clone(), file);
        self.publish_settings_file(&item.uri);
    }

    /// Applies a change of a settings file; returns it if it is one of another document.
    pub(super) fn change_settings_file(
        &mut self,
        params: lsp::DidChangeTextDocumentParams,
    ) -> Option<lsp::DidChangeTextDocumentParams> {
        let uri = params.text_document.uri.clone();
        let Some(file) = self.settings_files.files.get_mut(&uri) else {
            return Some(params);
        };
        file.version = params.text_document.version;
        for change in params.content_changes {
            let edit = convert::text_edit(&self.client, &file.text, change);
            file.text.apply(&edit);
        }
        self.publish_settings_file(&uri);
        None
    }

    /// Closes a settings file; returns whether it was open.
    pub(super) fn close_settings_file(&mut self, uri: &lsp::Uri) -> bool {
        self.settings_files.files.remove(uri).is_some()
    }

    fn publish_settings_file(&self, uri: &lsp::Uri) {
        let Some(file) = self.settings_files.files.get(uri) else {
            return;
        };
        if self.client.only_pulls {
            return;
        }
        let diagnostics = convert::settings_diagnostics(&self.client, file);
        self.outbox.publish(
            uri,
            lsp::PublishDiagnosticsParams::new(uri.clone(), diagnostics, Some(file.version)),
        );
    }

    /// Runs `reader` on the pool.
    pub(super) fn look_at_settings_file(&self, uri: &lsp::Uri, reader: SettingsReader) {
        let file = self.settings_files.files.get(uri).cloned();
        let found = file.map(|file| (Arc::clone(&self.client), file));
        self.pool.run(move || reader(found));
    }
}

impl SettingsFile {
    /// Its text; empty if it is too long.
    pub(super) fn content(&self) -> String {
        match u32::from(self.text.len()) <= LONGEST {
            true => self.text.rope().to_string(),
            false => String::new(),
        }
    }
}
