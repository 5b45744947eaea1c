//! The programs in the code blocks of a prompt, updated from edit to edit.

use super::{Stretch, blocks::CodeBlock, edit::Region, kept};
use crate::{
    host::{PlacedUnit, Roles, units::Units},
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The signs of code that is worth checking; other blocks are not parsed.
const MARKS: [&str; 5] = ["(return", "(tool/", "(call", "data/", "ctx/"];

/// The length of the longest mark.
const LONGEST_MARK: u32 = 7;

/// The code blocks in Lisp, and their units.
#[derive(Debug, Clone)]
pub struct Programs {
    /// Where parsing can begin, in order.
    starts: Vec<TextSize>,
    code: Vec<CodeBlock>,
    units: Units,
}

impl Programs {
    /// Whether `text` may contain such code.
    pub fn may_be_in(text: &str) -> bool {
        MARKS.iter().any(|mark| text.contains(mark))
    }

    /// Whether an edit that inserted text at `inserted` of `body` may have added the first such code.
    pub fn may_begin_in(text: &Text, body: TextRange, inserted: TextRange) -> bool {
        let before = inserted.start().checked_sub(LONGEST_MARK.into());
        let near = TextRange::new(
            before.unwrap_or_default(),
            inserted.end() + TextSize::from(LONGEST_MARK),
        );
        near.intersect(body)
            .is_some_and(|near| Self::may_be_in(&text.slice(near)))
    }

    /// Reads those in `body`, which begins at `start` of the document.
    pub fn read(body: &str, start: TextSize, roles: &Roles) -> Self {
        let stretch = Stretch::read(body.into(), start);
        let (code, units) = stretch.lisp(&|block| stretch.programs(block, roles));
        Self {
            starts: stretch.starts,
            code,
            units: units.into(),
        }
    }

    /// The units of those in `body`, which begins at `start` of the document, each read when it is needed.
    pub fn units_in(
        body: &str,
        start: TextSize,
        roles: &Roles,
    ) -> impl Iterator<Item = PlacedUnit> {
        let mut stretch = Stretch::read(body.into(), start);
        let code = std::mem::take(&mut stretch.code).into_iter();
        code.filter(CodeBlock::is_lisp)
            .flat_map(move |block| stretch.programs(&block, roles))
    }

    /// Applies an edit of the body; `text` is that after it.
    pub fn edit(&mut self, text: &Text, edit: &TextEdit, roles: &Roles) {
        let mut region = Region::find(&self.starts, text, edit);
        let (code, units) = region.stretch.lisp(&|block| match region
            .same_block(&self.code, block, edit)
        {
            Some(same) => kept(&self.units, same, edit).collect(),
            None => region.stretch.programs(block, roles),
        });
        region.stretch.code = code;
        let removed = self.units.beginning_in(region.old);
        self.units.replace(removed, units, edit);
        region.replace(&mut self.starts, &mut self.code, edit);
    }

    /// Their units, in order.
    pub fn units(&self) -> &[PlacedUnit] {
        self.units.as_slice()
    }
}

impl Stretch<'_> {
    /// The programs in a block.
    fn programs(&self, block: &CodeBlock, roles: &Roles) -> Vec<PlacedUnit> {
        if !Programs::may_be_in(&self.text[block.range() - self.start]) {
            return Vec::new();
        }
        let mut units = self.units(block, roles);
        // Placeholders are not code.
        units.retain(|it| !self.text[it.range() - self.start].contains("{{"));
        units
    }

    /// The code blocks in Lisp, and the units that `units` finds in them.
    fn lisp(
        &self,
        units: &dyn Fn(&CodeBlock) -> Vec<PlacedUnit>,
    ) -> (Vec<CodeBlock>, Vec<PlacedUnit>) {
        let code: Vec<_> = self
            .code
            .iter()
            .filter(|it| it.is_lisp())
            .cloned()
            .collect();
        let units = code.iter().flat_map(units).collect();
        (code, units)
    }
}
