//! A JSON document, updated from edit to edit.
//!
//! Of the objects around an edit, only the innermost one is read again, and in it only the values that were reparsed.
//! The others keep their entries and only grow or shrink.

use rowan::GreenNode;

use crate::{
    host::{
        PlacedUnit, RolesIn, UnitChange,
        json::{Json, Member, Walk, entries, entries_among, is_colon, key, may_be_key},
        object::{self, Place},
        roles::KeyRole,
        token_tree::{Element, Kind, parse, reparse},
        tool_names,
        units::{Region, Units},
    },
    order,
    text::{Text, TextEdit, TextRange, TextSize, size},
};

/// A JSON document, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    /// The tree; `None` if the text contains none of our keys, so that nothing in it matters.
    green: Option<GreenNode>,
}

impl Document {
    /// Parses all of `text`.
    pub fn parse(text: &str, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        if !may_matter(text, roles) {
            return (Self { green: None }, Vec::new());
        }
        let green = parse::<Json>(text);
        let mut walk = Walk::new(roles);
        walk.list(
            Element::node(&green, TextSize::from(0)).elements(),
            &Place::Free,
        );
        (Self { green: Some(green) }, walk.into_units())
    }

    /// The tree of the whole text; `None` if nothing in it matters.
    pub fn tree(&self) -> Option<&GreenNode> {
        self.green.as_ref()
    }

    /// Applies an edit; `None` if the whole document has to be parsed again.
    pub fn edit(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: RolesIn<'_>,
    ) -> Option<UnitChange> {
        let Some(green) = &self.green else {
            let longest = roles.longest_key().max(DIRECTIVE.len());
            let may_matter = may_matter(&near(text, edit, longest), roles);
            return (!may_matter).then(|| units.replace(0..0, Vec::new(), edit));
        };
        let reparsed = reparse::<Json>(green, edit)?;
        let green = self.green.insert(reparsed.green);
        let root = Element::node(green, TextSize::from(0));
        let mut walk = Walk::new(roles);
        let Innermost {
            list,
            place,
            container,
        } = innermost(root, reparsed.range, roles);
        let key = match &place {
            Place::Tool(Some(key)) => Some(key.clone()),
            _ => None,
        };
        let (segment, around) = match list.kind() {
            Kind::Braces => {
                let is_unit = units.begins_at(list.range.start());
                let segment = walk.segment(&list, place, reparsed.range, is_unit);
                (segment, Some(list.range.start()))
            }
            _ => {
                walk.list(list.elements_in(reparsed.range), &place.item());
                (reparsed.range, None)
            }
        };
        let region = |segment: TextRange, around| {
            let grown = TextSize::of(edit.insert.as_str());
            let old_end = segment.end() + edit.range.len() - grown;
            let old = TextRange::new(segment.start(), old_end);
            Region { old, around }
        };
        let (part, changed) = (region(segment, around), walk.has_other_tools(key));
        let Some(container) = container.filter(|_| changed(units.in_region(part))) else {
            return Some(units.replace_in(part, walk.units, edit));
        };
        let mut walk = Walk::new(roles);
        walk.value(&container, &Place::Tools);
        Some(units.replace_in(region(container.range, None), walk.units, edit))
    }
}

/// The place of a reparse.
struct Innermost<'t> {
    /// The innermost list or object around it.
    list: Element<'t>,
    place: Place,
    /// The map or list of tools that it is, or that is around it.
    container: Option<Element<'t>>,
}

/// The start of comments with directives.
const DIRECTIVE: &str = "signature-ls:";

/// Whether `text` may contain one of our keys or directives.
fn may_matter(text: &str, roles: RolesIn<'_>) -> bool {
    roles.may_have_keys(text) || text.contains(DIRECTIVE)
}

/// The inserted text of `edit` and `count` bytes around it.
fn near<'t>(text: &'t Text, edit: &TextEdit, count: usize) -> std::borrow::Cow<'t, str> {
    let inserted = edit.inserted_range();
    let count = size(count);
    let start = inserted.start().checked_sub(count).unwrap_or_default();
    text.slice(TextRange::new(start, inserted.end() + count))
}

/// The innermost list or object whose elements were reparsed in `changed`, and its place.
fn innermost<'t>(root: Element<'t>, changed: TextRange, roles: RolesIn<'_>) -> Innermost<'t> {
    let mut list = root;
    let mut place = Place::Free;
    let mut container = None;
    loop {
        let holds_all = |it: &Element| {
            matches!(it.kind(), Kind::Braces | Kind::Brackets) && it.range.contains_range(changed)
        };
        let Some(child) = list.elements_in(changed).find(holds_all) else {
            break;
        };
        place = match list.kind() {
            Kind::Braces => match key_before(&list, child.range.start()) {
                // A value that is read with the object around it changes with its contents.
                Some(key) if object::reads_value(&key) && is_telling(&list, roles) => break,
                Some(key) => place.under(&key, roles),
                None => break,
            },
            _ => place.item(),
        };
        list = child;
        if place == Place::Tools {
            container = Some(list);
        }
    }
    Innermost {
        list,
        place,
        container,
    }
}

