//! The prompt of an agent that is made elsewhere, and the context of its run.

use super::{
    RULE,
    names::{Given, Unfilled, unfilled},
};
use crate::{
    contract::{Entry, Value, ValueKind},
    ide::{
        Diagnostic, Fix,
        diagnostic::{Elsewhere, Outside},
        rules::values::name_range,
        unit::UnitView,
    },
    model::{Edition, spelling::is_slip},
};
use signature_ls_source::{
    host::flow::Written,
    syntax::kind::SyntaxNode,
    text::{TextEdit, TextRange},
};

/// The maximum number of names of a prompt elsewhere that are reported at one run: thousands of runs may have the same
/// prompt.
const MOST_ELSEWHERE: usize = 16;

/// Compares the context of a run, or the step of `then`, with the prompt of its agent, which is elsewhere and has no
/// signature.
pub(super) fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let agent = unit.flow().agent.as_ref();
    let source = agent.and_then(|it| Some((it.source, unit.flow().sources.get(it.source)?)));
    let Some((index, source)) = source else {
        return;
    };
    let Written::Prompt(text) = &source.written else {
        return;
    };
    let has_own = unit.prompts().next().is_some()
        || unit.argument("prompt").is_some()
        || unit.argument("signature").is_some();
    let value = unit.argument_value("context");
    let context = Context::of(unit, value.as_ref());
    let (Some(context), false) = (context, has_own) else {
        return;
    };
    let root = SyntaxNode::new_root(text.template().clone());
    for unfilled in unfilled(unit.edition, &root, &context.names, MOST_ELSEWHERE) {
        let Some(mut diagnostic) = context.diagnose(&unfilled, unit.edition) else {
            continue;
        };
        diagnostic.elsewhere.push(Elsewhere {
            outside: Outside::Source(index),
            range: unfilled.range,
            message: "The prompt names it here.".to_owned(),
        });
        found.push(diagnostic);
    }
}

/// The context of a run.
struct Context<'a> {
    names: Vec<Given>,
    place: TextRange,
    /// The entries of the map that it is; `None` if it is a step.
    entries: Option<&'a [Entry]>,
}

impl<'a> Context<'a> {
    /// The context of `unit`, which is `value` if it is not a step; `None` if it may have more names.
    fn of(unit: &UnitView<'_>, value: Option<&'a Value>) -> Option<Self> {
        if let Some(step) = &unit.flow().context {
            return Some(Self {
                names: Given::of_record(unit.type_of(step)?)?,
                place: step.range,
                entries: None,
            });
        }
        let value = value?;
        let ValueKind::Map(entries) = &value.kind else {
            return None;
        };
        Some(Self {
            names: Given::of_map(entries)?,
            place: value.range,
            entries: Some(entries),
        })
    }

    /// The diagnostic about a name of the prompt that has no value in it; `None` if the value may be known elsewhere.
    fn diagnose(&self, unfilled: &Unfilled<'_>, edition: Edition) -> Option<Diagnostic> {
        let name = &unfilled.name;
        let entries = match (&unfilled.parent, self.entries) {
            (Some(parent), Some(entries)) => inside(entries, parent, edition)?,
            (_, entries) => entries.unwrap_or_default(),
        };
        let is_near = |it: &&Entry| it.key.name.as_deref().is_some_and(|it| is_slip(it, name));
        if let Some(entry) = entries.iter().find(is_near) {
            let given = entry.key.name.as_deref().unwrap_or_default();
            let message =
                format!("The prompt of the agent has no `{given}`; did you mean `{name}`?");
            let edits = vec![TextEdit::replace(name_range(entry, given), name.clone())];
            let fix = Fix::offered(format!("Write `{name}`"), edits);
            return Some(Diagnostic::new(&RULE, entry.key.range, message).with_fix(fix));
        }
        let path = unfilled.path();
        let instead = match (self.entries, unfilled.near) {
            (Some(_), _) => "add it".to_owned(),
            (None, None) => "return it in the step".to_owned(),
            (None, Some(near)) => format!("write `{near}`, which the step returns"),
        };
        let message = format!(
            "The prompt of the agent needs `{path}`; {instead}, or the model sees `{{{{{path}}}}}`."
        );
        Some(Diagnostic::new(&RULE, self.place, message))
    }
}

/// The entries of the map under `key`.
fn inside<'e>(entries: &'e [Entry], key: &str, edition: Edition) -> Option<&'e [Entry]> {
    let is_meant = |it: &&Entry| {
        let name = it.key.name.as_deref();
        name.is_some_and(|it| edition.is_same_name(it, key))
    };
    match &entries.iter().find(is_meant)?.value.kind {
        ValueKind::Map(entries) => Some(entries),
        _ => None,
    }
}
