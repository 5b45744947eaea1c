//! What a model receives for an agent: its prompt, its tools, and the expected output.

mod agent;

use self::agent::Agent;
use crate::{
    contract::{
        Direction, Value, ValueKind,
        prompt::{OutputMode, Room},
    },
    ide::{
        Document, Listed, analysis::UnitAnalysis, listing::shown_first, listing_in,
        symbols::agent_name, unit::UnitView, without_signature,
    },
    model::Edition,
};
use signature_ls_source::{
    host::{PlacedUnit, Role, elixir::tools::Form},
    text::{TextRange, TextSize},
};

/// The preview of one agent, or of a tool with its own prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its call, map or front matter, in bytes of the document.
    pub range: TextRange,
    /// The number of samples of inputs: those beside it, then those of the calls that run it.
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
    /// The format of the answer, as the model sees it.
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
    /// The values of the sample with this index; names and types if there are fewer.
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
/// `sample` selects the inputs beside an agent or of a call that runs it, from 0. Agents without that sample, or all
/// for `None`, show names and types.
pub fn previews(document: &Document, sample: Option<usize>) -> Vec<Preview> {
    all(document, sample.into())
}

/// The previews of all agents of `document`, with `inputs` instead of the samples beside them.
pub fn previews_with(document: &Document, inputs: &Value) -> Vec<Preview> {
    all(document, Values::Given(inputs))
}

fn all(document: &Document, values: Values<'_>) -> Vec<Preview> {
    let runs = Runs::of(document);
    let units = document.units();
    units
        .filter_map(|unit| preview(document, unit, &runs, values))
        .collect()
}

/// The preview of the agent around `offset`, a byte of the document; of several, the innermost. Beside one, it is that
/// of the first agent on the line, and in a call that runs an agent of the document, that of this agent.
pub fn preview_at(document: &Document, offset: TextSize, sample: Option<usize>) -> Option<Preview> {
    let mut units: Vec<_> = document.innermost_at(offset).collect();
    let line = document.text().line_range(offset);
    units.extend(document.units_in(line));
    let agents = units.iter().filter_map(|(run, _)| agent_of(run));
    let agents: Vec<_> = agents.flat_map(|it| document.units_at(it)).collect();
    let runs = Runs::of(document);
    let mut units = units.into_iter().chain(agents);
    units.find_map(|unit| preview(document, unit, &runs, sample.into()))
}

/// How many bytes are filled into the prompts of one answer: more than any model reads.
const MOST_FILLED: usize = 1 << 20;

/// What previews share.
struct Runs {
    /// The calls that run agents of the document, each after the place of its agent, by which they are sorted.
    by_agent: Vec<(TextSize, usize)>,
    room: Room,
}

impl Runs {
    fn of(document: &Document) -> Self {
        let runs = document
            .units()
            .enumerate()
            .filter_map(|(index, (run, _))| {
                let has_prompt = run.unit.sites.iter().any(|it| it.role == Role::Prompt);
                let agent = agent_of(run).filter(|_| !has_prompt)?;
                Some((agent, index))
            });
        let mut runs: Vec<_> = runs.collect();
        runs.sort_unstable();
        Self {
            by_agent: runs,
            room: Room::new(MOST_FILLED),
        }
    }

    /// The inputs of the runs of the agent that is `placed`, in the order of the text.
    fn inputs(&self, document: &Document, placed: &PlacedUnit) -> Vec<Value> {
        let mut all = Vec::new();
        for site in &placed.unit.sites {
            let start = site.content.start() + placed.start;
            let first = self.by_agent.partition_point(|(agent, _)| *agent < start);
            let runs = self.by_agent[first..].iter();
            for (_, run) in runs.take_while(|(agent, _)| *agent == start) {
                let (run, analysis) = document.unit(*run);
                all.extend(document.with_view(run, analysis, inputs));
            }
        }
        all
    }
}

/// Where the signature or prompt of the agent is that a call runs, if the agent is elsewhere in the document.
fn agent_of(run: &PlacedUnit) -> Option<TextSize> {
    let agent = run.unit.flow.agent.as_ref()?;
    run.origin(agent.source)
}

