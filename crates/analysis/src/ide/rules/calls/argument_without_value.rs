//! The last keyword of a call, where no value follows it.

use super::Call;
use crate::ide::{Diagnostic, Rule, Sample, Severity};
use signature_ls_source::host::lisp::Arguments;

pub(super) static RULE: Rule = Rule {
    code: "argument-without-value",
    severity: Severity::Error,
    summary: "Keyword without a value in a tool call",
    explanation: "Keywords and values alternate. If their number is odd, the last keyword has no value, and \
                  release 0.5.2 and later reject the call.",
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
    let message = format!("`:{}` has no value; write one after it.", last.name);
    Some(Diagnostic::new(&RULE, last.key, message))
}
