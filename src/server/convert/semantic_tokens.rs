//! `textDocument/semanticTokens`: whole documents, ranges, and deltas.

use std::ops::Range;

use tower_lsp::ls_types as lsp;

use crate::server::{client::Client, document::Snapshot, lines::Lines};
use signature_ls_analysis::ide::{self, Document, SemanticToken, TokenKind, Version};
use signature_ls_source::text::{Text, TextRange};

/// The places of so few tokens are looked up one by one.
const FEW: usize = 4_096;

/// The modifier of declarations, as a bit.
const DECLARATION: u32 = 1;

/// Tokens that were sent, as a base of deltas.
#[derive(Debug)]
pub(in crate::server) struct SentTokens {
    id: String,
    /// Their document.
    version: Version,
    tokens: Vec<lsp::SemanticToken>,
}

impl SentTokens {
    fn new(document: &Document, tokens: Vec<lsp::SemanticToken>) -> Self {
        Self {
            id: format!("{:016x}", hash(&tokens)),
            version: document.as_version(),
            tokens,
        }
    }
}

/// A hash of all tokens; each is hashed separately, since there may be many.
fn hash(tokens: &[lsp::SemanticToken]) -> u64 {
    const KEYS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];
    let join = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let mut sum = 0_u64;
    let mut place = KEYS[0];
    for token in tokens {
        let kind = token.token_type << 16 | token.token_modifiers_bitset;
        let at = join(token.delta_line, token.delta_start) ^ place;
        let product = u128::from(at) * u128::from(join(token.length, kind) ^ KEYS[1]);
        let folded = (product ^ product >> 64) & u128::from(u64::MAX);
        sum = sum.wrapping_add(u64::try_from(folded).unwrap_or_default());
        place = place.wrapping_add(KEYS[0]);
    }
    sum
}

/// The announced options.
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

/// The tokens of the whole document; null if it has none.
pub(in crate::server) fn semantic_tokens_full(
    client: &Client,
    snapshot: &Snapshot,
    _: &lsp::SemanticTokensParams,
) -> Option<lsp::SemanticTokensResult> {
    let all = whole(client, snapshot);
    (!all.data.is_empty()).then_some(lsp::SemanticTokensResult::Tokens(all))
}

/// The delta to an earlier answer, or the tokens of the whole document.
pub(in crate::server) fn semantic_tokens_full_delta(
    client: &Client,
    snapshot: &Snapshot,
    params: &lsp::SemanticTokensDeltaParams,
) -> Option<lsp::SemanticTokensFullDeltaResult> {
    let Some(sent) = snapshot.sent_tokens(|it| it.id == params.previous_result_id) else {
        let all = whole(client, snapshot);
        return (!all.data.is_empty()).then_some(lsp::SemanticTokensFullDeltaResult::Tokens(all));
    };
    let Replaced { range, new } = replaced(client, &snapshot.document, &sent);
    let edit = edit(&sent.tokens[range.clone()], &new, range.start);
    let mut tokens = sent.tokens.clone();
    tokens.splice(range, new);
    let now = SentTokens::new(&snapshot.document, tokens);
    let result_id = Some(now.id.clone());
    snapshot.keep_tokens(Some(sent), now);
    Some(lsp::SemanticTokensFullDeltaResult::TokensDelta(
        lsp::SemanticTokensDelta {
            edits: edit.into_iter().collect(),
            result_id,
        },
    ))
}

/// A replacement of tokens.
struct Replaced {
    /// The indices of the tokens that were sent.
    range: Range<usize>,
    new: Vec<lsp::SemanticToken>,
}

/// The tokens in `sent` that differ in `document`. Only lines that changed are compared.
fn replaced(client: &Client, document: &Document, sent: &SentTokens) -> Replaced {
    let difference = document.difference(&sent.version);
    let line = |text: &Text, at| client.encoding.range(text, TextRange::empty(at)).start.line;
    let (old_text, text) = (sent.version.text(), document.text());
    let first = line(text, difference.new.start());
    let old_end = match difference.old.end() == old_text.len() {
        true => u32::MAX,
        false => line(old_text, difference.old.end()),
    };

    let mut at = lsp::Position::default();
    let mut before = at;
    let (mut start, mut next) = (0, sent.tokens.len());
    for (index, token) in sent.tokens.iter().enumerate() {
        at = match token.delta_line {
            0 => lsp::Position::new(at.line, at.character + token.delta_start),
            lines => lsp::Position::new(at.line + lines, token.delta_start),
        };
        if at.line < first {
            (start, before) = (index + 1, at);
        } else if at.line >= old_end {
            next = index;
            break;
        }
    }
    let tokens = ide::semantic_tokens(document, difference.new);
    let (mut new, last) = encoded_in_part(client, text, &tokens, before);
    // The first token after it is on its own line in both versions.
    let after = sent.tokens.get(next).map(|token| lsp::SemanticToken {
        delta_line: at.line - old_end + line(text, difference.new.end()) - last.line,
        delta_start: at.character,
        ..*token
    });
    let end = next + usize::from(after.is_some());
    new.extend(after);
    Replaced {
        range: start..end,
        new,
    }
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
    let (data, _) = encoded_in_part(client, text, &tokens, lsp::Position::default());
    if data.is_empty() {
        return None;
    }
    Some(lsp::SemanticTokensRangeResult::Tokens(
        lsp::SemanticTokens {
            result_id: None,
            data,
        },
    ))
}

