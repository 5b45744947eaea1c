//! Neighboring items, which move together.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use crate::{
    host::{HAS_SMALL_STEPS, moving::Keyed, units::moved},
    text::{TextEdit, TextRange, TextSize},
};

/// Some items. Clones share them.
#[derive(Debug)]
pub(super) struct Chunk<T, const N: usize> {
    /// What edits have added to the positions in `items`.
    shifts: Shifts,
    /// The positions before the gap, and those from there on.
    sides: [Side; 2],
    /// The first position of the first item without its shift. A search needs it of many chunks.
    first: TextSize,
    /// The items with their positions, without `shifts`.
    items: Arc<Vec<([TextSize; N], Arc<T>)>>,
    /// The keys of the items, computed on request.
    keys: OnceLock<Keys>,
}

/// What is added to the positions of a chunk. It may be negative: sums wrap around.
///
/// The blocks of many items end far behind them, often at the end of the text. So positions before and after an edit
/// may move by different numbers, and the positions themselves stay as they are.
#[derive(Debug, Clone, Copy)]
struct Shifts {
    /// The first position, without its shift, that moves by `after`.
    gap: TextSize,
    before: u32,
    after: u32,
}

impl Shifts {
    const NONE: Self = Self {
        gap: TextSize::new(u32::MAX),
        before: 0,
        after: 0,
    };

    fn of(self, position: TextSize) -> u32 {
        match position < self.gap {
            true => self.before,
            false => self.after,
        }
    }

    fn apply<const N: usize>(self, place: &[TextSize; N]) -> [TextSize; N] {
        let mut place = *place;
        for position in &mut place {
            *position = self.shift(*position);
        }
        place
    }

    /// A position with its shift.
    fn shift(self, position: TextSize) -> TextSize {
        match HAS_SMALL_STEPS {
            true => shifted(position, self.of(position)),
            false => position,
        }
    }
}

/// What is known of some positions.
#[derive(Debug, Clone, Copy)]
struct Side {
    lowest: TextSize,
    highest: TextSize,
    /// A bit for each index in the places of the items that may have one of them.
    columns: u8,
}

impl Side {
    const EMPTY: Self = Self {
        lowest: TextSize::new(u32::MAX),
        highest: TextSize::new(0),
        columns: 0,
    };

    fn add(&mut self, column: usize, position: TextSize) {
        self.lowest = self.lowest.min(position);
        self.highest = self.highest.max(position);
        self.columns |= 1 << column;
    }

    fn add_all(&mut self, place: &[TextSize]) {
        for (column, position) in place.iter().enumerate() {
            self.add(column, *position);
        }
    }

    /// Moves them, which are all after `edit`.
    fn follow(&mut self, edit: &TextEdit) {
        if self.columns != 0 {
            self.lowest = moved(self.lowest, edit);
            self.highest = moved(self.highest, edit);
        }
    }

    /// What is known of all positions of both.
    fn and(self, other: Self) -> Self {
        Self {
            lowest: self.lowest.min(other.lowest),
            highest: self.highest.max(other.highest),
            columns: self.columns | other.columns,
        }
    }
}

/// A range, and the first and the last index of the positions that are compared with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) range: TextRange,
    pub(super) columns: (usize, usize),
}

impl Span {
    /// Whether the range is inside of what is between the positions of an item.
    pub(super) fn is_inside(self, place: &[TextSize]) -> bool {
        let (first, last) = self.columns;
        let mut side = Side::EMPTY;
        side.add_all(&place[first..=last]);
        self.is_between(side)
    }

    fn is_between(self, side: Side) -> bool {
        side.lowest < self.range.end() && self.range.start() < side.highest
    }

    fn is_compared(self, side: &Side) -> bool {
        let (first, last) = self.columns;
        (first..=last).any(|column| side.columns & (1 << column) != 0)
    }
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
        let mut side = Side::EMPTY;
        for (place, _) in &items {
            side.add_all(place);
        }
        Self {
            shifts: Shifts::NONE,
            sides: [side, Side::EMPTY],
            first: first_of(&items),
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
        (self.shifts.apply(place), item)
    }

    /// The first positions of all items.
    pub(super) fn starts(&self) -> impl Iterator<Item = TextSize> {
        let shifts = self.shifts;
        let items = self.items.iter();
        items.map(move |(place, _)| shifts.shift(place[0]))
    }

    /// All items with their positions.
    pub(super) fn items(&self) -> impl Iterator<Item = ([TextSize; N], Arc<T>)> {
        let items = self.items.iter();
        items.map(|(place, item)| (self.shifts.apply(place), Arc::clone(item)))
    }

    /// Whether an item may be around a range.
    pub(super) fn may_be_around(&self, span: Span) -> bool {
        let sides = self.sides.iter().filter(|side| span.is_compared(side));
        span.is_between(sides.copied().fold(Side::EMPTY, Side::and))
    }

