//! Parses a long document in pieces, on several threads.
//!
//! A piece begins at the start of a line, where a lexer is as at the start of a text. Which nodes are open there is
//! guessed: those that the lines above open that are indented less. A piece counts if the one before it ends with these
//! nodes open; otherwise that one goes on through its text.

use rowan::GreenNode;

use super::{
    Bracketed, Kind, Role,
    parse::{Around, List, Open, Parser, Place, innermost_list},
    recover::{Opened, Scope},
};
use crate::{
    parallel,
    syntax::{
        reparse::GreenElement,
        runs::{Elements as _, Runs},
    },
};

/// The length of a piece in bytes, about.
pub const PIECE: usize = 128 * 1024;

/// The range after the end of a piece in which the next one may begin.
const WINDOW: usize = 16 * 1024;

/// The longest line that may say what is open below it.
const LONGEST_LINE: usize = 1024;

/// The most lines that do.
const MOST_LINES: usize = 32;

/// Where the pieces of `text` begin, without the first.
pub fn cuts<L: Bracketed>(text: &str) -> Vec<usize> {
    let targets = (1..text.len() / PIECE).map(|index| index * PIECE);
    targets
        .filter_map(|target| cut_after::<L>(text, target))
        .collect()
}

/// The line after `target` that is indented least, a definition if there is one.
fn cut_after<L: Bracketed>(text: &str, target: usize) -> Option<usize> {
    let end = text.len().min(target + WINDOW);
    let lines = memchr::memchr_iter(b'\n', &text.as_bytes()[target..end]);
    let mut best = None;
    for newline in lines {
        let line = Line::at(text, target + newline + 1);
        let Some(line) = line.filter(|line| line.start < end) else {
            continue;
        };
        let code = &text[line.start..];
        let rank = (line.indent, !L::begins_definition(code, line.indent));
        if best.is_none_or(|(least, _)| rank < least) && begins_anew::<L>(code) {
            best = Some((rank, line.start));
        }
    }
    best.map(|(_, start)| start)
}

/// Whether `code` neither begins with a comment nor closes anything.
fn begins_anew<L: Bracketed>(code: &str) -> bool {
    let first = L::lex(code).next();
    first.is_some_and(|it| !it.kind.is_trivia() && it.kind.role() != Role::Closes)
}

/// A line that is not blank.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// Where its code begins.
    start: usize,
    indent: usize,
}

impl Line {
    /// The line that begins at `at`.
    fn at(text: &str, at: usize) -> Option<Self> {
        let rest = &text.as_bytes()[at..];
        let indent = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let indent = indent.count();
        let is_blank = matches!(rest.get(indent), None | Some(b'\n' | b'\r'));
        (!is_blank).then_some(Self {
            start: at + indent,
            indent,
        })
    }
}

/// Parses `text` in pieces that begin at `cuts`, in ascending order.
pub fn parse<L: Bracketed>(text: &str, cuts: &[usize]) -> GreenNode {
    let mut beginnings = vec![Beginning::default()];
    for cut in cuts {
        let before = beginnings.last().filter(|it| it.start > 0);
        beginnings.extend(Beginning::at::<L>(text, *cut, before));
    }
    let ends = beginnings[1..].iter().map(|it| it.start);
    let ends: Vec<_> = ends.chain([text.len()]).collect();
    let spans: Vec<_> = beginnings.into_iter().zip(ends).collect();
    let pieces = parallel::map_long(&spans, |(start, end)| Piece::<L>::read(text, start, *end));
    let whole = pieces.into_iter().reduce(|mut whole, next| {
        whole.append(next);
        whole
    });
    let parser = whole.map_or_else(
        || Parser::new(text, 0, Around::default(), true),
        |it| it.parser,
    );
    parser.finish().root
}

/// The start of a piece.
#[derive(Debug, Default)]
struct Beginning {
    start: usize,
    /// The lines above that are indented less, each less than the next one.
    above: Vec<Line>,
    /// The nodes that they probably open.
    opened: Vec<Opened>,
}

