//! Edit distance, and the closest known word to a misspelled one.

/// Longer words are only similar if they are equal.
const LONGEST_WORD: usize = 256;

/// The maximum number of candidates. Words and candidates can both be many, and no hand-written text has more names
/// than this.
const MOST_CANDIDATES: usize = 512;

/// The number of insertions, deletions, replacements and swaps of neighbors that turn `a` into `b`.
pub fn distance(a: &str, b: &str) -> usize {
    distances(a)(b)
}

/// The [`distance`] of one word to others.
pub fn distances(word: &str) -> impl FnMut(&str) -> usize + '_ {
    let len = word.len();
    let mut word = Word::new(word);
    move |other| {
        let most = len.max(other.len());
        word.distance_within(other, most).unwrap_or(most)
    }
}

/// The candidate that `name` is probably a misspelling of: the closest one that differs in at most two of five
/// characters, the first of several. Only the first `MOST_CANDIDATES` count.
pub fn nearest<T: AsRef<str>>(name: &str, candidates: impl Iterator<Item = T>) -> Option<T> {
    let mut word = Word::new(name);
    let mut nearest = None;
    // A later candidate has to be closer than the best so far.
    let mut most = usize::MAX;
    for candidate in candidates.take(MOST_CANDIDATES) {
        let text = candidate.as_ref();
        let few = 2 * name.len().max(text.len()) / 5;
        let Some(distance) = word.distance_within(text, most.min(few)) else {
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

/// Whether `name` is certainly a misspelling of `other`.
pub fn is_slip(name: &str, other: &str) -> bool {
    3 * distance(name, other) <= name.len().max(other.len())
}

/// A word that is compared with many others.
struct Word<'w> {
    text: &'w str,
    chars: Vec<char>,
    places: Places,
    /// The characters of the other word, and the last three rows of the table; kept for reuse.
    other: Vec<char>,
    rows: [Vec<usize>; 3],
}

/// The positions of each character in a word of at most 64, one bit each.
struct Places {
    ascii: [u64; 128],
    others: Vec<(char, u64)>,
}

impl<'w> Word<'w> {
    fn new(text: &'w str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self {
            text,
            places: Places::of(&chars),
            chars,
            other: Vec::new(),
            rows: Default::default(),
        }
    }

    /// The distance to `other`; `None` if it exceeds `most`.
    fn distance_within(&mut self, other: &str, most: usize) -> Option<usize> {
        if most == 0 {
            return (self.text == other).then_some(0);
        }
        // Most names are in ASCII, and most others are much shorter or longer.
        if self.chars.len().abs_diff(other.len()) > most && other.is_ascii() {
            return None;
        }
        let (len, strange) = self.count(other);
        if self.chars.len().abs_diff(len).max(strange) > most {
            return None;
        }
        let distance = match self.chars.len() {
            0 => len,
            1..=64 => self.distance_by_bits(other, len, most)?,
            1..=LONGEST_WORD if len <= LONGEST_WORD => self.distance_by_table(other, most)?,
            _ if self.text == other => 0,
            _ => return None,
        };
        (distance <= most).then_some(distance)
    }

    /// The number of characters of `other`, and of those among them that are certainly not in the word: each of these
    /// is inserted or replaces another.
    fn count(&self, other: &str) -> (usize, usize) {
        let knows_all = self.chars.len() <= 64;
        let is_strange = |char| knows_all && self.places.get(char) == 0;
        other.chars().fold((0, 0), |(len, strange), char| {
            (len + 1, strange + usize::from(is_strange(char)))
        })
    }

    /// The distance of a word of at most 64 characters to one of `len`; `None` as soon as it must exceed `most`.
    ///
    /// A column of the table of distances is two words of bits: where it rises and where it falls by one (Myers 1999,
    /// with swaps after Hyyrö 2003).
    fn distance_by_bits(&self, other: &str, len: usize, most: usize) -> Option<usize> {
        let last = 1 << (self.chars.len() - 1);
        let mut distance = self.chars.len();
        let (mut rises, mut falls) = (u64::MAX, 0);
        let (mut diagonal, mut places_before) = (0_u64, 0);
        for (at, char) in other.chars().enumerate() {
            let places = self.places.get(char);
            let swapped = ((!diagonal & places) << 1) & places_before;
            let carried = (places & rises).wrapping_add(rises) ^ rises;
            diagonal = carried | places | falls | swapped;
            let row_rises = falls | !(diagonal | rises);
            let row_falls = diagonal & rises;
            distance += usize::from(row_rises & last != 0);
            distance -= usize::from(row_falls & last != 0);
            let left = len - at - 1;
            if distance > most.saturating_add(left) {
                return None;
            }
            let row_rises = (row_rises << 1) | 1;
            rises = (row_falls << 1) | !(diagonal | row_rises);
            falls = row_rises & diagonal;
            places_before = places;
        }
        Some(distance)
    }

    /// The distance of words of any length; `None` as soon as it must exceed `most`.
    fn distance_by_table(&mut self, other: &str, most: usize) -> Option<usize> {
        self.other.clear();
        self.other.extend(other.chars());
        let (a, b) = without_common_ends(&self.chars, &self.other);
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
            // A later row can build on this one and, for swaps, on the one before.
            if row.iter().chain(&*last).all(|&it| it > most) {
                return None;
            }
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()])
    }
}

impl Places {
    /// The positions among the first 64 characters.
    fn of(chars: &[char]) -> Self {
        let mut places = Self {
            ascii: [0; 128],
            others: Vec::new(),
        };
        for (at, &char) in chars.iter().take(64).enumerate() {
            *places.slot(char) |= 1 << at;
        }
        places
    }

    fn slot(&mut self, char: char) -> &mut u64 {
        if char.is_ascii() {
            return &mut self.ascii[char as usize];
        }
        let known = self.others.iter().position(|(it, _)| *it == char);
        let index = known.unwrap_or_else(|| {
            self.others.push((char, 0));
            self.others.len() - 1
        });
        &mut self.others[index].1
    }

    fn get(&self, char: char) -> u64 {
        if char.is_ascii() {
            return self.ascii[char as usize];
        }
        let found = self.others.iter().find(|(it, _)| *it == char);
        found.map_or(0, |(_, places)| *places)
    }
}

/// Both words without their common prefix and common suffix, which do not affect the distance.
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

    /// The plain definition, without optimizations.
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
        fn long_words_are_compared_too(a in "[abé]{60,68}", b in "[abé]{60,68}") {
            prop_assert_eq!(distance(&a, &b), plain_distance(&a, &b));
        }

        #[test]
        fn the_nearest_is_the_first_of_the_least_distance(
            name in "[ab]{0,7}",
            candidates in proptest::collection::vec("[abc]{0,7}", 0..12),
        ) {
            let near = candidates.iter().filter(|it| 5 * plain_distance(&name, it) <= 2 * name.len().max(it.len()));
            let expected = near.min_by_key(|it| plain_distance(&name, it)).map(String::as_str);
            prop_assert_eq!(nearest(&name, candidates.iter().map(String::as_str)), expected);
        }
    }
}
