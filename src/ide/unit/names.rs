//! The names of a unit: where each is defined or referred to, and what it stands for.
//!
//! What is in another unit or file is named, not resolved, so that the names of a unit depend on its text
//! alone and stay as they are when anything around it changes.

use std::collections::HashMap;

use super::{Fragment, Tree, UnitView};
use crate::{
    contract::{Direction, Entry, Value, ValueKind},
    host::{
        Role,
        elixir::tools::{Capture, Form},
        lisp::{Arguments, Namespace, Parameter, ToolCall},
    },
    model::{
        Edition, Field, FieldId, Lowered, Names, Signature, Type, TypeKind,
        names::record_in,
        placeholders::{self, Use},
    },
    syntax::kind::SyntaxNode,
    text::{TextRange, TextSize},
};

/// A name, with ranges in bytes from the unit's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// Just the name, without colons, quotes and namespaces.
    pub(crate) range: TextRange,
    pub(crate) kind: NameKind,
    pub(crate) target: Target,
}

/// What a name is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameKind {
    /// A parameter or field in a signature: a definition.
    Declaration,
    /// A segment of a placeholder.
    Placeholder,
    /// The dot of `{{.}}`, which stands for an element of the target.
    Element,
    /// A segment in the opening tag of a section.
    SectionOpening {
        /// The same segment in the closing tag.
        closing: Option<TextRange>,
    },
    /// A segment in the closing tag of a section.
    SectionClosing {
        /// The same segment in the opening tag.
        opening: TextRange,
    },
    /// A key in a sample or in `context:`. It is the definition where no signature has the name.
    SampleKey,
    /// A key in what a program returns.
    ReturnKey,
    /// A key of an argument in a call of a tool.
    ArgumentKey,
    /// `data/name`
    Data,
    /// A parameter in the head of a function.
    FunctionParameter,
    /// The name of a tool where it is registered: a definition.
    ToolEntry,
    /// The name of a tool where it is called.
    ToolCall,
    /// A function that is a tool, as in `&MyApp.search/1`.
    Capture,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A parameter or field of a signature in the same unit.
    Field {
        /// The index of the fragment.
        fragment: usize,
        field: FieldId,
    },
    /// A parameter of a tool, or a field in it.
    Argument {
        /// The tool's name as written.
        tool: String,
        /// The names that lead to it, in normal form.
        path: Vec<String>,
    },
    /// A value of the context that no signature declares, in normal form.
    Context(String),
    /// A tool, by its name as written.
    Tool(String),
    /// A function.
    Function(Capture),
    /// Nothing that is declared.
    Unknown,
}

impl NameKind {
    /// Whether the name is defined here.
    pub(crate) fn is_definition(self) -> bool {
        matches!(self, Self::Declaration | Self::ToolEntry)
    }
}

/// The names of one part of a unit that is read on its own, such as a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// What the ranges count from, in bytes from the unit's start.
    start: TextSize,
    /// In the order of the text.
    names: Vec<Name>,
}

/// The names of a unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UnitNames {
    parts: Vec<Part>,
}

impl UnitNames {
    /// Reads the names of the unit that `view` shows.
    pub(super) fn new(view: &UnitView<'_>) -> Self {
        let mut names = Self::default();
        for (index, fragment) in view.fragments.iter().enumerate() {
            if let Tree::Signature { lowered, .. } = &fragment.tree {
                names.add(fragment.start, of_signature(index, &lowered.names));
            }
        }
        let signature = AgentsSignature::of(view);
        for prompt in view.prompts() {
            names.add(
                prompt.start,
                match &signature {
                    Some(signature) => {
                        let known = view.with_arguments(signature.signature());
                        signature.in_prompt(&prompt.root, &known)
                    }
                    None => in_unsigned_prompt(&prompt.root, view.edition),
                },
            );
        }
        let mut others = of_tools(view);
        others.extend(of_samples(view));
        others.extend(of_program(view));
        others.sort_by_key(|it| (it.range.start(), it.range.end()));
        names.add(TextSize::default(), others);
        names
    }

    fn add(&mut self, start: TextSize, names: Vec<Name>) {
        if !names.is_empty() {
            self.parts.push(Part { start, names });
        }
    }

