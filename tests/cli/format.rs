//! `signature-ls format`.

use crate::folder::Folder;

#[test]
fn catalogs_are_formatted_in_place() {
    let yaml = "signature: \"(a  :int)->:int\"\n";
    let folder = Folder::new(
        "format",
        &[
            ("a.sig", "# tools\nget ( id:int )->:map\n\tFetches.\n"),
            ("b.sig", "now() -> :datetime\n"),
            ("c.yaml", yaml),
        ],
    );
    let check = folder.run(&["format", "--check", "."]);
    let changed = "a.sig\nc.yaml\n";
    assert_eq!((check.code, check.stdout.as_str()), (Some(1), changed));
    let outcome = folder.run(&["format", ".", "missing.sig"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), changed));
    assert_eq!(
        folder.read("a.sig"),
        "# tools\nget(id :int) -> :map\n  Fetches.\n"
    );
    assert_eq!(folder.read("c.yaml"), "signature: \"(a :int) -> :int\"\n");
    let again = folder.run(&["format", "--check", "."]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), ""));
}

#[test]
fn what_is_not_formatted_stays_byte_for_byte() {
    let folder = Folder::new(
        "format-bytes",
        &[(
            "a.sig",
            "\u{feff}# tools\r\nget ( id:int )->:map\r\n\tFetches.",
        )],
    );
    let outcome = folder.run(&["format", "."]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let expected = "\u{feff}# tools\r\nget(id :int) -> :map\r\n  Fetches.";
    assert_eq!(folder.read("a.sig"), expected);
}

#[test]
fn new_lines_end_like_the_others() {
    let text = "signature: \"(first :string, second :string) -> :int\"\r\nprompt: \"{{first}} {{second}}\"\r\n";
    let folder = Folder::new(
        "format-line-ends",
        &[
            ("a.yaml", text),
            ("signature-ls.toml", "[format]\nline_width = 40\n"),
        ],
    );
    let outcome = folder.run(&["format", "."]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let formatted = folder.read("a.yaml");
    assert_eq!(formatted.matches("\r\n").count(), 5, "{formatted}");
    assert_eq!(formatted.matches('\n').count(), 5, "{formatted}");
    assert_eq!(folder.run(&["format", "--check", "."]).code, Some(0));
}

#[test]
fn a_diff_shows_what_would_change() {
    let text = "# signature-ls: edition 0.11\nSignature.parse(\"(a:int) -> :int\")\n";
    let folder = Folder::new("format-diff", &[("a.exs", text)]);
    let diff = folder.run(&["format", "--diff", "."]);
    let expected = "--- a/a.exs\n+++ b/a.exs\n@@ -1,2 +1,2 @@\n # signature-ls: edition 0.11\n-Signature.parse(\"(a:int) -> :int\")\n+Signature.parse(\"(a :int) -> :int\")\n";
    assert_eq!((diff.code, diff.stdout.as_str()), (Some(1), expected));
    assert_eq!(folder.read("a.exs"), text);
}

/// As with `| head -1`.
#[test]
fn a_closed_output_stops_only_the_printing() {
    const CATALOG: &str = "get ( id:int )->:map\n";
    let folder = Folder::new(
        "format-closed",
        &[("a.sig", CATALOG), ("b.sig", CATALOG), ("c.sig", CATALOG)],
    );
    let fixable = "SubAgent.run(\"{{a}}\", signature: \"(a :strng) -> :int\")\n";
    folder.write("faulty.ex", fixable.as_bytes());
    let code = |arguments: &[&str]| folder.code_with_closed_output(arguments);
    assert_eq!(code(&["format", "--check", "."]), Some(1));
    assert_eq!(code(&["format", "--diff", "."]), Some(1));
    assert_eq!(code(&["check", "--fix", "--diff", "."]), Some(1));
    assert_eq!(code(&["format", "."]), Some(0));
    for file in ["a.sig", "b.sig", "c.sig"] {
        assert_eq!(folder.read(file), "get(id :int) -> :map\n", "{file}");
    }
    assert_eq!(code(&["format", "--check", "."]), Some(0));
}
