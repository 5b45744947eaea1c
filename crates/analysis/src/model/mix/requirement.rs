//! Requirements of versions, as Mix writes them: `~> 0.10`, `>= 0.5.2 and < 0.11.0`.

use crate::model::Edition;

/// Releases that decide which editions a requirement allows: the first and the last patch of each minor version.
const RELEASES: [[u32; 3]; 18] = [
    [0, 1, 0],
    [0, 2, 0],
    [0, 3, 0],
    [0, 3, 4],
    [0, 4, 0],
    [0, 4, 1],
    [0, 5, 0],
    [0, 5, 1],
    [0, 5, 2],
    [0, 6, 0],
    [0, 7, 0],
    [0, 8, 0],
    [0, 9, 0],
    [0, 10, 0],
    [0, 10, 1],
    [0, 11, 0],
    [0, 12, 0],
    [0, 13, 0],
];

/// The allowed releases: alternatives of conditions that all have to hold.
#[derive(Debug)]
pub(super) struct Requirement {
    alternatives: Vec<Vec<Condition>>,
}

#[derive(Debug, Clone, Copy)]
struct Condition {
    operator: Operator,
    release: [u32; 3],
    /// Whether it is a pre-release, as in `0.11.0-rc.1`.
    is_prerelease: bool,
    /// Whether the third number is missing.
    is_short: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `~>`: from there up to the next increment of the second to last number.
    Compatible,
}

const OPERATORS: [(&str, Operator); 8] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("!", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    ("<", Operator::Less),
    (">=", Operator::GreaterOrEqual),
    (">", Operator::Greater),
    ("~>", Operator::Compatible),
];

impl Requirement {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut alternatives = vec![Vec::new()];
        let mut operator = None;
        let mut awaits_condition = true;
        for word in text.split_whitespace() {
            match word {
                "and" | "or" if awaits_condition => return None,
                "and" => awaits_condition = true,
                "or" => {
                    alternatives.push(Vec::new());
                    awaits_condition = true;
                }
                _ if !awaits_condition => return None,
                _ => {
                    let (found, version) = split_operator(word);
                    if found.is_some() && operator.is_some() {
                        return None;
                    }
                    operator = operator.or(found);
                    if version.is_empty() {
                        operator?;
                        continue;
                    }
                    let operator = operator.take().unwrap_or(Operator::Equal);
                    alternatives
                        .last_mut()?
                        .push(Condition::parse(operator, version)?);
                    awaits_condition = false;
                }
            }
        }
        (!awaits_condition).then_some(Self { alternatives })
    }

    /// The edition of the newest known release that is allowed. If there is none, that of the first version in the
    /// requirement, which must be newer than the known ones.
    pub(super) fn newest_edition(&self) -> Option<Edition> {
        let newest = RELEASES.iter().rev().find(|release| self.allows(**release));
        let first_named = self.alternatives.first()?.first()?.release;
        Some(Edition::of_release(newest.copied().unwrap_or(first_named)))
    }

    /// Whether a known release of `edition` is allowed.
    pub(super) fn allows_edition(&self, edition: Edition) -> bool {
        let mut releases = RELEASES.iter();
        releases.any(|it| Edition::of_release(*it) == edition && self.allows(*it))
    }

    fn allows(&self, release: [u32; 3]) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|conditions| conditions.iter().all(|it| it.allows(release)))
    }
}

impl Condition {
    fn parse(operator: Operator, version: &str) -> Option<Self> {
        let without_build = version
            .split_once('+')
            .map_or(version, |(version, _)| version);
        let (numbers, is_prerelease) = match without_build.split_once('-') {
            Some((numbers, _)) => (numbers, true),
            None => (without_build, false),
        };
        let is_short = numbers.split('.').count() == 2;
        if is_short && operator != Operator::Compatible {
            return None;
        }
        let release = if is_short {
            release(&format!("{numbers}.0"))?
        } else {
            release(numbers)?
        };
        Some(Self {
            operator,
            release,
            is_prerelease,
            is_short,
        })
    }

    fn allows(self, release: [u32; 3]) -> bool {
        let is_same = release == self.release && !self.is_prerelease;
        let is_later = release > self.release || (release == self.release && self.is_prerelease);
        match self.operator {
            Operator::Equal => is_same,
            Operator::NotEqual => !is_same,
            Operator::Less => !is_same && !is_later,
            Operator::LessOrEqual => !is_later,
            Operator::Greater => is_later,
            Operator::GreaterOrEqual => is_same || is_later,
            Operator::Compatible => (is_same || is_later) && self.is_compatible(release),
        }
    }

    fn is_compatible(self, release: [u32; 3]) -> bool {
        let fixed = if self.is_short { 1 } else { 2 };
        release[..fixed] == self.release[..fixed]
    }
}

fn split_operator(word: &str) -> (Option<Operator>, &str) {
    let found = OPERATORS
        .iter()
        .find_map(|(sign, operator)| Some((*operator, word.strip_prefix(sign)?)));
    match found {
        Some((operator, rest)) => (Some(operator), rest),
        None => (None, word),
    }
}

/// `0.10.1`, with an optional pre-release and build.
pub(super) fn release(version: &str) -> Option<[u32; 3]> {
    let numbers = version.split(['-', '+']).next()?;
    let mut parts = numbers.split('.').map(|part| part.parse().ok());
    let release = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(release)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each as Elixir answers.
    #[test]
    fn allows_what_mix_allows() {
        let cases = [
            ("~> 0.10", [0, 13, 0], true),
            ("~> 0.10", [1, 0, 0], false),
            ("~> 0.10", [0, 9, 9], false),
            ("~> 0.10.0", [0, 10, 1], true),
            ("~> 0.10.0", [0, 11, 0], false),
            ("~>0.5.2", [0, 5, 2], true),
            ("~> 0.10.0-dev", [0, 10, 0], true),
            ("0.10.0", [0, 10, 0], true),
            ("== 0.10.0", [0, 10, 0], true),
            ("== 0.10.0", [0, 10, 1], false),
            ("!= 0.10.0", [0, 10, 0], false),
            ("!0.10.0", [0, 10, 0], false),
            ("< 0.11.0-rc.1", [0, 11, 0], false),
            ("< 0.11.0-rc.1", [0, 10, 1], true),
            ("<= 0.11.0", [0, 11, 0], true),
            ("> 0.11.0", [0, 11, 0], false),
            (">=0.5.2 and <0.11.0", [0, 10, 0], true),
            (">= 0.5.2  and  < 0.11.0", [0, 11, 0], false),
            ("~> 0.4 or ~> 1.0", [1, 2, 0], true),
            ("~> 0.5 or == 0.4.1 and > 0.4.0", [0, 4, 1], true),
        ];
        for (text, release, allowed) in cases {
            let requirement = Requirement::parse(text).unwrap();
            assert_eq!(requirement.allows(release), allowed, "{text} {release:?}");
        }
    }

    #[test]
    fn refuses_what_mix_refuses() {
        let cases = [
            "",
            "and",
            "~> 0",
            ">= 0.5",
            "0.10",
            "~> 0.10.0.1",
            "v0.5.0",
            "*",
            "~>",
            ">= and",
            ">= >= 0.5.0",
            "not 0.5.0",
            ">= 0.5.2 < 0.11.0",
            "0.5.2 and",
            "or 0.5.2",
            "99999999999.0.0",
        ];
        for text in cases {
            assert!(Requirement::parse(text).is_none(), "{text}");
        }
    }
}
