//! Sessions of Elixir's shell in code blocks: `iex>` and `...>` before the input.

use std::ops::Range;

/// Whether `line` begins with the shell's prompt.
pub fn has_prompt(line: &str) -> bool {
    prompt_len(line).is_some()
}

/// Whether a line of the text begins with the shell's prompt.
pub fn has_prompts(text: &str, pieces: &[Range<usize>]) -> bool {
    lines(text, pieces).any(|line| has_prompt(&text[line]))
}

/// Whether code begins with the shell's prompt, apart from comments.
pub fn is_session(text: &str, pieces: &[Range<usize>]) -> bool {
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let mut lines = lines(text, pieces).map(|line| text[line].trim());
    let first = lines.find(is_code);
    first.is_some_and(|line| prompt_len(line).is_some())
}

/// The input, line by line, without prompts and output, and the indices of the lines whose output is an error.
pub fn input(text: &str, pieces: &[Range<usize>]) -> (Vec<Range<usize>>, Vec<usize>) {
    let (mut input, mut failing, mut first) = (Vec::new(), Vec::new(), 0);
    for line in lines(text, pieces) {
        let written = text[line.clone()].trim_start();
        match prompt_len(&text[line.clone()]) {
            Some(prompt) => {
                if written.starts_with("iex") {
                    first = input.len();
                }
                input.push(line.start + prompt..line.end);
            }
            None => {
                if written.starts_with("{:error,") || written.starts_with("** (") {
                    failing.extend(first..input.len());
                }
                first = input.len();
            }
        }
    }
    (input, failing)
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

/// The length of the prompt at the start of `line`: `iex>`, `iex(1)>`, `...>`, `...(1)>`.
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
