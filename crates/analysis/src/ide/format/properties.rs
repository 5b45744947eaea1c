//! Properties of formatting in every host, at every width.

use proptest::{prelude::*, sample::Index};

use super::*;
use crate::{
    ide::{Settings, fragment::Tree},
    model::{Signature, testing::signatures},
};
use signature_ls_source::text::{TextSize, size};

/// Documents: `§` stands for a signature. The second part is the notation of line ends in it, if it can have any.
const FRAMES: &[(HostKind, &str, Option<&str>)] = &[
    (
        HostKind::Elixir,
        "def f do\n  SubAgent.run(\"x\",  signature: \"§\",llm: 1)\nend\nx  = [1,2]\n",
        Some("\n"),
    ),
    (
        HostKind::Elixir,
        "SubAgent.new(\n  signature:  \"\"\"\n  §\n  \"\"\",\n  prompt: \"x\"\n)\n",
        Some("\n  "),
    ),
    (
        HostKind::Elixir,
        "SubAgent.new(prompt:   \"x\", tools: %{\"a\"=> {&M.f/1, ~S|§|}})\n",
        Some("\n"),
    ),
    (
        HostKind::Lisp,
        "(def  a {:signature \"§\"  :n [1  2]})\n(defn f [x]  x)\n",
        Some("\n"),
    ),
    (
        HostKind::Json,
        "{\"signature\":  \"§\", \"n\":[1,2],\"input\": {}}\n",
        Some("\\n"),
    ),
    (
        HostKind::Yaml,
        "a:\n    signature:  \"§\"\n    n: [1,2]\n",
        None,
    ),
    (HostKind::Yaml, "a:\n  signature: '§'\n  n:  1\n", None),
    (HostKind::Yaml, "signature:   §\nn:  1\n", None),
    (
        HostKind::Yaml,
        "a:\n  signature: |\n    §\n  n:  1\n",
        Some("\n    "),
    ),
    (
        HostKind::Yaml,
        "a:\n  signature: >-\n    §\n  n:  1\n",
        Some("\n    "),
    ),
    (
        HostKind::Prompt,
        "---\nname:  a\nsignature: '§'\n---\nHi  {{ x }}\n",
        None,
    ),
    (
        HostKind::Prompt,
        "---\nsignature: |\n  §\nname:  a\n---\nHi\n",
        Some("\n  "),
    ),
    (
        HostKind::Markdown,
        "#  T\n\n```elixir\nSubAgent.run(\"x\",  signature: \"§\")\n```\n\n*  x\n",
        Some("\n"),
    ),
    (
        HostKind::Markdown,
        "1.  a\n\n    ```yaml\n    signature: |\n      §\n    ```\n",
        Some("\n      "),
    ),
    (
        HostKind::Markdown,
        "> ```json\n> {\"signature\": \"§\"}\n> ```\n",
        None,
    ),
    (
        HostKind::Yaml,
        "a:\n  - n:  1\n  - signature:  \"§\"\n    n:  2\n",
        None,
    ),
    (
        HostKind::Yaml,
        "-  signature: \"§\"\n   prompt:  Hi\n",
        None,
    ),
    (
        HostKind::Markdown,
        "```yaml\none:\n    signature:  \"§\"\n    prompt:  Hi\n```\n",
        None,
    ),
    (
        HostKind::Markdown,
        "> ```yaml\n> signature: §\n> prompt:  Hi\n> ```\n",
        None,
    ),
    (
        HostKind::Livebook,
        "1.  a\n\n    ```yaml\n    signature:  '§'\n    ```\n",
        None,
    ),
    (
        HostKind::Elixir,
        "@doc \"\"\"\n```yaml\none:\n  signature:  '§'\n  prompt:  Hi\n```\n\"\"\"\n",
        None,
    ),
    (
        HostKind::Catalog,
        "#  tools\nfind§\n    Finds  it.\n\nget()  -> :any\n",
        None,
    ),
];

/// The signature with other white space between its tokens.
fn noisy(signature: &Signature, noise: &[String], line_end: Option<&str>) -> String {
    let mut noise = noise.iter().cycle();
    let mut text = String::new();
    let written = signature.to_string();
    let ends = [',', '(', ')', '{', '}', '[', ']', ' '];
    let mut parts = written.split_inclusive(ends).peekable();
    while let Some(part) = parts.next() {
        text.push_str(part);
        let next = parts.peek();
        // There is no white space before `?`, and the signature ends with a token.
        if next.is_some_and(|it| !it.starts_with('?')) && !part.ends_with('?') {
            let blank = noise.next().map_or("", String::as_str);
            text.push_str(&blank.replace('\n', line_end.unwrap_or(" ")));
        }
    }
    text
}

