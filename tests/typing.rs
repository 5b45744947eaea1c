//! A document takes hardly more memory after a user typed in it than one that is opened with the same text.

use std::alloc::System;

use signature_ls_analysis::ide::{Document, Settings};
use signature_ls_source::{
    host::HostKind,
    syntax::shared::forget_slots,
    text::{TextEdit, TextRange, TextSize},
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[allow(dead_code, reason = "the benchmarks use more of it")]
#[path = "../benches/support/hosts.rs"]
mod hosts;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const LINES: usize = 600;

const ATTEMPTS: usize = 4;

/// The characters that are typed and deleted in each line. The bracket changes the structure.
const KEYS: [&str; 2] = ["x", "("];

/// The bytes that `document` takes. Threads keep parts of trees, which an idle server makes them forget.
fn freed_by(document: Document) -> usize {
    forget_slots();
    rayon::broadcast(|_| forget_slots());
    let region = Region::new(ALLOCATOR);
    drop(document);
    region.change().bytes_deallocated
}

fn opened(kind: HostKind, text: &str) -> Document {
    let document = Document::new(kind, text, Settings::default());
    drop(document.reported());
    document
}

/// Types and deletes each key in the middle of each line.
fn type_everywhere(document: &mut Document, text: &str) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut middle = start + line.len() / 2;
        while !text.is_char_boundary(middle) {
            middle -= 1;
        }
        let at = TextSize::try_from(middle).expect("a short file");
        for key in KEYS {
            document.edit(&TextEdit::insert(at, key));
            drop(document.reported());
            document.edit(&TextEdit::delete(TextRange::at(at, TextSize::of(key))));
            drop(document.reported());
        }
        start += line.len();
    }
}

/// One test, because the allocations of all threads are counted.
#[test]
fn typing_takes_hardly_more_memory_than_opening() {
    for host in &hosts::HOSTS {
        let kind = HostKind::from_path(host.uri.as_ref()).expect("a kind of host");
        let text = host.source(LINES);
        let fresh = freed_by(opened(kind, &text));
        // It depends on the threads what equal parts of a tree share, so that the least of some attempts counts.
        let attempts = (0..ATTEMPTS).map(|_| {
            let mut document = opened(kind, &text);
            type_everywhere(&mut document, &text);
            freed_by(document)
        });
        let typed = attempts.min().unwrap_or_default();
        // The leaves of a rope that is edited everywhere are half full.
        let rope = text.len() * 5 / 4;
        // Lists have room for more after an edit. What was edited shares less with the rest: the entries of a new
        // catalog share their trees with more than the entries beside them, and equal parts of new Elixir and YAML are one.
        // A unit of Clojure that reads as before keeps the tree that it had.
        let limit = match host.name {
            "catalog" => fresh * 8 / 5 + rope,
            "Clojure" | "Elixir" | "YAML" => fresh * 7 / 5 + rope,
            _ => fresh * 9 / 8 + rope,
        };
        assert!(
            typed <= limit,
            "{}: {fresh} bytes when opened, {typed} after typing",
            host.name
        );
    }
}
