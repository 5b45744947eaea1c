//! The names of a unit: where each is declared or used, and what it refers to.
//!
//! References to other units or files are described, not resolved, so that the names of a unit depend only on its text
//! and stay valid when anything around it changes.

mod agent;
mod calls;
mod functions;
mod listings;
mod mentioned;
mod programs;
mod prompts;
mod results;
mod tools;
mod unread;

use self::agent::AgentsSignature;
use super::UnitView;
use crate::{
    ide::fragment::Tree,
    model::{FieldId, Names},
};
use signature_ls_source::{
    cancel,
    host::elixir::tools::Capture,
    order,
    text::{TextRange, TextSize},
};

pub(crate) use functions::plain_name;

/// A name, with ranges in bytes from the unit's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// Just the name, without colons, quotes and namespaces.
    pub(crate) range: TextRange,
    pub(crate) kind: NameKind,
    pub(crate) target: Target,
}

/// The form of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NameKind {
    /// A parameter or field in a signature: a declaration.
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
    /// A key in a sample or in `context:`. It is the declaration if no signature has the name.
    SampleKey,
    /// A key in what a program returns.
    ReturnKey,
    /// A key of an argument in a call of a tool.
    ArgumentKey,
    /// `data/name`
    Data,
    /// A parameter in the head of a function.
    FunctionParameter,
    /// Such a parameter in the body of the function, or a name that `{:keys […]}` binds.
    Local,
    /// A key that a function of Elixir matches in its head or reads in its body, as in `fn %{"query" => query} -> … end`
    /// and `fn args -> args["query"] end`.
    HeadKey,
    /// The name of a tool in its registration: a declaration.
    ToolEntry,
    /// The name of a tool in a call.
    ToolCall,
    /// A function that is a tool, as in `&MyApp.search/1`.
    Capture,
    /// A parameter or field of a tool in a listing, which has the spelling of the tool's signature.
    Listed,
    /// A key of a result, as in `step.return["count"]`.
    ResultKey,
    /// A key that a program reads, as in `(:count result)`.
    ProgramKey,
}

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A parameter or field of a signature in the same unit.
    Field {
        /// The index of the fragment.
        fragment: usize,
        field: FieldId,
    },
    /// A parameter or field of a signature that flows into the unit.
    Elsewhere {
        /// The index of the signature.
        source: usize,
        field: FieldId,
    },
    /// A parameter of a tool, or a field in it.
    Argument {
        /// The tool's name as written.
        tool: String,
        /// The path, in normal form.
        path: Vec<String>,
    },
    /// A field of a tool's output.
    Result {
        /// The tool's name as written.
        tool: String,
        /// The path, in normal form.
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
    /// Whether the name is a declaration.
    pub(crate) fn is_definition(self) -> bool {
        matches!(self, Self::Declaration | Self::ToolEntry)
    }
}

/// A place that may contain names which cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blind {
    /// The place, in bytes from the unit's start.
    pub(crate) range: TextRange,
    pub(crate) what: BlindKind,
    /// What the names belong to.
    pub(crate) owner: Owner,
    /// The path of their parent, in normal form.
    pub(crate) path: Vec<String>,
}

/// Why names cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlindKind {
    /// An interpolation in a prompt.
    Interpolation,
    /// A value that is only known at run time.
    Value,
    /// The arguments of a call that are only known at run time.
    Arguments,
    /// A binding whose name is also a key.
    Binding,
    /// A string in the function of a tool, which may be a key of its argument.
    Key,
    /// A prompt that is only known at run time.
    Prompt,
    /// A program that is only known at run time.
    Program,
    /// A signature that is only known when the program runs, or is written elsewhere.
    Signature,
    /// What an agent of another file takes from a result, or another agent from its result.
    Chain,
    /// An anchor, by which other places use the same text.
    Anchor,
}

