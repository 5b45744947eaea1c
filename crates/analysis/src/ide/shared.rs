//! Names that other files use: tools, arguments of tools, and functions.

use foldhash::HashSet;

use crate::ide::{
    Document,
    names::{self, Member, Returned, Symbol},
};
use signature_ls_source::{
    host::elixir::tools::Capture,
    order,
    text::{TextRange, TextSize},
};

/// The meaning of a name for other files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shared {
    /// A tool, by its name in normal form.
    Tool(String),
    /// A parameter of a tool, or a field of its parameters or its output.
    Member(Member),
    /// A parameter or field of the agent that a function returns.
    Returned(Returned),
    /// A function, by the full name of its module.
    Function(Capture),
}

/// An occurrence of a shared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedPlace {
    /// The name, in bytes of the document.
    pub range: TextRange,
    /// Whether it is a declaration.
    pub is_definition: bool,
}

impl Shared {
    /// The tool that it is or belongs to, in normal form.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::Tool(tool) | Self::Member(Member { tool, .. }) => Some(tool),
            Self::Returned(_) | Self::Function(_) => None,
        }
    }

    /// The agent's parameter or field.
    pub fn returned(&self) -> Option<&Returned> {
        match self {
            Self::Returned(returned) => Some(returned),
            Self::Tool(_) | Self::Member(_) | Self::Function(_) => None,
        }
    }
}

/// The meaning of the name at `offset` for other files, and its place.
pub fn shared_at(document: &Document, offset: TextSize) -> Option<(TextRange, Vec<Shared>)> {
    let places = names::at(document, offset);
    let Some(range) = places.first().map(|it| it.name.range) else {
        let (range, functions) = document.host().function_at(document.text(), offset)?;
        let functions = functions.into_iter().map(Shared::Function);
        return Some((range, functions.collect()));
    };
    let symbols = places.iter().flat_map(|it| names::symbols(document, it));
    let (mut known, mut known_symbols) = (HashSet::default(), HashSet::default());
    let symbols = symbols.filter(|it| known_symbols.insert(it.clone()));
    let shared = symbols.flat_map(|it| shared(document, it));
    let shared: Vec<_> = shared.filter(|it| known.insert(it.clone())).collect();
    (!shared.is_empty()).then_some((range, shared))
}

/// The meaning of a symbol for other files.
pub(crate) fn shared(document: &Document, symbol: Symbol) -> Vec<Shared> {
    match symbol {
        Symbol::Tool {
            unit: None, name, ..
        } => vec![Shared::Tool(name)],
        Symbol::Member { unit: None, member } => vec![Shared::Member(member)],
        Symbol::Field { signature, field } => {
            let member = names::shared_member(document, signature, field);
            let returned = names::returned_with(document, signature, field).into_iter();
            let returned = returned.map(Shared::Returned);
            member
                .map(Shared::Member)
                .into_iter()
                .chain(returned)
                .collect()
        }
        Symbol::Returned(returned) => vec![Shared::Returned(returned)],
        Symbol::Function(capture) => {
            let functions = document.scope().full_names(&capture).into_iter();
            functions.map(Shared::Function).collect()
        }
        Symbol::Tool { .. } | Symbol::Member { .. } | Symbol::Context { .. } => Vec::new(),
    }
}

/// The symbol of `shared` in `document`.
pub(crate) fn symbols_of(document: &Document, shared: &Shared) -> Vec<Symbol> {
    match shared {
        Shared::Tool(name) => vec![Symbol::Tool {
            unit: None,
            agent: None,
            name: name.clone(),
        }],
        Shared::Member(member) => names::of_member(document, member),
        Shared::Returned(returned) => {
            let declared = names::declared(document, returned);
            let used = Symbol::Returned(returned.clone());
            declared.into_iter().chain([used]).collect()
        }
        Shared::Function(_) => Vec::new(),
    }
}

/// Whether `document` declares `returned`, and nothing else in it may be meant.
pub fn declares(document: &Document, returned: &Returned) -> bool {
    names::declared(document, returned).is_some()
}

/// The occurrences of `shared` in `document`, in the order of the text.
pub fn places_of(document: &Document, shared: &Shared) -> Vec<SharedPlace> {
    let mut places = match shared {
        Shared::Function(function) => of_function(document, function),
        _ => {
            let symbols = symbols_of(document, shared);
            let places = symbols.iter().flat_map(|it| names::places(document, it));
            let places = places.map(|it| SharedPlace {
                is_definition: names::is_definition(&it),
                range: it.name.range,
            });
            places.collect()
        }
    };
    order::by_start(&mut places, |it: &SharedPlace| it.range.start());
    places.dedup_by_key(|it| it.range);
    places
}

