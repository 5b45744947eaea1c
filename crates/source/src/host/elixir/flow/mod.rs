//! Follows agents and the results of their runs through names, calls and patterns.
//!
//! Nothing is executed: an expression is parsed as far as it is certain ([`reader`]), and names are resolved where they
//! are used ([`eval`]). What cannot be seen (a branch, another process, an argument of a function) has no value, so
//! nothing is reported about it.

pub mod access;
pub mod call;
pub mod eval;
pub mod expr;
pub mod facts;
pub mod keys;
pub mod pattern;
pub mod reader;
pub mod takers;
pub mod value;