/// The owner of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The inputs of the unit's agent.
    Inputs,
    /// The output of the unit's agent.
    Output,
    /// The inputs of a tool, by its name as written.
    Tool(String),
}

/// The names in one part of a unit that is read separately, such as a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// The start of the part, in bytes from the unit's start.
    start: TextSize,
    /// In the order of the text.
    names: Vec<Name>,
}

/// The names of a unit, without those in its prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UnitNames {
    parts: Vec<Part>,
    /// Places that may contain more of them.
    pub(crate) blind: Vec<Blind>,
}

/// The names in one part of a unit, with ranges in bytes from the unit's start.
#[derive(Debug, Default)]
struct Found {
    names: Vec<Name>,
    blind: Vec<Blind>,
}

impl UnitNames {
    /// Reads the names of the unit in `view`, without those in its prompts, which may be long, except for listed tools.
    pub(crate) fn new(view: &UnitView<'_>) -> Self {
        let mut names = Self::default();
        let is_not_ours = view.fragments.is_empty() && !view.unit.sites.is_empty();
        if is_not_ours && view.program().is_empty() {
            return names;
        }
        for (index, fragment) in view.fragments.iter().enumerate() {
            if let Tree::Signature { lowered, .. } = &fragment.tree {
                names.add(fragment.start, of_signature(index, &lowered.names));
            }
        }
        let signature = AgentsSignature::of(view);
        for prompt in view.prompts() {
            if prompt.has_holes {
                names.blind.push(Blind {
                    range: prompt.root.text_range() + prompt.start,
                    what: BlindKind::Interpolation,
                    owner: Owner::Inputs,
                    path: Vec::new(),
                });
            }
        }
        names.blind.extend(unread::of(view));
        let mut found = Found::default();
        tools::add(view, &mut found);
        agent::add_samples(view, signature.as_ref(), &mut found);
        calls::add(view, &mut found);
        listings::add(view, &mut found);
        results::add(view, &mut found);
        programs::add(view, signature.as_ref(), &mut found);
        if let Some(signature) = &signature {
            signature.add_returns(view, &mut found);
            signature.add_function(view, &mut found);
        }
        if view.program().function.is_none() {
            agent::add_data(view, signature.as_ref(), &mut found);
        }
        order::by_range(&mut found.names, |it| it.range);
        names.add(TextSize::default(), found.names);
        names.blind.extend(found.blind);
        names
    }

    fn add(&mut self, start: TextSize, names: Vec<Name>) {
        if !names.is_empty() {
            self.parts.push(Part { start, names });
        }
    }

    /// All names, in the order of the text within each part.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Name> {
        let parts = self.parts.iter();
        parts.flat_map(|part| {
            part.names.iter().map(|it| {
                cancel::check();
                it.moved_by(part.start)
            })
        })
    }

    /// The name at `offset`, in bytes from the unit's start, or one that ends there.
    pub(crate) fn at(&self, offset: TextSize) -> Option<Name> {
        let found = self.parts.iter().filter_map(|part| part.at(offset));
        found.min_by_key(|it| (it.range.end() == offset, it.range.len()))
    }
}

impl Part {
    fn at(&self, offset: TextSize) -> Option<Name> {
        let offset = offset.checked_sub(self.start)?;
        let following = self.names.partition_point(|it| it.range.start() <= offset);
        let before = self.names[..following].iter().rev();
        let mut near = before.take(2);
        let found = near.find(|it| it.range.contains_inclusive(offset))?;
        Some(found.moved_by(self.start))
    }
}

impl Name {
    /// The same name, moved by `offset` bytes.
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

impl UnitView<'_> {
    /// The place of `name` in the key at `range`, without quotes and colons.
    fn name_in(&self, range: TextRange, name: &str) -> Option<TextRange> {
        let at = self.code(range).find(name)?;
        let start = range.start() + TextSize::try_from(at).ok()?;
        Some(TextRange::at(start, TextSize::of(name)))
    }
}
