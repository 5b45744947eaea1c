//! The methods of the protocol.
//!
//! A handler first turns its message into an [`Event`] and sends it without waiting, so that events keep the order of
//! the messages. Requests then wait for their answer.

mod readers;
#[cfg(test)]
mod tests;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
    mpsc::Sender,
};

use serde_json::Value;
use tower_lsp::{
    LanguageServer,
    jsonrpc::{Error, ErrorCode, Result},
    ls_types as lsp,
};

use self::readers::{left, rendered, unless_refused};
use super::{
    capabilities::server_capabilities,
    client::Client,
    client_process,
    convert::{self, Command, Results},
    main_loop::{Event, Extent},
    outbox::Outbox,
    paths::path_of,
    settings_files::{SettingsFile, is_settings_file},
};
use signature_ls_analysis::ide::Refusal;

/// The protocol service.
pub(super) struct Handlers {
    pub(super) events: Sender<Event>,
    /// The capabilities of the client.
    pub(super) client: OnceLock<Client>,
    /// Whether the client requested a shutdown.
    pub(super) is_shut_down: Arc<AtomicBool>,
    /// The outbox, for partial results.
    pub(super) outbox: Outbox,
    /// The diagnostics of closed files.
    pub(super) results: Results,
}

impl Handlers {
    fn send(&self, event: Event) {
        // The loop ends after the last handler, so the receiver still exists.
        let _ = self.events.send(event);
    }

    /// Cancels the progress that the user stopped.
    pub(super) async fn cancel_progress(&self, params: lsp::WorkDoneProgressCancelParams) {
        if let lsp::NumberOrString::String(token) = params.token {
            self.send(Event::CancelProgress(token));
        }
    }

    /// Answers the custom request `signature-ls/edition`: the name of the document's edition.
    pub(super) async fn edition(
        &self,
        document: lsp::TextDocumentIdentifier,
    ) -> Result<Option<String>> {
        self.read(document.uri, |_, snapshot| {
            Some(snapshot.document.edition().name().to_owned())
        })
        .await
    }
}

impl Handlers {
    /// Returns the text of a document, for tests.
    #[cfg(debug_assertions)]
    pub(super) async fn text(
        &self,
        document: lsp::TextDocumentIdentifier,
    ) -> Result<Option<String>> {
        self.read(document.uri, |_, snapshot| {
            Some(snapshot.text().rope().to_string())
        })
        .await
    }

    /// Panics where a test asks for it.
    #[cfg(debug_assertions)]
    pub(super) async fn panic(&self, at: super::main_loop::PanicAt) -> Result<Option<Value>> {
        match at.place.as_str() {
            "handler" => panic!("as the test wants"),
            "reader" => self.read(at.uri, |_, _| panic!("as the test wants")).await,
            _ => {
                self.send(Event::Panic(at));
                Ok(None)
            }
        }
    }

    /// Answers the custom request `signature-ls/preview`: what a model receives for the agent at a position.
    pub(super) async fn preview(
        &self,
        params: convert::PreviewParams,
    ) -> Result<Option<convert::Preview>> {
        let uri = params.text_document.uri.clone();
        self.read(uri, move |client, snapshot| {
            convert::preview(client, snapshot, &params)
        })
        .await
    }
}

/// The open folder of a client that only supports one.
fn root_folder(uri: Option<lsp::Uri>) -> Vec<lsp::WorkspaceFolder> {
    let name = String::new();
    let folder = uri.map(|uri| lsp::WorkspaceFolder { uri, name });
    folder.into_iter().collect()
}

