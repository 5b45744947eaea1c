//! Items of a text, stored separately from their positions.
//!
//! The positions are one flat list of numbers. Moving all that follows an edit is one pass over that list, which takes
//! microseconds for the longest files, and leaves the items themselves alone. Clones share the items, in chunks: a reader
//! of one version of a document makes the next edit no slower.

mod chunks;

use std::{ops::Range, sync::Arc};

use chunks::Chunks;

use crate::text::{TextEdit, TextRange, TextSize};

/// Items in the order of their first position; each has `N` positions.
#[derive(Debug, Clone)]
pub struct Moving<T, const N: usize> {
    places: Vec<[TextSize; N]>,
    items: Chunks<T>,
}

impl<T, const N: usize> Default for Moving<T, N> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            items: Chunks::default(),
        }
    }
}

impl<T, const N: usize> FromIterator<([TextSize; N], T)> for Moving<T, N> {
    fn from_iter<I: IntoIterator<Item = ([TextSize; N], T)>>(items: I) -> Self {
        let items = items
            .into_iter()
            .map(|(place, item)| (place, Arc::new(item)));
        let (places, items): (_, Vec<_>) = items.unzip();
        Self {
            places,
            items: items.into(),
        }
    }
}

impl<T, const N: usize> Moving<T, N> {
    /// Adds an item, in any order; see [`Self::sort`].
    pub fn push(&mut self, place: [TextSize; N], item: T) {
        self.places.push(place);
        self.items.push(Arc::new(item));
    }

    /// Puts the items in the order of their first position.
    pub fn sort(&mut self) {
        if self.places.is_sorted_by_key(|place| place[0]) {
            return;
        }
        let items = std::mem::take(self);
        let all = items.places.into_iter().zip(items.items.into_items());
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(place, _)| place[0]);
        let (places, items): (_, Vec<_>) = all.into_iter().unzip();
        self.places = places;
        self.items = items.into();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The positions of all items.
    pub fn places(&self) -> &[[TextSize; N]] {
        &self.places
    }

    /// The items at some indices without their positions.
    pub fn items(&self, range: Range<usize>) -> impl Iterator<Item = &T> {
        self.items.slice(range)
    }

    /// The item at `index` without its positions.
    pub fn item(&self, index: usize) -> &T {
        self.items.get(index)
    }

    /// All items with their positions.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ([TextSize; N], &T)> {
        self.slice(0..self.len())
    }

    /// The items at some indices with their positions.
    pub fn slice(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = ([TextSize; N], &T)> {
        self.items.pieces(range).flat_map(|(first, items)| {
            let places = &self.places[first..first + items.len()];
            let items = items.iter().map(|item| &**item);
            places.iter().copied().zip(items)
        })
    }

    /// The item at `index`, to be changed. Where it begins stays the same.
    pub fn get_mut(&mut self, index: usize) -> (&mut [TextSize; N], &mut T)
    where
        T: Clone,
    {
        (
            &mut self.places[index],
            Arc::make_mut(self.items.get_mut(index)),
        )
    }

    /// The number of items that begin before `offset`.
    pub fn before(&self, offset: TextSize) -> usize {
        self.places.partition_point(|place| place[0] < offset)
    }

    /// The number of items that begin before `offset` or at it.
    pub fn up_to(&self, offset: TextSize) -> usize {
        self.places.partition_point(|place| place[0] <= offset)
    }

    /// The indices of the items that begin in `range`.
    pub fn beginning_in(&self, range: TextRange) -> Range<usize> {
        let first = self.before(range.start());
        first..self.before(range.end()).max(first)
    }

    /// Puts `new` in the place of the items at `removed`, and moves the others as `edit` moves them.
    pub fn replace(&mut self, removed: Range<usize>, new: Self, edit: &TextEdit) {
        let (before, rest) = self.places.split_at_mut(removed.start);
        move_all(before.as_flattened_mut(), edit);
        move_all(rest[removed.len()..].as_flattened_mut(), edit);
        if removed.is_empty() && new.len() == 0 {
            return;
        }
        self.places.splice(removed.clone(), new.places);
        self.items.splice(removed, new.items.into_items());
    }
}

/// Moves positions as `edit` moves them.
fn move_all(places: &mut [TextSize], edit: &TextEdit) {
    let (end, removed) = (edit.range.end(), edit.range.len());
    let inserted = TextSize::of(edit.insert.as_str());
    for place in places {
        // Without a branch, several at a time.
        *place = match *place < end {
            true => *place,
            false => *place + inserted - removed,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::units::moved;

    #[test]
    fn what_follows_an_edit_moves_and_ends_around_it_too() {
        let place = |start: u32, end: u32| [TextSize::from(start), TextSize::from(end)];
        let mut list: Moving<char, 2> = [
            (place(20, 30), 'b'),
            (place(0, 90), 'a'),
            (place(40, 50), 'c'),
        ]
        .into_iter()
        .collect();
        list.sort();
        assert!(list.items(0..3).eq(&['a', 'b', 'c']));
        let edit = TextEdit::insert(25.into(), "xyz");
        let new = [(place(20, 33), 'd'), (place(21, 22), 'e')]
            .into_iter()
            .collect();
        let removed = list.beginning_in(TextRange::new(20.into(), 30.into()));
        list.replace(removed, new, &edit);
        let shown: Vec<_> = list.iter().map(|(place, item)| (place, *item)).collect();
        assert_eq!(
            shown,
            [
                (place(0, 93), 'a'),
                (place(20, 33), 'd'),
                (place(21, 22), 'e'),
                (place(43, 53), 'c'),
            ]
        );
        assert_eq!(moved(40.into(), &edit), 43.into());
        assert_eq!((list.before(21.into()), list.up_to(21.into())), (2, 3));
    }
}
