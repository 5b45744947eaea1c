//! `"About {{user}}"` with `context: %{user: %{name: "Ann"}}`: a value that is no text, so that the whole prompt is sent
//! unfilled.

use super::RULE;
use crate::{
    contract::{Entry, Value, ValueKind},
    ide::{
        Diagnostic,
        unit::{PromptView, UnitView},
    },
    model::{
        Field, Fields, Primitive, Signature, Type, TypeKind,
        placeholders::{Meaning, Use, resolve},
    },
};
use signature_ls_source::{
    syntax::template::ast::{Section, Tag, tags},
    text::TextRange,
};

/// The diagnostics about a `prompt` whose placeholders cannot show the values of the map `context`.
pub(super) fn check(
    unit: &UnitView<'_>,
    prompt: &PromptView,
    context: &[Entry],
) -> Vec<Diagnostic> {
    let Some(params) = fields(context) else {
        return Vec::new();
    };
    let sections = || prompt.root.descendants().filter_map(Section::cast);
    // Which inverted sections are shown depends on the values.
    if prompt.has_errors || !unit.edition.has_sections() || sections().any(|it| it.is_inverted()) {
        return Vec::new();
    }
    let has_sections = sections().next().is_some();
    let filling = Filling {
        outside: outside(prompt),
        has_sections,
        is_sent: has_sections || unit.sends_values(),
    };
    let given = Signature {
        params,
        ..Signature::unknown()
    };
    let uses = resolve(&prompt.root, &given, unit.edition).into_iter();
    let found = uses.filter_map(|it| filling.failing(&it));
    found.map(|it| it.moved_by(prompt.start)).collect()
}

/// The places of the placeholders outside of sections.
fn outside(prompt: &PromptView) -> Vec<TextRange> {
    let paths = tags(&prompt.root).filter_map(|tag| match tag {
        Tag::Placeholder(it) => it.path(),
        _ => None,
    });
    paths.map(|it| it.text_range()).collect()
}

/// How a prompt is filled.
struct Filling {
    /// The places of the placeholders outside of sections, in the order of the text.
    outside: Vec<TextRange>,
    has_sections: bool,
    /// Whether it is sent with its values, and not with their names.
    is_sent: bool,
}

impl Filling {
    /// The diagnostic about a placeholder that cannot show its value.
    fn failing(&self, it: &Use) -> Option<Diagnostic> {
        let is_outside = self
            .outside
            .binary_search_by_key(&it.range.start(), |it| it.start());
        let is_outside = is_outside.is_ok();
        let names: Vec<_> = it.segments.iter().map(|(name, _)| name.as_str()).collect();
        let path = names.join(".");
        let what = match &it.meaning {
            _ if it.is_section => return None,
            Meaning::FieldOfScalar { segment, ty } if is_outside => {
                let (before, own) = (names.get(segment - 1)?, names.get(*segment)?);
                format!("`{before}` is {ty} in the context and has no `{own}`")
            }
            // Outside of sections, only this name stays.
            Meaning::Unknown { segment: 0, .. } if !is_outside => {
                format!("The context has no `{path}`, nor has the section")
            }
            Meaning::DotWithoutElement | Meaning::DotOnCompound { .. } if self.is_sent => {
                "`{{.}}` is not a single value here".to_owned()
            }
            Meaning::Value { ty, .. } => match ty.kind {
                TypeKind::List(_) if self.has_sections => {
                    format!("`{path}` is a list in the context")
                }
                TypeKind::Record(_) if self.is_sent => format!("`{path}` is a map in the context"),
                _ => return None,
            },
            _ => return None,
        };
        let message = format!("{what}, so the prompt is sent unfilled.");
        Some(Diagnostic::new(&RULE, it.range, message))
    }
}

/// The entries of a map as fields; `None` if there may be more.
fn fields(entries: &[Entry]) -> Option<Fields> {
    let fields = entries.iter().map(|it| {
        Some(Field {
            name: it.key.name.as_deref()?.to_owned(),
            name_range: TextRange::default(),
            ty: type_of(&it.value),
        })
    });
    fields.collect()
}

