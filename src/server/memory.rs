//! Gives memory back to the system while the server is idle.

use std::{thread, time::Duration};

use crate::ide::tokens;

/// The allocator keeps what was freed for a second.
const KEPT: Duration = Duration::from_millis(1_200);

/// Loading the vocabulary again takes so long that a user notices it.
const UNUSED: Duration = Duration::from_secs(60);

/// What the server does while it is idle: how long each step waits, and what it does.
pub(super) const STEPS: [(Duration, fn()); 3] = [
    (KEPT, release),
    (UNUSED, tokens::forget_vocabulary),
    (KEPT, release),
];

/// Gives the memory back that the allocator keeps although it was freed.
///
/// mimalloc does so only when a program allocates, and then for a part of it. A thread that ends does so for all of it.
fn release() {
    let thread = thread::Builder::new().name("release-memory".to_owned());
    // Without another thread, the memory stays until the next time.
    let _ = thread.spawn(|| {});
}
