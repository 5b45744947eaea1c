//! Heads of functions with one map with atom keys, such as `def search(%{query: query})`.

use crate::{
    host::{
        FunctionHead, Notation, Unit, UnitKind,
        token_tree::{self, Element, Kind},
    },
    order,
    text::{TextRange, TextSize},
};

use super::{Elixir, contract::items, literal::key_text};

/// The unit of a statement that is such a head: the parameters with their parentheses.
pub(super) fn unit(statement: &[Element<'_>]) -> Option<(TextSize, Unit)> {
    let [word, name, parameters, ..] = statement else {
        return None;
    };
    let is_definition = matches!(word.text(), "def" | "defp") && name.kind() == Kind::Symbol;
    if !is_definition || parameters.kind() != Kind::Parens {
        return None;
    }
    let start = parameters.range.start();
    let keys: Vec<_> = keys_in(parameters).iter().map(|it| *it - start).collect();
    if keys.is_empty() {
        return None;
    }
    let name = name.text().into();
    let unit = Unit {
        len: parameters.range.len(),
        notation: Notation::Elixir,
        kind: UnitKind::FunctionHead(Box::new(FunctionHead {
            name,
            keys: keys.into(),
        })),
        ..Unit::default()
    };
    Some((start, unit))
}

/// The keys in the maps of the only parameter, including nested maps; none if there are more parameters.
pub(super) fn keys_in(parameters: &Element<'_>) -> Vec<TextRange> {
    only_pattern(parameters).map_or(Vec::new(), |it| keys_in_maps(&it))
}

/// The string keys in the map that is the only parameter, without nested maps.
pub(super) fn string_keys_in(parameters: &Element<'_>) -> Vec<TextRange> {
    only_pattern(parameters).map_or(Vec::new(), |it| string_keys_in_maps(&it))
}

/// The pattern of the only parameter, without its default; `None` if there are more.
fn only_pattern<'t>(parameters: &Element<'t>) -> Option<Vec<Element<'t>>> {
    let is_code = |it: &Element<'_>| !it.kind().is_trivia();
    let mut elements: Vec<_> = parameters.elements().filter(is_code).collect();
    if !parameters.is_closed() || elements.iter().any(|it| it.kind() == Kind::Comma) {
        return None;
    }
    // A default value matches nothing.
    let default = elements.iter().position(|it| it.text() == "\\\\");
    elements.truncate(default.unwrap_or(elements.len()));
    Some(elements)
}

