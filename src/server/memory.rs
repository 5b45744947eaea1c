//! Gives memory back to the system while the server is idle.

use std::{hint::black_box, time::Duration};

use super::pool::on_background_threads;
use signature_ls_analysis::ide::tokens;
use signature_ls_source::syntax::shared::forget_slots;

/// The allocator keeps what was freed for half a second (`.cargo/config.toml`).
const KEPT: Duration = Duration::from_millis(600);

/// Loading the vocabulary again takes so long that a user notices it.
const UNUSED: Duration = Duration::from_secs(60);

/// jemalloc looks at what is free about every 1,000 allocations, and at one size that the thread keeps every 64 KB.
const ALLOCATIONS: usize = 1_500;
const SIZE: usize = 64 << 10;

/// What the server does while it is idle: how long each step waits, and what it does.
///
/// The allocator counts the time from the first release on, because it does not know when memory was freed.
pub(super) const STEPS: [(Duration, fn()); 5] = [
    (KEPT, release),
    (KEPT, release),
    (UNUSED, tokens::forget_vocabulary),
    (KEPT, release),
    (KEPT, release),
];

/// Gives the memory back that this thread and those of the pools keep although it was freed.
fn release() {
    release_of_thread();
    rayon::spawn_broadcast(|_| release_of_thread());
    on_background_threads(release_of_thread);
}

fn release_of_thread() {
    forget_slots();
    for _ in 0..ALLOCATIONS {
        black_box(Vec::<u8>::with_capacity(SIZE));
    }
}
