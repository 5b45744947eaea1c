//! How long rows of elements nest in runs, so that no list grows with the document.
//!
//! A row can be cut at some places, such as line ends. After each [`RUN`] cuts the elements since the last such
//! place become a run, after each [`FAN`] runs these become a run of runs, and so on. A row that is not cut often
//! enough for a run has none. An edit replaces the runs around it and leaves the others as they are, so
//! that the runs of a row depend on how its text came to be; its elements do not.

/// How many cuts make a run.
const RUN: usize = 16;

/// How many runs make a run of runs.
const FAN: usize = 32;

/// How many levels of runs a row has at most.
const LEVELS: usize = 4;

/// More children than this and a run is divided again.
pub const LONG_RUN: usize = 16 * RUN;

/// The finished elements of a tree that is being built bottom up.
pub trait Elements {
    /// Where the next element will be.
    fn checkpoint(&self) -> usize;

    /// Makes a run of all elements from `start` on.
    fn wrap_run(&mut self, start: usize);
}

/// The runs of one row while its elements are being added.
#[derive(Debug)]
pub struct Runs {
    /// How often the row was cut since the last run.
    cuts: usize,
    /// Where the elements since the last run begin, then the runs since the last run of runs, and so on.
    starts: [usize; LEVELS],
    /// How many runs there are since the last run of runs, and so on.
    counts: [usize; LEVELS],
}

impl Runs {
    /// Begins a row after `elements`.
    pub fn new(elements: &impl Elements) -> Self {
        Self {
            cuts: 0,
            starts: [elements.checkpoint(); LEVELS],
            counts: [0; LEVELS],
        }
    }

    /// Cuts the row after `elements`.
    pub fn cut(&mut self, elements: &mut impl Elements) {
        self.cuts += 1;
        if self.cuts < RUN {
            return;
        }
        self.end_run(elements, 0);
        for level in 1..LEVELS {
            if self.counts[level - 1] < FAN {
                break;
            }
            self.end_run(elements, level);
        }
    }

    /// Ends the row.
    pub fn finish(mut self, elements: &mut impl Elements) {
        let Some(top) = self.counts.iter().rposition(|count| *count > 0) else {
            return;
        };
        for level in 0..=top {
            if self.starts[level] < elements.checkpoint() {
                self.end_run(elements, level);
            }
        }
    }

    fn end_run(&mut self, elements: &mut impl Elements, level: usize) {
        elements.wrap_run(self.starts[level]);
        self.cuts = 0;
        if level > 0 {
            self.counts[level - 1] = 0;
        }
        self.counts[level] += 1;
        self.starts[..=level].fill(elements.checkpoint());
    }
}
