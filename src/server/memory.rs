//! Gives memory back to the system while the server is idle.

use std::{thread, time::Duration};

use crate::ide::tokens;

/// How long the server is idle before memory goes back: the allocator keeps what was freed for a second.
pub(super) const IDLE: Duration = Duration::from_millis(1_200);

/// Gives the memory back that the allocator keeps although it was freed, and that of the vocabulary.
///
/// mimalloc does so only when a program allocates, and then for a part of it. A thread that ends does so for all of it.
pub(super) fn release() {
    tokens::forget_vocabulary();
    let thread = thread::Builder::new().name("release-memory".to_owned());
    // Without another thread, the memory stays until the next time.
    let _ = thread.spawn(|| {});
}
