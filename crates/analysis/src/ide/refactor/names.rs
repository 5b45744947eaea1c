//! Renames to snake case: `orderCount` and `order-count` become `order_count`.

use super::{Offer, Refactoring, Unavailable};
use crate::ide::{Document, fixes, names, prepare_rename, rename};
use signature_ls_source::text::TextSize;

pub(super) fn refactoring(document: &Document, offset: TextSize) -> Option<Offer> {
    // The occurrences of a name are only searched if it has another spelling.
    let here = names::at(document, offset).into_iter().next()?;
    let name = document.text().slice(here.name.range);
    let new = snake_case(&name);
    if new == name {
        return None;
    }
    let title = format!("Rename `{name}` to `{new}`");
    let edits = prepare_rename(document, offset).and_then(|_| rename(document, offset, &new));
    match edits {
        Ok(edits) => {
            // A place that keeps its hyphens may be the only one with another spelling.
            let edits = edits.filter(|it| !it.is_empty())?;
            let mut found = Refactoring::new(title, edits);
            let edition = document.edition();
            let is_other = edition.normal_name(&new) != edition.normal_name(&name);
            found.new_name = is_other.then_some(new);
            fixes::are_harmless(document, &found.edits).then_some(Ok(found))
        }
        Err(refusal) => Some(Err(Unavailable::new(&title, refusal.0))),
    }
}

/// `name` in lower case, with underscores between its words.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut chars = name.chars().peekable();
    let mut before = None::<char>;
    while let Some(c) = chars.next() {
        let begins_word = c.is_ascii_uppercase()
            && before.is_some_and(|before| {
                let ends_word = before.is_ascii_lowercase() || before.is_ascii_digit();
                let next_is_small = chars.peek().is_some_and(char::is_ascii_lowercase);
                ends_word || (before.is_ascii_uppercase() && next_is_small)
            });
        if begins_word {
            snake.push('_');
        }
        snake.push(match c {
            '-' => '_',
            _ => c.to_ascii_lowercase(),
        });
        before = Some(c);
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn words_are_distinguished() {
        for (name, expected) in [
            ("orderCount", "order_count"),
            ("order-count", "order_count"),
            ("OrderID", "order_id"),
            ("HTTPServer2Go", "http_server2_go"),
            ("order_count", "order_count"),
            ("_x", "_x"),
        ] {
            assert_eq!(snake_case(name), expected);
        }
    }
}
