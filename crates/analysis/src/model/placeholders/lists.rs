//! Indexed lists of fields, for many lookups, and shared types.

use std::{cell::RefCell, collections::hash_map::Entry, rc::Rc, sync::Arc};

use foldhash::{HashMap, HashMapExt};

use crate::model::{Edition, Field, Type, TypeKind};

/// How many fields are compared one by one: a map of so few names takes longer to make.
const SHORT: usize = 16;

/// Indexes of the lists in which a name was looked up. Each is built once.
pub(super) struct Lists<'a> {
    edition: Edition,
    /// By address: the lists outlive this.
    read: RefCell<HashMap<*const Field, Rc<List<'a>>>>,
    /// Copies of the lists and records that names have, in the same way.
    types: RefCell<HashMap<*const Type, Arc<Type>>>,
}

struct List<'a> {
    fields: &'a [Field],
    /// The first field of each name in normal form.
    by_name: HashMap<String, usize>,
    names: RefCell<Option<Arc<[String]>>>,
    sorted: RefCell<Option<Arc<[String]>>>,
}

impl<'a> Lists<'a> {
    pub(super) fn new(edition: Edition) -> Self {
        Self {
            edition,
            read: RefCell::default(),
            types: RefCell::default(),
        }
    }

    /// A copy of `ty` that all who ask share, if it may be large.
    pub(super) fn shared(&self, ty: &'a Type) -> Arc<Type> {
        if !matches!(ty.kind, TypeKind::List(_) | TypeKind::Record(_)) {
            return Arc::new(ty.clone());
        }
        let mut types = self.types.borrow_mut();
        let shared = types.entry(ty).or_insert_with(|| Arc::new(ty.clone()));
        Arc::clone(shared)
    }

    /// The index of the first field with this name in normal form.
    pub(super) fn position(&self, fields: &'a [Field], normal_name: &str) -> Option<usize> {
        if fields.len() <= SHORT {
            let is_it = |it: &Field| self.edition.is_normal_name(normal_name, &it.name);
            return fields.iter().position(is_it);
        }
        self.list(fields).by_name.get(normal_name).copied()
    }

    /// The names of `fields` as written.
    pub(super) fn names(&self, fields: &'a [Field]) -> Arc<[String]> {
        self.list(fields).names()
    }

    /// The names of `fields` in normal form, sorted.
    pub(super) fn sorted_names(&self, fields: &'a [Field]) -> Arc<[String]> {
        self.list(fields).sorted_names()
    }

    fn list(&self, fields: &'a [Field]) -> Rc<List<'a>> {
        match self.read.borrow_mut().entry(fields.as_ptr()) {
            Entry::Occupied(known) => Rc::clone(known.get()),
            Entry::Vacant(place) => {
                let list = Rc::new(List::new(fields, self.edition));
                Rc::clone(place.insert(list))
            }
        }
    }
}

impl<'a> List<'a> {
    fn new(fields: &'a [Field], edition: Edition) -> Self {
        let mut by_name = HashMap::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            let name = edition.normal_name(&field.name);
            by_name.entry(name).or_insert(index);
        }
        Self {
            fields,
            by_name,
            names: RefCell::default(),
            sorted: RefCell::default(),
        }
    }

    fn names(&self) -> Arc<[String]> {
        let mut names = self.names.borrow_mut();
        let names = names.get_or_insert_with(|| {
            let names = self.fields.iter().map(|it| it.name.clone());
            names.collect()
        });
        Arc::clone(names)
    }

    fn sorted_names(&self) -> Arc<[String]> {
        let mut sorted = self.sorted.borrow_mut();
        let sorted = sorted.get_or_insert_with(|| {
            let mut names: Vec<_> = self.by_name.keys().cloned().collect();
            names.sort_unstable();
            names.into()
        });
        Arc::clone(sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::text::TextRange;

    #[test]
    fn short_and_long_lists_find_the_same() {
        let names = ["a-b", "a_b", "A_b", "", "a", "b-", "b_"].iter().cycle();
        let field = |name: &&str| Field {
            name: (*name).to_owned(),
            name_range: TextRange::default(),
            ty: Type::new(TypeKind::Unknown),
        };
        let fields: Vec<_> = names.take(2 * SHORT).map(field).collect();
        for edition in Edition::ALL {
            let lists = Lists::new(edition);
            for name in ["a_b", "a-b", "A_b", "", "b_", "c"] {
                let short = lists.position(&fields[..SHORT], name);
                assert_eq!(
                    lists.position(&fields, name),
                    short,
                    "{name:?} in {edition}"
                );
            }
        }
    }
}
