//! The facts of a unit about tools.

use std::sync::Arc;

use super::ToolSignature;

use crate::{
    ide::{
        fragment::{Fragment, Tree},
        functions::Scope,
        specs::Specs,
        unit::{Input, Known},
    },
    model::{Edition, Lowered, Primitive, Signature, TypeKind, gaps::Gap},
};
use signature_ls_source::{
    host::{
        Role,
        elixir::{
            module::Module,
            tools::{Capture, Form, Tool},
        },
        lisp::Namespaces,
        object::Literal,
    },
    order,
    rare::Rare,
};

/// What a unit tells the rest of its document about tools.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnitTools {
    /// The tools that it names, which programs elsewhere in the document may call.
    pub(crate) named: Box<[NamedTool]>,
    /// The namespaces that it mentions.
    pub(super) namespaces: Rare<Namespaces>,
}

impl UnitTools {
    /// Whether there are no facts.
    pub(crate) fn is_empty(&self) -> bool {
        self.named.is_empty() && !self.says_of_namespaces()
    }

    /// Whether it mentions namespaces.
    pub(crate) fn says_of_namespaces(&self) -> bool {
        !self.namespaces.is_empty()
    }
}

/// A tool that a unit names.
#[derive(Debug, Clone)]
pub(crate) struct NamedTool {
    /// Its name as written.
    pub(crate) name: Arc<str>,
    pub(crate) says: Says,
    /// Whether its signature may have more fields than could be read.
    pub(crate) is_partial: bool,
}

/// What is known about a tool beside its name.
#[derive(Debug, Clone)]
pub(crate) enum Says {
    Signature(ToolSignature),
    /// It has an unknown signature.
    Unclear,
}

impl Says {
    fn signature(known: Option<ToolSignature>) -> Self {
        known.map_or(Self::Unclear, Self::Signature)
    }
}

impl UnitTools {
    /// The facts of the unit with these `fragments`.
    pub(crate) fn new(input: Input<'_>, fragments: &[Fragment]) -> Self {
        let unit = input.unit;
        let mut named: Vec<_> = fragments.iter().filter_map(of_fragment).collect();
        let registered = unit.tools.iter().flatten();
        named.extend(registered.filter_map(|tool| of_registered(tool, input)));
        let bare = unit.tool_name().into_iter().filter(|it| !it.is_signed);
        named.extend(bare.map(|it| NamedTool {
            name: it.name.clone(),
            says: Says::Unclear,
            is_partial: false,
        }));
        Self {
            named: named.into(),
            namespaces: unit.namespaces().clone().into(),
        }
    }
}

fn of_fragment(fragment: &Fragment) -> Option<NamedTool> {
    let (Role::Tool, Some(name), Tree::Signature { lowered, .. }) =
        (fragment.role, &fragment.name, &fragment.tree)
    else {
        return None;
    };
    Some(NamedTool {
        name: name.clone(),
        says: Says::signature(known(lowered)),
        is_partial: is_partial(lowered),
    })
}

/// The signature, if most of its parameters are known.
fn known(lowered: &Lowered) -> Option<ToolSignature> {
    let gap = &lowered.gaps.params;
    (!gap.is_open()).then(|| ToolSignature {
        signature: Arc::clone(&lowered.signature),
        gap: gap.clone().into(),
    })
}

/// Whether an error may hide a name.
fn is_partial(lowered: &Lowered) -> bool {
    !lowered.gaps.params.is_none() || !lowered.gaps.has_whole_records()
}

/// The tools of a call in Elixir, the last of several with the same name, and whether the list is complete.
pub(super) fn of_call(input: Input<'_>) -> Option<(Vec<NamedTool>, bool)> {
    let registered = input.unit.tools.as_ref()?;
    let is_complete = registered.iter().all(|it| it.name.is_some());
    let named = registered
        .iter()
        .filter_map(|tool| of_registered(tool, input));
    let mut named: Vec<_> = named.rev().collect();
    order::by_name(&mut named, |it| &it.name);
    named.dedup_by(|a, b| a.name == b.name);
    Some((named, is_complete))
}

/// The facts about a `tool` that a call registers.
fn of_registered(tool: &Tool, input: Input<'_>) -> Option<NamedTool> {
    let Known { edition, scope, .. } = input.known;
    let written = tool.signature().and_then(|it| read(it, input));
    let is_partial = written.as_ref().is_some_and(|(_, is_partial)| *is_partial);
    let written = written.map(|(signature, _)| signature);
    let signature = written.or_else(|| inferred(tool, scope));
    let of_head = match signature {
        None => of_head(tool, edition, scope),
        Some(_) => None,
    };
    let is_partial = is_partial || of_head.is_some();
    let signature = signature.or(of_head);
    Some(NamedTool {
        name: tool.name.clone()?,
        says: Says::signature(signature),
        is_partial,
    })
}

/// The signature in a literal of the unit, and whether an error may hide a name in it.
fn read(literal: &Literal, input: Input<'_>) -> Option<(ToolSignature, bool)> {
    let content = input.text.slice(literal.content + input.start);
    let Known {
        edition, shared, ..
    } = input.known;
    let lowered = shared.tool(literal, &content, edition)?;
    Some((known(&lowered)?, is_partial(&lowered)))
}

/// The signature that a tool has from the spec of its function.
fn inferred(tool: &Tool, scope: &Scope) -> Option<ToolSignature> {
    let Form::Function(Some(capture)) = &tool.form else {
        return None;
    };
    let read = scope.resolve(capture)?.signature()?;
    let signature = &read.extracted.signature;
    (!takes_all_arguments(capture, signature)).then(|| ToolSignature {
        signature: Arc::clone(signature),
        gap: Rare::default(),
    })
}

/// The signatures of tools that are functions of other files, from their specs.
#[derive(Default)]
pub struct FunctionSignatures(Specs);

impl FunctionSignatures {
    /// The signature of a tool that is a `function` of `module`; `None` without a spec that says it.
    pub fn of(&self, module: &Module, function: &Capture) -> Option<String> {
        let read = self.0.infer(module, &function.name, function.arity)?;
        let signature = &read.extracted.signature;
        (!takes_all_arguments(function, signature)).then(|| signature.to_string())
    }
}

/// What calls of a tool without a signature must pass: the keys that the only clause of its function matches.
fn of_head(tool: &Tool, edition: Edition, scope: &Scope) -> Option<ToolSignature> {
    // Programs of this edition pass atoms.
    if tool.contract.is_some() || edition < Edition::V0_5 {
        return None;
    }
    let signature = match &tool.form {
        Form::Function(None) | Form::Described(None) => {
            Arc::new(Signature::of_keys(&tool.details.head))
        }
        Form::Function(Some(capture)) if capture.arity == 1 => {
            let resolved = scope.resolve(capture)?;
            let is_only = resolved.function.clauses == 1;
            is_only.then(|| resolved.head_signature())?
        }
        _ => return None,
    };
    (!signature.params.is_empty()).then(|| ToolSignature {
        signature,
        gap: Gap::open().into(),
    })
}

/// Whether the only parameter is the map of all arguments, which the spec does not name.
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
