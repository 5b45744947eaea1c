//! The fields of a record, which are found by name however many there are.

use std::{
    cmp::Ordering,
    hash::{BuildHasher, Hash, Hasher},
    ops::Deref,
    sync::{Arc, OnceLock},
};

use foldhash::fast::FixedState;

use super::{Edition, Field};

/// So few fields are looked at one after the other.
const FEW: usize = 16;

/// The fields of a record, or the parameters of a signature, in their order. Copies share them.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    list: Box<[Field]>,
    /// That of all of them. Thousands of types may have the same ones.
    hash: OnceLock<u64>,
    /// Built when a name is looked up among many.
    index: OnceLock<Index>,
}

#[derive(Debug)]
struct Index {
    /// The numbers of the fields by their names, as [`compare`] compares them.
    by_name: Box<[u32]>,
    /// The numbers of the fields without `?`.
    required: Box<[u32]>,
}

impl Fields {
    /// No fields.
    pub const NONE: &'static Self = &Self(None);

    /// The fields in their order.
    pub fn as_slice(&self) -> &[Field] {
        self
    }

    /// The first field whose name is `name`, as `edition` compares names.
    pub fn named(&self, name: &str, edition: Edition) -> Option<&Field> {
        if self.len() <= FEW {
            return self.iter().find(|it| edition.is_same_name(&it.name, name));
        }
        self.all_named(name, edition).map(|it| &self[it]).next()
    }

    /// Whether there are so many fields that looking at each of them once per value would take long.
    pub(crate) fn are_many(&self) -> bool {
        self.len() > FEW
    }

    /// The numbers of the fields whose name is `name`, as `edition` compares names, in ascending order.
    pub(crate) fn all_named(&self, name: &str, edition: Edition) -> impl Iterator<Item = usize> {
        let by_name = self.index().map_or(&[][..], |it| &it.by_name);
        let order = |at: &u32| compare(&self[*at as usize].name, name);
        let first = by_name.partition_point(|it| order(it).is_lt());
        let same = { by_name[first..].iter() }.take_while(move |it| order(it).is_eq());
        let same = same.map(|it| *it as usize);
        same.filter(move |it| edition.is_same_name(&self[*it].name, name))
    }

    /// The numbers of the fields without `?`, in ascending order.
    pub(crate) fn required(&self) -> impl Iterator<Item = usize> {
        let required = self.index().map_or(&[][..], |it| &it.required);
        required.iter().map(|it| *it as usize)
    }

    fn index(&self) -> Option<&Index> {
        let inner = self.0.as_deref()?;
        Some(inner.index.get_or_init(|| Index::of(&inner.list)))
    }
}

impl Index {
    fn of(fields: &[Field]) -> Self {
        let numbers = || 0..u32::try_from(fields.len()).unwrap_or(u32::MAX);
        let mut by_name: Vec<_> = numbers().collect();
        let name = |it: u32| &*fields[it as usize].name;
        by_name.sort_unstable_by(|&a, &b| compare(name(a), name(b)).then(a.cmp(&b)));
        let required = numbers().filter(|&it| !fields[it as usize].ty.optional);
        Self {
            by_name: by_name.into(),
            required: required.collect(),
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
            hash: OnceLock::new(),
            index: OnceLock::new(),
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
        let hash = |it: &Inner| FixedState::default().hash_one(&it.list);
        let hash = self
            .0
            .as_deref()
            .map(|it| *it.hash.get_or_init(|| hash(it)));
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
