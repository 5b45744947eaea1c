//! Readers: what runs on the pool for a request, and how its answer comes back.

use std::sync::Arc;

use serde::Serialize;
use tokio::sync::oneshot;
use tower_lsp::{
    jsonrpc::{Error, ErrorCode, Result},
    ls_types as lsp,
};

use super::Handlers;
use crate::server::{
    client::Client,
    convert,
    document::{Files, Snapshot},
    main_loop::{Event, Extent, Reader, Surveyor},
    results,
    settings_files::SettingsFile,
};
use signature_ls_analysis::ide::Refusal;
use signature_ls_source::cancel;

impl Handlers {
    /// Calls `answer` with a snapshot of the document after all earlier messages.
    ///
    /// The answer is null if the document is not supported, and an error if it changes meanwhile.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        uri: lsp::Uri,
        answer: impl FnOnce(&Client, &Snapshot) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>> {
        self.look(uri, Extent::Document, |client, snapshot| {
            unless_stale(snapshot, || answer(client, snapshot))
        })
        .await
    }

    /// Like [`Self::read`], but renders the result on the reader's thread. The result bypasses the service.
    pub(super) async fn read_rendered<T, R: Serialize>(
        &self,
        uri: lsp::Uri,
        answer: impl FnOnce(&Client, &Snapshot) -> Option<R> + Send + 'static,
    ) -> Result<Option<T>> {
        let result = self.read(uri, |client, snapshot| rendered(answer(client, snapshot)));
        Ok(left(result.await?))
    }

    /// Like `read`, but the answer is valid even if the document changes meanwhile: editors filter completions by what
    /// is typed.
    pub(super) async fn read_early<T: Send + 'static>(
        &self,
        uri: lsp::Uri,
        answer: impl FnOnce(&Client, &Snapshot) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>> {
        self.look(uri, Extent::Document, |client, snapshot| {
            Ok(answer(client, snapshot))
        })
        .await
    }

    /// Like `read`, for requests that may depend on other files, which are only read if the request `reaches` them;
    /// the last argument of `answer` tells whether they are known.
    pub(super) async fn read_far<T: Send + 'static>(
        &self,
        uri: lsp::Uri,
        reaches: impl FnOnce(&Client, &Snapshot) -> bool + Send + 'static,
        answer: impl Fn(&Client, &Snapshot, bool) -> Option<T> + Send + Sync + 'static,
    ) -> Result<Option<T>> {
        let answer = Arc::new(answer);
        let near = Arc::clone(&answer);
        let found = self.read(uri.clone(), move |client, snapshot| {
            Some(match reaches(client, snapshot) {
                true => Err(snapshot.version),
                false => Ok(near(client, snapshot, false)),
            })
        });
        let version = match found.await? {
            None => return Ok(None),
            Some(Ok(answer)) => return Ok(answer),
            Some(Err(version)) => version,
        };
        self.look(uri, Extent::Surroundings, move |client, snapshot| {
            if snapshot.version != version {
                return Err(Error::new(ErrorCode::ContentModified));
            }
            unless_stale(snapshot, || answer(client, snapshot, true))
        })
        .await
    }

    /// The edit of a rename as `shown`, over other files where it reaches them.
    pub(super) async fn renamed<T: Send + 'static>(
        &self,
        params: lsp::RenameParams,
        shown: fn(lsp::WorkspaceEdit) -> Option<T>,
    ) -> Result<Option<T>> {
        let lsp::TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position.clone();
        let answer = self.read_far(
            text_document.uri,
            move |client, snapshot| convert::is_shared_by_rename(client, snapshot, position),
            move |client, snapshot, is_wide| {
                let edit = convert::rename(client, snapshot, &params, is_wide)?;
                edit.map(shown).transpose()
            },
        );
        unless_refused(answer.await?)
    }

    pub(super) async fn look<T: Send + 'static>(
        &self,
        uri: lsp::Uri,
        extent: Extent,
        answer: impl FnOnce(&Client, &Snapshot) -> Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>> {
        let (sender, receiver) = oneshot::channel();
        let reader = move |found: Option<(Arc<Client>, Snapshot)>| {
            let is_cancelled = sender.is_closed();
            if is_cancelled {
                return;
            }
            answer_to(sender, || match found {
                None => Ok(None),
                Some((client, snapshot)) => answer(&client, &snapshot),
            });
        };
        let client = Arc::new(());
        let reader = Reader {
            read: Box::new(reader),
            asked: Arc::downgrade(&client),
        };
        self.send(Event::Look(uri, extent, reader));
        // A reader that panicked sends nothing.
        receiver
            .await
            .unwrap_or_else(|_| Err(Error::internal_error()))
    }

    /// Calls `answer` with the files around a document, or with all files.
    pub(super) async fn survey<T: Send + 'static>(
        &self,
        around: Option<lsp::Uri>,
        answer: impl FnOnce(&Client, &Files) -> T + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let surveyor = move |client: &Client, files: &Files| {
            if !sender.is_closed() {
                answer_to(sender, || answer(client, files));
            }
        };
        let client = Arc::new(());
        let surveyor = Surveyor {
            read: Box::new(surveyor),
            asked: Arc::downgrade(&client),
        };
        self.send(Event::Survey(around, surveyor));
        receiver.await.map_err(|_| Error::internal_error())
    }

    /// Calls `answer` with an open settings file; the answer is null if it is not open.
    pub(super) async fn read_settings<T: Send + 'static>(
        &self,
        uri: lsp::Uri,
        answer: impl FnOnce(&Client, &SettingsFile) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>> {
        let (sender, receiver) = oneshot::channel();
        let reader = move |found: Option<(Arc<Client>, SettingsFile)>| {
            let answer = found.and_then(|(client, file)| answer(&client, &file));
            let _ = sender.send(answer);
        };
        self.send(Event::LookAtSettings(uri, Box::new(reader)));
        receiver.await.map_err(|_| Error::internal_error())
    }
}

/// A result that may be long, rendered on the reader's thread. The service would render it where all answers pass.
pub(super) fn rendered(result: Option<impl Serialize>) -> Option<String> {
    results::render(&result?)
}

/// Puts a rendered result into the slot; the service gets null.
pub(super) fn left<T>(result: Option<String>) -> Option<T> {
    if let Some(result) = result {
        results::leave(result);
    }
    None
}

/// The answer, or an error that editors show, with the reason why there is none.
pub(super) fn unless_refused<T>(
    answer: Option<std::result::Result<T, Refusal>>,
) -> Result<Option<T>> {
    /// `RequestFailed` of the protocol.
    const REQUEST_FAILED: i64 = -32803;
    answer.transpose().map_err(|Refusal(reason)| Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: reason.into(),
        data: None,
    })
}

fn unless_stale<T>(snapshot: &Snapshot, answer: impl FnOnce() -> T) -> Result<T> {
    let stale = || Error::new(ErrorCode::ContentModified);
    if snapshot.is_stale() {
        return Err(stale());
    }
    let answer = cancel::run_cancellable(snapshot.staleness(), answer).ok_or_else(stale)?;
    if snapshot.is_stale() {
        return Err(stale());
    }
    Ok(answer)
}

/// Sends the result of `answer`, which ends early if it is canceled.
fn answer_to<T: Send + 'static>(sender: oneshot::Sender<T>, answer: impl FnOnce() -> T) {
    let sender = Arc::new(sender);
    let asked = Arc::clone(&sender);
    let answer = cancel::run_cancellable(move || asked.is_closed(), answer);
    if let Some((answer, sender)) = answer.zip(Arc::into_inner(sender)) {
        let _ = sender.send(answer);
    }
}