fn of_function(document: &Document, function: &Capture) -> Vec<SharedPlace> {
    let defined = document.host().function_places(document.text(), function);
    let defined = defined.into_iter().map(|it| SharedPlace {
        range: it.name,
        is_definition: true,
    });
    let captured = names::captured(document).into_iter();
    let captured = captured.filter(|(_, functions)| functions.contains(function));
    let captured = captured.map(|(range, _)| SharedPlace {
        range,
        is_definition: false,
    });
    defined.chain(captured).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::{located, marked};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, fixture: &str, expected: Expect) {
        let (document, offset) = marked(kind, fixture);
        let mut shown = String::new();
        if let Some((range, shared)) = shared_at(&document, offset) {
            shown.push_str(&format!("{}\n", located(&document, range)));
            for it in shared {
                shown.push_str(&format!("{it:?}\n"));
                for place in places_of(&document, &it) {
                    let what = if place.is_definition {
                        "definition"
                    } else {
                        "reference"
                    };
                    shown.push_str(&format!("  {what} {}\n", located(&document, place.range)));
                }
            }
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn meanings_have_an_order() {
        let modules: Vec<_> = (0..8).map(|it| format!("M{it}")).collect();
        let imports: String = { modules.iter() }
            .map(|it| format!("import {it}\n"))
            .collect();
        let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &g$0et/1})\n";
        let shared = || {
            let (document, offset) = marked(HostKind::Elixir, &format!("{imports}{agent}"));
            shared_at(&document, offset).expect("a function").1
        };
        let first = shared();
        assert_eq!(first.len(), modules.len(), "{first:?}");
        for _ in 0..4 {
            assert_eq!(shared(), first);
        }
    }

    #[test]
    fn tools_and_their_arguments_are_shared() {
        let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&A.b/1, \"(order_id :int) -> :any\"}})\n";
        check(
            HostKind::Elixir,
            &agent.replace("\"search", "\"$0search"),
            expect![[r#"
                1:39 search
                Tool("search")
                  definition 1:39 search
            "#]],
        );
        check(
            HostKind::Elixir,
            &agent.replace("order_id", "order$0_id"),
            expect![[r#"
                1:61 order_id
                Member(Member { tool: "search", is_input: true, path: ["order_id"] })
                  definition 1:61 order_id
            "#]],
        );
        check(
            HostKind::Lisp,
            "(tool/search {:order-$0id 1})",
            expect![[r#"
                1:16 order-id
                Member(Member { tool: "search", is_input: true, path: ["order_id"] })
                  reference 1:16 order-id
            "#]],
        );
    }

    #[test]
    fn what_one_call_alone_can_mean_is_not_shared() {
        check(
            HostKind::Elixir,
            r#"Lisp.run("(tool/get {:id 1})", tools: %{"g$0et" => {&A.get/1, "(id :int) -> :any"}})"#,
            expect![[""]],
        );
        check(
            HostKind::Prompt,
            "---\nsignature: \"(a :int) -> :int\"\n---\n{{a$0}}",
            expect![[""]],
        );
    }

    #[test]
    fn functions_are_shared_with_their_definitions() {
        let text = "defmodule A do\n  @spec run(integer()) :: :ok\n  def run(x), do: x\n  def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"run\" => &run/1})\nend\n";
        check(
            HostKind::Elixir,
            &text.replace("def run", "def r$0un"),
            expect![[r#"
                3:7 run
                Function(Capture { module: Some("A"), name: "run", arity: 1 })
                  definition 2:9 run
                  definition 3:7 run
                  reference 4:65 run
            "#]],
        );
        check(
            HostKind::Elixir,
            &text.replace("&run", "&r$0un"),
            expect![[r#"
                4:65 run
                Function(Capture { module: Some("A"), name: "run", arity: 1 })
                  definition 2:9 run
                  definition 3:7 run
                  reference 4:65 run
            "#]],
        );
        check(
            HostKind::Elixir,
            &text.replace("@spec run", "@spec ru$0n"),
            expect![[r#"
                2:9 run
                Function(Capture { module: Some("A"), name: "run", arity: 1 })
                  definition 2:9 run
                  definition 3:7 run
                  reference 4:65 run
            "#]],
        );
        check(
            HostKind::Elixir,
            &text.replace("def agent", "def agent$0"),
            expect![[r#"
                4:7 agent
                Function(Capture { module: Some("A"), name: "agent", arity: 0 })
                  definition 4:7 agent
            "#]],
        );
    }
}
