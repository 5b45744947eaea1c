//! One open document: its text, its host's view of it, and what was found in each unit.

use std::sync::Arc;

use crate::{
    host::{HostDocument, HostKind, PlacedUnit},
    ide::{
        Diagnostic, Settings,
        directives::Directives,
        suppression,
        unit::{Before, UnitAnalysis},
    },
    model::Edition,
    text::{Text, TextEdit, TextSize},
};

/// A document and all that is known of it.
#[derive(Debug, Clone)]
pub struct Document {
    text: Text,
    host: HostDocument,
    settings: Settings,
    directives: Directives,
    /// One for each unit of the host, in the same order.
    analyses: Vec<Arc<UnitAnalysis>>,
}

impl Document {
    /// Reads the whole of `text`.
    pub fn new(kind: HostKind, text: &str, settings: Settings) -> Self {
        let text = Text::from(text);
        let host = HostDocument::parse(kind, &text);
        let directives = Directives::find(&text);
        let mut document = Self {
            text,
            host,
            settings,
            directives,
            analyses: Vec::new(),
        };
        document.analyses = document.analyse_all();
        document
    }

    fn analyse_all(&self) -> Vec<Arc<UnitAnalysis>> {
        let units = self.host.units().iter();
        units
            .map(|placed| Arc::new(self.analyse(placed, None)))
            .collect()
    }

    fn analyse(&self, placed: &PlacedUnit, before: Option<Before<'_>>) -> UnitAnalysis {
        UnitAnalysis::new(
            &placed.unit,
            &self.text,
            placed.start,
            self.edition(),
            before,
        )
    }

    /// Follows `edit`, looking anew only at what it touches.
    pub fn edit(&mut self, edit: &TextEdit) {
        let touched = self.unit_around(edit);
        self.text.apply(edit);
        let change = self.host.edit(&self.text, edit);
        let inserted = change.removed.start..change.removed.start + change.inserted;
        let replaced_one = change.removed.len() == 1 && inserted.len() == 1;
        let before = touched.filter(|(index, ..)| replaced_one && *index == change.removed.start);
        let analyses: Vec<_> = self.host.units()[inserted]
            .iter()
            .map(|placed| {
                let before = before.as_ref().map(|(_, start, analysis)| Before {
                    analysis,
                    start: *start,
                    edit,
                });
                Arc::new(self.analyse(placed, before))
            })
            .collect();
        self.analyses.splice(change.removed, analyses);
        let edition = self.edition();
        self.directives.edit(&self.text, edit);
        if self.edition() != edition {
            self.analyses = self.analyse_all();
        }
    }

    /// The edition that applies: the one that the document names, else the one of the settings.
    pub fn edition(&self) -> Edition {
        self.directives.edition().unwrap_or(self.settings.edition)
    }

    /// The unit that contains all of the edit: its index, its start and what is known of it.
    fn unit_around(&self, edit: &TextEdit) -> Option<(usize, TextSize, Arc<UnitAnalysis>)> {
        let units = self.host.units();
        let index = units
            .partition_point(|placed| placed.start <= edit.range.start())
            .checked_sub(1)?;
        let placed = &units[index];
        let inside = edit.range.end() <= placed.start + placed.unit.len;
        inside.then(|| (index, placed.start, Arc::clone(&self.analyses[index])))
    }

    /// Looks at everything again under other settings.
    pub fn set_settings(&mut self, settings: Settings) {
        if self.settings != settings {
            self.settings = settings;
            self.analyses = self.analyse_all();
        }
    }

    /// The text as it is now.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Where signatures and what belongs to them stand.
    pub fn host(&self) -> &HostDocument {
        &self.host
    }

    /// The settings under which it was looked at.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Everything found that is to be reported, in the order of the text, ranges in bytes of the document.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let units = self.host.units().iter().zip(&self.analyses);
        let found = units.flat_map(|(placed, analysis)| {
            analysis.diagnostics.iter().map(|diagnostic| {
                let literal = analysis.literal_start(diagnostic.range.start());
                (
                    diagnostic.clone().moved_by(placed.start),
                    literal + placed.start,
                )
            })
        });
        suppression::sift(&self.text, &self.directives, &self.settings, found)
    }

    /// The units that contain `offset`, with what is known of them, innermost last.
    pub(crate) fn units_at(
        &self,
        offset: TextSize,
    ) -> impl Iterator<Item = (&PlacedUnit, &UnitAnalysis)> {
        let units = self.host.units();
        let end = units.partition_point(|placed| placed.start <= offset);
        let containing = move |placed: &&PlacedUnit| offset <= placed.start + placed.unit.len;
        let indices = (0..end).filter(move |&index| containing(&&units[index]));
        indices.map(move |index| (&units[index], &*self.analyses[index]))
    }
}

#[cfg(test)]
mod tests;
