//! Signatures of tools in comments above programs: `;; Signature: (query :string) -> [:map]`.

use foldhash::HashMap;

use crate::{
    host::{
        Notation, PlacedUnit,
        evidence::{self, Evidence},
        object::{self, Literal},
    },
    rare::Rare,
    syntax::fragment::Escapes,
    text::{TextRange, TextSize, size},
};

/// The start of such a comment, after its signs.
const WORD: &str = "Signature:";

/// The signatures in the comments of `code`, each for the tool that is called below it.
pub fn units(code: &str) -> Vec<PlacedUnit> {
    let mut at = 0;
    let lines = code.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start, line)
    });
    let noted =
        lines.filter_map(|(start, line)| Some((start + line.len(), signature(line, start)?)));
    let noted: Vec<_> = noted.collect();
    let ends = noted
        .iter()
        .skip(1)
        .map(|(_, range)| usize::from(range.start()));
    let ends = ends.chain([code.len()]);
    let units = noted.iter().zip(ends).filter_map(|(&(below, range), end)| {
        let name = called(&code[below.min(end)..end])?;
        Some(unit(range, name))
    });
    units.collect()
}

/// The place of the signature in the comment `line`, which begins at `start`.
fn signature(line: &str, start: usize) -> Option<TextRange> {
    let comment = line.trim_start().strip_prefix(';')?;
    let after = comment
        .trim_start_matches(';')
        .trim_start()
        .strip_prefix(WORD)?;
    let text = after.trim_start();
    let from = start + line.len() - text.len();
    let text = text.trim_end();
    let is_ours = evidence::of_signature(text) >= Some(Evidence::Likely);
    is_ours.then(|| TextRange::at(size(from), TextSize::of(text)))
}

/// The tool that `code` calls, if there is only one, apart from misspellings: the one that it calls most often.
fn called(code: &str) -> Option<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::default();
    let lines = code.lines().filter(|it| !it.trim_start().starts_with(';'));
    for call in lines.flat_map(|line| line.split("(tool/").skip(1)) {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '[' | '"');
        let name = call.split(is_end).next().unwrap_or_default();
        *counts.entry(name).or_default() += 1;
    }
    let (&name, &most) = counts.iter().max_by_key(|(_, count)| **count)?;
    let is_alone = counts.values().filter(|it| **it == most).count() == 1;
    (is_alone && !name.is_empty()).then_some(name)
}

fn unit(range: TextRange, name: &str) -> PlacedUnit {
    let literal = Literal {
        literal: range,
        content: range,
        escapes: Escapes::None,
        foreign: Rare::default(),
    };
    object::tool_unit(range, name, &literal, Notation::Lisp, Evidence::Likely)
}
