//! The place of a unit in its document, and the units that an edit replaced.

use std::sync::Arc;

use crate::{
    host::{site::Unit, units},
    text::{TextEdit, TextSize},
};

/// The starts of the signatures that flow into a unit, in the order of its sources; `None` for those in other files.
/// Few have more than two, and each edit moves those of all units: in a vector, that would wait for memory.
#[cfg(feature = "workspace")]
pub type Origins = smallvec::SmallVec<[Option<TextSize>; 2]>;

/// The same where few signatures are in a document.
#[cfg(not(feature = "workspace"))]
pub type Origins = Vec<Option<TextSize>>;

/// A unit and its start in its document.
#[derive(Debug, Clone)]
pub struct PlacedUnit {
    /// The start of the unit in the document; ranges in the unit are relative to it.
    pub start: TextSize,
    /// The unit; the same `Arc` as before if an edit does not touch it.
    pub unit: Arc<Unit>,
    /// The starts of the signatures that flow into it.
    pub origins: Origins,
}

impl PlacedUnit {
    /// A unit without flow.
    pub fn new(start: TextSize, unit: impl Into<Arc<Unit>>) -> Self {
        Self {
            start,
            unit: unit.into(),
            origins: Origins::new(),
        }
    }

    /// Its place after `edit`, which does not touch it.
    pub(super) fn moved(&self, edit: &TextEdit) -> Self {
        let mut unit = self.clone();
        unit.start = units::moved(unit.start, edit);
        unit.move_origins(edit);
        unit
    }

    /// The same place, with its origins after `edit`.
    pub(super) fn with_origins_moved(&self, edit: &TextEdit) -> Self {
        let mut unit = self.clone();
        unit.move_origins(edit);
        unit
    }

    pub(super) fn move_origins(&mut self, edit: &TextEdit) {
        for origin in self.origins.iter_mut().flatten() {
            *origin = units::moved(*origin, edit);
        }
    }
}

/// The units that an edit replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitChange {
    /// The indices of the removed units in the old list.
    pub removed: std::ops::Range<usize>,
    /// The number of added units.
    pub inserted: usize,
    /// The units that were removed and added unchanged: the old and the new index.
    pub same: Vec<(usize, usize)>,
}
