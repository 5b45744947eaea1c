//! The threads that requests and reading run on.

use tokio::runtime::Handle;

use signature_ls_source::syntax::shared::forget_slots;

/// A handle of these threads, which live as long as the runtime.
#[derive(Debug, Clone)]
pub(super) struct Pool(Handle);

impl Pool {
    pub(super) fn new(runtime: &Handle) -> Self {
        Self(runtime.clone())
    }

    /// Runs `work` on one of the threads. Afterwards, the thread keeps nothing of what it parsed: it may not run again
    /// for long.
    pub(super) fn run(&self, work: impl FnOnce() + Send + 'static) {
        self.0.spawn_blocking(move || {
            work();
            forget_slots();
        });
    }
}