    /// All names, each part of the unit in the order of the text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Name> {
        let parts = self.parts.iter();
        parts.flat_map(|part| part.names.iter().map(|it| it.moved_by(part.start)))
    }

    /// The name at `offset`, in bytes from the unit's start, also where it ends there.
    pub(crate) fn at(&self, offset: TextSize) -> Option<Name> {
        let found = self.parts.iter().filter_map(|part| part.at(offset));
        found.min_by_key(|it| (it.range.end() == offset, it.range.len()))
    }
}

impl Part {
    fn at(&self, offset: TextSize) -> Option<Name> {
        let offset = offset.checked_sub(self.start)?;
        let behind = self.names.partition_point(|it| it.range.start() <= offset);
        let before = self.names[..behind].iter().rev();
        let mut near = before.take(2);
        let found = near.find(|it| it.range.contains_inclusive(offset))?;
        Some(found.moved_by(self.start))
    }
}

impl Name {
    /// The same name, `offset` bytes further on.
    pub(crate) fn moved_by(&self, offset: TextSize) -> Self {
        let kind = match self.kind {
            NameKind::SectionOpening { closing } => NameKind::SectionOpening {
                closing: closing.map(|it| it + offset),
            },
            NameKind::SectionClosing { opening } => NameKind::SectionClosing {
                opening: opening + offset,
            },
            other => other,
        };
        Self {
            range: self.range + offset,
            kind,
            target: self.target.clone(),
        }
    }
}

fn of_signature(fragment: usize, names: &Names) -> Vec<Name> {
    let declared = names.iter().map(|(field, it)| Name {
        range: it.range,
        kind: NameKind::Declaration,
        target: Target::Field { fragment, field },
    });
    declared.collect()
}

/// The signature that prompts, samples and programs of a unit are under.
struct AgentsSignature<'a> {
    /// The index of its fragment.
    fragment: usize,
    lowered: &'a Lowered,
    /// The first parameter of each name in normal form.
    params: HashMap<String, &'a Field>,
    edition: Edition,
}

impl<'a> AgentsSignature<'a> {
    fn of(view: &UnitView<'a>) -> Option<Self> {
        let fragments = view.fragments.iter().enumerate();
        let (fragment, lowered) = fragments.into_iter().find_map(|(index, it)| {
            let Tree::Signature { lowered, .. } = &it.tree else {
                return None;
            };
            Some((index, lowered))
        })?;
        Some(Self {
            fragment,
            lowered,
            params: by_name(&lowered.signature.params, view.edition),
            edition: view.edition,
        })
    }

    fn signature(&self) -> &'a Signature {
        &self.lowered.signature
    }

    fn target(&self, declared: TextRange) -> Option<Target> {
        Some(Target::Field {
            fragment: self.fragment,
            field: self.lowered.names.at(declared)?,
        })
    }

    /// The names in the template at `root`, or in a part of one that no section reaches out of.
    fn in_prompt(&self, root: &SyntaxNode, known: &Signature) -> Vec<Name> {
        let uses = placeholders::resolve(root, known, self.edition);
        let mut names: Vec<_> = uses.iter().flat_map(|it| self.in_tag(it)).collect();
        names.sort_by_key(|it| it.range.start());
        names
    }

    fn in_tag(&self, it: &Use) -> Vec<Name> {
        if let (true, Some(&list)) = (it.segments.is_empty(), it.declared.first()) {
            let element = self.target(list).map(|target| Name {
                range: it.range,
                kind: NameKind::Element,
                target,
            });
            return Vec::from_iter(element);
        }
        let target = |index: usize, name: &str| match it.declared.get(index) {
            Some(&declared) => self.target(declared).unwrap_or_else(|| {
                // A key beside the prompt, which no signature declares.
                Target::Context(self.edition.normal_name(name))
            }),
            None => Target::Unknown,
        };
        let mut names = Vec::new();
        for (index, (name, range)) in it.segments.iter().enumerate() {
            let closing = it.closing.get(index).copied();
            let kind = match it.is_section {
                true => NameKind::SectionOpening { closing },
                false => NameKind::Placeholder,
            };
            names.extend(segment(*range, kind, target(index, name)));
        }
        names
    }

    /// The names of the keys in `value`, whose type is `ty`.
    fn in_value(&self, view: &UnitView<'_>, value: &Value, ty: &Type, kind: NameKind) -> Vec<Name> {
        let mut names = Vec::new();
        fields_in(value, ty, self.edition, &mut |entry, field| {
            names.extend(self.in_key(view, entry, field, kind));
        });
        names
    }

    fn in_key(
        &self,
        view: &UnitView<'_>,
        entry: &Entry,
        field: &Field,
        kind: NameKind,
    ) -> Option<Name> {
        Some(Name {
            range: view.name_in(entry.key.range, entry.key.name.as_deref()?)?,
            kind,
            target: self.target(field.name_range)?,
        })
    }
}

