//! Requests about all files of the workspace, open or not.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::client::{Client, file_uri};

const AGENT: &str = "SubAgent.new(name: \"finder\", prompt: \"Go.\", signature: \"(topic :string) -> :any\", tools: %{\"search\" => {&MyApp.search/1, \"(order_id :strng) -> :any\"}})\n";
const PROGRAM: &str = "(tool/search {:order-id 1})\n";

/// A folder with an agent and a program that calls its tool.
fn project(extra: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let files = [
        ("mix.exs", "[]"),
        ("lib/agent.ex", AGENT),
        ("a.clj", PROGRAM),
    ];
    for (name, text) in files.iter().chain(extra) {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    root
}

fn connect(root: &Path, mut capabilities: Value) -> (Client, Value) {
    capabilities["workspace"]["workspaceEdit"]["documentChanges"] = json!(true);
    let folders = json!([{"uri": file_uri(root), "name": "project"}]);
    Client::connect_with(json!({"capabilities": capabilities, "workspaceFolders": folders}))
}

fn open(client: &mut Client, uri: &str, language: &str, text: &str) {
    let item = json!({"uri": uri, "languageId": language, "version": 3, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
}

fn range(start: u64, end: u64) -> Value {
    json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}})
}

/// The position of the first `name` in the first line of `text`.
fn range_of(text: &str, name: &str) -> Value {
    let at = text.find(name).expect("the name") as u64;
    range(at, at + name.len() as u64)
}

fn at(uri: &str, text: &str, name: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": range_of(text, name)["start"]})
}

#[test]
fn symbols_of_open_files_are_found_without_a_folder() {
    let (mut client, _) = Client::connect_with(json!({"capabilities": {}}));
    let uri = "file:///nowhere/tools.sig";
    open(
        &mut client,
        uri,
        "signature-catalog",
        "search(query :string) -> :any\n",
    );
    let found = client.request("workspace/symbol", json!({"query": "srch"}));
    assert_eq!(found[0]["name"], "search");
    assert_eq!(found[0]["location"]["uri"], uri);
}

#[test]
fn symbols_of_closed_files_are_found_and_follow_the_disk() {
    let root = project(&[]);
    let (mut client, capabilities) = connect(root.path(), json!({}));
    assert_eq!(capabilities["workspaceSymbolProvider"], true);
    let found = client.request("workspace/symbol", json!({"query": "search"}));
    let tool = json!([{
        "name": "search",
        "kind": 12,
        "containerName": "finder",
        "location": {"uri": file_uri(&root.path().join("lib/agent.ex")), "range": range_of(AGENT, "search")},
    }]);
    assert_eq!(found, tool);
    // Without a client that watches files, the server checks them again.
    fs::write(root.path().join("b.sig"), "search_all(q :string) -> :any\n").expect("a file");
    let found = client.request("workspace/symbol", json!({"query": "searchall"}));
    assert_eq!(found[0]["name"], "search_all", "{found}");
    fs::remove_file(root.path().join("b.sig")).expect("it is there");
    let found = client.request("workspace/symbol", json!({"query": "searchall"}));
    assert_eq!(found, json!([]));
}

#[test]
fn names_reach_closed_files() {
    let root = project(&[]);
    let (mut client, _) = connect(root.path(), json!({}));
    let agent = file_uri(&root.path().join("lib/agent.ex"));
    let program = file_uri(&root.path().join("a.clj"));
    open(&mut client, &program, "clojure", PROGRAM);
    let found = client.request("textDocument/definition", at(&program, PROGRAM, "search"));
    assert_eq!(
        found,
        json!([{"uri": agent, "range": range_of(AGENT, "search")}])
    );
    let mut params = at(&program, PROGRAM, "order-id");
    params["context"] = json!({"includeDeclaration": true});
    let found = client.request("textDocument/references", params);
    let places = [(&program, PROGRAM, "order-id"), (&agent, AGENT, "order_id")];
    let places = places.map(|(uri, text, name)| json!({"uri": uri, "range": range_of(text, name)}));
    assert_eq!(found, json!(places));

    let mut params = at(&program, PROGRAM, "search");
    params["newName"] = json!("find_all");
    let edit = client.request("textDocument/rename", params);
    let changes = edit["documentChanges"].as_array().expect("changes");
    let changed = changes
        .iter()
        .map(|it| (&it["textDocument"], &it["edits"][0]["range"]));
    let changed: Vec<_> = changed.collect();
    assert_eq!(
        changed,
        [
            (
                &json!({"uri": program, "version": 3}),
                &range_of(PROGRAM, "search")
            ),
            (
                &json!({"uri": agent, "version": null}),
                &range_of(AGENT, "search")
            ),
        ]
    );
}

