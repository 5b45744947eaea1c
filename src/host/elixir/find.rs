//! Finds units: walks lists of arguments, maps, tuples and statements.
//!
//! The walk keeps a list of places to visit instead of recursing. Every list is split at its commas; [`RolesIn`]
//! defines the meaning of its keys and calls.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    bound,
    call::{Argument, Callee, is_name},
    contract::{Made, is_tool_struct, made_by, options},
    doc,
    flow::{
        call::Call,
        expr::Expr,
        facts::{self, EXECUTE, Uses},
        reader::{LONGEST_LIST, Reader},
        takers::Taker,
    },
    found::{Found, FoundEntry, NameFor, role_of},
    head,
    links::{self, Parts, Reference, Use, is_checked},
    literal::{is_library_sigil, is_template, is_text, key_text, literal, only_string, text_of},
    modules::{Module, Modules},
    names::{self, Around, Binder},
    pieces::{StatementList, each_statement},
    program,
    statement::{Part, is_delimiter, is_entry, lacks_comma},
    tools::{self, Tool},
};
use crate::{
    host::{
        KeyRole, Notation, PlacedUnit, Role, RolesIn, Unit, Unread,
        evidence::{self, Evidence},
        object::{self, Owner, Property, Value},
        roles::{LIBRARY, MODULES},
        token_tree::{Element, Kind, range_of},
        values::elixir,
    },
    order, parallel,
    text::{TextRange, TextSize},
};

/// The units in the statements of `block` in `region`, whose ends are between statements. `is_body` tells whether the
/// block is the body of a function.
pub fn find(
    (block, is_body): (Element<'_>, bool),
    region: TextRange,
    reading: Reading<'_>,
) -> Parts {
    let mut finder = Finder::new(reading);
    match block.kind {
        Kind::Brackets => finder.items(block, region),
        _ => finder.block(block, region, is_body),
    }
    finder.into_parts()
}

/// What the meaning of code depends on.
#[derive(Clone, Copy)]
pub struct Reading<'r> {
    /// The meaning of keys and calls.
    pub roles: RolesIn<'r>,
    /// The meaning of module names.
    pub modules: &'r Modules,
    /// Whether it is an example in a text, which may show entries of a call without the call.
    pub is_example: bool,
    /// The length of the pieces in which long blocks are read.
    pub piece: TextSize,
}

impl Reading<'_> {
    /// A longer block is read in pieces.
    fn long(&self) -> TextSize {
        self.piece + self.piece
    }
}

/// Places to visit.
enum Left<'t> {
    Block {
        block: Element<'t>,
        /// The value that its clauses match.
        subject: Option<Arc<Expr>>,
        /// Whether it is the body of a function.
        is_body: bool,
    },
    Group(Group<'t>),
}

/// A pair of brackets, and what the elements before it imply.
struct Group<'t> {
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
    /// Whether it is a call of the library with that map, or the map itself.
    is_given: bool,
    /// Whether its value of the key for tools counts.
    takes_tools: bool,
    /// Whether that call is only assumed to be one of the library.
    is_assumed: bool,
    /// The call that runs an agent, if this is its argument list.
    runner: Option<Runner<'t>>,
    /// The call that passes a value to a function, if this is its argument list.
    taker: Option<Taker>,
}

/// A call that runs an agent.
struct Runner<'t> {
    function: &'t str,
    path: Vec<Element<'t>>,
    piped: Option<Arc<Expr>>,
}

/// The context of an item in a list.
#[derive(Clone, Copy, Default)]
struct Place<'t> {
    /// Whether it is an entry of a map of tools.
    in_tools: bool,
    /// The name of the tool.
    tool_name: Option<Element<'t>>,
    /// Whether the list belongs to the library, or is the map of tools in such a list.
    is_ours: bool,
    /// Whether that is only assumed.
    is_assumed: bool,
}

pub(super) struct Finder<'t, 'r> {
    reading: Reading<'r>,
    left: Vec<Left<'t>>,
    pub(super) parts: Parts,
    /// The sigils that are always templates.
    templates: Vec<Element<'t>>,
    /// The elements of the current list; kept to reuse the memory.
    elements: Vec<Element<'t>>,
    /// The units of the places that read results, which differ in nothing but their length.
    pub(super) read_units: HashMap<TextSize, Arc<Unit>>,
}

