//! Looks for what a path means in the scopes around it.

use super::Resolver;
use crate::model::{
    Fields, Primitive, Type, TypeKind,
    gaps::{Gap, NO_GAP},
    placeholders::{Frame, Meaning, Names},
    spelling::{is_slip, nearest},
};
use signature_ls_source::{syntax::template::ast::Path, text::TextRange};

/// The end of a path.
pub(super) struct Target<'a> {
    pub(super) ty: &'a Type,
    /// The declaration of its name.
    pub(super) declared: TextRange,
    /// The path from the parameters.
    pub(super) at: Vec<String>,
    /// The number of names of the path that are in something without declared fields.
    pub(super) beyond: usize,
}

impl<'a> Resolver<'a> {
    /// Resolves a path: to a value, to something unknown (`None`), or to an error. The innermost frame with the first
    /// name counts.
    pub(super) fn find(
        &mut self,
        path: &Path,
        segments: &[(String, TextRange)],
    ) -> (Result<Option<Target<'a>>, Meaning>, Option<usize>) {
        if path.has_hole() {
            return (Ok(None), None);
        }
        let first = self.edition.normal_name(&segments[0].0);
        for depth in (0..self.frames.len()).rev() {
            let frame = &self.frames[depth];
            let (fields, gap) = match frame.names {
                Names::Fields(fields, gap) => (fields, gap),
                // The frame may have the name; otherwise an outer frame counts.
                Names::Any => return (Ok(None), self.param(&first)),
                Names::None => continue,
            };
            if let Some(index) = fields.position(&first, self.edition) {
                let mut at = frame.at.clone();
                at.push(first);
                let param = frame.is_root.then_some(index);
                let declared = fields[index].name_range;
                self.declared.push(declared);
                let target = Target {
                    ty: &fields[index].ty,
                    declared,
                    at,
                    beyond: 0,
                };
                return (self.follow(target, segments).map(Some), param);
            }
            // A misspelled name of an inner frame does not refer to an outer frame.
            let is_near = || {
                let frames = self.frames[depth..].iter();
                let mut lists = frames.filter_map(|it| it.names.fields());
                lists.any(|fields| self.is_near(fields, &first))
            };
            if gap.may_hold(&first, is_near) {
                return (Ok(None), None);
            }
        }
        let candidates = self
            .frames
            .iter()
            .rev()
            .filter_map(|frame| frame.names.fields())
            .map(|fields| fields.names())
            .collect();
        (
            Err(Meaning::Unknown {
                segment: 0,
                candidates,
                element: self
                    .frames
                    .last()
                    .and_then(|it| Some(self.types.of(it.element?))),
            }),
            None,
        )
    }

    fn follow(
        &mut self,
        mut target: Target<'a>,
        segments: &[(String, TextRange)],
    ) -> Result<Target<'a>, Meaning> {
        for (segment, (name, _)) in segments.iter().enumerate().skip(1) {
            let fields = match &target.ty.kind {
                TypeKind::Record(fields) if !fields.is_empty() => fields,
                TypeKind::Record(_)
                | TypeKind::Unknown
                | TypeKind::Primitive(Primitive::Map | Primitive::Any) => {
                    target.beyond = segments.len() - segment;
                    return Ok(target);
                }
                TypeKind::List(_) => {
                    return Err(Meaning::ListWithoutSection {
                        segment: segment - 1,
                    });
                }
                TypeKind::Primitive(_) => {
                    return Err(Meaning::FieldOfScalar {
                        segment,
                        ty: self.types.of(target.ty),
                    });
                }
            };
            let name = self.edition.normal_name(name);
            let Some(index) = fields.position(&name, self.edition) else {
                let gap = self.gaps.record(target.ty.range.start());
                if self.is_in_gap(gap, fields, &name) {
                    target.beyond = segments.len() - segment;
                    return Ok(target);
                }
                return Err(Meaning::Unknown {
                    segment,
                    candidates: Box::new([fields.names()]),
                    element: None,
                });
            };
            target.at.push(name);
            target.ty = &fields[index].ty;
            target.declared = fields[index].name_range;
            self.declared.push(target.declared);
        }
        Ok(target)
    }

    /// Whether `name`, which is not in `fields`, may be hidden by an error in their list.
    pub(super) fn is_in_gap(&self, gap: &Gap, fields: &'a Fields, name: &str) -> bool {
        gap.may_hold(name, || self.is_near(fields, name))
    }

    /// Whether `name` is a misspelling of one of `fields`.
    fn is_near(&self, fields: &'a Fields, name: &str) -> bool {
        let names = fields.names();
        let near = nearest(name, names.iter().map(String::as_str));
        near.is_some_and(|near| is_slip(name, near))
    }

    pub(super) fn names_in(&self, ty: &'a Type) -> Names<'a> {
        match &ty.kind {
            TypeKind::Record(fields) => {
                let gap = self.gaps.record(ty.range.start());
                match fields.is_empty() {
                    true => Names::Any,
                    false => Names::Fields(fields, gap),
                }
            }
            TypeKind::Unknown | TypeKind::Primitive(Primitive::Map | Primitive::Any) => Names::Any,
            TypeKind::List(_) | TypeKind::Primitive(_) => Names::None,
        }
    }

    /// The scope of a section over `target`: the fields of a list's elements or of a record. A condition has none.
    pub(super) fn frame_over(&self, target: Target<'a>) -> Option<Frame<'a>> {
        let (names, element) = match &target.ty.kind {
            TypeKind::Primitive(primitive)
                if !matches!(primitive, Primitive::Map | Primitive::Any) =>
            {
                return None;
            }
            TypeKind::List(element) => (self.names_in(element), Some(&**element)),
            _ => (self.names_in(target.ty), None),
        };
        Some(Frame {
            names,
            element,
            owner: element.or(Some(target.ty)),
            declared: element.map(|_| target.declared),
            at: target.at,
            is_root: false,
        })
    }

    /// The index of the parameter with this name.
    pub(super) fn param(&self, normal_name: &str) -> Option<usize> {
        match self.frames[0].names {
            Names::Fields(fields, _) => fields.position(normal_name, self.edition),
            Names::Any | Names::None => None,
        }
    }

    /// The first of the last `len` names of the path to `target` that may be nil here.
    pub(super) fn nil_segment(&self, target: &Target<'_>, len: usize) -> Option<usize> {
        let before = target.at.len() - len;
        (0..len).find(|&segment| {
            let prefix = &target.at[..=before + segment];
            self.is_optional(prefix) && !self.guards.iter().any(|guard| guard.starts_with(prefix))
        })
    }

    /// Whether the value at `path`, counted from the parameters, is optional.
    fn is_optional(&self, path: &[String]) -> bool {
        let mut names = self.frames[0].names;
        let mut optional = false;
        for name in path {
            let Names::Fields(fields, _) = names else {
                return false;
            };
            let Some(index) = fields.position(name, self.edition) else {
                return false;
            };
            optional = fields[index].ty.optional;
            names = match &fields[index].ty.kind {
                TypeKind::Record(fields) => Names::Fields(fields, &NO_GAP),
                TypeKind::List(element) => self.names_in(element),
                _ => Names::None,
            };
        }
        optional
    }
}
