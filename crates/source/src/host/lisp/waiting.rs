//! The forms that wait while those around them are visited.

use rowan::GreenNodeData;

use super::{definitions::small, forms::Form};
use crate::{
    host::{object::Place, token_tree::Element},
    text::{TextRange, TextSize},
};

/// A form to visit.
pub(super) struct Left<'t> {
    pub(super) form: Form<'t>,
    pub(super) place: Place,
    /// The index of its scope.
    pub(super) scope: usize,
    /// Whether it is a step of a threading macro.
    pub(super) is_threaded: bool,
    /// Whether it is an argument of a tool call.
    pub(super) is_argument: bool,
}

/// The same in little room, for a group: as many as the text has may wait.
pub(super) struct Waiting<'t> {
    green: &'t GreenNodeData,
    start: TextSize,
    scope: u32,
    is_threaded: bool,
    is_argument: bool,
    /// What few have.
    rare: Option<Box<Unusual<'t>>>,
}

/// A place with a meaning, or a form with prefixes.
struct Unusual<'t> {
    place: Place,
    range: TextRange,
    prefix: &'t str,
}

impl<'t> Waiting<'t> {
    /// The same as `left`, if that is a group.
    pub(super) fn of(left: Left<'t>) -> Option<Self> {
        let Form {
            element,
            range,
            prefix,
        } = left.form;
        let is_usual = left.place == Place::Free && range == element.range && prefix.is_empty();
        let rare = (!is_usual).then(|| {
            Box::new(Unusual {
                place: left.place,
                range,
                prefix,
            })
        });
        Some(Self {
            green: element.as_node()?,
            start: element.range.start(),
            scope: small(left.scope),
            is_threaded: left.is_threaded,
            is_argument: left.is_argument,
            rare,
        })
    }

    pub(super) fn into_left(self) -> Left<'t> {
        let element = Element::node(self.green, self.start);
        let Unusual {
            place,
            range,
            prefix,
        } = self.rare.map_or_else(
            || Unusual {
                place: Place::Free,
                range: element.range,
                prefix: "",
            },
            |it| *it,
        );
        Left {
            form: Form {
                element,
                range,
                prefix,
            },
            place,
            scope: self.scope as usize,
            is_threaded: self.is_threaded,
            is_argument: self.is_argument,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list has one for every six bytes.
    #[test]
    fn forms_that_wait_are_small() {
        let size = size_of::<Waiting<'_>>();
        assert!(size <= 32, "{size}");
        assert!(2 * size < size_of::<Left<'_>>());
    }
}
