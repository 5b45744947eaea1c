//! Expands placeholders by the rules of edition 0.4: names and dots only, no white space.

use foldhash::HashSet;

use super::{Expanded, Problem, Room, text::to_text};
use crate::contract::{Entry, Value, ValueKind};

pub(super) fn expand(template: &str, context: &Value, room: &Room) -> Expanded {
    let mut text = String::new();
    let mut missing = Vec::new();
    let problem = fill(template, context, room, &mut text, &mut missing).err();
    match problem {
        None => Expanded {
            text,
            problems: missing,
        },
        Some(Problem::TooLong) => Expanded {
            text,
            problems: vec![Problem::TooLong],
        },
        Some(problem) => Expanded::unchanged(template, problem),
    }
}

/// Writes `template` with the values to `text`, and the names without a value to `missing`.
fn fill(
    template: &str,
    context: &Value,
    room: &Room,
    text: &mut String,
    missing: &mut Vec<Problem>,
) -> Result<(), Problem> {
    let mut known = HashSet::default();
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let (before, tag) = rest.split_at(at);
        room.write(before, text)?;
        let Some((name, after)) = placeholder(tag) else {
            // Of three braces, the last two may open a placeholder.
            room.write("{", text)?;
            rest = &tag[1..];
            continue;
        };
        let written = &tag[..tag.len() - after.len()];
        let path: Vec<_> = name.split('.').map(str::to_owned).collect();
        let value = match is_lost(context, &path, room)? {
            true => Some(Some(String::new())),
            false => room.look_up(context, &path)?.map(flat_text),
        };
        match value {
            None => {
                room.write(written, text)?;
                if known.insert(name) {
                    missing.push(Problem::Missing(name.to_owned()));
                }
            }
            Some(value) => {
                let value = value.ok_or_else(|| Problem::Raises(name.to_owned()))?;
                room.write(&value, text)?;
            }
        }
        rest = after;
    }
    room.write(rest, text)
}

/// The name in the placeholder at the start of `text`, and the text after it.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix("{{")?.split_once("}}")?;
    let is_name = |part: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        let mut bytes = part.bytes();
        bytes.next().is_some_and(is_letter) && bytes.all(|it| is_letter(it) || it.is_ascii_digit())
    };
    name.split('.').all(is_name).then_some((name, after))
}

/// Whether the value is `false` under an atom key; the reference treats it as missing.
fn is_lost(context: &Value, path: &[String], room: &Room) -> Result<bool, Problem> {
    let Some((last, path)) = path.split_last() else {
        return Ok(false);
    };
    let Some(ValueKind::Map(entries)) = room.look_up(context, path)?.map(|it| &it.kind) else {
        return Ok(false);
    };
    let is_it = |it: &&Entry| it.key.name.as_deref() == Some(last);
    let entry = entries.iter().rev().find(is_it);
    Ok(entry.is_some_and(|it| it.key.is_atom && matches!(it.value.kind, ValueKind::Bool(false))))
}

/// The value as `to_string/1` writes it, which joins a list of texts.
fn flat_text(value: &Value) -> Option<String> {
    match &value.kind {
        ValueKind::List(elements) => elements
            .iter()
            .map(|element| match &element.kind {
                ValueKind::String(text) => Some(text.to_string()),
                ValueKind::List(_) => flat_text(element),
                // An integer is a code point.
                ValueKind::Int(code) => Some(char::from_u32(u32::try_from(*code).ok()?)?.into()),
                _ => None,
            })
            .collect(),
        _ => to_text(value),
    }
}
