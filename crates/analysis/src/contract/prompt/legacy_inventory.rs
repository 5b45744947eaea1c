//! What edition 0.4 puts before the mission of an agent: a table of its inputs, and its tools.

use std::borrow::Cow;

use super::{
    inventory::{ListedTool, description},
    text::{in_term_order, inspect},
};
use crate::{
    contract::{Value, ValueKind},
    model::{Field, Primitive, Signature, Type, TypeKind},
};
use signature_ls_source::order;

/// The number of elements or keys that the table shows of a list or a map.
const MOST_ITEMS: usize = 3;

/// The number of characters of a text that the table shows whole, and how many it shows of a longer one.
const MOST_CHARS: usize = 50;
const SHOWN_CHARS: usize = 47;

/// The number of fields of a map that its type names.
const MOST_FIELDS: usize = 5;

const RETURN: &str = "### return
```
return(data :any) -> :exit-success
```
Complete the mission successfully. Return the required data.
";

const FAIL: &str = "### fail
```
fail(error {:reason :keyword, :message :string, :op :string?, :details :map?}) -> :exit-error
```
Terminate with an error. Use when the mission cannot be completed.
";

/// The section of the tools. An agent with several turns is also told how to end them.
pub fn tools(tools: &[ListedTool<'_>], has_turns: bool) -> String {
    let mut sorted: Vec<_> = tools.iter().collect();
    order::by_name(&mut sorted, |it| it.name);
    let mut sections: Vec<_> = sorted.iter().map(|it| Cow::Owned(section(it))).collect();
    let ends = [("return", RETURN), ("fail", FAIL)].into_iter();
    let ends = ends.filter(|(name, _)| has_turns && sorted.iter().all(|it| it.name != *name));
    sections.extend(ends.map(|(_, text)| Cow::Borrowed(text)));
    match sections.is_empty() {
        true => "# Available Tools\n\nNo tools available.\n".to_owned(),
        false => format!(
            "# Available Tools\n\n## Tools you can call\n\n{}\n",
            sections.join("\n\n")
        ),
    }
}

fn section(tool: &ListedTool<'_>) -> String {
    let name = tool.name;
    let Some(written) = &tool.written else {
        return format!(
            "### {name}\n```\n{name}(args :map) -> :any\n```\nUser-defined tool. Check implementation for details.\n"
        );
    };
    let fields = tool.signature.and_then(fields_of_only_parameter);
    let shown = match (tool.signature, fields) {
        (Some(signature), Some(fields)) => {
            format!("({{{}}}) -> {}", listed(fields), signature.output)
        }
        _ => written.clone(),
    };
    let description = tool.description.unwrap_or("User-defined tool.");
    let example = tool.signature.map_or(String::new(), |signature| {
        let params = fields.unwrap_or(&signature.params);
        let values = params.iter();
        let values = values.map(|it| format!(":{} {}", it.name, example(&it.ty)));
        match signature.params.is_empty() {
            true => format!("Example: `(ctx/{name})`"),
            false => format!(
                "Example: `(ctx/{name} {{{}}})`",
                values.collect::<Vec<_>>().join(" ")
            ),
        }
    });
    format!("### {name}\n```\nctx/{name}{shown}\n```\n{description}\n{example}\n")
}

/// The fields of a record that is the only parameter; calls pass them without it.
fn fields_of_only_parameter(signature: &Signature) -> Option<&[Field]> {
    match &signature.params[..] {
        [only] if !only.ty.optional => match &only.ty.kind {
            TypeKind::Record(fields) => Some(fields),
            _ => None,
        },
        _ => None,
    }
}

fn listed(fields: &[Field]) -> String {
    let fields: Vec<_> = fields.iter().map(Field::to_string).collect();
    fields.join(", ")
}

fn example(ty: &Type) -> &'static str {
    match &ty.kind {
        TypeKind::Primitive(primitive) => match primitive {
            Primitive::String | Primitive::Datetime => "\"...\"",
            Primitive::Int => "10",
            Primitive::Float => "1.0",
            Primitive::Bool => "true",
            Primitive::Keyword => ":value",
            Primitive::Any => "...",
            Primitive::Map => "{}",
        },
        TypeKind::Unknown => "...",
        TypeKind::List(_) => "[]",
        TypeKind::Record(_) => "{...}",
    }
}

