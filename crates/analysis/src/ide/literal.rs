//! Converts edits in literals to the notation of their host.
//!
//! A rule proposes the value of a literal. Here its edits get the escapes of the host, and a fix is dropped if the
//! host would read another value: in a literal that is not closed, or whose end is uncertain.

use std::cell::OnceCell;

use crate::ide::{Diagnostic, Fix, unit::Input};
use signature_ls_source::{
    host::{Notation, Unit},
    order,
    syntax::fragment::Escapes,
    text::{Text, TextEdit, TextRange, TextSize, size},
};

/// The longest plain scalar over several lines that a fix changes: each fix reads all of it.
const LONGEST_FOLDED: usize = 16 * 1024;

/// Converts the fixes of a unit to the notation of its literals.
pub(crate) fn fit(diagnostics: &mut [Diagnostic], input: Input<'_>) {
    if diagnostics.iter().all(|it| it.fixes.is_empty()) {
        return;
    }
    let Input {
        unit, text, start, ..
    } = input;
    let literals = Literals::of(unit, text, start, start + unit.len);
    for diagnostic in diagnostics {
        let fixes = std::mem::take(&mut diagnostic.fixes);
        let fitting = fixes.into_iter().filter_map(|fix| literals.fit(fix));
        diagnostic.fixes = fitting.collect();
    }
}

/// Whether the literals of a unit that contain one of `edits`, in bytes of the document, certainly end where they seem
/// to, given the whole document.
pub(super) fn have_certain_ends(
    unit: &Unit,
    text: &Text,
    start: TextSize,
    edits: &[TextEdit],
) -> bool {
    let literals = Literals::of(unit, text, start, text.len());
    let is_changed = |literal: &&Literal| {
        let content = literal.content + start;
        edits.iter().any(|edit| content.contains_range(edit.range))
    };
    let mut changed = literals.list.iter().filter(is_changed);
    changed.all(|literal| literals.has_certain_end(literal))
}

/// The literals of a unit that fixes can change.
struct Literals<'a> {
    /// In the order of the text.
    list: Vec<Literal>,
    text: &'a Text,
    notation: Notation,
    /// The start of the unit.
    start: TextSize,
    /// The range of the text that is considered.
    end: TextSize,
}

struct Literal {
    /// Including its delimiters, in bytes from the unit's start.
    whole: TextRange,
    content: TextRange,
    escapes: Escapes,
    /// Read once for all fixes: there may be many, in a long literal.
    has_certain_end: OnceCell<bool>,
}

impl<'a> Literals<'a> {
    fn of(unit: &Unit, text: &'a Text, start: TextSize, end: TextSize) -> Self {
        let sites = unit.sites.iter().map(|site| Literal {
            whole: site.literal,
            content: site.content,
            escapes: site.escapes,
            has_certain_end: OnceCell::new(),
        });
        let mut literals = Self {
            list: sites.collect(),
            text,
            notation: unit.notation,
            start,
            end,
        };
        let program = unit.program_literal().map(|it| {
            let (margin, quotes) = literals.quotes_after(it.content.end());
            let end = it.content.end() + margin + quotes;
            Literal {
                whole: TextRange::new(it.content.start() - quotes, end),
                content: it.content,
                escapes: it.escapes,
                has_certain_end: OnceCell::new(),
            }
        });
        literals.list.extend(program);
        order::by_start(&mut literals.list, |it| it.content.start());
        literals
    }

    /// The index of the literal that holds `range`.
    fn around(&self, range: TextRange) -> Option<usize> {
        let begins_before = |it: &Literal| it.content.start() <= range.start();
        let before = &self.list[..self.list.partition_point(begins_before)];
        before
            .iter()
            .rposition(|it| it.content.contains_range(range))
    }

    /// The lengths of the margin before the delimiter after `offset`, and of the delimiter.
    fn quotes_after(&self, offset: TextSize) -> (TextSize, TextSize) {
        let following = self.line_after(offset);
        let quotes = following.trim_start_matches([' ', '\t']);
        if quotes.starts_with("\"\"\"") || quotes.starts_with("'''") {
            let margin = TextSize::of(following.as_str()) - TextSize::of(quotes);
            return (margin, 3.into());
        }
        let quote = following.chars().next();
        (0.into(), quote.map_or(0.into(), TextSize::of))
    }

    fn slice(&self, range: TextRange) -> String {
        self.text.slice(range + self.start).into_owned()
    }

