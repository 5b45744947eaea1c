//! A bare parse of a file by tree-sitter, without names, types or findings: what an editor does anyway to color it.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

const RUNS: usize = 5;

/// The time of the fastest of some parses of `text` in the language of `host`; `None` without a grammar.
pub fn parse(host: &str, text: &str) -> Option<Duration> {
    let language = match host {
        "Elixir" => tree_sitter_elixir::LANGUAGE,
        "Clojure" => tree_sitter_clojure_orchard::LANGUAGE,
        "YAML" => tree_sitter_yaml::LANGUAGE,
        "JSON" => tree_sitter_json::LANGUAGE,
        _ => return None,
    };
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.into()).ok()?;
    let times = (0..RUNS).map(|_| {
        let begin = Instant::now();
        black_box(parser.parse(black_box(text), None));
        begin.elapsed()
    });
    times.min()
}
