use proptest::prelude::*;

use super::*;
use crate::{
    host::{
        HostDocument, HostKind, Role,
        test_support::{any_edits, check_edits_with},
    },
    text::Text,
};

#[test]
fn the_documentation_shows_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hosts.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let keys = KEYS.iter().chain(CALLS).map(|(name, _)| name);
    let forms = FORMS.iter().map(|(name, _)| name);
    let namespaces = NAMESPACES.iter().map(|(name, _)| name);
    let modules = MODULES.iter();
    for name in keys.chain(forms).chain(namespaces).chain(modules) {
        let is_shown = page.contains(&format!("`{name}`")) || page.contains(&format!("`{name}/"));
        assert!(is_shown, "{name} is missing in docs/hosts.md");
    }
}

/// `contract` and `Contracts.parse` are signatures, `template` and `Agent.ask` prompts, and in YAML alone
/// `ask` is a prompt.
fn extended() -> Roles {
    let name = |name: &str, kind, role, notation| AddedName {
        name: name.to_owned(),
        kind,
        role,
        notation,
    };
    let (signature, prompt) = (KeyRole::Signature, KeyRole::Prompt);
    Roles::default().with(&[
        name("contract", NameKind::Key, signature, None),
        name("template", NameKind::Key, prompt, None),
        name("ask", NameKind::Key, prompt, Some(Notation::Yaml)),
        name("Contracts.parse", NameKind::Call, signature, None),
        name("Agent.ask", NameKind::Call, prompt, None),
    ])
}

/// The literals that `roles` find, each unit on a line.
fn found(kind: HostKind, text: &str, roles: &Roles) -> Vec<String> {
    let document = HostDocument::parse(kind, &Text::from(text), roles);
    let units = document.units().iter().map(|placed| {
        let sites = placed.unit.sites.iter().map(|site| {
            let role = match site.role {
                Role::Signature => "signature",
                Role::Prompt => "prompt",
                Role::Tool => "tool",
                Role::Description => "description",
            };
            format!("{role} {}", text[site.content + placed.start].trim())
        });
        sites.collect::<Vec<_>>().join(", ")
    });
    units.collect()
}

const ELIXIR: &str = r#"
defmodule A do
  @contract "(m :int) -> :int"
  @doc """
  ```elixir
  ask(template: "in docs", ask: "no")
  ```
  """
  def a do
    Agent.ask("Hi {{a}}", contract: "(a :int) -> :int")
    "(b :int) -> :int" |> MyApp.Contracts.parse()
    %{contract: "c", ask: "no"}
    new(tools: %{"t" => {&run/1, contract: "() -> :int"}})
  end
end
"#;

const MARKDOWN: &str = r#"
```json
{"contract": ":int", "template": "one", "ask": "no"}
```

- ```yaml
  contract: ":int"
  ask: two
  ```
"#;

#[test]
fn names_that_were_added_count_in_every_host() {
    let cases: [(HostKind, &str, &[&str]); 7] = [
        (
            HostKind::Elixir,
            ELIXIR,
            &[
                "signature (m :int) -> :int",
                "prompt in docs",
                "prompt Hi {{a}}, signature (a :int) -> :int",
                "signature (b :int) -> :int",
                "signature c",
                "tool () -> :int",
            ],
        ),
        (
            HostKind::Lisp,
            r#"(defn ^{:contract "(x :int) -> :int"} f [x] {:template "a" :ask "no"})"#,
            &["signature (x :int) -> :int", "prompt a"],
        ),
        (
            HostKind::Json,
            r#"{"tools": [{"name": "t", "contract": ":int"}], "template": "a", "contract": "prose"}"#,
            &["prompt a, signature prose", "tool :int"],
        ),
        (
            HostKind::Yaml,
            "contract: ':int'\ntemplate: a\nask: b\n",
            &["signature :int, prompt a, prompt b"],
        ),
        (
            HostKind::Prompt,
            "---\ncontract: ':int'\n---\nbody\n",
            &["signature :int, prompt body"],
        ),
        (
            HostKind::Markdown,
            "---\ncontract: ':int'\n---\nbody\n",
            &["signature :int, prompt body"],
        ),
        (
            HostKind::Markdown,
            MARKDOWN,
            &["signature :int, prompt one", "signature :int, prompt two"],
        ),
    ];
    for (kind, text, expected) in cases {
        assert_eq!(found(kind, text, &extended()), expected, "{kind:?}");
        let is_prompt_by_name = kind == HostKind::Prompt;
        if !is_prompt_by_name {
            assert!(found(kind, text, &Roles::default()).is_empty(), "{kind:?}");
        }
    }
}

proptest! {
    #[test]
    fn names_that_were_added_stay_from_edit_to_edit(
        edits in any_edits(&["contract: \"", "\"template\": ", ":contract ", "Agent.ask(\"", "\n"]),
        text in proptest::sample::select(vec![
            (HostKind::Elixir, ELIXIR),
            (HostKind::Markdown, MARKDOWN),
            (HostKind::Json, r#"[{"contract": ":int", "template": "a"}, {"contract": "[:int]"}]"#),
            (HostKind::Yaml, "a:\n  contract: ':int'\n  ask: b\nb:\n  - template: c\n"),
            (HostKind::Lisp, r#"{:contract ":int"} (f {:template "a" :contract "x"})"#),
            (HostKind::Prompt, "---\ncontract: ':int'\n---\nbody\n"),
        ]),
    ) {
        check_edits_with(&extended(), text.0, text.1, &edits);
    }
}
