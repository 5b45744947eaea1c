//! Compares workspaces after events in every order with fresh ones.

use std::{collections::BTreeSet, fs, path::PathBuf};

use rayon::prelude::*;
use serde_json::json;

use super::{
    testing::Scratch,
    tests::{AGENT, TOOLS, names},
    *,
};
use signature_ls_analysis::ide::Settings;

/// Something that happens to a watched workspace; twice undoes it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Event {
    /// A file changes, or one that is not there yet is written.
    File(&'static str, &'static str),
    /// A folder is moved away, and only that is reported.
    Folder(&'static str),
    /// The user changes the settings.
    User,
}

const EVENTS: [Event; 9] = [
    Event::File(
        "a.sig",
        "search(query :string) -> :int\nget(id :int) -> :int\n",
    ),
    Event::File("sub/d.sig", "fetch(id :int) -> :int\n"),
    Event::File("mix.exs", "[{:ptc_runner, \"~> 0.4.0\"}]"),
    Event::File(".gitignore", "c.sig\n"),
    Event::File("sub/.ignore", "d.sig\n"),
    Event::File("sub/.git", "gitdir: elsewhere\n"),
    Event::Folder("sub"),
    Event::Folder("v1.json"),
    Event::User,
];

/// Where the files do not belong to the project.
const AWAY: &str = "deps";

/// A watched workspace that was read, with open documents.
struct Fixture {
    scratch: Scratch,
    workspace: Workspace,
    /// The one in a folder.
    document: FileId,
    user: UserSettings,
    read: Vec<Change>,
    /// The changed files that the client did not report yet.
    unreported: Vec<PathBuf>,
}

impl Fixture {
    fn new(number: usize) -> Self {
        let scratch = Scratch::new(&format!("order-{number}"));
        for (name, text) in [
            ("mix.exs", "[]"),
            ("a.sig", "search(query :string) -> :int\n"),
            ("b.sig", "find(id :int) -> :int\n"),
            ("p.clj", "(tool/find {:id 1})\n(tool/search {:query 1})\n"),
            ("sub/c.sig", "fetch(id :int) -> :int\n"),
            ("sub/signature-ls.toml", "[rules]\nunknown-type = \"off\"\n"),
            ("v1.json/tools.ex", TOOLS),
            ("v1.json/c.sig", "tell(id :int) -> :int\n"),
        ] {
            scratch.write(name, text);
        }
        fs::create_dir(scratch.path(AWAY)).expect("a folder");
        let (mut workspace, document) = open(&scratch, &UserSettings::default());
        workspace.set_watched(true);
        names(&mut workspace);
        Self {
            scratch,
            workspace,
            document,
            user: UserSettings::default(),
            read: Vec::new(),
            unreported: Vec::new(),
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::File(name, text) => {
                let path = self.scratch.path(name);
                let old = fs::read_to_string(&path).unwrap_or_default();
                match (old == text, name) {
                    (false, _) => self.scratch.write(name, text),
                    (true, "mix.exs") => self.scratch.write(name, "[]"),
                    (true, _) => fs::remove_file(&path).expect("a file"),
                }
                self.unreported.push(path);
            }
            Event::Folder(name) => {
                let (path, away) = (self.scratch.path(name), self.scratch.path(AWAY).join(name));
                match path.exists() {
                    true => fs::rename(&path, &away).expect("a folder"),
                    false => fs::rename(&away, &path).expect("a folder"),
                }
                self.unreported.push(path);
            }
            Event::User => {
                let edition = self.user == UserSettings::default();
                let edition = edition.then_some("0.5");
                self.user.all = Config::from_json(&json!({ "edition": edition }));
                self.workspace.set_user_settings(self.user.clone());
            }
        }
    }

    /// Reads what is wanted; the result arrives at the end.
    fn read(&mut self) {
        let work = self.workspace.take_work();
        self.read
            .extend(work.into_iter().map(|it| it.run(|_, _| {})));
    }

    fn report(&mut self) {
        let paths = std::mem::take(&mut self.unreported);
        if !paths.is_empty() {
            self.workspace
                .files_changed(paths.iter().map(PathBuf::as_path));
        }
    }

    fn check(&mut self, what: &str) {
        for change in std::mem::take(&mut self.read) {
            self.workspace.apply(change);
        }
        let (mut fresh, document) = open(&self.scratch, &self.user);
        let (settings, found) = seen(&mut self.workspace, self.document);
        let (fresh_settings, expected) = seen(&mut fresh, document);
        assert_eq!(settings, fresh_settings, "{what}");
        let lost: Vec<_> = expected.difference(&found).collect();
        let stale: Vec<_> = found.difference(&expected).collect();
        assert!(
            lost.is_empty() && stale.is_empty(),
            "{what}: lost {lost:#?}, stale {stale:#?}"
        );
    }
}

fn open(scratch: &Scratch, user: &UserSettings) -> (Workspace, FileId) {
    let mut workspace = Workspace::default();
    workspace.set_roots([scratch.path("")]);
    workspace.set_open_folders(vec![scratch.path("")]);
    workspace.set_user_settings(user.clone());
    let documents = ["lib/a.ex", "sub/lib/a.ex"].map(|name| {
        let document = workspace.file_at(&scratch.path(name));
        workspace.open(document, HostKind::Elixir, AGENT);
        document
    });
    (workspace, documents[1])
}

fn seen(workspace: &mut Workspace, document: FileId) -> (Settings, BTreeSet<String>) {
    workspace.settle();
    let snapshot = workspace.snapshot(document).expect("an analysis");
    let found = snapshot.document.diagnostics();
    let found = found.iter().map(|it| it.rule.code.to_owned());
    let all = found.chain(names(workspace)).collect();
    (snapshot.document.settings().clone(), all)
}

/// When the client reports what happened.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reported {
    AtOnce,
    OneByOne,
    /// The same, with a read in between.
    Read,
}

#[test]
fn events_in_any_order_leave_what_a_fresh_workspace_sees() {
    let pairs = EVENTS.iter().flat_map(|one| EVENTS.map(|two| (*one, two)));
    let reported = [Reported::AtOnce, Reported::OneByOne, Reported::Read];
    let cases = pairs.flat_map(|it| reported.map(|reported| (it, reported)));
    let cases: Vec<_> = cases.enumerate().collect();
    cases.into_par_iter().for_each(|(number, case)| {
        let ((one, two), reported) = case;
        let mut fixture = Fixture::new(number);
        fixture.take(one);
        if reported != Reported::AtOnce {
            fixture.report();
        }
        if reported == Reported::Read {
            fixture.read();
        }
        fixture.take(two);
        fixture.report();
        fixture.check(&format!("{case:?}"));
    });
}
