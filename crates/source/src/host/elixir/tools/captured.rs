//! The captured functions in maps of tools, by which a document knows the tools among its functions.

use std::sync::Arc;

use foldhash::HashSet;

use super::{Capture, Form, each_tool};
use crate::{
    host::{
        elixir::contract::items,
        token_tree::{Element, Kind},
    },
    text::TextRange,
};

/// What a list of elements says of captured functions that are tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::host::elixir) enum Captured {
    /// They are in the map of a `tools:`.
    Tools(Vec<Arc<Capture>>),
    /// Some `tools:` is given this name.
    Name(String),
    /// They are in a map that is bound to this name.
    Bound(String, Vec<Arc<Capture>>),
}

/// What `elements`, one list or statement without white space, say of captured functions, with places.
pub(in crate::host::elixir) fn captured(elements: &[Element<'_>]) -> Vec<(TextRange, Captured)> {
    let read = |at: usize| {
        let captured = match &elements[at..] {
            [key, percent, map, ..] if key.text() == "tools:" && percent.text() == "%" => {
                Captured::Tools(captures_in(map))
            }
            [key, at, name, ..] if key.text() == "tools:" && at.text() == "@" => {
                Captured::Name(name.text().to_owned())
            }
            [key, name, ..] if key.text() == "tools:" => Captured::Name(name.text().to_owned()),
            [name, equals, percent, map, ..] if equals.text() == "=" && percent.text() == "%" => {
                Captured::Bound(name.text().to_owned(), captures_in(map))
            }
            [at, name, percent, map, ..] if at.text() == "@" && percent.text() == "%" => {
                Captured::Bound(name.text().to_owned(), captures_in(map))
            }
            [word, name, between @ .., key, percent, map]
                if matches!(word.text(), "def" | "defp")
                    && takes_nothing(between)
                    && key.text() == "do:"
                    && percent.text() == "%" =>
            {
                Captured::Bound(name.text().to_owned(), captures_in(map))
            }
            _ => return None,
        };
        let says_something = match &captured {
            Captured::Tools(captures) | Captured::Bound(_, captures) => !captures.is_empty(),
            Captured::Name(name) => !name.is_empty(),
        };
        says_something.then(|| (elements[at].range, captured))
    };
    (0..elements.len()).filter_map(read).collect()
}

impl Captured {
    /// The functions in the map.
    pub(in crate::host::elixir) fn captures(&self) -> &[Arc<Capture>] {
        match self {
            Self::Tools(captures) | Self::Bound(_, captures) => captures,
            Self::Name(_) => &[],
        }
    }

    /// The name that the map is bound to; tools are given some names.
    pub(in crate::host::elixir) fn bound_name(&self) -> Option<&str> {
        match self {
            Self::Bound(name, _) => Some(name),
            Self::Tools(_) | Self::Name(_) => None,
        }
    }
}

/// A variable or an attribute with this name has tools even if no `tools:` is given it.
pub(in crate::host::elixir) const TOOLS: &str = "tools";

/// The captured functions that are tools of a document: in the map of a `tools:`, or in one with a name that
/// some `tools:` is given.
pub(in crate::host::elixir) fn all_captures<'d>(
    captured: &[&'d Captured],
) -> impl Iterator<Item = &'d Capture> {
    let names = captured.iter().filter_map(|it| match it {
        Captured::Name(name) => Some(name.as_str()),
        Captured::Tools(_) | Captured::Bound(..) => None,
    });
    let names: HashSet<&str> = names.chain([TOOLS]).collect();
    let is_given = move |it: &&&Captured| it.bound_name().is_none_or(|name| names.contains(name));
    captured
        .iter()
        .filter(is_given)
        .flat_map(|it| it.captures())
        .map(Arc::as_ref)
}

fn captures_in(map: &Element<'_>) -> Vec<Arc<Capture>> {
    let mut captures = Vec::new();
    each_tool(map, &mut |tool| {
        if let Form::Function(capture) | Form::Described(capture) = tool.form {
            captures.extend(capture);
        }
    });
    captures
}

/// Whether there are no parameters between the name of a function and its `do:`.
fn takes_nothing(between: &[Element<'_>]) -> bool {
    let parameters = between.iter().filter(|it| it.kind() != Kind::Comma);
    parameters
        .into_iter()
        .all(|it| it.kind() == Kind::Parens && items(it).is_empty())
}
