//! Indexed lists of fields, for many lookups.

use std::{cell::RefCell, collections::hash_map::Entry, rc::Rc, sync::Arc};

use foldhash::{HashMap, HashMapExt};

use crate::model::{Edition, Field};

/// How many fields are compared one by one: a map of so few names takes longer to make.
const SHORT: usize = 16;

/// Indexes of the lists in which a name was looked up. Each is built once.
pub(super) struct Lists<'a> {
    edition: Edition,
    /// By address: the lists outlive this.
    read: RefCell<HashMap<*const Field, Rc<List<'a>>>>,
}

struct List<'a> {
    fields: &'a [Field],
    /// The first field of each name in normal form.
    by_name: HashMap<String, usize>,
    names: RefCell<Option<Arc<[String]>>>,
}

impl<'a> Lists<'a> {
    pub(super) fn new(edition: Edition) -> Self {
        Self {
            edition,
            read: RefCell::default(),
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Type, TypeKind};
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
