//! Values that are mostly the default.

use std::{
    hash::{Hash, Hasher},
    ops::Deref,
};

/// A type whose default exists once.
pub trait Blank: PartialEq + 'static {
    /// The default.
    const BLANK: &'static Self;
}

impl<T: PartialEq + 'static> Blank for Vec<T> {
    const BLANK: &'static Self = &Self::new();
}

/// A `T` in the room of a pointer while it is the default.
#[derive(Debug, Clone)]
pub struct Rare<T>(Option<Box<T>>);

impl<T> Rare<T> {
    /// The default.
    pub const NONE: Self = Self(None);
}

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Blank> From<T> for Rare<T> {
    fn from(value: T) -> Self {
        Self((value != *T::BLANK).then(|| Box::new(value)))
    }
}

impl<T: Blank> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::BLANK)
    }
}

impl<T: Blank> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            _ => **self == **other,
        }
    }
}

impl<T: Blank + Eq> Eq for Rare<T> {}

impl<T: Blank + Hash> Hash for Rare<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: Default> Rare<T> {
    /// The value to change, unless it is the default.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0.map_or_else(T::default, |it| *it)
    }

    /// The value to change, which then takes its own room.
    pub fn make_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{
        Unit,
        flow::Flow,
        lisp::{Namespaces, Program},
    };

    #[test]
    fn blanks_are_defaults() {
        assert_eq!(*Program::BLANK, Program::default());
        assert_eq!(*Namespaces::BLANK, Namespaces::default());
        assert_eq!(*Flow::BLANK, Flow::default());
        assert_eq!(*Rare::<Flow>::default(), Flow::default());
    }

    #[test]
    fn a_default_equals_one_with_its_own_room() {
        let mut own = Rare::<Flow>::default();
        own.make_mut();
        assert!(own.get_mut().is_some() && own == Rare::default());
        assert!(Rare::from(Flow::default()).get_mut().is_none());
    }

    /// A document of 100,000 lines has tens of thousands of them.
    #[test]
    fn units_are_small() {
        assert!(size_of::<Unit>() <= 112, "{}", size_of::<Unit>());
        assert!(size_of::<Program>() <= 96, "{}", size_of::<Program>());
    }
}
