//! Symbols of all files.

use super::*;
use expect_test::expect;

#[test]
fn symbols_of_all_files() {
    let agent = marked(AGENT, "$0SubAgent");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", agent.as_str()),
        ("lib/my_app.ex", MODULE),
        ("programs/a.clj", PROGRAM),
        (
            "triage.prompt",
            "---\nsignature: \"(mail :string) -> :int\"\n---\n{{mail}}",
        ),
        ("tools.sig", "search(q :string) -> :any\n"),
        (
            "deps/other/a.prompt",
            "---\nsignature: \"(mail :string) -> :int\"\n---\n{{mail}}",
        ),
        ("keys.sig", "-----BEGIN PGP SIGNATURE-----\n\nabc=\n"),
    ];
    let mut fixture = Fixture::new("symbols", &files);
    let mut shown = String::new();
    for query in ["", "SRCH", "zzz"] {
        let found = fixture.ask(|view, _, _| view.symbols(query));
        shown.push_str(&format!("`{query}`\n"));
        for it in found {
            let place = fixture.located(&it.path, &it.text, it.range);
            let container = it.container.unwrap_or_default();
            shown.push_str(&format!(
                "{:?} {} in `{container}` {place}\n",
                it.kind, it.name
            ));
        }
    }
    expect![[r#"
        ``
        Agent finder in `` lib/agent.ex:3:25 finder
        Parameter topic in `finder` lib/agent.ex:3:62 topic
        Tool search in `finder` lib/agent.ex:4:8 search
        Parameter order_id in `search` lib/agent.ex:4:39 order_id
        Tool stop in `finder` lib/agent.ex:5:8 stop
        Tool search in `` tools.sig:1:1 search
        Parameter q in `search` tools.sig:1:8 q
        Agent triage in `` triage.prompt:2:12 "(mail :string) -> :int"
        Parameter mail in `triage` triage.prompt:2:14 mail
        Function search in `MyApp` lib/my_app.ex:4:7 search
        Function stop in `MyApp` lib/my_app.ex:3:7 stop
        `SRCH`
        Tool search in `finder` lib/agent.ex:4:8 search
        Tool search in `` tools.sig:1:1 search
        Function search in `MyApp` lib/my_app.ex:4:7 search
        `zzz`
    "#]]
    .assert_eq(&shown);
}

/// A module whose own function is a tool.
const OWN_TOOL: &str = "defmodule A do\n  @tools %{\"rate\" => {&rate/1, \"(id :int) -> :any\"}}\n  def rate(x), do: x\nend\n";

/// The symbols of a deleted project are not found any more.
#[test]
fn a_project_ends_with_its_file() {
    let files = [("mix.exs", "[]"), ("a.ex", &format!("$0{OWN_TOOL}"))];
    let mut fixture = Fixture::new("ended", &files);
    assert_eq!(fixture.functions("rate").len(), 1);
    let project = fixture.scratch.path("mix.exs");
    std::fs::remove_file(&project).unwrap();
    fixture.workspace.files_changed([project.as_path()]);
    assert_eq!(fixture.functions("rate").len(), 0);
}

/// The functions may be those of the file itself, and the file may be outside of the folders.
#[test]
fn symbols_do_not_depend_on_what_was_open_before() {
    let other =
        "defmodule A do\n  @tools %{\"find\" => {&Other.find/1, \"(q :string) -> :any\"}}\nend\n";
    let agent = "defmodule A do\n  def a, do: SubAgent.new(prompt: \"x\", tools: %{\"rate\" => &rate/1})\n  def rate(x), do: x\nend\n";
    for last in [OWN_TOOL, agent] {
        for name in ["inside/a.ex", "outside/a.ex"] {
            for first in ["", other, agent, last] {
                let marked = format!("$0{first}");
                let files = [
                    ("inside/mix.exs", "[]"),
                    ("outside/mix.exs", "[]"),
                    (name, &marked),
                ];
                let mut fixture = Fixture::in_folder("history", "inside", &files);
                fixture.view();
                fixture
                    .workspace
                    .change(fixture.file, vec![last], |text, new| {
                        TextEdit::replace(TextRange::up_to(text.len()), new)
                    });
                assert_eq!(fixture.functions("rate"), ["rate"], "{name}: {first}{last}");
            }
        }
    }
}

#[test]
fn an_agent_under_a_key_has_the_name_of_the_key() {
    let agents =
        "agents:\n  mail_agent:\n    signature: '(x$0 :int) -> :int'\n    prompt: '{{x}}'\n";
    let mut fixture = Fixture::new("key", &[("a.yaml", agents)]);
    let found = fixture.ask(|view, _, _| view.symbols("mail"));
    let names: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.kind)).collect();
    assert_eq!(names, [("mail_agent", FoundKind::Agent)]);
}
