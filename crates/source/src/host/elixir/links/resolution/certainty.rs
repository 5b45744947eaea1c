//! Whether the values of a call's names count.

use super::{
    super::super::names::{Bound, BoundAt},
    Wanted,
};
use crate::host::{Role, Unit, evidence::Evidence};

/// The evidence that the values of a call's names count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Certainty {
    /// Whether the call is one of the library.
    is_certain: bool,
    /// Whether there is a signature that counts.
    is_signed: bool,
    /// Whether the value of a name reads like one.
    pub(super) reads_so: bool,
}

impl Certainty {
    pub(super) fn of(unit: &Unit, bound: &[(&Wanted, BoundAt<'_>)]) -> Self {
        // A call that may be another library's only counts if something shows that it is not.
        let is_certain = unit.evidence != Evidence::Likely;
        let has_signature = unit.sites.iter().any(|site| is_signature(site.role));
        let reads_so = |(wanted, found): &(&Wanted, BoundAt<'_>)| {
            let is_wanted = matches!(wanted, Wanted::Literal { role, .. } if is_signature(*role));
            is_wanted && found.bound.signature >= Some(Evidence::Likely)
        };
        let reads_so = bound.iter().any(reads_so);
        Self {
            is_certain,
            is_signed: is_certain || has_signature || reads_so,
            reads_so,
        }
    }

    /// Whether `bound` counts in this role.
    pub(super) fn has(self, role: Role, bound: &Bound) -> bool {
        match role {
            Role::Signature | Role::Tool => {
                self.is_certain || bound.signature >= Some(Evidence::Likely)
            }
            Role::Prompt => self.is_signed || bound.is_prompt,
            Role::Description => true,
        }
    }
}

fn is_signature(role: Role) -> bool {
    matches!(role, Role::Signature | Role::Tool)
}
