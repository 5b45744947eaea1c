//! Sorting by place in a text, and by name.
//!
//! The sort itself is compiled once, for numbers and for indices, and not for each type of item: a hundred copies of the
//! standard sort are a twentieth of the program.

use std::cmp::Ordering;

use crate::text::{TextRange, TextSize};

/// Sorts by start. Items with the same start keep their order.
pub fn by_start<T>(items: &mut [T], start: impl Fn(&T) -> TextSize) {
    by_number(items, |it| u32::from(start(it)));
}

/// Sorts by start, then by end. Items with the same range keep their order.
pub fn by_range<T>(items: &mut [T], range: impl Fn(&T) -> TextRange) {
    by_number(items, |it| {
        let range = range(it);
        both(range.start(), u32::from(range.end()).into())
    });
}

/// Sorts by start, those that begin first and end last first: what contains others is before them.
pub fn outer_first<T>(items: &mut [T], range: impl Fn(&T) -> TextRange) {
    by_number(items, |it| {
        let range = range(it);
        both(range.start(), (!u32::from(range.end())).into())
    });
}

/// Sorts by start, then by the number of a unit.
pub fn by_start_in<T>(items: &mut [T], place: impl Fn(&T) -> (TextSize, usize)) {
    by_number(items, |it| {
        let (start, unit) = place(it);
        both(start, unit as u64)
    });
}

/// Sorts by a number, or what is false before what is true. Items with the same number keep their order.
pub fn by_number<T, N: Into<u64>>(items: &mut [T], number: impl Fn(&T) -> N) {
    let number = |it: &T| number(it).into();
    if items.is_sorted_by_key(number) {
        return;
    }
    let mut order: Vec<_> = items.iter().map(number).zip(0..).collect();
    order.sort_unstable();
    move_to(items, order.into_iter().map(|(_, at)| at).collect());
}

/// Sorts by name. Items with the same name keep their order.
pub fn by_name<T>(items: &mut [T], name: impl Fn(&T) -> &str) {
    let order = order_of_names(items.len(), &|at| name(&items[at]));
    move_to(items, order);
}

/// The same where some names are in `others`.
pub fn by_name_in<T, O: ?Sized>(
    items: &mut [T],
    others: &O,
    name: impl for<'a> Fn(&'a T, &'a O) -> &'a str,
) {
    let order = order_of_names(items.len(), &|at| name(&items[at], others));
    move_to(items, order);
}

fn order_of_names<'n>(count: usize, name: &dyn Fn(usize) -> &'n str) -> Vec<usize> {
    let mut order: Vec<_> = (0..count).collect();
    order.sort_unstable_by(|one, other| compare(name, *one, *other));
    order
}

/// Compares two names, and their indices if they are equal. The sort has dozens of comparisons.
#[inline(never)]
fn compare<'n>(name: &dyn Fn(usize) -> &'n str, one: usize, other: usize) -> Ordering {
    (name(one), one).cmp(&(name(other), other))
}

/// The number by which a start counts, and among equal ones `next`, which has 32 bits.
fn both(start: TextSize, next: u64) -> u64 {
    u64::from(u32::from(start)) << 32 | next
}

/// Moves each item to the place of its index in `order`.
fn move_to<T>(items: &mut [T], mut order: Vec<usize>) {
    for first in 0..items.len() {
        let mut at = first;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == first {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The order is that of the standard sort.
        #[test]
        fn sorts_stably(ranges in prop::collection::vec((0u32..9, 0u32..4), 0..40)) {
            let ranges = ranges.iter().map(|&(start, len)| TextRange::at(start.into(), len.into()));
            let items: Vec<_> = ranges.enumerate().collect();
            let (mut expected, mut found) = (items.clone(), items.clone());
            expected.sort_by_key(|(_, it)| it.start());
            by_start(&mut found, |(_, it)| it.start());
            prop_assert_eq!(&found, &expected);
            let (mut expected, mut found) = (items.clone(), items);
            expected.sort_by_key(|(_, it)| (it.start(), it.end()));
            by_range(&mut found, |(_, it)| *it);
            prop_assert_eq!(found, expected);
        }

        /// So is that of names.
        #[test]
        fn sorts_names_stably(names in prop::collection::vec("[ab]{0,2}", 0..40)) {
            let items: Vec<_> = names.into_iter().enumerate().collect();
            let (mut expected, mut found) = (items.clone(), items);
            expected.sort_by(|(_, a), (_, b)| a.cmp(b));
            by_name(&mut found, |(_, it)| it);
            prop_assert_eq!(found, expected);
        }
    }
}
