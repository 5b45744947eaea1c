//! Where a unit is in its document, and which units an edit replaced.

use std::sync::Arc;

use crate::{
    host::{site::Unit, units},
    text::{TextEdit, TextSize},
};

/// A unit and where it begins in its document.
#[derive(Debug, Clone)]
pub struct PlacedUnit {
    /// The byte of the document at which the unit begins; ranges in the unit count from here.
    pub start: TextSize,
    /// The unit; the same `Arc` as before an edit where the edit did not touch it.
    pub unit: Arc<Unit>,
    /// The bytes of the document at which the signatures begin that flow into it, in the order of its sources; `None`
    /// where they are in other files.
    pub origins: Vec<Option<TextSize>>,
}

impl PlacedUnit {
    /// A unit into which nothing flows.
    pub fn new(start: TextSize, unit: impl Into<Arc<Unit>>) -> Self {
        Self {
            start,
            unit: unit.into(),
            origins: Vec::new(),
        }
    }

    /// Where it is after `edit`, which does not touch it.
    pub(super) fn moved(&self, edit: &TextEdit) -> Self {
        let mut unit = self.clone();
        unit.start = units::moved(unit.start, edit);
        unit.move_origins(edit);
        unit
    }

    pub(super) fn move_origins(&mut self, edit: &TextEdit) {
        for origin in self.origins.iter_mut().flatten() {
            *origin = units::moved(*origin, edit);
        }
    }
}

/// Which units an edit replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitChange {
    /// Indices of the units that went, in the list before the edit.
    pub removed: std::ops::Range<usize>,
    /// How many came in their place.
    pub inserted: usize,
    /// Those that went and came again unchanged: the index before the edit and the one after it.
    pub same: Vec<(usize, usize)>,
}
