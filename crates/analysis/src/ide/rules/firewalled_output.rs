//! `{_raw :string}` as the answer of a model that answers in text.

use crate::{
    ide::{
        Diagnostic, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS},
        unit::UnitView,
    },
    model::{Type, TypeKind},
};
use signature_ls_source::text::TextSize;

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "firewalled-output",
    severity: Severity::Error,
    summary: "Hidden field in a text answer",
    explanation: "Up to edition 0.5, names that begin with `_` are hidden from models. With `output: :text` (`:json` \
                  until release 0.7), a model writes the whole answer itself, so the reference raises at a hidden field of the output, at any depth. From edition \
                  0.11, `_` is an ordinary part of a name.",
    wrong: Sample::elixir(
        "# signature-ls: edition 0.5\n\nSubAgent.new(\n  prompt: \"Name a color.\",\n  signature: \"{color :string, _raw :string}\",\n  output: :text\n)\n",
    ),
    right: Sample::elixir(
        "# signature-ls: edition 0.5\n\nSubAgent.new(\n  prompt: \"Name a color.\",\n  signature: \"{color :string, raw :string}\",\n  output: :text\n)\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mode = unit.text_mode().filter(|_| unit.edition.has_firewall());
    let (Some(mode), Some(signature)) = (mode, unit.signatures().next()) else {
        return;
    };
    let output = &signature.lowered.signature.output;
    hidden(output, mode, signature.start, found);
}

/// Finds the hidden fields in a type.
fn hidden(ty: &Type, mode: &str, start: TextSize, found: &mut Vec<Diagnostic>) {
    let fields = match &ty.kind {
        TypeKind::List(element) => return hidden(element, mode, start, found),
        TypeKind::Record(fields) => fields,
        TypeKind::Primitive(_) | TypeKind::Unknown => return,
    };
    for field in fields {
        if field.name.starts_with('_') && found.len() < MAX_FINDINGS {
            let message = format!(
                "`{}` is hidden from models because of its `_`, but with {mode} a model writes it; rename or remove it.",
                field.name
            );
            let range = field.name_range + start;
            found.push(Diagnostic::new(&RULE, range, message));
        }
        hidden(&field.ty, mode, start, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    #[test]
    fn hidden_fields_of_a_text_answer_are_found_at_any_depth() {
        for (output, expected) in [
            ("{_x :int}", &["firewalled-output: _x"][..]),
            ("[{_x :int?}]", &["firewalled-output: _x"]),
            (
                "{a [{_x :int}], _y {b :int}}",
                &["firewalled-output: _x", "firewalled-output: _y"],
            ),
            ("{x_ :int, a {b :map}}", &[]),
        ] {
            for (options, edition, is_text) in [
                (", output: :text", Edition::V0_5, true),
                (", output: :json", Edition::V0_5, true),
                ("", Edition::V0_5, false),
                (", output: :text", Edition::V0_4, false),
                (", output: :text", Edition::V0_11, false),
            ] {
                let code =
                    format!("SubAgent.new(prompt: \"Hi\", signature: \"{output}\"{options})\n");
                let found = found_in(HostKind::Elixir, &code, edition);
                let expected = if is_text { expected } else { &[] };
                assert_eq!(found, expected, "{code}");
            }
        }
    }
}
