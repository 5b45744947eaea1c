//! Validation modes: which checks run, and how severe their findings are.

use std::{fmt, str::FromStr};

use crate::{
    contract::{
        Extra, Finding, FindingKind, Value, coerce, keys::doubled_keys, validate::validate_first,
    },
    model::{Edition, Type},
};

/// The validation mode of a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Errors count; unknown fields are allowed.
    #[default]
    Enabled,
    /// Errors count as warnings.
    WarnOnly,
    /// Nothing is checked.
    Disabled,
    /// Errors count, unknown fields are errors, nothing is coerced.
    Strict,
}

/// The direction of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The arguments of a tool or an agent: coerced, then checked.
    Input,
    /// A result: checked without coercion, but its date-times are shifted to UTC.
    Output,
    /// A result that a program returns: no string stands for what JSON cannot write.
    Returned,
}

/// The findings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Violations of the contract.
    pub errors: Vec<Finding>,
    /// Remarks that are not violations.
    pub warnings: Vec<Finding>,
}

/// Validates `value` against `ty`.
pub fn check(
    value: &Value,
    ty: &Type,
    direction: Direction,
    mode: Mode,
    edition: Edition,
) -> Report {
    check_first(value, ty, direction, mode, edition, usize::MAX)
}

/// The first `most` errors and warnings of [`check`].
pub(crate) fn check_first(
    value: &Value,
    ty: &Type,
    direction: Direction,
    mode: Mode,
    edition: Edition,
    most: usize,
) -> Report {
    let validated = |extra| Report {
        errors: validate_first(value, ty, extra, direction, edition, most),
        warnings: Vec::new(),
    };
    let mut report = match (mode, direction) {
        (Mode::Disabled, _) => return Report::default(),
        (Mode::Strict, _) => validated(Extra::Refused),
        (_, Direction::Output | Direction::Returned) => Report {
            warnings: coerce::shifts(value, ty, edition, most),
            ..validated(Extra::Allowed)
        },
        (_, Direction::Input) => coerce::findings(value, ty, edition, most),
    };
    report.add_doubled_keys(value, edition);
    if mode == Mode::WarnOnly {
        report.warnings.splice(0..0, report.errors.drain(..));
    }
    report
}

impl Report {
    /// If two spellings of one name are present, either value may win. It becomes an error in the next edition.
    fn add_doubled_keys(&mut self, value: &Value, edition: Edition) {
        for finding in doubled_keys(value, edition) {
            let is_spelling = matches!(finding.kind, FindingKind::SameName { .. });
            if is_spelling && edition.allows_same_name_twice() {
                self.warnings.push(finding);
            } else {
                self.errors.push(finding);
            }
        }
    }
}

impl Mode {
    /// All modes; the first one is the default.
    pub const ALL: [Mode; 4] = [Self::Enabled, Self::WarnOnly, Self::Disabled, Self::Strict];

    /// The name in code and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::WarnOnly => "warn_only",
            Self::Disabled => "disabled",
            Self::Strict => "strict",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.name() == text)
            .ok_or_else(|| {
                format!("unknown mode `{text}`; use enabled, warn_only, disabled or strict")
            })
    }
}

#[cfg(test)]
mod tests;
