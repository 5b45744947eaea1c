//! The fields of a record, which types may share.

use std::{
    hash::{BuildHasher, Hash, Hasher},
    ops::Deref,
    sync::{Arc, OnceLock},
};

use foldhash::fast::FixedState;

use super::Field;

/// The fields of a record.
#[derive(Debug, Clone)]
pub struct Fields(Repr);

#[derive(Debug, Clone)]
enum Repr {
    Own(Vec<Field>),
    /// Many types have them. They are hashed once.
    Shared(Arc<(Vec<Field>, OnceLock<u64>)>),
}

impl Fields {
    /// The same, for many types.
    pub(super) fn shared(self) -> Self {
        match self.0 {
            Repr::Own(fields) => Self(Repr::Shared(Arc::new((fields, OnceLock::new())))),
            Repr::Shared(_) => self,
        }
    }

    fn hash_of(fields: &[Field]) -> u64 {
        FixedState::default().hash_one(fields)
    }
}

impl Deref for Fields {
    type Target = [Field];

    fn deref(&self) -> &[Field] {
        match &self.0 {
            Repr::Own(fields) => fields,
            Repr::Shared(shared) => &shared.0,
        }
    }
}

impl From<Vec<Field>> for Fields {
    fn from(fields: Vec<Field>) -> Self {
        Self(Repr::Own(fields))
    }
}

impl From<Fields> for Vec<Field> {
    fn from(fields: Fields) -> Self {
        match fields.0 {
            Repr::Own(fields) => fields,
            Repr::Shared(shared) => shared.0.clone(),
        }
    }
}

impl FromIterator<Field> for Fields {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Self {
        Vec::from_iter(fields).into()
    }
}

impl<'f> IntoIterator for &'f Fields {
    type Item = &'f Field;
    type IntoIter = std::slice::Iter<'f, Field>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Shared(one), Repr::Shared(other)) if Arc::ptr_eq(one, other) => true,
            _ => **self == **other,
        }
    }
}

impl Eq for Fields {}

impl Hash for Fields {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = match &self.0 {
            Repr::Own(fields) => Self::hash_of(fields),
            Repr::Shared(shared) => *shared.1.get_or_init(|| Self::hash_of(&shared.0)),
        };
        state.write_u64(hash);
    }
}
