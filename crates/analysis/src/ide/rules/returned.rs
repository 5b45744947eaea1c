//! The result of a program, compared with the output of its signature.

use crate::{
    contract::{Direction, Finding},
    ide::{
        Diagnostic, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS, missing::Checked, values::is_certain},
        unit::UnitView,
    },
};
use signature_ls_source::{
    host::Notation,
    text::{TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run,
};

pub(super) static RULE: Rule = Rule {
    code: "returned-value",
    severity: Severity::Error,
    summary: "Returned value that does not fit the output",
    explanation: "`(return value)` ends a program of an agent with its output, which is validated as it is: nothing is \
                  coerced. `Lisp.run` only validates what the last form evaluates to. From edition 0.5, keys may have hyphens where the signature has underscores. \
                  From edition 0.11, a keyword may also be given for a string.",
    wrong: Sample::lisp(
        "(defn ^{:signature \"() -> {order_count :int}\"} run []\n  (return {:order-count \"5\"}))\n",
    ),
    right: Sample::lisp(
        "(defn ^{:signature \"() -> {order_count :int}\"} run []\n  (return {:order-count 5}))\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let program = unit.program();
    let Some(signature) = unit.agents_signature() else {
        return;
    };
    let mode = unit.mode();
    // `Lisp.run` only validates what the last form evaluates to.
    let is_run = program.literal.is_some();
    let validated = program.returns.iter();
    let validated = validated.filter(|it| !is_run || it.value == Some(it.range));
    let values = validated.filter_map(|it| it.value);
    // What holds another `return` is not returned.
    let forms = program
        .returns
        .iter()
        .filter(|it| it.value != Some(it.range));
    let mut starts: Vec<_> = forms.map(|it| it.range.start()).collect();
    starts.sort_unstable();
    let holds_return = |value: &TextRange| {
        let next = starts.partition_point(|it| *it < value.start());
        starts.get(next).is_some_and(|it| *it < value.end())
    };
    let values = values.filter(|it| !holds_return(it));
    for value in values.filter_map(|range| unit.program_value(range)) {
        if found.len() >= MAX_FINDINGS {
            return;
        }
        let report = unit.check_of_program(&value, &signature.output, Direction::Returned, mode);
        let errors = report.errors.iter();
        let others = errors.filter(|it| is_certain(unit, it) && !it.is_missing());
        found.extend(others.map(|it| diagnose(it, Severity::Error)));
        let checked = Checked {
            unit,
            value: &value,
            start: TextSize::default(),
            ty: &signature.output,
            notation: Notation::Lisp,
        };
        found.extend(checked.missing(&RULE, report.errors.iter()));
        let warnings = report.warnings.iter();
        found.extend(warnings.map(|it| diagnose(it, Severity::Warning)));
    }
}

fn diagnose(finding: &Finding, severity: Severity) -> Diagnostic {
    Diagnostic {
        severity,
        ..Diagnostic::new(&RULE, finding.range, format!("{finding}."))
    }
}
