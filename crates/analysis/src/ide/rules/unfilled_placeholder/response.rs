//! `response_template: "(if {{ok}} :yes :no)"`: the fields of the model's answer are the values of the template.
//!
//! The reference fills the whole template or fails.

use super::RULE;
use crate::{
    ide::{
        Diagnostic, Fix, Severity,
        rules::{MAX_FINDINGS, answer, syntax},
        unit::UnitView,
    },
    model::{
        Edition, Primitive, Signature, Type, TypeKind,
        placeholders::{Meaning, Use, resolve},
        spelling::nearest,
    },
};
use signature_ls_source::{
    syntax::{fragment::Fragment, kind::SyntaxNode, template},
    text::{TextEdit, TextRange, TextSize},
};

/// Checks the template of a tool.
pub(super) fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let Some((code, range)) = answer::written(unit, "response_template") else {
        return;
    };
    let Some(output) = output(unit) else {
        return;
    };
    if is_single_or_list(&output) {
        let message = format!(
            "The fields of the answer fill the template, but the answer is {output}, so the call fails; write a `json_signature` with a record."
        );
        found.push(Diagnostic::new(&RULE, range, message));
        return;
    }
    let (text, start) = inner(&code);
    let in_template = of_template(text, output, unit.edition).into_iter();
    found.extend(in_template.map(|it| it.moved_by(range.start() + start)));
}

/// The type of the answer.
fn output(unit: &UnitView<'_>) -> Option<Type> {
    if !answer::is_compared(unit) {
        return Some(unit.signature()?.output.clone());
    }
    let (answer, _) = answer::read(unit)?;
    Some(answer.signature.output.clone())
}

/// Whether values of the type are certainly no maps.
fn is_single_or_list(ty: &Type) -> bool {
    match ty.kind {
        TypeKind::List(_) => true,
        TypeKind::Primitive(primitive) => !matches!(primitive, Primitive::Map | Primitive::Any),
        TypeKind::Record(_) | TypeKind::Unknown => false,
    }
}

/// The text of a literal between its quotes, and where it starts.
fn inner(code: &str) -> (&str, TextSize) {
    let quotes = ["\"\"\"", "\"", "'"];
    let without = |it: &&str| code.strip_prefix(*it)?.strip_suffix(*it);
    let found = quotes
        .iter()
        .find_map(|it| Some((without(it)?, TextSize::of(*it))));
    found.unwrap_or((code, TextSize::default()))
}

/// The diagnostics about the template `text`, which an answer of the type `output` fills.
fn of_template(text: &str, output: Type, edition: Edition) -> Vec<Diagnostic> {
    let fields = match output.kind {
        TypeKind::Record(fields) if !fields.is_empty() => fields,
        _ => return Vec::new(),
    };
    let root = SyntaxNode::new_root(template::parse(Fragment::plain(text)));
    let errors = syntax::describe_all(&root, edition);
    if !errors.is_empty() {
        return errors;
    }
    let answer = Signature {
        params: fields,
        ..Signature::unknown()
    };
    // Without a value, a section is omitted, as intended.
    let uses = resolve(&root, &answer, edition)
        .into_iter()
        .filter(|it| !it.is_section);
    let found = uses.filter_map(|it| failing(&it).or_else(|| absent(&it)));
    found.take(MAX_FINDINGS).collect()
}

/// The diagnostic about a placeholder that never has a value that is text.
fn failing(it: &Use) -> Option<Diagnostic> {
    let name = |segment: usize| it.segments.get(segment).map(|(name, _)| name.as_str());
    let found = |range: TextRange, message: String| Some(Diagnostic::new(&RULE, range, message));
    match &it.meaning {
        Meaning::Unknown { segment, .. } => unknown(it, *segment),
        Meaning::FieldOfScalar { segment, ty } => {
            let (before, own) = (name(segment - 1)?, name(*segment)?);
            let message =
                format!("`{before}` is {ty} and has no field `{own}`, so the call fails.");
            found(it.segments[*segment].1, message)
        }
        Meaning::ListWithoutSection { segment } => {
            let name = name(*segment)?;
            let message = format!(
                "`{name}` is a list, so the call fails; write a section `{{{{#{name}}}}}…`."
            );
            found(it.segments[*segment].1, message)
        }
        Meaning::DotWithoutElement | Meaning::DotOnCompound { .. } => {
            let message =
                "`{{.}}` is not a single value here, so the call fails; write the name of one.";
            found(it.range, message.to_owned())
        }
        Meaning::Value { ty, .. } => {
            let path: Vec<_> = it.segments.iter().map(|(name, _)| name.as_str()).collect();
            let path = path.join(".");
            let (kind, instead) = match ty.kind {
                TypeKind::List(_) => ("list", format!("write a section `{{{{#{path}}}}}…`")),
                TypeKind::Record(_) => ("record", "name one of its fields".to_owned()),
                TypeKind::Primitive(Primitive::Map) => ("map", "name one of its keys".to_owned()),
                TypeKind::Primitive(_) | TypeKind::Unknown => return None,
            };
            let message = format!("`{path}` is a {kind}, so the call fails; {instead}.");
            found(it.range, message)
        }
        Meaning::Anything { .. } | Meaning::ScalarSection { .. } => None,
    }
}

