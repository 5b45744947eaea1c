//! The output of one agent as the input of the next one.

use crate::{
    contract::Mode,
    ide::{
        Diagnostic, Rule, Sample, Severity,
        diagnostic::{Elsewhere, Outside},
        rules::Check,
        unit::UnitView,
    },
    model::{
        Field, Fields, Type, TypeKind,
        fit::{Fit, fit},
        spelling::nearest,
    },
};
use signature_ls_source::{
    host::flow::{Flowing, Given},
    text::TextRange,
};

pub(super) const CHECK: Check = Check {
    rules: &[&MISSING, &TYPE, &COERCED],
    run,
};

static MISSING: Rule = Rule {
    code: "missing-chained-input",
    severity: Severity::Error,
    summary: "Missing input of a chained agent",
    explanation: "`SubAgent.then!(step, agent)` and `context: step` pass the output of one agent to the next one. Each required input \
                  of the next agent must be a field of that output. `then` and `then!` fail if any input is missing, also an optional \
                  one, and compare the names exactly: `order_id` is not `order-id`.",
    wrong: Sample::elixir(
        "finder = SubAgent.new(prompt: \"Find.\", signature: \"{title :string}\")\n\
         writer = SubAgent.new(prompt: \"Write {{subject}}\", signature: \"(subject :string) -> :string\")\n\
         SubAgent.run!(finder, llm: llm) |> SubAgent.then!(writer, llm: llm)\n",
    ),
    right: Sample::elixir(
        "finder = SubAgent.new(prompt: \"Find.\", signature: \"{subject :string}\")\n\
         writer = SubAgent.new(prompt: \"Write {{subject}}\", signature: \"(subject :string) -> :string\")\n\
         SubAgent.run!(finder, llm: llm) |> SubAgent.then!(writer, llm: llm)\n",
    ),
};

static TYPE: Rule = Rule {
    code: "chained-type",
    severity: Severity::Error,
    summary: "Output of the wrong type for a chained agent",
    explanation: "A field of an output that becomes the input of another agent, through `context: step`, `then!` or \
                  `context: %{topic: step.return[\"topic\"]}`, must have a type that the input accepts.",
    wrong: Sample::elixir(
        "finder = SubAgent.new(prompt: \"Find.\", signature: \"{year :int}\")\n\
         writer = SubAgent.new(prompt: \"Write {{year}}\", signature: \"(year :string) -> :string\")\n\
         {:ok, step} = SubAgent.run(finder, llm: llm)\nSubAgent.run(writer, llm: llm, context: step)\n",
    ),
    right: Sample::elixir(
        "finder = SubAgent.new(prompt: \"Find.\", signature: \"{year :int}\")\n\
         writer = SubAgent.new(prompt: \"Write {{year}}\", signature: \"(year :int) -> :string\")\n\
         {:ok, step} = SubAgent.run(finder, llm: llm)\nSubAgent.run(writer, llm: llm, context: step)\n",
    ),
};

static COERCED: Rule = Rule {
    code: "chained-coercion",
    severity: Severity::Warning,
    summary: "Output that needs coercion for a chained agent",
    explanation: "A string for a number is coerced if all of it is a number, and rejected otherwise. Declare the same type in both \
                  signatures.",
    wrong: Sample::elixir(
        "finder = SubAgent.new(prompt: \"Find.\", signature: \"{id :string}\")\n\
         reader = SubAgent.new(prompt: \"Read {{id}}\", signature: \"(id :int) -> :string\")\n\
         {:ok, step} = SubAgent.run(finder, llm: llm)\n\
         SubAgent.run(reader, llm: llm, context: %{id: step.return[\"id\"]})\n",
    ),
    right: Sample::elixir(
        "finder = SubAgent.new(prompt: \"Find.\", signature: \"{id :int}\")\n\
         reader = SubAgent.new(prompt: \"Read {{id}}\", signature: \"(id :int) -> :string\")\n\
         {:ok, step} = SubAgent.run(finder, llm: llm)\n\
         SubAgent.run(reader, llm: llm, context: %{id: step.return[\"id\"]})\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    if unit.mode() == Mode::Disabled {
        return;
    }
    let Some(chain) = Chain::of(unit) else {
        return;
    };
    if let Some(context) = &unit.flow().context {
        chain.context(context, found);
    }
    for (name, given) in unit.given_values() {
        let input = chain.inputs.named(&name, unit.edition);
        if let (Some(input), Some(ty)) = (input, unit.type_of(given))
            && given.what == Flowing::Data
        {
            found.extend(chain.value(given, input, ty));
        }
    }
}