#[test]
fn a_refactoring_that_renames_reaches_closed_files() {
    const TOOLS: &str = "find(userId :int) -> :any\n";
    const CALL: &str = "(tool/find {:userId 1})\n";
    let root = project(&[("tools.sig", TOOLS), ("b.clj", CALL)]);
    let uri = file_uri(&root.path().join("tools.sig"));
    let ask = |resolves: bool| {
        let actions = json!({
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": true,
            "resolveSupport": {"properties": if resolves { vec!["edit"] } else { Vec::new() }},
        });
        let (mut client, _) = connect(
            root.path(),
            json!({"textDocument": {"codeAction": actions}}),
        );
        open(&mut client, &uri, "signature-catalog", TOOLS);
        let mut params = at(&uri, TOOLS, "userId");
        let position = params["position"].clone();
        params["range"] = json!({"start": position, "end": position});
        params["context"] = json!({"diagnostics": [], "only": ["refactor"]});
        let found = client.request("textDocument/codeAction", params);
        let mut actions = found.as_array().cloned().unwrap_or_default();
        actions.retain(|it| it["title"] == "Rename `userId` to `user_id`");
        let action = actions.pop()?;
        Some(client.request("codeAction/resolve", action))
    };
    let action = ask(true).expect("the action");
    let changed = action["edit"].to_string();
    assert!(
        changed.contains("tools.sig") && changed.contains("b.clj"),
        "{action}"
    );
    assert!(changed.contains("user-id"), "{action}");
    // Otherwise the calls in other files would keep the old name.
    assert!(ask(false).is_none());
}

