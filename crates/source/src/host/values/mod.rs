//! Values in the notations of hosts: one file per host, reading the host's tree.

pub(super) mod elixir;
pub(super) mod json;
pub mod lisp;
#[cfg(test)]
mod testing;
pub(super) mod yaml;

use crate::{
    host::token_tree::{Element, Kind},
    syntax::{
        decode::decode,
        fragment::{Escapes, Fragment},
    },
    text::TextSize,
    value::{ValueKind, float},
};

/// Collections deeper than this are not looked into. A sample in a sample is read with each of those around it, so that
/// the depth multiplies the work.
const MAX_DEPTH: usize = 16;

/// The length of a collection whose elements get their room at once.
const LONG: TextSize = TextSize::new(64 * 1024);

/// The elements of a pair of brackets without these, white space and comments; `None` where it is not closed.
fn inside<'t>(group: &Element<'t>) -> Option<Vec<Element<'t>>> {
    let is_part = |it: &Element<'_>| !it.kind().is_trivia();
    let mut elements = Vec::new();
    if group.range.len() >= LONG {
        // A list that grows takes up to three times its room.
        elements.reserve(group.elements().filter(is_part).count());
    }
    elements.extend(group.elements().filter(is_part));
    if !group.is_closed() || elements.len() < 2 {
        return None;
    }
    elements.pop();
    elements.remove(0);
    Some(elements)
}

/// The text of a string between its delimiters; `None` where it is not closed or has an interpolation.
fn text_of(string: &Element<'_>, escapes: Escapes) -> Option<String> {
    let mut raw = String::new();
    let mut is_opened = false;
    for part in string.elements() {
        match part.kind() {
            Kind::Text | Kind::Escape => raw.push_str(part.text()),
            Kind::StringClose | Kind::KeyClose => {
                let text = raw.as_str();
                let fragment = Fragment {
                    escapes,
                    ..Fragment::plain(text)
                };
                return decode(fragment);
            }
            _ if !is_opened => is_opened = true,
            _ => return None,
        }
    }
    None
}

/// The number in `text`, with or without `_` between digits; dynamic if it is not supported.
fn number(text: &str) -> ValueKind {
    let plain = text.replace('_', "");
    let based = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, radix)| Some((plain.strip_prefix(prefix)?, radix)));
    let value = match based {
        Some((digits, radix)) => i64::from_str_radix(digits, radix).ok().map(ValueKind::Int),
        None => ValueKind::integer(&plain).or_else(|| float(&plain)),
    };
    value.unwrap_or(ValueKind::Dynamic)
}

fn float(text: &str) -> Option<ValueKind> {
    let is_digit_last = text.ends_with(|last: char| last.is_ascii_digit());
    is_digit_last
        .then(|| float::parse(text))?
        .map(ValueKind::Float)
}
