//! Cancels work whose result nobody waits for.
//!
//! An analysis consists of many small steps, most of them in iterators. Instead of returning early, it unwinds from a
//! [`check`] to the request that started it.

use std::{cell::RefCell, panic, sync::Arc};

thread_local! {
    static WAITING: RefCell<Waiting> = RefCell::default();
}

/// Who waits for the work of a thread; nobody if it has to be done anyway.
#[derive(Clone, Default)]
pub struct Waiting(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

/// The payload of the unwinding.
struct Cancelled;

impl Waiting {
    /// Who waits for the work of this thread.
    pub fn of_thread() -> Self {
        WAITING.with_borrow(Self::clone)
    }

    /// Ends the work if nobody waits for it.
    pub fn check(&self) {
        if self.is_over() {
            // This is no panic to report.
            panic::resume_unwind(Box::new(Cancelled));
        }
    }

    /// Does a part of the work on another thread.
    pub fn lend<T>(&self, part: impl FnOnce() -> T) -> T {
        self.check();
        let _lent = Lent(WAITING.replace(self.clone()));
        part()
    }

    fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|is_over| is_over())
    }
}

/// Who waited for the work of a thread before it did a part of other work.
struct Lent(Waiting);

impl Drop for Lent {
    fn drop(&mut self) {
        WAITING.set(std::mem::take(&mut self.0));
    }
}

/// Ends the work of this thread if nobody waits for it.
pub fn check() {
    WAITING.with_borrow(Waiting::check);
}

/// The result of `work`; `None` if it `is_over` before `work` ends.
pub fn unless<T>(
    is_over: impl Fn() -> bool + Send + Sync + 'static,
    work: impl FnOnce() -> T,
) -> Option<T> {
    let outer = Waiting::of_thread();
    let inner = {
        let outer = outer.clone();
        Waiting(Some(Arc::new(move || is_over() || outer.is_over())))
    };
    WAITING.set(inner);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    WAITING.set(outer);
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
        let result = unless(
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
        let result = unless(|| true, || unless(|| false, check).is_some());
        assert_eq!(result, Some(false));
        assert_eq!(unless(|| false, || unless(|| true, check)), Some(None));
        assert_eq!(unless(|| false, || 1), Some(1));
    }

    #[test]
    fn a_part_on_another_thread_ends_with_the_work() {
        let items = [(); 1_000];
        let all = || crate::parallel::map(&items, |()| check());
        let both = || crate::parallel::map_long(&items[..2], |()| check());
        assert_eq!(unless(|| true, all), None);
        assert_eq!(unless(|| true, both), None);
        assert_eq!((all().len(), both().len()), (items.len(), 2));
    }

    #[test]
    fn a_panic_stays_one() {
        let result = panic::catch_unwind(|| unless(|| false, || panic!("as the test wants")));
        assert!(result.is_err());
        check();
    }
}
