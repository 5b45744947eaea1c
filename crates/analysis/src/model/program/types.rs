//! The types of expressions, of which few are asked for.

use foldhash::HashMap;

use super::Ty;
use signature_ls_source::text::TextRange;

/// Most programs have fewer expressions.
const FEW: usize = 32;

/// The types of expressions at some places.
#[derive(Debug)]
pub(super) struct Types<'a> {
    /// In the order in which they were noted. The last one at a place counts.
    noted: Vec<(TextRange, Ty<'a>)>,
    /// The index of the last one at each place, as far as they were when one was asked for.
    last: HashMap<TextRange, usize>,
    /// How many are in `last`.
    indexed: usize,
}

impl Default for Types<'_> {
    fn default() -> Self {
        Self {
            noted: Vec::with_capacity(FEW),
            last: HashMap::default(),
            indexed: 0,
        }
    }
}

impl<'a> Types<'a> {
    /// Notes the type of the expression at `range`.
    pub(super) fn note(&mut self, range: TextRange, ty: Ty<'a>) {
        self.noted.push((range, ty));
    }

    /// The type of the expression at `range`.
    pub(super) fn of(&mut self, range: TextRange) -> Option<Ty<'a>> {
        let new = self.noted.iter().enumerate().skip(self.indexed);
        self.last
            .extend(new.map(|(index, (range, _))| (*range, index)));
        self.indexed = self.noted.len();
        let index = self.last.get(&range)?;
        self.noted.get(*index).map(|(_, ty)| ty.clone())
    }
}
