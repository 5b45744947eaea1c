//! Repositories that try to make the tool read, write or block where it must not.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
    path::PathBuf,
    process::Command,
};

use crate::folder::Folder;

const UNFORMATTED: &str = "get ( id:int )->:map\n";
const FORMATTED: &str = "get(id :int) -> :map\n";

fn pipe_at(path: PathBuf) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn a_name_that_is_not_utf8_never_stands_for_another() {
    let folder = Folder::new("hostile-names", &[("outside/bashrc", "secret\n")]);
    let odd = folder.path("repository").join(OsStr::from_bytes(b"\xff"));
    let replacement = folder.path("repository/\u{fffd}");
    for path in [&odd, &replacement] {
        fs::create_dir_all(path).unwrap();
    }
    fs::write(odd.join("x.sig"), UNFORMATTED).unwrap();
    fs::write(odd.join(OsStr::from_bytes(b"\xfe.sig")), UNFORMATTED).unwrap();
    symlink("../../outside/bashrc", replacement.join("x.sig")).unwrap();

    let outcome = folder.run(&["format", "repository"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(folder.read("outside/bashrc"), "secret\n");
    for name in [&b"x.sig"[..], b"\xfe.sig"] {
        let written = fs::read_to_string(odd.join(OsStr::from_bytes(name))).unwrap();
        assert_eq!(written, FORMATTED);
    }
}

#[test]
fn settings_are_those_of_the_folder_itself() {
    let folder = Folder::new(
        "hostile-settings",
        &[("\u{fffd}/signature-ls.toml", "edition = \"0.4\"\n")],
    );
    let odd = folder.path(".").join(OsStr::from_bytes(b"\xff"));
    fs::create_dir_all(&odd).unwrap();
    fs::write(
        odd.join("signature-ls.toml"),
        "[rules]\nunknown-type = \"off\"\n",
    )
    .unwrap();
    fs::write(odd.join("a.sig"), "get(id :strng) -> :map\n").unwrap();
    let outcome = folder.run(&["check", "."]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stdout);
}

#[test]
fn nothing_is_written_through_a_link() {
    let folder = Folder::new("hostile-links", &[("a.sig", UNFORMATTED)]);
    symlink("a.sig", folder.path("link.sig")).unwrap();
    let outcome = folder.run(&["format", "link.sig"]);
    assert_eq!(outcome.code, Some(2));
    assert!(
        outcome.stderr.contains("it is a link"),
        "{}",
        outcome.stderr
    );
    assert_eq!(folder.read("a.sig"), UNFORMATTED);
    assert!(folder.path("link.sig").is_symlink());
}

#[test]
fn only_regular_files_are_read() {
    let agent = "SubAgent.new(prompt: \"x\", tools: %{\"a\" => &A.b/1})\n";
    let folder = Folder::new("hostile-files", &[("mix.exs", ""), ("lib/a.ex", agent)]);
    symlink("/dev/zero", folder.path("lib/z.ex")).unwrap();
    symlink("/dev/stdin", folder.path("lib/i.ex")).unwrap();
    symlink("loop.ex", folder.path("lib/loop.ex")).unwrap();
    symlink(".", folder.path("lib/circle")).unwrap();
    pipe_at(folder.path("lib/f.ex"));
    pipe_at(folder.path("mix.lock"));
    pipe_at(folder.path("lib/signature-ls.toml"));
    let outcome = folder.run(&["check", "lib"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(
        outcome
            .stderr
            .contains("signature-ls.toml: it is not a regular file")
    );
    for name in ["lib/z.ex", "lib/f.ex", "/dev/zero"] {
        let outcome = folder.run(&["check", name]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
    }
}

#[test]
fn a_file_over_the_limit_does_not_hide_the_others() {
    let folder = Folder::new("hostile-sizes", &[("a.sig", "get(id :strng) -> :map\n")]);
    let long = fs::File::create(folder.path("long.ex")).unwrap();
    long.set_len(1 << 30).unwrap();
    let outcome = folder.run(&["check", "."]);
    assert_eq!(outcome.code, Some(2));
    assert!(
        outcome.stdout.contains("unknown-type"),
        "{}",
        outcome.stdout
    );
    assert_eq!(
        outcome.stderr.matches("it is larger than 32 MiB").count(),
        1
    );
}

#[test]
fn a_file_with_too_many_signatures_does_not_hide_the_others() {
    let full = "f(\n".repeat(100_001);
    let folder = Folder::new(
        "hostile-full",
        &[("a.sig", &full), ("b.sig", "f(a :strng) -> :int\n")],
    );
    let outcome = folder.run(&["check", "."]);
    assert_eq!(outcome.code, Some(1));
    for part in [
        "unknown-type",
        "text-too-long",
        "a.sig:1:1",
        "2 errors in 2 files",
    ] {
        assert!(outcome.stdout.contains(part), "{}", outcome.stdout);
    }
    // The file that was not checked is named without a line of its text.
    assert_eq!(outcome.stdout.matches("1 | ").count(), 1);
    assert_eq!(outcome.stderr, "");
    for command in ["list", "schema", "format"] {
        let outcome = folder.run(&[command, "."]);
        assert_eq!(outcome.code, Some(2), "{command}");
        let message = "cannot read a.sig: it has more than 100000 signatures and prompts";
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}

#[test]
fn no_name_or_text_begins_a_line_or_reaches_a_terminal_raw() {
    let signature = "[signature: \"(id :st\u{1b}[2Jrng\u{7f}) -> :int\"]\n";
    let names = [
        "x\n::warning::hi\n.ex",
        "::error::x.ex",
        "b\u{1b}]0;t\u{7}.ex",
        "r\u{202e}x.ex",
    ];
    let files: Vec<_> = names.iter().map(|name| (*name, signature)).collect();
    let folder = Folder::new("hostile-output", &files);
    folder.write("d/a.ex", signature.as_bytes());
    folder.write(
        "d/signature-ls.toml",
        b"edition = \"\\n::error file=a.ex::x\\n\"\n",
    );
    folder.write("u.sig", UNFORMATTED.as_bytes());
    for arguments in [
        &["check", "."][..],
        &["check", "--format", "github", "."],
        &["check", "--format", "json", "."],
        &["check", "--format", "sarif", "."],
        &["list", "."],
        &["list", "--format", "json", "."],
        &["schema", "."],
        &["schema", "--format", "lisp", "."],
        &["format", "--check", "."],
        &["check", "none\n::error::x"],
    ] {
        let outcome = folder.run(arguments);
        let output = outcome.stdout + &outcome.stderr;
        let is_command =
            |line: &str| line.trim_start().starts_with("::") && !line.contains("title=");
        assert!(!output.lines().any(is_command), "{arguments:?}: {output}");
        let is_active = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!output.contains(is_active), "{arguments:?}: {output:?}");
    }
}

#[test]
fn json_keeps_each_character() {
    let folder = Folder::new(
        "hostile-json",
        &[("a.ex", "Signature.parse(\"(a :in\u{7f}t)\")\n")],
    );
    let listed = folder.run(&["list", "--format", "json", "."]).stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed[0]["text"], "(a :in\u{7f}t)");
}

#[test]
fn a_long_line_with_many_findings_is_printed_in_time() {
    let line = "{\"signature\": \"(a :strng) -> :int\"},".repeat(5_000);
    let folder = Folder::new("hostile-line", &[("a.json", &format!("[{line}1]"))]);
    let outcome = folder.run(&["check", "."]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.len() < 1_000_000, "{}", outcome.stdout.len());
    assert!(outcome.stdout.contains("a.json:1:"), "{}", outcome.stdout);
}

#[test]
fn nothing_of_git_outside_the_project_is_opened() {
    let folder = Folder::new(
        "hostile-git",
        &[("p/lib/a.sig", "get(id :strng) -> :map\n")],
    );
    let expect_found = |path: &str| {
        let outcome = folder.run(&["check", path]);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(outcome.stdout.contains("unknown-type"), "{outcome:?}");
    };
    // The ignore file of the repository itself.
    fs::create_dir_all(folder.path("p/.git/info")).unwrap();
    pipe_at(folder.path("p/.gitignore"));
    expect_found("p/lib");
    fs::remove_file(folder.path("p/.gitignore")).unwrap();
    // One outside of it.
    pipe_at(folder.path(".gitignore"));
    expect_found("p");
    pipe_at(folder.path("p/.git/info/exclude"));
    expect_found("p");
    // A work tree, whose repository is elsewhere.
    fs::remove_dir_all(folder.path("p/.git")).unwrap();
    let elsewhere = folder.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    pipe_at(elsewhere.join("commondir"));
    folder.write(
        "p/.git",
        format!("gitdir: {}\n", elsewhere.display()).as_bytes(),
    );
    expect_found("p");
}

#[test]
fn a_project_ends_at_its_repository() {
    let spec = "defmodule Tools do\n  @spec get(pid()) :: integer()\n  def get(id), do: id\nend\n";
    let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &Tools.get/1})\n";
    let folder = Folder::new(
        "hostile-root",
        &[
            ("mix.exs", ""),
            ("lib/tools.ex", spec),
            ("signature-ls.toml", "edition = \"0.4\"\n"),
            ("p/mix.exs", ""),
            ("p/.git/HEAD", ""),
            ("p/lib/agent.ex", agent),
            ("p/lib/a.sig", "get(at :datetime) -> :map\n"),
        ],
    );
    let outcome = folder.run(&["check", "p"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    fs::remove_dir_all(folder.path("p/.git")).unwrap();
    let outcome = folder.run(&["check", "p"]);
    assert!(outcome.stdout.contains("unmapped-spec"), "{outcome:?}");
}

#[test]
fn files_and_folders_that_cannot_be_read_are_reported_and_hide_no_others() {
    let folder = Folder::new(
        "hostile-unreadable",
        &[
            ("a.sig", "get(id :strng) -> :map\n"),
            ("b/b.sig", UNFORMATTED),
            ("c.sig", UNFORMATTED),
        ],
    );
    let mode = |name: &str, mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.path(name), permissions).unwrap();
    };
    mode("b", 0);
    mode("c.sig", 0);
    let outcome = folder.run_unprivileged(&["check", "."]);
    mode("b", 0o755);
    mode("c.sig", 0o644);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stdout.contains("unknown-type"), "{outcome:?}");
    for name in ["b", "c.sig"] {
        let is_reported =
            |line: &str| line.contains(&format!("/{name}:")) || line.contains(&format!(" {name}:"));
        assert!(
            outcome.stderr.lines().any(is_reported),
            "{name}: {outcome:?}"
        );
    }
}

#[test]
fn files_that_vanish_meanwhile_hide_no_others() {
    let folder = Folder::new(
        "hostile-vanishing",
        &[("zz.sig", "get(id :strng) -> :map\n")],
    );
    for round in 0..6 {
        for index in 0..300 {
            folder.write(&format!("v/{index}.sig"), UNFORMATTED.as_bytes());
        }
        let path = folder.path("v");
        let remover = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(round * 2));
            fs::remove_dir_all(path)
        });
        let outcome = folder.run(&["check", "."]);
        remover.join().unwrap().unwrap();
        assert!(outcome.stdout.contains("unknown-type"), "{outcome:?}");
        assert!(matches!(outcome.code, Some(1 | 2)), "{outcome:?}");
    }
}

