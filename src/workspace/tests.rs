//! Compares workspaces after random steps with fresh ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use proptest::prelude::*;
use serde_json::json;

use super::{testing::Scratch, *};
use signature_ls_analysis::ide::{Diagnostic, Settings};
use signature_ls_source::text::{TextRange, size};

/// The files of a project, some of which are not registered anywhere.
const FILES: [&str; 6] = [
    "lib/agent.ex",
    "lib/tools.ex",
    "lib/more.ex",
    "apps/one/lib/one.ex",
    "notes.md",
    "triage.prompt",
];

/// The maximum length of a text.
const LONGEST: usize = 20_000;

fn content() -> impl Strategy<Value = String> {
    let spec = proptest::sample::select(vec!["integer()", "pid()", "String.t()", "t"]);
    let module = proptest::sample::select(vec!["MyApp.Tools", "MyApp.More", "One"]);
    let head = proptest::sample::select(vec!["id", "%{id: id}", "%{\"id\" => id}"]);
    let piece = (spec, module, head, 0..10_usize).prop_map(|(spec, module, head, kind)| match kind {
        0 => format!(
            "defmodule {module} do\n  @doc \"Gets {spec}.\"\n  @spec get({spec}) :: integer()\n  def get({head}), do: 1\nend\n"
        ),
        1 => format!(
            "SubAgent.new(prompt: \"Go.\", tools: %{{\"get\" => &{module}.get/1}})\n"
        ),
        2 => format!("alias {module}, as: Tools\n"),
        3 => "SubAgent.new(prompt: \"{{a}}\", signature: \"(a :datetime) -> :int\", tools: %{\"get\" => &Tools.get/1})\n".to_owned(),
        4 => format!(
            "```elixir\nSubAgent.new(prompt: \"Go.\", tools: %{{get: &{module}.get/1, find: {{&{module}.get/1, \"(a :strng) -> :int\"}}}})\n```\n"
        ),
        5 => "import MyApp.Tools\nSubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &get/1})\n".to_owned(),
        6 => format!(
            "@spec find({spec}) :: integer()\nSubAgent.new(prompt: \"{{{{a}}}}\", contract: \"(a :int) -> :int\", tools: %{{\"find\" => {{&{module}.find/1, \"(a :datetime) -> :int\"}}}})\n"
        ),
        7 => format!(
            "defmodule {module} do\n  def get(a) do\n    SubAgent.new(prompt: \"{{{{a}}}}\", signature: \"(a :int) -> {{b :int}}\")\n  end\nend\n"
        ),
        8 => format!(
            "step = SubAgent.run!({module}.get(1), context: %{{a: \"x\"}})\nstep.return[\"c\"]\n"
        ),
        _ => "# signature-ls: edition 0.4\n".to_owned(),
    });
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

#[derive(Debug, Clone)]
enum Step {
    /// Writes a file on the disk, or deletes it.
    Write(usize, Option<String>),
    Open(usize, String),
    OpenUntitled(String),
    Change(usize, prop::sample::Index, usize, String),
    Save(usize),
    Close(usize),
    /// Writes a lock file, or deletes it.
    Lock(usize, Option<&'static str>),
    User(Option<&'static str>, bool),
    /// Writes a settings file in one of [`FOLDERS`], or deletes it.
    Settings(usize, Option<&'static str>),
    /// Reads what is wanted; the result arrives with the next check.
    Read,
    /// Reads what is wanted, which panics after a file.
    Fail,
}

/// The roots of the workspace: nested folders.
const FOLDERS: [&str; 2] = ["", "apps/one"];

/// The contents of settings files.
const SETTINGS: [&str; 4] = [
    "edition = \"0.4\"",
    "edition = \"0.11\"\n[rules]\nunknown-type = \"off\"",
    "[signature]\nkeys = [\"contract\"]",
    "edition = 4",
];

fn step() -> impl Strategy<Value = Step> {
    let file = 0..FILES.len();
    let edition = || proptest::sample::select(vec!["0.4.1", "0.10.0", "0.13.0"]);
    let user = || proptest::sample::select(vec!["0.4", "0.5", "0.11"]);
    let settings = proptest::sample::select(SETTINGS.to_vec());
    let insert = prop_oneof![
        content(),
        Just("pid()".to_owned()),
        Just("x".to_owned()),
        Just(String::new())
    ];
    prop_oneof![
        (file.clone(), proptest::option::of(content())).prop_map(|(a, b)| Step::Write(a, b)),
        (file.clone(), content()).prop_map(|(a, b)| Step::Open(a, b)),
        content().prop_map(Step::OpenUntitled),
        (
            0..FILES.len() + 1,
            any::<prop::sample::Index>(),
            0..30_usize,
            insert
        )
            .prop_map(|(a, b, c, d)| Step::Change(a, b, c, d)),
        file.clone().prop_map(Step::Save),
        (0..FILES.len() + 1).prop_map(Step::Close),
        (0..2_usize, proptest::option::of(edition())).prop_map(|(a, b)| Step::Lock(a, b)),
        (proptest::option::of(user()), any::<bool>()).prop_map(|(a, b)| Step::User(a, b)),
        (0..FOLDERS.len(), proptest::option::of(settings)).prop_map(|(a, b)| Step::Settings(a, b)),
        Just(Step::Read),
        Just(Step::Fail),
    ]
}

/// A workspace, the open files of its client, and the files on the disk.
struct Fixture {
    scratch: Scratch,
    workspace: Workspace,
    /// The open files by their paths; `None` is the one without a path.
    open: BTreeMap<Option<PathBuf>, (FileId, String)>,
    user: UserSettings,
    /// The number of writes to the disk: each text has a different length.
    writes: usize,
    /// Whether the client reports changes of files.
    is_watched: bool,
    /// What was read and did not arrive yet.
    read: Vec<Change>,
}

impl Fixture {
    fn new(is_watched: bool) -> Self {
        let scratch = Scratch::new("property");
        scratch.write("mix.exs", "[]");
        scratch.write("apps/one/mix.exs", "[]");
        let mut workspace = Workspace::default();
        workspace.set_roots(FOLDERS.map(|it| scratch.path(it)));
        workspace.set_watched(is_watched);
        Self {
            scratch,
            workspace,
            open: BTreeMap::new(),
            user: UserSettings::default(),
            writes: 0,
            is_watched,
            read: Vec::new(),
        }
    }

    fn write(&mut self, name: &str, text: Option<&str>) {
        self.writes += 1;
        match text {
            Some(text) => {
                // Two writes may have the same time stamp, so their lengths differ.
                let padding = (LONGEST + self.writes).saturating_sub(text.len());
                let text = format!("{text}{}", "\n".repeat(padding));
                self.scratch.write(name, &text);
            }
            None => drop(std::fs::remove_file(self.scratch.path(name))),
        }
        if self.is_watched {
            let path = self.scratch.path(name);
            self.workspace.files_changed([path.as_path()]);
        }
    }

    fn path(&self, file: usize) -> Option<PathBuf> {
        FILES.get(file).map(|name| self.scratch.path(name))
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Write(file, text) => self.write(FILES[file], text.as_deref()),
            Step::Lock(folder, release) => {
                let text = release.map(|release| {
                    format!("%{{\"ptc_runner\": {{:hex, :ptc_runner, \"{release}\", \"a\", [:mix], [], \"hexpm\", \"b\"}}}}")
                });
                let name = ["mix.lock", "apps/one/mix.lock"][folder];
                self.write(name, text.as_deref());
            }
            Step::Open(file, text) => {
                let path = self.scratch.path(FILES[file]);
                let kind = HostKind::from_path(&path).expect("a kind");
                let id = self.workspace.file_at(&path);
                self.workspace.open(id, kind, &text);
                self.open.insert(Some(path), (id, text));
            }
            Step::OpenUntitled(text) => {
                let known = self.open.get(&None).map(|(id, _)| *id);
                let id = known.unwrap_or_else(|| self.workspace.new_file(Origin::Nowhere));
                self.workspace.open(id, HostKind::Elixir, &text);
                self.open.insert(None, (id, text));
            }
            Step::Change(file, at, len, insert) => {
                let path = self.path(file);
                let Some((id, text)) = self.open.get_mut(&path) else {
                    return;
                };
                let at = at.index(text.len() + 1);
                let end = (at + len).min(text.len());
                let edit = TextEdit::replace(TextRange::new(size(at), size(end)), insert);
                edit.apply(text);
                self.workspace.change(*id, vec![edit], |_, edit| edit);
            }
            Step::Save(file) => {
                let text = self
                    .open
                    .get(&self.path(file))
                    .map(|(_, text)| text.clone());
                if let Some(text) = text {
                    self.write(FILES[file], Some(&text));
                }
            }
            Step::Close(file) => {
                if let Some((id, _)) = self.open.remove(&self.path(file)) {
                    assert!(self.workspace.close(id));
                }
            }
            Step::Settings(folder, text) => {
                let name = Path::new(FOLDERS[folder]).join("signature-ls.toml");
                self.write(name.to_str().expect("a name"), text);
            }
            Step::User(edition, is_for_folder) => {
                let config = Config::from_json(&json!({ "edition": edition }));
                match is_for_folder {
                    true => {
                        let folder = self.scratch.path("apps/one");
                        self.user.by_folder.insert(folder, config);
                    }
                    false => self.user.all = config,
                }
                self.workspace.set_user_settings(self.user.clone());
            }
            Step::Fail => {
                for work in self.workspace.take_work() {
                    self.workspace.apply(failed(work));
                }
            }
            Step::Read => {
                let work = self.workspace.take_work();
                self.read
                    .extend(work.into_iter().map(|it| it.run(|_, _| {})));
            }
        }
    }

    fn fresh(&self) -> (Workspace, Vec<FileId>) {
        let mut fresh = Workspace::default();
        fresh.set_roots(FOLDERS.map(|it| self.scratch.path(it)));
        fresh.set_user_settings(self.user.clone());
        let open = self.open.iter().map(|(path, (_, text))| {
            let id = match path {
                Some(path) => fresh.file_at(path),
                None => fresh.new_file(Origin::Nowhere),
            };
            let kind = path.as_deref().and_then(HostKind::from_path);
            fresh.open(id, kind.unwrap_or(HostKind::Elixir), text);
            id
        });
        let open = open.collect();
        fresh.settle();
        (fresh, open)
    }

    #[track_caller]
    fn check(&mut self) {
        self.workspace.recheck_disk();
        for change in std::mem::take(&mut self.read) {
            self.workspace.apply(change);
        }
        self.workspace.settle();
        let (mut fresh, ids) = self.fresh();
        for ((path, (id, text)), fresh_id) in self.open.iter().zip(ids) {
            let found = |workspace: &Workspace, id| {
                let snapshot = workspace.snapshot(id).expect("an analysis");
                assert_eq!(snapshot.text().rope().to_string(), *text);
                snapshot.document.diagnostics()
            };
            assert_eq!(
                found(&self.workspace, *id),
                found(&fresh, fresh_id),
                "{path:?} {text:?}"
            );
        }
        for name in FILES {
            let path = self.scratch.path(name);
            if !self.open.contains_key(&Some(path.clone())) {
                let found = pulled(&mut self.workspace, &path);
                assert_eq!(found, pulled(&mut fresh, &path), "{path:?}");
            }
        }
        assert_eq!(names(&mut self.workspace), names(&mut fresh));
    }
}

/// The result of a work that panics after the first file.
fn failed(work: Work) -> Change {
    // Unlike `panic!`, this prints nothing.
    work.run(|_, _| std::panic::resume_unwind(Box::new("as the test wants")))
}

/// All symbols in the files of the roots, and their references.
pub(super) fn names(workspace: &mut Workspace) -> BTreeSet<String> {
    let areas = workspace.all_areas();
    workspace.look_everywhere(&areas);
    workspace.settle();
    let view = loop {
        if let Some(view) = workspace.surroundings(&areas) {
            break view;
        }
        workspace.settle();
    };
    let mut names = BTreeSet::new();
    for found in view.symbols("") {
        let place = (&found.path, found.range);
        names.insert(format!("{} {:?} {place:?}", found.name, found.kind));
        let Some(shown) = view.document(found.file) else {
            continue;
        };
        let here = Here {
            file: found.file,
            document: &shown.document,
        };
        for places in view.references(here, found.range.start(), true) {
            let path = view.path(places.file);
            names.insert(format!("{place:?} in {path:?} at {:?}", places.ranges));
        }
    }
    names
}

/// The diagnostics of a closed file.
fn pulled(workspace: &mut Workspace, path: &Path) -> Option<Vec<Diagnostic>> {
    let settings = workspace.settings_for(path);
    let kind = HostKind::from_path(path)?;
    let mut document = Workspace::read_closed(path, kind, settings)?;
    let asks = Arc::clone(document.asks());
    let _ = workspace.answers(Some(path), &asks);
    workspace.settle();
    let answers = workspace.answers(Some(path), &asks);
    document.set_answers(answers.expect("all is read"));
    Some(document.diagnostics())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn after_any_steps_a_workspace_answers_like_a_fresh_one(
        is_watched in any::<bool>(),
        steps in proptest::collection::vec((step(), any::<bool>()), 1..24),
    ) {
        let mut fixture = Fixture::new(is_watched);
        for (step, is_checked) in steps {
            fixture.take(step);
            if is_checked {
                fixture.check();
            }
        }
        fixture.check();
    }
}

/// An agent with a tool of another file.
pub(super) const AGENT: &str = "SubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &Tools.get/1})";

/// The tool of [`AGENT`], whose type has no place in a signature.
pub(super) const TOOLS: &str =
    "defmodule Tools do\n  @spec get(pid()) :: integer()\n  def get(id), do: id\nend\n";

fn codes(workspace: &Workspace, file: FileId) -> Vec<&'static str> {
    let snapshot = workspace.snapshot(file).expect("an analysis");
    let found = snapshot.document.diagnostics();
    found.iter().map(|it| it.rule.code).collect()
}

#[test]
fn nothing_is_read_before_something_asks() {
    let scratch = Scratch::new("lazy");
    scratch.write("mix.exs", "");
    scratch.write("lib/tools.ex", TOOLS);
    let mut workspace = Workspace::default();
    let notes = workspace.file_at(&scratch.path("notes.md"));
    workspace.open(notes, HostKind::Markdown, "# Notes\n");
    let own = workspace.file_at(&scratch.path("lib/own.ex"));
    let text = "defmodule Own do\n  def get(id), do: id\n  def agent, do: SubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &get/1})\nend\n";
    workspace.open(own, HostKind::Elixir, text);
    assert!(workspace.take_work().is_empty());
    assert!(workspace.is_settled(own));
    let agent = workspace.file_at(&scratch.path("lib/agent.ex"));
    workspace.open(agent, HostKind::Elixir, AGENT);
    assert!(!workspace.is_settled(agent));
    workspace.settle();
    assert_eq!(codes(&workspace, agent), ["unmapped-spec"]);
}

#[test]
fn a_change_reaches_only_the_files_that_ask_for_it() {
    let scratch = Scratch::new("reach");
    scratch.write("mix.exs", "");
    let mut workspace = Workspace::default();
    let module = |doc: &str, spec: &str| {
        format!(
            "defmodule Tools do\n  @doc \"{doc}\"\n  @spec get({spec}) :: integer()\n  def get(id), do: id\nend\n"
        )
    };
    let tools = workspace.file_at(&scratch.path("lib/tools.ex"));
    workspace.open(tools, HostKind::Elixir, &module("Gets.", "integer()"));
    let agents = ["&Tools.get/1", "&Other.get/1", "&Tools.find/1"].map(|capture| {
        let file = workspace.file_at(&scratch.path(&format!(
            "lib/{}.ex",
            capture.len() * 10 + usize::from(capture.as_bytes()[1])
        )));
        let text = format!("SubAgent.new(prompt: \"Go.\", tools: %{{\"get\" => {capture}}})");
        workspace.open(file, HostKind::Elixir, &text);
        file
    });
    workspace.settle();
    workspace.take_changed();
    let mut type_over = |text: String| {
        workspace.change(tools, vec![text], |old, new| {
            TextEdit::replace(TextRange::up_to(old.len()), new)
        });
        workspace.take_changed().into_keys().collect::<Vec<_>>()
    };
    assert_eq!(type_over(module("Finds.", "integer()")), [tools]);
    assert_eq!(type_over(module("Finds.", "pid()")), [tools, agents[0]]);
}

#[test]
fn a_change_during_the_first_read_is_noticed() {
    for is_watched in [false, true] {
        let scratch = Scratch::new(&format!("meanwhile-{is_watched}"));
        scratch.write("mix.exs", "");
        let mut workspace = Workspace::default();
        workspace.set_watched(is_watched);
        let agent = workspace.file_at(&scratch.path("lib/agent.ex"));
        workspace.open(agent, HostKind::Elixir, AGENT);
        assert!(!workspace.is_settled(agent));
        let work = workspace.take_work();
        let read: Vec<_> = work.into_iter().map(|it| it.run(|_, _| {})).collect();
        assert_eq!(read.len(), 1);
        scratch.write("lib/tools.ex", TOOLS);
        match is_watched {
            true => assert!(workspace.files_changed([scratch.path("lib/tools.ex").as_path()])),
            false => workspace.recheck_disk(),
        }
        read.into_iter().for_each(|it| workspace.apply(it));
        workspace.settle();
        assert_eq!(codes(&workspace, agent), ["unmapped-spec"]);
    }
}

#[test]
fn a_read_that_failed_delays_nobody_and_is_tried_again() {
    for is_watched in [false, true] {
        let scratch = Scratch::new(&format!("failed-{is_watched}"));
        scratch.write("mix.exs", "");
        scratch.write("lib/tools.ex", TOOLS);
        let mut workspace = Workspace::default();
        workspace.set_watched(is_watched);
        let agent = workspace.file_at(&scratch.path("lib/agent.ex"));
        workspace.open(agent, HostKind::Elixir, AGENT);
        let areas = [scratch.path("")];
        assert!(!workspace.is_settled(agent));
        assert!(workspace.surroundings(&areas).is_none());
        for work in workspace.take_work() {
            workspace.apply(failed(work));
        }
        assert!(workspace.is_settled(agent));
        assert!(workspace.surroundings(&areas).is_some());
        // Not again and again.
        assert!(workspace.take_work().is_empty());

        workspace.look_everywhere(&areas);
        workspace.settle();
        assert_eq!(codes(&workspace, agent), ["unmapped-spec"]);
        let view = workspace.surroundings(&areas).expect("all files");
        let found = view.symbols("get");
        assert!(found.iter().any(|it| it.kind == FoundKind::Function));
    }
}

#[test]
fn one_file_that_is_read_does_not_end_a_failure() {
    let scratch = Scratch::new("failed-rest");
    scratch.write("mix.exs", "");
    scratch.write("lib/tools.ex", "");
    scratch.write("lib/other.ex", "");
    let mut workspace = Workspace::default();
    workspace.set_watched(true);
    let agent = workspace.file_at(&scratch.path("lib/agent.ex"));
    workspace.open(agent, HostKind::Elixir, AGENT);
    workspace.settle();
    let (tools, other) = (scratch.path("lib/tools.ex"), scratch.path("lib/other.ex"));
    scratch.write("lib/tools.ex", TOOLS);
    workspace.files_changed([tools.as_path()]);
    for work in workspace.take_work() {
        workspace.apply(failed(work));
    }
    workspace.files_changed([other.as_path()]);
    workspace.settle();
    workspace.recheck_disk();
    workspace.settle();
    assert_eq!(codes(&workspace, agent), ["unmapped-spec"]);
}

#[test]
fn a_closed_file_that_only_has_the_name_of_a_catalog_is_not_read() {
    let scratch = Scratch::new("misnamed");
    for (text, is_ours) in [
        ("search(query :strng) -> [:string]\n", true),
        ("-----BEGIN PGP SIGNATURE-----\n\niQ\n", false),
    ] {
        scratch.write("a.sig", text);
        let path = scratch.path("a.sig");
        let read = Workspace::read_closed(&path, HostKind::Catalog, Settings::default());
        assert_eq!(read.is_some(), is_ours, "{text}");
    }
}