/// The name of a segment, and the same in the closing tag of a section.
fn segment(range: TextRange, kind: NameKind, target: Target) -> impl Iterator<Item = Name> {
    let closing = match kind {
        NameKind::SectionOpening { closing } => closing,
        _ => None,
    };
    let closing = closing.map(|closing| Name {
        range: closing,
        kind: NameKind::SectionClosing { opening: range },
        target: target.clone(),
    });
    let opening = Name {
        range,
        kind,
        target,
    };
    std::iter::once(opening).chain(closing)
}

/// The names in a template that no signature is for. Outside of sections they are those of the context.
fn in_unsigned_prompt(root: &SyntaxNode, edition: Edition) -> Vec<Name> {
    let nothing = Signature {
        params: Vec::new(),
        output: Type::new(TypeKind::Unknown),
    };
    let mut names = Vec::new();
    let mut sections_end = TextSize::default();
    for it in placeholders::resolve(root, &nothing, edition) {
        let is_in_section = it.range.start() < sections_end;
        if let Some(end) = it.closing.last() {
            sections_end = sections_end.max(end.end());
        }
        for (index, (name, range)) in it.segments.iter().enumerate() {
            let closing = it.closing.get(index).copied();
            let kind = match it.is_section {
                true => NameKind::SectionOpening { closing },
                false => NameKind::Placeholder,
            };
            let target = match index == 0 && !is_in_section {
                true => Target::Context(edition.normal_name(name)),
                false => Target::Unknown,
            };
            names.extend(segment(*range, kind, target));
        }
    }
    names.sort_by_key(|it| it.range.start());
    names
}

/// Tells `each` of the entries of `value`, at every depth, that a record in `ty` has fields for.
fn fields_in(value: &Value, ty: &Type, edition: Edition, each: &mut impl FnMut(&Entry, &Field)) {
    match (&value.kind, &ty.kind) {
        (ValueKind::List(values), TypeKind::List(element)) => {
            for value in values {
                fields_in(value, element, edition, each);
            }
        }
        (ValueKind::Map(entries), TypeKind::Record(fields)) => {
            let by_name = by_name(fields, edition);
            for entry in entries {
                let name = entry.key.name.as_deref();
                let field = name.and_then(|it| by_name.get(&edition.normal_name(it)));
                if let Some(field) = field {
                    each(entry, field);
                    fields_in(&entry.value, &field.ty, edition, each);
                }
            }
        }
        _ => {}
    }
}

/// The first field of each name in normal form.
fn by_name(fields: &[Field], edition: Edition) -> HashMap<String, &Field> {
    let mut by_name = HashMap::with_capacity(fields.len());
    for field in fields {
        let name = edition.normal_name(&field.name);
        by_name.entry(name).or_insert(field);
    }
    by_name
}

/// The keys of samples and of `context:`.
fn of_samples(view: &UnitView<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    let signature = AgentsSignature::of(view);
    for sample in view.samples() {
        let known = signature.as_ref();
        if let Some(signature) = known {
            let ty = match sample.direction {
                Direction::Input => signature.inputs(),
                Direction::Output => signature.signature().output.clone(),
            };
            names.extend(signature.in_value(view, &sample.value, &ty, NameKind::SampleKey));
        }
        if sample.direction == Direction::Input {
            names.extend(of_context(view, &sample.value, known));
        }
    }
    names
}

impl AgentsSignature<'_> {
    fn inputs(&self) -> Type {
        Type::new(TypeKind::Record(self.signature().params.clone()))
    }
}

