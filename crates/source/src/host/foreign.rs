//! Joins the ranges of a literal that are not part of its value.

use std::sync::Arc;

use crate::{
    host::{PlacedUnit, elixir::tools::Tool},
    order,
    rare::Rare,
    syntax::{
        decode,
        fragment::{Foreign, ForeignKind, Fragment},
    },
    text::{TextRange, TextSize},
};

/// Adds `more` ranges to sorted ones. Overlapping ones are joined; an interpolation makes both one.
pub fn add(stretches: &mut Rare<Vec<Foreign>>, more: impl IntoIterator<Item = Foreign>) {
    let mut more = more.into_iter().peekable();
    if more.peek().is_none() {
        return;
    }
    let stretches = stretches.make_mut();
    stretches.extend(more);
    order::by_start(stretches, |it| it.range.start());
    stretches.dedup_by(|next, last| {
        let overlap = next.range.start() < last.range.end();
        if overlap {
            last.range = last.range.cover(next.range);
            if next.kind == ForeignKind::Hole {
                last.kind = ForeignKind::Hole;
            }
        }
        overlap
    });
}

/// The value of the literal with the content `fragment` and the delimiter `closing`, with interpolations as they are
/// written. A literal whose closing delimiter is indented is a heredoc, and loses this indentation on each line.
pub fn shown(fragment: Fragment<'_>, closing: &str) -> String {
    let indentation = blanks(closing);
    let mut foreign = Rare::from(fragment.foreign.to_vec());
    let mut start = TextSize::default();
    let margins = fragment.text.split_inclusive('\n').map(|line| {
        let range = TextRange::at(start, indentation.min(blanks(line)));
        start += TextSize::of(line);
        Foreign {
            range,
            kind: ForeignKind::Margin,
        }
    });
    add(&mut foreign, margins);
    decode::shown(Fragment {
        foreign: &foreign,
        ..fragment
    })
}

fn blanks(text: &str) -> TextSize {
    let rest = text.trim_start_matches([' ', '\t']);
    TextSize::of(text) - TextSize::of(rest)
}

/// Marks `margins`, sorted and in bytes of what the unit starts are counted in, in a unit
/// and its literals.
pub fn mark_margins(placed: &mut PlacedUnit, margins: &[TextRange]) {
    let unit = Arc::make_mut(&mut placed.unit);
    let whole = TextRange::at(placed.start, unit.len);
    let first = margins.partition_point(|margin| margin.end() <= whole.start());
    let inside = margins[first..].iter();
    let inside = inside.map_while(|margin| margin.intersect(whole));
    let inside = inside.filter(|margin| !margin.is_empty());
    unit.add_margins(inside.map(|margin| margin - placed.start));
    if let Some(extras) = unit.extras.get_mut() {
        order::by_start(&mut extras.margins, |margin| margin.start());
    }
    let mark = |content: TextRange, foreign: &mut Rare<Vec<Foreign>>| {
        let content = content + placed.start;
        let first = margins.partition_point(|margin| margin.end() <= content.start());
        let inside = margins[first..]
            .iter()
            .map_while(|margin| margin.intersect(content))
            .filter(|margin| !margin.is_empty())
            .map(|margin| Foreign {
                range: margin - content.start(),
                kind: ForeignKind::Margin,
            });
        add(foreign, inside);
    };
    for site in &mut unit.sites {
        mark(site.content, &mut site.foreign);
    }
    let tools = unit.tools.iter_mut().flatten();
    for literal in tools.filter_map(Tool::signature_mut) {
        mark(literal.content, &mut literal.foreign);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::fragment::Escapes;

    #[test]
    fn a_heredoc_loses_the_indentation_of_its_end() {
        for (written, closing, value) in [
            (
                "  one\n    two\n\n three\n",
                "  \"\"\"",
                "one\n  two\n\nthree\n",
            ),
            ("\tone\r\n\t\ttwo\r\n", "\t\"\"\"", "one\r\n\ttwo\r\n"),
            ("  one \\\n  two\\n  three\n", "  '''", "one two\n  three\n"),
            ("  one\n", "\"\"\"", "  one\n"),
            ("  one", "\"", "  one"),
        ] {
            let fragment = Fragment {
                escapes: Escapes::Backslash,
                ..Fragment::plain(written)
            };
            assert_eq!(shown(fragment, closing), value, "{written:?}");
        }
        let written = "  a #{f(\n    1)}\n  b";
        let hole = Foreign {
            range: TextRange::new(4.into(), 16.into()),
            kind: ForeignKind::Hole,
        };
        let fragment = Fragment {
            foreign: &[hole],
            ..Fragment::plain(written)
        };
        assert_eq!(shown(fragment, "  \"\"\""), "a #{f(\n    1)}\nb");
    }

    #[test]
    fn overlapping_stretches_are_joined() {
        let stretch = |start: u32, end: u32, kind| Foreign {
            range: TextRange::new(start.into(), end.into()),
            kind,
        };
        let (hole, margin) = (ForeignKind::Hole, ForeignKind::Margin);
        let mut all = Rare::from(vec![stretch(2, 4, margin), stretch(10, 20, hole)]);
        add(
            &mut all,
            [
                stretch(0, 1, margin),
                stretch(3, 6, margin),
                stretch(12, 14, margin),
            ],
        );
        let expected = [
            stretch(0, 1, margin),
            stretch(2, 6, margin),
            stretch(10, 20, hole),
        ];
        assert_eq!(*all, expected);
    }
}
