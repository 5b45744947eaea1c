//! Functions of Elixir that pass a value, or the elements of a list, to a function argument.

use std::sync::Arc;

use super::{expr::Expr, reader::Reader};
use crate::host::{elixir::call::Callee, token_tree::Element};

/// Longer pipelines are not followed from their beginning at each call.
const LONGEST: usize = 256;

/// A call that gives a function the value of its first argument, or each element of that.
pub struct Taker {
    /// What is piped into it; `None` where the first argument is written in the call.
    piped: Option<Arc<Expr>>,
    takes_elements: bool,
}

impl Taker {
    /// The taker that `callee` calls.
    pub fn of(callee: &Callee<'_, '_>, reader: Reader<'_>) -> Option<Self> {
        let mut segments = callee.segments().rev();
        let name = segments.next()?;
        let takes_elements = match (segments.next(), segments.next()) {
            (None, _) if matches!(name, "then" | "tap") => false,
            (Some("Enum" | "Stream"), None) if is_of_elements(name) => true,
            (Some("Task"), None) if name == "async_stream" => true,
            _ => return None,
        };
        Some(Self {
            piped: piped(callee, reader)?,
            takes_elements,
        })
    }

    /// What the function is given, where `first` is the first argument that is written.
    pub fn gives(&self, first: &[Element<'_>], reader: Reader<'_>) -> Option<Arc<Expr>> {
        let value = match &self.piped {
            Some(piped) => Arc::clone(piped),
            None => reader.whole(first)?,
        };
        Some(match self.takes_elements {
            true => Arc::new(Expr::Element(value)),
            false => value,
        })
    }
}

/// What is piped into a call of `callee`; `None` where that cannot be told.
pub(super) fn piped(callee: &Callee<'_, '_>, reader: Reader<'_>) -> Option<Option<Arc<Expr>>> {
    if !callee.is_piped() {
        return Some(None);
    }
    let before = callee.before_pipe().filter(|it| it.len() <= LONGEST)?;
    reader.whole(before).map(Some)
}

/// Whether the function of that name of `Enum` calls a function with one element at a time, its first argument.
fn is_of_elements(name: &str) -> bool {
    matches!(
        name,
        "all?"
            | "any?"
            | "count"
            | "dedup_by"
            | "drop_while"
            | "each"
            | "filter"
            | "find"
            | "find_index"
            | "find_value"
            | "flat_map"
            | "flat_map_reduce"
            | "frequencies_by"
            | "group_by"
            | "into"
            | "map"
            | "map_join"
            | "map_reduce"
            | "max_by"
            | "min_by"
            | "reduce"
            | "reduce_while"
            | "reject"
            | "sort_by"
            | "split_with"
            | "sum_by"
            | "take_while"
            | "uniq_by"
    )
}

/// Whether the function of that name of `Enum` returns some of the elements of a list, in a list.
pub fn keeps_elements(name: &str) -> bool {
    matches!(
        name,
        "dedup"
            | "dedup_by"
            | "drop"
            | "drop_while"
            | "filter"
            | "reject"
            | "reverse"
            | "shuffle"
            | "slice"
            | "sort"
            | "sort_by"
            | "take"
            | "take_random"
            | "take_while"
            | "to_list"
            | "uniq"
            | "uniq_by"
    )
}
