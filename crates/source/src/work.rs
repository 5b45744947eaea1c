//! Counts the bytes that searches read, so that tests can compare work with the size of a text, without a clock.

#[cfg(any(test, feature = "testing"))]
use std::cell::Cell;

#[cfg(any(test, feature = "testing"))]
thread_local! {
    static READ: Cell<usize> = const { Cell::new(0) };
}

/// Records that a search read so many bytes. Outside of tests, it does nothing.
#[inline]
pub fn count(bytes: usize) {
    #[cfg(any(test, feature = "testing"))]
    READ.set(READ.get() + bytes);
    #[cfg(not(any(test, feature = "testing")))]
    let _ = bytes;
}

/// The number of bytes that the counting searches in `work` read on this thread.
#[cfg(any(test, feature = "testing"))]
pub fn counted<T>(work: impl FnOnce() -> T) -> usize {
    let before = READ.get();
    work();
    READ.get() - before
}
