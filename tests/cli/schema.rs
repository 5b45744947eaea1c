//! `signature-ls schema`.

use serde_json::{Value, json};

use crate::folder::Folder;

const AGENTS: &str = r#"signature: "(user_id :int, _raw :map?) -> [{order_count :int}]"
prompt: "{{user_id}}"
tools:
  search:
    signature: "(query :string, limit :int) -> [{id :int, title :string}]"
    description: Search for items matching query.
"#;

#[test]
fn listings_show_tools_as_models_see_them() {
    let folder = Folder::new("schema-text", &[("orders.yaml", AGENTS)]);
    let show = |arguments: &[&str]| {
        let outcome = folder.run(&[&["schema"], arguments, &["orders.yaml"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.stdout
    };
    assert_eq!(
        show(&["--format", "prompt"]),
        "orders(user_id :int, _raw :map?) -> [{order_count :int}]\n\
         \n\
         search(query :string, limit :int) -> [{id :int, title :string}]\n  \
           Search for items matching query.\n"
    );
    assert_eq!(
        show(&["--format", "lisp", "--edition", "0.5"]),
        "tool/orders(user-id int) -> [{order-count int}]\n\
         tool/search(query string, limit int) -> [{id int, title string}]  ; Search for items matching query.\n"
    );
}

#[test]
fn schemas_are_valid_and_in_order() {
    let folder = Folder::new("schema-json", &[("orders.yaml", AGENTS)]);
    let outcome = folder.run(&["schema", "."]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let tools: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let tools = tools.as_array().expect("an array");
    let search = &tools[1];
    assert_eq!(tools.len(), 2);
    assert_eq!(search["name"], "search");
    assert_eq!(search["description"], "Search for items matching query.");
    assert_eq!(
        (&search["file"], &search["line"]),
        (&json!("orders.yaml"), &json!(5))
    );
    let arguments = json!({ "query": "budget", "limit": 10 });
    for (schema, instance, valid) in [
        (&search["input"], arguments.clone(), true),
        (&search["input"], json!({ "query": "budget" }), false),
        (
            &search["output"],
            json!({ "items": [{ "id": 1, "title": "x" }] }),
            true,
        ),
        (&search["output"], json!([{ "id": 1, "title": "x" }]), false),
    ] {
        let schema = jsonschema::draft202012::new(schema).expect("a schema");
        assert_eq!(schema.is_valid(&instance), valid, "{instance}");
    }
}

#[test]
fn broken_signatures_are_left_out_and_reported() {
    let broken = "signature: \"(a :strng) -> :int\"\n---\nsignature: \"(b :int) -> :int\"\n";
    let folder = Folder::new(
        "schema-broken",
        &[("two.yaml", broken), ("none.yaml", "a: 1\n")],
    );
    let outcome = folder.run(&["schema", "--format", "prompt", "two.yaml", "none.yaml"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert_eq!(outcome.stdout, "two(b :int) -> :int\n");
    let message = "signature-ls: two.yaml:1:12: left out, since the signature has errors\n";
    assert_eq!(outcome.stderr, message);
    let none = folder.run(&["schema", "--format", "prompt", "none.yaml"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""));
    assert_eq!(folder.run(&["schema", "missing.yaml"]).code, Some(2));
}

#[test]
fn a_listing_is_a_catalog() {
    let folder = Folder::new("schema-catalog", &[("orders.yaml", AGENTS)]);
    let listing = folder.run(&["schema", "--format", "prompt", "."]).stdout;
    let folder = Folder::new("schema-catalog-again", &[("tools.sig", &listing)]);
    let again = folder.run(&["schema", "--format", "prompt", "tools.sig"]);
    assert_eq!((again.code, &again.stdout), (Some(0), &listing));
    let checked = folder.run(&["check", "--format", "json", "."]);
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(0), "[]\n"));
    let listed = folder.run(&["list", "tools.sig"]).stdout;
    assert_eq!(
        listed.lines().collect::<Vec<_>>(),
        [
            "tools.sig:1:7: tool orders: (user_id :int, _raw :map?) -> [{order_count :int}]",
            "tools.sig:3:7: tool search: (query :string, limit :int) -> [{id :int, title :string}]",
            "tools.sig:4:3: description search: Search for items matching query.",
        ]
    );
}

#[test]
fn descriptions_are_what_their_file_says() {
    let json = r#"{"name": "x", "signature": "(a :int) -> :int", "description": "caf\u00e9 \ud83d\ude80"}"#;
    let yaml = "name: x\nsignature: \"(a :int) -> :int\"\ndescription: \"caf\\xe9 \\U0001F680\"\n";
    let folder = Folder::new("schema-escapes", &[("x.json", json), ("x.yaml", yaml)]);
    for file in ["x.json", "x.yaml"] {
        let listing = folder.run(&["schema", "--format", "prompt", file]).stdout;
        assert_eq!(listing, "x(a :int) -> :int\n  café 🚀\n", "{file}");
    }
}

#[test]
fn functions_in_other_files_are_listed_and_checked_alike() {
    let tools = "defmodule Tools do\n  @doc \"Gets.\"\n  @spec get(integer()) :: String.t()\n  def get(id), do: id\n\n  \
                 @spec stop(pid()) :: atom()\n  def stop(it), do: it\nend\n";
    let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"get\" => &Tools.get/1, \"stop\" => &Tools.stop/1})\n";
    let notes = format!("# Notes\n\n```elixir\n{agent}```\n");
    let folder = Folder::new(
        "schema-functions",
        &[
            ("mix.exs", "[]"),
            ("lib/tools.ex", tools),
            ("agent.exs", agent),
            ("notes.md", &notes),
        ],
    );
    for file in ["agent.exs", "notes.md"] {
        let shown = folder.run(&["schema", "--format", "prompt", file]);
        let get = "get(id :int) -> :string\n  Gets.\n";
        assert!(shown.stdout.starts_with(get), "{file}: {}", shown.stdout);
        let checked = folder.run(&["check", file]);
        assert!(
            checked.stdout.contains("unmapped-spec"),
            "{file}: {}",
            checked.stdout
        );
    }
}

/// `check` reads a project again only for what it has not seen, which depends on its arguments.
#[cfg(unix)]
#[test]
fn functions_are_found_whatever_else_is_checked() {
    let tools = "defmodule Tools do\n  @spec stop(pid()) :: atom()\n  def stop(it), do: it\nend\n";
    let agent = "SubAgent.new(prompt: \"Go.\", tools: %{\"stop\" => &Tools.stop/1})\n";
    for (place, is_part) in [
        ("lib/tools.ex", true),
        ("tools.ex", true),
        ("lib/.hidden/tools.ex", false),
        ("deps/tools.ex", false),
        ("lib/tools.exs", false),
        ("lib/linked", true),
    ] {
        let name = format!("schema-places-{}", place.replace(['/', '.'], "-"));
        let files = [
            ("mix.exs", "[]"),
            ("agent.exs", agent),
            ("lib/other.ex", "defmodule Other do\nend\n"),
            (place, tools),
        ];
        let folder = Folder::new(&name, &files);
        if place == "lib/linked" {
            std::os::unix::fs::symlink("linked", folder.path("lib/tools.ex")).expect("a link");
        }
        for paths in [&["."][..], &["agent.exs"], &["agent.exs", "lib"]] {
            let checked = folder.run(&[&["check"], paths].concat());
            let is_found = checked.stdout.contains("unmapped-spec");
            assert_eq!(is_found, is_part, "{place} {paths:?}: {}", checked.stdout);
        }
    }
}

#[test]
fn a_struct_of_a_tool_has_its_own_name_unless_programs_call_it_by_a_key() {
    let tool =
        |name: &str| format!("%PtcRunner.Tool{{name: \"{name}\", signature: \"() -> :int\"}}");
    let source = format!(
        "defmodule A do\n  @kept {}\n  def one, do: {}\n  def all, do: %{{key: {}}}\n  \
           def run, do: PtcRunner.Lisp.run(\"(tool/called)\", tools: %{{\"called\" => {}}})\nend\n",
        tool("of_attribute"),
        tool("of_function"),
        tool("of_map"),
        tool("of_call"),
    );
    let folder = Folder::new("schema-structs", &[("a.ex", &source)]);
    let listed: Value = serde_json::from_str(&folder.run(&["schema", "."]).stdout).expect("JSON");
    let names = listed.as_array().expect("a list").iter();
    let names: Vec<_> = names.map(|it| it["name"].as_str()).collect();
    let expected = ["of_attribute", "of_function", "of_map", "called"];
    assert_eq!(names, expected.map(Some));
    let checked = folder.run(&["check", "."]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
}
