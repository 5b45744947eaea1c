//! The unit of a call with the values of its names.

mod certainty;
mod described;
mod linked;

use std::sync::Arc;

use certainty::Certainty;
use linked::Linked;

use super::{
    super::{
        contract::{Contract, own_description},
        flow::expr::Expr,
        lookup::{Key, Lookup, Source},
        names::{Binder, BoundAt},
        tool_forms::{lacks_description, module_of_call},
        tools::{Form, Tool},
    },
    Links, MOST_BETWEEN, Use, Wanted,
};
use crate::{
    host::{Argument, PlacedUnit, Role, RolesIn, Site, Unit, evidence::Evidence, misspelled},
    text::{TextRange, TextSize},
    value::ValueKind,
};

/// The arguments of a call of the library that are checked without a literal beside them.
const MODES: [&str; 2] = ["signature_validation", "validation"];

/// The maximum number of names from a tool to its signature.
const MAX_CHAIN: usize = 8;

/// The number of bytes of a literal that are read for all the calls that use it, in sequence. A short literal costs
/// less than the call that names it.
const MOST_SHARED: u32 = 64 * 1024;
const SHORT: u32 = 256;

/// The facts about a use.
pub(super) struct Resolution {
    pub(super) reach: Reach,
    pub(super) asked: Box<[Key]>,
    pub(super) asks_outside: bool,
    pub(super) placed: Option<PlacedUnit>,
}

/// The reach of a use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// From its first to its last text.
    pub(super) extent: TextRange,
    /// The start of the nearest text that is too far away.
    pub(super) far: Option<TextSize>,
    /// From the first to the last place that a name was looked up for.
    pub(super) asked_in: TextRange,
    /// Where the first of the values begins that its variables have, if all have one.
    pub(super) values_from: Option<TextSize>,
}

impl Reach {
    /// The positions of the use at `start`.
    pub(super) fn places(&self, start: TextSize) -> [TextSize; 7] {
        let Self {
            extent,
            far,
            asked_in,
            values_from,
        } = self;
        [
            start,
            extent.start(),
            extent.end(),
            far.unwrap_or(start),
            asked_in.start(),
            asked_in.end(),
            values_from.unwrap_or(start),
        ]
    }
}

impl Links {
    /// Resolves the call `it`, which begins at `place`, with the values of its names.
    pub(super) fn resolution(
        &self,
        it: &Use,
        place: TextSize,
        names: Source<'_>,
        roles: RolesIn<'_>,
    ) -> Resolution {
        let lookup = Lookup::new(names);
        let mut reach = Reach {
            extent: TextRange::at(place, it.unit.len),
            far: None,
            asked_in: TextRange::empty(place),
            values_from: None,
        };
        let placed = self.unit_of(it, place, &lookup, &mut reach, roles);
        reach.asked_in = lookup.places(place);
        reach.values_from = lookup.values_from();
        let asks_outside = lookup.asks_outside();
        Resolution {
            reach,
            asked: lookup.asked(),
            asks_outside,
            placed,
        }
    }

