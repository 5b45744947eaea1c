//! `textDocument/semanticTokens`: whole documents, ranges, and what changed since an answer.

use std::hash::{DefaultHasher, Hash, Hasher};

use tower_lsp::ls_types as lsp;

use crate::{
    ide::{self, SemanticToken, TokenKind},
    server::{client::Client, document::Snapshot},
    text::{Text, TextRange},
};

/// The modifier of words that give something its name, as a bit.
const DECLARATION: u32 = 1;

/// Which tokens were sent last, so that the next answer can be the difference.
#[derive(Debug, Clone)]
pub(in crate::server) struct SentTokens {
    id: String,
    tokens: Vec<lsp::SemanticToken>,
}

/// What is announced.
pub(in crate::server) fn semantic_tokens_options() -> lsp::SemanticTokensOptions {
    lsp::SemanticTokensOptions {
        legend: lsp::SemanticTokensLegend {
            token_types: TokenKind::ALL.map(token_type).into(),
            token_modifiers: vec![lsp::SemanticTokenModifier::DECLARATION],
        },
        range: Some(true),
        full: Some(lsp::SemanticTokensFullOptions::Delta { delta: Some(true) }),
        ..Default::default()
    }
}

fn token_type(kind: TokenKind) -> lsp::SemanticTokenType {
    match kind {
        TokenKind::Function => lsp::SemanticTokenType::FUNCTION,
        TokenKind::Parameter => lsp::SemanticTokenType::PARAMETER,
        TokenKind::Property => lsp::SemanticTokenType::PROPERTY,
        TokenKind::Type => lsp::SemanticTokenType::TYPE,
        TokenKind::Operator => lsp::SemanticTokenType::OPERATOR,
        TokenKind::Keyword => lsp::SemanticTokenType::KEYWORD,
        TokenKind::Comment => lsp::SemanticTokenType::COMMENT,
    }
}

/// The tokens of the whole document.
pub(in crate::server) fn semantic_tokens_full(
    client: &Client,
    snapshot: &Snapshot,
    _: &lsp::SemanticTokensParams,
) -> Option<lsp::SemanticTokensResult> {
    let all = whole(client, snapshot);
    Some(lsp::SemanticTokensResult::Tokens(all))
}

/// What changed since the answer that the client names, or the tokens of the whole document.
pub(in crate::server) fn semantic_tokens_full_delta(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::SemanticTokensDeltaParams,
) -> Option<lsp::SemanticTokensFullDeltaResult> {
    let sent = snapshot.sent_tokens();
    let sent = sent.filter(|it| it.id == params.previous_result_id);
    let all = whole(client, snapshot);
    let Some(sent) = sent else {
        return Some(lsp::SemanticTokensFullDeltaResult::Tokens(all));
    };
    Some(lsp::SemanticTokensFullDeltaResult::TokensDelta(
        lsp::SemanticTokensDelta {
            edits: edit(&sent.tokens, &all.data).into_iter().collect(),
            result_id: all.result_id,
        },
    ))
}

/// The tokens in a range.
pub(in crate::server) fn semantic_tokens_range(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::SemanticTokensRangeParams,
) -> Option<lsp::SemanticTokensRangeResult> {
    let text = snapshot.text();
    let range = client.encoding.text_range(text, params.range);
    let tokens = ide::semantic_tokens(&snapshot.document, range);
    Some(lsp::SemanticTokensRangeResult::Tokens(
        lsp::SemanticTokens {
            result_id: None,
            data: encoded(client, text, &tokens),
        },
    ))
}

fn whole(client: &Client, snapshot: &Snapshot) -> lsp::SemanticTokens {
    let text = snapshot.text();
    let tokens = ide::semantic_tokens(&snapshot.document, TextRange::up_to(text.len()));
    let data = encoded(client, text, &tokens);
    let mut hasher = DefaultHasher::new();
    data.iter().for_each(|it| fields(it).hash(&mut hasher));
    let id = format!("{:016x}", hasher.finish());
    snapshot.set_sent_tokens(SentTokens {
        id: id.clone(),
        tokens: data.clone(),
    });
    lsp::SemanticTokens {
        result_id: Some(id),
        data,
    }
}

fn fields(token: &lsp::SemanticToken) -> [u32; 5] {
    [
        token.delta_line,
        token.delta_start,
        token.length,
        token.token_type,
        token.token_modifiers_bitset,
    ]
}

/// The tokens as the protocol counts them, each from the one before.
fn encoded(client: &Client, text: &Text, tokens: &[SemanticToken]) -> Vec<lsp::SemanticToken> {
    let mut last = lsp::Position::default();
    let encode = |token: &SemanticToken| {
        let lsp::Range { start, end } = client.encoding.range(text, token.range);
        let is_same_line = start.line == last.line;
        let column = if is_same_line { last.character } else { 0 };
        let encoded = lsp::SemanticToken {
            delta_line: start.line - last.line,
            delta_start: start.character - column,
            length: end.character.saturating_sub(start.character),
            token_type: index(token.kind),
            token_modifiers_bitset: if token.is_declaration { DECLARATION } else { 0 },
        };
        last = start;
        encoded
    };
    tokens.iter().map(encode).collect()
}

fn index(kind: TokenKind) -> u32 {
    let index = TokenKind::ALL.iter().position(|it| *it == kind);
    index
        .and_then(|it| u32::try_from(it).ok())
        .unwrap_or_default()
}

/// The one edit that makes `new` of `old`: what is between their common beginning and their common end.
fn edit(old: &[lsp::SemanticToken], new: &[lsp::SemanticToken]) -> Option<lsp::SemanticTokensEdit> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(&lsp::SemanticToken, &lsp::SemanticToken)| a == b;
    let before = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[before..], &new[before..]);
    let behind = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let numbers = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    Some(lsp::SemanticTokensEdit {
        start: numbers(before),
        delete_count: numbers(old.len() - behind),
        data: Some(new[..new.len() - behind].to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lens: &[u32]) -> Vec<lsp::SemanticToken> {
        let token = |&length: &u32| lsp::SemanticToken {
            delta_line: 0,
            delta_start: 1,
            length,
            token_type: 0,
            token_modifiers_bitset: 0,
        };
        lens.iter().map(token).collect()
    }

    #[test]
    fn one_edit_tells_what_changed() {
        for (old, new) in [
            (&[1, 2, 3][..], &[1, 2, 3][..]),
            (&[1, 2, 3], &[1, 4, 3]),
            (&[1, 1], &[1, 1, 1]),
            (&[1, 2, 1], &[1]),
            (&[], &[1]),
            (&[1, 2], &[]),
        ] {
            let mut applied = old.to_vec();
            if let Some(edit) = edit(&tokens(old), &tokens(new)) {
                let start = edit.start as usize / 5;
                let end = start + edit.delete_count as usize / 5;
                let data = edit.data.unwrap_or_default();
                applied.splice(start..end, data.iter().map(|it| it.length));
            }
            assert_eq!(applied, new, "{old:?}");
        }
    }
}
