//! A parameter that the prompt does not ask for.

use std::collections::HashSet;

use crate::{
    ide::{
        Diagnostic, Fix, Rule, Sample, Severity,
        rules::Check,
        unit::{PromptView, UnitView},
    },
    model::{
        Field,
        placeholders::{Meaning, Use},
    },
    syntax::error::errors,
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

static RULE: Rule = Rule {
    code: "unused-parameter",
    severity: Severity::Hint,
    summary: "Unused parameter",
    explanation: "A parameter without a placeholder does not reach the model through the prompt; programs still \
                  see it. With `output: :text` there is no program, and the reference rejects the agent.",
    wrong: Sample::Prompt {
        signature: "(topic :string, limit :int) -> :int",
        prompt: "About {{topic}}",
    },
    right: Sample::Prompt {
        signature: "(topic :string, limit :int) -> :int",
        prompt: "About {{topic}}, at most {{limit}}",
    },
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mut prompts = unit.prompts().peekable();
    let is_unsure = |prompt: PromptView| prompt.has_holes || !errors(&prompt.root).is_empty();
    if prompts.peek().is_none() || prompts.any(is_unsure) || !unit.knows_all_params() {
        return;
    }
    let Some(signature) = unit.signatures().next() else {
        return;
    };
    let is_misspelt =
        |(_, it): &(_, Use)| matches!(it.meaning, Meaning::Unknown { segment: 0, .. });
    if unit.placeholders().iter().any(is_misspelt) {
        // A name that is misspelt is reported where it is; its parameter is not unused for that.
        return;
    }
    let text_only = unit.is_text_only();
    let params = &signature.lowered.signature.params;
    let normal = |param: &Field| unit.edition.normal_name(&param.name);
    // Of two parameters with one name both are used.
    let used = unit.used_params().filter_map(|it| params.get(it));
    let used: HashSet<String> = used.map(normal).collect();
    let prompt_end = unit.prompts().next().and_then(|it| end_of(&it));
    let unused = params.iter().enumerate();
    for (index, param) in unused.filter(|(_, it)| !used.contains(&normal(it))) {
        if !text_only && is_told_of(unit, &param.name) {
            continue;
        }
        if unit.edition.has_firewall() && param.name.starts_with('_') {
            continue;
        }
        let name = &param.name;
        let message = match text_only {
            true => format!(
                "No placeholder uses `{name}`, which `output: :text` requires; write `{{{{{name}}}}}` in the prompt."
            ),
            false => format!(
                "No placeholder uses `{name}`; write `{{{{{name}}}}}` in the prompt if the model is to see it."
            ),
        };
        let severity = if text_only {
            Severity::Error
        } else {
            Severity::Hint
        };
        let range = param.name_range + signature.start;
        let mut diagnostic = Diagnostic::new(&RULE, range, message);
        diagnostic.severity = severity;
        diagnostic.fixes.extend(prompt_end.map(|end| {
            let edits = vec![TextEdit::insert(end, format!(" {{{{{name}}}}}"))];
            Fix::offered(
                format!("Write `{{{{{name}}}}}` at the end of the prompt"),
                edits,
            )
        }));
        let edits = vec![TextEdit::delete(item(params, index) + signature.start)];
        let remove = Fix::offered(format!("Remove `{name}` from the signature"), edits);
        found.push(diagnostic.with_fix(remove));
    }
}

/// Whether a prompt tells the program to read the parameter itself, as in "look at `data/chunk`".
fn is_told_of(unit: &UnitView<'_>, name: &str) -> bool {
    let namespace = unit.edition.context_namespace();
    let names = [name.to_owned(), name.replace('_', "-")];
    let mut prompts = unit.prompts();
    prompts.any(|prompt| {
        let text = unit.code(prompt.root.text_range() + prompt.start);
        names.iter().any(|name| {
            let named = format!("{namespace}/{name}");
            let mut found = text.match_indices(&named).map(|(at, _)| at + named.len());
            found.any(|end| !text[end..].starts_with(is_of_name))
        })
    })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Where the text of a prompt ends, without white space after it.
fn end_of(prompt: &PromptView) -> Option<TextSize> {
    let last = std::iter::successors(prompt.root.last_token(), |token| token.prev_token());
    let mut ends = last.filter_map(|token| {
        let written = token.text().trim_end();
        let end = token.text_range().start() + TextSize::of(written);
        (!written.is_empty()).then_some(end + prompt.start)
    });
    ends.next()
}

/// The range of a parameter with its comma, in bytes of the signature.
fn item(params: &[Field], index: usize) -> TextRange {
    let whole = |it: &Field| it.name_range.cover(it.ty.range);
    let own = whole(&params[index]);
    match (params.get(index + 1), index.checked_sub(1)) {
        (Some(next), _) => TextRange::new(own.start(), whole(next).start()),
        (None, Some(before)) => TextRange::new(whole(&params[before]).end(), own.end()),
        (None, None) => own,
    }
}
