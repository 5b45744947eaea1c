//! The hot paths, one a run, for `tests/performance/run` to count their instructions.
//!
//! `paths` prints their names; `paths NAME COUNT` prepares the path and takes it so many times.

use std::{env, hint::black_box};

use signature_ls::{
    host::{HostKind, Roles, search},
    ide::{Document, Settings},
    model::{Edition, parse_signature},
    syntax::{fragment::Fragment, template},
    text::{TextEdit, TextRange, TextSize, size},
};

#[allow(dead_code, reason = "the other benchmarks use more of it")]
#[path = "support/hosts.rs"]
mod hosts;

/// A path, ready to be taken.
type Path = Box<dyn FnMut()>;

/// What prepares a path.
type Prepare = fn() -> Path;

/// Every path with what prepares it.
const PATHS: [(&str, Prepare); 12] = [
    ("signature", signature),
    ("template", template),
    ("open-elixir", || open("Elixir")),
    ("open-clojure", || open("Clojure")),
    ("open-markdown", || open("Markdown")),
    ("open-yaml", || open("YAML")),
    ("open-json", || open("JSON")),
    ("open-catalog", || open("catalog")),
    ("key-elixir", || key("Elixir")),
    ("key-json", || key("JSON")),
    ("key-prompt", || key("prompt")),
    ("search", || {
        let text = "def answer(user), do: {:ok, user.name}\n".repeat(1_000);
        Box::new(move || {
            black_box(search::may_matter(
                HostKind::Elixir,
                &text,
                &Roles::default(),
            ));
        })
    }),
];

const LINES: usize = 1_200;

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
    // What is done once, such as building tables, is no part of the path.
    path();
    (0..count).for_each(|_: usize| path());
    // What a path leaves after is not dropped, so that all runs end alike.
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

/// A letter typed in the middlemost prompt and taken back, with what is found each time.
fn key(name: &str) -> Path {
    let (kind, host) = host(name);
    let text = host.source(LINES);
    let mut document = Document::new(kind, &text, Settings::default());
    let places: Vec<_> = text.match_indices("Greet {{").collect();
    let at: TextSize = size(places[places.len() / 2].0);
    let edits = [
        TextEdit::insert(at, "x"),
        TextEdit::delete(TextRange::at(at, 1.into())),
    ];
    Box::new(move || {
        for edit in &edits {
            document.edit(edit);
            black_box(document.findings());
        }
    })
}
