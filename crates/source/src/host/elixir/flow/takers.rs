//! Functions of Elixir that pass a value, or the elements of a list, to a function argument.

use std::{ops::RangeInclusive, sync::Arc};

use super::{expr::Expr, reader::Reader};
use crate::host::{elixir::call::Callee, token_tree::Element};

/// Longer pipelines are not followed from their beginning at each call.
const LONGEST: usize = 256;

/// A call that gives a function the value of an argument, or each element of that.
pub struct Taker {
    /// What is piped into it; `None` where the first argument is written in the call.
    piped: Option<Arc<Expr>>,
    given: Given,
}

/// Which argument is given to which. Arguments count from 0, with one that is piped.
#[derive(Clone, Copy)]
struct Given {
    value: usize,
    /// The first and the last that may be a function of it.
    functions: (usize, usize),
    /// How many arguments there must be, where the function takes others with fewer.
    arity: Option<usize>,
    is_element: bool,
}

impl Taker {
    /// The taker that `callee` calls.
    pub fn of(callee: &Callee<'_, '_>, reader: Reader<'_>) -> Option<Self> {
        let mut path = [""; 3];
        let mut segments = callee.segments();
        let len = segments
            .by_ref()
            .zip(&mut path)
            .map(|(it, to)| *to = it)
            .count();
        let given = Given::by(&path[..len]).filter(|_| segments.next().is_none())?;
        let piped = piped(callee, reader)?;
        Some(Self { piped, given })
    }

    /// What functions are given in a call with these arguments, and the indices of the first and the last of those that may
    /// be one.
    pub fn gives(
        &self,
        written: &[&[Element<'_>]],
        reader: Reader<'_>,
    ) -> Option<(Arc<Expr>, RangeInclusive<usize>)> {
        let piped = usize::from(self.piped.is_some());
        let arity = written.len() + piped;
        if self.given.arity.is_some_and(|it| it != arity) {
            return None;
        }
        let value = match (&self.piped, self.given.value) {
            (Some(piped), 0) => Arc::clone(piped),
            (_, index) => reader.whole(written.get(index.checked_sub(piped)?)?)?,
        };
        let (first, last) = self.given.functions;
        let given = match self.given.is_element {
            true => Arc::new(Expr::Element(value)),
            false => value,
        };
        Some((given, first.checked_sub(piped)?..=last.checked_sub(piped)?))
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

impl Given {
    /// What the function at `path` gives.
    fn by(path: &[&str]) -> Option<Self> {
        let elements = |functions| Self {
            value: 0,
            functions,
            arity: None,
            is_element: true,
        };
        Some(match path {
            ["then" | "tap"] => Self {
                is_element: false,
                ..elements((1, 1))
            },
            ["Enum" | "Stream", "zip_with"] => Self {
                arity: Some(3),
                ..elements((2, 2))
            },
            ["Enum", "zip_reduce"] => Self {
                arity: Some(4),
                ..elements((3, 3))
            },
            ["Enum" | "Stream", name] => elements(functions_of(name)?),
            ["Map" | "MapSet" | "Keyword", "new"] | ["Task", "async_stream"] => elements((1, 1)),
            ["List", "foldl" | "foldr" | "update_at"] => elements((2, 2)),
            ["Task", "Supervisor", "async_stream" | "async_stream_nolink"] => Self {
                value: 1,
                ..elements((2, 2))
            },
            _ => return None,
        })
    }
}

/// The first and the last argument of the function of that name of `Enum` or `Stream` that may be a function which is
/// called with one element at a time, its first argument.
fn functions_of(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "all?" | "any?" | "chunk_by" | "count" | "count_until" | "dedup_by" | "drop_while"
        | "each" | "filter" | "find_index" | "flat_map" | "frequencies_by" | "map" | "max"
        | "max_by" | "min" | "min_by" | "min_max_by" | "product_by" | "reject" | "sort"
        | "sort_by" | "split_while" | "split_with" | "sum_by" | "take_while" | "uniq_by"
        | "with_index" => (1, 1),
        "find" | "find_value" | "group_by" | "map_join" | "reduce" | "scan" => (1, 2),
        "chunk_while" | "flat_map_reduce" | "into" | "map_every" | "map_intersperse"
        | "map_reduce" | "reduce_while" | "transform" => (2, 2),
        _ => return None,
    })
}

/// Whether the function of that name of `Enum` or `Stream` returns some of the elements of a list, in a list.
pub fn keeps_elements(name: &str) -> bool {
    matches!(
        name,
        "dedup"
            | "dedup_by"
            | "drop"
            | "drop_every"
            | "drop_while"
            | "filter"
            | "reject"
            | "reverse"
            | "shuffle"
            | "slice"
            | "sort"
            | "sort_by"
            | "take"
            | "take_every"
            | "take_random"
            | "take_while"
            | "to_list"
            | "uniq"
            | "uniq_by"
    )
}
