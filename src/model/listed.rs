//! Tools that a text lists as a model is shown them: `search(query :string) -> [:map]`, one on a line.

use crate::{
    model::{Edition, Signature, parse_signature},
    text::{TextRange, TextSize, size},
};

/// A tool in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTool {
    /// Its name.
    pub name: String,
    /// Where the name is, in bytes of the text.
    pub name_range: TextRange,
    /// Its signature, which has no faults.
    pub signature: Signature,
    /// Where that is.
    pub signature_range: TextRange,
}

/// The tools that the lines of `text` list. A line is one in the source of a string, too: `\\n` ends it.
pub fn listed_tools(text: &str, edition: Edition) -> Vec<ListedTool> {
    let mut tools = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut at = start;
        for part in line.split("\\n") {
            tools.extend(tool(part, size(at), edition));
            at += part.len() + "\\n".len();
        }
        start += line.len();
    }
    tools
}

/// The tool that `line` begins with, which is at `start`.
fn tool(line: &str, start: TextSize, edition: Edition) -> Option<ListedTool> {
    let listed = line.trim_start_matches(|c: char| c.is_whitespace() || "-*+`".contains(c));
    let at = line.len() - listed.len();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name_len = listed.find(|c| !is_part(c))?;
    let (name, rest) = listed.split_at(name_len);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !is_name || !rest.starts_with('(') {
        return None;
    }
    let len = signature_len(rest)?;
    let signature = parse_signature(&rest[..len], edition).0?;
    Some(ListedTool {
        name: name.to_owned(),
        name_range: TextRange::at(start + size(at), size(name_len)),
        signature,
        signature_range: TextRange::at(start + size(at + name_len), size(len)),
    })
}

/// The length of `(…) -> type`, which `text` begins with, where nothing that may belong to it follows.
fn signature_len(text: &str) -> Option<usize> {
    let params = bracketed(text)?;
    let rest = &text[params..];
    let output = rest.trim_start().strip_prefix("->")?.trim_start();
    let at = text.len() - output.len();
    let len = match output.chars().next()? {
        ':' => {
            let word = output[1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            word.map_or(output.len(), |len| len + 1)
        }
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

/// The length of the brackets that `text` begins with.
fn bracketed(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
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
