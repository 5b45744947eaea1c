//! Descriptions of unknown fields.

use foldhash::HashSet;

use crate::{
    contract::ValueKind,
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS, values::name_range},
        unit::UnitView,
    },
    model::{
        TypeKind,
        spelling::{is_slip, nearest},
    },
};
use signature_ls_source::text::TextEdit;

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-described-field",
    severity: Severity::Warning,
    summary: "Description of an unknown field",
    explanation: "`field_descriptions:` describes fields of the signature beside it. The description of any other name is \
                  not sent to the model.",
    wrong: Sample::elixir(
        "SubAgent.new(\n  prompt: \"Count the words.\",\n  signature: \"{count :int}\",\n  field_descriptions: %{cuont: \"The number of words\"}\n)\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(\n  prompt: \"Count the words.\",\n  signature: \"{count :int}\",\n  field_descriptions: %{count: \"The number of words\"}\n)\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let Some(ValueKind::Map(entries)) = unit.argument_value("field_descriptions").map(|it| it.kind)
    else {
        return;
    };
    let mut signatures = unit.signatures();
    let (Some(only), None) = (signatures.next(), signatures.next()) else {
        return;
    };
    let output = &only.lowered.signature.output;
    let TypeKind::Record(fields) = &output.kind else {
        return;
    };
    if fields.is_empty() {
        return;
    }
    let normal = |name: &str| unit.edition.normal_name(name);
    let signature = &only.lowered.signature;
    let names = only.lowered.names.iter();
    let known = names.filter_map(|(id, _)| only.lowered.names.field(signature, id));
    let known: HashSet<_> = known.map(|it| normal(&it.name)).collect();
    let gap = only.lowered.gaps.record(output.range.start());
    for entry in entries.iter().take(MAX_FINDINGS) {
        let Some(name) = entry.key.name.as_deref() else {
            continue;
        };
        let near = nearest(name, fields.iter().map(|it| it.name.as_str()));
        let is_known = known.contains(&normal(name));
        let is_slip = || near.is_some_and(|near| is_slip(&normal(name), near));
        if is_known || gap.may_hold(&normal(name), is_slip) {
            continue;
        }
        let message = match near {
            Some(near) => format!("The output has no field `{name}`; did you mean `{near}`?"),
            None => format!("The output has no field `{name}`; remove its description."),
        };
        let mut diagnostic = Diagnostic::new(&RULE, entry.key.range, message);
        diagnostic.fixes.extend(near.map(|near| {
            let edits = vec![TextEdit::replace(name_range(entry, name), near)];
            Fix::offered(format!("Write `{near}`"), edits)
        }));
        found.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    fn found(signature: &str, descriptions: &str) -> Vec<String> {
        let code = format!(
            "SubAgent.new(prompt: \"Go.\", signature: \"{signature}\", field_descriptions: {descriptions})"
        );
        found_in(HostKind::Elixir, &code, Edition::V0_11)
    }

    #[test]
    fn descriptions_of_other_names_are_found() {
        let output = "{count :int, items [{id :int}]}";
        for (descriptions, expected) in [
            ("%{cuont: \"a\"}", "cuont"),
            ("%{\"count\" => \"a\", \"itmes\" => \"b\"}", "itmes"),
            ("%{count: \"a\", other: \"b\"}", "other"),
        ] {
            let found = found(output, descriptions);
            assert_eq!(found, [format!("unknown-described-field: {expected}")]);
        }
    }

    #[test]
    fn what_may_be_a_field_is_no_finding() {
        let nothing: [&str; 0] = [];
        for (signature, descriptions) in [
            (
                "{count :int, items [{id :int}]}",
                "%{count: 1, items: 2, id: 3}",
            ),
            ("{order_count :int}", "%{\"order-count\" => 1}"),
            ("{count :int}", "descriptions"),
            ("{count :int}", "%{key => 1}"),
            (":map", "%{count: 1}"),
            ("[{id :int}]", "%{count: 1}"),
            ("{}", "%{count: 1}"),
        ] {
            assert_eq!(found(signature, descriptions), nothing, "{signature}");
        }
    }
}
