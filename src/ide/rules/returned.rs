//! What a program returns, against the output of its signature.

use crate::{
    contract::{Direction, Mode, check},
    ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run,
};

static RULE: Rule = Rule {
    code: "returned-value",
    severity: Severity::Error,
    summary: "What is returned fits the output",
    explanation: "`(return value)` ends a program with its output, which is checked as it stands: nothing is coerced. Keys may have \
                  hyphens where the signature has underscores, from edition 0.5 on.",
    wrong: Sample::Lisp(
        "(defn ^{:signature \"() -> {order_count :int}\"} run []\n  (return {:order-count \"5\"}))\n",
    ),
    right: Sample::Lisp(
        "(defn ^{:signature \"() -> {order_count :int}\"} run []\n  (return {:order-count 5}))\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let program = unit.program();
    let mut signatures = unit.signatures();
    let (Some(signature), None, true) = (
        signatures.next(),
        signatures.next(),
        program.function.is_some(),
    ) else {
        return;
    };
    let output = &signature.lowered.signature.output;
    let values = program.returns.iter().filter_map(|it| it.value);
    for value in values.filter_map(|range| unit.value_at(range)) {
        let report = check(
            &value,
            output,
            Direction::Output,
            Mode::Enabled,
            unit.edition,
        );
        for finding in report.errors {
            found.push(Diagnostic::new(&RULE, finding.range, format!("{finding}.")));
        }
    }
}
