//! The diagnostics of a long catalog that is read once: neither its tree nor its units are kept.

use std::sync::Arc;

use foldhash::HashMap;

use super::{Document, ToolPlaces, enough::Enough};
use crate::ide::{
    Diagnostic, Findings, Settings, Severity,
    directives::Directives,
    duplicate_tools::Repeated,
    suppression::{MOST_IN_DOCUMENT, Reported, Sieve},
    tools::Tools,
    unit::SharedTrees,
};
use signature_ls_source::{
    host::{HostDocument, HostKind, MOST_UNITS, PlacedUnit, Role, catalog_in_stretches},
    parallel,
    text::{Text, TextRange, TextSize},
};

/// The least length of a catalog that is not read as a whole, in bytes.
const LONG: usize = 128 * 1024;

/// The greatest length of a stretch whose tree is kept.
const LONGEST_STRETCH: TextSize = TextSize::new(64 * 1024);

/// What reading a catalog once told.
#[derive(Debug)]
pub enum Once {
    /// All that is found in it.
    Found(Text, Findings),
    /// It has so many entries that it is not analyzed.
    Overfull,
}

impl Document {
    /// The findings of the catalog `text`, as [`Self::findings`] would return them, in a fraction of its memory. `None`
    /// if it is short, or if its entries have to be looked at a second time.
    pub fn found_once(kind: HostKind, text: &str, settings: &Settings) -> Option<Once> {
        if kind != HostKind::Catalog || text.len() < LONG {
            return None;
        }
        let rope = Text::from(text);
        let empty = HostDocument::parse(kind, &Text::default(), &settings.roles);
        let mut document = Self::prepared(rope, text, empty, settings.clone());
        document.tools = Arc::new(Tools::of_document(kind, document.edition()));
        let directives = document.directives();
        let mut reading = Reading::new(&document, &directives, text);
        catalog_in_stretches(text, reading.next(TextSize::default()), &mut |units| {
            reading.read(units)
        });
        match reading.count > MOST_UNITS {
            true => Some(Once::Overfull),
            false => {
                let findings = reading.finish()?;
                Some(Once::Found(document.text, findings))
            }
        }
    }
}

/// The entries that were read so far.
struct Reading<'a> {
    document: &'a Document,
    directives: &'a Directives,
    text: &'a str,
    enough: Enough<'a>,
    sieve: Sieve<'a>,
    /// The number of entries.
    count: usize,
    /// The first entry that is not checked, because enough errors precede it.
    unchecked: Option<TextSize>,
    /// The first entry of each name.
    first: HashMap<&'a str, TextSize>,
    /// The first entries with the name of an earlier one, and the number of the others.
    repeated: Vec<Diagnostic>,
    repeated_more: usize,
}

impl<'a> Reading<'a> {
    fn new(document: &'a Document, directives: &'a Directives, text: &'a str) -> Self {
        let (settings, tools) = (&document.settings, ToolPlaces::new(document));
        Self {
            enough: Enough::new(settings),
            sieve: Sieve::new(&document.text, directives, settings, tools),
            document,
            directives,
            text,
            count: 0,
            unchecked: None,
            first: HashMap::default(),
            repeated: Vec::new(),
            repeated_more: 0,
        }
    }

    /// The length of the stretch that begins at `start`.
    fn next(&self, start: TextSize) -> TextSize {
        self.enough.next_stretch(start).min(LONGEST_STRETCH)
    }

    /// Reads the units of a stretch; returns the length of the next one, unless there are too many units.
    fn read(&mut self, units: Vec<PlacedUnit>) -> Option<TextSize> {
        self.count += units.len();
        if self.count > MOST_UNITS {
            return None;
        }
        let (Some(first), Some(last)) = (units.first(), units.last()) else {
            return Some(LONGEST_STRETCH);
        };
        let end = last.range().end();
        match self.enough.is_before(first.start) {
            true => self.unchecked = self.unchecked.or(Some(first.start)),
            false => self.check(&units),
        }
        units.iter().for_each(|it| self.name(it));
        Some(self.next(end))
    }

