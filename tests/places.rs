//! The cost of a request at a place depends on its answer and not on the length of the file, in every host.
//!
//! Work is counted, not timed: the bytes that are allocated for the answer after a keystroke.

use std::alloc::System;

use signature_ls_analysis::ide::{self, Document, Settings};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, TextSize},
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[allow(dead_code, reason = "the benchmarks use more of it")]
#[path = "../benches/support/hosts.rs"]
mod hosts;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SHORT: usize = 1_200;

const LONG: usize = 12_000;

/// The allowance for a request in a long file beyond three times the work in a short one, in bytes: a change that is
/// tried on a copy of the document copies lists of places, like a keystroke.
const SLACK: usize = 64 * LONG;

/// The allowance for each place in an answer.
const PLACE: usize = 2_000;

/// A renamed signature resolves all names of its prompt again.
const READS_ALL: (&str, &str) = ("prompt", "rename");

/// A request, and the number of places in its answer.
type Ask = fn(&Document, TextSize) -> usize;

const REQUESTS: &[(&str, Ask)] = &[
    ("hover", |document, at| {
        usize::from(ide::hover(document, at).is_some())
    }),
    ("completion", |document, at| {
        ide::completion(document, &[], at).map_or(0, |it| it.items.len())
    }),
    ("signature help", |document, at| {
        usize::from(ide::signature_help(document, at).is_some())
    }),
    ("definition", |document, at| {
        ide::definitions(document, at).len()
    }),
    ("type definition", |document, at| {
        ide::type_definitions(document, at).len()
    }),
    ("references", |document, at| {
        ide::references(document, at, true).len()
    }),
    ("highlights", |document, at| {
        ide::highlights(document, at).len()
    }),
    ("prepare rename", |document, at| {
        usize::from(ide::prepare_rename(document, at).is_ok())
    }),
    ("rename", |document, at| {
        let renamed = ide::rename(document, at, "another_name");
        renamed.ok().flatten().map_or(0, |edits| edits.len())
    }),
    ("linked editing", |document, at| {
        usize::from(ide::linked_ranges(document, at).is_some())
    }),
    ("selection", |document, at| {
        ide::selection(document, at).len()
    }),
    ("colored words", |document, at| {
        ide::semantic_tokens(document, line(document, at)).len()
    }),
    ("hints", |document, at| {
        ide::inlay_hints(document, line(document, at)).len()
    }),
];

fn line(document: &Document, at: TextSize) -> TextRange {
    document.text().line_range(at)
}

/// A file with a unique name in its middle.
struct File {
    document: Document,
    /// The place of the middle block.
    block: TextRange,
}

impl File {
    fn new(host: &hosts::Host, kind: HostKind, lines: usize) -> Self {
        let mut text = host.source(lines);
        let starts = host.middle_starts(&text, lines);
        let mut block = starts[0]..starts[starts.len() - 1];
        // All blocks of a prompt file are under one signature.
        if host.name == "prompt" {
            let renamed = text[block.clone()].replacen("{{count}}", "{{extra}}", 1);
            text.replace_range(block.clone(), &renamed);
            let (old, new) = ("count :int", "count :int, extra :int");
            text = text.replacen(old, new, 1);
            let grown = new.len() - old.len();
            block = block.start + grown..block.end + grown;
        }
        let document = Document::new(kind, &text, hinting());
        // The functions of a document are read once, by the first request that needs them.
        document.facts();
        Self {
            block: TextRange::new(size(block.start), size(block.end)),
            document,
        }
    }

    /// The bytes that are allocated for an answer after a key in the block, and the number of places in the answer.
    fn work(&mut self, at: TextSize, ask: Ask) -> (usize, usize) {
        for edit in [
            TextEdit::insert(self.block.end(), "\n"),
            TextEdit::delete(TextRange::at(self.block.end(), TextSize::of('\n'))),
        ] {
            self.document.edit(&edit);
        }
        let region = Region::new(ALLOCATOR);
        let places = ask(&self.document, at);
        (region.change().bytes_allocated, places)
    }
}

fn hinting() -> Settings {
    Settings {
        hints: ide::Hints {
            signatures: true,
            placeholders: true,
            ..ide::Hints::default()
        },
        ..Settings::default()
    }
}

fn size(offset: usize) -> TextSize {
    TextSize::try_from(offset).expect("a small file")
}

/// Names and words of a block. Those of a prompt file are in all of its blocks, with one exception.
fn host_names(host: &hosts::Host) -> &'static [&'static str] {
    match host.name {
        "prompt" => &["extra", "{extra", "}}, who"],
        _ => &[
            "user.name",
            "count :int",
            "user {",
            "mail",
            "string",
            "greeting",
            "answer_",
        ],
    }
}

/// A single test, because all allocations in the meantime count.
#[test]
fn a_request_takes_no_longer_in_a_long_file() {
    let mut faults = Vec::new();
    for host in &hosts::HOSTS {
        let kind = HostKind::from_path(host.uri.as_ref()).expect("a kind of host");
        let mut files = [SHORT, LONG].map(|lines| File::new(host, kind, lines));
        for name in host_names(host) {
            for (request, ask) in REQUESTS {
                if (host.name, *request) == READS_ALL {
                    continue;
                }
                let [(short, _), (long, places)] = files.each_mut().map(|file| {
                    let block = file.document.text().slice(file.block).into_owned();
                    let at = block.find(name).map(|at| file.block.start() + size(at + 1));
                    at.map_or((0, 0), |at| file.work(at, *ask))
                });
                if long > 3 * short + SLACK + PLACE * places {
                    faults.push(format!(
                        "{} {request} of `{name}`: {short} bytes, in a long file {long}, {places} places",
                        host.name
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
