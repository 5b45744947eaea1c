//! The indices of some of a document's units.

use std::ops::Range;

use signature_ls_source::parallel;

/// Ascending indices, updated from edit to edit, so that a keystroke does not visit all units.
#[derive(Debug, Clone, Default)]
pub(in crate::ide) struct Indices(Vec<usize>);

impl Indices {
    /// The indices of the `units` that are meant.
    pub(in crate::ide) fn among<T: Sync>(
        units: &[T],
        is_meant: &(dyn Fn(&T) -> bool + Sync),
    ) -> Self {
        let flags = parallel::flags(units.len(), &|at| is_meant(&units[at]));
        Self::of(flags.into_iter())
    }

    /// The indices of the flags that are set.
    pub(in crate::ide) fn of(flags: impl Iterator<Item = bool>) -> Self {
        Self(set_from(0, flags))
    }

    /// Replaces the units at `removed` by as many as there are `flags`.
    pub(in crate::ide) fn splice(
        &mut self,
        removed: Range<usize>,
        flags: impl ExactSizeIterator<Item = bool>,
    ) {
        let first = self.0.partition_point(|&index| index < removed.start);
        let last = self.0.partition_point(|&index| index < removed.end);
        for index in &mut self.0[last..] {
            *index = *index - removed.len() + flags.len();
        }
        self.0.splice(first..last, set_from(removed.start, flags));
    }

    /// Sets whether `index` is included.
    pub(in crate::ide) fn set(&mut self, index: usize, flag: bool) {
        match (self.0.binary_search(&index), flag) {
            (Ok(at), false) => drop(self.0.remove(at)),
            (Err(at), true) => self.0.insert(at, index),
            (Ok(_), true) | (Err(_), false) => {}
        }
    }

    pub(in crate::ide) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::ide) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }
}

/// The indices of the flags that are set, starting at `first`.
fn set_from(first: usize, flags: impl Iterator<Item = bool>) -> Vec<usize> {
    let indices = (first..).zip(flags).filter(|(_, flag)| *flag);
    indices.map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_follow_their_units() {
        let mut indices = Indices::of([true, false, true, true].into_iter());
        indices.splice(1..3, [false, true, false].into_iter());
        assert_eq!(indices.iter().collect::<Vec<_>>(), [0, 2, 4]);
        indices.set(1, true);
        indices.set(1, true);
        indices.set(4, false);
        indices.set(3, false);
        assert_eq!(indices.iter().collect::<Vec<_>>(), [0, 1, 2]);
        indices.splice(0..2, std::iter::empty());
        assert_eq!(indices.iter().collect::<Vec<_>>(), [0]);
    }
}
