//! JSON, with the additions of JSONC and JSON5.

mod document;
mod lexer;
#[cfg(test)]
mod tests;

pub use document::Document;
pub use lexer::Json;

use std::borrow::Cow;

use crate::{
    host::{
        Notation, PlacedUnit, RolesIn, evidence,
        object::{self, Literal, Place, Value},
        quoted,
        roles::KeyRole,
        token_tree::{Element, Kind, Level, parse},
        tool_names::{self, Named},
        values::json,
    },
    order, parallel,
    rare::Rare,
    syntax::{fragment::Escapes, room::make_room},
    text::{TextRange, TextSize},
};

/// The units of a whole JSON text, in the order of their starts.
pub fn units(text: &str, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let green = parse::<Json>(text);
    let mut walk = Walk::new(roles);
    walk.list(
        Element::node(&green, TextSize::from(0)).elements(),
        &Place::Free,
    );
    walk.into_units()
}

/// A key of an object and its value.
pub(in crate::host) struct Member<'t> {
    key: String,
    /// The key, including its quotes.
    pub(in crate::host) key_element: Element<'t>,
    /// The elements up to the comma, without white space and comments: one, if the value is valid.
    pub(in crate::host) value: Vec<Element<'t>>,
}

impl Member<'_> {
    /// The place of the key, including quotes.
    pub(in crate::host) fn key_range(&self) -> TextRange {
        self.key_element.range
    }

    /// How many bytes of the object at `range` precede it.
    pub(in crate::host) fn read_of(&self, range: TextRange) -> usize {
        let before = self.key_range().start().checked_sub(range.start());
        before.unwrap_or_default().into()
    }

    fn range(&self) -> TextRange {
        match self.value.last() {
            Some(last) => self.key_range().cover(last.range),
            None => self.key_range(),
        }
    }

    /// The string that is the whole value.
    fn literal(&self) -> Option<(String, Literal)> {
        let [value] = self.value.as_slice() else {
            return None;
        };
        (value.kind() == Kind::String).then(|| literal(value))
    }

    /// The value of the string that is the whole value.
    fn text(&self) -> Option<String> {
        let (content, literal) = self.literal()?;
        Some(object::text_of(&content, literal.escapes).into_owned())
    }

    fn as_object_entry(&self) -> object::Property<'_> {
        let value = match self.literal() {
            Some((_, literal)) => Value::Literal(literal),
            None => Value::Other(self.value_range()),
        };
        object::Property {
            key: &self.key,
            key_range: self.key_range(),
            value,
            read: object::reads_value(&self.key)
                .then(|| json::value(&self.value))
                .flatten()
                .map(|it| it.relative_to(self.value_range().start())),
        }
    }

    pub(in crate::host) fn value_range(&self) -> TextRange {
        match (self.value.first(), self.value.last()) {
            (Some(first), Some(last)) => first.range.cover(last.range),
            _ => TextRange::empty(self.key_range().end()),
        }
    }
}

/// The entries of an object. A string or a word with a colon after it is a key, whatever precedes it.
fn entries<'t>(object: &Element<'t>) -> Vec<Member<'t>> {
    entries_among(object.elements(), object.range)
}

/// The entries among the `elements` of a part of an object, which is at `range`, from comma to comma.
fn entries_among(elements: Level<'_>, range: TextRange) -> Vec<Member<'_>> {
    entries_that(elements, range, &|_| true)
}

/// Those of these entries that are `meant`. An object may have as many as a text has.
fn entries_that<'t>(
    elements: Level<'t>,
    range: TextRange,
    is_meant: &dyn Fn(&Member<'t>) -> bool,
) -> Vec<Member<'t>> {
    let mut entries = Vec::new();
    each_entry(elements, &mut |entry| {
        if is_meant(&entry) {
            make_room(&mut entries, entry.read_of(range), range.len().into());
            entries.push(entry);
        }
    });
    entries
}

/// Calls `each` with the entries among the `elements` of an object.
pub(in crate::host) fn each_entry<'t>(elements: Level<'t>, each: &mut dyn FnMut(Member<'t>)) {
    let mut last: Option<Member<'t>> = None;
    let mut elements = elements.filter(|it| !it.kind().is_trivia()).peekable();
    let mut is_open = false;
    while let Some(element) = elements.next() {
        let colon = elements.next_if(|next| may_be_key(&element) && is_colon(next));
        if colon.is_some() {
            let entry = Member {
                key: key(&element),
                key_element: element,
                value: Vec::new(),
            };
            if let Some(before) = last.replace(entry) {
                each(before);
            }
            is_open = true;
        } else if element.kind() == Kind::Comma {
            is_open = false;
        } else if let Some(entry) = last.as_mut().filter(|_| is_open)
            && !matches!(element.kind(), Kind::RBracket | Kind::RBrace)
        {
            // A valid value is one element.
            let room = usize::from(entry.value.is_empty());
            entry.value.reserve_exact(room);
            entry.value.push(element);
        }
    }
    if let Some(last) = last {
        each(last);
    }
}

fn may_be_key(element: &Element<'_>) -> bool {
    matches!(element.kind(), Kind::String | Kind::Symbol)
}

/// The key in `element`, without quotes.
fn key(element: &Element<'_>) -> String {
    match element.kind() {
        Kind::String => literal(element).0,
        _ => element.full_text(),
    }
}

fn is_colon(element: &Element<'_>) -> bool {
    element.kind() == Kind::Operator
}

