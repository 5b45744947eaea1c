//! The diagnostics of a long catalog or program that is read once: its units are not all there at once.

use std::sync::Arc;

use foldhash::HashMap;

use super::{
    Document, Indices, ToolPlaces,
    analyze::{names_tools, tools_said},
    enough::{Enough, MOST_IN_STRETCH, in_parallel},
    is_possible, tool_places,
};
use crate::ide::{
    Diagnostic, Findings, Settings, Severity,
    analysis::UnitAnalysis,
    directives::Directives,
    duplicate_tools::Repeated,
    suppression::{MOST_IN_DOCUMENT, Reported, Selector},
    tools::Tools,
    unit::SharedTrees,
};
use signature_ls_source::{
    host::{
        HostDocument, HostKind, MOST_UNITS, Notation, PlacedUnit, Role, catalog_in_stretches,
        lisp::Stretches,
    },
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
    /// The findings of `text`, as [`Self::findings`] would return them, in a fraction of its memory. `None` if it is short
    /// or of another kind, or if its units have to be looked at a second time.
    pub fn found_once(kind: HostKind, text: &str, settings: &Settings) -> Option<Once> {
        let mut program = match kind {
            HostKind::Catalog if text.len() >= LONG => None,
            HostKind::Lisp => Some(Stretches::of(text)?),
            _ => return None,
        };
        let rope = Text::from(text);
        let empty = HostDocument::of_units(kind, &settings.roles, Vec::new());
        let mut document = Self::prepared(rope, text, empty, settings.clone());
        document.tools = Arc::new(Tools::of_document(kind, document.edition()));
        let skipped = match &mut program {
            Some(program) => document.read_tools(program)?,
            None => 0,
        };
        let directives = match &program {
            Some(program) => document.directives.in_comments(|at| program.is_comment(at)),
            None => document.directives(),
        };
        let mut reading = Reading::new(&document, &directives, text);
        match &program {
            Some(program) => {
                let roles = settings.roles.of(Notation::Lisp);
                program.find_each(roles, skipped, &mut |units| {
                    reading.read(units).is_some() && reading.unchecked.is_none()
                });
            }
            None => catalog_in_stretches(text, reading.next(TextSize::default()), &mut |units| {
                reading.read(units)
            }),
        }
        match reading.count > MOST_UNITS {
            true => Some(Once::Overfull),
            false => {
                let findings = reading.finish()?;
                Some(Once::Found(document.text, findings))
            }
        }
    }

    /// Reads what the units of `program` say about tools; returns how many of its first stretches have nothing else. `None`
    /// if their meaning may depend on one another otherwise, or if nothing shows that they count.
    fn read_tools(&mut self, program: &mut Stretches) -> Option<usize> {
        let roles = self.settings.roles.clone();
        let mut counts = self.settings.is_ours;
        let (mut count, mut is_apart) = (0, self.directives.edition(|_| true).is_none());
        let (mut silent, mut is_silent) = (0, !program.has_definitions());
        let mut naming = Vec::new();
        program.read_each(roles.of(Notation::Lisp), &mut |units| {
            count += units.len();
            counts |= units.iter().any(|it| it.unit.counts_alone());
            let depends = |it: &PlacedUnit| is_possible(it) || !it.unit.namespaces().is_empty();
            is_apart &= count <= MOST_UNITS && !units.iter().any(depends);
            if is_apart {
                is_silent &= self.add_tools(units, is_silent, &mut naming);
                silent += usize::from(is_silent);
            }
            is_apart
        });
        self.host = HostDocument::of_units(HostKind::Lisp, &roles, naming);
        self.naming_tools = Indices::among(&self.analyses, &names_tools);
        (is_apart && counts).then_some(silent)
    }

    /// Adds the tools that `units` name; `naming` are the first units that name some, which have analyses. Returns whether
    /// it `is_silent` still: nothing is found in them, and nothing can be once all tools are known.
    fn add_tools(
        &mut self,
        units: Vec<PlacedUnit>,
        mut is_silent: bool,
        naming: &mut Vec<PlacedUnit>,
    ) -> bool {
        let shared = SharedTrees::default();
        in_parts(units, &mut |units| {
            let is_checked = |it: &PlacedUnit| is_silent && !it.unit.is_program();
            let analyses = self.analyze_some(&units, &shared, &is_checked);
            Arc::make_mut(&mut self.tools).follow(&[], &tools_said(&analyses));
            for (placed, analysis) in units.into_iter().zip(analyses) {
                is_silent &= !analysis.is_program && analysis.known_diagnostics().is_empty();
                if names_tools(&analysis) && naming.len() < tool_places::MOST_UNITS {
                    naming.push(placed);
                    self.analyses.push(analysis);
                }
            }
        });
        is_silent
    }

    /// The analyses of `units`, of which only some are checked.
    fn analyze_some(
        &self,
        units: &[PlacedUnit],
        shared: &SharedTrees,
        is_checked: &(dyn Fn(&PlacedUnit) -> bool + Sync),
    ) -> Vec<Arc<UnitAnalysis>> {
        let indices: Vec<_> = (0..units.len()).collect();
        in_parallel(&indices, &|index| {
            let placed = &units[index];
            Arc::new(self.analyze(placed, None, shared, is_checked(placed)))
        })
    }
}

