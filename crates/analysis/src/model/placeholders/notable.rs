//! The uses that a rule may report, and what may make others of them.

use std::sync::Arc;

use super::{Meaning, Use};
use crate::model::{Edition, Type, TypeKind};
use signature_ls_source::{order, text::TextSize};

/// The maximum number of notable uses that are kept when a template is read: more than are ever shown. The others are
/// read again if they are needed after all.
pub(super) const MOST_NOTABLE: usize = 2048;

/// The facts about the uses of a part, without those in its parts.
#[derive(Default)]
pub(super) struct Facts {
    /// The first notable uses.
    pub(super) notable: Vec<Arc<Use>>,
    /// The maximum number of them.
    most: usize,
    /// Whether there are more.
    pub(super) is_cut: bool,
    pub(super) params: Vec<usize>,
    pub(super) declared: Vec<TextSize>,
}

impl Facts {
    pub(super) fn up_to(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, it: Use, edition: Edition) {
        self.params.extend(it.param);
        self.declared
            .extend(it.declared.iter().map(|it| it.start()));
        if !it.is_notable(edition) {
            return;
        }
        match self.most {
            0 => self.is_cut = true,
            _ => self.notable.push(Arc::new(it)),
        }
        if self.notable.len() > self.most.saturating_mul(2) {
            self.keep_first();
        }
    }

    pub(super) fn keep_first(&mut self) {
        order::by_start(&mut self.notable, |it| it.range.start());
        self.is_cut |= self.notable.len() > self.most;
        self.notable.truncate(self.most);
    }
}

/// An unclosed section. The text after it may be meant to be inside.
#[derive(Debug, Clone)]
pub(super) struct Unclosed {
    /// The end of its tag.
    pub(super) end: TextSize,
    /// The names of its elements; `None` if any name is possible.
    pub(super) names: Option<Vec<String>>,
}

impl Unclosed {
    /// A section over a value of the type `ty`.
    pub(super) fn over(ty: Option<&Type>, end: TextSize) -> Self {
        let fields = |ty: &Type| match &ty.kind {
            TypeKind::Record(fields) if !fields.is_empty() => {
                Some(fields.iter().map(|field| field.name.clone()).collect())
            }
            _ => None,
        };
        let names = ty.and_then(|ty| match &ty.kind {
            TypeKind::List(element) => fields(element),
            _ => fields(ty),
        });
        Self { end, names }
    }

    pub(super) fn may_hold(&self, it: &Use, edition: Edition) -> bool {
        match &it.meaning {
            Meaning::DotWithoutElement => true,
            Meaning::Unknown { segment: 0, .. } => {
                let first = it.segments.first();
                let name = first.map(|(name, _)| edition.normal_name(name));
                self.names.as_ref().is_none_or(|names| {
                    let mut names = names.iter().map(|it| edition.normal_name(it));
                    names.any(|it| Some(it) == name)
                })
            }
            _ => false,
        }
    }
}
