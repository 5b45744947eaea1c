//! The listing of a document's tools and agents, as a model sees it.

use foldhash::HashMap;

use crate::{
    ide::{Document, analysis::UnitAnalysis, fragment::Tree},
    model::Signature,
};
use signature_ls_source::{
    host::{
        PlacedUnit, Role, Site,
        elixir::tools::{Form, Tool},
        object,
    },
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

/// How many bytes of signatures are shown for a document, besides its own length: the types of functions repeat what
/// is written once.
const MOST_SHOWN: usize = 1 << 20;

/// The number of the first ones `listed` in `document` whose signatures together are short enough to be shown.
pub fn shown_first(document: &Document, listed: &[Listed]) -> usize {
    let mut left = MOST_SHOWN + usize::from(document.text().len());
    let fits = |it: &&Listed| {
        let rest = left.checked_sub(it.signature.to_string().len());
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    listed.iter().take_while(fits).count()
}

/// The tools and agents of the units in `range`.
pub(super) fn listing_in(document: &Document, range: TextRange) -> Vec<Listed> {
    of_units(document, document.units_in(range))
}

fn of_units<'d>(
    document: &'d Document,
    units: impl Iterator<Item = (&'d PlacedUnit, &'d UnitAnalysis)>,
) -> Vec<Listed> {
    let units: Vec<_> = units.collect();
    let registered = Registered::of(document, units.iter().map(|(placed, _)| *placed));
    let mut listed: Vec<Listed> = units
        .into_iter()
        .flat_map(|(placed, analysis)| {
            let functions = functions(document, placed);
            let written = of_unit(document, placed, analysis);
            let written = written
                .into_iter()
                .flat_map(|(role, it)| registered.under_keys(role, it));
            functions.into_iter().chain(written)
        })
        .collect();
    order::by_start(&mut listed, |it| it.range.start());
    listed
}

/// The agents that are tools in calls in Elixir, by where their signatures begin: each with its keys, and the description
/// that replaces its own.
struct Registered<'d>(HashMap<TextSize, Vec<(&'d str, Option<String>)>>);

impl<'d> Registered<'d> {
    fn of(document: &Document, units: impl Iterator<Item = &'d PlacedUnit>) -> Self {
        let mut by_start: HashMap<_, Vec<_>> = HashMap::default();
        for placed in units {
            let tools = placed.unit.tools.iter().flatten();
            for tool in tools.filter(|it| it.form != Form::Itself) {
                let (Some(name), Some(signature)) = (tool.name.as_deref(), tool.signature()) else {
                    continue;
                };
                let keys = by_start
                    .entry(signature.literal.start() + placed.start)
                    .or_default();
                if !keys.iter().any(|(it, _)| *it == name) {
                    keys.push((name, own_description(document, placed, tool)));
                }
            }
        }
        Self(by_start)
    }

    /// A model sees an agent under the keys of the maps of tools that it is in.
    fn under_keys(&self, role: Role, listed: Listed) -> Vec<Listed> {
        let keys = self.0.get(&listed.range.start());
        let Some(keys) = keys.filter(|_| role == Role::Signature) else {
            return vec![listed];
        };
        let named = keys.iter().map(|(name, description)| Listed {
            name: Some((*name).to_owned()),
            description: description.clone().or_else(|| listed.description.clone()),
            ..listed.clone()
        });
        named.collect()
    }
}

/// The description of a `tool` that a call in Elixir registers.
pub(crate) fn description_of(
    document: &Document,
    placed: &PlacedUnit,
    tool: &Tool,
) -> Option<String> {
    let signature = || Some(tool.signature()?.content.start() + placed.start);
    own_description(document, placed, tool).or_else(|| description_at(document, signature()?))
}

/// The description that a `tool` has instead of that of its agent.
fn own_description(document: &Document, placed: &PlacedUnit, tool: &Tool) -> Option<String> {
    let literal = tool.details.description.as_ref()?;
    let site = object::site(TextRange::default(), literal, Role::Description, None);
    description(document, placed, &site)
}

