//! Finding units: a walk over lists of arguments, maps, tuples and statements.
//!
//! The walk keeps its own list of what is left to visit instead of recursing. Every list is taken apart
//! at its commas; what its keys and calls mean, [`RolesIn`] tells.

use std::{collections::HashSet, sync::Arc};

use super::{
    bound,
    call::{Argument, Callee, is_name},
    doc, guess, head,
    links::{Parts, Reference, Use},
    literal::{content_of, is_template, is_text, key_text, literal, only_string},
    names::Binder,
    program,
    statement::{Part, ends_between, is_delimiter, is_separator},
};
use crate::{
    host::{
        KeyRole, Notation, PlacedUnit, Role, RolesIn, Site, Unit,
        object::{self, Entry, Literal, Value},
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize},
};

/// What the statements of `block` in `region`, which begins and ends between statements, hold.
pub fn find(block: Element<'_>, region: TextRange, roles: RolesIn<'_>) -> Parts {
    let mut finder = Finder {
        roles,
        left: Vec::new(),
        parts: Parts::default(),
        templates: Vec::new(),
        elements: Vec::new(),
    };
    finder.block(block, region);
    while let Some(next) = finder.left.pop() {
        match next {
            Left::Block(block) => finder.block(block, block.range),
            Left::Group(group) => finder.group(&group),
        }
    }
    finder.templates_alone();
    let mut parts = finder.parts;
    parts.units.sort_by_key(|placed| placed.start);
    parts.uses.sort_by_key(|it| it.start);
    parts.names.sort();
    parts
}

/// What is yet to be visited.
enum Left<'t> {
    Block(Element<'t>),
    Group(Group<'t>),
}

/// A pair of brackets and what the elements before it say of it.
struct Group<'t> {
    element: Element<'t>,
    /// What the first argument is, where the group is the argument list of a known call.
    first_argument: Option<KeyRole>,
    /// The first argument, where it was piped into the call.
    piped: Option<Argument<'t>>,
    /// Whether it is a tuple.
    is_tuple: bool,
    /// Whether a module of the library is named before it.
    is_ours: bool,
    /// Whether it is the argument list of a call that makes a tool.
    makes_tool: bool,
    /// The key whose value it is, or the call of which it is the argument list.
    key: Option<Element<'t>>,
}

struct Finder<'t, 'r> {
    roles: RolesIn<'r>,
    left: Vec<Left<'t>>,
    parts: Parts,
    /// The sigils that are templates wherever they stand.
    templates: Vec<Element<'t>>,
    /// The elements of the list that is being looked at; kept for its memory.
    elements: Vec<Element<'t>>,
}

/// What was found in one list.
#[derive(Default)]
struct Found<'t> {
    /// Strings that are told by their place, with their roles.
    strings: Vec<(Role, Literal)>,
    entries: Vec<FoundEntry<'t>>,
    /// The string that holds a program.
    program: Option<Element<'t>>,
    /// The names that stand in the place of strings.
    names: Vec<(Role, Binder, &'t str)>,
    /// All that belongs to the unit.
    range: Option<TextRange>,
    /// Whether a call or a place says that its literals are meant for us.
    is_ours: bool,
}

/// An entry of a list, with its string.
struct FoundEntry<'t> {
    entry: Entry<'t>,
    role: Option<Role>,
    string: Option<(Role, Element<'t>)>,
}