#[test]
fn a_program_knows_the_tools_of_other_files() {
    const TOOLS: &str = "find(query :string, max_hits :int?) -> [:map]\n  Finds rows.\n\norder() -> {order_no :int}\n";
    const CALL: &str = "(tool/find {:query \"x\" :max})";
    let root = project(&[("tools.sig", TOOLS), ("b.clj", CALL)]);
    let (mut client, _) = connect(root.path(), json!({}));
    let uri = file_uri(&root.path().join("b.clj"));
    open(&mut client, &uri, "clojure", CALL);
    for (name, shown) in [
        ("find", "Finds rows."),
        ("query", "parameter of the tool `find`, required"),
    ] {
        let hover = client.request("textDocument/hover", at(&uri, CALL, name));
        let markdown = hover["contents"]["value"].as_str().unwrap_or_default();
        let is_parameter = markdown.contains("query :string");
        assert!(markdown.contains(shown) || is_parameter, "{hover}");
        assert_eq!(hover["range"], range_of(CALL, name));
    }
    for (place, offered) in [("find", "tool/search"), ("max", ":max-hits")] {
        let found = client.request("textDocument/completion", at(&uri, CALL, place));
        let mut items = found["items"].as_array().expect("items").iter();
        assert!(items.any(|it| it["label"] == offered), "{found}");
    }
    let help = client.request("textDocument/signatureHelp", at(&uri, CALL, "\"x\""));
    let label = "find(query :string, max_hits :int?) -> [:map]";
    assert_eq!(help["signatures"][0]["label"], label);
    // The call may follow.
    for text in [
        "(:q (tool/order {}))",
        "(let [{:keys [q]} (tool/order {})] 1)",
    ] {
        let uri = file_uri(&root.path().join("d.clj"));
        open(&mut client, &uri, "clojure", text);
        let found = client.request("textDocument/completion", at(&uri, text, "q"));
        assert!(found.to_string().contains("order-no"), "{text}: {found}");
        client.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
    }
    // The call may be unfinished.
    for text in [
        "(tool/find {|})",
        "(tool/find |)",
        "(tool/find {|",
        "(tool/find :|)",
    ] {
        let uri = file_uri(&root.path().join("e.clj"));
        let (before, after) = text.split_once('|').expect("a cursor");
        open(&mut client, &uri, "clojure", &format!("{before}{after}"));
        let position = json!({"line": 0, "character": before.len()});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        let found = client.request("textDocument/completion", params);
        assert!(found.to_string().contains(":max-hits"), "{text}: {found}");
        client.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
    }
    // A document that names its tools has no others.
    let uri = file_uri(&root.path().join("c.clj"));
    let text = "{:tools {\"get\" \"(id :int) -> :map\"}} (tool/x)";
    open(&mut client, &uri, "clojure", text);
    let found = client.request("textDocument/completion", at(&uri, text, "x)"));
    let labels: Vec<_> = found["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|it| &it["label"])
        .collect();
    assert_eq!(labels, ["tool/get"]);
}

#[test]
fn a_program_knows_a_tool_wherever_its_signature_is() {
    const CALL: &str = "(map :title (tool/find {:query \"x\" :limit 3}))\n";
    const SPEC: &str = "defmodule Shop do\n  @spec find(String.t(), integer()) :: [%{id: integer(), title: String.t()}]\n  def find(query, limit), do: {query, limit}\nTOOLS\nend\n";
    let tools = |tool: &str| {
        format!(
            "  def go, do: SubAgent.new(prompt: \"Go.\", signature: \"() -> :any\", tools: %{{\"find\" => {tool}}})"
        )
    };
    let signature = "(query :string, limit :int) -> [{id :int, title :string}]";
    let of_spec = tools("&Shop.find/2");
    let explicit = tools(&format!("{{&Shop.find/2, \"{signature}\"}}"));
    let in_go = |tools: &str| format!("defmodule Go do\n{tools}\nend\n");
    for files in [
        vec![("lib/go.ex", in_go(&explicit))],
        vec![("lib/shop.ex", SPEC.replace("TOOLS", &of_spec))],
        vec![
            ("lib/shop.ex", SPEC.replace("TOOLS", "")),
            ("lib/go.ex", in_go(&of_spec)),
        ],
    ] {
        let extra: Vec<_> = files
            .iter()
            .map(|(name, it)| (*name, it.as_str()))
            .collect();
        let root = project(&extra);
        for is_open in [false, true] {
            let (mut client, _) = connect(root.path(), json!({}));
            let uri = file_uri(&root.path().join("b.clj"));
            open(&mut client, &uri, "clojure", CALL);
            for (name, text) in extra.iter().filter(|_| is_open) {
                let uri = file_uri(&root.path().join(name));
                open(&mut client, &uri, "elixir", text);
            }
            for (name, shown) in [
                ("query", "query :string"),
                ("title", "title :string"),
                ("find", "find(query :string, limit :int)"),
            ] {
                let hover = client.request("textDocument/hover", at(&uri, CALL, name));
                let markdown = hover["contents"]["value"].as_str().unwrap_or_default();
                assert!(markdown.contains(shown), "{hover} in {extra:?}");
                let found = client.request("textDocument/definition", at(&uri, CALL, name));
                assert!(found.to_string().contains("/lib/"), "{found} of {name}");
            }
            let found = client.request("textDocument/completion", at(&uri, CALL, "query"));
            assert!(found.to_string().contains(":query"), "{found}");
            let help = client.request("textDocument/signatureHelp", at(&uri, CALL, "\"x\""));
            assert_eq!(help["signatures"][0]["label"], format!("find{signature}"));
        }
    }
}

#[test]
fn references_of_a_lens_are_those_of_the_workspace() {
    let root = project(&[("b.clj", PROGRAM)]);
    let (mut client, _) = connect(root.path(), json!({}));
    let uri = file_uri(&root.path().join("lib/agent.ex"));
    open(&mut client, &uri, "elixir", AGENT);
    let params = json!({"textDocument": {"uri": uri}});
    let lenses = client.request("textDocument/codeLens", params);
    let mut lenses = lenses.as_array().expect("lenses").iter();
    let lens = lenses
        .find(|it| it.get("command").is_none())
        .expect("a lens");
    let resolved = client.request("codeLens/resolve", lens.clone());
    assert_eq!(resolved["command"]["title"], "2 references");
}

#[test]
fn calls_lead_from_agents_to_tools_and_back() {
    let root = project(&[]);
    let (mut client, capabilities) = connect(root.path(), json!({}));
    assert_eq!(capabilities["callHierarchyProvider"], true);
    let program = file_uri(&root.path().join("a.clj"));
    open(&mut client, &program, "clojure", PROGRAM);
    let method = "textDocument/prepareCallHierarchy";
    let items = client.request(method, at(&program, PROGRAM, "search"));
    assert_eq!(items[0]["name"], "search", "{items}");
    let item = json!({ "item": items[0] });
    let incoming = client.request("callHierarchy/incomingCalls", item);
    let users = incoming.as_array().expect("calls").iter();
    let users: Vec<_> = users.map(|it| it["from"]["name"].clone()).collect();
    assert_eq!(users, ["a", "finder"], "{incoming}");
    assert_eq!(
        incoming[0]["fromRanges"],
        json!([range_of(PROGRAM, "search")])
    );
    let item = json!({ "item": incoming[1]["from"] });
    let outgoing = client.request("callHierarchy/outgoingCalls", item);
    assert_eq!(outgoing[0]["to"]["name"], "search", "{outgoing}");
    assert_eq!(outgoing[0]["to"]["detail"], "(order_id :string) -> :any");
    let outside =
        json!({"textDocument": {"uri": program}, "position": {"line": 1, "character": 0}});
    assert_eq!(client.request(method, outside), Value::Null);
}

fn pulls() -> Value {
    json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    })
}

