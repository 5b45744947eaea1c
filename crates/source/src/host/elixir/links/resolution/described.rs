//! The options of a run that describe its agent. The library reads them only where a prompt makes the agent.

use std::sync::Arc;

use crate::host::{Role, Unit, elixir::links::Wanted};

/// The options beside the prompt that describe an agent, as far as anything reads them.
const DESCRIBING: [&str; 6] = [
    "field_descriptions",
    "max_turns",
    "output",
    "prompt",
    "signature",
    "tools",
];

/// The unit of a run without what describes its agent.
pub(super) fn without_description(unit: &Arc<Unit>) -> Arc<Unit> {
    let is_describing = |key: &str| DESCRIBING.contains(&key);
    let has_any = unit.tools.is_some()
        || !unit.sites.is_empty()
        || unit.arguments.iter().any(|it| is_describing(&it.key));
    if !has_any {
        return Arc::clone(unit);
    }
    let mut unit = Unit::clone(unit);
    unit.tools = None;
    unit.sites
        .retain(|it| !matches!(it.role, Role::Signature | Role::Prompt));
    unit.arguments.retain(|it| !is_describing(&it.key));
    Arc::new(unit)
}

/// Whether a name in place of `wanted` describes an agent.
pub(super) fn describes(wanted: &Wanted) -> bool {
    match wanted {
        Wanted::Literal { role, .. } => matches!(role, Role::Signature | Role::Prompt),
        Wanted::Tools => true,
        Wanted::Program | Wanted::Context | Wanted::Options => false,
    }
}
