//! How long lists of elements nest in runs, so that no list grows with the document.
//!
//! Line ends and commas cut a list. After each [`RUN`] cuts the elements since the last such place become
//! a run, after each [`FAN`] runs these become a run of runs, and so on. A list that is not cut often
//! enough for a run has none. An edit replaces the runs around it and leaves the others as they are, so
//! that the runs of a list depend on how its text came to be; its elements do not.

use super::{
    Kind,
    builder::{Builder, Checkpoint},
};

/// How many cuts make a run.
const RUN: usize = 16;

/// How many runs make a run of runs.
const FAN: usize = 32;

/// How many levels of runs a list has at most.
const LEVELS: usize = 4;

/// The runs of one list while its elements are being added to a builder.
#[derive(Debug)]
pub struct Runs {
    /// How often the list was cut since the last run.
    cuts: usize,
    /// Where the elements since the last run begin, then the runs since the last run of runs, and so on.
    starts: [Checkpoint; LEVELS],
    /// How many runs there are since the last run of runs, and so on.
    counts: [usize; LEVELS],
}

impl Runs {
    /// Begins a list where `builder` is.
    pub fn new(builder: &Builder) -> Self {
        Self {
            cuts: 0,
            starts: [builder.checkpoint(); LEVELS],
            counts: [0; LEVELS],
        }
    }

    /// Cuts the list where `builder` is.
    pub fn cut(&mut self, builder: &mut Builder) {
        self.cuts += 1;
        if self.cuts < RUN {
            return;
        }
        self.end_run(builder, 0);
        for level in 1..LEVELS {
            if self.counts[level - 1] < FAN {
                break;
            }
            self.end_run(builder, level);
        }
    }

    /// Ends the list.
    pub fn finish(mut self, builder: &mut Builder) {
        let Some(top) = self.counts.iter().rposition(|count| *count > 0) else {
            return;
        };
        for level in 0..=top {
            if self.starts[level] < builder.checkpoint() {
                self.end_run(builder, level);
            }
        }
    }

    fn end_run(&mut self, builder: &mut Builder, level: usize) {
        builder.wrap(self.starts[level], Kind::Lines);
        self.cuts = 0;
        if level > 0 {
            self.counts[level - 1] = 0;
        }
        self.counts[level] += 1;
        self.starts[..=level].fill(builder.checkpoint());
    }
}
