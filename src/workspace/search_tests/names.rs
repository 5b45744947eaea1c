//! Definitions, references and renames of names over files.

use super::*;
use expect_test::expect;

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

/// References list the calls in all files, so a rename changes them all.
#[test]
fn a_tool_that_no_file_has() {
    let program = marked(PROGRAM, "tool/sea$0rch");
    check_rename(
        "lost-tool",
        &[
            ("mix.exs", "[]"),
            ("programs/a.clj", program.as_str()),
            ("notes.md", "```clojure\n(tool/search {:id 3})\n```\n"),
        ],
        "find_all",
        expect![[r#"
            notes.md
            ```clojure
            (tool/find_all {:id 3})
            ```
            programs/a.clj
            (tool/find_all {:order-id 1})
            (tool/find_all {:order_id 2})
            (tool/other {})
        "#]],
    );
}

/// A call of a tool whose signature is bound to a name follows a rename, whatever other files call.
#[test]
fn a_rename_of_a_parameter_of_a_signature_with_a_name() {
    let agent = "defmodule A do\n  @search \"(que$0ry :string) -> :any\"\n  def a, do: SubAgent.new(prompt: \"Go.\", tools: %{\"search\" => &B.search/1, \"find\" => {&B.search/1, @search}})\n  def b do\n    \"(tool/search {:query 1})\"\n    |> PtcRunner.Lisp.run(tools: %{\"search\" => {&B.search/1, @search}})\n  end\nend\n";
    for other in ["", "(tool/find {:q 1})\n"] {
        check_rename(
            "bound-signature",
            &[("mix.exs", "[]"), ("a.ex", agent), ("b.clj", other)],
            "words",
            expect![[r#"
                a.ex
                defmodule A do
                  @search "(words :string) -> :any"
                  def a, do: SubAgent.new(prompt: "Go.", tools: %{"search" => &B.search/1, "find" => {&B.search/1, @search}})
                  def b do
                    "(tool/search {:words 1})"
                    |> PtcRunner.Lisp.run(tools: %{"search" => {&B.search/1, @search}})
                  end
                end
            "#]],
        );
    }
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
              (str (:full_name u) (map :label (:tags u))))
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
