//! Required arguments that a call leaves out.

use super::Named;
use crate::{
    contract::FindingKind,
    ide::{Diagnostic, Rule, Sample, Severity},
};

pub(super) static RULE: Rule = Rule {
    code: "missing-argument",
    severity: Severity::Error,
    summary: "A call has every required argument",
    explanation: "A parameter without `?` must be given; otherwise the reference says `expected int, got nil`.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

pub(super) fn find(named: &Named<'_>, found: &mut Vec<Diagnostic>) {
    let is_missing = |kind: &FindingKind| matches!(kind, FindingKind::Missing { .. });
    let missing = named.of_arguments().filter(|it| is_missing(&it.kind));
    found.extend(missing.map(|it| Diagnostic::new(&RULE, it.range, format!("{it}."))));
}
