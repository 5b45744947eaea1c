//! The names of an agent in the files that run it.

use super::*;
use expect_test::expect;

const MAKER: &str = "defmodule My.Agents do\n  def finder, do: SubAgent.new(prompt: \"Find {{topic}}\", signature: \"(topic :string) -> {title :string}\")\nend\n";

#[test]
fn names_of_an_agent_reach_the_files_that_run_it() {
    let user = "defmodule My.Run do\n  def run(llm) do\n    {:ok, step} = SubAgent.run(My.Agents.finder(), context: %{topic: \"x\"}, llm: llm)\n    step.return[\"title\"]\n  end\nend\n";
    let marked = |text: &str, name: &str| text.replacen(name, &format!("$0{name}"), 1);
    let (at_key, at_result) = (marked(user, "topic:"), marked(user, "title"));
    let (at_param, at_field) = (marked(MAKER, "topic :"), marked(MAKER, "title"));
    let project = ("mix.exs", "");
    check_names(
        "returned-key",
        &[project, ("lib/a.ex", MAKER), ("lib/b.ex", &at_key)],
        expect![[r#"
            definitions
            lib/a.ex:2:71 topic
            1 references here, and
            lib/a.ex:2:48 topic
            lib/a.ex:2:71 topic
        "#]],
    );
    check_names(
        "returned-result",
        &[project, ("lib/a.ex", MAKER), ("lib/b.ex", &at_result)],
        expect![[r#"
            definitions
            lib/a.ex:2:90 title
            1 references here, and
            lib/a.ex:2:90 title
        "#]],
    );
    check_rename(
        "returned-param",
        &[project, ("lib/a.ex", &at_param), ("lib/b.ex", user)],
        "subject",
        expect![[r#"
            lib/a.ex
            defmodule My.Agents do
              def finder, do: SubAgent.new(prompt: "Find {{subject}}", signature: "(subject :string) -> {title :string}")
            end
            lib/b.ex
            defmodule My.Run do
              def run(llm) do
                {:ok, step} = SubAgent.run(My.Agents.finder(), context: %{subject: "x"}, llm: llm)
                step.return["title"]
              end
            end
        "#]],
    );
    check_rename(
        "returned-field",
        &[project, ("lib/a.ex", &at_field), ("lib/b.ex", user)],
        "name",
        expect![[r#"
            lib/a.ex
            defmodule My.Agents do
              def finder, do: SubAgent.new(prompt: "Find {{topic}}", signature: "(topic :string) -> {name :string}")
            end
            lib/b.ex
            defmodule My.Run do
              def run(llm) do
                {:ok, step} = SubAgent.run(My.Agents.finder(), context: %{topic: "x"}, llm: llm)
                step.return["name"]
              end
            end
        "#]],
    );
    check_rename(
        "returned-used",
        &[project, ("lib/a.ex", MAKER), ("lib/b.ex", &at_result)],
        "name",
        expect![[r#"
            lib/a.ex
            defmodule My.Agents do
              def finder, do: SubAgent.new(prompt: "Find {{topic}}", signature: "(topic :string) -> {name :string}")
            end
            lib/b.ex
            defmodule My.Run do
              def run(llm) do
                {:ok, step} = SubAgent.run(My.Agents.finder(), context: %{topic: "x"}, llm: llm)
                step.return["name"]
              end
            end
        "#]],
    );
    let taken = user.replace("topic: \"x\"", "topic: \"x\", subject: 1");
    check_rename(
        "returned-taken",
        &[project, ("lib/a.ex", &at_param), ("lib/b.ex", &taken)],
        "subject",
        expect!["`lib/b.ex`: `subject` is taken: a context has a value of that name."],
    );
    let unseen = user.replace("%{topic: \"x\"}", "context");
    check_rename(
        "returned-unseen",
        &[project, ("lib/a.ex", &at_param), ("lib/b.ex", &unseen)],
        "subject",
        expect![
            "`lib/b.ex`: Cannot see all uses: in line 3 a value is only known at run time and may name it."
        ],
    );
    let same = MAKER.replace("def finder", "def other, do: SubAgent.new(prompt: \"Read {{topic}}\", signature: \"(topic :string) -> {title :string}\")\n  def finder");
    check_rename(
        "returned-same",
        &[project, ("lib/a.ex", &same), ("lib/b.ex", &at_result)],
        "name",
        expect![[r#"
            lib/a.ex
            defmodule My.Agents do
              def other, do: SubAgent.new(prompt: "Read {{topic}}", signature: "(topic :string) -> {title :string}")
              def finder, do: SubAgent.new(prompt: "Find {{topic}}", signature: "(topic :string) -> {name :string}")
            end
            lib/b.ex
            defmodule My.Run do
              def run(llm) do
                {:ok, step} = SubAgent.run(My.Agents.finder(), context: %{topic: "x"}, llm: llm)
                step.return["name"]
              end
            end
        "#]],
    );
    let bound = "defmodule My.Agents do\n  @one \"(topic :string) -> {title :string}\"\n  @two \"(topic :string) -> {title :string}\"\n  def finder, do: SubAgent.new(prompt: \"Find {{topic}}\", signature: @two)\n  def other, do: SubAgent.new(prompt: \"Find {{topic}}\", signature: @one)\nend\n";
    check_rename(
        "returned-bound",
        &[project, ("lib/a.ex", bound), ("lib/b.ex", &at_result)],
        "name",
        expect!["Cannot see which signature in `lib/a.ex` the agent of `finder/0` has."],
    );
}
