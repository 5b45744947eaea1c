//! `order-count` in a signature, where Elixir writes `order_count`.

use std::cell::OnceCell;

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS},
        unit::{Name, Target, UnitNames, UnitView},
    },
    model::{Field, Signature, Type, TypeKind},
};
use signature_ls_source::{
    order,
    text::{TextEdit, TextRange, TextSize},
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
    wrong: Sample::signature("(order-count :int) -> :int"),
    right: Sample::signature("(order_count :int) -> :int"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mut hyphens = Hyphens {
        unit,
        names: OnceCell::new(),
        found,
    };
    for signature in unit.signatures() {
        let Signature { params, output } = &*signature.lowered.signature;
        hyphens.fields(params, signature.start);
        hyphens.ty(output, signature.start);
    }
}

/// Finds names with hyphens.
struct Hyphens<'a, 'f> {
    unit: &'a UnitView<'a>,
    /// The names of the unit, apart from those in prompts, computed for the first hyphen.
    names: OnceCell<Vec<Name>>,
    found: &'f mut Vec<Diagnostic>,
}

impl Hyphens<'_, '_> {
    fn fields(&mut self, list: &[Field], start: TextSize) {
        for field in list {
            if field.name.contains('-') && self.found.len() < MAX_FINDINGS {
                let diagnostic = self.diagnose(field, start);
                self.found.push(diagnostic);
            }
            self.ty(&field.ty, start);
        }
    }

    fn ty(&mut self, it: &Type, start: TextSize) {
        match &it.kind {
            TypeKind::List(element) => self.ty(element, start),
            TypeKind::Record(list) => self.fields(list, start),
            TypeKind::Primitive(_) | TypeKind::Unknown => {}
        }
    }

    fn diagnose(&self, field: &Field, start: TextSize) -> Diagnostic {
        let plain = field.name.replace('-', "_");
        let range = field.name_range + start;
        let lisp = match self.unit.edition.folds_hyphens() {
            true => " PTC-Lisp code may still write the hyphen.",
            false => "",
        };
        let message = format!("Signatures write underscores: `{plain}`.{lisp}");
        let mut edits = vec![TextEdit::replace(range, plain.as_str())];
        edits.extend(
            self.uses(range)
                .into_iter()
                .map(|it| TextEdit::replace(it, plain.as_str())),
        );
        order::by_start(&mut edits, |edit| edit.range.start());
        let fix = Fix::offered(format!("Write `{plain}`"), edits);
        Diagnostic::new(&RULE, range, message).with_fix(fix)
    }

    /// The places in the unit that name the field declared at `declared` with the hyphen, and have to change.
    fn uses(&self, declared: TextRange) -> Vec<TextRange> {
        let read = || UnitNames::new(self.unit).iter().collect();
        let names = self.names.get_or_init(read);
        let Some(declaration) = names.iter().find(|it| it.range == declared) else {
            return Vec::new();
        };
        let folds = self.unit.edition.folds_hyphens();
        let is_meant = |it: &Target| *it == declaration.target;
        let in_prompts = UnitNames::in_prompts(self.unit, is_meant).into_iter();
        let others = names
            .iter()
            .filter(|it| is_meant(&it.target) && it.range != declared && !folds);
        let in_prompts = in_prompts.map(|it| it.range);
        let uses = in_prompts.chain(others.map(|it| it.range));
        let mut uses: Vec<_> = uses
            .filter(|it| self.unit.code(*it).contains('-'))
            .collect();
        order::by_start(&mut uses, |it| it.start());
        uses.dedup();
        uses
    }
}
