//! Missing required arguments of a call.

use super::{Call, Named};
use foldhash::HashSet;

use crate::{
    contract::{Finding, MOST_MISSING, Segment},
    ide::{Diagnostic, Fix, Rule, Sample, Severity, rules::missing},
};
use signature_ls_source::{
    host::lisp::Arguments,
    text::{TextEdit, TextRange, size},
};

pub(super) static RULE: Rule = Rule {
    code: "missing-argument",
    severity: Severity::Error,
    summary: "Missing argument in a tool call",
    explanation: "A parameter without `?` is required: a call without it does not fit the signature that the model sees. The \
                  reference calls the function all the same; only from release 0.13 on does it reject such calls of \
                  private tools. A tool without a signature needs the keys that its function matches, if the function \
                  has a single clause.",
    wrong: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\"})\n",
    ),
    right: Sample::lisp(
        "{:tools {\"search\" \"(query :string, limit :int) -> [:any]\"}}\n\n(tool/search {:query \"budget\" :limit 10})\n",
    ),
};

pub(super) fn find(call: &Call<'_>, named: &Named<'_>, found: &mut Vec<Diagnostic>) {
    // A signature may have two parameters of one name.
    let mut seen = HashSet::default();
    let missing = named.missing().filter(|it| seen.insert(&*it.path.0));
    let (of_call, of_values): (Vec<&Finding>, Vec<_>) =
        missing.partition(|it| it.path.0.len() == 1);
    let missing = of_call.iter().filter_map(|it| match it.path.0.first()? {
        Segment::Field(name) => named.signature.params.iter().find(|it| it.name == *name),
        Segment::Index(_) => None,
    });
    let missing: Vec<_> = missing.collect();
    // The calls will be updated when the signature is complete.
    if missing.is_empty() || named.gap.is_unfinished() {
        return;
    }
    let style = missing::Style::of_arguments(call.unit);
    let entries: Vec<_> = missing.iter().map(|it| style.entry(it)).collect();
    let entries = entries.join(" ");
    let names = missing
        .iter()
        .map(|it| format!("`:{}`", call.unit.lisp_name(&it.name)));
    let in_values = of_values.iter().map(|it| format!("`{}`", it.path));
    let names: Vec<_> = names.chain(in_values).collect();
    let fields = of_call.iter().chain(&of_values);
    let count = fields.map(|it| it.missing_fields()).sum();
    let listed = missing::listed_first(&names, count);
    let are_few = count == names.len() && entries.len() <= missing::LONGEST_SHOWN;
    let are_shown = of_values.is_empty() && are_few;
    let (add, title) = match are_shown {
        true => (format!("`{entries}`"), format!("Add `{entries}`")),
        false => ("them".to_owned(), format!("Add {listed}")),
    };
    let checked = named.checked(call.unit);
    let misspelled = checked.misspelling(&of_call);
    let advice = match &misspelled {
        Some(it) => it.question(),
        None => format!("add {add}."),
    };
    let is_misspelled = |key: &TextRange| {
        let it = misspelled.as_ref();
        it.is_some_and(|it| key.contains_range(it.key))
    };
    let mut keys = named.arguments.iter().map(|it| it.key);
    let range = keys.find(is_misspelled).unwrap_or(call.call.head);
    let message = format!("`{}` needs {listed}; {advice}", call.call.name);
    let mut diagnostic = Diagnostic::new(&RULE, range, message);
    diagnostic.fixes.extend(misspelled.map(|it| it.fix));
    let in_values = checked.insertions(&of_values);
    let in_call = insertion(call, &entries).filter(|_| count <= MOST_MISSING);
    let edits = in_call.zip(in_values);
    diagnostic.fixes.extend(edits.map(|(edit, mut edits)| {
        edits.push(edit);
        Fix::offered(title, edits)
    }));
    found.push(diagnostic);
}

/// The insertion of `entries` after the existing arguments.
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
