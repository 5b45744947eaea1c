//! Calls whose signature, prompt, program or tools are bound to a name before them: the unit of such a call begins at
//! the first literal that it refers to.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use crate::{
    counts::Counts,
    host::{
        Argument, PlacedUnit, Role, RolesIn, Site, Unit, UnitChange,
        evidence::Evidence,
        moving::{Keyed, Moving},
        object::{self, Literal},
        token_tree::{Element, Kept},
        units::{Units, moved_back, moved_or_gone},
        values::elixir,
    },
    order, parallel,
    text::{TextEdit, TextRange, TextSize},
    value::{Value, ValueKind},
};

use super::{
    contract::{Contract, options, split},
    flow::{expr::Expr, facts::Uses},
    literal::{key_text, only_string},
    lookup::{Key, Lookup, Source},
    modules::Statements,
    names::{Binder, Bound, BoundAt, Index, Names},
    program,
    tools::{self, Form, Tool},
};

/// The arguments of a call of the library that are checked without a literal beside them.
const MODES: [&str; 2] = ["signature_validation", "validation"];

/// The maximum number of names from a tool to its signature.
const MAX_CHAIN: usize = 8;

/// The number of bytes of a literal that are read for all the calls that use it, in sequence. A short literal costs
/// less than the call that names it.
const MOST_SHARED: u32 = 64 * 1024;
const SHORT: u32 = 256;

/// The maximum number of calls with names between a literal and a call that uses it. All text between them is in the
/// unit of that call, so a key there affects as many calls.
const MOST_BETWEEN: usize = 600;

/// With more uses than this, it is faster to build an index of the names first.
const MOST_WITHOUT_INDEX: usize = 32;

/// A call or list with names in place of literals.
#[derive(Debug, Clone)]
pub struct Use {
    /// Its start.
    pub start: TextSize,
    /// Its unit without the values of the names; it is linked, and may have no sites.
    pub unit: Arc<Unit>,
    /// The names, except for those of the signatures of its tools.
    pub references: Vec<Reference>,
    /// What it takes from agents and steps elsewhere; ranges count from its start.
    pub flows: Uses,
}

/// A name in place of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What is in its place.
    pub wanted: Wanted,
    /// What binds the name.
    pub binder: Binder,
    /// The name.
    pub name: String,
}

/// The value of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A literal.
    Literal {
        /// Its role.
        role: Role,
        /// The name of its tool or agent.
        owner: Option<String>,
    },
    /// A string that holds a program.
    Program,
    /// A map of tools.
    Tools,
    /// The map of the inputs of a run.
    Context,
    /// The list of the options of a run.
    Options,
}

/// The contents of some statements.
#[derive(Debug, Default)]
pub struct Parts {
    /// The units without names, in the order of their starts.
    pub units: Vec<PlacedUnit>,
    /// The calls with names, in the order of their starts.
    pub uses: Vec<Use>,
    /// What the statements bind.
    pub names: Names,
    /// What they tell about modules.
    pub statements: Statements,
}

impl Parts {
    /// Adds what later statements contain, in any order.
    pub fn append(&mut self, later: Self) {
        self.units.extend(later.units);
        self.uses.extend(later.uses);
        self.names.append(later.names);
        self.statements.append(later.statements);
    }
}

/// The names of a document, updated from edit to edit.
#[derive(Debug, Clone, Default)]
pub struct Links {
    names: Names,
    /// The start of each, the range from the first to the last text of its unit, the start of the nearest text that is
    /// too far away, and the first and the last place that it looked a name up for; without one, the use itself.
    uses: Moving<KnownUse, 6>,
    /// The number of uses that looked up each name.
    asked: Counts<Key>,
}

/// A use and its result.
#[derive(Debug, Clone)]
struct KnownUse {
    it: Use,
    /// The names that it depends on.
    asked: Box<[Key]>,
    /// Whether variables outside of functions are among them.
    asks_outside: bool,
    /// Its unit, if it has one.
    resolved: Option<Arc<Unit>>,
}

impl Keyed for KnownUse {
    fn keys(&self) -> impl Iterator<Item = Key> {
        self.asked.iter().copied()
    }
}

impl KnownUse {
    fn new(it: Use) -> ([TextSize; 6], Self) {
        let place = [it.start; 6];
        let linked = Self {
            it,
            asked: Box::default(),
            asks_outside: false,
            resolved: None,
        };
        (place, linked)
    }
}

