//! Functions of PTC-Lisp and Clojure with a signature: whether their parameters match it.

use foldhash::HashSet;

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::Check,
        unit::{SignatureView, UnitView, plain_name},
    },
    model::{
        Field,
        spelling::{is_slip, nearest},
    },
};
use signature_ls_source::{
    host::lisp::{Arity, Function, Parameter},
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&COUNT, &NAME],
    run: check,
};

static COUNT: Rule = Rule {
    code: "parameter-count",
    severity: Severity::Error,
    summary: "Function with the wrong number of parameters",
    explanation: "Arguments are passed by position, so the function needs a parameter for each one in the \
                  signature, optional ones included. One of several argument vectors must fit; one with `&` takes \
                  any number.",
    wrong: Sample::lisp(
        "(defn search {:signature \"(query :string, limit :int?) -> :any\"} [query]\n  query)\n",
    ),
    right: Sample::lisp(
        "(defn search {:signature \"(query :string, limit :int?) -> :any\"} [query limit]\n  query)\n",
    ),
};

static NAME: Rule = Rule {
    code: "parameter-name",
    severity: Severity::Warning,
    summary: "Function with other parameter names",
    explanation: "Callers read the signature. If its names differ from those of the argument vector, the \
                  arguments are usually in the wrong order. Hyphens and underscores are the same, and a name that \
                  begins with `_` fits any.",
    wrong: Sample::lisp(
        "(defn refund {:signature \"(order_id :int, reason :string) -> :any\"} [order-id amount]\n  amount)\n",
    ),
    right: Sample::lisp(
        "(defn refund {:signature \"(order_id :int, reason :string) -> :any\"} [order-id reason]\n  reason)\n",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mut signatures = unit.signatures();
    let (Some(signature), None, Some(function)) = (
        signatures.next(),
        signatures.next(),
        &unit.program().function,
    ) else {
        return;
    };
    if function.arities.is_empty() {
        return;
    }
    if !unit.knows_all_params() {
        return slips(unit, function, &signature, found);
    }
    let params = &signature.lowered.signature.params;
    let fitting: Vec<_> = function
        .arities
        .iter()
        .filter(|it| takes(it, params))
        .collect();
    if fitting.is_empty() {
        found.push(wrong_count(function, params.len()));
        slips(unit, function, &signature, found);
    }
    for arity in fitting {
        check_names(arity, &signature, found);
    }
}

/// Whether a call with the arguments of the signature matches this argument vector.
fn takes(arity: &Arity, params: &[Field]) -> bool {
    let fixed = fixed(arity).count();
    match takes_names(arity, params) || fixed < arity.parameters.len() {
        true => fixed <= params.len(),
        false => fixed == params.len(),
    }
}

/// Whether its only parameter destructures a map by names of the signature.
fn takes_names(arity: &Arity, params: &[Field]) -> bool {
    match arity.parameters.as_slice() {
        [only] => only
            .keys
            .iter()
            .any(|(key, _)| params.iter().any(|it| is_same(&it.name, key))),
        _ => false,
    }
}

fn fixed(arity: &Arity) -> impl Iterator<Item = &Parameter> {
    arity.parameters.iter().filter(|it| !it.is_rest)
}

fn wrong_count(function: &Function, wanted: usize) -> Diagnostic {
    let wanted = match wanted {
        1 => "1 parameter".to_owned(),
        other => format!("{other} parameters"),
    };
    let name = &function.name;
    let (range, rest) = match function.arities.as_slice() {
        [only] => {
            let taken = fixed(only).count();
            (
                only.range,
                format!("but `{name}` takes {taken}; make the numbers equal"),
            )
        }
        _ => (
            function.name_range,
            format!(
                "but `{name}` takes no such number of arguments; add an argument vector for them"
            ),
        ),
    };
    Diagnostic::new(
        &COUNT,
        range,
        format!("The signature has {wanted}, {rest}."),
    )
}

fn check_names(arity: &Arity, signature: &SignatureView<'_>, found: &mut Vec<Diagnostic>) {
    let params = &signature.lowered.signature.params;
    if takes_names(arity, params) {
        return;
    }
    for (parameter, param) in fixed(arity).zip(params) {
        let Some(name) = &parameter.name else {
            continue;
        };
        if !name.starts_with('_') && !is_same(&param.name, name) {
            found.push(wrong_name(parameter.range, name, param, signature));
        }
    }
}

/// Reports misspelled names if the correspondence of parameters is uncertain: each is similar to a name of the
/// signature that the function does not use.
fn slips(
    unit: &UnitView<'_>,
    function: &Function,
    signature: &SignatureView<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let params = &signature.lowered.signature.params;
    let wanted: HashSet<_> = params.iter().map(|it| plain_name(&it.name)).collect();
    for arity in &function.arities {
        let names = || fixed(arity).filter_map(|it| Some((it.range, it.name.as_deref()?)));
        let taken: HashSet<_> = names().map(|(_, name)| plain_name(name)).collect();
        let open = params.iter().map(|it| it.name.as_str());
        let open: Vec<_> = open.filter(|it| !taken.contains(&plain_name(it))).collect();
        for (range, name) in names() {
            let plain = plain_name(name);
            if name.starts_with('_') || wanted.contains(&plain) {
                continue;
            }
            let near = nearest(&plain, open.iter().copied())
                .filter(|near| is_slip(&plain, near) && !unit.may_have_param(&plain, Some(near)));
            let param = near.and_then(|near| params.iter().find(|it| it.name == near));
            found.extend(param.map(|it| wrong_name(range, name, it, signature)));
        }
    }
}

/// The diagnostic that the parameter `name` at `range` has another name in the signature.
fn wrong_name(
    range: TextRange,
    name: &str,
    param: &Field,
    signature: &SignatureView<'_>,
) -> Diagnostic {
    let message = format!(
        "The signature names this parameter `{}`; write the same name in both.",
        param.name
    );
    let finding = Diagnostic::new(&NAME, range, message);
    match rename(&signature.lowered.signature.params, param, name) {
        Some(new) => {
            let range: TextRange = param.name_range + signature.start;
            let title = format!("Write `{new}` in the signature");
            finding.with_fix(Fix::offered(title, vec![TextEdit::replace(range, new)]))
        }
        None => finding,
    }
}

/// The name of a function's parameter in the spelling of signatures, if it is unique.
fn rename(params: &[Field], param: &Field, name: &str) -> Option<String> {
    let new = plain_name(name);
    let is_name = new.starts_with(|c: char| c.is_ascii_alphabetic())
        && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_free = params
        .iter()
        .all(|it| it.name == param.name || plain_name(&it.name) != new);
    (is_name && is_free).then_some(new)
}

fn is_same(in_signature: &str, in_code: &str) -> bool {
    in_signature == in_code || plain_name(in_signature) == plain_name(in_code)
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(signature: &str, rest: &str, expected: &[&str]) {
        let text = format!("(defn f \"Doc\" {{:signature \"{signature}\"}} {rest})");
        let document = Document::new(HostKind::Lisp, &text, Settings::default());
        let found = document.diagnostics().into_iter().map(|it| {
            let range = std::ops::Range::<usize>::from(it.range);
            format!("{} {}", it.rule.code, &text[range])
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "in {text}");
    }

    #[test]
    fn parameters_that_fit() {
        let two = "(user_id :int, active :bool?) -> :int";
        for rest in [
            "[user-id active?] 1",
            "[user_id active] 1",
            "[^long user-id ^Boolean active] 1",
            "[user-id _] 1",
            "[_id _active] 1",
            "[{:keys [id]} [x y]] 1",
            "[user-id & more] 1",
            "[& args] 1",
            "[& {:keys [user-id active]}] 1",
            "[{:keys [user-id active]}] 1",
            "[{:keys [active] :as all}] 1",
            "[{id :user-id, active \"active\"}] 1",
            "#_[a b c] [user-id, active] [x]",
            "([user-id] 1) ([user-id active] 2)",
            "([user-id active] 2) {:added \"1.0\"}",
            "[user-id active] {:pre [(pos? user-id)]} 1",
            "",
        ] {
            check(two, rest, &[]);
        }
        check("(user {id :int}) -> :int", "[{:keys [id name]}] 1", &[]);
        check(":int", "[] 1", &[]);
    }

    #[test]
    fn parameters_that_do_not_fit() {
        let two = "(user_id :int, active :bool?) -> :int";
        check(two, "[user-id] 1", &["parameter-count [user-id]"]);
        check(
            two,
            "[user-id active more] 1",
            &["parameter-count [user-id active more]"],
        );
        check(two, "[a b c & more] 1", &["parameter-count [a b c & more]"]);
        check(
            two,
            "[{:keys [other]}] 1",
            &["parameter-count [{:keys [other]}]"],
        );
        check(two, "([] 1) ([a] 2) ([a b c] 3)", &["parameter-count f"]);
        check(":int", "[x] 1", &["parameter-count [x]"]);
        check(two, "[user active] 1", &["parameter-name user"]);
        check(
            two,
            "[active user-id] 1",
            &["parameter-name active", "parameter-name user-id"],
        );
        check(two, "([user-id on] 1) ([x] 2)", &["parameter-name on"]);
        check(two, "[^long user & more] 1", &["parameter-name user"]);
    }

    #[test]
    fn names_that_a_fault_leaves_plain_count() {
        check(
            "(a :int b :int) -> :int",
            "[a] 1",
            &["missing-comma ", "parameter-count [a]"],
        );
        check(
            "(a :int, b {c :int) -> :int",
            "[a] 1",
            &["unclosed-bracket {"],
        );
    }
}
