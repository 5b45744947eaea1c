//! Files that change while they are read, and readings that are cancelled.

use super::*;

#[test]
fn a_file_that_was_changed_meanwhile_is_not_edited() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [("lib/agent.ex", agent.as_str()), ("a.clj", PROGRAM)];
    let mut fixture = Fixture::new("stale", &files);
    let view = fixture.view();
    fixture
        .scratch
        .write("a.clj", &format!("; longer\n{PROGRAM}"));
    let here = Here {
        file: fixture.file,
        document: view.open_document(fixture.file).expect("an open file"),
    };
    let Err(Refusal(reason)) = view.rename(here, fixture.offset, "find") else {
        panic!("a refusal");
    };
    assert!(
        reason.contains("a.clj") && reason.contains("just changed"),
        "{reason}"
    );
    // It is read again the next time.
    let renamed = fixture.ask(|view, here, offset| view.rename(here, offset, "find"));
    let edited = renamed.expect("edits").expect("edits");
    assert_eq!(edited.len(), 2);
    assert!(edited[1].text.rope().to_string().starts_with("; longer"));
}

#[test]
fn a_cancelled_reading_refuses_what_it_cannot_see() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [("lib/agent.ex", agent.as_str()), ("a.clj", PROGRAM)];
    let mut fixture = Fixture::new("cancelled", &files);
    let areas = fixture.workspace.all_areas();
    fixture.workspace.look_everywhere(&areas);
    assert!(fixture.workspace.surroundings(&areas).is_none());
    for work in fixture.workspace.take_work() {
        work.cancellation()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let change = work.run(|_, _| {});
        fixture.workspace.apply(change);
    }
    let view = fixture.workspace.surroundings(&areas);
    assert!(view.is_some_and(|it| !it.is_complete()));
    // The next request gets everything.
    assert!(fixture.view().is_complete());
}

#[test]
fn edits_of_files_have_the_order_of_their_paths() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [
        ("lib/agent.ex", agent.as_str()),
        ("a.clj", PROGRAM),
        ("z.clj", PROGRAM),
    ];
    for first in ["a.clj", "z.clj"] {
        let mut fixture = Fixture::new(&format!("in-order-{first}"), &files);
        fixture.workspace.file_at(&fixture.scratch.path(first));
        let renamed = fixture.ask(|view, here, offset| view.rename(here, offset, "find"));
        let renamed = renamed.expect("edits").expect("edits").into_iter();
        let root = fixture.scratch.path("");
        let paths = renamed.map(|it| {
            it.path
                .expect("a path")
                .strip_prefix(&root)
                .map(Path::to_owned)
        });
        let paths: Vec<_> = paths.map(|it| it.expect("a file of ours")).collect();
        let expected = ["lib/agent.ex", "a.clj", "z.clj"].map(PathBuf::from);
        assert_eq!(paths, expected, "{first}");
    }
}

/// A watching client does not report the change.
#[test]
fn a_refused_rename_has_the_file_read_for_the_next_one() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [("lib/agent.ex", agent.as_str()), ("a.clj", PROGRAM)];
    let mut fixture = Fixture::new("stale-watched", &files);
    fixture.workspace.set_watched(true);
    fixture.view();
    let text = format!("; longer\n{PROGRAM}");
    fixture.scratch.write("a.clj", &text);
    let mut rename = || fixture.ask(|view, here, offset| view.rename(here, offset, "find"));
    assert!(rename().is_err());
    let renamed = rename().expect("edits").expect("edits");
    assert_eq!(renamed.len(), 2);
}

#[test]
fn an_event_may_come_before_its_file() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let mut fixture = Fixture::new("early", &[("lib/agent.ex", agent.as_str())]);
    fixture.workspace.set_watched(true);
    fixture.view();
    let path = fixture.scratch.path("lib/b.sig");
    fixture.workspace.files_changed([path.as_path()]);
    fixture.view();
    fixture.workspace.files_changed([path.as_path()]);
    fixture
        .scratch
        .write("lib/b.sig", "gather(id :int) -> :int\n");
    assert_eq!(fixture.view().symbols("gather").len(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_changes_with_its_target() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [
        ("mix.exs", ""),
        ("lib/agent.ex", agent.as_str()),
        ("real/a.sig", "gather(id :int) -> :int\n"),
    ];
    let mut fixture = Fixture::new("link", &files);
    fixture.workspace.set_watched(true);
    let link = fixture.scratch.path("link.sig");
    std::os::unix::fs::symlink("real/a.sig", link).expect("a link");
    assert_eq!(fixture.view().symbols("gather").len(), 2);
    fixture
        .scratch
        .write("real/a.sig", "collect(id :int) -> :int\n");
    let target = fixture.scratch.path("real/a.sig");
    fixture.workspace.files_changed([target.as_path()]);
    assert_eq!(fixture.view().symbols("collect").len(), 2);
}
