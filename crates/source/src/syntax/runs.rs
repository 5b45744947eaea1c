//! Runs: long rows of elements nest, so that no list grows with the document.
//!
//! A row can be cut at some places, such as line ends. After `RUN` cuts or `RUN_BYTES` bytes, the elements since the
//! last run become a run; after `FAN` runs, these become a run of runs, and so on. A shorter row has no runs. A row of
//! thousands of elements without such a place is divided anyway, but such a run is not parsed on its own. An edit
//! replaces the runs around it and keeps the others, so the runs of a row depend on the history of its text; its
//! elements do not.

use crate::{syntax::reparse::GreenElement, text::TextSize};

/// The number of cuts in a run.
const RUN: usize = 16;

/// A run of at least so many bytes ends at the next cut.
const RUN_BYTES: u32 = 512;

/// The number of runs in a run of runs.
const FAN: usize = 32;

/// The maximum number of levels of runs.
pub const LEVELS: usize = 4;

/// A run with more children is divided again.
pub const LONG_RUN: usize = 16 * RUN;

/// The finished elements of a tree that is built bottom up.
pub trait Elements {
    /// The elements so far.
    fn elements(&self) -> &[GreenElement];

    /// The position of the next element.
    fn checkpoint(&self) -> usize {
        self.elements().len()
    }

    /// The length of the text of all elements from `start` on.
    fn len_from(&self, start: usize) -> TextSize {
        let elements = self.elements()[start..].iter();
        elements.map(|element| element.text_len()).sum()
    }

    /// Wraps all elements from `start` on in a run.
    fn wrap_run(&mut self, start: usize);
}

/// The runs of a row while its elements are added.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// The number of cuts since the last run.
    cuts: usize,
    /// The length of the text between the last run and the last cut.
    len: TextSize,
    /// Where the elements since the last cut begin.
    last_cut: usize,
    /// Where the elements since the last run begin, then the runs since the last run of runs, and so on.
    starts: [usize; LEVELS],
    /// The number of runs since the last run of runs, and so on.
    counts: [usize; LEVELS],
}

impl Runs {
    /// Starts a row after `elements`.
    pub fn new(elements: &impl Elements) -> Self {
        Self {
            cuts: 0,
            len: TextSize::default(),
            last_cut: elements.checkpoint(),
            starts: [elements.checkpoint(); LEVELS],
            counts: [0; LEVELS],
        }
    }

    /// Cuts the row after `elements`.
    pub fn cut(&mut self, elements: &mut impl Elements) {
        self.cuts += 1;
        self.len += elements.len_from(self.last_cut);
        self.last_cut = elements.checkpoint();
        if self.cuts < RUN && u32::from(self.len) < RUN_BYTES {
            return;
        }
        self.end_runs(elements);
    }

    /// Where the elements since the last run begin.
    pub fn since(&self) -> usize {
        self.starts[0]
    }

    /// Ends a run, and the runs of runs that it completes.
    pub fn end_runs(&mut self, elements: &mut impl Elements) {
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

    /// Whether it has runs.
    pub fn has_runs(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// Ends the row for now: runs of another builder follow.
    pub fn pause(&mut self, elements: &mut impl Elements) {
        let mut ended = std::mem::replace(self, Self::new(elements));
        if !ended.has_runs() && ended.starts[0] < elements.checkpoint() {
            ended.end_run(elements, 0);
        }
        ended.finish(elements);
        *self = Self::new(elements);
    }

    /// The row after its elements moved from `from` to `to`.
    pub fn moved(mut self, from: usize, to: usize) -> Self {
        for at in self.starts.iter_mut().chain([&mut self.last_cut]) {
            *at = *at - from + to;
        }
        self
    }

    fn end_run(&mut self, elements: &mut impl Elements, level: usize) {
        elements.wrap_run(self.starts[level]);
        self.cuts = 0;
        self.len = TextSize::default();
        self.last_cut = elements.checkpoint();
        if level > 0 {
            self.counts[level - 1] = 0;
        }
        self.counts[level] += 1;
        self.starts[..=level].fill(elements.checkpoint());
    }
}
