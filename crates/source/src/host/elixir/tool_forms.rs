//! Faults in the forms of tools: options that the library does not read, agents that are no tools, and lists of tools.

use crate::{
    host::token_tree::{self, Element, Kind},
    text::{TextEdit, TextRange, TextSize},
};

use super::{
    Elixir,
    call::Callee,
    contract::{items, under},
    literal::{key_text, only_string},
    tools::is_other_literal,
};

/// The options of a tool in a tuple with its function.
pub const OPTIONS: [&str; 6] = [
    "signature",
    "description",
    "cache",
    "expose",
    "native_result",
    "visibility",
];

/// The list or tuple with the options of the tool that `value` is: `{&run/1, signature: "…"}`.
fn options<'t>(value: &[Element<'t>]) -> Option<Element<'t>> {
    let [tuple] = value else {
        return None;
    };
    if tuple.kind != Kind::Braces || !tuple.is_closed() {
        return None;
    }
    match items(tuple).get(1)?.as_slice() {
        [list] if list.kind == Kind::Brackets => Some(*list),
        [key, _, ..] if matches!(key.kind, Kind::Key | Kind::QuotedKey) => Some(*tuple),
        _ => None,
    }
}

/// The keys of the options that the library does not read.
pub(super) fn other_options(value: &[Element<'_>]) -> Vec<TextRange> {
    let Some(options) = options(value) else {
        return Vec::new();
    };
    let items = items(&options);
    let keys = items.iter().filter_map(|item| item.first());
    let keys = keys.filter(|key| matches!(key.kind, Kind::Key | Kind::QuotedKey));
    let others = keys.filter(|key| !key_text(key).is_none_or(|it| OPTIONS.contains(&it)));
    others.map(|key| key.range).collect()
}

/// Whether the signature in the options of a tool is certainly no string.
pub(super) fn has_wrong_signature(value: &[Element<'_>]) -> bool {
    let Some(signature) = options(value).and_then(|it| under(&it, "signature")) else {
        return false;
    };
    let is_nil = matches!(signature.as_slice(), [only] if only.text() == "nil");
    is_other_literal(&signature) && only_string(&signature).is_none() && !is_nil
}

/// The module of a call such as `PtcRunner.SubAgent.new(…)` as it is written, if `value` is nothing else.
pub(super) fn module_of_call(value: &[Element<'_>]) -> Option<String> {
    let (arguments, before) = value.split_last()?;
    let callee = Callee::ending(before).filter(|it| it.path().len() == before.len())?;
    let [module @ .., _, _] = callee.path() else {
        return None;
    };
    let is_call = arguments.kind == Kind::Parens;
    is_call.then(|| module.iter().map(Element::text).collect())
}

/// The edits that turn `text`, a list of tools, into a map; `None` if an item has no name. Ranges are in bytes of the
/// text.
pub fn list_to_map(text: &str) -> Option<Vec<TextEdit>> {
    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    let list = root.elements().find(|it| it.kind == Kind::Brackets)?;
    if !list.is_closed() {
        return None;
    }
    let mut edits = vec![TextEdit::replace(first_byte(list.range), "%{")];
    for item in items(&list) {
        match item.as_slice() {
            [key, _, ..] if matches!(key.kind, Kind::Key | Kind::QuotedKey) => {
                let arrow = format!("\"{}\" =>", key_text(key)?);
                edits.push(TextEdit::replace(key.range, arrow));
            }
            [tuple] if tuple.kind == Kind::Braces && tuple.is_closed() => {
                edits.extend(pair_to_entry(tuple)?);
            }
            _ => return None,
        }
    }
    edits.push(TextEdit::replace(last_byte(list.range), "}"));
    Some(edits)
}

/// The edits that turn `{"name", tool}` into `"name" => tool`.
fn pair_to_entry(tuple: &Element<'_>) -> Option<[TextEdit; 3]> {
    let parts = items(tuple);
    let [name, value] = parts.as_slice() else {
        return None;
    };
    let name = only_string(name)?;
    let between = TextRange::new(name.range.end(), value.first()?.range.start());
    Some([
        TextEdit::delete(first_byte(tuple.range)),
        TextEdit::replace(between, " => "),
        TextEdit::delete(last_byte(tuple.range)),
    ])
}

fn first_byte(range: TextRange) -> TextRange {
    TextRange::at(range.start(), TextSize::from(1))
}

fn last_byte(range: TextRange) -> TextRange {
    TextRange::new(range.end() - TextSize::from(1), range.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_tools_become_maps() {
        for (list, map) in [
            ("[]", Some("%{}")),
            ("[search: &A.f/1]", Some("%{\"search\" => &A.f/1}")),
            (
                "[\n  a: &f/1, # one\n  \"b c\": {&f/1, :skip},\n]",
                Some("%{\n  \"a\" => &f/1, # one\n  \"b c\" => {&f/1, :skip},\n}"),
            ),
            ("[{\"a\", &f/1}]", Some("%{\"a\" => &f/1}")),
            ("[\"search\"]", None),
            ("[tool]", None),
            ("[{name, &f/1}]", None),
            ("[a: 1", None),
        ] {
            let edits = list_to_map(list);
            let changed = edits.map(|edits| {
                let mut text = list.to_owned();
                edits.iter().rev().for_each(|edit| edit.apply(&mut text));
                text
            });
            assert_eq!(changed.as_deref(), map, "{list}");
        }
    }
}
