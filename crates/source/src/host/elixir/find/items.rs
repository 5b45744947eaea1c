//! The items of lists, and what they look like.

use foldhash::HashSet;

use super::super::{
    contract::{items, options_of},
    flow::reader::LONGEST_LIST,
    statement::{Part, is_delimiter, is_entry, lacks_comma},
};
use crate::host::token_tree::{Element, Kind};

/// The items of a list; those that begin with a key may lack the comma before them.
pub(super) fn entries<'e, 't>(
    elements: &'e [Element<'t>],
) -> impl Iterator<Item = &'e [Element<'t>]> {
    let items = elements.split(|element| element.kind() == Kind::Comma);
    items.flat_map(|item| item.chunk_by(|before, after| !lacks_comma(part(before), part(after))))
}

/// Whether an element is neither space nor a delimiter.
pub(super) fn is_code(element: &Element<'_>) -> bool {
    !element.kind().is_trivia() && !is_delimiter(element.kind())
}

/// The number of items of a long `list` before the entries at its end. Entries among other items, as in a call that is
/// not finished, do not describe the list.
pub(super) fn apart_from_entries(list: &Element<'_>, elements: &[Element<'_>]) -> usize {
    if list.kind() != Kind::Brackets || list.range.len() <= LONGEST_LIST {
        return 0;
    }
    let is_entry = |item: &[Element<'_>]| item.iter().any(|it| is_entry(part(it)));
    let items = entries(elements).enumerate();
    let apart = items.filter(|(_, item)| !is_entry(item)).last();
    apart.map_or(0, |(index, _)| index + 1)
}

/// Where the first expression of `elements` ends, or the entries with different keys, if entries without a comma
/// follow.
pub(super) fn end_of_entries(elements: &[Element<'_>]) -> Option<usize> {
    let mut pairs = elements.iter().zip(elements.iter().skip(1));
    let is_entry = elements.first().is_some_and(|it| is_key(it));
    let loose = pairs.position(|(before, after)| lacks_comma(part(before), part(after)))? + 1;
    if !is_entry {
        return Some(loose);
    }
    let mut keys = HashSet::default();
    let mut all = elements.iter().enumerate().filter(|(_, it)| is_key(it));
    let (again, _) = all.find(|(_, it)| !keys.insert(it.text()))?;
    Some(again)
}

/// Whether it is the key of an entry, `a:` or `"a":`.
pub(super) fn is_key(element: &Element<'_>) -> bool {
    matches!(element.kind(), Kind::Key | Kind::QuotedKey)
}

/// Whether `elements` end with the name of a module attribute.
pub(super) fn is_attribute(elements: &[Element<'_>]) -> bool {
    matches!(elements, [.., sign, _] if sign.text() == "@")
}

/// The key whose value begins after `before`.
pub(super) fn key_before<'t>(before: &[Element<'t>]) -> Option<Element<'t>> {
    match before {
        [.., key, arrow] if arrow.text() == "=>" => Some(*key),
        [.., key] if is_key(key) => Some(*key),
        _ => None,
    }
}

/// Takes the options in `f(a, [key: 1])` out of their brackets, as in `f(a, key: 1)`. What may add to them becomes an
/// argument of its own.
pub(super) fn unwrap_options(elements: &mut Vec<Element<'_>>) {
    let comma = elements.iter().rposition(|it| it.kind() == Kind::Comma);
    let last = comma.map_or(0, |at| at + 1);
    let last_argument = &elements[last..];
    let options = options_of(last_argument).or_else(|| pairs(last_argument));
    let Some((entries, more)) = options else {
        return;
    };
    let comma = comma.map(|at| elements[at]).filter(|_| !more.is_empty());
    if comma.is_none() && !more.is_empty() {
        return;
    }
    elements.truncate(last);
    elements.extend(entries);
    elements.extend(comma);
    elements.extend(more);
}

/// The keys and values in a list of tuples, `[{:key, 1} | more]`, and what follows the bar.
fn pairs<'t>(argument: &[Element<'t>]) -> Option<(Vec<Element<'t>>, Vec<Element<'t>>)> {
    let [list] = argument else {
        return None;
    };
    let is_list = list.kind() == Kind::Brackets && list.is_closed();
    let (mut entries, mut more) = (Vec::new(), Vec::new());
    for item in is_list.then(|| items(list))? {
        let (tuple, rest) = item.split_first()?;
        let parts = match tuple.kind() {
            Kind::Braces if more.is_empty() => tuple.elements().filter(is_code),
            _ => return None,
        };
        let parts: Vec<_> = parts.collect();
        let [key, comma, value @ ..] = parts.as_slice() else {
            return None;
        };
        if key.kind() != Kind::Atom || comma.kind() != Kind::Comma {
            return None;
        }
        entries.push(*key);
        entries.extend(value);
        entries.push(*comma);
        match rest {
            [] => {}
            [bar, rest @ ..] if bar.text() == "|" => more = rest.to_vec(),
            _ => return None,
        }
    }
    entries.pop()?;
    Some((entries, more))
}

/// Whether `item` is a function that a tool may be: `&run/1`, `&M.run/1` or `fn … end`. `&1` and `&{&1, 2}` are none.
pub(super) fn is_function(item: &[Element]) -> bool {
    match item {
        [only] => only.kind() == Kind::FnBlock,
        [first, name, .., slash, arity] if first.text() == "&" => {
            let is_named = matches!(name.kind(), Kind::Symbol | Kind::Alias);
            is_named && slash.text() == "/" && arity.kind() == Kind::Number
        }
        _ => false,
    }
}

/// What a statement consists of.
pub fn part<'t>(element: &Element<'t>) -> Part<'t> {
    (element.kind(), element.text())
}

/// Whether it is code in a string.
pub fn is_interpolation(element: &Element<'_>) -> bool {
    element.kind() == Kind::Interpolation
}
