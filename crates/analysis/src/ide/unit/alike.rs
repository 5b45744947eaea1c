//! Whether texts are alike, so that it is worth to compare others with them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// After so many texts of which no two were the same, others are not compared or not kept.
const MOST_DIFFERENT: usize = 1024;

/// What comparisons of texts found so far.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    /// Whether two were the same.
    are_some: AtomicBool,
    /// How many differed from those before since then.
    different: AtomicUsize,
}

impl Alike {
    /// Counts a text that is the same as one before.
    pub(crate) fn count_same(&self) {
        self.are_some.store(true, Ordering::Relaxed);
        self.different.store(0, Ordering::Relaxed);
    }

    /// Counts one that is not; returns whether others may be the same, so that it should be kept.
    pub(crate) fn count_different(&self) -> bool {
        self.different.fetch_add(1, Ordering::Relaxed) < MOST_DIFFERENT
    }

    /// Whether there were many, and no two were the same.
    pub(crate) fn are_none(&self) -> bool {
        self.different.load(Ordering::Relaxed) >= MOST_DIFFERENT
            && !self.are_some.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_as_long_as_some_are_the_same() {
        let alike = Alike::default();
        for _ in 0..2 {
            assert!((0..MOST_DIFFERENT).all(|_| alike.count_different()));
            assert!(!alike.count_different());
            alike.count_same();
        }
        assert!(alike.count_different());
    }

    #[test]
    fn texts_are_not_compared_if_none_were_the_same() {
        let alike = Alike::default();
        for _ in 0..MOST_DIFFERENT {
            assert!(!alike.are_none());
            alike.count_different();
        }
        assert!(alike.are_none());
        alike.count_same();
        for _ in 0..2 * MOST_DIFFERENT {
            alike.count_different();
            assert!(!alike.are_none());
        }
    }
}
