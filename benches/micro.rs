//! The cost of single steps: parsing, applying an edit, collecting errors.
//!
//! `cargo bench --bench micro`; an argument selects benchmarks by a part of their name.

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use signature_ls_analysis::ide::{Document, Settings};
use signature_ls_source::{
    host::{HostDocument, HostKind},
    syntax::{catalog, fragment::Fragment, signature, template},
    text::{Text, TextEdit, TextRange, TextSize, size},
};

#[path = "support/elixir.rs"]
mod elixir;

/// A typical signature.
const SIGNATURE: &str = "(user {name :string, emails [:string], address {street :string, city :string?}}, \
     limit :int?, since :datetime) -> {orders [{id :int, total :float, paid :bool}], summary :string?}";

/// A typical prompt.
const TEMPLATE: &str = "You help {{user.name}} who lives in {{user.address.city}}.\n\
     {{#orders}}- {{id}}: {{total}}\n{{/orders}}{{^orders}}No orders yet.{{/orders}}\n\
     {{! keep it short }}Answer in at most {{limit}} lines.\n";

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    signatures(&mut criterion);
    templates(&mut criterion);
    elixir_documents(&mut criterion);
    catalogs(&mut criterion);
    criterion.final_summary();
}

/// The lengths at which each text is measured, as multiples of it.
const LENGTHS: [usize; 2] = [1, 100];

fn signatures(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("signature");
    for times in LENGTHS {
        let fields = vec![format!("field {}", &SIGNATURE[6..79]); times].join(", ");
        let text = format!("({fields}) -> :int");
        parse(&mut group, &text, signature::parse);
        edit(
            &mut group,
            &text,
            ":string",
            signature::parse,
            signature::edit,
        );
    }
    group.finish();
}

fn templates(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("template");
    for times in LENGTHS {
        let text = TEMPLATE.repeat(times);
        parse(&mut group, &text, template::parse);
        edit(&mut group, &text, "total", template::parse, edit_template);
    }
    group.finish();
}

type Tree = rowan::GreenNode;

fn parse(group: &mut BenchmarkGroup<'_, WallTime>, text: &str, parse: fn(Fragment<'_>) -> Tree) {
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function(format!("parse/{}", text.len()), |bencher| {
        bencher.iter(|| parse(Fragment::plain(black_box(text))));
    });
}

fn edit_template(green: &Tree, edit: &TextEdit, fragment: Fragment<'_>) -> Tree {
    let edited = template::edit(green, edit, (fragment.escapes, fragment.foreign));
    edited.unwrap_or_else(|| template::parse(fragment))
}

/// Deletes a character of the middle `word` and inserts it again.
fn edit(
    group: &mut BenchmarkGroup<'_, WallTime>,
    text: &str,
    word: &str,
    parse: fn(Fragment<'_>) -> Tree,
    edit: fn(&Tree, &TextEdit, Fragment<'_>) -> Tree,
) {
    let (delete, insert) = keystrokes(text, word);
    let mut broken = text.to_owned();
    delete.apply(&mut broken);
    let tree = parse(Fragment::plain(text));
    group.throughput(Throughput::Elements(2));
    group.bench_function(format!("edit/{}", text.len()), |bencher| {
        bencher.iter(|| {
            let tree = edit(&tree, &delete, Fragment::plain(&broken));
            edit(&tree, &insert, Fragment::plain(text))
        });
    });
}

fn elixir_documents(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("elixir");
    let settings = Settings::default();
    for lines in [1_000, 10_000, 100_000] {
        let source = elixir::source(lines);
        let text = Text::from(source.as_str());
        group.throughput(Throughput::Bytes(source.len() as u64));
        group.bench_function(format!("host/parse/{lines}"), |bencher| {
            bencher.iter(|| HostDocument::parse(HostKind::Elixir, &text, &settings.roles));
        });
        group.bench_function(format!("document/new/{lines}"), |bencher| {
            bencher.iter(|| Document::new(HostKind::Elixir, &source, settings.clone()));
        });

        let (delete, insert) = keystrokes(&source, ":string");
        group.throughput(Throughput::Elements(2));
        let mut document = Document::new(HostKind::Elixir, &source, settings.clone());
        group.bench_function(format!("document/edit/{lines}"), |bencher| {
            bencher.iter(|| {
                document.edit(&delete);
                document.edit(&insert);
            });
        });
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("document/diagnostics/{lines}"), |bencher| {
            bencher.iter(|| document.diagnostics().len());
        });
        group.bench_function(format!("document/clone/{lines}"), |bencher| {
            bencher.iter(|| document.clone());
        });
    }
    group.finish();
}

fn catalogs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("catalog");
    for entries in [200, 20_000] {
        let entry = |it| format!("tool_{it}{SIGNATURE}\n  What tool {it} is for.\n\n");
        let source: String = (0..entries).map(entry).collect();
        group.throughput(Throughput::Bytes(source.len() as u64));
        group.bench_function(format!("parse/{entries}"), |bencher| {
            bencher.iter(|| catalog::parse(black_box(&source)));
        });
        for word in [":string", "What"] {
            let (delete, insert) = keystrokes(&source, word);
            let mut document = Document::new(HostKind::Catalog, &source, Settings::default());
            group.throughput(Throughput::Elements(2));
            group.bench_function(format!("edit/{word}/{entries}"), |bencher| {
                bencher.iter(|| {
                    document.edit(&delete);
                    document.edit(&insert);
                });
            });
            group.throughput(Throughput::Elements(1));
            group.bench_function(format!("diagnostics/{word}/{entries}"), |bencher| {
                bencher.iter(|| document.diagnostics().len());
            });
        }
    }
    group.finish();
}

/// The edits that delete the third character of the middle `word`, and insert it again.
fn keystrokes(text: &str, word: &str) -> (TextEdit, TextEdit) {
    let places: Vec<_> = text.match_indices(word).collect();
    let (start, _) = places[places.len() / 2];
    let at: TextSize = size(start + 2);
    let char = &text[start + 2..start + 3];
    (
        TextEdit::delete(TextRange::at(at, 1.into())),
        TextEdit::insert(at, char),
    )
}
