//! The value of a key, which is read alone after an edit in it.

use crate::{
    host::{
        PlacedUnit, UnitChange,
        object::Literal,
        roles::KeyRole,
        units::{Units, moved},
        values::yaml as values,
        yaml::{
            EXPRESSION, Reading,
            node::{NodeKind, Scalar},
            read,
        },
    },
    text::{Text, TextEdit, TextRange, TextSize, size},
    value::ValueKind,
};

/// A scalar that is the value of a key in block style.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::host::yaml) struct BlockValue {
    /// Its key.
    pub(in crate::host::yaml) key: TextRange,
    /// Its literal.
    pub(in crate::host::yaml) literal: TextRange,
    /// Whether the literal includes its last line break.
    pub(in crate::host::yaml) ends_line: bool,
    /// Its value.
    pub(in crate::host::yaml) reading: Reading,
}

impl BlockValue {
    /// The value `scalar` of the key at `key` in `text`, which has that role.
    pub(in crate::host::yaml) fn new(
        text: &str,
        key: TextRange,
        scalar: &Scalar,
        role: Option<KeyRole>,
    ) -> Self {
        Self {
            key,
            literal: scalar.literal,
            ends_line: text[scalar.literal].ends_with(['\r', '\n']),
            reading: Reading::of(role, scalar.value(text)),
        }
    }

    /// The same, relative to a place `by` bytes earlier.
    pub(super) fn later(self, by: TextSize) -> Self {
        Self {
            key: self.key + by,
            literal: self.literal + by,
            ..self
        }
    }
}

/// Reads the value of a key after an edit in it; `None` if it is no longer a value of the same kind.
pub(super) fn read_alone(
    text: &Text,
    value: BlockValue,
    edit: &TextEdit,
) -> Option<(Literal, ValueKind)> {
    let written_end = value.literal.end();
    let starts_inside = value.literal.start() <= edit.range.start();
    if !starts_inside || written_end < edit.range.end() {
        return None;
    }
    let line_start = line_start(text, value.key.start());
    let before_key = TextRange::new(line_start, value.key.start());
    if !text
        .slice(before_key)
        .chars()
        .all(|c| matches!(c, ' ' | '-'))
    {
        return None;
    }
    let end = entry_end(text, moved(written_end, edit), value.ends_line)?;
    let mut alone = " ".repeat(before_key.len().into());
    alone.push_str(&text.slice(TextRange::new(value.key.start(), end)));
    if alone.contains('\u{feff}') || alone.contains(EXPRESSION) || has_marker(&alone) {
        return None;
    }

    let reading = read(&alone);
    let [root] = reading.roots.as_slice() else {
        return None;
    };
    let NodeKind::Mapping(entries) = &root.kind else {
        return None;
    };
    let ([entry], true) = (entries.as_slice(), reading.is_simple) else {
        return None;
    };
    let NodeKind::Scalar(scalar) = &entry.value.kind else {
        return None;
    };
    let is_same_key = entry.key_range == value.key - line_start;
    let is_same_reading = Reading::of(value.reading.role, scalar.value(&alone)) == value.reading;
    if !is_same_key || !is_same_reading {
        return None;
    }
    let mut literal = scalar.to_literal();
    literal.literal += line_start;
    literal.content += line_start;
    Some((literal, values::scalar_kind(&entry.value, &alone)))
}

fn line_start(text: &Text, offset: TextSize) -> TextSize {
    let rope = text.rope();
    let line = rope.byte_to_line(usize::from(offset).min(rope.len_bytes()));
    size(rope.line_to_byte(line))
}

/// Where the first line after a literal begins that is neither blank nor a comment.
///
/// `literal_end` is where the literal ended before the edit; if it ended a line it still has to.
fn entry_end(text: &Text, literal_end: TextSize, ends_line: bool) -> Option<TextSize> {
    let rope = text.rope();
    let line = rope.byte_to_line(usize::from(literal_end).min(rope.len_bytes()));
    let is_line_start = rope.line_to_byte(line) == usize::from(literal_end);
    if ends_line != is_line_start {
        return None;
    }
    let next = match is_line_start {
        true => line,
        false => (line + 1).min(rope.len_lines()),
    };
    let mut at = rope.line_to_byte(next);
    for line in rope.lines_at(next) {
        let mut written = line.chars().skip_while(|c| c.is_whitespace());
        if !matches!(written.next(), None | Some('#')) {
            break;
        }
        at += line.len_bytes();
    }
    Some(size(at))
}

/// Whether a line begins like a directive or the border of a document.
fn has_marker(text: &str) -> bool {
    text.split(['\r', '\n']).any(|line| {
        ["---", "...", "%"]
            .iter()
            .any(|marker| line.starts_with(marker))
    })
}

/// A literal that was replaced.
pub(super) struct Change<'e> {
    pub(super) old: TextRange,
    pub(super) new: Literal,
    /// The new value.
    pub(super) kind: ValueKind,
    pub(super) edit: &'e TextEdit,
}

impl Change<'_> {
    /// The new place of a range that contains the literal, or does not overlap it.
    pub(super) fn moved(&self, range: TextRange) -> TextRange {
        if range == self.old {
            return self.new.literal;
        }
        let start = match range.start() < self.old.end() {
            true => range.start(),
            false => moved(range.start(), self.edit),
        };
        let end = match range.end() {
            end if end == self.old.end() => self.new.literal.end(),
            end if end < self.old.end() => end,
            end => moved(end, self.edit),
        };
        TextRange::new(start, end)
    }

    /// Replaces the literal in its units.
    pub(super) fn apply(&self, units: &mut Units) -> UnitChange {
        let holds = |placed: &PlacedUnit| placed.range().contains_range(self.old);
        let all = units.as_slice();
        let before = all.partition_point(|placed| placed.start <= self.old.start());
        let around = units.around(self.old.start());
        let mut around = around.into_iter().filter(|&index| holds(&all[index]));
        let Some(first) = around.next() else {
            return units.replace(before..before, Vec::new(), self.edit);
        };
        let last = around.next_back().unwrap_or(first);
        let new = all[first..=last].iter().map(|placed| match holds(placed) {
            true => self.unit(placed),
            false => placed.with_origins_moved(self.edit),
        });
        let new = new.collect();
        units.replace(first..last + 1, new, self.edit)
    }

    fn unit(&self, placed: &PlacedUnit) -> PlacedUnit {
        let start = placed.start;
        let mut unit = (*placed.unit).clone();
        unit.len = self.moved(TextRange::at(start, unit.len)).len();
        for site in &mut unit.sites {
            if site.literal + start == self.old {
                site.literal = self.new.literal - start;
                site.content = self.new.content - start;
                site.escapes = self.new.escapes;
                site.foreign = self.new.foreign.clone();
            } else {
                site.literal = self.moved(site.literal + start) - start;
                site.content = self.moved(site.content + start) - start;
            }
        }
        for argument in &mut unit.arguments {
            if argument.value.contains_range(self.old - start) {
                argument.map_value(|part| {
                    let range = part.range + start;
                    if range == self.old {
                        part.kind = self.kind.clone();
                    }
                    part.range = self.moved(range) - start;
                });
            }
            argument.map_ranges(|range| self.moved(range + start) - start);
        }
        let flow_range = |range: TextRange| self.moved(range + start) - start;
        if let Some(flow) = unit.flow.get_mut() {
            flow.map_ranges(&flow_range);
        }
        placed.with_origins_moved(self.edit).with_unit(unit)
    }
}
