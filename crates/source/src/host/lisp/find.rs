//! Finds units: walks lists, vectors and maps.
//!
//! The walk keeps a list of places to visit instead of recursing. [`RolesIn`] defines the meaning of keys and names.

mod maps;
mod pairs;
mod stretch;

use std::sync::Arc;

use foldhash::HashSet;

use super::{
    call::Reader,
    forms::{Form, Forms, Item, Items, is_map},
    function::{Function, Local},
    kept::KeptCode,
    program::Program,
    uses::Namespaces,
    waiting::{Left, Waiting},
};
use crate::{
    host::{
        FormRole, Notation, PlacedUnit, RolesIn, Unit,
        object::Place,
        token_tree::{Element, Kind},
    },
    order,
    syntax::room::make_room,
    text::{TextRange, TextSize},
};

use stretch::Stretch;

/// The units of top-level `items`, in the order of their starts.
pub fn find(items: Items<'_>, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let mut units = Vec::new();
    let mut stretch = Stretch::default();
    items.visit(&mut |item| {
        stretch.push(item);
        // Metadata belongs to the next form.
        if stretch.starts.len() >= LONG_STRETCH && matches!(item, Item::Form(_)) {
            units.append(&mut std::mem::take(&mut stretch).units(roles));
        }
    });
    let mut last = stretch.units(roles);
    if units.is_empty() {
        return last;
    }
    units.reserve_exact(last.len());
    units.append(&mut last);
    units
}

/// How many items are read before their units are found, if all of them are needed: most of them may have none.
const LONG_STRETCH: usize = 16 * 1024;

/// How many items are read before their units are passed on.
const STRETCH: usize = 1024;

/// The same for their length: a single one may have thousands of units.
const STRETCH_LEN: TextSize = TextSize::new(64 * 1024);

/// Calls `each` with the units of top-level `items`, in the order of their starts, and a place between the forms that they
/// are of and the next ones, as long as it wants more of them. They are not all there at once. The first `skipped` times it
/// is not called.
pub fn find_each(
    items: Items<'_>,
    roles: RolesIn<'_>,
    mut skipped: usize,
    each: &mut dyn FnMut(Vec<PlacedUnit>, TextSize) -> bool,
) {
    let mut stretch = Stretch::default();
    for item in items {
        stretch.push(item);
        // Metadata belongs to the next form.
        let Item::Form(form) = item else {
            continue;
        };
        let is_long = form.range.end() - stretch.starts[0] >= STRETCH_LEN;
        if stretch.starts.len() < STRETCH && !is_long {
            continue;
        }
        let full = std::mem::take(&mut stretch);
        if skipped > 0 {
            skipped -= 1;
        } else if !each(full.units(roles), form.range.end()) {
            return;
        }
    }
    if skipped == 0 {
        each(stretch.units(roles), TextSize::new(u32::MAX));
    }
}

/// The units of one top-level item. What is in another one has no part in them.
fn units_of(item: Item<'_>, roles: RolesIn<'_>) -> Vec<PlacedUnit> {
    let mut finder = Finder::new(roles);
    let (Item::Form(form) | Item::Meta(form)) = item;
    let scope = finder.open_scope(form, form.range, None);
    finder.visit_later(form, Place::Free, scope);
    finder.visit_all();
    finder.finish()
}

/// The units of `items` of a vector in the top-level form `around`; `None` if they belong to a unit of that form.
pub fn find_items<'t>(
    items: Items<'t>,
    around: Form<'t>,
    roles: RolesIn<'_>,
) -> Option<Vec<PlacedUnit>> {
    let mut finder = Finder::new(roles);
    let scope = finder.open_scope(around, around.range, None);
    for item in items {
        let (Item::Form(form) | Item::Meta(form)) = item;
        finder.visit_later(form, Place::Free, scope);
    }
    finder.visit_all();
    let is_apart = finder.scopes[scope].program.is_empty();
    is_apart.then(|| finder.finish())
}

