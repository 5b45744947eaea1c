//! Options of a tool that the library does not read.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::spelling::nearest,
};
use signature_ls_source::{
    host::elixir::tool_forms::OPTIONS,
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-tool-option",
    severity: Severity::Warning,
    summary: "Unknown option of a tool",
    explanation: "The options of a tool are `signature:`, `description:`, `cache:`, `expose:`, `native_result:` and \
                  `visibility:`. The library ignores others: with a misspelled `signature:`, arguments are not validated.",
    wrong: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&MyApp.search/1, sig: \"(query :string) -> :any\"}})\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {&MyApp.search/1, signature: \"(query :string) -> :any\"}})\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    // Other programs have maps of tools too.
    if !unit.takes_tools() {
        return;
    }
    let tools = unit.tools_registered().unwrap_or_default().iter();
    let options = tools.flat_map(|it| &it.details.other_options);
    found.extend(options.map(|key| unknown(unit, *key)));
}

/// The diagnostic about the option `key`.
fn unknown(unit: &UnitView<'_>, key: TextRange) -> Diagnostic {
    let written = unit.code(key);
    let name = written.trim_end_matches(':').trim_matches('"');
    let begun = OPTIONS
        .into_iter()
        .find(|it| name.len() > 2 && it.starts_with(name));
    let Some(near) = begun.or_else(|| nearest(name, OPTIONS.into_iter())) else {
        let message =
            format!("The library ignores `{name}:`; write `signature:` or `description:`.");
        return Diagnostic::new(&RULE, key, message);
    };
    let message = format!("The library ignores `{name}:`; did you mean `{near}:`?");
    let edits = vec![TextEdit::replace(key, format!("{near}:"))];
    Diagnostic::new(&RULE, key, message).with_fix(Fix::offered(format!("Write `{near}:`"), edits))
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    #[test]
    fn options_that_are_ignored_are_reported() {
        let found = |call: &str, tool: &str| {
            let text = format!("{call}(prompt: \"x\", tools: %{{\"a\" => {tool}}})\n");
            found_in(HostKind::Elixir, &text, Edition::V0_11)
        };
        for (tool, expected) in [
            ("{&A.f/1, [sig: \"() -> :int\"]}", Some("sig:")),
            ("{&A.f/1, sig: \"() -> :int\"}", Some("sig:")),
            (
                "{&A.f/1, signatur: \"() -> :int\", cache: true}",
                Some("signatur:"),
            ),
            (
                "{fn _ -> 1 end, signature: \"() -> :int\", retries: 3}",
                Some("retries:"),
            ),
            ("{&A.f/1, \"desc\": \"x\"}", Some("\"desc\":")),
            (
                "{&A.f/1, signature: \"() -> :int\", description: \"x\", expose: :both}",
                None,
            ),
            ("{&A.f/1, [cache: true] ++ more}", None),
            ("{&A.f/1, options}", None),
            ("LLMTool.new(prompt: \"y\", sig: 1)", None),
        ] {
            let expected: Vec<_> = expected
                .map(|it| format!("unknown-tool-option: {it}"))
                .into_iter()
                .collect();
            assert_eq!(found("SubAgent.new", tool), expected, "{tool}");
            assert!(found("Other.new", tool).is_empty(), "{tool}");
        }
    }
}
