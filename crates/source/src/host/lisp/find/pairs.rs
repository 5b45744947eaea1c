//! The entries of maps, and their names and texts.

use crate::{
    host::{
        lisp::forms::{Form, Forms},
        object::{self, Literal, Property, Value},
        quoted,
        token_tree::Element,
        values::lisp,
    },
    rare::Rare,
    syntax::fragment::Escapes,
    text::TextRange,
};

/// An entry of a map, as written.
pub(super) struct Pair<'t> {
    pub(super) key: Form<'t>,
    pub(super) value: Option<Form<'t>>,
}

/// The entries of a map, without the metadata in it.
pub(super) struct Pairs<'t>(Forms<'t>);

impl<'t> Pairs<'t> {
    pub(super) fn of(map: &Element<'t>) -> Self {
        Self(Forms::of(map))
    }
}

impl<'t> Iterator for Pairs<'t> {
    type Item = Pair<'t>;

    fn next(&mut self) -> Option<Pair<'t>> {
        let key = self.0.next()?;
        let value = self.0.next();
        Some(Pair { key, value })
    }

    #[inline]
    fn fold<B, F: FnMut(B, Pair<'t>) -> B>(self, init: B, mut each: F) -> B {
        let (result, last) = self.0.fold((init, None), |(result, key), form| match key {
            None => (result, Some(form)),
            Some(key) => {
                let value = Some(form);
                (each(result, Pair { key, value }), None)
            }
        });
        match last {
            Some(key) => each(result, Pair { key, value: None }),
            None => result,
        }
    }
}

/// An entry whose key is a keyword.
pub(super) fn entry<'t>(pair: &Pair<'t>) -> Option<Property<'t>> {
    let key = pair.key.as_keyword()?;
    let value = match pair.value {
        Some(value) => match value.as_string() {
            Some(string) => Value::Literal(literal(&string)),
            None => Value::Other(value.range),
        },
        None => Value::Other(TextRange::empty(pair.key.range.end())),
    };
    let read = pair.value.filter(|_| object::reads_value(key));
    Some(Property {
        key,
        key_range: pair.key.range,
        value,
        read: read.map(|value| lisp::of(&value).relative_to(value.range.start())),
    })
}

/// The name in a keyword or a string.
pub(super) fn name_of(form: &Form<'_>) -> Option<String> {
    match form.as_string() {
        Some(string) => Some(quoted::content(&string).0),
        None => form.as_keyword().map(str::to_owned),
    }
}

pub(super) fn literal(string: &Element<'_>) -> Literal {
    Literal {
        literal: string.range,
        content: quoted::content(string).1,
        escapes: Escapes::Backslash,
        foreign: Rare::default(),
    }
}

/// The value of a string.
pub(super) fn text_of(string: &Element<'_>) -> String {
    object::text_of(&quoted::content(string).0, Escapes::Backslash).into_owned()
}
