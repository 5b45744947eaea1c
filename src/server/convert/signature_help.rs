//! `textDocument/signatureHelp`.

use tower_lsp::ls_types as lsp;

use super::completion::with_tools;
use crate::server::{client::Client, document::Snapshot};
use signature_ls_analysis::ide;
use signature_ls_source::text::{Text, TextRange};

/// The announced options.
pub(in crate::server) fn signature_help_options() -> lsp::SignatureHelpOptions {
    let strings = |all: &[&str]| Some(all.iter().map(|it| (*it).to_owned()).collect());
    lsp::SignatureHelpOptions {
        trigger_characters: strings(&["(", "{", " "]),
        retrigger_characters: strings(&[":", ","]),
        ..Default::default()
    }
}

/// The signature of the call at a position; also of tools in other files if all of them are known.
pub(in crate::server) fn signature_help(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::SignatureHelpParams,
    is_wide: bool,
) -> Option<lsp::SignatureHelp> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(snapshot.text(), position);
    let help = ide::signature_help(&with_tools(snapshot, is_wide), offset)?;
    let label = Text::from(help.label.as_str());
    let parameters = help
        .parameters
        .iter()
        .map(|range| lsp::ParameterInformation {
            label: parameter_label(client, &label, *range),
            documentation: None,
        });
    let parameters = parameters.collect();
    let active = help.active.and_then(|it| u32::try_from(it).ok());
    let signature = lsp::SignatureInformation {
        label: help.label,
        documentation: help.description.map(lsp::Documentation::String),
        parameters: Some(parameters),
        active_parameter: active.filter(|_| client.active_parameter),
    };
    Some(lsp::SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: active,
    })
}

fn parameter_label(client: &Client, label: &Text, range: TextRange) -> lsp::ParameterLabel {
    if !client.label_offsets {
        return lsp::ParameterLabel::Simple(label.slice(range).into_owned());
    }
    let range = client.encoding.range(label, range);
    lsp::ParameterLabel::LabelOffsets([range.start.character, range.end.character])
}
