//! The capabilities of the client.

use tower_lsp::ls_types as lsp;

use super::position::Encoding;

/// The capabilities that the rest of the server uses.
#[derive(Debug, Clone, Default)]
pub(super) struct Client {
    /// The position encoding.
    pub(super) encoding: Encoding,
    /// Whether hovers can be Markdown.
    pub(super) hover_markdown: bool,
    /// Whether an edit can carry its version.
    pub(super) versioned_edits: bool,
    /// Whether it supports `workspace/configuration`.
    pub(super) configuration: bool,
    /// Whether it registers for changes of settings dynamically.
    pub(super) registers_configuration: bool,
    /// Whether it watches files for the server.
    pub(super) registers_watched_files: bool,
    /// Whether it registers formatting dynamically, for some documents only.
    pub(super) registers_formatting: bool,
    /// Whether definitions can be links with the range of the name.
    pub(super) definition_links: bool,
    /// The same for type definitions.
    pub(super) type_definition_links: bool,
    /// Whether it supports `prepareRename`.
    pub(super) prepares_rename: bool,
    /// Whether it supports action literals, not only commands.
    pub(super) action_literals: bool,
    /// Whether the edit of an action can be resolved lazily.
    pub(super) resolves_actions: bool,
    /// Whether an action can be marked as preferred.
    pub(super) prefers_actions: bool,
    /// Whether an action can be disabled with a reason.
    pub(super) disables_actions: bool,
    /// Whether a document link can have a tooltip.
    pub(super) link_tooltips: bool,
    /// Whether parameters of a signature can be given by offsets in its label.
    pub(super) label_offsets: bool,
    /// Whether each signature can have an active parameter.
    pub(super) active_parameter: bool,
    /// Whether completions can be snippets.
    pub(super) snippets: bool,
    /// Whether completions can have an insert and a replace range.
    pub(super) insert_replace: bool,
    /// Whether the documentation of completions can be Markdown.
    pub(super) completion_markdown: bool,
    /// Whether the documentation of completions can be resolved lazily.
    pub(super) resolves_documentation: bool,
    /// Whether outlines can be nested.
    pub(super) hierarchical_symbols: bool,
    /// The maximum number of folds per document.
    pub(super) most_folds: usize,
    /// Whether it pulls diagnostics and does not accept published ones.
    pub(super) only_pulls: bool,
    /// Whether it supports the refresh of diagnostics.
    pub(super) refreshes_diagnostics: bool,
    /// The same for inlay hints.
    pub(super) refreshes_inlay_hints: bool,
    /// The same for code lenses.
    pub(super) refreshes_code_lenses: bool,
    /// The same for semantic tokens.
    pub(super) refreshes_tokens: bool,
    /// Whether it shows the progress of long work.
    pub(super) shows_progress: bool,
    /// The parts of a diagnostic that it supports.
    pub(super) diagnostics: DiagnosticParts,
}

/// The optional parts of a diagnostic.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiagnosticParts {
    /// Related locations.
    pub(super) related: bool,
    /// The tag `Unnecessary`.
    pub(super) unnecessary: bool,
    /// A link to the page of the rule.
    pub(super) link: bool,
    /// The fixes, as data.
    pub(super) data: bool,
}

impl Default for DiagnosticParts {
    /// A client without diagnostic capabilities ignores parts that it does not know.
    fn default() -> Self {
        Self {
            related: true,
            unnecessary: true,
            link: true,
            data: true,
        }
    }
}

impl DiagnosticParts {
    fn new(text: &lsp::TextDocumentClientCapabilities) -> Self {
        let Some(published) = &text.publish_diagnostics else {
            return Self::default();
        };
        let tags = published.tag_support.as_ref();
        Self {
            related: published.related_information.unwrap_or_default(),
            unnecessary: tags
                .is_some_and(|it| it.value_set.contains(&lsp::DiagnosticTag::UNNECESSARY)),
            link: published.code_description_support.unwrap_or_default(),
            data: published.data_support.unwrap_or_default(),
        }
    }
}

