//! The keyed arguments of a unit.

use super::UnitView;
use crate::contract::{Mode, Value, ValueKind};
use signature_ls_source::{
    host::{
        Argument, Notation,
        flow::{Given, ModeText},
    },
    text::TextRange,
};

impl<'a> UnitView<'a> {
    /// The text of the keyed argument `key` in the document.
    pub(crate) fn argument(&self, key: &str) -> Option<String> {
        let argument = self.unit.argument(key)?;
        Some(self.code(argument.value).trim().to_owned())
    }

    /// Where the value of the keyed argument `key` is, in bytes from the unit's start.
    pub(crate) fn argument_range(&self, key: &str) -> Option<TextRange> {
        Some(self.unit.argument(key)?.value)
    }

    /// The validation mode in the unit. One that is only known at run time limits the severity to warnings.
    pub(crate) fn mode(&self) -> Mode {
        let keys = ["signature_validation", "validation"];
        let mut arguments = keys.into_iter().filter_map(|key| self.unit.argument(key));
        match arguments.next().map(Argument::kind) {
            Some(Some(ValueKind::String(name) | ValueKind::Keyword(name))) => {
                name.parse().unwrap_or(Mode::WarnOnly)
            }
            Some(_) => Mode::WarnOnly,
            None => match self.agents_mode() {
                Some(ModeText::Named(name)) => name.parse().unwrap_or(Mode::WarnOnly),
                Some(ModeText::Dynamic) => Mode::WarnOnly,
                None => Mode::default(),
            },
        }
    }

    /// The values in the map of the context that come from results, with their keys.
    pub(crate) fn given_values(&self) -> Vec<(String, &'a Given)> {
        let values = &self.unit.flow.values;
        if values.is_empty() {
            return Vec::new();
        }
        let Some(ValueKind::Map(entries)) = self.argument_value("context").map(|it| it.kind) else {
            return Vec::new();
        };
        let given = entries.into_iter().filter_map(|entry| {
            let range = entry.value.range;
            let place = values.partition_point(|it| it.range.end() < range.end());
            let value = values.get(place)?;
            let is_it = value.range.contains_range(range);
            Some((entry.key.name.filter(|_| is_it)?.into(), value))
        });
        given.collect()
    }

    /// The value of the keyed argument `key`, with ranges in bytes from the unit's start.
    pub(crate) fn argument_value(&self, key: &str) -> Option<Value> {
        self.argument_with_value(key)?.read()
    }

    /// The value of the keyed argument `key`, with ranges in bytes from its start. It may be as long as the document, so it
    /// is not copied.
    pub(crate) fn argument_kind(&self, key: &str) -> Option<&'a ValueKind> {
        self.argument_with_value(key)?.kind()
    }

    /// The keyed argument `key`, if its value is known.
    pub(in crate::ide::unit) fn argument_with_value(&self, key: &str) -> Option<&'a Argument> {
        let argument = self.unit.argument(key)?;
        (!self.is_torn(argument.value)).then_some(argument)
    }

    /// Whether the value of a JSON key at `range` certainly ends elsewhere: it contains a bracket that closes another
    /// one, which is indented less.
    fn is_torn(&self, range: TextRange) -> bool {
        if self.notation() != Notation::Json {
            return false;
        }
        let code = self.code(range);
        let Some((_, last)) = code.rsplit_once('\n') else {
            return false;
        };
        let first = self
            .text
            .slice(self.text.line_range(range.start() + self.start));
        let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        indentation(last) < indentation(&first)
    }
}
