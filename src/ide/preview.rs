//! What a model receives for an agent: its prompt, its tools, and the expected output.

use crate::{
    contract::{
        Direction, Value, ValueKind, example,
        prompt::{
            Expanded, OutputMode, expand,
            inventory::{self, ListedTool},
            sketch,
        },
    },
    host::{PlacedUnit, Role, elixir::tools::Form},
    ide::{Document, Listed, analysis::UnitAnalysis, listing_in, unit::UnitView},
    model::{
        Edition, Primitive, Signature, Type, TypeKind,
        json_schema::output_schema,
        render::{lisp_entry, prompt_entry},
    },
    syntax::decode::decode,
    text::{TextRange, TextSize},
};

/// The preview of one agent, or of a tool with its own prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its call, map or front matter, in bytes of the document.
    pub range: TextRange,
    /// The number of samples of inputs beside it.
    pub samples: usize,
    /// The parts, in the order of display.
    pub parts: Vec<Part>,
}

/// A part of a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its kind.
    pub kind: PartKind,
    /// Its text.
    pub text: String,
    /// What the reference cannot fill in, one sentence each.
    pub problems: Vec<String>,
}

/// The kinds of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// The prompt, with values or with names and types.
    Prompt,
    /// The listing of the tools.
    Tools,
    /// The inputs that a program reads.
    Data,
    /// What the model is told of its answer.
    Output,
    /// The JSON Schema of the output.
    Schema,
}

impl PartKind {
    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Prompt => "Prompt",
            Self::Tools => "Tools",
            Self::Data => "Data",
            Self::Output => "Expected output",
            Self::Schema => "JSON Schema",
        }
    }
}

/// What replaces placeholders.
#[derive(Clone, Copy)]
enum Values<'a> {
    /// Names and types.
    Names,
    /// The values of the sample with this index beside the agent; names and types if there are fewer.
    Sample(usize),
    /// The given values.
    Given(&'a Value),
}

impl From<Option<usize>> for Values<'_> {
    fn from(sample: Option<usize>) -> Self {
        sample.map_or(Self::Names, Self::Sample)
    }
}

/// The previews of all agents of `document`, in the order of the text.
///
/// `sample` selects the inputs beside an agent, from 0. Agents without that sample, or all for `None`, show names and
/// types.
pub fn previews(document: &Document, sample: Option<usize>) -> Vec<Preview> {
    all(document, sample.into())
}

/// The previews of all agents of `document`, with `inputs` instead of the samples beside them.
pub fn previews_with(document: &Document, inputs: &Value) -> Vec<Preview> {
    all(document, Values::Given(inputs))
}

fn all(document: &Document, values: Values<'_>) -> Vec<Preview> {
    let units = document.units();
    units
        .filter_map(|(placed, analysis)| preview(document, placed, analysis, values))
        .collect()
}

/// The preview of the agent around `offset`, a byte of the document; of several, the innermost.
pub fn preview_at(document: &Document, offset: TextSize, sample: Option<usize>) -> Option<Preview> {
    let mut units: Vec<_> = document.units_at(offset).collect();
    units.reverse();
    let mut previews = units.into_iter();
    previews.find_map(|(placed, analysis)| preview(document, placed, analysis, sample.into()))
}

fn preview(
    document: &Document,
    placed: &PlacedUnit,
    analysis: &UnitAnalysis,
    values: Values<'_>,
) -> Option<Preview> {
    let prompts = prompts(document, placed);
    if prompts.is_empty() {
        return None;
    }
    document.with_view(placed, analysis, |view| {
        let agent = Agent {
            document,
            mode: output_mode(view),
            signature: view.signature(),
            literal: literal(placed),
            inputs: inputs(view),
            field_descriptions: view.argument_value("field_descriptions"),
            context_descriptions: view.argument_value("context_descriptions"),
        };
        let mut parts: Vec<_> = prompts.iter().map(|it| agent.prompt(it, values)).collect();
        let range = TextRange::at(placed.start, placed.unit.len);
        let tools: Vec<_> = listing_in(document, range)
            .into_iter()
            .filter(|it| range.contains_range(it.range))
            .collect();
        parts.extend(agent.tools(&tools, &without_signature(placed)));
        parts.extend(agent.data(values));
        parts.extend(agent.output(tools.iter().any(|it| !agent.is_own(it))));
        Some(Preview {
            name: tools
                .iter()
                .find(|it| agent.is_own(it))
                .and_then(|it| it.name.clone()),
            range,
            samples: agent.inputs.len(),
            parts,
        })
    })
}

