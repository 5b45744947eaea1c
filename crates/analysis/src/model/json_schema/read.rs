//! Converts schemas to types, where a type can express the schema.

use std::fmt;

use foldhash::HashSet;
use serde_json::{Map, Value};

use crate::model::{Field, Primitive, Signature, Type, TypeKind};
use signature_ls_source::{syntax::signature::is_name, text::TextRange};

/// The maximum number of steps from the root; a record takes two of them, a list one.
const MAX_DEPTH: usize = 640;

/// Keywords that are only descriptions.
const ANNOTATIONS: [&str; 11] = [
    "$comment",
    "$id",
    "$schema",
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Why a schema cannot be a type, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The JSON Pointer of the schema; empty for the root.
    pub pointer: String,
    /// The reason.
    pub reason: Reason,
}

/// Why a schema cannot be a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// An unsupported keyword.
    Keyword(String),
    /// A keyword with an invalid value.
    Malformed(&'static str),
    /// Neither an object nor `true`.
    NotSchema,
    /// Constraints without a type.
    TypeMissing,
    /// Several types.
    Union,
    /// An unknown type.
    UnknownType(String),
    /// Only null.
    OnlyNull,
    /// A list or an object that may be null or missing.
    OptionalCompound,
    /// Additional properties of a specific type.
    TypedDictionary,
    /// A property whose name is not valid in a signature.
    Name(String),
    /// A required property that is not declared.
    Undeclared(String),
    /// Arguments that are not an object with properties.
    ArgumentsNotRecord,
    /// A schema that no value matches.
    Nothing,
    /// Schemas nest too deeply.
    TooDeep,
}

/// The type of the values that `schema` accepts, apart from additional properties.
#[cfg(test)]
pub(super) fn type_from_schema(schema: &Value) -> Result<Type, SchemaError> {
    Reader::default().schema(schema)
}

/// The signature of a tool whose arguments and results are described by schemas. An object that wraps a list under
/// `items` counts as the list.
pub fn signature_from_schemas(input: &Value, output: &Value) -> Result<Signature, SchemaError> {
    let mut reader = Reader::default();
    let params = match reader.schema(input)?.kind {
        TypeKind::Record(fields) => fields,
        _ => return Err(reader.error(Reason::ArgumentsNotRecord)),
    };
    let mut output = reader.schema(output)?;
    if let Some(list) = wrapped_list(&output) {
        output = list;
    }
    Ok(Signature { params, output })
}

fn wrapped_list(ty: &Type) -> Option<Type> {
    let TypeKind::Record(fields) = &ty.kind else {
        return None;
    };
    let [field] = &fields[..] else {
        return None;
    };
    let is_list = matches!(field.ty.kind, TypeKind::List(_));
    (field.name == "items" && is_list).then(|| field.ty.clone())
}

#[derive(Default)]
struct Reader {
    /// The path from the root.
    pointer: Vec<String>,
}

type Keywords = Map<String, Value>;

impl Reader {
    fn schema(&mut self, schema: &Value) -> Result<Type, SchemaError> {
        if self.pointer.len() > MAX_DEPTH {
            return Err(self.error(Reason::TooDeep));
        }
        match schema {
            Value::Bool(true) => Ok(Type::primitive(Primitive::Any)),
            Value::Bool(false) => Err(self.error(Reason::Nothing)),
            Value::Object(keywords) => self.keywords(keywords),
            _ => Err(self.error(Reason::NotSchema)),
        }
    }

    fn keywords(&mut self, keywords: &Keywords) -> Result<Type, SchemaError> {
        for union in ["anyOf", "oneOf"] {
            if let Some(choices) = keywords.get(union) {
                self.only(keywords, &[union])?;
                return self.union(union, choices);
            }
        }
        match keywords.get("type") {
            Some(Value::String(word)) => self.typed(word, keywords),
            Some(Value::Array(words)) => self.typed_or_null(words, keywords),
            Some(_) => Err(self.error(Reason::Malformed("type"))),
            None => {
                self.only(keywords, &["properties", "items"])?;
                if keywords.contains_key("properties") || keywords.contains_key("items") {
                    return Err(self.error(Reason::TypeMissing));
                }
                Ok(Type::primitive(Primitive::Any))
            }
        }
    }

