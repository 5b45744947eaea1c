//! The keys of samples and of `context:`, which change when parameters become a record or the other way around.

use std::collections::BTreeSet;

use crate::{
    contract::{Direction, Entry, Value, ValueKind},
    ide::unit::{Sample, UnitView},
};
use signature_ls_source::{
    host::Notation,
    text::{TextEdit, TextRange, TextSize, size},
};

/// The separator between two entries.
const PUNCTUATION: &[char] = &['%', '{', '}', ':', '=', '>', ','];

/// What describes the inputs, by their names.
const DESCRIPTIONS: &str = "context_descriptions";

/// The edits that remove the entry of `param` from each sample; `None` if that cannot be written.
pub(super) fn without(view: &UnitView<'_>, param: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for map in inputs(view) {
        let entries = entries(&map);
        let is_param = |it: &Entry| {
            let name = it.key.name.as_deref();
            name.is_some_and(|it| is_same(view, it, param))
        };
        let Some(at) = entries.iter().position(is_param) else {
            continue;
        };
        let own = key_range(view, &entries[at]).cover(entries[at].value.range);
        let before = at.checked_sub(1).and_then(|it| entries.get(it));
        let range = match (entries.get(at + 1), before) {
            (Some(next), _) => TextRange::new(own.start(), key_range(view, next).start()),
            (None, Some(before)) => TextRange::new(before.value.range.end(), own.end()),
            (None, None) if is_block(view, &map) => return None,
            (None, None) => in_brackets(view, &map).unwrap_or(own),
        };
        let around = [
            TextRange::new(range.start(), own.start()),
            TextRange::new(own.end(), range.end()),
        ];
        if !around.iter().all(|it| is_punctuation(view, *it)) {
            return None;
        }
        edits.push(TextEdit::delete(range));
    }
    Some(edits)
}

/// The edits that move the fields of `record` in each sample one level up; `None` if that cannot be written.
pub(super) fn without_record(view: &UnitView<'_>, record: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for map in inputs(view) {
        let entries = entries(&map);
        let is_record = |it: &&Entry| {
            it.key
                .name
                .as_deref()
                .is_some_and(|it| is_same(view, it, record))
        };
        let Some(entry) = entries.iter().find(is_record) else {
            continue;
        };
        let ValueKind::Map(inside) = &entry.value.kind else {
            return None;
        };
        let (first, last) = (inside.first()?, inside.last()?);
        if style(view, first)? != style(view, entry)? {
            return None;
        }
        let begin = TextRange::new(key_range(view, entry).end(), key_range(view, first).start());
        let end = TextRange::new(last.value.range.end(), entry.value.range.end());
        if ![begin, end].iter().all(|it| is_punctuation(view, *it)) {
            return None;
        }
        edits.push(TextEdit::delete(begin.cover(key_range(view, entry))));
        edits.push(TextEdit::delete(end));
        let outer = indentation(view, key_range(view, entry).start());
        let inner = indentation(view, key_range(view, first).start());
        if let (Some(outer), Some(inner)) = (outer, inner)
            && is_laid_out(view)
        {
            let range = TextRange::new(key_range(view, first).start(), last.value.range.end());
            for line in lines_after(view, range) {
                let surplus = TextRange::at(line, inner.checked_sub(outer)?);
                edits.push(TextEdit::delete(surplus));
            }
        }
    }
    edits.retain(|it| !it.range.is_empty());
    Some(edits)
}

/// The edits that move all entries of each sample, those of `params`, into `record`; `None` if that cannot be written.
pub(super) fn in_record(
    view: &UnitView<'_>,
    params: &BTreeSet<String>,
    record: &str,
) -> Option<Vec<TextEdit>> {
    // The library reads no descriptions of fields in them.
    if view.argument_value(DESCRIPTIONS).is_some() {
        return None;
    }
    let mut edits = Vec::new();
    for map in inputs(view) {
        let entries = entries(&map);
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            continue;
        };
        if is_whole_example(view, &map) {
            return None;
        }
        let is_param = |it: &Entry| {
            let name = it.key.name.as_deref()?;
            params
                .contains(&view.edition.normal_name(name))
                .then_some(())
        };
        entries.iter().try_for_each(is_param)?;
        let range = TextRange::new(key_range(view, first).start(), last.value.range.end());
        let opening = opening(view, first, record)?;
        let column = indentation(view, range.start()).filter(|_| is_laid_out(view));
        let Some(column) = column.map(usize::from) else {
            edits.push(TextEdit::insert(range.start(), opening));
            edits.push(TextEdit::insert(range.end(), "}"));
            continue;
        };
        let is_block = is_block(view, &map);
        let opening = match is_block {
            true => opening.trim_end_matches([' ', '{']),
            false => opening.as_str(),
        };
        let begin = format!("{opening}\n{}", " ".repeat(column + 2));
        edits.push(TextEdit::insert(range.start(), begin));
        let lines = lines_after(view, range).into_iter();
        edits.extend(lines.map(|line| TextEdit::insert(line, "  ")));
        if !is_block {
            edits.push(TextEdit::insert(
                range.end(),
                format!("\n{}}}", " ".repeat(column)),
            ));
        }
    }
    Some(edits)
}

