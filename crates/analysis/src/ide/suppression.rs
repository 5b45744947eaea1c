//! Selects the diagnostics to report: those that neither the settings nor a comment ignore.

use std::sync::Arc;

use foldhash::HashSet;

use crate::ide::{
    Diagnostic, Fix, Settings, Severity,
    analysis::UnitAnalysis,
    diagnostic::Outside,
    directives::{self, Directive, DirectiveKind, Directives},
    distant::{Declaration, Origin},
    document::ToolPlaces,
    rules::{
        self,
        directives::{UNKNOWN_DIRECTIVE, UNUSED_SUPPRESSION},
    },
};
use signature_ls_source::{
    host::PlacedUnit,
    order,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The maximum number of diagnostics in a unit: more mean that its text is not a signature or a prompt.
pub(super) const MOST_IN_UNIT: usize = 100;

/// The maximum number of diagnostics in a document: more slow down an editor, and nobody reads them.
pub(super) const MOST_IN_DOCUMENT: usize = 1_000;

/// The reported diagnostics of a document.
#[derive(Debug, Default)]
pub struct Findings {
    /// The diagnostics, in the order of the text, with ranges in bytes of the document.
    pub reported: Vec<Diagnostic>,
    /// The minimum number of omitted ones. The most severe ones of each unit and of the document are reported.
    pub left_out: usize,
}

/// A reported diagnostic. It refers to the analysis of its unit, so that it is cheap to pass on.
#[derive(Debug, Clone)]
pub struct Reported {
    severity: Severity,
    /// The start of its unit.
    start: TextSize,
    /// Where the texts with its related places outside of its unit are.
    origins: Vec<Origin>,
    found: Found,
}

/// Where a diagnostic is stored.
#[derive(Debug, Clone)]
enum Found {
    /// In a unit, by its index.
    InUnit(Arc<UnitAnalysis>, usize),
    /// In the document.
    Own(Arc<Diagnostic>),
}

impl Reported {
    /// The diagnostic, with ranges in bytes of the document.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut found = self.found().clone().moved_by(self.start);
        found.severity = self.severity;
        found.resolve(&self.origins);
        found
    }

    /// Its range, in bytes of the document.
    pub fn range(&self) -> TextRange {
        self.found().range + self.start
    }

    /// All its places, in bytes of the document.
    pub fn extent(&self) -> TextRange {
        let found = self.found();
        let edits = found.fixes.iter().flat_map(|fix| &fix.edits);
        let related = found.related.iter().map(|it| it.range);
        let own = edits.map(|it| it.range).chain(related);
        let own = own.fold(found.range, TextRange::cover) + self.start;
        let elsewhere = found.elsewhere.iter().zip(&self.origins);
        let elsewhere = elsewhere.filter_map(|(it, origin)| Some(it.range + origin.start()?));
        elsewhere.fold(own, TextRange::cover)
    }

    /// Whether it equals `other`, apart from the places of its unit and of texts outside, which `is_at_place`
    /// compares.
    pub fn is_like(&self, other: &Self, is_at_place: impl Fn(TextSize, TextSize) -> bool) -> bool {
        let is_same = match (&self.found, &other.found) {
            (Found::InUnit(own, at), Found::InUnit(its, its_at)) if Arc::ptr_eq(own, its) => {
                at == its_at
            }
            _ => self.found() == other.found(),
        };
        is_same
            && self.severity == other.severity
            && is_at_place(self.start, other.start)
            && self.origins.len() == other.origins.len()
            && (self.origins.iter().zip(&other.origins)).all(|pair| match pair {
                (Origin::At(own), Origin::At(its)) => is_at_place(*own, *its),
                (own, its) => own == its,
            })
    }

    /// The declarations of its related places that functions have, which may be in other files.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.origins.iter().filter_map(Origin::declaration)
    }

    /// Whether its best fix is safe.
    pub fn has_safe_fix(&self) -> bool {
        self.found().has_safe_fix()
    }

    /// Whether it has fixes.
    pub fn has_fixes(&self) -> bool {
        !self.found().fixes.is_empty()
    }

    /// Its severity.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    fn found(&self) -> &Diagnostic {
        match &self.found {
            Found::InUnit(analysis, index) => &analysis.known_diagnostics()[*index],
            Found::Own(found) => found,
        }
    }

    /// The code of its rule.
    pub fn code(&self) -> &'static str {
        self.found().rule.code
    }
}

/// Selects the diagnostics of a document, unit by unit.
pub(super) struct Selector<'a> {
    text: &'a Text,
    directives: &'a Directives,
    settings: &'a Settings,
    tools: ToolPlaces<'a>,
    /// The directives that ignored something, by index, with the codes that they ignored.
    used: HashSet<(usize, &'a str)>,
    selected: Vec<Reported>,
    left_out: usize,
}

