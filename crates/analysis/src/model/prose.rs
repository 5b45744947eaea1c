//! Texts that are not meant as signatures.

use crate::model::type_words;
use signature_ls_source::syntax::kind::{SyntaxKind, SyntaxNode};

/// Whether `root` consists of words only, none of which is a type: no colon, bracket or arrow makes it a signature.
pub fn is_prose(root: &SyntaxNode) -> bool {
    let mut words = 0;
    let mut tokens = root
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    let is_plain = tokens.all(|token| match token.kind() {
        SyntaxKind::Ident => {
            words += 1;
            !type_words::is_meant_as_type(token.text())
        }
        SyntaxKind::Whitespace | SyntaxKind::Unknown | SyntaxKind::Number => true,
        _ => false,
    });
    is_plain && words > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::syntax::{fragment::Fragment, signature};

    #[test]
    fn words_without_a_type_are_prose() {
        for (text, expected) in [
            ("invalid syntax", true),
            ("Not a valid signature!", true),
            ("3 of 4 files", true),
            ("invalid", false),
            ("", false),
            ("count int", false),
            ("count intt", false),
            ("a -> b", false),
            ("(a b)", false),
            ("a, b", false),
            ("a :b", false),
        ] {
            let root = SyntaxNode::new_root(signature::parse(Fragment::plain(text)));
            assert_eq!(is_prose(&root), expected, "{text}");
        }
    }
}
