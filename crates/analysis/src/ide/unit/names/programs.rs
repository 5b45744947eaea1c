//! The names of keys that programs read.

use foldhash::HashMap;

use super::{Found, Name, NameKind, Target, agent::AgentsSignature};
use crate::{
    ide::unit::UnitView,
    model::{
        Names,
        program::{Origin, Ty, Use, UseKind},
    },
};
use signature_ls_source::text::TextRange;

/// Adds the keys of values whose signatures are known.
pub(super) fn add(view: &UnitView<'_>, signature: Option<&AgentsSignature<'_>>, found: &mut Found) {
    let exprs = view.program().exprs();
    let uses = view.program_uses(&exprs);
    let names = uses.iter().filter_map(|it| {
        let target = match (it.what, &it.ty) {
            (UseKind::Field { origin, field }, _) => match origin {
                Origin::Agent => signature?.target(field.name_range)?,
                Origin::Tool(tool) => {
                    let (name, signature) = view.tools.whole(tool)?;
                    let names = Names::new(signature);
                    let field = names.at(field.name_range)?;
                    Target::Result {
                        tool: name.to_owned(),
                        path: names.path(signature, field, view.edition)?,
                    }
                }
                Origin::Several => return None,
            },
            (UseKind::Undeclared, Ty::Undeclared(it)) => Target::Result {
                tool: it.tool.to_owned(),
                path: it.path.clone(),
            },
            _ => return None,
        };
        Some(Name {
            range: it.range,
            kind: NameKind::ProgramKey,
            target,
        })
    });
    let names: Vec<_> = names.collect();
    found.names.extend(bound(&uses, &names));
    found.names.extend(names);
}

/// The names that `{:keys […]}` binds, where a program uses them: they are those of the keys.
fn bound(uses: &[Use<'_>], keys: &[Name]) -> Vec<Name> {
    let targets: HashMap<TextRange, &Target> =
        keys.iter().map(|it| (it.range, &it.target)).collect();
    let locals = uses.iter().filter_map(|it| match it.what {
        UseKind::Local(Some(place)) => Some(Name {
            range: it.range,
            kind: NameKind::Local,
            target: (*targets.get(&place)?).clone(),
        }),
        _ => None,
    });
    locals.collect()
}
