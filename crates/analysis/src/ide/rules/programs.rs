//! Types inside programs: unknown keys, and values that do not fit.

use super::{
    calls::{argument_without_value, positional_arguments},
    returned, values,
};
use crate::{
    contract::Mode,
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::{
        Type, TypeKind,
        fit::Fit,
        program::{Fault, Taker, Ty},
        spelling::nearest,
    },
};
use signature_ls_source::text::{TextEdit, TextRange};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run,
};

static RULE: Rule = Rule {
    code: "unknown-field",
    severity: Severity::Warning,
    summary: "Unknown field in a program",
    explanation: "The results of tools and the values of `data/name` have the types that signatures declare. The types are inferred \
                  through names, keys, threading and functions such as `map` and `filter`; where a type is uncertain, nothing is \
                  reported. A key that the value does not have is nil.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string) -> [{id :int, title :string}]\"}}\n\n\
         (map :titel (tool/search {:query \"budget\"}))\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string) -> [{id :int, title :string}]\"}}\n\n\
         (map :title (tool/search {:query \"budget\"}))\n",
    ),
};

/// The maximum number of fields that are compared with an unknown key. A record may have thousands of fields, and each of
/// thousands of programs an unknown key; no record that people write has so many.
const MOST_NAMES: usize = 128;

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    unit.look_at_programs(|exprs, faults| {
        // A form that is not closed is not finished.
        let open: Vec<_> = exprs.code.iter().filter(|it| it.is_open()).collect();
        let is_finished = |range: TextRange| !open.iter().any(|it| it.range.contains_range(range));
        let finished = faults.iter().filter(|it| is_finished(it.range()));
        found.extend(finished.filter_map(|it| diagnostic(unit, it)));
    });
}

fn diagnostic(unit: &UnitView<'_>, fault: &Fault<'_>) -> Option<Diagnostic> {
    match fault {
        Fault::Key { range, name, of } => Some(unknown_key(unit, *range, name, of)),
        Fault::Value {
            range,
            given,
            wanted,
            fit,
            taker,
        } => value(unit, *range, (given, wanted), *fit, taker),
        Fault::Unnamed { range, tool } => Some(positional_arguments::unnamed(*range, tool)),
        Fault::Valueless { range, name } => Some(argument_without_value::diagnostic(*range, name)),
        Fault::Second(range) => {
            let message = "`return` takes one value; write all of them in one map.";
            Some(Diagnostic::new(&returned::RULE, *range, message))
        }
    }
}

fn unknown_key(unit: &UnitView<'_>, range: TextRange, name: &str, of: &Ty<'_>) -> Diagnostic {
    let fields = match of {
        Ty::Declared(it) => match &it.ty.kind {
            TypeKind::Record(fields) => fields,
            _ => return no_record(range, name, of),
        },
        _ => return no_record(range, name, of),
    };
    let names = fields.iter().take(MOST_NAMES);
    let names = names.map(|it| unit.lisp_name(&it.name));
    let Some(near) = nearest(name, names.clone()) else {
        let names: Vec<_> = names.take(8).map(|it| format!("`{it}`")).collect();
        let message = format!("The value has no `{name}`, only {}.", names.join(", "));
        return Diagnostic::new(&RULE, range, message);
    };
    let message = format!("The value has no `{name}`; did you mean `{near}`?");
    let edits = vec![TextEdit::replace(range, &*near)];
    let fix = Fix::offered(format!("Write `{near}`"), edits);
    Diagnostic::new(&RULE, range, message).with_fix(fix)
}

fn no_record(range: TextRange, name: &str, ty: &Ty<'_>) -> Diagnostic {
    let message = match ty.is_list() {
        true if ty.may_be_entry() => {
            format!("The value is a list, such as an entry of a map, which has no `{name}`.")
        }
        true => format!(
            "The value is a list, `{ty}`, which has no `{name}`; read it of each element with `map`."
        ),
        false => format!("The value is a `{ty}`, which has no `{name}`."),
    };
    Diagnostic::new(&RULE, range, message)
}

fn value(
    unit: &UnitView<'_>,
    range: TextRange,
    (given, wanted): (&Ty<'_>, &Type),
    fit: Fit,
    taker: &Taker<'_>,
) -> Option<Diagnostic> {
    let path = &taker.path;
    let Some(_) = taker.tool else {
        let severity = match unit.mode() {
            Mode::Disabled => return None,
            Mode::WarnOnly => Severity::Warning,
            Mode::Enabled | Mode::Strict => Severity::Error,
        };
        let what = match path.as_str() {
            "" => "The output".to_owned(),
            path => format!("`{path}` of the output"),
        };
        let message = format!("{what} is `{wanted}`, but this is `{given}`.");
        return Some(Diagnostic {
            severity,
            ..Diagnostic::new(&returned::RULE, range, message)
        });
    };
    Some(match fit {
        Fit::Coerced => {
            let message =
                format!("`{path}` takes `{wanted}`; the `{given}` given here is coerced.");
            Diagnostic::new(&values::COERCED_VALUE, range, message)
        }
        _ => {
            let message = format!("`{path}` takes `{wanted}`, but this is `{given}`.");
            Diagnostic::new(&values::VALUE_TYPE, range, message)
        }
    })
}
