//! All occurrences in a document of the name at the cursor.

use crate::ide::{Document, Shared, names, places_of, shared_at, unit::Target};
use signature_ls_source::{
    order,
    text::{TextRange, TextSize},
};

/// A place to highlight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// The name, in bytes of the document.
    pub range: TextRange,
    /// Whether it is the declaration.
    pub is_definition: bool,
}

/// All occurrences of the name at `offset`, in the order of the text.
pub fn highlights(document: &Document, offset: TextSize) -> Vec<Highlight> {
    let places = names::all_places(document, offset);
    let is_function = |it: &names::Place| matches!(it.name.target, Target::Function(_));
    if places.first().is_none_or(is_function) {
        let of_function = of_function(document, offset);
        if !of_function.is_empty() {
            return of_function;
        }
    }
    let highlights = places.into_iter().map(|it| Highlight {
        range: it.name.range,
        is_definition: names::is_definition(&it),
    });
    highlights.collect()
}

/// The occurrences of the function at `offset`, if it is a tool in the document.
fn of_function(document: &Document, offset: TextSize) -> Vec<Highlight> {
    let Some((_, shared)) = shared_at(document, offset) else {
        return Vec::new();
    };
    let functions = { shared.iter() }.filter(|it| matches!(it, Shared::Function(_)));
    let places = functions.flat_map(|it| places_of(document, it));
    let highlights = places.map(|it| Highlight {
        range: it.range,
        is_definition: it.is_definition,
    });
    let mut highlights: Vec<_> = highlights.collect();
    order::by_start(&mut highlights, |it| it.range.start());
    highlights.dedup();
    let is_tool = highlights.iter().any(|it| !it.is_definition);
    highlights.retain(|_| is_tool);
    highlights
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
        let found = highlights(&document, offset).into_iter().map(|it| {
            let mark = if it.is_definition { " definition" } else { "" };
            format!("{}{mark}\n", located(&document, it.range))
        });
        expected.assert_eq(&found.collect::<String>());
    }

    #[test]
    fn a_parameter_wherever_it_is_named() {
        let agent = r##"
SubAgent.run("{{#items}}{{id}} {{title}}{{/items}} {{topic}}",
  signature: "(topic :string, items [{i$0d :int, title :string}]) -> {id :int}",
  context: %{topic: "a", items: [%{"id" => 1, title: "x"}, %{id: 2}]}
)
"##;
        check(
            HostKind::Elixir,
            agent,
            expect![[r#"
                2:27 id
                3:39 id definition
                4:37 id
                4:62 id
            "#]],
        );
        check(
            HostKind::Elixir,
            &agent.replace("$0", "").replace("{{/items", "{{/ite$0ms"),
            expect![[r#"
                2:18 items
                2:44 items
                3:31 items definition
                4:26 items
            "#]],
        );
    }

    #[test]
    fn a_function_and_its_captures() {
        let text = r##"defmodule M do
  @spec other(map()) :: map()
  def oth$0er(args), do: args
  def f, do: SubAgent.new(prompt: "x", tools: %{"o" => &M.other/1})
  def g, do: SubAgent.new(prompt: "y", tools: %{"p" => &__MODULE__.other/1})
end
"##;
        let plain = text.replace("$0", "");
        for at in plain.match_indices("other").map(|(at, _)| at) {
            let fixture = format!("{}$0{}", &plain[..at + 1], &plain[at + 1..]);
            check(
                HostKind::Elixir,
                &fixture,
                expect![[r#"
                    2:9 other definition
                    3:7 other definition
                    4:59 other
                    5:68 other
                "#]],
            );
        }
    }

    #[test]
    fn a_tool_and_its_arguments() {
        let program = r#"{:tools {"order_list" "(limit :int, by {date :string}) -> :any"}}
(tool/order-list {:limit 1 :by {"da$0te" "x"}})
(tool/order-list :limit 2)
"#;
        check(
            HostKind::Lisp,
            program,
            expect![[r#"
                1:41 date definition
                2:34 date
            "#]],
        );
        check(
            HostKind::Lisp,
            &program
                .replace("$0", "")
                .replacen("order-list", "or$0der-list", 1),
            expect![[r#"
                1:11 order_list definition
                2:7 order-list
                3:7 order-list
            "#]],
        );
        check(
            HostKind::Lisp,
            &program.replace("$0", "").replacen("(limit", "($0limit", 1),
            expect![[r#"
                1:25 limit definition
                2:20 limit
                3:19 limit
            "#]],
        );
    }
}