/// The facts about a use.
struct Resolution {
    reach: Reach,
    asked: Box<[Key]>,
    asks_outside: bool,
    placed: Option<PlacedUnit>,
}

/// The reach of a use.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// From its first to its last text.
    extent: TextRange,
    /// The start of the nearest text that is too far away.
    far: Option<TextSize>,
    /// From the first to the last place that a name was looked up for.
    asked_in: TextRange,
}

impl Links {
    /// Reads the parts of a whole document; returns its units, in the order of their starts.
    pub fn new(parts: Parts, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let mut links = Self {
            names: parts.names,
            uses: parts.uses.into_iter().map(KnownUse::new).collect(),
            asked: Counts::default(),
        };
        let mut units = parts.units;
        units.extend(links.resolve(0..links.uses.len(), roles));
        order::by_range(&mut units, PlacedUnit::range);
        (links, units)
    }

    /// Resolves the uses at `indices`, each only from the names; returns their units.
    fn resolve(
        &mut self,
        indices: impl IntoIterator<Item = usize>,
        roles: RolesIn<'_>,
    ) -> Vec<PlacedUnit> {
        let mut units = Vec::new();
        let indices: Vec<_> = indices.into_iter().collect();
        let has_index = indices.len() > MOST_WITHOUT_INDEX;
        let index_of_names = has_index.then(|| Index::new(&self.names));
        let names = match &index_of_names {
            Some(index) => Source::Index(index),
            None => Source::List(&self.names),
        };
        let resolutions = parallel::map(&indices, |index| {
            let [start, ..] = self.uses.place(*index);
            let resolution = self.resolution(&self.uses.item(*index).it, start, names, roles);
            (start, resolution)
        });
        for (index, (start, resolution)) in indices.into_iter().zip(resolutions) {
            let Resolution {
                reach:
                    Reach {
                        extent,
                        far,
                        asked_in,
                    },
                asked,
                asks_outside,
                mut placed,
            } = resolution;
            let known_names = &mut self.asked;
            self.uses.update(index, |place, linked| {
                let far = far.unwrap_or(start);
                let asked_in = [asked_in.start(), asked_in.end()];
                *place = [
                    start,
                    extent.start(),
                    extent.end(),
                    far,
                    asked_in[0],
                    asked_in[1],
                ];
                known_names.extend(asked.iter().copied());
                known_names.remove_all(&linked.asked);
                linked.asked = asked;
                linked.asks_outside = asks_outside;
                if let (Some(new), Some(old)) = (&mut placed, &linked.resolved)
                    && new.unit == *old
                {
                    new.unit = Arc::clone(old);
                }
                linked.resolved = placed.as_ref().map(|it| Arc::clone(&it.unit));
            });
            units.extend(placed);
        }
        units
    }

    /// Applies `edit`, which touched the statements in `old`; `parts` are the new ones.
    pub fn edit(
        &mut self,
        units: &mut Units,
        old: TextRange,
        parts: Parts,
        edit: &TextEdit,
        roles: RolesIn<'_>,
    ) -> UnitChange {
        let mut touched = self.names.replace(old, parts.names, edit);
        let gone = self.uses.beginning_in(old);
        if self.uses.len() == 0 && parts.uses.is_empty() {
            let removed = units.beginning_in(old);
            return units.replace(removed, parts.units, edit);
        }
        touched.retain(|key| self.asked.contains(key));
        let mut concerned = self.around(old, &gone);
        if touched.is_any() {
            let near = match touched.only_in() {
                Some(block) => self.uses.beginning_in(TextRange::new(
                    moved_back(block.start(), edit),
                    moved_back(block.end(), edit),
                )),
                None => 0..self.uses.len(),
            };
            let asking = touched
                .keys()
                .flat_map(|key| self.uses.keyed(key, near.clone()));
            let depending = asking.filter(|&index| {
                let place = self.uses.place(index);
                let [start, .., first, last] = place.map(|it| moved_or_gone(it, edit));
                let it = self.uses.item(index);
                let places = (start, TextRange::new(first, last.max(first)));
                !gone.contains(&index) && touched.concerns(places, &it.asked, it.asks_outside)
            });
            concerned.extend(depending);
            concerned.sort_unstable();
            concerned.dedup();
        }
        let mut removed = BTreeSet::new();
        for index in gone.clone().chain(concerned.iter().copied()) {
            let at = self.unit_at(units, index, &removed);
            removed.extend(at);
        }

        let came = gone.start..gone.start + parts.uses.len();
        let following = concerned.iter().map(|&index| match index < gone.start {
            true => index,
            false => index - gone.len() + came.len(),
        });
        let following: Vec<_> = following.collect();
        for linked in self.uses.items(gone.clone()) {
            self.asked.remove_all(&linked.asked);
        }
        let new = parts.uses.into_iter().map(KnownUse::new).collect();
        self.uses.replace(gone, &new, edit);
        let linked = self.resolve(came.chain(following), roles);

        let is_plain = |index: &usize| !units.as_slice()[*index].unit.is_linked;
        removed.extend(units.beginning_in(old).filter(is_plain));
        let reach = reach(units, old, &removed, &linked, edit);
        let mut new = parts.units;
        let kept = reach.clone().filter(|index| !removed.contains(index));
        new.extend(kept.map(|index| units.as_slice()[index].moved(edit)));
        new.extend(linked);
        order::by_range(&mut new, PlacedUnit::range);
        units.replace(reach, new, edit)
    }

