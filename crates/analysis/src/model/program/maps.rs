//! The functions of the language that take maps: what they return, given their arguments.

use super::{Ty, eval::Eval, function::Arg, record::Record};
use signature_ls_source::host::lisp::expr::{Expr, ExprKind};

impl<'a> Eval<'a, '_> {
    /// What the function `name` of maps returns.
    pub(super) fn of_map(&mut self, name: &str, args: &[Arg<'a>]) -> Ty<'a> {
        match (name, args) {
            ("get", [of, key, more @ ..]) => match key.expr {
                Some(key) => self.read_key(&of.ty, key, !more.is_empty()),
                None => Ty::Unknown,
            },
            ("get-in", [of, path, more @ ..]) => {
                let Some(ExprKind::Vector(path)) = path.expr.map(Expr::kind) else {
                    return Ty::Unknown;
                };
                let mut ty = of.ty.clone();
                for key in path {
                    ty = self.read_key(&ty, key, !more.is_empty());
                }
                ty
            }
            ("select-keys", [of, keys]) => match keys.expr.map(Expr::kind) {
                Some(ExprKind::Vector(keys)) => self.select_keys(&of.ty, keys),
                _ => Ty::Unknown,
            },
            ("assoc", [of, pairs @ ..]) => {
                self.assoc(&of.ty, pairs).map_or(Ty::Unknown, Ty::of_record)
            }
            ("update", [of, key, f, more @ ..]) => {
                let record = self.update(&of.ty, key, f, more);
                record.map_or(Ty::Unknown, Ty::of_record)
            }
            ("dissoc", [of, keys @ ..]) => {
                self.dissoc(&of.ty, keys).map_or(Ty::Unknown, Ty::of_record)
            }
            ("merge", maps) => self.merge(maps).map_or(Ty::Unknown, Ty::of_record),
            _ => Ty::Unknown,
        }
    }

    fn select_keys(&mut self, of: &Ty<'a>, keys: &'a [Expr<'a>]) -> Ty<'a> {
        let mut record = Record::default();
        for key in keys {
            let Some(name) = key.as_key() else {
                return Ty::dict(Ty::Unknown);
            };
            let ty = self.read_key(of, key, false);
            if ty.is_unknown() {
                return Ty::dict(Ty::Unknown);
            }
            record.add(&self.world.edition.normal_name(name), Some(key), ty);
        }
        Ty::of_record(record)
    }

    fn assoc(&self, of: &Ty<'a>, pairs: &[Arg<'a>]) -> Option<Record<'a>> {
        let edition = self.world.edition;
        let mut record = of.as_record(edition)?;
        for pair in pairs.chunks(2) {
            let [key, value] = pair else {
                return None;
            };
            let name = edition.normal_name(key.expr?.as_key()?);
            record.set(&name, key.expr, value.ty.clone());
        }
        Some(record)
    }

    /// Other than reading, a change does not take a string for a keyword.
    fn update(
        &mut self,
        of: &Ty<'a>,
        key: &Arg<'a>,
        f: &Arg<'a>,
        more: &[Arg<'a>],
    ) -> Option<Record<'a>> {
        let edition = self.world.edition;
        let key = key.expr?;
        let written = key.as_key()?;
        self.read_key(of, key, true);
        let mut record = of.as_record(edition)?;
        let name = edition.normal_name(written);
        let before = record.get_exact(&name, key).cloned().unwrap_or_default();
        let more = more.iter().map(|it| it.ty.clone());
        let args: Vec<_> = std::iter::once(before).chain(more).collect();
        let ty = self.apply(f, &args);
        record.set(&name, Some(key), ty);
        Some(record)
    }

    fn dissoc(&self, of: &Ty<'a>, keys: &[Arg<'a>]) -> Option<Record<'a>> {
        let edition = self.world.edition;
        let mut record = of.as_record(edition)?;
        for key in keys {
            let key = key.expr?;
            record.remove(&edition.normal_name(key.as_key()?), key);
        }
        Some(record)
    }

    fn merge(&self, maps: &[Arg<'a>]) -> Option<Record<'a>> {
        let mut merged = Record::default();
        for map in maps {
            merged.set_all(map.ty.as_record(self.world.edition)?);
        }
        Some(merged)
    }
}
