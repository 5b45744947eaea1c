//! In a call in Elixir that makes or runs an agent: its options.

use super::{
    Completions, Place, is_name_part, last_name,
    options::{missing, option},
};
use crate::{
    ide::{Document, scan::scan},
    model::Edition,
};
use signature_ls_source::{
    host::{Notation, UnitKind, evidence::Evidence},
    text::TextRange,
};

/// The text before a place that may be at an option whose call is not known yet, in bytes.
const NEAR: u32 = 200;

/// A function that takes the options of an agent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    New,
    Run,
}

/// The functions as they are called.
const FUNCTIONS: [(&str, Function); 3] = [
    (".new", Function::New),
    (".run", Function::Run),
    (".run!", Function::Run),
];

/// An option of an agent: its name, what it is, the first edition of which every release has it, and the function that
/// takes it if the other one does not.
type AgentOption = (&'static str, &'static str, Edition, Option<Function>);

/// The options that are used most, those about texts first. Source: the documentation of `SubAgent.new/1` and
/// `SubAgent.run/2` in each release.
const OPTIONS: &[AgentOption] = {
    use Edition::{V0_4, V0_5, V0_5_0, V0_11};
    const NEW: Option<Function> = Some(Function::New);
    const RUN: Option<Function> = Some(Function::Run);
    &[
        ("prompt", "the task, with placeholders", V0_4, NEW),
        ("signature", "the inputs and the output", V0_4, None),
        ("context", "the inputs of the run", V0_4, RUN),
        ("tools", "tools by name", V0_4, None),
        ("output", "`:ptc_lisp` or `:text`", V0_5, None),
        ("llm", "the model, as a function or by name", V0_4, None),
        ("llm_registry", "models by name", V0_4, RUN),
        ("max_turns", "how often the model may be called", V0_4, None),
        ("name", "the name in traces", V0_11, None),
        ("description", "what the agent does", V0_4, None),
        ("field_descriptions", "what the fields mean", V0_4, None),
        ("context_descriptions", "what the inputs mean", V0_5_0, None),
        ("system_prompt", "changes to the system prompt", V0_4, None),
        ("retry_turns", "turns to correct the output", V0_11, None),
        ("builtin_tools", "families of tools", V0_11, None),
        ("timeout", "milliseconds for a program", V0_5, None),
        ("mission_timeout", "milliseconds for a run", V0_4, None),
        ("llm_retry", "when the model is called again", V0_4, None),
        ("max_depth", "how deep agents nest", V0_4, None),
        ("turn_budget", "turns of all agents together", V0_4, None),
        ("prompt_limit", "how much the model is shown", V0_4, None),
    ]
};

/// The missing options at a key of the call around the place.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let mut units = document.innermost_at(place.offset);
    let (placed, _) = units.find(|(placed, _)| {
        let unit = &placed.unit;
        unit.notation == Notation::Elixir
            && unit.evidence == Evidence::Certain
            && unit.kind == UnitKind::Arguments
    })?;
    let scan = scan(&place.after(placed.start), Notation::Elixir)?;
    let [outside, call] = scan.open.as_slice() else {
        return None;
    };
    // The unit begins at the arguments, or at the value that is piped to them.
    let line = place.text.line_range(placed.start);
    let before = place.text.slice(TextRange::new(line.start(), placed.start));
    let head = format!("{before}{}", outside.items.join(" "));
    let function = function(&head).filter(|_| call.bracket == '(')?;
    let keys = call.keys(Notation::Elixir);
    let is_next = match call.items.last() {
        Some(last) => last == ",",
        // Another agent or prompt comes first.
        None => function == Function::New || is_piped(&head),
    };
    if !is_next || keys.of_value.is_some() || !is_name(&scan.word) {
        return None;
    }
    let edition = document.edition();
    let taken = OPTIONS
        .iter()
        .filter(|(_, _, since, only)| only.is_none_or(|it| it == function) && *since <= edition);
    let mut options = taken.map(|(name, detail, ..)| option(name).detail(detail));
    Some(missing(place, keys, &scan.word, &mut options))
}

