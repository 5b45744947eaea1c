//! A sorted map in chunks that copies share: a copy with another value costs a chunk, and copies that differ in a few
//! values are compared without a look at the others.

use std::{borrow::Borrow, cmp::Ordering, sync::Arc};

/// The maximum number of entries in a chunk.
const MOST: usize = 64;

/// Values by key.
#[derive(Debug, Clone)]
pub struct SharedMap<K, V> {
    chunks: Vec<Chunk<K, V>>,
}

type Chunk<K, V> = Arc<Vec<(K, V)>>;

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<K: Ord + Clone, V: PartialEq + Clone> SharedMap<K, V> {
    /// All keys and values, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let entries = self.chunks.iter().flat_map(|it| it.iter());
        entries.map(|(key, value)| (key, value))
    }

    /// The values, sorted by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// The value of `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (chunk, at) = self.locate(key);
        let (_, value) = self.chunks.get(chunk)?.get(at.ok()?)?;
        Some(value)
    }

    /// Sets the value of `key`; `None` removes it.
    pub fn set(&mut self, key: &K, value: Option<V>) {
        if self.get(key) == value.as_ref() {
            return;
        }
        let (index, at) = self.locate(key);
        if self.chunks.is_empty() {
            self.chunks.push(Arc::default());
        }
        let chunk = Arc::make_mut(&mut self.chunks[index]);
        match (at, value) {
            (Ok(at), Some(value)) => chunk[at].1 = value,
            (Ok(at), None) => drop(chunk.remove(at)),
            (Err(at), Some(value)) => chunk.insert(at, (key.clone(), value)),
            (Err(_), None) => {}
        }
        if chunk.len() > MOST {
            let rest = chunk.split_off(MOST / 2);
            chunk.shrink_to_fit();
            self.chunks.insert(index + 1, Arc::new(rest));
        } else if chunk.is_empty() {
            self.chunks.remove(index);
        }
    }

    /// The value of `key`, the default one if there was none.
    pub fn entry(&mut self, key: &K) -> &mut V
    where
        V: Default,
    {
        if self.get(key).is_none() {
            self.set(key, Some(V::default()));
        }
        let (chunk, at) = self.locate(key);
        &mut Arc::make_mut(&mut self.chunks[chunk])[at.unwrap_or_else(|at| at)].1
    }

    /// The keys whose values differ in `other`, those that only one of the maps has included.
    pub fn differing<'a>(&'a self, other: &'a Self) -> Vec<&'a K> {
        let (mut one, mut other) = (Cursor::new(self), Cursor::new(other));
        let mut keys = Vec::new();
        loop {
            if one.at == 0
                && other.at == 0
                && let (Some(a), Some(b)) = (one.chunks.first(), other.chunks.first())
                && Arc::ptr_eq(a, b)
            {
                one.skip_chunk();
                other.skip_chunk();
                continue;
            }
            let order = match (one.entry(), other.entry()) {
                (None, None) => return keys,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let a = one.entry().filter(|_| order.is_le());
            let b = other.entry().filter(|_| order.is_ge());
            if a.map(|(_, value)| value) != b.map(|(_, value)| value) {
                keys.extend(a.or(b).map(|(key, _)| key));
            }
            if order.is_le() {
                one.step();
            }
            if order.is_ge() {
                other.step();
            }
        }
    }

    /// The chunk for `key`, and where in it the key is or belongs.
    fn locate<Q: Ord + ?Sized>(&self, key: &Q) -> (usize, Result<usize, usize>)
    where
        K: Borrow<Q>,
    {
        let begins_before =
            |chunk: &Chunk<K, V>| chunk.first().is_some_and(|it| it.0.borrow() <= key);
        let index = self.chunks.partition_point(begins_before).saturating_sub(1);
        let at = match self.chunks.get(index) {
            Some(chunk) => chunk.binary_search_by(|it| it.0.borrow().cmp(key)),
            None => Err(0),
        };
        (index, at)
    }
}

impl<K: Ord + Clone, V: PartialEq + Clone> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.differing(other).is_empty()
    }
}

impl<K: Ord + Clone, V: Eq + Clone> Eq for SharedMap<K, V> {}

/// A place in a map.
struct Cursor<'a, K, V> {
    /// The current chunk and those after it.
    chunks: &'a [Chunk<K, V>],
    /// The index in the current chunk.
    at: usize,
}

impl<'a, K, V> Cursor<'a, K, V> {
    fn new(map: &'a SharedMap<K, V>) -> Self {
        Self {
            chunks: &map.chunks,
            at: 0,
        }
    }

    fn entry(&self) -> Option<(&'a K, &'a V)> {
        let (key, value) = self.chunks.first()?.get(self.at)?;
        Some((key, value))
    }

    fn skip_chunk(&mut self) {
        self.chunks = &self.chunks[1..];
        self.at = 0;
    }

    fn step(&mut self) {
        self.at += 1;
        if self.chunks.first().is_some_and(|it| it.len() == self.at) {
            self.skip_chunk();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn of(model: &BTreeMap<u32, u32>) -> SharedMap<u32, u32> {
        let mut map = SharedMap::default();
        model
            .iter()
            .for_each(|(key, value)| map.set(key, Some(*value)));
        map
    }

    proptest! {
        #[test]
        fn it_is_a_sorted_map(
            first in proptest::collection::btree_map(0..400_u32, 0..3_u32, 0..300),
            changes in proptest::collection::vec((0..400_u32, proptest::option::of(0..3_u32)), 0..200),
        ) {
            let before = of(&first);
            let (mut map, mut model): (_, BTreeMap<_, _>) = (before.clone(), first.clone());
            for (key, value) in changes {
                map.set(&key, value);
                match value {
                    Some(value) => drop(model.insert(key, value)),
                    None => drop(model.remove(&key)),
                }
            }
            prop_assert!(map.iter().eq(model.iter()));
            prop_assert!((0..400).all(|key| map.get(&key) == model.get(&key)));
            let all: BTreeSet<_> = first.keys().chain(model.keys()).collect();
            let differing: Vec<_> = all.into_iter().filter(|it| first.get(it) != model.get(it)).collect();
            prop_assert_eq!(before.differing(&map), differing);
            prop_assert_eq!(&map, &of(&model));
        }
    }
}
