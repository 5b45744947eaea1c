//! The names of a signature: each parameter and field has an identity, its pre-order index.

use crate::model::{Edition, Field, Fields, Signature, Type, TypeKind};
use signature_ls_source::text::TextRange;

/// The identity of a parameter or field: its pre-order index in the signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(u32);

/// The list in which a parameter or field is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// The parameters.
    Params,
    /// The record that is the output, or the element type of the output.
    Output,
    /// The record that is the type of this parameter or field, or the element type of it.
    Fields(FieldId),
}

/// The names of a signature, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    declared: Vec<Declared>,
}

/// A name and its declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The place of the name, in bytes of the signature's text.
    pub range: TextRange,
    /// The list of the declaration.
    pub list: List,
    /// Its index in that list.
    index: u32,
}

impl Names {
    /// The names of `signature`.
    pub fn new(signature: &Signature) -> Self {
        let mut names = Self::default();
        names.add_fields(&signature.params, List::Params);
        names.add_type(&signature.output, List::Output);
        names.declared.shrink_to_fit();
        names
    }

    fn add_fields(&mut self, fields: &[Field], list: List) {
        for (index, field) in (0..).zip(fields) {
            let id = FieldId(u32::try_from(self.declared.len()).unwrap_or(u32::MAX));
            self.declared.push(Declared {
                range: field.name_range,
                list,
                index,
            });
            self.add_type(&field.ty, List::Fields(id));
        }
    }

    fn add_type(&mut self, ty: &Type, list: List) {
        if let Some(fields) = record_in(ty) {
            self.add_fields(fields, list);
        }
    }

    /// All names with their identities.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &Declared)> {
        (0..).map(FieldId).zip(&self.declared)
    }

    /// The name whose declaration is at exactly `range`.
    pub fn at(&self, range: TextRange) -> Option<FieldId> {
        let start = |it: &Declared| it.range.start();
        let index = self.declared.binary_search_by_key(&range.start(), start);
        let index = index.ok().filter(|&it| self.declared[it].range == range)?;
        u32::try_from(index).ok().map(FieldId)
    }

    /// The place of a name's declaration.
    pub fn get(&self, id: FieldId) -> Option<&Declared> {
        self.declared.get(id.index())
    }

    /// The parameter or field in the signature.
    pub fn field<'s>(&self, signature: &'s Signature, id: FieldId) -> Option<&'s Field> {
        let mut fields = None;
        let mut found = None;
        for id in self.ancestry(id) {
            let declared = self.get(id)?;
            let list = fields.or_else(|| fields_of(signature, declared.list))?;
            let field: &Field = list.get(declared.index as usize)?;
            found = Some(field);
            fields = record_in(&field.ty);
        }
        found
    }

    /// The parameter or the field of a parameter at `path`, whose names are in normal form.
    pub fn input(
        &self,
        signature: &Signature,
        path: &[String],
        edition: Edition,
    ) -> Option<FieldId> {
        self.in_fields(&signature.params, path, edition)
    }

    /// The field of the output at `path`, whose names are in normal form.
    pub fn output(
        &self,
        signature: &Signature,
        path: &[String],
        edition: Edition,
    ) -> Option<FieldId> {
        self.in_fields(record_in(&signature.output)?, path, edition)
    }

    fn in_fields(&self, mut fields: &Fields, path: &[String], edition: Edition) -> Option<FieldId> {
        let mut found = None;
        for name in path {
            let field = fields.named(name, edition)?;
            found = Some(field.name_range);
            fields = record_in(&field.ty).unwrap_or_default();
        }
        self.at(found?)
    }

    /// The parameters or fields in the same list, including the name itself.
    pub fn siblings<'s>(&self, signature: &'s Signature, id: FieldId) -> Option<&'s Fields> {
        match self.get(id)?.list {
            List::Fields(parent) => record_in(&self.field(signature, parent)?.ty),
            list => fields_of(signature, list),
        }
    }

    /// The name and its parents, outermost first.
    pub fn ancestry(&self, id: FieldId) -> Vec<FieldId> {
        let mut ancestry = Vec::new();
        let mut next = Some(id);
        while let Some((id, declared)) = next.and_then(|id| Some((id, self.get(id)?))) {
            ancestry.push(id);
            next = match declared.list {
                List::Fields(parent) => Some(parent),
                List::Params | List::Output => None,
            };
        }
        ancestry.reverse();
        ancestry
    }

    /// The path of the name, in normal form.
    pub fn path(
        &self,
        signature: &Signature,
        id: FieldId,
        edition: Edition,
    ) -> Option<Vec<String>> {
        let path = self.ancestry(id).into_iter().map(|it| {
            let field = self.field(signature, it)?;
            Some(edition.normal_name(&field.name))
        });
        path.collect()
    }

    /// Whether the name is a parameter or a field of one, not of the output.
    pub fn is_input(&self, id: FieldId) -> bool {
        let outermost = self.ancestry(id).first().and_then(|&id| self.get(id));
        outermost.is_some_and(|it| it.list == List::Params)
    }
}

impl FieldId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The fields of a record, or of the record in a list.
pub fn record_in(ty: &Type) -> Option<&Fields> {
    match &ty.kind {
        TypeKind::List(element) => record_in(element),
        TypeKind::Record(fields) => Some(fields),
        TypeKind::Primitive(_) | TypeKind::Unknown => None,
    }
}

fn fields_of(signature: &Signature, list: List) -> Option<&Fields> {
    match list {
        List::Params => Some(&signature.params),
        List::Output => record_in(&signature.output),
        List::Fields(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edition, parse_signature};

    const TEXT: &str = "(user {name :string, tags [{id :int}]}, n :int) -> [{id :int, x {y :any}}]";

    #[test]
    fn every_name_has_an_identity_and_a_path() {
        let signature = parse_signature(TEXT, Edition::V0_11).0.expect("sound");
        let names = Names::new(&signature);
        let shown = names.iter().map(|(id, declared)| {
            let field = names.field(&signature, id).expect("declared");
            assert_eq!(&TEXT[declared.range], field.name);
            assert_eq!(names.at(declared.range), Some(id));
            let path = names
                .ancestry(id)
                .into_iter()
                .filter_map(|it| names.get(it));
            let path = path.map(|it| &TEXT[it.range]).collect::<Vec<_>>();
            format!("{} {}", path.join("."), names.is_input(id))
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "user true",
                "user.name true",
                "user.tags true",
                "user.tags.id true",
                "n true",
                "id false",
                "x false",
                "x.y false",
            ]
        );
    }

    #[test]
    fn names_beside_one_are_those_of_its_list() {
        let signature = parse_signature(TEXT, Edition::V0_11).0.expect("sound");
        let names = Names::new(&signature);
        let siblings = names.iter().map(|(id, _)| {
            let siblings = names.siblings(&signature, id).expect("a list");
            let siblings: Vec<_> = siblings.iter().map(|it| it.name.as_str()).collect();
            siblings.join(" ")
        });
        assert_eq!(
            siblings.collect::<Vec<_>>(),
            [
                "user n",
                "name tags",
                "name tags",
                "id",
                "user n",
                "id x",
                "id x",
                "y"
            ]
        );
    }
}
