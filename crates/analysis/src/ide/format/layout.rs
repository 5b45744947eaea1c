//! The white space of one signature: on one line, or one parameter or field per line.

use crate::ide::{Document, fragment::Tree, place::Literal};
use signature_ls_source::{
    host::{HostKind, Notation, has_prompt},
    syntax::{
        catalog::ast,
        fragment::Escapes,
        kind::{SyntaxKind, SyntaxToken},
    },
    text::{TextEdit, TextRange, TextSize},
};

/// The indentation of the contents of a bracket, in spaces.
const INDENTATION: usize = 2;

/// The layout of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ide) enum Layout {
    /// On one line if it fits, unless its parameters begin on a new line.
    Canonical,
    OneLine,
    /// One parameter or field per line.
    Lines,
}

/// The edits of white space that lay out the signature in `literal`, disjoint and in order; none if it has errors or
/// its host does not allow the layout. The place of the signature is that after the `earlier` edits, which are in order.
pub(in crate::ide) fn laid_out(
    document: &Document,
    literal: &Literal<'_>,
    layout: Layout,
    earlier: &[TextEdit],
) -> Vec<TextEdit> {
    let Tree::Signature { lowered, .. } = &literal.fragment.tree else {
        return Vec::new();
    };
    let edition = document.edition();
    let is_refused = lowered.problems.iter().any(|it| it.is_refused_by(edition));
    let Some(root) = literal.root().filter(|_| !is_refused) else {
        return Vec::new();
    };
    let tokens = root
        .descendants_with_tokens()
        .filter_map(|it| it.into_token());
    let tokens: Vec<_> = tokens
        .filter(|it| it.kind() != SyntaxKind::Whitespace)
        .collect();
    let has_comment = !ast::comments(&root).is_empty();
    if tokens.is_empty() || has_comment || literal.site.is_dynamic() {
        return Vec::new();
    }
    let width = document.settings().line_width.unwrap_or(LINE_WIDTH);
    let base = base(document, literal, &tokens[0], earlier);
    let has_lines = root.text().contains_char('\n');
    let is_fixed = is_beside_ignored(document, literal);
    // The marks between the lines of such a signature are part of its layout.
    let has_marks = !base.continues && has_lines;
    if layout == Layout::Canonical && has_marks || is_fixed && has_lines {
        return Vec::new();
    }
    let takes_lines = takes_lines(document, literal) && base.continues && !is_fixed;
    let wide = tokens
        .iter()
        .zip(tokens.iter().skip(1))
        .any(|(a, b)| is_broken_after_bracket(a, b))
        || base.column + one_line_len(&tokens) > width;
    let in_lines = takes_lines
        && match layout {
            Layout::Canonical => wide,
            Layout::OneLine => false,
            Layout::Lines => true,
        };
    if layout == Layout::Lines && !takes_lines {
        return Vec::new();
    }
    let breaks = match in_lines {
        true => breaks(&tokens, &base, width),
        false => Vec::new(),
    };
    let pairs = tokens.iter().zip(tokens.iter().skip(1)).enumerate();
    let edits = pairs.filter_map(|(index, (a, b))| {
        let gap = TextRange::new(a.text_range().end(), b.text_range().start()) + literal.start;
        let depth = breaks
            .iter()
            .find(|(at, _)| *at == index)
            .map(|(_, depth)| *depth);
        let blank = match depth {
            Some(depth) => format!("\n{}{}", base.margin, " ".repeat(depth * INDENTATION)),
            None => between(a, b).to_owned(),
        };
        let is_new = document.text().slice(gap) != document.text().with_line_ends(&blank);
        is_new.then(|| TextEdit::replace(gap, blank))
    });
    edits.collect()
}

/// The indentation of a signature with several lines.
struct Base {
    margin: String,
    /// The column where the signature begins.
    column: usize,
    /// Whether more lines can begin like the first one.
    continues: bool,
}

fn base(
    document: &Document,
    literal: &Literal<'_>,
    first: &SyntaxToken,
    earlier: &[TextEdit],
) -> Base {
    let start = literal.start + first.text_range().start();
    let line_start = document.text().line_range(start).start();
    let before = before(document, start, earlier);
    let content = before.trim_start_matches([' ', '\t']);
    let mut margin = before[..before.len() - content.len()].to_owned();
    // A scalar of YAML has to be indented more than its key, which may follow the dash of an item.
    let is_scalar =
        literal.placed.unit.notation == Notation::Yaml && literal.content().start() > line_start;
    if is_scalar && !content.is_empty() {
        let key = content.trim_start_matches(['-', ' ']);
        margin.push_str(&" ".repeat(content.len() - key.len() + INDENTATION));
    }
    Base {
        column: before.chars().count(),
        margin,
        continues: !is_marked(content),
    }
}

/// The text before `end` on its line, after the `earlier` edits.
fn before(document: &Document, mut end: TextSize, earlier: &[TextEdit]) -> String {
    let text = document.text();
    let mut parts = Vec::new();
    let edits = earlier.partition_point(|it| it.range.end() <= end);
    for edit in earlier[..edits].iter().rev() {
        if edit.range.end() < text.line_range(end).start() {
            break;
        }
        parts.push(text.slice(TextRange::new(edit.range.end(), end)));
        end = edit.range.start();
        if let Some((_, last)) = edit.insert.rsplit_once('\n') {
            parts.push(last.into());
            return parts.into_iter().rev().collect();
        }
        parts.push(edit.insert.as_str().into());
    }
    parts.push(text.slice(TextRange::new(text.line_range(end).start(), end)));
    parts.into_iter().rev().collect()
}

/// Whether the next line would need the same mark: that of a quote, a comment or the shell of Elixir.
fn is_marked(line: &str) -> bool {
    line.starts_with(['>', ';']) || has_prompt(line)
}