/// The text between the quotes of a string, escapes as they are written, and its place.
fn literal(string: &Element<'_>) -> (String, Literal) {
    let (content, range) = quoted::content(string);
    let literal = Literal {
        literal: string.range,
        content: range,
        escapes: Escapes::Backslash,
        foreign: Rare::default(),
    };
    (content, literal)
}

/// Fewer items are not worth a walk each.
const LONG_LIST: usize = 256;

/// Walks through a tree and collects the units.
struct Walk<'r> {
    roles: RolesIn<'r>,
    units: Vec<PlacedUnit>,
    /// The tools of the current map or list of tools.
    tools: Vec<Named>,
}

impl<'r> Walk<'r> {
    fn new(roles: RolesIn<'r>) -> Self {
        Self {
            roles,
            units: Vec::new(),
            tools: Vec::new(),
        }
    }

    /// The units in the order of their starts.
    fn into_units(mut self) -> Vec<PlacedUnit> {
        order::by_start(&mut self.units, |unit| unit.start);
        self.units
    }

    fn list(&mut self, elements: Level<'_>, item: &Place) {
        let elements: Vec<_> = elements.filter(|it| it.kind().is_group()).collect();
        self.each(&elements, |walk, element| walk.value(element, item));
    }

    /// Visits each of `items`, those of a long list on several threads.
    fn each<T: Sync>(&mut self, items: &[T], visit: impl Fn(&mut Self, &T) + Send + Sync) {
        if items.len() < LONG_LIST {
            return items.iter().for_each(|item| visit(self, item));
        }
        let roles = self.roles;
        let parts: Vec<_> = items.chunks(LONG_LIST).collect();
        let found = parallel::map(&parts, |items| {
            let mut walk = Walk::new(roles);
            items.iter().for_each(|item| visit(&mut walk, item));
            (walk.units, walk.tools)
        });
        for (units, tools) in found {
            self.units.extend(units);
            self.tools.extend(tools);
        }
    }

    fn value(&mut self, element: &Element<'_>, place: &Place) {
        match (element.kind(), place) {
            (Kind::Brackets | Kind::Braces, Place::Tools) => {
                let around = std::mem::take(&mut self.tools);
                match element.kind() {
                    Kind::Brackets => self.list(element.elements(), &place.item()),
                    _ => self.tools(entries(element).iter()),
                }
                let tools = std::mem::replace(&mut self.tools, around);
                self.units.extend(tool_names::units(tools, Notation::Json));
            }
            (Kind::Brackets, _) => self.list(element.elements(), &place.item()),
            (Kind::Braces, _) => {
                let roles = self.roles;
                let entries = entries_that(element.elements(), element.range, &|entry| {
                    let is_group = |it: &Element<'_>| it.kind().is_group();
                    entry.value.iter().any(is_group) || object::matters(&entry.key, roles)
                });
                self.each(&entries, |walk, entry| walk.values_of(entry, place));
                // The values that it reads may be as long as the text.
                self.object(element, &entries, place);
            }
            _ => {}
        }
    }

    /// The object's own unit.
    fn object(&mut self, element: &Element<'_>, entries: &[Member<'_>], place: &Place) {
        let is_name = |entry: &&Member| self.roles.of_key(&entry.key) == Some(KeyRole::Name);
        let name_entry = entries.iter().find(is_name);
        let name = name_entry.and_then(Member::literal);
        let name = name.as_ref().map(|(name, _)| name.as_str());
        let held = entries.iter();
        let held = held.filter(|entry| object::matters(&entry.key, self.roles));
        let (members, mut held): (Vec<_>, Vec<_>) =
            held.map(|entry| (entry, entry.as_object_entry())).unzip();
        let text_of = |index: usize| members[index].text().map(Cow::Owned);
        let evidence = object::judge(&mut held, place, self.roles, text_of);
        let unit = object::object_unit(
            element.range,
            held,
            object::Owner::of_object(place, name),
            Notation::Json,
            self.roles,
            evidence,
        );
        if let (Place::Tool(None), Some(name), Some((_, literal))) =
            (place, name, name_entry.and_then(Member::literal))
        {
            self.tools.push(Named {
                name: name.to_owned(),
                range: literal.content,
                is_signed: unit
                    .iter()
                    .any(|it| tool_names::signed(it).next().is_some()),
            });
        }
        self.units.extend(unit);
    }

    /// The units in the values of an object's entries.
    fn values<'e, 't: 'e>(&mut self, entries: impl Iterator<Item = &'e Member<'t>>, place: &Place) {
        for entry in entries {
            self.values_of(entry, place);
        }
    }

    fn values_of(&mut self, entry: &Member<'_>, place: &Place) {
        let place = place.under(&entry.key, self.roles);
        for value in &entry.value {
            self.value(value, &place);
        }
    }

    fn tools<'e, 't: 'e>(&mut self, tools: impl Iterator<Item = &'e Member<'t>>) {
        for tool in tools {
            let first = self.units.len();
            self.tool(tool);
            self.tools.push(Named {
                name: tool.key.clone(),
                range: tool.key_range(),
                is_signed: tool_names::is_signed(&self.units[first..], &tool.key),
            });
        }
    }

    fn tool(&mut self, tool: &Member<'_>) {
        let Some((content, literal)) = tool.literal() else {
            self.values(std::iter::once(tool), &Place::Tools);
            return;
        };
        let text = object::text_of(&content, literal.escapes);
        let unit = evidence::of_signature_beside(&text).map(|evidence| {
            object::tool_unit(tool.range(), &tool.key, &literal, Notation::Json, evidence)
        });
        self.units.extend(unit);
    }
}