    /// The indices of the uses with texts on both sides of `old`, or which may have such once those in `gone`, which
    /// begin in it, are removed.
    fn around(&self, old: TextRange, gone: &Range<usize>) -> Vec<usize> {
        let is_around = |first: TextSize, end: TextSize| first < old.end() && old.start() < end;
        let most = MOST_BETWEEN + gone.len();
        let near = self.near(old, most);
        let comes_near = |start: TextSize, far: TextSize| {
            !gone.is_empty()
                && near.contains_inclusive(start)
                && is_around(start.min(far), start.max(far))
                && self.between(start, far) <= most
        };
        let around =
            self.uses
                .around(old, (0, 3))
                .filter(|&(index, ([start, first, end, far, ..], _))| {
                    (is_around(first, end) || comes_near(start, far)) && !gone.contains(&index)
                });
        around.map(|(index, _)| index).collect()
    }

    /// Where the uses begin that have at most `most` others between them and `old`.
    fn near(&self, old: TextRange, most: usize) -> TextRange {
        let start_of = |index: usize| self.uses.place(index)[0];
        let before = self.uses.before(old.start()).checked_sub(most + 1);
        let after = self.uses.before(old.end()) + most;
        let end = (after < self.uses.len()).then(|| start_of(after));
        TextRange::new(
            before.map_or(TextSize::default(), start_of),
            end.unwrap_or(TextSize::new(u32::MAX)),
        )
    }

    /// The number of uses that begin between two places.
    fn between(&self, one: TextSize, other: TextSize) -> usize {
        self.uses.before(one).abs_diff(self.uses.before(other))
    }

    /// The index of the unit of the use at `index`. Nested calls may have equal units; those in `taken` belong to
    /// other uses.
    fn unit_at(&self, units: &Units, index: usize, taken: &BTreeSet<usize>) -> Option<usize> {
        let linked = self.uses.item(index);
        let unit = linked.resolved.as_ref()?;
        let [start, ..] = self.uses.place(index);
        let key = (start + linked.it.unit.len - unit.len, unit.len);
        let units = units.as_slice();
        let first = units.partition_point(|it| place(it) < key);
        let alike = units[first..].iter().take_while(|it| place(it) == key);
        let mut free = (first..).zip(alike).filter(|(at, _)| !taken.contains(at));
        let found = free.find(|(_, it)| Arc::ptr_eq(&it.unit, unit) || it.unit == *unit);
        found.map(|(at, _)| at)
    }

    /// Whether a use begins at `start`.
    pub fn has_use_at(&self, start: TextSize) -> bool {
        self.uses.before(start) < self.uses.up_to(start)
    }

    /// Whether a block that begins at `start` is the body of a function.
    pub fn is_body(&self, start: TextSize) -> bool {
        self.names.is_body(start)
    }