impl<'t, 'r: 't> Finder<'t, 'r> {
    fn new(reading: Reading<'r>) -> Self {
        Self {
            reading,
            left: Vec::new(),
            parts: Parts::default(),
            templates: Vec::new(),
            elements: Vec::new(),
            read_units: HashMap::new(),
        }
    }

    /// Visits what is left, and returns what was found in the order of the text.
    fn into_parts(mut self) -> Parts {
        while let Some(next) = self.left.pop() {
            match next {
                Left::Block {
                    block,
                    subject,
                    is_body,
                } => {
                    let names = &mut self.parts.names;
                    names.add_subject(block.range, subject.as_deref());
                    self.block(block, block.range, is_body);
                }
                Left::Group(group) => self.group(&group),
            }
        }
        self.templates_alone();
        let mut parts = self.parts;
        order::by_range(&mut parts.units, PlacedUnit::range);
        order::by_start(&mut parts.uses, |it| it.start);
        parts.names.sort();
        parts.statements.sort();
        parts
    }

    /// Reads the items of `list` in `region`, none of which is an entry that counts.
    fn items(&mut self, list: Element<'t>, region: TextRange) {
        let elements = list.elements_in(region);
        let elements: Vec<_> = elements.filter(is_code).collect();
        for item in entries(&elements) {
            self.visit_later(item, Place::default(), None);
            self.reads(item);
        }
    }

    fn block(&mut self, block: Element<'t>, region: TextRange, is_body: bool) {
        let around = Around {
            reader: self.reader(),
            block: block.range,
            is_body,
        };
        if block.range.intersect(region).unwrap_or_default().len() > self.reading.long() {
            return self.long_block(block, region, around);
        }
        let mut elements = std::mem::take(&mut self.elements);
        each_statement(
            (block, region),
            self.reading.is_example,
            &mut elements,
            &mut |statement, is_head| self.add_statement(statement, around, is_head),
        );
        self.elements = elements;
    }

    /// Reads the pieces of a long block on several threads.
    fn long_block(&mut self, block: Element<'t>, region: TextRange, around: Around<'r>) {
        let reading = self.reading;
        let mut statements = StatementList::default();
        each_statement(
            (block, region),
            self.reading.is_example,
            &mut Vec::new(),
            &mut |statement, is_head| statements.push(statement, is_head),
        );
        let pieces = statements.pieces(reading.piece);
        // What is in a piece is sorted, so that nested long blocks must not all be read in pieces.
        let inside = Reading {
            piece: reading.long(),
            ..reading
        };
        let parts = parallel::map_long(&pieces, |piece| {
            let mut finder = Finder::new(inside);
            for (statement, is_head) in statements.iter(piece.clone()) {
                finder.add_statement(statement, around, is_head);
            }
            finder.into_parts()
        });
        for part in parts {
            self.parts.append(part);
        }
    }

    /// Adds a statement; entries on the lines after it are separate statements.
    fn add_statement(&mut self, elements: &[Element<'t>], around: Around<'r>, is_head: bool) {
        let mut left = elements;
        while let Some(end) = end_of_entries(left) {
            let (first, rest) = left.split_at(end);
            self.parts.names.add_statement(first, around, false);
            self.statement(first, false);
            left = rest;
        }
        self.parts.names.add_statement(left, around, is_head);
        self.statement(left, is_head);
    }

    /// A unit of a statement ends before a `do` block, so that no unit contains a block.
    fn statement(&mut self, elements: &[Element<'t>], is_head: bool) {
        self.parts.statements.add(elements);
        match is_head {
            true => self.head(elements),
            false => {
                self.patterns(elements);
                self.parameters(elements);
            }
        }
        self.parts.units.extend(head::unit(elements));
        self.parts
            .units
            .extend(bound::unit(elements, self.reading.roles));
        self.parts
            .units
            .extend(doc::units(elements, self.reading.roles));
        for part in elements.split(|element| element.kind == Kind::DoBlock) {
            let called = self.calls_library(part);
            let mut found = Found {
                is_ours: called.is_some(),
                is_assumed: called.is_some_and(|it| it.is_assumed),
                takes_tools: called.is_some(),
                ..Found::default()
            };
            let place = Place {
                is_ours: found.is_ours,
                is_assumed: found.is_assumed,
                ..Place::default()
            };
            for item in entries(part) {
                self.keyed(item, &mut found);
                self.calls_without_parentheses(item, &mut found);
                self.visit_later(item, place, None);
                self.reads(item);
            }
            self.finish(found, Owner::default());
        }
        for (at, block) in elements.iter().enumerate() {
            if block.kind == Kind::DoBlock {
                self.left.push(Left::Block {
                    block: *block,
                    subject: self.subject(&elements[..at]),
                    is_body: names::is_definition(elements),
                });
            }
        }
    }

    fn group(&mut self, group: &Group<'t>) {
        let mut elements = std::mem::take(&mut self.elements);
        elements.clear();
        elements.extend(group.element.elements().filter(is_code));
        if group.takes_options {
            unwrap_options(&mut elements);
        }
        let items = elements.split(|element| element.kind == Kind::Comma);
        let mut found = Found {
            range: Some(group.element.range),
            is_ours: group.is_ours,
            is_assumed: group.is_assumed,
            takes_tools: group.takes_tools,
            ..Found::default()
        };
        let first = items.clone().next().unwrap_or_default();
        if let Some(role) = group.first_argument {
            found.first_argument(role, group.piped.or_else(|| Argument::of(first)));
            found.unread = unread(role, first).filter(|_| group.piped.is_none());
        }
        let is_named = group.key.is_some() && !first.is_empty() && !tools::is_other_literal(first);
        let is_tool = group.is_tuple && (group.is_tool || is_named || is_function(first));
        found.is_ours |= is_tool && group.is_tool && group.is_given;
        if let (true, Some(second), None) = (is_tool, items.clone().nth(1), items.clone().nth(2)) {
            found.argument(Some(Role::Tool), Argument::of(second));
        }
        let mut place = Place {
            in_tools: group.holds_tools,
            tool_name: None,
            is_ours: match group.holds_tools {
                true => group.is_given,
                false => group.takes_tools,
            },
            is_assumed: group.is_assumed,
        };
        if let (Some(Made::NamedTool), [name], Some(value)) =
            (group.made, first, items.clone().nth(1))
            && key_text(name).is_some()
        {
            place = Place {
                in_tools: true,
                tool_name: Some(*name),
                ..place
            };
            found.tools = tools::of_value(name, value).map(|tool| vec![tool]);
        }
        let taker = group.taker.as_ref();
        let given = taker.and_then(|it| it.gives(first, self.reader()));
        let apart = apart_from_entries(&group.element, &elements);
        for (index, item) in entries(&elements).enumerate() {
            if index >= apart || item.iter().any(|it| it.text() == "|>") {
                self.keyed(item, &mut found);
                self.calls_without_parentheses(item, &mut found);
            }
            self.visit_later(item, place, given.as_ref());
            self.reads(item);
        }
        if let Some(runner) = &group.runner {
            let items = elements.split(|element| element.kind == Kind::Comma);
            let call = Call {
                path: &runner.path,
                arguments: items.map(<[_]>::to_vec).collect(),
                piped: runner.piped.clone(),
            };
            found.names.extend(names_of_run(runner, &call));
            if runner.function == EXECUTE
                && let Some(context) = call.arguments.first()
            {
                found.context(context);
            }
            found.flows = Uses::of_call(self.reader(), runner.function, &call);
            if let Some(start) = found.flows.start()
                && start < group.element.range.start()
            {
                found.cover(TextRange::empty(start));
            }
        }
        let key = group.key.as_ref().and_then(key_text);
        let makes_tool =
            group.made == Some(Made::Tool) && (key.is_some() || found.name().is_some());
        // Programs call a tool by its key in a map of tools. Elsewhere the key, as in `do: %Tool{…}`, need not be a
        // name.
        let name = match is_tool || group.is_tool && makes_tool {
            true => key.or(found.name()),
            false => found.name().or(key.filter(|_| makes_tool)),
        };
        let owner = Owner {
            is_tool: is_tool || makes_tool,
            name,
        };
        self.finish(found, owner);
        self.elements = elements;
    }

    /// Adds the keys of one item of a list with their values.
    fn keyed(&self, item: &[Element<'t>], found: &mut Found<'t>) {
        for (at, element) in item.iter().enumerate() {
            let (key, value) = match element.kind {
                Kind::Key | Kind::QuotedKey => (element, &item[at + 1..]),
                Kind::Operator if element.text() == "=>" && at > 0 => {
                    (&item[at - 1], &item[at + 1..])
                }
                _ => continue,
            };
            if key_text(key) == Some(OUTPUT_SIGNATURE) {
                found.alone.extend(only_string(value));
            }
            if let Some(entry) = self.entry(key, value) {
                let is_tools = self.reading.roles.of_key(entry.entry.key) == Some(KeyRole::Tools);
                let wanted = match entry.role {
                    Some(role) => Some(NameFor::Literal(role)),
                    None => (is_tools && found.takes_tools).then_some(NameFor::Tools),
                };
                if let (Some(wanted), Some(Argument::Name(binder, name))) =
                    (wanted, Argument::of(value))
                {
                    found.names.push((wanted, binder, name));
                }
                if is_tools && found.tools.is_none() {
                    found.tools = tools::of_value_map(value);
                }
                found.entry(key, value, entry);
            }
        }
    }

    fn entry(&self, key: &Element<'t>, value: &[Element<'t>]) -> Option<FoundEntry<'t>> {
        let text = key_text(key)?;
        let role = self
            .reading
            .roles
            .of_key(text)
            .filter(|_| key.kind != Kind::String);
        let range = range_of(value)?;
        let name = only_string(value).filter(|_| role == Some(KeyRole::Name));
        let role = role.and_then(role_of);
        let string = role.and_then(|role| Some((role, only_string(value)?)));
        let read = object::reads_value(text).then(|| elixir::value(value));
        let value = match &string {
            Some((_, string)) => Value::Literal(literal(string)),
            None => Value::Other(range),
        };
        let entry = Property {
            key: text,
            key_range: key.range,
            value,
            read: read.flatten(),
        };
        Some(FoundEntry {
            entry,
            role,
            string,
            name: name.as_ref().and_then(key_text),
        })
    }

    /// The module of the library that `elements` use, or whose function they call, without parentheses.
    fn calls_library(&self, elements: &[Element<'t>]) -> Option<Module<'t>> {
        let used = match elements {
            [word, rest @ ..] if word.text() == "use" => {
                let is_part = |it: &&Element<'_>| it.kind == Kind::Alias || it.text() == ".";
                let len = rest.iter().take_while(is_part).count();
                self.reading.modules.named(&rest[..len])
            }
            _ => None,
        };
        let calls = |at: usize| {
            let next = elements.get(at + 1)?;
            let has_arguments = !matches!(next.kind, Kind::Parens | Kind::Operator);
            let callee = Callee::ending(&elements[..=at]).filter(|_| has_arguments)?;
            let call = self.reading.modules.call(&callee)?;
            Some(Module::from(call))
        };
        let mut symbols = (0..elements.len()).filter(|at| elements[*at].kind == Kind::Symbol);
        used.or_else(|| symbols.find_map(calls))
    }

    /// The role of a call's first argument.
    fn role_of_call(&self, callee: &Callee<'_, 't>) -> Option<KeyRole> {
        let library = self.reading.modules.call(callee);
        let role =
            library.and_then(|it| self.reading.roles.of_library_call(it.module, it.function));
        role.or_else(|| self.reading.roles.of_added_call(callee.segments()))
    }

    /// Whether a call is only assumed to be one of the library.
    fn is_assumed(&self, callee: &Callee<'_, 't>) -> bool {
        self.reading
            .modules
            .call(callee)
            .is_some_and(|it| it.is_assumed)
    }

    /// Adds the first arguments of calls such as `SubAgent.run "…", …` or `"…" |> Signature.parse`, and the values of
    /// module attributes.
    fn calls_without_parentheses(&self, item: &[Element<'t>], found: &mut Found<'t>) {
        for at in 1..item.len() {
            if is_attribute(&item[..at]) {
                found.string(self.role_of_attribute(item, at), &item[at]);
            } else if let Some((callee, role)) = self.role_of_argument(item, at) {
                found.is_ours = true;
                found.is_assumed |= self.is_assumed(&callee);
                found.string(Some(role), &item[at]);
            }
            if let Some((callee, role, argument)) = self.piped_without_parentheses(item, at) {
                found.is_ours = true;
                found.is_assumed |= self.is_assumed(&callee);
                found.first_argument(role, Some(argument));
            }
        }
    }

    /// The string before the pipe at `at`, and its role in the call after that.
    fn piped_without_parentheses<'s>(
        &self,
        item: &'s [Element<'t>],
        at: usize,
    ) -> Option<(Callee<'s, 't>, KeyRole, Argument<'t>)> {
        if item[at].text() != "|>" {
            return None;
        }
        let names = item[at + 1..].iter();
        let len = names
            .take_while(|it| is_name(it) || it.text() == ".")
            .count();
        let end = at + 1 + len;
        if item.get(end).is_some_and(|next| next.kind == Kind::Parens) {
            return None;
        }
        let callee = Callee::ending(&item[..end])?;
        let role = self.role_of_call(&callee)?;
        Some((callee, role, callee.piped()?))
    }

    /// The role of the string at `at`, the value of a module attribute.
    fn role_of_attribute(&self, item: &[Element<'t>], at: usize) -> Option<Role> {
        if !is_text(&item[at]) || at + 1 < item.len() {
            return None;
        }
        let name = item[at - 1].text();
        let is_signature = self.reading.roles.of_key(name) == Some(KeyRole::Signature)
            && (self.reading.roles.is_added_key(name)
                || evidence::of_signature(&text_of(&item[at])) >= Some(Evidence::Likely));
        is_signature.then_some(Role::Signature)
    }

    /// The call without parentheses whose only argument is the string at `at`, and the role of the string.
    fn role_of_argument<'s>(
        &self,
        item: &'s [Element<'t>],
        at: usize,
    ) -> Option<(Callee<'s, 't>, Role)> {
        if !is_text(&item[at]) || at + 1 < item.len() {
            return None;
        }
        let callee = Callee::ending(&item[..at])?;
        if callee.is_piped() {
            return None;
        }
        Some((callee, role_of(self.role_of_call(&callee)?)?))
    }

    /// Records the groups, blocks and interpolations of an item of a list. `given` is what functions among them are
    /// called with.
    fn visit_later(&mut self, item: &[Element<'t>], place: Place<'t>, given: Option<&Arc<Expr>>) {
        if let ([and, ..], Some(given), Some(range)) = (item, given, range_of(item))
            && and.text() == "&"
        {
            self.parts.names.add_capture(range, given);
        }
        for (at, element) in item.iter().enumerate() {
            match element.kind {
                Kind::Symbol => self.parts.names.add_call(item, at, self.reader()),
                Kind::Operator if element.text() == "&" => {
                    self.parts.names.add_captured(item, at, given);
                }
                Kind::DoBlock | Kind::FnBlock => self.left.push(Left::Block {
                    block: *element,
                    subject: match at {
                        0 if element.kind == Kind::FnBlock => given.cloned(),
                        _ => self.subject(&item[..at]),
                    },
                    is_body: false,
                }),
                kind if kind.is_group() => {
                    let group = self.group_at(item, at, place);
                    self.left.push(Left::Group(group));
                }
                kind if kind.is_string() => {
                    let code = element
                        .elements()
                        .filter(|it| it.kind == Kind::Interpolation);
                    self.left.extend(code.map(|block| Left::Block {
                        block,
                        subject: None,
                        is_body: false,
                    }));
                    if is_template(element) {
                        self.templates.push(*element);
                    }
                }
                _ => {}
            }
        }
    }

    fn group_at(&self, item: &[Element<'t>], at: usize, place: Place<'t>) -> Group<'t> {
        let element = item[at];
        let before = &item[..at];
        let touching = before
            .last()
            .filter(|last| last.range.end() == element.range.start());
        let callee = touching
            .filter(|_| element.kind == Kind::Parens)
            .and_then(|_| Callee::ending(before));
        let piped = callee.and_then(|callee| callee.piped());
        let role = callee
            .filter(|callee| piped.is_some() || !callee.is_piped())
            .and_then(|callee| self.role_of_call(&callee));
        let is_map = touching.is_some_and(|last| {
            last.text() == "%" || matches!(last.kind, Kind::Alias | Kind::Symbol)
        });
        let names = before.iter().rev();
        let names = names.take_while(|it| is_name(it) || matches!(it.text(), "." | "%"));
        let before_name = &before[..before.len() - names.count()];
        let library = callee.and_then(|callee| self.reading.modules.call(&callee));
        let struct_module = touching
            .filter(|_| element.kind == Kind::Braces)
            .and_then(|_| self.reading.modules.named(&before[before_name.len()..]));
        let made = match (library, struct_module) {
            (Some(call), _) => made_by([LIBRARY, call.module, call.function].into_iter()),
            (None, Some(module)) => {
                is_tool_struct([LIBRARY, module.name].into_iter()).then_some(Made::Tool)
            }
            (None, None) => None,
        };
        let is_assumed = match (library, struct_module) {
            (Some(call), _) => call.is_assumed,
            (None, Some(module)) => module.is_assumed,
            (None, None) => role.is_none() && place.is_assumed,
        };
        let is_struct = struct_module.is_some_and(|it| takes_tools(it.name));
        let before_value = if made == Some(Made::Tool) {
            before_name
        } else {
            before
        };
        let key = (at + 1 == item.len())
            .then(|| key_before(before_value))
            .flatten();
        let is_value = is_map && before.last().is_some_and(|last| last.text() == "%");
        let holds_tools = is_value
            && key_before(&before[..before.len() - 1]).is_some_and(|key| self.is_tools_key(&key));
        Group {
            element,
            first_argument: role,
            piped: piped.filter(|_| role.is_some()),
            is_ours: role.is_some() || library.is_some() || is_struct,
            is_assumed,
            is_tuple: element.kind == Kind::Braces && !is_map,
            takes_options: library.is_some(),
            made,
            key: key.or(place.tool_name),
            holds_tools,
            is_tool: place.in_tools && (key.is_some() || place.tool_name.is_some()),
            is_given: place.is_ours,
            takes_tools: role.is_some()
                || made.is_some()
                || is_struct
                || library.is_some_and(|it| takes_tools(it.module)),
            runner: match callee {
                Some(callee) => self.runner(&callee),
                None => touching.and_then(|_| executor(before)),
            },
            taker: callee.and_then(|callee| Taker::of(&callee, self.reader())),
        }
    }

    fn runner(&self, callee: &Callee<'_, 't>) -> Option<Runner<'t>> {
        let function = facts::runner(self.reading.modules, callee)?;
        let piped = callee.before_pipe().and_then(|it| self.reader().whole(it));
        if callee.is_piped() && piped.is_none() {
            return None;
        }
        Some(Runner {
            function,
            path: callee.path().to_vec(),
            piped,
        })
    }

    /// The parser of expressions.
    pub(super) fn reader(&self) -> Reader<'r> {
        Reader::new(self.reading.modules)
    }

    fn is_tools_key(&self, key: &Element<'_>) -> bool {
        key_text(key).and_then(|key| self.reading.roles.of_key(key)) == Some(KeyRole::Tools)
    }

    /// Creates the unit of a list that describes `owner`.
    fn finish(&mut self, mut found: Found<'t>, owner: Owner<'_>) {
        let Some(range) = found.range else {
            return;
        };
        self.alone(&found);
        let mut unit = Unit {
            len: range.len(),
            notation: Notation::Elixir,
            ..Unit::default()
        };
        let references = found.names.iter().map(|&(wanted, binder, name)| Reference {
            wanted: wanted.of(owner),
            binder,
            name: name.to_owned(),
        });
        let references: Vec<_> = references.collect();
        // A prelude defines the meaning of names in namespaces.
        let has_prelude = found.entries.iter().any(|it| it.entry.key == "prelude");
        let program = found.program.filter(|_| !has_prelude);
        let start = range.start();
        unit.unread = found.unread.map(|it| Unread {
            range: it.range - start,
            ..it
        });
        let tools = found.tools.clone();
        let takes_tools = found.takes_tools;
        let flows = std::mem::take(&mut found.flows);
        let assumed = found.is_assumed.then(|| found.evidence_of_texts());
        let judged = found.judge(self.reading.roles);
        unit.evidence = judged.evidence;
        for (role, string) in &judged.strings {
            unit.sites
                .push(object::site(range, string, *role, owner.name));
        }
        for entry in &judged.entries {
            object::add_entry(&mut unit, range, entry, owner, self.reading.roles);
        }
        let relative = |mut tool: Tool| {
            tool.map_ranges(&|range| range - start);
            tool
        };
        let is_certain = unit.evidence == Evidence::Certain;
        let tools = tools.filter(|_| takes_tools || !is_certain && !unit.sites.is_empty());
        unit.tools = tools.map(|it| it.into_iter().map(relative).collect());
        links::sign_agent_itself(&mut unit);
        let program = program.and_then(|it| program::read(&it, start, self.reading.roles));
        unit.program = program.unwrap_or_default();
        if let Some(read) = assumed {
            let calls_by_name = unit.program.calls_by_name();
            unit.evidence = if calls_by_name {
                Evidence::Likely
            } else {
                read
            };
        }
        let has_names = unit.tools.iter().flatten().any(Tool::has_names);
        if !references.is_empty() || has_names || !flows.is_empty() {
            unit.is_linked = true;
            unit.shrink();
            let unit = Arc::new(unit);
            self.parts.uses.push(Use {
                start,
                unit,
                references,
                flows: flows.rebased(start),
            });
            return;
        }
        let is_tool = owner.is_tool && is_certain;
        if is_checked(&unit) || (is_tool && !unit.sites.is_empty()) {
            unit.shrink();
            self.parts.units.push(PlacedUnit::new(start, unit));
        }
    }

    /// Creates units of the signatures that do not belong to the prompt beside them.
    fn alone(&mut self, found: &Found<'t>) {
        for string in &found.alone {
            let evidence = match found.is_ours && !found.is_assumed {
                true => Some(Evidence::Certain),
                false => evidence::of_signature(&text_of(string)),
            };
            let Some(evidence) = evidence else {
                continue;
            };
            let mut placed = unit_of_site(string, Role::Signature);
            Arc::make_mut(&mut placed.unit).evidence = evidence;
            self.parts.units.push(placed);
        }
    }

    /// Creates units of the templates that belong to no other unit.
    fn templates_alone(&mut self) {
        let mut templates = std::mem::take(&mut self.templates);
        let sites = |start: TextSize, unit: &Unit| {
            let literals = unit.sites.iter().map(move |it| it.literal + start);
            literals.collect::<Vec<_>>()
        };
        let units = self.parts.units.iter().map(|it| sites(it.start, &it.unit));
        let uses = self.parts.uses.iter().map(|it| sites(it.start, &it.unit));
        if templates.is_empty() {
            return;
        }
        let known: HashSet<_> = units.chain(uses).flatten().collect();
        templates.retain(|it| !known.contains(&it.range));
        for template in templates {
            let mut placed = unit_of_site(&template, Role::Prompt);
            if is_library_sigil(&template) {
                Arc::make_mut(&mut placed.unit).evidence = Evidence::Certain;
            }
            self.parts.units.push(placed);
        }
    }
}

