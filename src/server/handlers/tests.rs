//! Requests in several steps, with a test in place of the main loop.

use std::{
    pin::pin,
    sync::mpsc,
    task::{Context, Poll, Waker},
};

use serde_json::json;

use super::*;
use crate::{
    server::{document::Snapshot, main_loop::Reader},
    workspace,
};
use signature_ls_analysis::ide::{Document, Settings};
use signature_ls_source::host::HostKind;

const AGENT: &str = "SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &MyApp.sto/1})\n";

/// Runs `reader` on the document at `version`.
fn run(reader: Reader, version: i32) {
    let document = Document::new(HostKind::Elixir, AGENT, Settings::default());
    let mut snapshot = Snapshot::of_file(workspace::Snapshot::of(document));
    snapshot.version = Some(version);
    (reader.read)(Some((Arc::default(), snapshot)));
}

#[test]
fn a_completion_that_waits_for_files_is_of_the_version_it_was_asked_for() {
    for (version, error) in [(1, None), (2, Some(ErrorCode::ContentModified))] {
        let (events, inbox) = mpsc::channel();
        let handlers = Handlers {
            events,
            client: OnceLock::new(),
            is_shut_down: Arc::default(),
            outbox: Outbox::new(std::io::sink()).expect("a thread"),
            results: Results::default(),
        };
        let column = AGENT.find("/1").expect("a function");
        let params = json!({
            "textDocument": {"uri": "file:///a.ex"},
            "position": {"line": 0, "character": column},
        });
        let params = serde_json::from_value(params).expect("parameters");
        let mut completion = pin!(handlers.completion(params));
        let mut context = Context::from_waker(Waker::noop());
        let mut poll = || completion.as_mut().poll(&mut context);

        assert!(poll().is_pending());
        let Ok(Event::Look(_, Extent::Document, reader)) = inbox.try_recv() else {
            panic!("the document is needed first");
        };
        run(reader, 1);
        assert!(poll().is_pending());
        let Ok(Event::Look(_, Extent::Project, reader)) = inbox.try_recv() else {
            panic!("the project is needed then");
        };
        run(reader, version);
        let Poll::Ready(answer) = poll() else {
            panic!("the answer is known");
        };
        assert_eq!(answer.err().map(|it| it.code), error, "{version}");
    }
}
