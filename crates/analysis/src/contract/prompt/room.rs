//! A limit of what is filled into prompts: a section repeats its text for each element of a list.

use std::cell::Cell;

use super::Problem;
use crate::contract::{Value, ValueKind};

/// How many entries are compared in the time in which a byte is added.
const PER_BYTE: usize = 16;

/// How many bytes may still be added to the templates of one or several prompts.
#[derive(Debug)]
pub struct Room(Cell<usize>);

impl Room {
    /// Room for so many bytes besides the templates.
    pub fn new(bytes: usize) -> Self {
        Self(Cell::new(bytes))
    }

    pub(super) fn add(&self, bytes: usize) {
        self.0.set(self.0.get() + bytes);
    }

    /// Takes so many bytes, or says that they are too many.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Problem> {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.ok_or(Problem::TooLong)?);
        Ok(())
    }

    /// Adds `added` to `text`.
    pub(super) fn write(&self, added: &str, text: &mut String) -> Result<(), Problem> {
        self.take(added.len())?;
        text.push_str(added);
        Ok(())
    }

    /// The value at `path` below `value`.
    pub(super) fn look_up<'v>(
        &self,
        mut value: &'v Value,
        path: &[String],
    ) -> Result<Option<&'v Value>, Problem> {
        for name in path {
            if let ValueKind::Map(entries) = &value.kind {
                self.take(entries.len() / PER_BYTE)?;
            }
            let Some(below) = value.get(name) else {
                return Ok(None);
            };
            value = below;
        }
        Ok(Some(value))
    }
}