    /// The unit of a call with the values of its names; `None` if it has nothing to check. Widens `reach` to
    /// everything that it depends on.
    fn unit_of(
        &self,
        it: &Use,
        place: TextSize,
        lookup: &Lookup<'_>,
        reach: &mut Reach,
        roles: RolesIn<'_>,
    ) -> Option<PlacedUnit> {
        let runs_agent = it.flows.runs_agent(lookup, place);
        let unit = match runs_agent {
            true => described::without_description(&it.unit),
            false => Arc::clone(&it.unit),
        };
        let bound = self.bindings(it, place, lookup, reach, runs_agent);
        // Whether the names have no values, and the call stands alone.
        let is_alone = bound.is_empty();
        let certainty = Certainty::of(&unit, &bound);
        let mut linked = Linked::new(runs_agent);
        for (wanted, bound) in bound {
            linked.add(wanted, bound, certainty);
        }
        linked.tools = self.tools(&unit, linked.tools.take(), place, lookup, reach);

        let texts = linked.extent_of_texts(TextRange::at(place, unit.len));
        reach.extent = reach.extent.cover(texts);
        let start = texts.start();
        let (mut flow, origins) = it.flows.flow(lookup, place);
        let may_clash = runs_agent && it.unit.argument("context").is_some();
        let has_tool = linked.tools.as_ref().is_some_and(|it| !it.is_empty());
        if is_alone && !has_tool && flow.is_empty() && !may_clash {
            return is_checked(&unit).then(|| PlacedUnit::new(start, unit).with_origins(origins));
        }
        let mut unit = Arc::unwrap_or_clone(unit);
        if certainty.reads_so {
            unit.evidence = unit.evidence.max(Evidence::Likely);
        }
        let has_agent = linked.has_agent;
        linked.merge_into(&mut unit, place, start, roles);
        sign_agent_itself(&mut unit);
        flow.move_by(place - start);
        if runs_agent {
            flow.tools = clashing(it.flows.tool_names(lookup, place), &unit);
        }
        if has_agent {
            flow.agent = None;
        }
        unit.flow = flow.into();
        is_checked(&unit).then(|| PlacedUnit::new(start, unit).with_origins(origins))
    }

    /// What the names of the call at `place` are bound to, as far as it may use that.
    fn bindings<'u, 'n>(
        &self,
        it: &'u Use,
        place: TextSize,
        lookup: &Lookup<'n>,
        reach: &mut Reach,
        runs_agent: bool,
    ) -> Vec<(&'u Wanted, BoundAt<'n>)> {
        let mut bound = Vec::new();
        let references = it.references.iter();
        for reference in references.filter(|it| !runs_agent || !described::describes(&it.wanted)) {
            let Some(found) = lookup.at(reference.binder, &reference.name, place) else {
                continue;
            };
            // A unit ends with its call. A function may be defined after it.
            if found.start > place {
                continue;
            }
            if self.is_affordable(found, place, reach) {
                reach.extent = reach.extent.cover(found.range());
                bound.push((&reference.wanted, found));
            }
        }
        bound
    }

    /// The tools of the call at `place`, those of its `unit` and those that a name is bound to, with what the names in
    /// them are bound to.
    fn tools(
        &self,
        unit: &Unit,
        bound: Option<Vec<Tool>>,
        place: TextSize,
        lookup: &Lookup<'_>,
        reach: &mut Reach,
    ) -> Option<Vec<Tool>> {
        if unit.tools.is_none() && bound.is_none() {
            return None;
        }
        let own = unit.tools.iter().flatten().cloned();
        let own = own.map(|tool| placed_at(tool, place));
        let tools = own.chain(bound.into_iter().flatten());
        let tools = tools.map(|tool| self.with_names(lookup, tool, place, reach));
        Some(tools.collect())
    }

    /// The tool of the call at `place`, with what the names in it are bound to: its function and its signature.
    fn with_names(
        &self,
        lookup: &Lookup<'_>,
        mut tool: Tool,
        place: TextSize,
        reach: &mut Reach,
    ) -> Tool {
        let mut named_at = tool.range.start();
        let function_is_described = tool
            .details
            .function
            .as_ref()
            .is_some_and(|it| it.is_described);
        if let Some(function) = &tool.details.function
            && let Some(bound) = lookup.at(function.binder, &function.name, named_at)
        {
            let value = bound.value();
            tool.bind_function(&value);
            let is_agent = matches!(bound.bound.flow(), Some(Expr::Agent(_)));
            if let Some(module) =
                module_of_call(&value).filter(|_| is_agent && !function_is_described)
            {
                tool.form = Form::Agent(module.into());
            }
        }
        for _ in 0..MAX_CHAIN {
            let Some(Contract::Name(binder, name)) = &tool.contract else {
                return tool;
            };
            let Some(bound) = lookup.at(*binder, name, named_at) else {
                break;
            };
            named_at = bound.start;
            let value = bound.value();
            if std::mem::take(&mut tool.wraps_name) && lacks_description(&value) {
                tool.form = Form::Undescribed;
            }
            if tool.details.description.is_none()
                && let Some(own) = own_description(&value)
            {
                tool.details.make_mut().description = Some(own);
            }
            tool.contract = match bound.literal() {
                Some(_) if !self.is_affordable(bound, place, reach) => None,
                Some(literal) => Some(Contract::Literal(literal)),
                None => Contract::of(&value).or_else(|| compiled(bound)),
            };
        }
        tool.contract = tool
            .contract
            .filter(|it| matches!(it, Contract::Literal(_)));
        tool
    }

