//! Panics that must not end the process.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; `None` if it panicked.
///
/// The panic hook has reported it: that of the server logs where it happened, the default one prints it to stderr.
/// Canceled work also returns `None`, unreported.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught() {
        assert_eq!(guarded(|| 1), Some(1));
        assert_eq!(guarded(|| -> u8 { panic!("as the test wants") }), None);
    }
}