    /// The number of items at the start whose first position `is_before`.
    pub(super) fn partition_point(&self, is_before: impl Fn(TextSize) -> bool) -> usize {
        let shifts = self.shifts;
        self.items
            .partition_point(|(place, _)| is_before(shifts.shift(place[0])))
    }

    /// The first position of the first item.
    pub(super) fn start(&self) -> TextSize {
        self.shifts.shift(self.first)
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
        let [before, after] = self.sides;
        let all = before.and(after);
        let end = edit.range.end();
        if all.highest < end {
            return;
        }
        if !HAS_SMALL_STEPS {
            return self.move_each(edit);
        }
        if all.lowest < end && (before.highest >= end || after.lowest < end) {
            self.begin_gap(end);
        }
        let inserted = u32::from(TextSize::of(edit.insert.as_str()));
        let grown = inserted.wrapping_sub(u32::from(edit.range.len()));
        let [before, after] = &mut self.sides;
        let shifts = [&mut self.shifts.before, &mut self.shifts.after];
        for (side, shift) in [before, after].into_iter().zip(shifts) {
            if end <= side.lowest {
                *shift = shift.wrapping_add(grown);
                side.follow(edit);
            }
        }
    }

    /// Moves the positions one by one, without shifts.
    fn move_each(&mut self, edit: &TextEdit) {
        let mut side = Side::EMPTY;
        for (place, _) in self.items_mut() {
            for position in place.iter_mut().filter(|it| **it >= edit.range.end()) {
                *position = moved(*position, edit);
            }
            side.add_all(place);
        }
        self.sides = [side, Side::EMPTY];
        self.first = first_of(&self.items);
    }

    /// Tells the positions before `end` from those from there on.
    fn begin_gap(&mut self, end: TextSize) {
        if self.shifts.before != self.shifts.after {
            self.settle();
        }
        let shift = self.shifts.before;
        self.shifts.gap = shifted(end, shift.wrapping_neg());
        self.sides = [Side::EMPTY; 2];
        for (place, _) in self.items.iter() {
            for (column, position) in place.iter().enumerate() {
                let position = shifted(*position, shift);
                self.sides[usize::from(position >= end)].add(column, position);
            }
        }
    }

    /// Adds the shifts to the positions.
    fn settle(&mut self) {
        if !HAS_SMALL_STEPS {
            return;
        }
        let shifts = std::mem::replace(&mut self.shifts, Shifts::NONE);
        self.sides = [self.sides[0].and(self.sides[1]), Side::EMPTY];
        if shifts.before != 0 || shifts.after != 0 {
            for (place, _) in self.items_mut() {
                *place = shifts.apply(place);
            }
            self.first = first_of(&self.items);
        }
    }

    /// The item that equals `item`, if it is one of the last `few`.
    pub(super) fn recent(&self, item: &T, few: usize) -> Option<Arc<T>>
    where
        T: PartialEq,
    {
        let last = self.items.iter().rev().take(few);
        let mut last = last.map(|(_, it)| it);
        last.find(|it| ***it == *item).cloned()
    }

    /// Adds an item after the others.
    pub(super) fn push(&mut self, item: ([TextSize; N], Arc<T>)) {
        self.settle();
        self.sides[0].add_all(&item.0);
        self.keys = OnceLock::new();
        self.items_mut().push(item);
        self.first = first_of(&self.items);
    }

    /// Removes the last item, if `is_meant` says so of its first position; returns whether it did.
    pub(super) fn pop_if(&mut self, is_meant: impl Fn(TextSize) -> bool) -> bool {
        self.settle();
        let popped = self.items_mut().pop_if(|(place, _)| is_meant(place[0]));
        self.keys = OnceLock::new();
        popped.is_some()
    }

    /// Replaces the items at `removed` by `new`.
    pub(super) fn splice(&mut self, removed: Range<usize>, new: &[([TextSize; N], Arc<T>)]) {
        self.settle();
        for (place, _) in new {
            self.sides[0].add_all(place);
        }
        self.keys = OnceLock::new();
        self.items_mut().splice(removed, new.iter().cloned());
        self.first = first_of(&self.items);
    }

    /// Changes the item at `index` and its positions.
    pub(super) fn update(&mut self, index: usize, change: impl FnOnce(&mut [TextSize; N], &mut T))
    where
        T: Clone,
    {
        self.settle();
        self.keys = OnceLock::new();
        let (place, item) = &mut self.items_mut()[index];
        change(place, Arc::make_mut(item));
        let place = *place;
        self.sides[0].add_all(&place);
    }

    fn items_mut(&mut self) -> &mut Vec<([TextSize; N], Arc<T>)> {
        Arc::make_mut(&mut self.items)
    }
}

/// The first position of the first of `items`.
fn first_of<T, const N: usize>(items: &[([TextSize; N], Arc<T>)]) -> TextSize {
    let first = items.first();
    first.map(|(place, _)| place[0]).unwrap_or_default()
}

fn shifted(position: TextSize, shift: u32) -> TextSize {
    u32::from(position).wrapping_add(shift).into()
}
