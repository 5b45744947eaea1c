//! Two fields of one record, or two parameters, with one name.

use crate::{
    ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::ProblemKind,
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "duplicate-name",
    severity: Severity::Warning,
    summary: "Names in one list differ",
    explanation: "Of two fields with one name only one can be filled. `order-count` and `order_count` are one name too. \
                  The releases so far accept it; the next one refuses it.",
    wrong: Sample::Signature("(id :int, id :string) -> :map"),
    right: Sample::Signature("(id :int, name :string) -> :map"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let severity = match unit.edition.allows_same_name_twice() {
        true => Severity::Warning,
        false => Severity::Error,
    };
    for (name, range) in unit.words_at_fault(ProblemKind::DuplicateName) {
        let message = format!("`{name}` stands here a second time; give it another name.");
        found.push(Diagnostic {
            severity,
            ..Diagnostic::new(&RULE, range, message)
        });
    }
}
