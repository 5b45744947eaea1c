//! Calls of tools that do not exist.

use super::{Call, declared};
use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity},
    model::{
        Edition,
        spelling::{distance, nearest},
    },
};
use signature_ls_source::{host::lisp::CallStyle, text::TextEdit};

pub(super) static RULE: Rule = Rule {
    code: "unknown-tool",
    severity: Severity::Error,
    summary: "Call of an unknown tool",
    explanation: "If a document defines tools, its programs can only call these. In Markdown, which shows parts \
                  of many programs, only likely typos are reported.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string) -> [:any]\"}}\n\n(tool/serach {:query \"budget\"})\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
};

pub(super) fn find(call: &Call<'_>) -> Option<Diagnostic> {
    let name = call.call.name.as_str();
    let tools = call.unit.tools;
    // `ctx/…` in the place of a function is a tool in the edition that had it, and something else since.
    let is_none = call.call.style == CallStyle::Context && call.unit.edition != Edition::V0_4;
    // The name is still being typed.
    if is_none || name.is_empty() || tools.has(name) {
        return None;
    }
    let near = nearest(name, tools.names());
    // A guide shows only some of the tools; only misspellings of these are reported.
    let normal = |name: &str| call.unit.edition.normal_name(name);
    let differs_by_one = |near: &str| distance(&normal(name), &normal(near)) == 1;
    let near = near.filter(|near| tools.is_complete() || differs_by_one(near));
    let message = match near {
        Some(near) => format!("There is no tool `{name}`; did you mean `{near}`?"),
        None if tools.is_complete() => {
            format!("There is no tool `{name}` here; add it to the tools.")
        }
        None => return None,
    };
    let range = call.call.name_range;
    let mut diagnostic = Diagnostic::new(&RULE, range, message);
    Some(match near {
        Some(near) => {
            diagnostic.elsewhere.push(declared::tool(near));
            let edits = vec![TextEdit::replace(range, near)];
            diagnostic.with_fix(Fix::offered(format!("Write `{near}`"), edits))
        }
        None => diagnostic,
    })
}
