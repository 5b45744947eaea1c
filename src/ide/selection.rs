//! How a selection grows: from the word over the field, the record, the parameters and the signature to the
//! string and what it belongs to.

use crate::{
    ide::{Document, place},
    syntax::kind::{SyntaxKind, SyntaxToken},
    text::{TextRange, TextSize},
};

/// The ranges around `offset` from the innermost to the outermost, each larger than the one before; nothing
/// outside of our strings.
pub fn selection(document: &Document, offset: TextSize) -> Vec<TextRange> {
    let Some(literal) = place::literal_at(document, offset) else {
        return Vec::new();
    };
    let mut ranges = Vec::new();
    if let Some(root) = literal.root() {
        let tokens = root.token_at_offset(offset - literal.start);
        if let Some(token) = tokens.max_by_key(is_word) {
            let nodes = token.parent_ancestors().map(|it| it.text_range());
            ranges.push(token.text_range() + literal.start);
            ranges.extend(nodes.map(|it| it + literal.start));
        }
    }
    ranges.push(literal.content());
    ranges.push(literal.literal());
    ranges.push(TextRange::at(literal.placed.start, literal.placed.unit.len));
    let mut last = TextRange::empty(offset);
    ranges.retain(|range| {
        let grows = range.contains_range(last) && *range != last;
        if grows {
            last = *range;
        }
        grows
    });
    ranges
}

fn is_word(token: &SyntaxToken) -> bool {
    token.kind() == SyntaxKind::Ident
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{
        host::HostKind,
        ide::testing::{marked, shown},
    };

    #[track_caller]
    fn check(kind: HostKind, fixture: &str, expected: &Expect) {
        let (document, offset) = marked(kind, fixture);
        let ranges = selection(&document, offset).into_iter();
        let ranges = ranges.map(|it| shown(&document, it) + "\n");
        expected.assert_eq(&ranges.collect::<String>());
    }

    #[test]
    fn a_selection_grows_by_what_belongs_together() {
        check(
            HostKind::Elixir,
            "f()\nSubAgent.run(p, signature: \"(user {na$0me :string}) -> :int\")\n",
            &expect![[r#"
                name
                name :string
                {name :string}
                user {name :string}
                (user {name :string})
                (user {name :string}) -> :int
                "(user {name :string}) -> :int"
                (p, signature: "(user {name :string}) -> :int")
            "#]],
        );
        check(
            HostKind::Prompt,
            "Hi {{#a}}{{b.$0c}}{{/a}}",
            &expect![[r#"
                c
                b.c
                {{b.c}}
                {{#a}}{{b.c}}{{/a}}
                Hi {{#a}}{{b.c}}{{/a}}
            "#]],
        );
        check(HostKind::Elixir, "f($0x)\n", &expect![""]);
    }
}
