//! `docs/cli.md` holds what the commands print.

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
