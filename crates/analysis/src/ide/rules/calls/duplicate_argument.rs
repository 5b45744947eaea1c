//! Duplicate arguments.

use super::Named;
use crate::{
    contract::FindingKind,
    ide::{Diagnostic, Rule, Sample, Severity},
};

pub(super) static RULE: Rule = Rule {
    code: "duplicate-argument",
    severity: Severity::Warning,
    summary: "Duplicate argument in a tool call",
    explanation: "Only one of two arguments with the same name arrives. `:order-count` and `:order_count` are the \
                  same name.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(page_size :int) -> [:any]\"}}\n\n(tool/search {:page-size 1 :page_size 2})\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(page_size :int) -> [:any]\"}}\n\n(tool/search {:page-size 1})\n",
    ),
};

pub(super) fn find(named: &Named<'_>, found: &mut Vec<Diagnostic>) {
    let is_double = |kind: &FindingKind| {
        matches!(
            kind,
            FindingKind::DuplicateKey { .. } | FindingKind::SameName { .. }
        )
    };
    let doubles = named.of_arguments().filter(|it| is_double(&it.kind));
    found.extend(doubles.map(|it| Diagnostic::new(&RULE, it.range, format!("{it}."))));
}
