//! The brackets of signatures, for [`pairing`](crate::syntax::pairing).

use crate::syntax::{
    kind::SyntaxKind,
    pairing::{Delimiter, Role, pair},
};

/// The role of each token that is a bracket, by token index; `None` for the other tokens.
pub(super) fn match_brackets(tokens: &[SyntaxKind]) -> Vec<Option<Role>> {
    let delimiters: Vec<_> = tokens
        .iter()
        .enumerate()
        .filter_map(|(index, &token)| {
            let opener = closer_of(token);
            let closer = is_closer(token).then_some(token);
            let label = opener.or(closer)?;
            Some(Delimiter {
                index,
                opens: opener.is_some(),
                label,
            })
        })
        .collect();
    let mut roles = vec![None; tokens.len()];
    for (index, role) in pair(&delimiters) {
        roles[index] = Some(role);
    }
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
