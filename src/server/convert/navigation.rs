//! `textDocument/definition`, `typeDefinition`, `references` and `documentHighlight`.

use foldhash::HashSet;
use tower_lsp::ls_types as lsp;

use super::MOST_PLACES;
use crate::{
    server::{client::Client, document::Snapshot, paths::uri_of},
    workspace::FilePlaces,
};
use signature_ls_analysis::ide::{self, FunctionLink, Link, Meaning};
use signature_ls_source::text::TextSize;

/// A link from a name to another place, in protocol form.
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
    let is_key = |it: &&FunctionLink| it.meaning == Meaning::Key;
    let functions = ide::functions_at(&snapshot.document, offset);
    for link in functions.iter().filter(|it| !is_key(it)) {
        targets.extend(function_targets(client, snapshot, uri, link));
    }
    if targets.is_empty() {
        targets = targets_elsewhere(client, snapshot, offset);
    }
    if targets.is_empty() {
        // The signature cannot be told from others in the file of the function.
        for link in functions.iter().filter(is_key) {
            targets.extend(function_targets(client, snapshot, uri, link));
        }
    }
    response(targets, client.definition_links)
}

/// Whether the name at a position is defined in other files, if anywhere.
pub(in crate::server) fn definition_is_elsewhere(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> bool {
    let offset = client.encoding.offset(snapshot.text(), position);
    let document = &snapshot.document;
    let Some((_, shared)) = ide::shared_at(document, offset) else {
        return false;
    };
    let is_of_tool = || shared.iter().any(|it| it.tool().is_some());
    let is_returned = || shared.iter().any(|it| it.returned().is_some());
    ide::definitions(document, offset).is_empty()
        && (is_returned() || is_of_tool() && ide::functions_at(document, offset).is_empty())
}

/// Whether the name at a position may occur in other files.
pub(in crate::server) fn is_shared(
    client: &Client,
    snapshot: &Snapshot,
    position: lsp::Position,
) -> bool {
    let offset = client.encoding.offset(snapshot.text(), position);
    ide::shared_at(&snapshot.document, offset).is_some()
}

/// The definitions in other files.
fn targets_elsewhere(client: &Client, snapshot: &Snapshot, offset: TextSize) -> Vec<Target> {
    let origin = ide::shared_at(&snapshot.document, offset);
    let (Some((origin, _)), Some(here)) = (origin, snapshot.here()) else {
        return Vec::new();
    };
    let origin = client.encoding.range(snapshot.text(), origin);
    let mut targets = Vec::new();
    for found in snapshot.files.view.definitions(here, offset) {
        let Some(uri) = snapshot.files.uri(found.file, &found.path) else {
            continue;
        };
        targets.extend(found.ranges.iter().map(|range| Target {
            origin,
            uri: uri.clone(),
            range: client.encoding.range(&found.text, *range),
        }));
    }
    targets
}

/// Where the type of the name at a position is defined.
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
        let found = index.and_then(|it| snapshot.files.view.function(it, &link.function));
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

/// All occurrences of the name at a position; the first ones if there are too many to look at.
pub(in crate::server) fn references(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::ReferenceParams,
) -> Option<Vec<lsp::Location>> {
    let place = &params.text_document_position;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let includes_definitions = params.context.include_declaration;
    let found = ide::references(&snapshot.document, offset, includes_definitions);
    let locations = found.iter().take(MOST_PLACES).map(|range| {
        let range = client.encoding.range(snapshot.text(), *range);
        lsp::Location::new(place.text_document.uri.clone(), range)
    });
    let mut locations: Vec<_> = locations.collect();
    // The view finds places of the document again, and a place for each of the names that it has.
    let here = snapshot.here().map(|it| it.file);
    let known = here
        .into_iter()
        .flat_map(|here| found.iter().map(move |it| (here, *it)));
    let mut known: HashSet<_> = known.collect();
    for found in elsewhere(snapshot, offset, includes_definitions) {
        let Some(uri) = snapshot.files.uri(found.file, &found.path) else {
            continue;
        };
        let new = found
            .ranges
            .iter()
            .filter(|it| known.insert((found.file, **it)))
            .take(MOST_PLACES - locations.len());
        locations.extend(new.map(|range| {
            let range = client.encoding.range(&found.text, *range);
            lsp::Location::new(uri.clone(), range)
        }));
    }
    (!locations.is_empty()).then_some(locations)
}

fn elsewhere(snapshot: &Snapshot, offset: TextSize, includes_definitions: bool) -> Vec<FilePlaces> {
    let here = snapshot.here();
    let found = here.map(|here| {
        let view = &snapshot.files.view;
        view.references(here, offset, includes_definitions)
    });
    found.unwrap_or_default()
}

/// The occurrences in the document, as highlights; those around the position if there are too many to look at.
pub(in crate::server) fn document_highlight(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::DocumentHighlightParams,
) -> Option<Vec<lsp::DocumentHighlight>> {
    let place = &params.text_document_position_params;
    let offset = client.encoding.offset(snapshot.text(), place.position);
    let found = ide::highlights(&snapshot.document, offset);
    let before = found.partition_point(|it| it.range.start() < offset);
    let first = before.saturating_sub(MOST_PLACES / 2);
    let near = found.into_iter().skip(first).take(MOST_PLACES);
    let highlights = near.map(|it| lsp::DocumentHighlight {
        range: client.encoding.range(snapshot.text(), it.range),
        kind: Some(match it.is_definition {
            true => lsp::DocumentHighlightKind::WRITE,
            false => lsp::DocumentHighlightKind::READ,
        }),
    });
    let highlights: Vec<_> = highlights.collect();
    (!highlights.is_empty()).then_some(highlights)
}
