//! `signature-ls check --fix`.

use crate::folder::Folder;

const WRONG: &str =
    "SubAgent.run(\"Hi {{name}}\", signature: \"(name :strng, n int) -> :int\")\r\n";
const RIGHT: &str =
    "SubAgent.run(\"Hi {{name}}\", signature: \"(name :string, n :int) -> :int\")\r\n";

#[test]
fn safe_fixes_are_written_and_the_rest_is_reported() {
    let unclear = "SubAgent.run(\"a\", signature: \"() -> :zzzzzz\")\n";
    let folder = Folder::new("fix", &[("a.exs", WRONG), ("b.exs", unclear)]);
    let outcome = folder.run(&["check", "--fix", "."]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains(":strng"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("b.exs"), "{}", outcome.stdout);
    assert_eq!(folder.read("a.exs"), RIGHT);
    assert_eq!(folder.read("b.exs"), unclear);
}

/// What could not be written is still wrong.
#[cfg(unix)]
#[test]
fn a_file_that_is_not_written_keeps_its_findings() {
    let folder = Folder::new("fix-link", &[("real.exs", WRONG)]);
    std::os::unix::fs::symlink("real.exs", folder.path("a.exs")).expect("a link");
    let outcome = folder.run(&["check", "--fix", "a.exs"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stdout.contains(":strng"), "{outcome:?}");
    assert_eq!(folder.read("real.exs"), WRONG);
}

#[test]
fn a_diff_changes_nothing() {
    let folder = Folder::new("fix-diff", &[("a.exs", WRONG)]);
    let outcome = folder.run(&["check", "--fix", "--diff", "."]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.stdout.starts_with("--- a/a.exs\n+++ b/a.exs\n"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stdout.contains(
            "+SubAgent.run(\"Hi {{name}}\", signature: \"(name :string, n :int) -> :int\")"
        )
    );
    assert_eq!(folder.read("a.exs"), WRONG);
    assert_eq!(folder.run(&["check", "--diff", "."]).code, Some(2));
    let clean = Folder::new("fix-clean", &[("a.exs", RIGHT)]);
    let outcome = clean.run(&["check", "--fix", "--diff", "."]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_diff_names_a_file_with_a_space_as_git_does() {
    let folder = Folder::new("fix-diff-space", &[("lib/a b/x.exs", WRONG)]);
    let diff = folder.run(&["check", "--fix", "--diff", "."]).stdout;
    let header = "--- a/lib/a b/x.exs\t\n+++ b/lib/a b/x.exs\t\n@@ ";
    assert!(diff.starts_with(header), "{diff}");
    assert_eq!(folder.read("lib/a b/x.exs"), WRONG);
}

#[test]
fn shells_and_man_are_served() {
    let folder = Folder::new("manual", &[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&["completions", shell]);
        assert!(script.stdout.contains("signature-ls"), "{shell}");
    }
    assert!(folder.run(&["man"]).stdout.starts_with(".ie"));
    let page = folder.run(&["man", "check"]).stdout;
    assert!(
        page.contains("signature\\-ls\\-check") && page.contains("\\-\\-fix"),
        "{page}"
    );
    let unknown = folder.run(&["man", "chekc"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("`chekc`"), "{unknown:?}");
    let version = folder.run(&["--version"]).stdout;
    assert!(
        version.starts_with(&format!("signature-ls {}", env!("CARGO_PKG_VERSION"))),
        "{version}"
    );
}
