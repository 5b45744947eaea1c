//! Analyzes units with the same text once.

use std::{
    hash::BuildHasher,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
};

use foldhash::{HashMap, fast::RandomState};

use crate::ide::{analysis::UnitAnalysis, unit::Alike};
use signature_ls_source::{
    host::{HAS_SMALL_STEPS, PlacedUnit, Unit},
    text::{Text, TextSize},
};

/// Longer units rarely have the same text.
const LONGEST: TextSize = TextSize::new(4096);

/// The number of units with the same text that may differ in what their host knows.
const MOST_ALIKE: usize = 8;

/// The analyses of units by text. An analysis is a function of the unit, its text and its surroundings, so it is valid
/// for all equal units of one document in one edition.
#[derive(Default)]
pub(super) struct Interned<'a> {
    hasher: RandomState,
    by_text: RwLock<ByText<'a>>,
    alike: Alike,
}

type ByText<'a> = HashMap<u64, Vec<Known<'a>>>;

type Known<'a> = (&'a PlacedUnit, Arc<UnitAnalysis>);

impl<'a> Interned<'a> {
    /// The analysis of a unit that equals `placed`, else the result of `analyze`.
    pub(super) fn get_or_analyze(
        &self,
        text: &Text,
        placed: &'a PlacedUnit,
        analyze: impl FnOnce() -> UnitAnalysis,
    ) -> Arc<UnitAnalysis> {
        if !HAS_SMALL_STEPS || placed.unit.len > LONGEST || self.alike.are_none() {
            return Arc::new(analyze());
        }
        let code = |it: &PlacedUnit| text.slice(it.range());
        let own = code(placed);
        let hash = self.hasher.hash_one(&own);
        let is_alike =
            |it: &&Known<'_>| Unit::is_same(&it.0.unit, &placed.unit) && code(it.0) == own;
        let by_text = self.by_text();
        if let Some(known) = by_text.get(&hash)
            && let Some((_, analysis)) = known.iter().find(is_alike)
        {
            self.alike.count_same();
            return Arc::clone(analysis);
        }
        drop(by_text);
        let analysis = Arc::new(analyze());
        // The analyses that are kept here are not forgotten.
        if !self.alike.count_different() {
            return analysis;
        }
        let mut by_text = self.by_text.write().unwrap_or_else(PoisonError::into_inner);
        let known = by_text.entry(hash).or_insert_with(|| Vec::with_capacity(1));
        if known.len() < MOST_ALIKE {
            known.push((placed, Arc::clone(&analysis)));
        }
        analysis
    }

    fn by_text(&self) -> RwLockReadGuard<'_, ByText<'a>> {
        self.by_text.read().unwrap_or_else(PoisonError::into_inner)
    }
}
