//! The contents of a bug report.

use crate::folder::Folder;

#[test]
fn the_version_tells_how_the_program_was_built() {
    let folder = Folder::new("report-version", &[]);
    for arguments in [["--version", "--verbose"], ["--verbose", "-V"]] {
        let outcome = folder.run(&arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let mut lines = outcome.stdout.lines();
        let first = lines.next().expect("a line");
        assert_eq!(first, folder.run(&["--version"]).stdout.trim_end());
        let names: Vec<_> = lines
            .filter_map(|line| Some(line.split_once(": ")?.0))
            .collect();
        assert_eq!(names, ["target", "compiler", "build", "cores"]);
        assert!(outcome.stdout.contains("compiler: rustc 1."), "{outcome:?}");
    }
}

#[test]
fn a_report_has_numbers_and_neither_text_nor_names() {
    let secret = "[signature: \"(secret :strng) -> :int\"]\n";
    let folder = Folder::new(
        "report-bug",
        &[
            ("secret.ex", secret),
            ("more/secret.exs", secret),
            (
                "signature-ls.toml",
                "edition = \"0.5\"\n[rules]\nunused-parameter = \"off\"\n[format]\nline_width = 50\n[signature]\nkeys = [\"secret\"]\n",
            ),
            (
                "server.log",
                "2026-01-01 ERROR internal error at src/a.rs\u{1b}:1:1\n",
            ),
        ],
    );
    let outcome = folder.run(&["bug-report", "--log", "server.log"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for part in [
        "2 checked in ",
        "- Elixir: 2, 78 bytes",
        "- edition 0.5: 2",
        "- finding unknown-type: 2",
        "- setting line_width = 50: 2",
        "- setting own keys and calls = 1: 2",
        "- setting unused-parameter = off: 2",
        "internal error at src/a.rs\\u{1b}:1:1",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {outcome:?}");
    }
    assert!(!outcome.stdout.contains("secret"), "{outcome:?}");
    let outcome = folder.run(&["bug-report", "none"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
}
