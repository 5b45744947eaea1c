//! Pseudo-random numbers, the same in every run.

/// A generator.
pub struct Random(u64);

impl Random {
    /// The generator with `seed`.
    pub fn new(seed: u64) -> Self {
        // Never zero, and far apart for similar seeds.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let limit = limit.max(1) as u64;
        usize::try_from((self.0 >> 11) % limit).expect("less than the limit")
    }

    /// True with a probability of one in `count`.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of `choices`.
    pub fn choose<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
