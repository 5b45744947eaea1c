//! Parses a request and its fields.

use std::fmt;

use foldhash::HashMap;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use signature_ls_analysis::{
    ide::{Severity, standalone::check_signature},
    model::{Edition, Signature},
};

/// The fields as raw JSON: decoding would lose what an operation may need, such as duplicate keys and long integers.
pub(super) struct Request<'a>(HashMap<String, &'a RawValue>);

impl<'a> Request<'a> {
    /// The JSON in a field.
    pub(super) fn raw(&self, field: &str) -> Option<&'a str> {
        self.0.get(field).map(|json| json.get())
    }

    /// A field that may be missing or null.
    pub(super) fn optional<T: DeserializeOwned>(
        &self,
        field: &str,
        what: &str,
    ) -> Result<Option<T>, String> {
        let Some(json) = self.raw(field) else {
            return Ok(None);
        };
        serde_json::from_str(json).map_err(|error| match error.is_data() {
            true => format!("`{field}` must be {what}"),
            false => format!("`{field}`: {error}"),
        })
    }

    /// The text in a field that may be missing or null.
    pub(super) fn optional_text(&self, field: &str) -> Result<Option<String>, String> {
        self.optional(field, "a string")
    }

    /// The text in a field.
    pub(super) fn text(&self, field: &str) -> Result<String, String> {
        self.optional_text(field)?
            .ok_or_else(|| format!("the request needs a string in `{field}`"))
    }

    /// The edition of a request; the default one if it names none.
    pub(super) fn edition(&self) -> Result<Edition, String> {
        match self.optional_text("edition")? {
            None => Ok(Edition::default()),
            Some(name) => name.parse(),
        }
    }

    /// The signature in a field. Errors are reported with their position.
    pub(super) fn signature(&self, field: &str, edition: Edition) -> Result<Signature, String> {
        let (signature, found) = check_signature(&self.text(field)?, edition);
        signature.ok_or_else(|| {
            let errors = found.iter().filter(|it| it.severity == Severity::Error);
            let errors =
                errors.map(|it| format!("`{field}` at bytes {:?}: {}", it.range, it.message));
            errors.collect::<Vec<_>>().join("; ")
        })
    }
}

impl<'de> Deserialize<'de> for Request<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Request<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = HashMap::default();
        while let Some((field, json)) = map.next_entry::<String, &RawValue>()? {
            let message = format!("the field `{field}` is given twice");
            if fields.insert(field, json).is_some() {
                return Err(A::Error::custom(message));
            }
        }
        Ok(Request(fields))
    }
}
