//! Prompts that list the tools of their agent.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, tools::Tools, unit::UnitView},
    model::{
        listed::ListedTool,
        render::lisp_entry,
        spelling::{is_slip, nearest},
    },
};
use signature_ls_source::text::{TextEdit, TextRange};

pub(super) const CHECK: Check = Check {
    rules: &[&OUTDATED, &UNKNOWN],
    run,
};

static OUTDATED: Rule = Rule {
    code: "outdated-listing",
    severity: Severity::Warning,
    summary: "Outdated listing of a tool in a prompt",
    explanation: "A line such as `search(query :string) -> [:map]` in a prompt tells the model how to call a tool of the agent. It must \
                  match the tool's signature. `signature-ls schema --format prompt` prints that line.",
    wrong: Sample::elixir(
        "SubAgent.new(\n  prompt: \"\"\"\n  Use this tool:\n  search(query :string) -> [:map]\n  \"\"\",\n  \
         tools: %{\"search\" => {&A.search/1, \"(query :string, limit :int) -> [:map]\"}}\n)\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(\n  prompt: \"\"\"\n  Use this tool:\n  search(query :string, limit :int) -> [:map]\n  \"\"\",\n  \
         tools: %{\"search\" => {&A.search/1, \"(query :string, limit :int) -> [:map]\"}}\n)\n",
    ),
};

static UNKNOWN: Rule = Rule {
    code: "unknown-listed-tool",
    severity: Severity::Warning,
    summary: "Unknown tool in the listing of a prompt",
    explanation: "A line such as `search(query :string) -> [:map]` in a prompt lists a tool. The model cannot call a tool that the \
                  agent does not have.",
    wrong: Sample::elixir(
        "SubAgent.new(\n  prompt: \"\"\"\n  Use this tool:\n  serach(query :string) -> [:map]\n  \"\"\",\n  \
         tools: %{\"search\" => {&A.search/1, \"(query :string) -> [:map]\"}}\n)\n",
    ),
    right: Sample::elixir(
        "SubAgent.new(\n  prompt: \"\"\"\n  Use this tool:\n  search(query :string) -> [:map]\n  \"\"\",\n  \
         tools: %{\"search\" => {&A.search/1, \"(query :string) -> [:map]\"}}\n)\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let listed = unit.listed_tools();
    if listed.is_empty() {
        return;
    }
    let Some(tools) = unit.agents_tools() else {
        return;
    };
    found.extend(listed.iter().filter_map(|it| check(unit, &tools, it)));
}

fn check(unit: &UnitView<'_>, tools: &Tools, listed: &ListedTool) -> Option<Diagnostic> {
    if !tools.has(&listed.name) {
        return unknown(tools, &listed.name, listed.name_range);
    }
    let (_, signature) = tools.whole(&listed.name)?;
    let visible = signature.visible(unit.edition);
    if listed.signature == visible || listed.signature == *signature {
        return None;
    }
    let name = &listed.name;
    let current = match listed.is_lisp {
        true => {
            let entry = |it| lisp_entry("", it, None, unit.edition);
            let current = entry(signature);
            if entry(&listed.signature) == current {
                return None;
            }
            let written = current.find('(')?;
            current[written..].to_owned()
        }
        false => visible.to_string(),
    };
    let message = format!("The tool `{name}` is now `{name}{current}`.");
    let edits = vec![TextEdit::replace(listed.signature_range, current.clone())];
    let fix = Fix::offered(format!("Write `{name}{current}`"), edits);
    Some(Diagnostic::new(&OUTDATED, listed.signature_range, message).with_fix(fix))
}

fn unknown(tools: &Tools, name: &str, range: TextRange) -> Option<Diagnostic> {
    let near = nearest(name, tools.names()).filter(|near| is_slip(name, near));
    let Some(near) = near else {
        let message = format!("The agent has no tool `{name}`; add it to the tools.");
        return tools
            .is_complete()
            .then(|| Diagnostic::new(&UNKNOWN, range, message));
    };
    let message = format!("The agent has no tool `{name}`; did you mean `{near}`?");
    let fix = Fix::offered(
        format!("Write `{near}`"),
        vec![TextEdit::replace(range, near)],
    );
    Some(Diagnostic::new(&UNKNOWN, range, message).with_fix(fix))
}
