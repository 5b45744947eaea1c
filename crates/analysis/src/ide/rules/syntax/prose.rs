//! Words in place of a signature.

use crate::{
    ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::is_prose,
};
use signature_ls_source::text::{TextRange, size};

pub(crate) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "not-a-signature",
    severity: Severity::Error,
    summary: "Words instead of a signature",
    explanation: "Write `(name :type) -> :type`, or just a type. Text without a colon, a bracket or an arrow gets \
                  one diagnostic, not one for each word.",
    wrong: Sample::signature("returns the total"),
    right: Sample::signature("{total :float}"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let signatures = unit.signatures();
    let signatures = signatures.filter(|it| it.lowered.has_syntax_errors());
    let roots = signatures.map(|it| (it.start, it.root()));
    for (start, root) in roots.filter(|(_, root)| is_prose(root)) {
        let text = root.text().to_string();
        let range = root.text_range() + start;
        let blank = |part: &str| size(text.len() - part.len());
        let range = TextRange::new(
            range.start() + blank(text.trim_start()),
            range.end() - blank(text.trim_end()),
        );
        let message = "This is not a signature; write `(name :type) -> :type`.";
        found.push(Diagnostic::new(&RULE, range, message));
    }
}