impl<'a> Selector<'a> {
    pub(super) fn new(
        text: &'a Text,
        directives: &'a Directives,
        settings: &'a Settings,
        tools: ToolPlaces<'a>,
    ) -> Self {
        Self {
            tools,
            text,
            directives,
            settings,
            used: HashSet::default(),
            selected: Vec::new(),
            left_out: 0,
        }
    }

    /// Selects the diagnostics of a unit, if they are known.
    pub(super) fn add_unit(&mut self, placed: &PlacedUnit, analysis: &Arc<UnitAnalysis>) {
        let literal_of = |offset| analysis.literal_start(&placed.unit, offset);
        let mut of_unit = Vec::new();
        for (index, found) in analysis.known_diagnostics().iter().enumerate() {
            if let Some(severity) = self.severity_unless_suppressed(found, placed.start, literal_of)
            {
                of_unit.push(Reported {
                    severity,
                    start: placed.start,
                    origins: self.origins(found, placed, analysis),
                    found: Found::InUnit(Arc::clone(analysis), index),
                });
            }
        }
        self.left_out += analysis.left_out() + keep_most_severe(&mut of_unit, MOST_IN_UNIT);
        self.selected.append(&mut of_unit);
        self.make_room();
    }

    /// Counts diagnostics that are not examined, because there are too many of their kind.
    pub(super) fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    /// Drops diagnostics that cannot be among the reported ones.
    fn make_room(&mut self) {
        if self.selected.len() > 4 * MOST_IN_DOCUMENT {
            self.keep_reported();
        }
    }

    fn keep_reported(&mut self) {
        in_order(&mut self.selected);
        // Units may be nested, and an error in a literal of several units is found several times, possibly with
        // different fixes.
        self.selected.dedup_by(|next, last| {
            next.range() == last.range()
                && next.code() == last.code()
                && next.found().message == last.found().message
        });
        self.left_out += keep_most_severe(&mut self.selected, MOST_IN_DOCUMENT);
    }

    /// Where the texts with the related places of a diagnostic outside of its unit are.
    fn origins(
        &self,
        found: &Diagnostic,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
    ) -> Vec<Origin> {
        let tools = &self.tools;
        let outside = found.elsewhere.iter().map(|it| match &it.outside {
            Outside::Source(index) => match placed.origin(*index) {
                Some(start) => Origin::At(start),
                None => tools.returned((placed, analysis), *index, it.range).into(),
            },
            Outside::Parameter { tool, field, name } => {
                match field.and_then(|it| tools.parameter(tool, it, placed.start)) {
                    Some(start) => Origin::At(start),
                    None => tools.of_function(tool, name, placed.start).into(),
                }
            }
            Outside::ToolName(name) => {
                let start = tools.name(name, placed.start + found.range.start());
                start.map_or(Origin::Unknown, Origin::At)
            }
        });
        outside.collect()
    }

    /// Selects a diagnostic of the document.
    pub(super) fn add(&mut self, found: Diagnostic) {
        if let Some(severity) =
            self.severity_unless_suppressed(&found, TextSize::default(), |offset| offset)
        {
            self.push(found, severity);
            self.make_room();
        }
    }

    fn push(&mut self, found: Diagnostic, severity: Severity) {
        self.selected.push(Reported {
            severity,
            start: TextSize::default(),
            origins: Vec::new(),
            found: Found::Own(Arc::new(found)),
        });
    }

    /// The severity of a diagnostic of the unit at `start`, if it is not ignored. `literal_of` returns the start of
    /// the literal around a place in the unit.
    fn severity_unless_suppressed(
        &mut self,
        found: &Diagnostic,
        start: TextSize,
        literal_of: impl Fn(TextSize) -> TextSize,
    ) -> Option<Severity> {
        let severity = self.settings.severity(found.rule, found.severity)?;
        match self.suppressed_by(found, start, literal_of) {
            Some(index) => {
                self.used.insert((index, found.rule.code));
                None
            }
            None => Some(severity),
        }
    }

    /// The directive that ignores a diagnostic of the unit at `start`.
    fn suppressed_by(
        &self,
        found: &Diagnostic,
        start: TextSize,
        literal_of: impl Fn(TextSize) -> TextSize,
    ) -> Option<usize> {
        if self.directives.is_empty() {
            return None;
        }
        let names = |index: &usize| match self.directives.iter().nth(*index).map(|it| &it.kind) {
            Some(DirectiveKind::Ignore(codes)) => codes.iter().any(|code| code == found.rule.code),
            _ => false,
        };
        let at = found.range.start();
        let places = [at, literal_of(at)];
        places
            .into_iter()
            .flat_map(|place| self.directives.about_line(self.text, place + start))
            .flatten()
            .find(names)
    }