fn preview(
    document: &Document,
    (placed, analysis): (&PlacedUnit, &UnitAnalysis),
    runs: &Runs,
    values: Values<'_>,
) -> Option<Preview> {
    let prompts = prompts(document, placed);
    if prompts.is_empty() {
        return None;
    }
    let of_runs = runs.inputs(document, placed);
    document.with_view(placed, analysis, |view| {
        let agent = Agent {
            document,
            room: &runs.room,
            mode: match view.text_mode() {
                // Edition 0.4 has no other mode than programs.
                Some(_) if document.edition() > Edition::V0_4 => OutputMode::Text,
                _ => OutputMode::PtcLisp,
            },
            sends_values: view.sends_values(),
            has_turns: view.argument("max_turns").as_deref() != Some("1"),
            signature: view.signature(),
            literal: literal(placed),
            inputs: inputs(view).into_iter().chain(of_runs).collect(),
            field_descriptions: view.argument_value("field_descriptions"),
            context_descriptions: view.argument_value("context_descriptions"),
        };
        let mut parts: Vec<_> = prompts.iter().map(|it| agent.prompt(it, values)).collect();
        let range = placed.own_range();
        let mut tools: Vec<_> = listing_in(document, placed.range())
            .into_iter()
            .filter(|it| agent.is_own(it) || is_registered(placed, it))
            .collect();
        // Calls may share the signature of a tool.
        tools.dedup_by(|one, other| one.range == other.range && one.name == other.name);
        let own = tools.iter().find(|it| agent.is_own(it));
        let name = match agent.literal {
            Some(shared) if !range.contains_range(shared) => agent_name(document, placed),
            _ => own.and_then(|it| it.name.clone()),
        };
        let all = tools.len();
        tools.truncate(shown_first(document, &tools));
        let unsigned = without_signature(document, placed);
        let itself = itself(placed);
        let sent = agent.listed_tools(&tools, &unsigned, &itself);
        parts.extend(agent.tools(&sent).map(|part| Part {
            problems: left_out(all - tools.len()),
            ..part
        }));
        parts.extend(agent.data(values, !sent.is_empty()));
        parts.extend(agent.output(!sent.is_empty()));
        Some(Preview {
            name,
            range,
            samples: agent.inputs.len(),
            parts,
        })
    })
}

/// Says that so many tools are left out.
fn left_out(count: usize) -> Vec<String> {
    let problem = || format!("The tools are too long together; {count} of them are not shown.");
    (count > 0).then(problem).into_iter().collect()
}

/// Whether a call in Elixir registers the listed tool itself, not an agent among its tools. In other hosts, tools are not
/// registered.
fn is_registered(placed: &PlacedUnit, listed: &Listed) -> bool {
    let Some(tools) = &placed.unit.tools else {
        return placed.own_range().contains_range(listed.range);
    };
    let at = |range: TextRange| range.start() + placed.start == listed.range.start();
    tools.iter().any(|tool| {
        tool.name.as_deref() == listed.name.as_deref()
            && (at(tool.range) || tool.signature().is_some_and(|it| at(it.literal)))
    })
}

/// The value of each prompt of a unit, with interpolations as they are written.
fn prompts(document: &Document, placed: &PlacedUnit) -> Vec<String> {
    let sites = placed
        .unit
        .sites
        .iter()
        .filter(|it| it.role == Role::Prompt);
    sites
        .map(|site| placed.unit.shown(site, document.text(), placed.start))
        .collect()
}

/// The literal of the first signature of a unit, in bytes of the document.
fn literal(placed: &PlacedUnit) -> Option<TextRange> {
    let mut sites = placed.unit.sites.iter();
    let first = sites.find(|it| matches!(it.role, Role::Signature | Role::Tool))?;
    Some(first.literal + placed.start)
}

/// The names of the tools of a unit that are the agent itself.
fn itself(placed: &PlacedUnit) -> Vec<&str> {
    let tools = placed.unit.tools.iter().flatten();
    let tools = tools.filter(|it| it.form == Form::Itself);
    tools.filter_map(|it| it.name.as_deref()).collect()
}

fn inputs(view: &UnitView<'_>) -> Vec<Value> {
    let inputs = view
        .samples()
        .filter(|it| matches!(it.direction, Direction::Input));
    let maps = inputs.filter(|it| matches!(it.value.kind, ValueKind::Map(_)));
    maps.map(|it| it.placed()).collect()
}

#[cfg(test)]
mod tests;
