//! Properties of single fixes and of all of them together, in every host.

use std::ops::Range;

use foldhash::HashMap;
use proptest::prelude::*;
use saphyr_parser::{Event, Parser};

use super::{fix_all, frames::FRAMES, quick_fixes};
use crate::ide::{
    Document, Severity,
    testing::{applied, document as read},
};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange},
};

/// Agents: a signature and a prompt.
const AGENTS: &[(&str, &str)] = &[
    (
        "(topic :string, limit :int?) -> [{id :int}]",
        "About {{topic}}, {{#limit}}at most {{limit}}{{/limit}}.",
    ),
    (
        "(user {name :string, email :string?}) -> {count :int}",
        "Greet {{user.name}}",
    ),
    (
        "(items [{id :int, tags [:string]}], on :bool) -> :any",
        "{{#items}}{{id}} {{#tags}}{{.}}{{/tags}}{{/items}}{{^on}}off{{/on}}",
    ),
    ("{answer :string, score :float}", "Answer."),
    ("() -> [:map]", "List all."),
    (":datetime", "When?"),
];

/// Texts that are inserted or removed.
const PIECES: &[&str] = &[
    ",",
    ":",
    "?",
    " ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "->",
    "=>",
    "-",
    "\"",
    "'",
    "\\",
    "x",
    "int",
    ": ",
    "{{",
    "}}",
    "{{nme}}",
    ";",
    "#",
    "list[string]",
    "é",
    "|",
    "\n",
    "~",
    "<",
    ">",
    "$",
    "::",
];

fn slip() -> impl Strategy<Value = (prop::sample::Index, usize, &'static str)> {
    let piece = prop::sample::select(PIECES.to_vec());
    (
        any::<prop::sample::Index>(),
        0..3_usize,
        prop_oneof![Just(""), piece],
    )
}

type Slip = (prop::sample::Index, usize, &'static str);

fn with_slips(text: &str, slips: &[Slip]) -> String {
    let mut text = text.to_owned();
    for (at, len, insert) in slips {
        let places: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let start = at.index(places.len());
        let end = (start + len).min(places.len() - 1);
        text.replace_range(places[start]..places[end], insert);
    }
    text
}

fn errors(document: &Document) -> HashMap<&'static str, usize> {
    let mut errors = HashMap::default();
    for it in document
        .diagnostics()
        .iter()
        .filter(|it| it.severity == Severity::Error)
    {
        *errors.entry(it.rule.code).or_default() += 1;
    }
    errors
}

fn has_no_new_error(before: &Document, after: &Document) -> bool {
    let known = errors(before);
    errors(after)
        .iter()
        .all(|(code, count)| known.get(code).is_some_and(|it| it >= count))
}

/// A value or a bracket, as another parser of the host sees it.
#[derive(Debug, PartialEq)]
struct Part {
    kind: String,
    text: String,
    range: Range<usize>,
}

/// The parts of a document; `None` if the other parser finds errors.
fn parts(kind: HostKind, text: &str) -> Option<Vec<Part>> {
    match kind {
        HostKind::Elixir => tree_parts(tree_sitter_elixir::LANGUAGE, text),
        HostKind::Json => tree_parts(tree_sitter_json::LANGUAGE, text),
        HostKind::Lisp => tree_parts(tree_sitter_clojure_orchard::LANGUAGE, text),
        HostKind::Yaml => yaml_parts(text),
        HostKind::Prompt => yaml_parts(text.strip_prefix("---\n")?.split_once("\n---\n")?.0),
        HostKind::Markdown | HostKind::Livebook | HostKind::Catalog => None,
    }
}

fn tree_parts(language: impl Into<tree_sitter::Language>, text: &str) -> Option<Vec<Part>> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.into()).ok()?;
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut parts = Vec::new();
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        let is_string =
            node.kind().contains("string") || matches!(node.kind(), "sigil" | "str_lit");
        let mut cursor = node.walk();
        if !is_string {
            let children: Vec<_> = node.children(&mut cursor).collect();
            nodes.extend(children.into_iter().rev());
        }
        let is_leaf = is_string || node.child_count() == 0;
        parts.push(Part {
            kind: if is_string {
                "string".to_owned()
            } else {
                node.kind().to_owned()
            },
            text: if is_leaf {
                text[node.byte_range()].to_owned()
            } else {
                String::new()
            },
            range: node.byte_range(),
        });
    }
    Some(parts)
}

