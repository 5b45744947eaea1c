//! What an expression evaluates to.

use crate::{
    host::{
        elixir::tools::Capture,
        flow::{Flowing, Key, KeyForm, Part, Source, Written},
    },
    text::TextSize,
};

/// What an expression evaluates to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// What it is before the keys are followed.
    pub what: Flowing,
    /// Whether it is in `{:ok, …}`.
    pub(super) is_wrapped: bool,
    /// Where the text of its signature or prompt begins, in bytes of the document; `None` where a function elsewhere has it.
    pub origin: Option<TextSize>,
    /// The signature.
    pub source: Source,
    /// What led to what names in the expression are bound to.
    pub path: Vec<Part>,
    /// The keys in the expression itself, counted as it is.
    pub keys: Vec<Key>,
}

impl Value {
    pub(super) fn of_agent(source: Source, origin: TextSize) -> Self {
        Self {
            what: Flowing::Agent,
            is_wrapped: false,
            origin: Some(origin),
            source,
            path: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// What a function returns that may be in another file: nothing, unless that says that it is an agent.
    pub(super) fn of_function(function: Capture) -> Self {
        Self {
            what: Flowing::Agent,
            is_wrapped: false,
            origin: None,
            source: Source {
                written: Written::Function(function),
                mode: None,
                is_program: false,
            },
            path: Vec::new(),
            keys: Vec::new(),
        }
    }

    pub(super) fn is(&self, what: Flowing) -> bool {
        self.what == what && !self.is_wrapped
    }

    /// The second element of `{:ok, …}`.
    pub(super) fn unwrapped(mut self) -> Option<Self> {
        if self.is_wrapped {
            self.is_wrapped = false;
            return Some(self);
        }
        self.what = match self.what {
            Flowing::Outcome => Flowing::Step,
            Flowing::CompiledAgent => Flowing::Agent,
            Flowing::Agent | Flowing::Step | Flowing::Data => return None,
        };
        Some(self)
    }

    /// Any element of the list that it is.
    pub(super) fn element(mut self) -> Option<Self> {
        if !self.is(Flowing::Data) {
            return None;
        }
        self.follow_keys();
        self.path.push(Part::Element);
        Some(self)
    }

    /// Takes the keys for a part of the path.
    pub(super) fn follow_keys(&mut self) {
        let keys = self.keys.drain(..);
        self.path.extend(keys.map(|it| Part::Key(it.name)));
    }

    /// What is under `key`.
    pub(super) fn under(mut self, key: &Key) -> Option<Self> {
        if self.is_wrapped {
            return None;
        }
        match self.what {
            Flowing::Step => {
                let is_return =
                    key.form != KeyForm::String && key.name.as_deref() == Some("return");
                is_return.then_some(Self {
                    what: Flowing::Data,
                    ..self
                })
            }
            Flowing::Data => {
                self.keys.push(key.clone());
                Some(self)
            }
            Flowing::Agent | Flowing::CompiledAgent | Flowing::Outcome => None,
        }
    }

    /// Whether it can be told what it is: it is not in `{:ok, …}`.
    pub fn is_plain(&self) -> bool {
        !self.is_wrapped
    }
}
