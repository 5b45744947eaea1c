//! Semantic colors and inlay hints.

use serde::Serialize;
use signature_ls_analysis::ide::{self, Document, TokenKind};
use signature_ls_source::text::TextRange;

use crate::positions::{Range, range, to_utf16};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Token {
    #[serde(flatten)]
    range: Range,
    kind: &'static str,
    is_declaration: bool,
}

/// The colored words in `range`.
pub(super) fn tokens(document: &Document, within: TextRange) -> Vec<Token> {
    let tokens = ide::semantic_tokens(document, within).into_iter();
    tokens
        .map(|it| Token {
            range: range(document.text(), it.range),
            kind: kind(it.kind),
            is_declaration: it.is_declaration,
        })
        .collect()
}

fn kind(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Function => "function",
        TokenKind::Parameter => "parameter",
        TokenKind::Property => "property",
        TokenKind::Type => "type",
        TokenKind::Operator => "operator",
        TokenKind::Keyword => "keyword",
        TokenKind::Comment => "comment",
    }
}

#[derive(Serialize)]
pub(super) struct Hint {
    at: usize,
    label: String,
}

/// The inlay hints in `range`.
pub(super) fn hints(document: &Document, within: TextRange) -> Vec<Hint> {
    let hints = ide::inlay_hints(document, within).into_iter();
    hints
        .map(|it| Hint {
            at: to_utf16(document.text(), it.offset),
            label: it.label,
        })
        .collect()
}