fn yaml_parts(text: &str) -> Option<Vec<Part>> {
    let bytes: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let mut parts = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let range = bytes[span.start.index()]..bytes[span.end.index()];
        let (kind, text) = match event {
            Event::Scalar(value, ..) => ("string", value.into_owned()),
            Event::MappingStart(..) => ("{", String::new()),
            Event::MappingEnd => ("}", String::new()),
            Event::SequenceStart(..) => ("[", String::new()),
            Event::SequenceEnd => ("]", String::new()),
            _ => ("", String::new()),
        };
        parts.push(Part {
            kind: kind.to_owned(),
            text,
            range,
        });
    }
    Some(parts)
}

/// The host reads the same in `after` as in `before`, except for the strings that contain an edit.
fn reads_the_same(
    kind: HostKind,
    before: &str,
    edits: &[TextEdit],
    after: &str,
) -> Result<(), TestCaseError> {
    let Some(old) = parts(kind, before) else {
        return Ok(());
    };
    let Some(new) = parts(kind, after) else {
        return Err(TestCaseError::fail("the host cannot read it any more"));
    };
    let shift = if kind == HostKind::Prompt { 4 } else { 0 };
    let is_changed = |part: &Part| {
        let touched = |edit: &TextEdit| {
            let (start, end) = (
                usize::from(edit.range.start()),
                usize::from(edit.range.end()),
            );
            part.range.start + shift <= end && start <= part.range.end + shift
        };
        part.kind == "string" && edits.iter().any(touched)
    };
    let old = with_quoted(old, &new, before, edits, shift);
    prop_assert_eq!(old.len(), new.len(), "other parts");
    for (old, new) in old.iter().zip(&new) {
        prop_assert_eq!(&old.kind, &new.kind);
        if !is_changed(old) {
            prop_assert_eq!(&old.text, &new.text);
        }
    }
    Ok(())
}

/// `old` with one string in place of several parts that are one string in `new`: YAML had split an unquoted signature,
/// and a fix quoted it.
fn with_quoted(
    mut old: Vec<Part>,
    new: &[Part],
    before: &str,
    edits: &[TextEdit],
    shift: usize,
) -> Vec<Part> {
    for string in new.iter().filter(|it| it.kind == "string") {
        let place = |at: usize| at_before(at + shift, edits);
        let written = place(string.range.start)..place(string.range.end);
        let text = &before[written.clone()];
        let is_signature = before[..written.start].trim_end().ends_with("signature:");
        let is_bare = !text.starts_with(['"', '\'']) && !text.contains(": m");
        let inside = |it: &Part| {
            let place = it.range.start + shift..it.range.end + shift;
            let is_within = written.start <= place.start && place.end <= written.end;
            is_within && (!place.is_empty() || place.end < written.end)
        };
        let is_cut = old.iter().filter(|it| inside(it)).count() > 1;
        let Some(first) = old
            .iter()
            .position(inside)
            .filter(|_| is_cut && is_signature && is_bare)
        else {
            continue;
        };
        old.retain(|it| !inside(it));
        let part = Part {
            kind: "string".to_owned(),
            text: text.to_owned(),
            range: written.start - shift..written.end - shift,
        };
        old.insert(first, part);
    }
    old
}

/// Where `at` was before `edits`; a place in an inserted text maps to the start of the edit.
fn at_before(at: usize, edits: &[TextEdit]) -> usize {
    // The position up to which the edits are accounted for.
    let (mut old, mut new) = (0, 0);
    for edit in edits {
        let start = usize::from(edit.range.start());
        if at <= new + (start - old) {
            break;
        }
        new += start - old + edit.insert.len();
        old = usize::from(edit.range.end());
        if at < new {
            return start;
        }
    }
    old + (at - new)
}