#[test]
fn one_root_in_another_is_read_once_and_links_are_no_way_out() {
    let folder = Folder::new(
        "hostile-roots",
        &[
            ("p/lib/a.sig", "get(id :strng) -> :map\n"),
            ("outside/b.sig", "get(id :strng) -> :map\n"),
        ],
    );
    symlink("../../outside", folder.path("p/lib/out")).unwrap();
    symlink("../../outside/b.sig", folder.path("p/lib/b.sig")).unwrap();
    symlink("..", folder.path("p/lib/up")).unwrap();
    symlink("p", folder.path("same")).unwrap();
    let outcome = folder.run(&["check", "p", "p/lib", ".", "same", "p/lib/a.sig"]);
    let count = outcome.stdout.matches("error[unknown-type]").count();
    assert_eq!(count, 2, "{outcome:?}");
    let outcome = folder.run(&["check", "p"]);
    let count = outcome.stdout.matches("error[unknown-type]").count();
    assert_eq!(count, 1, "{outcome:?}");
}

#[test]
fn a_written_file_keeps_its_permissions_line_ends_mark_and_end() {
    let mark = "\u{feff}";
    let texts = [
        "get ( id:int )->:map",
        "get ( id:int )->:map\r\n\r\nput ( id:int )->:map\r\n",
        "get ( id:int )->:map\n\nput ( id:int )->:map",
    ];
    let folder = Folder::new("hostile-written", &[]);
    for (index, text) in texts.iter().enumerate() {
        for (mark, mode) in [("", 0o751), (mark, 0o600)] {
            let name = format!("{index}{}.sig", mark.len());
            folder.write(&name, format!("{mark}{text}").as_bytes());
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(folder.path(&name), permissions).unwrap();
            let outcome = folder.run(&["format", &name]);
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
            let expected = text.replace(" ( id:int )->", "(id :int) -> ");
            assert_eq!(folder.read(&name), format!("{mark}{expected}"));
            let written = fs::metadata(folder.path(&name)).unwrap();
            assert_eq!(written.permissions().mode() & 0o7777, mode);
        }
    }
    let names: Vec<_> = fs::read_dir(folder.path(".")).unwrap().collect();
    assert_eq!(names.len(), 6, "{names:?}");
}

