//! The uses of names in a template.

use std::sync::Arc;

use crate::model::{Edition, Type};
use signature_ls_source::text::{TextRange, TextSize};

/// A name in a template and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The whole dotted name, in bytes of the template.
    pub range: TextRange,
    /// The names between the dots with their places; empty for `{{.}}`.
    pub segments: Vec<(String, TextRange)>,
    /// The declarations of the parameters and fields that the segments name, as far as they exist. For `{{.}}` the
    /// list of the element.
    pub declared: Vec<TextRange>,
    /// Whether it opens a section.
    pub is_section: bool,
    /// The places of the names in the closing tag of the section; empty if it has none.
    pub closing: Vec<TextRange>,
    /// The index of the parameter that it starts with; `None` if it starts elsewhere.
    pub param: Option<usize>,
    /// The meaning.
    pub meaning: Meaning,
    /// What the reference compares the name with when the output is text: the elements or the record of the section around
    /// it, if these do not have the name and another scope does.
    pub outside_of: Option<Arc<Type>>,
}

/// The meaning of a name. Its types may be large, and thousands of names may have the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A value of a type. `may_be_nil` is the first optional segment without a section that guards it.
    Value {
        /// The type of the value.
        ty: Arc<Type>,
        /// The index of the segment.
        may_be_nil: Option<usize>,
    },
    /// A value that is only known when the prompt is rendered. `may_be_nil` is the first optional segment before it
    /// without a section that guards it.
    Anything {
        /// The index of the segment.
        may_be_nil: Option<usize>,
    },
    /// No parameter or field has this name.
    Unknown {
        /// The index of the segment.
        segment: usize,
        /// The names in scope, those of the innermost section first.
        candidates: Box<[Arc<[String]>]>,
        /// What the innermost section iterates over, if the name is looked up in it.
        element: Option<Arc<Type>>,
    },
    /// The segment before this one has no fields.
    FieldOfScalar {
        /// The index of the segment.
        segment: usize,
        /// The type of the segment before.
        ty: Arc<Type>,
    },
    /// The value at this segment is a list, and no section over it is around the place.
    ListWithoutSection {
        /// The index of the segment.
        segment: usize,
    },
    /// A section over a value that is neither a list, a record nor a condition.
    ScalarSection {
        /// The type of the value.
        ty: Arc<Type>,
    },
    /// `{{.}}` without an element.
    DotWithoutElement,
    /// `{{.}}` where it is a list, a record or a map.
    DotOnCompound {
        /// The type of the element.
        ty: Arc<Type>,
    },
}

impl Use {
    /// Whether `offset` is on the name in one of its tags.
    pub(super) fn is_at(&self, offset: TextSize) -> bool {
        let mut closing = self.closing.iter();
        self.range.contains_inclusive(offset) || closing.any(|it| it.contains_inclusive(offset))
    }

    /// The type of the value that a placeholder shows, if it is known.
    pub fn shown_type(&self) -> Option<&Type> {
        match &self.meaning {
            Meaning::Value { ty, .. } if !self.is_section => Some(&**ty),
            _ => None,
        }
    }

    /// The first optional segment without a section that guards it.
    pub fn nil_segment(&self) -> Option<usize> {
        match self.meaning {
            Meaning::Value { may_be_nil, .. } | Meaning::Anything { may_be_nil } => may_be_nil,
            _ => None,
        }
    }

    /// Whether a rule may report it.
    pub(super) fn is_notable(&self, edition: Edition) -> bool {
        let is_plain = matches!(
            self.meaning,
            Meaning::Value {
                may_be_nil: None,
                ..
            } | Meaning::Anything { may_be_nil: None }
        );
        let is_hidden = || self.segments.iter().any(|(name, _)| name.starts_with('_'));
        !is_plain || self.outside_of.is_some() || (edition.has_firewall() && is_hidden())
    }

    /// The same use, moved by `offset` bytes.
    pub fn moved_by(mut self, offset: TextSize) -> Self {
        self.range += offset;
        let segments = self.segments.iter_mut().map(|(_, range)| range);
        for range in segments.chain(&mut self.closing) {
            *range += offset;
        }
        self
    }
}