/// The compiled agent that runs where `before` ends with `.execute.`.
fn executor<'t>(before: &[Element<'t>]) -> Option<Runner<'t>> {
    let [before @ .., first, field, second] = before else {
        return None;
    };
    if field.text() != EXECUTE || first.text() != "." || second.text() != "." {
        return None;
    }
    let agent = Callee::ending(before)?;
    let is_attribute = before.len() > agent.path().len() && is_attribute(before);
    let len = agent.path().len() + usize::from(is_attribute);
    Some(Runner {
        function: EXECUTE,
        path: before[before.len() - len..].to_vec(),
        piped: None,
    })
}

/// The names in place of the context of a run, or of all its options.
fn names_of_run<'t>(
    runner: &Runner<'t>,
    call: &Call<'_, 't>,
) -> Option<(NameFor, Binder, &'t str)> {
    let named = |wanted, value: &[Element<'t>]| match Argument::of(value)? {
        Argument::Name(binder, name) => Some((wanted, binder, name)),
        Argument::String(_) => None,
    };
    if runner.function == EXECUTE {
        return named(NameFor::Context, call.arguments.first()?);
    }
    if let Some(context) = call.value("context") {
        return named(NameFor::Context, context);
    }
    let piped = usize::from(runner.piped.is_some());
    let after = facts::agent_at(runner.function)? + 1 - piped;
    match call.arguments.get(after..)? {
        [only] => named(NameFor::Options, only),
        _ => None,
    }
}