    /// Resolves the call `it`, which begins at `place`, with the values of its names.
    fn resolution(
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
        };
        let placed = self.unit_of(it, place, &lookup, &mut reach, roles);
        reach.asked_in = lookup.places(place);
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
        let mut bound = Vec::new();
        for reference in &it.references {
            let Some(found) = lookup.at(reference.binder, &reference.name, place) else {
                continue;
            };
            if self.is_affordable(found, place, reach) {
                reach.extent = reach.extent.cover(found.range());
                bound.push((&reference.wanted, found));
            }
        }
        // Whether the names have no values, and the call stands alone.
        let is_alone = bound.is_empty();
        let certainty = Certainty::of(&it.unit, &bound);
        let is_read = certainty.reads_so;
        let mut linked = Linked::default();
        for (wanted, bound) in bound {
            linked.add(wanted, bound, certainty);
        }
        let own_tools = it.unit.tools.iter().flatten().cloned();
        let own_tools: Vec<_> = own_tools.map(|tool| placed_at(tool, place)).collect();
        let has_tools = it.unit.tools.is_some() || linked.tools.is_some();
        let tools = own_tools
            .into_iter()
            .chain(linked.tools.into_iter().flatten());
        let tools: Vec<_> = tools
            .map(|tool| self.with_names(lookup, tool, place, reach))
            .collect();

        let literals = linked.literals.iter().map(|(.., literal)| literal.literal);
        let program = linked
            .program
            .as_ref()
            .map(|(string, at)| string.element(*at));
        let texts = literals
            .chain(program.map(|it| it.range))
            .chain(linked.context.iter().map(|it| it.range))
            .chain(linked.option.iter().map(|(key, it)| key.cover(it.range)))
            .chain(tools.iter().flat_map(ranges));
        let texts = texts.fold(TextRange::at(place, it.unit.len), TextRange::cover);
        reach.extent = reach.extent.cover(texts);
        let start = texts.start();
        let range = TextRange::new(start, place + it.unit.len);
        let (mut flow, origins) = it.flows.flow(lookup, place);
        if is_alone && tools.is_empty() && flow.is_empty() {
            return is_checked(&it.unit)
                .then(|| PlacedUnit::new(start, Arc::clone(&it.unit)).with_origins(origins));
        }
        let mut unit = (*it.unit).clone();
        if is_read {
            unit.evidence = unit.evidence.max(Evidence::Likely);
        }
        unit.begin_earlier(place - start);
        let relative = tools.into_iter().map(|mut tool| {
            tool.map_ranges(&|range| range - start);
            tool
        });
        unit.tools = has_tools.then(|| relative.collect());
        if let Some(context) = linked.context {
            unit.set_argument("context", context.map_ranges(&|range| range - start));
        }
        if let Some((key, context)) = linked.option {
            let context = context.map_ranges(&|range| range - start);
            unit.arguments.push(Argument::new(
                "context",
                key - start,
                context.range,
                Some(context),
            ));
        }
        if let Some(string) = program {
            unit.program = program::read(&string, start, roles).unwrap_or_default();
        }
        for (role, owner, literal) in linked.literals {
            let site = object::site(range, &literal, role, owner);
            if !unit.sites.contains(&site) {
                unit.sites.push(site);
            }
        }
        order::by_start(&mut unit.sites, |site| site.literal.start());
        sign_agent_itself(&mut unit);
        flow.move_by(place - start);
        if linked.has_agent {
            flow.agent = None;
        }
        unit.flow = flow;
        is_checked(&unit).then(|| PlacedUnit::new(start, unit).with_origins(origins))
    }
}

/// The name of the agent of which `bound` is a compiled one.
fn compiled(bound: BoundAt<'_>) -> Option<Contract> {
    let mut expr = bound.bound.flow()?;
    while let Expr::Ok(of) | Expr::Compiled(of) = expr {
        expr = of;
    }
    match expr {
        Expr::Name { binder, name, .. } => Some(Contract::Name(*binder, name.clone())),
        Expr::Local { name, arity: 0, .. } => Some(Contract::Name(Binder::Function, name.clone())),
        _ => None,
    }
}

/// The values of the names of a call; ranges count from the start of the document.
#[derive(Default)]
struct Linked<'n> {
    literals: Vec<(Role, Option<&'n str>, Literal)>,
    program: Option<(Kept, TextSize)>,
    tools: Option<Vec<Tool>>,
    context: Option<Value>,
    /// The key and the value of `context:` in the list of the options.
    option: Option<(TextRange, Value)>,
    /// Whether that list describes the agent, too.
    has_agent: bool,
}