/// The type of a value, as far as it is certain. That of a value for which no section is shown counts as unknown.
fn type_of(value: &Value) -> Type {
    let kind = match &value.kind {
        ValueKind::Map(entries) => fields(entries).map(TypeKind::Record),
        ValueKind::List(items) => list_of(items),
        ValueKind::String(text) if text.is_empty() => None,
        ValueKind::String(_) => Some(TypeKind::Primitive(Primitive::String)),
        ValueKind::Bool(true) => Some(TypeKind::Primitive(Primitive::Bool)),
        ValueKind::Int(_) | ValueKind::BigInt(_) => Some(TypeKind::Primitive(Primitive::Int)),
        ValueKind::Float(_) => Some(TypeKind::Primitive(Primitive::Float)),
        ValueKind::Keyword(_) => Some(TypeKind::Primitive(Primitive::Keyword)),
        ValueKind::Bool(false) | ValueKind::Null | ValueKind::Datetime(_) | ValueKind::Dynamic => {
            None
        }
    };
    Type::new(kind.unwrap_or(TypeKind::Unknown))
}

fn list_of(items: &[Value]) -> Option<TypeKind> {
    let (first, others) = items.split_first()?;
    let element = type_of(first);
    let is_same = others.iter().all(|it| type_of(it) == element);
    let element = if is_same {
        element
    } else {
        Type::new(TypeKind::Unknown)
    };
    Some(TypeKind::List(Box::new(element)))
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    fn found(prompt: &str, context: &str, options: &str) -> Vec<String> {
        let code = format!("SubAgent.run(\"T {prompt}\", context: %{{{context}}}{options})\n");
        found_in(HostKind::Elixir, &code, Edition::V0_11)
    }

    #[test]
    fn values_that_leave_the_prompt_unfilled_are_found() {
        for (prompt, context, expected) in [
            ("{{x}}", "x: %{n: 1}", "x"),
            ("{{x.y}}", "x: %{y: %{z: 1}}", "x.y"),
            ("{{u.name}}", "u: \"Ann\"", "u.name"),
            ("{{#u}}{{y}}{{/u}}", "u: true", "y"),
            ("{{#u}}{{y}}{{/u}}", "u: [%{x: 1}]", "y"),
            ("{{#u}}{{y}}{{/u}}", "u: [%{x: 1}, %{x: 2}]", "y"),
            ("{{#u}}{{.}}{{/u}}", "u: \"Ann\"", "."),
            ("{{#u}}{{.}}{{/u}}", "u: [%{a: 1}]", "."),
            ("{{#u}}x{{/u}}{{l}}", "u: \"Ann\", l: [1]", "l"),
            ("{{.}}", "a: 1", "."),
        ] {
            let expected = [format!("unfilled-placeholder: {expected}")];
            let found = found(prompt, context, ", output: :text");
            assert_eq!(found, expected, "{prompt} {context}");
        }
    }

    #[test]
    fn values_that_are_shown_or_not_known_are_no_finding() {
        let nothing: [&str; 0] = [];
        for (prompt, context) in [
            ("{{l}}", "l: [1]"),
            ("{{x.y}}", "x: %{y: [1]}"),
            ("{{x}} {{y}}", "x: nil, y: :a"),
            ("{{#x}}{{a}}{{/x}}", "x: %{a: 1}"),
            ("{{#u}}{{y}}{{/u}}", "u: [%{x: 1}, %{y: 2}]"),
            ("{{#u}}{{y}}{{/u}}", "u: false"),
            ("{{#u}}{{y}}{{/u}}", "u: \"\""),
            ("{{#u}}{{y}}{{/u}}", "u: []"),
            ("{{#u}}{{y}}{{/u}}", "u: u"),
            ("{{#q}}{{y}}{{/q}}", "u: 1"),
            ("{{^u}}{{y}}{{/u}}", "u: 1"),
            ("{{#u}}{{x}}{{/u}}", "u: \"Ann\", x: 1"),
            ("{{#a}}{{b.c}}{{/a}}", "a: %{b: 1}, b: %{c: 1}"),
        ] {
            let found = found(prompt, context, ", output: :text");
            assert_eq!(found, nothing, "{prompt} {context}");
        }
        // A prompt for programs only names its values.
        assert_eq!(found("{{x}} {{.}}", "x: %{n: 1}", ""), nothing);
        assert_eq!(found("{{x}}", "x: %{n: 1}", ", max_turns: 1").len(), 1);
    }
}
