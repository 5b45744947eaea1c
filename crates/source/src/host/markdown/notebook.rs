//! The cells of a notebook: one Elixir program, so that names flow from cell to cell.

use std::iter;

use crate::{
    host::{
        Notation, PlacedUnit, Roles, elixir,
        markdown::{
            blocks::{CodeBlock, with_line_feeds},
            edit::Region,
            embedded::leave_out_elisions,
        },
        units::{Units, moved, moved_back},
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The cells of a notebook, updated from edit to edit. Their code has the places that it has in the document, with
/// white space in place of the text between cells.
#[derive(Debug, Clone)]
pub(super) struct Notebook {
    code: elixir::Sites,
    /// The units of the code, with abbreviated signatures.
    units: Units,
}

impl Notebook {
    /// Reads the cells among the blocks `code` of `text`, which begins at `start` of the document.
    pub(super) fn read(text: &str, start: TextSize, code: &[CodeBlock], roles: &Roles) -> Self {
        let head = " ".repeat(start.into());
        let code = head + &joined(text, start, code);
        let (code, units) = elixir::Sites::parse(&code, roles.of(Notation::Elixir), true, false);
        let units = Units::from(units);
        Self { code, units }
    }

    /// The units that begin in `range`, without abbreviated signatures.
    pub(super) fn units_in(&self, range: TextRange, text: &Text) -> Vec<PlacedUnit> {
        let mut units = self.units.as_slice()[self.units.beginning_in(range)].to_vec();
        units.retain_mut(|placed| leave_out_elisions(placed, |content| text.slice(content)));
        units
    }

    /// Applies `edit` to the cells of what is now `text`, which were `old` in its region. Returns a range before the edit in which all units
    /// begin that it changed; `None` if all cells have to be read again.
    pub(super) fn edit(
        &mut self,
        text: &Text,
        region: &Region<'_>,
        old: &[CodeBlock],
        edit: &TextEdit,
        roles: &Roles,
    ) -> Option<TextRange> {
        let edit_of_code = edit_of_code(region, old, edit);
        let roles = roles.of(Notation::Elixir);
        let change = self
            .code
            .edit(text, &edit_of_code, &mut self.units, roles)?;
        if change.removed.is_empty() && change.inserted == 0 {
            return Some(region.old);
        }
        let units = self.units.as_slice();
        let before = change.removed.start.checked_sub(1);
        let after = units.get(change.removed.start + change.inserted);
        let start = before.map_or(TextSize::default(), |before| units[before].start);
        let end = after.map(|after| moved_back(after.start, edit) + TextSize::from(1));
        let end = end.unwrap_or(TextSize::from(u32::MAX));
        Some(TextRange::new(start, end.max(start)).cover(region.old))
    }
}

/// What `edit` changes in the code of a notebook, whose cells in its region were `old`.
fn edit_of_code(region: &Region<'_>, old: &[CodeBlock], edit: &TextEdit) -> TextEdit {
    let all = &region.stretch.code;
    let mut old: Vec<_> = old.iter().filter(|it| it.is_cell()).collect();
    let mut new: Vec<_> = all.iter().filter(|it| it.is_cell()).collect();
    let is_same = |(old, new): &(&&CodeBlock, &&CodeBlock)| Region::is_same_block(old, new, edit);
    let head = iter::zip(&old, &new).take_while(is_same).count();
    old.drain(..head);
    new.drain(..head);
    let tail = iter::zip(old.iter().rev(), new.iter().rev());
    let tail = tail.take_while(is_same).count();
    old.truncate(old.len() - tail);
    new.truncate(new.len() - tail);

    let follow = |range: TextRange| TextRange::new(range.start(), moved(range.end(), edit));
    if let ([old], [new]) = (&old[..], &new[..])
        && old.range().contains_range(edit.range)
        && follow(old.range()) == new.range()
    {
        return edit.clone();
    }
    let follow_back = |range: TextRange| {
        TextRange::new(
            moved_back(range.start(), edit),
            moved_back(range.end(), edit),
        )
    };
    let changed = old.iter().map(|it| it.range());
    let changed = changed.chain(new.iter().map(|it| follow_back(it.range())));
    let range = changed.fold(edit.range, TextRange::cover);
    let stretch = &region.stretch;
    let text = &stretch.text[follow(range) - stretch.start];
    let within = all
        .iter()
        .filter(|it| follow(range).contains_range(it.range()));
    let within: Vec<_> = within.cloned().collect();
    TextEdit::replace(range, joined(text, range.start(), &within))
}

/// `text`, which begins at `start` of the document, with white space in place of what is in no cell.
fn joined(text: &str, start: TextSize, code: &[CodeBlock]) -> String {
    let text = &*with_line_feeds(text);
    // The text between cells is blank, apart from the end of the last statement.
    let blank = |text: &str| -> String {
        let bytes = text.bytes();
        let blank = bytes.map(|it| if it == b'\n' { '\n' } else { ' ' });
        blank.collect()
    };
    let mut joined = String::with_capacity(text.len());
    for cell in code.iter().filter(|it| it.is_cell()) {
        let range = cell.range() - start;
        joined.push_str(&blank(&text[joined.len()..range.start().into()]));
        joined.push_str(&text[range]);
    }
    joined.push_str(&blank(&text[joined.len()..]));
    joined
}
