//! Two fields of one record, or two parameters, with one name.

use crate::{
    ide::{Diagnostic, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Lowered, ProblemKind},
    text::TextRange,
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "duplicate-name",
    severity: Severity::Warning,
    summary: "Names in one list differ",
    explanation: "Of two fields with one name only one can be filled. From edition 0.5 on `order-count` and `order_count` are one \
                  name too. \
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
        let message = match other_spelling(unit, &name, range) {
            Some(other) => {
                format!("`{name}` and `{other}` before it are one name; give one of them another.")
            }
            None => format!("`{name}` stands here a second time; give it another name."),
        };
        found.push(Diagnostic {
            severity,
            ..Diagnostic::new(&RULE, range, message)
        });
    }
}

/// How the first field of that name in the list of the one at `range` writes it, if not in the same way.
fn other_spelling(unit: &UnitView<'_>, name: &str, range: TextRange) -> Option<String> {
    let normal = |name: &str| unit.edition.normal_name(name);
    let mut signatures = unit.signatures();
    let fields = signatures.find_map(|it| {
        let Lowered {
            names, signature, ..
        } = it.lowered;
        let id = names.at(range.checked_sub(it.start)?)?;
        names.siblings(signature, id)
    })?;
    let first = fields.iter().find(|it| normal(&it.name) == normal(name))?;
    (first.name != name).then(|| first.name.clone())
}

#[cfg(test)]
mod tests {
    use crate::{ide::standalone, model::Edition};

    #[track_caller]
    fn check(edition: Edition, text: &str, expected: &[&str]) {
        let found = standalone::check_signature(text, edition).1;
        let found = found.iter().filter(|it| it.rule.code == super::RULE.code);
        let messages = found.map(|it| it.message.as_str());
        assert_eq!(messages.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn spellings_of_one_name_are_both_told() {
        let text = "(a-b :int, a_b :int) -> [{x {c :int, d_e :int, d-e :int}}]";
        check(
            Edition::V0_11,
            text,
            &[
                "`a_b` and `a-b` before it are one name; give one of them another.",
                "`d-e` and `d_e` before it are one name; give one of them another.",
            ],
        );
        check(Edition::V0_4, text, &[]);
        check(
            Edition::V0_4,
            "{a :int, a :int}",
            &["`a` stands here a second time; give it another name."],
        );
    }
}
