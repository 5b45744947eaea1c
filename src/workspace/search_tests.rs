//! Names, symbols and calls over several files, most of them closed.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use super::{testing::Scratch, *};
use signature_ls_analysis::ide::{Refusal, references};
use signature_ls_source::text::{TextEdit, TextRange, TextSize, size};

/// A folder of files; the one with `$0` is open.
struct Fixture {
    scratch: Scratch,
    workspace: Workspace,
    file: FileId,
    offset: TextSize,
}

impl Fixture {
    #[track_caller]
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self::in_folder(name, "", files)
    }

    /// The same, with only `folder` open in the client.
    #[track_caller]
    fn in_folder(name: &str, folder: &str, files: &[(&str, &str)]) -> Self {
        let scratch = Scratch::new(name);
        let mut workspace = Workspace::default();
        workspace.set_roots([scratch.path(folder)]);
        let mut marked = None;
        for (name, text) in files {
            let plain = text.replacen("$0", "", 1);
            scratch.write(name, &plain);
            if let Some(at) = text.find("$0") {
                let path = scratch.path(name);
                let file = workspace.file_at(&path);
                let kind = HostKind::from_path(&path).expect("a kind");
                workspace.open(file, kind, &plain);
                marked = Some((file, size(at)));
            }
        }
        let (file, offset) = marked.expect("a file marks a place");
        Self {
            scratch,
            workspace,
            file,
            offset,
        }
    }

    fn view(&mut self) -> View {
        let areas = self.workspace.all_areas();
        self.workspace.look_everywhere(&areas);
        self.workspace.settle();
        loop {
            if let Some(view) = self.workspace.surroundings(&areas) {
                return view;
            }
            self.workspace.settle();
        }
    }

    /// The names of the functions that a search for `query` finds.
    fn functions(&mut self, query: &str) -> Vec<String> {
        let found = self.view().symbols(query).into_iter();
        let functions = found.filter(|it| it.kind == FoundKind::Function);
        functions.map(|it| it.name).collect()
    }

    fn ask<T>(&mut self, ask: impl FnOnce(&View, Here<'_>, TextSize) -> T) -> T {
        let view = self.view();
        let document = view.open_document(self.file).expect("an open file");
        let here = Here {
            file: self.file,
            document,
        };
        ask(&view, here, self.offset)
    }

    fn located(&self, path: &Path, text: &Text, range: TextRange) -> String {
        let name = path
            .strip_prefix(self.scratch.path(""))
            .expect("a file of ours");
        let line = text.rope().byte_to_line(range.start().into()) + 1;
        let before = text.line_range(range.start()).start();
        let column = u32::from(range.start() - before) + 1;
        format!("{}:{line}:{column} {}", name.display(), text.slice(range))
    }

    fn places(&self, found: Vec<FilePlaces>) -> String {
        let mut shown = String::new();
        for places in found {
            for range in &places.ranges {
                let place = self.located(&places.path, &places.text, *range);
                shown.push_str(&format!("{place}\n"));
            }
        }
        shown
    }
}

#[track_caller]
fn check_names(name: &str, files: &[(&str, &str)], expected: Expect) {
    let mut fixture = Fixture::new(name, files);
    let (definitions, own, mut others) = fixture.ask(|view, here, offset| {
        (
            view.definitions(here, offset),
            references(here.document, offset, true),
            view.references(here, offset, true),
        )
    });
    let definitions = fixture.places(definitions);
    // Those in this file may be found twice.
    let file = fixture.file;
    for places in others.iter_mut().filter(|it| it.file == file) {
        places.ranges.retain(|it| !own.contains(it));
    }
    let (own, others) = (own.len(), fixture.places(others));
    expected.assert_eq(&format!(
        "definitions\n{definitions}{own} references here, and\n{others}"
    ));
}

