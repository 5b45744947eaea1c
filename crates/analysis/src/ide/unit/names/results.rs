//! The names of keys by which results are read.

use super::{Found, Name, NameKind, Target};
use crate::ide::unit::UnitView;
use signature_ls_source::host::flow::Flowing;

/// Adds the keys of results whose signatures are known.
pub(super) fn add(view: &UnitView<'_>, found: &mut Found) {
    let given = view.flow().given();
    for given in given.filter(|it| it.what == Flowing::Data) {
        let (Some(mut ty), Some(lowered)) =
            (view.type_before_keys(given), view.source(given.source))
        else {
            continue;
        };
        for key in &given.keys {
            let named = key
                .name
                .as_deref()
                .and_then(|name| view.field(given, ty, name));
            let Some((field, next)) = named else {
                break;
            };
            found
                .names
                .extend(lowered.names.at(field.name_range).map(|field| Name {
                    range: key.name_range,
                    kind: NameKind::ResultKey,
                    target: Target::Elsewhere {
                        source: given.source,
                        field,
                    },
                }));
            ty = next;
        }
    }
}