#[test]
fn fixes_keep_line_ends_mark_and_end() {
    let folder = Folder::new("hostile-fixed", &[]);
    for (name, text) in [
        (
            "a.ex",
            "\u{feff}# é\r\n[signature: \"(a :strng) -> :int\"]\r\n# end",
        ),
        (
            "b.json",
            "\u{feff}{\r\n\"signature\": \"(a :strng) -> :int\"}",
        ),
        (
            "c.yaml",
            "# é\r\nsignature: \"(a :strng) -> :int\"\r\nprompt: \"{{a}}\"",
        ),
    ] {
        folder.write(name, text.as_bytes());
        let outcome = folder.run(&["check", "--fix", name]);
        assert_eq!(outcome.code, Some(0), "{name}: {outcome:?}");
        assert_eq!(folder.read(name), text.replace("strng", "string"), "{name}");
    }
}

/// Without a trap the signal ends the program in the middle of a file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_or_a_signal_leaves_the_old_text_and_nothing_else() {
    let text = UNFORMATTED.repeat(2_000).replace("get", "get_it");
    let program = env!("CARGO_BIN_EXE_signature-ls");
    for (trap, code) in [("trap '' XFSZ", Some(2)), ("true", None)] {
        let folder = Folder::new("hostile-full-disk", &[("a.sig", &text)]);
        let limited = format!("{trap}; ulimit -c 0 -f 8; exec '{program}' format a.sig");
        let mut shell = Command::new("bash");
        let outcome = shell
            .args(["-c", &limited])
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        assert_eq!(outcome.status.code(), code, "{outcome:?}");
        assert_eq!(folder.read("a.sig"), text);
        assert_eq!(fs::read_dir(folder.path(".")).unwrap().count(), 1);
    }
}

