//! Resolves names and records which were looked up, so that a result knows what it depends on.

use std::{
    cell::{Cell, RefCell},
    hash::{DefaultHasher, Hash, Hasher},
};

use foldhash::HashMap;

use super::{
    flow::expr::{Expr, Parameter},
    names::{Binder, BoundAt, Index, Names},
};
use crate::{
    host::HAS_SMALL_STEPS,
    text::{TextRange, TextSize},
};

/// A name and what binds it, as a number. A collision only costs a superfluous lookup.
pub type Key = u64;

/// Looks names up.
pub struct Lookup<'n> {
    source: Source<'n>,
    asked: RefCell<Vec<Key>>,
    /// From the first to the last place that a name was looked up for.
    places: Cell<Option<TextRange>>,
    /// Where the first of the values begins that variables have.
    values_from: Cell<Option<TextSize>>,
    /// Whether a variable has none.
    lacks_value: Cell<bool>,
    /// Whether variables were looked up outside of functions.
    asks_outside: Cell<bool>,
    /// The stretch of a function in which a variable was looked up last.
    stretch: Cell<Option<TextRange>>,
}

/// The source of lookups.
#[derive(Clone, Copy)]
pub struct Source<'n> {
    /// The bindings.
    pub names: &'n Names,
    /// An index of them, which takes longer to build than a few lookups.
    pub index: Option<&'n Index<'n>>,
}

impl<'n> Source<'n> {
    fn index(self) -> Option<&'n Index<'n>> {
        self.index.filter(|_| HAS_SMALL_STEPS)
    }
}

impl<'n> Lookup<'n> {
    /// Looks up in `source`.
    pub fn new(source: Source<'n>) -> Self {
        Self {
            source,
            asked: RefCell::default(),
            places: Cell::default(),
            values_from: Cell::default(),
            lacks_value: Cell::default(),
            asks_outside: Cell::default(),
            stretch: Cell::default(),
        }
    }

    /// The value of `name` at `place`.
    pub fn at(&self, binder: Binder, name: &str, place: TextSize) -> Option<BoundAt<'n>> {
        self.note(binder, name, place);
        let bound = match self.source.index() {
            Some(index) => index.at(binder, name, place),
            None => self.source.names.at(binder, name, place),
        };
        match bound.map(|it| it.start) {
            _ if binder != Binder::Variable => {}
            None => self.lacks_value.set(true),
            Some(start) => {
                let first = self.values_from.get().map_or(start, |it| it.min(start));
                self.values_from.set(Some(first));
            }
        }
        bound
    }

    /// The result of the function with this name and arity, if it can be called at `place`.
    pub fn function(&self, name: &str, arity: usize, place: TextSize) -> Option<BoundAt<'n>> {
        self.note(Binder::Function, name, place);
        match self.source.index() {
            Some(index) => index.function(name, arity, place),
            None => self.source.names.function(name, arity, place),
        }
    }

    /// What the callers of the function that is defined at `place` give for a parameter of it; `None` where not all of
    /// them can be seen.
    pub fn given(
        &self,
        parameter: &Parameter,
        place: TextSize,
    ) -> Option<Vec<(&'n Expr, TextSize)>> {
        self.note(Binder::Function, &parameter.function, place);
        self.note_key(calls_of(&parameter.function));
        match self.source.index() {
            Some(index) => index.given(parameter, place),
            None => self.source.names.given(parameter, place),
        }
    }

    /// The names that were looked up.
    pub fn asked(self) -> Box<[Key]> {
        self.asked.into_inner().into()
    }

    /// From the first to the last place that a name was looked up for, those of a use at `place`.
    pub fn places(&self, place: TextSize) -> TextRange {
        let here = TextRange::empty(place);
        self.places.get().map_or(here, |all| all.cover(here))
    }

    /// Where the first of the values begins that variables have: what is bound before it changes none of them. `None` if a
    /// variable has no value.
    pub fn values_from(&self) -> Option<TextSize> {
        self.values_from.get().filter(|_| !self.lacks_value.get())
    }

    /// Whether variables were looked up outside of functions.
    pub fn asks_outside(&self) -> bool {
        self.asks_outside.get()
    }

    fn note(&self, binder: Binder, name: &str, place: TextSize) {
        self.places.set(Some(self.places(place)));
        if binder == Binder::Variable && !self.asks_outside.get() && !self.is_in_body(place) {
            self.asks_outside.set(true);
        }
        self.note_key(key(binder, name));
    }

    /// Whether `place` is in a function. Most names of a use are looked up in one.
    fn is_in_body(&self, place: TextSize) -> bool {
        if self.stretch.get().is_some_and(|it| it.contains(place)) {
            return true;
        }
        let stretch = self.source.names.stretch_around(place);
        self.stretch.set(stretch);
        stretch.is_some()
    }

    fn note_key(&self, key: Key) {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
    }
}