/// The table of the inputs. Without values it shows the types of the parameters.
pub fn data(
    values: Option<&Value>,
    signature: Option<&Signature>,
    descriptions: Option<&Value>,
) -> String {
    let params = signature.map_or(&[][..], |it| &it.params);
    let row = |name: &str, value: Option<&Value>| {
        let param = params.iter().find(|it| it.name == name);
        let ty = match (param, value) {
            (Some(param), _) => param.ty.to_string(),
            (None, Some(value)) => type_of(value),
            (None, None) => String::new(),
        };
        let shown = match value {
            _ if is_hidden(name) => "[Hidden] [Firewalled]".to_owned(),
            Some(value) => sample(value),
            None => format!("‹{name} {ty}›"),
        };
        let description = description(descriptions, name);
        let description = description.map_or(String::new(), |it| format!(" — {it}"));
        format!("| `ctx/{name}` | `{ty}` | {shown}{description} |")
    };
    let mut rows: Vec<_> = match values.map(|it| &it.kind) {
        Some(ValueKind::Map(entries)) => in_term_order(entries)
            .into_iter()
            .map(|((_, name), value)| (name, row(name, Some(value))))
            .collect(),
        _ => params
            .iter()
            .map(|it| (&*it.name, row(&it.name, None)))
            .collect(),
    };
    if rows.is_empty() {
        return "# Data Inventory\n\nNo data available in context.\n".to_owned();
    }
    order::by_name(&mut rows, |(name, _)| name);
    let note = match rows.iter().any(|(name, _)| is_hidden(name)) {
        true => {
            "\n\nNote: Firewalled fields (prefixed with `_`) are available in your program but hidden from conversation history."
        }
        false => "",
    };
    let rows: Vec<_> = rows.into_iter().map(|(_, row)| row).collect();
    format!(
        "# Data Inventory\n\nAvailable in `ctx/`:\n\n| Key | Type | Sample |\n|-----|------|--------|\n{}{note}",
        rows.join("\n")
    )
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('_')
}

/// The type that the table gives an input that no signature names.
fn type_of(value: &Value) -> String {
    match &value.kind {
        ValueKind::String(_) => ":string".to_owned(),
        ValueKind::Int(_) | ValueKind::BigInt(_) => ":int".to_owned(),
        ValueKind::Float(_) => ":float".to_owned(),
        ValueKind::Bool(_) => ":bool".to_owned(),
        ValueKind::Null | ValueKind::Keyword(_) => ":keyword".to_owned(),
        ValueKind::Datetime(_) | ValueKind::Dynamic => ":any".to_owned(),
        ValueKind::List(elements) => {
            let element = elements.first();
            let element = element.map_or_else(|| ":any".to_owned(), type_of);
            format!("[{element}]")
        }
        ValueKind::Map(entries) => {
            let fields = in_term_order(entries).into_iter().take(MOST_FIELDS);
            let fields: Vec<_> = fields
                .map(|((_, name), value)| format!("{name} {}", type_of(value)))
                .collect();
            match fields.is_empty() {
                true => ":map".to_owned(),
                false => format!("{{{}}}", fields.join(", ")),
            }
        }
    }
}

fn sample(value: &Value) -> String {
    match &value.kind {
        // A long text is cut without escapes.
        ValueKind::String(text) if text.chars().count() > MOST_CHARS => {
            let start: String = text.chars().take(SHOWN_CHARS).collect();
            format!("\"{start}...\"")
        }
        ValueKind::List(elements) if elements.len() > MOST_ITEMS => {
            let first = ValueKind::List(elements[..MOST_ITEMS].into());
            let first = inspect(&Value::new(first, value.range));
            format!("{first} ({} items)", elements.len())
        }
        ValueKind::Map(entries) => {
            let entries = in_term_order(entries);
            let names = entries.iter().take(MOST_ITEMS).map(|((_, name), _)| *name);
            let names = names.collect::<Vec<_>>().join(", ");
            match entries.len() > MOST_ITEMS {
                true => format!("{{{names}, ...}}"),
                false => format!("{{{names}}}"),
            }
        }
        ValueKind::Float(number) => float(*number),
        _ => inspect(value),
    }
}

