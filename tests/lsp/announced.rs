//! Tests every capability that the server announces; an unknown one fails the test.

use serde_json::{Value, json};

use crate::{client::Client, editor::Editor};

const DOCUMENT: &str = r#"defmodule A do
  @doc "Finds."
  @spec find(String.t()) :: [map()]
  def find(q), do: q

  # signature-ls: ignore unused-parameter
  def run do
    SubAgent.run("Hi {{user.name}} {{#tags}}{{.}}{{/tags}} {{x}}",
      signature: "(user {name :string}, tags [:string]) -> {n :int}",
      context: %{user: %{name: "Ada"}},
      tools: %{"find" => &find/1}
    )
  end
end
"#;

const CATALOG: &str = "find( q :string )->[:map]\n";

/// The position of requests: `user` in the prompt.
fn at(editor: &Editor) -> Value {
    let mut position = editor.position_of("{{user");
    let character = position["character"].as_u64().expect("a column");
    position["character"] = json!(character + 4);
    json!({"textDocument": {"uri": editor.uri}, "position": position})
}

fn whole(editor: &Editor) -> Value {
    json!({
        "textDocument": {"uri": editor.uri},
        "range": editor.range(0, editor.text.len()),
        "options": {"tabSize": 2, "insertSpaces": true},
    })
}

fn with(mut params: Value, key: &str, value: Value) -> Value {
    params[key] = value;
    params
}

