//! Calls whose signature, prompt, program or tools are bound to a name before them: the unit of such a call
//! begins at the first literal that it refers to.

use std::sync::Arc;

use crate::{
    host::{
        PlacedUnit, Role, RolesIn, Unit, UnitChange,
        evidence::Evidence,
        object::{self, Literal},
        token_tree::Kept,
        units::{Units, moved},
    },
    text::{TextEdit, TextRange, TextSize},
};

use super::{
    contract::Contract,
    flow::facts::Uses,
    literal::only_string,
    modules::Statements,
    names::{Binder, Bound, Names},
    program,
    tools::{self, Tool},
};

/// The arguments of a call of the library that are checked where no literal is beside them.
const MODES: [&str; 2] = ["signature_validation", "validation"];

/// How many names are followed from a tool to its signature.
const MAX_CHAIN: usize = 8;

/// How many bytes of a literal are looked at for all the calls that use it, one after the other. A short literal
/// costs less than the call that names it.
const MOST_SHARED: u32 = 64 * 1024;
const SHORT: u32 = 256;

/// A call or list with names in the place of literals.
#[derive(Debug, Clone)]
pub struct Use {
    /// Where it begins.
    pub start: TextSize,
    /// Its unit without what the names stand for; there may be no sites in it.
    pub unit: Arc<Unit>,
    /// The names, apart from those that stand for the signatures of its tools.
    pub references: Vec<Reference>,
    /// What it takes from agents and steps elsewhere; places count from where it begins.
    pub flows: Uses,
}

/// A name in the place of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What is in its place.
    pub wanted: Wanted,
    /// What binds the name.
    pub binder: Binder,
    /// The name.
    pub name: String,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A literal.
    Literal {
        /// What it is for.
        role: Role,
        /// The name of the tool or agent that it belongs to.
        owner: Option<String>,
    },
    /// A string that holds a program.
    Program,
    /// A map of tools.
    Tools,
}

/// What was found in some statements.
#[derive(Debug, Default)]
pub struct Parts {
    /// The units without names, in the order in which they begin.
    pub units: Vec<PlacedUnit>,
    /// The calls with names, in the order in which they begin.
    pub uses: Vec<Use>,
    /// What the statements bind.
    pub names: Names,
    /// What they say of modules.
    pub statements: Statements,
}

/// What is kept of a document's names from edit to edit.
#[derive(Debug, Clone, Default)]
pub struct Links {
    names: Names,
    uses: Vec<Use>,
}

impl Links {
    /// Reads the parts of a whole document; answers its units, in the order in which they begin.
    pub fn new(parts: Parts, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let links = Self {
            names: parts.names,
            uses: parts.uses,
        };
        let mut units = parts.units;
        units.extend(links.uses.iter().filter_map(|it| links.unit_of(it, roles)));
        units.sort_by_key(place);
        (links, units)
    }

    /// Follows `edit`, which touched the statements in `old`; `parts` is what is there now.
    pub fn edit(
        &mut self,
        units: &mut Units,
        old: TextRange,
        parts: Parts,
        edit: &TextEdit,
        roles: RolesIn<'_>,
    ) -> UnitChange {
        let of_functions = self.names.replace(old, parts.names, edit);
        if self.uses.is_empty() && parts.uses.is_empty() {
            let removed = units.beginning_in(old);
            return units.replace(removed, parts.units, edit);
        }
        let first = self.uses.partition_point(|it| it.start < old.start());
        let end = self.uses.partition_point(|it| it.start < old.end());
        for it in &mut self.uses[end..] {
            it.start = moved(it.start, edit);
        }
        self.uses.splice(first..end, parts.uses);

        // A function may be called before it is defined.
        let linked = self.uses[if of_functions { 0 } else { first }..].iter();
        let linked: Vec<_> = linked.filter_map(|it| self.unit_of(it, roles)).collect();
        let renewed = |it: &PlacedUnit| match it.unit.is_linked {
            true => of_functions || old.start() < it.start + it.unit.len,
            false => old.start() <= it.start && it.start < old.end(),
        };
        let removed = reach(units, old, &linked, renewed);
        let mut new = parts.units;
        let kept = units.as_slice()[removed.clone()].iter();
        new.extend(kept.filter(|it| !renewed(it)).map(|it| it.moved(edit)));
        new.extend(linked);
        new.sort_by_key(place);
        units.replace(removed, new, edit)
    }

