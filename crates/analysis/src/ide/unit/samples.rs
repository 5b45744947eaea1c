//! The sample values of a unit: `input:`, `output:`, `examples:` and the `context:` of a call.

use super::UnitView;
use crate::contract::{Direction, Value, ValueKind};
use signature_ls_source::host::{Notation, UnitKind};

/// A sample value, with ranges in bytes from the unit's start.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// Whether it contains inputs or an output.
    pub(crate) direction: Direction,
    pub(crate) value: Value,
}

impl UnitView<'_> {
    /// The sample values beside the unit's literals.
    pub(crate) fn samples(&self) -> &[Sample] {
        self.samples.get_or_init(|| self.read_samples())
    }

    fn read_samples(&self) -> Vec<Sample> {
        let mut samples = Vec::new();
        let mut add = |direction, value| samples.push(Sample { direction, value });
        // In code, `input:`, `output:` and `examples:` can be anything.
        if self.notation() == Notation::Elixir {
            let context = self.argument_value("context");
            if let Some(value) = context.filter(|it| matches!(it.kind, ValueKind::Map(_))) {
                add(Direction::Input, value);
            }
            return samples;
        }
        for key in ["input", "inputs", "context"] {
            if let Some(value) = self.argument_value(key) {
                add(Direction::Input, value);
            }
        }
        if self.unit.kind == UnitKind::ToolCall {
            return samples;
        }
        if let Some(value) = self
            .argument_value("output")
            .filter(|it| !is_output_mode(it))
        {
            add(Direction::Output, value);
        }
        if let Some(ValueKind::List(examples)) = self.argument_value("examples").map(|it| it.kind) {
            for example in examples {
                let output = example.get("output").cloned();
                match (example.get("input").cloned(), output) {
                    (None, None) => add(Direction::Input, example),
                    (input, output) => {
                        output.into_iter().for_each(|it| add(Direction::Output, it));
                        input.into_iter().for_each(|it| add(Direction::Input, it));
                    }
                }
            }
        }
        samples
    }
}

/// Whether the value of `output:` names a kind of output instead of being one.
fn is_output_mode(value: &Value) -> bool {
    let (ValueKind::String(word) | ValueKind::Keyword(word)) = &value.kind else {
        return false;
    };
    matches!(word.as_str(), "text" | "json" | "ptc_lisp" | "ptc-lisp")
}
