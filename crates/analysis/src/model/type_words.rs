//! The type words, and suggestions for unknown words.

use crate::model::{Edition, Primitive, spelling::distances};

/// Suggestions for an unknown type word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The replacements, best first; none if nothing fits.
    pub replacements: &'static [&'static str],
    /// Whether the first replacement certainly means the same.
    pub certain: bool,
}

/// The type of `word` in `edition`.
pub fn primitive(word: &str, edition: Edition) -> Option<Primitive> {
    let is_meant = |it: &Primitive| it.word() == word || it.alias(edition) == Some(word);
    let mut all = Primitive::ALL.into_iter();
    all.find(|it| it.is_in(edition) && is_meant(it))
}

/// Whether `word` is a type word in any edition, or certainly means one.
pub fn is_meant_as_type(word: &str) -> bool {
    suggest(word, Edition::Next).certain || primitive(word, Edition::Next).is_some()
}

/// Whether a type word of `edition` begins with `word`.
pub fn begins_one(word: &str, edition: Edition) -> bool {
    let words = Primitive::ALL.into_iter().filter(|it| it.is_in(edition));
    words.map(Primitive::word).any(|it| it.starts_with(word))
}

/// The type words of `edition`, as a list in a sentence.
pub fn all(edition: Edition) -> String {
    let words = Primitive::ALL.into_iter().map(Primitive::word);
    let words = words.filter(|word| primitive(word, edition).is_some());
    let words: Vec<_> = words.map(|word| format!("`:{word}`")).collect();
    match words.split_last() {
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Whether values of the Elixir type `module.t()` are texts in a signature.
pub(super) fn is_text_module(module: &str) -> bool {
    matches!(
        module,
        "String" | "DateTime" | "Date" | "Time" | "NaiveDateTime"
    )
}

/// The suggestions for `word`, which is not a type in `edition`.
pub fn suggest(word: &str, edition: Edition) -> Suggestion {
    let lower = word.to_ascii_lowercase();
    if let Some(suggestion) = guessed(&lower, edition) {
        return suggestion;
    }
    let words = Primitive::ALL
        .into_iter()
        .filter(|it| primitive(it.word(), edition).is_some());
    let mut distance = distances(&lower);
    let nearest = words
        .map(|primitive| (distance(primitive.word()), primitive))
        .filter(|(distance, primitive)| is_near(&lower, primitive.word(), *distance))
        .min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, primitive)) => {
            let certain = 3 * distance <= longer(&lower, primitive.word()).max(3);
            Suggestion {
                replacements: written(primitive),
                certain,
            }
        }
        None => Suggestion {
            replacements: &[],
            certain: false,
        },
    }
}

fn certain(replacements: &'static [&'static str]) -> Suggestion {
    Suggestion {
        replacements,
        certain: true,
    }
}

fn uncertain(replacements: &'static [&'static str]) -> Suggestion {
    Suggestion {
        replacements,
        certain: false,
    }
}

/// Words that people and models write by mistake: those of the table, those without a type word, and the type words of
/// a later edition.
fn guessed(word: &str, edition: Edition) -> Option<Suggestion> {
    Some(match word {
        "list" | "array" | "vector" | "seq" | "set" => certain(&["[:any]"]),
        "tuple" => uncertain(&["{first :any, second :any}"]),
        "object" | "dict" | "hash" | "record" | "struct" | "hashmap" => certain(&[":map", "{}"]),
        "number" => certain(&[":float", ":int"]),
        "nil" | "null" | "none" => certain(&[":any?"]),
        // A date-time has both, so that it accepts neither.
        "date" | "time" if Primitive::Datetime.is_in(edition) => {
            uncertain(&[":datetime", ":string"])
        }
        _ => {
            let is_meant = |it: &Primitive| it.word() == word || it.facts().guesses.contains(&word);
            let meant = Primitive::ALL.into_iter().find(is_meant)?;
            match meant.is_in(edition) {
                true => certain(written(meant)),
                false => certain(written(Primitive::String)),
            }
        }
    })
}

fn written(primitive: Primitive) -> &'static [&'static str] {
    std::slice::from_ref(&primitive.facts().written)
}

/// Whether `a` may mean `b`: they have half in common, and a short word also the first letter.
fn is_near(a: &str, b: &str, distance: usize) -> bool {
    let begins_alike = a.chars().next() == b.chars().next();
    2 * distance <= longer(a, b) && (begins_alike || 2 * distance <= a.len().min(b.len()))
}

fn longer(a: &str, b: &str) -> usize {
    a.len().max(b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_intended_word() {
        let cases = [
            ("strng", ":string"),
            ("Int", ":int"),
            ("sting", ":string"),
            ("flaot", ":float"),
            ("blo", ":bool"),
            ("integer", ":int"),
            ("list", "[:any]"),
            ("timestamp", ":datetime"),
            ("keywrd", ":keyword"),
            ("DateTime", ":datetime"),
            ("dateTime", ":datetime"),
        ];
        for (word, meant) in cases {
            assert_eq!(
                suggest(word, Edition::V0_11).replacements.first(),
                Some(&meant),
                "{word}"
            );
        }
        assert_eq!(suggest("DateTime", Edition::V0_5).replacements, [":string"]);
        for word in ["zzzzzzzz", "foo", "xyz"] {
            let suggested = suggest(word, Edition::V0_11).replacements;
            assert!(suggested.is_empty(), "{word}: {suggested:?}");
        }
    }

    /// A date-time has both a date and a time.
    #[test]
    fn a_date_or_a_time_is_no_certain_date_time() {
        for word in ["date", "time", "Date"] {
            let suggested = suggest(word, Edition::V0_11);
            assert_eq!(suggested.replacements, [":datetime", ":string"], "{word}");
            assert!(!suggested.certain, "{word}");
            assert!(suggest(word, Edition::V0_5).certain, "{word}");
        }
        assert!(suggest("timestamp", Edition::V0_11).certain);
    }

    #[test]
    fn knows_the_words_of_each_edition() {
        assert_eq!(primitive("boolean", Edition::V0_11), Some(Primitive::Bool));
        assert_eq!(primitive("boolean", Edition::V0_5), None);
        assert_eq!(primitive("datetime", Edition::V0_5), None);
        assert_eq!(primitive("Int", Edition::V0_11), None);
    }
}
