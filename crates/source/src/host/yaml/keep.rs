//! What is kept of a text while it is read: of a list of thousands of numbers that no unit reads, only the last one.

use crate::host::{
    object,
    roles::{KeyRole, RolesIn},
    values::yaml::MERGE_KEY,
    yaml::node::{Mark, Node, NodeKind, Pair},
};

/// What is kept of a list or mapping.
///
/// The last of its contents is kept until another one follows, because an error may still change it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Keep<'r> {
    /// The meaning of keys; without it, everything is kept.
    roles: Option<RolesIn<'r>>,
    /// Whether it is part of a value that is read.
    is_read: bool,
    /// Whether its keys or items are tools.
    are_tools: bool,
}

impl<'r> Keep<'r> {
    /// Keeps what may contain a unit or belong to one.
    pub(super) fn meaning(roles: RolesIn<'r>) -> Self {
        Self {
            roles: Some(roles),
            ..Self::default()
        }
    }

    /// What is kept of the value of `key` in this mapping.
    pub(super) fn under(self, key: &str) -> Self {
        let role = self.roles.and_then(|it| it.of_key(key));
        Self {
            is_read: self.is_read || object::reads_value(key) || key == MERGE_KEY,
            are_tools: !self.are_tools && role == Some(KeyRole::Tools),
            ..self
        }
    }

    /// What is kept of an item of this list.
    pub(super) fn item(self) -> Self {
        Self {
            are_tools: false,
            ..self
        }
    }

    /// What is kept of a value with `mark`: an alias may stand for it.
    pub(super) fn with(self, mark: Mark) -> Self {
        Self {
            is_read: self.is_read || matches!(mark, Mark::Anchor(_)),
            ..self
        }
    }

    /// Adds an item to this list.
    pub(super) fn push_item(self, text: &str, items: &mut Vec<Node>, item: Node) {
        if let Some(roles) = self.roles.filter(|_| !self.is_read) {
            items.pop_if(|last| !matters(text, last, roles));
        }
        items.push(item);
    }

    /// Adds an entry to this mapping.
    pub(super) fn push_entry(self, text: &str, entries: &mut Vec<Pair>, entry: Pair) {
        if let Some(roles) = self.roles.filter(|_| !self.is_read && !self.are_tools) {
            let repeats = last_repeats(text, entries, roles);
            entries.pop_if(|last| repeats || !entry_matters(text, last, roles));
        }
        entries.push(entry);
    }

    /// The role of a literal under `key` in this mapping, unless that is a name; `None` if roles do not count.
    pub(super) fn role_of(self, key: &str) -> Option<Option<KeyRole>> {
        match self.roles?.of_key(key) {
            Some(KeyRole::Name) => None,
            _ if self.are_tools => Some(Some(KeyRole::Signature)),
            role => Some(role),
        }
    }
}

/// Whether the last of `entries` is an option like the one before it, which counts instead.
fn last_repeats(text: &str, entries: &[Pair], roles: RolesIn<'_>) -> bool {
    let [.., before, last] = entries else {
        return false;
    };
    let key = last.key(text);
    let is_option = object::is_option(key) && roles.of_key(key).is_none();
    is_option && key == before.key(text) && !matters(text, &last.value, roles)
}

/// Whether an entry of a mapping of `text` matters.
fn entry_matters(text: &str, entry: &Pair, roles: RolesIn<'_>) -> bool {
    object::matters(entry.key(text), roles) || matters(text, &entry.value, roles)
}

/// Whether a value matters, whatever is around it. Of what it contains, all but the last does.
fn matters(text: &str, node: &Node, roles: RolesIn<'_>) -> bool {
    if matches!(node.mark, Mark::Anchor(_)) {
        return true;
    }
    match &node.kind {
        NodeKind::Scalar(_) | NodeKind::Other => false,
        NodeKind::Sequence(items) => items.iter().any(|it| matters(text, it, roles)),
        NodeKind::Mapping(entries) => entries.iter().any(|it| entry_matters(text, it, roles)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{Notation, Roles, yaml::read::read_part};

    /// The number of values that are kept of `text`.
    fn count(text: &str) -> usize {
        fn inside(node: &Node) -> usize {
            let values: usize = match &node.kind {
                NodeKind::Scalar(_) | NodeKind::Other => 0,
                NodeKind::Sequence(items) => items.iter().map(inside).sum(),
                NodeKind::Mapping(entries) => entries.iter().map(|it| inside(&it.value)).sum(),
            };
            1 + values
        }
        let roles = Roles::default();
        let keep = Keep::meaning(roles.of(Notation::Yaml));
        let reading = read_part(text, 0..text.len(), keep);
        reading.roots.iter().map(inside).sum()
    }

    #[test]
    fn what_no_unit_reads_is_not_kept() {
        for line in [
            "  - a\n",
            "  - [1, {a: b}]\n",
            "  a: 1\n",
            "  <<: *a\n",
            "  a: {b: c}\n",
            "  - a: [\n",
        ] {
            let text = format!("k:\n{}", line.repeat(5_000));
            assert!(count(&text) < 10, "{line:?}: {}", count(&text));
        }
        let list = format!("k: [{}]\n", "1, ".repeat(5_000));
        assert!(count(&list) < 10, "{}", count(&list));
        // The last value before each error is kept.
        let faulty = format!("k:\n{}", "\ta: b\n".repeat(5_000));
        assert!(count(&faulty) < 200, "{}", count(&faulty));
    }

    #[test]
    fn what_may_matter_is_kept() {
        for line in [
            "  - {signature: s}\n",
            "  - - prompt: p\n",
            "  - &a 1\n",
            "  - tools: {t: s}\n",
            "  - context: 1\n",
        ] {
            let text = format!("k:\n{}", line.repeat(50));
            assert!(count(&text) > 50, "{line:?}: {}", count(&text));
        }
        for key in ["context:", "k: &a", "tools:"] {
            let text = format!("{key} {{{}}}\n", "a: 1, ".repeat(50));
            assert!(count(&text) > 50, "{key}");
        }
    }
}