    /// Whether the call at `place` may use `bound` too; `reach` records if it may not. Thousands of calls of one
    /// literal would take unlimited time and memory. The number of calls between the two decides, and nothing else.
    fn is_affordable(&self, bound: BoundAt<'_>, place: TextSize, reach: &mut Reach) -> bool {
        let len = u32::from(bound.range().len());
        let between = self.between(place, bound.start);
        let is_short = len <= SHORT || between.saturating_mul(len as usize) <= MOST_SHARED as usize;
        if is_short && between <= MOST_BETWEEN {
            return true;
        }
        let is_nearer = |far: TextSize| self.between(place, bound.start) < self.between(place, far);
        if reach.far.is_none_or(is_nearer) {
            reach.far = Some(bound.start);
        }
        false
    }
}

/// The `tools` whose names values in the map of the context have, too.
fn clashing(tools: Arc<[String]>, unit: &Unit) -> Vec<String> {
    let context = unit.argument("context").filter(|_| !tools.is_empty());
    let Some(ValueKind::Map(entries)) = context.and_then(Argument::kind) else {
        return Vec::new();
    };
    let keys = entries.iter().map(|it| it.key.name.as_deref());
    let is_value = |name: &&String| keys.clone().any(|it| it == Some(name.as_str()));
    tools.iter().filter(is_value).cloned().collect()
}

/// The name of the agent of which `bound` is a compiled one.
fn compiled(bound: BoundAt<'_>) -> Option<Contract> {
    let mut expr = bound.bound.flow()?;
    while let Expr::Ok(of) | Expr::Compiled(of) = expr {
        expr = of;
    }
    match expr {
        Expr::Name { binder, name, .. } => Some(Contract::Name(*binder, (&**name).into())),
        Expr::Local { name, arity: 0, .. } => {
            Some(Contract::Name(Binder::Function, (&**name).into()))
        }
        _ => None,
    }
}

/// Gives the tools that are the agent itself its signature.
pub fn sign_agent_itself(unit: &mut Unit) {
    let is_own = |it: &&Site| it.role == Role::Signature;
    let mut signatures = unit.sites.iter().filter(is_own);
    let (Some(only), None) = (signatures.next(), signatures.next()) else {
        return;
    };
    let literal = only.to_literal();
    let tools = unit.tools.iter_mut().flatten();
    for tool in tools.filter(|it| it.form == Form::Itself) {
        tool.contract = Some(Contract::Literal(literal.clone()));
    }
}

/// Whether a unit contains anything to check.
pub fn is_checked(unit: &Unit) -> bool {
    let mut sites = unit.sites.iter();
    let has_site = sites.any(|site| site.role != Role::Description);
    let has_mode = || {
        let mut arguments = unit.arguments.iter();
        let is_mode = |key: &str| MODES.contains(&key) || misspelled(key).is_some();
        unit.evidence == Evidence::Certain && arguments.any(|it| is_mode(&it.key))
    };
    has_site
        || !unit.program.is_empty()
        || unit.tools.is_some()
        || !unit.flow.is_empty()
        || has_mode()
}

fn placed_at(mut tool: Tool, start: TextSize) -> Tool {
    tool.map_ranges(&|range| range + start);
    tool
}

/// The places of a tool, its signature and its description.
fn ranges(tool: &Tool) -> impl Iterator<Item = TextRange> {
    let literals = tool
        .signature()
        .into_iter()
        .chain(tool.details.description.as_ref());
    [tool.key].into_iter().chain(literals.map(|it| it.literal))
}