/// The keys of a context that `signature` does not declare.
fn of_context(
    view: &UnitView<'_>,
    context: &Value,
    signature: Option<&AgentsSignature<'_>>,
) -> Vec<Name> {
    let ValueKind::Map(entries) = &context.kind else {
        return Vec::new();
    };
    let names = entries.iter().filter_map(|entry| {
        let written = entry.key.name.as_deref()?;
        let range = view.name_in(entry.key.range, written)?;
        let name = view.edition.normal_name(written);
        let is_declared = signature.is_some_and(|it| it.params.contains_key(&name));
        (!is_declared).then_some(Name {
            range,
            kind: NameKind::SampleKey,
            target: Target::Context(name),
        })
    });
    names.collect()
}

/// The names of the tools that a unit registers, and the functions that it registers as tools.
fn of_tools(view: &UnitView<'_>) -> Vec<Name> {
    let mut names = Vec::new();
    if let Some(tools) = view.tools_registered() {
        for tool in tools {
            let key = tool.name.as_ref().and_then(|name| {
                Some(Name {
                    range: view.name_in(tool.key, name)?,
                    kind: NameKind::ToolEntry,
                    target: Target::Tool(name.clone()),
                })
            });
            names.extend(key);
            if let Form::Function(Some(capture)) | Form::Described(Some(capture)) = &tool.form {
                names.extend(of_capture(view, tool.range, capture.clone()));
            }
        }
        return names;
    }
    let mut fragments = view.fragments.iter();
    let tool = fragments.find(|it| it.role == Role::Tool && it.name.is_some());
    names.extend(tool.and_then(|it| of_tool(view, it)));
    names
}

/// The name of the tool that has the signature in `fragment`, where it is in the same unit.
fn of_tool(view: &UnitView<'_>, fragment: &Fragment) -> Option<Name> {
    let name = fragment.name.as_ref()?;
    let entry = view.catalog_entry().and_then(|it| it.name());
    let range = match (entry, view.unit.argument("name")) {
        (Some(token), _) => token.text_range(),
        (None, Some(argument)) => view.name_in(argument.value, name)?,
        // The key before a signature that is the whole value.
        (None, None) => view.name_in(TextRange::up_to(fragment.literal), name)?,
    };
    Some(Name {
        range,
        kind: NameKind::ToolEntry,
        target: Target::Tool(name.clone()),
    })
}

/// The function's name in a capture somewhere in the code at `range`.
fn of_capture(view: &UnitView<'_>, range: TextRange, capture: Capture) -> Option<Name> {
    let code = view.code(range);
    let written = match &capture.module {
        Some(module) => format!("{module}.{}/{}", capture.name, capture.arity),
        None => format!("{}/{}", capture.name, capture.arity),
    };
    let at = code.find(&format!("&{written}"))?;
    let ahead = written.len() - capture.name.len() - format!("/{}", capture.arity).len();
    let start = TextSize::try_from(at + 1 + ahead).ok()?;
    Some(Name {
        range: TextRange::at(range.start() + start, TextSize::of(capture.name.as_str())),
        kind: NameKind::Capture,
        target: Target::Function(capture),
    })
}

/// The names in a program.
fn of_program(view: &UnitView<'_>) -> Vec<Name> {
    let program = view.program();
    let mut names: Vec<_> = program
        .calls
        .iter()
        .flat_map(|it| of_call(view, it))
        .collect();
    let signature = AgentsSignature::of(view);
    if let Some(signature) = &signature {
        names.extend(signature.of_returns(view));
        names.extend(signature.of_function(view));
    }
    if program.function.is_none() {
        names.extend(of_data(view, signature.as_ref()));
    }
    names
}

/// The names of context data.
fn of_data(view: &UnitView<'_>, signature: Option<&AgentsSignature<'_>>) -> Vec<Name> {
    let references = view.program().references.iter();
    let names = references.filter(|it| is_data(it.namespace)).map(|it| {
        let name = view.edition.normal_name(&it.name);
        let declared = signature.and_then(|signature| {
            let param = signature.params.get(&name)?;
            signature.target(param.name_range)
        });
        Name {
            range: it.name_range,
            kind: NameKind::Data,
            target: declared.unwrap_or(Target::Context(name)),
        }
    });
    names.collect()
}

fn is_data(namespace: Namespace) -> bool {
    matches!(namespace, Namespace::Data | Namespace::Context)
}

