//! The canonical form of a catalog: its entries on one line, their descriptions indented by two spaces.

use crate::ide::{Document, Severity, analysis::UnitAnalysis, fragment::Tree};
use signature_ls_source::{
    host::PlacedUnit,
    syntax::catalog::ast::{self, Entry},
    text::{Text, TextEdit, TextRange, TextSize, size},
};

/// The indentation of a description.
const INDENTATION: &str = "  ";

/// The edits that format the entries of a catalog.
///
/// Comments and blank lines are kept. Entries with errors, and signatures with comments between their lines, do not
/// change.
pub(super) fn format(document: &Document) -> Vec<TextEdit> {
    format_range(document, TextRange::up_to(document.text().len()))
}

/// The same for the entries that `range` touches.
pub(super) fn format_range(document: &Document, range: TextRange) -> Vec<TextEdit> {
    let entries = document.units_in(range).filter_map(|(placed, analysis)| {
        let mut found = document.diagnostics_of(placed, analysis).iter();
        let has_errors = found.any(|it| it.severity == Severity::Error);
        let entry = placed.unit.catalog_entry().filter(|_| !has_errors)?;
        Some(format_entry(document.text(), placed, analysis, &entry))
    });
    entries.flatten().collect()
}

fn format_entry(
    text: &Text,
    placed: &PlacedUnit,
    analysis: &UnitAnalysis,
    entry: &Entry,
) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    if let Some((range, new)) = format_head(analysis, entry) {
        let range = range + placed.start;
        edits.push(TextEdit::replace(range, new));
        edits.extend(blank_after(text, range.end()).map(TextEdit::delete));
    }
    if let Some(description) = entry.description() {
        let description = description.text_range() + placed.start;
        format_description(text, description, &mut edits);
    }
    edits.retain(|edit| text.slice(edit.range) != edit.insert);
    edits
}

/// The place of the name and the signature, and their formatted text.
fn format_head(analysis: &UnitAnalysis, entry: &Entry) -> Option<(TextRange, String)> {
    let (name, node) = (entry.name()?, entry.signature()?);
    if !ast::comments(&node).is_empty() {
        return None;
    }
    let signature = analysis.fragments.iter().find_map(|it| match &it.tree {
        Tree::Signature { lowered, .. } => Some(&lowered.signature),
        Tree::Template { .. } | Tree::Text => None,
    })?;
    let range = name.text_range().cover(node.text_range());
    Some((range, format!("{}{signature}", name.text())))
}

/// The rest of the line after `end`, if it is blank.
fn blank_after(text: &Text, end: TextSize) -> Option<TextRange> {
    let rest = TextRange::new(end, text.line_range(end).end());
    let rest_text = text.slice(rest);
    let blank = rest_text.trim_end_matches(['\n', '\r']);
    let range = TextRange::at(end, TextSize::of(blank));
    blank.trim().is_empty().then_some(range)
}

/// Formats the white space around the lines of the description at `range`.
fn format_description(text: &Text, range: TextRange, edits: &mut Vec<TextEdit>) {
    let mut line = text.line_range(range.start());
    let margin = range.start() - line.start();
    while line.start() < range.end() {
        let line_text = text.slice(line);
        let content = line_text.trim();
        let indented = line_text.len() - line_text.trim_start().len();
        let start = line.start() + size(indented);
        let end = start + TextSize::of(content);
        let line_end = line.start() + TextSize::of(line_text.trim_end_matches(['\n', '\r']));
        if content.is_empty() {
            edits.push(TextEdit::delete(TextRange::new(line.start(), line_end)));
        } else {
            edits.push(TextEdit::replace(
                TextRange::at(line.start(), margin),
                INDENTATION,
            ));
            edits.push(TextEdit::delete(TextRange::new(end, line_end)));
        }
        if line.end() >= text.len() {
            break;
        }
        line = text.line_range(line.end());
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;
    use crate::ide::{Settings, listing};
    use signature_ls_source::host::HostKind;

    fn formatted(kind: HostKind, text: &str) -> String {
        let document = Document::new(kind, text, Settings::default());
        let mut text = text.to_owned();
        for edit in format(&document).iter().rev() {
            edit.apply(&mut text);
        }
        text
    }

    #[test]
    fn entries_get_their_canonical_form() {
        let text = "# tools  \n\n\nsearch ( query:string,limit :int? )->[ {id :boolean} ]   # why\n\tFinds.  \n\t  deeper\n \n\
                    \tMore.\nget(\n  id :int\n)\n-> :map\n; wrong\nnow :datetime\n    Not touched.\nodd(id :uuid) ->  :map\n\
                    kept(\n id :int # this\n)  -> :map\n One.";
        expect![[r#"
            # tools  


            search(query :string, limit :int?) -> [{id :bool}]   # why
              Finds.
                deeper

              More.
            get(id :int) -> :map
            ; wrong
            now :datetime
                Not touched.
            odd(id :uuid) ->  :map
            kept(
             id :int # this
            )  -> :map
              One."#]]
        .assert_eq(&formatted(HostKind::Catalog, text));
        assert_eq!(
            formatted(
                HostKind::Catalog,
                "a() -> :int  \nb() -> :int \t\r\n\tx\nc() -> :int "
            ),
            "a() -> :int\nb() -> :int\r\n  x\nc() -> :int"
        );
        assert_eq!(
            formatted(HostKind::Catalog, "a( ) -> :map\r\n\tx \r\n\r\n \ty\r\n"),
            "a() -> :map\r\n  \tx\r\n\r\n   \ty\r\n"
        );
    }

    #[test]
    fn other_documents_stay() {
        let text = "signature: \"( a:int )->:int\"\n";
        assert_eq!(formatted(HostKind::Yaml, text), text);
    }

    proptest! {
        /// Formatting is idempotent and keeps the meaning.
        #[test]
        fn formatting_changes_no_meaning(pieces in proptest::collection::vec(proptest::sample::select(vec![
            "a(x :int) -> :int", "b ( x:int,\n y :int )->[ :map]", "c(x :int # of\n) -> :any", "\n", "\n\n", "\r\n", "  ", "\t",
            "# x", "Text of it.", "\n  More.", "\n\t\tMore.  ", "d(x :in) -> :int", " ", "é", "(",
        ]), 0..30)) {
            let text = pieces.concat();
            let once = formatted(HostKind::Catalog, &text);
            prop_assert_eq!(formatted(HostKind::Catalog, &once), once.as_str(), "{:?}", text);
            let meaning = |text: &str| -> Vec<_> {
                let document = Document::new(HostKind::Catalog, text, Settings::default());
                let listed = listing(&document).into_iter();
                listed
                    .map(|it| {
                        let description = it.description.unwrap_or_default();
                        let lines = description.lines().map(|it| it.trim_end().to_owned());
                        (it.name, it.signature.to_string(), lines.collect::<Vec<_>>())
                    })
                    .collect()
            };
            prop_assert_eq!(meaning(&once), meaning(&text), "{:?}", text);
        }
    }
}
