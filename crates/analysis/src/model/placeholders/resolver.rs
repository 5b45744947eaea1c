//! Follows the names of a template through the scopes of its sections.

mod path;

use std::sync::Arc;

use self::path::Target;
use super::{
    Frame, Meaning, Names, Use, fields_of, is_plain_scalar,
    notable::{Facts, LoneTag, MOST_NOTABLE, MOST_UNOPENED},
    shared::SharedTypes,
};
use crate::model::{Edition, Gaps, Primitive, Signature, Type, TypeKind};
use signature_ls_source::{
    cancel,
    syntax::{
        decode::unescaped,
        kind::{SyntaxKind, SyntaxNode},
        template::ast::{self, Path, Tag},
    },
    text::{TextRange, TextSize},
};

/// Reads the tags of a template in their order, and keeps the scope of the place that it has come to.
pub(super) struct Resolver<'a> {
    edition: Edition,
    gaps: &'a Gaps,
    types: SharedTypes,
    frames: Vec<Frame<'a>>,
    /// The declarations along the current path.
    declared: Vec<TextRange>,
    /// For each section around the place, the list or record it is over, if the reference compares names in it with
    /// the fields of that when the output is text.
    compared: Vec<Option<&'a Type>>,
    /// The paths of the sections around the place: their values are not nil here.
    guards: Vec<Vec<String>>,
    pub(super) uses: Vec<Use>,
    /// The facts about a part of the template, if only these are wanted of its uses.
    pub(super) facts: Option<Facts>,
    /// The number of notable uses that parts may still keep.
    pub(super) room: usize,
    /// The opening and the closing tags of sections that have no other one.
    pub(super) unclosed: Vec<LoneTag>,
    pub(super) unopened: Vec<LoneTag>,
}

/// The state to restore after a section.
pub(super) struct Entered {
    frame: bool,
    guard: bool,
}

impl<'a> Resolver<'a> {
    /// The use whose name or closing tag is at `offset` of the template `around`. Only the text around it is read.
    pub(super) fn use_at(mut self, mut around: SyntaxNode, offset: TextSize) -> Option<Use> {
        loop {
            let here = |it: &SyntaxNode| it.text_range().contains_inclusive(offset);
            for tag in around.children().filter(here).filter_map(ast::tag_of) {
                if let Tag::Placeholder(placeholder) = tag
                    && let Some(path) = placeholder.path()
                {
                    self.placeholder(&path);
                }
            }
            let is_inside =
                |it: &SyntaxNode| it.kind().is_run() || it.kind() == SyntaxKind::Section;
            let inside = around.children().filter(here).find(is_inside);
            if let Some(section) = inside.clone().and_then(ast::Section::cast) {
                self.enter(&section);
            }
            if let Some(found) = self.uses.drain(..).find(|it| it.is_at(offset)) {
                return Some(found);
            }
            around = inside?;
        }
    }

    pub(super) fn tags_in(&mut self, around: &SyntaxNode, range: TextRange) {
        let here = |it: &SyntaxNode| it.text_range().intersect(range).is_some();
        for child in around.children().filter(here) {
            if let Some(section) = ast::Section::cast(child.clone()) {
                let entered = self.enter(&section);
                self.tags_in(&child, range);
                self.leave(&entered);
            } else if child.kind().is_run() {
                self.tags_in(&child, range);
            } else if let Some(Tag::Placeholder(placeholder)) = ast::tag_of(child)
                && let Some(path) = placeholder.path()
            {
                self.placeholder(&path);
            }
        }
    }

    pub(super) fn new(signature: &'a Signature, gaps: &'a Gaps, edition: Edition) -> Self {
        let root = Frame {
            names: Names::Fields(&signature.params, &gaps.params),
            element: None,
            owner: None,
            declared: None,
            at: Vec::new(),
            is_root: true,
        };
        Self {
            types: SharedTypes::default(),
            edition,
            gaps,
            frames: vec![root],
            declared: Vec::new(),
            compared: Vec::new(),
            guards: Vec::new(),
            uses: Vec::new(),
            facts: None,
            room: MOST_NOTABLE,
            unclosed: Vec::new(),
            unopened: Vec::new(),
        }
    }

    fn add(&mut self, it: Use) {
        match &mut self.facts {
            Some(facts) => facts.add(it, self.edition),
            None => self.uses.push(it),
        }
    }

    pub(super) fn tags(&mut self, tags: impl Iterator<Item = Tag>) {
        for tag in tags {
            match tag {
                Tag::Placeholder(placeholder) => {
                    if let Some(path) = placeholder.path() {
                        self.placeholder(&path);
                    }
                }
                Tag::Section(section) => self.section(&section),
                Tag::Stray(tag) => self.stray_close(&tag),
            }
        }
    }

