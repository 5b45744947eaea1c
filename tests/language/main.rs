//! The language, as its reference pages describe it: each table and each example, line by line.
//!
//! One file a section; the names of the tests are the headings of the tables.

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
