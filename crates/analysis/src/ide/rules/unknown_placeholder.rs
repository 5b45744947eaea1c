//! `{{usr}}`: a placeholder that is not an input.

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS, answer},
        unit::UnitView,
    },
    model::{
        Primitive, Signature, Type, TypeKind,
        placeholders::{Meaning, Use, is_plain_scalar},
        spelling::{is_slip, nearest},
    },
};
use signature_ls_source::text::{TextEdit, TextRange, TextSize};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

pub(super) static RULE: Rule = Rule {
    code: "unknown-placeholder",
    severity: Severity::Error,
    summary: "Unknown placeholder",
    explanation: "Every `{{…}}` must name a parameter of the signature or one of its fields: `{{user.name}}` for \
                  `(user {name :string})`. Inside a section, the fields of the element are looked up first. With \
                  `output: :text` and in an LLM tool, the reference accepts no other names there.",
    wrong: Sample::prompt("(user {name :string}) -> :int", "Greet {{usr.name}}"),
    right: Sample::prompt("(user {name :string}) -> :int", "Greet {{user.name}}"),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let text_mode = unit.text_mode().filter(|_| !answer::is_compared(unit));
    for &(start, ref it) in unit.placeholders() {
        if found.len() >= MAX_FINDINGS {
            break;
        }
        found.extend(diagnose(unit, it, start));
        if let Some(mode) = text_mode {
            found.extend(outside_of_section(unit, it, start, mode));
        }
    }
}

fn diagnose(unit: &UnitView<'_>, it: &Use, start: TextSize) -> Option<Diagnostic> {
    let Meaning::Unknown {
        segment,
        candidates,
        element,
    } = &it.meaning
    else {
        return None;
    };
    let (name, range) = it.segments.get(*segment)?;
    let candidates = || {
        let lists = candidates.iter().flat_map(|it| it.iter());
        lists.map(String::as_str)
    };
    let place = match (segment, element) {
        (0, None) => Place::Signature,
        (0, Some(element)) => Place::Section(element),
        _ => Place::Record(&it.segments[segment - 1].0),
    };
    let nearest = nearest(name, candidates()).filter(|name| fits(unit, it, &place, name));
    if *segment == 0
        && (nearest.is_none() || element.is_some())
        && let Some(fix) = without_first(it, candidates(), start)
    {
        let message = format!("{}; remove `{name}.`.", place.lacks(name));
        return Some(Diagnostic::new(&RULE, *range + start, message).with_fix(fix));
    }
    let parameter = || {
        let (name, ty) = unit.parameter_for(name);
        format!("{name} {ty}")
    };
    let message = match nearest {
        Some(nearest) => format!("{}; did you mean `{nearest}`?", place.lacks(name)),
        None if matches!(place, Place::Signature)
            && candidates().next().is_none()
            && !unit.knows_all_params() =>
        {
            format!("{}; add `{}` to it.", place.lacks(name), parameter())
        }
        None => format!(
            "{}; {}",
            place.lacks(name),
            place.instead(&parameter, candidates())
        ),
    };
    let mut diagnostic = Diagnostic::new(&RULE, *range + start, message);
    diagnostic
        .fixes
        .extend(nearest.and_then(|nearest| write_nearest(unit, it, *segment, nearest, start)));
    match place {
        Place::Signature => diagnostic.fixes.extend(unit.add_parameter(name)),
        Place::Section(element) if is_single(element) && !it.is_section => {
            let edits = vec![TextEdit::replace(it.range + start, ".")];
            diagnostic.fixes.push(Fix::offered("Write `{{.}}`", edits));
        }
        Place::Section(element) => diagnostic.fixes.extend(unit.add_field(name, element)),
        Place::Record(_) => {
            let record = record_of(unit, it, segment - 1);
            let fix = record.and_then(|it| unit.add_field(name, it));
            diagnostic.fixes.extend(fix);
        }
    }
    Some(diagnostic)
}

/// Whether the value `name` can be where `it` is, as far as its type is known: a section needs something to repeat or to
/// test, and no placeholder in a section shows a list.
fn fits(unit: &UnitView<'_>, it: &Use, place: &Place<'_>, name: &str) -> bool {
    let param = { unit.signature() }.and_then(|it| it.params.named(name, unit.edition));
    let Some(param) = param.filter(|_| it.segments.len() == 1) else {
        return true;
    };
    match (it.is_section, place) {
        (true, _) => !is_plain_scalar(&param.ty),
        (false, Place::Section(_)) => !matches!(param.ty.kind, TypeKind::List(_)),
        (false, _) => true,
    }
}

/// The fix that removes the first name of a path, such as `this` or `ctx`, if the second one is in scope.
fn without_first<'n>(
    it: &Use,
    mut candidates: impl Iterator<Item = &'n str>,
    start: TextSize,
) -> Option<Fix> {
    let [(name, first), (second, rest), ..] = it.segments.as_slice() else {
        return None;
    };
    let is_whole = !it.is_section || !it.closing.is_empty();
    if !is_whole || !candidates.any(|it| it == second) {
        return None;
    }
    let cut = |first: &TextRange, rest: &TextRange| {
        TextEdit::delete(TextRange::new(first.start(), rest.start()) + start)
    };
    let mut edits = vec![cut(first, rest)];
    if let [first, rest, ..] = it.closing.as_slice() {
        edits.push(cut(first, rest));
    }
    Some(Fix::offered(format!("Remove `{name}.`"), edits))
}

/// The type of the parameter or field that a segment names.
fn record_of<'u>(unit: &'u UnitView<'_>, it: &Use, segment: usize) -> Option<&'u Type> {
    let lowered = unit.signatures().next()?.lowered;
    let field = lowered.names.at(*it.declared.get(segment)?)?;
    Some(&lowered.names.field(&lowered.signature, field)?.ty)
}

