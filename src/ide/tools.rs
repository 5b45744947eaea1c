//! The tools that programs can call: those that a document names, or those of one call.

use std::collections::BTreeMap;

use crate::{
    host::{
        HostKind, PlacedUnit, Role, Unit,
        elixir::tools::{Capture, Form, Tool},
        lisp::Namespaces,
        object::Literal,
    },
    ide::{
        functions::Scope,
        unit::{Known, Tree, UnitAnalysis, elixir_tools},
    },
    model::{Edition, Primitive, Signature, TypeKind, lower},
    syntax::{fragment::Fragment, kind::SyntaxNode, signature},
    text::{Text, TextSize},
};

/// The tools that the library itself has, which an agent can turn on.
const BUILT_IN: &[&str] = &["grep", "grep_n", "llm_query"];

/// Tools by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tools {
    /// A signature where one is known, and no other for the same name.
    by_name: BTreeMap<String, Option<Signature>>,
    /// Whether a name that is none of these is none at all.
    is_complete: bool,
    /// What the programs say of namespaces.
    namespaces: Namespaces,
}

impl Tools {
    /// Gathers the tools of a document of `kind`.
    pub(crate) fn of_document<'a>(
        kind: HostKind,
        text: &Text,
        scope: &Scope,
        units: impl Iterator<Item = (&'a PlacedUnit, &'a UnitAnalysis)>,
    ) -> Self {
        let mut tools = Self {
            // Guides and documentation show parts of many programs.
            is_complete: !matches!(kind, HostKind::Markdown | HostKind::Elixir),
            ..Self::default()
        };
        for (placed, analysis) in units {
            tools.namespaces.add(&placed.unit.program.namespaces);
            tools.add_unit(text, scope, placed, analysis);
        }
        tools.is_complete &= !tools.by_name.is_empty();
        tools
    }

    /// The tools of the call in Elixir that begins at `start` of `text`, if it holds a program and says
    /// which tools there are.
    pub(crate) fn of_call(
        unit: &Unit,
        text: &Text,
        start: TextSize,
        known: Known<'_>,
    ) -> Option<Self> {
        unit.program.literal.as_ref()?;
        let (map, registered) = elixir_tools(unit, text, start)?;
        let mut tools = Self {
            is_complete: registered.iter().all(|it| it.name.is_some()),
            namespaces: unit.program.namespaces.clone(),
            ..Self::default()
        };
        for tool in &registered {
            let Some(name) = &tool.name else { continue };
            let written = tool.signature.as_ref();
            let written = written.and_then(|it| read(it, text, map + start, known.edition));
            let signature = written.or_else(|| inferred(tool, known.scope));
            tools.by_name.insert(name.clone(), signature);
        }
        Some(tools)
    }

    fn add_unit(
        &mut self,
        text: &Text,
        scope: &Scope,
        placed: &PlacedUnit,
        analysis: &UnitAnalysis,
    ) {
        for fragment in &analysis.fragments {
            let (
                Role::Tool,
                Some(name),
                Tree::Signature {
                    lowered, is_whole, ..
                },
            ) = (fragment.role, &fragment.name, &fragment.tree)
            else {
                continue;
            };
            let is_sound = *is_whole && lowered.problems.is_empty();
            self.add(name, is_sound.then_some(&lowered.signature));
        }
        let Some((_, registered)) = elixir_tools(&placed.unit, text, placed.start) else {
            return;
        };
        for tool in &registered {
            let Some(name) = &tool.name else { continue };
            match inferred(tool, scope) {
                Some(signature) => self.add(name, Some(&signature)),
                None => drop(self.by_name.entry(name.clone()).or_insert(None)),
            }
        }
    }

    fn add(&mut self, name: &str, signature: Option<&Signature>) {
        match self.by_name.get_mut(name) {
            Some(known) if known.as_ref() == signature => {}
            Some(known) => *known = None,
            None => drop(self.by_name.insert(name.to_owned(), signature.cloned())),
        }
    }

    /// Whether there is a tool of that name, under any spelling that the edition takes for the same.
    pub(crate) fn has(&self, name: &str, normal: impl Fn(&str) -> String) -> bool {
        let wanted = normal(name);
        let mut known = self.names().chain(BUILT_IN.iter().copied());
        known.any(|known| normal(known) == wanted)
    }

    /// The signature of the tool of that name, if there is just one.
    pub(crate) fn signature(
        &self,
        name: &str,
        normal: impl Fn(&str) -> String,
    ) -> Option<&Signature> {
        let wanted = normal(name);
        let mut found = self.by_name.iter().filter(|(it, _)| normal(it) == wanted);
        let (_, signature) = found.next()?;
        let is_only = found.next().is_none();
        signature.as_ref().filter(|_| is_only)
    }

    /// The names of all tools.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether a name that is none of these is none at all.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// What the programs say of namespaces.
    pub(crate) fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }
}

/// The signature in the literal that counts from `start` of `text`, if there is nothing wrong with it.
fn read(literal: &Literal, text: &Text, start: TextSize, edition: Edition) -> Option<Signature> {
    let content = text.slice(literal.content + start);
    let fragment = Fragment {
        text: &content,
        escapes: literal.escapes,
        foreign: &literal.foreign,
    };
    let lowered = lower(&SyntaxNode::new_root(signature::parse(fragment)), edition);
    let is_sound = lowered.problems.is_empty() && !fragment.has_holes();
    is_sound.then_some(lowered.signature)
}

/// The signature that a tool has from the spec of its function.
fn inferred(tool: &Tool, scope: &Scope) -> Option<Signature> {
    let Form::Function(Some(capture)) = &tool.form else {
        return None;
    };
    let signature = scope.resolve(capture)?.signature()?.signature;
    (!takes_all_arguments(capture, &signature)).then_some(signature)
}

/// Whether the one parameter is the map of all arguments, which the spec does not name one by one.
fn takes_all_arguments(capture: &Capture, signature: &Signature) -> bool {
    let [only] = signature.params.as_slice() else {
        return false;
    };
    capture.arity == 1
        && matches!(
            only.ty.kind,
            TypeKind::Record(_)
                | TypeKind::Unknown
                | TypeKind::Primitive(Primitive::Map | Primitive::Any)
        )
}
