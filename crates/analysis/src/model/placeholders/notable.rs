//! The uses that a rule may report, and what may make others of them.

use std::sync::Arc;

use super::{Meaning, Use};
use crate::model::{Edition, Primitive, Type, TypeKind};
use signature_ls_source::{order, text::TextSize};

/// The maximum number of notable uses that are kept when a template is read: more than are ever shown. The others are
/// read again if they are needed after all.
pub(super) const MOST_NOTABLE: usize = 2048;

/// The first placeholders of a part that show values which are no text, each with the place from which its ranges count.
#[derive(Debug, Clone, Default)]
pub struct Compounds {
    /// One that shows a list.
    pub list: Option<(TextSize, Arc<Use>)>,
    /// One that shows a record or a map.
    pub map: Option<(TextSize, Arc<Use>)>,
}

impl Compounds {
    fn add(&mut self, it: &Use) {
        let Some(ty) = it.shown_type() else {
            return;
        };
        let first = match ty.kind {
            TypeKind::List(_) => &mut self.list,
            TypeKind::Record(_) | TypeKind::Primitive(Primitive::Map) => &mut self.map,
            TypeKind::Primitive(_) | TypeKind::Unknown => return,
        };
        let here = |first: &(TextSize, Arc<Use>)| it.range.start() < first.1.range.start();
        if first.as_ref().is_none_or(here) {
            *first = Some((TextSize::default(), Arc::new(it.clone())));
        }
    }

    /// Adds those of a part that begins at `start`.
    pub(super) fn add_all(&mut self, other: &Self, start: TextSize) {
        for (first, other) in [(&mut self.list, &other.list), (&mut self.map, &other.map)] {
            let moved = other
                .as_ref()
                .map(|(base, it)| (*base + start, Arc::clone(it)));
            let place = |(base, it): &(TextSize, Arc<Use>)| *base + it.range.start();
            let all = first.take().into_iter().chain(moved);
            *first = all.min_by_key(place);
        }
    }
}

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
    pub(super) compounds: Compounds,
    pub(super) has_sections: bool,
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
        self.compounds.add(&it);
        self.has_sections |= it.is_section;
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

/// The maximum number of closing tags without a section that are kept of a part. Each is compared with the names before
/// it.
pub(super) const MOST_UNOPENED: usize = 8;

/// A closing tag without a section. The text before it may be meant to be inside.
#[derive(Debug, Clone)]
pub(super) struct Unopened {
    /// The start of the tag.
    pub(super) start: TextSize,
    /// The names of the elements that its section has; `None` if any name is possible.
    names: Option<Vec<String>>,
}

impl Unopened {
    /// The tag at `start` of a section over a value of the type `ty`.
    pub(super) fn over(ty: &Type, start: TextSize) -> Self {
        let element = match &ty.kind {
            TypeKind::List(element) => element,
            _ => ty,
        };
        let names = match &element.kind {
            TypeKind::Record(fields) if fields.is_empty() => None,
            TypeKind::Record(fields) => {
                Some(fields.iter().map(|field| field.name.clone()).collect())
            }
            TypeKind::Primitive(Primitive::Map | Primitive::Any) => None,
            TypeKind::Primitive(_) | TypeKind::List(_) => Some(Vec::new()),
            TypeKind::Unknown => None,
        };
        Self { start, names }
    }

    /// The same tag, moved by `offset` bytes.
    pub(super) fn moved_by(self, offset: TextSize) -> Self {
        Self {
            start: self.start + offset,
            ..self
        }
    }

    pub(super) fn may_hold(&self, it: &Use, edition: Edition) -> bool {
        may_hold(self.names.as_deref(), it, edition)
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
        may_hold(self.names.as_deref(), it, edition)
    }
}

/// Whether `it` may be meant to be in a section whose elements have these `names`; `None` if any name is possible.
fn may_hold(names: Option<&[String]>, it: &Use, edition: Edition) -> bool {
    match (&it.meaning, it.segments.first()) {
        (Meaning::DotWithoutElement, _) => true,
        (Meaning::Unknown { segment: 0, .. }, Some((name, _))) => names.is_none_or(|names| {
            let mut names = names.iter();
            names.any(|it| edition.is_same_name(it, name))
        }),
        _ => false,
    }
}
