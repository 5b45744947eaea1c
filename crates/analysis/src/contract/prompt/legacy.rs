//! Expands placeholders by the rules of edition 0.4: names and dots only, no white space.

use super::{Expanded, Problem, expand::lookup, text::to_text};
use crate::contract::{Entry, Value, ValueKind};

pub(super) fn expand(template: &str, context: &Value) -> Expanded {
    let mut text = String::new();
    let mut problems = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let Some((name, after)) = placeholder(tag) else {
            // Of three braces, the last two may open a placeholder.
            text.push('{');
            rest = &tag[1..];
            continue;
        };
        let written = &tag[..tag.len() - after.len()];
        let path: Vec<_> = name.split('.').map(str::to_owned).collect();
        let value = match is_lost(context, &path) {
            true => Some(Some(String::new())),
            false => lookup(context, &path).map(flat_text),
        };
        match value {
            None => {
                text.push_str(written);
                let missing = Problem::Missing(name.to_owned());
                if !problems.contains(&missing) {
                    problems.push(missing);
                }
            }
            Some(Some(value)) => text.push_str(&value),
            Some(None) => return Expanded::unchanged(template, Problem::Raises(name.to_owned())),
        }
        rest = after;
    }
    text.push_str(rest);
    Expanded { text, problems }
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
fn is_lost(context: &Value, path: &[String]) -> bool {
    let Some((last, path)) = path.split_last() else {
        return false;
    };
    let Some(ValueKind::Map(entries)) = lookup(context, path).map(|it| &it.kind) else {
        return false;
    };
    let is_it = |it: &&Entry| it.key.name.as_deref() == Some(last);
    let entry = entries.iter().rev().find(is_it);
    entry.is_some_and(|it| it.key.is_atom && matches!(it.value.kind, ValueKind::Bool(false)))
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