fn check_fixes(kind: HostKind, text: &str) -> Result<(), TestCaseError> {
    let document = read(kind, text);
    let whole = TextRange::up_to(document.text().len());
    for found in quick_fixes(&document, whole) {
        for fix in &found.fixes {
            let fixed = applied(text, &fix.edits);
            let what = format!("{} {:?}\n{text:?}\n{fixed:?}", found.rule.code, fix.title);
            let after = read(kind, &fixed);
            // In front matter, the errors of the prompt were hidden.
            let was_hidden = found.rule.code == "unclosed-front-matter";
            prop_assert!(
                was_hidden || has_no_new_error(&document, &after),
                "new errors {:?} by {what}",
                errors(&after)
            );
            let count = |document: &Document| {
                let found_again = document.diagnostics();
                found_again
                    .iter()
                    .filter(|it| it.rule == found.rule)
                    .count()
            };
            prop_assert!(count(&after) < count(&document), "not gone: {what}");
            if found.rule.code != "misspelled-key" {
                reads_the_same(kind, text, &fix.edits, &fixed)
                    .map_err(|it| TestCaseError::fail(format!("{it} by {what}")))?;
            }
        }
    }
    let edits = fix_all(&document);
    let fixed = applied(text, &edits);
    let after = read(kind, &fixed);
    prop_assert!(
        has_no_new_error(&document, &after),
        "new errors {:?} of all fixes\n{text:?}\n{fixed:?}",
        errors(&after)
    );
    reads_the_same(kind, text, &edits, &fixed)
        .map_err(|it| TestCaseError::fail(format!("{it} by all fixes\n{text:?}\n{fixed:?}")))?;
    prop_assert_eq!(fix_all(&after), [], "a second run\n{:?}\n{:?}", text, fixed);
    Ok(())
}

/// Texts that fixes broke in the past.
#[test]
fn known_texts_are_not_torn() {
    use HostKind::{Catalog, Elixir, Json, Lisp, Prompt, Yaml};
    for (kind, text, expected) in [
        // A literal with an uncertain end is not changed.
        (
            Lisp,
            "(def one {:signature \"(topic :string) -> {n\n(defn f {:signature \"(a :int, b :int) -> :int\"} [a b] a)\n",
            None,
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: ~S{(x :int) -> {y :int}})\n",
            None,
        ),
        (
            Yaml,
            "a:\n  signature: (limit: int) -> :int\n",
            Some("a:\n  signature: (limit :int) -> :int\n"),
        ),
        (
            Yaml,
            "a:\n  - signature: {answer :int}\n    prompt: Do: it\n",
            Some("a:\n  - signature: \"{answer :int}\"\n    prompt: Do: it\n"),
        ),
        (
            Yaml,
            "a: {signature: [:int], b: c}\n",
            Some("a: {signature: \"[:int]\", b: c}\n"),
        ),
        (
            Yaml,
            "a: {signature: (a :int, b :int) -> [:int], b: c}\n",
            Some("a: {signature: \"(a :int, b :int) -> [:int]\", b: c}\n"),
        ),
        (
            Yaml,
            "a: {signature: (a :int, b :int) -> :int}\n",
            Some("a: {signature: \"(a :int, b :int) -> :int\"}\n"),
        ),
        (Yaml, "a: {signature: (self, x: int) -> str}\n", None),
        (Json, "{\"signature\": \"(a :int b :int) -> :int\n", None),
        // A plain scalar is quoted if YAML would read another value.
        (
            Prompt,
            "---\nsignature: :list\n---\nGo.\n",
            Some("---\nsignature: \"[:any]\"\n---\nGo.\n"),
        ),
        (
            Prompt,
            "---\nsignature: :{id :int}\n---\nGo.\n",
            Some("---\nsignature: \"{id :int}\"\n---\nGo.\n"),
        ),
        (
            Yaml,
            "a: {signature: (a :int b :int) -> :int}\n",
            Some("a: {signature: \"(a :int, b :int) -> :int\"}\n"),
        ),
        (
            Yaml,
            "signature: (a :int b :int) -> :int\n",
            Some("signature: (a :int, b :int) -> :int\n"),
        ),
        (
            Yaml,
            "signature: (limit: int) -> :int\n",
            Some("signature: (limit :int) -> :int\n"),
        ),
        // A plain scalar over several lines keeps its lines and its form.
        (
            Yaml,
            "a:\n  signature: (topic :string,\n    n int b :int,,\n    c :int) -> :int\n",
            Some("a:\n  signature: (topic :string,\n    n :int, b :int,\n    c :int) -> :int\n"),
        ),
        (
            Prompt,
            "---\nsignature: (topic :string, n :int\r\n  b :int) -> :int\r\n---\n{{topic}}{{n}}{{b}}\n",
            Some(
                "---\nsignature: (topic :string, n :int,\r\n  b :int) -> :int\r\n---\n{{topic}}{{n}}{{b}}\n",
            ),
        ),
        (
            Yaml,
            "a:\n  signature: (topic :string,\n    , n :int) -> :int\n",
            None,
        ),
        (
            Yaml,
            "a:\n  signature: :{topic :string,\n    n :int}\n",
            None,
        ),
        // Escapes are characters.
        (
            Json,
            "{\"signature\": \"(a :int b :int) -\\u003e :int\"}\n",
            Some("{\"signature\": \"(a :int, b :int) -\\u003e :int\"}\n"),
        ),
        (
            Json,
            "{\"signature\": \"(a :int) =\\u003e :int\"}\n",
            Some("{\"signature\": \"(a :int) -> :int\"}\n"),
        ),
        (
            Json,
            "{\"signature\": \"(a :string\\u0020) \\u2192 :int\"}\n",
            Some("{\"signature\": \"(a :string\\u0020) -> :int\"}\n"),
        ),
        // The intent is kept, in one run.
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(c :nil?) -> :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(c :any?) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(b: String) -> :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(b :string) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(count: integer) -> :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(count :int) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(tags: list[string]) -> :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(tags [:string]) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(tags: string[]) -> :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(tags [:string]) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(a :list(:int)) -> :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(a [:int]) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"() -> count :int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"() -> {count :int}\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"() -> count:integer\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"() -> {count:int}\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"() -> [:string,]\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"() -> [:string]\")\n"),
        ),
        (
            Elixir,
            "SubAgent.run(\"{{usr.nme}}\", signature: \"(user {name :string}) -> :int\")\n",
            Some("SubAgent.run(\"{{user.name}}\", signature: \"(user {name :string}) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"{id: 1, name: :string}\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"{id: 1, name :string}\")\n"),
        ),
        // A name is kept.
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"<a :string> -> int\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"(a :string) -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(q list[a:string]) -> :int\")\n",
            None,
        ),
        // The output may be inside of the parentheses.
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(-> :int)\")\n",
            Some("PtcRunner.SubAgent.new(signature: \"() -> :int\")\n"),
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"(a :int -> :int)\")\n",
            None,
        ),
        (
            Elixir,
            "PtcRunner.SubAgent.new(signature: \"((-> :int))\")\n",
            None,
        ),
        (
            Lisp,
            "{:signature \"{a :int\n# note\"}\n",
            Some("{:signature \"{a :int}\n# note\"}\n"),
        ),
        (Catalog, "toola :int -> :int\n", None),
        (Catalog, "tool_() -> :map\n\ntool_~() -> :map\n", None),
        (
            Prompt,
            "---\nsignature: '(user {name :string}) -> :int'\n---\n{{#user name}}x{{/user}}\n",
            None,
        ),
    ] {
        let document = read(kind, text);
        let fixed = applied(text, &fix_all(&document));
        let found = document.diagnostics();
        assert_eq!(fixed, expected.unwrap_or(text), "{found:?}");
        assert_eq!(fix_all(&read(kind, &fixed)), [], "{fixed}");
    }
}

