//! Items of a text with their positions, in chunks.
//!
//! A chunk keeps an offset for all of its positions, so that an edit changes one number per chunk after it, and single
//! positions only in the chunks that it touches. Clones share chunks: a reader of one version of a document does not
//! slow down the next edit.

mod chunk;

use std::{ops::Range, sync::Arc};

use chunk::{Chunk, Span};

use crate::{
    order,
    text::{TextEdit, TextRange, TextSize},
};

/// The maximum number of items in a chunk.
const MOST: usize = 128;

/// A chunk with fewer items is joined with the next one.
const LEAST: usize = 32;

/// An item that is found by its keys: numbers that two items may share.
pub trait Keyed {
    /// The keys; each may occur several times.
    fn keys(&self) -> impl Iterator<Item = u64>;
}

/// Items in the order of their first position; each has `N` positions.
#[derive(Debug, Clone)]
pub struct Moving<T, const N: usize> {
    chunks: Vec<Chunk<T, N>>,
    /// The number of items up to the end of each chunk.
    ends: Vec<usize>,
}

impl<T, const N: usize> Default for Moving<T, N> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T, const N: usize> FromIterator<([TextSize; N], T)> for Moving<T, N> {
    fn from_iter<I: IntoIterator<Item = ([TextSize; N], T)>>(items: I) -> Self {
        let items = items.into_iter();
        let items = items.map(|(place, item)| (place, Arc::new(item)));
        Self::of(&items.collect::<Vec<_>>())
    }
}

impl<T, const N: usize> Moving<T, N> {
    fn of(items: &[([TextSize; N], Arc<T>)]) -> Self {
        let chunks = items.chunks(MOST / 2);
        let mut list = Self {
            chunks: chunks.map(|it| Chunk::new(it.to_vec())).collect(),
            ends: Vec::new(),
        };
        list.count_from(0);
        list
    }

    /// Adds an item, in any order; see [`Self::sort`].
    pub fn push(&mut self, place: [TextSize; N], item: T) {
        self.push_shared(place, Arc::new(item));
    }

    /// The same for an item that is often alike: it takes the room of an equal one among the last `few`.
    pub fn push_alike(&mut self, place: [TextSize; N], item: T, few: usize)
    where
        T: PartialEq,
    {
        let recent = { self.chunks.last() }.and_then(|it| it.recent(&item, few));
        self.push_shared(place, recent.unwrap_or_else(|| Arc::new(item)));
    }

    fn push_shared(&mut self, place: [TextSize; N], item: Arc<T>) {
        let item = (place, item);
        match (self.chunks.last_mut(), self.ends.last_mut()) {
            (Some(chunk), Some(end)) if chunk.len() < MOST => {
                chunk.push(item);
                *end += 1;
            }
            _ => {
                self.ends.push(self.len() + 1);
                self.chunks.push(Chunk::new(vec![item]));
            }
        }
    }

    /// Removes the item that was added last, if `is_meant` says so of its first position.
    pub fn pop_if(&mut self, is_meant: impl Fn(TextSize) -> bool) {
        if let (Some(chunk), Some(end)) = (self.chunks.last_mut(), self.ends.last_mut())
            && chunk.pop_if(is_meant)
        {
            *end -= 1;
        }
    }

    /// Adds all of `other`, in any order; see [`Self::sort`].
    pub fn append(&mut self, other: Self) {
        let len = self.len();
        self.ends.extend(other.ends.iter().map(|end| end + len));
        self.chunks.extend(other.chunks);
    }