    /// Whether a block that begins at `start` is the body of a function.
    pub fn is_body(&self, start: TextSize) -> bool {
        self.names.is_body(start)
    }

    /// The unit of a call with what its names stand for; `None` where it holds nothing to check.
    fn unit_of(&self, it: &Use, roles: RolesIn<'_>) -> Option<PlacedUnit> {
        let bound = it.references.iter().filter_map(|reference| {
            let bound = self.names.at(reference.binder, &reference.name, it.start)?;
            self.is_affordable(bound, it.start)
                .then_some((&reference.wanted, bound))
        });
        let bound: Vec<_> = bound.collect();
        let certainty = Certainty::of(&it.unit, &bound);
        let mut linked = Linked::default();
        for (wanted, bound) in bound {
            linked.add(wanted, bound, certainty);
        }
        let own_tools = it.unit.tools.iter().flatten().cloned();
        let own_tools: Vec<_> = own_tools.map(|tool| placed_at(tool, it.start)).collect();
        let has_tools = it.unit.tools.is_some() || linked.tools.is_some();
        let tools = own_tools
            .into_iter()
            .chain(linked.tools.into_iter().flatten());
        let tools: Vec<_> = tools
            .map(|tool| self.with_signature(tool, it.start))
            .collect();

        let literals = linked.literals.iter().map(|(.., literal)| literal.literal);
        let program = linked
            .program
            .as_ref()
            .map(|(string, at)| string.element(*at));
        let starts = literals
            .chain(program.map(|it| it.range))
            .chain(tools.iter().flat_map(ranges))
            .map(TextRange::start);
        let start = starts.fold(it.start, TextSize::min);
        let range = TextRange::new(start, it.start + it.unit.len);
        let mut unit = (*it.unit).clone();
        unit.is_linked = true;
        unit.begin_earlier(it.start - start);
        let relative = tools.into_iter().map(|mut tool| {
            tool.map_ranges(&|range| range - start);
            tool
        });
        unit.tools = has_tools.then(|| relative.collect());
        if let Some(string) = program {
            unit.program = program::read(&string, start, roles).unwrap_or_default();
        }
        for (role, owner, literal) in linked.literals {
            let site = object::site(range, &literal, role, owner);
            if !unit.sites.contains(&site) {
                unit.sites.push(site);
            }
        }
        unit.sites.sort_by_key(|site| site.literal.start());
        let (mut flow, origins) = it.flows.flow(&self.names, it.start);
        flow.move_by(it.start - start);
        unit.flow = flow;
        is_checked(&unit).then(|| PlacedUnit {
            start,
            unit: Arc::new(unit),
            origins,
        })
    }

    /// The tool with the string that its signature is written in, where a name stands for that at `place`.
    fn with_signature(&self, mut tool: Tool, mut place: TextSize) -> Tool {
        for _ in 0..MAX_CHAIN {
            let Some(Contract::Name(binder, name)) = &tool.contract else {
                return tool;
            };
            let Some(bound) = self.names.at(*binder, name, place) else {
                break;
            };
            place = bound.start();
            tool.contract = match bound.literal() {
                Some(literal) => Some(Contract::Literal(literal)),
                None => Contract::of(&bound.value()),
            };
        }
        tool.contract = tool
            .contract
            .filter(|it| matches!(it, Contract::Literal(_)));
        tool
    }
}

/// What the names of a call stand for; ranges count from the start of the document.
#[derive(Default)]
struct Linked<'n> {
    literals: Vec<(Role, Option<&'n str>, Literal)>,
    program: Option<(Kept, TextSize)>,
    tools: Option<Vec<Tool>>,
}

