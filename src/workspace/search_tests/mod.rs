//! Names, symbols and calls over several files, most of them closed.

mod agents;
mod calls;
mod names;
mod reading;
mod symbols;

use std::collections::BTreeMap;

use expect_test::Expect;

use super::{testing::Scratch, *};
use signature_ls_analysis::ide::{Refusal, references};
use signature_ls_source::text::{TextEdit, TextRange, TextSize, size};

/// A folder of files; the one with `$0` is open.
struct Fixture {
    scratch: Scratch,
    workspace: Workspace,
    file: FileId,
    offset: TextSize,
}

impl Fixture {
    #[track_caller]
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self::in_folder(name, "", files)
    }

    /// The same, with only `folder` open in the client.
    #[track_caller]
    fn in_folder(name: &str, folder: &str, files: &[(&str, &str)]) -> Self {
        let scratch = Scratch::new(name);
        let mut workspace = Workspace::default();
        workspace.set_roots([scratch.path(folder)]);
        let mut marked = None;
        for (name, text) in files {
            let plain = text.replacen("$0", "", 1);
            scratch.write(name, &plain);
            if let Some(at) = text.find("$0") {
                let path = scratch.path(name);
                let file = workspace.file_at(&path);
                let kind = HostKind::from_path(&path).expect("a kind");
                workspace.open(file, kind, &plain);
                marked = Some((file, size(at)));
            }
        }
        let (file, offset) = marked.expect("a file marks a place");
        Self {
            scratch,
            workspace,
            file,
            offset,
        }
    }

    fn view(&mut self) -> View {
        let areas = self.workspace.all_areas();
        self.workspace.look_everywhere(&areas);
        self.workspace.settle();
        loop {
            if let Some(view) = self.workspace.surroundings(&areas) {
                return view;
            }
            self.workspace.settle();
        }
    }

    /// The names of the functions that a search for `query` finds.
    fn functions(&mut self, query: &str) -> Vec<String> {
        let found = self.view().symbols(query).into_iter();
        let functions = found.filter(|it| it.kind == FoundKind::Function);
        functions.map(|it| it.name).collect()
    }

    fn ask<T>(&mut self, ask: impl FnOnce(&View, Here<'_>, TextSize) -> T) -> T {
        let view = self.view();
        let document = view.open_document(self.file).expect("an open file");
        let here = Here {
            file: self.file,
            document,
        };
        ask(&view, here, self.offset)
    }

    fn located(&self, path: &Path, text: &Text, range: TextRange) -> String {
        let name = path
            .strip_prefix(self.scratch.path(""))
            .expect("a file of ours");
        let line = text.rope().byte_to_line(range.start().into()) + 1;
        let before = text.line_range(range.start()).start();
        let column = u32::from(range.start() - before) + 1;
        format!("{}:{line}:{column} {}", name.display(), text.slice(range))
    }

    fn places(&self, found: Vec<FilePlaces>) -> String {
        let mut shown = String::new();
        for places in found {
            for range in &places.ranges {
                let place = self.located(&places.path, &places.text, *range);
                shown.push_str(&format!("{place}\n"));
            }
        }
        shown
    }
}

#[track_caller]
fn check_names(name: &str, files: &[(&str, &str)], expected: Expect) {
    let mut fixture = Fixture::new(name, files);
    let (definitions, own, mut others) = fixture.ask(|view, here, offset| {
        (
            view.definitions(here, offset),
            references(here.document, offset, true),
            view.references(here, offset, true),
        )
    });
    let definitions = fixture.places(definitions);
    // Those in this file may be found twice.
    let file = fixture.file;
    for places in others.iter_mut().filter(|it| it.file == file) {
        places.ranges.retain(|it| !own.contains(it));
    }
    let (own, others) = (own.len(), fixture.places(others));
    expected.assert_eq(&format!(
        "definitions\n{definitions}{own} references here, and\n{others}"
    ));
}

#[track_caller]
fn check_rename(name: &str, files: &[(&str, &str)], new: &str, expected: Expect) {
    let mut fixture = Fixture::new(name, files);
    let renamed = fixture.ask(|view, here, offset| view.rename(here, offset, new));
    let shown = match renamed {
        Ok(None) => "nothing".to_owned(),
        Err(Refusal(reason)) => reason,
        Ok(Some(files)) => {
            let mut texts = BTreeMap::new();
            for it in files {
                let mut text = it.text.rope().to_string();
                for edit in it.edits.iter().rev() {
                    edit.apply(&mut text);
                }
                texts.insert(it.path.expect("a path"), text);
            }
            let root = fixture.scratch.path("");
            let shown = texts.into_iter().map(|(path, text)| {
                let name = path.strip_prefix(&root).expect("a file of ours");
                format!("{}\n{text}", name.display())
            });
            shown.collect()
        }
    };
    expected.assert_eq(&shown);
}

const AGENT: &str = "defmodule MyApp.Agent do\n  def agent do\n    SubAgent.new(name: \"finder\", prompt: \"Go.\", signature: \"(topic :string) -> :any\", tools: %{\n      \"search\" => {&MyApp.search/1, \"(order_id :int) -> :any\"},\n      \"stop\" => &MyApp.stop/1\n    })\n  end\nend\n";
const MODULE: &str = "defmodule MyApp do\n  @spec stop(integer()) :: :ok\n  def stop(id), do: id\n  def search(args), do: args\nend\n";
const PROGRAM: &str = "(tool/search {:order-id 1})\n(tool/search {:order_id 2})\n(tool/other {})\n";

/// `text` with a mark in the first `before`, at the position of `$0`.
fn marked(text: &str, place: &str) -> String {
    let plain = place.replacen("$0", "", 1);
    assert!(text.contains(&plain), "{place}");
    text.replacen(&plain, place, 1)
}
