//! How far apart two words are, and which word may be meant by another.

/// The number of characters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
pub fn distance(a: &str, b: &str) -> usize {
    let most = a.len().max(b.len());
    Word::new(a).distance_within(b, most).unwrap_or(most)
}

/// The candidate that `name` may be a slip of: the nearest that has at least half of it in common, of
/// several the first.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut word = Word::new(name);
    let mut nearest = None;
    // Whoever comes later has to be nearer than the nearest so far.
    let mut most = usize::MAX;
    for candidate in candidates {
        let half = name.len().max(candidate.len()) / 2;
        let Some(distance) = word.distance_within(candidate, most.min(half)) else {
            continue;
        };
        nearest = Some(candidate);
        if distance == 0 {
            break;
        }
        most = distance - 1;
    }
    nearest
}

/// A word that is compared with many others.
struct Word {
    chars: Vec<char>,
    /// The characters of the other word, and the last three rows of the table; kept to be filled again.
    other: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl Word {
    fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            other: Vec::new(),
            rows: Default::default(),
        }
    }

    /// The distance to `other`; `None` where it is more than `most`.
    fn distance_within(&mut self, other: &str, most: usize) -> Option<usize> {
        self.other.clear();
        self.other.extend(other.chars());
        let (a, b) = without_common_ends(&self.chars, &self.other);
        if a.len().abs_diff(b.len()) > most {
            return None;
        }
        let [before_last, last, row] = &mut self.rows;
        before_last.clear();
        before_last.resize(b.len() + 1, 0);
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.push(i);
            for j in 1..=b.len() {
                let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped {
                    best = best.min(before_last[j - 2] + 1);
                }
                row.push(best);
            }
            // A later row can build on this one and, where two characters are swapped, on the one before.
            if row.iter().chain(&*last).all(|&it| it > most) {
                return None;
            }
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|&it| it <= most)
    }
}

/// Both words without the characters that both begin with and then those that both end with, which their
/// distance does not depend on.
fn without_common_ends<'a>(a: &'a [char], b: &'a [char]) -> (&'a [char], &'a [char]) {
    let same = |(a, b): &(&char, &char)| a == b;
    let head = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    (&a[..a.len() - tail], &b[..b.len() - tail])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slips_are_counted() {
        let cases = [
            ("user", "usr", 1),
            ("serach", "search", 1),
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("größe", "grösse", 2),
            ("same", "same", 0),
        ];
        for (a, b, expected) in cases {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    /// By the definition alone, without anything that saves work.
    fn plain(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let mut ways = Vec::new();
                if i > 0 {
                    ways.push(table[i - 1][j] + 1);
                }
                if j > 0 {
                    ways.push(table[i][j - 1] + 1);
                }
                if i > 0 && j > 0 {
                    ways.push(table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                }
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    ways.push(table[i - 2][j - 2] + 1);
                }
                table[i][j] = ways.into_iter().min().unwrap_or_default();
            }
        }
        table[a.len()][b.len()]
    }

    fn plain_distance(a: &str, b: &str) -> usize {
        plain(&Vec::from_iter(a.chars()), &Vec::from_iter(b.chars()))
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_definition(a in "[abé]{0,9}", b in "[abé]{0,9}") {
            prop_assert_eq!(distance(&a, &b), plain_distance(&a, &b));
        }

        #[test]
        fn the_nearest_is_the_first_of_the_least_distance(
            name in "[ab]{0,7}",
            candidates in proptest::collection::vec("[abc]{0,7}", 0..12),
        ) {
            let near = candidates.iter().filter(|it| 2 * plain_distance(&name, it) <= name.len().max(it.len()));
            let expected = near.min_by_key(|it| plain_distance(&name, it)).map(String::as_str);
            prop_assert_eq!(nearest(&name, candidates.iter().map(String::as_str)), expected);
        }
    }
}
