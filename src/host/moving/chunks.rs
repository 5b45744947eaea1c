//! A list in chunks, which its clones share: a clone costs a chunk and not an item, and an edit copies the chunks that it
//! touches.

use std::{ops::Range, sync::Arc};

/// How many items a chunk has at most.
const MOST: usize = 128;

/// With fewer items a chunk is joined with the next one, if there is one.
const LEAST: usize = 32;

/// Items in chunks.
#[derive(Debug)]
pub(super) struct Chunks<T> {
    chunks: Vec<Arc<Vec<Arc<T>>>>,
    /// How many items there are up to the end of each chunk.
    ends: Vec<usize>,
}

impl<T> Clone for Chunks<T> {
    fn clone(&self) -> Self {
        Self {
            chunks: self.chunks.clone(),
            ends: self.ends.clone(),
        }
    }
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T> From<Vec<Arc<T>>> for Chunks<T> {
    fn from(items: Vec<Arc<T>>) -> Self {
        let mut chunks = Self::default();
        chunks.splice(0..0, items);
        chunks
    }
}

impl<T> Chunks<T> {
    pub(super) fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    pub(super) fn push(&mut self, item: Arc<T>) {
        match (self.chunks.last_mut(), self.ends.last_mut()) {
            (Some(chunk), Some(end)) if chunk.len() < MOST => {
                Arc::make_mut(chunk).push(item);
                *end += 1;
            }
            _ => {
                self.ends.push(self.len() + 1);
                self.chunks.push(Arc::new(vec![item]));
            }
        }
    }

    pub(super) fn get(&self, index: usize) -> &T {
        let (chunk, at) = self.place(index);
        &self.chunks[chunk][at]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut Arc<T> {
        let (chunk, at) = self.place(index);
        &mut Arc::make_mut(&mut self.chunks[chunk])[at]
    }

    /// The items at some indices, chunk by chunk, each with the index of its first one.
    pub(super) fn pieces(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = (usize, &[Arc<T>])> {
        let (first, from) = self.place(range.start);
        let (last, to) = self.place(range.end);
        let touched = self.chunks.iter().enumerate().take(last + 1).skip(first);
        touched.map(move |(index, chunk)| {
            let start = self.ends[index] - chunk.len();
            let from = if index == first { from } else { 0 };
            let to = if index == last { to } else { chunk.len() };
            (start + from, &chunk[from..to])
        })
    }

    /// The items at some indices.
    pub(super) fn slice(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = &T> {
        let pieces = self.pieces(range);
        pieces.flat_map(|(_, items)| items.iter().map(|item| &**item))
    }

    /// All items.
    pub(super) fn into_items(self) -> Vec<Arc<T>> {
        let chunks = self.chunks.into_iter().map(Arc::unwrap_or_clone);
        chunks.flatten().collect()
    }

    /// Puts `new` in the place of the items at `removed`.
    pub(super) fn splice(&mut self, removed: Range<usize>, new: Vec<Arc<T>>) {
        let (first, from) = self.place(removed.start);
        let (last, to) = self.place(removed.end);
        if first == last
            && let Some(chunk) = self.chunks.get_mut(first)
            && (LEAST..=MOST).contains(&(chunk.len() - removed.len() + new.len()))
        {
            Arc::make_mut(chunk).splice(from..to, new);
            return self.count_from(first);
        }
        let mut items = match self.chunks.get(first) {
            Some(chunk) => chunk[..from].to_vec(),
            None => Vec::new(),
        };
        items.extend(new);
        let mut end = last;
        if let Some(chunk) = self.chunks.get(last) {
            items.extend_from_slice(&chunk[to..]);
            end += 1;
        }
        while items.len() < LEAST
            && let Some(chunk) = self.chunks.get(end)
        {
            items.extend_from_slice(chunk);
            end += 1;
        }
        let chunks = items.chunks(MOST / 2);
        let chunks: Vec<_> = chunks.map(|it| Arc::new(it.to_vec())).collect();
        self.chunks.splice(first..end, chunks);
        self.count_from(first);
    }

    /// Counts the items of the chunks from the one at `first` on again.
    fn count_from(&mut self, first: usize) {
        let mut sum = first.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends.truncate(first);
        for chunk in &self.chunks[first..] {
            sum += chunk.len();
            self.ends.push(sum);
        }
    }

    /// The chunk of the item at `index` and its place there; after the last item the end of the last chunk.
    fn place(&self, index: usize) -> (usize, usize) {
        let chunk = self.ends.partition_point(|end| *end <= index);
        let chunk = chunk.min(self.chunks.len().saturating_sub(1));
        let before = chunk.checked_sub(1).map_or(0, |before| self.ends[before]);
        (chunk, index - before)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index};

    use super::*;

    proptest! {
        #[test]
        fn edits_are_those_of_a_plain_list(
            pushed in 0..400_usize,
            edits in proptest::collection::vec((any::<Index>(), 0..200_usize, 0..300_usize), 0..8),
        ) {
            let mut plain: Vec<usize> = (0..pushed).collect();
            let mut chunks = Chunks::default();
            plain.iter().for_each(|it| chunks.push(Arc::new(*it)));
            for (round, (at, len, inserted)) in edits.into_iter().enumerate() {
                let start = at.index(plain.len() + 1);
                let removed = start..(start + len).min(plain.len());
                let new: Vec<_> = (0..inserted).map(|it| round * 1_000 + it).collect();
                let before = (chunks.clone(), plain.clone());
                chunks.splice(removed.clone(), new.iter().copied().map(Arc::new).collect());
                plain.splice(removed.clone(), new);
                prop_assert!(chunks.slice(0..plain.len()).eq(&plain));
                prop_assert!(chunks.slice(0..plain.len()).rev().eq(plain.iter().rev()));
                prop_assert!(chunks.slice(start..plain.len()).eq(&plain[start..]));
                prop_assert!(before.0.slice(0..before.1.len()).eq(&before.1));
                if let Some(last) = plain.last_mut() {
                    *last += 1;
                    *Arc::make_mut(chunks.get_mut(chunks.len() - 1)) += 1;
                    prop_assert_eq!(chunks.get(chunks.len() - 1), &*last);
                }
                prop_assert!(chunks.chunks.iter().all(|it| (1..=MOST).contains(&it.len())));
            }
            prop_assert_eq!(chunks.len(), plain.len());
            prop_assert!(chunks.into_items().into_iter().map(|it| *it).eq(plain));
        }
    }
}
