//! What a long document that is only asked for its findings forgets: most units of most texts tell nothing.

use std::sync::Arc;

use foldhash::HashMap;

use super::{Document, analyze::names_tools, enough::Counted, tool_places::MOST_UNITS};
use crate::ide::{
    Settings, Severity, analysis::UnitAnalysis, functions::UnitFunctions, tools::Tools,
};
use signature_ls_source::host::{HostKind, PlacedUnit, Unit};

/// Forgets analyses that no finding needs.
pub(super) struct Forgetting {
    /// In the place of each of them.
    nothing: Arc<UnitAnalysis>,
    /// The same for the heads of functions.
    head: Arc<UnitAnalysis>,
    /// The same for units that were not checked because of the errors before them.
    unread: Arc<UnitAnalysis>,
    /// The same for units that are nothing but a program.
    program: Arc<UnitAnalysis>,
    /// The same for units whose diagnostics others hide, by what is known of those.
    hidden: HashMap<(Severity, usize), Arc<UnitAnalysis>>,
    /// Whether programs are checked, which nothing depends on then.
    knows_tools: bool,
    /// The unit that shows that possible ones count.
    evidence: Option<usize>,
    /// Whether programs call tools that other units name.
    needs_tools: bool,
    /// How many more units that name tools are needed.
    naming: usize,
    /// What hides others that are not more severe. A comment may ignore any of them.
    counted: Vec<Counted>,
}

impl Forgetting {
    pub(super) fn new(document: &Document) -> Self {
        let calls_others = |it: &PlacedUnit| it.unit.is_program() && !Tools::are_of_call(&it.unit);
        // A prompt in another host may list tools, too.
        let needs_tools = document.host.kind() != HostKind::Elixir
            || document.host.units().iter().any(calls_others);
        Self {
            nothing: Arc::new(UnitAnalysis::nothing(UnitFunctions::default())),
            head: Arc::new(UnitAnalysis::nothing(UnitFunctions::of_any_head())),
            unread: Arc::new(UnitAnalysis::unread(false)),
            program: Arc::new(UnitAnalysis::unread(true)),
            hidden: HashMap::default(),
            knows_tools: false,
            evidence: document.evidence.iter().next(),
            needs_tools,
            naming: match needs_tools {
                true => usize::MAX,
                false => MOST_UNITS,
            },
            counted: match document.directives.is_empty() {
                true => [Severity::Warning, Severity::Hint].map(Counted::new).into(),
                false => Vec::new(),
            },
        }
    }

    /// The same for programs, now that all tools are known.
    pub(super) fn of_programs(document: &Document) -> Self {
        Self {
            knows_tools: true,
            ..Self::new(document)
        }
    }

    /// Forgets the analysis of the unit at `index`, which follows those before, if it tells nothing, and its diagnostics if
    /// others hide them.
    pub(super) fn look(
        &mut self,
        index: usize,
        (placed, settings): (&PlacedUnit, &Settings),
        analysis: &mut Arc<UnitAnalysis>,
    ) {
        let is_referred_to = self.naming > 0 && names_tools(analysis);
        self.naming -= usize::from(is_referred_to);
        let is_needed = is_referred_to || self.evidence == Some(index);
        if !is_needed && let Some(forgotten) = self.instead_of(analysis, &placed.unit) {
            return analysis.clone_from(forgotten);
        }
        if !self.needs_tools
            && let Some(own) = Arc::get_mut(analysis)
        {
            own.forget_tools();
        }
        let hidden = self
            .counted
            .iter()
            .find_map(|it| it.hidden_after(placed.start));
        for counted in &mut self.counted {
            counted.add(settings, placed, analysis);
        }
        let found = analysis.known_diagnostics().iter();
        let found: Vec<_> = found
            .filter_map(|it| settings.severity(it.rule, it.severity))
            .collect();
        let most = found.iter().max().copied();
        let Some(most) = most.filter(|_| most <= hidden) else {
            return;
        };
        let is_alone = analysis.is_apart() && !analysis.is_program && !analysis.functions.asks();
        if is_alone && !is_needed {
            let shared = || Arc::new(UnitAnalysis::hidden(most, found.len()));
            let hidden = self.hidden.entry((most, found.len()));
            analysis.clone_from(hidden.or_insert_with(shared));
        } else if let Some(own) = Arc::get_mut(analysis) {
            own.forget_diagnostics(most, found.len());
        }
    }
}

impl Forgetting {
    /// What takes the place of the `analysis` of `unit`, if that tells nothing or can be computed again.
    fn instead_of(&self, analysis: &UnitAnalysis, unit: &Unit) -> Option<&Arc<UnitAnalysis>> {
        if !analysis.is_apart() {
            return None;
        }
        let asks = analysis.functions.asks();
        let is_later = analysis.is_program && !self.knows_tools;
        match analysis.is_checked() {
            false if asks => None,
            false if is_later => unit.sites.is_empty().then_some(&self.program),
            false => (!analysis.is_program).then_some(&self.unread),
            true if is_later || !analysis.is_silent() => None,
            true if !asks => Some(&self.nothing),
            true => analysis.functions.is_head().then_some(&self.head),
        }
    }
}

impl Document {
    /// The analyses of the units that tell something. The others are forgotten.
    pub(super) fn analyze_for_findings(&mut self) -> Vec<Arc<UnitAnalysis>> {
        let mut forgetting = Forgetting::new(self);
        let mut analyses = self.analyze_units(Some(&mut forgetting));
        let is_kept = |it: &Arc<UnitAnalysis>| !Arc::ptr_eq(it, &forgetting.nothing);
        let flags: Vec<_> = analyses.iter().map(is_kept).collect();
        analyses.retain(is_kept);
        self.host.retain_units(&flags);
        self.read_evidence();
        analyses
    }
}

