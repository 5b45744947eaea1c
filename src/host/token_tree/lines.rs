//! How long lists of elements nest in runs of whole lines, so that no list grows with the document.
//!
//! Each line end has a *rank*, which only depends on whether a blank line follows and on how the next
//! line begins. Most have rank 0. The line ends of rank 1 and more cut a list into runs, those of rank
//! 2 and more cut the list of these runs into runs of runs, and so on. A run that would be alone is not
//! wrapped. The tree is a function of the text alone, an edit changes at most the ranks next to it,
//! and lists stay short, unless thousands of lines without a blank line are all alike.

use super::{
    Kind,
    builder::{Builder, Checkpoint},
};

/// The greatest rank; a tree has at most this many levels of runs in each group.
pub const MAX_RANK: usize = 3;

/// How many bytes of a line have a say in the rank of the line end before it.
pub const WINDOW: usize = 32;

/// The rank of a line end: `newline` is its token's text, `next` what follows that, and `behind` what
/// follows `next`.
pub fn rank(newline: &str, next: &str, behind: &str) -> usize {
    let zeros = hash_of_line(next, behind).trailing_zeros() as usize;
    let is_blank = memchr::memchr_iter(b'\n', newline.as_bytes())
        .nth(1)
        .is_some();
    let rank = if is_blank { 1 + zeros / 4 } else { zeros / 5 };
    rank.min(MAX_RANK)
}

/// A hash of at most [`WINDOW`] bytes of the line with which `next` begins.
fn hash_of_line(next: &str, behind: &str) -> u32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let bytes = next.bytes().chain(behind.bytes()).take(WINDOW);
    for byte in bytes.take_while(|byte| *byte != b'\n') {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    ((hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// The runs of one list while its elements are being added to a builder.
#[derive(Debug)]
pub struct Runs {
    /// Where the run that ends at the next line end of rank `i + 1` or more began.
    starts: [Checkpoint; MAX_RANK],
    /// How many runs that ended at line ends of rank `i + 1` the run around them has so far.
    counts: [usize; MAX_RANK],
}

impl Runs {
    /// Begins a list where `builder` is.
    pub fn new(builder: &Builder) -> Self {
        Self {
            starts: [builder.checkpoint(); MAX_RANK],
            counts: [0; MAX_RANK],
        }
    }

    /// Ends the runs that a line end of `rank` ends. The line end is added, what follows is not.
    pub fn cut(&mut self, builder: &mut Builder, rank: usize) {
        for level in 0..rank {
            self.end_run(builder, level);
        }
        self.starts[..rank].fill(builder.checkpoint());
    }

    /// Ends the list and answers the greatest rank that cut it.
    pub fn finish(&mut self, builder: &mut Builder) -> usize {
        let rank = (0..MAX_RANK)
            .rev()
            .find(|level| self.counts[*level] > 0)
            .map_or(0, |level| level + 1);
        for level in 0..rank {
            self.end_run(builder, level);
        }
        rank
    }

    fn end_run(&mut self, builder: &mut Builder, level: usize) {
        let is_alone = level > 0 && std::mem::take(&mut self.counts[level - 1]) == 1;
        if !is_alone {
            builder.wrap(self.starts[level], Kind::Lines);
        }
        self.counts[level] += 1;
    }
}
