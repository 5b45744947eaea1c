//! Collections that nest in one line: `- - - a`. The parser keeps several hundred bytes for each of them, and deeper
//! ones are not read.
//!
//! The indicators beyond the deepest level are hidden from the parser, which reads the rest of the line as a text.

use super::{hidden::Masks, read::MAX_DEPTH};

/// The indicators.
pub(super) const MASKS: Masks<3> = Masks([('-', '\u{16}'), ('?', '\u{17}'), (':', '\u{18}')]);

/// `text` with the indicators of the deepest collections hidden; `None` if there are none.
pub(super) fn masked(text: &str) -> Option<String> {
    if text.len() <= 2 * MAX_DEPTH {
        return None;
    }
    let mut masked = String::new();
    let mut kept = 0;
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'-' | b'?' | b':' if text[at + 1..].starts_with([' ', '\t']) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    masked.push_str(&text[kept..at]);
                    masked.push(MASKS.hidden(char::from(byte)));
                    kept = at + 1;
                }
            }
            b' ' | b'\t' => {}
            _ => depth = 0,
        }
    }
    if kept == 0 || MASKS.are_in(text) {
        return None;
    }
    masked.push_str(&text[kept..]);
    Some(masked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::yaml::{
        node::{Node, NodeKind},
        read::read,
    };

    /// The number of collections around the innermost value.
    fn depth(node: &Node) -> usize {
        match &node.kind {
            NodeKind::Sequence(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
            NodeKind::Mapping(entries) => {
                1 + { entries.iter() }
                    .map(|it| depth(&it.value))
                    .max()
                    .unwrap_or(0)
            }
            NodeKind::Scalar(_) | NodeKind::Other => 0,
        }
    }

    #[test]
    fn only_collections_that_are_too_deep_are_hidden() {
        for (indicator, count, is_hidden) in [
            ("- ", MAX_DEPTH, false),
            ("- ", MAX_DEPTH + 1, true),
            ("? ", 10_000, true),
            (":  ", 10_000, true),
            ("-\n", 10_000, false),
            ("- a ", 10_000, false),
            ("-", 10_000, false),
        ] {
            let text = format!("k:\n  {}a\n", indicator.repeat(count));
            let hidden = masked(&text);
            assert_eq!(hidden.is_some(), is_hidden, "{indicator:?} {count}");
            if let Some(hidden) = hidden {
                assert_eq!(hidden.len(), text.len());
                assert_eq!(MASKS.shown(hidden), text);
            }
        }
    }

    #[test]
    fn what_is_hidden_is_a_text() {
        let reading = read(&format!("- {}a\n", "- ".repeat(1_000)));
        assert!(reading.is_simple);
        assert_eq!(
            reading.roots.iter().map(depth).collect::<Vec<_>>(),
            [MAX_DEPTH]
        );
    }
}
