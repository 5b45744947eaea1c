//! `signature-ls batch`.

use serde_json::{Value, json};

use crate::folder::Folder;

#[test]
fn bad_requests_get_errors_and_do_not_stop_the_next() {
    let folder = Folder::new("batch", &[]);
    let deep = format!("{{\"op\":{}", "[".repeat(100_000));
    let lines = [
        "",
        "{",
        "[]",
        "{}",
        "{\"op\":\"none\"}",
        "{\"op\":3}",
        &deep,
        "null",
    ];
    let outcome = folder.run_with(&["batch"], lines.join("\n").as_bytes());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let answers: Vec<Value> = outcome
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), lines.len());
    for answer in answers {
        assert!(answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn operations_answer_as_documented() {
    let folder = Folder::new("batch-operations", &[]);
    let requests = [
        json!({"op": "parse", "text": "(name :string) -> :int"}),
        json!({"op": "parse", "text": "(at :datetime) -> :strng", "edition": "0.4"}),
        json!({"op": "template", "text": "{{a}} {{ b.c }} {{a}} {{}}"}),
        json!({"op": "fix", "text": "-> :integer"}),
        json!({"op": "parse", "text": "[".repeat(100_000)}),
        json!({"op": "parse", "text": ":int", "edition": "0.6"}),
        json!({"op": "parse"}),
    ];
    let input: String = requests.iter().map(|it| format!("{it}\n")).collect();
    let outcome = folder.run_with(&["batch"], input.as_bytes());
    let answers: Vec<Value> = outcome
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), requests.len(), "{outcome:?}");

    assert_eq!(answers[0]["errors"], json!([]));
    assert!(!answers[0]["ast"].is_null());
    assert!(answers[1]["ast"].is_null());
    let ranges = answers[1]["errors"].as_array().expect("errors");
    let ranges: Vec<_> = ranges.iter().map(|error| &error["range"]).collect();
    assert_eq!(ranges, [&json!([4, 13]), &json!([18, 24])]);
    assert_eq!(answers[2]["names"], json!(["a", "b.c"]));
    assert_eq!(answers[2]["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(answers[3]["text"], "() -> :int");
    assert!(answers[4]["ast"].is_null() && answers[4]["errors"][0]["code"].is_string());
    assert!(answers[5]["error"].is_string() && answers[6]["error"].is_string());
}

#[test]
fn an_answer_comes_before_the_next_request() {
    use std::{
        io::{BufRead, BufReader, Write},
        process::{Command, Stdio},
    };
    let mut process = Command::new(env!("CARGO_BIN_EXE_signature-ls"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = process.stdin.take().expect("a pipe");
    let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
    for _ in 0..3 {
        input.write_all(b"{\"op\":\"none\"}\n").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        assert!(line.contains("none"), "{line}");
    }
    drop(input);
    assert!(process.wait().expect("a child").success());
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let folder = Folder::new("batch-mark", &[("values.json", "\u{feff}{\"a\": 1}\n")]);
    let request = "\u{feff}{\"op\": \"parse\", \"text\": \"(a :int) -> :int\"}\n";
    let answers = folder.run_with(&["batch"], request.as_bytes());
    assert!(!answers.stdout.contains("\"error\""), "{answers:?}");
    let again = folder.run_with(
        &["batch"],
        request.trim_start_matches('\u{feff}').as_bytes(),
    );
    assert_eq!(answers.stdout, again.stdout);
    let validated = folder.run(&["validate", "--signature", "{a :int}", "values.json"]);
    assert_eq!(validated.code, Some(0), "{validated:?}");
}
