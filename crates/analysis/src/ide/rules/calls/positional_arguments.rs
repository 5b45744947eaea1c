//! Calls of tools with unnamed values.

use super::Call;
use crate::ide::{Diagnostic, Fix, Rule, Sample, Severity};
use signature_ls_source::{
    host::lisp::Arguments,
    text::{TextEdit, TextRange},
};

pub(super) static RULE: Rule = Rule {
    code: "positional-arguments",
    severity: Severity::Error,
    summary: "Tool argument without a name",
    explanation: "A tool takes one map, or keywords and values that alternate. Models often leave the names out, \
                  mostly for tools with one parameter. Release 0.5.2 and later reject them. A \
                  value that `->` or `->>` puts into the call has no name either.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search \"budget\" 10)\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

pub(super) fn find(call: &Call<'_>) -> Option<Diagnostic> {
    let Arguments::Positional(values) = &call.call.arguments else {
        return None;
    };
    if !call.needs_names() {
        return None;
    }
    let range = match (values.first(), values.last()) {
        (Some(first), Some(last)) => first.cover(*last),
        _ => call.call.range,
    };
    let message = "Arguments of a tool have names; write `{:name value}`.";
    let diagnostic = Diagnostic::new(&RULE, range, message);
    Some(match with_names(call, values) {
        Some(fix) => diagnostic.with_fix(fix),
        None => diagnostic,
    })
}

/// The diagnostic about the value at `range`, which arrives at the tool by threading.
pub(in crate::ide::rules) fn unnamed(range: TextRange, tool: &str) -> Diagnostic {
    let message =
        format!("Arguments of a tool have names; call `{tool}` with `{{:name value}}` instead.");
    Diagnostic::new(&RULE, range, message)
}

/// The fix that names the values after the parameters, in order.
fn with_names(call: &Call<'_>, values: &[TextRange]) -> Option<Fix> {
    let params = &call.signature()?.signature.params;
    let last = values.last()?;
    if values.len() > params.len() {
        return None;
    }
    let mut edits = Vec::new();
    for (index, (value, param)) in values.iter().zip(params).enumerate() {
        let open = if index == 0 { "{" } else { "" };
        let name = match call.unit.edition.folds_hyphens() {
            true => param.name.replace('_', "-"),
            false => param.name.clone(),
        };
        edits.push(TextEdit::insert(value.start(), format!("{open}:{name} ")));
    }
    edits.push(TextEdit::insert(last.end(), "}"));
    Some(Fix::offered("Name the arguments", edits))
}
