//! A YAML document from edit to edit.
//!
//! An edit inside the value of a key is followed by reading the lines of that key alone. Everything else
//! has the whole document read again.

use std::sync::Arc;

use crate::{
    host::{
        PlacedUnit, UnitChange,
        object::{self, Literal, Place},
        roles::RolesIn,
        units::{Units, moved},
        yaml::{EXPRESSION, Walk, node::NodeKind, read},
    },
    text::{Text, TextEdit, TextRange, TextSize, size},
};

/// What is kept of a YAML document from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    /// The scalars that can be read alone, in order.
    values: Vec<BlockValue>,
}

/// A scalar that is the value of a key in block style.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockValue {
    /// Its key.
    pub(super) key: TextRange,
    /// Its literal.
    pub(super) literal: TextRange,
    /// Whether the literal takes its last line break in.
    pub(super) ends_line: bool,
    /// Where its key may hold a signature: whether it does.
    pub(super) is_signature: Option<bool>,
}

impl Document {
    /// Reads the whole of `text`.
    pub fn parse(text: &Text, roles: RolesIn<'_>) -> (Self, Vec<PlacedUnit>) {
        let text = text.slice(TextRange::up_to(text.len()));
        let mut walk = Walk::new(&text, roles);
        let reading = read(&text);
        for root in &reading.roots {
            walk.node(root, &Place::Free);
        }
        let mut values = match reading.is_simple {
            true => walk.values,
            false => Vec::new(),
        };
        values.sort_by_key(|value| value.key.start());
        walk.units.sort_by_key(|unit| unit.start);
        (Self { values }, walk.units)
    }

    /// Follows an edit; `None` where all of `text`, the document after it, has to be read again.
    pub fn edit(&mut self, text: &Text, edit: &TextEdit, units: &mut Units) -> Option<UnitChange> {
        let behind = self
            .values
            .partition_point(|value| value.key.start() <= edit.range.start());
        let index = behind.checked_sub(1)?;
        let value = self.values[index];
        let literal = read_alone(text, value, edit)?;
        let change = Change {
            old: value.literal,
            new: literal,
            edit,
        };
        self.values[index].literal = change.new.literal;
        for value in &mut self.values[behind..] {
            value.key = change.moved(value.key);
            value.literal = change.moved(value.literal);
        }
        Some(change.apply(units))
    }
}

/// Reads the value of a key after an edit in it; `None` where it is no longer a value of the same kind.
fn read_alone(text: &Text, value: BlockValue, edit: &TextEdit) -> Option<Literal> {
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
    let is_signature = object::looks_like_signature(&scalar.value);
    if !is_same_key || value.is_signature.is_some_and(|was| was != is_signature) {
        return None;
    }
    let mut literal = scalar.literal.clone();
    literal.literal += line_start;
    literal.content += line_start;
    Some(literal)
}

fn line_start(text: &Text, offset: TextSize) -> TextSize {
    let rope = text.rope();
    let line = rope.byte_to_line(usize::from(offset).min(rope.len_bytes()));
    size(rope.line_to_byte(line))
}

/// Where the first line behind a literal begins that is neither blank nor a comment.
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

/// A literal that became another one.
struct Change<'e> {
    old: TextRange,
    new: Literal,
    edit: &'e TextEdit,
}

impl Change<'_> {
    /// Where a range stands now that contains the literal, or has nothing in common with it.
    fn moved(&self, range: TextRange) -> TextRange {
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

    /// Puts the new literal into the units that hold it.
    fn apply(&self, units: &mut Units) -> UnitChange {
        let holds = |placed: &PlacedUnit| {
            TextRange::at(placed.start, placed.unit.len).contains_range(self.old)
        };
        let all = units.as_slice();
        let before = all.partition_point(|placed| placed.start <= self.old.start());
        let Some(first) = all[..before].iter().position(holds) else {
            return units.replace(before..before, Vec::new(), self.edit);
        };
        let last = all[..before].iter().rposition(holds).unwrap_or(first);
        let new = all[first..=last].iter().map(|placed| match holds(placed) {
            true => self.unit(placed),
            false => placed.clone(),
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
            argument.value = self.moved(argument.value + start) - start;
        }
        PlacedUnit {
            start,
            unit: Arc::new(unit),
        }
    }
}
