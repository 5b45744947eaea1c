//! The literal of a signature or prompt that flows into other units.

use std::{
    hash::{BuildHasher, Hash, Hasher},
    ops::Deref,
    sync::{Arc, OnceLock},
};

use foldhash::fast::FixedState;
use rowan::GreenNode;

use crate::{
    host::{object::Literal, site},
    rare::Rare,
    syntax::{
        fragment::{Escapes, Foreign, Fragment},
        template,
    },
};

/// What is between the delimiters of a literal. It may be long and flow into thousands of units: copies share it, and it
/// is hashed once.
#[derive(Debug, Clone)]
pub struct SharedText(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    text: Box<str>,
    escapes: Escapes,
    /// Margins and interpolations, in bytes from the text's start.
    foreign: Rare<Vec<Foreign>>,
    is_dynamic: bool,
    letters: OnceLock<u64>,
    template: OnceLock<GreenNode>,
}

impl SharedText {
    /// The content `text` of `literal`.
    pub fn new(text: &str, literal: Literal) -> Self {
        Self(Arc::new(Shared {
            text: text.into(),
            escapes: literal.escapes,
            is_dynamic: site::is_dynamic(&literal.foreign),
            foreign: literal.foreign,
            letters: OnceLock::new(),
            template: OnceLock::new(),
        }))
    }

    /// The text for a parser.
    pub fn fragment(&self) -> Fragment<'_> {
        Fragment {
            text: self,
            escapes: self.0.escapes,
            foreign: &self.0.foreign,
        }
    }

    /// The tree of the template that it is.
    pub fn template(&self) -> &GreenNode {
        let parse = || template::parse(self.fragment());
        self.0.template.get_or_init(parse)
    }

    /// Whether the text is only known at run time.
    pub fn is_dynamic(&self) -> bool {
        self.0.is_dynamic
    }

    /// The [`letters_of`] it.
    pub fn letters(&self) -> u64 {
        *self.0.letters.get_or_init(|| letters_of(self))
    }

    /// Whether both are one in memory.
    pub fn is_one_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&self.0, &other.0);
        let are_equal = || one.escapes == two.escapes && one.foreign == two.foreign;
        self.is_one_with(other) || one.text == two.text && are_equal()
    }
}

impl Eq for SharedText {}

impl Hash for SharedText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.letters().hash(state);
    }
}

/// A number for the letters and digits of `text`, which margins have none of.
pub fn letters_of(text: &str) -> u64 {
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    FixedState::default().hash_one(letters.collect::<Vec<_>>())
}
