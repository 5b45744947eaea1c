//! `order-count` in a signature, where Elixir writes `order_count`.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Field, Type, TypeKind},
    text::{TextEdit, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "hyphen-in-name",
    severity: Severity::Hint,
    summary: "Hyphen in a name",
    explanation: "PTC-Lisp writes `:order-count`, but Elixir and JSON receive `order_count`, and a signature \
                  describes what they receive. A hyphen is legal but names a key that never arrives.",
    wrong: Sample::Signature("(order-count :int) -> :int"),
    right: Sample::Signature("(order_count :int) -> :int"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for signature in unit.signatures() {
        fields(&signature.lowered.signature.params, signature.start, found);
        ty(&signature.lowered.signature.output, signature.start, found);
    }
}

fn fields(list: &[Field], start: TextSize, found: &mut Vec<Diagnostic>) {
    for field in list {
        if field.name.contains('-') {
            let plain = field.name.replace('-', "_");
            let range = field.name_range + start;
            let message = format!(
                "Signatures write underscores: `{plain}`. PTC-Lisp code may still write the hyphen."
            );
            let fix = Fix::offered(
                format!("Write `{plain}`"),
                vec![TextEdit::replace(range, plain)],
            );
            found.push(Diagnostic::new(&RULE, range, message).with_fix(fix));
        }
        ty(&field.ty, start, found);
    }
}

fn ty(it: &Type, start: TextSize, found: &mut Vec<Diagnostic>) {
    match &it.kind {
        TypeKind::List(element) => ty(element, start, found),
        TypeKind::Record(list) => fields(list, start, found),
        TypeKind::Primitive(_) | TypeKind::Unknown => {}
    }
}
