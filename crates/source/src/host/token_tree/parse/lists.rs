//! The lists of elements of open nodes: where they are cut into runs.

use std::ops::Range;

use super::{
    super::{Kind, builder::Builder},
    Open, Parser, Place,
};
use crate::syntax::runs::{Elements as _, Runs};

/// A row of so many elements that cannot be cut is divided anyway.
const LONG_ROW: usize = 2048;

/// The number of elements of each run then.
const DIVIDED: usize = 32;

/// A list of elements under construction.
pub(in crate::host::token_tree) struct List {
    pub runs: Runs,
    /// Whether the last element is a line end or a comma.
    pub is_cut: bool,
}

impl List {
    pub fn new(builder: &Builder) -> Self {
        Self {
            runs: Runs::new(builder),
            is_cut: false,
        }
    }
}

impl Parser<'_> {
    /// Makes room for a token. A long list that cannot be cut is divided anyway: equal runs are one, and it mostly
    /// repeats a few characters.
    #[cold]
    pub(super) fn make_room(&mut self) {
        let Some((depth, row)) = self.long_row() else {
            return self.builder.make_room(self.offset, self.text.len());
        };
        let inside = self.builder.take_from(row.end);
        let mut elements = self.builder.take_from(row.start).into_iter();
        let list = innermost_list(&mut self.open[..depth], &mut self.root);
        while elements.len() > 0 {
            self.builder.extend(elements.by_ref().take(DIVIDED));
            list.runs.end_runs(&mut self.builder);
        }
        let end = self.builder.checkpoint();
        self.builder.extend(inside);
        for open in &mut self.open[depth..] {
            open.place.move_from(row.end, end);
        }
    }

    /// The elements since the last run of a long list, and the number of open nodes around the list.
    fn long_row(&self) -> Option<(usize, Range<usize>)> {
        let lists = self.open.iter().map(|open| match &open.place {
            Place::At(_, list) | Place::Before(list) => list,
        });
        let ends = self.open.iter().map(|open| match &open.place {
            Place::At(checkpoint, _) => *checkpoint,
            Place::Before(list) => list.runs.since(),
        });
        let lists = [&self.root].into_iter().chain(lists);
        let rows = lists.zip(ends.chain([self.builder.checkpoint()]));
        let mut rows = rows.map(|(list, end)| list.runs.since()..end).enumerate();
        rows.find(|(_, row)| row.len() >= LONG_ROW)
    }

    /// Records that the list can be cut after a token of the kind `kind`, if it can.
    pub(super) fn note_cut(&mut self, kind: Kind) {
        let is_cut = matches!(kind, Kind::Newline | Kind::Comma);
        if is_cut && let Some(list) = self.innermost_list() {
            list.is_cut = true;
            self.may_cut = true;
        }
    }

    /// Cuts the list before a token of the kind `next`, if possible; a comma stays with its line end.
    #[inline]
    pub(super) fn cut_list(&mut self, next: Kind) {
        if std::mem::take(&mut self.may_cut) {
            self.cut_innermost_list(next);
        }
    }

    fn cut_innermost_list(&mut self, next: Kind) {
        if !self.beyond.is_empty() {
            return;
        }
        let list = innermost_list(&mut self.open, &mut self.root);
        if std::mem::take(&mut list.is_cut) && next != Kind::Newline {
            list.runs.cut(&mut self.builder);
        }
    }
}

/// The list of the innermost node in the tree.
pub(in crate::host::token_tree) fn innermost_list<'a>(
    open: &'a mut [Open],
    root: &'a mut List,
) -> &'a mut List {
    match open.last_mut().map(|open| &mut open.place) {
        None => root,
        Some(Place::At(_, list) | Place::Before(list)) => list,
    }
}
