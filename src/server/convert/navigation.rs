//! `textDocument/definition`, `typeDefinition`, `references` and `documentHighlight`.

use tower_lsp::ls_types as lsp;

use crate::{
    ide::{self, FunctionLink, Link},
    server::{client::Client, document::Snapshot, paths::uri_of},
};

/// A link from a name to another place, in the words of the protocol.
struct Target {
    origin: lsp::Range,
    uri: lsp::Uri,
    range: lsp::Range,
}

/// Where the name at a position is defined.
pub(in crate::server) fn definition(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::GotoDefinitionParams,
) -> Option<lsp::GotoDefinitionResponse> {
    let place = &params.text_document_position_params;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let uri = &place.text_document.uri;
    let found = ide::definitions(&snapshot.document, offset);
    let mut targets: Vec<_> = found
        .iter()
        .map(|it| own_target(client, snapshot, uri, it))
        .collect();
    for link in ide::functions_at(&snapshot.document, offset) {
        targets.extend(function_targets(client, snapshot, uri, &link));
    }
    response(targets, client.definition_links)
}

/// Where the type of the name at a position is written.
pub(in crate::server) fn type_definition(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::GotoDefinitionParams,
) -> Option<lsp::GotoDefinitionResponse> {
    let place = &params.text_document_position_params;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let uri = &place.text_document.uri;
    let found = ide::type_definitions(&snapshot.document, offset);
    let targets = found.iter().map(|it| own_target(client, snapshot, uri, it));
    response(targets.collect(), client.type_definition_links)
}

fn own_target(client: &Client, snapshot: &Snapshot, uri: &lsp::Uri, link: &Link) -> Target {
    let range = |range| client.encoding.range(snapshot.text(), range);
    Target {
        origin: range(link.origin),
        uri: uri.clone(),
        range: range(link.target),
    }
}

/// The places of a function in the same document, or else in the file that defines its module.
fn function_targets(
    client: &Client,
    snapshot: &Snapshot,
    uri: &lsp::Uri,
    link: &FunctionLink,
) -> Vec<Target> {
    let document = &snapshot.document;
    let origin = client.encoding.range(snapshot.text(), link.origin);
    let own = document.host();
    let own = own.function_places(document.text(), &link.function);
    let (uri, text, places) = if own.is_empty() {
        let index = snapshot.index.as_ref();
        let found = index.and_then(|it| snapshot.files.function(it, &link.function));
        let Some(found) = found else {
            return Vec::new();
        };
        let Some(uri) = uri_of(&found.path) else {
            return Vec::new();
        };
        (uri, found.text, found.places)
    } else {
        (uri.clone(), document.text().clone(), own)
    };
    let targets = link.targets(&places).into_iter().map(|range| Target {
        origin,
        uri: uri.clone(),
        range: client.encoding.range(&text, range),
    });
    targets.collect()
}

fn response(targets: Vec<Target>, takes_links: bool) -> Option<lsp::GotoDefinitionResponse> {
    if targets.is_empty() {
        return None;
    }
    let targets = targets.into_iter();
    Some(match takes_links {
        true => {
            let links = targets.map(|it| lsp::LocationLink {
                origin_selection_range: Some(it.origin),
                target_uri: it.uri,
                target_range: it.range,
                target_selection_range: it.range,
            });
            lsp::GotoDefinitionResponse::Link(links.collect())
        }
        false => {
            let locations = targets.map(|it| lsp::Location::new(it.uri, it.range));
            lsp::GotoDefinitionResponse::Array(locations.collect())
        }
    })
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
