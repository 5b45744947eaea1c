//! The capabilities of the server.

use tower_lsp::ls_types as lsp;

use super::{client::Client, convert};

/// The capabilities that the server announces to this client.
///
/// Diagnostics are published after every change. Editors that also pull them would show each twice, so pulling is only
/// offered to clients that do not accept published ones.
pub(super) fn server_capabilities(client: &Client) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(
            lsp::TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
                save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
                ..Default::default()
            },
        )),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        // Kinds are for clients that support action literals.
        code_action_provider: Some(match client.action_literals {
            true => lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
                code_action_kinds: Some(convert::code_action_kinds()),
                resolve_provider: client.resolves_actions.then_some(true),
                ..Default::default()
            }),
            false => lsp::CodeActionProviderCapability::Simple(true),
        }),
        definition_provider: Some(lsp::OneOf::Left(true)),
        type_definition_provider: Some(lsp::TypeDefinitionProviderCapability::Simple(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        workspace_symbol_provider: Some(lsp::OneOf::Left(true)),
        call_hierarchy_provider: Some(lsp::CallHierarchyServerCapability::Simple(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        linked_editing_range_provider: Some(lsp::LinkedEditingRangeServerCapabilities::Simple(
            true,
        )),
        rename_provider: Some(match client.prepares_rename {
            true => lsp::OneOf::Right(lsp::RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: Default::default(),
            }),
            false => lsp::OneOf::Left(true),
        }),
        signature_help_provider: Some(convert::signature_help_options()),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        code_lens_provider: Some(lsp::CodeLensOptions {
            resolve_provider: Some(true),
        }),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: convert::commands(),
            ..Default::default()
        }),
        completion_provider: Some(convert::completion_options()),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        document_link_provider: Some(lsp::DocumentLinkOptions {
            resolve_provider: None,
            work_done_progress_options: Default::default(),
        }),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(lsp::SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(convert::semantic_tokens_options().into()),
        // Clients with dynamic registration get it for catalogs only, once they are initialized.
        document_formatting_provider: (!client.registers_formatting)
            .then_some(lsp::OneOf::Left(true)),
        document_range_formatting_provider: (!client.registers_formatting)
            .then_some(lsp::OneOf::Left(true)),
        workspace: Some(lsp::WorkspaceServerCapabilities {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(lsp::OneOf::Left(true)),
            }),
            ..Default::default()
        }),
        diagnostic_provider: client.only_pulls.then(|| {
            lsp::DiagnosticServerCapabilities::Options(lsp::DiagnosticOptions {
                identifier: Some(env!("CARGO_PKG_NAME").to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..Default::default()
            })
        }),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn client(capabilities: Value) -> Client {
        Client::new(&serde_json::from_value(capabilities).expect("capabilities"))
    }

    #[test]
    fn a_client_that_says_nothing_is_not_asked_to_pull() {
        let client = client(json!({}));
        assert!(server_capabilities(&client).diagnostic_provider.is_none());
    }

    #[test]
    fn asking_for_diagnostics_is_offered_where_nothing_is_shown_twice() {
        for (text, offered) in [
            (json!({"diagnostic": {}}), true),
            (json!({"diagnostic": {}, "publishDiagnostics": {}}), false),
            (json!({"publishDiagnostics": {}}), false),
        ] {
            let client = client(json!({"textDocument": text}));
            let provider = server_capabilities(&client).diagnostic_provider;
            assert_eq!(provider.is_some(), offered, "{text}");
        }
    }
}
