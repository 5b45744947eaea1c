//! The last keyword of a call, where no value follows it.

use super::Call;
use crate::ide::{Diagnostic, Rule, Sample, Severity};
use signature_ls_source::{host::lisp::Arguments, text::TextRange};

pub(super) static RULE: Rule = Rule {
    code: "argument-without-value",
    severity: Severity::Error,
    summary: "Keyword without a value in a tool call or a map",
    explanation: "Keywords and values alternate. If their number is odd, the last keyword has no value, and \
                  release 0.5.2 and later reject the call. No release reads a program with such a map.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int?) -> [:any]\"}}\n\n(tool/search :query \"budget\" :limit)\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int?) -> [:any]\"}}\n\n(tool/search :query \"budget\" :limit 10)\n",
    ),
};

pub(super) fn find(call: &Call<'_>) -> Option<Diagnostic> {
    let Arguments::Pairs(pairs) = &call.call.arguments else {
        return None;
    };
    let last = pairs.last().filter(|it| it.value.is_none())?;
    if !call.needs_names() {
        return None;
    }
    Some(diagnostic(last.key, &last.name))
}

/// The diagnostic about the keyword `name` at `range`.
pub(in crate::ide::rules) fn diagnostic(range: TextRange, name: &str) -> Diagnostic {
    let message = format!("`:{name}` has no value; write one after it.");
    Diagnostic::new(&RULE, range, message)
}
