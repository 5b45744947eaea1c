//! `response_template: "(if {{ok}} :yes :no)"`: the fields of the model's answer are the values of the template.

use super::{Given, unfilled};
use crate::{
    ide::{Diagnostic, unit::UnitView},
    model::lower,
};
use signature_ls_source::{
    host::Notation,
    syntax::{fragment::Fragment, kind::SyntaxNode, signature, template},
    text::TextRange,
};

/// The signature of the answer; without it, that of the tool.
const ANSWER: &str = "json_signature";

/// Checks the template of a tool.
pub(super) fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(of_template(unit).into_iter().flatten());
}

fn of_template(unit: &UnitView<'_>) -> Option<Vec<Diagnostic>> {
    let (code, range) = written(unit, "response_template")?;
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
    if unit.argument_range(ANSWER).is_none() {
        return Given::of_record(&unit.signature()?.output);
    }
    let (code, _) = written(unit, ANSWER)?;
    let text = code.trim_matches(['"', '\'']).trim();
    let root = SyntaxNode::new_root(signature::parse(Fragment::plain(text)));
    let lowered = lower(&root, unit.edition);
    let is_read = lowered.problems.is_empty();
    is_read.then(|| Given::of_record(&lowered.signature.output))?
}

/// The literal under `key` with its quotes and its place; `None` if it has escapes, or is no literal.
fn written(unit: &UnitView<'_>, key: &str) -> Option<(String, TextRange)> {
    let range = unit.argument_range(key)?;
    let code = unit.code(range);
    let is_literal = unit.notation() == Notation::Yaml || code.starts_with('"');
    (is_literal && !code.contains(['\\', '#'])).then(|| (code.into_owned(), range))
}
