//! The units of a long program that is read once.

use foldhash::HashSet;
use memchr::memmem;
use rowan::GreenNode;

use super::{
    Lisp,
    definitions::Definitions,
    doubt_file, find,
    forms::{Forms, Items},
    root,
};
use crate::{
    host::{PlacedUnit, RolesIn, comments, token_tree},
    text::{TextRange, TextSize},
};

/// In a text with fewer uses of tools and signatures, all units take little room.
const MANY: usize = 4096;

/// The words of such uses.
const USES: [&str; 3] = ["tool/", "(return", ":signature"];

/// The least length of a text with fewer uses that refer to one another.
const LONG: usize = 128 * 1024;

/// How definitions begin.
const DEFINITION: &str = "(def";

/// How forms begin that give names in other forms a meaning.
const NAMESPACE: &str = "(ns ";

/// A program of so many uses that its units should not all be there at once.
pub struct Stretches {
    tree: GreenNode,
    definitions: Option<Definitions>,
}

impl Stretches {
    /// Parses `text`; `None` if it has few uses of tools and signatures, or an `ns` form.
    pub fn of(text: &str) -> Option<Self> {
        let count = |word: &str| memmem::find_iter(text.as_bytes(), word).take(MANY).count();
        let uses: usize = USES.into_iter().map(count).sum();
        let has = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        // Each form that refers to a definition is a unit, too.
        let is_linked = || uses > 0 && text.len() >= LONG && has(DEFINITION);
        if uses < MANY && !is_linked() || has(NAMESPACE) {
            return None;
        }
        let tree = token_tree::parse::<Lisp>(text);
        let definitions = Definitions::of(&root(&tree));
        Some(Self { tree, definitions })
    }

    /// Whether forms may refer to what others define.
    pub fn has_definitions(&self) -> bool {
        self.definitions.is_some()
    }

    /// Whether `offset` is in a comment.
    pub fn is_comment(&self, offset: TextSize) -> bool {
        comments::is_comment_in(&self.tree, offset)
    }

    /// Calls `look` with the units of some forms, then of those after them, as long as it wants more of them. They do not
    /// have what others define. If it wants all of them, those that [`Self::find_each`] finds do.
    pub fn read_each(&mut self, roles: RolesIn<'_>, look: &mut dyn FnMut(Vec<PlacedUnit>) -> bool) {
        let root = root(&self.tree);
        let mut start = TextSize::default();
        find::find_each(
            Items::new(root.elements()),
            roles,
            0,
            &mut |mut units, end| {
                doubt_file(&mut units, false);
                if let Some(definitions) = &mut self.definitions {
                    let range = TextRange::new(start, end.min(root.range.end()));
                    let forms: Vec<_> = Forms::in_range(&root, range).collect();
                    definitions.add(&forms, &units);
                    start = range.end();
                }
                look(units)
            },
        );
        if let Some(definitions) = &mut self.definitions {
            definitions.finish();
        }
    }

    /// Calls `look` with the units of some forms, then of those after them, as long as it wants more of them; those of the
    /// first `skipped` times are not found. There must be no `ns` form.
    pub fn find_each(
        &self,
        roles: RolesIn<'_>,
        skipped: usize,
        look: &mut dyn FnMut(Vec<PlacedUnit>) -> bool,
    ) {
        let root = root(&self.tree);
        let mut without = HashSet::default();
        let mut start = TextSize::default();
        let items = Items::new(root.elements());
        find::find_each(items, roles, skipped, &mut |mut units, end| {
            doubt_file(&mut units, false);
            if let Some(definitions) = &self.definitions {
                definitions.link(&root, TextRange::new(start, end), &mut units, &mut without);
                start = end;
            }
            look(units)
        });
    }
}
