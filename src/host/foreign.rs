//! Joining the stretches of a literal that are not part of its value.

use crate::syntax::fragment::{Foreign, ForeignKind};

/// Adds `more` stretches to sorted ones. Those that overlap are joined, and a hole makes a hole of both.
pub fn add(stretches: &mut Vec<Foreign>, more: impl IntoIterator<Item = Foreign>) {
    stretches.extend(more);
    stretches.sort_by_key(|it| it.range.start());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextRange;

    #[test]
    fn overlapping_stretches_are_joined() {
        let stretch = |start: u32, end: u32, kind| Foreign {
            range: TextRange::new(start.into(), end.into()),
            kind,
        };
        let (hole, margin) = (ForeignKind::Hole, ForeignKind::Margin);
        let mut all = vec![stretch(2, 4, margin), stretch(10, 20, hole)];
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
        assert_eq!(all, expected);
    }
}
