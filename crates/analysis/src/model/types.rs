//! Types and signatures as values, each part with its place in the text.

use std::hash::{Hash, Hasher};

use crate::model::{Fields, Primitive};
use signature_ls_source::text::{TextRange, TextSize};

/// A type and its place.
///
/// Two types are equal if they mean the same, wherever they are.
#[derive(Debug, Clone)]
pub struct Type {
    /// The kind and content.
    pub kind: TypeKind,
    /// Whether it has a `?`: it may be nil, and a field or parameter may be missing.
    pub optional: bool,
    /// Its place in the signature's text, in bytes; empty if it comes from elsewhere.
    pub range: TextRange,
}

/// The kinds of types, apart from `?`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// A type word.
    Primitive(Primitive),
    /// `[t]`.
    List(Box<Type>),
    /// `{a :t, …}`.
    Record(Fields),
    /// A type that could not be read, or an interpolation: every value fits it.
    Unknown,
}

/// A field of a record or a parameter of a signature.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name as written.
    pub name: String,
    /// The place of the name in the signature's text, in bytes.
    pub name_range: TextRange,
    /// The type.
    pub ty: Type,
}

impl Field {
    /// Whether a value without it is wrong. A broken type may have a `?` later.
    pub fn is_required(&self) -> bool {
        !self.ty.optional && self.ty.kind != TypeKind::Unknown
    }

    /// Where it ends in the signature's text, in bytes: after its name if the type is missing.
    pub fn end(&self) -> TextSize {
        self.ty.range.end().max(self.name_range.end())
    }

    /// The place of its name and its type in the signature's text, in bytes.
    pub fn range(&self) -> TextRange {
        TextRange::new(self.name_range.start(), self.end())
    }
}

/// A signature: its inputs and its output.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The parameters in order; empty for the shorthand of a bare type.
    pub params: Fields,
    /// The type of the output.
    pub output: Type,
}

impl Signature {
    /// An unknown signature.
    pub fn unknown() -> Self {
        Self {
            params: Fields::default(),
            output: Type::new(TypeKind::Unknown),
        }
    }

    /// Whether its parameters and their fields are where those of `other` are, which is equal.
    pub(super) fn has_places_of(&self, other: &Self) -> bool {
        self.params.have_places_of(&other.params)
    }
}

impl Signature {
    /// A signature of which only the names of parameters are known.
    pub(crate) fn of_keys(keys: &[String]) -> Self {
        let params = keys.iter().map(|name| Field {
            name: name.clone(),
            name_range: TextRange::default(),
            ty: Type::primitive(Primitive::Any),
        });
        Self {
            params: params.collect(),
            ..Self::unknown()
        }
    }
}

impl Type {
    /// The type of `kind`, without a place.
    pub fn new(kind: TypeKind) -> Self {
        Self {
            kind,
            optional: false,
            range: TextRange::default(),
        }
    }

    /// The fields that its values can have; `None` if they may have any.
    pub fn only_fields(&self) -> Option<&Fields> {
        match &self.kind {
            TypeKind::Record(fields) if !fields.is_empty() => Some(fields),
            TypeKind::List(_)
            | TypeKind::Primitive(
                Primitive::String | Primitive::Int | Primitive::Float | Primitive::Bool,
            ) => Some(Fields::NONE),
            _ => None,
        }
    }

    /// A primitive type, without a place.
    pub fn primitive(primitive: Primitive) -> Self {
        Self::new(TypeKind::Primitive(primitive))
    }

    /// The same type for a text at `range` that writes it differently. A record with names becomes unknown, because
    /// the names have no places there, unless both have it in the same words: `same` tells where it begins in each.
    pub(super) fn in_other_words(
        self,
        range: TextRange,
        same: Option<(TextSize, TextSize)>,
    ) -> Self {
        let kind = match (self.kind, same) {
            (TypeKind::List(element), _) => {
                TypeKind::List(Box::new(element.in_other_words(range, same)))
            }
            (TypeKind::Record(fields), Some((here, there)))
                if !fields.is_empty() && self.range.start() == here =>
            {
                return Self {
                    kind: TypeKind::Record(fields),
                    ..self
                }
                .moved(here, there);
            }
            (TypeKind::Record(fields), _) if !fields.is_empty() => TypeKind::Unknown,
            (kind, _) => kind,
        };
        Self {
            kind,
            range,
            ..self
        }
    }

    /// The same type in a text where `here`, a place at its start or before it, became `there`.
    pub(super) fn moved(self, here: TextSize, there: TextSize) -> Self {
        let kind = match self.kind {
            TypeKind::List(element) => TypeKind::List(Box::new(element.moved(here, there))),
            TypeKind::Record(fields) => {
                let fields = fields.iter().map(|field| Field {
                    name: field.name.clone(),
                    name_range: field.name_range - here + there,
                    ty: field.ty.clone().moved(here, there),
                });
                TypeKind::Record(fields.collect())
            }
            kind => kind,
        };
        Self {
            kind,
            range: self.range - here + there,
            ..self
        }
    }

    /// Whether it and the fields in it are where `other` and its fields are, which is equal.
    pub(super) fn has_places_of(&self, other: &Self) -> bool {
        if self.range != other.range {
            return false;
        }
        match (&self.kind, &other.kind) {
            (TypeKind::List(element), TypeKind::List(its)) => element.has_places_of(its),
            (TypeKind::Record(fields), TypeKind::Record(its)) => fields.have_places_of(its),
            _ => true,
        }
    }

    /// The same type with `?`.
    pub fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.optional == other.optional
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.kind, self.optional).hash(state);
    }
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.ty == other.ty
    }
}

impl Eq for Field {}

impl Hash for Field {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, &self.ty).hash(state);
    }
}
