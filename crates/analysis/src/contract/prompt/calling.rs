//! What a model that calls tools itself is sent: their definitions, the inputs, and the form of its answer.

use serde_json::{Map, Value as Json, json};

use super::{
    inventory::{ListedTool, description},
    text::{Limits, in_term_order, inspect_within},
};
use crate::{
    contract::{Value, ValueKind},
    model::{
        Primitive, Signature, Type, TypeKind,
        json_schema::{input_schema, type_schema},
    },
};
use signature_ls_source::order;

/// How much of each input is shown.
const SHOWN: Limits = Limits {
    items: 100,
    chars: 200,
};

/// The definitions of tools that are sent beside the messages.
pub fn definitions(tools: &[ListedTool<'_>]) -> Json {
    let mut sorted: Vec<_> = tools.iter().collect();
    order::by_name(&mut sorted, |it| it.name);
    sorted.into_iter().map(definition).collect()
}

fn definition(tool: &ListedTool<'_>) -> Json {
    // Providers allow no hyphens in names.
    let mut function = Map::from_iter([("name".to_owned(), tool.name.replace('-', "_").into())]);
    if let Some(description) = tool.description {
        function.insert("description".to_owned(), description.into());
    }
    function.insert("parameters".to_owned(), parameters(tool.signature));
    json!({ "type": "function", "function": function })
}

fn parameters(signature: Option<&Signature>) -> Json {
    let Some(signature) = signature.filter(|it| !it.params.is_empty()) else {
        return json!({ "type": "object", "properties": {} });
    };
    let mut schema = input_schema(signature);
    if let Some(schema) = schema.as_object_mut() {
        schema.shift_remove("additionalProperties");
    }
    schema
}

/// The inputs that precede the prompt. Without values it shows the types of the parameters. `None` where there are none.
pub fn context(
    values: Option<&Value>,
    signature: Option<&Signature>,
    descriptions: Option<&Value>,
) -> Option<String> {
    let line = |name: &str, value: String| {
        let description = description(descriptions, name).filter(|it| !it.is_empty());
        let description = description.map_or(String::new(), |it| format!(": {it}"));
        format!("- {name}{description} = {value}")
    };
    let lines: Vec<_> = match values.map(|it| &it.kind) {
        Some(ValueKind::Map(entries)) => in_term_order(entries)
            .into_iter()
            .map(|((_, name), value)| line(name, inspect_within(value, SHOWN)))
            .collect(),
        _ => {
            let params = signature.map_or(&[][..], |it| &it.params);
            let mut sorted: Vec<_> = params.iter().collect();
            order::by_name(&mut sorted, |it| &it.name);
            let sorted = sorted.into_iter();
            sorted
                .map(|it| line(&it.name, format!("‹{} {}›", it.name, it.ty)))
                .collect()
        }
    };
    let text = lines.join("\n");
    (!lines.is_empty()).then(|| format!("<context_data>\n{text}\n</context_data>"))
}

/// The form of the answer of an agent with this output. One without a signature answers in plain text.
pub fn answer(output: Option<&Type>) -> String {
    let instruction = match output {
        Some(output) if !is_text(output) => {
            let kind = match output.kind {
                TypeKind::List(_) if !output.optional => "array",
                _ => "object",
            };
            let schema = serde_json::to_string_pretty(&sorted(type_schema(output)));
            format!(
                "return a JSON {kind} matching this schema:\n{}",
                schema.unwrap_or_default()
            )
        }
        _ => "return it as plain text.".to_owned(),
    };
    format!("<output_format>\nWhen you have the final answer, {instruction}\n</output_format>")
}

/// Whether an answer of this type is plain text.
pub fn is_text(output: &Type) -> bool {
    matches!(output.kind, TypeKind::Primitive(Primitive::String)) && !output.optional
}

/// The same with the keys of all objects in order.
fn sorted(json: Json) -> Json {
    match json {
        Json::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            order::by_name(&mut entries, |(key, _)| key);
            let entries = entries.into_iter().map(|(key, it)| (key, sorted(it)));
            Json::Object(entries.collect())
        }
        // Lists in schemas contain names.
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edition, parse_signature};
    use expect_test::expect;
    use signature_ls_source::value::json;

    fn signature(text: &str) -> Signature {
        parse_signature(text, Edition::V0_11)
            .0
            .expect("a signature")
    }

    #[test]
    fn tools_are_defined_in_json() {
        let find = signature("(items {}, n_m :int?, _s :string, a [:any]) -> {a :int}");
        let now = signature(":datetime");
        let tool = |name, signature, description| ListedTool {
            name,
            signature,
            written: None,
            description,
        };
        let tools = [
            tool("now", Some(&now), Some("")),
            tool("find-it", Some(&find), Some("two\nlines")),
            tool("any", None, None),
        ];
        expect![[r#"
            {"type":"function","function":{"name":"any","parameters":{"type":"object","properties":{}}}}
            {"type":"function","function":{"name":"find_it","description":"two\nlines","parameters":{"type":"object","properties":{"items":{"type":"object","properties":{},"required":[],"additionalProperties":false},"n_m":{"type":"integer"},"_s":{"type":"string"},"a":{"type":"array","items":{"type":"object"}}},"required":["items","_s","a"]}}}
            {"type":"function","function":{"name":"now","description":"","parameters":{"type":"object","properties":{}}}}
        "#]]
        .assert_eq(&lines(&definitions(&tools)));
    }

    fn lines(list: &Json) -> String {
        let items = list.as_array().into_iter().flatten();
        items.map(|it| format!("{it}\n")).collect()
    }

    #[test]
    fn inputs_and_answers_have_a_form() {
        let known = signature("(t :string, n :int?) -> [{x :int}]");
        let descriptions = json::read(r#"{"t": "The t.", "n": ""}"#).expect("a map");
        let shown = |values| context(values, Some(&known), Some(&descriptions)).expect("inputs");
        assert_eq!(
            shown(None),
            "<context_data>\n- n = ‹n :int?›\n- t: The t. = ‹t :string›\n</context_data>"
        );
        let values = json::read(&format!(
            r#"{{"t": "{}", "n": [1, {{}}]}}"#,
            "x".repeat(201)
        ));
        assert_eq!(
            shown(Some(&values.expect("a map"))),
            format!(
                "<context_data>\n- n = [1, %{{}}]\n- t: The t. = \"{}\" <> ...\n</context_data>",
                "x".repeat(200)
            )
        );
        assert_eq!(context(None, Some(&signature(":int")), None), None);
        expect![[r#"
            <output_format>
            When you have the final answer, return a JSON array matching this schema:
            {
              "items": {
                "additionalProperties": false,
                "properties": {
                  "x": {
                    "type": "integer"
                  }
                },
                "required": [
                  "x"
                ],
                "type": "object"
              },
              "type": "array"
            }
            </output_format>"#]]
        .assert_eq(&answer(Some(&known.output)));
        let text = "<output_format>\nWhen you have the final answer, return it as plain text.\n</output_format>";
        assert_eq!(answer(None), text);
        assert_eq!(answer(Some(&signature(":string").output)), text);
    }
}