/// The signatures of a unit, each with its role.
fn of_unit(
    document: &Document,
    placed: &PlacedUnit,
    analysis: &UnitAnalysis,
) -> Vec<(Role, Listed)> {
    let sites = &placed.unit.sites;
    let descriptions = descriptions(sites);
    let fragments = sites.iter().zip(&analysis.fragments);
    let listed = fragments.filter_map(|(site, fragment)| {
        let Tree::Signature { lowered, .. } = &fragment.tree else {
            return None;
        };
        let mut problems = lowered.problems.iter();
        let listed = Listed {
            name: site.name.as_deref().map(str::to_owned),
            signature: Signature::clone(&lowered.signature),
            is_sound: !problems.any(|problem| problem.is_refused_by(document.edition())),
            description: { descriptions.get(&site.name.as_deref()) }
                .and_then(|it| description(document, placed, it)),
            range: site.literal + placed.start,
        };
        Some((site.role, listed))
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
            signature: Signature::clone(&read.extracted.signature),
            description: function.function.doc(),
            range: tool.range + placed.start,
            name: tool.name.as_deref().map(str::to_owned),
        })
    });
    listed.collect()
}

/// A tool without a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unsigned {
    /// Its name.
    pub(super) name: String,
    /// Its description.
    pub(super) description: Option<String>,
}