#[track_caller]
fn check_rename(name: &str, files: &[(&str, &str)], new: &str, expected: Expect) {
    let mut fixture = Fixture::new(name, files);
    let renamed = fixture.ask(|view, here, offset| view.rename(here, offset, new));
    let shown = match renamed {
        Ok(None) => "nothing".to_owned(),
        Err(Refusal(reason)) => reason,
        Ok(Some(files)) => {
            let mut texts = BTreeMap::new();
            for it in files {
                let mut text = it.text.rope().to_string();
                for edit in it.edits.iter().rev() {
                    edit.apply(&mut text);
                }
                texts.insert(it.path.expect("a path"), text);
            }
            let root = fixture.scratch.path("");
            let shown = texts.into_iter().map(|(path, text)| {
                let name = path.strip_prefix(&root).expect("a file of ours");
                format!("{}\n{text}", name.display())
            });
            shown.collect()
        }
    };
    expected.assert_eq(&shown);
}

const AGENT: &str = "defmodule MyApp.Agent do\n  def agent do\n    SubAgent.new(name: \"finder\", prompt: \"Go.\", signature: \"(topic :string) -> :any\", tools: %{\n      \"search\" => {&MyApp.search/1, \"(order_id :int) -> :any\"},\n      \"stop\" => &MyApp.stop/1\n    })\n  end\nend\n";
const MODULE: &str = "defmodule MyApp do\n  @spec stop(integer()) :: :ok\n  def stop(id), do: id\n  def search(args), do: args\nend\n";
const PROGRAM: &str = "(tool/search {:order-id 1})\n(tool/search {:order_id 2})\n(tool/other {})\n";

/// `text` with a mark in the first `before`, at the position of `$0`.
fn marked(text: &str, place: &str) -> String {
    let plain = place.replacen("$0", "", 1);
    assert!(text.contains(&plain), "{place}");
    text.replacen(&plain, place, 1)
}