/// Whether the value of `key` in a map that is destructured lists the names that it binds.
pub(super) fn binds_names(key: &str) -> bool {
    matches!(key, "keys" | "strs" | "syms")
}

/// Most lists have fewer forms.
const FEW: usize = 8;

/// A range of code whose program belongs to one unit.
struct Scope<'t> {
    form: Form<'t>,
    range: TextRange,
    /// The index of the unit, if there is one without the program.
    unit: Option<usize>,
    program: Program,
    /// The names of the parameters of its function.
    parameters: HashSet<String>,
}

struct Finder<'t, 'r> {
    roles: RolesIn<'r>,
    left: Vec<Waiting<'t>>,
    scopes: Vec<Scope<'t>>,
    units: Vec<PlacedUnit>,
}

impl<'t, 'r> Finder<'t, 'r> {
    fn new(roles: RolesIn<'r>) -> Self {
        Self {
            roles,
            left: Vec::with_capacity(2 * FEW),
            scopes: Vec::new(),
            units: Vec::new(),
        }
    }

    fn visit_all(&mut self) {
        while let Some(next) = self.left.pop() {
            self.visit(&next.into_left());
        }
    }

    fn open_scope(&mut self, form: Form<'t>, range: TextRange, unit: Option<usize>) -> usize {
        self.scopes.push(Scope {
            form,
            range,
            unit,
            program: Program::default(),
            parameters: HashSet::default(),
        });
        self.scopes.len() - 1
    }

    fn visit_later(&mut self, form: Form<'t>, place: Place, scope: usize) {
        self.later(Left {
            form,
            place,
            scope,
            is_threaded: false,
            is_argument: false,
        });
    }

    /// Visits a form once all other forms around it are known. Only groups wait: there may be a million other forms.
    fn later(&mut self, left: Left<'t>) {
        match left.form.element.kind() {
            Kind::Symbol => self.symbol(&left.form, left.scope),
            Kind::Parens | Kind::Braces | Kind::Brackets => self.left.extend(Waiting::of(left)),
            _ => {}
        }
    }

    fn symbol(&mut self, form: &Form<'t>, scope: usize) {
        let reference = self.reader(scope).reference(form);
        if let Some(reference) = reference {
            let references = &mut self.scopes[scope].program.references;
            references.make_mut().push(reference);
        }
        self.local(form, scope, false);
    }

