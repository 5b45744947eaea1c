//! Rendered JSON results on their way past the service.
//!
//! The service would build a tree of values from each result, which for the symbols of a long file takes several times
//! as long as everything else. So a handler puts a rendered result into a slot and returns null; the transport sends
//! the content of the slot instead.

use std::{
    future::Future,
    io,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;

use signature_ls_source::cancel;

/// How many bytes are rendered between two looks whether the request was canceled.
const BETWEEN_CHECKS: usize = 16 << 10;

tokio::task_local! {
    /// The slot of the current request.
    static SLOT: Slot;
}

/// The slot for the rendered result of a request.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Option<String>>>);

impl Slot {
    /// Runs the handler with this slot.
    pub(super) fn around<F: Future>(&self, handler: F) -> impl Future<Output = F::Output> + use<F> {
        SLOT.scope(self.clone(), handler)
    }

    /// The content of the slot.
    pub(super) fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Stores the result of the current request.
pub(super) fn leave(result: String) {
    // Every handler runs within a slot.
    let _ = SLOT.try_with(|slot| {
        *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
}

/// `result` as JSON. The work ends if the request is canceled.
pub(super) fn render(result: &impl Serialize) -> Option<String> {
    let mut json = Json(Vec::new());
    serde_json::to_writer(&mut json, result).ok()?;
    String::from_utf8(json.0).ok()
}

/// The JSON so far.
struct Json(Vec<u8>);

impl io::Write for Json {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.0.len();
        self.0.extend_from_slice(bytes);
        if before / BETWEEN_CHECKS != self.0.len() / BETWEEN_CHECKS {
            cancel::check();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_long_result_is_not_rendered_after_a_cancel() {
        let result = vec![u32::MAX; 1 << 20];
        let whole = render(&result).expect("plain data");
        assert_eq!(whole, serde_json::to_string(&result).expect("plain data"));
        let checks = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&checks);
        let is_over = move || counted.fetch_add(1, Ordering::Relaxed) == 2;
        assert_eq!(cancel::run_cancellable(is_over, || render(&result)), None);
        assert_eq!(checks.load(Ordering::Relaxed), 3);
    }
}
