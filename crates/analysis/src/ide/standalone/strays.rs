//! A stray character in a signature: no safe fix loses what the author wrote, or invents what is only moved.

use proptest::prelude::*;

use super::*;
use crate::model::{parse_signature, testing::signatures};

/// Signatures in several layouts.
const SOUND: &[&str] = &[
    "(query :string, limit :int?) -> [{id :int, title :string}]",
    "(a :int) -> {b :int}",
    "(ab {c [:keyword]}, d-e {}) -> :map",
    "(a :int)->{b:int}",
    "{answer :string, score :float}",
    "() -> [:map]",
    "[:any]",
    ":datetime?",
];

const STRAYS: &[char] = &[
    ',', ';', ':', '?', '.', '!', '|', '&', '*', '+', '/', '\\', '\'', '"', '`', '~', '@', '#',
    '$', '%', '^', '=', '<', '>', '-', '(', ')', '[', ']', '{', '}',
];

/// The names and types in `text`: its letters, which a stray character may have divided.
fn words(text: &str) -> String {
    let is_of_word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    text.chars().filter(is_of_word).collect()
}

/// What is wrong with the safe fixes of `sound` with `stray` at `at`.
fn complaint(sound: &str, stray: char, at: usize) -> Option<String> {
    let mut text = sound.to_owned();
    text.insert(at, stray);
    if parse_signature(&text, Edition::V0_11).0.is_some() {
        return None;
    }
    let (fixed, applied) = fix_signature(&text, Edition::V0_11);
    let arrows = |text: &str| text.matches("->").count();
    let is_kept = words(&fixed) == words(sound);
    let is_added = arrows(&fixed) > arrows(sound).max(arrows(&text));
    (!is_kept || is_added).then(|| format!("{text} becomes {fixed} by {applied:?}"))
}

#[track_caller]
fn check(complaints: &[String]) {
    let count = complaints.len();
    assert!(
        complaints.is_empty(),
        "{count} wrong:\n{}",
        complaints.join("\n")
    );
}

#[test]
fn no_safe_fix_of_a_stray_character_adds_or_loses_a_word_or_an_arrow() {
    let mut wrong = Vec::new();
    for sound in SOUND {
        for stray in STRAYS {
            wrong.extend((0..=sound.len()).filter_map(|at| complaint(sound, *stray, at)));
        }
    }
    check(&wrong);
}

proptest! {
    #[test]
    fn no_safe_fix_of_a_stray_character_harms_any_signature(
        signature in signatures(),
        strays in prop::collection::vec((prop::sample::select(STRAYS), any::<prop::sample::Index>()), 8),
    ) {
        let sound = signature.to_string();
        for (stray, place) in strays {
            let wrong = complaint(&sound, stray, place.index(sound.len() + 1));
            prop_assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        }
    }
}

/// A sign around the arrow is one error, which a fix removes.
#[test]
fn a_sign_beside_the_arrow_is_one_error() {
    let mut wrong = Vec::new();
    for stray in [",", ".", ";", "?", "!", "|", "/", "&", "%"] {
        for (text, fixed) in [
            (
                format!("(a :int){stray} -> {{b :int}}"),
                "(a :int) -> {b :int}",
            ),
            (
                format!("(a :int) {stray}-> {{b :int}}"),
                "(a :int) -> {b :int}",
            ),
            (
                format!("(a :int){stray}-> {{b :int}}"),
                "(a :int)-> {b :int}",
            ),
        ] {
            let found = check_signature(&text, Edition::V0_11).1;
            let [only] = found.as_slice() else {
                wrong.push(format!("{text}: {found:?}"));
                continue;
            };
            let mut after = text.clone();
            for edit in only.fixes[0].edits.iter().rev() {
                edit.apply(&mut after);
            }
            if words(&after) != words(fixed) || parse_signature(&after, Edition::V0_11).0.is_none()
            {
                wrong.push(format!("{text} becomes {after}"));
            }
        }
    }
    check(&wrong);
}

/// A comment is reported as one, wherever white space may be, and no fix makes words of it.
#[test]
fn a_comment_is_no_part_of_a_signature() {
    let mut wrong = Vec::new();
    for comment in [
        "// the :first b\n",
        "# the first, b\n",
        "/* b :int, c */",
        "/* b\n -> c */",
    ] {
        for sound in SOUND {
            let places = sound.match_indices(' ').map(|(at, _)| at + 1);
            for at in places.chain([0, sound.len()]) {
                let mut text = (*sound).to_owned();
                let space = if at == sound.len() { " " } else { "" };
                text.insert_str(at, &format!("{space}{comment}"));
                let found = check_signature(&text, Edition::V0_11).1;
                let errors = found.iter().filter(|it| it.severity == Severity::Error);
                let is_comment = errors
                    .clone()
                    .any(|it| it.rule.code == "comment-in-signature");
                let (fixed, _) = fix_signature(&text, Edition::V0_11);
                if !is_comment || errors.count() > 1 || fixed != text {
                    wrong.push(format!("{text:?} becomes {fixed:?}: {found:?}"));
                }
            }
        }
    }
    check(&wrong);
}

/// Nothing certain is known about the whole, so that no part of it is changed.
#[test]
fn what_is_not_understood_is_left_alone() {
    for text in [
        "(a, b) -> c",
        "(que,ry :string) -> :int",
        "(string) -> :int",
        "(a :int) returns :int -> :string",
        "(a :int) :int -> :string",
        "(debug = true) -> :int",
        "(a => :int)",
        "(d :date, t time) -> :any",
        "(a :int) -> :map | :int",
    ] {
        assert_eq!(fix_signature(text, Edition::V0_11).0, text);
    }
}
