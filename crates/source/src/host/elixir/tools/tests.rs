use std::sync::Arc;

use super::*;
use crate::host::{elixir::Elixir, token_tree};

/// The tools of the map that `text` is; `None` where it is anything else.
fn read(text: &str) -> Option<Vec<Tool>> {
    let tree = token_tree::parse::<Elixir>(text);
    let root = Element::node(&tree, TextSize::default());
    let elements: Vec<_> = root
        .elements()
        .filter(|it| !it.kind().is_trivia())
        .collect();
    of_value_map(&elements)
}

/// A call may register tens of thousands.
#[test]
fn a_tool_takes_little_room() {
    assert!(size_of::<Tool>() <= 112, "{} bytes", size_of::<Tool>());
}

#[test]
fn every_form_is_described() {
    let capture = |module: Option<&str>, name: &str, arity| {
        Some(Arc::new(Capture {
            module: module.map(str::to_owned),
            name: name.to_owned(),
            arity,
        }))
    };
    let cases = [
        (
            "&MyApp.get_user/1",
            Form::Function(capture(Some("MyApp"), "get_user", 1)),
        ),
        (
            "&__MODULE__.find?/2",
            Form::Function(capture(Some("__MODULE__"), "find?", 2)),
        ),
        ("&run/1", Form::Function(capture(None, "run", 1))),
        ("&mod.run/1", Form::Function(None)),
        ("&String.upcase(&1[\"s\"])", Form::Function(None)),
        ("fn args -> args end", Form::Function(None)),
        (
            "{&run/1, \"(q :string) -> :any\"}",
            Form::Described(capture(None, "run", 1)),
        ),
        (
            "{&run/1, signature: \"() -> :any\", description: \"x\"}",
            Form::Described(capture(None, "run", 1)),
        ),
        (
            "{&run/1, [signature: \"() -> :any\"]}",
            Form::Described(capture(None, "run", 1)),
        ),
        ("{fn _ -> 1 end, :skip}", Form::Described(None)),
        ("{f, \"() -> :any\"}", Form::Unknown),
        ("{&run/1, signature}", Form::Unknown),
        (
            "LLMTool.new(prompt: \"x\", signature: \":any\")",
            Form::Unknown,
        ),
        ("SubAgent.as_tool(agent)", Form::Unknown),
        ("agent", Form::Unknown),
        (":self", Form::Itself),
        (":builtin_grep", Form::Unknown),
        (":builtin_gerp", Form::Invalid),
        ("%LLMTool{prompt: \"x\"}", Form::Unknown),
        ("\"() -> :any\"", Form::Invalid),
        ("42", Form::Invalid),
        (":search", Form::Invalid),
        ("nil", Form::Invalid),
        ("MyApp.Search", Form::Invalid),
        ("[&run/1]", Form::Invalid),
        ("%{signature: \"x\"}", Form::Invalid),
        ("{&run/1, :validate}", Form::Invalid),
        ("{&run/1, 1}", Form::Invalid),
        ("{&run/1, signature: 5}", Form::Invalid),
        ("{&run/1, [cache: true, signature: :skip]}", Form::Invalid),
        ("{&run/1, signature: 'x'}", Form::Invalid),
        (
            "{&run/1, signature: nil}",
            Form::Described(capture(None, "run", 1)),
        ),
        (
            "{&run/1, signature: text}",
            Form::Described(capture(None, "run", 1)),
        ),
        ("{&run/1}", Form::Invalid),
        ("{&run/1, \"() -> :any\", \"what it does\"}", Form::Invalid),
        ("{\"() -> :any\", &run/1}", Form::Invalid),
    ];
    for (text, form) in cases {
        let map = format!("%{{\"t\" => {text}, }}");
        let tools = read(&map).expect(text);
        assert_eq!(tools.len(), 1, "{text}");
        assert_eq!(tools[0].form, form, "{text}");
        assert_eq!(&map[tools[0].range], text);
    }
}

#[test]
fn a_function_in_a_tuple_may_have_no_signature() {
    for (text, lacks_signature) in [
        ("{&run/1, :skip}", true),
        ("{f, :skip}", true),
        ("{&run/1, []}", true),
        ("{&run/1, description: \"x\"}", true),
        ("{&run/1, [cache: true, signature: nil]}", true),
        ("{&run/1, signature: \"() -> :any\"}", false),
        ("{&run/1, signature: text <> more}", false),
        ("{&run/1, \"() -> :any\"}", false),
        ("{&run/1, options}", false),
        ("{&run/1, [cached | options]}", false),
        ("{&run/1}", false),
        ("{1, :skip}", false),
        ("&run/1", false),
    ] {
        let tools = read(&format!("%{{\"t\" => {text}}}")).expect(text);
        assert_eq!(tools[0].lacks_signature, lacks_signature, "{text}");
    }
}

#[test]
fn what_is_no_map_of_tools_is_none() {
    for text in [
        "tools",
        "[a: 1]",
        "%{tools | a: &f/1}",
        "%{",
        "%Tools{}",
        "Map.new()",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    assert_eq!(read("%{}"), Some(Vec::new()));
}