/// The diagnostics of the file with that name, and their result id.
fn report<'a>(report: &'a Value, uri: &str) -> &'a Value {
    let items = report["items"].as_array().expect("reports");
    let mut items = items.iter().filter(|it| it["uri"] == uri);
    items.next().expect("a report")
}

#[test]
fn closed_files_are_pulled_with_names_of_results() {
    let root = project(&[]);
    let (mut client, capabilities) = connect(root.path(), pulls());
    assert_eq!(
        capabilities["diagnosticProvider"]["workspaceDiagnostics"],
        true
    );
    let agent = file_uri(&root.path().join("lib/agent.ex"));
    let program = file_uri(&root.path().join("a.clj"));
    let pull = |client: &mut Client, previous: &Value| {
        let ids = previous["items"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let ids = ids
            .iter()
            .map(|it| json!({"uri": it["uri"], "value": it["resultId"]}));
        let params = json!({"previousResultIds": ids.collect::<Vec<_>>()});
        client.request("workspace/diagnostic", params)
    };
    let first = pull(&mut client, &Value::Null);
    assert_eq!(
        report(&first, &agent)["items"][1]["code"],
        "unknown-type",
        "{first}"
    );
    // A pull of the document says the same.
    let document = json!({"textDocument": {"uri": agent}});
    let alone = client.request("textDocument/diagnostic", document);
    assert_eq!(alone["items"], report(&first, &agent)["items"]);
    assert_eq!(alone["resultId"], report(&first, &agent)["resultId"]);

    let second = pull(&mut client, &first);
    for uri in [&agent, &program] {
        assert_eq!(report(&second, uri)["kind"], "unchanged", "{second}");
    }
    // A line before it moves the diagnostic: the result id changes.
    fs::write(root.path().join("lib/agent.ex"), format!("\n{AGENT}")).expect("a file");
    let third = pull(&mut client, &first);
    assert_eq!(report(&third, &agent)["kind"], "full", "{third}");
    assert_eq!(
        report(&third, &agent)["items"][1]["range"]["start"]["line"],
        1
    );
    assert_eq!(report(&third, &program)["kind"], "unchanged");
    // The text of the editor counts.
    open(&mut client, &agent, "elixir", "# Nothing.\n");
    let fourth = pull(&mut client, &third);
    assert_eq!(report(&fourth, &agent)["items"], json!([]), "{fourth}");
    assert_eq!(report(&fourth, &agent)["version"], 3);
    // A deleted file has no diagnostics.
    fs::remove_file(root.path().join("a.clj")).expect("it is there");
    let fifth = pull(&mut client, &first);
    assert_eq!(report(&fifth, &program)["items"], json!([]), "{fifth}");
}

#[test]
fn closed_files_are_pulled_in_parts() {
    let root = project(&[]);
    let (mut client, _) = connect(root.path(), pulls());
    let params = json!({"previousResultIds": [], "partialResultToken": "parts"});
    let whole = client.request("workspace/diagnostic", params);
    assert_eq!(whole["items"], json!([]));
    let part = client.receive("$/progress");
    assert_eq!(part["token"], "parts");
    let agent = file_uri(&root.path().join("lib/agent.ex"));
    assert_eq!(report(&part["value"], &agent)["kind"], "full");
}

#[test]
fn a_pull_of_closed_files_is_asked_for_again_when_a_function_changes() {
    let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &MyApp.stop/1})\n";
    let module = |spec: &str| {
        format!(
            "defmodule MyApp do\n  @spec stop({spec}) :: boolean()\n  def stop(id), do: id\nend\n"
        )
    };
    let root = project(&[
        ("lib/two.ex", agent),
        ("lib/my_app.ex", &module("integer()")),
    ]);
    let (mut client, _) = connect(root.path(), pulls());
    let two = file_uri(&root.path().join("lib/two.ex"));
    let first = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    let known = report(&first, &two);
    assert_eq!(known["items"], json!([]));
    let ids = json!([{"uri": two, "value": known["resultId"]}]);
    let library = file_uri(&root.path().join("lib/my_app.ex"));
    open(&mut client, &library, "elixir", &module("pid()"));
    let refresh = client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
    client.send(&json!({"jsonrpc": "2.0", "id": refresh["id"], "result": null}));
    let second = client.request("workspace/diagnostic", json!({ "previousResultIds": ids }));
    assert_eq!(
        report(&second, &two)["items"][0]["code"],
        "unmapped-spec",
        "{second}"
    );
}

