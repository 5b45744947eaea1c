//! Deeply nested records.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Field, Type, TypeKind},
};
use signature_ls_source::text::{TextEdit, TextSize};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "deep-nesting",
    severity: Severity::Hint,
    summary: "Deeply nested records",
    explanation: "There is no limit, but models and people lose track of more than about four nested records. Use \
                  `:map` where the fields do not matter.",
    wrong: Sample::signature("{user {profile {settings {theme {color :string}}}}}"),
    right: Sample::signature("{user {profile {settings {theme :map}}}}"),
};

/// The maximum depth of records.
const READABLE: usize = 4;

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for signature in unit.signatures() {
        fields(
            &signature.lowered.signature.params,
            0,
            signature.start,
            found,
        );
        ty(
            &signature.lowered.signature.output,
            0,
            signature.start,
            found,
        );
    }
}

fn fields(list: &[Field], depth: usize, start: TextSize, found: &mut Vec<Diagnostic>) {
    for field in list {
        ty(&field.ty, depth, start, found);
    }
}

fn ty(it: &Type, depth: usize, start: TextSize, found: &mut Vec<Diagnostic>) {
    match &it.kind {
        TypeKind::List(element) => ty(element, depth, start, found),
        TypeKind::Record(_) if depth == READABLE => {
            let range = it.range + start;
            let message = format!(
                "More than {READABLE} records are nested here; `:map` would be easier to read."
            );
            let fix = Fix::offered("Write `:map`", vec![TextEdit::replace(range, ":map")]);
            found.push(Diagnostic::new(&RULE, range, message).with_fix(fix));
        }
        TypeKind::Record(list) => fields(list, depth + 1, start, found),
        TypeKind::Primitive(_) | TypeKind::Unknown => {}
    }
}
