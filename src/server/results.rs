//! Rendered JSON results on their way past the service.
//!
//! The service would build a tree of values from each result, which for the symbols of a long file takes several times
//! as long as everything else. So a handler puts a rendered result into a slot and returns null; the transport sends
//! the content of the slot instead.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::value::RawValue;

tokio::task_local! {
    /// The slot of the current request.
    static SLOT: Slot;
}

/// The slot for the rendered result of a request.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Option<Box<RawValue>>>>);

impl Slot {
    /// Runs the handler with this slot.
    pub(super) fn around<F: Future>(&self, handler: F) -> impl Future<Output = F::Output> + use<F> {
        SLOT.scope(self.clone(), handler)
    }

    /// The content of the slot.
    pub(super) fn take(&self) -> Option<Box<RawValue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Stores the result of the current request.
pub(super) fn leave(result: Box<RawValue>) {
    // Every handler runs within a slot.
    let _ = SLOT.try_with(|slot| {
        *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
}