    /// Notes that a section may have been meant before a closing tag.
    fn stray_close(&mut self, tag: &ast::StrayClose) {
        let Some(path) = tag.path() else {
            return;
        };
        let segments = segments(&path);
        if segments.is_empty() || self.unopened.len() == MOST_UNOPENED {
            return;
        }
        let (found, _) = self.find(&path, &segments);
        self.declared = Vec::new();
        if let Ok(Some(Target { ty, beyond: 0, .. })) = found
            && !is_plain_scalar(ty)
        {
            let start = tag.syntax().text_range().start();
            self.unopened
                .push(LoneTag::closing(ty, start, self.edition));
        }
    }

    fn placeholder(&mut self, path: &Path) {
        cancel::check();
        let segments = segments(path);
        let (meaning, param) = match segments.is_empty() {
            true if path.has_hole() => (Meaning::Anything { may_be_nil: None }, None),
            true => (self.dot(), None),
            false => self.value(path, &segments),
        };
        let it = Use {
            range: path.text_range(),
            outside_of: self.outside_of(path, &segments, &meaning, false),
            segments,
            declared: std::mem::take(&mut self.declared),
            is_section: false,
            closing: Vec::new(),
            param,
            meaning,
        };
        self.add(it);
    }

    fn value(&mut self, path: &Path, segments: &[(String, TextRange)]) -> (Meaning, Option<usize>) {
        let (found, param) = self.find(path, segments);
        let meaning = match found {
            Ok(Some(target)) => {
                let may_be_nil = self.nil_segment(&target, segments.len() - target.beyond);
                match target.beyond {
                    0 => Meaning::Value {
                        ty: self.types.of(target.ty),
                        may_be_nil,
                    },
                    _ => Meaning::Anything { may_be_nil },
                }
            }
            Ok(None) => Meaning::Anything { may_be_nil: None },
            Err(meaning) => meaning,
        };
        (meaning, param)
    }

    fn dot(&mut self) -> Meaning {
        let list = self.frames.last().and_then(|frame| frame.declared);
        self.declared.extend(list);
        let frame = self.frames.last();
        let owner = frame.and_then(|frame| frame.owner);
        let map = owner.filter(|ty| is_map(ty));
        let Some(element) = frame.and_then(|frame| frame.element).or(map) else {
            return match frame.map(|frame| frame.names) {
                Some(Names::Any) => Meaning::Anything { may_be_nil: None },
                _ => Meaning::DotWithoutElement,
            };
        };
        match &element.kind {
            TypeKind::List(_) | TypeKind::Record(_) | TypeKind::Primitive(Primitive::Map) => {
                Meaning::DotOnCompound {
                    ty: self.types.of(element),
                }
            }
            _ => Meaning::Value {
                ty: self.types.of(element),
                may_be_nil: None,
            },
        }
    }

    fn section(&mut self, section: &ast::Section) {
        let entered = self.enter(section);
        self.tags(section.tags());
        self.leave(&entered);
    }

    pub(super) fn enter(&mut self, section: &ast::Section) -> Entered {
        let path = section.path();
        let segments = path.as_ref().map(segments).unwrap_or_default();
        let compared = path
            .as_ref()
            .filter(|it| !it.has_hole() && !section.is_unclosed())
            .and_then(|_| self.compared_in(&segments));
        let (frame, guard) = match &path {
            // What a section with an invalid name is over is not known.
            None => (Some(Frame::unknown()), None),
            Some(_) if segments.is_empty() => (None, None),
            Some(path) => self.section_name(section, path, segments),
        };
        // In an inverted section the value is absent for certain, so that a section around it would be empty.
        let frame = frame.filter(|_| !section.is_inverted());
        let entered = Entered {
            frame: frame.is_some(),
            guard: guard.is_some(),
        };
        self.frames.extend(frame);
        self.guards.extend(guard);
        self.compared.push(compared);
        entered
    }

