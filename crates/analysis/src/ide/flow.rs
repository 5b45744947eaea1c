//! Expressions with agents, steps and results, by their places in the document.

use crate::ide::{Document, unit::UnitView};
use signature_ls_source::{
    host::flow::Given,
    text::{TextRange, TextSize},
};

/// An expression of a document.
pub(crate) struct Place {
    /// Its place, in bytes of the document.
    pub(crate) range: TextRange,
    /// The start of its signature; `None` if that is in another file.
    pub(crate) origin: Option<TextSize>,
}

/// The smallest expression around `offset` for which `look` returns something, and that result.
pub(crate) fn at<T>(
    document: &Document,
    offset: TextSize,
    look: impl Fn(&UnitView<'_>, &Given) -> Option<T>,
) -> Option<(Place, T)> {
    let mut found: Option<(Place, T)> = None;
    for (placed, analysis) in document.units_at(offset) {
        if placed.unit.flow.is_empty() {
            continue;
        }
        document.with_view(placed, analysis, |view| {
            for given in view.flow().given() {
                let range = given.range + placed.start;
                let is_smaller = found
                    .as_ref()
                    .is_none_or(|it| range.len() < it.0.range.len());
                if !is_smaller || !range.contains_inclusive(offset) {
                    continue;
                }
                if let (Some(origin), Some(seen)) =
                    (placed.origins().nth(given.source), look(view, given))
                {
                    found = Some((Place { range, origin }, seen));
                }
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::ide::{
        Document, Settings, definitions, functions_at, hover, references, rename, testing::beside,
    };
    use signature_ls_source::{
        host::HostKind,
        text::{TextSize, size},
    };

    const CODE: &str = r#"
finder = SubAgent.new(prompt: "Find.", signature: "{title :string, by {name :string}}")
writer = SubAgent.new(prompt: "Write {{title}}", signature: "(title :string) -> {text :string}")
step = SubAgent.run!(finder, llm: llm)
IO.puts(step.return["title"] <> step.return["by"]["name"])
{:ok, next} = SubAgent.run(writer, llm: llm, context: step)
%{return: %{"text" => text}} = next
SubAgent.run(writer, llm: llm, context: %{title: text})
"#;

    fn document() -> Document {
        Document::new(HostKind::Elixir, CODE, Settings::default())
    }

    /// The place of `needle`, from `before` on.
    fn at(before: &str, needle: &str) -> TextSize {
        let start = CODE.find(before).expect("a place");
        size(start + CODE[start..].find(needle).expect("a place"))
    }

    #[test]
    fn hover_shows_types_along_a_chain() {
        let document = document();
        for (before, needle, expected) in [
            (
                "run!(finder",
                "finder",
                "{title :string, by {name :string}}",
            ),
            ("{:ok, next}", "next", "{text :string}"),
            (
                "step.return",
                "return",
                "{title :string, by {name :string}}",
            ),
            ("[\"by\"]", "name", "by.name :string"),
            ("=> text", "text", ":string"),
            ("%{title: text}", "title", "title :string"),
        ] {
            let hover = hover(&document, at(before, needle)).map(|it| it.markdown);
            let hover = hover.unwrap_or_default();
            assert!(hover.contains(expected), "{before}: {hover}");
        }
    }

    #[test]
    fn agents_of_other_files_lead_to_their_function() {
        let others = "defmodule MyApp.Agents do\n  def finder do\n    SubAgent.new(signature: \"(n :int) -> {count :int}\")\n  end\nend\n";
        let code = "alias MyApp.Agents\nstep = SubAgent.run!(Agents.finder(), llm: llm)\nstep.return[\"count\"]\n";
        let document = beside(others, code);
        let at = |needle: &str| size(code.find(needle).expect("a place"));
        let shown = |needle| hover(&document, at(needle)).map(|it| it.markdown);
        assert!(shown("finder()").is_some_and(|it| it.contains("(n :int) -> {count :int}")));
        assert!(shown("return").is_some_and(|it| it.contains("{count :int}")));
        let links = functions_at(&document, at("finder()"));
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].function.module.as_deref(), Some("MyApp.Agents"));
        assert_eq!(links[0].function.name, "finder");
        // Nothing in this document declares the field.
        assert!(definitions(&document, at("count")).is_empty());
    }

    #[test]
    fn definitions_lead_to_the_signature() {
        let document = document();
        for (before, needle, expected) in [
            ("[\"by\"]", "name", "name :string"),
            ("%{title: text}", "title", "title :string) -> {text"),
            ("run!(finder", "finder", "{title :string, by"),
            ("context: step", "step", "{title :string, by"),
        ] {
            let links = definitions(&document, at(before, needle));
            let target = links
                .first()
                .map(|it| &CODE[usize::from(it.target.start())..]);
            assert!(
                target.is_some_and(|it| it.starts_with(expected)),
                "{before}: {links:?}"
            );
        }
    }

    #[test]
    fn names_are_found_and_renamed_along_a_chain() {
        let document = document();
        let places = references(&document, at("[\"title\"]", "title"), true);
        // Both signatures, the placeholder, the key of the result and the one of the context.
        assert_eq!(places.len(), 5, "{places:?}");
        let edits = rename(&document, at("{title", "title"), "headline").expect("no refusal");
        let mut text = CODE.to_owned();
        for edit in edits.expect("edits").iter().rev() {
            text.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
        }
        assert_eq!(text, CODE.replace("title", "headline"));
    }
}
