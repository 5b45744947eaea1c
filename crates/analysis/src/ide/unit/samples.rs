//! The sample values of a unit: `input:`, `output:`, `examples:` and the `context:` of a call.

use super::UnitView;
use crate::{
    contract::{Direction, Entry, Value, ValueKind},
    model::{Edition, Fields, Primitive, Type, TypeKind, names::record_in, spelling::nearest},
};
use signature_ls_source::{
    host::{Notation, UnitKind},
    text::{TextRange, TextSize},
};

/// Keys that describe a value: other programs write schemas, formats and files where samples are.
const DESCRIBING: [&str; 8] = [
    "schema",
    "type",
    "properties",
    "format",
    "file",
    "default",
    "$ref",
    "required",
];

/// A sample value. It may be as long as the document, so it is not copied.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample<'a> {
    /// Whether it contains inputs or an output.
    pub(crate) direction: Direction,
    /// The value, with ranges in bytes from the argument's start.
    pub(crate) value: &'a Value,
    /// The start of the argument, in bytes from the unit's start.
    pub(crate) start: TextSize,
}

impl Sample<'_> {
    /// A copy of the value with ranges in bytes from the unit's start.
    pub(crate) fn placed(self) -> Value {
        self.value.clone().moved_by(self.start)
    }
}

/// Adds the maps in a value of the type `ty` that are of the record at `record` to `found`.
fn add_maps_of<'v>(
    value: &'v Value,
    ty: &Type,
    (record, edition): (TextRange, Edition),
    found: &mut Vec<&'v Value>,
) {
    match (&value.kind, &ty.kind) {
        (ValueKind::Map(_), TypeKind::Record(_)) if ty.range == record => found.push(value),
        (ValueKind::Map(entries), TypeKind::Record(fields)) => {
            for entry in entries {
                let name = entry.key.name.as_deref();
                if let Some(field) = name.and_then(|it| fields.named(it, edition)) {
                    add_maps_of(&entry.value, &field.ty, (record, edition), found);
                }
            }
        }
        (ValueKind::List(items), TypeKind::List(element)) => {
            for item in items {
                add_maps_of(item, element, (record, edition), found);
            }
        }
        _ => {}
    }
}

/// Where a sample value is.
pub(super) struct Place {
    direction: Direction,
    /// The key of the argument.
    argument: &'static str,
    /// The index of the example in the list that the argument is, and the key in that example, if it has one.
    example: Option<(usize, Option<&'static str>)>,
}

impl<'a> UnitView<'a> {
    /// The sample values beside the unit's literals.
    pub(crate) fn samples(&self) -> impl Iterator<Item = Sample<'a>> {
        let places = self.samples.get_or_init(|| self.sample_places());
        places.iter().filter_map(|it| self.sample(it))
    }

    /// The maps in a sample of inputs that are of the record at `record` of the signature. The parameters are a record
    /// without a place.
    pub(crate) fn maps_of(&self, record: TextRange, sample: Sample<'a>) -> Vec<&'a Value> {
        let signature = self.signatures().next();
        let params = signature.map(|it| it.lowered.signature.params.clone());
        let params = Type::new(TypeKind::Record(params.unwrap_or_default()));
        let mut found = Vec::new();
        add_maps_of(sample.value, &params, (record, self.edition), &mut found);
        found
    }

    fn sample(&self, place: &Place) -> Option<Sample<'a>> {
        let argument = self.unit.argument(place.argument)?;
        let value = argument.unplaced()?;
        let value = match (place.example, &value.kind) {
            (None, _) => value,
            (Some((index, key)), ValueKind::List(examples)) => {
                let example = examples.get(index)?;
                key.map_or(Some(example), |it| example.get(it))?
            }
            _ => return None,
        };
        Some(Sample {
            direction: place.direction,
            value,
            start: argument.value.start(),
        })
    }

