//! Arguments that a tool has no parameters for.

use super::{Call, Named};
use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::MAX_FINDINGS},
    model::spelling::{is_slip, nearest},
};
use signature_ls_source::{
    host::lisp::NamedArgument,
    text::{TextEdit, TextRange, TextSize},
};

pub(super) static RULE: Rule = Rule {
    code: "unknown-argument",
    severity: Severity::Warning,
    summary: "Unknown argument in a tool call",
    explanation: "Other arguments are allowed at run time and dropped, but one that the signature does not name \
                  is usually a typo. From edition 0.5, `:order-count` and `order_count` are the same name.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int?) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limt 10})\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int?) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

pub(super) fn find(call: &Call<'_>, named: &Named<'_>, found: &mut Vec<Diagnostic>) {
    let params = &named.signature.params;
    let is_known = |name: &str| params.named(name, call.unit.edition).is_some();
    let arguments = named.arguments.iter();
    // The value may belong to a key that was lost.
    let is_odd = arguments.clone().any(|it| it.value.is_none());
    let whole = arguments.filter(|it| !is_odd || it.value.is_some());
    let whole = whole.filter(|it| !it.name.is_empty());
    let unknown = whole.filter(|it| !is_known(&it.name));
    let unknown = unknown.take(MAX_FINDINGS);
    found.extend(unknown.filter_map(|it| diagnose(call, it, named)));
}

fn diagnose(call: &Call<'_>, argument: &NamedArgument, named: &Named<'_>) -> Option<Diagnostic> {
    let name = argument.name.as_str();
    let wanted = call.normal(name);
    let params = &named.signature.params;
    let tool = &call.call.name;
    let near = nearest(&wanted, params.iter().map(|it| it.name.as_str()));
    let is_slip_of_one = || near.is_some_and(|near| is_slip(&wanted, near));
    if named.gap.may_hold(&wanted, is_slip_of_one) {
        return None;
    }
    let is_given = |near: &&str| {
        let mut given = named.arguments.iter();
        given.any(|it| call.normal(&it.name) == call.normal(near))
    };
    let Some(near) = near.filter(|it| !is_given(it)) else {
        let message = format!("`{tool}` has no parameter `{name}`; remove the argument.");
        let removal = removal(named.arguments, argument);
        let edits = removal.map(|it| vec![TextEdit::delete(it)]);
        let mut found = Diagnostic::new(&RULE, argument.key, message);
        found
            .fixes
            .extend(edits.map(|it| Fix::offered(format!("Remove `{name}`"), it)));
        return Some(found);
    };
    let message = format!("`{tool}` has no parameter `{name}`; did you mean `{near}`?");
    let edits = vec![TextEdit::replace(name_range(argument), near)];
    let fix = Fix::offered(format!("Write `{near}`"), edits);
    Some(Diagnostic::new(&RULE, argument.key, message).with_fix(fix))
}

/// The range of an argument with its value and the space around it.
fn removal(all: &[NamedArgument], argument: &NamedArgument) -> Option<TextRange> {
    let end = argument.value?.end();
    let place = all.iter().position(|it| it.key == argument.key)?;
    let before = place.checked_sub(1).and_then(|it| all[it].value);
    Some(match (all.get(place + 1), before) {
        (Some(next), _) => TextRange::new(argument.key.start(), next.key.start()),
        (None, Some(before)) => TextRange::new(before.end(), end),
        (None, None) => TextRange::new(argument.key.start(), end),
    })
}

/// The key without its colon or quotes.
fn name_range(argument: &NamedArgument) -> TextRange {
    let key = argument.key;
    let mark = TextSize::of(':');
    let end = match key.len() == TextSize::of(argument.name.as_str()) + mark {
        true => key.end(),
        false => key.end() - mark,
    };
    TextRange::new(key.start() + mark, end)
}