impl<'n> Linked<'n> {
    /// Adds what a name is bound to.
    fn add(&mut self, wanted: &'n Wanted, bound: &Bound, certainty: Certainty) {
        let value = bound.value();
        match wanted {
            Wanted::Literal { role, owner } => {
                let literal = bound.literal();
                if let Some(literal) = literal.filter(|_| certainty.has(*role, bound)) {
                    self.literals.push((*role, owner.as_deref(), literal));
                }
            }
            Wanted::Program => {
                let string = only_string(&value);
                self.program = string.map(|it| (Kept::new(&it, bound.start()), bound.start()));
            }
            Wanted::Tools => self.tools = tools::of_value_map(&value),
        }
    }
}

/// What says that the names of a call stand for texts of ours.
#[derive(Debug, Clone, Copy)]
struct Certainty {
    /// Whether the call is one of the library.
    is_certain: bool,
    /// Whether there is a signature of ours.
    is_signed: bool,
}

impl Certainty {
    fn of(unit: &Unit, bound: &[(&Wanted, &Bound)]) -> Self {
        let is_certain = unit.evidence == Evidence::Certain;
        let has_signature = unit.sites.iter().any(|site| is_signature(site.role));
        let reads_so = |(wanted, bound): &(&Wanted, &Bound)| {
            let is_wanted = matches!(wanted, Wanted::Literal { role, .. } if is_signature(*role));
            is_wanted && bound.signature >= Some(Evidence::Likely)
        };
        Self {
            is_certain,
            is_signed: is_certain || has_signature || bound.iter().any(reads_so),
        }
    }

    /// Whether what is `bound` is ours in this role.
    fn has(self, role: Role, bound: &Bound) -> bool {
        match role {
            Role::Signature | Role::Tool => {
                self.is_certain || bound.signature >= Some(Evidence::Likely)
            }
            Role::Prompt => self.is_signed || bound.is_prompt,
            Role::Description => true,
        }
    }
}

fn is_signature(role: Role) -> bool {
    matches!(role, Role::Signature | Role::Tool)
}

/// Whether there is something in a unit that can be checked.
pub fn is_checked(unit: &Unit) -> bool {
    let mut sites = unit.sites.iter();
    let has_site = sites.any(|site| site.role != Role::Description);
    let has_mode = || {
        let mut arguments = unit.arguments.iter();
        unit.evidence == Evidence::Certain && arguments.any(|it| MODES.contains(&it.key.as_str()))
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

/// Where a tool and its signature are.
fn ranges(tool: &Tool) -> impl Iterator<Item = TextRange> {
    let signature = tool.signature().map(|it| it.literal);
    [tool.key].into_iter().chain(signature)
}

impl Links {
    /// Whether the call at `place` may look at what is `bound` too: what thousands of calls make of a long literal
    /// takes time and memory without end. How many come between the two decides, so that it depends on nothing else.
    fn is_affordable(&self, bound: &Bound, place: TextSize) -> bool {
        let len = u32::from(bound.range().len());
        let before = |offset| self.uses.partition_point(|it| it.start < offset);
        let between = before(place) - before(bound.start());
        len <= SHORT || between.saturating_mul(len as usize) <= MOST_SHARED as usize
    }
}

/// What decides the order of units: several may begin at one literal.
fn place(placed: &PlacedUnit) -> (TextSize, TextSize) {
    (placed.start, placed.unit.len)
}

/// The indices of all units that are `renewed` and of those between them, or where `linked` ones belong.
fn reach(
    units: &Units,
    old: TextRange,
    linked: &[PlacedUnit],
    renewed: impl Fn(&PlacedUnit) -> bool,
) -> std::ops::Range<usize> {
    let inside = units.beginning_in(old);
    let units = units.as_slice();
    let first_new = linked.iter().map(|it| it.start).min();
    let first_new = first_new.map_or(inside.start, |start| {
        units.partition_point(|it| it.start < start)
    });
    let first = units.iter().position(&renewed).unwrap_or(inside.start);
    let last = units.iter().rposition(&renewed).map_or(0, |last| last + 1);
    first.min(inside.start).min(first_new)..last.max(inside.end)
}
