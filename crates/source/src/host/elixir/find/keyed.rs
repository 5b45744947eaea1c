//! The keys of a list with their values.

use super::{
    super::{
        call::{Argument, Callee},
        contract::{Made, each_item, made_by_library},
        found::{Found, FoundEntry, NameFor, role_of},
        literal::{key_text, literal, only_string},
        names::Binder,
        tool_forms::module_of_call,
        tools::{self, Form, Tool},
    },
    Finder,
    items::is_key,
};
use crate::host::{
    KeyRole,
    object::{self, Property, Value},
    token_tree::{Element, Kind, range_of},
    values::elixir,
};

/// The key of a tool's signature for JSON answers, beside that of its prompt.
const OUTPUT_SIGNATURE: &str = "json_signature";

impl<'t, 'r: 't> Finder<'t, 'r> {
    /// Adds the keys of one item of a list with their values.
    pub(super) fn keyed(&self, item: &[Element<'t>], found: &mut Found<'t>) {
        for (at, element) in item.iter().enumerate() {
            let (key, value) = match element.kind() {
                Kind::Key | Kind::QuotedKey => (element, &item[at + 1..]),
                // A tuple of options, which was taken out of its braces.
                Kind::Atom if at == 0 && found.is_ours && item.len() > 1 => (element, &item[1..]),
                Kind::Operator if element.text() == "=>" && at > 0 => {
                    (&item[at - 1], &item[at + 1..])
                }
                _ => continue,
            };
            if key_text(key) == Some(OUTPUT_SIGNATURE) {
                found.alone.extend(only_string(value));
            }
            if let Some(entry) = self.entry(key, value) {
                let role = self.reading.roles.of_key(entry.entry.key);
                let is_tools = role == Some(KeyRole::Tools);
                if role == Some(KeyRole::Name) && key.kind() != Kind::String && found.name.is_none()
                {
                    found.name = only_string(value).as_ref().and_then(key_text);
                }
                let wanted = match entry.role {
                    Some(role) => Some(NameFor::Literal(role)),
                    None => (is_tools && found.takes_tools).then_some(NameFor::Tools),
                };
                match (wanted, Argument::of(value)) {
                    (Some(wanted), Some(Argument::Name(binder, name))) => {
                        found.names.push((wanted, binder, name));
                    }
                    (Some(NameFor::Tools), None) => {
                        let called = tools::called(value);
                        let named = called.map(|it| (NameFor::Tools, Binder::Function, it));
                        found.names.extend(named);
                    }
                    _ => {}
                }
                if is_tools && found.tools.is_none() {
                    found.tools = self.tools(key, value, found.needs_map);
                }
                found.entry(key, value, entry);
            }
        }
    }

    /// The tools that `value` is under a `key`. A list in the place of the map is one entry.
    fn tools(
        &self,
        key: &Element<'t>,
        value: &[Element<'t>],
        needs_map: bool,
    ) -> Option<Vec<Tool>> {
        let Some(mut tools) = tools::of_value_map(value) else {
            return Some(vec![Tool::of_list(key, value).filter(|_| needs_map)?]);
        };
        if tools.iter().all(|it| it.form != Form::Unknown) {
            return Some(tools);
        }
        let [_, map] = value else {
            return Some(tools);
        };
        each_item(map, &mut |item| {
            let value = item.iter().position(|it| it.text() == "=>" || is_key(it));
            let value = &item[value.map_or(0, |at| at + 1)..];
            if let (Some(form), Some(last)) = (self.made_form(value), value.last())
                && let Some(tool) = tools
                    .iter_mut()
                    .find(|it| it.range.end() == last.range.end())
            {
                tool.form = form;
            }
        });
        Some(tools)
    }

    /// The form of the call that `value` is, if that makes something other than a tool.
    fn made_form(&self, value: &[Element<'t>]) -> Option<Form> {
        let module = module_of_call(value)?;
        let callee = Callee::ending(value.split_last()?.1)?;
        let call = self.reading.modules.call(&callee)?;
        match made_by_library(&call)? {
            Made::Agent => Some(Form::Agent(module.into())),
            Made::NamedTool => Some(Form::Result),
            Made::Tool | Made::AgentTool => None,
        }
    }

    /// The entry of a key, if it is text.
    fn entry(&self, key: &Element<'t>, value: &[Element<'t>]) -> Option<FoundEntry<'t>> {
        let text = key_text(key)?;
        let role = self
            .reading
            .roles
            .of_key(text)
            .filter(|_| key.kind() != Kind::String);
        let range = range_of(value)?;
        let role = role.and_then(role_of);
        let string = role.and_then(|_| only_string(value));
        let read = object::reads_value(text).then(|| elixir::value(value));
        let value = match &string {
            Some(string) => Value::Literal(literal(string)),
            None => Value::Other(range),
        };
        let entry = Property {
            key: text,
            key_range: key.range,
            value,
            read: read.flatten().map(|it| it.relative_to(range.start())),
        };
        Some(FoundEntry::new(entry, role, string))
    }
}
