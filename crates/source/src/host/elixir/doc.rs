//! Documentation: `@doc`, `@moduledoc` and `@typedoc` contain Markdown, a separate host.

use std::{ops::Range, sync::Arc};

use super::literal::{is_text, literal};
use crate::{
    host::{
        PlacedUnit, RolesIn, foreign,
        markdown::units_in_doc,
        search,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize, size},
};

const ATTRIBUTES: [&str; 3] = ["doc", "moduledoc", "typedoc"];

/// The units in the code of a documentation attribute.
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
    if !search::may_matter_in_doc(text, roles.everywhere()) {
        return Vec::new();
    }
    let doc = Unescaped::new(text, string, content.start());
    let mut units = units_in_doc(&doc.text, indentation(string), roles.everywhere());
    for unit in &mut units {
        foreign::mark_margins(unit, &doc.margins);
        unit.start += content.start();
        // The names are those of the code in the documentation, which is reparsed as a whole.
        if unit.unit.is_linked {
            Arc::make_mut(&mut unit.unit).is_linked = false;
        }
    }
    units
}

/// The text of a string with blanks in place of backslashes.
///
/// Backslashes that escape a quote, a backslash or `#` become blanks. Those of adjacent escapes move before all of
/// them, so that the escaped characters form one word: `\"\"\"` becomes three blanks and `"""`.
struct Unescaped {
    text: String,
    /// The blanks, in bytes of the text.
    margins: Vec<TextRange>,
}

impl Unescaped {
    /// Converts `text`, the content of `string`, which begins at `start` of the document.
    fn new(text: &str, string: &Element<'_>, start: TextSize) -> Self {
        let mut doc = Self {
            text: String::with_capacity(text.len()),
            margins: Vec::new(),
        };
        let mut escaped = String::new();
        for part in string.elements() {
            let is_plain = matches!(part.text(), "\\\"" | "\\\\" | "\\#" | "\\'");
            if part.kind() == Kind::Escape && is_plain {
                escaped.push_str(&part.text()[1..]);
                continue;
            }
            doc.push_escaped(&mut escaped);
            if let Some(range) = part.range.checked_sub(start) {
                doc.text
                    .push_str(text.get(Range::<usize>::from(range)).unwrap_or_default());
            }
        }
        doc.push_escaped(&mut escaped);
        doc
    }

    fn push_escaped(&mut self, escaped: &mut String) {
        if escaped.is_empty() {
            return;
        }
        let blank = TextRange::at(size(self.text.len()), size(escaped.len()));
        self.margins.push(blank);
        self.text.extend(std::iter::repeat_n(' ', escaped.len()));
        self.text.push_str(&std::mem::take(escaped));
    }
}

/// The white space before the closing delimiter of a heredoc, which is not part of any line.
fn indentation(string: &Element<'_>) -> usize {
    if !matches!(string.kind(), Kind::Heredoc | Kind::SigilHeredoc) {
        return 0;
    }
    let closer = string.elements().last().map_or("", |last| last.text());
    closer.len() - closer.trim_start().len()
}
