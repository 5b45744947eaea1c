//! Kinds of output that the library refuses.

use crate::{
    contract::{Value, ValueKind},
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Edition, spelling::nearest},
};
use signature_ls_source::{host::Notation, text::TextEdit};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-output",
    severity: Severity::Error,
    summary: "Unknown kind of output",
    explanation: "`output:` is `:ptc_lisp` or `:text`; the library raises an error for anything else. Until release 0.7, the name \
                  of `:text` was `:json`, to which the same rules apply. A value that is only known at run time is not checked.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Sum {{n}}.\", signature: \"(n :int) -> :int\", output: :json)\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Sum {{n}}.\", signature: \"(n :int) -> :int\", output: :text)\n",
    ),
};

/// The kinds of output in `edition`, the usual one last; none where the library does not read them.
pub(in crate::ide) fn outputs(edition: Edition) -> &'static [&'static str] {
    match edition {
        Edition::V0_4 | Edition::V0_5_0 => &[],
        Edition::V0_5 => &["json", "text", "ptc_lisp"],
        Edition::V0_11 | Edition::Next => &["text", "ptc_lisp"],
    }
}

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    // In other hosts and programs, `output` may be an example.
    if unit.notation() != Notation::Elixir || !unit.is_certain() {
        return;
    }
    let outputs = outputs(unit.edition);
    let value = unit.argument_value("output");
    let Some((value, name)) = value.as_ref().and_then(|it| Some((it, word(it)?))) else {
        return;
    };
    let is_atom = matches!(value.kind, ValueKind::Keyword(_));
    if outputs.is_empty() || (is_atom && outputs.contains(&name)) {
        return;
    }
    // They are two names of one kind of output.
    let other_name = (name == "json").then_some("text");
    let near = other_name.or_else(|| nearest(name, outputs.iter().copied()));
    let instead: Vec<_> = match near {
        Some(near) => vec![near],
        None => vec!["text", "ptc_lisp"],
    };
    let shown: Vec<_> = instead.iter().map(|it| format!("`:{it}`")).collect();
    let written = unit.code(value.range);
    let message = format!(
        "There is no output `{written}`; write {}.",
        shown.join(" or ")
    );
    let mut diagnostic = Diagnostic::new(&RULE, value.range, message);
    let fixes = instead.iter().map(|it| {
        let edit = TextEdit::replace(value.range, format!(":{it}"));
        Fix::offered(format!("Write `:{it}`"), vec![edit])
    });
    diagnostic.fixes = fixes.collect();
    found.push(diagnostic);
}

/// The word that `value` is.
fn word(value: &Value) -> Option<&str> {
    match &value.kind {
        ValueKind::Keyword(word) | ValueKind::String(word) => Some(word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    fn found(output: &str, edition: Edition) -> Vec<String> {
        let text = format!(
            "SubAgent.new(prompt: \"{{{{n}}}}\", signature: \"(n :int) -> :keyword\", output: {output})\n"
        );
        found_in(HostKind::Elixir, &text, edition)
    }

    #[test]
    fn outputs_that_the_library_refuses_are_reported() {
        use Edition::{Next, V0_4, V0_5, V0_11};
        for (output, refused_in) in [
            (":text", &[][..]),
            (":ptc_lisp", &[]),
            ("output", &[]),
            ("opts[:output]", &[]),
            (":json", &[V0_11, Next]),
            (":jsn", &[V0_5, V0_11, Next]),
            (":tool_calling", &[V0_5, V0_11, Next]),
            ("\"text\"", &[V0_5, V0_11, Next]),
        ] {
            for edition in [V0_4, V0_5, V0_11, Next] {
                let expected: Vec<_> = match refused_in.contains(&edition) {
                    true => vec![format!("unknown-output: {output}")],
                    false => Vec::new(),
                };
                assert_eq!(found(output, edition), expected, "{output} {edition:?}");
            }
        }
    }

    #[test]
    fn an_example_is_no_kind_of_output() {
        let map = "x = %{prompt: \"{{n}}\", signature: \"(n :int) -> :keyword\", output: :ok}\n";
        assert!(found_in(HostKind::Elixir, map, Edition::V0_11).is_empty());
        let file = "signature: \"(n :int) -> :string\"\nprompt: \"{{n}}\"\noutput: done\n";
        assert!(found_in(HostKind::Yaml, file, Edition::V0_11).is_empty());
    }
}
