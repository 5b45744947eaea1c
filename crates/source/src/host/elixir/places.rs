//! Where functions are defined and specified.

use std::ops::RangeInclusive;

use foldhash::HashMap;

use super::{
    Elixir,
    declarations::{Declarations, arguments},
    tools::Capture,
};
use crate::{
    host::token_tree::{self, Element, Kind},
    order,
    text::{Text, TextRange, TextSize, size},
};

/// A place that defines or specifies a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionPlace {
    /// The name of the function, in bytes of the document.
    pub name: TextRange,
    /// The names of the parameters in the head of a clause, as far as they have names.
    pub parameters: Vec<(String, TextRange)>,
    /// Whether it is a `@spec`.
    pub is_spec: bool,
}

impl FunctionPlace {
    /// The same `by` bytes further on.
    pub fn moved_by(mut self, by: TextSize) -> Self {
        self.name += by;
        for (_, range) in &mut self.parameters {
            *range += by;
        }
        self
    }
}

/// What a declaration says of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'d> {
    /// Where the declaration begins.
    pub(super) start: TextSize,
    pub(super) module: &'d str,
    pub(super) name: &'d str,
    pub(super) arity: (usize, usize),
    pub(super) is_spec: bool,
}

impl Named<'_> {
    /// The function in a module, one for each number of arguments that it takes.
    fn captures(&self, module: &str) -> Vec<Capture> {
        let arities = self.arity.0..=self.arity.1;
        let captures = arities.map(|arity| Capture {
            module: Some(module.to_owned()),
            name: self.name.to_owned(),
            arity,
        });
        captures.collect()
    }

    fn is_of(&self, capture: &Capture) -> bool {
        let arity: RangeInclusive<usize> = self.arity.0..=self.arity.1;
        Some(self.module) == capture.module.as_deref()
            && self.name == capture.name
            && arity.contains(&capture.arity)
    }
}

/// The places in `text` of the function with the full name of its module: the first clause and the specs.
pub fn function_places(text: &str, function: &Capture) -> Vec<FunctionPlace> {
    let tree = token_tree::parse::<Elixir>(text);
    let declarations = Declarations::read(Element::node(&tree, TextSize::default()));
    places(&declarations, &Text::from(text), function)
}

/// The name of each of the `functions` in its first clause in `text`, else in its first spec. All are found at once.
pub fn first_names(text: &str, functions: &[&Capture]) -> Vec<Option<TextRange>> {
    let tree = token_tree::parse::<Elixir>(text);
    let declarations = Declarations::read(Element::node(&tree, TextSize::default()));
    let text = Text::from(text);
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::default();
    for (index, function) in functions.iter().enumerate() {
        by_name.entry(&function.name).or_default().push(index);
    }
    let mut found: Vec<Option<(bool, TextRange)>> = vec![None; functions.len()];
    declarations.each_function(&mut |named| {
        for index in by_name.get(named.name).into_iter().flatten() {
            let is_better = found[*index].is_none_or(|(is_spec, _)| is_spec && !named.is_spec);
            if is_better && named.is_of(functions[*index]) {
                let place = place(&text, &named);
                found[*index] = place.map(|it| (it.is_spec, it.name)).or(found[*index]);
            }
        }
    });
    { found.into_iter() }
        .map(|it| it.map(|(_, name)| name))
        .collect()
}

/// The function of `text` that is defined or specified by the name at `offset`, one per arity.
pub fn function_at(text: &str, offset: TextSize) -> Option<(TextRange, Vec<Capture>)> {
    let tree = token_tree::parse::<Elixir>(text);
    let declarations = Declarations::read(Element::node(&tree, TextSize::default()));
    at(&declarations, &Text::from(text), offset)
}

/// The same in a document whose declarations are known.
pub(super) fn places(
    declarations: &Declarations,
    text: &Text,
    function: &Capture,
) -> Vec<FunctionPlace> {
    let mut has_clause = false;
    let mut places = Vec::new();
    declarations.each_function(&mut |named| {
        let is_wanted = named.is_of(function) && (named.is_spec || !has_clause);
        if is_wanted && let Some(place) = place(text, &named) {
            has_clause |= !named.is_spec;
            places.push(place);
        }
    });
    // Those who want one place want the definition.
    order::by_number(&mut places, |it| it.is_spec);
    places
}