/// The atom keys in the maps among `elements`, including nested maps.
fn keys_in_maps(elements: &[Element<'_>]) -> Vec<TextRange> {
    let is_code = |it: &Element<'_>| !it.kind().is_trivia();
    let mut keys = Vec::new();
    let mut left = maps(elements);
    while let Some(map) = left.pop() {
        let elements: Vec<_> = map.elements().filter(is_code).collect();
        let atoms = elements.iter().filter(|it| it.kind() == Kind::Key);
        keys.extend(atoms.map(|it| it.range));
        left.extend(maps(&elements));
    }
    order::by_start(&mut keys, |key| key.start());
    keys
}

/// The atom keys, with their colons, in the maps that the clauses of `fn … end` take as their only argument; none if a
/// clause matches string keys alone.
pub(super) fn keys_of_fn(function: &Element<'_>) -> Vec<TextRange> {
    let elements: Vec<_> = function.elements().collect();
    let has_strings_alone =
        |it: &[Element<'_>]| keys_in_maps(it).is_empty() && !string_keys_in_maps(it).is_empty();
    if heads(&elements).any(has_strings_alone) {
        return Vec::new();
    }
    heads(&elements).flat_map(keys_in_maps).collect()
}

/// An atom key in the maps that the clauses of `fn … end` take as their only argument.
pub(super) fn atom_key_of_fn(function: &Element<'_>) -> Option<String> {
    let first = *keys_of_fn(function).first()?;
    let text = function.full_text();
    let key = text.get(std::ops::Range::from(first - function.range.start()))?;
    Some(key.trim_end_matches(':').to_owned())
}

/// The number of arguments that `fn … end` takes; `None` if it is unfinished.
pub(super) fn arity_of_fn(function: &Element<'_>) -> Option<usize> {
    let elements: Vec<_> = function
        .elements()
        .skip(1)
        .filter(|it| !it.kind().is_trivia())
        .collect();
    let arrow = elements.iter().position(|it| it.text() == "->")?;
    let guard = elements[..arrow].iter().position(|it| it.text() == "when");
    let head = &elements[..guard.unwrap_or(arrow)];
    match head {
        [] => Some(0),
        [parens] if parens.kind() == Kind::Parens => Some(items(parens).len()),
        _ => Some(1 + head.iter().filter(|it| it.kind() == Kind::Comma).count()),
    }
}

/// The string keys in the map that `fn … end` takes as its only argument, if it has one clause.
pub(super) fn keys_of_only_clause(function: &Element<'_>) -> Vec<String> {
    let elements: Vec<_> = function.elements().collect();
    let is_arrow = |it: &&Element<'_>| it.text() == "->";
    if elements.iter().filter(is_arrow).count() != 1 {
        return Vec::new();
    }
    let keys = heads(&elements).flat_map(|head| keys_before_guard(head));
    keys.collect()
}

fn keys_before_guard(head: &[Element<'_>]) -> Vec<String> {
    let guard = head.iter().position(|it| it.text() == "when");
    let pattern = &head[..guard.unwrap_or(head.len())];
    let mut keys = Vec::new();
    for map in maps(pattern) {
        let code: Vec<_> = map.elements().filter(|it| !it.kind().is_trivia()).collect();
        let strings = code.windows(2).filter(|it| it[1].text() == "=>");
        keys.extend(
            strings.filter_map(|it| key_text(&it[0]).filter(|_| it[0].kind() == Kind::String)),
        );
    }
    keys.into_iter().map(str::to_owned).collect()
}

/// Longer functions are not written where a tool is registered. Those in one another would each be parsed again.
pub(super) const LONGEST_FN: TextSize = TextSize::new(16 * 1024);

/// The same for those that are given by a name, since they are read at each use of the name.
pub(super) const LONGEST_NAMED_FN: TextSize = TextSize::new(4 * 1024);

/// The string keys in the maps that the clauses of a function take as their only argument, clause by clause; `text` is
/// `fn … end`, or a tuple that begins with it.
pub fn string_keys_of_fn(text: &str) -> Vec<Vec<TextRange>> {
    if TextSize::of(text) > LONGEST_FN {
        return Vec::new();
    }
    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    let Some(first) = root.elements().next() else {
        return Vec::new();
    };
    let function = match first.kind() {
        Kind::Braces => first.elements().filter(|it| !it.kind().is_trivia()).nth(1),
        _ => Some(first),
    };
    let Some(function) = function.filter(|it| it.kind() == Kind::FnBlock) else {
        return Vec::new();
    };
    let elements: Vec<_> = function.elements().collect();
    heads(&elements).map(string_keys_in_maps).collect()
}

/// The strings in a function that may be keys of its only argument.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KeysRead {
    /// Those that the function certainly reads, in its body: `args["query"]`, `Map.get(args, "query")`.
    pub certain: Vec<TextRange>,
    /// Those in its body that may be something else, and those in maps that its head nests.
    pub possible: Vec<TextRange>,
}

/// The strings beyond those of [`string_keys_of_fn`] in `fn … end`, or in a tuple that begins with it, that may be keys
/// of its only argument; `None` if it is not read.
pub fn keys_read_by_fn(text: &str) -> Option<KeysRead> {
    if TextSize::of(text) > LONGEST_FN {
        return None;
    }
    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    let first = root.elements().next()?;
    let function = match first.kind() {
        Kind::Braces => first
            .elements()
            .filter(|it| !it.kind().is_trivia())
            .nth(1)?,
        _ => first,
    };
    if function.kind() != Kind::FnBlock {
        return Some(KeysRead::default());
    }
    let elements: Vec<_> = function.elements().collect();
    let is_name = |it: &&Element<'_>| it.kind() == Kind::Symbol && it.text() != "when";
    let arguments: Vec<_> = heads(&elements)
        .flat_map(|head| head.iter().filter(is_name).map(|it| it.text()))
        .collect();
    let matched: Vec<_> = heads(&elements).flat_map(string_keys_in_maps).collect();
    let mut read = KeysRead::default();
    for string in strings_in(function) {
        let (before, after) = (&text[..string.start().into()], &text[string.end().into()..]);
        let is_read = arguments.iter().any(|it| reads(before, after, it));
        match is_read {
            _ if matched.contains(&string) => {}
            true => read.certain.push(string),
            false => read.possible.push(string),
        }
    }
    Some(read)
}

/// Whether a string between `before` and `after` is a key by which a value is read from `argument`.
fn reads(before: &str, after: &str, argument: &str) -> bool {
    const READERS: [&str; 5] = ["get", "fetch", "fetch!", "has_key?", "pop"];
    let ends_with_argument = |code: &str| {
        let before = code.strip_suffix(argument);
        before.is_some_and(|it| !it.ends_with(|c: char| c.is_alphanumeric() || "_.@".contains(c)))
    };
    if let Some(value) = before.strip_suffix('[') {
        return after.starts_with(']') && ends_with_argument(value);
    }
    let value = before.trim_end().strip_suffix(',').map(str::trim_end);
    let Some((call, value)) = value.and_then(|it| it.rsplit_once('(')) else {
        return false;
    };
    let reader = call.rsplit_once("Map.").map(|(_, reader)| reader);
    value.trim() == argument && reader.is_some_and(|it| READERS.contains(&it))
}

/// The strings in a node, at every depth, in the order of the text.
fn strings_in(node: Element<'_>) -> Vec<TextRange> {
    let mut strings = Vec::new();
    let mut left = vec![node];
    while let Some(node) = left.pop() {
        if node.kind() == Kind::String {
            strings.push(node.range);
        }
        left.extend(
            node.elements()
                .filter(|it| it.kind().is_group() || it.kind().is_string()),
        );
    }
    order::by_start(&mut strings, |it| it.start());
    strings
}

/// The strings in code of Elixir, at every depth.
pub fn strings(text: &str) -> Vec<TextRange> {
    let tree = token_tree::parse::<Elixir>(text);
    strings_in(Element::node(&tree, TextSize::default()))
}

/// The only parameters of the clauses of `fn … end` with these `elements`.
fn heads<'e, 't>(elements: &'e [Element<'t>]) -> impl Iterator<Item = &'e [Element<'t>]> {
    let mut begin = 1;
    let heads = elements
        .iter()
        .enumerate()
        .filter_map(move |(at, element)| {
            match element.kind() {
                Kind::Newline => begin = at + 1,
                Kind::Operator if element.text() == ";" => begin = at + 1,
                Kind::Operator if element.text() == "->" && begin < at => {
                    return Some(&elements[begin..at]);
                }
                _ => {}
            }
            None
        });
    heads.filter(|head| !head.iter().any(|it| it.kind() == Kind::Comma))
}