#[test]
fn a_large_workspace_shows_its_progress() {
    let root = project(&[]);
    for index in 0..200 {
        let name = format!("p{index}.prompt");
        fs::write(
            root.path().join(name),
            "---\nsignature: \"(a :int) -> :int\"\n---\n{{a}}",
        )
        .expect("a file");
    }
    let (mut client, _) = connect(root.path(), json!({"window": {"workDoneProgress": true}}));
    let id = client.ask("workspace/symbol", json!({"query": "a"}));
    let create = client.wait_for(|it| it["method"] == "window/workDoneProgress/create");
    client.send(&json!({"jsonrpc": "2.0", "id": create["id"], "result": null}));
    let token = &create["params"]["token"];
    let begin = client.receive("$/progress");
    assert_eq!(
        (&begin["token"], &begin["value"]["kind"]),
        (token, &json!("begin"))
    );
    assert_eq!(begin["value"]["cancellable"], true);
    let end = client.wait_for(|it| it["params"]["value"]["kind"] == "end");
    assert_eq!(end["params"]["token"], *token);
    let found = client.answer(id)["result"].as_array().map(Vec::len);
    assert!(found.is_some_and(|it| it >= 200), "{found:?}");
}

#[test]
fn folders_come_and_go() {
    let (one, two) = (
        project(&[]),
        project(&[("b.sig", "other(q :int) -> :any\n")]),
    );
    let (mut client, _) = connect(one.path(), json!({}));
    let find = |client: &mut Client| {
        let found = client.request("workspace/symbol", json!({"query": "other"}));
        found.as_array().map(Vec::len)
    };
    assert_eq!(find(&mut client), Some(0));
    let folder = |root: &Path| json!([{"uri": file_uri(root), "name": "folder"}]);
    let change = |added, removed| json!({"event": {"added": added, "removed": removed}});
    let method = "workspace/didChangeWorkspaceFolders";
    client.notify(method, change(folder(two.path()), json!([])));
    assert_eq!(find(&mut client), Some(1));
    client.notify(method, change(json!([]), folder(two.path())));
    assert_eq!(find(&mut client), Some(0));
}

#[test]
fn commands_answer_for_every_editor() {
    let root = project(&[]);
    let (mut client, capabilities) = connect(root.path(), json!({}));
    let offered = &capabilities["executeCommandProvider"]["commands"];
    let text =
        "SubAgent.new(prompt: \"{{a}}\", signature: \"(a :int) -> {n :int}\", name: \"count\")\n";
    let uri = file_uri(&root.path().join("lib/count.ex"));
    open(&mut client, &uri, "elixir", text);
    let run = |client: &mut Client, name: &str, arguments: Value| {
        assert!(
            offered
                .as_array()
                .is_some_and(|it| it.contains(&json!(name))),
            "{offered}"
        );
        let params = json!({"command": name, "arguments": arguments});
        client.request("workspace/executeCommand", params)
    };
    let listing = run(&mut client, "signature-ls.listing", json!([uri]));
    assert_eq!(listing, "count(a :int) -> {n :int}");
    let schemas = run(&mut client, "signature-ls.jsonSchema", json!([uri]));
    assert_eq!(
        schemas[0]["input"]["properties"]["a"]["type"], "integer",
        "{schemas}"
    );
    let position = range_of(text, "(a :int)")["start"].clone();
    for (direction, value, found) in [
        ("output", json!({"n": 1}), json!([])),
        ("output", json!({"n": "x"}), json!([["error", ["n"]]])),
        ("input", json!({"a": "1"}), json!([["warning", ["a"]]])),
        ("input", json!({}), json!([["error", ["a"]]])),
    ] {
        let argument = json!({"position": position, "direction": direction, "value": value});
        let checked = run(&mut client, "signature-ls.validate", json!([uri, argument]));
        let shown = checked["findings"].as_array().expect("findings").iter();
        let shown: Vec<_> = shown
            .map(|it| json!([it["severity"], it["path"]]))
            .collect();
        assert_eq!(json!(shown), found, "{checked}");
        assert_eq!(checked["signature"], "(a :int) -> {n :int}");
    }
    let params = json!({"command": "signature-ls.other", "arguments": [uri]});
    let id = client.ask("workspace/executeCommand", params);
    assert_eq!(client.answer(id)["error"]["code"], -32602);
}
