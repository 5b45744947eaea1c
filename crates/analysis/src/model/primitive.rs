//! The table of primitive types.

use crate::model::Edition;

/// The types that are a single word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// UTF-8 text.
    String,
    /// An integer, not a boolean.
    Int,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// A keyword or atom.
    Keyword,
    /// A UTC date-time.
    Datetime,
    /// Any map.
    Map,
    /// Anything.
    Any,
}

/// The facts about a primitive type.
#[derive(Debug)]
pub struct Facts {
    /// The type as it is written.
    pub written: &'static str,
    /// Its meaning, for people.
    pub meaning: &'static str,
    /// Examples of values, in Markdown.
    pub examples: &'static str,
    /// The values that are coerced to it, in Markdown.
    pub coercion: &'static str,
    /// Words that people and models write for it.
    pub guesses: &'static [&'static str],
    /// Its `type` in JSON Schema.
    pub json_type: &'static str,
}

impl Primitive {
    /// All primitive types, in the order of lists for people.
    pub const ALL: [Primitive; 8] = [
        Self::String,
        Self::Int,
        Self::Float,
        Self::Bool,
        Self::Keyword,
        Self::Datetime,
        Self::Map,
        Self::Any,
    ];

    /// The table: a new primitive type gets a line here.
    pub fn facts(self) -> &'static Facts {
        match self {
            Self::String => &Facts {
                written: ":string",
                meaning: "UTF-8 text",
                examples: "`\"hello\"`, `\"\"`",
                coercion: "a keyword becomes its name, with a warning",
                guesses: &[
                    "str",
                    "text",
                    "binary",
                    "bitstring",
                    "char",
                    "uuid",
                    "url",
                    "uri",
                    "email",
                    "varchar",
                ],
                json_type: "string",
            },
            Self::Int => &Facts {
                written: ":int",
                meaning: "integer (a boolean is none)",
                examples: "`42`, `-1`, `0`",
                coercion: "`\"42\"` becomes `42`, with a warning",
                guesses: &[
                    "integer",
                    "pos_integer",
                    "non_neg_integer",
                    "num",
                    "long",
                    "bigint",
                    "i32",
                    "i64",
                    "u32",
                    "u64",
                    "int32",
                    "int64",
                    "uint",
                ],
                json_type: "integer",
            },
            Self::Float => &Facts {
                written: ":float",
                meaning: "number",
                examples: "`3.14`, `-0.5`",
                coercion: "`42` becomes `42.0` silently, `\"3.14\"` becomes `3.14` with a warning",
                guesses: &["double", "decimal", "real", "f32", "f64", "float64"],
                json_type: "number",
            },
            Self::Bool => &Facts {
                written: ":bool",
                meaning: "boolean",
                examples: "`true`, `false`",
                coercion: "`\"true\"` becomes `true`, with a warning",
                guesses: &["boolean"],
                json_type: "boolean",
            },
            Self::Keyword => &Facts {
                written: ":keyword",
                meaning: "keyword or atom",
                examples: "`:pending`, `:active`",
                coercion: "a string becomes a keyword, with a warning",
                guesses: &["atom", "symbol"],
                json_type: "string",
            },
            Self::Datetime => &Facts {
                written: ":datetime",
                meaning: "UTC date-time; on the wire ISO 8601 with an offset",
                examples: "`\"2026-05-03T09:14:00Z\"`",
                coercion: "a string with an offset is shifted to UTC, with a warning where it is not UTC; one without is an error",
                guesses: &["date", "time", "timestamp"],
                json_type: "string",
            },
            Self::Map => &Facts {
                written: ":map",
                meaning: "any map, with dynamic keys",
                examples: "`{\"id\": 1}`, `{}`",
                coercion: "nothing is coerced to it",
                guesses: &[],
                json_type: "object",
            },
            Self::Any => &Facts {
                written: ":any",
                meaning: "anything",
                examples: "every value",
                coercion: "nothing needs to be",
                guesses: &["json", "term", "value", "unknown"],
                json_type: "object",
            },
        }
    }

    /// The type word, without its colon.
    pub fn word(self) -> &'static str {
        self.facts().written.trim_start_matches(':')
    }

    /// Another word for it in `edition`.
    pub fn alias(self, edition: Edition) -> Option<&'static str> {
        (self == Self::Bool && edition.has_datetime_and_boolean()).then_some("boolean")
    }

    /// Whether it exists in `edition`.
    pub fn is_in(self, edition: Edition) -> bool {
        self != Self::Datetime || edition.has_datetime_and_boolean()
    }

    /// The values that are coerced to it in `edition`, in Markdown.
    pub fn coercion(self, edition: Edition) -> &'static str {
        match self {
            Self::Int if !edition.coerces_text_to_int() => "nothing is coerced to it",
            _ => self.facts().coercion,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    /// The words in a file between `before` and `after`, separated by anything that is not a letter.
    fn words(file: &str, before: &str, after: &str) -> BTreeSet<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(file);
        let text = fs::read_to_string(path).expect(file);
        let from = text.find(before).expect(before) + before.len();
        let len = text[from..].find(after).expect(after);
        let words = text[from..from + len].split(|c: char| !c.is_ascii_lowercase());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    }

    #[test]
    fn highlighters_know_every_word() {
        let words_of = |it: Primitive| [Some(it.word()), it.alias(Edition::V0_11)];
        let ours = Primitive::ALL.into_iter().flat_map(words_of).flatten();
        let ours: BTreeSet<_> = ours.map(str::to_owned).collect();
        for (file, before, after) in [
            ("syntaxes/signature.tmLanguage.json", "((:)(?:", ")"),
            (
                "syntaxes/tree-sitter-signature/grammar.js",
                "TYPE_WORDS = [",
                "]",
            ),
            (
                "editors/neovim/syntax/signature-catalog.vim",
                "Type /:\\%(",
                "\\)",
            ),
        ] {
            assert_eq!(words(file, before, after), ours, "{file}");
        }
    }

    #[test]
    fn a_guess_means_one_primitive_and_is_the_word_of_none() {
        let mut seen = BTreeSet::new();
        for primitive in Primitive::ALL {
            for guess in primitive.facts().guesses {
                assert!(seen.insert(*guess), "{guess}");
                assert!(
                    Primitive::ALL.iter().all(|it| it.word() != *guess),
                    "{guess}"
                );
            }
        }
    }
}