/// The value of each prompt of a unit; the source for one with an interpolation.
fn prompts(document: &Document, placed: &PlacedUnit) -> Vec<String> {
    let sites = placed
        .unit
        .sites
        .iter()
        .filter(|it| it.role == Role::Prompt);
    let texts = sites.map(|site| {
        let content = document.text().slice(site.content + placed.start);
        decode(site.fragment(&content)).unwrap_or_else(|| content.into_owned())
    });
    texts.collect()
}

/// The literal of the first signature of a unit, in bytes of the document.
fn literal(placed: &PlacedUnit) -> Option<TextRange> {
    let mut sites = placed.unit.sites.iter();
    let first = sites.find(|it| matches!(it.role, Role::Signature | Role::Tool))?;
    Some(first.literal + placed.start)
}

/// The tools of a unit that are functions without a name, of which nothing is said.
fn without_signature(placed: &PlacedUnit) -> Vec<&str> {
    let tools = placed.unit.tools.iter().flatten();
    let tools = tools.filter(|it| matches!(it.form, Form::Function(None)));
    tools.filter_map(|it| it.name.as_deref()).collect()
}

fn output_mode(view: &UnitView<'_>) -> OutputMode {
    let word = view.argument("output");
    match word.as_deref().map(|it| it.trim_matches(['"', '\'', ':'])) {
        Some("text") => OutputMode::Text,
        _ => OutputMode::PtcLisp,
    }
}

fn inputs(view: &UnitView<'_>) -> Vec<Value> {
    let samples = view.samples().iter();
    let inputs = samples.filter(|it| matches!(it.direction, Direction::Input));
    let maps = inputs.filter(|it| matches!(it.value.kind, ValueKind::Map(_)));
    maps.map(|it| it.value.clone()).collect()
}

struct Agent<'a> {
    document: &'a Document,
    mode: OutputMode,
    /// The signature of its prompts.
    signature: Option<&'a Signature>,
    /// The literal of that signature, in bytes of the document.
    literal: Option<TextRange>,
    inputs: Vec<Value>,
    field_descriptions: Option<Value>,
    context_descriptions: Option<Value>,
}

impl Agent<'_> {
    /// The values that are to be shown, where there are any.
    fn shown<'a>(&'a self, values: Values<'a>) -> Option<&'a Value> {
        match values {
            Values::Names => None,
            Values::Sample(index) => self.inputs.get(index),
            Values::Given(value) => Some(value),
        }
    }

    /// Whether the lists of its tools and inputs are those of a program of edition 0.5 or later.
    fn has_inventory(&self) -> bool {
        self.mode == OutputMode::PtcLisp && self.document.edition() > Edition::V0_4
    }

    fn prompt(&self, template: &str, values: Values<'_>) -> Part {
        let edition = self.document.edition();
        let expanded = match (self.shown(values), self.signature) {
            (Some(inputs), _) => expand(template, inputs, self.mode, edition),
            (None, Some(signature)) => sketch(template, signature, self.mode, edition),
            (None, None) => Expanded {
                text: template.to_owned(),
                problems: Vec::new(),
            },
        };
        Part {
            kind: PartKind::Prompt,
            text: expanded.text,
            problems: expanded
                .problems
                .iter()
                .map(|it| format!("{it}."))
                .collect(),
        }
    }

    /// The listing of the tools among `listed`, and of those `without_signature`.
    fn tools(&self, listed: &[Listed], without_signature: &[&str]) -> Option<Part> {
        let tools = listed.iter().filter(|it| it.is_sound && !self.is_own(it));
        let edition = self.document.edition();
        if self.has_inventory() {
            let known = tools.map(|it| ListedTool {
                name: it.name.as_deref().unwrap_or_default(),
                signature: Some(&it.signature),
                description: it.description.as_deref(),
            });
            let others = without_signature.iter().map(|name| ListedTool {
                name,
                signature: None,
                description: None,
            });
            let all: Vec<_> = known.chain(others).collect();
            return Some(plain(PartKind::Tools, inventory::tools(&all, edition)));
        }
        let entries = tools.map(|it| {
            let name = it.name.as_deref().unwrap_or_default();
            let description = it.description.as_deref();
            match self.mode {
                OutputMode::PtcLisp => lisp_entry(name, &it.signature, description, edition),
                OutputMode::Text => prompt_entry(name, &it.signature, description, edition),
            }
        });
        let text = entries.collect::<Vec<_>>().join("\n");
        (!text.is_empty()).then(|| plain(PartKind::Tools, text))
    }

    /// The inputs that a program reads.
    fn data(&self, values: Values<'_>) -> Option<Part> {
        let text = inventory::data(
            self.shown(values),
            self.signature,
            self.context_descriptions.as_ref(),
            self.document.edition(),
        );
        let text = text.filter(|_| self.has_inventory())?;
        Some(plain(PartKind::Data, text))
    }

    fn output(&self, has_tools: bool) -> Vec<Part> {
        let Some(signature) = self.signature else {
            return Vec::new();
        };
        let schema = serde_json::to_string_pretty(&output_schema(signature));
        vec![
            plain(
                PartKind::Output,
                self.expected(&signature.output, has_tools),
            ),
            plain(PartKind::Schema, schema.unwrap_or_default()),
        ]
    }

    /// What the model is told of its answer. One that answers in text or calls tools itself is told no more than the schema;
    /// then it is the type with an example.
    fn expected(&self, output: &Type, has_tools: bool) -> String {
        let edition = self.document.edition();
        let descriptions = self.field_descriptions.as_ref();
        let is_text =
            matches!(output.kind, TypeKind::Primitive(Primitive::String)) && !output.optional;
        match self.mode {
            OutputMode::PtcLisp => inventory::program_output(output, descriptions, edition),
            OutputMode::Text if is_text || has_tools => {
                let example = serde_json::to_string_pretty(&example(output));
                format!("{output}\n\n{}", example.unwrap_or_default())
            }
            OutputMode::Text => inventory::json_output(output, descriptions, edition),
        }
    }

    /// Whether the listed tool is the agent itself.
    fn is_own(&self, listed: &Listed) -> bool {
        self.literal == Some(listed.range)
    }
}

