use expect_test::{Expect, expect};

use crate::{
    ide::{
        Document, Settings, quick_fixes,
        testing::{applied, found_in},
    },
    model::Edition,
};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, size},
};

const TOOLS: &str = r#"{:tools {"search" "(query :string, page_size :int?) -> [:any]"
         "get_count" "() -> :int"}}
"#;

#[track_caller]
fn check(kind: HostKind, edition: Edition, text: &str, expected: &Expect) {
    let settings = Settings {
        edition,
        ..Settings::default()
    };
    let document = Document::new(kind, text, settings);
    let mut table = String::new();
    for it in document.diagnostics() {
        let place = &text[it.range];
        table.push_str(&format!("{} {place:?} {}\n", it.rule.code, it.message));
        for fix in &it.fixes {
            let mut fixed = text.to_owned();
            for edit in fix.edits.iter().rev() {
                edit.apply(&mut fixed);
            }
            let line = text[..usize::from(it.range.start())].matches('\n').count();
            let fixed = fixed.lines().nth(line).unwrap_or_default();
            table.push_str(&format!("  {}: {fixed}\n", fix.title));
        }
    }
    expected.assert_eq(&table);
}

#[test]
fn arguments_are_held_against_the_signature_of_the_tool() {
    let text = format!(
        r#"{TOOLS}
(tool/search {{:query "budget" :page-size 10}})
(tool/search :query "budget" :page_size nil)
(tool/get_count {{}})
(tool/get_count)
(tool/grep {{:pattern "x" :text data/log}})
(-> data/x (tool/search))
(tool/search arguments)
(tool/search {{k 1}})
(tool/search "budget" 10)
(tool/search "a" "b" "c")
(tool/search {{:query 5 :page-siz "1"}})
(tool/search)
(tool/search :query "a" :query "b")
(tool/serach {{:query "x"}})
(tool/else {{:query "x"}})
"#
    );
    check(
        HostKind::Lisp,
        Edition::V0_11,
        &text,
        &expect![[r#"
            positional-arguments "\"budget\" 10" Arguments of a tool have names; write `{:name value}`.
              Name the arguments: (tool/search {:query "budget" :page-size 10})
            positional-arguments "\"a\" \"b\" \"c\"" Arguments of a tool have names; write `{:name value}`.
            value-type "5" query: expected string, got int 5.
            unknown-argument ":page-siz" `search` has no parameter `page-siz`; did you mean `page_size`?
              Write `page_size`: (tool/search {:query 5 :page_size "1"})
            missing-argument "tool/search" `search` needs `:query`; add `:query ""`.
              Add `:query ""`: (tool/search {:query ""})
            duplicate-argument ":query" query: key "query" is given twice.
            unknown-tool "serach" There is no tool `serach`; did you mean `search`?
              Write `search`: (tool/search {:query "x"})
            unknown-tool "else" There is no tool `else` here; add it to the tools.
        "#]],
    );
}

#[test]
fn nothing_is_said_where_not_everything_is_known() {
    let none = expect![""];
    let calls = "(tool/else {:a 1})\n(tool/search {:query 1})\n";
    check(HostKind::Lisp, Edition::V0_11, calls, &none);
    let clojure = format!(
        "(ns app.core (:require [app.tool :as tool] [app.ctx :as ctx]))\n{TOOLS}(tool/else 1)\n(ctx/x 2)\n"
    );
    check(HostKind::Lisp, Edition::V0_11, &clojure, &none);
    let guide = format!("```clojure\n{TOOLS}(tool/sea {{:query 1}})\n```\n");
    check(HostKind::Markdown, Edition::V0_11, &guide, &none);
    let twice = format!("{TOOLS}{{:tools {{\"search\" \"() -> :any\"}}}}\n(tool/search)\n");
    check(HostKind::Lisp, Edition::V0_11, &twice, &none);
}

/// In a page, a plural is the tool of another program.
#[test]
fn a_plural_is_no_typo_in_a_page() {
    let tools = "```elixir\nPtcRunner.SubAgent.new(prompt: \"Go\", tools: %{\"get-users\" => &A.a/1, \"item\" => &A.b/1})\n```\n";
    for (call, expected) in [
        ("(pcalls #(tool/get-user) #(tool/get-stats))", None),
        ("(tool/items {})", None),
        ("(tool/get-uers {})", Some("unknown-tool: get-uers")),
        ("(tool/get_users {})", Some("unknown-tool: get_users")),
        ("(tool/itm {})", Some("unknown-tool: itm")),
    ] {
        let page = format!("{tools}\n```clojure\n{call}\n```\n");
        let found = found_in(HostKind::Markdown, &page, Edition::V0_11);
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(found, expected, "{call}");
    }
    let program = "{:tools {\"get-users\" \"() -> :any\"}}\n(tool/get-user {})\n";
    let found = found_in(HostKind::Lisp, program, Edition::V0_11);
    assert_eq!(found, ["unknown-tool: get-user"]);
}

#[test]
fn namespaces_follow_the_edition() {
    let text = "(ctx/search {:query ctx/topic})\n(call \"search\" {:query data/topic})\n(tool/search {})\n";
    check(
        HostKind::Lisp,
        Edition::V0_5,
        text,
        &expect![[r#"
        namespace "ctx/search" Edition 0.5 does not know `ctx/search`; write `tool/search`.
          Write `tool/search`: (tool/search {:query ctx/topic})
        namespace "ctx/topic" Edition 0.5 does not know `ctx/topic`; write `data/topic`.
          Write `data/topic`: (ctx/search {:query data/topic})
        namespace "call \"search\"" Edition 0.5 does not know `call "search"`; write `tool/search`.
          Write `tool/search`: (tool/search {:query data/topic})
    "#]],
    );
    check(
        HostKind::Lisp,
        Edition::V0_4,
        text,
        &expect![[r#"
        namespace "data/topic" Edition 0.4 does not know `data/topic`; write `ctx/topic`.
          Write `ctx/topic`: (call "search" {:query ctx/topic})
        namespace "tool/search" Edition 0.4 does not know `tool/search`; write `ctx/search`.
          Write `ctx/search`: (ctx/search {})
    "#]],
    );
}

/// Releases 0.5.0 and 0.5.1 know these namespaces, and neither fold hyphens nor pass strings for keys.
#[test]
fn the_namespaces_of_release_0_5_0() {
    let text = "(tool/search {:query data/topic})\n(ctx/search {:query ctx/topic})\n(call \"search\" {})\n";
    check(
        HostKind::Lisp,
        Edition::V0_5_0,
        text,
        &expect![[r#"
        namespace "ctx/search" Release 0.5 does not know `ctx/search`; write `tool/search`.
          Write `tool/search`: (tool/search {:query ctx/topic})
        namespace "ctx/topic" Release 0.5 does not know `ctx/topic`; write `data/topic`.
          Write `data/topic`: (ctx/search {:query data/topic})
        namespace "call \"search\"" Release 0.5 does not know `call "search"`; write `tool/search`.
          Write `tool/search`: (tool/search {})
    "#]],
    );
    assert_eq!(Edition::of_release([0, 5, 1]), Edition::V0_5_0);
    assert_eq!(Edition::V0_5_0.name(), Edition::V0_4.name());
}

/// Releases 0.4.1, 0.5.0 and 0.5.1 pass such arguments as a list. Release 0.5.2 and later reject the call.
#[test]
fn arguments_without_names_are_rejected_late() {
    let editions = [
        Edition::V0_4,
        Edition::V0_5_0,
        Edition::V0_5,
        Edition::V0_11,
    ];
    for edition in editions.into_iter().chain([Edition::Next]) {
        let namespace = edition.tool_namespace();
        for arguments in ["5", "\"x\" 1", ":x", ":x 1 :y"] {
            let text = format!(
                "Lisp.run(~S|({namespace}/a {arguments})|, tools: %{{\"a\" => {{&A.a/1, \"(x :int) -> :any\"}}}})\n"
            );
            let found = found_in(HostKind::Elixir, &text, edition);
            let nameless = ["positional-arguments", "argument-without-value"];
            let is_nameless = |it: &String| nameless.iter().any(|code| it.starts_with(code));
            let is_late = edition >= Edition::V0_5;
            assert_eq!(found.iter().any(is_nameless), is_late, "{edition} {text}");
            assert!(is_late || found.is_empty(), "{edition} {text}");
        }
    }
}

#[test]
fn an_edit_of_a_tool_is_seen_by_the_calls() {
    let text = format!("{TOOLS}\n(tool/search {{:query 1}})\n");
    let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
    assert_eq!(document.diagnostics().len(), 1);
    let at = size(text.find(":string").expect("a type"));
    let range = TextRange::at(at, size(":string".len()));
    document.edit(&TextEdit::replace(range, ":int"));
    assert_eq!(document.diagnostics(), []);
}

#[test]
fn a_namespace_form_is_seen_when_it_is_typed() {
    let text = format!("{TOOLS}(tool/nothing 1)\n");
    let mut document = Document::new(HostKind::Lisp, &text, Settings::default());
    assert_eq!(document.diagnostics().len(), 1);
    let begin = size(0);
    let form = "(ns app.core (:require [app.tools :as tool]))\n";
    document.edit(&TextEdit::insert(begin, form));
    assert_eq!(document.diagnostics(), []);
    let typed = TextRange::at(begin, size(form.len()));
    document.edit(&TextEdit::delete(typed));
    assert_eq!(document.diagnostics().len(), 1);
}

#[test]
fn a_namespace_of_the_file_is_no_tool() {
    let code = "(tool/nothing {})\n(inc ctx/x)\n(call \"nothing\")\n";
    let found = |forms: &str| {
        let text = format!("{forms}\n{TOOLS}{code}");
        let document = Document::new(HostKind::Lisp, &text, Settings::default());
        let found = document.diagnostics();
        let found = found.iter().map(|it| it.rule.code);
        found.collect::<Vec<_>>().join(" ")
    };
    let of_tool = "unknown-tool";
    let of_ctx = "namespace";
    let all = found("");
    assert!(all.starts_with(&format!("{of_tool} {of_ctx} ")), "{all}");
    let both = format!("{of_tool} {of_ctx}");
    for forms in [
        "(ns agent.mail \"Sorts mail.\" {:visibility :public})",
        "(ns app.core (:require [app.context :as context] [tool.core :as t]))",
        "(ns app.core) (in-ns 'app.core)",
    ] {
        assert_eq!(found(forms), both, "{forms}");
    }
    for forms in [
        "(ns app.core (:require [app.tool :as tool]))",
        "(ns app.core (:require #?(:clj [app.tool :as-alias tool])))",
        "(ns app.core (:require [tool]))",
        "(ns tool)",
        "(ns app.core) (alias 'tool 'app.tool)",
        "(ns app.core) (require '[app.tool :as tool])",
    ] {
        assert_eq!(found(forms), of_ctx, "{forms}");
    }
    assert_eq!(found("(ns a (:require [x :as ctx]))"), of_tool);
    assert_eq!(found("(in-ns 'app.core)"), "");
}

#[test]
fn a_keyword_without_a_value_is_one_finding() {
    for (call, expected) in [
        ("(tool/s :text)", "argument-without-value"),
        ("(tool/s :text \"a\" :y)", "argument-without-value"),
        ("(tool/unknown :y)", "argument-without-value"),
        ("(tool/s :text \"a\")", ""),
        ("(ctx/sample :orders)", ""),
        ("(call \"x\" :k)", ""),
        ("(tool/call target {})", ""),
    ] {
        let tools = match call.contains("unknown") {
            true => "{:signature \"() -> :int\"}\n",
            false => "{:tools {\"s\" \"(text :string) -> :any\" \"call\" \"(a :int?) -> :any\"}}\n",
        };
        let text = format!("{tools}{call}\n");
        let document = Document::new(HostKind::Lisp, &text, Settings::default());
        let found: Vec<_> = document
            .diagnostics()
            .iter()
            .map(|it| it.rule.code)
            .collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

/// Any Clojure may have a namespace `tool`.
#[test]
fn calls_without_names_count_beside_other_evidence() {
    for call in ["(tool/call :x)", "(defn f [] (tool/draw \"a\" 1))"] {
        let found = |around: &str| {
            let text = format!("{around}{call}\n");
            let document = Document::new(HostKind::Lisp, &text, Settings::default());
            document.diagnostics().len()
        };
        assert_eq!(found(""), 0, "{call}");
        for around in [
            "(tool/run {:a 1})\n",
            "(def a {:signature \"() -> :int\"})\n",
        ] {
            assert_eq!(found(around), 1, "{around}{call}");
        }
    }
}

/// What the only clause of a function matches must be passed, and more may be.
#[test]
fn calls_of_tools_without_signatures_pass_what_their_heads_match() {
    let found = |tool: &str, call: &str, edition| {
        let code = format!("Lisp.run(~S|{call}|, tools: %{{\"get-user\" => {tool}}})\n");
        found_in(HostKind::Elixir, &code, edition)
    };
    let head = r#"fn %{"id" => id, "by" => %{"key" => k}} when id > 0 -> {id, k} end"#;
    for (tool, call, expected) in [
        (
            head,
            "(tool/get-user {:di 1 :by x})",
            &["missing-argument: tool/get-user"][..],
        ),
        (
            head,
            "(tool/get-user :id 1)",
            &["missing-argument: tool/get-user"],
        ),
        (
            head,
            "(tool/get-user)",
            &["missing-argument: tool/get-user"],
        ),
        (head, "(tool/get-user {:id 1 :by x :more 2})", &[]),
        (head, "(tool/get-user args)", &[]),
        (
            "fn %{\"id\" => 1} -> 1\n _ -> 2 end",
            "(tool/get-user {:di 1})",
            &[],
        ),
        (
            "fn args -> args[\"id\"] end",
            "(tool/get-user {:di 1})",
            &[],
        ),
        (
            "{fn %{\"id\" => 1} -> 1 end, :skip}",
            "(tool/get-user {:di 1})",
            &["missing-argument: tool/get-user"],
        ),
        (
            "{fn %{\"id\" => 1} -> 1 end, signature}",
            "(tool/get-user {:di 1})",
            &[],
        ),
        ("&__MODULE__.get/1", "(tool/get-user {:di 1})", &[]),
    ] {
        assert_eq!(found(tool, call, Edition::V0_11), expected, "{tool} {call}");
    }
    let nothing: [&str; 0] = [];
    let early = found(head, "(ctx/get-user {:di 1 :by 2})", Edition::V0_4);
    assert_eq!(early, nothing);
    let of_module = |head: &str| {
        let code = format!(
            "defmodule A do\n  def get({head}), do: 1\n\n  def go, do: Lisp.run(\"(tool/get {{:di 1}})\", tools: %{{\"get\" => &get/1}})\nend\n"
        );
        found_in(HostKind::Elixir, &code, Edition::V0_11)
    };
    assert_eq!(of_module(r#"%{"id" => _}"#), ["missing-argument: tool/get"]);
    assert_eq!(of_module("args"), nothing);
}

/// From edition 0.11, a keyword of a program arrives as a string, unless it names something of the language.
#[test]
fn a_keyword_for_a_string_depends_on_the_edition() {
    let log = |call: &str, ty: &str| {
        format!(
            "Lisp.run(\"{call}\", tools: %{{\"log\" => {{&A.log/1, \"(level {ty}) -> :any\"}}}})\n"
        )
    };
    let returned =
        |code: &str, signature: &str| format!("Lisp.run(\"{code}\", signature: \"{signature}\")\n");
    for (code, early, late) in [
        (
            returned("{:status :active}", "{status :string}"),
            Some("returned-value: :active"),
            None,
        ),
        (
            returned("[:a]", "[:string]"),
            Some("returned-value: :a"),
            None,
        ),
        (
            returned(":a", ":int"),
            Some("returned-value: :a"),
            Some("returned-value: :a"),
        ),
        (returned(":a", ":keyword"), None, None),
        (
            log("(tool/log {:level :info})", ":string"),
            Some("coerced-value: :info"),
            None,
        ),
        (log("(tool/log {:level :info})", ":keyword"), None, None),
        (
            log("(tool/log {:level :info})", ":int"),
            Some("value-type: :info"),
            Some("value-type: :info"),
        ),
    ] {
        for (edition, expected) in [
            (Edition::V0_5, early),
            (Edition::V0_11, late),
            (Edition::Next, late),
        ] {
            let found = found_in(HostKind::Elixir, &code, edition);
            assert_eq!(found, Vec::from_iter(expected), "{edition} {code}");
        }
    }
}

/// The library compares all of a tool's name, and only the keys of its arguments without their hyphens.
#[test]
fn the_name_of_a_tool_is_compared_as_it_is() {
    for (tool, call, is_same) in [
        ("get_user", "get-user", false),
        ("get-user", "get_user", false),
        ("get_user", "get_user", true),
        ("get-user", "get-user", true),
        ("llm_query", "llm-query", true),
    ] {
        let signature = "(user_id :int) -> {first_name :string}";
        let arguments = if call == "llm-query" {
            "{:prompt \"x\" :user-id 1}"
        } else {
            "{:user-id 1}"
        };
        let code = format!("(tool/{call} {arguments})\n");
        let registered = code.trim_end().replace('"', "\\\"");
        for (kind, text) in [
            (
                HostKind::Elixir,
                format!(
                    "Lisp.run(\"{registered}\", tools: %{{\"{tool}\" => {{&A.g/1, \"{signature}\"}}}})\n"
                ),
            ),
            (
                HostKind::Lisp,
                format!("{{:tools {{\"{tool}\" \"{signature}\"}}}}\n{code}"),
            ),
            (
                HostKind::Markdown,
                format!(
                    "```signature\n{tool}(user_id :int) -> :any\n```\n\n```clojure\n{code}```\n"
                ),
            ),
        ] {
            for edition in [Edition::V0_5, Edition::V0_11, Edition::Next] {
                let document = Document::new(
                    kind,
                    &text,
                    Settings {
                        edition,
                        ..Settings::default()
                    },
                );
                let found = document.diagnostics();
                let unknown = found.iter().find(|it| it.rule.code == "unknown-tool");
                assert_eq!(unknown.is_none(), is_same, "{edition} {text}");
                let Some(unknown) = unknown else { continue };
                let mut fixed = text.clone();
                unknown.fixes[0].edits[0].apply(&mut fixed);
                assert_eq!(
                    fixed,
                    text.replace(&format!("tool/{call}"), &format!("tool/{tool}"))
                );
                assert_eq!(
                    found_in(kind, &fixed, edition),
                    Vec::<String>::new(),
                    "{fixed}"
                );
            }
        }
    }
}

/// The library refuses a program that names an unknown tool anywhere.
#[test]
fn a_tool_that_is_a_value_exists() {
    let found =
        |code: &str, edition| found_in(HostKind::Lisp, &format!("{TOOLS}{code}\n"), edition);
    for code in [
        "(map tool/serach [{:query \"x\"}])",
        "(let [f tool/serach] (f {:query \"x\"}))",
        "(->> {:query \"x\"} tool/serach)",
        "(if x {:f [tool/serach]} 1)",
        "(defn f [x] (map tool/serach x))",
    ] {
        assert_eq!(
            found(code, Edition::V0_11),
            ["unknown-tool: serach"],
            "{code}"
        );
        assert_eq!(
            found(code, Edition::Next),
            ["unknown-tool: serach"],
            "{code}"
        );
        let right = code.replace("serach", "search");
        for (code, edition) in [(code, Edition::V0_5), (&right, Edition::V0_11)] {
            assert_eq!(found(code, edition), Vec::<String>::new(), "{code}");
        }
    }
    for code in [
        "'tool/serach",
        "(quote tool/serach)",
        "(doc tool/serach)",
        "(comment tool/serach)",
        "#_tool/serach 1",
        "(map tool/grep [{}])",
        "(map tool/ [{}])",
    ] {
        assert_eq!(found(code, Edition::V0_11), Vec::<String>::new(), "{code}");
    }
}

/// However a value without a name gets into a call.
#[test]
fn a_threaded_value_that_is_no_map_has_no_name() {
    let found = |code: &str| found_in(HostKind::Lisp, &format!("{TOOLS}{code}\n"), Edition::V0_11);
    for (code, expected) in [
        ("(-> \"a\" (tool/search))", "\"a\""),
        ("(-> \"a\" tool/search)", "\"a\""),
        ("(->> \"a\" tool/search)", "\"a\""),
        ("(->> \"a\" (tool/search))", "\"a\""),
        ("(-> \"a\" (tool/search {:page-size 1}))", "\"a\""),
        ("(-> [1 2] count tool/search)", "tool/search"),
        ("(some-> {:q [1]} :q (tool/search))", "(tool/search)"),
        ("(-> (tool/get_count) (tool/search))", "(tool/get_count)"),
        ("(cond-> 1 x (tool/search))", "1"),
    ] {
        let expected = format!("positional-arguments: {expected}");
        assert_eq!(found(code), [expected], "{code}");
    }
    for code in [
        "(-> {:query \"a\"} (tool/search))",
        "(-> :query (tool/search \"a\"))",
        "(->> \"a\" (tool/search :query))",
        "(-> x (tool/search))",
        "(-> (tool/search {:query \"a\"}) first tool/search)",
        "(-> (if x \"a\" {:query \"a\"}) (tool/search))",
        "(let [tool/search str] (-> \"a\" tool/search))",
        "(-> \"a\" (ctx/join))",
    ] {
        assert_eq!(found(code), Vec::<String>::new(), "{code}");
    }
}

/// The fix does what the message says.
#[test]
fn an_argument_without_a_parameter_is_removed() {
    for (call, expected) in [
        (
            "(tool/search {:query \"a\" :zzzzzz 10})",
            "(tool/search {:query \"a\"})",
        ),
        (
            "(tool/search {:zzzzzz 10, :query \"a\"})",
            "(tool/search {:query \"a\"})",
        ),
        (
            "(tool/search :query \"a\" :zzzzzz {:b 1})",
            "(tool/search :query \"a\")",
        ),
        ("(tool/get_count {:zzzzzz 10})", "(tool/get_count {})"),
    ] {
        let text = format!("{TOOLS}{call}\n");
        let document = Document::new(HostKind::Lisp, &text, Settings::default());
        let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
        let mut fixes = found.iter().flat_map(|it| &it.fixes);
        let fix = fixes.find(|it| it.title == "Remove `zzzzzz`").expect(call);
        assert_eq!(applied(&text, &fix.edits), format!("{TOOLS}{expected}\n"));
    }
}
