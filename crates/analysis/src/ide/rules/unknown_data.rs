//! Names of context data that are not in the context.

use foldhash::HashSet;

use crate::{
    contract::ValueKind,
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::{Check, MAX_FINDINGS},
        unit::UnitView,
    },
    model::spelling::nearest,
};
use signature_ls_source::{
    host::lisp::{Namespace, Reference},
    text::TextEdit,
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run,
};

static RULE: Rule = Rule {
    code: "unknown-data",
    severity: Severity::Warning,
    summary: "Unknown value in a program",
    explanation: "`data/name` (`ctx/name` before release 0.5.0) reads the input or context value of that name; any \
                  other name is nil. The rule applies where the signature of the program or the `context:` of its \
                  call says which values exist.",
    wrong: Sample::elixir(
        "Lisp.run(\"(count data/oders)\", context: %{orders: [1, 2]}, signature: \":int\")\n",
    ),
    right: Sample::elixir(
        "Lisp.run(\"(count data/orders)\", context: %{orders: [1, 2]}, signature: \":int\")\n",
    ),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let program = unit.program();
    if program.references.is_empty() || program.function.is_some() {
        return;
    }
    let Some(names) = names(unit) else {
        return;
    };
    let known: HashSet<_> = names.iter().map(|it| normal(it)).collect();
    let namespaces = unit.tools.namespaces();
    let references = program.references.iter();
    let references = references.filter(|it| {
        let is_unknown = || it.namespace != Namespace::Tool && !known.contains(&normal(&it.name));
        !namespaces.claims(it.namespace) && is_unknown()
    });
    let unknown = references.filter_map(|it| unknown(unit, it, &names));
    found.extend(unknown.take(MAX_FINDINGS));
}

/// The names in the context; `None` if some are unknown.
fn names(unit: &UnitView<'_>) -> Option<Vec<String>> {
    let signature = unit.agents_signature();
    if signature.is_none() && unit.signature().is_some() {
        return None;
    }
    let params = signature.map_or(&[][..], |it| it.params.as_slice());
    let mut names: Vec<String> = params.iter().map(|it| it.name.clone()).collect();
    if unit.argument("context").is_some() {
        let ValueKind::Map(entries) = unit.argument_kind("context")? else {
            return None;
        };
        for entry in entries {
            names.push(entry.key.name.as_deref()?.to_owned());
        }
    }
    (!names.is_empty()).then_some(names)
}

fn normal(name: &str) -> String {
    name.replace('-', "_")
}

/// The diagnostic about a reference to none of the `names`.
fn unknown(unit: &UnitView<'_>, reference: &Reference, names: &[String]) -> Option<Diagnostic> {
    let name = reference.name.as_str();
    // It is still being typed.
    if name.is_empty() {
        return None;
    }
    let near = nearest(name, names.iter().map(String::as_str));
    if unit.agents_signature().is_some() && unit.may_have_param(&normal(name), near) {
        return None;
    }
    let Some(near) = near else {
        let message = format!("The context has no `{name}`; add it there or to the signature.");
        return Some(Diagnostic::new(&RULE, reference.range, message));
    };
    let message = format!("The context has no `{name}`; did you mean `{near}`?");
    let edits = vec![TextEdit::replace(reference.name_range, near)];
    let fix = Fix::offered(format!("Write `{near}`"), edits);
    Some(Diagnostic::new(&RULE, reference.range, message).with_fix(fix))
}