/// If there are more errors than can be tried, a second run would continue where the first one stopped.
#[test]
fn a_text_with_many_faults_has_no_fixes_left_after_one_run() {
    for count in [8, 24] {
        let text = format!(
            "tool(query :strng, {}list[string]",
            "limi\\}] li] ".repeat(count)
        );
        let fixed = applied(&text, &fix_all(&read(HostKind::Catalog, &text)));
        assert_eq!(
            fix_all(&read(HostKind::Catalog, &fixed)),
            [],
            "{text} {fixed}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Typos in a signature and a prompt, in correct notation of the host.
    #[test]
    fn fixes_of_slips_hold(
        frame in 0..FRAMES.len(),
        agent in prop::sample::select(AGENTS.to_vec()),
        in_signature in proptest::collection::vec(slip(), 0..3),
        in_prompt in proptest::collection::vec(slip(), 0..2),
    ) {
        let frame = &FRAMES[frame];
        let signature = with_slips(agent.0, &in_signature);
        let prompt = with_slips(agent.1, &in_prompt);
        check_fixes(frame.kind, &frame.document(&signature, &prompt))?;
    }

    /// Typos anywhere in a document.
    #[test]
    fn fixes_in_broken_documents_hold(
        frame in 0..FRAMES.len(),
        agent in prop::sample::select(AGENTS.to_vec()),
        slips in proptest::collection::vec(slip(), 1..4),
    ) {
        let frame = &FRAMES[frame];
        let text = with_slips(&frame.document(agent.0, agent.1), &slips);
        check_fixes(frame.kind, &text)?;
    }
}