    fn sample_places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut add = |direction, argument, example| {
            places.push(Place {
                direction,
                argument,
                example,
            });
        };
        let value = |key| self.argument_with_value(key)?.unplaced();
        // In code, `input:`, `output:` and `examples:` can be anything.
        if self.notation() == Notation::Elixir {
            if value("context").is_some_and(|it| matches!(it.kind, ValueKind::Map(_))) {
                add(Direction::Input, "context", None);
            }
            return places;
        }
        let is_call = self.unit.kind == UnitKind::ToolCall;
        for key in ["input", "inputs", "context"] {
            if value(key).is_some_and(|it| is_call || self.is_input(it)) {
                add(Direction::Input, key, None);
            }
        }
        if is_call {
            return places;
        }
        if value("output").is_some_and(|it| !is_output_mode(it) && self.is_output(it)) {
            add(Direction::Output, "output", None);
        }
        if let Some(ValueKind::List(examples)) = value("examples").map(|it| &it.kind) {
            for (index, example) in examples.iter().enumerate() {
                let mut add = |direction, key| add(direction, "examples", Some((index, key)));
                let (input, output) = (example.get("input"), example.get("output"));
                let is_input = input.is_some_and(|it| self.is_input(it));
                if output.is_some_and(|it| is_input || self.is_output(it)) {
                    add(Direction::Output, Some("output"));
                }
                if is_input {
                    add(Direction::Input, Some("input"));
                } else if input.or(output).is_none() && self.resembles_input(example) {
                    add(Direction::Input, None);
                }
            }
        }
        places
    }

    /// Whether `value` can be a sample of the inputs.
    fn is_input(&self, value: &Value) -> bool {
        let Some(signature) = self.signature() else {
            return true;
        };
        let entries = entries(value);
        entries.is_some_and(|it| self.names_any(it, &signature.params) || !describes(it))
    }

    /// Whether `value` has inputs of the signature, or misspelled ones.
    fn resembles_input(&self, value: &Value) -> bool {
        let Some(signature) = self.signature() else {
            return true;
        };
        let is_near = |it: &Entry| {
            let names = signature.params.iter().map(|it| &it.name);
            it.key
                .name
                .as_deref()
                .is_some_and(|it| nearest(it, names).is_some())
        };
        entries(value).is_some_and(|it| {
            it.is_empty()
                || self.names_any(it, &signature.params)
                || it.iter().take(MOST_LIKENED).any(is_near)
        })
    }

    /// Whether `value` can be a sample of the output.
    fn is_output(&self, value: &Value) -> bool {
        let Some(signature) = self.signature() else {
            return true;
        };
        let output = &signature.output;
        let entries = entries(value).unwrap_or_default();
        let fields = record_in(output);
        fields.is_some_and(|it| self.names_any(entries, it))
            || has_shape(&value.kind, output) && !describes(entries)
    }

    /// Whether one of the `fields` is in a map with these entries.
    fn names_any(&self, entries: &[Entry], fields: &Fields) -> bool {
        let mut names = entries.iter().filter_map(|it| it.key.name.as_deref());
        names.any(|it| fields.named(it, self.edition).is_some())
    }
}

/// The maximum number of keys of an example that are compared with inputs.
const MOST_LIKENED: usize = 16;

fn entries(value: &Value) -> Option<&[Entry]> {
    match &value.kind {
        ValueKind::Map(entries) => Some(entries),
        _ => None,
    }
}

/// Whether a map with these entries describes a value, instead of being one.
fn describes(entries: &[Entry]) -> bool {
    let mut names = entries.iter().filter_map(|it| it.key.name.as_deref());
    names.any(|it| DESCRIBING.contains(&it))
}

/// Whether a value of this kind is of the general shape of `ty`: a list, a map, a number or a text.
fn has_shape(kind: &ValueKind, ty: &Type) -> bool {
    use Primitive::{Any, Bool, Datetime, Float, Int, Keyword, Map, String};
    let fitting = match (&ty.kind, kind) {
        (TypeKind::Unknown, _) | (_, ValueKind::Dynamic) => return true,
        (TypeKind::List(_), _) => return matches!(kind, ValueKind::List(_)),
        (TypeKind::Record(_), _) => return matches!(kind, ValueKind::Map(_)),
        (_, ValueKind::Map(_)) => &[Map][..],
        (_, ValueKind::Bool(_)) => &[Bool],
        (_, ValueKind::Int(_) | ValueKind::BigInt(_) | ValueKind::Float(_)) => &[Int, Float],
        (_, ValueKind::List(_) | ValueKind::Null) => &[],
        (_, ValueKind::String(_) | ValueKind::Keyword(_) | ValueKind::Datetime(_)) => {
            &[String, Keyword, Datetime]
        }
    };
    match &ty.kind {
        TypeKind::Primitive(of) => *of == Any || fitting.contains(of),
        _ => false,
    }
}

