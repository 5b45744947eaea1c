//! The diagnostics of a document as JSON, kept from edit to edit.
//!
//! Most diagnostics keep their lines and columns after an edit, or all move by as many lines. They are rendered once.

use serde_json::value::RawValue;

use signature_ls_analysis::ide::{Diagnostic, Reported};
use signature_ls_source::text::{Text, TextEdit, TextSize};

/// How many diagnostics an edit may remove in one place for those after them to be found again. Where there are more than
/// are reported, one that is added in front of others removes one of these.
const MOST_CHANGED: usize = 64;

/// The last rendered diagnostics, and the changes of the text since.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    findings: Vec<Reported>,
    /// One per diagnostic.
    rendered: Vec<Box<RawValue>>,
    len: TextSize,
    lines: usize,
    /// The length of the unchanged prefix of the text.
    head: TextSize,
    /// The length of the unchanged suffix.
    tail: TextSize,
    /// Whether the diagnostics carry their fixes.
    carries: bool,
}

impl Rendered {
    /// Records an edit of a text of `len` bytes.
    pub(super) fn edited(&mut self, len: TextSize, edit: &TextEdit) {
        let following = len.checked_sub(edit.range.end()).unwrap_or_default();
        self.head = self.head.min(edit.range.start());
        self.tail = self.tail.min(following);
    }

    /// Renders the diagnostics `found` in `text`, sorted by place, calling `render` for those that are new or may have
    /// moved. Whether fixes are carried depends on the whole text. Returns whether anything is different from before.
    pub(super) fn update(
        &mut self,
        text: &Text,
        found: Vec<Reported>,
        carries: bool,
        render: impl Fn(&Diagnostic) -> Box<RawValue>,
    ) -> bool {
        self.carries |= carries;
        let lines = text.rope().len_lines();
        let moves = lines != self.lines;
        let before = self.same_before(&found);
        let is_same = self.same_after(text);
        let mut old = std::mem::take(&mut self.rendered).into_iter().peekable();
        let mut rendered: Vec<_> = old.by_ref().take(before).collect();
        let mut left = &self.findings[before..];
        let mut differs = false;
        for it in &found[before..] {
            let near = left.iter().take(MOST_CHANGED);
            if let Some(skipped) = near.map(|old| is_same(it, old)).position(|same| same) {
                let kept = old.nth(skipped).unwrap_or_default();
                differs |= skipped > 0 || moves;
                rendered.push(match moves {
                    true => with_lines_moved(&kept, self.lines, lines),
                    false => kept,
                });
                left = &left[skipped + 1..];
                continue;
            }
            let new = render(&it.diagnostic());
            match old.next_if(|old| old.get() == new.get()) {
                Some(_) => left = &left[1..],
                None => differs = true,
            }
            rendered.push(new);
        }
        differs |= old.next().is_some();
        self.rendered = rendered;
        self.findings = found;
        self.len = text.len();
        self.lines = lines;
        (self.head, self.tail) = (self.len, self.len);
        self.carries = carries;
        differs
    }

    /// Clears the diagnostics; returns whether there were any.
    pub(super) fn clear(&mut self) -> bool {
        let had_findings = !self.findings.is_empty();
        *self = Self::default();
        had_findings
    }

    /// All rendered diagnostics.
    pub(super) fn all(&self) -> &[Box<RawValue>] {
        &self.rendered
    }

    /// The number of unchanged diagnostics at the start.
    fn same_before(&self, found: &[Reported]) -> usize {
        // At the edge of an edit, a line end may have been added or removed.
        let is_same = |(new, old): &(&Reported, &Reported)| {
            new.extent().end() < self.head
                && is_kept(new, self.carries)
                && new.is_like(old, |new, old| new == old)
        };
        found.iter().zip(&self.findings).take_while(is_same).count()
    }

