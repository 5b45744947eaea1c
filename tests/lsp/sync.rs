//! The server's documents stay equal to the editor's.

use serde_json::{Value, json};

use crate::{
    editor::{ENCODINGS, Editor},
    random::Random,
};

/// A document whose last line has one error, below comments that the tests edit.
const DOCUMENT: &str = "# first 😀\r\n# second é字\n# third\r\nSubAgent.run(\"Hi 😀 {{name}}\", signature: \"(name :strng) -> :int\")\n";

/// Checks that the error is reported at its place in the editor's text.
#[track_caller]
fn check_fault(editor: &mut Editor) {
    let at = editor.text.rfind(":strng").expect("the fault");
    let expected = editor.range(at, at + ":strng".len());
    let found = editor.diagnostics();
    let ranges: Vec<_> = found.iter().map(|found| &found["range"]).collect();
    assert_eq!(ranges, [&expected], "{:?}", editor.text);
}

#[test]
fn faults_are_found_in_the_units_of_the_editor() {
    for encoding in ENCODINGS {
        check_fault(&mut Editor::open(encoding, DOCUMENT));
    }
}

#[test]
fn edits_among_wide_characters_and_all_line_ends_are_followed() {
    for encoding in ENCODINGS {
        let mut editor = Editor::open(encoding, DOCUMENT);
        for (old, new) in [
            ("first 😀", "first 😀 and 👩‍🚀"),
            ("👩‍🚀", ""),
            ("é字\n", "é字\r\n"),
            ("# third\r\n", ""),
            ("# second", "# one more\r# second"),
            ("字\r\n", "字 \u{2028} \u{85}\n# \u{feff}\n"),
            ("Hi 😀", "Hi 😀😀"),
            ("Hi 😀😀 ", "Hi 字"),
            (":strng", ":string"),
            (":string", ":strng"),
            ("# ", "# 𝒜 "),
        ] {
            editor.replace(old, new);
            if editor.text.contains(":strng") {
                check_fault(&mut editor);
            } else {
                assert_eq!(editor.diagnostics(), [] as [Value; 0]);
            }
        }
    }
}

#[test]
fn random_edits_of_comments_leave_the_fault_in_its_place() {
    const PIECES: [&str; 9] = [
        "a",
        "é",
        "字",
        "😀",
        "\u{2028}",
        "\n# ",
        "\r\n# ",
        "\r# ",
        "👩‍🚀",
    ];
    for encoding in ENCODINGS {
        let mut editor = Editor::open(encoding, DOCUMENT);
        let mut random = Random::new(1);
        for _ in 0..60 {
            let comments = editor.text.find("SubAgent").expect("the code");
            let begins: Vec<_> = editor.text[..comments].match_indices("# ").collect();
            let at = begins[random.below(begins.len())].0 + 2;
            let piece = PIECES[random.below(PIECES.len())];
            insert(&mut editor, at, piece);
            check_fault(&mut editor);
        }
    }
}

fn insert(editor: &mut Editor, at: usize, piece: &str) {
    let range = editor.range(at, at);
    editor.text.insert_str(at, piece);
    editor.version += 1;
    let params = json!({
        "textDocument": {"uri": editor.uri, "version": editor.version},
        "contentChanges": [{"range": range, "text": piece}],
    });
    editor.client.notify("textDocument/didChange", params);
}

#[test]
fn several_changes_in_one_message_follow_one_another() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let end = json!({"line": 9999, "character": 9999});
    let start = json!({"line": 0, "character": 0});
    editor.version += 1;
    let params = json!({
        "textDocument": {"uri": editor.uri, "version": editor.version},
        "contentChanges": [
            {"range": {"start": end, "end": end}, "text": "# the end"},
            {"range": {"start": start, "end": start}, "text": "# 😀\n"},
            {"range": {"start": start, "end": {"line": 0, "character": 3}}, "text": "#"},
        ],
    });
    editor.client.notify("textDocument/didChange", params);
    // The third change ends inside of a surrogate pair, that is, before it.
    editor.text = format!("#😀\n{DOCUMENT}# the end");
    check_fault(&mut editor);
}

#[test]
fn a_whole_text_replaces_the_document() {
    let mut editor = Editor::open("utf-16", "nothing here");
    editor.version += 1;
    editor.text = DOCUMENT.to_owned();
    let params = json!({
        "textDocument": {"uri": editor.uri, "version": editor.version},
        "contentChanges": [{"text": DOCUMENT}],
    });
    editor.client.notify("textDocument/didChange", params);
    check_fault(&mut editor);
}

#[test]
fn positions_outside_the_document_are_clamped() {
    let mut editor = Editor::open("utf-16", DOCUMENT);
    let far = json!({"line": 4_294_967_295_u32, "character": 4_294_967_295_u32});
    let past_first_line = json!({"line": 0, "character": 4_294_967_295_u32});
    for (start, end, text) in [
        (far.clone(), far.clone(), "\n# more\n"),
        (past_first_line.clone(), past_first_line, " 😀"),
    ] {
        editor.version += 1;
        let params = json!({
            "textDocument": {"uri": editor.uri, "version": editor.version},
            "contentChanges": [{"range": {"start": start, "end": end}, "text": text}],
        });
        editor.client.notify("textDocument/didChange", params);
    }
    editor.text = editor.text.replacen("\r\n", " 😀\r\n", 1) + "\n# more\n";
    check_fault(&mut editor);
}
