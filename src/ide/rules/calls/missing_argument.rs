//! Required arguments that a call leaves out.

use super::{Call, Named};
use crate::{
    contract::{FindingKind, Segment},
    host::{Notation, lisp::Arguments},
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::missing},
    model::Field,
    text::{TextEdit, size},
};

pub(super) static RULE: Rule = Rule {
    code: "missing-argument",
    severity: Severity::Error,
    summary: "Missing argument in a tool call",
    explanation: "A parameter without `?` is required. Without it the reference reports `expected int, got nil`.",
    wrong: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
    right: Sample::Lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

pub(super) fn find(call: &Call<'_>, named: &Named<'_>, found: &mut Vec<Diagnostic>) {
    let is_missing = |kind: &FindingKind| matches!(kind, FindingKind::Missing { .. });
    let missing = named.of_arguments().filter(|it| is_missing(&it.kind));
    let missing = missing.filter_map(|it| match it.path.0.first()? {
        Segment::Field(name) => named.signature.params.iter().find(|it| it.name == *name),
        Segment::Index(_) => None,
    });
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return;
    }
    let example = |it: &&Field| {
        let value = missing::example(&it.ty, Notation::Lisp);
        format!(":{} {value}", call.unit.lisp_name(&it.name))
    };
    let entries: Vec<_> = missing.iter().map(example).collect();
    let entries = entries.join(" ");
    let names: Vec<_> = missing
        .iter()
        .map(|it| format!("`:{}`", call.unit.lisp_name(&it.name)))
        .collect();
    let message = format!(
        "`{}` needs {}; add `{entries}`.",
        call.call.name,
        missing::listed(&names)
    );
    let mut diagnostic = Diagnostic::new(&RULE, call.call.head, message);
    diagnostic.fixes.extend(
        insertion(call, &entries).map(|edit| Fix::offered(format!("Add `{entries}`"), vec![edit])),
    );
    found.push(diagnostic);
}

/// The insertion of `entries` after the arguments that are there.
fn insertion(call: &Call<'_>, entries: &str) -> Option<TextEdit> {
    Some(match &call.call.arguments {
        Arguments::None => TextEdit::insert(call.call.head.end(), format!(" {{{entries}}}")),
        Arguments::Pairs(pairs) => {
            let last = pairs.last()?.value?;
            TextEdit::insert(last.end(), format!(" {entries}"))
        }
        Arguments::Map {
            range,
            entries: given,
            ..
        } => {
            let code = call.unit.code(*range);
            let inner = code.strip_suffix('}')?.trim_end();
            let space = if given.is_empty() { "" } else { " " };
            let end = range.start() + size(inner.len());
            TextEdit::insert(end, format!("{space}{entries}"))
        }
        Arguments::Positional(_) | Arguments::Dynamic(_) => return None,
    })
}
