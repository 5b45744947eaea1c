//! What precedes the mission of an agent that writes programs: its tools, its inputs and the form of its answer; and what
//! follows the prompt of one that answers in JSON.

use serde_json::{Map, Value as Json, json};

use super::sample::{kind_word, sample};
use crate::{
    contract::{Value, ValueKind},
    model::{
        Edition, Field, Primitive, Signature, Type, TypeKind,
        render::{kebab_name, lisp_key, lisp_type, lisp_words},
    },
};
use signature_ls_source::order;

/// The column where the types of inputs begin.
const NAMES_WIDTH: usize = 30;

/// A tool that a program can call.
pub struct ListedTool<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its signature; `None` where it has none.
    pub signature: Option<&'a Signature>,
    /// The text of its signature, where that is shown as it is written: in edition 0.4.
    pub written: Option<String>,
    /// What it says of itself.
    pub description: Option<&'a str>,
}

/// The listing of tools that a program is sent, from edition 0.5 on, with the names that an edition hides elsewhere.
pub fn tools(tools: &[ListedTool<'_>]) -> String {
    let mut sorted: Vec<_> = tools.iter().collect();
    order::by_name(&mut sorted, |it| it.name);
    if sorted.is_empty() {
        return ";; No tools available".to_owned();
    }
    let mut lines = vec![";; === tools ===".to_owned()];
    lines.extend(sorted.iter().map(|tool| {
        let words = match tool.signature {
            Some(signature) => lisp_words(signature),
            None => "() -> any".to_owned(),
        };
        let description = tool.description.filter(|it| !it.is_empty());
        let description = description.map_or(String::new(), |it| format!("  ; {it}"));
        format!("tool/{}{words}{description}", tool.name)
    }));
    let example = sorted.iter().find_map(|tool| {
        let params = tool.signature?.params.iter();
        let arguments: Vec<_> = params
            .map(|it| format!(":{} ...", kebab_name(&it.name)))
            .collect();
        let call = format!(
            ";; Example: (tool/{} {{{}}})",
            tool.name,
            arguments.join(" ")
        );
        (!arguments.is_empty()).then_some(call)
    });
    lines.push(
        example.unwrap_or_else(|| ";; Call with named args: (tool/name {:key value})".to_owned()),
    );
    lines.join("\n")
}

/// The list of inputs that a program is sent; from edition 0.5 on. Without values it shows the types of the parameters.
/// `None` where there are none.
pub fn data(
    values: Option<&Value>,
    signature: Option<&Signature>,
    descriptions: Option<&Value>,
    edition: Edition,
) -> Option<String> {
    let params = signature.map_or(&[][..], |it| &it.params);
    let ty = |name: &str| {
        let param = params.iter().find(|it| it.name == name)?;
        Some(lisp_type(&param.ty).replace(':', ""))
    };
    let line = |name: &str, value: Option<&Value>| {
        let kind = ty(name)
            .or_else(|| value.map(kind_word))
            .unwrap_or_default();
        let value = match value {
            _ if edition.hides(name) => ", [Hidden] [Firewalled]".to_owned(),
            Some(value) => format!(", sample: {}", sample(value, edition)),
            None => String::new(),
        };
        let description = description(descriptions, name);
        let description = description.map_or(String::new(), |it| format!(" -- {it}"));
        format!(
            "{:<NAMES_WIDTH$}; {kind}{value}{description}",
            format!("data/{name}")
        )
    };
    let mut lines: Vec<_> = match values.map(|it| &it.kind) {
        Some(ValueKind::Map(entries)) => {
            let named = entries.iter().filter_map(|it| {
                let name = it.key.name.as_deref()?;
                Some((name, line(name, Some(&it.value))))
            });
            named.collect()
        }
        _ => params
            .iter()
            .map(|it| (&*it.name, line(&it.name, None)))
            .collect(),
    };
    if lines.is_empty() {
        return None;
    }
    order::by_name(&mut lines, |(name, _)| name);
    let lines = lines.into_iter().map(|(_, line)| line);
    let all: Vec<_> = std::iter::once(";; === data/ ===".to_owned())
        .chain(lines)
        .collect();
    Some(all.join("\n"))
}

/// The format of a program's result, as the model sees it.
pub fn program_output(output: &Type, descriptions: Option<&Value>, edition: Edition) -> String {
    let described = described(output, descriptions);
    let lines =
        described.map(|(field, it)| format!("  - `{}`: {it}", lisp_key(&field.name, edition)));
    let lines: Vec<_> = lines.collect();
    let fields = match lines.is_empty() {
        true => String::new(),
        false => format!("\n\nField descriptions:\n{}", lines.join("\n")),
    };
    let ty = match edition.folds_hyphens() {
        true => lisp_type(output),
        false => output.to_string(),
    };
    format!(
        "# Expected Output\n\nYour final answer must match this format: `{ty}`{fields}\n\nCall `(return {})` when complete.\n",
        returned(output, edition)
    )
}

/// The format of the answer of an agent that answers in JSON and has no tools, as the model sees it.
pub fn json_output(output: &Type, descriptions: Option<&Value>, edition: Edition) -> String {
    let instruction = match &output.kind {
        TypeKind::List(_) if !output.optional => "Return a JSON array:",
        _ => "Return a JSON object with these fields:",
    };
    let fields = match &output.kind {
        TypeKind::Record(fields) if !output.optional => {
            let lines = fields.iter().map(|field| {
                let of = description(descriptions, &field.name).filter(|it| !it.is_empty());
                let of = of.map_or(String::new(), |it| format!(" - {it}"));
                format!("- `{}` ({}){of}", field.name, json_word(&field.ty))
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        TypeKind::Primitive(Primitive::Any) | TypeKind::Unknown if !output.optional => {
            "(Return your response directly as a JSON object - no wrapper needed)".to_owned()
        }
        _ => format!("({})", json_word(output)),
    };
    let example = serde_json::to_string_pretty(&json_example(output)).unwrap_or_default();
    let title = match edition.has_firewall() {
        true => "Example format:",
        false => "Example:",
    };
    format!("{instruction}\n{fields}\n\n{title}\n```json\n{example}\n```")
}

/// The fields of `output` that are described.
fn described<'a>(
    output: &'a Type,
    descriptions: Option<&'a Value>,
) -> impl Iterator<Item = (&'a Field, &'a str)> {
    let fields = match &output.kind {
        TypeKind::Record(fields) if !output.optional => &fields[..],
        _ => &[],
    };
    fields
        .iter()
        .filter_map(move |field| Some((field, description(descriptions, &field.name)?)))
}

/// What the descriptions say of a name.
pub(super) fn description<'a>(descriptions: Option<&'a Value>, name: &str) -> Option<&'a str> {
    match &descriptions?.get(name)?.kind {
        ValueKind::String(text) => Some(text),
        _ => None,
    }
}

/// An example of a result, in Lisp.
fn returned(ty: &Type, edition: Edition) -> String {
    match &ty.kind {
        TypeKind::Primitive(primitive) => match primitive {
            Primitive::Int => "42",
            Primitive::Float => "3.14",
            Primitive::String => "\"result\"",
            Primitive::Bool => "true",
            Primitive::Keyword => ":ok",
            Primitive::Any if edition.folds_hyphens() => "...",
            Primitive::Any => "nil",
            Primitive::Map => "{}",
            Primitive::Datetime => "\"2026-05-03T09:14:00Z\"",
        }
        .to_owned(),
        TypeKind::Unknown => "...".to_owned(),
        TypeKind::List(_) => "[]".to_owned(),
        TypeKind::Record(fields) => {
            let fields = fields.iter().map(|field| {
                let value = returned(&field.ty, edition);
                format!(":{} {value}", lisp_key(&field.name, edition))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// What JSON calls a type.
fn json_word(ty: &Type) -> String {
    let word = match &ty.kind {
        TypeKind::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Keyword => "string",
            Primitive::Int => "integer",
            Primitive::Float => "number",
            Primitive::Bool => "boolean",
            Primitive::Any => "any",
            Primitive::Map => "object",
            Primitive::Datetime => {
                "ISO 8601 datetime string with offset (e.g. \"2026-05-03T09:14:00Z\")"
            }
        }
        .to_owned(),
        TypeKind::Unknown => "any".to_owned(),
        TypeKind::List(element) => format!("array of {}", json_word(element)),
        TypeKind::Record(_) => "object".to_owned(),
    };
    match ty.optional {
        true => format!("{word} (optional)"),
        false => word,
    }
}

/// The example that the reference gives to a model that answers in JSON.
fn json_example(ty: &Type) -> Json {
    match &ty.kind {
        TypeKind::Primitive(primitive) => match primitive {
            Primitive::String => json!("..."),
            Primitive::Int => json!(0),
            Primitive::Float => json!(0.0),
            Primitive::Bool => json!(true),
            Primitive::Keyword => json!("keyword"),
            Primitive::Any => json!({"data": "...", "key": "value"}),
            Primitive::Map => json!({}),
            Primitive::Datetime => json!("2026-05-03T09:14:00Z"),
        },
        TypeKind::Unknown => json!({"data": "...", "key": "value"}),
        TypeKind::List(element) => Json::Array(vec![json_example(element)]),
        TypeKind::Record(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            order::by_name(&mut sorted, |it| &it.name);
            let fields = sorted.into_iter();
            let fields = fields.map(|it| (it.name.clone(), json_example(&it.ty)));
            Json::Object(Map::from_iter(fields))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::parse_signature;
    use signature_ls_source::value::json;

    fn signature(text: &str) -> Signature {
        parse_signature(text, Edition::V0_11)
            .0
            .expect("a signature")
    }

    fn value(text: &str) -> Value {
        json::read(text).expect("a value")
    }

    #[test]
    fn tools_are_listed_by_name_with_an_example() {
        let find = signature("(user_id :int, _token {a_b :string?}) -> [{id :int}]");
        let now = signature(":datetime");
        let tool = |name, signature, description| ListedTool {
            name,
            signature,
            written: None,
            description,
        };
        let listed = tools(&[
            tool("now", Some(&now), Some("")),
            tool("find_it", Some(&find), Some("Finds it.")),
            tool("any", None, None),
        ]);
        assert_eq!(
            listed,
            ";; === tools ===\ntool/any() -> any\ntool/find_it(user-id int, _token {a-b string?}) -> [{id int}]  ; Finds it.\n\
             tool/now() -> datetime\n;; Example: (tool/find_it {:user-id ... :_token ...})"
        );
        assert_eq!(tools(&[]), ";; No tools available");
        let without = tools(&[tool("now", Some(&now), None)]);
        assert!(without.ends_with("\n;; Call with named args: (tool/name {:key value})"));
    }

    #[test]
    fn data_have_types_values_and_descriptions() {
        let known =
            signature("(n :int, _key :string, a_very_long_name_of_an_input :string?) -> :any");
        let descriptions = value(r#"{"n": "How many."}"#);
        let listed = |values: Option<&Value>, edition| {
            data(values, Some(&known), Some(&descriptions), edition).expect("inputs")
        };
        assert_eq!(
            listed(None, Edition::V0_11),
            ";; === data/ ===\ndata/_key                     ; string\ndata/a_very_long_name_of_an_input; string?\n\
             data/n                        ; int -- How many."
        );
        let values = value(r#"{"n": 3, "_key": "secret", "more": [1]}"#);
        assert_eq!(
            listed(Some(&values), Edition::V0_5),
            ";; === data/ ===\ndata/_key                     ; string, [Hidden] [Firewalled]\n\
             data/more                     ; list[1], sample: [1]\ndata/n                        ; int, sample: 3 -- How many."
        );
        assert!(listed(Some(&values), Edition::V0_11).contains("; string, sample: \"secret\""));
        assert_eq!(
            data(None, Some(&signature(":int")), None, Edition::V0_11),
            None
        );
    }

    #[test]
    fn outputs_have_the_form_of_their_mode() {
        let output = signature("{order_count :int, tags [:string], by :string?}").output;
        let descriptions = value(r#"{"order_count": "How many.", "other": "None."}"#);
        assert_eq!(
            program_output(&output, Some(&descriptions), Edition::V0_11),
            "# Expected Output\n\nYour final answer must match this format: `{order-count :int, tags [:string], by :string?}`\n\n\
             Field descriptions:\n  - `order-count`: How many.\n\n\
             Call `(return {:order-count 42, :tags [], :by \"result\"})` when complete.\n"
        );
        assert_eq!(
            json_output(&output, Some(&descriptions), Edition::V0_11),
            "Return a JSON object with these fields:\n- `order_count` (integer) - How many.\n\
             - `tags` (array of string)\n- `by` (string (optional))\n\nExample:\n```json\n{\n  \"by\": \"...\",\n  \"order_count\": 0,\n  \"tags\": [\n    \"...\"\n  ]\n}\n```"
        );
        let list = json_output(&signature("[:int]").output, None, Edition::V0_5);
        assert!(list.starts_with("Return a JSON array:\n(array of integer)\n\nExample format:"));
    }
}