/// The function that is defined or specified by the name at `offset`, one for each number of arguments that it takes.
pub(super) fn at(
    declarations: &Declarations,
    text: &Text,
    offset: TextSize,
) -> Option<(TextRange, Vec<Capture>)> {
    let named = declarations.function_before(offset)?;
    let range = place(text, &named)?.name;
    let is_here = range.contains_inclusive(offset);
    // Modules are only looked for at the name of a function.
    let module = is_here.then(|| declarations.module_around(named.start))?;
    if module.is_empty() {
        return None;
    }
    Some((range, named.captures(&module)))
}

/// The function whose body contains `offset`, one for each number of arguments that it takes.
pub(super) fn around(declarations: &Declarations, offset: TextSize) -> Vec<Capture> {
    let Some(named) = declarations.clause_around(offset) else {
        return Vec::new();
    };
    named.captures(&declarations.module_around(named.start))
}

/// The bodies of the function with the full name of its module.
pub(super) fn bodies(declarations: &Declarations, function: &Capture) -> Vec<TextRange> {
    declarations.bodies(|it| it.is_of(function))
}

fn place(text: &Text, named: &Named<'_>) -> Option<FunctionPlace> {
    /// Heads that are longer are cut.
    const LONGEST_HEAD: u32 = 4096;
    let end = (named.start + TextSize::from(LONGEST_HEAD)).min(text.len());
    let code = text.slice(TextRange::new(named.start, end));
    let keyword = code.find(char::is_whitespace)?;
    let at = keyword + code[keyword..].find(named.name)?;
    let name = TextRange::at(named.start + size(at), TextSize::of(named.name));
    let following = &code[at + named.name.len()..];
    let parameters = match named.is_spec {
        true => Vec::new(),
        false => parameters(following),
    };
    let parameters = parameters.into_iter();
    Some(FunctionPlace {
        name,
        parameters: parameters
            .map(|(it, range)| (it, range + name.end()))
            .collect(),
        is_spec: named.is_spec,
    })
}

/// The names in the parentheses that `code` begins with.
fn parameters(code: &str) -> Vec<(String, TextRange)> {
    let tree = token_tree::parse::<Elixir>(code);
    let root = Element::node(&tree, TextSize::default());
    let Some(parens) = root
        .elements()
        .next()
        .filter(|it| it.kind() == Kind::Parens)
    else {
        return Vec::new();
    };
    let names = arguments(&parens).into_iter().filter_map(|argument| {
        let default = argument.iter().position(|it| it.text() == "\\\\");
        let pattern = &argument[..default.unwrap_or(argument.len())];
        let name = pattern.last().filter(|it| it.kind() == Kind::Symbol)?;
        Some((name.text().to_owned(), name.range))
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_and_specs_are_found_with_their_parameters() {
        let text = r"
defmodule A do
  def run(other), do: other
  defmodule B do
    @doc false
    @spec run(String.t(), integer()) :: :ok
    def run(query, limit \\ 10)
    def run(nil, limit), do: limit
  end
  def run(x, y), do: {x, y}
  def e(x), do: x
end
";
        let e = Capture {
            module: Some("A".to_owned()),
            name: "e".to_owned(),
            arity: 1,
        };
        let [place] = &function_places(text, &e)[..] else {
            panic!("one place");
        };
        assert!(text[place.name.start().into()..].starts_with("e(x)"));
        let shown = |module: &str, arity| {
            let function = Capture {
                module: Some(module.to_owned()),
                name: "run".to_owned(),
                arity,
            };
            let places = function_places(text, &function);
            let first = places.first().map(|it| it.name);
            assert_eq!(first_names(text, &[&e, &function])[1], first);
            let places = places.into_iter().map(|it| {
                assert_eq!(&text[it.name], "run");
                let line = text[..it.name.start().into()].lines().count();
                let names = it.parameters.iter().map(|(name, range)| {
                    assert_eq!(&text[*range], name);
                    name.as_str()
                });
                format!(
                    "{line} {} {}",
                    it.is_spec,
                    names.collect::<Vec<_>>().join(",")
                )
            });
            places.collect::<Vec<_>>()
        };
        assert_eq!(shown("A.B", 2), ["7 false query,limit", "6 true "]);
        assert_eq!(shown("A.B", 1), ["7 false query,limit"]);
        assert_eq!(shown("A", 1), ["3 false other"]);
        assert_eq!(shown("A", 2), ["10 false x,y"]);
        assert!(shown("B", 2).is_empty());
    }
}
