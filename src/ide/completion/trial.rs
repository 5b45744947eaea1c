//! Documents as they might become: what is not yet recognized is completed, so that it is.

use super::Place;
use crate::{host::HostKind, ide::Document, text::TextEdit};

/// The document with the text at the place completed in the ways that make sense there, likeliest first.
///
/// Completion is asked for on every keystroke, mostly outside of our strings. So a way is only tried where the
/// line says that something of ours may stand there.
pub(super) fn documents(document: &Document, place: &Place<'_>) -> impl Iterator<Item = Document> {
    let line = place.line();
    let endings = endings(document.host().kind(), &line);
    endings.into_iter().map(|ending| {
        let mut trial = document.clone();
        trial.edit(&TextEdit::insert(place.offset, ending));
        trial
    })
}

fn endings(kind: HostKind, line: &str) -> Vec<String> {
    let mut endings = Vec::new();
    if let Some((_, tag)) = line.rsplit_once("{{")
        && !tag.contains("}}")
    {
        let quote = open_quote(line);
        endings.push("x}}".to_owned());
        endings.push(format!("x}}}}{quote}"));
        return endings;
    }
    if line.contains("signature") || line.contains("~S") || line.contains("tools") {
        let rest = signature_ending(line);
        let quote = open_quote(line);
        endings.push(rest.clone());
        endings.push(format!("{rest}{quote}"));
    }
    if let Some(word) = line.rsplit(['(', ' ']).next()
        && (word.starts_with("tool/") || word.starts_with("data/") || line.ends_with('('))
        && (kind != HostKind::Elixir || !open_quote(line).is_empty())
    {
        let quote = open_quote(line);
        endings.push("tool/x)".to_owned());
        endings.push(format!("x){quote}"));
    }
    let is_yaml = matches!(kind, HostKind::Yaml | HostKind::Prompt | HostKind::Markdown);
    if is_yaml
        && line
            .trim_start_matches([' ', '-'])
            .chars()
            .all(super::is_name_part)
    {
        endings.push("x: 0".to_owned());
    }
    endings
}

/// What makes a signature of the last string of `line`.
fn signature_ending(line: &str) -> String {
    let start = line.rfind(['"', '\'', '|']).map_or(0, |at| at + 1);
    let text = &line[start..];
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    let mut ending = match text.trim_end().chars().next_back() {
        Some(':') => "any".to_owned(),
        Some(')' | ']' | '}') => String::new(),
        Some('(' | '{' | ',') => "x :any".to_owned(),
        Some('>' | '[') | None => ":any".to_owned(),
        Some(_) => " :any".to_owned(),
    };
    let has_params = text.trim_start().starts_with('(') && !text.contains("->");
    ending.extend(open.iter().rev());
    if has_params {
        ending.push_str(" -> :any");
    }
    ending
}

/// The quote that is open at the end of `line`.
fn open_quote(line: &str) -> &'static str {
    let mut open = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (open, c) {
            (_, '\\') => drop(chars.next()),
            (None, '"' | '\'') => open = Some(c),
            (Some(quote), c) if quote == c => open = None,
            _ => {}
        }
    }
    match open {
        Some('"') => "\"",
        Some(_) => "'",
        None => "",
    }
}
