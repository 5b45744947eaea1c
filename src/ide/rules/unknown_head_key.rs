//! `fn %{"qury" => q} -> … end`: a key that no call of the tool has.

use crate::{
    host::elixir::{head::string_keys_of_fn, tools::Tool},
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{
        Edition, Field, parse_signature,
        spelling::{is_slip, nearest},
    },
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-head-key",
    severity: Severity::Warning,
    summary: "Tool function matches a key that its signature lacks",
    explanation: "Programs call a tool with the arguments of its signature. A clause that matches another key does not match \
                  them, and the call raises.",
    wrong: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {fn %{\"qury\" => q} -> q end, \"(query :string) -> :string\"}})\n",
    ),
    right: Sample::Elixir(
        "SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => {fn %{\"query\" => q} -> q end, \"(query :string) -> :string\"}})\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    // Programs of this edition pass atoms.
    if !unit.is_certain() || unit.edition == Edition::V0_4 {
        return;
    }
    for tool in unit.tools_registered().unwrap_or_default() {
        if let Some(params) = params(unit, tool) {
            of_tool(unit, tool, &params, found);
        }
    }
}

/// The parameters in the signature that is written beside the function of `tool`, where that has no fault.
fn params(unit: &UnitView<'_>, tool: &Tool) -> Option<Vec<Field>> {
    let literal = tool.signature()?;
    let text = unit.code(literal.content);
    if !tool.range.contains_range(literal.content) || text.contains('\\') {
        return None;
    }
    let (signature, _) = parse_signature(&text, unit.edition);
    Some(signature?.params)
}

fn of_tool(unit: &UnitView<'_>, tool: &Tool, params: &[Field], found: &mut Vec<Diagnostic>) {
    let code = unit.code(tool.range);
    let clauses = string_keys_of_fn(&code);
    let normal = |name: &str| unit.edition.normal_name(name);
    let is_param = |name: &str| params.iter().any(|it| normal(&it.name) == normal(name));
    let is_only_clause = clauses.len() == 1;
    for range in clauses.into_iter().flatten() {
        let name = code[range].trim_matches('"');
        if name.contains(['#', '\\']) || is_param(name) {
            continue;
        }
        let near = nearest(name, params.iter().map(|it| it.name.as_str()));
        // One of several clauses may be for calls that come from elsewhere.
        if is_only_clause || near.is_some_and(|near| is_slip(name, near)) {
            found.push(diagnose(name, near, range + tool.range.start()));
        }
    }
}

fn diagnose(name: &str, near: Option<&str>, range: TextRange) -> Diagnostic {
    let lacks = format!("The tool's signature has no `{name}`");
    let Some(near) = near else {
        let message = format!("{lacks}; add it there, or match another key.");
        return Diagnostic::new(&RULE, range, message);
    };
    let edits = vec![TextEdit::replace(range, format!("\"{near}\""))];
    let fix = Fix::offered(format!("Match `\"{near}\"`"), edits);
    Diagnostic::new(&RULE, range, format!("{lacks}; did you mean `{near}`?")).with_fix(fix)
}

#[cfg(test)]
mod tests {
    use crate::{host::HostKind, ide::testing::found_in, model::Edition};

    fn found(tool: &str, edition: Edition) -> Vec<String> {
        let code = format!("SubAgent.new(prompt: \"Go.\", tools: %{{\"search\" => {tool}}})\n");
        found_in(HostKind::Elixir, &code, edition)
    }

    #[test]
    fn keys_that_the_signature_lacks_are_found() {
        for (tool, expected) in [
            (
                r#"{fn %{"qury" => q} -> q end, "(query :string) -> :string"}"#,
                &["unknown-head-key: \"qury\""][..],
            ),
            (
                r#"{fn %{"query" => q, "limit" => n} -> {q, n} end, signature: "(query :string) -> :any", description: "Finds."}"#,
                &["unknown-head-key: \"limit\""],
            ),
            (
                r#"{fn %{"a" => a} -> a
                    %{"name" => n} -> n
                    %{"querry" => q} -> q end, "(a :int?, query :string?) -> :any"}"#,
                &["unknown-head-key: \"querry\""],
            ),
            (
                r#"{fn %{"x" => x} -> x end, "() -> :any"}"#,
                &["unknown-head-key: \"x\""],
            ),
        ] {
            assert_eq!(found(tool, Edition::V0_11), expected, "{tool}");
        }
    }

    #[test]
    fn keys_that_may_be_given_are_no_finding() {
        for tool in [
            r#"{fn %{"query" => q} -> q end, "(query :string, limit :int?) -> :string"}"#,
            r#"{fn %{"page_size" => n} -> n end, "(page-size :int) -> :int"}"#,
            r#"{fn %{"user" => %{"nam" => n}} -> n end, "(user {name :string}) -> :string"}"#,
            r#"{fn args -> args["qury"] end, "(query :string) -> :string"}"#,
            r#"{fn %{"qury" => q} -> q end, :skip}"#,
            r#"fn %{"qury" => q} -> q end"#,
            r##"{fn %{"q#{x}" => q} -> q end, "(query :string) -> :string"}"##,
        ] {
            let nothing: [&str; 0] = [];
            let found = found(tool, Edition::V0_11);
            let found = found.into_iter().filter(|it| it.starts_with("unknown"));
            assert_eq!(found.collect::<Vec<_>>(), nothing, "{tool}");
        }
        let early = r#"{fn %{"qury" => q} -> q end, "(query :string) -> :string"}"#;
        let nothing: [&str; 0] = [];
        assert_eq!(found(early, Edition::V0_4), nothing);
    }
}
