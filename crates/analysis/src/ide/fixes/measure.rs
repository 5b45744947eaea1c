//! Measures how many single mistakes are fixed.

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::{
    frames::{FRAMES, Frame},
    quick_fixes,
};
use crate::ide::{Document, Settings, Severity};
use signature_ls_source::{host::HostKind, text::TextRange};

/// Correct signatures.
const SOUND: &[&str] = &[
    "(query :string, limit :int?) -> [{id :int, title :string}]",
    "(user {name :string, email :string}, tags [:string]) -> :bool",
    "{answer :string, score :float}",
    "() -> [:map]",
    "(order_id :int, notes [:string]) -> {total :float, lines [{sku :string, count :int}]}",
];

/// Words of other notations, and the words that they replace.
const WORDS: &[(&str, &str)] = &[
    (" :string", ": string"),
    (" :int", ": int"),
    (" :string", " string"),
    (" :int", " :integer"),
    (" :float", ": number"),
    (":string", ":str"),
    (":bool", ":boolean?"),
    ("[:string]", "list[string]"),
    ("[:string]", "string[]"),
    ("[:string]", "List<String>"),
    ("->", "=>"),
    ("->", "→"),
    ("->", ":"),
    (", ", "; "),
    (", ", " "),
    (", ", ",, "),
    ("{", "%{"),
    ("{id ", "{:id "),
    ("{name ", "{:name "),
    (":float", ":double"),
    (":map", ":object"),
    ("limit :int?", "limit?: int"),
    ("limit :int?", "limit? :int"),
    (":string", ":strng"),
    (":string", ":String"),
    ("order_id", "order id"),
    ("order_id", "\"order_id\""),
    (":string", "'string'"),
    (":string", "String.t()"),
    (":string", ":string()"),
    (":string", "<string>"),
    (":string", " = string"),
    (":int", "i64"),
    (":int", ":non_neg_integer"),
    (":float", "*"),
    ("[:string]", "Array<string>"),
    ("[:string]", "list of string"),
    ("[:string]", "[:string]+"),
    ("limit :int?", "limit :int (optional)"),
    ("limit :int?", "limit :int | nil"),
    ("limit :int?", "int limit"),
    ("->", "::"),
    ("->", "returns"),
    (", ", " and "),
    (", ", ": "),
    ("(", "(("),
    (")", "))"),
    ("-> {", "-> ({"),
];

/// What brackets and separators are mistaken for.
const SIGNS: [char; 9] = [',', ';', ':', '(', ')', '{', '}', '[', ']'];

/// A text with one mistake.
fn mistake() -> impl Strategy<Value = String> {
    let sound = prop::sample::select(SOUND.to_vec());
    let place = any::<prop::sample::Index>();
    (sound, place, 0..5_usize, any::<prop::sample::Index>()).prop_map(
        |(text, place, kind, word)| {
            let mut chars: Vec<char> = text.chars().collect();
            let at = place.index(chars.len());
            match kind {
                0 => drop(chars.remove(at)),
                1 => {
                    let inserts = [
                        ',', ':', '(', ')', '{', '}', '[', ']', '?', '-', '>', 'x', '.',
                    ];
                    chars.insert(at, inserts[word.index(inserts.len())]);
                }
                2 if at + 1 < chars.len() => chars.swap(at, at + 1),
                3 => {
                    let signs = (0..chars.len()).filter(|at| SIGNS.contains(&chars[*at]));
                    let signs: Vec<_> = signs.collect();
                    let at = signs[place.index(signs.len())];
                    chars[at] = SIGNS[word.index(SIGNS.len())];
                }
                _ => {
                    let fitting: Vec<_> = WORDS.iter().filter(|it| text.contains(it.0)).collect();
                    let (right, wrong) = fitting[word.index(fitting.len())];
                    return text.replacen(right, wrong, 1);
                }
            }
            chars.into_iter().collect()
        },
    )
}

fn errors(document: &Document) -> usize {
    let found = document.diagnostics();
    found
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .count()
}

/// Whether repeatedly fixing the first error leads to a text without errors.
fn is_fixed(kind: HostKind, text: &str) -> bool {
    let mut texts = vec![text.to_owned()];
    for _ in 0..4 {
        let mut next = Vec::new();
        for text in texts {
            let document = Document::new(kind, &text, Settings::default());
            if errors(&document) == 0 {
                return true;
            }
            let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
            let fixes = found.into_iter().flat_map(|it| it.fixes);
            for fix in fixes.take(6) {
                let after = document.with_edits(&fix.edits);
                let text = after.text();
                next.push(text.whole().into_owned());
            }
        }
        next.sort();
        next.dedup();
        next.truncate(24);
        texts = next;
    }
    false
}

#[test]
fn nine_in_ten_single_mistakes_are_fixed_in_every_host() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = mistake();
    let mut mistakes = || strategy.new_tree(&mut runner).expect("a mistake").current();
    let (mut all_wrong, mut all_fixed) = (0, 0);
    // A mistake that is there twice is no single one.
    let has_one = |frame: &&Frame| frame.text.matches('§').count() == 1;
    for frame in FRAMES
        .iter()
        .filter(|it| it.holds_any_text())
        .filter(has_one)
    {
        let (mut wrong, mut fixed) = (0, 0);
        let mut left = Vec::new();
        for signature in std::iter::repeat_with(&mut mistakes).take(40) {
            let text = frame.document(&signature, "Go.");
            let document = Document::new(frame.kind, &text, Settings::default());
            if errors(&document) == 0 {
                continue;
            }
            wrong += 1;
            match is_fixed(frame.kind, &text) {
                true => fixed += 1,
                false => left.push(signature),
            }
        }
        let share = 100 * fixed / wrong;
        let host = frame.text;
        assert!(share >= 75, "{fixed} of {wrong} in {host:?}: {left:#?}");
        all_wrong += wrong;
        all_fixed += fixed;
    }
    let share = 100 * all_fixed / all_wrong;
    assert!(share >= 90, "{all_fixed} of {all_wrong}");
}
