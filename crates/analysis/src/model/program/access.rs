//! Types of reads from maps by key.

use std::rc::Rc;

use super::{Declared, Fault, Ty, Undeclared, UseKind, eval::Eval, ty::Parts};
use signature_ls_source::{
    host::lisp::expr::{Expr, ExprKind},
    text::TextRange,
};

/// Values deeper in what a tool gives are unknown.
const MAX_PATH: usize = 32;

impl<'a> Eval<'a, '_> {
    /// What the key `key` of a value of the type `of` is. Where there is something else to take, what lacks the key is
    /// no fault.
    pub(super) fn read_key(&mut self, of: &Ty<'a>, key: &'a Expr<'a>, has_default: bool) -> Ty<'a> {
        let ty = match (key.as_key(), key.kind()) {
            (Some(name), _) => self.read(of, name, key.key_range(), has_default),
            (None, ExprKind::Int) => of.element_of_list(),
            (None, _) => Ty::Unknown,
        };
        match has_default {
            true => Ty::Unknown,
            false => ty,
        }
    }

    /// What the key `name`, which is written at `range`, of a value of the type `of` is.
    pub(super) fn read(
        &mut self,
        of: &Ty<'a>,
        name: &'a str,
        range: TextRange,
        has_default: bool,
    ) -> Ty<'a> {
        match of {
            Ty::Declared(declared) => self.declared(declared, name, range, has_default),
            Ty::Undeclared(undeclared) => self.undeclared(undeclared, name, range),
            Ty::Compound(compound) => match &compound.parts {
                Parts::Record(record) => {
                    let normal = self.world.edition.normal_name(name);
                    record.get(&normal).cloned().unwrap_or_default()
                }
                Parts::Dict(value) => value.clone(),
                Parts::List(_) | Parts::Tuple(_) => self.no_key(of, name, range, has_default),
                Parts::Set => Ty::Unknown,
            },
            Ty::Primitive(_) if of.is_certainly_no_map() => {
                self.no_key(of, name, range, has_default)
            }
            _ => Ty::Unknown,
        }
    }

    /// Notes that a value of the type `of` has no key `name`.
    fn no_key(
        &mut self,
        of: &Ty<'a>,
        name: &'a str,
        range: TextRange,
        has_default: bool,
    ) -> Ty<'a> {
        // A key without a name is still being written.
        if !has_default && !name.is_empty() {
            let of = of.clone();
            self.fault(Fault::Key { range, name, of });
        }
        Ty::Unknown
    }

    fn declared(
        &mut self,
        of: &Declared<'a>,
        name: &'a str,
        range: TextRange,
        has_default: bool,
    ) -> Ty<'a> {
        let Some(fields) = of.ty.only_fields() else {
            return Ty::Unknown;
        };
        let edition = self.world.edition;
        let Some(field) = fields.named(name, edition) else {
            return self.no_key(&Ty::Declared(*of), name, range, has_default);
        };
        let origin = of.origin;
        let ty = Ty::Declared(Declared {
            ty: &field.ty,
            origin,
        });
        self.note(range, UseKind::Field { origin, field }, &ty);
        ty
    }

    fn undeclared(&mut self, of: &Undeclared<'a>, name: &str, range: TextRange) -> Ty<'a> {
        if of.path.len() >= MAX_PATH {
            return Ty::Unknown;
        }
        let mut path = of.path.clone();
        path.push(self.world.edition.normal_name(name));
        let tool = of.tool;
        let ty = Ty::Undeclared(Rc::new(Undeclared { tool, path }));
        self.note(range, UseKind::Undeclared, &ty);
        ty
    }
}

impl Ty<'_> {
    /// What an index of it leads to.
    fn element_of_list(&self) -> Self {
        match self.is_list() || matches!(self, Ty::Undeclared(_)) {
            true => self.element(),
            false => Ty::Unknown,
        }
    }
}