#[test]
fn a_tool_that_another_file_calls() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", agent.as_str()),
        ("programs/a.clj", PROGRAM),
        ("notes.md", "```clojure\n(tool/search {:order-id 3})\n```\n"),
        ("other.clj", "{:tools {\"search\" \"(q :int) -> :any\"}}\n"),
    ];
    check_names(
        "tool",
        &files[..4],
        expect![[r#"
        definitions
        1 references here, and
        notes.md:2:7 search
        programs/a.clj:1:7 search
        programs/a.clj:2:7 search
    "#]],
    );
    check_rename(
        "tool-renamed",
        &files[..4],
        "find_all",
        expect![[r#"
        lib/agent.ex
        defmodule MyApp.Agent do
          def agent do
            SubAgent.new(name: "finder", prompt: "Go.", signature: "(topic :string) -> :any", tools: %{
              "find_all" => {&MyApp.search/1, "(order_id :int) -> :any"},
              "stop" => &MyApp.stop/1
            })
          end
        end
        notes.md
        ```clojure
        (tool/find_all {:order-id 3})
        ```
        programs/a.clj
        (tool/find_all {:order-id 1})
        (tool/find_all {:order_id 2})
        (tool/other {})
    "#]],
    );
    check_rename(
        "tool-twice",
        &files,
        "find_all",
        expect![
            "`notes.md` calls a tool `search`, and several files have one, such as `other.clj`: which is called cannot be seen."
        ],
    );
    check_rename(
        "tool-taken",
        &files[..4],
        "stop",
        expect!["`stop` is taken: `lib/agent.ex` has a tool of that name."],
    );
}

#[test]
fn a_call_of_a_tool_of_another_file() {
    let program = marked(PROGRAM, "tool/sea$0rch");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", AGENT),
        ("programs/a.clj", program.as_str()),
        ("programs/b.clj", "(tool/search {:order-id 1})"),
    ];
    check_names(
        "call",
        &files,
        expect![[r#"
        definitions
        lib/agent.ex:4:8 search
        2 references here, and
        lib/agent.ex:4:8 search
        programs/b.clj:1:7 search
    "#]],
    );
    check_rename(
        "call-renamed",
        &files,
        "find",
        expect![[r#"
        lib/agent.ex
        defmodule MyApp.Agent do
          def agent do
            SubAgent.new(name: "finder", prompt: "Go.", signature: "(topic :string) -> :any", tools: %{
              "find" => {&MyApp.search/1, "(order_id :int) -> :any"},
              "stop" => &MyApp.stop/1
            })
          end
        end
        programs/a.clj
        (tool/find {:order-id 1})
        (tool/find {:order_id 2})
        (tool/other {})
        programs/b.clj
        (tool/find {:order-id 1})"#]],
    );
    check_rename(
        "call-taken",
        &files,
        "other",
        expect!["`other` is taken: another tool has that name."],
    );
}

#[test]
fn an_argument_over_files() {
    let program = marked(PROGRAM, ":order-$0id");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", AGENT),
        ("programs/a.clj", program.as_str()),
    ];
    check_names(
        "argument",
        &files,
        expect![[r#"
        definitions
        lib/agent.ex:4:39 order_id
        2 references here, and
        lib/agent.ex:4:39 order_id
    "#]],
    );
    check_rename(
        "argument-renamed",
        &files,
        "ticket_no",
        expect![[r#"
        lib/agent.ex
        defmodule MyApp.Agent do
          def agent do
            SubAgent.new(name: "finder", prompt: "Go.", signature: "(topic :string) -> :any", tools: %{
              "search" => {&MyApp.search/1, "(ticket_no :int) -> :any"},
              "stop" => &MyApp.stop/1
            })
          end
        end
        programs/a.clj
        (tool/search {:ticket-no 1})
        (tool/search {:ticket_no 2})
        (tool/other {})
    "#]],
    );
    let agent = marked(AGENT, "(order$0_id");
    let files = [("lib/agent.ex", agent.as_str()), ("a.clj", PROGRAM)];
    check_rename(
        "argument-from-its-signature",
        &files,
        "ticket",
        expect![[r#"
            a.clj
            (tool/search {:ticket 1})
            (tool/search {:ticket 2})
            (tool/other {})
            lib/agent.ex
            defmodule MyApp.Agent do
              def agent do
                SubAgent.new(name: "finder", prompt: "Go.", signature: "(topic :string) -> :any", tools: %{
                  "search" => {&MyApp.search/1, "(ticket :int) -> :any"},
                  "stop" => &MyApp.stop/1
                })
              end
            end
        "#]],
    );
    let hidden = [
        ("lib/agent.ex", agent.as_str()),
        ("a.clj", "(defn f [x] (tool/search x))"),
    ];
    check_rename(
        "argument-hidden",
        &hidden,
        "ticket",
        expect![
            "`a.clj`: Cannot see all uses: in line 1 the arguments of a call are only known at run time."
        ],
    );
    let taken = [
        ("lib/agent.ex", agent.as_str()),
        ("a.clj", "(tool/search {:order-id 1 :ticket 2})"),
    ];
    check_rename(
        "argument-taken",
        &taken,
        "ticket",
        expect!["`a.clj`: `ticket` is taken: in line 1 it would stand for something else."],
    );
}

#[test]
fn functions_that_are_tools() {
    let module = marked(MODULE, "def st$0op");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", AGENT),
        ("lib/my_app.ex", module.as_str()),
    ];
    check_names(
        "function",
        &files,
        expect![[r#"
        definitions
        0 references here, and
        lib/agent.ex:5:24 stop
        lib/my_app.ex:2:9 stop
        lib/my_app.ex:3:7 stop
    "#]],
    );
    check_rename("function-renamed", &files, "halt", expect!["nothing"]);
    let agent = marked(AGENT, "&MyApp.st$0op/1");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", agent.as_str()),
        ("lib/my_app.ex", MODULE),
    ];
    check_names(
        "capture",
        &files,
        expect![[r#"
        definitions
        1 references here, and
        lib/my_app.ex:2:9 stop
        lib/my_app.ex:3:7 stop
    "#]],
    );
    check_rename(
        "capture-renamed",
        &files,
        "halt",
        expect!["`stop` is a function of Elixir, and the code that calls it cannot be seen."],
    );
}

#[test]
fn keys_of_a_tools_result_over_files() {
    const CATALOG: &str = "get_user(id :int) -> {name :string, tags [{label :string}]}\n";
    const PROGRAM: &str =
        "(let [u (tool/get-user {:id 1})]\n  (str (:name u) (map :label (:tags u))))\n";
    let program = marked(PROGRAM, "(:na$0me");
    let files = [("t.sig", CATALOG), ("a.clj", program.as_str())];
    check_names(
        "result",
        &files,
        expect![[r#"
        definitions
        t.sig:1:23 name
        1 references here, and
        t.sig:1:23 name
    "#]],
    );
    check_rename(
        "result-renamed",
        &files,
        "full_name",
        expect![[r#"
        a.clj
        (let [u (tool/get-user {:id 1})]
          (str (:full-name u) (map :label (:tags u))))
        t.sig
        get_user(id :int) -> {full_name :string, tags [{label :string}]}
    "#]],
    );
    let catalog = marked(CATALOG, "{lab$0el");
    let linked = format!(
        "{PROGRAM}(defn load [i] (tool/get-user {{:id i}}))\n(map :label (:tags (load 1)))\n"
    );
    let files = [("t.sig", catalog.as_str()), ("a.clj", linked.as_str())];
    check_rename(
        "result-from-its-signature",
        &files,
        "word",
        expect![[r#"
            a.clj
            (let [u (tool/get-user {:id 1})]
              (str (:name u) (map :word (:tags u))))
            (defn load [i] (tool/get-user {:id i}))
            (map :word (:tags (load 1)))
            t.sig
            get_user(id :int) -> {name :string, tags [{word :string}]}
        "#]],
    );
}

#[test]
fn a_key_that_a_function_elsewhere_reads_keeps_its_name() {
    let agent = marked(AGENT, "(order$0_id");
    for function in [
        "def search(args), do: args[\"order_id\"]",
        "def search(args) do\n    %{\"order_id\" => id} = args\n    id\n  end",
        "def search(%{\"order_id\" => id}), do: id",
    ] {
        let module = MODULE.replace("def search(args), do: args", function);
        let files = [
            ("mix.exs", "[]"),
            ("lib/agent.ex", agent.as_str()),
            ("lib/my_app.ex", module.as_str()),
        ];
        let mut fixture = Fixture::new("read-elsewhere", &files);
        let renamed = fixture.ask(|view, here, offset| view.rename(here, offset, "ticket"));
        let Refusal(reason) = renamed.expect_err(function);
        assert!(reason.contains("`search/1` reads `order_id`"), "{reason}");
    }
}

#[test]
fn what_a_function_declares_is_renamed_there() {
    const AGENT: &str = "defmodule MyApp do\n  def agent, do: SubAgent.new(signature: \"(n :int) -> {count :int}\")\n  \
                         def stop(reason), do: reason\nend\n";
    let calls = "Lisp.run(\"(tool/stop {:rea$0son 1})\", tools: %{\"stop\" => &MyApp.stop/1})\n";
    let reads = |read: &str| format!("step = SubAgent.run!(MyApp.agent(), llm: llm)\n{read}\n");
    let step = reads("st$0ep.return");
    for (text, expected) in [
        (
            calls,
            expect!["`reason` has its name from the function `stop/1`; rename it there."],
        ),
        // A variable is not ours.
        (&step, expect!["nothing"]),
    ] {
        let files = [
            ("mix.exs", "[]"),
            ("lib/caller.ex", text),
            ("lib/my_app.ex", AGENT),
        ];
        check_rename("declared-by-function", &files, "other", expected);
    }
}

#[test]
fn a_file_that_was_changed_meanwhile_is_not_edited() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [("lib/agent.ex", agent.as_str()), ("a.clj", PROGRAM)];
    let mut fixture = Fixture::new("stale", &files);
    let view = fixture.view();
    fixture
        .scratch
        .write("a.clj", &format!("; longer\n{PROGRAM}"));
    let here = Here {
        file: fixture.file,
        document: view.open_document(fixture.file).expect("an open file"),
    };
    let Err(Refusal(reason)) = view.rename(here, fixture.offset, "find") else {
        panic!("a refusal");
    };
    assert!(
        reason.contains("a.clj") && reason.contains("just changed"),
        "{reason}"
    );
    // It is read again the next time.
    let renamed = fixture.ask(|view, here, offset| view.rename(here, offset, "find"));
    let edited = renamed.expect("edits").expect("edits");
    assert_eq!(edited.len(), 2);
    assert!(edited[1].text.rope().to_string().starts_with("; longer"));
}

#[test]
fn a_cancelled_reading_refuses_what_it_cannot_see() {
    let agent = marked(AGENT, "\"sea$0rch\"");
    let files = [("lib/agent.ex", agent.as_str()), ("a.clj", PROGRAM)];
    let mut fixture = Fixture::new("cancelled", &files);
    let areas = fixture.workspace.all_areas();
    fixture.workspace.look_everywhere(&areas);
    assert!(fixture.workspace.surroundings(&areas).is_none());
    for work in fixture.workspace.take_work() {
        work.cancellation()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let change = work.run(|_, _| {});
        fixture.workspace.apply(change);
    }
    let view = fixture.workspace.surroundings(&areas);
    assert!(view.is_some_and(|it| !it.is_complete()));
    // The next request gets everything.
    assert!(fixture.view().is_complete());
}

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

#[test]
fn calls_between_agents_and_tools() {
    let agent = marked(AGENT, "fin$0der");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", agent.as_str()),
        ("lib/my_app.ex", MODULE),
        ("programs/a.clj", PROGRAM),
    ];
    let mut fixture = Fixture::new("calls", &files);
    let mut shown = String::new();
    let items = fixture.ask(|view, here, offset| view.call_items(here, offset));
    let view = fixture.view();
    let mut left = items;
    let mut seen = Vec::new();
    while let Some(item) = left.pop() {
        let place = fixture.located(&item.path, &item.text, item.selection);
        if seen.contains(&place) {
            continue;
        }
        shown.push_str(&format!("{:?} {} {place}\n", item.kind, item.name));
        seen.push(place);
        let start = item.selection.start();
        let outgoing = view.outgoing_calls(item.file, item.kind, start);
        let incoming = view.incoming_calls(item.file, item.kind, start);
        for (what, calls) in [("uses", outgoing), ("is used by", incoming)] {
            for call in calls {
                let user = if what == "uses" { &item } else { &call.item };
                let places = call.ranges.iter();
                let places = places.map(|it| fixture.located(&user.path, &user.text, *it));
                let places = places.collect::<Vec<_>>().join(", ");
                shown.push_str(&format!(
                    "  {what} {:?} {} at {places}\n",
                    call.item.kind, call.item.name
                ));
                left.push(call.item);
            }
        }
    }
    expect![[r#"
        Agent finder lib/agent.ex:3:25 finder
          uses Tool search at lib/agent.ex:4:8 search
          uses Tool stop at lib/agent.ex:5:8 stop
        Tool stop lib/agent.ex:5:8 stop
          uses Function stop at lib/agent.ex:5:24 stop
          is used by Agent finder at lib/agent.ex:5:8 stop
        Function stop lib/my_app.ex:3:7 stop
          is used by Tool stop at lib/agent.ex:5:8 stop
        Tool search lib/agent.ex:4:8 search
          uses Function search at lib/agent.ex:4:27 search
          is used by Agent finder at lib/agent.ex:4:8 search
          is used by Agent a at programs/a.clj:1:7 search
          is used by Agent a at programs/a.clj:2:7 search
        Agent a programs/a.clj:2:1 (tool/search {:order_id 2})
          uses Tool search at programs/a.clj:2:7 search
        Agent a programs/a.clj:1:1 (tool/search {:order-id 1})
          uses Tool search at programs/a.clj:1:7 search
        Function search lib/my_app.ex:4:7 search
          is used by Tool search at lib/agent.ex:4:8 search
    "#]]
    .assert_eq(&shown);
}

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

#[test]
fn functions_in_code_blocks_are_callees() {
    let page = "```elixir\ndefmodule A do\n  @spec run(integer()) :: map()\n  def run(x), do: x\nend\n```\n\n> ```elixir\n> SubAgent.new(prompt: \"Go.\", tools: %{\"go\" => &A.ru$0n/1})\n> ```\n";
    check_names(
        "code-blocks",
        &[("a.md", page)],
        expect![[r#"
        definitions
        1 references here, and
        a.md:3:9 run
        a.md:4:7 run
    "#]],
    );
}
