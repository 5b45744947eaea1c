//! Runs work on several threads if the library has them, sequentially otherwise.

#[cfg(feature = "native")]
use crate::cancel::Waiting;

/// Whether there are threads.
pub const HAS_THREADS: bool = cfg!(feature = "native");

/// Fewer items than this are not worth a thread.
const ITEMS_PER_THREAD: usize = 64;

/// Into how many shares items are divided at least, so that no thread waits long for the last share of another one.
#[cfg(feature = "native")]
const LEAST_SHARES: usize = 32;

/// The results of `look` for each of `items`, in order.
pub fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    map_by(ITEMS_PER_THREAD, items, look)
}

/// The results of `look` for each of `items`, in order; each of them is worth a thread.
pub fn map_long<'a, T: Sync, R: Send>(
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    map_by(1, items, look)
}

#[cfg(feature = "native")]
fn map_by<'a, T: Sync, R: Send>(
    per_thread: usize,
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    use rayon::prelude::*;

    if items.len() <= per_thread {
        // Another thread would only have to be woken.
        return items.iter().map(look).collect();
    }
    let waiting = Waiting::of_thread();
    let look = |item| waiting.lend(|| look(item));
    let longest = per_thread.max(items.len() / LEAST_SHARES);
    let items = items.par_iter().with_min_len(per_thread);
    items.with_max_len(longest).map(look).collect()
}

#[cfg(not(feature = "native"))]
fn map_by<'a, T: Sync, R: Send>(
    _: usize,
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    items.iter().map(look).collect()
}
