//! The meaning of keys, for every host: the one table.
//!
//! A host finds keys and the literals beside them; this table defines which of them are signatures, prompts and
//! related texts. Settings can add names to it, but not change it. `docs/hosts.md` shows it.

use std::sync::Arc;

use memchr::memmem;

use crate::host::{Notation, lisp::Namespace};

/// The role of the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyRole {
    /// The value is a signature.
    Signature,
    /// The value is a prompt template.
    Prompt,
    /// The value describes a tool or an agent.
    Description,
    /// The value contains tools: names with signatures, or objects with a name each.
    Tools,
    /// The value is the name of the tool that the object describes.
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

/// The calls of the library whose first argument needs no key, with its role.
const CALLS: &[(&str, KeyRole)] = &[
    ("SubAgent.new", KeyRole::Prompt),
    ("SubAgent.run", KeyRole::Prompt),
    ("SubAgent.run!", KeyRole::Prompt),
    ("Signature.parse", KeyRole::Signature),
    ("Signature.parse!", KeyRole::Signature),
    ("Lisp.run", KeyRole::Program),
    ("Lisp.run_native", KeyRole::Program),
];

/// The module of the library.
pub const LIBRARY: &str = "PtcRunner";

/// The modules of the library that need no alias. In a call of one of their functions, the value of a key of the table
/// counts in any form.
pub const MODULES: &[&str] = &["PtcRunner", "SubAgent", "LLMTool", "Lisp", "Signature"];

/// The meaning of the first word of a Lisp list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormRole {
    /// It defines a function, which may have a signature in its metadata.
    Definition,
    /// It calls the tool whose name is the string after it.
    Call,
    /// It returns the value after it.
    Return,
    /// It passes a value to each of the calls after it.
    Threading,
    /// It discards its contents.
    Comment,
    /// It sets the current namespace, or aliases of namespaces.
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
    ("doto", FormRole::Threading),
    ("comment", FormRole::Comment),
    ("ns", FormRole::Namespace),
    ("in-ns", FormRole::Namespace),
    ("require", FormRole::Namespace),
    ("alias", FormRole::Namespace),
];

const NAMESPACES: &[(&str, Namespace)] = &[
    ("tool", Namespace::Tool),
    ("data", Namespace::Data),
    ("ctx", Namespace::Context),
];

/// What a name of the settings is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// The keys.
    Key,
    /// The calls of Elixir.
    Call,
}

/// A name that settings add to the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedName {
    /// A key without colons and quotes, or a call such as `Signature.parse`.
    pub name: String,
    /// Whether it is a key or a call.
    pub kind: NameKind,
    /// Its role.
    pub role: KeyRole,
    /// The only notation in which it counts; `None` for all.
    pub notation: Option<Notation>,
}

/// The current table of roles: the fixed one and the additions of settings. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// The first match counts.
    added: Arc<[AddedName]>,
}

impl Roles {
    /// The table with `names` added, which take precedence over earlier additions.
    pub fn with(&self, names: &[AddedName]) -> Self {
        if names.is_empty() {
            return self.clone();
        }
        Self {
            added: names.iter().chain(&*self.added).cloned().collect(),
        }
    }

    /// Words of which one occurs wherever an addition to the table does.
    pub fn added_words(&self) -> impl Iterator<Item = &str> {
        let names = self.added.iter().map(|it| it.name.as_str());
        names.map(|name| name.rsplit('.').next().unwrap_or(name))
    }

    /// The table for a `notation`.
    pub fn of(&self, notation: Notation) -> RolesIn<'_> {
        RolesIn {
            roles: self,
            notation,
        }
    }
}

/// The table of roles for one notation.
#[derive(Debug, Clone, Copy)]
pub struct RolesIn<'r> {
    roles: &'r Roles,
    notation: Notation,
}

