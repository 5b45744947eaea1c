//! `signature-ls check`.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::folder::{Folder, Outcome};

const CLEAN: &str = "SubAgent.run(\"Hi {{name}}\", signature: \"(name :string) -> :int\")\n";
const FAULTY: &str =
    "# 😀\nSubAgent.run(\"Hi 😀 {{name}}\", signature: \"(name :strng) -> :int\")\n";

/// The findings that `check --format json` prints.
#[track_caller]
fn findings(outcome: &Outcome) -> Vec<Value> {
    serde_json::from_str(&outcome.stdout).expect("an array")
}

#[track_caller]
fn files(outcome: &Outcome) -> Vec<String> {
    let file = |found: Value| found["file"].as_str().expect("a file").to_owned();
    findings(outcome).into_iter().map(file).collect()
}

#[test]
fn the_exit_code_reports_errors() {
    let folder = Folder::new("exit-code", &[("clean.ex", CLEAN), ("faulty.ex", FAULTY)]);
    for (arguments, code) in [
        (&["check", "clean.ex"][..], 0),
        (&["check", "faulty.ex"], 1),
        (&["check", "."], 1),
        (&["check", "clean.ex", "missing.ex"], 2),
        (&["check", "faulty.ex", "missing.ex"], 2),
        (&["check"], 2),
        (&["check", "--format", "none", "clean.ex"], 2),
        (&["check", "--edition", "0.6", "clean.ex"], 2),
        (&["unknown"], 2),
        (&["--version"], 0),
        (&["check", "--help"], 0),
    ] {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(code), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stderr.is_empty(), code != 2, "{outcome:?}");
    }
}

#[test]
fn a_finding_is_shown_with_its_line_and_place() {
    let folder = Folder::new("human", &[("lib/faulty.ex", FAULTY)]);
    let outcome = folder.run(&["check", "."]);
    for part in [
        "error[",
        "lib/faulty.ex:2:49",
        "\n2 | SubAgent.run(",
        "^^^^^^",
        "help: ",
        "1 error",
    ] {
        assert!(outcome.stdout.contains(part), "{part}: {}", outcome.stdout);
    }
    let has_colours = outcome.stdout.contains('\u{1b}');
    assert!(!has_colours, "{:?}", outcome.stdout);
}

#[test]
fn json_counts_lines_and_columns_from_one_in_characters() {
    let folder = Folder::new("json", &[("faulty.ex", FAULTY), ("clean.ex", CLEAN)]);
    let outcome = folder.run(&["check", "--format", "json", "faulty.ex", "clean.ex"]);
    let found = findings(&outcome);
    assert_eq!(found.len(), 1, "{found:?}");
    let found = &found[0];
    assert_eq!(found["file"], "faulty.ex");
    let place = ["line", "column", "endLine", "endColumn"].map(|key| found[key].as_u64());
    assert_eq!(place, [Some(2), Some(49), Some(2), Some(55)]);
    assert_eq!(found["severity"], "error");
    assert!(found["code"].is_string() && found["message"].is_string());
    assert!(found["help"].is_string());

    let outcome = folder.run(&["check", "--format", "json", "clean.ex"]);
    assert_eq!(findings(&outcome), [] as [Value; 0]);
}

#[test]
fn sarif_is_valid_by_its_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../schemas/sarif-2.1.0.json")).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let folder = Folder::new(
        "sarif",
        &[("a b/faulty,😀.ex", FAULTY), ("clean.ex", CLEAN)],
    );
    for (path, results) in [(".", 1), ("clean.ex", 0)] {
        let outcome = folder.run(&["check", "--format", "sarif", path]);
        let log: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        let errors: Vec<_> = schema
            .iter_errors(&log)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, [] as [String; 0]);
        let found = log["runs"][0]["results"].as_array();
        assert_eq!(found.map(Vec::len), Some(results));
    }
}

#[test]
fn github_gets_one_command_per_finding() {
    let folder = Folder::new("github", &[("faulty.ex", FAULTY)]);
    let outcome = folder.run(&["check", "--format", "github", "faulty.ex"]);
    assert_eq!(outcome.code, Some(1));
    assert_eq!(outcome.stdout.lines().count(), 1, "{outcome:?}");
    let place = "file=faulty.ex,line=2,endLine=2,col=49,endColumn=55::";
    assert!(outcome.stdout.contains(place), "{outcome:?}");
}