/// The diagnostic about a name that is only unknown in text `mode`, where tags in a section only see its elements.
fn outside_of_section(
    unit: &UnitView<'_>,
    it: &Use,
    start: TextSize,
    mode: &str,
) -> Option<Diagnostic> {
    let element = it.outside_of.as_ref()?;
    let [(_, range)] = it.segments.as_slice() else {
        return None;
    };
    let names = format!("With {mode}, names in a section are those of its elements;");
    let place = Place::Section(element);
    let message = match element.kind {
        TypeKind::Primitive(Primitive::Any) => {
            format!("{names} for :any, write `{{{{.}}}}`, or `:map` in the signature.")
        }
        _ if is_open(element) => {
            format!("{names} {element} has none, write `:map` in the signature.")
        }
        _ => format!(
            "{names} {}",
            place.instead(&String::new, std::iter::empty())
        ),
    };
    let mut diagnostic = Diagnostic::new(&RULE, *range + start, message);
    if is_single(element) && !it.is_section {
        let edits = vec![TextEdit::replace(it.range + start, ".")];
        diagnostic = diagnostic.with_fix(Fix::offered("Write `{{.}}`", edits));
    }
    let signature = unit.signatures().next().filter(|_| is_open(element));
    let map = signature.map(|it| TextEdit::replace(element.range + it.start, ":map"));
    let map = map.map(|edit| Fix::offered("Write `:map` in the signature", vec![edit]));
    diagnostic.fixes.extend(map);
    Some(diagnostic)
}

/// Whether the elements may have fields that the type does not name.
fn is_open(element: &Type) -> bool {
    match &element.kind {
        TypeKind::Record(fields) => fields.is_empty(),
        TypeKind::Primitive(primitive) => *primitive == Primitive::Any,
        TypeKind::List(_) | TypeKind::Unknown => false,
    }
}

/// Where a name is unknown.
enum Place<'a> {
    Signature,
    /// In the elements of a section, which have this type.
    Section(&'a Type),
    /// In the record with this name.
    Record(&'a str),
}

impl Place<'_> {
    fn lacks(&self, name: &str) -> String {
        match self {
            Self::Signature => format!("`{name}` is not an input of the signature"),
            Self::Section(element) if is_single(element) => {
                format!("`{name}` is not an input, and the section's elements are {element}")
            }
            Self::Section(_) => format!("The section's elements have no `{name}`"),
            Self::Record(record) => format!("`{record}` has no field `{name}`"),
        }
    }

    /// What to write instead, as the end of the sentence; `parameter` is the one that may be added.
    fn instead<'n>(
        &self,
        parameter: &dyn Fn() -> String,
        candidates: impl Iterator<Item = &'n str>,
    ) -> String {
        let mut candidates = candidates.peekable();
        match self {
            Self::Section(element) if is_single(element) => "write `{{.}}`.".to_owned(),
            Self::Section(Type {
                kind: TypeKind::Record(fields),
                ..
            }) => {
                format!(
                    "they have {}.",
                    list(fields.iter().map(|it| it.name.as_str()))
                )
            }
            Self::Signature if candidates.peek().is_none() => {
                format!("it has none; add `{}` to it.", parameter())
            }
            Self::Signature | Self::Section(_) | Self::Record(_) => {
                format!("it has {}.", list(candidates))
            }
        }
    }
}

/// Whether `{{.}}` shows the element.
fn is_single(element: &Type) -> bool {
    !matches!(element.kind, TypeKind::List(_) | TypeKind::Record(_))
}

/// The fix that writes `nearest` for the segment, and corrects the names after it.
fn write_nearest(
    unit: &UnitView<'_>,
    it: &Use,
    segment: usize,
    nearest: &str,
    start: TextSize,
) -> Option<Fix> {
    let (name, range) = it.segments.get(segment)?;
    let following = it.segments.get(segment + 1..).unwrap_or_default();
    let rest = unit
        .signature()
        .and_then(|it| rest_after(it, nearest, following));
    // Renaming only one tag of a section breaks it: its closing tag has the same name.
    let closing = it.closing.get(segment);
    let is_whole = !it.is_section || closing.is_some();
    let mut edits = vec![TextEdit::replace(*range + start, nearest)];
    if segment == 0 && it.closing.is_empty() {
        let names = rest.iter().flatten().zip(following);
        let other = names.filter(|(new, (old, _))| *new != old);
        edits
            .extend(other.map(|(new, (_, range))| TextEdit::replace(*range + start, new.as_str())));
    }
    edits.extend(closing.map(|&closing| TextEdit::replace(closing + start, nearest)));
    Some(Fix {
        title: format!("Write `{nearest}`"),
        edits,
        safe: is_whole && is_slip(name, nearest),
    })
}

/// The intended fields for the names `after` the parameter `name`, as far as they exist.
fn rest_after(
    signature: &Signature,
    name: &str,
    following: &[(String, TextRange)],
) -> Option<Vec<String>> {
    let mut ty = &signature.params.iter().find(|it| it.name == name)?.ty;
    let mut rest = Vec::new();
    for (written, _) in following {
        let TypeKind::Record(fields) = &ty.kind else {
            break;
        };
        let near = nearest(written, fields.iter().map(|it| it.name.as_str()))?;
        ty = &fields.iter().find(|it| it.name == near)?.ty;
        rest.push(near.to_owned());
    }
    Some(rest)
}

fn list<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names
        .by_ref()
        .take(6)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = if names.next().is_some() {
        " and others"
    } else {
        ""
    };
    format!("{}{more}", quoted.join(", "))
}

#[cfg(test)]
mod tests;
