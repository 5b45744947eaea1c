//! Results that were rendered as JSON where a document was read, on their way past the service.
//!
//! The service makes a tree of values of each result before it is written, which for the symbols of a long file takes
//! several times as long as all else. So a handler leaves a rendered result in a slot and returns nothing; the
//! transport then sends what is in the slot instead.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::value::RawValue;

tokio::task_local! {
    /// The slot of the request whose handler runs.
    static SLOT: Slot;
}

/// A place for the rendered result of one request.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Option<Box<RawValue>>>>);

impl Slot {
    /// The handler, which finds this slot whenever it runs.
    pub(super) fn around<F: Future>(&self, handler: F) -> impl Future<Output = F::Output> + use<F> {
        SLOT.scope(self.clone(), handler)
    }

    /// What the handler left here.
    pub(super) fn take(&self) -> Option<Box<RawValue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Leaves the result of the request whose handler runs.
pub(super) fn leave(result: Box<RawValue>) {
    // Every handler runs around a slot.
    let _ = SLOT.try_with(|slot| {
        *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
}