    fn union(&mut self, keyword: &'static str, choices: &Value) -> Result<Type, SchemaError> {
        let Value::Array(choices) = choices else {
            return Err(self.error(Reason::Malformed(keyword)));
        };
        let is_null = |choice: &Value| choice.get("type") == Some(&Value::from("null"));
        let mut others = choices.iter().enumerate().filter(|(_, it)| !is_null(it));
        let (Some((index, choice)), None) = (others.next(), others.next()) else {
            return Err(self.error(Reason::Union));
        };
        let ty = self.at(&[keyword, &index.to_string()], |this| this.schema(choice))?;
        if choices.len() == 1 {
            return Ok(ty);
        }
        self.optional(ty)
    }

    fn typed_or_null(&mut self, words: &[Value], keywords: &Keywords) -> Result<Type, SchemaError> {
        let mut others = words.iter().filter(|word| *word != "null");
        let word = match (others.next(), others.next()) {
            (Some(Value::String(word)), None) => word,
            (None, _) => return Err(self.error(Reason::OnlyNull)),
            (Some(Value::String(_)), Some(_)) => return Err(self.error(Reason::Union)),
            _ => return Err(self.error(Reason::Malformed("type"))),
        };
        let ty = self.typed(word, keywords)?;
        if words.len() == 1 {
            return Ok(ty);
        }
        self.optional(ty)
    }

    fn typed(&mut self, word: &str, keywords: &Keywords) -> Result<Type, SchemaError> {
        match word {
            "array" => return self.array(keywords),
            "object" => return self.object(keywords),
            _ => self.only(keywords, &["type", "format"])?,
        }
        let primitive = match word {
            "string" if keywords.get("format") == Some(&Value::from("date-time")) => {
                Primitive::Datetime
            }
            "string" => Primitive::String,
            "integer" => Primitive::Int,
            "number" => Primitive::Float,
            "boolean" => Primitive::Bool,
            "null" => return Err(self.error(Reason::OnlyNull)),
            _ => return Err(self.error(Reason::UnknownType(word.to_owned()))),
        };
        Ok(Type::primitive(primitive))
    }

    fn array(&mut self, keywords: &Keywords) -> Result<Type, SchemaError> {
        self.only(keywords, &["type", "items"])?;
        let element = match keywords.get("items") {
            Some(items) => self.at(&["items"], |this| this.schema(items))?,
            None => Type::primitive(Primitive::Any),
        };
        Ok(Type::new(TypeKind::List(Box::new(element))))
    }

    fn object(&mut self, keywords: &Keywords) -> Result<Type, SchemaError> {
        self.only(
            keywords,
            &["type", "properties", "required", "additionalProperties"],
        )?;
        let is_closed = self.is_closed(keywords)?;
        let required = self.required(keywords)?;
        let no_properties = Map::new();
        let properties = match keywords.get("properties") {
            Some(Value::Object(properties)) => properties,
            Some(_) => return Err(self.error(Reason::Malformed("properties"))),
            None => &no_properties,
        };
        if let Some(name) = required
            .iter()
            .find(|name| !properties.contains_key(**name))
        {
            return Err(self.error(Reason::Undeclared((*name).to_owned())));
        }
        if !is_closed && !keywords.contains_key("properties") {
            return Ok(Type::primitive(Primitive::Map));
        }
        let required: HashSet<_> = required.into_iter().collect();
        let mut fields = Vec::with_capacity(properties.len());
        for (name, schema) in properties {
            let is_required = required.contains(name.as_str());
            let field = self.at(&["properties", name], |this| {
                this.field(name, schema, is_required)
            });
            fields.push(field?);
        }
        Ok(Type::new(TypeKind::Record(fields.into())))
    }

