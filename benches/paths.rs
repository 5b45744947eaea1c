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
const PATHS: [(&str, Prepare); 33] = [
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
    ("wide-values", || repeated(&WIDE_VALUES, EACH)),
    ("wide-values-long", || repeated(&WIDE_VALUES, MANY_EACH)),
    ("anchors", || repeated(&ANCHORS, EACH)),
    ("anchors-long", || repeated(&ANCHORS, MANY_EACH)),
];

/// A text that repeats something, maybe something else for each of them, where quadratic work would not allocate: it is
/// not in `tests/growth.rs`.
struct Repetition {
    kind: HostKind,
    pieces: &'static [Piece],
}

enum Piece {
    Once(&'static str),
    /// Repeated, with `%` for its number.
    Times(&'static str),
}

use Piece::{Once, Times};

const CHAIN: Repetition = Repetition {
    kind: HostKind::Elixir,
    pieces: &[
        Once("alias PtcRunner.SubAgent\nSubAgent.run(\"a\", signature: \"{a :int}\")"),
        Times(".a"),
        Once("\n"),
    ],
};

const BINDINGS: Repetition = Repetition {
    kind: HostKind::Lisp,
    pieces: &[
        Once("{:tools {\"s\" \"(q :string) -> :int\"}}\n(let [x (tool/s {:q \"a\"}) "),
        Times("x% x "),
        Once("] x)\n"),
    ],
};

const ARITIES: Repetition = Repetition {
    kind: HostKind::Lisp,
    pieces: &[
        Once("(defn ^{:signature \"(a :int) -> :int\"} f "),
        Times("([a] a) "),
        Once(")\n"),
    ],
};

const WIDE_VALUES: Repetition = Repetition {
    kind: HostKind::Json,
    pieces: &[
        Once("{\"signature\": \"() -> {a [{"),
        Times("p% :int?, "),
        Once("z :int?}]}\", \"output\": {\"a\": ["),
        Times("{\"p1\": 1}, "),
        Once("1]}}\n"),
    ],
};

const ANCHORS: Repetition = Repetition {
    kind: HostKind::Yaml,
    pieces: &[
        Once("signature: \"() -> {a [{z :int}]}\"\nx: &a {"),
        Times("k%: 1, "),
        Once("z: 1}\noutput:\n  a:\n"),
        Times("  - *a\n"),
    ],
};

const TIMES: usize = 4_000;
const MANY_TIMES: usize = 3 * TIMES;

/// For two things that are repeated.
const EACH: usize = 500;
const MANY_EACH: usize = 3 * EACH;

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
    let written = |piece: &Piece| match piece {
        Once(text) => (*text).to_owned(),
        Times(part) => { (0..times).map(|it| part.replace('%', &it.to_string())) }.collect(),
    };
    let text: String = repetition.pieces.iter().map(written).collect();
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
