//! Pairs of brackets: maps, lists, tuples, and the arguments of calls.

use super::{
    super::{
        call::{Argument, Callee, is_name},
        contract::{Made, collect, is_long, is_tool_struct, made_by_library},
        flow::{
            access::PathCall,
            call::Call,
            facts::{EXECUTE, Uses, takes_step},
            takers::Taker,
        },
        found::{Found, NameFor},
        literal::key_text,
        modules::{LibraryCall, Module},
        names::Binder,
        tools::{self, form},
    },
    Finder, Place,
    calls::{Runner, executor, names_of_run, takes_tools, unread},
    items::{apart_from_entries, entries, is_code, is_function, key_before, unwrap_options},
};
use crate::{
    host::{
        KeyRole, Role,
        object::{self, Owner},
        roles::LIBRARY,
        token_tree::{Element, Kind},
    },
    text::TextRange,
};

/// A pair of brackets, and what the elements before it imply.
pub(super) struct Group<'t> {
    element: Element<'t>,
    /// The meaning of the first argument, if the group is the argument list of a known call.
    first_argument: Option<KeyRole>,
    /// The first argument, if it is piped into the call.
    piped: Option<Argument<'t>>,
    /// Whether it is a tuple.
    is_tuple: bool,
    /// Whether it is the arguments of a call of the library.
    takes_options: bool,
    /// Whether it is in a call of the library, so that its literals count.
    is_ours: bool,
    /// Its result, if it is the argument list of a call or a struct of the library.
    made: Option<Made>,
    /// The key of which it is the value, or the call of which it is the argument list.
    key: Option<Element<'t>>,
    /// Whether it is a map of tools.
    holds_tools: bool,
    /// Whether it is a value in such a map.
    is_tool: bool,
    /// Whether it is an argument of a call, or a field of a struct, of the library that takes tools, or a value in the
    /// map of tools there.
    is_given: bool,
    /// Whether its value of the key for tools counts.
    takes_tools: bool,
    /// Whether the call of which it is the argument list, the struct whose fields it has, or else the one around it, is
    /// only assumed to be one of the library.
    is_assumed: bool,
    /// The call that runs an agent, if this is its argument list.
    runner: Option<Box<Runner<'t>>>,
    /// The call that passes a value to a function, if this is its argument list.
    taker: Option<Box<Taker>>,
    /// The call that takes a path into a value, if this is its argument list.
    path_call: Option<Box<PathCall<'t>>>,
}

