//! A multiset of values, updated from edit to edit.

use std::{borrow::Borrow, hash::Hash};

use foldhash::HashMap;

/// Values with their counts. Values whose count drops to zero are removed.
#[derive(Debug, Clone)]
pub struct Counts<K>(HashMap<K, usize>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<K: Eq + Hash> FromIterator<K> for Counts<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut counts = Self::default();
        counts.extend(keys);
        counts
    }
}

impl<K: Eq + Hash> Extend<K> for Counts<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.add(key);
        }
    }
}

impl<K: Eq + Hash> Counts<K> {
    /// Increments the count of `key`; returns the new count.
    pub fn add(&mut self, key: K) -> usize {
        let count = self.0.entry(key).or_default();
        *count += 1;
        *count
    }

    /// Decrements the count of `key`; returns the new count, `None` if it was not there.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let count = self.0.get_mut(key)?;
        *count -= 1;
        let left = *count;
        if left == 0 {
            self.0.remove(key);
        }
        Some(left)
    }

    /// Decrements the count of each of `keys`.
    pub fn remove_all<'k>(&mut self, keys: impl IntoIterator<Item = &'k K>)
    where
        K: 'k,
    {
        for key in keys {
            self.remove(key);
        }
    }

    /// The count of `key`.
    pub fn of<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
    {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// Whether `key` is there.
    pub fn contains<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// The values, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.keys()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_without_a_count_is_removed() {
        let mut counts = Counts::<String>::default();
        assert_eq!(counts.add("a".to_owned()), 1);
        assert_eq!(counts.add("a".to_owned()), 2);
        assert_eq!(counts.add("b".to_owned()), 1);
        assert_eq!((counts.of("a"), counts.of("c")), (2, 0));
        assert_eq!(counts.remove("c"), None);
        assert_eq!(counts.remove("a"), Some(1));
        assert!(counts.contains("a"));
        assert_eq!(counts.remove("a"), Some(0));
        assert!(!counts.contains("a"));
        assert_eq!(counts.keys().collect::<Vec<_>>(), ["b"]);
        assert_eq!(counts.remove("b"), Some(0));
        assert!(counts.is_empty());
    }
}
