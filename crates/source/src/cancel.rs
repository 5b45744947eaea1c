//! Cancels work whose result nobody waits for.
//!
//! An analysis consists of many small steps, most of them in iterators. Instead of returning early, it unwinds from a
//! [`check`] to the request that started it.

use std::{cell::RefCell, panic, sync::Arc};

thread_local! {
    static TOKEN: RefCell<CancelToken> = RefCell::default();
}

/// Tells whether the work of a thread is canceled; the default one is for work that has to be done anyway.
#[derive(Clone, Default)]
pub struct CancelToken(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

/// The payload of the unwinding.
struct Cancelled;

impl CancelToken {
    /// The token of this thread.
    pub fn of_thread() -> Self {
        TOKEN.with_borrow(Self::clone)
    }

    /// Ends the work if it is canceled.
    pub fn check(&self) {
        if self.is_cancelled() {
            // This is no panic to report.
            panic::resume_unwind(Box::new(Cancelled));
        }
    }

    /// Does a part of the work, on any thread; this token cancels it.
    pub fn with_token<T>(&self, part: impl FnOnce() -> T) -> T {
        self.check();
        let _outer = Outer(TOKEN.replace(self.clone()));
        part()
    }

    fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|is_cancelled| is_cancelled())
    }
}

/// The token of a thread before it did a part of other work.
struct Outer(CancelToken);

impl Drop for Outer {
    fn drop(&mut self) {
        TOKEN.set(std::mem::take(&mut self.0));
    }
}

/// Ends the work of this thread if it is canceled.
pub fn check() {
    TOKEN.with_borrow(CancelToken::check);
}

/// The result of `work`; `None` if it `is_cancelled` before it ends.
pub fn run_cancellable<T>(
    is_cancelled: impl Fn() -> bool + Send + Sync + 'static,
    work: impl FnOnce() -> T,
) -> Option<T> {
    let outer = CancelToken::of_thread();
    let inner = {
        let outer = outer.clone();
        CancelToken(Some(Arc::new(move || {
            is_cancelled() || outer.is_cancelled()
        })))
    };
    TOKEN.set(inner);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    TOKEN.set(outer);
    match result {
        Ok(result) => Some(result),
        Err(payload) if payload.is::<Cancelled>() => None,
        Err(payload) => panic::resume_unwind(payload),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn work_ends_at_the_next_check() {
        let steps = Arc::new(AtomicUsize::new(0));
        let taken = Arc::clone(&steps);
        let result = run_cancellable(
            move || taken.load(Ordering::Relaxed) == 3,
            || {
                loop {
                    steps.fetch_add(1, Ordering::Relaxed);
                    check();
                }
            },
        );
        assert_eq!(result, None::<()>);
        assert_eq!(steps.load(Ordering::Relaxed), 3);
        // The work after it is not affected.
        check();
    }

    #[test]
    fn nested_work_ends_with_the_outer_work() {
        let result = run_cancellable(|| true, || run_cancellable(|| false, check).is_some());
        assert_eq!(result, Some(false));
        assert_eq!(
            run_cancellable(|| false, || run_cancellable(|| true, check)),
            Some(None)
        );
        assert_eq!(run_cancellable(|| false, || 1), Some(1));
    }

    #[test]
    fn a_part_on_another_thread_ends_with_the_work() {
        let items = [(); 1_000];
        let all = || crate::parallel::map(&items, |()| check());
        let both = || crate::parallel::map_long(&items[..2], |()| check());
        assert_eq!(run_cancellable(|| true, all), None);
        assert_eq!(run_cancellable(|| true, both), None);
        assert_eq!((all().len(), both().len()), (items.len(), 2));
    }

    #[test]
    fn a_panic_stays_one() {
        let result =
            panic::catch_unwind(|| run_cancellable(|| false, || panic!("as the test wants")));
        assert!(result.is_err());
        check();
    }
}
