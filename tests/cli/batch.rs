//! `signature-ls batch`.

use serde_json::Value;

use crate::folder::Folder;

#[test]
fn bad_requests_are_answered_and_the_next_one_is_read() {
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
