//! Completes unfinished text in a copy of the document, so that it is recognized.

use super::{Place, agent, open_string::OpenString};
use crate::ide::{Document, scan::open_brackets};
use signature_ls_source::{
    host::HostKind,
    syntax::catalog::begins_entry,
    text::{TextEdit, TextRange, TextSize, closing_delimiter, size},
};

/// The number of bytes that all trials may read together; the first one is always tried.
const MOST_READ: usize = 512 * 1024;

/// The number of lines that an unfinished entry of a catalog may have.
const MOST_LINES: usize = 50;

/// The documents with the text at the place completed in plausible ways, likeliest first.
///
/// Completion is requested on every keystroke, mostly outside of signature strings. So a way is only tried if the line
/// suggests a signature or a prompt, and fewer are tried where each reads much.
pub(super) fn documents(document: &Document, place: &Place<'_>) -> impl Iterator<Item = Document> {
    let kind = document.host().kind();
    let line = entry(kind, place).unwrap_or_else(|| place.line());
    let rest = place.rest();
    let mut endings = endings(kind, &line, &rest);
    if kind == HostKind::Elixir && OpenString::at_end_of(&line, kind).is_none() {
        endings.extend(agent::ending(place));
    }
    let replaced = TextRange::at(place.offset, size(paired(&line, &rest)));
    let read = document.host().read_around(document.text(), place.offset);
    let most = MOST_READ / usize::from(read).max(1);
    let edits = endings
        .into_iter()
        .take(most.max(1))
        .map(move |ending| TextEdit::replace(replaced, ending));
    edits.map(|edit| document.unchecked_with(&edit))
}

/// The length of the brackets at the start of `rest` that close those of `line`; an ending closes them too.
fn paired(line: &str, rest: &str) -> usize {
    let open = open_brackets(line).into_iter().rev().map(closing_delimiter);
    let pairs = open.zip(rest.chars());
    pairs.take_while(|(open, next)| open == next).count()
}

/// Whether a string is open at the place and not closed on its line.
pub(super) fn is_unfinished(document: &Document, place: &Place<'_>) -> bool {
    let open = OpenString::at_end_of(&place.line(), document.host().kind());
    open.is_some_and(|it| !place.rest().contains(&it.closing))
}

/// The entry of a catalog or of a code block with one, up to the place.
fn entry(kind: HostKind, place: &Place<'_>) -> Option<String> {
    if !matches!(kind, HostKind::Catalog | HostKind::Markdown) {
        return None;
    }
    let mut line = place.text.line_range(place.offset);
    for _ in 0..MOST_LINES {
        let text = place.text.slice(line);
        let text = text.trim();
        if begins_entry(text) {
            return Some(place.after(line.start()));
        }
        if text.is_empty() {
            return None;
        }
        let before = line.start().checked_sub(TextSize::from(1))?;
        line = place.text.line_range(before);
    }
    None
}

/// The texts that may complete `line`, which may be several; `rest` follows the place.
fn endings(kind: HostKind, line: &str, rest: &str) -> Vec<String> {
    let open = OpenString::at_end_of(line, kind);
    let closed = |ending: &str| match &open {
        // An existing delimiter already closes the string.
        Some(open) if rest.contains(&open.closing) => vec![ending.to_owned()],
        Some(open) => vec![format!("{ending}{}", open.closing), ending.to_owned()],
        None => vec![ending.to_owned()],
    };
    if let Some((_, tag)) = line.rsplit_once("{{")
        && !tag.contains("}}")
    {
        return closed("x}}");
    }
    let mut endings = Vec::new();
    let text = match &open {
        Some(open) => &line[open.start..],
        None => bare_text(kind, line),
    };
    let is_named = ["signature", "tools", "~S"]
        .iter()
        .any(|it| line.contains(it));
    let begins_signature = text.starts_with(['(', ':', '[', '{']);
    let may_be_bare = is_yaml(kind) || kind == HostKind::Catalog;
    if is_named || (begins_signature && (open.is_some() || may_be_bare)) {
        endings.extend(closed(&signature_ending(text)));
    }
    if let Some(word) = line.rsplit(['(', ' ']).next()
        && (kind != HostKind::Elixir || open.is_some())
    {
        let is_head = line[..line.len() - word.len()].ends_with('(');
        if word.starts_with("tool/") || word.contains("data/") || word.is_empty() && is_head {
            endings.extend(closed("x)"));
        }
        if let Some(rest) = "tool/x)".strip_prefix(word).filter(|_| is_head) {
            endings.push(rest.to_owned());
        }
    }
    let is_key = |line: &str| {
        let key = line.trim_start_matches([' ', '-']);
        key.chars().all(super::is_name_part)
    };
    if is_yaml(kind) && is_key(line) {
        endings.push("x: 0".to_owned());
    }
    endings
}

