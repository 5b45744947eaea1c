//! Neighboring items, which move together.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use crate::{
    host::{moving::Keyed, units::moved},
    text::{TextEdit, TextSize},
};

/// Some items. Clones share them.
#[derive(Debug)]
pub(super) struct Chunk<T, const N: usize> {
    /// The offset of the positions, which may be negative: sums wrap around.
    shift: u32,
    /// The lowest and the highest position.
    bounds: (TextSize, TextSize),
    /// The items with their positions, without `shift`.
    items: Arc<Vec<([TextSize; N], Arc<T>)>>,
    /// The keys of the items, computed on request.
    keys: OnceLock<Keys>,
}

/// The number of words of a filter.
const WORDS: usize = 16;

/// The keys of items.
#[derive(Debug, Clone)]
struct Keys {
    /// Has a bit for each key. It is here and not behind a pointer because most chunks do not have a key that is
    /// looked up.
    filter: [u64; WORDS],
    /// The keys, sorted, each with the index of its item.
    sorted: Arc<Vec<(u64, usize)>>,
}

impl Keys {
    fn of(mut keys: Vec<(u64, usize)>) -> Self {
        keys.sort_unstable();
        let mut filter = [0; WORDS];
        for (key, _) in &keys {
            let (word, bit) = place_in_filter(*key);
            filter[word] |= bit;
        }
        Self {
            filter,
            sorted: Arc::new(keys),
        }
    }

    fn of_key(&self, key: u64) -> &[(u64, usize)] {
        let (word, bit) = place_in_filter(key);
        if self.filter[word] & bit == 0 {
            return &[];
        }
        let first = self.sorted.partition_point(|(it, _)| *it < key);
        let count = self.sorted[first..].partition_point(|(it, _)| *it == key);
        &self.sorted[first..first + count]
    }
}

/// The word and the bit of a key in a filter.
fn place_in_filter(key: u64) -> (usize, u64) {
    ((key >> 6) as usize % WORDS, 1 << (key % 64))
}

impl<T, const N: usize> Clone for Chunk<T, N> {
    fn clone(&self) -> Self {
        Self {
            items: Arc::clone(&self.items),
            keys: self.keys.clone(),
            ..*self
        }
    }
}

impl<T, const N: usize> Chunk<T, N> {
    pub(super) fn new(items: Vec<([TextSize; N], Arc<T>)>) -> Self {
        let places = items.iter().map(|(place, _)| place);
        Self {
            shift: 0,
            bounds: places.fold(NOWHERE, |all, place| cover(all, place)),
            items: Arc::new(items),
            keys: OnceLock::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The positions of the item at `index`, and the item.
    pub(super) fn get(&self, index: usize) -> ([TextSize; N], &T) {
        let (place, item) = &self.items[index];
        (all_shifted(place, self.shift), item)
    }

    /// All items with their positions.
    pub(super) fn items(&self) -> impl Iterator<Item = ([TextSize; N], Arc<T>)> {
        let items = self.items.iter();
        items.map(|(place, item)| (all_shifted(place, self.shift), Arc::clone(item)))
    }

    /// The lowest and the highest position.
    pub(super) fn bounds(&self) -> (TextSize, TextSize) {
        self.bounds
    }

    /// The number of items at the start whose first position `is_before`.
    pub(super) fn partition_point(&self, is_before: impl Fn(TextSize) -> bool) -> usize {
        let is_before =
            |(place, _): &([TextSize; N], Arc<T>)| is_before(shifted(place[0], self.shift));
        self.items.partition_point(is_before)
    }

    /// The indices of the items with `key`, ascending.
    pub(super) fn keyed(&self, key: u64) -> impl DoubleEndedIterator<Item = usize>
    where
        T: Keyed,
    {
        let keys = self.keys.get_or_init(|| {
            let items = self.items.iter().enumerate();
            let keys = items.flat_map(|(index, (_, it))| it.keys().map(move |key| (key, index)));
            Keys::of(keys.collect())
        });
        keys.of_key(key).iter().map(|(_, index)| *index)
    }

    /// Moves the positions by `edit`.
    pub(super) fn follow(&mut self, edit: &TextEdit) {
        let (lowest, highest) = self.bounds;
        if highest < edit.range.end() {
            return;
        }
        if lowest >= edit.range.end() {
            let inserted = u32::from(TextSize::of(edit.insert.as_str()));
            let grown = inserted.wrapping_sub(u32::from(edit.range.len()));
            self.shift = self.shift.wrapping_add(grown);
            self.bounds = (moved(lowest, edit), moved(highest, edit));
            return;
        }
        let shift = std::mem::take(&mut self.shift);
        let (mut lowest, mut highest) = NOWHERE;
        for (place, _) in self.items_mut() {
            for it in place {
                *it = moved(shifted(*it, shift), edit);
                lowest = lowest.min(*it);
                highest = highest.max(*it);
            }
        }
        self.bounds = (lowest, highest);
    }

    /// Adds an item after the others.
    pub(super) fn push(&mut self, item: ([TextSize; N], Arc<T>)) {
        self.splice(self.len()..self.len(), &[item]);
    }

    /// Replaces the items at `removed` by `new`.
    pub(super) fn splice(&mut self, removed: Range<usize>, new: &[([TextSize; N], Arc<T>)]) {
        let back = self.shift.wrapping_neg();
        for (place, _) in new {
            self.bounds = cover(self.bounds, place);
        }
        let new = new.iter();
        let new = new.map(|(place, item)| (all_shifted(place, back), Arc::clone(item)));
        self.keys = OnceLock::new();
        self.items_mut().splice(removed, new);
    }

    /// Changes the item at `index` and its positions.
    pub(super) fn update(&mut self, index: usize, change: impl FnOnce(&mut [TextSize; N], &mut T))
    where
        T: Clone,
    {
        let shift = self.shift;
        self.keys = OnceLock::new();
        let (place, item) = &mut self.items_mut()[index];
        let mut now = all_shifted(place, shift);
        change(&mut now, Arc::make_mut(item));
        *place = all_shifted(&now, shift.wrapping_neg());
        self.bounds = cover(self.bounds, &now);
    }

    fn items_mut(&mut self) -> &mut Vec<([TextSize; N], Arc<T>)> {
        Arc::make_mut(&mut self.items)
    }
}

/// The bounds of no positions.
const NOWHERE: (TextSize, TextSize) = (TextSize::new(u32::MAX), TextSize::new(0));

/// The lowest and the highest of some positions.
pub(super) fn bounds(place: &[TextSize]) -> (TextSize, TextSize) {
    cover(NOWHERE, place)
}

/// `bounds`, widened to some positions.
fn cover(
    (mut lowest, mut highest): (TextSize, TextSize),
    place: &[TextSize],
) -> (TextSize, TextSize) {
    for &it in place {
        lowest = lowest.min(it);
        highest = highest.max(it);
    }
    (lowest, highest)
}

fn all_shifted<const N: usize>(place: &[TextSize; N], shift: u32) -> [TextSize; N] {
    let mut place = *place;
    for it in &mut place {
        *it = shifted(*it, shift);
    }
    place
}

fn shifted(position: TextSize, shift: u32) -> TextSize {
    u32::from(position).wrapping_add(shift).into()
}
