//! Parameters that the prompt does not use: one diagnostic for all of them.

mod tag;
#[cfg(test)]
mod tests;

pub(super) use tag::Tag;

use std::sync::Arc;

use foldhash::HashSet;

use crate::{
    contract::{Direction, ValueKind},
    ide::{
        Diagnostic, Fix, Related, Rule, Sample, Severity,
        fragment::in_parens,
        rules::{Check, answer, missing::listed},
        unit::{PromptView, SignatureView, UnitView},
    },
    model::{
        Field,
        listed::may_list,
        placeholders::{Meaning, Use},
    },
};
use signature_ls_source::{
    syntax::template::ast::paths,
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const CHECK: Check = Check {
    rules: &[&RULE],
    run: check,
};

pub(super) static RULE: Rule = Rule {
    code: "unused-parameter",
    severity: Severity::Hint,
    summary: "Unused parameter",
    explanation: "A parameter without a placeholder does not reach the model through the prompt; programs still \
                  see it. With `output: :text` and in an LLM tool there is no program, and the reference raises; also at a \
                  parameter that is hidden because of its `_`.",
    wrong: Sample::prompt("(topic :string, limit :int) -> :int", "About {{topic}}"),
    right: Sample::prompt(
        "(topic :string, limit :int) -> :int",
        "About {{topic}}, at most {{limit}}",
    ),
};

fn check(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let mut prompts = unit.prompts().peekable();
    let is_unsure = |prompt: PromptView| prompt.has_holes || prompt.has_errors;
    if prompts.peek().is_none() || prompts.any(is_unsure) || !unit.knows_all_params() {
        return;
    }
    let Some(signature) = unit.signatures().next() else {
        return;
    };
    let is_misspelt =
        |(_, it): &(_, Arc<Use>)| matches!(it.meaning, Meaning::Unknown { segment: 0, .. });
    if unit.placeholders().iter().any(is_misspelt) {
        // A misspelled name is reported in the prompt; its parameter is not unused.
        return;
    }
    let mut text_mode = unit.text_mode().filter(|_| !answer::is_compared(unit));
    let params = &signature.lowered.signature.params;
    let mut is_used = vec![false; params.len()];
    for index in unit.used_params() {
        if let Some(used) = is_used.get_mut(index) {
            *used = true;
        }
    }
    if !is_used.contains(&false) {
        return;
    }
    let normal = |param: &Field| unit.edition.normal_name(&param.name);
    // Of two parameters with one name, both count as used.
    let used = params.iter().zip(&is_used).filter(|(_, is_used)| **is_used);
    let used: HashSet<String> = used.map(|(it, _)| normal(it)).collect();
    let is_hidden = |it: &Field| unit.edition.has_firewall() && it.name.starts_with('_');
    let unused = params.iter().enumerate();
    let unused = unused.filter(|(_, it)| !used.contains(&normal(it)));
    let (mut hidden, mut unused): (Vec<_>, Vec<_>) = unused.partition(|(_, it)| is_hidden(it));
    if text_mode.is_none() {
        hidden.clear();
    }
    if unused.is_empty() && hidden.is_empty() {
        return;
    }
    // The whole prompt is searched.
    let mentioned = mentioned(unit);
    unused.retain(|(_, it)| !mentioned.contains(&normal(it)));
    if let Some(mode) = text_mode {
        let named = named(unit);
        let is_named = |it: &Field| named.contains(&normal(it));
        hidden.retain(|(_, it)| !is_named(it));
        found.extend(about_hidden(unit, &signature, &hidden, mode));
        text_mode = text_mode.filter(|_| unused.iter().any(|(_, it)| !is_named(it)));
        unused.retain(|(_, it)| text_mode.is_none() || !is_named(it));
    }
    found.extend(about_shown(unit, &signature, &unused, text_mode));
}

/// The diagnostic about `unused` parameters, which `text_mode` requires.
fn about_shown(
    unit: &UnitView<'_>,
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
    text_mode: Option<&str>,
) -> Option<Diagnostic> {
    let tags = Tag::of_all(unit, unused);
    let mut diagnostic = at_names(signature, unused, message(unused, &tags, text_mode))?;
    if text_mode.is_some() {
        diagnostic.severity = Severity::Error;
    }
    let prompt = unit.prompts().next();
    let end = prompt.and_then(|it| Some((it.start, end_of(&it)?)));
    let written: Option<Vec<_>> = tags.iter().map(|it| it.written.as_deref()).collect();
    diagnostic
        .fixes
        .extend(end.zip(written).map(|((start, end), written)| {
            let margin = unit.line_before(start);
            let margin = margin.filter(|it| it.trim_start_matches(MARGIN).is_empty());
            let text = TextRange::new(start, end);
            let before = separator(margin.as_deref(), &unit.code(text));
            let edits = vec![TextEdit::insert(end, before + &written.join(" "))];
            let effect = match tags.iter().any(Tag::is_section) {
                true => unit.effect_of_section(start),
                false => "",
            };
            let title = format!(
                "Write {} at the end of the prompt{effect}",
                listed_tags(&tags)
            );
            Fix::offered(title, edits)
        }));
    diagnostic.fixes.extend(removal(unit, signature, unused));
    Some(diagnostic)
}

/// The diagnostic about `unused` parameters that are hidden from models although `text_mode` requires them.
fn about_hidden(
    unit: &UnitView<'_>,
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
    text_mode: &str,
) -> Option<Diagnostic> {
    let (names, is, them) = match unused {
        [_] => (names_of(unused), "is", "it"),
        _ => (names_of(unused), "are", "them"),
    };
    let message = format!(
        "{names} {is} hidden from models, but {text_mode} requires a placeholder for each parameter; remove {them}."
    );
    let mut diagnostic = at_names(signature, unused, message)?;
    diagnostic.severity = Severity::Error;
    diagnostic.fixes.extend(removal(unit, signature, unused));
    Some(diagnostic)
}

/// A diagnostic with `message` at the first of the `unused` parameters.
fn at_names(
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
    message: String,
) -> Option<Diagnostic> {
    let ((_, first), others) = unused.split_first()?;
    let mut diagnostic = Diagnostic::new(&RULE, first.name_range + signature.start, message);
    diagnostic
        .related
        .extend(others.iter().map(|(_, it)| Related {
            range: it.name_range + signature.start,
            message: format!("`{}` is not used either.", it.name),
        }));
    Some(diagnostic)
}

/// The fix that removes the `unused` parameters. The values of samples would be left over; the refactoring removes them,
/// too.
fn removal(
    unit: &UnitView<'_>,
    signature: &SignatureView<'_>,
    unused: &[(usize, &Field)],
) -> Option<Fix> {
    if are_sampled(unit, unused) {
        return None;
    }
    let params = &signature.lowered.signature.params;
    let end = params.last()?.end();
    let parens = in_parens(&signature.root()).filter(|it| end <= it.end());
    // A parenthesis on a line of its own stays there.
    let is_last = |it: &TextRange| {
        let rest = TextRange::new(end, it.end()) + signature.start;
        unused.len() < params.len() && unit.code(rest).trim().is_empty()
    };
    let parens = parens.filter(|it| !is_last(it));
    let ranges = items(params, unused, parens).into_iter();
    let edits = ranges.map(|it| TextEdit::delete(it + signature.start));
    let title = format!("Remove {} from the signature", names_of(unused));
    Some(Fix::offered(title, edits.collect()))
}

/// Whether a sample has a value for one of the parameters, or something describes one.
fn are_sampled(unit: &UnitView<'_>, params: &[(usize, &Field)]) -> bool {
    let normal = |name: &str| unit.edition.normal_name(name);
    let names: HashSet<String> = params.iter().map(|(_, it)| normal(&it.name)).collect();
    let inputs = unit.samples().filter(|it| it.direction == Direction::Input);
    let inputs = inputs.map(|it| &it.value.kind);
    let described = unit.argument_kind("context_descriptions");
    let maps = inputs.chain(described).filter_map(|it| match it {
        ValueKind::Map(entries) => Some(entries),
        _ => None,
    });
    let mut keys = maps.flatten().filter_map(|it| it.key.name.as_deref());
    keys.any(|it| names.contains(&normal(it)))
}

/// The message about `unused` parameters, which `text_mode` requires and `tags` would show.
pub(super) fn message(unused: &[(usize, &Field)], tags: &[Tag], text_mode: Option<&str>) -> String {
    let (names, tags) = (names_of(unused), listed_tags(tags));
    let them = if unused.len() == 1 { "it" } else { "them" };
    match text_mode {
        Some(mode) => format!(
            "No placeholder uses {names}, which {mode} requires; write {tags} in the prompt."
        ),
        None => format!(
            "No placeholder uses {names}; write {tags} in the prompt if the model is to see {them}."
        ),
    }
}

fn names_of(unused: &[(usize, &Field)]) -> String {
    let names = unused.iter().map(|(_, it)| format!("`{}`", it.name));
    listed(&names.collect::<Vec<_>>())
}

fn listed_tags(tags: &[Tag]) -> String {
    let tags = tags.iter().map(|it| format!("`{}`", it.shown));
    listed(&tags.collect::<Vec<_>>())
}

/// The parameters that a prompt tells the program to read itself, as in "look at `data/chunk`".
fn mentioned(unit: &UnitView<'_>) -> HashSet<String> {
    let mentioned = unit
        .prompts()
        .flat_map(|it| unit.mentioned_in(it.root.text_range() + it.start));
    mentioned
        .map(|(_, name)| unit.edition.normal_name(&name))
        .collect()
}

/// The names in tags. When the output is text, the reference takes each for a use of the parameter with that name, also in
/// a section whose elements have it.
pub(super) fn named(unit: &UnitView<'_>) -> HashSet<String> {
    let paths = unit.prompts().flat_map(|it| paths(&it.root));
    let names = paths.filter_map(|it| it.segments().next());
    names
        .map(|it| unit.edition.normal_name(it.text()))
        .collect()
}

/// Where the text of a prompt ends, without white space.
fn end_of(prompt: &PromptView) -> Option<TextSize> {
    let last = std::iter::successors(prompt.root.last_token(), |token| token.prev_token());
    let mut ends = last.filter_map(|token| {
        let written = token.text().trim_end();
        let end = token.text_range().start() + TextSize::of(written);
        (!written.is_empty()).then_some(end + prompt.start)
    });
    ends.next()
}

/// What separates a placeholder from `text`, the prompt before it: a blank line if more would change the last paragraph,
/// because that is no prose. `margin` is that of the first line, if it does not begin beside a quote.
fn separator(margin: Option<&str>, text: &str) -> String {
    let is_blank = |it: &&str| it.trim_start_matches(MARGIN).is_empty();
    let lines = text.rsplit('\n').take_while(|it| !is_blank(it));
    let lines: Vec<_> = lines.collect();
    let written = lines.iter().flat_map(|it| it.rsplit("\\n"));
    if !written.take_while(|it| !is_blank(it)).any(is_marked) {
        return " ".to_owned();
    }
    let is_first = lines.len() > text.matches('\n').count();
    let margin_of = |it: &&str| it[..it.len() - it.trim_start_matches(MARGIN).len()].to_owned();
    let own = lines
        .iter()
        .rev()
        .skip(usize::from(is_first))
        .map(margin_of);
    let first = lines.last().filter(|_| is_first).zip(margin);
    let first = first.map(|(line, before)| before.to_owned() + &margin_of(line));
    let margin = own.chain(first).min_by_key(String::len).unwrap_or_default();
    format!("\n\n{margin}")
}

/// What may precede the text of each line.
const MARGIN: [char; 4] = [' ', '\t', '\r', '>'];

/// Whether `line` may be one of a list, a table, a heading, a fence, or a listing of a tool.
fn is_marked(line: &str) -> bool {
    let line = line.trim_start_matches(MARGIN);
    let after_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['#', '-', '=', '*', '+', '|', '`', '~'])
        || after_digits.starts_with([')', '.'])
        || may_list(line)
}

/// The ranges of parameters with their commas, in bytes of the signature. The last one goes on to the end of `parens`, and
/// all of them are all that is in there. Neighbors share one.
fn items(
    params: &[Field],
    unused: &[(usize, &Field)],
    parens: Option<TextRange>,
) -> Vec<TextRange> {
    let runs = unused.chunk_by(|(a, _), (b, _)| a + 1 == *b);
    let of_run = |run: &[(usize, &Field)]| {
        let ((first, own), (last, _)) = (run.first()?, run.last()?);
        let is_last = last + 1 == params.len();
        let end = params.get(*last)?.end();
        let parens = parens.filter(|_| is_last);
        let end = parens.map_or(end, TextRange::end);
        let (next, before) = (params.get(last + 1), first.checked_sub(1));
        Some(match (next, before.and_then(|it| params.get(it))) {
            (Some(next), _) => TextRange::new(own.name_range.start(), next.name_range.start()),
            (None, Some(before)) => TextRange::new(before.end(), end),
            (None, None) => {
                TextRange::new(parens.map_or(own.name_range.start(), TextRange::start), end)
            }
        })
    };
    runs.filter_map(of_run).collect()
}
