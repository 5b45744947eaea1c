//! The signature of a tool: beside its function, or in the call that makes the tool.

use super::{
    call::{Argument, Callee},
    literal::{is_text, key_text, literal, only_string},
    modules::LibraryCall,
    names::Binder,
    tool_forms,
};
use crate::{
    host::{
        object::Literal,
        roles::LIBRARY,
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// The source of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contract {
    /// A string.
    Literal(Literal),
    /// The value of a name: a string, or a tool or agent.
    Name(Binder, Box<str>),
}

/// The result of a call or a struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// A tool, described by its keys.
    Tool,
    /// An agent, described by its keys.
    Agent,
    /// A tool from the agent that is its first argument.
    AgentTool,
    /// A tool with the name in its first argument; the second argument is like a value in `tools:`.
    NamedTool,
}

/// The calls that make tools and agents.
const CALLS: [(&[&str], Made); 5] = [
    (&["LLMTool", "new"], Made::Tool),
    (&["SubAgent", "new"], Made::Agent),
    (&["SubAgent", "as_tool"], Made::AgentTool),
    (&["CompiledAgent", "as_tool"], Made::AgentTool),
    (&["PtcRunner", "Tool", "new"], Made::NamedTool),
];

/// The structs that are tools.
const STRUCTS: [&[&str]; 2] = [&["LLMTool"], &["PtcRunner", "Tool"]];

/// The result of a call of the function with this path, its module first.
fn made_by<'a>(path: impl DoubleEndedIterator<Item = &'a str> + Clone) -> Option<Made> {
    let ends = |names: &[&str]| ends_with(path.clone(), names);
    CALLS
        .iter()
        .find(|(names, _)| ends(names))
        .map(|(_, made)| *made)
}

/// The result of `call`.
pub fn made_by_library(call: &LibraryCall<'_>) -> Option<Made> {
    made_by([LIBRARY, call.module, call.function].into_iter())
}

/// Whether a struct with this path is a tool.
pub fn is_tool_struct<'a>(path: impl DoubleEndedIterator<Item = &'a str> + Clone) -> bool {
    STRUCTS.iter().any(|names| ends_with(path.clone(), names))
}

fn ends_with<'a>(path: impl DoubleEndedIterator<Item = &'a str>, names: &[&str]) -> bool {
    let mut path = path.rev();
    names.iter().rev().all(|name| path.next() == Some(name))
}

impl Contract {
    /// The signature of `value`, which is a tool, an agent or a name of one.
    pub fn of(value: &[Element<'_>]) -> Option<Self> {
        let (group, before) = value.split_last()?;
        match group.kind() {
            Kind::Braces if before.is_empty() => Self::in_tuple(group),
            Kind::Braces if before.last()?.kind() == Kind::Alias => Self::under_signature(group),
            Kind::Parens => {
                let callee = Callee::ending(before)?;
                let Some(made) = made_by(callee.segments()) else {
                    return Self::of_function(&callee, group);
                };
                match made {
                    Made::Tool | Made::Agent => Self::under_signature(group),
                    Made::AgentTool => match before.iter().rposition(|it| it.text() == "|>") {
                        Some(pipe) => Self::of(&before[..pipe]),
                        None => Self::of(items(group).first()?),
                    },
                    Made::NamedTool => Self::of(items(group).get(1)?),
                }
            }
            _ => match Argument::of(value)? {
                Argument::String(_) => None,
                name => Self::of_argument(name),
            },
        }
    }

    fn of_argument(argument: Argument<'_>) -> Option<Self> {
        match argument {
            Argument::String(string) => Some(Self::Literal(literal(&string))),
            Argument::Name(_, "nil" | "true" | "false") => None,
            Argument::Name(binder, name) => Some(Self::Name(binder, name.into())),
        }
    }

    /// The signature of what a function of the same module returns.
    fn of_function(callee: &Callee<'_, '_>, arguments: &Element<'_>) -> Option<Self> {
        let mut path = callee.segments();
        let (name, None) = (path.next()?, path.next()) else {
            return None;
        };
        items(arguments)
            .is_empty()
            .then(|| Self::Name(Binder::Function, name.into()))
    }

    /// The signature in a tuple of a function and its description.
    fn in_tuple(tuple: &Element<'_>) -> Option<Self> {
        if !tuple.is_closed() {
            return None;
        }
        let items = items(tuple);
        match items.get(1)?.as_slice() {
            [list] if list.kind() == Kind::Brackets => Self::under_signature(list),
            [key, ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
                Self::under_signature(tuple)
            }
            [string] if string.kind().is_string() => {
                is_text(string).then(|| Self::Literal(literal(string)))
            }
            value => Self::of_argument(Argument::of(value)?),
        }
    }

    /// The value of `signature:` in a list of keys and values.
    fn under_signature(list: &Element<'_>) -> Option<Self> {
        Self::of_argument(Argument::of(&under(list, "signature")?)?)
    }
}

/// The value of `key` in a list of keys and values.
pub(super) fn under<'t>(list: &Element<'t>, key: &str) -> Option<Vec<Element<'t>>> {
    items(list).into_iter().find_map(|item| match &item[..] {
        [it, value @ ..] if key_text(it) == Some(key) => Some(value.to_vec()),
        _ => None,
    })
}