    /// All reported diagnostics, in the order of the text, including those about directives, and the number of omitted
    /// ones.
    pub(super) fn finish(mut self) -> (Vec<Reported>, usize) {
        for (index, directive) in self.directives.iter().enumerate() {
            for found in self.about(index, directive) {
                if let Some(severity) = self.settings.severity(found.rule, found.severity) {
                    self.push(found, severity);
                }
            }
            self.make_room();
        }
        self.keep_reported();
        in_order(&mut self.selected);
        (self.selected, self.left_out)
    }

    fn about(&self, index: usize, directive: &Directive) -> Vec<Diagnostic> {
        match &directive.kind {
            DirectiveKind::Edition(_) => Vec::new(),
            DirectiveKind::Unknown => {
                let message = "Unknown directive; write `ignore CODE` or `edition 0.4`, `0.5`, `0.11` or `next`.";
                vec![Diagnostic::new(
                    &UNKNOWN_DIRECTIVE,
                    directive.range,
                    message,
                )]
            }
            DirectiveKind::Ignore(_) => self.unused_codes(index, directive),
        }
    }

    /// The codes of a directive that ignore nothing.
    fn unused_codes(&self, index: usize, directive: &Directive) -> Vec<Diagnostic> {
        let words = self.text.slice(directive.range);
        let words: Vec<_> = directives::words(&words).collect();
        let codes = words.get(1..).unwrap_or_default();
        let is_unused = |code: &str| !self.used.contains(&(index, code));
        let is_all = codes.iter().all(|(_, code)| is_unused(code));
        let unused = codes
            .iter()
            .enumerate()
            .filter(|(_, (_, code))| is_unused(code));
        unused
            .map(|(at, &(range, code))| {
                let removed = match (is_all, codes.get(at + 1)) {
                    (true, _) => self.comment_of(directive),
                    (false, Some((next, _))) => {
                        TextRange::new(range.start(), next.start()) + directive.range.start()
                    }
                    // The words before the codes exist.
                    (false, None) => {
                        TextRange::new(words[at].0.end(), range.end()) + directive.range.start()
                    }
                };
                let range = range + directive.range.start();
                let place = match directive.is_trailing {
                    true => "on this line",
                    false => "on the next line",
                };
                unused_code((code, range), place, removed, is_all)
            })
            .collect()
    }

    /// The comment of a directive with what is between it and the rest of its line; its line if nothing else is on it.
    fn comment_of(&self, directive: &Directive) -> TextRange {
        let line = self.text.line_range(directive.range.start());
        if !directive.is_trailing {
            return line;
        }
        let text = self.text.slice(line);
        let before = &text[..(directive.range.start() - line.start()).into()];
        let (rest, _) = before
            .trim_end()
            .rsplit_once([' ', '\t'])
            .unwrap_or_default();
        let end = text.trim_end_matches(['\n', '\r']);
        TextRange::new(TextSize::of(rest.trim_end()), TextSize::of(end)) + line.start()
    }
}

fn in_order(selected: &mut [Reported]) {
    order::by_name(selected, |it| it.code());
    order::by_range(selected, |it| it.range());
}

/// Keeps the `most` severe diagnostics, earlier ones first; returns the number of dropped ones.
fn keep_most_severe(selected: &mut Vec<Reported>, most: usize) -> usize {
    let left_out = selected.len().saturating_sub(most);
    if left_out > 0 {
        order::by_number(selected, |it| Severity::Error as u8 - it.severity as u8);
        selected.truncate(most);
    }
    left_out
}

/// The diagnostic about a code that ignores nothing in `place`; its fix removes `removed`.
fn unused_code(
    (code, range): (&str, TextRange),
    place: &str,
    removed: TextRange,
    is_all: bool,
) -> Diagnostic {
    let what = if is_all { "this comment" } else { "it" };
    let remove = Fix::offered(format!("Remove {what}"), vec![TextEdit::delete(removed)]);
    if [&UNKNOWN_DIRECTIVE, &UNUSED_SUPPRESSION]
        .map(|it| it.code)
        .contains(&code)
    {
        let message = format!("No comment ignores `{code}`; set it to `off` in the settings.");
        return Diagnostic::new(&UNUSED_SUPPRESSION, range, message).with_fix(remove);
    }
    if rules::by_code(code).is_some() {
        let message = format!("Nothing {place} is reported as `{code}`; remove {what}.");
        return Diagnostic::new(&UNUSED_SUPPRESSION, range, message).with_fix(remove);
    }
    let no_rule = format!("There is no rule `{code}`; {}", rules::instead_of(code));
    let Some(near) = rules::nearest_code(code) else {
        return Diagnostic::new(&UNUSED_SUPPRESSION, range, no_rule + ".").with_fix(remove);
    };
    let write = Fix::offered(
        format!("Write `{near}`"),
        vec![TextEdit::replace(range, near)],
    );
    Diagnostic::new(&UNUSED_SUPPRESSION, range, no_rule)
        .with_fix(write)
        .with_fix(remove)
}

#[cfg(test)]
mod tests;