/// The name of a tool in a call, and the keys of its arguments.
fn of_call(view: &UnitView<'_>, call: &ToolCall) -> Vec<Name> {
    let mut names = vec![Name {
        range: call.name_range,
        kind: NameKind::ToolCall,
        target: Target::Tool(call.name.clone()),
    }];
    let (Arguments::Map { entries, .. } | Arguments::Pairs(entries)) = &call.arguments else {
        return names;
    };
    for argument in entries {
        let path = vec![view.edition.normal_name(&argument.name)];
        let value = argument.value.and_then(|range| view.program_value(range));
        if let Some(value) = value {
            in_argument(view, call, &path, &value, &mut names);
        }
        names.extend(argument_key(view, call, argument.key, &argument.name, path));
    }
    names
}

fn in_argument(
    view: &UnitView<'_>,
    call: &ToolCall,
    path: &[String],
    value: &Value,
    names: &mut Vec<Name>,
) {
    match &value.kind {
        ValueKind::List(values) => {
            for value in values {
                in_argument(view, call, path, value, names);
            }
        }
        ValueKind::Map(entries) => {
            for entry in entries {
                let Some(name) = &entry.key.name else {
                    continue;
                };
                let mut path = path.to_vec();
                path.push(view.edition.normal_name(name));
                in_argument(view, call, &path, &entry.value, names);
                names.extend(argument_key(view, call, entry.key.range, name, path));
            }
        }
        _ => {}
    }
}

fn argument_key(
    view: &UnitView<'_>,
    call: &ToolCall,
    key: TextRange,
    name: &str,
    path: Vec<String>,
) -> Option<Name> {
    Some(Name {
        range: view.name_in(key, name)?,
        kind: NameKind::ArgumentKey,
        target: Target::Argument {
            tool: call.name.clone(),
            path,
        },
    })
}

impl AgentsSignature<'_> {
    /// The keys of what a program returns.
    fn of_returns(&self, view: &UnitView<'_>) -> Vec<Name> {
        let returned = view.program().returns.iter().filter_map(|it| it.value);
        let values = returned.filter_map(|range| view.program_value(range));
        let output = &self.signature().output;
        let names = values.flat_map(|it| self.in_value(view, &it, output, NameKind::ReturnKey));
        names.collect()
    }

    /// The parameters of the function that the signature describes.
    fn of_function(&self, view: &UnitView<'_>) -> Vec<Name> {
        let Some(function) = &view.program().function else {
            return Vec::new();
        };
        let params = self.signature().params.as_slice();
        let arities = function.arities.iter();
        let parameters = arities.flat_map(|it| it.parameters.iter().enumerate());
        let names = parameters.flat_map(|(index, it)| self.of_parameter(it, params.get(index)));
        names.collect()
    }

    fn of_parameter(&self, parameter: &Parameter, param: Option<&Field>) -> Vec<Name> {
        let name = |range, field: &Field| {
            Some(Name {
                range,
                kind: NameKind::FunctionParameter,
                target: self.target(field.name_range)?,
            })
        };
        let is_same = |field: &Field, written: &str| plain_name(&field.name) == plain_name(written);
        if let Some(written) = &parameter.name {
            let fitting = param.filter(|it| is_same(it, written) && !parameter.is_rest);
            return fitting
                .and_then(|it| name(parameter.range, it))
                .into_iter()
                .collect();
        }
        let fields = param.and_then(|it| record_in(&it.ty)).unwrap_or_default();
        let params = &self.signature().params;
        let keys = parameter.keys.iter().filter_map(|(key, range)| {
            let mut fields = fields.iter().chain(params);
            name(*range, fields.find(|it| is_same(it, key))?)
        });
        keys.collect()
    }
}

/// A name without what a signature cannot write: hyphens, and the marks at the end of names in Lisp.
pub(crate) fn plain_name(name: &str) -> String {
    name.trim_end_matches(['?', '!', '*', '\'', '+'])
        .replace('-', "_")
}

impl UnitView<'_> {
    /// Where `name` is in the key at `range`, beside quotes and colons.
    fn name_in(&self, range: TextRange, name: &str) -> Option<TextRange> {
        let at = self.code(range).find(name)?;
        let start = range.start() + TextSize::try_from(at).ok()?;
        Some(TextRange::at(start, TextSize::of(name)))
    }
}
