//! A JSON document from edit to edit.
//!
//! Of the objects around an edit only the innermost is read again, and in it only the values that were
//! parsed anew. The others have the same entries as before and just grow or shrink.

use rowan::GreenNode;

use crate::{
    host::{
        PlacedUnit, RolesIn, UnitChange,
        json::{Json, Walk, entries, is_colon, literal},
        object::{self, Place},
        roles::KeyRole,
        token_tree::{Element, Kind, parse, reparse},
        units::{Region, Units},
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// What is kept of a JSON document from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    green: GreenNode,
}

impl Document {
    /// Reads the whole of `text`.
    pub fn parse(text: &Text, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let green = parse::<Json>(&text.slice(TextRange::up_to(text.len())));
        let mut walk = Walk::new(roles);
        walk.list(
            Element::node(&green, TextSize::from(0)).elements(),
            &Place::Free,
        );
        let units = walk.units;
        (Self { green }, units)
    }

    /// Follows an edit; `None` where the whole document has to be read again.
    pub fn edit(
        &mut self,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let reparsed = reparse::<Json>(&self.green, edit)?;
        self.green = reparsed.green;
        let root = Element::node(&self.green, TextSize::from(0));
        let mut walk = Walk::new(roles);
        let (list, place) = innermost(root, reparsed.range, roles);
        let (segment, around) = match list.kind {
            Kind::Braces => {
                let segment = walk.segment(&list, place, reparsed.range);
                (segment, Some(list.range.start()))
            }
            _ => {
                walk.list(list.elements_in(reparsed.range), &place.item());
                (reparsed.range, None)
            }
        };
        let grown = TextSize::of(edit.insert.as_str());
        let old_end = segment.end() + edit.range.len() - grown;
        let region = Region {
            old: TextRange::new(segment.start(), old_end),
            around,
        };
        Some(units.replace_in(region, walk.units, edit))
    }
}

/// The innermost list or object whose elements were parsed anew in `changed`, and its place.
fn innermost<'t>(
    root: Element<'t>,
    changed: TextRange,
    roles: RolesIn<'_>,
) -> (Element<'t>, Place) {
    let mut list = root;
    let mut place = Place::Free;
    loop {
        let holds_all = |it: &Element| {
            matches!(it.kind, Kind::Braces | Kind::Brackets) && it.range.contains_range(changed)
        };
        let Some(child) = list.elements_in(changed).find(holds_all) else {
            break;
        };
        place = match list.kind {
            Kind::Braces => match key_before(&list, child.range.start()) {
                // The value that is read with the object around it changes with what is in it.
                Some(key) if object::reads_value(&key) && is_telling(&list, roles) => break,
                Some(key) => place.under(&key, roles),
                None => break,
            },
            _ => place.item(),
        };
        list = child;
    }
    (list, place)
}

/// Whether an object has a signature or a prompt.
fn is_telling(object: &Element<'_>, roles: RolesIn<'_>) -> bool {
    let role = |entry: &super::Entry<'_>| roles.of_key(&entry.key);
    let is_telling = |role| matches!(role, Some(KeyRole::Signature | KeyRole::Prompt));
    entries(object).iter().any(|entry| is_telling(role(entry)))
}

/// The key to whose value the element of an object at `offset` belongs.
fn key_before(object: &Element<'_>, offset: TextSize) -> Option<String> {
    let mut at = offset;
    let mut is_after_key = false;
    loop {
        let byte_before = TextRange::new(at.checked_sub(1.into())?, at);
        let element = object.elements_in(byte_before).last()?;
        at = element.range.start();
        match element.kind {
            Kind::Comma | Kind::LBrace => return None,
            Kind::String if is_after_key => return Some(literal(&element).0),
            kind if kind.is_trivia() => {}
            _ => is_after_key = is_colon(&element),
        }
    }
}

impl Walk<'_> {
    /// Collects the unit of an object, and those in the part of it, from comma to comma, in which
    /// something was parsed anew. Answers that part.
    fn segment(&mut self, object: &Element<'_>, place: Place, changed: TextRange) -> TextRange {
        let mut start = object.range.start() + TextSize::of('{');
        let mut end = object.range.end();
        for element in object.elements().filter(|it| it.kind == Kind::Comma) {
            if element.range.end() <= changed.start() {
                start = element.range.end();
            } else if changed.end() <= element.range.start() {
                end = element.range.start();
                break;
            }
        }
        let segment = TextRange::new(start, end);
        let entries = entries(object);
        let in_segment = entries
            .iter()
            .filter(|entry| segment.contains_range(entry.range()));
        match place {
            Place::Tools => self.tools(in_segment),
            Place::Free | Place::Tool(_) => {
                self.object(object, &entries, &place);
                self.values(in_segment, &place);
            }
        }
        segment
    }
}
