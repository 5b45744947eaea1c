//! Places in a text by the names of what is there, in two lists.

use crate::{order, text::TextSize};

/// Scopes by the hashes of names. Where there are many names, a map of lists takes ten times the room.
pub(super) struct Table {
    /// Where the scopes of each bucket begin, and where the last ones end.
    buckets: Vec<u32>,
    /// By bucket, then by hash, then in the order in which they were given.
    scopes: Vec<Scope>,
}

/// Where something can be seen.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    hash: u32,
    index: u32,
    pub(super) start: TextSize,
    pub(super) end: TextSize,
    /// Where the last of those up to this one ends.
    last_end: TextSize,
}

impl Scope {
    /// That of what has an index in its list and a name with this hash.
    pub(super) fn new(hash: u32, index: usize, (start, end): (TextSize, TextSize)) -> Self {
        Self {
            hash,
            index: index as u32,
            start,
            end,
            last_end: end,
        }
    }

    /// The index of what has it.
    pub(super) fn index(&self) -> usize {
        self.index as usize
    }
}

impl Table {
    pub(super) fn new(all: &[Scope]) -> Self {
        let count = all.len().next_power_of_two();
        let mut table = Self {
            buckets: vec![0; count + 1],
            scopes: all.to_vec(),
        };
        for scope in all {
            let bucket = table.bucket(scope.hash);
            table.buckets[bucket] += 1;
        }
        let mut end = 0;
        for bucket in &mut table.buckets {
            end += *bucket;
            *bucket = end;
        }
        for scope in all.iter().rev() {
            let bucket = table.bucket(scope.hash);
            table.buckets[bucket] -= 1;
            table.scopes[table.buckets[bucket] as usize] = *scope;
        }
        for bucket in 0..count {
            let range = table.buckets[bucket] as usize..table.buckets[bucket + 1] as usize;
            let scopes = &mut table.scopes[range];
            order::by_number(scopes, |it| it.hash);
            scopes
                .chunk_by_mut(|one, other| one.hash == other.hash)
                .for_each(find_last_ends);
        }
        table
    }

    /// The scopes with this hash, in the order in which they were given.
    pub(super) fn of(&self, hash: u32) -> &[Scope] {
        let bucket = self.bucket(hash);
        let range = self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize;
        let scopes = &self.scopes[range];
        let first = scopes.partition_point(|it| it.hash < hash);
        let count = scopes[first..].partition_point(|it| it.hash == hash);
        &scopes[first..first + count]
    }

    fn bucket(&self, hash: u32) -> usize {
        // There are a power of two of them.
        hash as usize & (self.buckets.len() - 2)
    }
}

/// Sets up to where the scopes before each of these reach.
pub(super) fn find_last_ends(scopes: &mut [Scope]) {
    let mut last = TextSize::default();
    for scope in scopes {
        last = last.max(scope.end);
        scope.last_end = last;
    }
}

/// Those that contain `place`, the last one first.
pub(super) fn around(scopes: &[Scope], place: TextSize) -> impl Iterator<Item = &Scope> {
    let before = scopes.iter().rev();
    let before = before.take_while(move |it| place < it.last_end);
    before.filter(move |it| it.start <= place && place < it.end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_scope_is_small() {
        assert_eq!(size_of::<Scope>(), 20);
    }

    proptest! {
        #[test]
        fn scopes_are_found_by_their_hashes(hashes in prop::collection::vec(0..40_u32, 0..40)) {
            let all: Vec<_> = { hashes.iter().enumerate() }
                .map(|(index, hash)| Scope::new(*hash, index, Default::default()))
                .collect();
            let table = Table::new(&all);
            for hash in 0..40 {
                let found: Vec<_> = table.of(hash).iter().map(Scope::index).collect();
                let expected = (0..hashes.len()).filter(|at| hashes[*at] == hash);
                prop_assert_eq!(found, expected.collect::<Vec<_>>());
            }
        }
    }
}