/// The text that shows that the call around the place is one of an agent, if the place may be at its first option.
pub(super) fn ending(place: &Place<'_>) -> Option<String> {
    let before = place.before(NEAR);
    let word = last_name(&before);
    let code = before[..before.len() - word.len()].trim_end();
    let line = code.lines().next_back().unwrap_or_default();
    let may_be_option = match code.strip_suffix('(') {
        Some(head) => function(head).is_some(),
        None => code.ends_with(',') && FUNCTIONS.iter().any(|(name, _)| line.contains(name)),
    };
    if !may_be_option {
        return None;
    }
    let value = if word.is_empty() { "" } else { ": 0, " };
    let next = match place.rest().chars().next() {
        None => ")",
        Some(c) if is_name_part(c) => ", ",
        Some(_) => "",
    };
    Some(format!("{value}signature: \":any\"{next}"))
}

/// The function whose name ends `head`.
fn function(head: &str) -> Option<Function> {
    let found = FUNCTIONS.iter().find(|(name, _)| head.ends_with(name));
    found.map(|(_, function)| *function)
}

/// Whether the agent precedes the call, in `agent |> SubAgent.run(`.
fn is_piped(head: &str) -> bool {
    let callee = head.rsplit_once("|>").map(|(_, callee)| callee.trim());
    callee.is_some_and(|it| !it.contains(|c: char| c.is_whitespace() || c == '('))
}

/// Whether `word` is the start of a name, or nothing yet.
fn is_name(word: &str) -> bool {
    word.chars().all(is_name_part)
}

#[cfg(test)]
mod tests {
    use crate::ide::{completion, testing::marked};
    use signature_ls_source::host::HostKind;

    /// The labels at `$0` of a call.
    fn labels(call: &str) -> Vec<String> {
        let text = format!("alias PtcRunner.SubAgent\n\n{call}\n");
        let (document, offset) = marked(HostKind::Elixir, &text);
        let found = completion(&document, &[], offset);
        let items = found.into_iter().flat_map(|it| it.items);
        items.map(|it| it.label).collect()
    }

    #[test]
    fn options_that_are_missing_are_offered() {
        for options in [
            "$0",
            "pr$0",
            "$0)",
            "pr$0)",
            "$0, llm: x)",
            "pr$0, llm: x)",
            "\n  $0\n)",
            "\n  pr$0\n)",
            "\n  $0\n  llm: x\n)",
            "signature: \":int\", $0)",
            "signature: \":int\", pr$0)",
            "\n  signature: \":int\",\n  $0\n)",
            "\n  signature: \":int\",\n  pr$0\n)",
            "\n  $0\n  signature: \":int\"\n)",
            "\n  llm: x,\n  $0\n  signature: \":int\"\n)",
            "tools: %{\"a\" => {&A.b/1, \":int\"}}, pr$0)",
            "llm: x, pr$0)",
        ] {
            let found = labels(&format!("SubAgent.new({options}"));
            assert_eq!(
                found.first().map(String::as_str),
                Some("prompt"),
                "{options}"
            );
            for key in ["signature", "tools", "llm"] {
                let is_given = options.contains(&format!("{key}:"));
                assert_eq!(
                    found.iter().any(|it| it == key),
                    !is_given,
                    "{key} {options}"
                );
            }
        }
        assert_eq!(
            labels("SubAgent.new($0llm: x)").first().map(String::as_str),
            Some("prompt")
        );
    }

    #[test]
    fn a_run_has_options_after_its_agent() {
        for call in [
            "SubAgent.run(\"{{n}}\", $0)",
            "SubAgent.run(\"{{n}}\", con$0)",
            "SubAgent.run!(agent, $0)",
            "agent |> SubAgent.run($0)",
            "{:ok, step} = SubAgent.run(agent, llm: x, co$0)",
        ] {
            let found = labels(call);
            assert!(found.contains(&"context".to_owned()), "{call}");
            assert!(!found.contains(&"prompt".to_owned()), "{call}");
        }
    }

    #[test]
    fn nothing_is_offered_elsewhere() {
        for call in [
            "SubAgent.run($0)",
            "SubAgent.new(prompt: $0)",
            "SubAgent.new(prompt: x$0)",
            "SubAgent.new(prompt: \"a, $0\")",
            "SubAgent.new(tools: %{$0})",
            "SubAgent.new(llm: fn x -> f(x, $0) end)",
            "Other.new($0)",
            "Other.run(x, $0)",
            "f($0)",
        ] {
            let found = labels(call);
            assert!(
                !found.contains(&"max_turns".to_owned()),
                "{call}: {found:?}"
            );
        }
    }
}
