//! The listing of a document's tools and agents, as a model sees it.

use foldhash::HashMap;

use crate::{
    ide::{Document, analysis::UnitAnalysis, fragment::Tree},
    model::Signature,
};
use signature_ls_source::{
    host::{PlacedUnit, Role, Site, elixir::tools::Form},
    order,
    text::{TextRange, TextSize},
};

/// A tool or an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name of a tool, if it has one.
    pub name: Option<String>,
    /// The facts about the signature.
    pub signature: Signature,
    /// Whether the signature has no errors.
    pub is_sound: bool,
    /// Its description.
    pub description: Option<String>,
    /// The literal of the signature, or the function with the spec, in bytes of the document.
    pub range: TextRange,
}

/// The tools and agents of `document`, in the order of the text.
pub fn listing(document: &Document) -> Vec<Listed> {
    of_units(document, document.units())
}

/// The tools and agents of the units in `range`.
pub(super) fn listing_in(document: &Document, range: TextRange) -> Vec<Listed> {
    of_units(document, document.units_in(range))
}

fn of_units<'d>(
    document: &'d Document,
    units: impl Iterator<Item = (&'d PlacedUnit, &'d UnitAnalysis)>,
) -> Vec<Listed> {
    let mut listed: Vec<Listed> = units
        .flat_map(|(placed, analysis)| {
            let functions = functions(document, placed);
            let written = of_unit(document, placed, analysis);
            functions.into_iter().chain(written)
        })
        .collect();
    order::by_start(&mut listed, |it| it.range.start());
    listed
}

fn of_unit(document: &Document, placed: &PlacedUnit, analysis: &UnitAnalysis) -> Vec<Listed> {
    let sites = &placed.unit.sites;
    let descriptions = descriptions(sites);
    let fragments = sites.iter().zip(&analysis.fragments);
    let listed = fragments.filter_map(|(site, fragment)| {
        let Tree::Signature { lowered, .. } = &fragment.tree else {
            return None;
        };
        let mut problems = lowered.problems.iter();
        Some(Listed {
            name: site.name.clone(),
            signature: Signature::clone(&lowered.signature),
            is_sound: !problems.any(|problem| problem.is_refused_by(document.edition())),
            description: { descriptions.get(&site.name.as_deref()) }
                .and_then(|it| description(document, placed, it)),
            range: site.literal + placed.start,
        })
    });
    listed.collect()
}

/// The tools of a call in Elixir that are functions with a spec.
pub(super) fn functions(document: &Document, placed: &PlacedUnit) -> Vec<Listed> {
    let tools = placed.unit.tools.iter().flatten();
    let listed = tools.filter_map(|tool| {
        let Form::Function(Some(capture)) = &tool.form else {
            return None;
        };
        let function = document.scope().resolve(capture)?;
        let read = function.signature()?;
        Some(Listed {
            is_sound: read.is_accepted(document.edition()),
            signature: read.extracted.signature.clone(),
            description: function.function.doc.clone(),
            range: tool.range + placed.start,
            name: tool.name.clone(),
        })
    });
    listed.collect()
}

/// The description beside the signature whose text begins at `start`, a byte of the document.
pub(crate) fn description_at(document: &Document, start: TextSize) -> Option<String> {
    let mut units = document.units_at(start);
    units.find_map(|(placed, _)| {
        let mut sites = placed.unit.sites.iter();
        let site = sites.find(|it| placed.start + it.content.start() == start)?;
        let described = descriptions(&placed.unit.sites);
        description(document, placed, described.get(&site.name.as_deref())?)
    })
}

/// The descriptions among `sites` by the name of what they describe; the first one counts.
fn descriptions(sites: &[Site]) -> HashMap<Option<&str>, &Site> {
    let descriptions = sites.iter().filter(|it| it.role == Role::Description);
    // What comes last stays.
    let named = descriptions.rev().map(|it| (it.name.as_deref(), it));
    named.collect()
}

