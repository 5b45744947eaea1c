//! Values against types: reads literals, coerces inputs, validates outputs.
//!
//! Pure functions of types and values. Ranges refer to the text that a value was read from; the layers above map them
//! to documents.

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

pub(crate) use check::check_first;
pub use check::{Direction, Mode, Report, check};
pub use coerce::{Coerced, coerce};
pub use example::example;
pub use finding::{Finding, FindingKind, Path, Segment};
pub(crate) use keys::MOST_MISSING;
pub use signature_ls_source::value::{
    BigInt, Datetime, DatetimeError, Entry, Key, MAX_DEPTH, Value, ValueKind, json, yaml,
};
pub use validate::{Extra, validate};