#[test]
fn folders_are_walked_like_git_does() {
    let folder = Folder::new(
        "walk",
        &[
            ("b/faulty.ex", FAULTY),
            ("a/faulty.exs", FAULTY),
            (".hidden/faulty.ex", FAULTY),
            ("deps/faulty.ex", FAULTY),
            (".git/faulty.ex", FAULTY),
            ("c/kept.ex", FAULTY),
            ("c/left_out.ex", FAULTY),
            ("c/.gitignore", "left_out.ex\n"),
            (".gitignore", "/deps/\n"),
            ("notes.txt", FAULTY),
        ],
    );
    let outcome = folder.run(&["check", "--format", "json", "."]);
    let expected = [
        ".hidden/faulty.ex",
        "a/faulty.exs",
        "b/faulty.ex",
        "c/kept.ex",
    ];
    assert_eq!(files(&outcome), expected);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");

    let outcome = folder.run(&["check", "--format", "json", "deps/faulty.ex", "deps"]);
    assert_eq!(files(&outcome), ["deps/faulty.ex"]);
}

#[test]
fn the_output_does_not_depend_on_the_order_of_arguments() {
    let folder = Folder::new(
        "order",
        &[("a.ex", FAULTY), ("b.ex", FAULTY), ("c/a.ex", FAULTY)],
    );
    let forwards = folder.run(&["check", "a.ex", "b.ex", "c"]);
    let backwards = folder.run(&["check", "c", "b.ex", "a.ex", "c/a.ex"]);
    assert_eq!(forwards.stdout, backwards.stdout);
}