/// The text of the description at the site `described`.
fn description(document: &Document, placed: &PlacedUnit, described: &Site) -> Option<String> {
    let shown = || placed.unit.shown(described, document.text(), placed.start);
    (!described.is_dynamic()).then(shown)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        ide::Settings,
        model::{Edition, render::prompt_entry, testing::signatures},
    };
    use signature_ls_source::host::HostKind;

    #[test]
    fn tools_and_agents_are_listed_with_their_descriptions() {
        let text = r#"
name: triage
description: |
  Sorts mail.
  By urgency.
signature: "(mail :string) -> {urgent :bool}"
prompt: "{{mail}}"
tools:
  search:
    signature: '(query :string) -> [{id :int}]'
    description: "Finds \"it\"."
  now: "() -> :datetime"
  broken: "(a :strng) -> :int"
"#;
        let document = Document::new(HostKind::Yaml, text, Settings::default());
        let mut table = String::new();
        for listed in listing(&document) {
            let name = listed.name.as_deref().unwrap_or("?");
            let description = listed.description.as_deref();
            let entry = prompt_entry(name, &listed.signature, description, document.edition());
            let literal = document.text().slice(listed.range);
            table.push_str(&format!("{literal} {}\n{entry}\n", listed.is_sound));
        }
        expect![[r#"
            "(mail :string) -> {urgent :bool}" true
            triage(mail :string) -> {urgent :bool}
              Sorts mail.
              By urgency.
            '(query :string) -> [{id :int}]' true
            search(query :string) -> [{id :int}]
              Finds "it".
            "() -> :datetime" true
            now() -> :datetime
            "(a :strng) -> :int" false
            broken(a :string) -> :int
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn tools_of_elixir_are_listed_under_their_keys() {
        let text = r#"
defmodule MyApp.Agent do
  @doc """
  Finds a user.

  By number.
  """
  @spec get_user(integer()) :: %{name: String.t()}
  def get_user(id), do: id

  def untold(id), do: id

  def agent do
    SubAgent.new(
      prompt: "Hello",
      signature: "() -> :any",
      tools: %{
        "greet" =>
          PtcRunner.LLMTool.new(prompt: "{{name}}", signature: "(name :string) -> :string", description: "Greets."),
        "judge" => {&MyApp.judge/1, "(x :string) -> :bool"},
        get_user: &get_user/1,
        untold: &untold/1
      }
    )
  end
end
"#;
        expect![[r#"
            () -> :any

            greet(name :string) -> :string
              Greets.

            judge(x :string) -> :bool

            get_user(id :int) -> {name :string}
              Finds a user."#]]
        .assert_eq(&shown(HostKind::Elixir, text));
    }

    /// What a model sees of a document, as printed by `schema --format prompt`.
    fn shown(kind: HostKind, text: &str) -> String {
        let document = Document::new(kind, text, Settings::default());
        let entries = listing(&document).into_iter().map(|it| {
            let name = it.name.as_deref().unwrap_or_default();
            prompt_entry(
                name,
                &it.signature,
                it.description.as_deref(),
                Edition::V0_11,
            )
        });
        entries.collect::<Vec<_>>().join("\n\n")
    }

    #[test]
    fn the_listing_of_a_document_can_be_parsed() {
        let vectors = include_str!("../../../../tests/vectors/signatures.jsonl");
        let mut read = 0;
        for line in vectors.lines() {
            let vector: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = vector["text"].as_str().expect("a text");
            let Some(signature) = crate::model::parse_signature(text, Edition::V0_11).0 else {
                continue;
            };
            let entry = prompt_entry(
                "tool",
                &signature,
                Some("# Does\n\nit (all:"),
                Edition::V0_11,
            );
            let document = Document::new(HostKind::Catalog, &entry, Settings::default());
            let has_error =
                |it: &&crate::ide::Diagnostic| it.severity == crate::ide::Severity::Error;
            assert_eq!(
                document.diagnostics().iter().find(has_error),
                None,
                "{entry}"
            );
            assert_eq!(shown(HostKind::Catalog, &entry), entry);
            read += 1;
        }
        assert!(read > 300, "only {read}");
    }

    proptest! {
        /// However a host writes a text, a model sees the text.
        #[test]
        fn descriptions_are_the_values_of_their_literals(lines in proptest::collection::vec("[a-z\"'\\\\ #{é🚀-]{0,6}", 1..5), depth in 0_usize..4) {
            let text = format!("a{}\n", lines.join("\n"));
            let json = serde_json::to_string(&text).expect("a text");
            let margin = " ".repeat(depth);
            let indented = |text: &str| text.replace('\n', &format!("\n{margin}"));
            let block: String = text.lines().map(|it| format!("{margin} {it}\n")).collect();
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace("#{", "\\#{");
            let raw = text.replace('"', "'");
            for (kind, written, value) in [
                (HostKind::Json, format!("{{\"signature\": \"() -> :int\", \"description\": {json}}}"), &text),
                (HostKind::Yaml, format!("signature: () -> :int\ndescription: {json}\n"), &text),
                (HostKind::Yaml, format!("signature: () -> :int\ndescription: |+\n{block}"), &text),
                (HostKind::Elixir, format!("SubAgent.new(signature: \"() -> :int\", description: \"\"\"\n{margin}{}\"\"\")", indented(&escaped)), &text),
                (HostKind::Elixir, format!("SubAgent.new(signature: \"() -> :int\", description: ~S\"\"\"\n{margin}{}\"\"\")", indented(&raw)), &raw),
            ] {
                let document = Document::new(kind, &written, Settings::default());
                let listed = listing(&document);
                prop_assert_eq!(listed[0].description.as_ref(), Some(value), "{}", written);
            }
        }

        #[test]
        fn listings_read_back(
            tools in proptest::collection::vec(("[\\w🎈][\\w./-]{0,9}[?!]?", signatures(), proptest::option::of("\\PC*|[ -~\\n\\r\\t]*")), 0..6),
        ) {
            let entries = tools.iter().map(|(name, signature, description)| {
                prompt_entry(name, signature, description.as_deref(), Edition::V0_11)
            });
            let text = entries.collect::<Vec<_>>().join("\n\n");
            prop_assert_eq!(shown(HostKind::Catalog, &text), text);
        }
    }
}