/// The tools of a call in Elixir that are functions without a signature, and none in a spec.
pub(super) fn without_signature(document: &Document, placed: &PlacedUnit) -> Vec<Unsigned> {
    let tools = placed.unit.tools.iter().flatten();
    let unsigned = tools.filter_map(|tool| {
        let description = match &tool.form {
            Form::Function(None) => None,
            Form::Function(Some(capture)) => {
                let function = document.scope().resolve(capture)?;
                if function.spec().is_some() {
                    return None;
                }
                function.function.doc()
            }
            Form::Invalid => return None,
            _ if tool.lacks_signature => own_description(document, placed, tool),
            _ => return None,
        };
        Some(Unsigned {
            name: tool.name.as_deref()?.to_owned(),
            description,
        })
    });
    unsigned.collect()
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
        ide::{PartKind, Settings},
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

    /// A type that is written once is part of the signatures of all functions that use it.
    #[test]
    fn what_is_shown_is_not_much_longer_than_the_text() {
        let fields: String = (0..500).map(|it| format!("p{it}: integer(), ")).collect();
        let count = 300;
        let functions: String = (0..count)
            .map(|it| format!("@spec f{it}(t()) :: t()\ndef f{it}(a), do: a\n"))
            .collect();
        let tools: String = (0..count)
            .map(|it| format!("\"f{it}\" => &f{it}/1, "))
            .collect();
        let text = format!(
            "defmodule A do\n@type t :: %{{{fields}z: integer()}}\n{functions}SubAgent.new(prompt: \"x\", tools: %{{{tools}\"g\" => &g/1}})\nend\n"
        );
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        let listed = listing(&document);
        assert_eq!(listed.len(), count);
        let shown = shown_first(&document, &listed);
        assert!(0 < shown && shown < count, "{shown}");
        let preview = &crate::ide::previews(&document, None)[0];
        let tools = preview.parts.iter().find(|it| it.kind == PartKind::Tools);
        let tools = tools.expect("tools");
        assert!(tools.text.len() < MOST_SHOWN + 2 * text.len());
        assert_eq!(
            tools.problems,
            [format!(
                "The tools are too long together; {} of them are not shown.",
                count - shown
            )]
        );
        let few = listed[..3].to_vec();
        assert_eq!(shown_first(&document, &few), 3);
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

    /// However an agent becomes a tool, a model sees it under its key, with the description of the tool.
    #[test]
    fn agents_are_listed_under_the_keys_of_their_tools() {
        let agent = r#"SubAgent.new(name: "child", prompt: "{{q}}", signature: "(q :string) -> {a :float}", description: "I")"#;
        let found = "find_mail(q :string) -> {a :float}";
        for (before, tool, description) in [
            ("", format!("SubAgent.as_tool({agent})"), "I"),
            (
                "",
                format!("PtcRunner.SubAgent.as_tool({agent}, cache: true)"),
                "I",
            ),
            ("", format!("{agent} |> SubAgent.as_tool()"), "I"),
            (
                "",
                format!("SubAgent.as_tool({agent}, description: \"Over\")"),
                "Over",
            ),
            (
                "",
                format!("SubAgent.as_tool({agent}, [description: ~s(Over)])"),
                "Over",
            ),
            (
                "",
                format!("{agent} |> SubAgent.as_tool(description: \"Over\")"),
                "Over",
            ),
            (
                "",
                format!("SubAgent.as_tool({agent}, description: text)"),
                "I",
            ),
            ("a", "SubAgent.as_tool(a)".to_owned(), "I"),
            (
                "a",
                "SubAgent.as_tool(a, description: \"Over\")".to_owned(),
                "Over",
            ),
            ("t", "t".to_owned(), "I"),
        ] {
            let before = match before {
                "a" => format!("a = {agent}\n"),
                "t" => format!("t = SubAgent.as_tool({agent})\n"),
                _ => String::new(),
            };
            let text = format!(
                "{before}SubAgent.new(name: \"main\", prompt: \"x\", signature: \"() -> :any\", tools: %{{\"find_mail\" => {tool}}})\n"
            );
            let tool = format!("{found}\n  {description}");
            let shown = shown(HostKind::Elixir, &text);
            assert!(shown.split("\n\n").any(|it| it == tool), "{text}{shown}");
            assert!(
                shown.split("\n\n").any(|it| it == "main() -> :any"),
                "{text}{shown}"
            );
            assert!(!shown.contains("child"), "{text}{shown}");

            let document = Document::new(HostKind::Elixir, &text, Settings::default());
            let previews = crate::ide::previews(&document, None);
            let main = previews
                .iter()
                .find(|it| it.name.as_deref() == Some("main"));
            let main = main.expect("the agent");
            let tools = main.parts.iter().find(|it| it.kind.title() == "Tools");
            let tools = &tools.expect("tools").text;
            let line = format!("tool/find_mail(q string) -> {{a float}}  ; {description}\n");
            assert!(tools.contains(&line), "{text}{tools}");
        }
        let twice = format!(
            "a = {agent}\nSubAgent.new(prompt: \"x\", tools: %{{\"one\" => SubAgent.as_tool(a, description: \"1\"), \"two\" => SubAgent.as_tool(a)}})\n"
        );
        expect![[r#"
            one(q :string) -> {a :float}
              1

            two(q :string) -> {a :float}
              I"#]]
        .assert_eq(&shown(HostKind::Elixir, &twice));
    }

    #[test]
    fn of_a_spec_with_several_clauses_the_first_counts() {
        let text = "defmodule MyApp do\n  @doc \"Over.\\n\\nMore.\"\n  @spec over(integer()) :: integer()\n  @spec over(binary()) :: binary()\n  \
                    def over(x), do: x\n\n  def agent, do: SubAgent.new(prompt: \"x\", tools: %{\"over\" => &MyApp.over/1})\nend\n";
        expect![[r#"
            over(x :int) -> :int
              Over."#]]
        .assert_eq(&shown(HostKind::Elixir, text));
    }

    #[test]
    fn a_preview_shows_no_tools_of_tools() {
        let text = r#"SubAgent.new(prompt: "x", signature: "() -> :any", tools: %{"outer" => SubAgent.as_tool(SubAgent.new(prompt: "y", signature: "() -> :int", tools: %{"inner" => {&M.f/1, "() -> :bool"}}))})"#;
        let document = Document::new(HostKind::Elixir, text, Settings::default());
        let previews = crate::ide::previews(&document, None).into_iter();
        let tools = previews
            .flat_map(|it| it.parts)
            .filter(|it| it.kind.title() == "Tools");
        let tools: Vec<_> = tools
            .map(|it| {
                (
                    it.text.contains("tool/outer"),
                    it.text.contains("tool/inner"),
                )
            })
            .collect();
        assert_eq!(tools, [(true, false), (false, true)]);
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
