//! The literals in one list, and whether they count.

use std::borrow::Cow;

use rowan::GreenNodeData;

use super::{
    call::Argument,
    flow::facts::Uses,
    links::Wanted,
    literal::{literal, text_of},
    names::Binder,
    tools::Tool,
};
use crate::{
    host::{
        KeyRole, Role, RolesIn, Unread,
        evidence::{self, Evidence},
        misspelled,
        object::{self, Literal, Owner, Property},
        token_tree::{Element, Kind, range_of},
        values::elixir,
    },
    text::{TextRange, TextSize},
};

/// The contents of one list.
#[derive(Default)]
pub(super) struct Found<'t> {
    /// Strings with a role by their place.
    pub(super) strings: Vec<(Role, Element<'t>)>,
    pub(super) entries: Vec<FoundEntry<'t>>,
    /// Its name, by the key for names.
    pub(super) name: Option<&'t str>,
    /// The string that holds a program.
    pub(super) program: Option<Element<'t>>,
    /// The first argument of a call that takes a prompt or a program, if it is not a literal.
    pub(super) unread: Option<Unread>,
    /// The tools that it registers.
    pub(super) tools: Option<Vec<Tool>>,
    /// The strings that are separate signatures.
    pub(super) alone: Vec<Element<'t>>,
    /// The names in place of literals.
    pub(super) names: Vec<(NameFor, Binder, &'t str)>,
    /// The expressions from elsewhere.
    pub(super) flows: Uses,
    /// The whole range of the unit.
    pub(super) range: Option<TextRange>,
    /// Whether a call or a place makes its literals count.
    pub(super) is_ours: bool,
    /// Whether that call is only assumed to be one of the library.
    pub(super) is_assumed: bool,
    /// Whether its value of the key for tools counts.
    pub(super) takes_tools: bool,
    /// Whether the library raises if that value is a list.
    pub(super) needs_map: bool,
    /// Whether it makes a tool, which has no agent.
    pub(super) makes_tool: bool,
}

/// The parts of a list that count.
pub(super) struct Judged<'t> {
    pub(super) strings: Vec<(Role, Literal)>,
    pub(super) entries: Vec<Property<'t>>,
    pub(super) evidence: Evidence,
}

/// The meaning of a name in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameFor {
    Literal(Role),
    Program,
    Tools,
    Context,
    Options,
}

/// An entry of a list, with its string.
pub(super) struct FoundEntry<'t> {
    pub(super) entry: Property<'t>,
    pub(super) role: Option<Role>,
    /// Its value, if it has a role. A list may have an entry for every few bytes.
    string: Option<&'t GreenNodeData>,
}

impl<'t> FoundEntry<'t> {
    pub(super) fn new(
        entry: Property<'t>,
        role: Option<Role>,
        string: Option<Element<'t>>,
    ) -> Self {
        Self {
            entry,
            role,
            string: string.and_then(|it| it.as_node()),
        }
    }

    fn string(&self) -> Option<Element<'t>> {
        let start = self.entry.value.range().start();
        self.string.map(|it| Element::node(it, start))
    }
}

impl<'t> Found<'t> {
    pub(super) fn first_argument(&mut self, role: KeyRole, argument: Option<Argument<'t>>) {
        match (role, argument) {
            (KeyRole::Program, Some(Argument::String(string))) => {
                self.program = Some(string);
                self.cover(string.range);
            }
            (KeyRole::Program, Some(Argument::Name(binder, name))) => {
                self.names.push((NameFor::Program, binder, name));
            }
            _ => {}
        }
        self.argument(role_of(role), argument);
    }

    pub(super) fn argument(&mut self, role: Option<Role>, argument: Option<Argument<'t>>) {
        match (role, argument) {
            (role, Some(Argument::String(string))) => self.string(role, &string),
            (Some(role), Some(Argument::Name(binder, name))) => {
                self.names.push((NameFor::Literal(role), binder, name));
            }
            _ => {}
        }
    }

    pub(super) fn string(&mut self, role: Option<Role>, string: &Element<'t>) {
        if let Some(role) = role {
            self.strings.push((role, *string));
            self.cover(string.range);
        }
    }

