//! A map sorted by names, in chunks that copies share: an edit of a copy copies only the chunk that it touches.

use std::sync::Arc;

/// The maximum number of names in a chunk.
const MOST: usize = 64;

/// Values with their names, which come in order.
type Chunk<V> = Vec<(Arc<str>, V)>;

/// Values by name.
#[derive(Debug, Clone)]
pub(crate) struct Sorted<V> {
    /// None is empty.
    chunks: Vec<Arc<Chunk<V>>>,
}

impl<V> Default for Sorted<V> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<V: Clone> Sorted<V> {
    /// The value of `name`, with the name.
    pub(crate) fn get(&self, name: &str) -> Option<(&str, &V)> {
        let chunk = &self.chunks.get(self.chunk_of(name))?;
        let at = place(chunk, name).ok()?;
        let (name, value) = &chunk[at];
        Some((name, value))
    }

    /// Whether it has `name`.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of `name`, to be changed.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        let index = self.chunk_of(name);
        let chunk = self.chunks.get_mut(index)?;
        let at = place(chunk, name).ok()?;
        Some(&mut Arc::make_mut(chunk)[at].1)
    }

    /// The value of `name`, to be changed; a default one if it is not there.
    pub(crate) fn get_or_insert(&mut self, name: &Arc<str>) -> &mut V
    where
        V: Default,
    {
        let mut index = self.chunk_of(name);
        if self.chunks.is_empty() {
            self.chunks.push(Arc::default());
        }
        let mut found = place(&self.chunks[index], name);
        if let Err(at) = found
            && self.chunks[index].len() == MOST
        {
            // Names often come in their order: the chunk before the next ones then gets full.
            let middle = at.max(MOST / 2);
            let rest = Arc::make_mut(&mut self.chunks[index]).split_off(middle);
            self.chunks.insert(index + 1, Arc::new(rest));
            if at == MOST {
                index += 1;
                found = Err(0);
            }
        }
        let chunk = Arc::make_mut(&mut self.chunks[index]);
        let at = found.unwrap_or_else(|at| {
            chunk.insert(at, (Arc::clone(name), V::default()));
            at
        });
        &mut chunk[at].1
    }

    /// Removes `name`.
    pub(crate) fn remove(&mut self, name: &str) {
        let index = self.chunk_of(name);
        let Some(chunk) = self.chunks.get_mut(index) else {
            return;
        };
        if let Ok(at) = place(chunk, name) {
            Arc::make_mut(chunk).remove(at);
        }
        if chunk.is_empty() {
            self.chunks.remove(index);
        }
    }

    /// The values in the order of their names.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        let all = self.chunks.iter().flat_map(|chunk| chunk.iter());
        all.map(|(_, value)| value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The index of the chunk that `name` belongs to: the last one that begins at or before it.
    fn chunk_of(&self, name: &str) -> usize {
        let starts = |chunk: &Arc<Chunk<V>>| *chunk[0].0 <= *name;
        self.chunks.partition_point(starts).saturating_sub(1)
    }
}

/// The index of `name` in a chunk, or where to insert it.
fn place<V>(chunk: &[(Arc<str>, V)], name: &str) -> Result<usize, usize> {
    chunk.binary_search_by(|(it, _)| (**it).cmp(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_in_order_fill_the_chunks() {
        let mut sorted = Sorted::<()>::default();
        // Some come later, between others.
        for name in (0..1_000).chain(5_000..6_000).chain(2_000..3_000) {
            sorted.get_or_insert(&format!("{name:04}").into());
        }
        assert!(sorted.chunks.len() <= 3_000 / MOST + 3);
    }

    proptest! {
        #[test]
        fn it_is_a_map_and_copies_do_not_change(
            steps in proptest::collection::vec((0..400_u32, any::<bool>()), 0..1_000),
        ) {
            let mut sorted = Sorted::default();
            let mut plain = BTreeMap::new();
            let mut copy = None;
            for (index, (name, is_added)) in steps.into_iter().enumerate() {
                let name = name.to_string();
                if index == 300 {
                    copy = Some((sorted.clone(), plain.clone()));
                }
                match (is_added, plain.contains_key(&name)) {
                    (true, false) => {
                        *sorted.get_or_insert(&name.as_str().into()) = index;
                        plain.insert(name.clone(), index);
                    }
                    (true, true) => {
                        *sorted.get_mut(&name).expect("a value") += 1;
                        *sorted.get_or_insert(&name.as_str().into()) += 1;
                        *plain.get_mut(&name).expect("a value") += 2;
                    }
                    (false, _) => {
                        sorted.remove(&name);
                        plain.remove(&name);
                    }
                }
                prop_assert_eq!(sorted.get(&name).map(|(_, it)| it), plain.get(&name));
                prop_assert_eq!(sorted.is_empty(), plain.is_empty());
            }
            prop_assert!(sorted.values().eq(plain.values()));
            if let Some((sorted, plain)) = copy {
                prop_assert!(sorted.values().eq(plain.values()));
            }
        }
    }
}
