//! The brackets of signatures, for [`pairing`](crate::syntax::pairing).

use crate::syntax::{
    kind::SyntaxKind,
    pairing::{Delimiter, Role, pair},
};

/// The role of each token that is a bracket, by token index; `None` for the other tokens.
pub(super) fn match_brackets(
    tokens: impl ExactSizeIterator<Item = SyntaxKind> + Clone,
) -> Vec<Option<Role>> {
    match_nested(tokens.clone()).unwrap_or_else(|| match_any(tokens))
}

/// The roles if every bracket is closed by its own kind, which is usual and needs no search.
fn match_nested(tokens: impl ExactSizeIterator<Item = SyntaxKind>) -> Option<Vec<Option<Role>>> {
    let mut roles = vec![None; tokens.len()];
    let mut open = Vec::with_capacity(8);
    for (index, token) in tokens.enumerate() {
        if let Some(closer) = closer_of(token) {
            open.push((index, closer));
        } else if is_closer(token) {
            let (opener, _) = open.pop().filter(|&(_, closer)| closer == token)?;
            roles[opener] = Some(Role::ClosedBy(index));
            roles[index] = Some(Role::Closes(opener));
        }
    }
    open.is_empty().then_some(roles)
}

fn match_any(tokens: impl ExactSizeIterator<Item = SyntaxKind>) -> Vec<Option<Role>> {
    let kinds: Vec<_> = tokens.collect();
    let mut roles = vec![None; kinds.len()];
    let brackets = kinds.iter().enumerate().filter_map(|(index, kind)| {
        let opens = closer_of(*kind).is_some();
        (opens || is_closer(*kind)).then_some(Delimiter { index, opens })
    });
    let fit = |open: usize, close: usize| closer_of(kinds[open]) == Some(kinds[close]);
    pair(brackets, fit, |index, role| roles[index] = Some(role));
    roles
}

/// The closing bracket for an opening one.
pub(super) fn closer_of(kind: SyntaxKind) -> Option<SyntaxKind> {
    match kind {
        SyntaxKind::LParen => Some(SyntaxKind::RParen),
        SyntaxKind::LBracket => Some(SyntaxKind::RBracket),
        SyntaxKind::LBrace => Some(SyntaxKind::RBrace),
        _ => None,
    }
}

fn is_closer(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::RParen | SyntaxKind::RBracket | SyntaxKind::RBrace
    )
}
