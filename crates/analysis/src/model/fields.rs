//! The fields of a record, which are found by name however many there are.

use std::{
    cmp::Ordering,
    hash::{BuildHasher, Hash, Hasher},
    ops::Deref,
    sync::{Arc, OnceLock},
};

use foldhash::fast::FixedState;

use super::{Edition, Field};
use signature_ls_source::host::HAS_SMALL_STEPS;

/// So few fields are looked at one after the other.
const FEW: usize = 16;

/// A misspelled name is compared with the first of so many. A text may have tens of thousands of such names.
const MOST_COMPARED: usize = 256;

/// The fields of a record, or the parameters of a signature, in their order. Copies share them.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    list: Box<[Field]>,
    /// Built when it is first needed.
    known: OnceLock<Box<Known>>,
}

/// What is asked of fields many times.
#[derive(Debug)]
struct Known {
    /// The numbers of the fields by their names, as [`compare`] compares them.
    by_name: Box<[u32]>,
    /// The numbers of the fields that may not be missing.
    required: Box<[u32]>,
    /// That of all of them: thousands of types may have them.
    hash: OnceLock<u64>,
    /// The names as written.
    names: OnceLock<Arc<[String]>>,
    /// The first names, and all of them sorted, in normal form, and the edition whose form it is.
    first: OnceLock<(Edition, Box<[String]>)>,
    sorted: OnceLock<(Edition, Arc<[String]>)>,
}

/// The names of the fields of a record in normal form, as many as misspelled ones are compared with.
pub enum FirstNames<'a> {
    /// Those of many fields.
    Known(&'a [String]),
    /// Those of a few.
    Made(Box<[String]>),
}

impl FirstNames<'_> {
    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Self::Known(names) => *names,
            Self::Made(names) => names,
        };
        names.iter().map(String::as_str)
    }
}

impl Fields {
    /// No fields.
    pub const NONE: &'static Self = &Self(None);

    /// The fields in their order.
    pub fn as_slice(&self) -> &[Field] {
        self
    }

    /// Whether each field is where that in `other` is, which are equal, and so are those in their types.
    pub(super) fn have_places_of(&self, other: &Self) -> bool {
        let pairs = || self.iter().zip(other.iter());
        let is_shared = self.as_slice().as_ptr() == other.as_slice().as_ptr();
        is_shared
            || pairs()
                .all(|(own, its)| own.name_range == its.name_range && own.ty.has_places_of(&its.ty))
    }

    /// The first field whose name is `name`, as `edition` compares names.
    pub fn named(&self, name: &str, edition: Edition) -> Option<&Field> {
        self.position(name, edition).map(|it| &self[it])
    }

    /// Its number.
    pub fn position(&self, name: &str, edition: Edition) -> Option<usize> {
        if !self.are_many() {
            return { self.iter() }.position(|it| edition.is_same_name(&it.name, name));
        }
        self.all_named(name, edition).next()
    }

    /// The first field whose name is written like this.
    pub(crate) fn written(&self, name: &str) -> Option<&Field> {
        if !self.are_many() {
            return self.iter().find(|it| it.name == name);
        }
        let same = self.similar(name).map(|it| &self[it]);
        same.into_iter().find(|it| it.name == name)
    }

    /// The names that a misspelled name is compared with.
    pub fn first_names(&self, edition: Edition) -> FirstNames<'_> {
        let names = || {
            let first = self.iter().take(MOST_COMPARED);
            first.map(|it| edition.normal_name(&it.name)).collect()
        };
        let Some(known) = self.known_if_many() else {
            return FirstNames::Made(names());
        };
        let (of, first) = known.first.get_or_init(|| (edition, names()));
        match *of == edition {
            true => FirstNames::Known(first),
            false => FirstNames::Made(names()),
        }
    }

    /// The names as written.
    pub(super) fn names(&self) -> Arc<[String]> {
        let names = || self.iter().map(|it| it.name.clone()).collect();
        let known = self.known().map(|it| it.names.get_or_init(names));
        known.map_or_else(names, Arc::clone)
    }

    /// The names in normal form, sorted.
    pub(super) fn sorted_names(&self, edition: Edition) -> Arc<[String]> {
        let names = || {
            let mut names: Vec<_> = self
                .iter()
                .map(|it| edition.normal_name(&it.name))
                .collect();
            names.sort_unstable();
            names.dedup();
            names.into()
        };
        let known = { self.known() }.map(|it| it.sorted.get_or_init(|| (edition, names())));
        match known.filter(|(of, _)| *of == edition) {
            Some((_, sorted)) => Arc::clone(sorted),
            None => names(),
        }
    }

    /// Whether there are so many fields that looking at each of them once per value would take long.
    pub(crate) fn are_many(&self) -> bool {
        HAS_SMALL_STEPS && self.len() > FEW
    }

    /// The numbers of the fields whose name is `name`, as `edition` compares names, in ascending order.
    pub(crate) fn all_named(&self, name: &str, edition: Edition) -> impl Iterator<Item = usize> {
        let similar = self.similar(name);
        similar.filter(move |it| edition.is_same_name(&self[*it].name, name))
    }

    /// The numbers of the fields whose name is `name` for [`compare`], in ascending order.
    fn similar(&self, name: &str) -> impl Iterator<Item = usize> {
        let by_name = self.known().map_or(&[][..], |it| &it.by_name);
        let order = |at: &u32| compare(&self[*at as usize].name, name);
        let first = by_name.partition_point(|it| order(it).is_lt());
        let same = { by_name[first..].iter() }.take_while(move |it| order(it).is_eq());
        same.map(|it| *it as usize)
    }

    /// The numbers of the fields that may not be missing, in ascending order.
    pub(crate) fn required(&self) -> impl ExactSizeIterator<Item = usize> {
        let required = self.known().map_or(&[][..], |it| &it.required);
        required.iter().map(|it| *it as usize)
    }

    fn known_if_many(&self) -> Option<&Known> {
        self.are_many().then(|| self.known())?
    }

    /// None in a page, whose texts are short.
    fn known(&self) -> Option<&Known> {
        let inner = self.0.as_deref().filter(|_| HAS_SMALL_STEPS)?;
        Some(inner.known.get_or_init(|| Box::new(Known::of(&inner.list))))
    }
}

