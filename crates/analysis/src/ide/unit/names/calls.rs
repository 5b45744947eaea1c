//! Tool calls: the tool's name and the keys of the arguments.

use super::{Blind, BlindKind, Found, Name, NameKind, Owner, Target};
use crate::{
    contract::{Value, ValueKind},
    ide::unit::UnitView,
};
use signature_ls_source::{
    host::lisp::{Arguments, ToolCall},
    text::TextRange,
};

/// Adds the names in the calls of a program.
pub(super) fn add(view: &UnitView<'_>, found: &mut Found) {
    for call in &view.program().calls {
        found.names.push(Name {
            range: call.name_range,
            kind: NameKind::ToolCall,
            target: Target::Tool(call.name.clone()),
        });
        let mut arguments = CallArguments {
            view,
            call,
            path: Vec::new(),
            found,
        };
        arguments.add();
    }
}

struct CallArguments<'a> {
    view: &'a UnitView<'a>,
    call: &'a ToolCall,
    /// The path, in normal form.
    path: Vec<String>,
    found: &'a mut Found,
}

impl CallArguments<'_> {
    fn add(&mut self) {
        let (entries, is_complete) = match &self.call.arguments {
            Arguments::None => (&[][..], true),
            Arguments::Pairs(entries) => (entries.as_slice(), true),
            Arguments::Map {
                entries,
                is_complete,
                ..
            } => (entries.as_slice(), *is_complete),
            Arguments::Positional(_) | Arguments::Dynamic(_) => (&[][..], false),
        };
        if !is_complete || self.call.is_threaded {
            self.blind(self.call.range, BlindKind::Arguments);
        }
        for argument in entries {
            let value = argument.value.map(|range| {
                let value = self.view.program_value(range);
                value.unwrap_or_else(|| Value::new(ValueKind::Dynamic, range))
            });
            self.key(argument.key, &argument.name, value.as_ref());
        }
    }

    fn key(&mut self, key: TextRange, name: &str, value: Option<&Value>) {
        self.path.push(self.view.edition.normal_name(name));
        if let Some(range) = self.view.name_in(key, name) {
            self.found.names.push(Name {
                range,
                kind: NameKind::ArgumentKey,
                target: Target::Argument {
                    tool: self.call.name.clone(),
                    path: self.path.clone(),
                },
            });
        }
        if let Some(value) = value {
            self.value(value);
        }
        self.path.pop();
    }

    fn value(&mut self, value: &Value) {
        match &value.kind {
            ValueKind::List(values) => values.iter().for_each(|it| self.value(it)),
            ValueKind::Map(entries) => {
                for entry in entries {
                    match &entry.key.name {
                        Some(name) => self.key(entry.key.range, name, Some(&entry.value)),
                        None => self.blind(entry.key.range, BlindKind::Value),
                    }
                }
            }
            ValueKind::Dynamic => self.blind(value.range, BlindKind::Value),
            _ => {}
        }
    }

    fn blind(&mut self, range: TextRange, what: BlindKind) {
        self.found.blind.push(Blind {
            range,
            what,
            owner: Owner::Tool(self.call.name.clone()),
            path: self.path.clone(),
        });
    }
}