/// The diagnostic about a name that the answer does not have.
fn unknown(it: &Use, segment: usize) -> Option<Diagnostic> {
    let Meaning::Unknown {
        candidates,
        element,
        ..
    } = &it.meaning
    else {
        return None;
    };
    let (name, range) = it.segments.get(segment)?;
    let before = segment.checked_sub(1).and_then(|at| it.segments.get(at));
    let place = match (before, element) {
        (Some((before, _)), _) => format!("`{before}` in the answer has"),
        (None, Some(_)) => "The section's elements have".to_owned(),
        (None, None) => "The answer has".to_owned(),
    };
    let candidates = candidates.iter().flat_map(|it| it.iter());
    let Some(near) = nearest(name, candidates.map(String::as_str)) else {
        let message = format!("{place} no `{name}`; add it, or the call fails.");
        return Some(Diagnostic::new(&RULE, *range, message));
    };
    let message = format!("{place} no `{name}`; did you mean `{near}`?");
    let edits = vec![TextEdit::replace(*range, near)];
    let fix = Fix::offered(format!("Write `{near}`"), edits);
    Some(Diagnostic::new(&RULE, *range, message).with_fix(fix))
}

/// The hint about a placeholder for an optional field, which the answer may not have.
fn absent(it: &Use) -> Option<Diagnostic> {
    let segment = it.nil_segment()?;
    let names: Vec<_> = it.segments.iter().map(|(name, _)| name.as_str()).collect();
    let path = names.get(..=segment)?.join(".");
    let message = format!(
        "The answer may have no `{path}`, and then the call fails; wrap it in a section `{{{{#{path}}}}}…`."
    );
    let mut found = Diagnostic::new(&RULE, it.segments[segment].1, message);
    found.severity = Severity::Hint;
    if segment + 1 == names.len() {
        // The braces of the placeholder are around its name, possibly with spaces between.
        let text = format!("#{path}}}}}{{{{{path}}}}}{{{{/{path}");
        let edits = vec![TextEdit::replace(it.range, text)];
        found = found.with_fix(Fix::offered("Wrap it in a section", edits));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::{
        ide::{
            Document, Settings, Severity, quick_fixes,
            testing::{applied, found_in},
        },
        model::Edition,
    };
    use signature_ls_source::{
        host::HostKind,
        text::{TextRange, TextSize},
    };

    fn tool(output: &str, template: &str) -> String {
        format!(
            "LLMTool.new(prompt: \"Is {{{{a}}}} new?\", signature: \"(a :string) -> :any\", json_signature: \"(a :string) -> {output}\", response_template: {template})\n"
        )
    }

    #[test]
    fn what_cannot_become_text_in_a_response_is_found() {
        let output = "{tags [:string], m {k :int}, o :string?, mm :map, s :string, b :bool, rs [{k :int}], r {n :int?}}";
        for (template, expected) in [
            ("[{{tags}}]", Some("unfilled-placeholder: tags")),
            ("[{{m}}]", Some("unfilled-placeholder: m")),
            ("[{{mm}}]", Some("unfilled-placeholder: mm")),
            ("[{{z}}]", Some("unfilled-placeholder: z")),
            ("[{{s.x}}]", Some("unfilled-placeholder: x")),
            ("[{{rs.k}}]", Some("unfilled-placeholder: rs")),
            ("[{{.}}]", Some("unfilled-placeholder: .")),
            ("[{{#b}}{{.}}{{/b}}]", Some("unfilled-placeholder: .")),
            ("[{{#rs}}{{.}}{{/rs}}]", Some("unfilled-placeholder: .")),
            (
                "[{{#tags}}{{.}}{{/tags}} {{#tags}}{{q}}{{/tags}}]",
                Some("unfilled-placeholder: q"),
            ),
            ("[{{#tags}}", Some("unclosed-section: {{#tags}}")),
            ("[{{/tags}}]", Some("stray-section-close: {{/tags}}")),
            ("[{{}}]", Some("empty-placeholder: {{}}")),
            ("[{{#rs}}{{k}} {{s}}{{/rs}} {{m.k}} {{mm.q}}]", None),
            ("[{{#m}}{{k}} {{b}}{{/m}} {{^z}}{{b}}{{/z}}]", None),
            ("[{{#s}}{{b}}{{/s}} {{#o}}{{o}}{{/o}}]", None),
            ("[{{o}} {{r.n}}]", None),
        ] {
            for quote in ["\"", "\"\"\""] {
                let text = match quote {
                    "\"" => format!("\"{template}\""),
                    _ => format!("\"\"\"\n  {template}\n  \"\"\""),
                };
                let code = tool(output, &text);
                let found = found_in(HostKind::Elixir, &code, Edition::V0_11);
                let expected: Vec<_> = expected.into_iter().collect();
                assert_eq!(found, expected, "{code}");
            }
        }
    }

    #[test]
    fn only_a_map_fills_a_response() {
        for (output, is_found) in [
            (":keyword", true),
            ("[:int]", true),
            ("{n :int}", false),
            ("{}", false),
            (":map", false),
            (":any", false),
        ] {
            let code = tool(output, "\"(if true :a :b)\"");
            let found = found_in(HostKind::Elixir, &code, Edition::V0_11);
            assert_eq!(found.len(), usize::from(is_found), "{code}: {found:?}");
        }
    }

    #[test]
    fn a_field_that_may_be_absent_is_a_hint() {
        let before = tool("{o :string?}", "\"[{{o}}]\"");
        let document = Document::new(HostKind::Elixir, &before, Settings::default());
        let all = TextRange::up_to(TextSize::of(before.as_str()));
        let found = quick_fixes(&document, all);
        let severities: Vec<_> = found.iter().map(|it| it.severity).collect();
        assert_eq!(severities, [Severity::Hint]);
        let after = tool("{o :string?}", "\"[{{#o}}{{o}}{{/o}}]\"");
        assert_eq!(applied(&before, &found[0].fixes[0].edits), after);
    }
}
