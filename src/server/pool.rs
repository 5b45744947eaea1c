//! The threads that requests run on, and those that read projects and folders.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::runtime::Handle;

use crate::panics::guarded;
use signature_ls_source::syntax::shared::forget_slots;

/// The name of the threads that read in the background.
const BACKGROUND: &str = "background";

/// The threads that read in the background; `None` if the system had none left.
static READERS: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// A handle of the threads of requests, which live as long as the runtime.
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

    /// Runs long `work`, which may divide itself, on threads of its own. On those of requests, hovers would wait for
    /// it; on those of `parallel`, the main loop would when it opens a document.
    pub(super) fn run_in_background(&self, work: impl FnOnce() + Send + 'static) {
        let threads = ThreadPoolBuilder::new().thread_name(|_| BACKGROUND.to_owned());
        match READERS.get_or_init(|| threads.build().ok()) {
            // A panic in one of them would end the process.
            Some(threads) => threads.spawn(|| {
                let _ = guarded(work);
            }),
            None => self.run(work),
        }
    }
}

/// Calls `look` on each thread that reads in the background.
pub(super) fn on_background_threads(look: fn()) {
    if let Some(Some(threads)) = READERS.get() {
        threads.spawn_broadcast(move |_| look());
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn background_work_takes_no_thread_of_others() {
        let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
        let (sender, names) = mpsc::channel();
        Pool::new(runtime.handle()).run_in_background(move || {
            let name = |_| thread::current().name().map(str::to_owned);
            let parts = (0..256).into_par_iter().with_max_len(1);
            parts.for_each(|part| sender.send(name(part)).unwrap());
        });
        let names: Vec<_> = names.iter().collect();
        assert_eq!(names.len(), 256);
        assert!(names.iter().all(|it| it.as_deref() == Some(BACKGROUND)));
    }
}
