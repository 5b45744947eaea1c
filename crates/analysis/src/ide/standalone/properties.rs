//! Properties of the safe fixes of a signature.

use super::*;

/// The maximum number of runs until no fix is left. Each run has up to [`ROUNDS`] rounds.
const TIMES: usize = 4;

/// The safe fixes of `text` add no errors and no unpaired brackets, and they terminate.
#[track_caller]
fn check_fixes(text: &str, edition: Edition) {
    let (fixed, applied) = fix_signature(text, edition);
    assert!(
        errors(&fixed, edition) <= errors(text, edition),
        "{text:?} has fewer errors than {fixed:?} by {applied:?}"
    );
    assert!(
        unmatched(&fixed) <= unmatched(text),
        "the brackets of {text:?} are better than those of {fixed:?} by {applied:?}"
    );
    let mut last = fixed;
    for _ in 0..TIMES {
        let (next, applied) = fix_signature(&last, edition);
        if applied.is_empty() {
            return;
        }
        last = next;
    }
    panic!("the fixes of {text:?} have no end: {last:?}");
}

fn errors(text: &str, edition: Edition) -> usize {
    let found = check_signature(text, edition).1;
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    errors.count()
}

/// Every signature in the reference's vectors.
#[test]
fn fixes_of_the_vectors_do_no_harm() {
    let vectors = include_str!("../../../../../tests/vectors/signatures.jsonl");
    for line in vectors.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        check_fixes(vector["text"].as_str().unwrap(), Edition::V0_11);
    }
}

/// Any prefix of a signature has at most two diagnostics, also after the editor has closed the brackets.
#[test]
fn a_signature_that_is_being_written_has_two_findings_at_most() {
    for text in [
        "(topic :string, items [{id :int}]) -> {n :int}",
        "(user {name :string, tags [:string]}, limit :int?) -> [{id :int, score :float}]",
        "(a :int) -> [[{b {c :map}}]]",
        "{answer :string, sources [{url :string}]}",
        "(query :string, at :datetime?) -> :any",
        "() -> {}",
    ] {
        for (end, _) in text.char_indices() {
            let typed = &text[..end];
            check_count(typed, 2);
            check_count(&format!("{typed}{}", closers(typed)), 2);
        }
    }
    for text in [
        "(",
        "(topic",
        "(topic ",
        "(topic :",
        "(topic :string",
        "invalid ->",
        "invalid",
        "[{id",
        "(a {b [{c :int,",
    ] {
        check_count(text, 1);
    }
}

#[track_caller]
fn check_count(text: &str, most: usize) {
    let found = check_signature(text, Edition::V0_11).1;
    let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
    assert!(codes.len() <= most, "{text:?}: {codes:?}");
}

/// The closing brackets for the open ones at the end of `text`.
fn closers(text: &str) -> String {
    let mut closers = String::new();
    for c in text.chars() {
        match c {
            '(' => closers.insert(0, ')'),
            '[' => closers.insert(0, ']'),
            '{' => closers.insert(0, '}'),
            ')' | ']' | '}' => drop(closers.remove(0)),
            _ => {}
        }
    }
    closers
}
