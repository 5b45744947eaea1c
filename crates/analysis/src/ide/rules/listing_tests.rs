//! Tests of prompts that list tools: what is reported, and what is not.

use crate::ide::{Document, Settings, Severity};
use signature_ls_source::{
    host::HostKind,
    text::{TextEdit, TextRange, size},
};

fn document(kind: HostKind, text: &str) -> Document {
    Document::new(kind, text, Settings::default())
}

fn found(document: &Document) -> Vec<String> {
    let text = document.text().whole();
    let found = document.diagnostics().into_iter();
    let found = found.filter(|it| it.severity > Severity::Hint && it.rule.code.contains("list"));
    let found = found.map(|it| format!("{}: {}", it.rule.code, &text[it.range]));
    found.collect()
}

fn elixir(line: &str) -> String {
    format!(
        "SubAgent.new(\n  prompt: \"\"\"\n  Tools:\n\n  {line}\n    Finds it.\n  \"\"\",\n  tools: %{{\n    \"search\" => {{&A.search/1, \
         \"(query :string, limit :int?) -> [{{id :int}}]\"}},\n    \"now\" => {{&A.now/1, \"() -> :string\"}}\n  }}\n)\n"
    )
}

#[test]
fn listings_are_compared_with_the_tools() {
    for (line, expected) in [
        ("search(query :string, limit :int?) -> [{id :int}]", None),
        ("search(query :string,limit :int?)->[{id :int}]", None),
        ("- `now() -> :string` tells the time", None),
        ("The tool search(query :int) -> :map is old.", None),
        ("f(x) -> y", None),
        (
            "search(query :string) -> [{id :int}]",
            Some("outdated-listing: (query :string) -> [{id :int}]"),
        ),
        ("now() -> :int", Some("outdated-listing: () -> :int")),
        (
            "serach(query :string, limit :int?) -> [{id :int}]",
            Some("unknown-listed-tool: serach"),
        ),
        (
            "mail(to :string) -> :bool",
            Some("unknown-listed-tool: mail"),
        ),
        (
            "search(\n    query :string,\n    limit :int?\n  ) -> [{id :int}]",
            None,
        ),
        (
            "serach(\n    query :string\n  ) -> [{id :int}]",
            Some("unknown-listed-tool: serach"),
        ),
        (
            "now()\n    -> :int",
            Some("outdated-listing: ()\n    -> :int"),
        ),
        (
            "tool/search(query string, limit int?) -> [{id int}]  ; Finds it.",
            None,
        ),
        ("tool/now() -> int", Some("outdated-listing: () -> int")),
        (
            "tool/serach(query string) -> any",
            Some("unknown-listed-tool: serach"),
        ),
    ] {
        let document = document(HostKind::Elixir, &elixir(line));
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(found(&document), expected, "{line}");
    }
}

#[test]
fn the_fix_keeps_the_form_of_programs() {
    let text = elixir("tool/now() -> int");
    let document = document(HostKind::Elixir, &text);
    let found = document.diagnostics().into_iter();
    let found = found.filter(|it| it.rule.code == "outdated-listing");
    let edits: Vec<_> = found.flat_map(|it| it.fixes).map(|it| it.edits).collect();
    assert_eq!(edits[0][0].insert, "() -> string");
}

#[test]
fn the_fix_writes_the_current_listing() {
    let text = elixir("search(q :string) -> :map");
    let document = document(HostKind::Elixir, &text);
    let found = document.diagnostics();
    let found = found.iter().find(|it| it.rule.code == "outdated-listing");
    let fix = found.and_then(|it| it.fixes.first()).expect("a fix");
    let mut fixed = text.clone();
    for edit in fix.edits.iter().rev() {
        fixed.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
    }
    assert_eq!(
        fixed,
        elixir("search(query :string, limit :int?) -> [{id :int}]")
    );
}

#[test]
fn prompt_files_follow_their_front_matter() {
    let text = "---\nsignature: '() -> :any'\ntools:\n  search: '(query :string) -> [:map]'\n---\nUse:\n\n```\nsearch(query :string) -> [:map]\n```\n";
    let mut document = document(HostKind::Prompt, text);
    assert_eq!(found(&document), [""; 0]);
    let at = size(text.find(":string").expect("a type"));
    document.edit(&TextEdit::replace(TextRange::at(at, size(7)), ":int"));
    assert_eq!(
        found(&document),
        ["outdated-listing: (query :string) -> [:map]"]
    );
    document.edit(&TextEdit::replace(TextRange::at(at, size(4)), ":string"));
    assert_eq!(found(&document), [""; 0]);
}