impl<'n> Linked<'n> {
    /// Adds the value of a name.
    fn add(&mut self, wanted: &'n Wanted, bound: BoundAt<'_>, certainty: Certainty) {
        let value = bound.value();
        match wanted {
            Wanted::Literal { role, owner } => {
                let literal = bound.literal();
                if let Some(literal) = literal.filter(|_| certainty.has(*role, bound.bound)) {
                    self.literals.push((*role, owner.as_deref(), literal));
                }
            }
            Wanted::Program => {
                let string = only_string(&value);
                self.program = string.map(|it| (Kept::new(&it, bound.start), bound.start));
            }
            Wanted::Tools => self.tools = tools::of_value_map(&value),
            Wanted::Context => self.context = map(&value),
            Wanted::Options => {
                if let [list] = &value[..] {
                    self.add_options(&options(list).map(split).unwrap_or_default());
                }
            }
        }
    }

    fn add_options(&mut self, options: &[Vec<Element<'_>>]) {
        for option in options {
            let [key, value @ ..] = option.as_slice() else {
                continue;
            };
            match key_text(key) {
                Some("context") => self.option = map(value).map(|it| (key.range, it)),
                Some("signature" | "prompt") => self.has_agent = true,
                _ => {}
            }
        }
    }
}

/// The map that `value` is.
fn map(value: &[Element<'_>]) -> Option<Value> {
    elixir::value(value).filter(|it| matches!(it.kind, ValueKind::Map(_)))
}

/// The evidence that the values of a call's names count.
#[derive(Debug, Clone, Copy)]
struct Certainty {
    /// Whether the call is one of the library.
    is_certain: bool,
    /// Whether there is a signature that counts.
    is_signed: bool,
    /// Whether the value of a name reads like one.
    reads_so: bool,
}

impl Certainty {
    fn of(unit: &Unit, bound: &[(&Wanted, BoundAt<'_>)]) -> Self {
        // A call that may be another library's only counts if something shows that it is not.
        let is_certain = unit.evidence != Evidence::Likely;
        let has_signature = unit.sites.iter().any(|site| is_signature(site.role));
        let reads_so = |(wanted, found): &(&Wanted, BoundAt<'_>)| {
            let is_wanted = matches!(wanted, Wanted::Literal { role, .. } if is_signature(*role));
            is_wanted && found.bound.signature >= Some(Evidence::Likely)
        };
        let reads_so = bound.iter().any(reads_so);
        Self {
            is_certain,
            is_signed: is_certain || has_signature || reads_so,
            reads_so,
        }
    }

    /// Whether `bound` counts in this role.
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

/// The places of a tool and its signature.
fn ranges(tool: &Tool) -> impl Iterator<Item = TextRange> {
    let signature = tool.signature().map(|it| it.literal);
    [tool.key].into_iter().chain(signature)
}

impl Links {
    /// The tool of the call at `place`, with what the names in it are bound to: its function and its signature.
    fn with_names(
        &self,
        lookup: &Lookup<'_>,
        mut tool: Tool,
        place: TextSize,
        reach: &mut Reach,
    ) -> Tool {
        let mut named_at = tool.range.start();
        if let Some(function) = &tool.function
            && let Some(bound) = lookup.at(function.binder, &function.name, named_at)
        {
            tool.bind_function(&bound.value());
        }
        for _ in 0..MAX_CHAIN {
            let Some(Contract::Name(binder, name)) = &tool.contract else {
                return tool;
            };
            let Some(bound) = lookup.at(*binder, name, named_at) else {
                break;
            };
            named_at = bound.start;
            tool.contract = match bound.literal() {
                Some(_) if !self.is_affordable(bound, place, reach) => None,
                Some(literal) => Some(Contract::Literal(literal)),
                None => Contract::of(&bound.value()).or_else(|| compiled(bound)),
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

/// The sort key of units: several may begin at one literal.
fn place(placed: &PlacedUnit) -> (TextSize, TextSize) {
    (placed.start, placed.unit.len)
}

/// The indices of the units to replace: those that are `removed`, those in `old`, and those between them and the
/// places of the `linked` ones after the edit.
fn reach(
    units: &Units,
    old: TextRange,
    removed: &BTreeSet<usize>,
    linked: &[PlacedUnit],
    edit: &TextEdit,
) -> Range<usize> {
    let inside = units.beginning_in(old);
    let mut first = inside.start;
    let mut end = inside.end;
    for &index in removed {
        first = first.min(index);
        end = end.max(index + 1);
    }
    let units = units.as_slice();
    for (start, len) in linked.iter().map(place) {
        let before = moved_back(start, edit);
        let key = (before, moved_back(start + len, edit) - before);
        first = first.min(units.partition_point(|it| place(it) < key));
        end = end.max(units.partition_point(|it| place(it) <= key));
    }
    first..end.max(first)
}
