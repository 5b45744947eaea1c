//! The names of keys that programs read.

use super::{Found, Name, NameKind, Target, agent::AgentsSignature};
use crate::{
    ide::unit::UnitView,
    model::{
        Edition, FieldId, Names, Signature,
        program::{Origin, UseKind},
    },
};

/// Adds the keys of values whose signatures are known.
pub(super) fn add(view: &UnitView<'_>, signature: Option<&AgentsSignature<'_>>, found: &mut Found) {
    let facts = view.program_facts();
    let names = facts.uses.iter().filter_map(|it| {
        let UseKind::Field { origin, field } = it.what else {
            return None;
        };
        let target = match origin {
            Origin::Agent => signature?.target(field.name_range)?,
            Origin::Tool(tool) => {
                let (name, signature) = view.tools.whole(tool)?;
                let names = Names::new(signature);
                let field = names.at(field.name_range)?;
                Target::Result {
                    tool: name.to_owned(),
                    path: path(&names, signature, field, view.edition)?,
                }
            }
            Origin::Several => return None,
        };
        Some(Name {
            range: it.range,
            kind: NameKind::ProgramKey,
            target,
        })
    });
    found.names.extend(names);
}

/// The path of a field, in normal form.
fn path(
    names: &Names,
    signature: &Signature,
    field: FieldId,
    edition: Edition,
) -> Option<Vec<String>> {
    let path = names.ancestry(field).into_iter().map(|it| {
        let field = names.field(signature, it)?;
        Some(edition.normal_name(&field.name))
    });
    path.collect()
}
