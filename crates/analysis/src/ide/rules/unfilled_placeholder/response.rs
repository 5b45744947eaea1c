//! `response_template: "(if {{ok}} :yes :no)"`: the fields of the model's answer are the values of the template.

use super::{Given, unfilled};
use crate::ide::{Diagnostic, rules::answer, unit::UnitView};
use signature_ls_source::syntax::{fragment::Fragment, kind::SyntaxNode, template};

/// Checks the template of a tool.
pub(super) fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(of_template(unit).into_iter().flatten());
}

fn of_template(unit: &UnitView<'_>) -> Option<Vec<Diagnostic>> {
    let (code, range) = answer::written(unit, "response_template")?;
    let fields = fields(unit)?;
    let root = SyntaxNode::new_root(template::parse(Fragment::plain(&code)));
    let unfilled = unfilled(unit.edition, &root, &fields);
    let diagnostics = unfilled.into_iter().map(|it| {
        let place = it.range + range.start();
        it.diagnose(
            "answer",
            if range.contains_range(place) {
                place
            } else {
                range
            },
        )
    });
    Some(diagnostics.collect())
}

/// The names that an answer has; `None` if there may be more.
fn fields(unit: &UnitView<'_>) -> Option<Vec<Given>> {
    if !answer::is_compared(unit) {
        return Given::of_record(&unit.signature()?.output);
    }
    let (answer, _) = answer::read(unit)?;
    Given::of_record(&answer.signature.output)
}
