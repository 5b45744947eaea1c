//! Names of context data that are not in the context.

use foldhash::{HashMap, HashSet};

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
                  call says which values exist. Up to release 0.13, a program only gets the lists and maps whose \
                  names it contains as they are given: `data/max-rows` does not read the list `max_rows`.",
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
    if unit.edition.filters_data_by_spelling() && !namespaces.claims(Namespace::Data) {
        respelled(unit, &names, found);
    }
}

/// Finds the lists and maps that the program only names in another spelling.
fn respelled(unit: &UnitView<'_>, names: &[String], found: &mut Vec<Diagnostic>) {
    let references = unit.program().references.iter();
    let references = references.filter(|it| it.namespace == Namespace::Data);
    let spelled: HashSet<_> = references.clone().map(|it| it.name.as_str()).collect();
    let given: HashSet<_> = names.iter().map(String::as_str).collect();
    let mut left: HashMap<_, _> = given
        .difference(&spelled)
        .map(|it| (normal(it), *it))
        .collect();
    let mut other = references
        .filter(|it| !given.contains(it.name.as_str()))
        .peekable();
    if left.is_empty() || other.peek().is_none() {
        return;
    }
    let collections = unit.collections();
    left.retain(|name, _| collections.contains(name));
    let lost = other.filter_map(|it| Some((it, *left.get(&normal(&it.name))?)));
    found.extend(lost.take(MAX_FINDINGS).map(|(reference, given)| {
        let message = format!(
            "`{}` is nil, because `{given}` is a list or a map; write `{given}`.",
            reference.name
        );
        let edits = vec![TextEdit::replace(reference.name_range, given)];
        let fix = Fix::offered(format!("Write `{given}`"), edits);
        Diagnostic::new(&RULE, reference.range, message).with_fix(fix)
    }));
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

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    #[test]
    fn lists_and_maps_are_read_by_the_names_that_they_are_given_with() {
        let found = |code: &str, context: &str, edition: Edition| {
            let text = format!(
                "Lisp.run(~S|{code}|, {context}signature: \"(max_rows [:int], a_map :map?, a_rec {{n :int}}, an_int :int, a_thing \
                 :any) -> :any\")\n"
            );
            let mut found = found_in(HostKind::Elixir, &text, edition);
            found.retain(|it| it.starts_with("unknown-data"));
            found
        };
        for name in ["max-rows", "a-map", "a-rec"] {
            let code = format!("[data/{name} data/{name}]");
            let each = format!("unknown-data: data/{name}");
            for edition in [Edition::V0_5, Edition::V0_11] {
                assert_eq!(found(&code, "", edition), [each.clone(), each.clone()]);
                // The program gets it for this name, and then finds it under the other one, too.
                let both = format!("[data/{name} data/{}]", name.replace('-', "_"));
                assert_eq!(found(&both, "", edition), [""; 0]);
                let given = format!("context: %{{\"{name}\" => [1]}}, ");
                assert_eq!(found(&code, &given, edition), [""; 0]);
            }
            assert_eq!(found(&code, "", Edition::Next), [""; 0]);
        }
        for code in ["data/an-int", "data/a-thing", "data/max_rows"] {
            assert_eq!(found(code, "", Edition::V0_11), [""; 0], "{code}");
        }
        let given = "context: %{all_rows: [1]}, ";
        assert_eq!(
            found("data/all-rows", given, Edition::V0_11),
            ["unknown-data: data/all-rows"]
        );
    }
}
