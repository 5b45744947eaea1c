//! The uses that a rule may report, and what may make others of them.

use std::sync::Arc;

use super::{Meaning, Use, fields_of};
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

/// A tag of a section that has no other one. The text on its other side may be meant to be inside.
#[derive(Debug, Clone)]
pub(super) struct LoneTag {
    /// The end of an opening tag, the start of a closing one.
    pub(super) at: TextSize,
    /// The names of the elements of its section in normal form, sorted; `None` if any name is possible.
    names: Option<Arc<[String]>>,
}

impl LoneTag {
    /// The opening tag that ends at `end`, of a section over a value of the type `ty`.
    pub(super) fn opening(ty: Option<&Type>, end: TextSize, edition: Edition) -> Self {
        Self {
            at: end,
            names: ty.and_then(|ty| names_in(element_of(ty), edition)),
        }
    }

    /// The closing tag that begins at `start`, of a section over a value of the type `ty`, which is known.
    pub(super) fn closing(ty: &Type, start: TextSize, edition: Edition) -> Self {
        let element = element_of(ty);
        let is_open = matches!(
            element.kind,
            TypeKind::Record(_)
                | TypeKind::Primitive(Primitive::Map | Primitive::Any)
                | TypeKind::Unknown
        );
        Self {
            at: start,
            names: names_in(element, edition).or_else(|| (!is_open).then(Arc::default)),
        }
    }

    /// The same tag, moved by `offset` bytes.
    pub(super) fn moved_by(self, offset: TextSize) -> Self {
        Self {
            at: self.at + offset,
            ..self
        }
    }

    /// Whether its section has the same elements as that of `other`.
    pub(super) fn has_names_of(&self, other: &Self) -> bool {
        match (&self.names, &other.names) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }

    /// Whether `it`, which is on its other side, may be meant to be in its section.
    pub(super) fn may_hold(&self, it: &Use, edition: Edition) -> bool {
        match (&it.meaning, it.segments.first()) {
            (Meaning::DotWithoutElement, _) => true,
            (Meaning::Unknown { segment: 0, .. }, Some((name, _))) => {
                let name = edition.normal_form(name);
                let is_in = |names: &Arc<[String]>| {
                    names.binary_search_by(|it| it.as_str().cmp(&name)).is_ok()
                };
                self.names.as_ref().is_none_or(is_in)
            }
            _ => false,
        }
    }
}

/// The type of the elements of a list; other types themselves.
fn element_of(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::List(element) => element,
        _ => ty,
    }
}

/// The names of the fields of a record, if it has any.
fn names_in(ty: &Type, edition: Edition) -> Option<Arc<[String]>> {
    Some(fields_of(ty)?.sorted_names(edition))
}