/// Whether an object has a signature or a prompt.
fn is_telling(object: &Element<'_>, roles: RolesIn<'_>) -> bool {
    let mut entries = entries(object).into_iter();
    entries.any(|it| is_telling_key(&it.key, roles))
}

fn is_telling_key(key: &str, roles: RolesIn<'_>) -> bool {
    matches!(
        roles.of_key(key),
        Some(KeyRole::Signature | KeyRole::Prompt)
    )
}

/// The key for the value of the object's element at `offset`.
fn key_before(object: &Element<'_>, offset: TextSize) -> Option<String> {
    let mut at = offset;
    let mut is_after_key = false;
    loop {
        let byte_before = TextRange::new(at.checked_sub(1.into())?, at);
        let element = object.elements_in(byte_before).last()?;
        at = element.range.start();
        match element.kind() {
            Kind::Comma | Kind::LBrace => return None,
            _ if is_after_key && may_be_key(&element) => return Some(key(&element)),
            kind if kind.is_trivia() => {}
            _ => is_after_key = is_colon(&element),
        }
    }
}

impl Walk<'_> {
    /// Whether a map or list of tools, or the tool `key` of a map, now names other tools than the units before, so
    /// that the facts about these names may differ.
    fn has_other_tools<'u>(
        &self,
        key: Option<String>,
    ) -> impl FnOnce(Vec<&'u PlacedUnit>) -> bool + use<'u> {
        let signed = self.units.iter().flat_map(tool_names::signed);
        let mut new: Vec<_> = signed.map(|name| (name.to_owned(), true)).collect();
        let bare = self.tools.iter().filter(|tool| !tool.is_signed);
        let bare = bare.map(|tool| tool.name.clone());
        let bare_key = key.filter(|key| !tool_names::is_signed(&self.units, key));
        new.extend(bare.chain(bare_key).map(|name| (name, false)));
        sort(&mut new);
        move |before| {
            let signed = before.iter().flat_map(|it| tool_names::signed(it));
            let mut old: Vec<_> = signed.map(|name| (name.to_owned(), true)).collect();
            sort(&mut old);
            before.iter().any(|it| it.unit.tool_name().is_some()) || old != new
        }
    }

    /// Collects the unit of an object, and those in the part of it, from comma to comma, that was reparsed. Returns
    /// that part. `was_unit` tells whether the object was a unit before: if not, only one of our keys in that part can
    /// make it one.
    fn segment(
        &mut self,
        object: &Element<'_>,
        place: Place,
        changed: TextRange,
        was_unit: bool,
    ) -> TextRange {
        let segment = TextRange::new(
            after_comma(object, changed.start()),
            before_comma(object, changed.end()),
        );
        let in_segment = entries_among(object.elements_in(segment), segment);
        let is_telling = |it: &Member<'_>| is_telling_key(&it.key, self.roles);
        match place {
            Place::Tools => self.tools(in_segment.iter()),
            Place::Free if !was_unit && !in_segment.iter().any(is_telling) => {
                self.values(in_segment.iter(), &place);
            }
            Place::Free | Place::Tool(_) => {
                self.object(object, &entries(object), &place);
                self.values(in_segment.iter(), &place);
            }
        }
        segment
    }
}

/// The end of the last comma in an object before `offset`; without one, its opening brace.
fn after_comma(object: &Element<'_>, offset: TextSize) -> TextSize {
    let start = object.range.start() + TextSize::of('{');
    let mut at = offset;
    while at > start {
        let byte_before = TextRange::new(at - TextSize::from(1), at);
        match object.elements_in(byte_before).last() {
            Some(comma) if comma.kind() == Kind::Comma => return comma.range.end(),
            Some(element) => at = element.range.start(),
            None => break,
        }
    }
    start
}

/// The start of the first comma in an object after `offset`; without one, the end of the object.
fn before_comma(object: &Element<'_>, offset: TextSize) -> TextSize {
    let end = object.range.end();
    let mut following = object.elements_in(TextRange::new(offset.min(end), end));
    let comma = following.find(|it| it.kind() == Kind::Comma && offset <= it.range.start());
    comma.map_or(end, |it| it.range.start())
}
/// Sorts names of tools, each with whether it has a signature.
fn sort(names: &mut [(String, bool)]) {
    order::by_number(names, |(_, is_signed)| *is_signed);
    order::by_name(names, |(name, _)| name);
}
