//! Hover over names in programs that no signature declares.

use super::{Hover, code};
use crate::{
    ide::{Document, program},
    model::program::UseKind,
};
use signature_ls_source::text::TextSize;

/// Describes the name of a program at `offset`.
pub(super) fn hover(document: &Document, offset: TextSize) -> Option<Hover> {
    let (range, markdown) = program::at(document, offset, |it, name| {
        let what = match it.what {
            UseKind::Binding | UseKind::Local(_) => "name in the program",
            UseKind::Data => "value of the context",
            UseKind::Field { .. } | UseKind::Undeclared => "field",
        };
        let ty = it.ty.to_string();
        (!it.ty.is_unknown()).then(|| format!("{}\n{what}", code(&format!("{name} {ty}"))))
    })?;
    Some(Hover { range, markdown })
}