    /// Adds the use of the name of a section. Returns the scope of its content, and the path that is not nil there.
    fn section_name(
        &mut self,
        section: &ast::Section,
        path: &Path,
        segments: Vec<(String, TextRange)>,
    ) -> (Option<Frame<'a>>, Option<Vec<String>>) {
        let anything = Meaning::Anything { may_be_nil: None };
        let mut over = None;
        let (found, param) = self.find(path, &segments);
        let (meaning, frame, guard) = match found {
            Ok(Some(target)) if is_plain_scalar(target.ty) => {
                let ty = self.types.of(target.ty);
                (Meaning::ScalarSection { ty }, None, None)
            }
            Ok(Some(target)) if target.beyond > 0 => {
                (anything, Some(Frame::unknown()), Some(target.at))
            }
            Ok(Some(target)) => {
                over = Some(target.ty);
                let value = Meaning::Value {
                    ty: self.types.of(target.ty),
                    may_be_nil: None,
                };
                let guard = target.at.clone();
                (value, self.frame_over(target), Some(guard))
            }
            Ok(None) => (anything, Some(Frame::unknown()), None),
            // The value of an invalid section is unknown, so nothing in it is reported.
            Err(meaning) => (meaning, Some(Frame::unknown()), None),
        };
        if section.is_unclosed() {
            let end = path.text_range().end();
            self.unclosed
                .push(LoneTag::opening(over, end, self.edition));
        }
        let it = Use {
            range: path.text_range(),
            outside_of: self.outside_of(path, &segments, &meaning, true),
            closing: self.closing(section, &segments),
            segments,
            declared: std::mem::take(&mut self.declared),
            is_section: true,
            param,
            meaning,
        };
        self.add(it);
        (frame, guard)
    }

    pub(super) fn leave(&mut self, entered: &Entered) {
        if entered.frame {
            self.frames.pop();
        }
        if entered.guard {
            self.guards.pop();
        }
        self.compared.pop();
    }

    /// The list or record that the reference compares names in a section over `segments` with when the output is text.
    /// It only follows sections over the fields of a list's elements.
    fn compared_in(&self, segments: &[(String, TextRange)]) -> Option<&'a Type> {
        let [(name, _)] = segments else {
            return None;
        };
        let fields = match self.compared.last() {
            None => self.frames[0].names.fields()?,
            Some(around) => match &(*around)?.kind {
                TypeKind::List(element) => fields_of(element)?,
                _ => return None,
            },
        };
        Some(&fields.named(name, self.edition)?.ty)
    }

    /// The elements or the record that the reference compares a name in a section with when the output is text, if the
    /// name, which has a `meaning`, is not one of their fields.
    fn outside_of(
        &self,
        path: &Path,
        segments: &[(String, TextRange)],
        meaning: &Meaning,
        is_section: bool,
    ) -> Option<Arc<Type>> {
        let around = (*self.compared.last()?)?;
        let [(name, _)] = segments else {
            return None;
        };
        let element = match &around.kind {
            TypeKind::List(element) => element,
            _ if is_section => return None,
            _ => around,
        };
        let has_meaning = match meaning {
            Meaning::Value { .. } => true,
            // Only the reference takes it for something without names.
            Meaning::Anything { .. } => has_undeclared_names(element) && !path.has_hole(),
            _ => false,
        };
        let is_outside = || match &element.kind {
            TypeKind::Record(fields) => {
                let name = self.edition.normal_name(name);
                let gap = self.gaps.record(element.range.start());
                fields.position(&name, self.edition).is_none()
                    && !self.is_in_gap(gap, fields, &name)
            }
            _ => !is_section && !std::ptr::eq(element, around) && is_single(element),
        };
        (has_meaning && is_outside()).then(|| self.types.of(element))
    }

    /// The places of `names` in the closing tag of `section`.
    fn closing(&self, section: &ast::Section, names: &[(String, TextRange)]) -> Vec<TextRange> {
        let closing = section
            .closing_path()
            .as_ref()
            .map(segments)
            .unwrap_or_default();
        let normal = |names: &[(String, TextRange)]| -> Vec<_> {
            names
                .iter()
                .map(|(name, _)| self.edition.normal_name(name))
                .collect()
        };
        match normal(&closing) == normal(names) {
            true => closing.into_iter().map(|(_, range)| range).collect(),
            false => Vec::new(),
        }
    }
}

fn segments(path: &Path) -> Vec<(String, TextRange)> {
    path.segments()
        .map(|token| (unescaped(token.text()).into_owned(), token.text_range()))
        .collect()
}

/// Whether the type is that of maps without declared fields.
fn is_map(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Record(fields) => fields.is_empty(),
        TypeKind::Primitive(primitive) => *primitive == Primitive::Map,
        TypeKind::List(_) | TypeKind::Unknown => false,
    }
}

/// Whether values of the type may have names, of which it declares none.
fn has_undeclared_names(ty: &Type) -> bool {
    is_map(ty) || matches!(ty.kind, TypeKind::Primitive(Primitive::Any))
}

/// Whether the type is that of single values.
fn is_single(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Primitive(primitive) if *primitive != Primitive::Map)
}