/// Whether line ends in its white space keep the value of the literal.
fn takes_lines(document: &Document, literal: &Literal<'_>) -> bool {
    let is_flow = matches!(literal.site.escapes, Escapes::Plain { in_flow: true });
    !matches!(document.host().kind(), HostKind::Json | HostKind::Catalog)
        && literal.placed.unit.notation != Notation::Json
        && !is_flow
        && is_closed(literal)
        && (literal.placed.unit.notation != Notation::Yaml || ends_line(document, literal))
}

/// Whether nothing but a comment follows a literal of YAML on its line. An entry that goes on after its closing quote
/// ends with that line.
fn ends_line(document: &Document, literal: &Literal<'_>) -> bool {
    let end = literal.literal().end();
    if end == literal.content().end() {
        return true;
    }
    let line = document.text().line_range(end);
    let rest = document
        .text()
        .slice(TextRange::new(end, line.end().max(end)));
    let rest = rest.trim();
    rest.is_empty() || rest.starts_with('#')
}

/// Whether nothing but the end of the literal ends it. The lines after an unclosed one decide where that is.
fn is_closed(literal: &Literal<'_>) -> bool {
    let site = literal.site;
    let is_block = literal.placed.unit.notation == Notation::Yaml
        && matches!(site.escapes, Escapes::None | Escapes::Folded);
    let is_open = site.literal.start() < site.content.start();
    is_block || !is_open || site.content.end() < site.literal.end()
}

/// Whether a comment that ignores rules covers more than the literal on its first or last line: what it covers would be on
/// other lines.
fn is_beside_ignored(document: &Document, literal: &Literal<'_>) -> bool {
    let (text, range) = (document.text(), literal.literal());
    let mut ends = [range.start(), range.end()].into_iter();
    let is_covered = ends.any(|it| document.may_be_ignored_at(it));
    let line = text.line_range(range.end());
    let rest = TextRange::new(range.end(), line.end().max(range.end()));
    is_covered && text.slice(rest).contains(char::is_alphanumeric)
}

fn is_broken_after_bracket(a: &SyntaxToken, b: &SyntaxToken) -> bool {
    let is_open = matches!(a.kind(), SyntaxKind::LParen | SyntaxKind::LBrace);
    let blank = std::iter::successors(a.next_token(), SyntaxToken::next_token);
    is_open
        && blank
            .take_while(|it| it.text_range().start() < b.text_range().start())
            .any(|it| it.text().contains('\n'))
}

/// The white space between two tokens on one line.
fn between(a: &SyntaxToken, b: &SyntaxToken) -> &'static str {
    use SyntaxKind::{
        Arrow, Colon, Comma, Ident, LBrace, LBracket, LParen, Question, RBrace, RBracket, RParen,
    };
    match (a.kind(), b.kind()) {
        (_, Comma | Question | RParen | RBracket | RBrace) => "",
        (LParen | LBracket | LBrace | Colon, _) => "",
        (Comma | Arrow, _) | (_, Arrow) => " ",
        (Ident, Colon | LBracket | LBrace | Ident) => " ",
        _ => "",
    }
}

fn one_line_len(tokens: &[SyntaxToken]) -> usize {
    let words: usize = tokens.iter().map(|it| it.text().chars().count()).sum();
    let blanks = tokens
        .iter()
        .zip(tokens.iter().skip(1))
        .map(|(a, b)| between(a, b).len());
    words + blanks.sum::<usize>()
}

/// The gaps that become line breaks, by the index of the token before, each with its indentation. Brackets that do not
/// fit are broken, outermost first; at least one is.
fn breaks(tokens: &[SyntaxToken], base: &Base, width: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut broken: Vec<bool> = Vec::new();
    let mut has_broken = false;
    let mut column = base.column;
    for (index, token) in tokens.iter().enumerate() {
        column += token.text().chars().count();
        let depth = broken.iter().filter(|it| **it).count();
        match token.kind() {
            SyntaxKind::LParen | SyntaxKind::LBrace | SyntaxKind::LBracket => {
                let end = closing(tokens, index);
                let rest = one_line_len(&tokens[index..=end]);
                let is_list = token.kind() == SyntaxKind::LBracket;
                let is_empty = end == index + 1;
                let breaks = !is_list && !is_empty && (!has_broken || column + rest > width);
                has_broken |= breaks;
                broken.push(breaks);
                if breaks {
                    found.push((index, depth + 1));
                    column = base.margin.len() + (depth + 1) * INDENTATION;
                }
            }
            SyntaxKind::RParen | SyntaxKind::RBrace | SyntaxKind::RBracket => drop(broken.pop()),
            SyntaxKind::Comma if broken.last() == Some(&true) => {
                found.push((index, depth));
                column = base.margin.len() + depth * INDENTATION;
            }
            _ => {}
        }
        let closes = tokens
            .get(index + 1)
            .is_some_and(|it| matches!(it.kind(), SyntaxKind::RParen | SyntaxKind::RBrace));
        if closes && broken.last() == Some(&true) {
            let depth = broken.iter().filter(|it| **it).count();
            found.push((index, depth - 1));
            column = base.margin.len() + (depth - 1) * INDENTATION;
        } else if let Some(next) = tokens.get(index + 1) {
            column += between(token, next).len();
        }
    }
    found
}

/// The index of the bracket that closes the one at `open`.
fn closing(tokens: &[SyntaxToken], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind() {
            SyntaxKind::LParen | SyntaxKind::LBrace | SyntaxKind::LBracket => depth += 1,
            SyntaxKind::RParen | SyntaxKind::RBrace | SyntaxKind::RBracket => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    tokens.len() - 1
}

/// The default line width.
const LINE_WIDTH: usize = 98;