    fn field(
        &mut self,
        name: &str,
        schema: &Value,
        is_required: bool,
    ) -> Result<Field, SchemaError> {
        if !is_name(name) {
            return Err(self.error(Reason::Name(name.to_owned())));
        }
        let mut ty = self.schema(schema)?;
        if !is_required {
            ty = self.optional(ty)?;
        }
        Ok(Field {
            name: name.to_owned(),
            name_range: TextRange::default(),
            ty,
        })
    }

    /// Whether additional properties are rejected.
    fn is_closed(&self, keywords: &Keywords) -> Result<bool, SchemaError> {
        match keywords.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Ok(false),
            Some(Value::Bool(false)) => Ok(true),
            Some(Value::Object(schema)) if schema.is_empty() => Ok(false),
            Some(_) => Err(self.error(Reason::TypedDictionary)),
        }
    }

    fn required<'a>(&self, keywords: &'a Keywords) -> Result<Vec<&'a str>, SchemaError> {
        let malformed = || self.error(Reason::Malformed("required"));
        match keywords.get("required") {
            None => Ok(Vec::new()),
            Some(Value::Array(names)) => {
                let names = names.iter().map(|name| name.as_str().ok_or_else(malformed));
                names.collect()
            }
            Some(_) => Err(malformed()),
        }
    }

    fn optional(&self, ty: Type) -> Result<Type, SchemaError> {
        match ty.kind {
            TypeKind::Primitive(_) | TypeKind::Unknown => Ok(ty.optional()),
            TypeKind::List(_) | TypeKind::Record(_) => Err(self.error(Reason::OptionalCompound)),
        }
    }

    /// Rejects keywords that are neither in `known` nor descriptions.
    fn only(&self, keywords: &Keywords, known: &[&str]) -> Result<(), SchemaError> {
        let is_known = |name: &str| known.contains(&name) || ANNOTATIONS.contains(&name);
        match keywords.keys().find(|name| !is_known(name)) {
            Some(name) => Err(self.error(Reason::Keyword(name.clone()))),
            None => Ok(()),
        }
    }

    fn at<T>(&mut self, steps: &[&str], read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.pointer.len();
        self.pointer
            .extend(steps.iter().map(|step| (*step).to_owned()));
        let read = read(self);
        self.pointer.truncate(outer);
        read
    }

    fn error(&self, reason: Reason) -> SchemaError {
        let escaped = |step: &String| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        SchemaError {
            pointer: self.pointer.iter().map(escaped).collect(),
            reason,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            Self::Keyword(name) => return write!(f, "no type says what `{name}` says"),
            Self::Malformed(name) => return write!(f, "`{name}` has a value that it cannot have"),
            Self::UnknownType(word) => return write!(f, "JSON Schema has no type {word:?}"),
            Self::Name(name) => {
                return write!(
                    f,
                    "{name:?} is not a name for a field; use letters, digits, `_` and `-`"
                );
            }
            Self::Undeclared(name) => {
                return write!(f, "{name:?} is required but not among the properties");
            }
            Self::NotSchema => "a schema is an object or `true`",
            Self::TypeMissing => "add `type`; without it other values fit too",
            Self::Union => "no type takes values of several types; `:any` takes all",
            Self::OnlyNull => "no type takes nothing but null",
            Self::OptionalCompound => "a list or record cannot be optional; require it",
            Self::TypedDictionary => "no type says what unnamed fields hold; `:map` takes all",
            Self::ArgumentsNotRecord => "arguments must be an object with `properties`",
            Self::Nothing => "no type refuses every value",
            Self::TooDeep => return write!(f, "nested deeper than {MAX_DEPTH} steps"),
        };
        f.write_str(message)
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "{}: ", self.pointer)?;
        }
        self.reason.fmt(f)
    }
}

impl std::error::Error for SchemaError {}
