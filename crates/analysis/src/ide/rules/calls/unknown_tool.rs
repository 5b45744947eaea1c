//! Calls of tools that do not exist.

use super::{Call, declared};
use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::MAX_FINDINGS, unit::UnitView},
    model::{
        Edition,
        spelling::{distance, nearest},
    },
};
use signature_ls_source::{
    host::lisp::{CallStyle, KeptCode, Namespace, expr::Expr},
    text::{TextEdit, TextRange},
};

pub(super) static RULE: Rule = Rule {
    code: "unknown-tool",
    severity: Severity::Error,
    summary: "Call of an unknown tool",
    explanation: "If a document defines tools, its programs can only call these. The name of a tool is compared as \
                  it is: `get-user` is not `get_user`. In Markdown, which shows parts of many programs, only likely \
                  typos are reported, and a plural is none.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string) -> [:any]\"}}\n\n(tool/serach {:query \"budget\"})\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
};

/// The diagnostic about the tool that a call names.
pub(super) fn find(call: &Call<'_>) -> Option<Diagnostic> {
    // `ctx/…` in the place of a function is a tool in the edition that had it, and something else since.
    let is_none = call.call.style == CallStyle::Context && call.unit.edition != Edition::V0_4;
    match is_none {
        true => None,
        false => diagnose(call.unit, &call.call.name, call.call.name_range),
    }
}

/// The diagnostics about tools that are values, as in `(map tool/search …)`.
pub(super) fn in_values(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let references = unit.program().references.iter();
    let tools = references.filter(|it| it.namespace == Namespace::Tool);
    let unknown = tools.filter_map(|it| {
        let diagnostic = diagnose(unit, &it.name, it.name_range)?;
        is_evaluated(&unit.program().code, it.range).then_some(diagnostic)
    });
    found.extend(unknown.take(MAX_FINDINGS));
}

/// Whether the name at `range` is code, neither quoted nor a name to be looked up.
fn is_evaluated(code: &[KeptCode], range: TextRange) -> bool {
    const NO_CODE: [&str; 9] = [
        "quote", "comment", "doc", "dir", "source", "meta", "apropos", "ns", "require",
    ];
    let is_around = |it: &Expr<'_>| it.range.contains_range(range);
    let mut around = code.iter().flat_map(KeptCode::exprs).find(is_around);
    while let Some(expr) = around {
        if expr.range == range {
            return expr.as_symbol().is_some();
        }
        let head = expr.parts().next().and_then(|it| it.as_symbol());
        if expr.is_list() && head.is_some_and(|it| NO_CODE.contains(&it)) {
            return false;
        }
        around = expr.parts().find(is_around);
    }
    false
}

fn diagnose(unit: &UnitView<'_>, name: &str, range: TextRange) -> Option<Diagnostic> {
    let tools = unit.tools;
    let respelled = tools.other_spelling(name);
    // The name is still being typed.
    if name.is_empty() || respelled.is_none() && tools.has(name) {
        return None;
    }
    // A guide shows only some of the tools; only misspellings of these are reported.
    let normal = |name: &str| unit.edition.normal_name(name);
    let is_typo = |near: &str| {
        let (name, near) = (normal(name), normal(near));
        // `get-user` beside `get-users` is a second tool.
        let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
        distance(&name, &near) == 1 && !is_plural(&name, &near) && !is_plural(&near, &name)
    };
    let near = respelled.or_else(|| {
        nearest(name, tools.names()).filter(|near| tools.is_complete() || is_typo(near))
    });
    let message = match near {
        Some(near) => format!("There is no tool `{name}`; did you mean `{near}`?"),
        None if tools.is_complete() => {
            format!("There is no tool `{name}` here; add it to the tools.")
        }
        None => return None,
    };
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
