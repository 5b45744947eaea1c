//! Which bracket belongs to which, decided before parsing.
//!
//! Deciding it beforehand makes every closed pair of brackets a text that parses on its own, whatever
//! is wrong around it. That is what lets the incremental reparse begin and end at such a pair.

use super::lexer::Token;
use crate::syntax::kind::SyntaxKind;

/// What a bracket is to the parser. Indices are those of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    /// Closed by the token at this index, maybe by a bracket of the wrong kind.
    ClosedBy(usize),
    /// Never closed.
    Unclosed,
    /// A closing bracket, of the opening one at this index.
    Closes(usize),
    /// A closing bracket of nothing.
    Stray,
}

/// Brackets left over by the pairs, above which the exact search for the fewest errors is too slow.
const EXACT_LIMIT: usize = 48;

/// The role of each token that is a bracket, by token index; `None` for the other tokens.
pub(super) fn match_brackets(tokens: &[Token]) -> Vec<Option<Bracket>> {
    let mut roles = vec![None; tokens.len()];
    let unmatched = pair_well_nested(tokens, &mut roles);
    let pairs = if unmatched.len() <= EXACT_LIMIT {
        pair_with_fewest_errors(&unmatched)
    } else {
        Vec::new()
    };
    for &(index, kind) in &unmatched {
        roles[index] = Some(if closer_of(kind).is_some() {
            Bracket::Unclosed
        } else {
            Bracket::Stray
        });
    }
    for (open, close) in pairs {
        roles[open] = Some(Bracket::ClosedBy(close));
        roles[close] = Some(Bracket::Closes(open));
    }
    roles
}

/// The closing bracket that an opening one wants.
pub(super) fn closer_of(kind: SyntaxKind) -> Option<SyntaxKind> {
    match kind {
        SyntaxKind::LParen => Some(SyntaxKind::RParen),
        SyntaxKind::LBracket => Some(SyntaxKind::RBracket),
        SyntaxKind::LBrace => Some(SyntaxKind::RBrace),
        _ => None,
    }
}

/// Pairs what needs no guess and answers the brackets that are left, with their token indices.
fn pair_well_nested(tokens: &[Token], roles: &mut [Option<Bracket>]) -> Vec<(usize, SyntaxKind)> {
    let mut left: Vec<(usize, SyntaxKind)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let kind = token.kind;
        if closer_of(kind).is_some() {
            left.push((index, kind));
        } else if is_closer(kind) {
            match left.last() {
                Some(&(open, opener)) if closer_of(opener) == Some(kind) => {
                    left.pop();
                    roles[open] = Some(Bracket::ClosedBy(index));
                    roles[index] = Some(Bracket::Closes(open));
                }
                _ => left.push((index, kind)),
            }
        }
    }
    left
}

/// Whether `kind` is a closing bracket.
pub(super) fn is_closer(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::RParen | SyntaxKind::RBracket | SyntaxKind::RBrace
    )
}

/// Pairs brackets so that the fewest of them are at fault: an interval search, cubic in their number.
/// A pair of different kinds counts as one error, like a bracket that stays alone.
fn pair_with_fewest_errors(brackets: &[(usize, SyntaxKind)]) -> Vec<(usize, usize)> {
    let n = brackets.len();
    let pair_cost = |open: usize, close: usize| match closer_of(brackets[open].1) {
        Some(closer) if is_closer(brackets[close].1) => {
            Some(u32::from(closer != brackets[close].1))
        }
        _ => None,
    };
    // `cost[i][j]` is that of the brackets `i..j`, and `partner[i][j]` whom `i` is paired with there.
    let mut cost = vec![vec![0_u32; n + 1]; n + 1];
    let mut partner = vec![vec![None; n + 1]; n + 1];
    for len in 1..=n {
        for i in 0..=n - len {
            let j = i + len;
            let mut best = (1 + cost[i + 1][j], None);
            for k in i + 1..j {
                let Some(pair) = pair_cost(i, k) else {
                    continue;
                };
                let total = pair + cost[i + 1][k] + cost[k + 1][j];
                if total < best.0 {
                    best = (total, Some(k));
                }
            }
            (cost[i][j], partner[i][j]) = best;
        }
    }
    let mut pairs = Vec::new();
    let mut spans = vec![(0, n)];
    while let Some((i, j)) = spans.pop() {
        if i >= j {
            continue;
        }
        match partner[i][j] {
            Some(k) => {
                pairs.push((brackets[i].0, brackets[k].0));
                spans.extend([(i + 1, k), (k + 1, j)]);
            }
            None => spans.push((i + 1, j)),
        }
    }
    pairs
}
