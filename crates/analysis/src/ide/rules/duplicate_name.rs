//! Two fields of a record, or two parameters, with the same name.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{Field, Fields, Lowered, ProblemKind},
};
use signature_ls_source::text::{TextEdit, TextRange};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "duplicate-name",
    severity: Severity::Warning,
    summary: "Duplicate parameter or field name",
    explanation: "Only one of two fields with the same name can be filled. From edition 0.5, `order-count` and \
                  `order_count` are the same name. Released versions accept duplicates; the next one rejects \
                  them.",
    wrong: Sample::signature("(id :int, id :string) -> :map"),
    right: Sample::signature("(id :int, name :string) -> :map"),
};

/// Longer lists get no new name.
const MOST_FIELDS: usize = 64;

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let severity = match unit.edition.allows_same_name_twice() {
        true => Severity::Warning,
        false => Severity::Error,
    };
    for (name, range) in unit.words_at_fault(ProblemKind::DuplicateName) {
        let message = match other_spelling(unit, &name, range) {
            Some(other) => {
                format!("`{name}` and `{other}` before it are the same name; rename one of them.")
            }
            None => format!("`{name}` is already used in this list; rename one of them."),
        };
        let mut diagnostic = Diagnostic::new(&RULE, range, message);
        diagnostic.severity = severity;
        diagnostic.fixes.extend(another_name(unit, &name, range));
        found.push(diagnostic);
    }
}

/// The fix that gives the field at `range` an unused name.
fn another_name(unit: &UnitView<'_>, name: &str, range: TextRange) -> Option<Fix> {
    let fields = list_of(unit, range)?;
    if fields.len() > MOST_FIELDS {
        return None;
    }
    let normal = unit.edition.normal_name(name);
    let mut names = (2..10).map(|number| format!("{normal}_{number}"));
    let is_free = |new: &String| {
        let is_it = |it: &Field| unit.edition.is_normal_name(new, &it.name);
        !fields.iter().any(is_it)
    };
    let new = names.find(is_free)?;
    let edits = vec![TextEdit::replace(range, new.as_str())];
    Some(Fix::offered(format!("Write `{new}`"), edits))
}

/// The spelling of the first field with that name in the list of the one at `range`, if it differs.
fn other_spelling(unit: &UnitView<'_>, name: &str, range: TextRange) -> Option<String> {
    let normal = |name: &str| unit.edition.normal_name(name);
    let fields = list_of(unit, range)?;
    let first = fields.iter().find(|it| normal(&it.name) == normal(name))?;
    (first.name != name).then(|| first.name.clone())
}

/// The list of the field whose name is at `range`.
fn list_of<'a>(unit: &UnitView<'a>, range: TextRange) -> Option<&'a Fields> {
    unit.signatures().find_map(|it| {
        let Lowered {
            names, signature, ..
        } = it.lowered;
        let id = names.at(range.checked_sub(it.start)?)?;
        names.siblings(signature, id)
    })
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
    fn spellings_of_one_name_are_both_reported() {
        let text = "(a-b :int, a_b :int) -> [{x {c :int, d_e :int, d-e :int}}]";
        check(
            Edition::V0_11,
            text,
            &[
                "`a_b` and `a-b` before it are the same name; rename one of them.",
                "`d-e` and `d_e` before it are the same name; rename one of them.",
            ],
        );
        check(Edition::V0_4, text, &[]);
        check(
            Edition::V0_4,
            "{a :int, a :int}",
            &["`a` is already used in this list; rename one of them."],
        );
    }
}
