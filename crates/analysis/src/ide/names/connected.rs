//! The names that are one: those of a field, of what it is connected with along chains, and of the signatures in shared
//! literals.

use std::cell::Cell;

use foldhash::HashSet;

use super::{Symbol, at, chains::chained, owner, places_in, symbols};
use crate::ide::{Document, unit::Target};
use signature_ls_source::text::TextRange;

/// `left` and everything that is renamed with them. A literal that several calls use connects the signatures of these
/// calls.
pub(crate) fn connected(document: &Document, mut left: Vec<Symbol>) -> Vec<Symbol> {
    let mut connected = Vec::new();
    let mut known = HashSet::default();
    let mut seen = HashSet::default();
    while let Some(symbol) = left.pop() {
        if !known.insert(symbol.clone()) {
            continue;
        }
        left.extend(chained(document, &symbol));
        let shares_text = SharesText::new(document);
        let may_name_others =
            |unit, target: &Target| !names_only(target, &symbol) || shares_text.of(unit);
        for place in places_in(document, &symbol, &may_name_others) {
            if shares_text.of(place.unit) {
                left.extend(symbols_at(document, place.name.range));
            } else if seen.insert((owner(document, &place), place.name.target.clone())) {
                left.extend(symbols(document, &place));
            }
        }
        connected.push(symbol);
    }
    connected
}

/// The symbols that the names at `range` refer to.
pub(crate) fn symbols_at(document: &Document, range: TextRange) -> Vec<Symbol> {
    let named = at(document, range.start()).into_iter();
    let named = named.filter(|it| it.name.range == range);
    named.flat_map(|it| symbols(document, &it)).collect()
}

/// Whether a name in a unit that shares no text with others refers only to `symbol`.
pub(crate) fn names_only(target: &Target, symbol: &Symbol) -> bool {
    matches!(
        (target, symbol),
        (
            Target::Field { .. } | Target::Elsewhere { .. },
            Symbol::Field { .. }
        ) | (Target::Context(_), Symbol::Context { .. })
            | (Target::Tool(_), Symbol::Tool { .. })
    )
}

/// Whether units share text with others, cached: a unit may have thousands of names.
struct SharesText<'a> {
    document: &'a Document,
    /// The unit of the last lookup.
    last: Cell<Option<(usize, bool)>>,
}

impl<'a> SharesText<'a> {
    fn new(document: &'a Document) -> Self {
        Self {
            document,
            last: Cell::new(None),
        }
    }

    fn of(&self, unit: usize) -> bool {
        if let Some((_, shares)) = self.last.get().filter(|(last, _)| *last == unit) {
            return shares;
        }
        let (placed, _) = self.document.unit(unit);
        let range = placed.range();
        let shares = self.document.indices_in(range).any(|it| it != unit);
        self.last.set(Some((unit, shares)));
        shares
    }
}
