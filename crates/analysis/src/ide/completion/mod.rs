//! Completion: one file per kind of place.
//!
//! Completion is requested in unfinished text. So a place is recognized by the text before it, read by small scanners
//! that need nothing closed, and not by the tree. Trees and units only tell which host and literal a text belongs to;
//! if they do not, [`trial`] completes the text and asks again.

mod agent;
mod block;
mod calls;
mod captures;
mod directives;
mod front_matter;
mod open_string;
mod options;
mod placeholders;
mod reads;
mod results;
mod signatures;
#[cfg(test)]
mod tests;
mod trial;
mod values;

pub(in crate::ide) use calls::program_before;

use std::sync::Arc;

use foldhash::HashSet;

use crate::{
    ide::{Document, hover, rules, scan},
    model::{Edition, Field, Primitive},
};
use signature_ls_source::{
    host::{Notation, elixir::module::Module},
    order,
    text::{Text, TextRange, TextSize, size},
};

/// The completions at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// The word around the place, in bytes of the document, which is replaced.
    pub replaced: TextRange,
    /// The best first.
    pub items: Vec<Completion>,
}

impl Completions {
    /// The range that an editor replaces at `offset` if it keeps the rest of the word. If the new text ends with a
    /// closing quote, the rest of the word belongs to the range.
    pub fn inserted(&self, text: &Text, offset: TextSize) -> TextRange {
        let kept = text.slice(TextRange::new(offset, self.replaced.end()));
        match kept.chars().all(is_name_part) {
            true => TextRange::new(self.replaced.start(), offset),
            false => self.replaced,
        }
    }

    /// The first ones, if there are too many: of those that contain what is typed.
    fn capped(mut self, place: &Place<'_>) -> Self {
        if self.items.len() > MOST_ITEMS {
            let typed = place.after(self.replaced.start());
            let typed = last_name(&typed).to_lowercase();
            self.items
                .retain(|it| it.label.to_lowercase().contains(&typed));
            self.items.truncate(MOST_ITEMS);
        }
        self
    }

    /// The same without text that already follows the place, and filtered by the text before it.
    fn before(mut self, place: &Place<'_>) -> Self {
        let typed = place.after(self.replaced.start());
        let line = place.text.line_range(place.offset);
        let end = self.replaced.end();
        let after = place.text.slice(TextRange::new(end, line.end().max(end)));
        for item in &mut self.items {
            item.leave_out(&after);
            item.filter = separated_as(&item.filter, &typed);
        }
        self
    }
}

/// A completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The label.
    pub label: String,
    /// The text that the editor filters by: it begins with the replaced text before the place, or contains its letters
    /// in their order.
    pub filter: String,
    /// The kind.
    pub kind: CompletionKind,
    /// A short description, on one line.
    pub detail: Option<String>,
    /// The source of its documentation.
    pub documentation: Option<Documentation>,
    /// The new text.
    pub text: String,
    /// The new text as a snippet.
    pub snippet: Option<String>,
}

/// The kind of a completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    /// A type word.
    Type,
    /// Brackets around types, or an arrow.
    Structure,
    /// A parameter.
    Parameter,
    /// A field of a record.
    Field,
    /// A tool.
    Tool,
    /// A function of the project.
    Function,
    /// A key of a map.
    Key,
    /// A word with a fixed meaning.
    Keyword,
    /// A rule.
    Rule,
}

/// The source of a completion's documentation. It is long, and resolved when the completion is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Documentation {
    /// The meaning of a type word.
    Type(Primitive, Edition),
    /// The explanation of a rule.
    Rule(&'static str),
    /// A text that belongs to one project.
    Text(String),
}

