//! Finds fields by their names in long lists.

use std::{cmp::Ordering, collections::hash_map::Entry};

use foldhash::HashMap;

use crate::model::{Edition, Field, Signature, Type, TypeKind, spelling::MOST_CANDIDATES};

/// How many fields are compared one by one: that takes less time than to sort them.
const SHORT: usize = 16;

/// The order of the names in the long lists of a signature.
#[derive(Debug, Clone, Default)]
pub(super) struct Wide {
    /// By the address of the list: the signature does not change.
    lists: HashMap<usize, List>,
}

#[derive(Debug, Clone)]
struct List {
    /// The indices of the fields, by name.
    by_name: Box<[u32]>,
    /// The first names in normal form, with which misspelled ones are compared.
    first: Box<[String]>,
}

/// The names of the fields of a record in normal form, as many as misspelled ones are compared with.
pub enum FirstNames<'a> {
    /// Those of a long list.
    Known(&'a [String]),
    /// Those of a short one.
    Made(Vec<String>),
}

impl FirstNames<'_> {
    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Self::Known(names) => names,
            Self::Made(names) => names.as_slice(),
        };
        names.iter().map(String::as_str)
    }
}

impl Wide {
    pub(super) fn of(signature: &Signature, edition: Edition) -> Self {
        let mut wide = Self::default();
        wide.add(&signature.params, edition);
        wide.add_type(&signature.output, edition);
        wide
    }

    fn add_type(&mut self, ty: &Type, edition: Edition) {
        match &ty.kind {
            TypeKind::List(element) => self.add_type(element, edition),
            TypeKind::Record(fields) => self.add(fields, edition),
            TypeKind::Primitive(_) | TypeKind::Unknown => {}
        }
    }

    fn add(&mut self, fields: &[Field], edition: Edition) {
        for field in fields {
            self.add_type(&field.ty, edition);
        }
        if fields.len() > SHORT
            && let Entry::Vacant(place) = self.lists.entry(address(fields))
        {
            place.insert(List::new(fields, edition));
        }
    }

    /// The first of `fields`, which are a list of the signature, whose name is `name`.
    pub(super) fn field<'f>(
        &self,
        fields: &'f [Field],
        name: &str,
        edition: Edition,
    ) -> Option<&'f Field> {
        let Some(list) = self.lists.get(&address(fields)) else {
            return Field::named(fields, name, edition);
        };
        let at = |index: &u32| fields.get(*index as usize);
        let is_before = |it: &Field| edition.compare_names(&it.name, name) == Ordering::Less;
        let place = list
            .by_name
            .partition_point(|it| at(it).is_some_and(is_before));
        let found = list.by_name.get(place).and_then(at);
        found.filter(|it| edition.is_same_name(&it.name, name))
    }

    pub(super) fn first_names(&self, fields: &[Field], edition: Edition) -> FirstNames<'_> {
        match self.lists.get(&address(fields)) {
            Some(list) => FirstNames::Known(&list.first),
            None => FirstNames::Made(first_names(fields, edition).collect()),
        }
    }
}

impl List {
    fn new(fields: &[Field], edition: Edition) -> Self {
        let mut by_name: Vec<_> = (0..).zip(fields).collect();
        // The first of several fields with the same name stays the first.
        by_name.sort_by(|(_, one), (_, other)| edition.compare_names(&one.name, &other.name));
        Self {
            by_name: by_name.into_iter().map(|(index, _)| index).collect(),
            first: first_names(fields, edition).collect(),
        }
    }
}

fn first_names(fields: &[Field], edition: Edition) -> impl Iterator<Item = String> {
    let fields = fields.iter().take(MOST_CANDIDATES);
    fields.map(move |it| edition.normal_name(&it.name))
}

fn address(fields: &[Field]) -> usize {
    fields.as_ptr().addr()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::lower_text;

    #[test]
    fn long_and_short_lists_find_the_same() {
        let names = ["a-b", "a_b", "A_b", "b-", "b_"].iter().cycle();
        let names = names.zip(0..).map(|(it, at)| match at % 7 {
            0 => format!("{it}{at} :int"),
            _ => format!("{it} :int"),
        });
        let fields = names.take(5 * SHORT).collect::<Vec<_>>().join(", ");
        for edition in Edition::ALL {
            let lowered = lower_text(&format!("({fields}) -> [{{{fields}}}]"), edition);
            let TypeKind::List(element) = &lowered.signature.output.kind else {
                panic!("a list");
            };
            let TypeKind::Record(output) = &element.kind else {
                panic!("a record");
            };
            for fields in [&lowered.signature.params, output] {
                for name in ["a_b", "a-b", "A_b", "", "b_", "c", "a-b0", "a_b0", "zz"] {
                    let found = lowered.field(fields, name, edition);
                    let expected = Field::named(fields, name, edition);
                    let range = |it: &Field| it.name_range;
                    assert_eq!(
                        found.map(range),
                        expected.map(range),
                        "{name:?} in {edition}"
                    );
                }
            }
        }
    }
}
