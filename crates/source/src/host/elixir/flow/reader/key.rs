//! Reads the keys of maps.

use super::MAX_LINKS;
use crate::{
    host::{
        elixir::{contract::items, literal::key_text},
        flow::{Key, KeyForm},
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize, size},
};

/// The items of the list of keys that `argument` is.
pub(in crate::host::elixir::flow) fn keys_in<'t>(
    argument: &[Element<'t>],
) -> Option<Vec<Vec<Element<'t>>>> {
    let [list] = argument else {
        return None;
    };
    let keys = items(list);
    (list.kind() == Kind::Brackets && keys.len() <= MAX_LINKS).then_some(keys)
}

/// The key that `item` is.
pub fn key_of(item: &[Element<'_>]) -> Option<Key> {
    let (first, last) = (item.first()?, item.last()?);
    let range = first.range.cover(last.range);
    let (name, form) = match item {
        [only] if matches!(only.kind(), Kind::Atom | Kind::QuotedAtom) => {
            (key_text(only), KeyForm::Atom)
        }
        [only] if only.kind() == Kind::String => (key_text(only), KeyForm::String),
        _ => (None, KeyForm::String),
    };
    Some(Key {
        name: name.map(str::to_owned),
        name_range: name.map_or(range, |name| name_in(range, name)),
        range,
        form,
        may_be_atom: false,
        may_be_missing: false,
    })
}

/// The place of `name` in a key at `range`: before it are a colon (`:a`), a quote (`"a"`) or both (`:"a"`).
fn name_in(range: TextRange, name: &str) -> TextRange {
    let before = match usize::from(range.len()).saturating_sub(name.len()) {
        0 => 0,
        1 | 2 => 1,
        _ => 2,
    };
    TextRange::at(range.start() + size(before), TextSize::of(name))
}