    fn fit(&self, mut fix: Fix) -> Option<Fix> {
        let mut edits = Vec::with_capacity(fix.edits.len());
        let mut within: Vec<(usize, Vec<TextEdit>)> = Vec::new();
        for edit in std::mem::take(&mut fix.edits) {
            match self.around(edit.range) {
                None => edits.push(edit),
                Some(index) => match within.iter_mut().find(|(it, _)| *it == index) {
                    Some((_, edits)) => edits.push(edit),
                    None => within.push((index, vec![edit])),
                },
            }
        }
        for (index, inside) in within {
            edits.extend(self.fit_inside(&self.list[index], inside)?);
        }
        order::by_start(&mut edits, |edit| edit.range.start());
        fix.edits = edits;
        Some(fix)
    }

    fn fit_inside(&self, literal: &Literal, edits: Vec<TextEdit>) -> Option<Vec<TextEdit>> {
        if !self.has_certain_end(literal) {
            return None;
        }
        if let Escapes::Plain { in_flow } = literal.escapes {
            return self.fit_plain(literal, edits, in_flow);
        }
        let closing = self.slice(TextRange::new(literal.content.end(), literal.whole.end()));
        let closing = closing.trim_start();
        let takes_lines = edits.iter().any(|it| it.insert.contains('\n'))
            && (literal.whole.start() == literal.content.start()
                || self.slice(literal.content).contains('\n'));
        let escaped = edits.into_iter().map(|edit| {
            let insert = escaped(&edit.insert, literal.escapes, closing, takes_lines)?;
            let edit = TextEdit { insert, ..edit };
            (!self.interpolates(literal, &edit)).then_some(edit)
        });
        escaped.collect()
    }

    /// Whether `edit` inserts a brace after a `#` in Elixir, which begins code.
    fn interpolates(&self, literal: &Literal, edit: &TextEdit) -> bool {
        if self.notation != Notation::Elixir || literal.escapes != Escapes::Backslash {
            return false;
        }
        let rope = self.text.rope();
        let byte = |at: TextSize| rope.get_byte((at + self.start).into());
        let before = edit.range.start().checked_sub(1.into());
        let before = before.and_then(byte) == Some(b'#');
        let following = byte(edit.range.end()) == Some(b'{');
        let insert = &edit.insert;
        insert.contains("#{")
            || before && insert.starts_with('{')
            || following && insert.ends_with('#')
            || before && following && insert.is_empty()
    }

    /// Quotes a plain scalar that would not be one any more. Over several lines, it has to stay one in the same lines.
    fn fit_plain(
        &self,
        literal: &Literal,
        mut edits: Vec<TextEdit>,
        in_flow: bool,
    ) -> Option<Vec<TextEdit>> {
        let written = self.slice(literal.content);
        let is_folded = written.contains(['\n', '\r']);
        if is_folded && written.len() > LONGEST_FOLDED {
            return None;
        }
        let mut content = written.clone();
        order::by_start(&mut edits, |edit| edit.range.start());
        for edit in edits.iter().rev() {
            let range = edit.range - literal.content.start();
            TextEdit::replace(range, edit.insert.as_str()).apply(&mut content);
        }
        if is_folded {
            let keeps_lines = starts_of_lines(&content).eq(starts_of_lines(&written));
            return (keeps_lines && is_folded_plain(&content, in_flow)).then_some(edits);
        }
        if is_plain(&content, in_flow) {
            return Some(edits);
        }
        Some(vec![TextEdit::replace(literal.whole, quoted(&content)?)])
    }

    /// Whether the literal certainly ends where it seems to in the host.
    fn has_certain_end(&self, literal: &Literal) -> bool {
        let read = || self.reads_certain_end(literal);
        *literal.has_certain_end.get_or_init(read)
    }

    fn reads_certain_end(&self, literal: &Literal) -> bool {
        let following = self.line_after(literal.whole.end());
        match literal.escapes {
            // A flow collection ends with its bracket.
            Escapes::Plain { .. } if self.slice(literal.content).starts_with(['[', '{']) => true,
            Escapes::Plain { in_flow } => ends_plain(&following, in_flow),
            Escapes::DoubledApostrophe => literal.content.end() < literal.whole.end(),
            Escapes::Backslash | Escapes::DoubleQuoted => {
                literal.content.end() < literal.whole.end()
                    && !is_torn(&self.slice(literal.whole), &following)
            }
            Escapes::None | Escapes::Folded => {
                let opening = TextRange::new(literal.whole.start(), literal.content.start());
                let is_closed = literal.content.end() < literal.whole.end();
                is_closed || opening.is_empty() || self.slice(opening).starts_with(['|', '>'])
            }
        }
    }