/// The keys that are strings in the maps among `elements`.
fn string_keys_in_maps(elements: &[Element<'_>]) -> Vec<TextRange> {
    let mut keys = Vec::new();
    for map in maps(elements) {
        let code: Vec<_> = map.elements().filter(|it| !it.kind().is_trivia()).collect();
        let pairs = code.windows(2);
        let strings = pairs.filter(|it| it[0].kind() == Kind::String && it[1].text() == "=>");
        keys.extend(strings.map(|it| it[0].range));
    }
    keys
}

/// The braces of each `%{…}`.
fn maps<'t>(elements: &[Element<'t>]) -> Vec<Element<'t>> {
    let pairs = elements.windows(2);
    let maps = pairs.filter(|it| it[0].text() == "%" && it[1].kind() == Kind::Braces);
    maps.map(|it| it[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_of_fn_have_keys_too() {
        let text = "fn %{a: a} when a > 1 -> %{b: 1}\n %{\"c\" => c, d: d} -> f(c) end";
        let tree = token_tree::parse::<Elixir>(text);
        let root = Element::node(&tree, TextSize::default());
        let function = root.elements().next().expect("a function");
        let keys = keys_of_fn(&function).into_iter().map(|range| &text[range]);
        assert_eq!(keys.collect::<Vec<_>>(), ["a:", "d:"]);
    }

    #[test]
    fn clauses_of_fn_match_strings() {
        for (text, expected) in [
            (
                "fn %{\"a\" => a, \"b\" => %{\"c\" => 1}} = all -> %{\"d\" => a} end",
                &[&["\"a\"", "\"b\""][..]][..],
            ),
            (
                "{fn %{\"a\" => a} when a > 1 -> 1\n  %{\"b\" => b} -> f(b) end, \"(a :int) -> :int\"}",
                &[&["\"a\""], &["\"b\""]],
            ),
            ("fn args -> case args do %{\"a\" => a} -> a end end", &[&[]]),
            ("fn %{\"a\" => a}, b -> a + b end", &[]),
            ("&run/1", &[]),
            ("", &[]),
        ] {
            let clauses = string_keys_of_fn(text).into_iter();
            let clauses = clauses.map(|keys| keys.into_iter().map(|it| &text[it]).collect());
            let clauses: Vec<Vec<_>> = clauses.collect();
            assert_eq!(clauses, expected, "{text}");
        }
    }

    #[test]
    fn functions_read_keys_in_their_bodies() {
        for (text, certain, possible) in [
            ("fn args -> args[\"a\"] end", &["\"a\""][..], &[][..]),
            (
                "{fn %{\"a\" => a} = all -> f(Map.get(all, \"b\", 1), all[\"c\"][\"d\"]) end, \"(a :int) -> :int\"}",
                &["\"b\"", "\"c\""],
                &["\"d\""],
            ),
            ("fn %{\"a\" => %{\"b\" => b}} -> b end", &[], &["\"b\""]),
            (
                "fn args -> case args do %{\"a\" => a} -> my_args[\"b\"] end end",
                &[],
                &["\"a\"", "\"b\""],
            ),
            ("&run/1", &[], &[]),
        ] {
            let read = keys_read_by_fn(text).expect("it is short");
            let shown = |keys: &[TextRange]| {
                keys.iter()
                    .map(|it| text[*it].to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(shown(&read.certain), certain, "{text}");
            assert_eq!(shown(&read.possible), possible, "{text}");
        }
    }

    #[test]
    fn keys_that_are_atoms_are_found_at_every_depth() {
        let cases: &[(&str, &[&str])] = &[
            ("(%{query: q})", &["query:"]),
            (
                "(%{\"a\" => %{b: b}, c: %{d: d}} = args)",
                &["b:", "c:", "d:"],
            ),
            ("(%{\"query\" => q})", &[]),
            ("(%User{id: id})", &[]),
            ("(args)", &[]),
            ("(args \\\\ %{limit: 10})", &[]),
            ("(%{a: a} = args \\\\ %{limit: 10})", &["a:"]),
            ("(%{query: q}, opts)", &[]),
            ("(query: q)", &[]),
            ("(%{query: q}", &[]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let tree = token_tree::parse::<Elixir>(text);
            let root = Element::node(&tree, TextSize::default());
            let parameters = root.elements().find(|it| it.kind() == Kind::Parens);
            let keys = parameters.map_or(Vec::new(), |it| keys_in(&it));
            let keys = keys.into_iter().map(|range| &text[range]);
            assert_eq!(keys.collect::<Vec<_>>(), *expected, "{text}");
        }
    }
}
