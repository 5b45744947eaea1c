//! What the main loop handles, in the order of arrival.

use std::path::PathBuf;

use serde_json::Value;
use tower_lsp::{jsonrpc::Id, ls_types as lsp};

use super::reading::{Extent, Loaded, Reader, Surveyor};
use crate::{
    server::{client::Client, convert::Located, settings_files::SettingsReader},
    workspace::{Change, FileId},
};

/// An event, in order of arrival.
pub(in crate::server) enum Event {
    /// The client's capabilities, the user's settings, and the open folders.
    Initialize(Box<Client>, Value, Vec<lsp::WorkspaceFolder>),
    /// The client accepts requests.
    Initialized,
    /// A document was opened.
    Open(lsp::TextDocumentItem),
    /// A document was changed.
    Change(lsp::DidChangeTextDocumentParams),
    /// A document was saved.
    Save,
    /// A document was closed.
    Close(lsp::Uri),
    /// The user changed the settings; null if the client expects a request for them.
    Configure(Value),
    /// Folders were opened or closed.
    ChangeFolders(lsp::WorkspaceFoldersChangeEvent),
    /// Files changed on the disk.
    FilesChanged(Vec<PathBuf>),
    /// Files of a project were read; the token is that of the progress.
    Read(Change, String),
    /// The user canceled the work with this progress token.
    CancelProgress(String),
    /// Declarations in other files were found for the diagnostics of a document, by its lookup of that number.
    Located(FileId, u64, Located),
    /// The client answered a request of the server.
    Answer(Id, Value),
    /// The client shall apply an edit; it does not support action literals.
    ApplyEdit(Value),
    /// A reader of a document.
    Look(lsp::Uri, Extent, Reader),
    /// A reader of a document that was changed since.
    Overtaken(lsp::Uri, Reader),
    /// A reader of the files around a document, or of all files.
    Survey(Option<lsp::Uri>, Surveyor),
    /// A reader of a settings file.
    LookAtSettings(lsp::Uri, SettingsReader),
    /// A closed file was read for a reader.
    Loaded(Box<Loaded>),
    /// A test requests a panic.
    #[cfg(debug_assertions)]
    Panic(PanicAt),
    /// The end of the client's messages.
    End,
}

/// Where a test requests a panic.
#[cfg(debug_assertions)]
#[derive(serde::Deserialize)]
pub(in crate::server) struct PanicAt {
    pub(in crate::server) uri: lsp::Uri,
    pub(in crate::server) place: String,
}

impl Event {
    /// The document whose text is returned.
    pub(super) fn document(&self) -> Option<&lsp::Uri> {
        match self {
            Self::Open(item) => Some(&item.uri),
            Self::Change(params) => Some(&params.text_document.uri),
            #[cfg(debug_assertions)]
            Self::Panic(at) => Some(&at.uri),
            _ => None,
        }
    }
}