impl Beginning {
    /// The start of a piece at `start`, given that of the piece before.
    fn at<L: Bracketed>(text: &str, start: usize, before: Option<&Self>) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut next = line_start(bytes, start);
        let top = before.map_or(0, |it| line_start(bytes, it.start));
        let mut indent = start - next;
        let mut above = Vec::new();
        while indent > 0 && next > top {
            let at = line_start(bytes, next - 1);
            let len = next - at;
            next = at;
            let line = Line::at(text, at).filter(|line| line.indent < indent);
            let Some(line) = line.filter(|it| !is_comment::<L>(&text[it.start..])) else {
                continue;
            };
            if len > LONGEST_LINE || above.len() == MOST_LINES {
                return None;
            }
            indent = line.indent;
            above.push(line);
        }
        let outer = before.iter().flat_map(|it| it.above.iter().rev());
        above.extend(outer.filter(|it| it.indent < indent));
        above.reverse();
        let opened = opened::<L>(text, &above, start);
        let is_code = opened.iter().all(|it| it.kind.is_group());
        is_code.then_some(Self {
            start,
            above,
            opened,
        })
    }
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1)
}

fn is_comment<L: Bracketed>(code: &str) -> bool {
    L::lex(code).next().is_some_and(|it| it.kind.is_trivia())
}

/// The nodes that the lines `above` open, as seen from the line at `start`.
fn opened<L: Bracketed>(text: &str, above: &[Line], start: usize) -> Vec<Opened> {
    let bytes = text.as_bytes();
    let mut lines = String::new();
    for line in above {
        let begin = line.start - line.indent;
        let end = memchr::memchr(b'\n', &bytes[line.start..])
            .map_or(text.len(), |it| line.start + it + 1);
        if lines.is_empty() && begin > 0 {
            lines.push('\n');
        }
        lines.push_str(&text[begin..end]);
    }
    lines.push_str(&text[line_start(bytes, start)..start]);
    let end = lines.len();
    let rest = &text[start..];
    lines.push_str(rest.lines().next().unwrap_or_default());
    let around = Around {
        scope: L::scope_begun(&lines),
        is_line_start: true,
        ..Around::default()
    };
    let mut parser = Parser::new(&lines, 0, around, true);
    parser.read_to::<L>(end, &mut L::lex(&lines));
    parser.opened
}

/// A part of a document that was read.
struct Piece<'t, L: Bracketed> {
    start: usize,
    end: usize,
    /// The indentation of its first line, and what that begins.
    line: (usize, Scope),
    /// The nodes that were open at its start.
    opened: Vec<Opened>,
    parser: Parser<'t>,
    /// What follows it.
    tokens: L::Lexer<'t>,
}

impl<'t, L: Bracketed> Piece<'t, L> {
    fn read(text: &'t str, beginning: &Beginning, end: usize) -> Self {
        let start = beginning.start;
        let rest = &text[start..];
        let line = (
            start - line_start(text.as_bytes(), start),
            L::scope_begun(rest),
        );
        let around = Around {
            indent: line.0,
            scope: line.1,
            is_line_start: true,
            ..Around::default()
        };
        let mut parser = Parser::new(text, 0, around, true);
        parser.begin_within(start, &beginning.opened);
        let mut tokens = L::lex(rest);
        parser.read_to::<L>(end, &mut tokens);
        parser.builder.end_loan();
        Self {
            start,
            end,
            line,
            opened: beginning.opened.clone(),
            parser,
            tokens,
        }
    }

    /// Goes on with the `next` piece.
    fn append(&mut self, next: Self) {
        let parser = &mut self.parser;
        let around = &parser.around;
        // A line may go on with the one before it.
        let is_at_line = parser.offset == next.start
            && around.is_line_start
            && (around.indent, around.scope) == next.line;
        if is_at_line && parser.opened == next.opened && parser.beyond.is_empty() {
            parser.append(next.parser);
            self.tokens = next.tokens;
        } else {
            parser.read_to::<L>(next.end, &mut self.tokens);
        }
    }
}

