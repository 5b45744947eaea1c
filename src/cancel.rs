//! Cancels work whose result nobody waits for any more.
//!
//! An analysis is made of many small steps, most of them in iterators. So it does not return early: it unwinds, as the
//! step [`check`]s, to the request that it is for.

use std::{cell::RefCell, panic, sync::Arc};

thread_local! {
    static WAITING: RefCell<Waiting> = RefCell::default();
}

/// Who waits for what a thread does: nothing where it is done anyway.
#[derive(Clone, Default)]
pub(crate) struct Waiting(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

/// What is unwound with.
struct Cancelled;

impl Waiting {
    /// Who waits for what this thread does.
    #[cfg(feature = "workspace")]
    pub(crate) fn of_thread() -> Self {
        WAITING.with_borrow(Self::clone)
    }

    /// Ends the work where nobody waits any more.
    pub(crate) fn check(&self) {
        if self.is_over() {
            // There is no panic to report.
            panic::resume_unwind(Box::new(Cancelled));
        }
    }

    fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|is_over| is_over())
    }
}

/// Ends the work of this thread where nobody waits for it any more.
pub(crate) fn check() {
    WAITING.with_borrow(Waiting::check);
}

/// The result of `work`, which ends early where it `is_over`; `None` then.
#[cfg(feature = "server")]
pub(crate) fn unless<T>(
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

#[cfg(all(test, feature = "server"))]
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
        // What follows is not concerned.
        check();
    }

    #[test]
    fn work_inside_of_other_work_ends_with_it() {
        let result = unless(|| true, || unless(|| false, check).is_some());
        assert_eq!(result, Some(false));
        assert_eq!(unless(|| false, || unless(|| true, check)), Some(None));
        assert_eq!(unless(|| false, || 1), Some(1));
    }

    #[test]
    fn a_panic_stays_one() {
        let result = panic::catch_unwind(|| unless(|| false, || panic!("as the test wants")));
        assert!(result.is_err());
        check();
    }
}
