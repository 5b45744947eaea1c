//! Finds units: walks lists of arguments, maps, tuples and statements.
//!
//! The walk keeps a list of places to visit instead of recursing. Every list is split at its commas; [`RolesIn`]
//! defines the meaning of its keys and calls.

mod calls;
mod failing;
mod finish;
mod group;
mod items;
mod keyed;

pub(super) use items::{is_interpolation, part};

use std::sync::Arc;

use foldhash::HashMap;

use self::{
    failing::{Failing, is_failing},
    group::Group,
    items::{end_of_entries, entries, is_code},
};
use super::{
    bound, doc,
    flow::{expr::Expr, reader::Reader},
    found::Found,
    head,
    links::Parts,
    literal::{is_template, key_text},
    modules::Modules,
    names::{self, Around},
    pieces::{each_statement, pieces},
};
use crate::{
    host::{
        KeyRole, PlacedUnit, RolesIn, Unit,
        object::Owner,
        token_tree::{Element, Kind, range_of},
    },
    parallel,
    syntax::room::make_room,
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
    match block.kind() {
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
    /// Whether the text is not edited.
    pub is_once: bool,
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
    /// A string with code in it.
    Code(Element<'t>),
    Group(Group<'t>),
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
    /// The statements that state a failure.
    pub(super) failing: Failing,
    /// The last unit of each length. Most code repeats itself, and equal units take the room of one.
    alike: HashMap<TextSize, Arc<Unit>>,
    /// What functions in paths are given, by where they begin.
    choosers: HashMap<TextSize, Arc<Expr>>,
}

impl<'t, 'r: 't> Finder<'t, 'r> {
    fn new(reading: Reading<'r>) -> Self {
        Self {
            reading,
            left: Vec::new(),
            parts: Parts::default(),
            templates: Vec::new(),
            elements: Vec::new(),
            failing: Failing::default(),
            alike: HashMap::default(),
            choosers: HashMap::default(),
        }
    }

    /// Visits what is left, and returns what was found in the order of the text.
    fn into_parts(mut self) -> Parts {
        self.visit_left(0);
        self.elements = Vec::new();
        self.templates_alone();
        self.parts.sort();
        self.parts.units.shrink_to_fit();
        self.parts
    }

    /// Visits the places that were found after the first `count` ones.
    fn visit_left(&mut self, count: usize) {
        while self.left.len() > count
            && let Some(next) = self.left.pop()
        {
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
                Left::Code(string) => self.code_in(&string),
                Left::Group(group) => self.group(&group),
            }
        }
    }

    /// Visits the code in a string, each part after the one before it: there may be many.
    fn code_in(&mut self, string: &Element<'t>) {
        let before = self.left.len();
        for block in string.elements().filter(is_interpolation) {
            self.parts.names.add_subject(block.range, None);
            self.block(block, block.range, false);
            self.visit_left(before);
        }
    }

    /// Adds a unit without names.
    fn add_unit(&mut self, start: TextSize, unit: Unit) {
        let unit = self.shared(unit);
        self.parts.units.push(PlacedUnit::new(start, unit));
    }

    /// The unit in the room of an equal one.
    pub(super) fn shared(&mut self, mut unit: Unit) -> Arc<Unit> {
        let known = self.alike.get(&unit.len);
        if let Some(known) = known.filter(|it| ***it == unit) {
            return Arc::clone(known);
        }
        unit.shrink();
        let unit = Arc::new(unit);
        self.alike.insert(unit.len, Arc::clone(&unit));
        unit
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
            is_once: self.reading.is_once,
        };
        if block.range.intersect(region).unwrap_or_default().len() > self.reading.long() {
            return self.long_block(block, region, around);
        }
        self.statements((block, region), around);
    }

    /// Reads the pieces of a long block on several threads.
    fn long_block(&mut self, block: Element<'t>, region: TextRange, around: Around<'r>) {
        let reading = self.reading;
        let pieces = pieces((block, region), reading.is_example, reading.piece);
        if pieces.len() == 1 {
            return self.statements((block, region), around);
        }
        // What is in a piece is sorted, so that nested long blocks must not all be read in pieces.
        let inside = Reading {
            piece: reading.long(),
            ..reading
        };
        let failing = &self.failing;
        let parts = parallel::map_long(&pieces, |piece| {
            let mut finder = Finder::new(inside);
            finder.failing = failing.clone();
            finder.statements((block, *piece), around);
            finder.into_parts()
        });
        let units = parts.iter().map(|it| it.units.len()).sum();
        self.parts.units.reserve(units);
        for part in parts {
            self.parts.append(part);
        }
    }

    /// Adds the statements of a block in a range that begins and ends between statements.
    fn statements(&mut self, part: (Element<'t>, TextRange), around: Around<'r>) {
        let mut elements = std::mem::take(&mut self.elements);
        let is_example = self.reading.is_example;
        each_statement(
            part,
            is_example,
            &mut elements,
            &mut |statement, is_head| {
                self.add_statement(statement, around, is_head);
            },
        );
        self.elements = elements;
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
        if let Some(range) = range_of(elements).filter(|_| is_failing(elements)) {
            self.failing.add(range);
        }
        match is_head {
            true => self.head(elements),
            false => {
                self.patterns(elements);
                self.parameters(elements);
            }
        }
        if let Some((start, unit)) = head::unit(elements) {
            self.add_unit(start, unit);
        }
        if let Some((start, unit)) = bound::unit(elements, self.reading.roles) {
            self.add_unit(start, unit);
        }
        let documented = doc::units(elements, self.reading.roles);
        self.parts.units.extend(documented);
        for part in elements.split(|element| element.kind() == Kind::DoBlock) {
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
            found.reserve(part);
            for item in entries(part) {
                self.keyed(item, &mut found);
                self.calls_without_parentheses(item, &mut found);
                self.visit_later(item, place, None);
                self.reads(item);
            }
            if let Some(range) = found.range {
                self.finish(found, range, Owner::default());
            }
        }
        for (at, block) in elements.iter().enumerate() {
            if block.kind() == Kind::DoBlock {
                self.left.push(Left::Block {
                    block: *block,
                    subject: self.subject(&elements[..at]),
                    is_body: names::is_definition(elements),
                });
            }
        }
    }

    /// Records the groups, blocks and interpolations of an item of a list. `given` is what functions among them are
    /// called with.
    fn visit_later(&mut self, item: &[Element<'t>], place: Place<'t>, given: Option<&Arc<Expr>>) {
        let chosen = match item.first() {
            Some(first) if !self.choosers.is_empty() => self.choosers.remove(&first.range.start()),
            _ => None,
        };
        let given = given.or(chosen.as_ref());
        if let ([and, ..], Some(given), Some(range)) = (item, given, range_of(item))
            && and.text() == "&"
        {
            self.parts.names.add_capture(range, given);
        }
        for (at, element) in item.iter().enumerate() {
            match element.kind() {
                Kind::Symbol => self.parts.names.add_call(item, at, self.reader()),
                Kind::Operator if element.text() == "&" => {
                    self.parts.names.add_captured(item, at, given);
                }
                Kind::DoBlock | Kind::FnBlock => self.left.push(Left::Block {
                    block: *element,
                    subject: match at {
                        0 if element.kind() == Kind::FnBlock => given.cloned(),
                        _ => self.subject(&item[..at]),
                    },
                    is_body: false,
                }),
                kind if kind.is_group() => {
                    let group = self.group_at(item, at, place);
                    self.left.push(Left::Group(group));
                }
                kind if kind.is_string() => {
                    if element.elements().any(|it| is_interpolation(&it)) {
                        self.left.push(Left::Code(*element));
                    }
                    if is_template(element) {
                        if item.len() > self.templates.len() {
                            make_room(&mut self.templates, at, item.len());
                        }
                        self.templates.push(*element);
                    }
                }
                _ => {}
            }
        }
    }

    /// The parser of expressions.
    pub(super) fn reader(&self) -> Reader<'r> {
        Reader::new(self.reading.modules)
    }

    fn is_tools_key(&self, key: &Element<'_>) -> bool {
        key_text(key).and_then(|key| self.reading.roles.of_key(key)) == Some(KeyRole::Tools)
    }
}
