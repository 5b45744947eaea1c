//! Where the declarations are that diagnostics refer to in other files.

use foldhash::HashMap;
use tower_lsp::ls_types as lsp;

use crate::{
    server::{client::Client, document::Files},
    workspace::{FileId, Here},
};
use signature_ls_analysis::ide::{Declaration, Document};

/// The places of declarations.
pub(in crate::server) type Located = HashMap<Declaration, lsp::Location>;

/// The declarations that the diagnostics of a document refer to by their functions.
pub(in crate::server) fn declarations(document: &Document) -> Vec<Declaration> {
    let reported = document.reported();
    let declarations = reported.iter().flat_map(|it| it.declarations());
    declarations.cloned().collect()
}

/// The places of some declarations, which diagnostics of `document` refer to.
pub(in crate::server) fn located(
    client: &Client,
    document: &Document,
    file: FileId,
    files: &Files,
    declarations: impl IntoIterator<Item = Declaration>,
) -> Located {
    let mut located = Located::default();
    for declaration in declarations {
        if located.contains_key(&declaration) {
            continue;
        }
        let found = files.view.declared(Here { file, document }, &declaration);
        let location = found.and_then(|it| {
            let uri = files.uri(it.file, &it.path)?;
            let range = client.encoding.range(&it.text, *it.ranges.first()?);
            Some(lsp::Location::new(uri, range))
        });
        located.extend(location.map(|it| (declaration, it)));
    }
    located
}