/// The description in the call that `value` is, which replaces that of the agent, `as_tool(agent, description: "…")`, or
/// in the tuple of a function, `{&run/1, description: "…"}`.
pub fn own_description(value: &[Element<'_>]) -> Option<Literal> {
    if let Some(options) = tool_forms::options(value) {
        return described_by(&options);
    }
    let (arguments, before) = value.split_last()?;
    let is_call = arguments.kind() == Kind::Parens;
    let callee = Callee::ending(before).filter(|_| is_call)?;
    if made_by(callee.segments()) != Some(Made::AgentTool) {
        return None;
    }
    let list = match items(arguments).last().map(Vec::as_slice) {
        Some([list]) if list.kind() == Kind::Brackets => *list,
        _ => *arguments,
    };
    described_by(&list)
}

fn described_by(options: &Element<'_>) -> Option<Literal> {
    let description = under(options, "description")?;
    only_string(&description).map(|it| literal(&it))
}

/// What is between the brackets of a list of keys and values.
pub fn options<'t>(list: &Element<'t>) -> Option<Vec<Element<'t>>> {
    if list.kind() != Kind::Brackets || !list.is_closed() {
        return None;
    }
    let mut elements: Vec<_> = list
        .elements()
        .filter(|it| !it.kind().is_trivia())
        .collect();
    elements.pop();
    elements.remove(0);
    begins_entries(&elements).then_some(elements)
}

fn begins_entries(elements: &[Element<'_>]) -> bool {
    let first = elements.first();
    first.is_some_and(|it| matches!(it.kind(), Kind::Key | Kind::QuotedKey))
}

/// What is between the brackets of the options that the last argument of a call is, and what may add to them:
/// `[key: 1]`, `[key: 1] ++ more` and `Keyword.merge(more, key: 1)`. More may bring another signature if there is none.
pub fn options_of<'t>(argument: &[Element<'t>]) -> Option<(Vec<Element<'t>>, Vec<Element<'t>>)> {
    let (entries, more) = match argument {
        [list] => return Some((options(list)?, Vec::new())),
        [list, plus, more @ ..] if plus.text() == "++" => (options(list)?, more.to_vec()),
        [module, _, name, arguments] if module.text() == "Keyword" && name.text() == "merge" => {
            let (more, entries) = merged(arguments)?;
            (entries, more)
        }
        _ => return None,
    };
    let has_signature = entries.iter().any(|it| it.text() == "signature:");
    has_signature.then_some((entries, more))
}

/// The two lists that `Keyword.merge` takes, the second without brackets.
fn merged<'t>(arguments: &Element<'t>) -> Option<(Vec<Element<'t>>, Vec<Element<'t>>)> {
    let mut items = items(arguments).into_iter();
    let first = items.next()?;
    let comma = arguments.elements().find(|it| it.kind() == Kind::Comma)?;
    let second: Vec<_> = items.collect();
    let entries = match second.as_slice() {
        [only] if !begins_entries(only) => options(only.first().filter(|_| only.len() == 1)?)?,
        [keyed, ..] if begins_entries(keyed) => second.join(&comma),
        _ => return None,
    };
    Some((first, entries))
}