fn whole(client: &Client, snapshot: &Snapshot) -> lsp::SemanticTokens {
    let text = snapshot.text();
    let tokens = ide::semantic_tokens(&snapshot.document, TextRange::up_to(text.len()));
    let lines = Lines::new(client.encoding, text);
    let (data, _) = encoded(&tokens, lsp::Position::default(), |it| lines.range(it));
    let now = SentTokens::new(&snapshot.document, data.clone());
    let result_id = Some(now.id.clone());
    snapshot.keep_tokens(None, now);
    lsp::SemanticTokens { result_id, data }
}

/// The same as [`encoded`] for the tokens in a part of `text`, which is split into lines only for many tokens.
fn encoded_in_part(
    client: &Client,
    text: &Text,
    tokens: &[SemanticToken],
    last: lsp::Position,
) -> (Vec<lsp::SemanticToken>, lsp::Position) {
    if tokens.len() < FEW {
        return encoded(tokens, last, |it| client.encoding.range(text, it));
    }
    let lines = Lines::new(client.encoding, text);
    encoded(tokens, last, |it| lines.range(it))
}

/// The tokens in relative form: each relative to the previous one, the first to `last`. Also returns the position of
/// the last one.
fn encoded(
    tokens: &[SemanticToken],
    mut last: lsp::Position,
    range: impl Fn(TextRange) -> lsp::Range,
) -> (Vec<lsp::SemanticToken>, lsp::Position) {
    let encode = |token: &SemanticToken| {
        let lsp::Range { start, end } = range(token.range);
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
    let encoded = tokens.iter().map(encode).collect();
    (encoded, last)
}

fn index(kind: TokenKind) -> u32 {
    let index = TokenKind::ALL.iter().position(|it| *it == kind);
    index
        .and_then(|it| u32::try_from(it).ok())
        .unwrap_or_default()
}

/// The single edit from `old` to `new`, which begin at the token `start`: the part between their common prefix and
/// their common suffix.
fn edit(
    old: &[lsp::SemanticToken],
    new: &[lsp::SemanticToken],
    start: usize,
) -> Option<lsp::SemanticTokensEdit> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(&lsp::SemanticToken, &lsp::SemanticToken)| a == b;
    let before = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[before..], &new[before..]);
    let following = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let numbers = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    Some(lsp::SemanticTokensEdit {
        start: numbers(start + before),
        delete_count: numbers(old.len() - following),
        data: Some(new[..new.len() - following].to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index};

    use super::*;
    use signature_ls_analysis::ide::Settings;
    use signature_ls_source::{
        host::HostKind,
        text::{TextEdit, size},
    };

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

    const PIECES: &[&str] = &[
        "\n",
        "x",
        "é😀",
        "{{q}}",
        "\r\n",
        "\"",
        ":int",
        "a = SubAgent.new(prompt: \"{{q}}\", signature: \"(q :int) -> :int\")\n",
    ];

    proptest! {
        /// The deltas lead a client to the tokens of a new full answer.
        #[test]
        fn edits_lead_to_the_tokens_of_the_new_document(
            edits in prop::collection::vec((any::<Index>(), 0..30_usize, prop::sample::select(PIECES)), 1..6),
        ) {
            let client = Client::new(&lsp::ClientCapabilities::default());
            let text = PIECES.concat().repeat(3) + "b = SubAgent.new(prompt: \"\"\"\n{{#q}}\n{{.}} {{x}}\n{{/q}}\n\"\"\", signature: \"(q [:int]) -> :int\")";
            let mut document = Document::new(HostKind::Elixir, &text, Settings::default());
            let all = |document: &Document| {
                let range = TextRange::up_to(document.text().len());
                let tokens = ide::semantic_tokens(document, range);
                let lines = Lines::new(client.encoding, document.text());
                encoded(&tokens, lsp::Position::default(), |it| lines.range(it)).0
            };
            let mut sent = SentTokens::new(&document, all(&document));
            for (at, len, insert) in edits {
                let text = document.text().rope().to_string();
                let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let start = at.index(places.len());
                let end = (start + len).min(places.len() - 1);
                let range = TextRange::new(size(places[start]), size(places[end]));
                document.edit(&TextEdit::replace(range, insert));
                let Replaced { range, new } = replaced(&client, &document, &sent);
                let mut tokens = sent.tokens.clone();
                tokens.splice(range, new);
                prop_assert_eq!(&tokens, &all(&document), "{}", document.text().rope());
                sent = SentTokens::new(&document, tokens);
            }
        }
    }

    #[test]
    fn many_tokens_of_a_part_have_the_places_of_few() {
        let client = Client::new(&lsp::ClientCapabilities::default());
        let front = "---\nsignature: \"(a :int) -> :int\"\n---\n";
        let text = front.to_owned() + &"é{{a}}\n{{a}} ".repeat(FEW / 2);
        let document = Document::new(HostKind::Prompt, &text, Settings::default());
        let text = document.text();
        let tokens = ide::semantic_tokens(&document, TextRange::up_to(text.len()));
        assert!(tokens.len() > FEW);
        let one_by_one = |it| client.encoding.range(text, it);
        let start = lsp::Position::default();
        assert_eq!(
            encoded_in_part(&client, text, &tokens, start),
            encoded(&tokens, start, one_by_one)
        );
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
            if let Some(edit) = edit(&tokens(old), &tokens(new), 0) {
                let start = edit.start as usize / 5;
                let end = start + edit.delete_count as usize / 5;
                let data = edit.data.unwrap_or_default();
                applied.splice(start..end, data.iter().map(|it| it.length));
            }
            assert_eq!(applied, new, "{old:?}");
        }
    }
}