impl Known {
    fn of(fields: &[Field]) -> Self {
        let numbers = || 0..u32::try_from(fields.len()).unwrap_or(u32::MAX);
        let mut by_name: Vec<_> = numbers().collect();
        let name = |it: u32| &*fields[it as usize].name;
        by_name.sort_unstable_by(|&a, &b| compare(name(a), name(b)).then(a.cmp(&b)));
        let required = numbers().filter(|&it| fields[it as usize].is_required());
        Self {
            by_name: by_name.into(),
            required: required.collect(),
            hash: OnceLock::new(),
            names: OnceLock::new(),
            first: OnceLock::new(),
            sorted: OnceLock::new(),
        }
    }
}

/// The order of two names in which those that any edition takes for the same are equal.
fn compare(one: &str, other: &str) -> Ordering {
    let folded = |byte: u8| if byte == b'-' { b'_' } else { byte };
    one.bytes().map(folded).cmp(other.bytes().map(folded))
}

impl Default for &Fields {
    fn default() -> Self {
        Fields::NONE
    }
}

impl Deref for Fields {
    type Target = [Field];

    fn deref(&self) -> &[Field] {
        self.0.as_deref().map_or(&[], |it| &it.list)
    }
}

impl From<Vec<Field>> for Fields {
    fn from(list: Vec<Field>) -> Self {
        if list.is_empty() {
            return Self(None);
        }
        Self(Some(Arc::new(Inner {
            list: list.into(),
            known: OnceLock::new(),
        })))
    }
}

impl FromIterator<Field> for Fields {
    fn from_iter<T: IntoIterator<Item = Field>>(fields: T) -> Self {
        Vec::from_iter(fields).into()
    }
}

impl<'a> IntoIterator for &'a Fields {
    type Item = &'a Field;
    type IntoIter = std::slice::Iter<'a, Field>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one.list == other.list,
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl Eq for Fields {}

impl Hash for Fields {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = || FixedState::default().hash_one(&**self);
        let known = self.known_if_many();
        let hash = known.map_or_else(hash, |it| *it.hash.get_or_init(hash));
        hash.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Fields, compare};
    use crate::model::{Edition, Field, Primitive, Type};
    use signature_ls_source::text::TextRange;

    fn fields(names: &[String]) -> Fields {
        let field = |name: &String| Field {
            name: name.clone(),
            name_range: TextRange::default(),
            ty: Type::primitive(Primitive::Int),
        };
        names.iter().map(field).collect()
    }

    proptest! {
        /// Any number of fields, with names that some editions take for the same.
        #[test]
        fn the_first_field_of_a_name_is_found(
            names in proptest::collection::vec("[ab_-]{1,3}", 0..40),
            name in "[ab_-]{1,3}",
            edition in proptest::sample::select(&Edition::ALL[..]),
        ) {
            let fields = fields(&names);
            let is_same = |it: &&String| edition.is_same_name(it, &name);
            let expected = names.iter().find(is_same);
            prop_assert_eq!(fields.named(&name, edition).map(|it| &it.name), expected);
            let is_written = fields.written(&name).map(|it| &it.name);
            prop_assert_eq!(is_written, names.contains(&name).then_some(&name));
            let found: Vec<_> = fields.all_named(&name, edition).collect();
            let all: Vec<_> = (0..names.len()).filter(|&it| is_same(&&names[it])).collect();
            prop_assert_eq!(found, all);
        }

        #[test]
        fn names_that_an_edition_takes_for_the_same_are_equal(
            one in "[ab_-]{1,3}",
            other in "[ab_-]{1,3}",
            edition in proptest::sample::select(&Edition::ALL[..]),
        ) {
            if edition.is_same_name(&one, &other) {
                prop_assert!(compare(&one, &other).is_eq());
            }
        }
    }
}
