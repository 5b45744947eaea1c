//! `signature-ls explain`.

use crate::folder::Folder;

#[test]
fn a_rule_is_explained_and_without_a_code_all_are_listed() {
    let folder = Folder::new("explain", &[]);
    let outcome = folder.run(&["explain", "unknown-type"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(
        outcome.stdout.starts_with("# unknown-type\n"),
        "{outcome:?}"
    );

    let all = folder.run(&["explain"]);
    assert_eq!(all.code, Some(0), "{all:?}");
    for line in all.stdout.lines() {
        let (code, summary) = line.split_once(' ').expect("a code and its summary");
        assert_eq!(folder.run(&["explain", code]).code, Some(0), "{line}");
        assert!(!summary.trim().is_empty(), "{line}");
    }
    assert!(all.stdout.lines().any(|it| it.starts_with("unknown-type ")));
}

#[test]
fn an_unknown_code_is_reported_with_the_closest_one() {
    let folder = Folder::new("explain-none", &[]);
    for (code, message) in [
        (
            "unknown-tpye",
            "there is no rule `unknown-tpye`; did you mean `unknown-type`?",
        ),
        (
            "bananas",
            "there is no rule `bananas`; `signature-ls explain` lists them",
        ),
    ] {
        let outcome = folder.run(&["explain", code]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert_eq!(outcome.stderr, format!("signature-ls: {message}\n"));
    }
}
