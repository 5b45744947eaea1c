//! The signatures of specs. Each is inferred once, until its function changes.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use foldhash::HashMap;

use crate::model::{
    Edition,
    typespec::{DeclaredTypes, Extracted, extract},
};
use signature_ls_source::host::elixir::{module::Module, tools::Capture};

/// A document with more functions infers their signatures again.
const MOST: usize = 4096;

/// The result for a spec.
#[derive(Debug)]
pub(crate) struct SpecSignature {
    /// The signature.
    pub(crate) extracted: Extracted,
    /// Whether the first requested edition accepts it.
    accepted: OnceLock<(Edition, bool)>,
}

impl SpecSignature {
    /// The signature of a function; `None` without a spec, or if the spec cannot be parsed.
    pub(super) fn read(module: &Module, name: &str, arity: usize) -> Option<Self> {
        let head = &module.function(name, arity)?.head;
        let spec = module.spec(name, arity)?;
        let mut types = DeclaredTypes::default();
        for text in module.types.iter() {
            types.declare(text);
        }
        Some(Self {
            extracted: extract(spec, Some(head), &types)?,
            accepted: OnceLock::new(),
        })
    }

    /// Whether a parser of `edition` accepts the signature that the reference writes.
    pub(crate) fn is_accepted(&self, edition: Edition) -> bool {
        let read = || (edition, self.extracted.is_accepted(edition));
        match *self.accepted.get_or_init(read) {
            (known, is_accepted) if known == edition => is_accepted,
            _ => self.extracted.is_accepted(edition),
        }
    }
}

/// The signatures that were inferred for a document. Its versions share them.
#[derive(Clone, Default)]
pub(super) struct Specs(Arc<Mutex<HashMap<Capture, Known>>>);

/// A signature and the module of its spec.
struct Known {
    module: Arc<Module>,
    signature: Option<Arc<SpecSignature>>,
}

impl Specs {
    /// The signature of a function of `module`.
    pub(super) fn get(
        &self,
        module: &Arc<Module>,
        name: &str,
        arity: usize,
    ) -> Option<Arc<SpecSignature>> {
        let capture = Capture {
            module: Some(module.name.clone()),
            name: name.to_owned(),
            arity,
        };
        if let Some(known) = self.lock().get_mut(&capture)
            && known.says_the_same(module, &capture)
        {
            // The next comparison only compares pointers.
            known.module = Arc::clone(module);
            return known.signature.clone();
        }
        let signature = SpecSignature::read(module, name, arity).map(Arc::new);
        let mut all = self.lock();
        if all.len() >= MOST {
            all.clear();
        }
        let known = Known {
            module: Arc::clone(module),
            signature: signature.clone(),
        };
        all.insert(capture, known);
        signature
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Capture, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Whether `module` is unchanged since the signature was inferred.
    fn says_the_same(&self, module: &Arc<Module>, capture: &Capture) -> bool {
        let (name, arity) = (&capture.name, capture.arity);
        let old = &self.module;
        Arc::ptr_eq(old, module)
            || (old.types == module.types
                && old.spec(name, arity) == module.spec(name, arity)
                && old.function(name, arity).map(|it| &it.head)
                    == module.function(name, arity).map(|it| &it.head))
    }
}

/// The cache does not affect equality.
impl PartialEq for Specs {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Specs {}

impl fmt::Debug for Specs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Specs").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::functions::{Answers, Scope};
    use signature_ls_source::host::elixir::module::facts;

    const TEXT: &str = "defmodule A do\n@type id :: integer()\n@spec run(id, String.t()) :: id\ndef run(a, b), do: a\n@spec other(id) :: id\ndef other(a), do: a\nend";

    /// The signature of `run`, and whether it was inferred again after `change` of the text.
    #[track_caller]
    fn check(from: &str, to: &str, expected: &str, is_read_again: bool) {
        let capture = Capture {
            module: Some("A".to_owned()),
            name: "run".to_owned(),
            arity: 2,
        };
        let scope = Scope::new(Arc::new(facts(TEXT)), Arc::default());
        let signature = |scope: &Scope| scope.resolve(&capture).and_then(|it| it.signature());
        let before = signature(&scope).expect("a signature");
        let own = facts(&TEXT.replace(from, to));
        let scope = scope.after(Arc::new(own), Arc::new(Answers::default()));
        let after = signature(&scope).expect("a signature");
        assert_eq!(after.extracted.text, expected);
        assert_eq!(!Arc::ptr_eq(&before, &after), is_read_again);
        assert_eq!(
            after.is_accepted(Edition::V0_4),
            after.extracted.is_accepted(Edition::V0_4)
        );
        assert_eq!(
            after.is_accepted(Edition::Next),
            after.extracted.is_accepted(Edition::Next)
        );
    }

    #[test]
    fn a_spec_is_read_again_where_its_function_says_something_else() {
        check(
            "other(id)",
            "other(id())",
            "(a :int, b :string) -> :int",
            false,
        );
        check(
            "do: a\nend",
            "do: a + 1\nend",
            "(a :int, b :string) -> :int",
            false,
        );
        check("String.t()", "float()", "(a :int, b :float) -> :int", true);
        check(
            "run(a, b)",
            "run(a, c)",
            "(a :int, c :string) -> :int",
            true,
        );
        check(
            "id :: integer()",
            "id :: boolean()",
            "(a :bool, b :string) -> :bool",
            true,
        );
    }
}