    /// Sorts the items by their first position.
    pub fn sort(&mut self) {
        if self.chunks.iter().flat_map(Chunk::starts).is_sorted() {
            return;
        }
        let mut all = Vec::with_capacity(self.len());
        for chunk in std::mem::take(&mut self.chunks) {
            // Its room is free before the next one is copied.
            all.extend(chunk.items());
        }
        order::by_start(&mut all, |(place, _)| place[0]);
        *self = Self::of(&all);
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The positions of the item at `index`.
    pub fn place(&self, index: usize) -> [TextSize; N] {
        let (chunk, at) = self.locate(index);
        self.chunks[chunk].get(at).0
    }

    /// The item at `index` without its positions.
    pub fn item(&self, index: usize) -> &T {
        let (chunk, at) = self.locate(index);
        self.chunks[chunk].get(at).1
    }

    /// The last item without its positions.
    pub fn last(&self) -> Option<&T> {
        let last = self.len().checked_sub(1)?;
        Some(self.item(last))
    }

    /// The items at some indices without their positions.
    pub fn items(&self, range: Range<usize>) -> impl Iterator<Item = &T> {
        self.slice(range).map(|(_, item)| item)
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
        let (first, from) = self.locate(range.start);
        let (last, to) = self.locate(range.end);
        let touched = self.chunks.iter().enumerate().take(last + 1).skip(first);
        touched.flat_map(move |(index, chunk)| {
            let from = if index == first { from } else { 0 };
            let to = if index == last { to } else { chunk.len() };
            (from..to).map(|at| chunk.get(at))
        })
    }

    /// The items with a position before the end of `range` and one after its start, each with its index. Only their
    /// positions from the first to the last of `columns` count.
    pub fn around(
        &self,
        range: TextRange,
        columns: (usize, usize),
    ) -> impl Iterator<Item = (usize, ([TextSize; N], &T))> {
        let span = Span { range, columns };
        self.chunks_around(span).flat_map(move |(first, chunk)| {
            let items = (0..chunk.len()).map(move |at| (first + at, chunk.get(at)));
            items.filter(move |(_, (place, _))| span.is_inside(place))
        })
    }

    /// Those of them that have `key`.
    pub fn around_with_key(
        &self,
        key: u64,
        range: TextRange,
        columns: (usize, usize),
    ) -> impl Iterator<Item = (usize, ([TextSize; N], &T))>
    where
        T: Keyed,
    {
        let span = Span { range, columns };
        self.chunks_around(span).flat_map(move |(first, chunk)| {
            let items = chunk.keyed(key).map(move |at| (first + at, chunk.get(at)));
            items.filter(move |(_, (place, _))| span.is_inside(place))
        })
    }

    /// The chunks that may have items around `span`, each with the index of its first item.
    fn chunks_around(&self, span: Span) -> impl Iterator<Item = (usize, &Chunk<T, N>)> {
        let chunks = self.chunks.iter().zip(&self.ends);
        let chunks = chunks.filter(move |(chunk, _)| chunk.may_be_around(span));
        chunks.map(|(chunk, end)| (end - chunk.len(), chunk))
    }

    /// The indices among `range` of the items with `key`, ascending. Looks only into the chunks that have one.
    pub fn keyed(&self, key: u64, range: Range<usize>) -> impl DoubleEndedIterator<Item = usize>
    where
        T: Keyed,
    {
        let first = self.locate(range.start).0;
        let end = (self.locate(range.end).0 + 1).min(self.chunks.len());
        let chunks = self.chunks[first..end].iter().zip(&self.ends[first..end]);
        let indices = chunks.flat_map(move |(chunk, end)| {
            let before = end - chunk.len();
            chunk.keyed(key).map(move |at| before + at)
        });
        indices.filter(move |it| range.contains(it))
    }

    /// Changes the item at `index` and its positions, except for the first one.
    pub fn update(&mut self, index: usize, change: impl FnOnce(&mut [TextSize; N], &mut T))
    where
        T: Clone,
    {
        let (chunk, at) = self.locate(index);
        self.chunks[chunk].update(at, change);
    }

    /// The number of items that begin before `offset`.
    pub fn before(&self, offset: TextSize) -> usize {
        self.partition_point(|start| start < offset)
    }

    /// The number of items that begin at or before `offset`.
    pub fn up_to(&self, offset: TextSize) -> usize {
        self.partition_point(|start| start <= offset)
    }

    /// The indices of the items that begin in `range`.
    pub fn beginning_in(&self, range: TextRange) -> Range<usize> {
        let first = self.before(range.start());
        first..self.before(range.end()).max(first)
    }

    /// Replaces the items at `removed` by `new`, and moves the others by `edit`.
    pub fn replace(&mut self, removed: Range<usize>, new: &Self, edit: &TextEdit) {
        for chunk in &mut self.chunks {
            chunk.follow(edit);
        }
        if removed.is_empty() && new.len() == 0 {
            return;
        }
        let new: Vec<_> = new.chunks.iter().flat_map(Chunk::items).collect();
        self.splice(removed, &new);
    }

    fn splice(&mut self, removed: Range<usize>, new: &[([TextSize; N], Arc<T>)]) {
        let (first, from) = self.locate(removed.start);
        let (last, to) = self.locate(removed.end);
        if first == last
            && let Some(chunk) = self.chunks.get_mut(first)
            && (LEAST..=MOST).contains(&(chunk.len() - removed.len() + new.len()))
        {
            chunk.splice(from..to, new);
            return self.count_from(first);
        }
        let head = self.chunks.get(first);
        let mut items: Vec<_> = head.iter().flat_map(|it| it.items().take(from)).collect();
        items.extend_from_slice(new);
        let mut end = last;
        if let Some(chunk) = self.chunks.get(last) {
            items.extend(chunk.items().skip(to));
            end += 1;
        }
        while items.len() < LEAST
            && let Some(chunk) = self.chunks.get(end)
        {
            items.extend(chunk.items());
            end += 1;
        }
        let chunks = items.chunks(MOST / 2).map(|it| Chunk::new(it.to_vec()));
        self.chunks.splice(first..end, chunks);
        self.count_from(first);
    }

    /// Updates the counts of the chunks from `first` on.
    fn count_from(&mut self, first: usize) {
        let mut sum = first.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends.truncate(first);
        for chunk in &self.chunks[first..] {
            sum += chunk.len();
            self.ends.push(sum);
        }
    }

    /// The number of items at the start whose first position `is_before`.
    fn partition_point(&self, is_before: impl Fn(TextSize) -> bool) -> usize {
        let chunks = &self.chunks;
        let next = chunks.partition_point(|chunk| is_before(chunk.start()));
        let Some(chunk) = next.checked_sub(1) else {
            return 0;
        };
        self.ends[chunk] - chunks[chunk].len() + chunks[chunk].partition_point(is_before)
    }

    /// The chunk of the item at `index` and its index there; after the last item, the end of the last chunk.
    fn locate(&self, index: usize) -> (usize, usize) {
        let chunk = self.ends.partition_point(|end| *end <= index);
        let chunk = chunk.min(self.chunks.len().saturating_sub(1));
        let before = chunk.checked_sub(1).map_or(0, |before| self.ends[before]);
        (chunk, index - before)
    }
}

#[cfg(test)]
mod tests;