#[cfg(test)]
mod tests {
    use foldhash::HashSet;

    use super::{super::LONG, *};
    use crate::ide::Settings;

    const RUN: &str = "SubAgent.run(\"{{a}}\", signature: \"(a :int) -> :int\")\n";
    const POSSIBLE: &str = "f(signature: \"(a№ :int) -> :int\")\n";
    const TOOL: &str = "\"tool№\" => {&F.g/1, \"(a :int) -> :int\"}, ";
    const WRONG: &str = "Signature.parse(\"(a :strng)\")\n";
    const PROGRAM: &str = "Lisp.run(\"(tool/tool1 {:b 1}) (tool/tol9000 {:a 1})\", tools: %{";

    /// A text with many times `unit`, numbered.
    fn long(before: &str, unit: &str, after: &str) -> String {
        let mut text = before.to_owned();
        for number in 0.. {
            text += &unit.replace('№', &number.to_string());
            if text.len() >= LONG {
                break;
            }
        }
        text + after
    }

    #[test]
    fn what_is_forgotten_changes_no_findings() {
        for (before, unit, after, most) in [
            (RUN, POSSIBLE, WRONG, 3),
            (PROGRAM, TOOL, "})\n", 2 + MOST_UNITS),
        ] {
            let mut text = long(before, unit, after);
            let settings = Settings::default();
            let all = Document::closed(HostKind::Elixir, &mut text.clone(), settings.clone());
            let few = Document::for_findings(HostKind::Elixir, &mut text, settings);
            let [found, expected] = [&few, &all].map(Document::findings);
            assert!(!found.reported.is_empty(), "{unit}");
            assert_eq!(found.reported, expected.reported, "{unit}");
            assert_eq!(found.left_out, expected.left_out, "{unit}");
            assert_eq!(few.asks(), all.asks(), "{unit}");
            let [kept, units] = [&few, &all].map(|it| it.host().units().len());
            assert!(kept <= most, "{unit}: {kept} of {units} units are kept");
            let opened = few.opened();
            assert_eq!(opened.host().units().len(), units, "{unit}");
        }
    }

    const READ: &str = "s.return[\"a№\"]\n";
    const AGENT: &str = "defmodule A do\ndef f(%{\"a\" => a}), do: a\n\
                         SubAgent.new(prompt: \"Go.\", tools: %{\"f\" => {&f/1, \"(b :int) -> :int\"}})\n\
                         {:ok, s} = SubAgent.run(\"Go.\", signature: \"() -> {a0 :int, aa :int}\")\n";

    #[test]
    fn a_text_whose_tree_is_forgotten_before_its_names_are_followed_has_the_same_findings() {
        let text = long(AGENT, READ, "end\n");
        let settings = Settings::default();
        let whole = Document::new(HostKind::Elixir, &text, settings.clone());
        let closed = Document::closed(HostKind::Elixir, &mut text.clone(), settings);
        let [found, expected] = [&closed, &whole].map(Document::findings);
        let codes: HashSet<_> = found.reported.iter().map(|it| it.rule.code).collect();
        assert!(codes.len() > 1, "{codes:?}");
        assert_eq!(found.reported, expected.reported);
        assert_eq!(found.left_out, expected.left_out);
    }

    const IGNORED: &str = "# signature-ls: ignore unknown-type\n";
    const ERROR: &str = "SubAgent.run(\"Go.\", signature: \"(a :strng№) -> :int\")\n";

    #[test]
    fn trees_of_units_after_many_errors_are_forgotten_until_they_matter() {
        let ignored = format!("{IGNORED}{ERROR}");
        for (unit, is_enough) in [(ERROR, true), (&ignored, false)] {
            let mut text = long(IGNORED, unit, WRONG);
            let settings = Settings::default();
            let all = Document::closed(HostKind::Elixir, &mut text.clone(), settings.clone());
            let few = Document::for_findings(HostKind::Elixir, &mut text, settings);
            let [found, expected] = [&few, &all].map(Document::findings);
            assert_eq!(found.reported, expected.reported, "{unit}");
            assert_eq!(found.left_out > 0, expected.left_out > 0, "{unit}");
            let forgotten = few.analyses.iter().filter(|it| it.is_unread);
            assert_eq!(
                forgotten.count() > few.analyses.len() / 2,
                is_enough,
                "{unit}"
            );
        }
    }

    #[test]
    fn diagnostics_that_others_hide_are_forgotten_until_they_matter() {
        let unused = "SubAgent.run(\"Go.\", signature: \"(a№ :int) -> :int\")\n";
        let mut text = long(WRONG, unused, WRONG);
        let settings = Settings::default();
        let all = Document::closed(HostKind::Elixir, &mut text.clone(), settings.clone());
        let mut few = Document::for_findings(HostKind::Elixir, &mut text, settings);
        let [found, expected] = [&few, &all].map(Document::findings);
        assert_eq!(found.reported, expected.reported);
        assert_eq!(found.left_out, expected.left_out);
        let known = |few: &Document| few.analyses.iter().filter(|it| it.is_checked()).count();
        let kept = known(&few);
        assert!(kept < few.analyses.len() / 2, "{kept}");

        few.check_if_needed();
        assert_eq!(known(&few), kept);
        few.analyses[1..kept - 1].fill(Arc::new(UnitAnalysis::nothing(UnitFunctions::default())));
        few.check_if_needed();
        assert_eq!(few.reported().len(), expected.reported.len());
        assert!(few.reported().len() > 1);
    }
}
