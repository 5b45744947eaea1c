//! Maps with known keys.

use super::{Ty, ty::MAX_FIELDS};
use signature_ls_source::host::lisp::expr::Expr;

/// A key of a map and the type of its value.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    /// The key in normal form.
    pub(super) name: Box<str>,
    /// The key as written; `None` if it may be a keyword or a string.
    key: Option<&'a Expr<'a>>,
    /// The type of the value.
    pub(super) ty: Ty<'a>,
}

/// The entries of a map, one for each name.
///
/// A map can have a keyword and a string of one name as two keys. Then the entry is unknown, and so is one that may be
/// gone.
#[derive(Debug, Clone, Default)]
pub(super) struct Record<'a>(Vec<Entry<'a>>);

impl<'a> Record<'a> {
    /// No entries, with room for `count`: thousands of maps have one.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count.min(MAX_FIELDS + 1)))
    }

    /// The entries in the order in which their keys were first given.
    pub(super) fn entries(&self) -> &[Entry<'a>] {
        &self.0
    }

    /// The type of the value of `name`, which is in normal form.
    pub(super) fn get(&self, name: &str) -> Option<&Ty<'a>> {
        let entry = self.0.iter().find(|it| *it.name == *name);
        entry.map(|it| &it.ty)
    }

    /// The type of the value of `name` if it is certainly that of `key`.
    pub(super) fn get_exact(&self, name: &str, key: &Expr) -> Option<&Ty<'a>> {
        let entry = self.0.iter().find(|it| *it.name == *name);
        entry
            .filter(|it| is_same(it.key, Some(key)))
            .map(|it| &it.ty)
    }

    /// Adds an entry that is written beside the others. If the name is there already, either may count.
    pub(super) fn add(&mut self, name: &str, key: Option<&'a Expr<'a>>, ty: Ty<'a>) {
        if let Some(known) = self.0.iter_mut().find(|it| *it.name == *name) {
            known.key = None;
            known.ty = Ty::Unknown;
            return;
        }
        // One more than a record may have, so that it is none.
        if self.0.len() <= MAX_FIELDS {
            self.0.push(Entry {
                name: name.into(),
                key,
                ty,
            });
        }
    }

    /// Gives `key` another value.
    pub(super) fn set(&mut self, name: &str, key: Option<&'a Expr<'a>>, ty: Ty<'a>) {
        let mut entries = self.0.iter_mut();
        match entries.find(|it| *it.name == *name && is_same(it.key, key)) {
            Some(known) => known.ty = ty,
            None => self.add(name, key, ty),
        }
    }

    /// Gives all keys of `other` the values that they have there.
    pub(super) fn set_all(&mut self, other: Self) {
        for entry in other.0 {
            self.set(&entry.name, entry.key, entry.ty);
        }
    }

    /// Removes `key`.
    pub(super) fn remove(&mut self, name: &str, key: &'a Expr<'a>) {
        let Some(at) = self.0.iter().position(|it| *it.name == *name) else {
            return;
        };
        match is_same(self.0[at].key, Some(key)) {
            true => {
                self.0.remove(at);
            }
            false => self.add(name, None, Ty::Unknown),
        }
    }

    /// The record that this one or `other` is, if they have the same names.
    pub(super) fn join(&self, other: &Self) -> Option<Self> {
        if self.0.len() != other.0.len() {
            return None;
        }
        let joined = self.0.iter().map(|entry| {
            let other = other.0.iter().find(|it| it.name == entry.name)?;
            Some(Entry {
                name: entry.name.clone(),
                key: entry.key.filter(|it| is_same(Some(it), other.key)),
                ty: entry.ty.clone().join(other.ty.clone()),
            })
        });
        joined.collect::<Option<_>>().map(Self)
    }

    /// Whether both certainly have the same keys and types.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_same_entry = |(a, b): (&Entry<'a>, &Entry<'a>)| {
            a.name == b.name
                && (a.key.is_none() && b.key.is_none() || is_same(a.key, b.key))
                && a.ty.is_same(&b.ty)
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(is_same_entry)
    }
}

/// Whether both are certainly the same key.
fn is_same(one: Option<&Expr>, other: Option<&Expr>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.is_same_key(other))
}
