//! Which findings are reported: those that neither the settings nor a comment silence.

use std::{borrow::Cow, cmp::Reverse, collections::HashSet};

use crate::{
    ide::{
        Diagnostic, Fix, Settings, Severity,
        directives::{self, Directive, DirectiveKind, Directives},
        rules::{
            self,
            directives::{UNKNOWN_DIRECTIVE, UNUSED_SUPPRESSION},
        },
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// More findings than this in one unit tell nobody anything: its text is no signature or prompt at all.
const MOST_IN_UNIT: usize = 100;

/// More findings than this in one document slow an editor down, and nobody reads them.
const MOST_IN_DOCUMENT: usize = 1_000;

/// What is reported of a document.
#[derive(Debug, Default)]
pub struct Findings {
    /// The findings, in the order of the text, ranges in bytes of the document.
    pub reported: Vec<Diagnostic>,
    /// How many more there are at least. Of each unit and of the document the most severe ones are reported.
    pub left_out: usize,
}

/// A finding that nothing silences.
struct Heard<'a> {
    severity: Severity,
    /// Where its unit begins.
    start: TextSize,
    /// Where the signatures begin that flow into that.
    origins: &'a [TextSize],
    found: Cow<'a, Diagnostic>,
}

impl Heard<'_> {
    fn range(&self) -> TextRange {
        self.found.range + self.start
    }

    fn into_diagnostic(self) -> Diagnostic {
        let mut found = self.found.into_owned().moved_by(self.start);
        found.severity = self.severity;
        found.resolve(self.origins);
        found
    }
}

/// Sifts the findings of a document, unit after unit.
pub(super) struct Sieve<'a> {
    text: &'a Text,
    directives: &'a Directives,
    settings: &'a Settings,
    /// The directives that silenced something, by index, with the codes of what they silenced.
    used: HashSet<(usize, &'a str)>,
    heard: Vec<Heard<'a>>,
    left_out: usize,
}

impl<'a> Sieve<'a> {
    pub(super) fn new(text: &'a Text, directives: &'a Directives, settings: &'a Settings) -> Self {
        Self {
            text,
            directives,
            settings,
            used: HashSet::new(),
            heard: Vec::new(),
            left_out: 0,
        }
    }

    /// Sifts what was found in the unit that begins at `start`, into which signatures flow from those `origins`. `literal_of` tells for a place in the unit
    /// where the literal begins that it is in.
    pub(super) fn sift(
        &mut self,
        (start, origins): (TextSize, &'a [TextSize]),
        found: Cow<'a, [Diagnostic]>,
        literal_of: impl Fn(TextSize) -> TextSize,
    ) {
        let found = match found {
            Cow::Borrowed(found) => found.iter().map(Cow::Borrowed).collect::<Vec<_>>(),
            Cow::Owned(found) => found.into_iter().map(Cow::Owned).collect(),
        };
        let mut heard = Vec::new();
        for it in found {
            let Some(severity) = self.settings.severity(it.rule, it.severity) else {
                continue;
            };
            match self.silenced_by(&it, start, &literal_of) {
                Some(index) => drop(self.used.insert((index, it.rule.code))),
                None => heard.push(Heard {
                    severity,
                    start,
                    origins,
                    found: it,
                }),
            }
        }
        self.left_out += keep_most_severe(&mut heard, MOST_IN_UNIT);
        self.heard.append(&mut heard);
    }

    /// The directive that silences a finding of the unit at `start`.
    fn silenced_by(
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
            .filter_map(|place| self.directives.above(self.text, place + start))
            .find(names)
    }

    /// All that is reported, with what is found about the directives themselves.
    pub(super) fn finish(mut self) -> Findings {
        for (index, directive) in self.directives.iter().enumerate() {
            for found in self.about(index, directive) {
                if let Some(severity) = self.settings.severity(found.rule, found.severity) {
                    self.heard.push(Heard {
                        severity,
                        start: TextSize::default(),
                        origins: &[],
                        found: Cow::Owned(found),
                    });
                }
            }
        }
        let mut heard = self.heard;
        in_order(&mut heard);
        // Units may be in one another, and what is in a literal of several is found as often, if
        // with other fixes.
        heard.dedup_by(|next, last| {
            next.range() == last.range()
                && next.found.rule.code == last.found.rule.code
                && next.found.message == last.found.message
        });
        let left_out = self.left_out + keep_most_severe(&mut heard, MOST_IN_DOCUMENT);
        in_order(&mut heard);
        Findings {
            reported: heard.into_iter().map(Heard::into_diagnostic).collect(),
            left_out,
        }
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

    /// The codes of a directive that silence nothing.
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
                    (true, _) => self.text.line_range(directive.range.start()),
                    (false, Some((next, _))) => {
                        TextRange::new(range.start(), next.start()) + directive.range.start()
                    }
                    // The words before the codes are there.
                    (false, None) => {
                        TextRange::new(words[at].0.end(), range.end()) + directive.range.start()
                    }
                };
                unused_code(code, range + directive.range.start(), removed, is_all)
            })
            .collect()
    }
}

fn in_order(heard: &mut [Heard<'_>]) {
    heard.sort_by_key(|it| (it.range().start(), it.range().end(), it.found.rule.code));
}

/// Keeps the `most` severe findings, those before others that are as severe; how many it drops.
fn keep_most_severe(heard: &mut Vec<Heard<'_>>, most: usize) -> usize {
    let left_out = heard.len().saturating_sub(most);
    if left_out > 0 {
        heard.sort_by_key(|it| Reverse(it.severity));
        heard.truncate(most);
    }
    left_out
}

/// The finding about a code that is at `range` and silences nothing; without it goes what is `removed`.
fn unused_code(code: &str, range: TextRange, removed: TextRange, is_all: bool) -> Diagnostic {
    let what = if is_all { "this comment" } else { "it" };
    let remove = Fix::offered(format!("Remove {what}"), vec![TextEdit::delete(removed)]);
    if rules::by_code(code).is_some() {
        let message = format!("Nothing on the next line is reported as `{code}`; remove {what}.");
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