/// Whether the value of `output:` names a kind of output instead of being one.
fn is_output_mode(value: &Value) -> bool {
    let (ValueKind::String(word) | ValueKind::Keyword(word)) = &value.kind else {
        return false;
    };
    matches!(&**word, "text" | "json" | "ptc_lisp" | "ptc-lisp")
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    const SIGNATURE: &str = "(topic :string, limit :int?) -> {n :int}";

    /// The findings beside the signature, in each host whose notation has `entries` of JSON or YAML.
    fn found(entries: &str, is_json: bool) -> Vec<(HostKind, Vec<String>)> {
        let lines = format!("signature: \"{SIGNATURE}\"\n{entries}\n");
        let yaml = [
            (HostKind::Yaml, lines.clone()),
            (
                HostKind::Prompt,
                format!("---\n{lines}---\n{{{{topic}}}} {{{{limit}}}}\n"),
            ),
        ];
        let json = (
            HostKind::Json,
            format!("{{\"signature\": \"{SIGNATURE}\", {entries}}}"),
        );
        let texts = yaml.into_iter().chain(is_json.then_some(json));
        texts
            .map(|(kind, text)| (kind, found_in(kind, &text, Edition::V0_11)))
            .collect()
    }

    #[test]
    fn what_other_programs_write_in_their_place_is_no_sample() {
        for (entries, is_json) in [
            (
                r#""input": {"schema": {"topic": "string"}, "default": {"topic": "cats"}}"#,
                true,
            ),
            (
                r#""input": {"type": "object", "properties": {"topic": {"type": "string"}}}"#,
                true,
            ),
            (r#""input": ["topic"]"#, true),
            (r#""input": "topic""#, true),
            (r#""inputs": 1"#, true),
            (r#""context": "prod""#, true),
            (
                r#""output": {"format": "json", "schema": {"n": "integer"}}"#,
                true,
            ),
            (r#""output": "html_document""#, true),
            (r#""output": true"#, true),
            (r#""output": ["n"]"#, true),
            (r#""examples": ["docs/a.md"]"#, true),
            (r#""examples": [{"user": "hi", "assistant": "ho"}]"#, true),
            (r#""examples": [{"input": "a", "output": "b"}]"#, true),
            ("input: ${{ steps.a.outputs.b }}", false),
            ("input: {topic: a, limit: \"${{ inputs.limit }}\"}", false),
            ("output:", false),
        ] {
            for (kind, found) in found(entries, is_json) {
                assert_eq!(found, [""; 0], "{kind:?} {entries}");
            }
        }
        let schema = r#"{:signature "(topic :string) -> {n :int}" :input [:map [:topic :string]] :output :map}"#;
        assert_eq!(found_in(HostKind::Lisp, schema, Edition::V0_11), [""; 0]);
    }

    #[test]
    fn samples_are_compared() {
        for (entries, expected) in [
            (r#""output": {"count": "many"}"#, "missing-value"),
            (r#""output": {"n": "many"}"#, "value-type: \"many\""),
            (
                r#""output": {"n": "many", "type": "a"}"#,
                "value-type: \"many\"",
            ),
            (
                r#""input": {"topic": "a", "limit": "10"}"#,
                "coerced-value: \"10\"",
            ),
            (
                r#""input": {"topic": "a", "type": 1}"#,
                "unknown-input: \"type\"",
            ),
            (r#""input": {"topc": "a"}"#, "missing-value"),
            (r#""input": {}"#, "missing-value"),
            (r#""examples": [{"topc": "a"}]"#, "missing-value"),
            (
                r#""examples": [{"input": {"topic": "a"}, "output": 1}]"#,
                "value-type: 1",
            ),
        ] {
            for (kind, found) in found(entries, true) {
                let is_found = found.iter().any(|it| it.starts_with(expected));
                assert!(is_found, "{kind:?} {entries}: {found:?}");
            }
        }
    }
}