/// Calls `look` with some of the `units` after others, and frees them.
fn in_parts(units: Vec<PlacedUnit>, look: &mut dyn FnMut(Vec<PlacedUnit>)) {
    let mut left = units.into_iter();
    while left.len() > 0 {
        look(left.by_ref().take(MOST_IN_STRETCH).collect());
    }
}

/// The units that were read so far.
struct Reading<'a> {
    document: &'a Document,
    directives: &'a Directives,
    text: &'a str,
    enough: Enough<'a>,
    selector: Selector<'a>,
    /// Their number.
    count: usize,
    /// The first one that is not checked, because enough errors precede it.
    unchecked: Option<TextSize>,
    /// The first entry of a catalog with each name.
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
            selector: Selector::new(&document.text, directives, settings, tools),
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
        let Some(last) = units.last() else {
            return Some(LONGEST_STRETCH);
        };
        let end = last.range().end();
        let shared = SharedTrees::default();
        in_parts(units, &mut |units| {
            match self.enough.is_before(units[0].start) {
                true => self.unchecked = self.unchecked.or(Some(units[0].start)),
                false => self.check(&units, &shared),
            }
            if self.document.host.kind() == HostKind::Catalog {
                units.iter().for_each(|it| self.name(it));
            }
        });
        Some(self.next(end))
    }

    fn check(&mut self, units: &[PlacedUnit], shared: &SharedTrees) {
        let analyses = self.document.analyze_some(units, shared, &|_| true);
        for (placed, analysis) in units.iter().zip(&analyses) {
            self.enough.add(placed, analysis);
            self.selector.add_unit(placed, analysis);
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

    /// The findings, unless some units have to be checked after all.
    fn finish(mut self) -> Option<Findings> {
        for found in self.repeated {
            self.selector.add(found);
        }
        self.selector.leave_out(self.repeated_more);
        let (reported, left_out) = self.selector.finish();
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

    const TOOL: &str = "{:tools {\"t№\" \"(a :int) -> :int\"}}\n";

    #[test]
    fn a_program_that_is_read_once_has_the_findings_of_its_document() {
        for (before, form, after) in [
            ("", "(tool/x№ {:a 1})\n", TOOL),
            (TOOL, "(tool/t№ {:a №})\n(tool/s№ {:a 1})\n", ""),
            (TOOL, "(tool/t№ {:a №})\n", "(tool/t1 {:b 1})\n"),
            (TOOL, "(tool/t№ (tool/t1 {:a \"№\"}))\n", ""),
            (
                "",
                "(tool/t№ {:a 1})\n{:signature \"(a :strng) -> :int\"}\n",
                TOOL,
            ),
            (
                "(tool/x {:a 1})\n",
                "(f {:tools {\"t№\" \"(a :int) -> :int\"}} (tool/t1 {:a 1}))\n",
                "",
            ),
            (TOOL, "(def d№ (tool/t1 {:a 1}))\n(:x d№)\n(:y d1)\n", ""),
            (
                TOOL,
                "(defn f№ [x] (tool/t1 {:a x}))\n(defn g№ [x] (f№ x))\n(tool/t1 {:a (g№ \"a\")})\n(g1 \"№\")\n",
                "(def d1 1)\n(:x d1)\n",
            ),
            (
                "(def d (tool/t1 {:a 1}))\n(:x d)\n(def e d)\n",
                "(:x e)\n(tool/t1 {:a №})\n",
                "{:tools {\"t1\" \"(a :int) -> {y :int}\"} :signature \"() -> :int\"}\n(tool/t1 {})\n",
            ),
            (
                "{:signature \"() -> {a :int}\"}\n",
                "(return {:q№ 1})\n; signature-ls: ignore unknown-type\n{:signature \"(a :strng№) -> :int\"}\n",
                "; signature-ls: ignore unknown-type\n",
            ),
            (
                "",
                "; signature-ls: ignore unknown-type\n{:signature \"(a :№) -> :int\"}\n",
                "{:signature \"(a :x) -> :int\"}\n\"; signature-ls: ignore a\"\n",
            ),
        ] {
            let numbered = |it: usize| form.replace('№', &(it % 3_000).to_string());
            let mut text: String = (0..5_000).map(numbered).collect();
            text = format!(
                "{}{text}{}",
                before.replace('№', "1"),
                after.replace('№', "2")
            );
            let settings = Settings::default();
            let document = Document::closed(HostKind::Lisp, &mut text.clone(), settings.clone());
            let expected = document.findings();
            let Some(Once::Found(_, found)) =
                Document::found_once(HostKind::Lisp, &text, &settings)
            else {
                assert!(form.contains("ignore"), "{form}: it is not read once");
                continue;
            };
            assert_eq!(found.reported, expected.reported, "{form}");
            assert_eq!(found.left_out > 0, expected.left_out > 0, "{form}");
        }
    }

    #[test]
    fn a_program_whose_forms_depend_on_others_is_not_read_once() {
        for other in [
            "(ns a)\n",
            "(ns\n a)\n",
            "; signature-ls: edition 0.5\n",
            "(tool/x 1)\n",
        ] {
            let text = format!("{}{other}", "(tool/t {:a 1})\n".repeat(5_000));
            assert!(Document::found_once(HostKind::Lisp, &text, &Settings::default()).is_none());
        }
    }

    #[test]
    fn a_catalog_with_too_many_entries_is_not_read() {
        let text = "f\n".repeat(MOST_UNITS + 1);
        assert!(matches!(once(&text), Some(Once::Overfull)));
        assert!(once("f() -> :int\n").is_none());
    }
}