/// Two digits after the point. Halves are rounded away from zero.
fn float(number: f64) -> String {
    let is_half = (number * 8.0).fract() == 0.0 && number.abs() < 1.0e12;
    let rounded = match is_half {
        true => (number * 100.0).round() / 100.0,
        false => number,
    };
    format!("{rounded:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edition, parse_signature};
    use expect_test::expect;
    use signature_ls_source::value::json;

    fn signature(text: &str) -> Signature {
        parse_signature(text, Edition::V0_4).0.expect("a signature")
    }

    #[test]
    fn tools_are_shown_as_they_are_written() {
        let only = signature("(args {q :string, n_m :int?}) -> {a :int}");
        let many = signature(
            "(q :string, m :map, f :float, b :bool, k :keyword, a :any, l [:int], r {a :int}) -> [:int]",
        );
        let short = signature(":int");
        let tool = |name, signature, written: Option<&str>, description| ListedTool {
            name,
            signature,
            written: written.map(str::to_owned),
            description,
        };
        let listed = [
            tool("short", Some(&short), Some(":int"), Some("two\nlines")),
            tool("only", Some(&only), Some("(args …)"), None),
            tool("many", Some(&many), Some("(q:string, …)->[:int]"), Some("")),
            tool("bad", None, Some("(a :strng) -> :int"), None),
            tool("any", None, None, Some("D")),
            tool("return", Some(&short), Some(":int"), None),
        ];
        expect![[r##"
            # Available Tools

            ## Tools you can call

            ### any
            ```
            any(args :map) -> :any
            ```
            User-defined tool. Check implementation for details.


            ### bad
            ```
            ctx/bad(a :strng) -> :int
            ```
            User-defined tool.



            ### many
            ```
            ctx/many(q:string, …)->[:int]
            ```

            Example: `(ctx/many {:q "..." :m {} :f 1.0 :b true :k :value :a ... :l [] :r {...}})`


            ### only
            ```
            ctx/only({q :string, n_m :int?}) -> {a :int}
            ```
            User-defined tool.
            Example: `(ctx/only {:q "..." :n_m 10})`


            ### return
            ```
            ctx/return:int
            ```
            User-defined tool.
            Example: `(ctx/return)`


            ### short
            ```
            ctx/short:int
            ```
            two
            lines
            Example: `(ctx/short)`


            ### fail
            ```
            fail(error {:reason :keyword, :message :string, :op :string?, :details :map?}) -> :exit-error
            ```
            Terminate with an error. Use when the mission cannot be completed.

        "##]].assert_eq(&tools(&listed, true));
        assert_eq!(
            tools(&[], false),
            "# Available Tools\n\nNo tools available.\n"
        );
        assert_eq!(
            tools(&[], true),
            format!("# Available Tools\n\n## Tools you can call\n\n{RETURN}\n\n{FAIL}\n")
        );
    }

    #[test]
    fn inputs_are_rows_of_a_table() {
        let known = signature("(t :string, m :map?, _h :int) -> :any");
        let descriptions = json::read(r#"{"t": "the t", "z": "the z"}"#).expect("a map");
        expect![[r#"
            # Data Inventory

            Available in `ctx/`:

            | Key | Type | Sample |
            |-----|------|--------|
            | `ctx/_h` | `:int` | [Hidden] [Firewalled] |
            | `ctx/m` | `:map?` | ‹m :map?› |
            | `ctx/t` | `:string` | ‹t :string› — the t |

            Note: Firewalled fields (prefixed with `_`) are available in your program but hidden from conversation history."#]].assert_eq(&data(None, Some(&known), Some(&descriptions)));
        let quotes = "\\\"".repeat(60);
        let values = format!(
            r#"{{"t": "a\"b", "m": {{"d": 4, "a": 1, "b": 2, "c": 3}}, "_h": 3, "z": [1, 2, 3, 4], "y": [{{"a": {{"b": 1}}}}],
                "x": null, "w": true, "u": 1.005, "half": -0.125, "em": {{}}, "el": [], "long": "{quotes}"}}"#
        );
        let values = json::read(&values).expect("a map");
        expect![[r##"
            # Data Inventory

            Available in `ctx/`:

            | Key | Type | Sample |
            |-----|------|--------|
            | `ctx/_h` | `:int` | [Hidden] [Firewalled] |
            | `ctx/el` | `[:any]` | [] |
            | `ctx/em` | `:map` | {} |
            | `ctx/half` | `:float` | -0.13 |
            | `ctx/long` | `:string` | """"""""""""""""""""""""""""""""""""""""""""""""..." |
            | `ctx/m` | `:map?` | {a, b, c, ...} |
            | `ctx/t` | `:string` | "a\"b" — the t |
            | `ctx/u` | `:float` | 1.00 |
            | `ctx/w` | `:bool` | true |
            | `ctx/x` | `:keyword` | nil |
            | `ctx/y` | `[{a {b :int}}]` | [%{"a" => %{"b" => 1}}] |
            | `ctx/z` | `[:int]` | [1, 2, 3] (4 items) — the z |

            Note: Firewalled fields (prefixed with `_`) are available in your program but hidden from conversation history."##]].assert_eq(&data(Some(&values), Some(&known), Some(&descriptions)));
        assert_eq!(
            data(None, None, None),
            "# Data Inventory\n\nNo data available in context.\n"
        );
    }
}
