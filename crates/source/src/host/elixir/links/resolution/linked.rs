//! The values of the names of a call, and the unit of the call with these values.

use super::{
    super::super::{
        contract::{items, options, split},
        flow::expr::{Expr, MapKey},
        literal::{key_text, literal, only_string},
        names::BoundAt,
        program,
        tool_forms::module_of_call,
        tools::{self, Form, Tool},
    },
    Wanted,
    certainty::Certainty,
    ranges,
};
use crate::{
    host::{
        Argument, Role, RolesIn, Unit,
        object::{self, Literal},
        token_tree::{Element, Kept},
        values::elixir,
    },
    order,
    text::{TextRange, TextSize},
    value::{Value, ValueKind},
};

/// The values of the names of a call; ranges count from the start of the document.
#[derive(Default)]
pub(super) struct Linked<'n> {
    literals: Vec<(Role, Option<&'n str>, Literal)>,
    program: Option<(Kept, TextSize)>,
    /// With those beside the names.
    pub(super) tools: Option<Vec<Tool>>,
    context: Option<Value>,
    /// The key and the value of `context:` in the list of the options.
    option: Option<(TextRange, Value)>,
    /// Whether that list describes the agent, too.
    pub(super) has_agent: bool,
    /// Whether the call runs an agent that is made elsewhere, so that the list cannot describe it.
    runs_agent: bool,
}

impl<'n> Linked<'n> {
    /// No values yet. `runs_agent` tells whether the call runs an agent that is made elsewhere.
    pub(super) fn new(runs_agent: bool) -> Self {
        Self {
            runs_agent,
            ..Self::default()
        }
    }

    /// Adds the value of a name.
    pub(super) fn add(&mut self, wanted: &'n Wanted, bound: BoundAt<'_>, certainty: Certainty) {
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
            Wanted::Tools => self.tools = tools_of(bound),
            Wanted::Context => self.context = map(&value),
            Wanted::Options => {
                if let [list] = &value[..] {
                    let is_certain = certainty.has(Role::Signature, bound.bound);
                    self.add_options(&options(list).map(split).unwrap_or_default(), is_certain);
                }
            }
        }
    }

    fn add_options(&mut self, options: &[Vec<Element<'_>>], is_certain: bool) {
        for option in options {
            let [key, value @ ..] = option.as_slice() else {
                continue;
            };
            match key_text(key) {
                Some("context") => self.option = map(value).map(|it| (key.range, it)),
                _ if self.runs_agent => {}
                Some("signature") => {
                    self.has_agent = true;
                    let string = only_string(value).filter(|_| is_certain);
                    let literal = string.map(|it| (Role::Signature, None, literal(&it)));
                    self.literals.extend(literal);
                }
                Some("prompt") => self.has_agent = true,
                _ => {}
            }
        }
    }

    /// The range of all texts of a unit with these values, of which `call` is the range without them.
    pub(super) fn extent_of_texts(&self, call: TextRange) -> TextRange {
        let literals = self.literals.iter().map(|(.., literal)| literal.literal);
        let program = self.program.iter().map(|(it, at)| it.element(*at).range);
        let options = self.option.iter().map(|(key, it)| key.cover(it.range));
        let texts = literals
            .chain(program)
            .chain(self.context.iter().map(|it| it.range))
            .chain(options)
            .chain(self.tools.iter().flatten().flat_map(ranges));
        texts.fold(call, TextRange::cover)
    }

    /// Adds the values to the `unit` of the call at `place`, which begins at `start` with them.
    pub(super) fn merge_into(
        self,
        unit: &mut Unit,
        place: TextSize,
        start: TextSize,
        roles: RolesIn<'_>,
    ) {
        let range = TextRange::new(start, place + unit.len);
        if start < place {
            unit.begin_earlier(place - start);
            unit.extras.make_mut().own = place - start;
        }
        let relative = |mut tool: Tool| {
            tool.map_ranges(&|range| range - start);
            tool
        };
        let tools = self.tools;
        unit.tools = tools.map(|it| it.into_iter().map(relative).collect());
        if let Some(context) = self.context {
            unit.set_argument("context", context.map_ranges(&|range| range - start));
        }
        if let Some((key, context)) = self.option {
            let context = context.map_ranges(&|range| range - start);
            let range = context.range;
            let read = context.relative_to(range.start());
            let argument = Argument::new("context", key - start, range, Some(read));
            unit.arguments.push(argument);
        }
        if let Some((string, at)) = &self.program {
            let program = program::read(&string.element(*at), start, roles);
            let program = program.map(|(program, _)| program);
            unit.program = program.unwrap_or_default().into();
        }
        unit.sites.reserve_exact(self.literals.len());
        for (role, owner, literal) in self.literals {
            let site = object::site(range, &literal, role, owner);
            if !unit.sites.contains(&site) {
                unit.sites.push(site);
            }
        }
        order::by_start(&mut unit.sites, |site| site.literal.start());
    }
}

/// The tools in the map that a name is bound to.
fn tools_of(bound: BoundAt<'_>) -> Option<Vec<Tool>> {
    let value = bound.value();
    let mut tools = tools::of_value_map(&value)?;
    let Some(Expr::List(entries)) = bound.bound.flow() else {
        return Some(tools);
    };
    for item in value.last().map(items).unwrap_or_default() {
        if let Some(module) = module_of_agent(&item, entries)
            && let Some(tool) = tools
                .iter_mut()
                .find(|it| Some(it.range.end()) == item.last().map(|it| it.range.end()))
        {
            tool.form = Form::Agent(module.into());
        }
    }
    Some(tools)
}

/// The module of the agent in an item of a map, whose values are `entries`, if it is `SubAgent.new(…)`.
fn module_of_agent(item: &[Element<'_>], entries: &[Expr]) -> Option<String> {
    let (key, value) = MapKey::of(item)?;
    let is_new = matches!(value, [.., name, _] if name.text() == "new");
    let is_agent = |it: &Expr| matches!(it, Expr::Entry(under, value) if **under == key && matches!(**value, Expr::Agent(_)));
    let is_agent = is_new && entries.iter().any(is_agent);
    module_of_call(value).filter(|_| is_agent)
}

/// The map that `value` is.
fn map(value: &[Element<'_>]) -> Option<Value> {
    elixir::value(value).filter(|it| matches!(it.kind, ValueKind::Map(_)))
}