impl<'r> RolesIn<'r> {
    /// The table for all notations, for code in a text of this notation.
    pub fn everywhere(self) -> &'r Roles {
        self.roles
    }

    /// The role of `key`, without colons and quotes; `None` for other keys.
    pub fn of_key(self, key: &str) -> Option<KeyRole> {
        meaning(KEYS, key).or_else(|| self.added(NameKind::Key, |name| name == key))
    }

    /// Whether `text` contains a key without which a document of keys and values does not count.
    pub fn may_have_keys(self, text: &str) -> bool {
        let holds = |role: KeyRole| !matches!(role, KeyRole::Description | KeyRole::Name);
        let fixed = KEYS.iter().copied().filter(|(_, role)| holds(*role));
        let added = self.roles.added.iter();
        let added = added.filter(|it| it.kind == NameKind::Key && holds(it.role));
        let mut keys = fixed
            .map(|(key, _)| key)
            .chain(added.map(|it| it.name.as_str()));
        keys.any(|key| memmem::find(text.as_bytes(), key.as_bytes()).is_some())
    }

    /// The length of the longest key.
    pub fn longest_key(self) -> usize {
        let fixed = KEYS.iter().map(|(key, _)| key.len());
        let added = self.roles.added.iter().map(|it| it.name.len());
        fixed.chain(added).max().unwrap_or_default()
    }

    /// Whether `key` was added by settings, and so has no other meaning.
    pub fn is_added_key(self, key: &str) -> bool {
        meaning(KEYS, key).is_none() && self.of_key(key).is_some()
    }

    /// The role of the first argument of a call of a function in the settings; `None` for other calls.
    pub fn of_added_call<'a>(
        self,
        path: impl DoubleEndedIterator<Item = &'a str> + Clone,
    ) -> Option<KeyRole> {
        self.added(NameKind::Call, |call| ends_with(path.clone(), call))
    }

    /// The role of the first argument of a call of the library; `None` if it has none.
    pub fn of_library_call(self, module: &str, function: &str) -> Option<KeyRole> {
        let call = CALLS
            .iter()
            .find(|(call, _)| is_function(call, module, function))?;
        Some(call.1)
    }

    /// The meaning of a Lisp list that begins with `name`.
    pub fn of_form(self, name: &str) -> Option<FormRole> {
        meaning(FORMS, name)
    }

    /// The namespace of Lisp names called `name`.
    pub fn of_namespace(self, name: &str) -> Option<Namespace> {
        meaning(NAMESPACES, name)
    }

    fn added(self, kind: NameKind, is_meant: impl Fn(&str) -> bool) -> Option<KeyRole> {
        let mut names = self.roles.added.iter();
        let counts_here = |it: &AddedName| it.notation.is_none_or(|only| only == self.notation);
        let found = names.find(|it| it.kind == kind && counts_here(it) && is_meant(&it.name));
        found.map(|it| it.role)
    }
}

/// The fixed role of a key or a call, which settings cannot change.
pub fn fixed_role(kind: NameKind, name: &str) -> Option<KeyRole> {
    match kind {
        NameKind::Key => meaning(KEYS, name),
        NameKind::Call => meaning(CALLS, name),
    }
}

/// The key of an agent that `key` differs from by one letter, or by two that are swapped. Its plural is another key.
pub fn misspelled(key: &str) -> Option<&'static str> {
    const MEANT: [&str; 3] = ["signature", "prompt", "output"];
    let is_near = |meant: &&str| {
        let same = key.bytes().zip(meant.bytes());
        let same = same.take_while(|(a, b)| a == b).count();
        match (&key.as_bytes()[same..], &meant.as_bytes()[same..]) {
            ([b's'], []) | ([], []) => false,
            ([a, b, rest @ ..], [c, d, other @ ..]) if a == d && b == c && rest == other => true,
            ([_, rest @ ..], other) if rest == other => true,
            (rest, [_, other @ ..]) if rest == other => true,
            ([_, rest @ ..], [_, other @ ..]) => rest == other,
            _ => false,
        }
    };
    MEANT.into_iter().find(is_near)
}

/// The functions of the library in the table, each with its module.
pub fn library_calls() -> impl Iterator<Item = (&'static str, &'static str)> {
    CALLS.iter().filter_map(|(call, _)| call.rsplit_once('.'))
}

/// Whether a call of this function of the library is in the table.
pub fn is_library_call(module: &str, function: &str) -> bool {
    let mut calls = CALLS.iter().map(|(call, _)| call);
    calls.any(|call| is_function(call, module, function))
}

fn is_function(call: &str, module: &str, function: &str) -> bool {
    let rest = call.strip_prefix(module);
    rest.and_then(|it| it.strip_prefix('.')) == Some(function)
}

fn ends_with<'a>(path: impl DoubleEndedIterator<Item = &'a str>, call: &str) -> bool {
    let mut path = path.rev();
    call.rsplit('.').all(|name| path.next() == Some(name))
}

fn meaning<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let entry = table.iter().find(|(entry, _)| *entry == name)?;
    Some(entry.1)
}

#[cfg(test)]
mod tests;