/// The key of a name.
pub fn key(binder: Binder, name: &str) -> Key {
    let mut hasher = DefaultHasher::new();
    (binder, name).hash(&mut hasher);
    hasher.finish()
}

/// Adds `range` to where the name with `key` may have changed.
fn widen(keys: &mut HashMap<Key, TextRange>, key: Key, range: TextRange) {
    let known = keys.entry(key).or_insert(range);
    *known = known.cover(range);
}

/// The key of all calls of the functions of that name.
pub fn calls_of(name: &str) -> Key {
    let mut hasher = DefaultHasher::new();
    ("calls", name).hash(&mut hasher);
    hasher.finish()
}

/// All of a document.
pub const EVERYWHERE: TextRange = TextRange::up_to(TextSize::new(u32::MAX));

/// The names whose value may change with an edit, outside of the statements that it touched.
#[derive(Debug, Default)]
pub struct Touched {
    /// Each with the range after the edit in which its value may change.
    variables: HashMap<Key, TextRange>,
    others: HashMap<Key, TextRange>,
    /// The body of the function around the edit: nothing else sees its variables.
    pub block: Option<TextRange>,
}

impl Touched {
    /// Adds a name whose value may change everywhere.
    pub fn add(&mut self, binder: Binder, name: &str) {
        self.add_in(binder, name, EVERYWHERE);
    }

    /// Adds a name whose value may change only for those who look it up in `range`.
    pub fn add_in(&mut self, binder: Binder, name: &str, range: TextRange) {
        let keys = match binder {
            Binder::Variable => &mut self.variables,
            Binder::Attribute | Binder::Function => &mut self.others,
        };
        widen(keys, key(binder, name), range);
    }

    /// Adds the calls of the functions of that name that are defined in `range`.
    pub fn add_calls_in(&mut self, name: &str, range: TextRange) {
        widen(&mut self.others, calls_of(name), range);
    }

    /// Whether there are any.
    pub fn is_any(&self) -> bool {
        !self.variables.is_empty() || !self.others.is_empty()
    }

    /// Removes the names that are not `asked` for anywhere.
    pub fn retain(&mut self, is_asked: impl Fn(&Key) -> bool) {
        self.variables.retain(|key, _| is_asked(key));
        self.others.retain(|key, _| is_asked(key));
    }

    /// The keys of the names, each with the range after the edit in which its value may change.
    pub fn ranges(&self) -> impl Iterator<Item = (Key, TextRange)> {
        let ranges = self.variables.iter().chain(&self.others);
        ranges.map(|(key, range)| (*key, *range))
    }

    /// Whether it affects a use at `place` after the edit that `asked` for names at places in `range`, for variables
    /// outside of functions too if it `asks_outside`. It `sees_edit` unless values behind that hide what is bound there.
    pub fn concerns(
        &self,
        (place, range): (TextSize, TextRange),
        asked: &[Key],
        asks_outside: bool,
        sees_edit: bool,
    ) -> bool {
        let is_in = |keys: &HashMap<Key, TextRange>| {
            let mut touched = asked.iter().filter_map(|it| keys.get(it));
            touched.any(|it| range.start() < it.end() && it.start() <= range.end())
        };
        let sees_variables = || {
            self.block
                .map_or(asks_outside, |block| block.contains(place))
        };
        is_in(&self.others) || sees_edit && is_in(&self.variables) && sees_variables()
    }
}
