//! Sessions of Elixir's shell in code blocks: `iex>` and `...>` before what was typed.

use std::ops::Range;

/// Whether code begins with the shell's prompt.
pub fn is_session(text: &str, pieces: &[Range<usize>]) -> bool {
    let mut lines = lines(text, pieces);
    lines
        .find(|line| !text[line.clone()].trim().is_empty())
        .is_some_and(|line| prompt_len(&text[line]).is_some())
}

/// What was typed, line by line, without prompts and without answers.
pub fn input(text: &str, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
    lines(text, pieces)
        .filter_map(|line| {
            let prompt = prompt_len(&text[line.clone()])?;
            Some(line.start + prompt..line.end)
        })
        .collect()
}

/// The lines of the pieces, with their line ends.
fn lines<'a>(
    text: &'a str,
    pieces: &'a [Range<usize>],
) -> impl Iterator<Item = Range<usize>> + use<'a> {
    pieces.iter().flat_map(move |piece| {
        let mut at = piece.start;
        text[piece.clone()].split_inclusive('\n').map(move |line| {
            at += line.len();
            at - line.len()..at
        })
    })
}

/// The length of the prompt that `line` begins with: `iex>`, `iex(1)>`, `...>`, `...(1)>`.
fn prompt_len(line: &str) -> Option<usize> {
    let typed = line.trim_start_matches([' ', '\t']);
    let rest = typed
        .strip_prefix("iex")
        .or_else(|| typed.strip_prefix("..."))?;
    let rest = match rest.strip_prefix('(') {
        Some(counter) => counter.split_once(')')?.1,
        None => rest,
    };
    let rest = rest.strip_prefix('>')?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    Some(line.len() - rest.len())
}
