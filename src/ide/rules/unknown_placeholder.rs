//! `{{usr}}`: a placeholder that names no input.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{
        placeholders::Meaning,
        spelling::{is_slip, nearest},
    },
    text::TextEdit,
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unknown-placeholder",
    severity: Severity::Error,
    summary: "Every placeholder names an input",
    explanation: "What a prompt asks for in `{{…}}` must be a parameter of its signature, or a field of one: \
                  `{{user.name}}` for `(user {name :string})`. In a section the fields of its element come first.",
    wrong: Sample::Prompt {
        signature: "(user {name :string}) -> :int",
        prompt: "Greet {{usr.name}}",
    },
    right: Sample::Prompt {
        signature: "(user {name :string}) -> :int",
        prompt: "Greet {{user.name}}",
    },
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    for &(start, ref it) in unit.placeholders() {
        let Meaning::Unknown {
            segment,
            candidates,
        } = &it.meaning
        else {
            continue;
        };
        let Some((name, range)) = it.segments.get(*segment) else {
            continue;
        };
        let candidates = || {
            candidates
                .iter()
                .flat_map(|it| it.iter())
                .map(String::as_str)
        };
        let nearest = nearest(name, candidates());
        let message = match (segment, nearest) {
            (0, Some(nearest)) => {
                format!("`{name}` is not an input of the signature; did you mean `{nearest}`?")
            }
            (0, None) if candidates().next().is_none() => {
                format!(
                    "`{name}` is not an input: the signature has none; add `{name} :any` to it."
                )
            }
            (0, None) => format!(
                "`{name}` is not an input of the signature; it has {}.",
                list(candidates())
            ),
            (segment, nearest) => {
                let before = &it.segments[segment - 1].0;
                match nearest {
                    Some(nearest) => {
                        format!("`{before}` has no field `{name}`; did you mean `{nearest}`?")
                    }
                    None => format!(
                        "`{before}` has no field `{name}`; it has {}.",
                        list(candidates())
                    ),
                }
            }
        };
        let range = *range + start;
        let mut diagnostic = Diagnostic::new(&RULE, range, message);
        if let Some(nearest) = nearest {
            let mut edits = vec![TextEdit::replace(range, nearest)];
            // Half a section renamed is none: its closing tag bears the same name.
            let closing = it.closing.get(*segment);
            edits.extend(closing.map(|&closing| TextEdit::replace(closing + start, nearest)));
            let whole = !it.is_section || closing.is_some();
            let certain = whole && is_slip(name, nearest);
            diagnostic = diagnostic.with_fix(Fix {
                title: format!("Write `{nearest}`"),
                edits,
                safe: certain,
            });
        }
        if *segment == 0 {
            diagnostic.fixes.extend(unit.add_parameter(name));
        }
        found.push(diagnostic);
    }
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
