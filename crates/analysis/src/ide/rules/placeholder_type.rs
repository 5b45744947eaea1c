//! A placeholder or section that does not fit the type of its value.

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, compound_placeholder::is_in_section_over, optional_placeholder},
        unit::UnitView,
    },
    model::{
        Type, TypeKind,
        placeholders::{Meaning, Use},
    },
};
use signature_ls_source::text::{TextEdit, TextRange, TextSize};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "placeholder-type",
    severity: Severity::Error,
    summary: "Placeholder that does not fit its type",
    explanation: "A dot enters a record. A list needs a section, `{{#items}}{{name}}{{/items}}`, where `{{.}}` is \
                  the element of a list of simple values. A section needs a list, a record, a condition or an \
                  optional value.",
    wrong: Sample::prompt("(topic :string) -> :int", "About {{topic.title}}"),
    right: Sample::prompt("(topic :string) -> :int", "About {{topic}}"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for &(start, ref it) in unit.placeholders() {
        found.extend(diagnose(unit, it, start));
    }
}

fn diagnose(unit: &UnitView<'_>, it: &Use, start: TextSize) -> Option<Diagnostic> {
    let segment_at = |segment: usize| {
        it.segments
            .get(segment)
            .map(|(name, range)| (name.as_str(), *range + start))
    };
    let diagnostic = match &it.meaning {
        Meaning::FieldOfScalar { segment, ty } => {
            let (name, range) = segment_at(*segment)?;
            let (before, before_range) = segment_at(segment - 1)?;
            let names = it.segments.iter().take(*segment);
            let path = names.map(|it| it.0.as_str()).collect::<Vec<_>>().join(".");
            let message =
                format!("`{before}` is {ty} and has no field `{name}`; write `{{{{{path}}}}}`.");
            let rest = TextRange::new(before_range.end(), it.range.end() + start);
            let fix = Fix::offered(format!("Write `{path}`"), vec![TextEdit::delete(rest)]);
            Diagnostic::new(&RULE, range, message).with_fix(fix)
        }
        Meaning::ListWithoutSection { segment } => {
            let (name, range) = segment_at(*segment)?;
            if let Some(found) = in_own_section(unit, it, *segment, start) {
                return Some(found);
            }
            let message = format!(
                "`{name}` is a list; iterate over it with `{{{{#{name}}}}}…{{{{/{name}}}}}`."
            );
            let diagnostic = Diagnostic::new(&RULE, range, message);
            match wrapped(unit, it, *segment, start) {
                Some(fix) => diagnostic.with_fix(fix),
                None => diagnostic,
            }
        }
        Meaning::ScalarSection { ty } => {
            let (name, range) = segment_at(it.segments.len().checked_sub(1)?)?;
            let message = format!(
                "`{name}` is {ty}; a section needs a list, a record, a `:bool` or an optional value."
            );
            Diagnostic::new(&RULE, range, message)
        }
        Meaning::DotWithoutElement => {
            let message =
                "`{{.}}` has no meaning here; use it in a section over a list of simple values.";
            Diagnostic::new(&RULE, it.range + start, message)
        }
        Meaning::DotOnCompound { ty } => on_compound(ty, it.range + start),
        Meaning::Value { .. } | Meaning::Anything { .. } | Meaning::Unknown { .. } => return None,
    };
    Some(diagnostic)
}

/// The diagnostic about `{{.}}` at `range`, which is a list, a record or a map of the type `ty`.
fn on_compound(ty: &Type, range: TextRange) -> Diagnostic {
    let fields = match &ty.kind {
        TypeKind::Record(fields) => &fields[..],
        _ => &[],
    };
    if fields.is_empty() {
        let message = match ty.kind {
            TypeKind::List(_) => {
                format!("`{{{{.}}}}` is {ty} here, a list; no placeholder shows a list.")
            }
            _ => format!("`{{{{.}}}}` is {ty} here, not a single value; name one of its keys."),
        };
        return Diagnostic::new(&RULE, range, message);
    }
    let message = format!("`{{{{.}}}}` is {ty} here, not a single value; name one of its fields.");
    let mut diagnostic = Diagnostic::new(&RULE, range, message);
    for field in fields.iter().take(3) {
        let edits = vec![TextEdit::replace(range, field.name.as_str())];
        let fix = Fix::offered(format!("Write `{{{{{}}}}}`", field.name), edits);
        diagnostic.fixes.push(fix);
    }
    diagnostic
}

/// The diagnostic about the list at `segment` if the section around is over it, so that only its fields are named.
fn in_own_section(
    unit: &UnitView<'_>,
    it: &Use,
    segment: usize,
    start: TextSize,
) -> Option<Diagnostic> {
    let (list, rest) = split_after(it, segment)?;
    if !is_in_section_over(unit, it.range + start, &list) {
        return None;
    }
    let sign = if it.is_section { "#" } else { "" };
    let message =
        format!("The section is over the elements of `{list}`; write `{{{{{sign}{rest}}}}}`.");
    let opening: Vec<_> = it.segments.iter().map(|(_, range)| *range).collect();
    let edits = [&opening, &it.closing].into_iter().filter_map(|tag| {
        let (first, rest) = (tag.first()?, tag.get(segment + 1)?);
        let list = TextRange::new(first.start(), rest.start());
        Some(TextEdit::delete(list + start))
    });
    let range = TextRange::new(opening.first()?.start(), opening.get(segment)?.end()) + start;
    let fix = Fix::offered(format!("Write `{rest}`"), edits.collect());
    Some(Diagnostic::new(&RULE, range, message).with_fix(fix))
}

/// The names of `it` up to the one at `segment`, and those after it.
fn split_after(it: &Use, segment: usize) -> Option<(String, String)> {
    let names: Vec<_> = it.segments.iter().map(|(name, _)| name.as_str()).collect();
    let (list, rest) = names.split_at_checked(segment + 1)?;
    Some((list.join("."), rest.join(".")))
}

/// The fix that wraps a field of the elements of a list, the value at `segment`, in a section over it.
fn wrapped(unit: &UnitView<'_>, it: &Use, segment: usize, start: TextSize) -> Option<Fix> {
    if it.is_section {
        return None;
    }
    let (list, rest) = split_after(it, segment)?;
    let names = (list.as_str(), rest.as_str());
    Some(optional_placeholder::wrapped(unit, it, start, names))
}
