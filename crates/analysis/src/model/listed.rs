//! Listings of tools in a text, as models see them: `search(query :string) -> [:map]` or, for programs,
//! `tool/search(query string) -> [map]`. Each begins a line and may continue on the following lines.

use crate::model::{Edition, Signature, parse_signature};
use signature_ls_source::text::{TextRange, TextSize, size};

/// A tool in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTool {
    /// Its name.
    pub name: String,
    /// The place of the name, in bytes of the text.
    pub name_range: TextRange,
    /// Its signature, which has no errors.
    pub signature: Signature,
    /// The place of the signature.
    pub signature_range: TextRange,
    /// Whether it has the form for programs: with a namespace, without colons.
    pub is_lisp: bool,
}

/// The maximum length of an entry in bytes.
const LONGEST: usize = 4096;

/// Longer texts are not searched, because the time of a keystroke would grow with them.
pub(crate) const LONGEST_TEXT: TextSize = TextSize::new(1 << 16);

/// Whether `text` may list tools.
pub(crate) fn may_list(text: &str) -> bool {
    text.contains("->")
}

/// The tools that `text` lists. In the source of a string, `\n` ends a line too.
pub fn listed_tools(text: &str, edition: Edition) -> Vec<ListedTool> {
    let text = text.replace("\\n", " \n");
    let mut tools = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        tools.extend(tool(&text[start..], size(start), edition));
        start += line.len();
    }
    tools
}

/// The tool at the start of `text`, which is at `start`.
fn tool(text: &str, start: TextSize, edition: Edition) -> Option<ListedTool> {
    let line = text.lines().next()?;
    let listed = line.trim_start_matches(|c: char| c.is_whitespace() || "-*+`".contains(c));
    let namespace = format!("{}/", edition.tool_namespace());
    let (listed, is_lisp) = match listed.strip_prefix(namespace.as_str()) {
        Some(listed) => (listed, true),
        None => (listed, false),
    };
    let at = line.len() - listed.len();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name_len = listed.find(|c| !is_part(c))?;
    let (name, rest) = (&listed[..name_len], &text[at + name_len..]);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !is_name || !rest.starts_with('(') {
        return None;
    }
    let len = signature_len(rest)?;
    let signature = match is_lisp {
        true => parse_signature(&with_colons(&rest[..len]), edition).0?,
        false => parse_signature(&rest[..len], edition).0?,
    };
    Some(ListedTool {
        name: name.to_owned(),
        name_range: TextRange::at(start + size(at), size(name_len)),
        signature,
        signature_range: TextRange::at(start + size(at + name_len), size(len)),
        is_lisp,
    })
}

/// Adds colons to a signature without colons: before each type word that follows a name, a bracket or the arrow.
fn with_colons(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_first = !text[..at].ends_with(is_part) && c.is_ascii_alphabetic();
        if is_first && (is_part(before) || matches!(before, '[' | '>')) {
            out.push(':');
        }
        out.push(c);
        if !c.is_whitespace() {
            before = c;
        }
    }
    out
}

/// The length of `(…) -> type` at the start of `text`, if nothing that may belong to it follows.
fn signature_len(text: &str) -> Option<usize> {
    let params = bracketed(text)?;
    let rest = &text[params..];
    let output = rest.trim_start().strip_prefix("->")?.trim_start();
    let at = text.len() - output.len();
    let word_len = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        end.unwrap_or(text.len())
    };
    let len = match output.chars().next()? {
        ':' => 1 + word_len(&output[1..]),
        first if first.is_ascii_alphabetic() => word_len(output),
        '[' | '{' => bracketed(output)?,
        _ => return None,
    };
    let is_optional = output[len..].starts_with('?');
    let end = at + len + usize::from(is_optional);
    let after = text[end..].chars().next();
    after
        .is_none_or(|c| c.is_whitespace() || "`.,;:\"'".contains(c))
        .then_some(end)
}

/// The length of the brackets at the start of `text`, in one paragraph.
fn bracketed(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_line_empty = false;
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '\n' if is_line_empty => return None,
            '\n' => is_line_empty = true,
            c => is_line_empty &= c.is_whitespace(),
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_list_a_tool_are_found() {
        for (line, expected) in [
            (
                "search(query :string) -> [:map]",
                Some("search(query :string) -> [:map]"),
            ),
            (
                "  - `search(query :string?) -> {id :int}` finds",
                Some("search(query :string?) -> {id :int}"),
            ),
            ("* now() -> :datetime", Some("now() -> :datetime")),
            (
                "get-all( a :int ,b {c :any} )  ->  [{id :int}]  ",
                Some("get-all( a :int ,b {c :any} )  ->  [{id :int}]"),
            ),
            ("Tools:\\nnow() -> :int\\nMore", Some("now() -> :int")),
            ("call search(query :string) -> :map", None),
            (
                "search(\n  query :string,\n  limit :int\n) -> [:map]\n",
                Some("search(\n  query :string,\n  limit :int\n) -> [:map]"),
            ),
            ("now()\n  -> :int\nMore", Some("now()\n  -> :int")),
            (
                "tool/search(query string, by {name string?}) -> [map]  ; Finds.",
                Some("search(query string, by {name string?}) -> [map]"),
            ),
            ("search(query :string,\n\nlimit :int) -> :map", None),
            ("tool/search(query) -> map", None),
            ("search(query: string) -> map", None),
            ("search(query) -> :map", None),
            ("search(query :string)", None),
            ("search(query :string) -> :map|:nil", None),
            ("(query :string) -> :map", None),
            ("search(query :string -> :map", None),
        ] {
            let found = listed_tools(line, Edition::V0_11);
            let found = found
                .first()
                .map(|it| &line[it.name_range.cover(it.signature_range)]);
            assert_eq!(found, expected, "{line}");
        }
    }
}
