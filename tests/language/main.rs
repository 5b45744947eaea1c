//! The language, as its reference describes it: each table and each example.
//!
//! One file per section; the names of the tests are the headings of the tables.

mod book;
mod contracts;
mod editions;
mod foreign;
mod foreign_files;
mod harness;
mod manual;
mod naming;
mod prompts;
mod suppression;
mod tools;
mod types;