    /// The text after `offset` on its line, or its start if it is long, within the unit: a unit is not analyzed again
    /// when others change.
    fn line_after(&self, offset: TextSize) -> String {
        const LONGEST: TextSize = TextSize::new(1024);
        let (start, rope) = (offset + self.start, self.text.rope());
        let line = self.text.line_range(start);
        let end = line.end().min(self.end).min(start + LONGEST);
        let end = rope.char_to_byte(rope.byte_to_char(end.into()));
        let range = TextRange::new(start, size(end).max(start));
        self.text.slice(range).into_owned()
    }
}

/// Whether a plain scalar ends before `rest`, the rest of its line.
fn ends_plain(rest: &str, in_flow: bool) -> bool {
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with('#') || in_flow && rest.starts_with([',', ']', '}'])
}

/// Whether `string`, which spans several lines, contains code because a quote is missing: then it ends where another
/// string begins, and the text of that one follows.
fn is_torn(string: &str, following: &str) -> bool {
    let is_block = string.ends_with("\"\"\"") || string.ends_with("'''");
    if is_block || !string.contains('\n') {
        return false;
    }
    let last_line = string.rsplit('\n').next().unwrap_or_default();
    let before_end = last_line.trim_end_matches('"').trim_end();
    let opens = |c: char| matches!(c, '(' | '[' | '{' | ':' | '=' | '>' | ',');
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, ')' | ']' | '}' | ',' | ';' | '.' | '|' | '<' | '=' | '+')
    };
    before_end.ends_with(opens) || !following.is_empty() && !following.starts_with(ends)
}

/// `insert` in the notation of a literal that ends with `closing` and may have several lines; `None` if that is
/// impossible.
fn escaped(insert: &str, escapes: Escapes, closing: &str, takes_lines: bool) -> Option<String> {
    let has_lines = insert.contains('\n');
    match escapes {
        Escapes::DoubledApostrophe => (!has_lines).then(|| insert.replace('\'', "''")),
        Escapes::Plain { .. } => None,
        Escapes::None | Escapes::Folded => {
            ((takes_lines || !has_lines) && !holds(insert, closing)).then(|| insert.to_owned())
        }
        // People match the brackets around a sigil, but Elixir does not.
        Escapes::Backslash if closing != "\"" && holds(insert, closing) => None,
        Escapes::Backslash if takes_lines => {
            let lines = insert.split('\n').map(with_backslashes);
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        Escapes::Backslash | Escapes::DoubleQuoted => Some(with_backslashes(insert)),
    }
}

fn holds(insert: &str, closing: &str) -> bool {
    !closing.is_empty() && insert.contains(closing)
}

fn with_backslashes(insert: &str) -> String {
    let mut escaped = String::with_capacity(insert.len());
    for c in insert.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether YAML reads `content` as a plain scalar with exactly this value.
fn is_plain(content: &str, in_flow: bool) -> bool {
    let mut chars = content.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    let second = chars.next();
    let begins_well = match first {
        '-' | '?' | ':' => second.is_some_and(|c| !(c.is_whitespace() || in_flow && is_flow(c))),
        _ => !first.is_whitespace() && !"[]{},#&*!|>'\"%@`".contains(first),
    };
    let has_mark = content.contains(": ") || content.contains(" #") || content.ends_with(':');
    let is_broken = content.ends_with(char::is_whitespace) || content.contains(['\n', '\r', '\t']);
    let in_brackets = in_flow && (content.contains(is_flow) || content.contains(":,"));
    begins_well && !has_mark && !is_broken && !in_brackets
}

/// Whether YAML reads `content`, over several lines, as a plain scalar with their text.
fn is_folded_plain(content: &str, in_flow: bool) -> bool {
    let lines: Vec<_> = content.lines().map(|it| it.trim_matches(' ')).collect();
    content.trim() == content && is_plain(&lines.join(" "), in_flow)
}

/// Where the text begins in each line; `None` for a blank one.
fn starts_of_lines(content: &str) -> impl Iterator<Item = Option<usize>> {
    content.lines().map(|line| line.find(|c| c != ' '))
}

fn is_flow(c: char) -> bool {
    matches!(c, '[' | ']' | '{' | '}' | ',')
}

/// `content` in YAML quotes.
fn quoted(content: &str) -> Option<String> {
    if content.contains(char::is_control) {
        return None;
    }
    Some(match content.contains(['"', '\\']) {
        true => format!("'{}'", content.replace('\'', "''")),
        false => format!("\"{content}\""),
    })
}