impl Parser<'_> {
    /// Begins at `start` with nodes that were opened before.
    fn begin_within(&mut self, start: usize, opened: &[Opened]) {
        self.offset = start;
        for node in opened {
            self.open.push(Open {
                kind: node.kind,
                place: Place::Before(List::new(&self.builder)),
            });
            for counts in &mut self.groups {
                counts.make_mut().open(node.kind);
            }
        }
        self.opened = opened.to_vec();
    }

    /// Adds what `next` read, which began where this one is, with the same nodes open.
    fn append(&mut self, next: Self) {
        let mut elements = next.builder.into_elements().into_iter();
        let mut taken = 0;
        for ended in next.ended {
            let (in_list, closer) = (ended.list_end - taken, ended.end - ended.list_end);
            self.extend_list(elements.by_ref().take(in_list).collect());
            taken = ended.end;
            let closer: Vec<_> = elements.by_ref().take(closer).collect();
            if let Some(Place::At(checkpoint, list)) = self.open.pop().map(|open| open.place) {
                list.runs.finish(&mut self.builder);
                self.builder.extend(closer);
                self.builder.wrap(checkpoint, ended.kind);
            }
        }
        let mut inside = next.open;
        let mut around: Vec<_> = inside.drain(..self.open.len()).collect();
        let mut root = next.root;
        let list = innermost_list(&mut self.open, &mut self.root);
        let continued = innermost_list(&mut around, &mut root);
        if continued.runs.has_runs() {
            list.runs.pause(&mut self.builder);
            list.runs = continued.runs.moved(taken, self.builder.checkpoint());
        }
        list.is_cut = continued.is_cut;
        self.may_cut = true;
        let base = self.builder.checkpoint();
        self.builder.extend(elements);
        for open in &mut inside {
            open.place.move_from(taken, base);
        }
        self.open.append(&mut inside);
        self.beyond = next.beyond;
        self.offset = next.offset;
        self.opened = next.opened;
        self.groups = next.groups;
        self.strays.extend(next.strays);
        self.around = next.around;
    }

    /// Adds finished elements to the innermost list.
    fn extend_list(&mut self, elements: Vec<GreenElement>) {
        let has_runs = elements
            .first()
            .is_some_and(|it| it.kind() == Kind::Lines.into());
        if !has_runs {
            return self.builder.extend(elements);
        }
        let list = innermost_list(&mut self.open, &mut self.root);
        list.runs.pause(&mut self.builder);
        self.builder.extend(elements);
        list.runs = Runs::new(&self.builder);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::host::{
        elixir::Elixir,
        json::Json,
        lisp::Lisp,
        token_tree::testing::{text_of, without_runs},
    };

    /// Parses `text` in pieces that begin at the lines that `is_cut` selects, and compares the tree with that of one piece.
    fn check<L: Bracketed>(text: &str, is_cut: impl Fn(usize) -> bool) {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = starts.filter_map(|at| Some(Line::at(text, at)?.start));
        let starts = starts.filter(|start| begins_anew::<L>(&text[*start..]));
        let cuts = starts.enumerate().filter(|(index, _)| is_cut(*index));
        let cuts: Vec<_> = cuts.map(|(_, start)| start).collect();
        let (whole, pieces) = (parse::<L>(text, &[]), parse::<L>(text, &cuts));
        assert_eq!(pieces.to_string(), text);
        assert!(
            without_runs(&pieces) == without_runs(&whole),
            "{text:?} {cuts:?}"
        );
    }

    const PIECES: &[&str] = &[
        "defmodule A do\n",
        "  def f(x) do\n",
        "    g(\n",
        "      1,\n",
        "    )\n",
        "  end\n",
        "end\n",
        "\n",
        "  @doc \"\"\"\n",
        "  text\n",
        "  \"\"\"\n",
        "  x = \"a\n",
        "b\"\n",
        "# note\n",
        "  # note\n",
        "[\n",
        "  {\n",
        "    \"a\": [\n",
        "      1,\n",
        "    ],\n",
        "  },\n",
        "]\n",
        "{\n",
        "}\n",
        "(defn f\n",
        "  [x]\n",
        "  (g x\n",
        "    1))\n",
        ")\n",
        "(",
        ")",
        "\"",
        "#{",
        "}",
        " do ",
        "a.\n",
        "  |> b\n",
        "x, ",
        "  f(fn -> \n",
        "\"#{\n",
        "~s(\n",
        "    é\n",
        "\r\n",
        "\\\n",
    ];

    #[test]
    fn a_line_that_goes_on_with_the_one_before_begins_no_piece() {
        check::<Elixir>("\\\n    g(\n  |> b\n  text\n", |index| index == 0);
        check::<Elixir>("def f do \\\n  g(\n|> b\n  text\n", |index| index == 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 600,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        fn pieces_make_the_tree_of_the_whole(text in text_of(PIECES, 0..60), cuts in 1..u64::MAX) {
            let is_cut = |index: usize| cuts >> (index % 64) & 1 == 1;
            check::<Elixir>(&text, is_cut);
            check::<Json>(&text, is_cut);
            check::<Lisp>(&text, is_cut);
        }
    }
}