    fn check(&mut self, units: &[PlacedUnit]) {
        let shared = SharedTrees::default();
        let document = self.document;
        let analyses = parallel::map(units, |it| document.analyse(it, None, &shared, true));
        for (placed, analysis) in units.iter().zip(analyses) {
            self.enough.add(placed, &analysis);
            self.sieve.sift(placed, &Arc::new(analysis));
        }
    }

    /// Looks for an earlier entry with the same name.
    fn name(&mut self, placed: &PlacedUnit) {
        let mut sites = placed.unit.sites.iter();
        let signature = sites.find(|it| it.role == Role::Tool);
        let Some(name) = signature.and_then(|it| it.name.as_deref()) else {
            return;
        };
        let range = TextRange::at(placed.start, TextSize::of(name));
        let name = &self.text[usize::from(range.start())..usize::from(range.end())];
        let first = *self.first.entry(name).or_insert(placed.start);
        if first == placed.start {
            return;
        }
        // Later ones are only reported if a comment ignores earlier ones.
        if self.repeated.len() == MOST_IN_DOCUMENT && self.directives.is_empty() {
            self.repeated_more += 1;
            return;
        }
        let first = TextRange::at(first, range.len());
        self.repeated.push(Repeated { name, range, first }.found());
    }

    /// The findings, unless some entries have to be checked after all.
    fn finish(mut self) -> Option<Findings> {
        for found in self.repeated {
            self.sieve.sift_one(found);
        }
        self.sieve.leave_out(self.repeated_more);
        let (reported, left_out) = self.sieve.finish();
        if let Some(end) = self.unchecked {
            let is_before =
                |it: &Reported| it.severity() == Severity::Error && it.range().start() < end;
            if reported.len() < MOST_IN_DOCUMENT || !reported.iter().all(is_before) {
                return None;
            }
        }
        Some(Findings {
            reported: reported.iter().map(Reported::diagnostic).collect(),
            left_out,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: &[&str] = &[
        "f№(a :int) -> :int\n  D\n",
        "f(a :int) -> :int\n",
        "f№(a :strin№) -> :int\n",
        "foo\n",
        "f№(\n  a :int,\n",
        "# signature-ls: ignore unknown-type\nf№(a :strng, b :strng) -> :int\n",
        "# signature-ls: ignore unknown-type\n\n",
        "f№(a_b :int, a-b :int) -> {x :any, x :any}\n",
        "  a\n",
        ";\n",
        "->\n",
    ];

    fn once(text: &str) -> Option<Once> {
        Document::found_once(HostKind::Catalog, text, &Settings::default())
    }

    #[test]
    fn a_catalog_that_is_read_once_has_the_findings_of_its_document() {
        for (at, entry) in ENTRIES.iter().enumerate() {
            let other = ENTRIES[(at + 1) % ENTRIES.len()];
            let numbered = |it: usize| entry.replace('№', &(it % 5_000).to_string());
            let mut text: String = (0..LONG / entry.len() + 1).map(numbered).collect();
            text.insert_str(0, &other.replace('№', "1"));
            let document =
                Document::closed(HostKind::Catalog, &mut text.clone(), Settings::default());
            let expected = document.findings();
            let Some(Once::Found(_, found)) = once(&text) else {
                assert!(entry.contains("ignore"), "{entry}: it is not read once");
                continue;
            };
            assert_eq!(found.reported, expected.reported, "{entry}");
            assert_eq!(found.left_out > 0, expected.left_out > 0, "{entry}");
        }
    }

    #[test]
    fn a_catalog_with_too_many_entries_is_not_read() {
        let text = "f\n".repeat(MOST_UNITS + 1);
        assert!(matches!(once(&text), Some(Once::Overfull)));
        assert!(once("f() -> :int\n").is_none());
    }
}
