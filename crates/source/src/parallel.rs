//! Runs work on several threads if the library has them, sequentially otherwise.

#[cfg(feature = "native")]
use crate::cancel::CancelToken;

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

/// Whether each number below `count` is meant. Items are elsewhere in memory than their list, so that to look at each of
/// them takes time. It is not generic, because [`map`] is compiled for each use.
pub fn flags(count: usize, is_meant: &(dyn Fn(usize) -> bool + Sync)) -> Vec<bool> {
    let numbers: Vec<_> = (0..count).collect();
    map(&numbers, |at| is_meant(*at))
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
    use std::sync::{Mutex, PoisonError};

    if items.len() <= per_thread {
        // Another thread would only have to be woken.
        return items.iter().map(look).collect();
    }
    let longest = per_thread.max(items.len() / LEAST_SHARES);
    let len = items.len().div_ceil(items.len() / longest);
    let shares: Vec<_> = items.chunks(len).collect();
    let found = Mutex::new(Vec::with_capacity(shares.len()));
    for_each(shares.len(), &|at| {
        let results: Vec<_> = shares[at].iter().map(&look).collect();
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.push((at, results));
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    crate::order::by_number(&mut found, |(at, _)| *at as u64);
    let mut all = Vec::with_capacity(items.len());
    all.extend(found.into_iter().flat_map(|(_, results)| results));
    all
}

/// Calls `work` with each number below `count`. It is not generic, because the code that divides work among threads
/// would be compiled for each type.
#[cfg(feature = "native")]
fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;

    let token = CancelToken::of_thread();
    let numbers = (0..count).into_par_iter().with_max_len(1);
    numbers.for_each(|at| token.with_token(|| work(at)));
}

#[cfg(not(feature = "native"))]
fn map_by<'a, T: Sync, R: Send>(
    _: usize,
    items: &'a [T],
    look: impl Fn(&'a T) -> R + Send + Sync,
) -> Vec<R> {
    items.iter().map(look).collect()
}