/// The key of a tool's signature for JSON answers, beside that of its prompt.
const OUTPUT_SIGNATURE: &str = "json_signature";

/// The first argument of a call that takes a `role` there, if it is not a literal.
fn unread(role: KeyRole, first: &[Element<'_>]) -> Option<Unread> {
    let is_read = matches!(Argument::of(first), Some(Argument::String(_)));
    let is_keyed =
        { first.first() }.is_some_and(|it| matches!(it.kind, Kind::Key | Kind::QuotedKey));
    let takes_names = matches!(role, KeyRole::Prompt | KeyRole::Program);
    (takes_names && !is_read && !is_keyed).then_some(Unread {
        range: range_of(first)?,
        is_program: role == KeyRole::Program,
    })
}

/// The unit of a single string.
fn unit_of_site(string: &Element<'_>, role: Role) -> PlacedUnit {
    let site = object::site(string.range, &literal(string), role, None);
    let unit = Unit {
        len: string.range.len(),
        sites: vec![site],
        notation: Notation::Elixir,
        ..Unit::default()
    };
    PlacedUnit::new(string.range.start(), unit)
}

/// Whether calls and structs of a module of the library describe agents and tools. Others may contain results of a
/// run, or other kinds of tools.
fn takes_tools(module: &str) -> bool {
    MODULES.contains(&module) || matches!(module, "Tool" | "Definition")
}

/// The items of a list; those that begin with a key may lack the comma before them.
fn entries<'e, 't>(elements: &'e [Element<'t>]) -> impl Iterator<Item = &'e [Element<'t>]> {
    let items = elements.split(|element| element.kind == Kind::Comma);
    items.flat_map(|item| item.chunk_by(|before, after| !lacks_comma(part(before), part(after))))
}