    fn reader(&self, scope: usize) -> Reader<'_> {
        Reader {
            start: self.scopes[scope].range.start(),
            roles: self.roles,
        }
    }

    fn visit(&mut self, left: &Left<'t>) {
        let form = &left.form;
        if form.range.len() >= STRETCH_LEN {
            // A list that grows takes up to three times its room. There may be groups in each of these.
            let parts = form.element.elements();
            let groups = parts.filter(|it| it.kind().is_group()).count();
            self.left.reserve(groups + 8 * FEW);
        }
        match form.element.kind() {
            Kind::Parens => self.list(left),
            Kind::Braces if is_map(&form.element) && !form.prefix.starts_with("#:") => {
                self.map(left)
            }
            Kind::Brackets | Kind::Braces => {
                if left.place == Place::Tools {
                    let tools = Forms::all(&form.element);
                    self.units.extend(self.names_in_list(&tools));
                }
                let place = left.place.item();
                Items::new(form.element.elements()).visit(&mut |item| {
                    let (Item::Form(form) | Item::Meta(form)) = item;
                    self.visit_later(form, place.clone(), left.scope);
                });
            }
            _ => {}
        }
    }

    fn list(&mut self, left: &Left<'t>) {
        let mut forms = Forms::of(&left.form.element);
        let first = forms.next();
        let is_quoted = matches!(left.form.prefix, "'" | "`");
        let head = first.as_ref().and_then(Form::as_symbol);
        let role = head.and_then(|head| self.roles.of_form(head));
        if role == Some(FormRole::Comment) && !is_quoted {
            return;
        }
        if role == Some(FormRole::Definition) && !is_quoted && self.signed_definition(left) {
            return;
        }
        let first = first.filter(|_| !is_quoted);
        let is_call = first.is_some_and(|it| self.call(left, role, &it, forms));
        // Every second form of `cond->` is a test. Where the form itself is a step, the value is not in it.
        let has_tests = head.is_some_and(|it| it.starts_with("cond->"));
        let is_step = |index: usize| match left.is_threaded {
            true => index > 0,
            false => index > 1 && !(has_tests && index.is_multiple_of(2)),
        };
        let is_threading = role == Some(FormRole::Threading);
        if role == Some(FormRole::Namespace) && !is_quoted {
            let said = self.namespaces(head, left.form.element);
            let namespaces = &mut self.scopes[left.scope].program.namespaces;
            namespaces.make_mut().add(&said);
        }
        let mut index = 0;
        Items::new(left.form.element.elements()).visit(&mut |item| match item {
            Item::Meta(meta) => self.visit_later(meta, Place::Free, left.scope),
            Item::Form(form) => {
                if index > 0 || !is_call {
                    self.later(Left {
                        form,
                        place: Place::Free,
                        scope: left.scope,
                        is_threaded: is_threading && is_step(index),
                        is_argument: is_call && role != Some(FormRole::Return),
                    });
                }
                index += 1;
            }
        });
    }

    /// What a form tells about namespaces. Namespaces of tools and context count as redefined if it mentions them, as
    /// an alias or as the name of a file.
    fn namespaces(&self, head: Option<&str>, form: Element<'t>) -> Namespaces {
        let mut claimed = Vec::new();
        let mut left = vec![form];
        while let Some(element) = left.pop() {
            if element.kind() == Kind::Symbol {
                claimed.extend(self.roles.of_namespace(element.text()));
            } else if element.kind().is_group() {
                let items = Items::new(element.elements());
                left.extend(items.map(|(Item::Form(it) | Item::Meta(it))| it.element));
            }
        }
        Namespaces {
            is_named: head == Some("ns"),
            is_entered: head == Some("in-ns"),
            claimed,
        }
    }

    /// Records the call or return that a list is; returns whether it is one.
    fn call(
        &mut self,
        left: &Left<'t>,
        role: Option<FormRole>,
        head: &Form<'t>,
        rest: Forms<'t>,
    ) -> bool {
        let range = left.form.element.range;
        let reader = self.reader(left.scope);
        let call = match role {
            Some(FormRole::Return) => {
                let returned = reader.returned(range, rest);
                self.scopes[left.scope]
                    .program
                    .returns
                    .make_mut()
                    .push(returned);
                return true;
            }
            Some(FormRole::Call) => reader.named_call(range, head, rest),
            Some(
                FormRole::Definition
                | FormRole::Threading
                | FormRole::Namespace
                | FormRole::Comment,
            ) => None,
            None => reader.qualified_call(range, head, rest),
        };
        let Some(mut call) = call else {
            return false;
        };
        call.is_threaded = left.is_threaded;
        let scope = &mut self.scopes[left.scope];
        let calls = &mut scope.program.calls;
        // The last forms are visited first.
        let last = calls.first().unwrap_or(&call).range.end();
        let read = last.checked_sub(call.range.start()).unwrap_or_default();
        make_room(calls, read.into(), last.into());
        calls.push(call);
        true
    }

    /// Creates a unit of a definition with a signature in its metadata; returns whether it has one.
    fn signed_definition(&mut self, left: &Left<'t>) -> bool {
        let list = left.form.element;
        let mut name = None;
        let mut maps = Vec::new();
        let (mut index, mut is_in_body) = (0, false);
        Items::new(list.elements()).visit(&mut |item| {
            match (item, index) {
                (Item::Form(form), 1) => name = Some(form),
                (Item::Form(form), 2..) if is_body(&form) => is_in_body = true,
                (Item::Form(form), 2..) if !is_in_body && is_map(&form.element) => maps.push(form),
                (Item::Meta(meta), 1) if is_map(&meta.element) => maps.push(meta),
                _ => {}
            }
            index += usize::from(matches!(item, Item::Form(_)));
        });
        let Some(name) = name else {
            return false;
        };
        let signed = maps.into_iter().find_map(|map| {
            let unit = self.object(list.range, &map.element, &Place::Free)?;
            unit.unit.has_signature().then_some((map, unit))
        });
        let Some((map, unit)) = signed else {
            return false;
        };
        self.units.push(unit);
        let scope = self.open_scope(left.form, list.range, Some(self.units.len() - 1));
        let mut rest = Forms::of(&list);
        rest.nth(1);
        let function = self.reader(scope).function(&name, rest);
        self.open_body(scope, function);
        self.visit_entries_later(&map.element, &Place::Free, scope);
        let mut index = 0;
        Items::new(list.elements()).visit(&mut |item| {
            let (Item::Form(form) | Item::Meta(form)) = item;
            let is_form = matches!(item, Item::Form(_));
            match (index, is_form) {
                (0 | 1, true) => {}
                (1, false) | (_, true) if form.range == map.range => {}
                (1, false) | (_, true) => self.visit_later(form, Place::Free, scope),
                (_, false) => self.visit_later(form, Place::Free, left.scope),
            }
            index += usize::from(is_form);
        });
        true
    }

    /// Records the function of a scope.
    fn open_body(&mut self, scope: usize, function: Function) {
        let scope = &mut self.scopes[scope];
        for parameter in function.arities.iter().flat_map(|it| &it.parameters) {
            scope.parameters.extend(parameter.name.clone());
            let keys = parameter.keys.iter().map(|(name, _)| name.clone());
            scope.parameters.extend(keys);
        }
        scope.program.function = Some(Box::new(function));
    }

    /// Records a symbol that may name a parameter of the function around it.
    fn local(&mut self, form: &Form<'t>, scope: usize, is_key: bool) {
        let scope = &mut self.scopes[scope];
        let Some(function) = &mut scope.program.function else {
            return;
        };
        let range = form.element.range - scope.range.start();
        let name = form.element.text();
        if scope.parameters.contains(name) && !function.is_in_head(range) {
            function.locals.push(Local {
                name: name.to_owned(),
                range,
                is_key,
            });
        }
    }

    fn finish(mut self) -> Vec<PlacedUnit> {
        // It has room for as many forms as a list has.
        drop(self.left);
        let scopes: Vec<_> = self.scopes.iter().map(|it| it.range).collect();
        for (index, scope) in self.scopes.into_iter().enumerate() {
            if scope.program.is_empty() {
                continue;
            }
            let mut program = scope.program;
            let start = scope.range.start();
            // A nested definition has its own program.
            let inner = scopes[index + 1..].iter();
            let inner = inner.take_while(|it| scope.range.contains_range(**it));
            let mut inner: Vec<_> = inner.copied().collect();
            order::by_start(&mut inner, |it| it.start());
            program.code = vec![KeptCode::of(&scope.form, start, &inner)];
            order::by_start(&mut program.calls, |it| it.range.start());
            if let Some(returns) = program.returns.get_mut() {
                order::by_start(returns, |it| it.range.start());
            }
            if let Some(references) = program.references.get_mut() {
                order::by_start(references, |it| it.range.start());
            }
            if let Some(function) = &mut program.function {
                order::by_start(&mut function.locals, |it| it.range.start());
            }
            program.shrink();
            match scope.unit {
                Some(index) => Arc::make_mut(&mut self.units[index].unit).program = program.into(),
                None => {
                    let unit = Unit {
                        len: scope.range.len(),
                        notation: Notation::Lisp,
                        program: program.into(),
                        ..Unit::default()
                    };
                    self.units.push(PlacedUnit::new(scope.range.start(), unit));
                }
            }
        }
        order::by_start(&mut self.units, |unit| unit.start);
        self.units.shrink_to_fit();
        self.units
    }
}

/// Whether a form of a definition is its parameters, or one of several with its own.
fn is_body(form: &Form<'_>) -> bool {
    matches!(form.element.kind(), Kind::Brackets | Kind::Parens)
}