impl<'t> Group<'t> {
    /// What is found in it before its items are read.
    #[inline]
    fn found(&self) -> Found<'t> {
        Found {
            range: Some(self.element.range),
            is_ours: self.is_ours,
            is_assumed: self.is_assumed,
            takes_tools: self.takes_tools,
            makes_tool: self.made == Some(Made::Tool),
            ..Found::default()
        }
    }

    /// Adds what its first item, or what is piped into the call, says as the first argument of a call.
    #[inline]
    fn read_first(&self, first: &[Element<'t>], found: &mut Found<'t>) {
        // A run of an agent does not read its `tools:`.
        let is_prompted = self.first_argument == Some(KeyRole::Prompt)
            && matches!(
                self.piped.or_else(|| Argument::of(first)),
                Some(Argument::String(_))
            );
        let is_call = self.element.kind() == Kind::Parens;
        found.needs_map =
            is_prompted || is_call && matches!(self.made, Some(Made::Agent | Made::Tool));
        if let Some(role) = self.first_argument {
            found.first_argument(role, self.piped.or_else(|| Argument::of(first)));
            found.unread = unread(role, first).filter(|_| self.piped.is_none());
        }
    }

    /// Whether it is a tuple with a tool, whose function is its `first` item.
    #[inline]
    fn is_tuple_of_tool(&self, first: &[Element<'t>]) -> bool {
        let is_named = self.key.is_some() && !first.is_empty() && !form::is_other_literal(first);
        self.is_tuple && (self.is_tool || is_named || is_function(first))
    }

    /// Adds what the `elements` of a tuple with a tool say: its second item is the signature if it is the last one.
    #[inline]
    fn read_tuple(&self, elements: &[Element<'t>], found: &mut Found<'t>) {
        found.is_ours |= self.is_tool && self.is_given;
        let mut items = items(elements).skip(1);
        if let (Some(second), None) = (items.next(), items.next()) {
            found.argument(Some(Role::Tool), Argument::of(second));
        }
    }

    /// The context of its items, which have these `elements`. Adds the tool of `PtcRunner.Tool.new(…)`, whose name is the
    /// first item.
    #[inline]
    fn place_of_items(&self, elements: &[Element<'t>], found: &mut Found<'t>) -> Place<'t> {
        let place = Place {
            in_tools: self.holds_tools,
            tool_name: None,
            is_ours: match self.holds_tools {
                true => self.is_given,
                false => self.takes_tools,
            },
            is_assumed: self.is_assumed,
        };
        if self.made != Some(Made::NamedTool) {
            return place;
        }
        let mut items = items(elements);
        let (Some([name]), Some(value)) = (items.next(), items.next()) else {
            return place;
        };
        if key_text(name).is_none() {
            return place;
        }
        found.tools = tools::of_value(name, value).map(|tool| vec![tool]);
        Place {
            in_tools: true,
            tool_name: Some(*name),
            ..place
        }
    }

    /// What owns its literals; `name` is that under its key for names, and `is_tool` tells whether it is a tuple with a
    /// tool.
    #[inline]
    fn owner(&self, is_tool: bool, name: Option<&'t str>) -> Owner<'t> {
        // Elsewhere than in a map of tools, `do:` and the keys of options name no tool.
        let key = self.key.filter(|it| self.is_tool || it.kind() != Kind::Key);
        let key = key.as_ref().and_then(key_text);
        let makes_tool = self.made == Some(Made::Tool) && (key.is_some() || name.is_some());
        // Programs call a tool by its key in a map of tools.
        let is_registered = makes_tool || self.made == Some(Made::Agent);
        let name = match is_tool || self.is_tool && is_registered {
            true => key.or(name),
            false => name.or(key.filter(|_| makes_tool)),
        };
        Owner {
            is_tool: is_tool || makes_tool,
            name,
        }
    }
}

/// The parts of the elements of a group between its commas.
#[inline]
fn items<'e, 't>(elements: &'e [Element<'t>]) -> impl Iterator<Item = &'e [Element<'t>]> {
    elements.split(|element| element.kind() == Kind::Comma)
}

impl<'t, 'r: 't> Finder<'t, 'r> {
    /// Reads the items of a group, and finishes it.
    pub(super) fn group(&mut self, group: &Group<'t>) {
        let mut elements = std::mem::take(&mut self.elements);
        elements.clear();
        let inside = group.element.elements().filter(is_code);
        collect(&group.element, inside, &mut elements);
        if group.takes_options {
            unwrap_options(&mut elements);
        }
        let mut found = group.found();
        let is_plain = self.is_plain(group, &elements);
        if !is_plain {
            found.reserve(&elements);
        }
        let first = items(&elements).next().unwrap_or_default();
        group.read_first(first, &mut found);
        let is_tool = group.is_tuple_of_tool(first);
        if is_tool {
            group.read_tuple(&elements, &mut found);
        }
        let place = group.place_of_items(&elements, &mut found);
        self.visit_items(group, &elements, place, is_plain, &mut found);
        if group.first_argument == Some(KeyRole::Program) {
            found.names.extend(context_of_program(&elements));
        }
        if let Some(runner) = &group.runner {
            self.run(runner, group.element, &elements, &mut found);
        }
        let owner = group.owner(is_tool, found.name);
        if let Some(range) = found.range {
            self.finish(found, range, owner);
        }
        if !is_long(&group.element) {
            self.elements = elements;
        }
    }

    /// Adds the items of a group to the places to visit, and what they say to `found`. `place` is the context of each.
    #[inline]
    fn visit_items(
        &mut self,
        group: &Group<'t>,
        elements: &[Element<'t>],
        place: Place<'t>,
        is_plain: bool,
        found: &mut Found<'t>,
    ) {
        // The agent in `SubAgent.as_tool(…)` has the name of the tool.
        let wraps = group.made == Some(Made::AgentTool) && group.is_tool;
        let wrapped = group.key.filter(|_| wraps);
        let arguments = || items(elements).collect::<Vec<_>>();
        let taker = group.taker.as_ref();
        let given = taker.and_then(|it| it.gives(&arguments(), self.reader()));
        let path_call = group.path_call.as_ref();
        let is_put = path_call.is_some_and(|it| it.puts(&arguments()));
        let choosers = path_call.and_then(|it| it.choosers(&arguments(), self.reader()));
        self.choosers.extend(choosers.into_iter().flatten());
        let apart = apart_from_entries(&group.element, elements);
        for (index, item) in entries(elements).enumerate() {
            let given = given.as_ref().filter(|(_, to)| to.contains(&index));
            let place = match wrapped.filter(|_| index == 0) {
                Some(key) => Place {
                    in_tools: true,
                    tool_name: Some(key),
                    ..place
                },
                None => place,
            };
            let before = self.left.len();
            self.visit_later(item, place, given.map(|(given, _)| given));
            if is_long(&group.element) {
                // Not after all items, which may have one each.
                self.visit_left(before);
            }
            match index == 0 && is_put {
                true => self.put(item),
                false => self.reads(item),
            }
            // What is found in a long item would else be alive while its parts are visited.
            if index >= apart || item.iter().any(|it| it.text() == "|>") {
                if !is_plain {
                    self.keyed(item, found);
                }
                self.calls_without_parentheses(item, found);
            }
        }
        if is_plain && !found.says_nothing() {
            for item in entries(elements).skip(apart) {
                self.keyed(item, found);
            }
        }
    }

    /// Adds what the call that runs an agent says, whose argument list `element` has these `elements`.
    fn run(
        &self,
        runner: &Runner<'t>,
        element: Element<'t>,
        elements: &[Element<'t>],
        found: &mut Found<'t>,
    ) {
        let call = Call {
            path: &runner.path,
            arguments: items(elements).collect(),
            piped: runner.piped.clone(),
        };
        found.names.extend(names_of_run(runner, &call));
        if runner.function == EXECUTE
            && let Some(context) = call.arguments.first()
        {
            found.context(context);
        }
        if takes_step(runner.function) {
            found.drop_context();
        }
        found.flows = Uses::of_call(self.reader(), runner.function, &call);
        if let Some(start) = found.flows.start()
            && start < element.range.start()
        {
            found.cover(TextRange::empty(start));
        }
    }

    /// Whether a long group has only keys without a meaning, so that its entries only count if something else has one.
    fn is_plain(&self, group: &Group<'t>, elements: &[Element<'t>]) -> bool {
        let matters = |it: &Element<'t>| {
            key_text(it).is_some_and(|key| object::matters(key, self.reading.roles))
        };
        let is_call = group.first_argument.is_some() || group.runner.is_some();
        is_long(&group.element) && !is_call && !elements.iter().any(matters)
    }

    /// Whether `rest` makes a tool of the agent before it: `|> SubAgent.as_tool()`.
    fn wraps_agent(&self, rest: &[Element<'t>]) -> bool {
        let [pipe, path @ .., arguments] = rest else {
            return false;
        };
        let callee = Callee::ending(path).filter(|it| it.path().len() == path.len());
        let call = callee.and_then(|it| self.reading.modules.call(&it));
        let made = call.and_then(|it| made_by_library(&it));
        pipe.text() == "|>" && arguments.kind() == Kind::Parens && made == Some(Made::AgentTool)
    }

    /// The pair of brackets at `at` of an item.
    pub(super) fn group_at(&self, item: &[Element<'t>], at: usize, place: Place<'t>) -> Group<'t> {
        let element = item[at];
        let before = &item[..at];
        let touching = before
            .last()
            .filter(|last| last.range.end() == element.range.start());
        let callee = touching
            .filter(|_| element.kind() == Kind::Parens)
            .and_then(|_| Callee::ending(before));
        let piped = callee.and_then(|callee| callee.piped());
        let role = callee
            .filter(|callee| piped.is_some() || !callee.is_piped())
            .and_then(|callee| self.role_of_call(&callee));
        let is_map = touching.is_some_and(|last| {
            last.text() == "%" || matches!(last.kind(), Kind::Alias | Kind::Symbol)
        });
        let names = before.iter().rev();
        let names = names.take_while(|it| is_name(it) || matches!(it.text(), "." | "%"));
        let before_name = &before[..before.len() - names.count()];
        let struct_name = touching
            .filter(|_| element.kind() == Kind::Braces)
            .map(|_| &before[before_name.len()..]);
        let maker = Maker {
            call: callee.and_then(|callee| self.reading.modules.call(&callee)),
            of_struct: struct_name.and_then(|it| self.reading.modules.named(it)),
        };
        let made = maker.made();
        let is_struct = maker.of_struct.is_some_and(|it| takes_tools(it.name));
        let before_value = match made {
            Some(Made::Tool | Made::Agent | Made::AgentTool) => before_name,
            Some(Made::NamedTool) | None => before,
        };
        let rest = &item[at + 1..];
        let is_whole = rest.is_empty() || made == Some(Made::Agent) && self.wraps_agent(rest);
        let key = is_whole.then(|| key_before(before_value)).flatten();
        let runner = match callee {
            Some(callee) => self.runner(&callee),
            None => touching.and_then(|_| executor(before)),
        };
        let taker = callee.and_then(|callee| Taker::of(&callee, self.reader()));
        let path_call = callee.and_then(|callee| PathCall::of(&callee, self.reader()));
        Group {
            element,
            first_argument: role,
            piped: piped.filter(|_| role.is_some()),
            is_ours: role.is_some() || maker.call.is_some() || is_struct,
            is_assumed: maker
                .is_assumed()
                .unwrap_or(role.is_none() && place.is_assumed),
            is_tuple: element.kind() == Kind::Braces && !is_map,
            takes_options: maker.call.is_some(),
            made,
            key: key.or(place.tool_name),
            holds_tools: is_map && self.is_value_of_tools(before),
            is_tool: place.in_tools && (key.is_some() || place.tool_name.is_some()),
            is_given: place.is_ours,
            takes_tools: role.is_some()
                || made.is_some()
                || is_struct
                || maker.call.is_some_and(|it| takes_tools(it.module)),
            runner: runner.map(Box::new),
            taker: taker.map(Box::new),
            path_call: path_call.map(Box::new),
        }
    }

    /// Whether the sign of a map is the last element of `before`, and a key for tools precedes it.
    fn is_value_of_tools(&self, before: &[Element<'t>]) -> bool {
        let Some((sign, before)) = before.split_last() else {
            return false;
        };
        sign.text() == "%" && key_before(before).is_some_and(|key| self.is_tools_key(&key))
    }
}

/// The call or the struct whose arguments or fields a group is, if it is one of the library.
#[derive(Clone, Copy)]
struct Maker<'m> {
    call: Option<LibraryCall<'m>>,
    of_struct: Option<Module<'m>>,
}

impl Maker<'_> {
    /// Its result.
    fn made(self) -> Option<Made> {
        if let Some(call) = self.call {
            return made_by_library(&call);
        }
        let path = [LIBRARY, self.of_struct?.name].into_iter();
        is_tool_struct(path).then_some(Made::Tool)
    }

    /// Whether it is only assumed to be one; `None` if it is none.
    fn is_assumed(self) -> Option<bool> {
        let of_call = self.call.map(|it| it.is_assumed);
        of_call.or(self.of_struct.map(|it| it.is_assumed))
    }
}

/// The name in place of the context of a program.
fn context_of_program<'t>(arguments: &[Element<'t>]) -> Option<(NameFor, Binder, &'t str)> {
    let mut items = arguments.split(|it| it.kind() == Kind::Comma);
    let context = items.find_map(|item| match item {
        [key, value @ ..] if key_text(key) == Some("context") => Some(value),
        _ => None,
    })?;
    match Argument::of(context)? {
        Argument::Name(binder, name) => Some((NameFor::Context, binder, name)),
        Argument::String(_) => None,
    }
}
