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