impl Documentation {
    /// The documentation, in Markdown.
    pub fn markdown(&self) -> String {
        match self {
            Self::Type(primitive, edition) => hover::about_primitive(*primitive, false, *edition),
            Self::Rule(code) => rules::by_code(code)
                .map(|rule| format!("{}.\n\n{}", rule.summary, rule.explanation))
                .unwrap_or_default(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Completion {
    fn new(label: impl Into<String>, kind: CompletionKind) -> Self {
        let label = label.into();
        Self {
            text: label.clone(),
            filter: label.clone(),
            label,
            kind,
            detail: None,
            documentation: None,
            snippet: None,
        }
    }

    fn detail(mut self, detail: impl ToString) -> Self {
        self.detail = Some(detail.to_string());
        self
    }

    fn documentation(mut self, documentation: Documentation) -> Self {
        self.documentation = Some(documentation);
        self
    }

    fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    fn snippet(mut self, snippet: impl Into<String>) -> Self {
        self.snippet = Some(snippet.into());
        self
    }

    /// Puts quotes around the new text.
    fn quote(&mut self) {
        for text in self.snippet.iter_mut().chain([&mut self.text]) {
            *text = format!("\"{text}\"");
        }
    }

    /// Removes the separator of a key and the type of a parameter if `after`, the rest of the line, has one.
    fn leave_out(&mut self, after: &str) {
        let next = after.trim_start();
        match self.kind {
            CompletionKind::Key => {
                // An atom is a value.
                let is_atom = |it: &str| it.starts_with(|c: char| c.is_alphabetic());
                let has_colon = next.strip_prefix(':').is_some_and(|it| !is_atom(it));
                let has_separator = after.starts_with(':') || has_colon || next.starts_with("=>");
                let separators = [": ", " => "];
                let bare = { separators.iter() }.find_map(|it| self.text.strip_suffix(it));
                let bare = bare.filter(|_| has_separator);
                let bare = bare.or_else(|| {
                    self.text
                        .strip_suffix(' ')
                        .filter(|_| after.starts_with(' '))
                });
                if let Some(len) = bare.map(str::len) {
                    self.text.truncate(len);
                }
            }
            CompletionKind::Parameter | CompletionKind::Field
                if next.starts_with([':', '[', '{']) =>
            {
                let name = self.text.find(' ').unwrap_or(self.text.len());
                self.text.truncate(name);
            }
            _ => {}
        }
    }
}

/// The completions at `offset`; `None` outside of signature strings. `others` are the modules of other files whose
/// functions can be tools.
pub fn completion(
    document: &Document,
    others: &[Arc<Module>],
    offset: TextSize,
) -> Option<Completions> {
    let place = Place::new(document.text(), offset);
    if let Some(found) = directives::complete(&place) {
        return Some(found);
    }
    let is_something = |found: &Completions| !found.items.is_empty();
    let found = match complete(document, &place, others) {
        Some(found) if is_something(&found) => Some(found),
        Some(_) if !trial::is_unfinished(document, &place) => None,
        Some(_) | None => trial::documents(document, &place)
            .find_map(|trial| complete(&trial, &place, others).filter(is_something)),
    };
    // In a string that a lost quote turned inside out, a key may be on several lines, but not what is replaced.
    let is_in_line = |it: &Completions| {
        let line = document.text().line_range(offset);
        line.contains_range(it.replaced)
    };
    let found = found.filter(is_in_line);
    found.map(|found| found.capped(&place).before(&place))
}

/// Whether the completions at `offset` are functions of the project.
pub fn names_function(document: &Document, offset: TextSize) -> bool {
    let place = Place::new(document.text(), offset);
    let is_named = |document: &Document| captures::typed(document, &place).is_some();
    // Few lines have an ampersand; the others are not tried.
    place.line().contains('&')
        && (is_named(document)
            || trial::documents(document, &place).any(|document| is_named(&document)))
}

/// The completions at `place` of `document`, whose text is that of the place at least up to there.
fn complete(document: &Document, place: &Place<'_>, others: &[Arc<Module>]) -> Option<Completions> {
    captures::complete(document, place, others)
        .or_else(|| calls::complete(document, place))
        .or_else(|| signatures::complete(document, place))
        .or_else(|| placeholders::complete(document, place))
        .or_else(|| options::complete(document, place))
        .or_else(|| agent::complete(document, place))
        .or_else(|| values::complete(document, place))
        .or_else(|| front_matter::complete(document, place))
        .or_else(|| results::complete(document, place))
}

/// The maximum number of functions; the next characters reduce them.
pub const MOST_COMPLETIONS: usize = 100;

/// The maximum number of all others. A prompt may use tens of thousands of names.
const MOST_ITEMS: usize = 1_000;

/// How far the end of a map is searched, in bytes.
const LOOKAHEAD: u32 = 2_000;

/// A place in a text.
struct Place<'a> {
    text: &'a Text,
    offset: TextSize,
}

impl<'a> Place<'a> {
    fn new(text: &'a Text, offset: TextSize) -> Self {
        Self { text, offset }
    }

    /// The text from `start` to the place.
    fn after(&self, start: TextSize) -> String {
        let range = TextRange::new(start.min(self.offset), self.offset);
        self.text.slice(range).into_owned()
    }

    /// The text before the place, from the start of a line on that is about `len` bytes away.
    fn before(&self, bytes: u32) -> String {
        let far = self.offset.checked_sub(TextSize::from(bytes));
        self.after(self.text.line_range(far.unwrap_or_default()).start())
    }

    /// The line before the place.
    fn line(&self) -> String {
        self.after(self.text.line_range(self.offset).start())
    }

    /// The rest of the line after the place.
    fn rest(&self) -> String {
        let line = self.text.line_range(self.offset);
        let rest = self.text.slice(TextRange::new(self.offset, line.end()));
        rest.trim_end_matches(['\r', '\n']).to_owned()
    }

    /// The entries that follow `end` in the map around it.
    fn entries_after(&self, end: TextSize, notation: Notation) -> scan::Following {
        let far = self.text.len().min(end + TextSize::from(LOOKAHEAD));
        let range = TextRange::new(end, self.text.line_range(far).end());
        scan::entries_after(&self.text.slice(range), notation)
    }

    /// The word around the place, of which `before` bytes precede it.
    fn word(&self, before: usize) -> TextRange {
        self.word_of(is_name_part, before)
    }

    /// The same for a symbol of Lisp, which may have a namespace.
    fn symbol(&self, before: usize) -> TextRange {
        self.word_of(|c| is_name_part(c) || c == '/', before)
    }

    fn word_of(&self, is_part: fn(char) -> bool, before: usize) -> TextRange {
        let rest = self.rest();
        let following = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        TextRange::new(
            self.offset - size(before.min(self.offset.into())),
            self.offset + size(following),
        )
    }
}

/// The `fields` that none of the `given` names is, required ones first.
fn not_given<'f>(
    fields: &'f [Field],
    given: &mut dyn Iterator<Item = &String>,
    edition: Edition,
) -> Vec<&'f Field> {
    let given: HashSet<_> = given.map(|it| edition.normal_name(it)).collect();
    let is_given = |it: &&Field| given.contains(&edition.normal_name(&it.name));
    let mut fields: Vec<_> = fields.iter().filter(|it| !is_given(it)).collect();
    order::by_number(&mut fields, |it| it.ty.optional);
    fields
}

/// `name` with the hyphens and underscores of `typed`, which mean the same in names.
fn separated_as(name: &str, typed: &str) -> String {
    let is_separator = |c: &char| matches!(c, '-' | '_');
    let mut typed = typed.chars();
    let chars = name.chars().map(|c| {
        let separator = typed.next().filter(is_separator);
        separator.filter(|_| is_separator(&c)).unwrap_or(c)
    });
    chars.collect()
}

pub(super) fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The name, or the start of one, at the end of `text`.
fn last_name(text: &str) -> &str {
    let start = text.trim_end_matches(is_name_part).len();
    &text[start..]
}