fn is_yaml(kind: HostKind) -> bool {
    matches!(kind, HostKind::Yaml | HostKind::Prompt | HostKind::Markdown)
}

/// The signature at the end of `line` outside of strings.
fn bare_text(kind: HostKind, line: &str) -> &str {
    let key = match is_yaml(kind) {
        true => line.find(": ").map(|at| at + 2),
        false => None,
    };
    let start = key.or_else(|| line.find('(')).unwrap_or_default();
    &line[start..]
}

/// The text that completes a signature.
fn signature_ending(text: &str) -> String {
    let open = open_brackets(text);
    let mut ending = match text.trim_end().chars().next_back() {
        Some(':') => "any".to_owned(),
        Some(')' | ']' | '}') => String::new(),
        // A prompt may name anything else.
        Some('(' | '{' | ',') => "_ :any".to_owned(),
        Some('>' | '[') | None => ":any".to_owned(),
        Some(_) => " :any".to_owned(),
    };
    ending.extend(open.into_iter().rev().map(closing_delimiter));
    let has_params = text.trim_start().starts_with('(') && !text.contains("->");
    if has_params {
        ending.push_str(" -> :any");
    }
    ending
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::Settings;

    #[test]
    fn one_way_is_tried_where_each_reads_much() {
        let count = |prompt: &str| {
            let text =
                format!("---\nsignature: \"(a :int) -> :int\"\n---\n{prompt}\nsignature (tool/");
            let document = Document::new(HostKind::Prompt, &text, Settings::default());
            let place = Place::new(document.text(), document.text().len());
            documents(&document, &place).count()
        };
        assert!(count("{{a}}") > 1);
        assert_eq!(count(&"{{#a}}{{b}}{{/c}}".repeat(20_000)), 1);
    }

    #[test]
    fn what_is_open_is_closed() {
        for (kind, line, rest, expected) in [
            (
                HostKind::Elixir,
                "    \"\"\", signature: \"(a :",
                "",
                "any) -> :any\"",
            ),
            (
                HostKind::Elixir,
                "f(~S|{{a}}|, signature: ~S|(a :",
                "",
                "any) -> :any|",
            ),
            (
                HostKind::Elixir,
                "f(signature: \"(a :",
                "\")",
                "any) -> :any",
            ),
            (HostKind::Yaml, "signature: (a :int) ", "", " -> :any"),
            (HostKind::Yaml, "signature: ", "", ":any"),
            (HostKind::Yaml, "search: (q :", "", "any) -> :any"),
            (HostKind::Catalog, "search(q :int) ", "", " -> :any"),
            (HostKind::Catalog, "search(q :int) -> ", "", ":any"),
            (HostKind::Prompt, "Hi {{us", "", "x}}"),
        ] {
            let found = endings(kind, line, rest);
            assert_eq!(found.first().map(String::as_str), Some(expected), "{line}");
        }
        assert_eq!(endings(HostKind::Elixir, "def f(x), do: x", ""), [""; 0]);
    }
}