/// Sends a request that has an answer here.
fn ask(editor: &mut Editor, method: &str, params: Value) -> Value {
    let answer = editor.client.request(method, params);
    let is_something = match &answer {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    assert!(is_something, "{method} answers {answer}");
    answer
}

/// Uses the capability `name` with the announced `value`; returns whether the test knows it.
fn is_used(editor: &mut Editor, name: &str, value: &Value) -> bool {
    let at_place = at(editor);
    let in_whole = whole(editor);
    let simple = |method: &'static str| Some(method);
    let method = match name {
        "hoverProvider" => simple("textDocument/hover"),
        "definitionProvider" => simple("textDocument/definition"),
        "typeDefinitionProvider" => simple("textDocument/typeDefinition"),
        "documentHighlightProvider" => simple("textDocument/documentHighlight"),
        _ => None,
    };
    if let Some(method) = method {
        ask(editor, method, at_place);
        return true;
    }
    match name {
        "positionEncoding" => assert_eq!(value, editor.encoding),
        "textDocumentSync" => {
            editor.replace("Ada", "Eve");
            editor.diagnostics();
            let saved = json!({"textDocument": {"uri": editor.uri}});
            editor.client.notify("textDocument/didSave", saved);
        }
        "completionProvider" => {
            let list = ask(editor, "textDocument/completion", at_place);
            let item = list["items"][0].clone();
            ask(editor, "completionItem/resolve", item);
        }
        "signatureHelpProvider" => {
            let place = with(at_place, "position", editor.position_of("%{name:"));
            ask(editor, "textDocument/signatureHelp", place);
        }
        "referencesProvider" => {
            let params = with(at_place, "context", json!({"includeDeclaration": true}));
            ask(editor, "textDocument/references", params);
        }
        "renameProvider" => {
            if value["prepareProvider"] == true {
                ask(editor, "textDocument/prepareRename", at_place.clone());
            }
            let params = with(at_place, "newName", json!("person"));
            ask(editor, "textDocument/rename", params);
        }
        "linkedEditingRangeProvider" => {
            let mut position = editor.position_of("{{#tags");
            let character = position["character"].as_u64().expect("a column");
            position["character"] = json!(character + 4);
            let params = with(at_place, "position", position);
            ask(editor, "textDocument/linkedEditingRange", params);
        }
        "codeActionProvider" => {
            let kinds = value["codeActionKinds"].as_array().cloned();
            for kind in kinds.unwrap_or_default() {
                let context = json!({"diagnostics": [], "only": [kind]});
                // There may be no actions of that kind.
                let params = with(in_whole.clone(), "context", context);
                editor.client.request("textDocument/codeAction", params);
            }
            let params = with(in_whole, "context", json!({"diagnostics": []}));
            let actions = ask(editor, "textDocument/codeAction", params);
            if value["resolveProvider"] == true {
                ask(editor, "codeAction/resolve", actions[0].clone());
            }
        }
        "codeLensProvider" => {
            let lenses = ask(editor, "textDocument/codeLens", in_whole);
            ask(editor, "codeLens/resolve", lenses[0].clone());
        }
        "documentLinkProvider" => drop(ask(editor, "textDocument/documentLink", in_whole)),
        "documentSymbolProvider" => drop(ask(editor, "textDocument/documentSymbol", in_whole)),
        "foldingRangeProvider" => {
            editor.client.request("textDocument/foldingRange", in_whole);
        }
        "selectionRangeProvider" => {
            let params = with(in_whole, "positions", json!([at_place["position"]]));
            ask(editor, "textDocument/selectionRange", params);
        }
        "inlayHintProvider" => drop(ask(editor, "textDocument/inlayHint", in_whole)),
        "semanticTokensProvider" => {
            let method = |name: &str| format!("textDocument/semanticTokens/{name}");
            let full = ask(editor, &method("full"), in_whole.clone());
            ask(editor, &method("range"), in_whole.clone());
            let params = with(in_whole, "previousResultId", full["resultId"].clone());
            ask(editor, &method("full/delta"), params);
        }
        "documentFormattingProvider" | "documentRangeFormattingProvider" => {
            editor.open_another("tools.sig", "signature-catalog", CATALOG);
            let method = match name {
                "documentFormattingProvider" => "textDocument/formatting",
                _ => "textDocument/rangeFormatting",
            };
            let params = whole(editor);
            ask(editor, method, params);
            editor.open_another("lib/agent.ex", "elixir", DOCUMENT);
        }
        "diagnosticProvider" => drop(ask(editor, "textDocument/diagnostic", in_whole)),
        "executeCommandProvider" => {
            let commands = value["commands"].as_array().expect("commands").clone();
            for command in commands {
                let id = editor
                    .client
                    .ask("workspace/executeCommand", json!({"command": command}));
                let answer = editor.client.answer(id);
                let invalid_params = -32602;
                let code = &answer["error"]["code"];
                assert!(
                    code.is_null() || *code == invalid_params,
                    "{command}: {answer}"
                );
            }
        }
        "workspace" => {
            let folder = json!({"uri": "file:///elsewhere", "name": "elsewhere"});
            for (added, removed) in [(vec![folder.clone()], vec![]), (vec![], vec![folder])] {
                let event = json!({"event": {"added": added, "removed": removed}});
                let method = "workspace/didChangeWorkspaceFolders";
                editor.client.notify(method, event);
            }
            ask(editor, "textDocument/hover", at_place);
        }
        "workspaceSymbolProvider" => {
            let params = json!({"query": "find"});
            editor.client.request("workspace/symbol", params);
        }
        "callHierarchyProvider" => {
            let method = "textDocument/prepareCallHierarchy";
            editor.client.request(method, at_place);
        }
        _ => return false,
    }
    true
}

/// Clients of all kinds: with all capabilities, and with those of real editors.
fn clients() -> Vec<Value> {
    let everything = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                "dataSupport": true,
                "resolveSupport": {"properties": ["edit"]},
            },
            "completion": {"completionItem": {
                "snippetSupport": true,
                "insertReplaceSupport": true,
                "documentationFormat": ["markdown"],
            }},
            "definition": {"linkSupport": true},
            "typeDefinition": {"linkSupport": true},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "hover": {"contentFormat": ["markdown"]},
            "publishDiagnostics": {
                "relatedInformation": true,
                "tagSupport": {"valueSet": [1, 2]},
                "codeDescriptionSupport": true,
                "dataSupport": true,
            },
            "rename": {"prepareSupport": true},
            "signatureHelp": {"signatureInformation": {
                "activeParameterSupport": true,
                "parameterInformation": {"labelOffsetSupport": true},
            }},
        },
    });
    vec![
        everything,
        json!({}),
        json!({"textDocument": {}, "workspace": {}}),
    ]
}

#[test]
fn all_that_is_announced_is_used() {
    for capabilities in clients() {
        let mut editor = Editor::connect("utf-16", capabilities.clone(), DOCUMENT);
        let (_, announced) = Client::connect_with(json!({"capabilities": with(
            capabilities,
            "general",
            json!({"positionEncodings": ["utf-16"]}),
        )}));
        let announced = announced.as_object().expect("capabilities");
        assert!(announced.len() > 20, "{announced:?}");
        for (name, value) in announced {
            assert!(
                is_used(&mut editor, name, value),
                "{name} is used by no test"
            );
        }
    }
}

#[test]
fn a_client_that_takes_no_diagnostics_asks_for_them() {
    let (mut client, announced) = Client::connect_with(json!({"capabilities": {
        "textDocument": {"diagnostic": {}},
    }}));
    assert!(announced["diagnosticProvider"].is_object());
    let item =
        json!({"uri": "file:///a.ex", "languageId": "elixir", "version": 1, "text": DOCUMENT});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    let params = json!({"textDocument": {"uri": "file:///a.ex"}});
    let report = client.request("textDocument/diagnostic", params);
    let count = report["items"].as_array().map(Vec::len);
    assert!(count.is_some_and(|it| it > 0), "{report}");
}
