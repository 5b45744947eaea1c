//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use super::{MOST_PLACES, symbols};
use crate::{
    server::{
        client::Client,
        document::{Files, Snapshot},
        paths::path_of,
    },
    workspace::{Call, CallItem, CallKind, FileId},
};
use signature_ls_source::text::Text;

/// Identifies an item, together with its document and its selection.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Agent,
    Tool,
    Function,
}

/// The items at a position.
pub(in crate::server) fn prepare_call_hierarchy(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::CallHierarchyPrepareParams,
) -> Option<Vec<lsp::CallHierarchyItem>> {
    let position = params.text_document_position_params.position;
    let offset = client.encoding.offset(snapshot.text(), position);
    let found = snapshot.files.view.call_items(snapshot.here()?, offset);
    let items = found
        .iter()
        .filter_map(|it| item(client, &snapshot.files, it));
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then_some(items)
}

/// The callers of an item.
pub(in crate::server) fn incoming_calls(
    client: &Client,
    files: &Files,
    params: &lsp::CallHierarchyIncomingCallsParams,
) -> Option<Vec<lsp::CallHierarchyIncomingCall>> {
    let (file, kind, text) = meant(files, &params.item)?;
    let start = params.item.selection_range.start;
    let offset = client.encoding.offset(&text, start);
    let calls = first(files.view.incoming_calls(file, kind, offset));
    let calls = calls.filter_map(|Call { item: from, ranges }| {
        let from_ranges = ranges.into_iter();
        let from_ranges = from_ranges.map(|it| client.encoding.range(&from.text, it));
        Some(lsp::CallHierarchyIncomingCall {
            from_ranges: from_ranges.collect(),
            from: item(client, files, &from)?,
        })
    });
    Some(calls.collect())
}

/// The callees of an item.
pub(in crate::server) fn outgoing_calls(
    client: &Client,
    files: &Files,
    params: &lsp::CallHierarchyOutgoingCallsParams,
) -> Option<Vec<lsp::CallHierarchyOutgoingCall>> {
    let (file, kind, text) = meant(files, &params.item)?;
    let start = params.item.selection_range.start;
    let offset = client.encoding.offset(&text, start);
    let calls = first(files.view.outgoing_calls(file, kind, offset));
    let calls = calls.filter_map(|Call { item: to, ranges }| {
        let from_ranges = ranges.into_iter();
        let from_ranges = from_ranges.map(|it| client.encoding.range(&text, it));
        Some(lsp::CallHierarchyOutgoingCall {
            from_ranges: from_ranges.collect(),
            to: item(client, files, &to)?,
        })
    });
    Some(calls.collect())
}

/// The calls with the first places.
fn first(calls: Vec<Call>) -> impl Iterator<Item = Call> {
    let mut left = MOST_PLACES;
    calls.into_iter().map_while(move |mut call| {
        call.ranges.truncate(left);
        left -= call.ranges.len();
        (!call.ranges.is_empty()).then_some(call)
    })
}

/// The file, the kind and the text of an item that was sent before.
fn meant(files: &Files, item: &lsp::CallHierarchyItem) -> Option<(FileId, CallKind, Text)> {
    let kind = serde_json::from_value(item.data.clone()?).ok()?;
    let kind = match kind {
        Kind::Agent => CallKind::Agent,
        Kind::Tool => CallKind::Tool,
        Kind::Function => CallKind::Function,
    };
    let file = files.view.file_at(&path_of(&item.uri)?)?;
    Some((file, kind, files.view.text(file)?))
}

fn item(client: &Client, files: &Files, item: &CallItem) -> Option<lsp::CallHierarchyItem> {
    let range = |range| client.encoding.range(&item.text, range);
    let (symbol, kind) = match item.kind {
        CallKind::Agent => (symbols::AGENT, Kind::Agent),
        CallKind::Tool => (symbols::TOOL, Kind::Tool),
        CallKind::Function => (symbols::FUNCTION, Kind::Function),
    };
    Some(lsp::CallHierarchyItem {
        name: item.name.clone(),
        kind: symbol,
        tags: None,
        detail: item.detail.clone(),
        uri: files.uri(item.file, &item.path)?,
        range: range(item.range),
        selection_range: range(item.selection),
        data: serde_json::to_value(kind).ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::text::TextRange;

    #[test]
    fn the_first_places_of_calls_are_sent() {
        let call = |places| Call {
            item: CallItem {
                kind: CallKind::Tool,
                name: String::new(),
                detail: None,
                file: FileId::default(),
                path: std::path::Path::new("a.ex").into(),
                text: Text::from(""),
                range: TextRange::default(),
                selection: TextRange::default(),
            },
            ranges: vec![TextRange::default(); places],
        };
        let sent = |calls: &[usize]| {
            let calls = first(calls.iter().map(|it| call(*it)).collect());
            calls.map(|it| it.ranges.len()).collect::<Vec<_>>()
        };
        assert_eq!(sent(&[1, 2]), [1, 2]);
        assert_eq!(sent(&[4_000, 4_000, 1]), [4_000, 1_000]);
        assert_eq!(sent(&[5_000, 1]), [5_000]);
    }
}
