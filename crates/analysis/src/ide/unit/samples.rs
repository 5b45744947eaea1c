//! The sample values of a unit: `input:`, `output:`, `examples:` and the `context:` of a call.

use super::UnitView;
use crate::contract::{Direction, Value, ValueKind};
use signature_ls_source::{
    host::{Notation, UnitKind},
    text::TextSize,
};

/// A sample value. It may be as long as the document, so it is not copied.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample<'a> {
    /// Whether it contains inputs or an output.
    pub(crate) direction: Direction,
    /// The value, with ranges in bytes from the argument's start.
    pub(crate) value: &'a Value,
    /// The start of the argument, in bytes from the unit's start.
    pub(crate) start: TextSize,
}

impl Sample<'_> {
    /// A copy of the value with ranges in bytes from the unit's start.
    pub(crate) fn placed(self) -> Value {
        self.value.clone().moved_by(self.start)
    }
}

/// Where a sample value is.
pub(super) struct Place {
    direction: Direction,
    /// The key of the argument.
    argument: &'static str,
    /// The index of the example in the list that the argument is, and the key in that example, if it has one.
    example: Option<(usize, Option<&'static str>)>,
}

impl<'a> UnitView<'a> {
    /// The sample values beside the unit's literals.
    pub(crate) fn samples(&self) -> impl Iterator<Item = Sample<'a>> {
        let places = self.samples.get_or_init(|| self.sample_places());
        places.iter().filter_map(|it| self.sample(it))
    }

    fn sample(&self, place: &Place) -> Option<Sample<'a>> {
        let argument = self.unit.argument(place.argument)?;
        let value = argument.unplaced()?;
        let value = match (place.example, &value.kind) {
            (None, _) => value,
            (Some((index, key)), ValueKind::List(examples)) => {
                let example = examples.get(index)?;
                key.map_or(Some(example), |it| example.get(it))?
            }
            _ => return None,
        };
        Some(Sample {
            direction: place.direction,
            value,
            start: argument.value.start(),
        })
    }

    fn sample_places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut add = |direction, argument, example| {
            places.push(Place {
                direction,
                argument,
                example,
            });
        };
        let value = |key| self.argument_with_value(key)?.unplaced();
        // In code, `input:`, `output:` and `examples:` can be anything.
        if self.notation() == Notation::Elixir {
            if value("context").is_some_and(|it| matches!(it.kind, ValueKind::Map(_))) {
                add(Direction::Input, "context", None);
            }
            return places;
        }
        for key in ["input", "inputs", "context"] {
            if value(key).is_some() {
                add(Direction::Input, key, None);
            }
        }
        if self.unit.kind == UnitKind::ToolCall {
            return places;
        }
        if value("output").is_some_and(|it| !is_output_mode(it)) {
            add(Direction::Output, "output", None);
        }
        if let Some(ValueKind::List(examples)) = value("examples").map(|it| &it.kind) {
            for (index, example) in examples.iter().enumerate() {
                let mut add = |direction, key| add(direction, "examples", Some((index, key)));
                let has = |key| example.get(key).is_some();
                if has("output") {
                    add(Direction::Output, Some("output"));
                }
                match (has("input"), has("output")) {
                    (true, _) => add(Direction::Input, Some("input")),
                    (false, true) => {}
                    (false, false) => add(Direction::Input, None),
                }
            }
        }
        places
    }
}

/// Whether the value of `output:` names a kind of output instead of being one.
fn is_output_mode(value: &Value) -> bool {
    let (ValueKind::String(word) | ValueKind::Keyword(word)) = &value.kind else {
        return false;
    };
    matches!(&**word, "text" | "json" | "ptc_lisp" | "ptc-lisp")
}
