//! The parts around an edit.

use std::ops::Range;

use crate::{
    host::{
        units::moved,
        yaml::{
            cut::{Cut, CutKind},
            levels::Levels,
            part::Part,
        },
    },
    text::{TextEdit, TextRange},
};

/// The parts of the document to which the part at `index` belongs.
pub(super) fn mapping_of(parts: &[Part], index: usize) -> Range<usize> {
    let is_next = |part: &Part| part.cut.kind.goes_on();
    let until = (index + 1).min(parts.len());
    let start = parts[..until].iter().rposition(|part| !is_next(part));
    let more = parts[until..].iter().take_while(|part| is_next(part));
    start.unwrap_or(0)..until + more.count()
}

/// The parts that `edit` touches, and the new parts in their place.
pub(super) fn touched(
    parts: &[Part],
    cuts: &[Cut],
    edit: &TextEdit,
) -> (Range<usize>, Range<usize>) {
    let head = parts
        .iter()
        .zip(cuts)
        .take_while(|(old, new)| old.cut.range.end() <= edit.range.start() && old.cut == **new)
        .count();
    let tail = parts[head..]
        .iter()
        .rev()
        .zip(cuts[head..].iter().rev())
        .take_while(|(old, new)| {
            edit.range.end() <= old.cut.range.start()
                && old.cut.kind == new.kind
                && moved_range(old.cut.range, edit) == new.range
        })
        .count();
    (head..parts.len() - tail, head..cuts.len() - tail)
}

/// Whether the document around the parts that became others begins and ends where it did.
pub(super) fn is_in_one_document(old: &[Part], new: &[Cut]) -> bool {
    let next = CutKind::Next(Levels::default());
    let first_old = old.first().map_or(next, |part| part.cut.kind);
    let first_new = new.first().map_or(next, |cut| cut.kind);
    let mut more_old = old.iter().skip(1).map(|part| part.cut.kind);
    let mut more_new = new.iter().skip(1).map(|cut| cut.kind);
    (first_old == first_new || (first_old.goes_on() && first_new.goes_on()))
        && more_old.all(CutKind::goes_on)
        && more_new.all(CutKind::goes_on)
}

/// The first of the parts at `indices`, or the one before them.
pub(super) fn near(indices: &Range<usize>) -> Option<usize> {
    match indices.is_empty() {
        true => indices.start.checked_sub(1),
        false => Some(indices.start),
    }
}

/// The range of the parts at `indices`.
pub(super) fn stretch(parts: &[Part], indices: &Range<usize>) -> TextRange {
    let end_of = |index: usize| parts.get(index).map(|part| part.cut.range.end());
    let before = indices.start.checked_sub(1).and_then(end_of);
    let start = before.unwrap_or_default();
    let last = indices.end.checked_sub(1).and_then(end_of);
    TextRange::new(start, last.unwrap_or_default().max(start))
}

/// The place of a part after an edit before it.
pub(super) fn moved_range(range: TextRange, edit: &TextEdit) -> TextRange {
    TextRange::at(moved(range.start(), edit), range.len())
}
