//! The units of a long program that is read once.

use memchr::memmem;
use rowan::GreenNode;

use super::{Lisp, doubt_file, find, forms::Items, linked, root};
use crate::host::{PlacedUnit, RolesIn, token_tree};

/// In a text with fewer calls, all units take little room.
const MANY: usize = 4096;

/// A program of so many calls that its units should not all be there at once.
pub struct Stretches(GreenNode);

impl Stretches {
    /// Parses `text`; `None` if it has fewer calls of tools, or if a form in it defines a name, which gives other forms a
    /// meaning.
    pub fn of(text: &str) -> Option<Self> {
        memmem::find_iter(text.as_bytes(), "tool/").nth(MANY)?;
        let tree = token_tree::parse::<Lisp>(text);
        (!linked::defines(&root(&tree))).then_some(Self(tree))
    }

    /// Calls `look` with the units of some forms, then of those after them, as long as it wants more of them; those of the
    /// first `skipped` times are not found. There must be no `ns` form.
    pub fn find_each(
        &self,
        roles: RolesIn<'_>,
        skipped: usize,
        look: &mut dyn FnMut(Vec<PlacedUnit>) -> bool,
    ) {
        let items = Items::new(root(&self.0).elements());
        find::find_each(items, roles, skipped, &mut |mut units| {
            doubt_file(&mut units, false);
            look(units)
        });
    }
}
