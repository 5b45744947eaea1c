//! The namespaces of tools and context in programs, which changed between editions.

use crate::{
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::Check, unit::UnitView},
    model::Edition,
};
use signature_ls_source::{
    host::lisp::{Arguments, CallStyle, Namespace, Reference, ToolCall},
    text::{TextEdit, TextRange},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run,
};

static RULE: Rule = Rule {
    code: "namespace",
    severity: Severity::Error,
    summary: "Namespace of another edition",
    explanation: "Before release 0.5.0, programs call tools as `(ctx/name …)`, early ones as `(call \"name\" …)`, \
                  and read `ctx/x`. From 0.5.0 they call `(tool/name …)` and read `data/x`. If a file gives such \
                  a name to a namespace of its own, as with `:as data`, nothing is reported.",
    wrong: Sample::lisp("(tool/search {:query ctx/topic})\n"),
    right: Sample::lisp("(tool/search {:query data/topic})\n"),
};

fn run(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let namespaces = unit.tools.namespaces();
    let program = unit.program();
    let calls = program.calls.iter();
    let calls = calls.filter(|it| !namespaces.claims_call(it.style));
    let calls = calls.filter(|it| it.style == CallStyle::Tool || is_tool_call(unit, it));
    found.extend(calls.filter_map(|it| of_call(it, unit.edition)));
    let references = program.references.iter();
    let references = references.filter(|it| !namespaces.claims(it.namespace));
    found.extend(references.filter_map(|it| of_reference(it, unit.edition)));
}

/// Whether `(ctx/name …)` or `(call "name" …)` is a tool call of an early edition. A prelude may define functions in
/// that namespace, and any program one with that name.
pub(super) fn is_tool_call(unit: &UnitView<'_>, call: &ToolCall) -> bool {
    let has_named = match &call.arguments {
        Arguments::Map { .. } => true,
        Arguments::Pairs(pairs) => pairs.iter().all(|it| it.value.is_some()),
        Arguments::None => call.style == CallStyle::Call,
        Arguments::Positional(_) | Arguments::Dynamic(_) => false,
    };
    has_named || unit.tools.has(&call.name)
}

fn of_call(call: &ToolCall, edition: Edition) -> Option<Diagnostic> {
    let is_early = edition == Edition::V0_4;
    let namespace = edition.tool_namespace();
    let (range, written) = match (call.style, is_early) {
        (CallStyle::Tool, false) | (CallStyle::Context | CallStyle::Call, true) => return None,
        (CallStyle::Tool, true) => (call.head, format!("tool/{}", call.name)),
        (CallStyle::Context, false) => (call.head, format!("ctx/{}", call.name)),
        (CallStyle::Call, false) => (call.callee, format!("call \"{}\"", call.name)),
    };
    Some(diagnose(
        range,
        &written,
        &format!("{namespace}/{}", call.name),
        edition,
    ))
}

fn of_reference(reference: &Reference, edition: Edition) -> Option<Diagnostic> {
    let is_early = edition == Edition::V0_4;
    let (written, right) = match (reference.namespace, is_early) {
        (Namespace::Context, false) => ("ctx", "data"),
        (Namespace::Data, true) => ("data", "ctx"),
        _ => return None,
    };
    let name = &reference.name;
    let (written, right) = (format!("{written}/{name}"), format!("{right}/{name}"));
    Some(diagnose(reference.range, &written, &right, edition))
}

fn diagnose(range: TextRange, written: &str, right: &str, edition: Edition) -> Diagnostic {
    let release = match edition {
        Edition::V0_5_0 => "Release 0.5".to_owned(),
        _ => format!("Edition {edition}"),
    };
    let message = format!("{release} does not know `{written}`; write `{right}`.");
    let edits = vec![TextEdit::replace(range, right)];
    let fix = Fix::safe(format!("Write `{right}`"), edits);
    Diagnostic::new(&RULE, range, message).with_fix(fix)
}
