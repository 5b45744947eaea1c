//! Documentation: `@doc`, `@moduledoc` and `@typedoc` hold Markdown, which is a host of its own.

use super::literal::{is_text, literal};
use crate::host::{
    PlacedUnit, RolesIn,
    markdown::units_in_doc,
    token_tree::{Element, Kind},
};

const ATTRIBUTES: [&str; 3] = ["doc", "moduledoc", "typedoc"];

/// What Markdown has where there is code in it; text without any of these is not worth reading.
const MARKS_OF_CODE: [&str; 3] = ["iex", "```", "~~~"];

/// The units in the code of a statement that documents something.
pub fn units(statement: &[Element<'_>], roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let [sign, name, string] = statement else {
        return Vec::new();
    };
    let is_doc = sign.text() == "@" && ATTRIBUTES.contains(&name.text()) && is_text(string);
    if !is_doc {
        return Vec::new();
    }
    let content = literal(string).content;
    let text = string.full_text();
    let text = &text[content - string.range.start()];
    if !MARKS_OF_CODE.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let mut units = units_in_doc(text, indentation(string), roles.everywhere());
    for unit in &mut units {
        unit.start += content.start();
    }
    units
}

/// The white space before the delimiter that ends a heredoc, which is no part of any line.
fn indentation(string: &Element<'_>) -> usize {
    if !matches!(string.kind, Kind::Heredoc | Kind::SigilHeredoc) {
        return 0;
    }
    let closer = string.elements().last().map_or("", |last| last.text());
    closer.len() - closer.trim_start().len()
}
