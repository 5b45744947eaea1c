//! The cost of a keystroke depends on the change and not on the length of the file: for any text, in every host.
//!
//! Work is counted, not timed: the bytes that are allocated until the new diagnostics are known.

use std::alloc::System;

use signature_ls_analysis::ide::{Document, Settings};
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

/// Long enough for a row of lines to nest in three levels of runs.
const LONG: usize = 36_000;

/// The allowance for a key in a long file beyond three times the work in a short one, in bytes: lists of places are
/// copied as a whole.
const SLACK: usize = 64 * LONG;

const KEYS: &[&str] = &[
    "x", " ", "\n", "\"", "'", "`", "(", ")", "[", "]", "{", "}", ":", ",", "-", "#", "%", "&",
    "|", "@", "~", "\\", "!", "end", " end", " do ", "fn ",
];

/// The key that encloses everything after it, so that all of it is parsed again: a fence of four backticks, as
/// CommonMark says.
const OPENS_ALL: (&str, &str) = ("Markdown", "`");

/// A file and the start of its middle block.
struct File {
    document: Document,
    block: usize,
    lines: Vec<usize>,
}

impl File {
    fn new(host: &hosts::Host, kind: HostKind, lines: usize) -> Self {
        let text = host.source(lines);
        let mut starts = host.middle_starts(&text, lines);
        starts.pop();
        Self {
            document: Document::new(kind, &text, Settings::default()),
            block: starts[0],
            lines: starts,
        }
    }

    /// The bytes that are allocated when `key` is typed in a line of the block, and when it is deleted.
    fn work(&mut self, line: usize, part: usize, key: &str) -> [usize; 2] {
        let end = self
            .lines
            .get(line + 1)
            .map_or(self.lines[line] + 1, |it| it - 1);
        let text = self
            .document
            .text()
            .slice(TextRange::new(size(self.lines[line]), size(end)));
        let mut column = text.len() * part / 4;
        while !text.is_char_boundary(column) {
            column -= 1;
        }
        let at = size(self.lines[line] + column);
        [
            TextEdit::insert(at, key),
            TextEdit::delete(TextRange::at(at, TextSize::of(key))),
        ]
        .map(|edit| {
            let region = Region::new(ALLOCATOR);
            self.document.edit(&edit);
            drop(self.document.reported());
            region.change().bytes_allocated
        })
    }
}

fn size(at: usize) -> TextSize {
    TextSize::try_from(at).expect("a short file")
}

/// The keys whose work in a long file is too much.
fn unfair(host: &hosts::Host, keys: &[&str]) -> Vec<String> {
    let kind = HostKind::from_path(host.uri.as_ref()).expect("a kind of host");
    let mut faults = Vec::new();
    let mut short = File::new(host, kind, SHORT);
    let mut long = File::new(host, kind, LONG);
    for line in 0..12 {
        for part in [0, 2, 3] {
            for key in keys {
                let few = short.work(line, part, key);
                let many = long.work(line, part, key);
                if OPENS_ALL == (host.name, key) {
                    continue;
                }
                let is_fair = few
                    .iter()
                    .zip(many)
                    .all(|(few, many)| many <= 3 * few + SLACK);
                if !is_fair {
                    faults.push(format!(
                        "{}: {key:?} in line {line}, part {part}: {few:?} bytes, in a long file {many:?}",
                        host.name
                    ));
                }
            }
        }
    }
    assert!(long.block > short.block);
    faults
}

/// One test, because the allocations of all threads are counted.
#[test]
fn a_key_costs_as_much_in_a_long_file() {
    let hosts = hosts::HOSTS.iter().map(|host| (host, KEYS));
    let shapes = hosts::SHAPES.iter().map(|host| (host, host.keys));
    let all = hosts.chain(shapes);
    let faults: Vec<_> = all.flat_map(|(host, keys)| unfair(host, keys)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