fn is_code(element: &Element<'_>) -> bool {
    !element.kind.is_trivia() && !is_delimiter(element.kind)
}

/// The number of items of a long `list` before the entries at its end. Entries among other items, as in a call that is not
/// finished, do not describe the list.
fn apart_from_entries(list: &Element<'_>, elements: &[Element<'_>]) -> usize {
    if list.kind != Kind::Brackets || list.range.len() <= LONGEST_LIST {
        return 0;
    }
    let is_entry = |item: &[Element<'_>]| item.iter().any(|it| is_entry(part(it)));
    let items = entries(elements).enumerate();
    let apart = items.filter(|(_, item)| !is_entry(item)).last();
    apart.map_or(0, |(index, _)| index + 1)
}

/// Where the first expression of `elements` ends, or the entries with different keys, if entries without a comma
/// follow.
fn end_of_entries(elements: &[Element<'_>]) -> Option<usize> {
    let mut pairs = elements.iter().zip(elements.iter().skip(1));
    let is_entry = elements.first().is_some_and(|it| is_key(it));
    let loose = pairs.position(|(before, after)| lacks_comma(part(before), part(after)))? + 1;
    if !is_entry {
        return Some(loose);
    }
    let mut keys = HashSet::new();
    let mut all = elements.iter().enumerate().filter(|(_, it)| is_key(it));
    let (again, _) = all.find(|(_, it)| !keys.insert(it.text()))?;
    Some(again)
}

fn is_key(element: &Element<'_>) -> bool {
    matches!(element.kind, Kind::Key | Kind::QuotedKey)
}

/// Whether `elements` end with the name of a module attribute.
fn is_attribute(elements: &[Element<'_>]) -> bool {
    matches!(elements, [.., sign, _] if sign.text() == "@")
}

/// The key whose value begins after `before`.
fn key_before<'t>(before: &[Element<'t>]) -> Option<Element<'t>> {
    match before {
        [.., key, arrow] if arrow.text() == "=>" => Some(*key),
        [.., key] if matches!(key.kind, Kind::Key | Kind::QuotedKey) => Some(*key),
        _ => None,
    }
}

/// Takes the options in `f(a, [key: 1])` out of their brackets, as in `f(a, key: 1)`.
fn unwrap_options(elements: &mut Vec<Element<'_>>) {
    let Some(list) = elements.last().copied().and_then(|it| options(&it)) else {
        return;
    };
    let is_argument = elements
        .iter()
        .rev()
        .nth(1)
        .is_none_or(|it| it.kind == Kind::Comma);
    if is_argument {
        elements.pop();
        elements.extend(list);
    }
}

/// Whether `item` is a function that a tool may be: `&run/1`, `&M.run/1` or `fn … end`. `&1` and `&{&1, 2}` are none.
fn is_function(item: &[Element]) -> bool {
    match item {
        [only] => only.kind == Kind::FnBlock,
        [first, name, .., slash, arity] if first.text() == "&" => {
            let is_named = matches!(name.kind, Kind::Symbol | Kind::Alias);
            is_named && slash.text() == "/" && arity.kind == Kind::Number
        }
        _ => false,
    }
}

pub(super) fn part<'t>(element: &Element<'t>) -> Part<'t> {
    (element.kind, element.text())
}
