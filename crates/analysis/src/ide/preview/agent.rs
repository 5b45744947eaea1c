//! The parts of what a model receives for an agent.

use super::{Part, PartKind, Values};
use crate::{
    contract::{
        Value,
        prompt::{
            Expanded, OutputMode, Room, calling, expand,
            inventory::{self, ListedTool},
            legacy_inventory, sketch,
        },
    },
    ide::{Document, Listed, Unsigned},
    model::{Edition, Signature, json_schema::output_schema},
};
use signature_ls_source::{
    host::{Role, Site},
    text::TextRange,
};

/// What the listing says of a tool that is an agent itself without a description.
const OF_AGENT_ITSELF: &str = "Recursively invoke this agent on a subset of the input";

pub(super) struct Agent<'a> {
    pub(super) document: &'a Document,
    /// The room for what is filled into the prompts.
    pub(super) room: &'a Room,
    pub(super) mode: OutputMode,
    /// Whether its prompt has the values of placeholders in it.
    pub(super) sends_values: bool,
    /// Whether it may have several turns.
    pub(super) has_turns: bool,
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
            (Some(inputs), _) => expand(template, inputs, mode, edition, self.room),
            (None, Some(signature)) => sketch(template, signature, mode, edition, self.room),
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

    /// Whether only its prompt is sent: the only turn of an agent without tools.
    fn sends_only_prompt(&self) -> bool {
        self.sends_values && self.has_inventory()
    }

    /// The tools among `listed`, those that are `unsigned`, and those that are the agent `itself`.
    pub(super) fn listed_tools<'t>(
        &'t self,
        listed: &'t [Listed],
        unsigned: &'t [Unsigned],
        itself: &[&'t str],
    ) -> Vec<ListedTool<'t>> {
        let known = listed.iter().filter(|it| !self.is_own(it));
        let known = known.map(|it| ListedTool {
            name: it.name.as_deref().unwrap_or_default(),
            // The reference treats a signature that it cannot read as none.
            signature: it.is_sound.then_some(&it.signature),
            written: self.written(it),
            description: it.description.as_deref(),
        });
        let others = unsigned.iter().map(|it| ListedTool {
            name: &it.name,
            signature: None,
            written: None,
            description: it.description.as_deref(),
        });
        let own = listed.iter().find(|it| self.is_own(it));
        let description = own.and_then(|it| it.description.as_deref());
        let itself = itself.iter().map(|name| ListedTool {
            name,
            signature: self.signature,
            written: None,
            description: description.or(Some(OF_AGENT_ITSELF)),
        });
        known.chain(others).chain(itself).collect()
    }

    /// The text of the signature of a function, as edition 0.4 shows it; `None` for tools that are agents.
    fn written(&self, listed: &Listed) -> Option<String> {
        if self.document.edition() > Edition::V0_4 {
            return None;
        }
        let mut units = self.document.units_at(listed.range.start());
        let site = units.find_map(|(placed, _)| {
            let is_it = |it: &&Site| {
                it.literal + placed.start == listed.range
                    && matches!(it.role, Role::Signature | Role::Tool)
            };
            Some((placed, placed.unit.sites.iter().find(is_it)?))
        });
        match site {
            Some((placed, site)) => (site.role == Role::Tool)
                .then(|| placed.unit.shown(site, self.document.text(), placed.start)),
            None => Some(listed.signature.to_string()),
        }
    }

    /// The tools as they are listed for a program, or sent to a model that calls them itself.
    pub(super) fn tools(&self, tools: &[ListedTool<'_>]) -> Option<Part> {
        if self.sends_only_prompt() {
            return None;
        }
        let text = match self.mode {
            OutputMode::PtcLisp if self.has_inventory() => inventory::tools(tools),
            OutputMode::Text if tools.is_empty() => return None,
            OutputMode::Text => json_text(&calling::definitions(tools)),
            OutputMode::PtcLisp => legacy_inventory::tools(tools, self.has_turns),
        };
        Some(plain(PartKind::Tools, text))
    }

    /// The inputs that a program reads, or that a model receives that calls tools.
    pub(super) fn data(&self, values: Values<'_>, has_tools: bool) -> Option<Part> {
        let values = self.shown(values);
        let descriptions = self.context_descriptions.as_ref();
        let text = match self.mode {
            OutputMode::Text if has_tools => calling::context(values, self.signature, descriptions),
            OutputMode::PtcLisp if !self.has_inventory() => {
                Some(legacy_inventory::data(values, self.signature, descriptions))
            }
            OutputMode::PtcLisp if !self.sends_only_prompt() => inventory::data(
                values,
                self.signature,
                descriptions,
                self.document.edition(),
            ),
            _ => None,
        };
        text.map(|text| plain(PartKind::Data, text))
    }

    /// The format of the answer, as the model sees it, and the JSON Schema that is sent beside the messages. A program is
    /// sent without a schema, and an answer in plain text without both.
    pub(super) fn output(&self, has_tools: bool) -> Vec<Part> {
        let output = self.signature.map(|it| &it.output);
        if self.mode == OutputMode::Text && has_tools {
            return vec![plain(PartKind::Output, calling::answer(output))];
        }
        let Some(signature) = self.signature.filter(|_| !self.sends_only_prompt()) else {
            return Vec::new();
        };
        let output = &signature.output;
        let edition = self.document.edition();
        let descriptions = self.field_descriptions.as_ref();
        if self.mode == OutputMode::PtcLisp {
            let text = inventory::program_output(output, descriptions, edition);
            return vec![plain(PartKind::Output, text)];
        }
        if calling::is_text(output) {
            return Vec::new();
        }
        let text = inventory::json_output(output, descriptions, edition);
        let schema = json_text(&output_schema(signature));
        vec![
            plain(PartKind::Output, text),
            plain(PartKind::Schema, schema),
        ]
    }

    /// Whether the listed tool is the agent itself.
    pub(super) fn is_own(&self, listed: &Listed) -> bool {
        self.literal == Some(listed.range)
    }
}

fn json_text(json: &serde_json::Value) -> String {
    serde_json::to_string_pretty(json).unwrap_or_default()
}

fn plain(kind: PartKind, text: String) -> Part {
    Part {
        kind,
        text,
        problems: Vec::new(),
    }
}