    /// Whether nothing in it has a meaning. That is true of most lists and statements.
    pub(super) fn says_nothing(&self) -> bool {
        let has_role = |it: &FoundEntry<'_>| it.role.is_some();
        let is_mode = |it: &FoundEntry<'_>| {
            let key = it.entry.key;
            self.is_ours && (object::reads_value(key) || misspelled(key).is_some())
        };
        self.strings.is_empty()
            && self.program.is_none()
            && self.tools.is_none()
            && self.alone.is_empty()
            && self.names.is_empty()
            && self.flows.is_empty()
            && !self.entries.iter().any(|it| has_role(it) || is_mode(it))
    }

    /// The evidence of the texts alone.
    pub(super) fn evidence_of_texts(&self) -> Evidence {
        let in_entries = self.entries.iter();
        let in_entries = in_entries.filter_map(|it| Some((it.role?, it.string()?)));
        let strings = self.strings.iter().copied().chain(in_entries);
        let is_signature = |(role, string): (Role, Element<'_>)| {
            matches!(role, Role::Signature | Role::Tool)
                && evidence::of_signature(&text_of(&string)) >= Some(Evidence::Likely)
        };
        let is_prompt = |(role, string): (Role, Element<'_>)| {
            role == Role::Prompt && evidence::is_prompt(&text_of(&string))
        };
        if self.tools.iter().flatten().any(Tool::is_plain) || strings.clone().any(is_signature) {
            return Evidence::Certain;
        }
        match { strings }.any(is_prompt) {
            true => Evidence::Likely,
            false => Evidence::Possible,
        }
    }

    /// Removes what does not count.
    pub(super) fn judge(self, roles: RolesIn<'_>) -> Judged<'t> {
        let of_entries = self.entries.iter();
        let of_entries: Vec<_> = of_entries.map(|it| it.string).collect();
        let mut entries: Vec<_> = self.entries.into_iter().map(|it| it.entry).collect();
        // They are where the larger ones were.
        entries.shrink_to_fit();
        let text = |index: usize| {
            let string = Element::node(of_entries[index]?, TextSize::default());
            Some(Cow::Owned(text_of(&string)))
        };
        let mut evidence = match self.is_ours {
            true => Evidence::Certain,
            false => object::judge(&mut entries, &object::Place::Free, roles, text),
        };
        let mut strings = Vec::new();
        for (role, string) in self.strings {
            let read = match self.is_ours {
                true => Some(Evidence::Certain),
                false => evidence::of_signature(&text_of(&string)),
            };
            if let Some(read) = read {
                evidence = read;
                strings.push((role, literal(&string)));
            }
        }
        Judged {
            strings,
            entries,
            evidence,
        }
    }

    /// Makes room for the entries in `elements`, which may be as many as the text has.
    pub(super) fn reserve(&mut self, elements: &[Element<'_>]) {
        let is_entry = |it: &&Element<'_>| {
            it.kind() == Kind::Key || it.kind() == Kind::Operator && it.text() == "=>"
        };
        let keys = elements.iter().filter(is_entry);
        self.entries.reserve_exact(keys.count());
    }

    pub(super) fn entry(
        &mut self,
        key: &Element<'t>,
        value: &[Element<'t>],
        entry: FoundEntry<'t>,
    ) {
        self.entries.push(entry);
        self.cover(key.range);
        if let Some(range) = range_of(value) {
            self.cover(range);
        }
    }

    /// Leaves out the context, which the call replaces.
    pub(super) fn drop_context(&mut self) {
        self.entries.retain(|it| it.entry.key != "context");
    }

    /// The first argument of a compiled agent is like `context:` of a run.
    pub(super) fn context(&mut self, value: &[Element<'t>]) {
        let Some(range) = range_of(value) else {
            return;
        };
        let entry = Property {
            key: "context",
            key_range: range,
            value: object::Value::Other(range),
            read: elixir::value(value).map(|it| it.relative_to(range.start())),
        };
        self.entries.push(FoundEntry::new(entry, None, None));
    }

    pub(super) fn cover(&mut self, range: TextRange) {
        self.range = Some(self.range.map_or(range, |all| all.cover(range)));
    }
}

impl NameFor {
    /// What the name stands for in a list that describes `owner`.
    pub(super) fn of(self, owner: Owner<'_>) -> Wanted {
        match self {
            Self::Literal(role) => Wanted::Literal {
                role: match role {
                    Role::Signature if owner.is_tool => Role::Tool,
                    role => role,
                },
                owner: owner.name.map(str::to_owned),
            },
            Self::Program => Wanted::Program,
            Self::Tools => Wanted::Tools,
            Self::Context => Wanted::Context,
            Self::Options => Wanted::Options,
        }
    }
}

pub(super) fn role_of(role: KeyRole) -> Option<Role> {
    match role {
        KeyRole::Signature => Some(Role::Signature),
        KeyRole::Prompt => Some(Role::Prompt),
        KeyRole::Description => Some(Role::Description),
        KeyRole::Tools | KeyRole::Name | KeyRole::Program => None,
    }
}
