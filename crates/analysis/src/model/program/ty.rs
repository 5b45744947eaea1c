//! Types of expressions: those that signatures declare, and those that code makes of them.

use std::{fmt, rc::Rc};

use super::{function::Function, record::Record};
use crate::model::{Edition, Primitive, Type, TypeKind};

/// Compounds that nest deeper are unknown.
const MAX_DEPTH: u8 = 32;
/// Records with more fields are not taken apart.
pub(super) const MAX_FIELDS: usize = 64;

/// The type of an expression.
#[derive(Debug, Clone, Default)]
pub enum Ty<'a> {
    /// Nobody can tell.
    #[default]
    Unknown,
    /// `nil`, or nothing at all, as what comes after `(return …)`.
    Nil,
    /// A type that a signature declares.
    Declared(Declared<'a>),
    /// What a tool gives whose signature is not known, or a value in it.
    Undeclared(Rc<Undeclared<'a>>),
    /// A value of a type word.
    Primitive(Primitive),
    /// A value with other values in it.
    Compound(Rc<Compound<'a>>),
    /// A function.
    Function(Function<'a>),
}

/// A type that a signature declares.
#[derive(Debug, Clone, Copy)]
pub struct Declared<'a> {
    /// The type in the signature.
    pub ty: &'a Type,
    /// Whose signature it is.
    pub origin: Origin<'a>,
}

/// A value that a tool without a known signature gives. It may be anything, but its keys are those of the tool.
#[derive(Debug, PartialEq, Eq)]
pub struct Undeclared<'a> {
    /// The tool's name as written.
    pub tool: &'a str,
    /// The keys that lead to the value, in normal form. Lists are no part of it.
    pub path: Vec<String>,
}

/// Whose signature declares a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin<'a> {
    /// The inputs of the agent that the program belongs to.
    Agent,
    /// The tool of this name.
    Tool(&'a str),
    /// Several signatures.
    Several,
}

/// A value with other values in it, which code made.
#[derive(Debug)]
pub struct Compound<'a> {
    depth: u8,
    pub(super) parts: Parts<'a>,
}

