//! The columns at which lists and mappings of a YAML text are open.

/// A set of columns, up to [`Columns::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Columns(u32);

impl Columns {
    /// Lists and mappings at this column or behind it are not split.
    const MAX: usize = u32::BITS as usize;

    fn bit(column: usize) -> u32 {
        match column < Self::MAX {
            true => 1 << column,
            false => 0,
        }
    }

    fn insert(&mut self, column: usize) {
        self.0 |= Self::bit(column);
    }

    fn contains(self, column: usize) -> bool {
        self.0 & Self::bit(column) != 0
    }

    /// Those before `column`.
    fn before(self, column: usize) -> Self {
        match column < Self::MAX {
            true => Self(self.0 & (Self::bit(column) - 1)),
            false => self,
        }
    }

    fn last(self) -> Option<usize> {
        (0..Self::MAX).rev().find(|&column| self.contains(column))
    }
}

/// The lists and mappings around a line that are split at their items and keys, by their columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    lists: Columns,
    mappings: Columns,
}

impl Levels {
    /// Whether a list or mapping at `column` can be split.
    pub(super) fn reach(column: usize) -> bool {
        column < Columns::MAX
    }

    pub(super) fn add_list(&mut self, column: usize) {
        self.lists.insert(column);
    }

    pub(super) fn add_mapping(&mut self, column: usize) {
        self.mappings.insert(column);
    }

    pub(super) fn has_list(self, column: usize) -> bool {
        self.lists.contains(column)
    }

    pub(super) fn has_mapping(self, column: usize) -> bool {
        self.mappings.contains(column)
    }

    /// Whether there is a list at `column`, or a mapping.
    pub(super) fn has(self, column: usize, is_list: bool) -> bool {
        match is_list {
            true => self.has_list(column),
            false => self.has_mapping(column),
        }
    }

    /// What is around an item at `column`, or an entry. A list may be at the column of its key.
    pub(super) fn around(self, column: usize, is_item: bool) -> Self {
        Self {
            lists: self.lists.before(column),
            mappings: self.mappings.before(column + usize::from(is_item)),
        }
    }

    /// The mapping at the margin, if there is one.
    pub(super) fn outermost(self) -> Self {
        Self {
            lists: Columns::default(),
            mappings: self.mappings.before(1),
        }
    }

    /// The column of the innermost.
    pub(super) fn innermost(self) -> Option<usize> {
        self.lists.last().max(self.mappings.last())
    }
}
