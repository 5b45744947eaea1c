//! Pairs opening and closing delimiters before parsing.
//!
//! With this, every closed pair can be parsed separately, whatever is wrong around it: unambiguous pairs come first,
//! and only the remaining delimiters are guessed. An incremental reparse can therefore start and end at such a pair.

/// A delimiter: a bracket, or the tag of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delimiter {
    /// Its index in the caller's list.
    pub(super) index: usize,
    /// Whether it opens or closes.
    pub(super) opens: bool,
}

/// The role of a delimiter. Indices are [`Delimiter::index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It opens and is closed by the delimiter at this index, which may not fit.
    ClosedBy(usize),
    /// It opens and is never closed.
    Unclosed,
    /// It closes the one at this index.
    Closes(usize),
    /// It closes nothing.
    Stray,
}

/// The maximum number of ambiguous delimiters: for more, the exact search is too slow and they remain unpaired.
pub const EXACT_LIMIT: usize = 48;

/// Calls `set` with the index and the role of each delimiter. `fit` tells whether the opening and the closing delimiter
/// at two indexes belong together.
pub(super) fn pair(
    delimiters: impl Iterator<Item = Delimiter>,
    mut fit: impl FnMut(usize, usize) -> bool,
    mut set: impl FnMut(usize, Role),
) {
    let mut set_pair = |open: usize, close: usize| {
        set(open, Role::ClosedBy(close));
        set(close, Role::Closes(open));
    };
    let mut left = left_of_well_nested(delimiters, &mut fit, &mut set_pair);
    if left.len() <= EXACT_LIMIT && may_have_pairs(&left) {
        let mut single: Vec<bool> = vec![true; left.len()];
        for (open, close) in pair_with_fewest_errors(&left, &mut fit) {
            (single[open], single[close]) = (false, false);
            set_pair(left[open].index, left[close].index);
        }
        let mut single = single.into_iter();
        left.retain(|_| single.next().unwrap_or(true));
    }
    for delimiter in left {
        let role = match delimiter.opens {
            true => Role::Unclosed,
            false => Role::Stray,
        };
        set(delimiter.index, role);
    }
}

/// Whether one of them opens before another one closes.
fn may_have_pairs(delimiters: &[Delimiter]) -> bool {
    let mut after_first = delimiters.iter().skip_while(|it| !it.opens);
    after_first.any(|it| !it.opens)
}

/// Pairs unambiguous delimiters and returns the others.
fn left_of_well_nested(
    delimiters: impl Iterator<Item = Delimiter>,
    fit: &mut impl FnMut(usize, usize) -> bool,
    set_pair: &mut impl FnMut(usize, usize),
) -> Vec<Delimiter> {
    let mut left: Vec<Delimiter> = Vec::new();
    for delimiter in delimiters {
        match left.last() {
            Some(open) if open.opens && !delimiter.opens && fit(open.index, delimiter.index) => {
                set_pair(open.index, delimiter.index);
                left.pop();
            }
            _ => left.push(delimiter),
        }
    }
    left
}

/// Pairs delimiters, by their positions in the slice, with the fewest errors: an interval search, cubic in their
/// number. A pair that does not fit counts as one error, like an unpaired delimiter.
fn pair_with_fewest_errors(
    delimiters: &[Delimiter],
    fit: &mut impl FnMut(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let n = delimiters.len();
    // Of the pair `i` and `j`, if the one opens and the other closes.
    let mut pair_costs = vec![vec![None; n]; n];
    for i in (0..n).filter(|i| delimiters[*i].opens) {
        for j in (i + 1..n).filter(|j| !delimiters[*j].opens) {
            let fits = fit(delimiters[i].index, delimiters[j].index);
            pair_costs[i][j] = Some(u32::from(!fits));
        }
    }
    // `cost[i][j]` is that of the delimiters `i..j`, and `partner[i][j]` is the partner of `i` there.
    let mut cost = vec![vec![0_u32; n + 1]; n + 1];
    let mut partner = vec![vec![None; n + 1]; n + 1];
    for len in 1..=n {
        for i in 0..=n - len {
            let j = i + len;
            let mut best = (1 + cost[i + 1][j], None);
            for k in i + 1..j {
                let Some(pair) = pair_costs[i][k] else {
                    continue;
                };
                let total = pair + cost[i + 1][k] + cost[k + 1][j];
                if total < best.0 {
                    best = (total, Some(k));
                }
            }
            (cost[i][j], partner[i][j]) = best;
        }
    }
    let mut pairs = Vec::new();
    let mut spans = vec![(0, n)];
    while let Some((i, j)) = spans.pop() {
        if i >= j {
            continue;
        }
        match partner[i][j] {
            Some(k) => {
                pairs.push((i, k));
                spans.extend([(i + 1, k), (k + 1, j)]);
            }
            None => spans.push((i + 1, j)),
        }
    }
    pairs
}
