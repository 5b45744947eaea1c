//! Shared types of names.

use std::{cell::RefCell, sync::Arc};

use foldhash::HashMap;

use crate::model::{Type, TypeKind};

/// Copies of the lists and records that names have. Each is made once.
#[derive(Default)]
pub(super) struct SharedTypes {
    /// By address: the types outlive this.
    copies: RefCell<HashMap<*const Type, Arc<Type>>>,
}

impl SharedTypes {
    /// A copy of `ty` that all who ask share, if it may be large.
    pub(super) fn of(&self, ty: &Type) -> Arc<Type> {
        if !matches!(ty.kind, TypeKind::List(_) | TypeKind::Record(_)) {
            return Arc::new(ty.clone());
        }
        let mut copies = self.copies.borrow_mut();
        let copy = copies.entry(ty).or_insert_with(|| Arc::new(ty.clone()));
        Arc::clone(copy)
    }
}