#[test]
fn a_pipe_or_device_as_an_ignore_file_is_not_opened() {
    let folder = Folder::new(
        "hostile-ignore",
        &[("a/a.ex", ""), ("b/b.ex", ""), ("mix.exs", "")],
    );
    pipe_at(folder.path("a/.gitignore"));
    symlink("/dev/zero", folder.path("b/.gitignore")).unwrap();
    for path in [".", "a", "b"] {
        let outcome = folder.run(&["check", path]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        let said = "not a regular file of at most 1 MiB, so its folder is left out";
        assert!(outcome.stderr.contains(said), "{outcome:?}");
    }
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn texts_of_a_repository_do_not_act_on_a_terminal() {
    let catalog = "x(a :int) -> :int\n  red \u{1b}[31mtext\u{202e}\n";
    let agent = "name: \"\\e[31m\"\nsignature: (a :int) -> :int\nprompt: \"{{a}} \\e[31m\\u202e\"\ndescription: \"\\u202e\"\n";
    let folder = Folder::new("hostile-terminal", &[("e.sig", catalog), ("e.yaml", agent)]);
    for arguments in [
        "schema --format prompt e.sig e.yaml",
        "schema --format lisp e.sig e.yaml",
        "render e.yaml",
        "generate --language elixir e.sig e.yaml",
        "generate --language typescript e.sig e.yaml",
        "generate --language python e.sig e.yaml",
    ] {
        let program = env!("CARGO_BIN_EXE_signature-ls");
        let output = Command::new("script")
            .args(["-qec", &format!("{program} {arguments}"), "/dev/null"])
            .current_dir(folder.path("."))
            .output()
            .expect("script runs");
        let shown = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(shown.contains(r"\u{202e}"), "{arguments}: {shown:?}");
        assert!(
            !shown.contains(['\u{1b}', '\u{202e}']),
            "{arguments}: {shown:?}"
        );
    }
    // Other programs get the text as it is.
    let listing = folder
        .run(&["schema", "--format", "prompt", "e.sig"])
        .stdout;
    assert_eq!(listing, catalog);
}
