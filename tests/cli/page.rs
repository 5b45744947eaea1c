//! The documents quote real commands, output and settings.

use std::{
    collections::BTreeMap,
    fs, iter,
    path::{Path, PathBuf},
};

use crate::folder::Folder;

const PAGE: &str = include_str!("../../docs/cli.md");

/// The example of the page that begins with `first`.
#[track_caller]
fn example(first: &str) -> &'static str {
    let mut blocks = PAGE.split("```").skip(1).step_by(2);
    let block = blocks.find(|block| block.trim_start().starts_with(first));
    block.expect("the page has the example").trim()
}

#[test]
fn every_command_is_named() {
    let folder = Folder::new("page-commands", &[]);
    let help = folder.run(&["--help"]).stdout;
    let commands = help.split("Commands:").nth(1).expect("a list of commands");
    let commands = commands
        .lines()
        .skip(1)
        .map_while(|line| line.split_whitespace().next());
    let commands: Vec<_> = commands.filter(|it| *it != "help").collect();
    assert!(commands.len() > 5, "{help}");
    for command in commands {
        assert!(
            PAGE.contains(&format!("\nsignature-ls {command} ")),
            "{command}"
        );
    }
}

#[test]
fn a_finding_is_shown_as_check_prints_it() {
    let text = "\n".repeat(11) + "    signature: \"(user {name :strng}) -> :int\"\n";
    let folder = Folder::new("page-check", &[("lib/agent.ex", &text)]);
    let outcome = folder.run(&["check", "lib/agent.ex"]);
    assert_eq!(outcome.stdout.trim_end(), example("error["));
}

#[test]
fn a_value_is_shown_as_validate_prints_it() {
    let value =
        "{\n  \"results\": [\n      {\"name\": \"Ada\", \"customer\": {\"id\": \"abc\"}}\n  ]\n}\n";
    let folder = Folder::new("page-validate", &[("orders.json", value)]);
    let signature = "{results [{name :string, customer {id :int}}]}";
    let outcome = folder.run(&["validate", "--signature", signature, "orders.json"]);
    assert_eq!(outcome.stdout.trim_end(), example("orders.json:"));
}

/// The documents that quote commands, with their names.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manual = fs::read_dir(root.join("docs")).expect("the manual");
    let mut paths: Vec<_> = manual.map(|it| it.expect("a page").path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "md"));
    for path in [
        "README.md",
        "SECURITY.md",
        "action.yml",
        "editors/neovim/README.md",
        "editors/vscode/README.md",
    ] {
        paths.push(root.join(path));
    }
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a text");
    let named = |path: &PathBuf| (path.display().to_string(), read(path));
    paths.iter().map(named).collect()
}

/// The commands that a text quotes, without the name of the program: at the start of a line or of inline code.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let quoted = line.split('`').skip(1).step_by(2);
        let all = iter::once(line.trim_start()).chain(quoted);
        all.filter_map(|it| it.strip_prefix("signature-ls "))
    })
}

#[test]
fn every_command_that_the_documents_quote_exists() {
    let folder = Folder::new("page-quoted", &[]);
    let mut helps = BTreeMap::new();
    let mut quoted = 0;
    for (name, text) in documents() {
        for command in commands(&text) {
            let first = command.split(' ').next().unwrap_or_default();
            let is_command = first.chars().all(|it| it.is_ascii_lowercase() || it == '-');
            if !is_command || first.is_empty() || first.starts_with('-') {
                continue;
            }
            quoted += 1;
            let help = helps.entry(first.to_owned()).or_insert_with(|| {
                let help = folder.run(&[first, "--help"]);
                assert_eq!(help.code, Some(0), "{name}: {command}");
                help.stdout
            });
            let written = command.split(['#', '>', '|']).next().unwrap_or_default();
            let options = written.split(|c: char| c.is_whitespace() || "[]|`".contains(c));
            for option in options.filter(|it| it.starts_with("--")) {
                assert!(help.contains(option), "{name}: {command}");
            }
        }
    }
    assert!(quoted > 30, "{quoted}");
}

/// The findings of `check` in a text, as `error[CODE]: MESSAGE`.
fn findings(file: &str, text: &str) -> Vec<String> {
    let folder = Folder::new(&format!("page-findings-{file}"), &[(file, text)]);
    let lines = folder.run(&["check", file]).stdout;
    let findings = lines.lines().filter(|it| it.starts_with("error["));
    findings.map(str::to_owned).collect()
}

/// The block of code in `page` that begins with `first`.
#[track_caller]
fn block<'a>(page: &'a str, first: &str) -> &'a str {
    let blocks = page.split("```").skip(1).step_by(2);
    let mut texts = blocks.filter_map(|it| it.split_once('\n').map(|(_, text)| text));
    texts.find(|it| it.starts_with(first)).expect(first)
}

#[test]
fn the_first_example_of_the_readme_reports_what_it_says() {
    let page = include_str!("../../README.md");
    let mut found = findings("readme.exs", block(page, "SubAgent.run("));
    let mut said: Vec<_> = block(page, "error[").lines().collect();
    found.sort();
    said.sort_unstable();
    assert_eq!(found, said);
}

#[test]
fn the_first_file_of_a_newcomer_has_two_mistakes_with_safe_fixes() {
    let page = include_str!("../../docs/getting-started.md");
    let text = block(page, "---\n");
    let found = findings("greet.prompt", text);
    assert_eq!(found.len(), 2, "{found:?}");
    for (found, word) in found.iter().zip(["`:strng`", "`usr`"]) {
        assert!(found.contains(word), "{found}");
    }
    let folder = Folder::new("page-newcomer", &[("greet.prompt", text)]);
    assert_eq!(folder.run(&["check", "."]).code, Some(1));
    assert_eq!(folder.run(&["check", "--fix", "."]).code, Some(0));
    let fixed = folder.read("greet.prompt");
    assert!(
        fixed.contains(":string}") && fixed.contains("{{user.name}}"),
        "{fixed}"
    );
}

#[test]
fn the_settings_that_the_manual_shows_are_valid() {
    let page = include_str!("../../docs/settings.md");
    let blocks = page.split("```toml").skip(1);
    let mut tried = 0;
    for (number, block) in blocks.enumerate() {
        let settings = block.split("```").next().expect("the end of the block");
        let settings: Vec<_> = settings.lines().map(str::trim_start).collect();
        let settings = settings.join("\n");
        let files = [("signature-ls.toml", &*settings), ("a.prompt", "Hello")];
        let folder = Folder::new(&format!("page-settings-{number}"), &files);
        let outcome = folder.run(&["check", "."]);
        assert_eq!(outcome.code, Some(0), "{settings}{outcome:?}");
        assert_eq!(outcome.stderr, "", "{settings}");
        tried += 1;
    }
    assert!(tried >= 3, "{tried}");
}
