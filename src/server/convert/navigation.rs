//! `textDocument/definition`, `typeDefinition`, `references` and `documentHighlight`.

use tower_lsp::ls_types as lsp;

use crate::{
    ide::{self, Link},
    server::{capabilities::Client, document::Snapshot},
    text::TextRange,
};

/// Where the name at a position is defined.
pub(in crate::server) fn definition(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::GotoDefinitionParams,
) -> Option<lsp::GotoDefinitionResponse> {
    let place = &params.text_document_position_params;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let found = ide::definitions(&snapshot.document, offset);
    links(client, snapshot, place, found, client.definition_links)
}

/// Where the type of the name at a position is written.
pub(in crate::server) fn type_definition(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::GotoDefinitionParams,
) -> Option<lsp::GotoDefinitionResponse> {
    let place = &params.text_document_position_params;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let found = ide::type_definitions(&snapshot.document, offset);
    links(client, snapshot, place, found, client.type_definition_links)
}

fn links(
    client: &Client,
    snapshot: &Snapshot,
    place: &lsp::TextDocumentPositionParams,
    found: Vec<Link>,
    takes_links: bool,
) -> Option<lsp::GotoDefinitionResponse> {
    if found.is_empty() {
        return None;
    }
    let range = |range: TextRange| client.encoding.range(snapshot.text(), range);
    let uri = &place.text_document.uri;
    if takes_links {
        let links = found.iter().map(|it| lsp::LocationLink {
            origin_selection_range: Some(range(it.origin)),
            target_uri: uri.clone(),
            target_range: range(it.target),
            target_selection_range: range(it.target),
        });
        return Some(lsp::GotoDefinitionResponse::Link(links.collect()));
    }
    let locations = found
        .iter()
        .map(|it| lsp::Location::new(uri.clone(), range(it.target)));
    Some(lsp::GotoDefinitionResponse::Array(locations.collect()))
}

/// The places that name the same as the name at a position.
pub(in crate::server) fn references(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::ReferenceParams,
) -> Option<Vec<lsp::Location>> {
    let place = &params.text_document_position;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let includes_definitions = params.context.include_declaration;
    let found = ide::references(&snapshot.document, offset, includes_definitions);
    let locations = found.into_iter().map(|range| {
        let range = client.encoding.range(snapshot.text(), range);
        lsp::Location::new(place.text_document.uri.clone(), range)
    });
    let locations: Vec<_> = locations.collect();
    (!locations.is_empty()).then_some(locations)
}

/// The same in the document, to be highlighted.
pub(in crate::server) fn document_highlight(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::DocumentHighlightParams,
) -> Option<Vec<lsp::DocumentHighlight>> {
    let place = &params.text_document_position_params;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let found = ide::highlights(&snapshot.document, offset);
    let highlights = found.into_iter().map(|it| lsp::DocumentHighlight {
        range: client.encoding.range(snapshot.text(), it.range),
        kind: Some(match it.is_definition {
            true => lsp::DocumentHighlightKind::WRITE,
            false => lsp::DocumentHighlightKind::READ,
        }),
    });
    let highlights: Vec<_> = highlights.collect();
    (!highlights.is_empty()).then_some(highlights)
}