fn read(kind: HostKind, text: &str, width: usize) -> Document {
    let settings = Settings {
        line_width: Some(width),
        ..Settings::default()
    };
    Document::new(kind, text, settings)
}

fn applied(document: &Document, edits: &[TextEdit]) -> String {
    let mut text = document.text().rope().to_string();
    for edit in edits.iter().rev() {
        let insert = document.text().with_line_ends(&edit.insert);
        TextEdit::replace(edit.range, insert).apply(&mut text);
    }
    text
}

/// The signatures of a document.
fn meant(document: &Document) -> Vec<Signature> {
    let literals = place::literals(document);
    let signatures = literals.iter().filter_map(|it| match &it.fragment.tree {
        Tree::Signature { lowered, .. } => Some(Signature::clone(&lowered.signature)),
        Tree::Template { .. } | Tree::Text => None,
    });
    signatures.collect()
}

fn found(document: &Document) -> Vec<&'static str> {
    let all = document.diagnostics();
    all.iter().map(|it| it.rule.code).collect()
}

fn blank_removed(text: &str) -> String {
    // Line ends in JSON strings are white space of the signature, and `>` of a quote begins each of its lines.
    let text = text.replace("\\n", " ");
    let lines = text.lines().map(|line| line.trim_start_matches(['>', ' ']));
    lines.flat_map(str::split_whitespace).collect()
}

/// The text outside of the signatures.
fn outside(document: &Document) -> Vec<String> {
    let mut start = TextSize::default();
    let mut parts = Vec::new();
    for literal in place::literals(document) {
        if is_signature(&literal) {
            let content = literal.content();
            let part = TextRange::new(start, content.start().max(start));
            parts.push(document.text().slice(part).into_owned());
            start = content.end();
        }
    }
    let rest = TextRange::new(start, document.text().len());
    parts.push(document.text().slice(rest).into_owned());
    parts
}

proptest! {
    #[test]
    fn only_white_space_of_signatures_changes(
        signature in signatures(),
        noise in proptest::collection::vec("[ \n]{0,3}", 1..24),
        width in 20..120_usize,
        file_line_end in prop::sample::select(&["\n", "\r\n"][..]),
    ) {
        for (kind, frame, line_end) in FRAMES {
            let file = frame.replace('§', &noisy(&signature, &noise, *line_end));
            let file = file.replace('\n', file_line_end);
            let before = read(*kind, &file, width);
            let once = applied(&before, &format_signatures(&before));
            let after = read(*kind, &once, width);
            prop_assert_eq!(format_signatures(&after), vec![], "again: {}\n{}", file, once);
            prop_assert_eq!(meant(&after), meant(&before), "{}\n{}", file, once);
            prop_assert_eq!(found(&after), found(&before), "{}\n{}", file, once);
            prop_assert_eq!(blank_removed(&once), blank_removed(&file));
            prop_assert_eq!(once.matches(file_line_end).count(), once.matches('\n').count());
            if *kind != HostKind::Catalog {
                prop_assert_eq!(outside(&after), outside(&before), "{}\n{}", file, once);
            }
        }
    }

    #[test]
    fn a_range_is_formatted_like_the_whole(
        all in proptest::collection::vec(signatures(), 1..4),
        noise in proptest::collection::vec("[ ]{0,3}", 1..24),
        (from, to) in any::<(Index, Index)>(),
    ) {
        let entries = all.iter().enumerate();
        let entries = entries.map(|(index, it)| format!("t{index}{}\n   Does  it.\n", noisy(it, &noise, None)));
        let prompt = noisy(&all[0], &noise, None);
        for (kind, file) in [
            (HostKind::Catalog, entries.collect::<String>()),
            (HostKind::Prompt, format!("---\nsignature: '{prompt}'\ntools:\n  a: '{prompt}'\n---\nHi\n")),
        ] {
            let document = read(kind, &file, 40);
            let at = |index: &Index| size(index.index(file.len() + 1));
            let range = TextRange::new(at(&from).min(at(&to)), at(&from).max(at(&to)));
            let whole = format(&document);
            let part = format_range(&document, range);
            prop_assert!(part.iter().all(|it| whole.contains(it)));
            let inside = |it: &TextRange| range.start() < it.start() && it.end() < range.end();
            let touching = whole.iter().filter(|it| inside(&it.range));
            for edit in touching {
                prop_assert!(part.contains(edit));
            }
            // Formatting is idempotent.
            let once = applied(&document, &part);
            let rest = format(&read(kind, &once, 40));
            prop_assert_eq!(rest.len(), whole.len() - part.len());
        }
    }
}
