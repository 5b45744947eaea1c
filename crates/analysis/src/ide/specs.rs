//! The signatures of specs. Each is inferred once, until its function changes.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use foldhash::HashMap;

use crate::model::{
    Edition, Signature,
    typespec::{DeclaredTypes, Extracted, extract},
};
use signature_ls_source::{
    host::elixir::{module::Module, tools::Capture},
    work,
};

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
    fn read(module: &Module, types: &DeclaredTypes, name: &str, arity: usize) -> Option<Self> {
        let head = &module.function(name, arity)?.head;
        let spec = module.spec(name, arity)?;
        Some(Self {
            extracted: extract(spec, Some(head), types)?,
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
pub(in crate::ide) struct Specs(Arc<Mutex<Inferred>>);

#[derive(Default)]
struct Inferred {
    signatures: HashMap<Capture, Known>,
    /// The parameters that the heads of functions match, with these functions.
    heads: HashMap<Capture, (Arc<Module>, Arc<Signature>)>,
    /// The types of each module, with the texts that declare them.
    types: HashMap<String, (Arc<Vec<String>>, Declared)>,
}

/// The types of a module, which the first thread declares that needs them. They may be as long as a text.
type Declared = Arc<OnceLock<Arc<DeclaredTypes>>>;

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
        if let Some(known) = self.lock().signatures.get_mut(&capture)
            && known.says_the_same(module, &capture)
        {
            // The next comparison only compares pointers.
            known.module = Arc::clone(module);
            return known.signature.clone();
        }
        let signature = self.infer(module, name, arity).map(Arc::new);
        let mut all = self.lock();
        if all.signatures.len() >= MOST {
            *all = Inferred::default();
        }
        let known = Known {
            module: Arc::clone(module),
            signature: signature.clone(),
        };
        all.signatures.insert(capture, known);
        signature
    }

    /// The signature whose parameters are the strings that `function` of `module` matches.
    pub(in crate::ide) fn of_head(
        &self,
        module: &Arc<Module>,
        function: &Capture,
    ) -> Arc<Signature> {
        let keys = |module: &'_ Module| {
            let function = module.function(&function.name, function.arity);
            function
                .map(|it| it.string_keys.clone())
                .unwrap_or_default()
        };
        if let Some((known, signature)) = self.lock().heads.get(function)
            && (Arc::ptr_eq(known, module) || keys(known) == keys(module))
        {
            return Arc::clone(signature);
        }
        let signature = Arc::new(Signature::of_keys(&keys(module)));
        let mut all = self.lock();
        if all.heads.len() >= MOST {
            all.heads.clear();
        }
        let known = (Arc::clone(module), Arc::clone(&signature));
        all.heads.insert(function.clone(), known);
        signature
    }

    /// The signature of a function of `module`, which is not kept.
    pub(in crate::ide) fn infer(
        &self,
        module: &Module,
        name: &str,
        arity: usize,
    ) -> Option<SpecSignature> {
        module.spec(name, arity)?;
        SpecSignature::read(module, &self.types_of(module), name, arity)
    }

    /// The types of `module`, which are declared once for all of its functions.
    fn types_of(&self, module: &Module) -> Arc<DeclaredTypes> {
        let types = self.declared(module);
        let declare = || {
            let mut types = DeclaredTypes::with_capacity(module.types.len());
            for text in module.types.iter() {
                work::count(text.len());
                types.declare(text);
            }
            Arc::new(types)
        };
        Arc::clone(types.get_or_init(declare))
    }

    fn declared(&self, module: &Module) -> Declared {
        let types = &mut self.lock().types;
        if let Some((texts, types)) = types.get(&module.name)
            && *texts == module.types
        {
            return Arc::clone(types);
        }
        let declared = Declared::default();
        let known = (Arc::clone(&module.types), Arc::clone(&declared));
        types.insert(module.name.clone(), known);
        declared
    }

    fn lock(&self) -> MutexGuard<'_, Inferred> {
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
        assert_eq!(after.extracted.text(), expected);
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

    /// The types of a module are read once for all of its functions.
    #[test]
    fn twice_the_functions_are_twice_the_work() {
        let read = |count: usize| {
            let type_of = |it| format!("@type t{it} :: integer()\n");
            let types: String = (0..count).map(type_of).collect();
            let function = |it| format!("@spec f{it}(t{it}) :: t{it}\ndef f{it}(a), do: a\n");
            let functions: String = (0..count).map(function).collect();
            let text = format!("defmodule A do\n{types}{functions}end");
            let scope = Scope::new(Arc::new(facts(&text)), Arc::default());
            work::counted(|| {
                for it in 0..count {
                    let capture = Capture {
                        module: Some("A".to_owned()),
                        name: format!("f{it}"),
                        arity: 1,
                    };
                    let signature = scope.resolve(&capture).and_then(|it| it.signature());
                    let signature = signature.expect("a signature");
                    assert_eq!(signature.extracted.text(), "(a :int) -> :int");
                }
            })
        };
        let (few, many) = (read(100), read(200));
        assert!(
            few > 0 && many <= 2 * few + few / 4,
            "{few} bytes, then {many}"
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