/// The requests about one document that an adapter in `convert` answers: one line each. The adapter has the name of
/// the method, unless another is given. A second one answers in settings files.
macro_rules! document_requests {
    ($($method:ident($params:ident: $($document:ident).+) -> $answer:ty $(= $adapter:ident)? $(| $settings:ident)?;)*) => {$(
        async fn $method(&self, params: lsp::$params) -> Result<Option<$answer>> {
            let uri = params.$($document).+.uri.clone();
            $(if is_settings_file(&uri) {
                return self
                    .read_settings(uri, move |client, file| convert::$settings(client, file, &params))
                    .await;
            })?
            self.read_rendered(uri, move |client, snapshot| {
                document_requests!(@adapter $method $($adapter)?)(client, snapshot, &params)
            })
            .await
        }
    )*};
    (@adapter $method:ident) => { convert::$method };
    (@adapter $method:ident $adapter:ident) => { convert::$adapter };
}

impl LanguageServer for Handlers {
    #[expect(deprecated, reason = "older clients have one root instead of folders")]
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        if let Some(id) = params.process_id {
            client_process::end_with(id);
        }
        if let Some(info) = &params.client_info {
            tracing::info!(name = info.name, version = info.version, "client");
        }
        let client = Client::new(&params.capabilities);
        // A second `initialize` is rejected before.
        let _ = self.client.set(client.clone());
        let capabilities = server_capabilities(&client);
        let options = params.initialization_options.unwrap_or(Value::Null);
        let folders = params.workspace_folders;
        let folders = folders.unwrap_or_else(|| root_folder(params.root_uri));
        self.send(Event::Initialize(Box::new(client), options, folders));
        Ok(lsp::InitializeResult {
            capabilities,
            server_info: Some(lsp::ServerInfo {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..Default::default()
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        self.send(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.is_shut_down.store(true, Ordering::Release);
        Ok(())
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        self.send(Event::Open(params.text_document));
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        self.send(Event::Change(params));
    }

    async fn did_save(&self, _: lsp::DidSaveTextDocumentParams) {
        self.send(Event::Save);
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        self.send(Event::Close(params.text_document.uri));
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        self.send(Event::Configure(params.settings));
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        self.send(Event::ChangeFolders(params.event));
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        let paths = params.changes.iter().filter_map(|it| path_of(&it.uri));
        self.send(Event::FilesChanged(paths.collect()));
    }

    document_requests! {
        code_action(CodeActionParams: text_document) -> lsp::CodeActionResponse = code_actions | settings_actions;
        code_lens(CodeLensParams: text_document) -> Vec<lsp::CodeLens>;
        inlay_hint(InlayHintParams: text_document) -> Vec<lsp::InlayHint>;
        range_formatting(DocumentRangeFormattingParams: text_document) -> Vec<lsp::TextEdit>;
        document_highlight(DocumentHighlightParams: text_document_position_params.text_document) -> Vec<lsp::DocumentHighlight>;
        document_link(DocumentLinkParams: text_document) -> Vec<lsp::DocumentLink>;
        document_symbol(DocumentSymbolParams: text_document) -> lsp::DocumentSymbolResponse;
        folding_range(FoldingRangeParams: text_document) -> Vec<lsp::FoldingRange>;
        formatting(DocumentFormattingParams: text_document) -> Vec<lsp::TextEdit>;
        goto_type_definition(GotoDefinitionParams: text_document_position_params.text_document) -> lsp::GotoDefinitionResponse = type_definition;
        linked_editing_range(LinkedEditingRangeParams: text_document_position_params.text_document) -> lsp::LinkedEditingRanges;
        selection_range(SelectionRangeParams: text_document) -> Vec<lsp::SelectionRange>;
        semantic_tokens_full(SemanticTokensParams: text_document) -> lsp::SemanticTokensResult;
        semantic_tokens_full_delta(SemanticTokensDeltaParams: text_document) -> lsp::SemanticTokensFullDeltaResult;
        semantic_tokens_range(SemanticTokensRangeParams: text_document) -> lsp::SemanticTokensRangeResult;
    }

    async fn completion(
        &self,
        params: lsp::CompletionParams,
    ) -> Result<Option<lsp::CompletionResponse>> {
        let uri = params.text_document_position.text_document.uri.clone();
        if is_settings_file(&uri) {
            let answer = move |client: &Client, file: &SettingsFile| {
                convert::settings_completion(client, file, &params)
            };
            return self.read_settings(uri, answer).await;
        }
        let position = params.text_document_position.position;
        let near = params.clone();
        let found = self.read_early(uri.clone(), move |client, snapshot| {
            Some(
                match convert::completion_extent(client, snapshot, position) {
                    Extent::Document => Ok(convert::completion(client, snapshot, &near, false)),
                    more => Err((more, snapshot.version)),
                },
            )
        });
        let (extent, version) = match found.await? {
            None => return Ok(None),
            Some(Ok(answer)) => return Ok(answer),
            Some(Err(more)) => more,
        };
        self.look(uri, extent, move |client, snapshot| {
            if snapshot.version != version {
                // The position may be that of something else.
                return Err(Error::new(ErrorCode::ContentModified));
            }
            let is_wide = extent == Extent::Surroundings;
            Ok(convert::completion(client, snapshot, &params, is_wide))
        })
        .await
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        let lsp::TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params.clone();
        let uri = text_document.uri;
        if is_settings_file(&uri) {
            let answer = move |client: &Client, file: &SettingsFile| {
                convert::settings_hover(client, file, &params)
            };
            return self.read_settings(uri, answer).await;
        }
        self.read_far(
            uri,
            move |client, snapshot| convert::hover_is_elsewhere(client, snapshot, position),
            move |client, snapshot, _| convert::hover(client, snapshot, &params),
        )
        .await
    }

    async fn signature_help(
        &self,
        params: lsp::SignatureHelpParams,
    ) -> Result<Option<lsp::SignatureHelp>> {
        let lsp::TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params.clone();
        self.read_far(
            text_document.uri,
            move |client, snapshot| convert::may_call_others(client, snapshot, position),
            move |client, snapshot, is_wide| {
                convert::signature_help(client, snapshot, &params, is_wide)
            },
        )
        .await
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        let lsp::TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params.clone();
        self.read_far(
            text_document.uri,
            move |client, snapshot| convert::definition_is_elsewhere(client, snapshot, position),
            move |client, snapshot, _| convert::definition(client, snapshot, &params),
        )
        .await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        let lsp::TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position.clone();
        let result = self.read_far(
            text_document.uri,
            move |client, snapshot| convert::is_shared(client, snapshot, position),
            move |client, snapshot, _| rendered(convert::references(client, snapshot, &params)),
        );
        Ok(left(result.await?))
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        let (uri, position) = (params.text_document.uri.clone(), params.position);
        let answer = self.read_far(
            uri,
            move |client, snapshot| convert::is_shared_by_rename(client, snapshot, position),
            move |client, snapshot, is_wide| {
                convert::prepare_rename(client, snapshot, &params, is_wide)
            },
        );
        unless_refused(answer.await?)
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        let edit = self.renamed(params, |it| rendered(Some(it)));
        Ok(left(edit.await?))
    }

    async fn prepare_call_hierarchy(
        &self,
        params: lsp::CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyItem>>> {
        let document = params.text_document_position_params.text_document.clone();
        self.read_far(
            document.uri,
            |_, _| true,
            move |client, snapshot, _| convert::prepare_call_hierarchy(client, snapshot, &params),
        )
        .await
    }

    async fn incoming_calls(
        &self,
        params: lsp::CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyIncomingCall>>> {
        let uri = params.item.uri.clone();
        let result = self.survey(Some(uri), move |client, files| {
            rendered(convert::incoming_calls(client, files, &params))
        });
        Ok(left(result.await?))
    }

    async fn outgoing_calls(
        &self,
        params: lsp::CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<lsp::CallHierarchyOutgoingCall>>> {
        let uri = params.item.uri.clone();
        let result = self.survey(Some(uri), move |client, files| {
            rendered(convert::outgoing_calls(client, files, &params))
        });
        Ok(left(result.await?))
    }

    async fn symbol(
        &self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
        let result = self.survey(None, move |client, files| {
            rendered(convert::workspace_symbol(client, files, &params))
        });
        Ok(left(result.await?))
    }

    async fn workspace_diagnostic(
        &self,
        params: lsp::WorkspaceDiagnosticParams,
    ) -> Result<lsp::WorkspaceDiagnosticReportResult> {
        let (results, outbox) = (self.results.clone(), self.outbox.clone());
        let report = self.survey(None, move |client, files| {
            let report = convert::workspace_diagnostic(client, files, &results, &outbox, params);
            rendered(Some(report))
        });
        let report: Option<lsp::WorkspaceDiagnosticReport> = left(report.await?);
        Ok(report.unwrap_or_default().into())
    }

    async fn code_lens_resolve(&self, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
        let Some(place) = convert::place_of_lens(&lens) else {
            return Ok(lens);
        };
        let (asked, unresolved) = (place.clone(), lens.clone());
        let answer = self.read_far(
            place.text_document.uri.clone(),
            move |client, snapshot| {
                let counted = convert::counted_place(client, snapshot, &asked);
                convert::is_shared(client, snapshot, counted.position)
            },
            move |client, snapshot, _| {
                Some(convert::code_lens_resolve(client, snapshot, &place, &lens))
            },
        );
        Ok(answer.await?.unwrap_or(unresolved))
    }

    async fn code_action_resolve(&self, action: lsp::CodeAction) -> Result<lsp::CodeAction> {
        let Some(uri) = convert::document_of_action(&action) else {
            return Ok(action);
        };
        let unresolved = action.clone();
        if let Some(rename) = convert::rename_of_action(&action) {
            let edit = self.renamed(rename, Some).await?;
            return Ok(lsp::CodeAction { edit, ..unresolved });
        }
        let answer = self.read(uri, move |client, snapshot| {
            Some(convert::code_action_resolve(client, snapshot, action))
        });
        Ok(answer.await?.unwrap_or(unresolved))
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        if params.command == convert::APPLY_EDIT {
            let Some(edit) = params.arguments.into_iter().next() else {
                return Err(Error::invalid_params("the command needs an edit"));
            };
            self.send(Event::ApplyEdit(edit));
            return Ok(None);
        }
        let command = Command::new(&params.command, params.arguments);
        let command = command.map_err(Error::invalid_params)?;
        let uri = command.uri().clone();
        let answer = self.read(uri, move |client, snapshot| {
            Some(command.run(client, snapshot).map_err(Refusal))
        });
        unless_refused(answer.await?)
    }

    async fn completion_resolve(&self, item: lsp::CompletionItem) -> Result<lsp::CompletionItem> {
        let client = self.client.get().cloned().unwrap_or_default();
        Ok(convert::completion_resolve(&client, item))
    }

    async fn diagnostic(
        &self,
        params: lsp::DocumentDiagnosticParams,
    ) -> Result<lsp::DocumentDiagnosticReportResult> {
        let previous = params.previous_result_id;
        let uri = params.text_document.uri;
        let report = match is_settings_file(&uri) {
            true => {
                let answer = self.read_settings(uri, move |client, file| {
                    let report = convert::settings_report(client, file, previous.as_deref());
                    rendered(Some(report))
                });
                answer.await?
            }
            false => {
                let of = uri.clone();
                let answer = self.read(uri, move |client, snapshot| {
                    let previous = previous.as_deref();
                    rendered(Some(convert::diagnostic_report(
                        client, snapshot, &of, previous,
                    )))
                });
                answer.await?
            }
        };
        let nothing = lsp::RelatedFullDocumentDiagnosticReport::default();
        let report: Option<lsp::DocumentDiagnosticReport> = left(report);
        let report = report.unwrap_or_else(|| nothing.into());
        Ok(report.into())
    }
}
