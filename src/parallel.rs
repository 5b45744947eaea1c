//! Runs work on several threads if the library has them, sequentially otherwise.

#[cfg(feature = "workspace")]
use crate::cancel::Waiting;

/// Fewer items than this are not worth a thread.
#[cfg(feature = "workspace")]
const ITEMS_PER_THREAD: usize = 64;

/// The results of `look` for each of `items`, in order.
#[cfg(feature = "workspace")]
pub fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    use rayon::prelude::*;

    if items.len() <= ITEMS_PER_THREAD {
        // Another thread would only have to be woken.
        return items.iter().map(look).collect();
    }
    let waiting = Waiting::of_thread();
    let look = |item| waiting.lend(|| look(item));
    let items = items.par_iter().with_min_len(ITEMS_PER_THREAD);
    items.map(look).collect()
}

/// The results of `look` for each of `items`, in order.
#[cfg(not(feature = "workspace"))]
pub fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    items.iter().map(look).collect()
}

/// The results of both `one` and `other`.
#[cfg(feature = "workspace")]
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    let waiting = Waiting::of_thread();
    rayon::join(|| waiting.lend(one), || waiting.lend(other))
}

/// The results of both `one` and `other`.
#[cfg(not(feature = "workspace"))]
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    (one(), other())
}
