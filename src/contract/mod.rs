//! Values against types: reads literals, coerces inputs, validates outputs.
//!
//! Everything here is a pure function of types and values. Where a value is in which document is
//! known to the layers above this one; here a range is a place in the text that was read.

mod check;
mod coerce;
#[cfg(test)]
mod document_tests;
mod example;
mod finding;
mod keys;
pub mod prompt;
#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod schema_tests;
#[cfg(test)]
pub(crate) mod testing;
mod validate;

pub use crate::value::{
    BigInt, Datetime, DatetimeError, Entry, Key, MAX_DEPTH, Value, ValueKind, json, yaml,
};
pub use check::{Direction, Mode, Report, check};
pub use coerce::{Coerced, coerce};
pub use example::example;
pub use finding::{Finding, FindingKind, Path, Segment};
pub use validate::{Extra, validate};
