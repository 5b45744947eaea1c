//! The parts of what a model receives for an agent.

use super::{Part, PartKind, Values};
use crate::{
    contract::{
        Value, example,
        prompt::{
            Expanded, OutputMode, expand,
            inventory::{self, ListedTool},
            sketch,
        },
    },
    ide::{Document, Listed, Unsigned},
    model::{
        Edition, Primitive, Signature, Type, TypeKind,
        json_schema::output_schema,
        render::{lisp_entry, prompt_entry},
    },
};
use signature_ls_source::text::TextRange;

/// What the listing says of a tool that is an agent itself without a description.
const OF_AGENT_ITSELF: &str = "Recursively invoke this agent on a subset of the input";

pub(super) struct Agent<'a> {
    pub(super) document: &'a Document,
    pub(super) mode: OutputMode,
    /// Whether its prompt has the values of placeholders in it.
    pub(super) sends_values: bool,
    /// The signature of its prompts.
    pub(super) signature: Option<&'a Signature>,
    /// The literal of that signature, in bytes of the document.
    pub(super) literal: Option<TextRange>,
    pub(super) inputs: Vec<Value>,
    pub(super) field_descriptions: Option<Value>,
    pub(super) context_descriptions: Option<Value>,
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

    pub(super) fn prompt(&self, template: &str, values: Values<'_>) -> Part {
        let edition = self.document.edition();
        let mode = match self.sends_values {
            true => OutputMode::Text,
            false => self.mode,
        };
        let expanded = match (self.shown(values), self.signature) {
            (Some(inputs), _) => expand(template, inputs, mode, edition),
            (None, Some(signature)) => sketch(template, signature, mode, edition),
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

    /// The listing of the tools among `listed`, of those that are `unsigned`, and of those that are the agent `itself`.
    pub(super) fn tools(
        &self,
        listed: &[Listed],
        unsigned: &[Unsigned],
        itself: &[&str],
    ) -> Option<Part> {
        let tools = listed.iter().filter(|it| !self.is_own(it));
        let edition = self.document.edition();
        if self.has_inventory() {
            let known = tools.map(|it| ListedTool {
                name: it.name.as_deref().unwrap_or_default(),
                // The reference treats a signature that it cannot read as none.
                signature: it.is_sound.then_some(&it.signature),
                description: it.description.as_deref(),
            });
            let others = unsigned.iter().map(|it| ListedTool {
                name: &it.name,
                signature: None,
                description: it.description.as_deref(),
            });
            let own = listed.iter().find(|it| self.is_own(it));
            let description = own.and_then(|it| it.description.as_deref());
            let itself = itself.iter().map(|name| ListedTool {
                name,
                signature: self.signature,
                description: description.or(Some(OF_AGENT_ITSELF)),
            });
            let all: Vec<_> = known.chain(others).chain(itself).collect();
            return Some(plain(PartKind::Tools, inventory::tools(&all)));
        }
        let entries = tools.filter(|it| it.is_sound).map(|it| {
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
    pub(super) fn data(&self, values: Values<'_>) -> Option<Part> {
        if !self.has_inventory() {
            return None;
        }
        let text = inventory::data(
            self.shown(values),
            self.signature,
            self.context_descriptions.as_ref(),
            self.document.edition(),
        );
        text.map(|text| plain(PartKind::Data, text))
    }

    /// The format of the answer, as the model sees it, and the JSON Schema that is sent beside the messages. A program is
    /// sent without a schema, and an answer in plain text without both.
    pub(super) fn output(&self, has_tools: bool) -> Vec<Part> {
        let Some(signature) = self.signature else {
            return Vec::new();
        };
        let output = &signature.output;
        let edition = self.document.edition();
        let descriptions = self.field_descriptions.as_ref();
        if self.mode == OutputMode::PtcLisp {
            let text = inventory::program_output(output, descriptions, edition);
            return vec![plain(PartKind::Output, text)];
        }
        if is_text(output) && !has_tools {
            return Vec::new();
        }
        let text = match has_tools {
            true => {
                let example = serde_json::to_string_pretty(&example(output));
                format!("{output}\n\n{}", example.unwrap_or_default())
            }
            false => inventory::json_output(output, descriptions, edition),
        };
        let schema = serde_json::to_string_pretty(&output_schema(signature));
        vec![
            plain(PartKind::Output, text),
            plain(PartKind::Schema, schema.unwrap_or_default()),
        ]
    }

    /// Whether the listed tool is the agent itself.
    pub(super) fn is_own(&self, listed: &Listed) -> bool {
        self.literal == Some(listed.range)
    }
}

/// Whether an answer of this type is plain text.
fn is_text(output: &Type) -> bool {
    matches!(output.kind, TypeKind::Primitive(Primitive::String)) && !output.optional
}

fn plain(kind: PartKind, text: String) -> Part {
    Part {
        kind,
        text,
        problems: Vec::new(),
    }
}