#[test]
fn what_cannot_be_read_does_not_hide_the_rest() {
    let folder = Folder::new("bad-input", &[("faulty.ex", FAULTY), ("notes.txt", "")]);
    folder.write("not_utf8.ex", b"# ok\n# \xff\n");
    let outcome = folder.run(&[
        "check",
        "--format",
        "json",
        "missing.ex",
        "notes.txt",
        "faulty.ex",
        "not_utf8.ex",
        "none/",
    ]);
    assert_eq!(outcome.code, Some(2));
    assert_eq!(files(&outcome), ["faulty.ex"]);
    let mut lines: Vec<_> = outcome.stderr.lines().collect();
    lines.sort_unstable();
    expect_test::expect![[r#"
        signature-ls: cannot read missing.ex: No such file or directory (os error 2)
        signature-ls: cannot read none/: No such file or directory (os error 2)
        signature-ls: cannot read not_utf8.ex: line 2 is not valid UTF-8
        signature-ls: cannot read notes.txt: no signatures are known in this kind of file"#]]
    .assert_eq(&lines.join("\n"));
}

#[cfg(unix)]
#[test]
fn a_folder_where_a_file_should_be_and_a_dangling_link_are_reported() {
    let folder = Folder::new("odd-files", &[("faulty.ex", FAULTY)]);
    folder.write("folder.ex/clean.ex", CLEAN.as_bytes());
    std::os::unix::fs::symlink("nowhere.ex", folder.path("dangling.ex")).expect("a link");
    let outcome = folder.run(&["check", "folder.ex"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let outcome = folder.run(&["check", "dangling.ex"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    // A link in a folder is another name of a file that is found elsewhere.
    let outcome = folder.run(&["check", "."]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
}

#[test]
fn the_edition_changes_what_is_an_error() {
    let dated = "SubAgent.run(\"Hi {{at}}\", signature: \"(at :datetime) -> :int\")\n";
    let folder = Folder::new("edition", &[("a.ex", dated)]);
    for (edition, code) in [("0.4", 1), ("0.5", 1), ("0.11", 0), ("next", 0)] {
        let outcome = folder.run(&["check", "--edition", edition, "a.ex"]);
        assert_eq!(outcome.code, Some(code), "{edition}: {outcome:?}");
    }
}

/// Each source overrides the one before; `tests/lsp/settings.rs` tests the editor's settings in between.
#[test]
fn the_strongest_setting_of_the_edition_applies() {
    const LOCK: &str =
        r#"%{"ptc_runner": {:hex, :ptc_runner, "0.4.1", "aa", [:mix], [], "hexpm", "bb"}}"#;
    let call = "Lisp.run(\"(tool/a) (ctx/a)\", tools: %{\"a\" => fn _ -> 1 end})\n";
    let commented = format!("# signature-ls: edition 0.4\n{call}");
    let folder = Folder::new("strongest", &[("a.ex", call), ("b/a.ex", &commented)]);
    let found = |arguments: &[&str]| {
        let mut all = vec!["check", "--format", "json"];
        all.extend(arguments);
        let outcome = folder.run(&all);
        let message = |it: Value| it["message"].as_str().unwrap_or_default().to_owned();
        findings(&outcome)
            .into_iter()
            .map(message)
            .collect::<Vec<_>>()
    };
    let early = ["Edition 0.4 does not know `tool/a`; write `ctx/a`."];
    let late = |edition| {
        [format!(
            "Edition {edition} does not know `ctx/a`; write `tool/a`."
        )]
    };
    assert_eq!(found(&["a.ex"]), late("0.11"));
    folder.write("mix.exs", b"[{:ptc_runner, \"~> 0.5.2\"}]");
    assert_eq!(found(&["a.ex"]), late("0.5"));
    folder.write("mix.lock", LOCK.as_bytes());
    assert_eq!(found(&["a.ex"]), early);
    folder.write("signature-ls.toml", b"edition = \"0.5\"\n");
    assert_eq!(found(&["a.ex"]), late("0.5"));
    assert_eq!(found(&["--edition", "next", "a.ex"]), late("next"));
    assert_eq!(found(&["--edition", "next", "b/a.ex"]), early);
}

#[test]
fn files_of_any_content_are_handled() {
    let nested = format!("x = {}", "[".repeat(20_000));
    let signature = format!("Signature.parse(\"{}\")", "[".repeat(20_000));
    let quotes = "\"#{".repeat(20_000);
    let line = format!("x = \"{}\"", "a".repeat(1_000_000));
    let folder = Folder::new(
        "shapes",
        &[
            ("a.ex", ""),
            ("b.ex", "\u{feff}"),
            ("c.ex", "\r\r\n\n"),
            ("d.ex", &nested),
            ("e.ex", &signature),
            ("f.ex", &quotes),
            ("g.ex", &line),
            ("h.prompt.md", "---\nsignature: |\n"),
            ("i.md", "---"),
            ("j.ex", "\0"),
        ],
    );
    let outcome = folder.run(&["check", "."]);
    assert!(matches!(outcome.code, Some(0 | 1)), "{outcome:?}");
    let mut told = outcome.stderr.lines();
    assert!(
        told.all(|line| line.contains("more findings")),
        "{outcome:?}"
    );
}

/// The places of findings, with the paths as shown.
#[track_caller]
fn shown(folder: &Folder, paths: &[&str]) -> Vec<String> {
    let arguments = [&["check", "--format", "json"], paths].concat();
    files(&folder.run(&arguments))
}

#[test]
fn a_file_is_reported_once_however_it_is_named() {
    let folder = Folder::new("twice", &[("a.ex", FAULTY), ("d/b.ex", CLEAN)]);
    let absolute = folder.path("a.ex").display().to_string();
    let all = folder.path(".").display().to_string();
    for paths in [
        &[".", "./a.ex"][..],
        &[&absolute, "a.ex"],
        &["a.ex", &absolute],
        &["d/../a.ex", "a.ex"],
        &["d/../a.ex"],
        &["d/..", "."],
        &[&all, "./d/../a.ex"],
    ] {
        assert_eq!(shown(&folder, paths), ["a.ex"], "{paths:?}");
    }
    assert_eq!(shown(&folder, &[&absolute]), [absolute.as_str()]);
}

#[cfg(unix)]
#[test]
fn a_path_out_of_a_link_is_shown_as_written() {
    let folder = Folder::new("links", &[("far/near/b.ex", CLEAN), ("far/a.ex", FAULTY)]);
    std::os::unix::fs::symlink("far/near", folder.path("link")).expect("a link");
    assert_eq!(shown(&folder, &["link/../a.ex"]), ["link/../a.ex"]);
    assert_eq!(shown(&folder, &["link/../a.ex", "far"]), ["far/a.ex"]);
}

#[test]
fn closing_the_output_early_keeps_the_exit_code() {
    let folder = Folder::new(
        "closed-output",
        &[("faulty.ex", FAULTY), ("clean.ex", CLEAN)],
    );
    for (file, code) in [("faulty.ex", 1), ("clean.ex", 0)] {
        for format in ["human", "json", "github", "sarif"] {
            let mut process = Command::new(env!("CARGO_BIN_EXE_signature-ls"))
                .args(["check", "--format", format, file])
                .current_dir(folder.path("."))
                .stdout(Stdio::piped())
                .spawn()
                .expect("the binary starts");
            drop(process.stdout.take());
            let status = process.wait().expect("the binary ends");
            assert_eq!(status.code(), Some(code), "{file} {format}");
        }
    }
}

/// Editors do not show a byte order mark, so it is no column in any format.
#[test]
fn a_byte_order_mark_is_no_column() {
    let text = "[signature: \"(a :strng) -> :int\"]\n";
    let marked = format!("\u{feff}{text}");
    let folder = Folder::new(
        "byte-order-mark",
        &[("a/a.exs", text), ("b/a.exs", &marked)],
    );
    for format in ["human", "json", "github", "sarif"] {
        let [plain, marked] = ["a", "b"].map(|name| {
            let outcome = folder.run(&["check", "--format", format, name]);
            assert_eq!(outcome.code, Some(1));
            outcome.stdout.replace("b/a.exs", "a/a.exs")
        });
        assert_eq!(plain, marked, "{format}");
    }
}

#[test]
fn skipped_files_are_reported_without_an_error() {
    let params: Vec<_> = (0..120).map(|it| format!("a-{it} :int")).collect();
    let text = format!("[signature: \"({}) -> :strng\"]\n", params.join(", "));
    let folder = Folder::new("left-out", &[("many.exs", &text)]);
    let outcome = folder.run(&["check", "many.exs"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stdout.contains("error[unknown-type]"),
        "{outcome:?}"
    );
    assert_eq!(
        outcome.stderr,
        "signature-ls: many.exs: at least 21 more findings: of a signature and of a file, only the most severe are shown\n"
    );
}

#[test]
fn foreign_sig_files_are_skipped_in_folders() {
    let prose = "The tools:\nsearch(query :strng) -> :map\n";
    let sml = "(* stacks *)\nsignature STACK =\nsig\n  val push: int * stack -> stack\nend\n";
    let folder = Folder::new("sig", &[("prose.sig", prose), ("stack.sig", sml)]);
    folder.write("release.tar.gz.sig", b"\x89\x02\x33\x04\0\x01\n(");
    let outcome = folder.run(&["check", "--format", "json", "."]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert_eq!(files(&outcome), ["prose.sig", "prose.sig"]);
    let named = folder.run(&["check", "release.tar.gz.sig"]);
    assert_eq!(named.code, Some(2), "{named:?}");
}

#[test]
fn a_catalog_that_begins_with_a_mistake_is_found_in_a_folder() {
    for text in [
        "search query :string -> [:map]\n",
        "toola :int -> :int\n",
        "(query :string) -> :map\n",
        "search: (query :string) -> :map\n",
        "search (query :string) => :map\n",
        "search(query :string -> :map\n",
    ] {
        let folder = Folder::new("mistaken-sig", &[("tools.sig", text)]);
        let outcome = folder.run(&["check", "--format", "json", "."]);
        assert!(!files(&outcome).is_empty(), "{text}: {outcome:?}");
    }
    for text in [
        "val push : int * stack -> stack\n",
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAdFiEE\n",
        "-- \nJane Doe\nAcme: tools, string and all\n",
    ] {
        let folder = Folder::new("other-sig", &[("other.sig", text)]);
        let outcome = folder.run(&["check", "--format", "json", "."]);
        assert_eq!(files(&outcome), [] as [&str; 0], "{text}: {outcome:?}");
    }
}
