//! Values that are computed when they are first needed.

use std::sync::OnceLock;

/// A lazily computed cache, derived from the fields beside it; ignored by `==`.
#[derive(Debug, Clone)]
pub struct Later<T>(OnceLock<T>);

impl<T> Later<T> {
    /// The value, which `compute` returns if it is not known.
    pub fn get_or_init(&self, compute: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(compute)
    }
}

impl<T> Default for Later<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> PartialEq for Later<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Later<T> {}
