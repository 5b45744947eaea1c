//! The keys of samples and of `context:`, which follow when parameters become a record or the other way around.

use std::collections::BTreeSet;

use crate::{
    contract::{Direction, Entry, Value, ValueKind},
    host::Notation,
    ide::unit::UnitView,
    text::{TextEdit, TextRange, TextSize, size},
};

/// What is between two entries, apart from names and values.
const PUNCTUATION: &[char] = &['%', '{', '}', ':', '=', '>', ','];

/// The edits after which what each sample has under `record` is beside it; `None` where that cannot be written.
pub(super) fn without_record(view: &UnitView<'_>, record: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for entries in inputs(view) {
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
        if is_block(view, &entry.value) {
            let outer = indentation(view, key_range(view, entry).start())?;
            let inner = indentation(view, key_range(view, first).start())?;
            let range = TextRange::new(key_range(view, first).start(), last.value.range.end());
            for line in lines_after(view, range) {
                edits.push(TextEdit::delete(TextRange::at(
                    line,
                    inner.checked_sub(outer)?,
                )));
            }
        }
    }
    edits.retain(|it| !it.range.is_empty());
    Some(edits)
}

/// The edits after which each sample has all its entries, which are those of `params`, under `record`; `None` where that
/// cannot be written.
pub(super) fn in_record(
    view: &UnitView<'_>,
    params: &BTreeSet<String>,
    record: &str,
) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for entries in inputs(view) {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            continue;
        };
        let is_param = |it: &Entry| {
            let name = it.key.name.as_deref()?;
            params
                .contains(&view.edition.normal_name(name))
                .then_some(())
        };
        entries.iter().try_for_each(is_param)?;
        let range = TextRange::new(key_range(view, first).start(), last.value.range.end());
        let opening = opening(view, first, record)?;
        if !is_block_entry(view, first) {
            edits.push(TextEdit::insert(range.start(), opening));
            edits.push(TextEdit::insert(range.end(), "}"));
            continue;
        }
        let indentation = " ".repeat(usize::from(indentation(view, range.start())?) + 2);
        edits.push(TextEdit::insert(
            range.start(),
            format!("{record}:\n{indentation}"),
        ));
        let lines = lines_after(view, range).into_iter();
        edits.extend(lines.map(|line| TextEdit::insert(line, "  ")));
    }
    Some(edits)
}

/// The entries of the samples of inputs.
fn inputs<'v>(view: &'v UnitView<'_>) -> impl Iterator<Item = &'v [Entry]> {
    let inputs = view
        .samples()
        .iter()
        .filter(|it| it.direction == Direction::Input);
    inputs.filter_map(|it| match &it.value.kind {
        ValueKind::Map(entries) => Some(entries.as_slice()),
        _ => None,
    })
}

fn is_same(view: &UnitView<'_>, one: &str, other: &str) -> bool {
    view.edition.normal_name(one) == view.edition.normal_name(other)
}

/// How a key is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `name:` and the like.
    Plain,
    /// `"name" =>` in Elixir, `"name"` in Lisp.
    Quoted,
}

/// How the key of an entry is written; `None` for forms that are not written anew.
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

/// What opens a record before `first`, in the style of that.
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
    let behind = TextRange::at(range.end(), one);
    match behind.end() <= view.len() && matches!(&*view.code(behind), "\"" | "'") {
        true => range.cover(behind),
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

/// Whether an entry is in a map without braces: then nothing but white space is before it on its line.
fn is_block_entry(view: &UnitView<'_>, entry: &Entry) -> bool {
    view.notation() == Notation::Yaml && indentation(view, key_range(view, entry).start()).is_some()
}

/// The white space before `offset` on its line; `None` where anything else is there.
fn indentation(view: &UnitView<'_>, offset: TextSize) -> Option<TextSize> {
    let before = view.line_before(offset)?;
    before
        .bytes()
        .all(|it| it == b' ')
        .then(|| size(before.len()))
}

/// Where the lines in `range` begin that have text, apart from the first.
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
