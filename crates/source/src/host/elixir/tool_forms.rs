//! Faults in the forms of tools: options that the library does not read, agents that are no tools, and lists of tools.

use crate::{
    host::token_tree::{self, Element, Kind},
    text::{TextEdit, TextRange, TextSize},
};

use super::{
    Elixir,
    call::{Argument, Callee},
    contract::{items, under},
    literal::{key_text, only_string},
    tools::form::is_other_literal,
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
pub(super) fn options<'t>(value: &[Element<'t>]) -> Option<Element<'t>> {
    let [tuple] = value else {
        return None;
    };
    if tuple.kind() != Kind::Braces || !tuple.is_closed() {
        return None;
    }
    match items(tuple).get(1)?.as_slice() {
        [list] if list.kind() == Kind::Brackets => Some(*list),
        [key, _, ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => Some(*tuple),
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
    let keys = keys.filter(|key| matches!(key.kind(), Kind::Key | Kind::QuotedKey));
    let others = keys.filter(|key| !key_text(key).is_none_or(|it| OPTIONS.contains(&it)));
    others.map(|key| key.range).collect()
}

/// Whether the signature in the options of a tool is certainly no string.
pub(super) fn has_wrong_signature(value: &[Element<'_>]) -> bool {
    let Some(signature) = options(value).and_then(|it| under(&it, "signature")) else {
        return false;
    };
    is_other_literal(&signature) && only_string(&signature).is_none() && !is_nil(&signature)
}

/// Whether `value` is a function in a tuple that certainly gives it no signature: `{&run/1, :skip}`.
pub(super) fn lacks_signature(value: &[Element<'_>]) -> bool {
    let [tuple] = value else {
        return false;
    };
    if tuple.kind() != Kind::Braces || !tuple.is_closed() {
        return false;
    }
    let parts = items(tuple);
    let [function, second, ..] = parts.as_slice() else {
        return false;
    };
    if is_other_literal(function) {
        return false;
    }
    if let [only] = second.as_slice()
        && parts.len() == 2
        && only.text() == ":skip"
    {
        return true;
    }
    let Some(options) = options(value) else {
        return false;
    };
    let has_key = |it: &Vec<Element<'_>>| {
        let key = it.first();
        key.is_some_and(|it| matches!(it.kind(), Kind::Key | Kind::QuotedKey))
    };
    let skipped = if options.kind() == Kind::Braces { 1 } else { 0 };
    items(&options).iter().skip(skipped).all(has_key)
        && under(&options, "signature").is_none_or(|it| is_nil(&it))
}

fn is_nil(value: &[Element<'_>]) -> bool {
    matches!(value, [only] if only.text() == "nil")
}

/// The module of a call such as `PtcRunner.SubAgent.new(…)` as it is written, if `value` is nothing else.
pub(super) fn module_of_call(value: &[Element<'_>]) -> Option<String> {
    let (arguments, before) = value.split_last()?;
    let callee = Callee::ending(before).filter(|it| it.path().len() == before.len())?;
    let [module @ .., _, _] = callee.path() else {
        return None;
    };
    let is_call = arguments.kind() == Kind::Parens;
    is_call.then(|| module.iter().map(Element::text).collect())
}

/// Whether `value` is a tool of an agent, and neither has a description: `SubAgent.as_tool(SubAgent.new(prompt: "…"))`.
pub(super) fn is_undescribed(value: &[Element<'_>]) -> bool {
    wrapped(value).is_some_and(|agent| lacks_description(&agent))
}

/// Whether `value` is a tool of the agent with a name, and has no description of its own: `SubAgent.as_tool(agent)`.
pub(super) fn wraps_name(value: &[Element<'_>]) -> bool {
    let agent = wrapped(value);
    let agent = agent.as_deref().and_then(Argument::of);
    matches!(agent, Some(Argument::Name(..)))
}

/// The agent of which `value` makes a tool without a description.
fn wrapped<'t>(value: &[Element<'t>]) -> Option<Vec<Element<'t>>> {
    let pipe = value.iter().rposition(|it| it.text() == "|>");
    let call = &value[pipe.map_or(0, |at| at + 1)..];
    let mut arguments = arguments_of(call, "as_tool")?;
    let agent = match pipe {
        Some(at) => value[..at].to_vec(),
        None if arguments.is_empty() => return None,
        None => arguments.remove(0),
    };
    has_no_description(&arguments).then_some(agent)
}

/// Whether `value` makes an agent without a description.
pub(super) fn lacks_description(value: &[Element<'_>]) -> bool {
    let Some(arguments) = arguments_of(value, "new") else {
        return false;
    };
    let is_prompt = |it: &Vec<Element<'_>>| only_string(it).is_some();
    let options = match arguments.split_first() {
        Some((first, options)) if is_prompt(first) => options,
        _ => &arguments,
    };
    has_no_description(options)
}

/// The arguments of the call of a `function` of agents that `value` is.
fn arguments_of<'t>(value: &[Element<'t>], function: &str) -> Option<Vec<Vec<Element<'t>>>> {
    let (arguments, path) = value.split_last()?;
    if arguments.kind() != Kind::Parens || !arguments.is_closed() {
        return None;
    }
    let path: String = path.iter().map(Element::text).collect();
    let module = path.strip_suffix(function)?.strip_suffix('.')?;
    let is_library = matches!(module, "SubAgent" | "PtcRunner.SubAgent");
    is_library.then(|| items(arguments))
}

/// Whether all `options` are known, and none is a description.
fn has_no_description(options: &[Vec<Element<'_>>]) -> bool {
    let is_other = |it: &Vec<Element<'_>>| {
        let key = it.first().filter(|it| it.kind() == Kind::Key);
        key.is_some_and(|it| key_text(it) != Some("description"))
    };
    options.iter().all(is_other)
}

/// The edits that turn `text`, a list of tools, into a map; `None` if an item has no name. Ranges are in bytes of the
/// text.
pub fn list_to_map(text: &str) -> Option<Vec<TextEdit>> {
    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    let list = root.elements().find(|it| it.kind() == Kind::Brackets)?;
    if !list.is_closed() {
        return None;
    }
    let mut edits = vec![TextEdit::replace(first_byte(list.range), "%{")];
    for item in items(&list) {
        match item.as_slice() {
            [key, _, ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
                let arrow = format!("\"{}\" =>", key_text(key)?);
                edits.push(TextEdit::replace(key.range, arrow));
            }
            [tuple] if tuple.kind() == Kind::Braces && tuple.is_closed() => {
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
