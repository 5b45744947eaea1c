//! The time for a text grows about linearly with its length, where quadratic work would allocate nothing.
//!
//! What allocates is counted in `growth.rs`.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use signature_ls::{
    host::HostKind,
    ide::{Document, Settings},
};

/// The length of the shorter text; the other one is four times as long.
const LENGTH: usize = 48_000;

/// An allowance for what else the machine does.
const SLACK: Duration = Duration::from_millis(200);

/// Units of documents, each between the text around it; `№` is different in each repetition.
const DOCUMENTS: &[(HostKind, &str, &str, &str)] = &[
    (
        HostKind::Elixir,
        "alias PtcRunner.SubAgent\nSubAgent.run(\"a\", signature: \"{a :int}\")",
        ".a",
        "\n",
    ),
    (HostKind::Elixir, "alias PtcRunner.SubAgent\nx", ".a", "\n"),
    (
        HostKind::Lisp,
        "{:tools {\"s\" \"(q :string) -> :int\"}}\n(let [x (tool/s {:q \"a\"}) ",
        "x№ x ",
        "] x)\n",
    ),
    (
        HostKind::Lisp,
        "(defn ^{:signature \"(a :int) -> :int\"} f ",
        "([a] a) ",
        ")\n",
    ),
];

/// The shortest of three times that it takes to open a text in which `unit` is repeated up to `length` bytes.
fn time(kind: HostKind, (before, unit, after): (&str, &str, &str), length: usize) -> Duration {
    let mut text = before.to_owned();
    let mut number = 0;
    while text.len() < length {
        let _ = write!(text, "{}", unit.replace('№', &number.to_string()));
        number += 1;
    }
    text += after;
    let times = (0..3).map(|_| {
        let start = Instant::now();
        drop(Document::new(kind, &text, Settings::default()).findings());
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

#[test]
fn four_times_the_text_takes_about_four_times_as_long() {
    for &(kind, before, unit, after) in DOCUMENTS {
        let unit = (before, unit, after);
        let short = time(kind, unit, LENGTH);
        let long = time(kind, unit, 4 * LENGTH);
        assert!(
            long < 8 * short + SLACK,
            "{unit:?}: {short:?}, for four times the text {long:?}"
        );
    }
}
