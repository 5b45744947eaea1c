//! Repositories that try to make the tool read, write or block where it must not.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
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
        &["list", "."],
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
    assert!(listed.contains("(a :in\u{7f}t)"), "{listed:?}");
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
fn a_pipe_or_device_as_an_ignore_file_is_not_opened() {
    let folder = Folder::new(
        "hostile-ignore",
        &[("a/a.ex", ""), ("b/b.ex", ""), ("mix.exs", "")],
    );
    pipe_at(folder.path("a/.gitignore"));
    symlink("/dev/zero", folder.path("b/.gitignore")).unwrap();
    for path in [".", "a", "b"] {
        let outcome = folder.run(&["check", path]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
}

/// No network, no other process, nothing written, and nothing read outside of the folder but by the system's libraries.
#[cfg(target_os = "linux")]
#[test]
fn a_check_touches_nothing_but_its_folder() {
    let agent = "SubAgent.new(prompt: \"x\", tools: %{\"a\" => &A.b/1})\n";
    let folder = Folder::new(
        "hostile-trace",
        &[("mix.exs", ""), ("lib/a.ex", agent), (".gitignore", "x\n")],
    );
    let trace = folder.path("trace");
    let traced = Command::new("strace")
        .args([
            "-f",
            "-qq",
            "-e",
            "trace=%network,%process,openat,rename,unlink",
            "-o",
        ])
        .arg(&trace)
        .args([env!("CARGO_BIN_EXE_signature-ls"), "check", "lib"])
        .current_dir(folder.path("."))
        .env_remove("LD_PRELOAD")
        .output();
    if !traced.is_ok_and(|it| it.status.success() || it.status.code() == Some(1)) {
        // There is no strace, or the system does not let it trace.
        return;
    }
    let root = folder.path("");
    let trace = fs::read_to_string(trace).expect("a trace");
    let is_allowed = |line: &str| {
        let path = line.split('"').nth(1).unwrap_or_default();
        let of_system = [
            "/etc/ld.so",
            "/lib",
            "/usr/lib",
            "/proc/self/",
            "/sys/fs/cgroup",
        ];
        !path.starts_with('/')
            || path.starts_with(&*root.to_string_lossy())
            || of_system.iter().any(|it| path.starts_with(it))
            // The folders above are asked for what git is to ignore.
            || path.ends_with("/.gitignore") || path.ends_with("/.git/info/exclude")
    };
    assert_eq!(trace.matches("execve(").count(), 1, "{trace}");
    for line in trace.lines() {
        for call in [
            "socket(", "connect(", "rename(", "unlink(", "O_CREAT", "O_WRONLY", "O_RDWR",
        ] {
            assert!(!line.contains(call), "{line}");
        }
        assert!(!line.contains("openat(") || is_allowed(line), "{line}");
    }
}
