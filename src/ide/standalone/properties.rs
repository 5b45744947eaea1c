//! What holds of the safe fixes of a signature.

use super::*;

/// How often the fixes of a text may be applied until nothing is left to do. Each time goes through up to
/// [`ROUNDS`] texts.
const TIMES: usize = 4;

/// The safe fixes of `text` leave no more errors than it has and no brackets worse off, and they end.
#[track_caller]
fn check_fixes(text: &str, edition: Edition) {
    let (mended, applied) = fix_signature(text, edition);
    assert!(
        errors(&mended, edition) <= errors(text, edition),
        "{text:?} has fewer errors than {mended:?} by {applied:?}"
    );
    assert!(
        unmatched(&mended) <= unmatched(text),
        "the brackets of {text:?} are better than those of {mended:?} by {applied:?}"
    );
    let mut last = mended;
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

/// How many brackets of `text` have no partner.
fn unmatched(text: &str) -> usize {
    let mut open = Vec::new();
    let mut stray = 0;
    for c in text.chars() {
        let opener = match c {
            '(' | '[' | '{' => {
                open.push(c);
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        match open.last() == Some(&opener) {
            true => drop(open.pop()),
            false => stray += 1,
        }
    }
    open.len() + stray
}

/// Every signature that a released parser was asked about.
#[test]
fn fixes_of_the_vectors_do_no_harm() {
    let vectors = include_str!("../../../tests/vectors/signatures.jsonl");
    for line in vectors.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        check_fixes(vector["text"].as_str().unwrap(), Edition::V0_11);
    }
}
