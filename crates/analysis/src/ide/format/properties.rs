//! Properties of formatting in every host, at every width.

use std::{fs, path::Path, sync::Arc};

use proptest::{prelude::*, sample::Index, test_runner::TestCaseError};

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
        "---\nsignature: \"§\",\n---\nHi  {{ x }}\n",
        None,
    ),
    (
        HostKind::Prompt,
        "---\nsignature: '§' description: Writes\n---\nHi  {{ x }}\n",
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

/// Documents in which the line of the signature, which `§` stands for, cannot be continued on the next one.
const LINES: &[(HostKind, &str)] = &[
    (
        HostKind::Elixir,
        "@doc \"\"\"\n    iex> SubAgent.new(prompt: \"x\", signature: \"§\")\n    :ok\n\"\"\"\ndef f, do: 1\n",
    ),
    (
        HostKind::Elixir,
        "defmodule A do\n  @doc \"\"\"\n      iex(1)> f = &M.f/1\n      ...(1)> SubAgent.new(prompt: \"x\", tools: %{\"a\" => {f, \"§\"}})\n      :ok\n  \"\"\"\nend\n",
    ),
    (
        HostKind::Elixir,
        "@moduledoc \"\"\"\n```clojure\n;; Signature: §\n(tool/find {})\n```\n\"\"\"\n",
    ),
    (
        HostKind::Elixir,
        "@doc \"\"\"\n> ```elixir\n> SubAgent.new(signature: \"§\", prompt: \"x\")\n> ```\n\"\"\"\n",
    ),
    (
        HostKind::Elixir,
        "x\n> SubAgent.new(signature: \"§\", prompt: \"x\")\n",
    ),
    (
        HostKind::Markdown,
        "```elixir\niex> SubAgent.new(prompt: \"x\",\n...>   signature: \"§\")\n:ok\n```\n",
    ),
    (
        HostKind::Markdown,
        "1.  a\n\n    ```iex\n      iex> SubAgent.new(prompt: \"x\", signature: \"§\")\n    ```\n",
    ),
    (
        HostKind::Markdown,
        "> ```elixir\n> SubAgent.new(prompt: \"x\", signature: \"§\")\n> ```\n",
    ),
    (
        HostKind::Markdown,
        "> ```elixir\n> iex> SubAgent.new(prompt: \"x\", signature: \"§\")\n> ```\n",
    ),
    (
        HostKind::Markdown,
        "> ```yaml\n> signature:  §\n> prompt:  Hi\n> ```\n",
    ),
    (
        HostKind::Markdown,
        "```elixir\nx\n> SubAgent.new(prompt: \"x\", signature: \"§\")\n```\n",
    ),
    (
        HostKind::Markdown,
        "> ```clojure\n> ;; Signature: §\n> (tool/find {})\n> ```\n",
    ),
    (
        HostKind::Livebook,
        "# T\n\n```clojure\n  ; Signature: §\n(tool/find {})\n```\n",
    ),
    (
        HostKind::Prompt,
        "---\nname:  a\n---\n```clojure\n;; Signature: §\n(tool/find {})\n```\n",
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

/// The literals of a document without white space.
fn sites(document: &Document) -> Vec<(Role, Option<Arc<str>>, String)> {
    let literals = place::literals(document).into_iter();
    let sites = literals.map(|it| {
        let unit = &it.placed.unit;
        let text = unit.code(it.site.content, document.text(), it.placed.start);
        (it.site.role, it.site.name.clone(), blank_removed(&text))
    });
    sites.collect()
}

/// Formats a file once, and checks that it then has the same literals and diagnostics and is formatted.
fn format_once(kind: HostKind, file: &str, width: usize) -> Result<String, TestCaseError> {
    let before = read(kind, file, width);
    let once = applied(&before, &format_signatures(&before));
    let after = read(kind, &once, width);
    prop_assert_eq!(
        format_signatures(&after),
        vec![],
        "again: {}\n{}",
        file,
        once
    );
    prop_assert_eq!(sites(&after), sites(&before), "{}\n{}", file, once);
    prop_assert_eq!(meant(&after), meant(&before), "{}\n{}", file, once);
    prop_assert_eq!(found(&after), found(&before), "{}\n{}", file, once);
    Ok(once)
}

fn found(document: &Document) -> Vec<&'static str> {
    let all = document.diagnostics();
    all.iter().map(|it| it.rule.code).collect()
}

fn blank_removed(text: &str) -> String {
    // Line ends in JSON strings are white space of the signature, and `>` of a quote begins each of its lines.
    let escapes = ["\\n", "\\r", "\\t"].into_iter();
    let text = escapes.fold(text.to_owned(), |text, it| text.replace(it, " "));
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
            let once = format_once(*kind, &file, width)?;
            prop_assert_eq!(blank_removed(&once), blank_removed(&file));
            prop_assert_eq!(once.matches(file_line_end).count(), once.matches('\n').count());
            if *kind != HostKind::Catalog {
                let outside = |text: &str| outside(&read(*kind, text, width));
                prop_assert_eq!(outside(&once), outside(&file), "{}\n{}", file, once);
            }
        }
    }

    #[test]
    fn a_line_that_cannot_be_continued_stays_one(
        signature in signatures(),
        noise in proptest::collection::vec("[ ]{0,3}", 1..24),
        width in 20..120_usize,
        layout in prop::sample::select(&[Layout::Canonical, Layout::OneLine, Layout::Lines][..]),
    ) {
        for (kind, frame) in LINES {
            let file = frame.replace('§', &noisy(&signature, &noise, None));
            let once = format_once(*kind, &file, width)?;
            prop_assert_eq!(once.lines().count(), file.lines().count(), "{}", once);
            let document = read(*kind, &file, width);
            let edits = place::literals(&document).into_iter().flat_map(|it| laid_out(&document, &it, layout, &[]));
            prop_assert!(edits.into_iter().all(|it| !it.insert.contains('\n')), "{}", file);
        }
    }

    /// Lines that already continue with a prompt or another mark keep it, or are joined.
    #[test]
    fn marks_between_the_lines_of_a_signature_are_no_part_of_it(
        signature in signatures(),
        noise in proptest::collection::vec("[ \n]{0,3}", 1..24),
        width in 20..120_usize,
    ) {
        for (kind, frame, line_end) in [
            (HostKind::Markdown, "```elixir\niex> SubAgent.new(prompt: \"x\", signature: \"§\")\n:ok\n```\n", "\n...> "),
            (HostKind::Elixir, "@doc \"\"\"\n    iex(1)> SubAgent.new(prompt: \"x\", signature: \"§\")\n\"\"\"\n", "\n    ...(1)> "),
            (HostKind::Markdown, "> ```elixir\n> SubAgent.new(prompt: \"x\", signature: \"§\")\n> ```\n", "\n>  "),
            (HostKind::Markdown, "```signature\nfind§ # why\n```\n", " # it\n  "),
            (HostKind::Markdown, "```sig\n§\n```\n", "\n  "),
        ] {
            let file = frame.replace('§', &noisy(&signature, &noise, Some(line_end)));
            format_once(kind, &file, width)?;
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

/// The test documents of all hosts are formatted without a change of what is found in them. In YAML with errors, more
/// lines can change where the error is.
#[test]
fn documents_keep_their_literals_and_diagnostics() {
    let hosts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../source/src/host");
    let mut count = 0;
    for host in fs::read_dir(hosts).expect("a folder").flatten() {
        for folder in ["ok", "err", "json5"] {
            if host.file_name() == "yaml" && folder == "err" {
                continue;
            }
            let folder = host.path().join("test_data").join(folder);
            for file in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Some(kind) = HostKind::from_path(&file.path()) else {
                    continue;
                };
                let text = fs::read_to_string(file.path()).expect("UTF-8");
                for width in [20, 40, 98] {
                    let outcome = format_once(kind, &text, width);
                    outcome.unwrap_or_else(|error| panic!("{}: {error}", file.path().display()));
                }
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count}");
}
