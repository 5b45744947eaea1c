//! In a call in Elixir: the values of its options that the library checks, and the options of its tools.

use super::{Completion, CompletionKind, Completions, Place, last_name, values};
use crate::{
    contract::Mode,
    ide::{
        Document,
        rules::outputs,
        scan::{Keys, scan},
    },
};
use signature_ls_source::host::{
    Notation, PlacedUnit, elixir::tool_forms::OPTIONS, evidence::Evidence,
};

/// The completions at an option of the call around the place.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let mut units = document.innermost_at(place.offset);
    units.find_map(|(placed, _)| {
        let is_ours =
            placed.unit.notation == Notation::Elixir && placed.unit.evidence == Evidence::Certain;
        if !is_ours {
            return None;
        }
        value(document, place).or_else(|| of_tool(place, placed))
    })
}

/// The atoms that an option can be.
fn value(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let line = place.line();
    let word = last_name(&line);
    let before = &line[..line.len() - word.len()];
    let before = before.strip_suffix(':').unwrap_or(before);
    let key = before.trim_end().strip_suffix(':')?;
    let modes = Mode::ALL.map(Mode::name);
    let values = match last_name(key) {
        "output" => outputs(document.edition()),
        "signature_validation" => &modes[..],
        _ => return None,
    };
    let items = values.iter();
    let items = items.map(|it| Completion::new(format!(":{it}"), CompletionKind::Keyword));
    Some(Completions {
        replaced: place.word(line.len() - before.len()),
        items: items.collect(),
    })
}

/// The missing options in `{function, …}`.
fn of_tool(place: &Place<'_>, placed: &PlacedUnit) -> Option<Completions> {
    let tools = placed.unit.argument("tools")?.value + placed.start;
    if !tools.contains_inclusive(place.offset) {
        return None;
    }
    let scan = scan(&place.after(tools.start()), Notation::Elixir)?;
    let [_, map, tool] = scan.open.as_slice() else {
        return None;
    };
    let keys = tool.keys(Notation::Elixir);
    let is_tuple = tool.bracket == '{' && map.items.last().is_some_and(|it| it != "%");
    let second = tool.items.split(|it| it == ",").nth(1)?.first();
    let has_options = second.is_none_or(|it| it.ends_with(':'));
    if !is_tuple || !has_options || keys.of_value.is_some() {
        return None;
    }
    let mut options = OPTIONS.iter().map(|it| option(it));
    Some(missing(place, keys, &scan.word, &mut options))
}

/// The completion that writes the key of an option.
pub(super) fn option(name: &str) -> Completion {
    values::key(format!("{name}: "), name)
}

/// Those of the `options` that are neither among the `keys` before the `word` at the place nor among those after it.
pub(super) fn missing(
    place: &Place<'_>,
    keys: Keys,
    word: &str,
    options: &mut dyn Iterator<Item = Completion>,
) -> Completions {
    let replaced = place.word(word.len());
    let mut given = keys.given;
    given.extend(place.entries_after(replaced.end(), Notation::Elixir).keys);
    Completions {
        replaced,
        items: options.filter(|it| !given.contains(&it.label)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::{completion, testing::marked};
    use signature_ls_source::host::HostKind;

    /// The labels at `$0`, however the rest of the call is written.
    #[track_caller]
    fn check(options: &str, expected: &[&str]) {
        for (before, after) in [("", ""), ("llm: x, ", ""), ("", ", llm: x")] {
            let text = format!(
                "SubAgent.new(prompt: \"{{{{n}}}}\", signature: \"(n :int) -> :int\", {before}{options}{after})\n"
            );
            let (document, offset) = marked(HostKind::Elixir, &text);
            let found = completion(&document, &[], offset);
            let items = found.iter().flat_map(|it| &it.items);
            let labels: Vec<_> = items.map(|it| it.label.as_str()).collect();
            assert_eq!(labels, expected, "{text}");
        }
    }

    #[test]
    fn values_that_the_library_checks_are_offered() {
        let outputs = [":text", ":ptc_lisp"];
        for value in ["$0", ":$0", ":te$0", "te$0", ":te$0xt"] {
            check(&format!("output: {value}"), &outputs);
        }
        let modes = [":enabled", ":warn_only", ":disabled", ":strict"];
        check("signature_validation: :$0", &modes);
        check("other: :$0", &[]);
    }

    #[test]
    fn options_of_a_tool_are_offered() {
        let all = [
            "signature",
            "description",
            "cache",
            "expose",
            "native_result",
            "visibility",
        ];
        for tool in ["{&A.b/1, $0}", "{&A.b/1, sig$0}", "{fn x -> x end, $0}"] {
            check(&format!("tools: %{{\"a\" => {tool}}}"), &all);
        }
        check(
            "tools: %{\"a\" => {&A.b/1, signature: \"() -> :int\", $0}}",
            &all[1..],
        );
        check(
            "tools: %{\"a\" => {&A.b/1, $0 signature: \"() -> :int\"}}",
            &all[1..],
        );
        for tool in [
            "{&A.b/1, \":int\", $0}",
            "{&A.b/1, description: $0}",
            "%{$0}",
        ] {
            check(&format!("tools: %{{\"a\" => {tool}}}"), &[]);
        }
    }
}
