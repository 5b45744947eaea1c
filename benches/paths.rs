//! The hot paths, one per run, for `tests/performance/run` to count their instructions.
//!
//! `paths` prints their names; `paths NAME COUNT` prepares the path and runs it COUNT times.

use std::{env, hint::black_box};

use signature_ls_analysis::{
    ide::{Document, Settings},
    model::{Edition, parse_signature},
};
use signature_ls_source::{
    host::{HostKind, Roles, search},
    syntax::{fragment::Fragment, template},
    text::{TextEdit, TextRange, TextSize, size},
};

#[allow(dead_code, reason = "the other benchmarks use more of it")]
#[path = "support/hosts.rs"]
mod hosts;

/// A path, ready to run.
type Path = Box<dyn FnMut()>;

/// Prepares a path.
type Prepare = fn() -> Path;

/// Every path with its preparation. Each path of a keystroke has a second one with the same key in a file that is ten
/// times as long, and each repetition one in which it is repeated three times as often.
const PATHS: [(&str, Prepare); 29] = [
    ("signature", signature),
    ("template", template),
    ("search", search),
    ("open-elixir", || open("Elixir")),
    ("open-clojure", || open("Clojure")),
    ("open-markdown", || open("Markdown")),
    ("open-yaml", || open("YAML")),
    ("open-json", || open("JSON")),
    ("open-catalog", || open("catalog")),
    ("key-elixir", || key("Elixir", LINES)),
    ("key-clojure", || key("Clojure", LINES)),
    ("key-markdown", || key("Markdown", LINES)),
    ("key-yaml", || key("YAML", LINES)),
    ("key-json", || key("JSON", LINES)),
    ("key-prompt", || key("prompt", LINES)),
    ("key-catalog", || key("catalog", LINES)),
    ("key-elixir-long", || key("Elixir", MANY_LINES)),
    ("key-clojure-long", || key("Clojure", MANY_LINES)),
    ("key-markdown-long", || key("Markdown", MANY_LINES)),
    ("key-yaml-long", || key("YAML", MANY_LINES)),
    ("key-json-long", || key("JSON", MANY_LINES)),
    ("key-prompt-long", || key("prompt", MANY_LINES)),
    ("key-catalog-long", || key("catalog", MANY_LINES)),
    ("chain", || repeated(&CHAIN, TIMES)),
    ("bindings", || repeated(&BINDINGS, TIMES)),
    ("arities", || repeated(&ARITIES, TIMES)),
    ("chain-long", || repeated(&CHAIN, MANY_TIMES)),
    ("bindings-long", || repeated(&BINDINGS, MANY_TIMES)),
    ("arities-long", || repeated(&ARITIES, MANY_TIMES)),
];

/// A text that repeats something which does not allocate: quadratic work in it is not in `tests/growth.rs`.
struct Repetition {
    kind: HostKind,
    before: &'static str,
    /// What is repeated, with `%` for its number.
    part: &'static str,
    after: &'static str,
}

const CHAIN: Repetition = Repetition {
    kind: HostKind::Elixir,
    before: "alias PtcRunner.SubAgent\nSubAgent.run(\"a\", signature: \"{a :int}\")",
    part: ".a",
    after: "\n",
};

const BINDINGS: Repetition = Repetition {
    kind: HostKind::Lisp,
    before: "{:tools {\"s\" \"(q :string) -> :int\"}}\n(let [x (tool/s {:q \"a\"}) ",
    part: "x% x ",
    after: "] x)\n",
};

const ARITIES: Repetition = Repetition {
    kind: HostKind::Lisp,
    before: "(defn ^{:signature \"(a :int) -> :int\"} f ",
    part: "([a] a) ",
    after: ")\n",
};

const TIMES: usize = 4_000;
const MANY_TIMES: usize = 3 * TIMES;

const LINES: usize = 1_200;
const MANY_LINES: usize = 10 * LINES;

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [name, count] = arguments.as_slice() else {
        return PATHS.iter().for_each(|(name, _)| println!("{name}"));
    };
    let found = PATHS.iter().find(|(path, _)| path == name);
    let (Some((_, prepare)), Ok(count)) = (found, count.parse()) else {
        panic!("usage: paths NAME COUNT");
    };
    let mut path = prepare();
    // One-time work, such as building tables, is not part of the path.
    path();
    (0..count).for_each(|_: usize| path());
    // The result of a path is not dropped, so that all runs end alike.
    std::mem::forget(path);
}

fn signature() -> Path {
    let text = "(user {name :string, mail :string?}, count :int) -> {greeting :string, tags [:keyword], n :int?}";
    Box::new(move || {
        black_box(parse_signature(black_box(text), Edition::V0_5));
    })
}

fn template() -> Path {
    let text = "Greet {{user.name}}, who has {{count}} orders.\n{{#orders}}- {{id}}\n{{/orders}}\n";
    Box::new(move || {
        black_box(template::parse(Fragment::plain(black_box(text))));
    })
}

fn host(name: &str) -> (HostKind, &'static hosts::Host) {
    let host = hosts::HOSTS.iter().find(|it| it.name == name);
    let host = host.expect("a host of that name");
    let kind = HostKind::from_path(host.uri.as_ref()).expect("a kind of host");
    (kind, host)
}

fn open(name: &str) -> Path {
    let (kind, host) = host(name);
    let text = host.source(LINES);
    Box::new(move || {
        black_box(Document::new(kind, &text, Settings::default()));
    })
}

fn repeated(repetition: &Repetition, times: usize) -> Path {
    let part = |number: usize| repetition.part.replace('%', &number.to_string());
    let parts: String = (0..times).map(part).collect();
    let text = [repetition.before, &parts, repetition.after].concat();
    let kind = repetition.kind;
    Box::new(move || {
        black_box(Document::new(kind, &text, Settings::default()).findings());
    })
}

/// Words that no file contains.
fn search() -> Path {
    let text = "def answer(user), do: {:ok, user.name}\n".repeat(LINES);
    let roles = Roles::default();
    Box::new(move || {
        black_box(search::may_matter(HostKind::Elixir, &text, &roles));
    })
}

/// A key typed at the start of the middle block of a file of that many lines, and a letter in its prompt or signature,
/// each deleted again, with the diagnostics each time.
fn key(name: &str, lines: usize) -> Path {
    let (kind, host) = host(name);
    let text = host.source(lines);
    let mut document = Document::new(kind, &text, Settings::default());
    let block = host.middle_starts(&text, lines)[0];
    let inside = text[block..].find("user").expect("a name") + block;
    let steps = [(block, host.keys[0]), (inside, "x")].map(|(at, key)| {
        let at = size(at);
        [
            TextEdit::insert(at, key),
            TextEdit::delete(TextRange::at(at, TextSize::of(key))),
        ]
    });
    Box::new(move || {
        for edit in steps.as_flattened() {
            document.edit(edit);
            black_box(document.reported());
        }
    })
}
