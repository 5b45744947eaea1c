//! What keys mean, for every host: the one table.
//!
//! A host finds keys and the literals beside them; this table says which of them hold signatures,
//! prompts and what belongs to them. `docs/hosts.md` shows it.

use crate::host::lisp::Namespace;

/// What a key says of the value beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyRole {
    /// The value is a signature.
    Signature,
    /// The value is a prompt template.
    Prompt,
    /// The value tells what a tool or an agent does.
    Description,
    /// The value holds tools: names with signatures, or objects with a name each.
    Tools,
    /// The value is the name of the tool in whose object it stands.
    Name,
    /// The value is a program in PTC-Lisp.
    Program,
}

const KEYS: &[(&str, KeyRole)] = &[
    ("signature", KeyRole::Signature),
    ("prompt", KeyRole::Prompt),
    ("description", KeyRole::Description),
    ("tools", KeyRole::Tools),
    ("name", KeyRole::Name),
];

/// The calls whose first argument needs no key, with what it is. A module stands for all modules whose name
/// ends with it.
const CALLS: &[(&str, KeyRole)] = &[
    ("SubAgent.new", KeyRole::Prompt),
    ("SubAgent.run", KeyRole::Prompt),
    ("SubAgent.run!", KeyRole::Prompt),
    ("Signature.parse", KeyRole::Signature),
    ("Signature.parse!", KeyRole::Signature),
    ("Lisp.run", KeyRole::Program),
];

/// What the first word of a Lisp list makes of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormRole {
    /// It defines a function, which may have a signature in its metadata.
    Definition,
    /// It calls the tool that a string behind it names.
    Call,
    /// It returns the value behind it.
    Return,
    /// It puts a value into each of the calls behind it.
    Threading,
    /// It names a namespace, which programs for a model do not have.
    Namespace,
}

const FORMS: &[(&str, FormRole)] = &[
    ("defn", FormRole::Definition),
    ("defn-", FormRole::Definition),
    ("call", FormRole::Call),
    ("return", FormRole::Return),
    ("->", FormRole::Threading),
    ("->>", FormRole::Threading),
    ("some->", FormRole::Threading),
    ("some->>", FormRole::Threading),
    ("cond->", FormRole::Threading),
    ("cond->>", FormRole::Threading),
    ("as->", FormRole::Threading),
    ("doto", FormRole::Threading),
    ("ns", FormRole::Namespace),
    ("in-ns", FormRole::Namespace),
];

const NAMESPACES: &[(&str, Namespace)] = &[
    ("tool", Namespace::Tool),
    ("data", Namespace::Data),
    ("ctx", Namespace::Context),
];

/// The table of roles in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    keys: Vec<(String, KeyRole)>,
    calls: Vec<(String, KeyRole)>,
}

impl Roles {
    /// What `name` makes of a Lisp list that begins with it.
    pub fn of_form(&self, name: &str) -> Option<FormRole> {
        let entry = FORMS.iter().find(|(form, _)| *form == name)?;
        Some(entry.1)
    }

    /// The namespace of Lisp names that `name` is.
    pub fn of_namespace(&self, name: &str) -> Option<Namespace> {
        let entry = NAMESPACES
            .iter()
            .find(|(namespace, _)| *namespace == name)?;
        Some(entry.1)
    }
}

impl Default for Roles {
    fn default() -> Self {
        let owned = |table: &[(&str, KeyRole)]| {
            let entries = table.iter().map(|&(name, role)| (name.to_owned(), role));
            entries.collect()
        };
        Self {
            keys: owned(KEYS),
            calls: owned(CALLS),
        }
    }
}

impl Roles {
    /// What `key` means, written without colons and quotes; `None` for all other keys.
    pub fn of_key(&self, key: &str) -> Option<KeyRole> {
        let entry = self.keys.iter().find(|(name, _)| name == key)?;
        Some(entry.1)
    }

    /// What the first argument of a call is, told by the names of the function and, before it, its
    /// module; `None` for all other calls.
    pub fn of_call<'a>(
        &self,
        path: impl DoubleEndedIterator<Item = &'a str> + Clone,
    ) -> Option<KeyRole> {
        let entry = self.calls.iter().find(|(call, _)| {
            let mut path = path.clone().rev();
            call.rsplit('.').all(|name| path.next() == Some(name))
        })?;
        Some(entry.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_shows_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/hosts.md");
        let page = std::fs::read_to_string(path).expect("the page is there");
        let keys = KEYS.iter().chain(CALLS).map(|(name, _)| name);
        let forms = FORMS.iter().map(|(name, _)| name);
        let namespaces = NAMESPACES.iter().map(|(name, _)| name);
        for name in keys.chain(forms).chain(namespaces) {
            let is_shown =
                page.contains(&format!("`{name}`")) || page.contains(&format!("`{name}/"));
            assert!(is_shown, "{name} is missing in docs/hosts.md");
        }
    }
}
