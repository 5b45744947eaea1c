//! Edits in a vector or map of data, such as a list of all agents: only the items that they touch are read again.

use super::{
    find::binds_names,
    forms::{Form, Item, Items, is_blank, is_map},
};
use crate::{
    host::{
        RolesIn,
        object::Place,
        token_tree::{Element, Kind},
        units::{Units, moved_back},
    },
    text::{TextEdit, TextRange, TextSize},
};

/// The items of a vector around an edit, or the forms in a map.
pub(super) struct Touched<'t> {
    pub(super) items: Items<'t>,
    /// Where they are, from the end of the item before them.
    pub(super) range: TextRange,
}

/// Whether a text in `chunks` with the tree `root` has forms that are discarded or metadata: which form that is depends
/// on all before it. Those in the items of a vector do not matter to the others.
pub(super) fn suspends<'t>(mut chunks: impl Iterator<Item = &'t str>, root: &Element<'_>) -> bool {
    // The two characters may be in two chunks.
    let may_suspend =
        |chunk: &str| chunk.contains("#_") || chunk.contains('^') || chunk.ends_with('#');
    chunks.any(may_suspend) && suspends_in(root, root.range)
}

/// Whether a prefix that touches `range` suspends what it is before. One in a string or a comment does not.
pub(super) fn suspends_in(list: &Element<'_>, range: TextRange) -> bool {
    let mut elements = list.elements_in(range);
    elements.any(|it| match it.kind() {
        Kind::Operator => matches!(it.text(), "^" | "#^" | "#_"),
        kind => kind.is_group() && list.kind() != Kind::Brackets && suspends_in(&it, range),
    })
}

/// The items that the edit in `changed` touched, if they are in the outermost vector or map of data in `form`, and no
/// unit of `units`, which are those before `edit`, begins with anything around them.
pub(super) fn touched<'t>(
    form: &Form<'t>,
    changed: TextRange,
    edit: &TextEdit,
    units: &Units,
    roles: RolesIn<'_>,
) -> Option<Touched<'t>> {
    let mut form = *form;
    let range = loop {
        let around = form.element.range;
        let is_inside = around.start() < changed.start()
            && changed.end() < around.end()
            && form.element.is_closed();
        let starts_before = around.start() < edit.range.start();
        if !is_inside || !starts_before || !form.is_bare() || units.begins_at(around.start()) {
            return None;
        }
        match form.element.kind() {
            Kind::Brackets => break widened(form.element, changed),
            Kind::Braces if is_map(&form.element) => {
                if let Some(range) = unit_around(form.element, changed, edit, units, roles) {
                    break range;
                }
                match entry_around(form.element, changed) {
                    Some((key, value)) if value.element.range.start() < changed.start() => {
                        if !is_apart(key.as_keyword()?, roles) {
                            return None;
                        }
                        form = value;
                    }
                    _ if has_only_names(form.element, roles) => {
                        break with_next(form.element, widened(form.element, changed));
                    }
                    _ => return None,
                }
            }
            Kind::Parens => {
                let mut forms = forms(form.element);
                let head = forms.next()?.as_symbol()?;
                let value = forms.last()?;
                if !matches!(head, "def" | "defonce") {
                    return None;
                }
                form = value;
            }
            _ => return None,
        }
    };
    Some(Touched {
        items: Items::new(form.element.elements_in(range)),
        range,
    })
}

/// The forms in `list`; none if one has metadata.
fn forms<'t>(list: Element<'t>) -> impl Iterator<Item = Form<'t>> {
    let items = Items::new(list.elements());
    items.map_while(|item| match item {
        Item::Form(form) => Some(form),
        Item::Meta(_) => None,
    })
}

/// The key and the value around `changed` in a map.
fn entry_around<'t>(map: Element<'t>, changed: TextRange) -> Option<(Form<'t>, Form<'t>)> {
    let mut forms = forms(map);
    loop {
        let (key, value) = (forms.next()?, forms.next()?);
        if changed.start() < value.range.end() {
            return Some((key, value));
        }
    }
}

/// The value around `changed` in `map` with the space before it, if it was a unit before the edit, and its key only
/// names it. The forms before it are the same then, so that it is still a value.
fn unit_around(
    map: Element<'_>,
    changed: TextRange,
    edit: &TextEdit,
    units: &Units,
    roles: RolesIn<'_>,
) -> Option<TextRange> {
    let value = map.elements_in(changed).next()?.range;
    if changed.start() <= value.start() || value.end() <= changed.end() {
        return None;
    }
    let before = TextRange::new(value.start(), moved_back(value.end(), edit));
    if !units.is_at(before) {
        return None;
    }
    let key = last_before(map, value.start(), |it| !is_blank(it.kind()))?;
    let key = Items::new(map.elements_in(key.range)).next()?;
    let Item::Form(key) = key else {
        return None;
    };
    let is_apart = is_apart(key.as_keyword()?, roles);
    is_apart.then(|| TextRange::new(key.range.end(), value.end()))
}

/// Whether the value of `key` is read as if it was in no map.
fn is_apart(key: &str, roles: RolesIn<'_>) -> bool {
    Place::Free.under(key, roles) == Place::Free && !binds_names(key)
}

/// Whether the keys of `map` only name their values: each form in it then means the same as in a vector.
fn has_only_names(map: Element<'_>, roles: RolesIn<'_>) -> bool {
    let mut keywords = forms(map).filter_map(|it| it.as_keyword());
    keywords.all(|it| roles.of_key(it).is_none() && !binds_names(it))
}

/// `range`, widened to the form after it in `map`: what was before that form may have been a key with a meaning.
fn with_next(map: Element<'_>, range: TextRange) -> TextRange {
    let mut after = map.elements_in(TextRange::new(range.end(), map.range.end()));
    let next = after.find(|it| is_item(it) && range.end() <= it.range.start());
    TextRange::new(range.start(), next.map_or(range.end(), |it| it.range.end()))
}

/// `changed`, widened to whole items of `list`, which it is in, and to the space before them.
fn widened(list: Element<'_>, changed: TextRange) -> TextRange {
    let one = TextSize::from(1);
    let inside = TextRange::new(list.range.start() + one, list.range.end() - one);
    let is_before = |it: &Element<'_>| is_item(it) && it.range.end() <= changed.start();
    let before = last_before(list, changed.start(), is_before);
    let start = before.map_or(inside.start(), |it| it.range.end());
    let mut after = list.elements_in(TextRange::new(start, inside.end()));
    let last = after.find(|it| is_item(it) && changed.end() < it.range.end());
    let end = last.map_or(inside.end(), |it| it.range.end());
    TextRange::new(start, end)
}

/// The last element in `list` that begins before `offset` and fits.
fn last_before<'t>(
    list: Element<'t>,
    offset: TextSize,
    fits: impl Fn(&Element<'t>) -> bool,
) -> Option<Element<'t>> {
    let one = TextSize::from(1);
    let inside = list.range.start() + one;
    let mut at = offset;
    while inside < at {
        let element = list.elements_in(TextRange::new(at - one, at)).last()?;
        if fits(&element) {
            return Some(element);
        }
        at = element.range.start();
    }
    None
}

fn is_item(element: &Element<'_>) -> bool {
    !is_blank(element.kind()) && !is_prefix(element.kind())
}

fn is_prefix(kind: Kind) -> bool {
    matches!(kind, Kind::Operator | Kind::Unknown)
}