impl Client {
    /// Reads the capabilities of the client.
    pub(super) fn new(capabilities: &lsp::ClientCapabilities) -> Self {
        let text = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let encodings = capabilities
            .general
            .as_ref()
            .and_then(|general| general.position_encodings.as_deref());
        let hover_formats = text
            .and_then(|text| text.hover.as_ref())
            .and_then(|hover| hover.content_format.as_deref());
        let completion = text
            .and_then(|text| text.completion.as_ref())
            .and_then(|completion| completion.completion_item.as_ref());
        let action = text.and_then(|text| text.code_action.as_ref());
        let signature = text
            .and_then(|text| text.signature_help.as_ref())
            .and_then(|help| help.signature_information.as_ref());
        Self {
            action_literals: action.is_some_and(|it| it.code_action_literal_support.is_some()),
            resolves_actions: action.is_some_and(|it| {
                let resolved = it.resolve_support.as_ref();
                it.data_support == Some(true)
                    && resolved.is_some_and(|it| it.properties.iter().any(|name| name == "edit"))
            }),
            prefers_actions: action
                .and_then(|it| it.is_preferred_support)
                .unwrap_or_default(),
            disables_actions: action
                .and_then(|it| it.disabled_support)
                .unwrap_or_default()
                && action.is_some_and(|it| it.code_action_literal_support.is_some()),
            link_tooltips: text
                .and_then(|text| text.document_link.as_ref()?.tooltip_support)
                .unwrap_or_default(),
            label_offsets: signature
                .and_then(|it| it.parameter_information.as_ref()?.label_offset_support)
                .unwrap_or_default(),
            active_parameter: signature
                .and_then(|it| it.active_parameter_support)
                .unwrap_or_default(),
            snippets: completion
                .and_then(|it| it.snippet_support)
                .unwrap_or_default(),
            insert_replace: completion
                .and_then(|it| it.insert_replace_support)
                .unwrap_or_default(),
            completion_markdown: completion
                .and_then(|it| it.documentation_format.as_deref())
                .is_some_and(|formats| formats.contains(&lsp::MarkupKind::Markdown)),
            resolves_documentation: completion
                .and_then(|it| it.resolve_support.as_ref())
                .is_none_or(|it| it.properties.iter().any(|name| name == "documentation")),
            encoding: Encoding::negotiate(encodings.unwrap_or_default()),
            hover_markdown: hover_formats
                .is_none_or(|formats| formats.contains(&lsp::MarkupKind::Markdown)),
            versioned_edits: workspace
                .and_then(|workspace| workspace.workspace_edit.as_ref())
                .and_then(|edit| edit.document_changes)
                .unwrap_or_default(),
            configuration: workspace
                .and_then(|workspace| workspace.configuration)
                .unwrap_or_default(),
            registers_configuration: workspace
                .and_then(|workspace| workspace.did_change_configuration)
                .and_then(|configuration| configuration.dynamic_registration)
                .unwrap_or_default(),
            registers_watched_files: workspace
                .and_then(|workspace| workspace.did_change_watched_files)
                .and_then(|files| files.dynamic_registration)
                .unwrap_or_default(),
            registers_formatting: text
                .and_then(|text| text.formatting)
                .and_then(|formatting| formatting.dynamic_registration)
                .unwrap_or_default(),
            definition_links: text
                .and_then(|text| text.definition?.link_support)
                .unwrap_or_default(),
            type_definition_links: text
                .and_then(|text| text.type_definition?.link_support)
                .unwrap_or_default(),
            prepares_rename: text
                .and_then(|text| text.rename.as_ref()?.prepare_support)
                .unwrap_or_default(),
            hierarchical_symbols: text
                .and_then(|text| text.document_symbol.as_ref())
                .and_then(|symbol| symbol.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            most_folds: text
                .and_then(|text| text.folding_range.as_ref()?.range_limit)
                .map_or(usize::MAX, |limit| limit as usize),
            only_pulls: text.is_some_and(|text| {
                text.diagnostic.is_some() && text.publish_diagnostics.is_none()
            }),
            refreshes_diagnostics: workspace
                .and_then(|workspace| workspace.diagnostics.as_ref())
                .and_then(|diagnostics| diagnostics.refresh_support)
                .unwrap_or_default(),
            refreshes_inlay_hints: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support)
                .unwrap_or_default(),
            refreshes_code_lenses: workspace
                .and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support)
                .unwrap_or_default(),
            refreshes_tokens: workspace
                .and_then(|workspace| workspace.semantic_tokens.as_ref()?.refresh_support)
                .unwrap_or_default(),
            shows_progress: capabilities
                .window
                .as_ref()
                .and_then(|window| window.work_done_progress)
                .unwrap_or_default(),
            diagnostics: text.map(DiagnosticParts::new).unwrap_or_default(),
        }
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
    fn a_client_that_says_nothing_gets_the_defaults_of_the_protocol() {
        let client = client(json!({}));
        assert_eq!(client.encoding, Encoding::Utf16);
        assert!(!client.versioned_edits && !client.configuration);
    }

    #[test]
    fn hovers_are_plain_for_clients_without_markdown() {
        for (formats, markdown) in [
            (json!({}), true),
            (json!({"contentFormat": ["plaintext"]}), false),
            (json!({"contentFormat": ["plaintext", "markdown"]}), true),
        ] {
            let client = client(json!({"textDocument": {"hover": formats}}));
            assert_eq!(client.hover_markdown, markdown, "{formats}");
        }
    }
}