/// The values in a value.
#[derive(Debug)]
pub(super) enum Parts<'a> {
    /// A list of any length.
    List(Ty<'a>),
    /// A list of this length.
    Tuple(Vec<Ty<'a>>),
    /// A map with these keys.
    Record(Record<'a>),
    /// A map with any keys.
    Dict(Ty<'a>),
    /// A set.
    Set,
}

impl<'a> Ty<'a> {
    /// A list of elements of the type `element`.
    pub fn list(element: Ty<'a>) -> Self {
        Self::compound(element.depth(), Parts::List(element))
    }

    /// A list of just these elements.
    pub fn tuple(elements: Vec<Ty<'a>>) -> Self {
        if elements.len() > MAX_FIELDS {
            return Self::list(join_all(elements.into_iter()));
        }
        let depth = elements.iter().map(Ty::depth).max();
        Self::compound(depth.unwrap_or_default(), Parts::Tuple(elements))
    }

    /// A map with just these keys, which may be keywords or strings.
    pub fn record(fields: Vec<(Box<str>, Ty<'a>)>) -> Self {
        let mut record = Record::with_capacity(fields.len());
        for (name, ty) in fields {
            record.add(&name, None, ty);
        }
        Self::of_record(record)
    }

    /// A map with just the keys of `record`.
    pub(super) fn of_record(record: Record<'a>) -> Self {
        let entries = record.entries();
        if entries.len() > MAX_FIELDS {
            return Self::Unknown;
        }
        let depth = entries.iter().map(|it| it.ty.depth()).max();
        Self::compound(depth.unwrap_or_default(), Parts::Record(record))
    }

    /// A map with any keys and values of the type `value`.
    pub fn dict(value: Ty<'a>) -> Self {
        Self::compound(value.depth(), Parts::Dict(value))
    }

    /// A set of anything.
    pub(super) fn set() -> Self {
        Self::compound(0, Parts::Set)
    }

    fn compound(depth: u8, parts: Parts<'a>) -> Self {
        match depth < MAX_DEPTH {
            true => Self::Compound(Rc::new(Compound {
                depth: depth + 1,
                parts,
            })),
            false => Self::Unknown,
        }
    }

    fn depth(&self) -> u8 {
        match self {
            Self::Compound(compound) => compound.depth,
            _ => 0,
        }
    }

    /// Whether nothing is known of it.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown | Self::Undeclared(_) => true,
            Self::Function(function) => !matches!(function, Function::Key(_)),
            Self::Declared(it) => {
                matches!(
                    it.ty.kind,
                    TypeKind::Unknown | TypeKind::Primitive(Primitive::Any)
                )
            }
            _ => false,
        }
    }

    /// The type word of which its values are.
    pub(super) fn as_primitive(&self) -> Option<Primitive> {
        match self {
            Self::Primitive(primitive) => Some(*primitive),
            Self::Declared(it) => match it.ty.kind {
                TypeKind::Primitive(primitive) if primitive != Primitive::Any => Some(primitive),
                _ => None,
            },
            Self::Function(Function::Key(_)) => Some(Primitive::Keyword),
            _ => None,
        }
    }

    /// Whether it is certainly neither a map nor a keyword, which may name the argument after it.
    pub(super) fn is_certainly_no_map(&self) -> bool {
        let is_value = |it| !matches!(it, Primitive::Any | Primitive::Map | Primitive::Keyword);
        self.is_list() || self.as_primitive().is_some_and(is_value)
    }

    /// Whether it may be an entry of a map: a list of a key and its value.
    pub fn may_be_entry(&self) -> bool {
        match self {
            Self::Compound(it) => {
                matches!(&it.parts, Parts::Tuple(pair) if matches!(pair[..], [Self::Unknown, _]))
            }
            _ => false,
        }
    }

    /// Whether it is certainly a list.
    pub fn is_list(&self) -> bool {
        match self {
            Self::Declared(it) => matches!(it.ty.kind, TypeKind::List(_)),
            Self::Compound(it) => matches!(it.parts, Parts::List(_) | Parts::Tuple(_)),
            _ => false,
        }
    }

    /// What the functions for sequences see in it: the elements of a list, the entries of a map.
    pub(super) fn element(&self) -> Self {
        match self {
            Self::Declared(it) => match &it.ty.kind {
                TypeKind::List(element) => Self::Declared(Declared { ty: element, ..*it }),
                TypeKind::Primitive(Primitive::String) => Self::Primitive(Primitive::String),
                TypeKind::Record(_) => Self::tuple(vec![Self::Unknown, Self::Unknown]),
                _ => Self::Unknown,
            },
            Self::Compound(it) => match &it.parts {
                Parts::List(element) => element.clone(),
                Parts::Tuple(elements) => join_all(elements.iter().cloned()),
                Parts::Record(record) => {
                    let entries = record.entries().iter();
                    let values = join_all(entries.map(|it| it.ty.clone()));
                    Self::tuple(vec![Self::Unknown, values])
                }
                Parts::Dict(value) => Self::tuple(vec![Self::Unknown, value.clone()]),
                Parts::Set => Self::Unknown,
            },
            Self::Primitive(Primitive::String) => Self::Primitive(Primitive::String),
            Self::Undeclared(_) => self.clone(),
            _ => Self::Unknown,
        }
    }

    /// Its element at `index`.
    pub(super) fn at(&self, index: usize) -> Self {
        match self {
            Self::Compound(it) => match &it.parts {
                Parts::Tuple(elements) => elements.get(index).cloned().unwrap_or(Self::Nil),
                Parts::List(element) => element.clone(),
                _ => Self::Unknown,
            },
            Self::Undeclared(_) => self.clone(),
            _ if self.is_list() => self.element(),
            _ => Self::Unknown,
        }
    }

    /// The entries of a map whose keys are known.
    pub(super) fn as_record(&self, edition: Edition) -> Option<Record<'a>> {
        match self {
            Self::Declared(it) => match &it.ty.kind {
                TypeKind::Record(fields) if (1..=MAX_FIELDS).contains(&fields.len()) => {
                    let mut record = Record::with_capacity(fields.len());
                    for field in fields {
                        let ty = Declared {
                            ty: &field.ty,
                            ..*it
                        };
                        let name = edition.normal_name(&field.name);
                        record.add(&name, None, Self::Declared(ty));
                    }
                    Some(record)
                }
                _ => None,
            },
            Self::Compound(it) => match &it.parts {
                Parts::Record(record) => Some(record.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of what is of this type or of `other`; unknown if they differ.
    pub(super) fn join(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Nil, _) => return other,
            (_, Self::Nil) => return self,
            (Self::Declared(a), Self::Declared(b)) if is_same_type(a.ty, b.ty) => {
                let origin = match a.origin == b.origin {
                    true => a.origin,
                    false => Origin::Several,
                };
                return Self::Declared(Declared { ty: a.ty, origin });
            }
            (Self::Undeclared(a), Self::Undeclared(b)) if a == b => return self,
            (Self::Function(_), _) | (_, Self::Function(_)) => return Self::Unknown,
            _ => {}
        }
        if let (Some(a), Some(b)) = (self.as_primitive(), other.as_primitive()) {
            return match a == b {
                true => Self::Primitive(a),
                false => Self::Unknown,
            };
        }
        if self.is_list() && other.is_list() {
            return match (self.is_empty(), other.is_empty()) {
                (true, _) => other,
                (_, true) => self,
                _ => Self::list(self.element().join(other.element())),
            };
        }
        match (&self, &other) {
            (Self::Compound(a), Self::Compound(b)) => match (&a.parts, &b.parts) {
                (Parts::Record(a), Parts::Record(b)) => {
                    a.join(b).map_or(Self::Unknown, Self::of_record)
                }
                (Parts::Dict(a), Parts::Dict(b)) => Self::dict(a.clone().join(b.clone())),
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Compound(it) => matches!(&it.parts, Parts::Tuple(items) if items.is_empty()),
            _ => false,
        }
    }

    /// Whether both are certainly the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Declared(a), Self::Declared(b)) => is_same_type(a.ty, b.ty),
            (Self::Compound(a), Self::Compound(b)) => match (&a.parts, &b.parts) {
                (Parts::List(a), Parts::List(b)) | (Parts::Dict(a), Parts::Dict(b)) => a.is_same(b),
                (Parts::Tuple(a), Parts::Tuple(b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
                }
                (Parts::Record(a), Parts::Record(b)) => a.is_same(b),
                _ => false,
            },
            _ => match (self.as_primitive(), other.as_primitive()) {
                (Some(a), Some(b)) => a == b,
                _ => matches!((self, other), (Self::Nil, Self::Nil)),
            },
        }
    }
}

/// Whether both are the same, apart from `?`.
fn is_same_type(a: &Type, b: &Type) -> bool {
    std::ptr::eq(a, b) || a.kind == b.kind
}

/// The type of what is of one of `types`.
pub(super) fn join_all<'a>(types: impl Iterator<Item = Ty<'a>>) -> Ty<'a> {
    types.fold(Ty::Nil, Ty::join)
}

/// A type as signatures write it.
impl fmt::Display for Ty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(Function::Key(_)) => f.write_str(":keyword"),
            Self::Unknown | Self::Undeclared(_) | Self::Function(_) => f.write_str(":any"),
            Self::Nil => f.write_str("nil"),
            Self::Declared(it) => it.ty.fmt(f),
            Self::Primitive(primitive) => write!(f, ":{}", primitive.word()),
            Self::Compound(it) => match &it.parts {
                Parts::List(element) => write!(f, "[{element}]"),
                Parts::Tuple(_) if self.is_empty() => f.write_str("[]"),
                Parts::Tuple(elements) => write!(f, "[{}]", join_all(elements.iter().cloned())),
                Parts::Record(record) => {
                    f.write_str("{")?;
                    for (index, entry) in record.entries().iter().enumerate() {
                        let comma = if index == 0 { "" } else { ", " };
                        write!(f, "{comma}{} {}", entry.name, entry.ty)?;
                    }
                    f.write_str("}")
                }
                Parts::Dict(_) => f.write_str(":map"),
                Parts::Set => f.write_str("#{:any}"),
            },
        }
    }
}