/// The samples of inputs and their descriptions, with ranges in bytes from the unit's start.
fn inputs(view: &UnitView<'_>) -> impl Iterator<Item = Value> {
    let inputs = view.samples().filter(|it| it.direction == Direction::Input);
    let inputs = inputs.map(Sample::placed);
    inputs.chain(view.argument_value(DESCRIPTIONS))
}

/// The entries of a map; none for other values.
fn entries(value: &Value) -> &[Entry] {
    match &value.kind {
        ValueKind::Map(entries) => entries,
        _ => &[],
    }
}

fn is_same(view: &UnitView<'_>, one: &str, other: &str) -> bool {
    view.edition.normal_name(one) == view.edition.normal_name(other)
}

/// The notation of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `name:` and the like.
    Plain,
    /// `"name" =>` in Elixir, `"name"` in Lisp.
    Quoted,
}

/// The notation of the key of an entry; `None` for forms that are not supported.
fn style(view: &UnitView<'_>, entry: &Entry) -> Option<Style> {
    let key = view.code(key_range(view, entry));
    let between = TextRange::new(key_range(view, entry).end(), entry.value.range.start());
    let has_arrow = view.code(between).contains("=>");
    match (view.notation(), key.starts_with('"'), has_arrow) {
        (Notation::Elixir, is_quoted, true) => is_quoted.then_some(Style::Quoted),
        (Notation::Elixir, is_quoted, false) => (!is_quoted).then_some(Style::Plain),
        (Notation::Lisp, is_quoted, _) if is_quoted => Some(Style::Quoted),
        _ => Some(Style::Plain),
    }
}

/// The start of a record before `first`, in the style of that.
fn opening(view: &UnitView<'_>, first: &Entry, record: &str) -> Option<String> {
    Some(match (view.notation(), style(view, first)?) {
        (Notation::Elixir, Style::Plain) => format!("{record}: %{{"),
        (Notation::Elixir, Style::Quoted) => format!("\"{record}\" => %{{"),
        (Notation::Lisp, Style::Plain) => format!(":{record} {{"),
        (Notation::Lisp, Style::Quoted) => format!("\"{record}\" {{"),
        (Notation::Json, _) => format!("\"{record}\": {{"),
        (Notation::Yaml, _) => format!("{record}: {{"),
    })
}

/// The key of an entry with its quotes and the colon before it.
fn key_range(view: &UnitView<'_>, entry: &Entry) -> TextRange {
    let mut range = entry.key.range;
    let is_mark = |range| matches!(&*view.code(range), "\"" | "'" | ":");
    let one = TextSize::of('"');
    for _ in 0..2 {
        let before = range
            .start()
            .checked_sub(one)
            .map(|it| TextRange::at(it, one));
        if let Some(before) = before.filter(|it| is_mark(*it)) {
            range = range.cover(before);
        }
    }
    let following = TextRange::at(range.end(), one);
    match following.end() <= view.len() && matches!(&*view.code(following), "\"" | "'") {
        true => range.cover(following),
        false => range,
    }
}

fn is_punctuation(view: &UnitView<'_>, range: TextRange) -> bool {
    let code = view.code(range);
    code.chars()
        .all(|c| c.is_whitespace() || PUNCTUATION.contains(&c))
}

/// Whether a map is written without braces.
fn is_block(view: &UnitView<'_>, map: &Value) -> bool {
    view.notation() == Notation::Yaml && !view.code(map.range).starts_with('{')
}

/// What is between the brackets of a map.
fn in_brackets(view: &UnitView<'_>, map: &Value) -> Option<TextRange> {
    let code = view.code(map.range);
    let inside = code.strip_suffix(['}', ']'])?;
    let open = inside.find(['{', '['])? + 1;
    let start = map.range.start();
    Some(TextRange::new(
        start + size(open),
        start + size(inside.len()),
    ))
}

/// Whether a map is all of an example, in which a key `input` would have a special meaning.
fn is_whole_example(view: &UnitView<'_>, map: &Value) -> bool {
    let examples = view.argument_value("examples").map(|it| it.range);
    let Some(examples) = examples.filter(|it| it.contains_range(map.range)) else {
        return false;
    };
    let before = view.code(TextRange::new(examples.start(), map.range.start()));
    let key = before.trim_end().trim_end_matches(['"', '\'', ':']);
    !key.ends_with("input")
}

/// Whether lines can be moved without changing the values of strings.
fn is_laid_out(view: &UnitView<'_>) -> bool {
    matches!(view.notation(), Notation::Json | Notation::Yaml)
}

/// The column of `offset`, if only white space and the mark of an item precede it on its line.
fn indentation(view: &UnitView<'_>, offset: TextSize) -> Option<TextSize> {
    let before = view.line_before(offset)?;
    let is_margin = |it: u8| it == b' ' || (it == b'-' && view.notation() == Notation::Yaml);
    before.bytes().all(is_margin).then(|| size(before.len()))
}

/// The starts of the lines in `range` with text, except for the first.
fn lines_after(view: &UnitView<'_>, range: TextRange) -> Vec<TextSize> {
    let code = view.code(range);
    let mut at = range.start();
    let mut lines = Vec::new();
    for line in code.split_inclusive('\n') {
        if at > range.start() && !line.trim().is_empty() {
            lines.push(at);
        }
        at += TextSize::of(line);
    }
    lines
}