    /// Whether a diagnostic after the edits is an earlier one that only moved by whole lines.
    fn same_after(&self, text: &Text) -> impl Fn(&Reported, &Reported) -> bool + use<> {
        let edited_line = text.line_range(text.len() - self.tail);
        let first_line = edited_line.end();
        let is_last = edited_line.is_empty() || text.line_range(first_line).start() < first_line;
        let keeps_lines = text.rope().len_lines() == self.lines;
        // A place in another file does not move.
        let may_move = move |it: &Reported| keeps_lines || it.declarations().next().is_none();
        let (len_before, len) = (self.len, text.len());
        let carries = self.carries;
        let is_moved = move |new: TextSize, old: TextSize| new + len_before == old + len;
        move |new, old| {
            !is_last
                && new.is_like(old, is_moved)
                && new.extent().start() >= first_line
                && is_kept(new, carries)
                && may_move(new)
        }
    }
}

/// Whether an unchanged diagnostic is rendered as before, if diagnostics carry their fixes or did.
fn is_kept(found: &Reported, carries: bool) -> bool {
    !(carries && found.has_fixes())
}

/// A rendered diagnostic whose lines come after an edit of a text that had so many lines `before` and has so many `now`.
/// In texts, the quotes of the key are escaped.
fn with_lines_moved(rendered: &RawValue, before: usize, now: usize) -> Box<RawValue> {
    const KEY: &str = "\"line\":";
    let mut moved = String::with_capacity(rendered.get().len() + KEY.len());
    let mut parts = rendered.get().split(KEY);
    moved.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let line = part[..digits].parse::<usize>().unwrap_or_default();
        let line = (line + now).saturating_sub(before);
        moved.push_str(&format!("{KEY}{line}{}", &part[digits..]));
    }
    RawValue::from_string(moved).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;
    use serde_json::{json, value::to_raw_value};

    use super::*;
    use crate::server::position::Encoding;
    use signature_ls_analysis::ide::{self, Document, Settings};
    use signature_ls_source::{
        host::HostKind,
        text::{TextRange, size},
    };

    fn render(document: &Document, found: &Diagnostic) -> Box<RawValue> {
        let mut found = found.clone();
        match ide::carries_fixes(document) {
            true => ide::keep_carried(document, &mut found),
            false => found.fixes.clear(),
        }
        let text = document.text();
        let range = |range| Encoding::Utf16.range(text, range);
        let edits = found.fixes.iter().flat_map(|fix| &fix.edits);
        let edits: Vec<_> = edits.map(|edit| range(edit.range)).collect();
        let related = found.related.iter().map(|it| range(it.range));
        let related: Vec<_> = related.collect();
        to_raw_value(&json!([found.message, range(found.range), related, edits]))
            .expect("plain data")
    }

    /// A document, its rendered diagnostics, and how many were rendered last.
    struct Fixture {
        document: Document,
        rendered: Rendered,
        count: usize,
    }

    impl Fixture {
        fn new(kind: HostKind, text: &str) -> Self {
            let mut fixture = Self {
                document: Document::new(kind, text, Settings::default()),
                rendered: Rendered::default(),
                count: 0,
            };
            fixture.check();
            fixture
        }

        fn edit(&mut self, edit: &TextEdit) {
            self.rendered.edited(self.document.text().len(), edit);
            self.document.edit(edit);
        }

        fn check(&mut self) {
            let text = self.document.text();
            let found = self.document.findings().reported;
            let expected: Vec<_> = found.iter().map(|it| render(&self.document, it)).collect();
            let count = Cell::new(0);
            let carries = ide::carries_fixes(&self.document);
            let found = self.document.reported();
            self.rendered.update(text, found, carries, |it| {
                count.set(count.get() + 1);
                render(&self.document, it)
            });
            let texts =
                |all: &[Box<RawValue>]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(
                texts(self.rendered.all()),
                texts(&expected),
                "{:?}",
                text.rope().to_string()
            );
            self.count = count.get();
        }
    }

    #[test]
    fn only_the_findings_around_an_edit_are_rendered() {
        let line = "f(signature: \"(a :strng) -> :int\")\n";
        let mut fixture = Fixture::new(HostKind::Elixir, &line.repeat(100));
        assert_eq!(fixture.count, 100);
        let middle = size(line.len() * 50);
        fixture.edit(&TextEdit::insert(middle + TextSize::from(19), "x"));
        fixture.check();
        assert_eq!(fixture.count, 1);
        // The lines after it have other numbers now.
        fixture.edit(&TextEdit::insert(middle, "\n\n"));
        fixture.check();
        assert_eq!(fixture.count, 1);
        fixture.edit(&TextEdit::delete(TextRange::at(middle, 2.into())));
        fixture.check();
        assert_eq!(fixture.count, 1);
    }

    /// One more takes the place of the last one that is reported.
    #[test]
    fn findings_after_one_that_is_added_are_kept_at_the_limit() {
        let line = "f(signature: \"(a :strng) -> :int\")\n";
        let mut fixture = Fixture::new(HostKind::Elixir, &line.repeat(1_100));
        assert_eq!(fixture.count, 1_000);
        let start = size(line.len() * 500);
        let word = TextSize::of("f(signature: \"(a :string) -> :");
        fixture.edit(&TextEdit::insert(start + word, "x"));
        fixture.check();
        assert!(fixture.count <= 3, "{}", fixture.count);
        fixture.edit(&TextEdit::delete(TextRange::at(start + word, 1.into())));
        fixture.check();
        assert!(fixture.count <= 3, "{}", fixture.count);
    }

    #[test]
    fn a_diagnostic_at_the_end_of_the_text_moves_with_its_line() {
        // A missing character is reported at the end.
        let unclosed = "get(a :int) ->";
        for (text, edit) in [
            (unclosed.to_owned(), TextEdit::insert(2.into(), "x")),
            (format!("\n{unclosed}"), TextEdit::insert(3.into(), "x")),
            (
                format!("{unclosed}\n"),
                TextEdit::delete(TextRange::at(size(unclosed.len()), 1.into())),
            ),
            (
                format!("{unclosed}\r\n"),
                TextEdit::delete(TextRange::at(size(unclosed.len()), 1.into())),
            ),
        ] {
            let mut fixture = Fixture::new(HostKind::Catalog, &text);
            assert!(fixture.count > 0, "{text:?}");
            fixture.edit(&edit);
            fixture.check();
        }
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        proptest::sample::select(vec![
            "f(signature: \"(a :strng) -> :int\")",
            "f(prompt: \"{{b}}\", signature: \"(a-b :int) -> :flot\")",
            "f(prompt: \"{{ab}}\",\nsignature: \"(abc :int, abc :int) -> :int\")",
            "# signature-ls: ignore unknown-type",
            ":strng",
            "\"(e\\\" ]\"",
            "\n",
            "\r\n",
            "\r",
            "\"",
            "😀",
            "x",
        ])
    }

    proptest! {
        #[test]
        fn kept_diagnostics_equal_freshly_rendered_ones(
            pieces in proptest::collection::vec(piece(), 0..24),
            edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..6_usize, piece(), any::<bool>()), 1..8),
        ) {
            let mut plain = pieces.concat();
            let mut fixture = Fixture::new(HostKind::Elixir, &plain);
            for (at, len, insert, is_checked) in edits {
                let ends = plain.char_indices().map(|(at, _)| at).chain([plain.len()]);
                let ends: Vec<usize> = ends.collect();
                let start = at.index(ends.len());
                let end = (start + len).min(ends.len() - 1);
                let edit = TextEdit::replace(TextRange::new(size(ends[start]), size(ends[end])), insert);
                edit.apply(&mut plain);
                fixture.edit(&edit);
                if is_checked {
                    fixture.check();
                }
            }
            fixture.check();
        }
    }
}
