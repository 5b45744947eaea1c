//! The part of a Markdown document that an edit can change.

use crate::{
    host::{
        markdown::{Stretch, blocks::CodeBlock},
        units::moved,
    },
    text::{Text, TextEdit, TextRange, TextSize},
};

/// The range to parse again after an edit.
pub(super) struct Region<'t> {
    /// Its place before the edit.
    pub(super) old: TextRange,
    /// Its place after the edit.
    pub(super) stretch: Stretch<'t>,
}

impl<'t> Region<'t> {
    /// Finds the region, given the places where parsing could begin before the edit; `text` is that after it.
    ///
    /// It begins one such place before the one that the edit touches, and ends at the first place after the edit where
    /// parsing can begin both before and after it.
    pub(super) fn find(starts: &[TextSize], text: &'t Text, edit: &TextEdit) -> Self {
        let touched = starts.partition_point(|start| *start <= edit.range.start());
        let from = starts.get(touched.saturating_sub(2));
        let from = from.copied().unwrap_or_default();
        let is_before = |start: &TextSize| *start < edit.range.end();
        let following = &starts[starts.partition_point(is_before).max(touched)..];
        let mut count = 1;
        loop {
            let end = following
                .get(count)
                .map_or(text.len(), |start| moved(*start, edit));
            let mut stretch = Stretch::read(text.slice(TextRange::new(from, end)), from);
            let meets =
                |start: &&TextSize| stretch.starts.binary_search(&moved(**start, edit)).is_ok();
            let met = following.iter().take(count).find(meets);
            if let Some(met) = met {
                stretch.cut(moved(*met, edit));
                let old = TextRange::new(from, *met);
                return Self { old, stretch };
            }
            if count >= following.len() {
                let old = TextRange::new(from, TextSize::from(u32::MAX));
                return Self { old, stretch };
            }
            count *= 2;
        }
    }

    /// The code block before the edit that equals `block` of the range.
    pub(super) fn same_block<'c>(
        &self,
        code: &'c [CodeBlock],
        block: &CodeBlock,
        edit: &TextEdit,
    ) -> Option<&'c CodeBlock> {
        let before = Some(block.start).filter(|start| *start < edit.range.end());
        let inserted = TextSize::of(edit.insert.as_str());
        let after = (block.start + edit.range.len()).checked_sub(inserted);
        let after = after.filter(|start| *start >= edit.range.end());
        let mut places = before.into_iter().chain(after);
        let old = places.find_map(|start| {
            let index = code.binary_search_by_key(&start, |old| old.start).ok()?;
            Some(&code[index]).filter(|_| start >= self.old.start())
        })?;
        Self::is_same_block(old, block, edit).then_some(old)
    }

    /// Whether `new` is the block that `old` was before the edit, which does not touch it.
    pub(super) fn is_same_block(old: &CodeBlock, new: &CodeBlock, edit: &TextEdit) -> bool {
        let range = old.range();
        let is_untouched = range.end() <= edit.range.start() || edit.range.end() <= range.start();
        let is_same =
            old.language == new.language && old.pieces == new.pieces && old.failing == new.failing;
        is_untouched && is_same && moved(old.start, edit) == new.start
    }

    /// Replaces the contents of the range.
    pub(super) fn replace(
        self,
        starts: &mut Vec<TextSize>,
        code: &mut Vec<CodeBlock>,
        edit: &TextEdit,
    ) {
        let first = starts.partition_point(|start| *start < self.old.start());
        let end = starts.partition_point(|start| *start < self.old.end());
        for start in &mut starts[end..] {
            *start = moved(*start, edit);
        }
        starts.splice(first..end, self.stretch.starts);

        let first = code.partition_point(|block| block.start < self.old.start());
        let end = code.partition_point(|block| block.start < self.old.end());
        for block in &mut code[end..] {
            block.start = moved(block.start, edit);
        }
        code.splice(first..end, self.stretch.code);
    }
}

impl Stretch<'_> {
    /// Removes what begins at or after `end`.
    fn cut(&mut self, end: TextSize) {
        self.starts.retain(|start| *start < end);
        self.code.retain(|block| block.start < end);
    }
}
