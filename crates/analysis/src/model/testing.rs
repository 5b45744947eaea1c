//! Types and signatures for property tests.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::model::{Field, Primitive, Signature, Type, TypeKind};
use signature_ls_source::text::TextRange;

/// Any type that released parsers accept, with `primitives` at its leaves.
pub(crate) fn types(primitives: &'static [Primitive]) -> impl Strategy<Value = Type> {
    let leaf =
        (prop::sample::select(primitives), any::<bool>()).prop_map(|(primitive, optional)| {
            let ty = Type::primitive(primitive);
            if optional { ty.optional() } else { ty }
        });
    leaf.prop_recursive(4, 24, 4, |inner| {
        let element = inner.clone();
        prop_oneof![
            element.prop_map(|element| Type::new(TypeKind::List(Box::new(element)))),
            fields(inner).prop_map(|fields| Type::new(TypeKind::Record(fields.into()))),
        ]
    })
}

/// Any signature that released parsers accept.
pub(crate) fn signatures() -> impl Strategy<Value = Signature> {
    let params = fields(types(&Primitive::ALL));
    (params, types(&Primitive::ALL)).prop_map(|(params, output)| Signature { params, output })
}

fn fields(types: impl Strategy<Value = Type>) -> impl Strategy<Value = Vec<Field>> {
    prop::collection::btree_map("[A-Za-z_][A-Za-z0-9_-]{0,8}", types, 0..4).prop_map(|fields| {
        // `_` and `-` are equal.
        let normal = |(name, ty): (String, Type)| (name.replace('-', "_"), (name, ty));
        let distinct: BTreeMap<_, _> = fields.into_iter().map(normal).collect();
        let fields = distinct.into_values().map(|(name, ty)| Field {
            name,
            name_range: TextRange::default(),
            ty,
        });
        fields.collect()
    })
}
