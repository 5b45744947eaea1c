//! A long collection in brackets at the start of a text.
//!
//! It may be the key of a mapping as far as the parser knows, which therefore keeps all tokens of it until it ends. After a
//! mark for the start of a document it cannot be one.

/// The mark. It has as many characters as bytes.
pub(super) const MARK: &str = "--- ";

/// The parser may keep the tokens of a shorter text, in bytes.
const LONG: usize = 16 * 1024;

/// `text` after the mark, if that is worth it. It means the same unless the parser finds an error in it.
pub(super) fn marked(text: &str) -> Option<String> {
    let is_long = text.len() >= LONG && text.starts_with(['[', '{']);
    is_long.then(|| [MARK, text].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::host::yaml::read;

    /// Collections with many kinds of contents, and what may follow.
    fn collections() -> impl Strategy<Value = String> {
        let plain = prop::sample::select(vec![
            "a", "1", "\"b: c\"", "'d'", "*x", "&x e", "!t f", "g h", "é", "", "- i", "? j", "#k",
        ]);
        let space = || prop::sample::select(vec!["", " ", "  ", "\n", "\n  ", " # l\n", "\t"]);
        let value = plain
            .prop_map(str::to_owned)
            .prop_recursive(4, 32, 4, move |inner| {
                let item = (space(), inner.clone(), space());
                let entry = (
                    space(),
                    inner.clone(),
                    prop::sample::select(vec![": ", ":", " :\n "]),
                    inner,
                );
                let list =
                    prop::collection::vec(item.prop_map(|(a, b, c)| [a, &b, c].concat()), 0..4);
                let map = prop::collection::vec(
                    entry.prop_map(|(a, b, c, d)| [a, &b, c, &d].concat()),
                    0..4,
                );
                prop_oneof![
                    list.prop_map(|it| format!("[{}]", it.join(","))),
                    map.prop_map(|it| format!("{{{}}}", it.join(","))),
                ]
            });
        let rest = prop::sample::select(vec![
            "\n",
            "\n---\nm\n",
            ": n\n",
            "\no: p\n",
            "\n...\n",
            " q\n",
            "]\n",
        ]);
        (value, rest).prop_map(|(value, rest)| value + rest)
    }

    proptest! {
        #[test]
        fn what_is_marked_means_the_same(text in collections()) {
            let long = format!("{text}#{}", "-".repeat(LONG));
            prop_assume!(marked(&long).is_some());
            let (long, short) = (read(&long), read(&text));
            prop_assert_eq!(long.is_simple, short.is_simple);
            // The rest of a text after an error is a part of it.
            if short.is_simple {
                prop_assert_eq!(long.roots, short.roots);
                prop_assert_eq!(long.aliases, short.aliases);
            }
        }
    }
}
