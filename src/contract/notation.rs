//! Values in the notations of hosts.

use crate::{
    contract::{Value, json, terms::elixir, yaml},
    host::Notation,
    text::{TextRange, TextSize},
};

/// Reads a value that stands `column` bytes behind the beginning of its line, which YAML must know.
/// `None` where it cannot be read; other rules and other servers say what is wrong with it.
pub fn read(notation: Notation, text: &str, column: usize) -> Option<Value> {
    match notation {
        Notation::Json => json::read(text).ok(),
        Notation::Yaml => {
            let indented = format!("{}{text}", " ".repeat(column));
            let by = TextSize::try_from(column).ok()?;
            Some(
                yaml::read(&indented)
                    .ok()?
                    .map_ranges(&|range| earlier(range, by)),
            )
        }
        Notation::Elixir => elixir::read(text),
        Notation::Lisp => None,
    }
}

/// The white space before the value is not part of the document.
fn earlier(range: TextRange, by: TextSize) -> TextRange {
    let back = |offset: TextSize| offset.checked_sub(by).unwrap_or_default();
    TextRange::new(back(range.start()), back(range.end()))
}
