//! Facts that do not depend on a text.

use serde::Serialize;
use signature_ls_analysis::{VERSION, model::Edition};
use signature_ls_source::host::HostKind;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    version: &'static str,
    /// For each kind of file its extensions, the usual one first.
    kinds: Vec<&'static [&'static str]>,
    editions: Vec<&'static str>,
    default_edition: &'static str,
}

pub(crate) fn about() -> About {
    About {
        version: VERSION,
        kinds: HostKind::ALL
            .iter()
            .map(|it| it.facts().extensions)
            .collect(),
        editions: Edition::ALL.iter().map(|it| it.name()).collect(),
        default_edition: Edition::default().name(),
    }
}