impl<'t> Finder<'t, '_> {
    fn block(&mut self, block: Element<'t>, region: TextRange) {
        let mut statement = std::mem::take(&mut self.elements);
        statement.clear();
        let mut is_line_end = false;
        let block_end = block.range.end();
        for element in block.elements_in(region) {
            if element.kind.is_trivia() {
                is_line_end |= element.kind == Kind::Newline;
                continue;
            }
            let ends = |last: &Element| ends_between(part(last), part(&element), is_line_end);
            if statement.last().is_some_and(ends) {
                let is_head = element.text() == "->";
                self.parts
                    .names
                    .add_statement(&statement, block_end, is_head);
                self.statement(&statement);
                statement.clear();
            }
            if !is_separator(part(&element)) {
                statement.push(element);
            }
            is_line_end = false;
        }
        let behind = TextRange::new(region.end().min(block_end), block_end);
        let next = block.elements_in(behind).find(|it| !it.kind.is_trivia());
        let is_head = next.is_some_and(|it| it.text() == "->");
        self.parts
            .names
            .add_statement(&statement, block_end, is_head);
        self.statement(&statement);
        self.elements = statement;
    }

    /// A unit of a statement ends where a `do` block begins, so that no unit lies around a block.
    fn statement(&mut self, elements: &[Element<'t>]) {
        self.parts.units.extend(head::unit(elements));
        self.parts.units.extend(bound::unit(elements, self.roles));
        self.parts.units.extend(doc::units(elements, self.roles));
        for part in elements.split(|element| element.kind == Kind::DoBlock) {
            let mut found = Found {
                is_ours: self.names_ours(part),
                ..Found::default()
            };
            for item in part.split(|element| element.kind == Kind::Comma) {
                self.keyed(item, &mut found);
                self.calls_without_parentheses(item, &mut found);
                self.visit_later(item);
            }
            self.finish(found, None);
        }
        let blocks = elements.iter().filter(|it| it.kind == Kind::DoBlock);
        self.left.extend(blocks.copied().map(Left::Block));
    }

    fn group(&mut self, group: &Group<'t>) {
        let mut elements = std::mem::take(&mut self.elements);
        elements.clear();
        elements.extend(
            group
                .element
                .elements()
                .filter(|element| !element.kind.is_trivia() && !is_delimiter(element.kind)),
        );
        let mut items = elements.split(|element| element.kind == Kind::Comma);
        let mut found = Found {
            range: Some(group.element.range),
            is_ours: group.is_ours,
            ..Found::default()
        };
        let first = items.clone().next().unwrap_or_default();
        if let Some(role) = group.first_argument {
            found.first_argument(role, group.piped.or_else(|| Argument::of(first)));
        }
        let is_tool = group.is_tuple && is_function(first);
        found.is_ours |= is_tool;
        if let (true, Some(second), None) = (is_tool, items.clone().nth(1), items.clone().nth(2)) {
            found.argument(Some(Role::Tool), Argument::of(second));
        }
        for item in &mut items {
            self.keyed(item, &mut found);
            self.calls_without_parentheses(item, &mut found);
            self.visit_later(item);
        }
        let name = group.key.as_ref().and_then(key_text);
        let is_tool = is_tool || (group.makes_tool && name.is_some());
        self.finish(found, is_tool.then_some(name));
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
            if let Some(entry) = self.entry(key, value) {
                if let (Some(role), Some(Argument::Name(binder, name))) =
                    (entry.role, Argument::of(value))
                {
                    found.names.push((role, binder, name));
                }
                found.entry(key, value, entry);
            }
        }
    }

    fn entry(&self, key: &Element<'t>, value: &[Element<'t>]) -> Option<FoundEntry<'t>> {
        let text = key_text(key)?;
        let role = self.roles.of_key(text).filter(|_| key.kind != Kind::String);
        let range = range_of(value)?;
        let role = role.and_then(role_of);
        let string = role.and_then(|role| Some((role, only_string(value)?)));
        let value = match &string {
            Some((_, string)) => Value::Literal(literal(string)),
            None => Value::Other(range),
        };
        let entry = Entry { key: text, value };
        Some(FoundEntry {
            entry,
            role,
            string,
        })
    }

    /// Whether `elements` name a module of the library.
    fn names_ours(&self, elements: &[Element<'_>]) -> bool {
        let aliases = elements.iter().filter(|it| it.kind == Kind::Alias);
        aliases
            .map(Element::text)
            .any(|it| self.roles.is_module(it))
    }

    /// Adds the first arguments of calls such as `SubAgent.run "…", …` or `"…" |> Signature.parse`, and
    /// of module attributes.
    fn calls_without_parentheses(&self, item: &[Element<'t>], found: &mut Found<'t>) {
        for at in 1..item.len() {
            if let Some(role) = self.role_of_argument(item, at) {
                found.string(Some(role), &item[at]);
            }
            if let Some((role, argument)) = self.piped_without_parentheses(item, at) {
                found.first_argument(role, Some(argument));
            }
        }
    }

    /// The string before the pipe at `at` and its role in the call behind that.
    fn piped_without_parentheses(
        &self,
        item: &[Element<'t>],
        at: usize,
    ) -> Option<(KeyRole, Argument<'t>)> {
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
        let role = self.roles.of_call(callee.segments())?;
        Some((role, callee.piped()?))
    }

    fn role_of_argument(&self, item: &[Element<'t>], at: usize) -> Option<Role> {
        if !is_text(&item[at]) || at + 1 < item.len() {
            return None;
        }
        if let [.., sign, name] = &item[..at]
            && sign.text() == "@"
        {
            let is_signature = self.roles.of_key(name.text()) == Some(KeyRole::Signature)
                && (self.roles.is_added_key(name.text())
                    || guess::is_meant(Role::Signature, &content_of(&item[at])));
            return is_signature.then_some(Role::Signature);
        }
        let callee = Callee::ending(&item[..at])?;
        if callee.is_piped() {
            return None;
        }
        role_of(self.roles.of_call(callee.segments())?)
    }

    /// Notes the groups, blocks and interpolations of one item of a list.
    fn visit_later(&mut self, item: &[Element<'t>]) {
        for (at, element) in item.iter().enumerate() {
            match element.kind {
                Kind::DoBlock | Kind::FnBlock => self.left.push(Left::Block(*element)),
                kind if kind.is_group() => {
                    let group = self.group_at(item, at);
                    self.left.push(Left::Group(group));
                }
                kind if kind.is_string() => {
                    let code = element
                        .elements()
                        .filter(|it| it.kind == Kind::Interpolation);
                    self.left.extend(code.map(Left::Block));
                    if is_template(element) {
                        self.templates.push(*element);
                    }
                }
                _ => {}
            }
        }
    }

    fn group_at(&self, item: &[Element<'t>], at: usize) -> Group<'t> {
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
            .and_then(|callee| self.roles.of_call(callee.segments()));
        let is_map = touching.is_some_and(|last| {
            last.text() == "%" || matches!(last.kind, Kind::Alias | Kind::Symbol)
        });
        let makes_tool = callee.is_some_and(|callee| self.roles.is_tool_call(callee.segments()));
        let names = before.iter().rev();
        let names = names.take_while(|it| is_name(it) || matches!(it.text(), "." | "%"));
        let before_name = &before[..before.len() - names.count()];
        let before_value = if makes_tool { before_name } else { before };
        Group {
            element,
            first_argument: role,
            piped: piped.filter(|_| role.is_some()),
            is_ours: role.is_some()
                || touching.is_some() && self.names_ours(&before[before_name.len()..]),
            is_tuple: element.kind == Kind::Braces && !is_map,
            makes_tool,
            key: (at + 1 == item.len())
                .then(|| key_before(before_value))
                .flatten(),
        }
    }

    /// Makes a unit of what was found in a list, which is that of a tool of this name.
    fn finish(&mut self, found: Found<'t>, tool: Option<Option<&str>>) {
        let Some(range) = found.range else {
            return;
        };
        let mut unit = Unit {
            len: range.len(),
            notation: Notation::Elixir,
            is_ours: true,
            ..Unit::default()
        };
        for (role, string) in &found.strings {
            let name = tool.flatten().filter(|_| *role == Role::Tool);
            unit.sites.push(object::site(range, string, *role, name));
        }
        let references = found.names.iter().map(|&(role, binder, name)| Reference {
            role: if tool.is_some() && role == Role::Signature {
                Role::Tool
            } else {
                role
            },
            tool: tool.flatten().map(str::to_owned),
            binder,
            name: name.to_owned(),
        });
        let references: Vec<_> = references.collect();
        let is_added = |it: &FoundEntry| it.role.is_some() && self.roles.is_added_key(it.entry.key);
        let is_ours = found.is_ours() || found.entries.iter().any(is_added);
        // A prelude defines what names in namespaces mean.
        let has_prelude = found.entries.iter().any(|it| it.entry.key == "prelude");
        let program = found.program.filter(|_| !has_prelude);
        for entry in found.into_entries(self.roles) {
            object::add_entry(&mut unit, range, &entry, tool, self.roles);
        }
        let start = range.start();
        let program = program.and_then(|it| program::read(&it, start, self.roles));
        unit.program = program.unwrap_or_default();
        if !references.is_empty() {
            let unit = Arc::new(unit);
            self.parts.uses.push(Use {
                start,
                unit,
                references,
                is_ours,
            });
            return;
        }
        let is_checked = |site: &Site| tool.is_some() || site.role != Role::Description;
        if !unit.program.is_empty() || unit.sites.iter().any(is_checked) {
            let unit = Arc::new(unit);
            self.parts.units.push(PlacedUnit { start, unit });
        }
    }

    /// Makes units of the templates that are part of no other.
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
            let site = object::site(template.range, &literal(&template), Role::Prompt, None);
            self.parts.units.push(PlacedUnit {
                start: template.range.start(),
                unit: Arc::new(Unit {
                    len: template.range.len(),
                    sites: vec![site],
                    notation: Notation::Elixir,
                    ..Unit::default()
                }),
            });
        }
    }
}

impl<'t> Found<'t> {
    fn first_argument(&mut self, role: KeyRole, argument: Option<Argument<'t>>) {
        if let (KeyRole::Program, Some(Argument::String(string))) = (role, argument) {
            self.program = Some(string);
            self.cover(string.range);
        }
        self.argument(role_of(role), argument);
    }

    fn argument(&mut self, role: Option<Role>, argument: Option<Argument<'t>>) {
        match (role, argument) {
            (role, Some(Argument::String(string))) => self.string(role, &string),
            (Some(role), Some(Argument::Name(binder, name))) => {
                self.names.push((role, binder, name))
            }
            _ => {}
        }
    }

    fn string(&mut self, role: Option<Role>, string: &Element<'t>) {
        if let Some(role) = role {
            self.strings.push((role, literal(string)));
            self.cover(string.range);
        }
    }

    /// Whether a call, a place or what stands together says that the literals are meant for us.
    fn is_ours(&self) -> bool {
        let strings = self.entries.iter().filter_map(|it| it.string);
        let has = |role| strings.clone().any(|(it, _)| it == role);
        self.is_ours || has(Role::Signature) && has(Role::Prompt)
    }

    /// The entries, of which those are no literals that are not meant for us.
    fn into_entries(self, roles: RolesIn<'_>) -> impl Iterator<Item = Entry<'t>> {
        let is_ours = self.is_ours();
        self.entries.into_iter().map(move |it| {
            let is_told = is_ours || roles.is_added_key(it.entry.key);
            let other = it
                .string
                .filter(|(role, string)| !is_told && !guess::is_meant(*role, &content_of(string)));
            match other {
                Some((_, string)) => Entry {
                    value: Value::Other(string.range),
                    ..it.entry
                },
                None => it.entry,
            }
        })
    }

    fn entry(&mut self, key: &Element<'t>, value: &[Element<'t>], entry: FoundEntry<'t>) {
        self.entries.push(entry);
        self.cover(key.range);
        if let Some(range) = range_of(value) {
            self.cover(range);
        }
    }

    fn cover(&mut self, range: TextRange) {
        self.range = Some(self.range.map_or(range, |all| all.cover(range)));
    }
}

/// The key whose value begins behind `before`.
fn key_before<'t>(before: &[Element<'t>]) -> Option<Element<'t>> {
    match before {
        [.., key, arrow] if arrow.text() == "=>" => Some(*key),
        [.., key] if matches!(key.kind, Kind::Key | Kind::QuotedKey) => Some(*key),
        _ => None,
    }
}

/// Whether `item` is a function: `&…` or `fn … end`.
fn is_function(item: &[Element]) -> bool {
    match item {
        [only] => only.kind == Kind::FnBlock,
        [first, ..] => first.text() == "&",
        [] => false,
    }
}

fn range_of(elements: &[Element]) -> Option<TextRange> {
    let (first, last) = (elements.first()?, elements.last()?);
    Some(first.range.cover(last.range))
}

fn role_of(role: KeyRole) -> Option<Role> {
    match role {
        KeyRole::Signature => Some(Role::Signature),
        KeyRole::Prompt => Some(Role::Prompt),
        KeyRole::Description => Some(Role::Description),
        KeyRole::Tools | KeyRole::Name | KeyRole::Program => None,
    }
}

pub(super) fn part<'t>(element: &Element<'t>) -> Part<'t> {
    (element.kind, element.text())
}
