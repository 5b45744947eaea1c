//! A text from standard input in the place of a file.

use crate::folder::Folder;

const AGENT: &str = "signature: \"(id :datetime) -> :int\"\nprompt: \"{{id}}\"\n";

#[test]
fn a_text_is_checked_as_the_file_that_it_is_to_be() {
    let folder = Folder::new(
        "stdin-check",
        &[
            ("a.yaml", AGENT),
            ("old/signature-ls.toml", "edition = \"0.4\"\n"),
        ],
    );
    let wrong = AGENT.replace(":int", ":strng");
    for (path, text, code, found) in [
        ("a.yaml", AGENT, 0, ""),
        ("a.yaml", &wrong, 1, "a.yaml:1:31"),
        // Neither the file nor the folder has to exist; settings apply.
        ("new/b.yaml", AGENT, 0, ""),
        ("old/b.yaml", AGENT, 1, "old/b.yaml:1:17"),
    ] {
        let outcome = folder.run_with(&["check", "--stdin-filename", path], text.as_bytes());
        assert_eq!(outcome.code, Some(code), "{path} {}", outcome.stderr);
        assert!(outcome.stdout.contains(found), "{path} {}", outcome.stdout);
    }
    assert_eq!(folder.read("a.yaml"), AGENT);
    let arguments = ["check", "--fix", "--diff", "--stdin-filename", "a.yaml"];
    let outcome = folder.run_with(&arguments, wrong.as_bytes());
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("+++ b/a.yaml\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_text_knows_the_functions_of_other_files() {
    let tools =
        "defmodule MyApp.Tools do\n  @spec get(pid()) :: integer()\n  def get(x), do: x\nend\n";
    let folder = Folder::new(
        "stdin-tools",
        &[
            ("mix.exs", "[{:ptc_runner, \"~> 0.13\"}]\n"),
            ("lib/tools.ex", tools),
            ("lib/agent.ex", ""),
        ],
    );
    let agent = "PtcRunner.SubAgent.new(prompt: \"x\", tools: %{\"get\" => &MyApp.Tools.get/1})\n";
    let arguments = ["check", "--stdin-filename", "lib/agent.ex"];
    let found = folder.run_with(&arguments, agent.as_bytes()).stdout;
    assert!(found.contains("[unmapped-spec]"), "{found}");
    let found = folder.run_with(&arguments, b"").stdout;
    assert_eq!(found, "nothing found in 1 file\n");
}

#[test]
fn a_formatted_text_is_printed() {
    let folder = Folder::new("stdin-format", &[]);
    let format = |more: &[&str], text: &str| {
        let arguments = [&["format", "--stdin-filename", "a.sig"], more].concat();
        let outcome = folder.run_with(&arguments, text.as_bytes());
        (outcome.code, outcome.stdout)
    };
    let before = "\u{feff}# tools\r\nget ( id:int )->:map\r\n\tFetches.";
    let after = "\u{feff}# tools\r\nget(id :int) -> :map\r\n  Fetches.";
    for text in [before, after] {
        assert_eq!(format(&[], text), (Some(0), after.to_owned()));
    }
    assert_eq!(
        format(&["--check"], before),
        (Some(1), "a.sig\n".to_owned())
    );
    assert_eq!(format(&["--check"], after), (Some(0), String::new()));
    assert!(
        format(&["--diff"], before)
            .1
            .contains("+get(id :int) -> :map")
    );
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let folder = Folder::new("stdin-wrong", &[("a.yaml", AGENT)]);
    for (arguments, input) in [
        (&["check", "--stdin-filename", "a.txt"][..], &b""[..]),
        (&["check", "--stdin-filename", "a.yaml", "a.yaml"], b""),
        (&["check", "--stdin-filename"], b""),
        (&["check", "--fix", "--stdin-filename", "a.yaml"], b""),
        (&["check", "--stdin-filename", "a.yaml"], b"\xff"),
        (&["format", "--stdin-filename", "a.yaml"], b"\xff"),
        (&["format"], b""),
    ] {
        let outcome = folder.run_with(arguments, input);
        assert_eq!(outcome.code, Some(2), "{arguments:?}");
        assert!(!outcome.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(folder.read("a.yaml"), AGENT);
}