fn plain(kind: PartKind, text: String) -> Part {
    Part {
        kind,
        text,
        problems: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{
        host::HostKind,
        ide::{Settings, testing::marked},
        model::Edition,
    };

    fn check(kind: HostKind, fixture: &str, sample: Option<usize>, expected: Expect) {
        let (document, offset) = marked(kind, fixture);
        let preview = preview_at(&document, offset, sample).expect("an agent");
        let mut text = format!("{:?}, {} samples\n", preview.name, preview.samples);
        for part in preview.parts {
            text.push_str(&format!("## {}\n{}\n", part.kind.title(), part.text));
            for problem in part.problems {
                text.push_str(&format!("! {problem}\n"));
            }
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn an_agent_with_tools() {
        let text = r#"SubAgent.run("Find {{user.name}}$0 by {{topic}}.",
  signature: "(user {name :string}, topic :string) -> {count :int, on :bool?}",
  context: %{user: %{name: "Ada"}, topic: "mail"},
  tools: %{"search" => {&A.search/1, signature: "(query :string) -> [:map]", description: "Finds."}}
)"#;
        check(
            HostKind::Elixir,
            text,
            None,
            expect![[r#"
                None, 1 samples
                ## Prompt
                Find ~{data/user.name} by ~{data/topic}.
                ## Tools
                ;; === tools ===
                tool/search(query string) -> [map]  ; Finds.
                ;; Example: (tool/search {:query ...})
                ## Data
                ;; === data/ ===
                data/topic                    ; string
                data/user                     ; {name string}
                ## Expected output
                # Expected Output

                Your final answer must match this format: `{count :int, on :bool?}`

                Call `(return {:count 42, :on true})` when complete.

                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "count": {
                      "type": "integer"
                    },
                    "on": {
                      "type": "boolean"
                    }
                  },
                  "required": [
                    "count"
                  ],
                  "additionalProperties": false
                }
            "#]],
        );
        let text = text.replace("tools:", "output: :text, tools:");
        check(
            HostKind::Elixir,
            &text,
            None,
            expect![[r#"
            None, 1 samples
            ## Prompt
            Find ‹user.name :string› by ‹topic :string›.
            ## Tools
            search(query :string) -> [:map]
              Finds.
            ## Expected output
            {count :int, on :bool?}

            {
              "count": 1,
              "on": true
            }
            ## JSON Schema
            {
              "type": "object",
              "properties": {
                "count": {
                  "type": "integer"
                },
                "on": {
                  "type": "boolean"
                }
              },
              "required": [
                "count"
              ],
              "additionalProperties": false
            }
        "#]],
        );
        check(
            HostKind::Elixir,
            &text,
            Some(0),
            expect![[r#"
            None, 1 samples
            ## Prompt
            Find Ada by mail.
            ## Tools
            search(query :string) -> [:map]
              Finds.
            ## Expected output
            {count :int, on :bool?}

            {
              "count": 1,
              "on": true
            }
            ## JSON Schema
            {
              "type": "object",
              "properties": {
                "count": {
                  "type": "integer"
                },
                "on": {
                  "type": "boolean"
                }
              },
              "required": [
                "count"
              ],
              "additionalProperties": false
            }
        "#]],
        );
    }

    #[test]
    fn a_prompt_file_with_samples() {
        let text = "---\nname: greet\nsignature: \"(names [:string]) -> [:string]\"\noutput: text\nexamples:\n  - input: {names: [Ada, Bob]}\n  - input: {nmes: 1}\n---\n{{#names}}$0{{.}} {{/names}}{{names}}\n";
        check(
            HostKind::Prompt,
            text,
            None,
            expect![[r#"
                Some("greet"), 2 samples
                ## Prompt
                ‹names :string› ‹names [:string]›

                ## Expected output
                Return a JSON array:
                (array of string)

                Example:
                ```json
                [
                  "..."
                ]
                ```
                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
            "#]],
        );
        check(
            HostKind::Prompt,
            text,
            Some(0),
            expect![[r#"
                Some("greet"), 2 samples
                ## Prompt
                {{#names}}{{.}} {{/names}}{{names}}

                ! `names` is a list or a map; the whole template is sent unexpanded.
                ## Expected output
                Return a JSON array:
                (array of string)

                Example:
                ```json
                [
                  "..."
                ]
                ```
                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
            "#]],
        );
        check(
            HostKind::Prompt,
            text,
            Some(1),
            expect![[r#"
                Some("greet"), 2 samples
                ## Prompt
                {{#names}}{{.}} {{/names}}{{names}}

                ! `.` is a list or a map; the whole template is sent unexpanded.
                ## Expected output
                Return a JSON array:
                (array of string)

                Example:
                ```json
                [
                  "..."
                ]
                ```
                ## JSON Schema
                {
                  "type": "object",
                  "properties": {
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  },
                  "required": [
                    "items"
                  ],
                  "additionalProperties": false
                }
            "#]],
        );
    }

    #[test]
    fn a_broken_prompt_shows_what_can_be_shown() {
        let text = "{\"prompt\": \"{{#a}}$0 {{b\", \"signature\": \"(a :int, b\"}";
        check(
            HostKind::Json,
            text,
            None,
            expect![[r#"
                None, 0 samples
                ## Prompt
                {{#a}} {{b
                ! the template has syntax errors and is sent unexpanded.
                ## Tools
                ;; No tools available
                ## Data
                ;; === data/ ===
                data/a                        ; int
                data/b                        ; any
                ## Expected output
                # Expected Output

                Your final answer must match this format: `:any`

                Call `(return ...)` when complete.

                ## JSON Schema
                {}
            "#]],
        );
        assert_eq!(previews(&marked(HostKind::Json, "$0{}").0, None), []);
    }

    /// The values of a call in Elixir have atoms as keys, which are shown as such.
    #[test]
    fn values_of_calls_are_written_as_elixir_writes_them() {
        let code = "SubAgent.run(\"{{p}}\", context: %{off: false, codes: [72, 105, 300], rows: [%{x: 100000.0, \"a b\": 1}, %{\"s\" => 1.0e20, b: 2}], user: %{}})";
        let sent = |prompt: &str, edition| {
            let settings = Settings {
                edition,
                ..Settings::default()
            };
            let text = code.replace("{{p}}", prompt);
            let document = Document::new(HostKind::Elixir, &text, settings);
            let previews = previews(&document, Some(0));
            let prompt = &previews[0].parts[0];
            format!("{} {}", prompt.text, prompt.problems.join(", "))
        };
        assert_eq!(
            sent("{{rows}}{{x}}", Edition::V0_11),
            "[%{\"a b\": 1, x: 100000.0}, %{:b => 2, \"s\" => 1.0e20}]{{x}} `x` has no value; its placeholder is sent as it is."
        );
        assert_eq!(sent("<{{off}}{{codes}}>", Edition::V0_4), "<Hi\u{12c}> ");
        let raised = sent("{{user}}", Edition::V0_4);
        assert!(raised.contains("the run raises"), "{raised}");
    }
}
