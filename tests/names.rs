//! The work for many names grows like their number: names are looked up, not compared with each other.
//!
//! Work is counted, not timed: the bytes that are allocated for an answer.

use std::alloc::System;

use signature_ls::workspace::{FoundKind, Workspace};
use signature_ls_analysis::ide::{self, Document, Settings};
use signature_ls_source::{
    host::HostKind,
    text::{TextSize, size},
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of names in the shorter text; the other one has twice as many.
const COUNT: usize = 400;

/// An allowance for tables that grow in steps.
const SLACK: usize = 256 << 10;

/// What is asked of a document.
type Ask = fn(&Document, TextSize);

fn complete(document: &Document, at: TextSize) {
    assert!(ide::completion(document, &[], at).is_some());
}

fn help(document: &Document, at: TextSize) {
    assert!(ide::signature_help(document, at).is_some());
}

fn refactor(document: &Document, at: TextSize) {
    ide::offers(document, at);
}

fn report(document: &Document, _: TextSize) {
    document.findings();
}

/// `unit` for each of so many numbers.
fn each(count: usize, unit: &str) -> String {
    let units = (0..count).map(|it| unit.replace('№', &it.to_string()));
    units.collect()
}

/// The kind of a document, its text with a mark `‸`, in which `⟦…⟧` is repeated with the numbers of all names, and what
/// is asked.
#[rustfmt::skip]
const CASES: &[(&str, HostKind, &str, Ask)] = &[
    ("a placeholder", HostKind::Prompt, "---\nsignature: \"(⟦name_№ :int, ⟧z :int) -> :int\"\n---\nHi {{‸\n", complete),
    ("an argument", HostKind::Lisp, "{:tools {\"a\" \"(⟦name_№ :int, ⟧z :int) -> :int\"}}\n(tool/a {⟦:name-№ 1 ⟧‸})\n", complete),
    ("help", HostKind::Lisp, "{:tools {\"a\" \"(⟦name_№ :int, ⟧z :int) -> :int\"}}\n(tool/a {⟦:name-№ 1 ⟧‸})\n", help),
    ("a value", HostKind::Elixir, "SubAgent.run(\"Hi\", signature: \"(⟦name_№ :int, ⟧z :int) -> :int\", context: %{⟦name_№: 1, ⟧‸})\n", complete),
    ("a record", HostKind::Prompt, "---\nsignature: \"(‸⟦name_№ :int, ⟧z :int) -> :int\"\n---\n⟦{{name_№}}\n⟧", refactor),
    ("data", HostKind::Elixir, "Lisp.run(\"(+ ⟦data/name-№ ⟧)\", context: %{⟦name_№: 1, ⟧z: ‸1}, signature: \":int\")\n", report),
    ("missing fields", HostKind::Json, "{\"signature\": \"(a [{⟦name_№ :int, ⟧z :int}]) -> :int\", \"input\": {\"a\": [{⟦\"name_№\": 1, ⟧\"y\": ‸1}]}}", report),
];

fn text_of(pattern: &str, count: usize) -> String {
    let mut parts = pattern.split('⟦');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (unit, rest) = part.split_once('⟧').expect("the end of a unit");
        text += &each(count, unit);
        text += rest;
    }
    text
}

/// The bytes that are allocated for the answer in a text of so many names.
fn work((_, kind, pattern, ask): &(&str, HostKind, &str, Ask), count: usize) -> usize {
    let text = text_of(pattern, count);
    let at = text.find('‸').expect("a mark");
    let document = Document::new(*kind, &text.replace('‸', ""), Settings::default());
    let region = Region::new(ALLOCATOR);
    ask(&document, size(at));
    region.change().bytes_allocated
}

/// The bytes that are allocated to find the functions of a closed file that are tools.
fn search(count: usize) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = each(count, "\"t№\" => &Big.f№/1, ");
    // A head is read up to a length.
    let comment = "-".repeat(200);
    let functions = each(count, &format!("def f№(x), do: x # {comment}\n"));
    let files = [
        ("mix.exs", "[{:ptc_runner, \"~> 0.11\"}]".to_owned()),
        ("lib/big.ex", format!("defmodule Big do\n{functions}end\n")),
        (
            "lib/use.ex",
            format!(
                "SubAgent.new(prompt: \"x\", signature: \"(q :int) -> :int\", tools: %{{{tools}}})\n"
            ),
        ),
    ];
    std::fs::create_dir(folder.path().join("lib")).expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut workspace = Workspace::default();
    workspace.set_roots([folder.path().to_owned()]);
    let areas = workspace.all_areas();
    workspace.look_everywhere(&areas);
    workspace.settle();
    let view = loop {
        if let Some(view) = workspace.surroundings(&areas) {
            break view;
        }
        workspace.settle();
    };
    let region = Region::new(ALLOCATOR);
    let found = view.symbols("f");
    let bytes = region.change().bytes_allocated;
    let functions = found.iter().filter(|it| it.kind == FoundKind::Function);
    assert_eq!(functions.count(), count);
    bytes
}

/// A single test, because all allocations in the meantime count.
#[test]
fn twice_the_names_are_twice_the_work() {
    let mut faults = Vec::new();
    let mut judge = |name: &str, few: usize, many: usize| {
        if many * 10 > few * 24 + SLACK * 10 {
            faults.push(format!("{name}: {few} bytes, doubled {many}"));
        }
    };
    for case in CASES {
        work(case, 2);
        judge(case.0, work(case, COUNT), work(case, 2 * COUNT));
    }
    judge("a search", search(COUNT), search(2 * COUNT));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
