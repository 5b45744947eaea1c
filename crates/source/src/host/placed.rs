//! The place of a unit in its document, and the units that an edit replaced.

use std::sync::Arc;

use crate::{
    host::{unit::Unit, units},
    text::{TextEdit, TextRange, TextSize},
};

/// The starts of the signatures that flow into a unit, in the order of its sources; `None` for those in other files.
pub type Origins = Vec<Option<TextSize>>;

/// How far a signature begins after the start of the unit that it flows into, in bytes; negative before it.
type Distance = i32;

/// Few units have more than two signatures, and an edit looks at those of many units: in a vector, that would wait for
/// memory once more.
#[cfg(feature = "native")]
type Distances = smallvec::SmallVec<[Option<Distance>; 2]>;

/// The same where few signatures are in a document.
#[cfg(not(feature = "native"))]
type Distances = Vec<Option<Distance>>;

/// A unit and its start in its document.
#[derive(Debug, Clone)]
pub struct PlacedUnit {
    /// The start of the unit in the document; ranges in the unit are relative to it.
    pub start: TextSize,
    /// The unit; the same `Arc` as before if an edit does not touch it.
    pub unit: Arc<Unit>,
    /// Where the signatures that flow into it begin. An edit moves most of them along with the unit. A text may have a unit
    /// in each line, most of them without any.
    distances: Option<Box<Distances>>,
}

impl PlacedUnit {
    /// A unit without flow.
    pub fn new(start: TextSize, unit: impl Into<Arc<Unit>>) -> Self {
        Self {
            start,
            unit: unit.into(),
            distances: None,
        }
    }

    /// Its range in the document.
    pub fn range(&self) -> TextRange {
        TextRange::at(self.start, self.unit.len)
    }

    /// The range of its own code in the document, without the literals before it that its names refer to.
    pub fn own_range(&self) -> TextRange {
        let range = self.range();
        TextRange::new(range.start() + self.unit.extras.own, range.end())
    }

    /// `unit` in the same place.
    pub(super) fn with_unit(self, unit: Unit) -> Self {
        let unit = unit.into();
        Self { unit, ..self }
    }

    /// The same unit, into which signatures flow that begin at `origins`.
    pub fn with_origins(self, origins: impl IntoIterator<Item = Option<TextSize>>) -> Self {
        let distance = |origin| distance(self.start, origin);
        let distances: Distances = origins.into_iter().map(|it| it.map(distance)).collect();
        Self {
            distances: (!distances.is_empty()).then(|| Box::new(distances)),
            ..self
        }
    }

    /// The starts of the signatures that flow into it, in the order of its sources.
    pub fn origins(&self) -> impl Iterator<Item = Option<TextSize>> {
        let distances = self.distances.iter().flat_map(|it| it.iter());
        distances.map(|it| it.map(|it| at_distance(self.start, it)))
    }

    /// The start of the signature that flows into it from a source; `None` in another file.
    pub fn origin(&self, source: usize) -> Option<TextSize> {
        self.origins().nth(source).flatten()
    }

    /// The distance of the farthest of them.
    pub(super) fn reach(&self) -> TextSize {
        let distances = self.distances.iter().flat_map(|it| it.iter().flatten());
        let farthest = distances.map(|it| it.unsigned_abs()).max();
        farthest.unwrap_or_default().into()
    }

    /// Its place after `edit`, which does not touch it.
    pub(super) fn moved(&self, edit: &TextEdit) -> Self {
        let mut unit = self.clone();
        unit.move_to(units::moved(unit.start, edit), edit);
        unit
    }

    /// The same place, with its origins after `edit`.
    pub(super) fn with_origins_moved(&self, edit: &TextEdit) -> Self {
        let mut unit = self.clone();
        unit.move_to(unit.start, edit);
        unit
    }

    /// Moves it to `start`, and its origins by `edit`.
    pub(super) fn move_to(&mut self, start: TextSize, edit: &TextEdit) {
        self.place(start, |origin| units::moved(origin, edit));
    }

    /// Moves it to `start`, but not its origins.
    pub(super) fn move_alone(&mut self, start: TextSize) {
        self.place(start, |origin| origin);
    }

    fn place(&mut self, start: TextSize, origin: impl Fn(TextSize) -> TextSize) {
        if let Some(distances) = &mut self.distances {
            for it in distances.iter_mut().flatten() {
                *it = distance(start, origin(at_distance(self.start, *it)));
            }
        }
        self.start = start;
    }
}

fn distance(start: TextSize, origin: TextSize) -> Distance {
    u32::from(origin).wrapping_sub(start.into()).cast_signed()
}

fn at_distance(start: TextSize, distance: Distance) -> TextSize {
    u32::from(start).wrapping_add_signed(distance).into()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A text may have one in each line.
    #[test]
    fn a_placed_unit_takes_little_room() {
        let size = size_of::<PlacedUnit>();
        assert!(size <= 24, "{size} bytes");
    }
}