/// The items of a list, a tuple or the arguments of a call, without white space and comments.
pub fn items<'t>(group: &Element<'t>) -> Vec<Vec<Element<'t>>> {
    let mut items = Vec::new();
    let is_long = is_long(group);
    if is_long {
        let commas = group.elements().filter(|it| it.kind() == Kind::Comma);
        items.reserve_exact(commas.count() + 1);
    }
    each_item(group, &mut |item| {
        items.push(match is_long {
            // A copy may take as much room again.
            true => std::mem::take(item),
            false => item.clone(),
        });
    });
    items
}

/// The item of a group that has only this one, if it has at most `LONGEST_ITEM` elements.
pub fn only_item<'t>(group: &Element<'t>) -> Option<Vec<Element<'t>>> {
    let inside = group.elements().filter(|it| !it.kind().is_trivia());
    let mut item: Vec<_> = inside.skip(1).take(LONGEST_ITEM + 2).collect();
    if group.is_closed() {
        item.pop();
    }
    let is_item = !item.is_empty() && item.len() <= LONGEST_ITEM;
    let has_comma = item.iter().any(|it| it.kind() == Kind::Comma);
    (is_item && !has_comma).then_some(item)
}

/// The most elements of an expression in parentheses that is followed: groups may be nested, and each is looked at.
const LONGEST_ITEM: usize = 1024;

/// Calls `each` with the items of a group, one after the other; it may take them.
pub fn each_item<'t>(group: &Element<'t>, each: &mut dyn FnMut(&mut Vec<Element<'t>>)) {
    let inside = group.elements().filter(|it| !it.kind().is_trivia());
    let mut inside = inside.skip(1);
    let is_long = is_long(group);
    let mut item = Vec::new();
    while let Some(element) = inside.next() {
        if element.kind() == Kind::Comma {
            each(&mut item);
            item.clear();
            continue;
        }
        if is_long && item.is_empty() {
            let rest = inside.clone().take_while(|it| it.kind() != Kind::Comma);
            item.reserve_exact(rest.count() + 1);
        }
        item.push(element);
    }
    if group.is_closed() {
        item.pop();
    }
    if !item.is_empty() {
        each(&mut item);
    }
}

/// Adds the elements `inside` of a group to `elements`.
pub(super) fn collect<'t>(
    group: &Element<'t>,
    inside: impl Iterator<Item = Element<'t>> + Clone,
    elements: &mut Vec<Element<'t>>,
) {
    if is_long(group) {
        elements.reserve_exact(inside.clone().count());
    }
    elements.extend(inside);
}

/// Whether the elements of a group are counted before they are collected. They may be as many as those of the text, and
/// a vector that grows takes up to three times their room.
pub(super) fn is_long(group: &Element<'_>) -> bool {
    group.range.len() > LONG
}

const LONG: TextSize = TextSize::new(64 * 1024);

/// The parts of `elements` between commas.
pub fn split<'t>(elements: Vec<Element<'t>>) -> Vec<Vec<Element<'t>>> {
    let parts = elements.split(|it| it.kind() == Kind::Comma);
    let mut items: Vec<_> = parts.map(<[_]>::to_vec).collect();
    items.pop_if(|last| last.is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{elixir::Elixir, token_tree};

    #[test]
    fn items_are_between_commas_and_brackets() {
        for (text, expected) in [
            ("[a, b c, # d\n e]", &["a", "b|c", "e"][..]),
            ("[a, (b, c),]", &["a", "(b, c)"]),
            ("[a,, b", &["a", "", "b"]),
            ("[ ]", &[]),
            ("[", &[]),
        ] {
            let tree = token_tree::parse::<Elixir>(text);
            let root = Element::node(&tree, TextSize::default());
            let list = root.elements().next().expect("a list");
            let mut items = Vec::new();
            each_item(&list, &mut |item| {
                let elements = item.iter().map(Element::full_text);
                items.push(elements.collect::<Vec<_>>().join("|"));
            });
            assert_eq!(items, expected, "{text:?}");
        }
    }
}
