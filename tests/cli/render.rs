//! `signature-ls render` and `signature-ls generate`.

use crate::folder::Folder;

const AGENTS: &str = r#"defmodule Agents do
  def greet do
    SubAgent.run("Greet {{user.name}}.",
      output: :text,
      signature: "(user {name :string}) -> {text :string}",
      context: %{user: %{name: "Ada"}},
      tools: %{"search" => {&A.search/1, "(query :string, limit :int?) -> [{id :int}]"}}
    )
  end

  def count do
    SubAgent.run("Count {{n}}.", output: :text, signature: "(n :int) -> :int", context: %{m: 1})
  end
end
"#;

#[test]
fn the_agent_at_a_line_is_rendered() {
    let folder = Folder::new("render", &[("agents.ex", AGENTS)]);
    let outcome = folder.run(&["render", "agents.ex:4"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(
        outcome.stdout.contains("Greet ‹user.name :string›."),
        "{}",
        outcome.stdout
    );
    assert!(!outcome.stdout.contains("Count"), "{}", outcome.stdout);

    assert!(
        outcome.stdout.contains("\n## Prompt (26 characters, "),
        "{}",
        outcome.stdout
    );
    let sum = outcome.stdout.lines().last().expect("the sum");
    assert!(
        sum.starts_with("Together ") && sum.ends_with(" tokens."),
        "{sum}"
    );

    let outcome = folder.run(&["render", "--sample", "1", "agents.ex:4"]);
    assert!(
        outcome.stdout.contains("\nGreet Ada.\n"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome
            .stdout
            .contains("\"name\": \"search\",\n      \"parameters\": {\n")
    );
}

/// Spaces at the end of a prompt are sent, so they are printed.
#[test]
fn spaces_at_the_ends_of_lines_stay() {
    let text = "SubAgent.run(\"Count {{n}}  \\n by 2 \", output: :text, signature: \"(n :int) -> :int\", context: %{n: 1})\n";
    let folder = Folder::new("render-spaces", &[("a.exs", text)]);
    let outcome = folder.run(&["render", "--sample", "1", "a.exs"]);
    assert!(
        outcome.stdout.contains("\n\nCount 1  \n by 2 \n"),
        "{outcome:?}"
    );
}

#[test]
fn a_value_that_is_missing_is_reported() {
    let folder = Folder::new("render-missing", &[("agents.ex", AGENTS)]);
    let outcome = folder.run(&["render", "--sample", "1", "agents.ex"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stdout.contains("> `n` has no value"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stdout.contains("Count {{n}}."),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_sample_that_does_not_exist_is_wrong_usage() {
    let folder = Folder::new("render-sample", &[("agents.ex", AGENTS)]);
    for number in ["0", "99", "x"] {
        let outcome = folder.run(&["render", "--sample", number, "agents.ex:4"]);
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(2), ""),
            "{outcome:?}"
        );
        assert!(!outcome.stderr.is_empty());
    }
    let outcome = folder.run(&["render", "--sample", "0", "agents.ex:4"]);
    assert!(
        outcome.stderr.contains("samples count from 1"),
        "{outcome:?}"
    );
}

#[test]
fn a_place_without_an_agent_is_wrong_usage() {
    let folder = Folder::new("render-nothing", &[("agents.ex", AGENTS)]);
    for place in ["agents.ex:1", "agents.ex:99", "nothing.ex"] {
        let outcome = folder.run(&["render", place]);
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(2), ""),
            "{outcome:?}"
        );
        assert!(!outcome.stderr.is_empty());
    }
}

#[test]
fn types_are_generated_for_tools_and_agents() {
    let folder = Folder::new(
        "generate",
        &[
            ("agents.ex", AGENTS),
            ("broken.sig", "f(a :strng) -> :int\n"),
        ],
    );
    let outcome = folder.run(&["generate", "--language", "typescript", "agents.ex"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(
        outcome
            .stdout
            .contains("export type SearchInput = {\n  query: string;\n"),
        "{}",
        outcome.stdout
    );
    let outcome = folder.run(&["generate", "--language", "python", "broken.sig"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stderr.contains("broken.sig:1:2"),
        "{}",
        outcome.stderr
    );
}