/// An agent whose input is the output of another one.
struct Chain<'a> {
    unit: &'a UnitView<'a>,
    inputs: &'a Fields,
    /// The signature that declares them, if it is elsewhere.
    source: Option<usize>,
}

impl<'a> Chain<'a> {
    fn of(unit: &'a UnitView<'a>) -> Option<Self> {
        let own = unit.agents_signature();
        let source = match own {
            Some(_) => None,
            None => Some(unit.flow().agent.as_ref()?.source),
        };
        let signature = match source {
            Some(source) => &unit.source(source)?.signature,
            None => own?,
        };
        unit.knows_all_params().then_some(Self {
            unit,
            inputs: &signature.params,
            source,
        })
    }

    /// Checks a step or a result that is the whole context.
    fn context(&self, given: &Given, found: &mut Vec<Diagnostic>) {
        let unit = self.unit;
        let Some(output) = unit.type_of(given) else {
            return;
        };
        let Some(fields) = output.only_fields() else {
            return;
        };
        let is_then = unit.flow().is_then;
        for input in self.inputs {
            let field = fields.named(&input.name, unit.edition);
            match field {
                // `then` compares names with the keys of a result, which have no hyphens unless a model writes JSON.
                Some(field) if is_then && field.name != input.name && input.name.contains('-') => {
                    found.extend(self.missing(given, input, output));
                }
                Some(field) => found.extend(self.value(given, input, &field.ty)),
                None if input.ty.optional && !is_then => {}
                None => found.extend(self.missing(given, input, output)),
            }
        }
    }

    fn missing(&self, given: &Given, input: &Field, output: &Type) -> Option<Diagnostic> {
        let name = &input.name;
        let fields: &Fields = match &output.kind {
            TypeKind::Record(fields) => fields,
            _ => Fields::NONE,
        };
        let near = nearest(name, fields.iter().map(|it| it.name.as_str()));
        if self.unit.may_have_field(given, output, name, near) {
            return None;
        }
        let message = match near {
            Some(near) => format!(
                "The agent requires `{name}`, which the step does not return; it returns `{near}`."
            ),
            None => format!("The agent requires `{name}`, which the step does not return."),
        };
        let mut found = Diagnostic::new(&MISSING, given.range, message);
        found.elsewhere = self.places(
            given,
            input,
            near.and_then(|near| {
                fields
                    .iter()
                    .find(|it| it.name == near)
                    .map(|it| it.name_range)
            }),
        );
        Some(found)
    }

    /// Checks a value of the type `ty` for `input`.
    fn value(&self, given: &Given, input: &Field, ty: &Type) -> Option<Diagnostic> {
        let (name, wanted) = (&input.name, &input.ty);
        let is_strict = self.unit.mode() == Mode::Strict;
        let (rule, message) = match fit(ty, wanted, self.unit.edition) {
            Fit::Never => (
                &TYPE,
                format!(
                    "`{name}` takes `{}`, but the step returns `{}`.",
                    wanted, ty
                ),
            ),
            Fit::Coerced if is_strict => (
                &TYPE,
                format!(
                    "`{name}` takes `{}`, but the step returns `{}`, and nothing is coerced in strict mode.",
                    wanted, ty
                ),
            ),
            Fit::Coerced => (
                &COERCED,
                format!(
                    "`{name}` takes `{}`; the `{}` that the step returns is coerced.",
                    wanted, ty
                ),
            ),
            Fit::Fits | Fit::Unknown => return None,
        };
        let mut found = Diagnostic::new(rule, given.range, message);
        if self.unit.mode() == Mode::WarnOnly {
            found.severity = found.severity.min(Severity::Warning);
        }
        found.elsewhere = self.places(given, input, Some(ty.range));
        Some(found)
    }

    /// The input and the output.
    fn places(&self, given: &Given, input: &Field, output: Option<TextRange>) -> Vec<Elsewhere> {
        let declared = self
            .unit
            .source(given.source)
            .map(|it| &it.signature.output);
        let output = output
            .or(declared.map(|it| it.range))
            .map(|range| Elsewhere {
                outside: Outside::Source(given.source),
                range,
                message: "The step returns this.".to_owned(),
            });
        let input = self.source.map(|source| Elsewhere {
            outside: Outside::Source(source),
            range: input.name_range,
            message: "The input is declared here.".to_owned(),
        });
        output.into_iter().chain(input).collect()
    }
}
