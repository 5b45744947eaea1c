//! A multiset of values, updated from edit to edit.

use std::{borrow::Borrow, hash::Hash};

use foldhash::HashMap;

/// Values with their counts. Values whose count drops to zero are removed.
#[derive(Debug, Clone)]
pub struct Counts<K> {
    /// One of the values: most multisets have only one, and need no map for it.
    one: Option<(K, usize)>,
    others: Option<Box<HashMap<K, usize>>>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self {
            one: None,
            others: None,
        }
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
        let count = match &mut self.one {
            None if self.others.is_none() => &mut self.one.insert((key, 0)).1,
            Some((one, count)) if *one == key => count,
            _ => { self.others.get_or_insert_default() }
                .entry(key)
                .or_default(),
        };
        *count += 1;
        *count
    }

    /// Decrements the count of `key`; returns the new count, `None` if it was not there.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let is_one = self.one.as_ref().is_some_and(|(it, _)| it.borrow() == key);
        let count = match &mut self.one {
            Some((_, count)) if is_one => count,
            _ => self.others.as_mut()?.get_mut(key)?,
        };
        *count -= 1;
        let left = *count;
        match left {
            0 if is_one => self.one = None,
            0 => {
                self.others.as_mut()?.remove(key);
                self.others.take_if(|it| it.is_empty());
            }
            _ => {}
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
        let one = self.one.as_ref().filter(|(it, _)| it.borrow() == key);
        let count = one.map(|(_, count)| count);
        let count = count.or_else(|| self.others.as_ref()?.get(key));
        count.copied().unwrap_or_default()
    }

    /// Whether `key` is there.
    pub fn contains<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.of(key) > 0
    }

    /// The values, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        let one = self.one.iter().map(|(key, _)| key);
        one.chain(self.others.iter().flat_map(|it| it.keys()))
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.one.is_none() && self.others.is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_counts(steps in proptest::collection::vec((0..5_u8, any::<bool>()), 0..40)) {
            let mut counts = Counts::<u8>::default();
            let mut plain = BTreeMap::<u8, usize>::new();
            for (key, is_added) in steps {
                let before = plain.get(&key).copied();
                let after = match is_added {
                    true => before.unwrap_or_default() + 1,
                    false => before.unwrap_or(1) - 1,
                };
                let returned = match is_added {
                    true => Some(counts.add(key)),
                    false => counts.remove(&key),
                };
                prop_assert_eq!(returned, (is_added || before.is_some()).then_some(after));
                match after {
                    0 => drop(plain.remove(&key)),
                    _ => drop(plain.insert(key, after)),
                }
                prop_assert_eq!(counts.of(&key), after);
                prop_assert_eq!(counts.contains(&key), after > 0);
                prop_assert_eq!(counts.is_empty(), plain.is_empty());
                let mut keys: Vec<_> = counts.keys().copied().collect();
                keys.sort_unstable();
                prop_assert!(keys.iter().eq(plain.keys()));
            }
        }
    }
}
